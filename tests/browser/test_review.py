"""The review in JupyterLab and Notebook: what a person does there is what the magics would have done."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.reviewing import left, opened

if TYPE_CHECKING:
    from tests.browser.conftest import OpenNotebook
    from tests.browser.pages import Frontend

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(400)]
BOTH = pytest.mark.parametrize("frontend", ["lab", "notebook"])


@BOTH
def test_decisions_by_key_and_by_mouse_are_those_of_the_magics(
    desk: Path, open_notebook: OpenNotebook, frontend: Frontend, tmp_path: Path
) -> None:
    """A accepts, R rejects, and the buttons do the same; the files are then as if the magics had been typed."""
    page, view, same = opened(desk, open_notebook, frontend)
    assert view.head == "1 of 4 · 4 undecided · 00:04"
    view.focus().press("a")
    view.shows(["accepted", "undecided", "undecided", "undecided"])
    assert view.current == 2
    view.button("reject").click()
    view.shows(["accepted", "rejected", "undecided", "undecided"])
    assert view.current == 3
    view.press("ArrowUp", "u")
    view.shows(["accepted", "undecided", "undecided", "undecided"])
    view.press("ArrowDown", "Shift+R").type("said better elsewhere")
    view.shows(["accepted", "undecided", "undecided", "rejected"])
    view.settled()
    page.screenshot(tmp_path / "decided.png")

    same.accept(1)
    same.reject(2)
    same.undecided(2)
    same.reject(4, why="said better elsewhere")
    assert left(desk / "launch" / "edit") == left(same.edit)


@BOTH
def test_trims_splits_merges_moves_and_reasons_are_those_of_the_magics(
    desk: Path, open_notebook: OpenNotebook, frontend: Frontend, tmp_path: Path
) -> None:
    """Edges by a frame and at the playhead, split, merge, order, a reason, a note, undo and redo, all by key."""
    page, view, same = opened(desk, open_notebook, frontend)
    first, last = same.edl.ranges[0].frames
    view.focus().press(".", ".", "Shift+,", "Home")
    for _ in range(5):
        view.press("ArrowRight")
    view.press("s").settled()
    view.until(lambda: len(view.rows) == 5, "the range was not split")
    view.press("m").settled()
    view.until(lambda: len(view.rows) == 4, "the halves were not merged")
    view.press("Alt+ArrowDown").settled()
    view.until(lambda: view.rows[1][2] == "Ninety percent", "the range was not moved")
    view.press("w").type("it must come second")
    view.press("n").type("ask Theo for the end card")
    view.settled()
    view.press("Control+z").settled()
    view.press("Control+z").settled()
    view.until(lambda: view.rows[0][2] == "Ninety percent", "the move was not undone")
    view.press("Control+Shift+z").settled()
    view.until(lambda: view.rows[1][2] == "Ninety percent", "the move was not done again")
    page.screenshot(tmp_path / "trimmed.png")

    same.trim(1, edge="in", frame=first + 1, exact=True)
    same.trim(1, edge="in", frame=first + 2, exact=True)
    same.trim(1, edge="out", frame=last - 1, exact=True)
    same.split(1, frame=first + 2 + 5)
    same.merge(1)
    same.move(1, before=3)
    same.reason(2, "it must come second")
    same.memory.note("ask Theo for the end card")
    same.undo()
    same.undo()
    same.redo()
    assert left(desk / "launch" / "edit") == left(same.edit)


@BOTH
def test_words_are_cut_and_put_back_in_the_transcript(
    desk: Path, open_notebook: OpenNotebook, frontend: Frontend, tmp_path: Path
) -> None:
    """A click seeks, a drag selects, Delete cuts, and Delete again restores; the strike goes with it."""
    page, view, same = opened(desk, open_notebook, frontend)
    view.until(lambda: view.struck == ["Um,"], "the transcript does not show what is cut")
    view.word("C0101", 7).click()
    assert view.current == 4
    view.press("Delete")
    view.until(lambda: view.struck == ["Um,", "fixed"], "the word was not struck")
    view.settled()
    view.word("C0101", 7).click()
    view.press("Delete")
    view.until(lambda: view.struck == ["Um,"], "the word was not put back")
    view.settled()
    view.word("C0101", 1).hover()
    page.page.mouse.down()
    view.word("C0101", 2).hover()
    page.page.mouse.up()
    view.press("Delete")
    view.until(lambda: view.struck == ["Ninety", "percent", "Um,"], "the words were not struck")
    view.settled()
    page.screenshot(tmp_path / "words.png")

    same.cut_words(4, 7, 7)
    same.restore_words("C0101", 7, 7)
    same.cut_words(1, 1, 2)
    assert left(desk / "launch" / "edit") == left(same.edit)
