"""The harness itself, on a small notebook, so that a failure elsewhere is the notebook's and not the harness's."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tests.browser.conftest import OpenNotebook
from tests.browser.pages import Frontend
from tests.footage import run

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

PICTURE = """
from matplotlib.figure import Figure
figure = Figure(figsize=(4, 1), dpi=100)
figure.subplots().plot([1, 3, 2])
from IPython.display import Image, display
figure.savefig("picture.png")
display(Image("picture.png"))
"""
VIDEO = """
from IPython.display import Video
Video("clip.mp4", width=320)
"""


def stand_in(folder: Path) -> Path:
    """Write a notebook with a picture, a video and an error into `folder` and return its path."""
    run(
        "-f",
        "lavfi",
        "-i",
        "testsrc2=size=320x180:rate=25:duration=2",
        "-pix_fmt",
        "yuv420p",
        folder / "clip.mp4",
    )
    cells = [
        new_markdown_cell("# A stand-in"),
        new_code_cell("6 * 7"),
        new_code_cell(PICTURE.strip()),
        new_code_cell(VIDEO.strip()),
        new_code_cell("import time; time.sleep(1); print('slow')"),
        new_code_cell("raise ValueError('meant')"),
    ]
    path = folder / "stand in.ipynb"
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": kernel}), path)
    return path


@pytest.mark.parametrize("frontend", ["lab", "notebook"])
def test_a_notebook_is_run_saved_restarted_and_reloaded(
    desk: Path, open_notebook: OpenNotebook, tmp_path: Path, frontend: Frontend
) -> None:
    """Results are seen as they stand on the screen, and a cell run again is not taken for its earlier run."""
    page = open_notebook(stand_in(desk), frontend=frontend)
    assert page.run(0).inner_text().split()[-1] == "42"
    page.run(1)
    assert page.pictures(1) == [(400, 100)]
    page.run(2)
    (video,) = page.videos(2)
    assert (video["width"], video["height"], video["error"]) == (320, 180, None)
    assert "slow" in page.run(3).inner_text()
    assert page.errors(3) == []
    page.run(4)
    assert "meant" in "".join(page.errors(4))
    saved = page.save()
    kinds = [
        [output.output_type for output in cell.outputs] for cell in saved.cells if cell.cell_type == "code"
    ]
    assert kinds == [["execute_result"], ["display_data"], ["execute_result"], ["stream"], ["error"]]
    assert page.screenshot(tmp_path / "whole.png").stat().st_size > 10_000

    page.restart()
    page.run(0)
    assert page.prompt(0) == "[1]:"
    page.reload()
    assert page.prompt(0) == "[1]:"
    page.run(0)
    assert page.prompt(0) == "[2]:"
