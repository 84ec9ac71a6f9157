"""The review of three hours: what is put on the page and into the notebook stays small."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.browser.conftest import OpenNotebook
from tests.browser.reviewing import ReviewView, notebook
from tests.large import CUTS, WORDS, lecture

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.matrix, pytest.mark.timeout(900)]


def test_three_hours_are_reviewed_by_the_window_and_saved_small(
    desk: Path, open_notebook: OpenNotebook, tmp_path: Path
) -> None:
    """Of 500 ranges only those in sight are rows, each of 27,000 words is one span, and no more than 1 MB is saved."""
    lecture(desk / "lecture")
    page = open_notebook(notebook(desk / "cut.ipynb", "%load_ext cutbook\n%project lecture", "%review"))
    page.run(0)
    page.run(1)
    view = ReviewView.of(page, 1)
    assert view.head.startswith(f"1 of {CUTS} · {CUTS} undecided")
    words = view.root.locator(".cb-said > span")
    view.until(lambda: words.count() == WORDS, "not every word is there", seconds=90)
    assert len(view.rows) < 60
    view.focus().press("End")
    view.until(lambda: view.current == CUTS, "the last range is not shown")
    view.press("a", "Home", "r")
    view.until(lambda: view.saved == "saved", "the decisions were not saved", seconds=90)
    page.screenshot(tmp_path / "large.png")
    ranges = json.loads((desk / "lecture" / "edit" / "edl.json").read_text("utf-8"))["ranges"]
    assert [ranges[0]["status"], ranges[-1]["status"]] == ["rejected", "accepted"]
    saved = page.save()
    state = json.dumps(saved.metadata.get("widgets", {}))
    assert len(state.encode()) <= 1_000_000
    outputs = json.dumps([cell.get("outputs") for cell in saved.cells[1:]])
    assert len(outputs.encode()) <= 1_000_000
