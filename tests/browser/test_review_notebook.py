"""The notebook that shows the review, opened in JupyterLab."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.browser.conftest import OpenNotebook
from tests.browser.reviewing import ReviewView
from tests.sample import ROOT, copy_takes

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(600)]


def test_the_review_notebook_runs_and_its_review_plays(
    desk: Path, open_notebook: OpenNotebook, tmp_path: Path
) -> None:
    """Run from top to bottom it shows the cut list as the magics left it; the edit then plays across a cut."""
    notebook = desk / "notebooks" / "review.ipynb"
    notebook.parent.mkdir()
    shutil.copy2(ROOT / "notebooks" / "review.ipynb", notebook)
    copy_takes(desk / "sample_media")
    shutil.copy2(ROOT / "sample_media" / "script.json", desk / "sample_media")

    page = open_notebook(notebook, width=1400, height=1200)
    page.run_all(seconds=300)
    (cell,) = [n for n in range(page.code_cells.count()) if page.source(n).startswith("review = %review")]
    view = ReviewView.of(page, cell)
    view.shows(["undecided", "accepted", "undecided", "undecided", "accepted", "rejected"])
    ready = ".cb-player video"
    view.until(lambda: view.root.locator(ready).count() > 0, "no video is there", seconds=90)
    view.root.scroll_into_view_if_needed()
    view.page.wait_for_timeout(1000)  # what has only just come into sight does not play
    view.focus().press("Space")
    view.until(lambda: view.current == 2, "the film did not play on across the first cut", seconds=60)
    view.press("Space")
    view.root.screenshot(path=tmp_path / "review.png")
