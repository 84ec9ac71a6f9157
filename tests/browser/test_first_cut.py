from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.browser.conftest import OpenNotebook
from tests.sample import ROOT, copy_takes

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(900)]


def test_first_cut_runs_in_jupyterlab(desk: Path, open_notebook: OpenNotebook, tmp_path: Path) -> None:
    """A person opens the notebook, runs it cell by cell, and sees the composite and the rendered film."""
    notebook = desk / "notebooks" / "first_cut.ipynb"
    notebook.parent.mkdir()
    shutil.copy2(ROOT / "notebooks" / "first_cut.ipynb", notebook)
    footage = copy_takes(desk / "sample_media")

    page = open_notebook(notebook)
    page.run_all(seconds=600)

    sources = [page.source(number) for number in range(page.code_cells.count())]
    (composite,) = [number for number, source in enumerate(sources) if "%timeline" in source][:1]
    assert max(width for width, _ in page.pictures(composite)) >= 800
    page.screenshot(tmp_path / "composite.png", cell=composite)

    (film,) = [number for number, source in enumerate(sources) if "%render" in source][:1]
    videos = page.videos(film)
    assert videos or page.pictures(film)
    assert [video["error"] for video in videos if video["error"]] == []
    assert [video for video in videos if not video["seconds"] > 10] == []
    page.cell(film).locator(".jp-OutputArea video, .jp-OutputArea img").first.scroll_into_view_if_needed()
    page.screenshot(tmp_path / "film.png")

    (kept,) = [number for number, source in enumerate(sources) if "%memory persist" in source]
    page.cell(kept).get_by_role("button", name="Save").click()
    page.cell(kept).get_by_text("is kept in edit/project.md").first.wait_for(timeout=20_000)

    saved = page.save()
    outputs = [output for cell in saved.cells if cell.cell_type == "code" for output in cell.outputs]
    assert [output.evalue for output in outputs if output.output_type == "error"] == []
    edit = footage / "edit"
    for name in ("edl.json", "project.md", "takes_packed.md"):
        assert (edit / name).is_file(), name
    assert list(edit.glob("*.mp4"))
