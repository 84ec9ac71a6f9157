"""Keys that are pressed in the review are the review's, and none of them Jupyter's."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
import pytest

from tests.browser.reviewing import OPEN, ReviewView, launch, notebook

if TYPE_CHECKING:
    from tests.browser.conftest import OpenNotebook
    from tests.browser.pages import Frontend, NotebookPage

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(400)]

OURS = """
Space Enter Shift+Enter j k l k ArrowDown ArrowUp e Shift+E ArrowLeft ArrowRight Shift+ArrowLeft Shift+ArrowRight
Alt+ArrowLeft Alt+ArrowRight Home End a r u i o Shift+I Shift+O , . Shift+, Shift+. Delete Backspace s m t t 1 9 Escape
Alt+ArrowUp Alt+ArrowDown Control+ArrowUp Control+ArrowDown Control+z Control+Shift+z Control+y v v f ? ?
""".split()
JUPYTERS = (
    "I I D D 0 0 X Z B M Y x z b y c p h Shift+V Shift+J Shift+K Shift+M Control+Enter Alt+Enter".split()
)
CELLS = """() => [...document.querySelectorAll(".jp-Notebook .jp-Cell")].map(cell => [cell.className.match(
    /jp-(Code|Markdown|Raw)Cell/)[1], cell.querySelector(".cm-content, .jp-Editor")?.innerText ?? ""])"""
RUNNING = "import time\nfor _ in range(300):\n    time.sleep(0.1)\nprint('ran to its end')"


def all_keys(view: ReviewView) -> None:
    """Press every key that the review knows, and those that would change a notebook.

    Escape gives the keys back to Jupyter where nothing is open; the review is taken up again then.
    """
    for key in [*OURS, *JUPYTERS]:
        view.press(key)
        if key == "Escape" and not view.root.evaluate("root => root.contains(document.activeElement)"):
            view.focus()
        if view.root.locator(".cb-line:not([hidden])").count():
            view.press("x", "d", "d", "Escape")


@pytest.mark.parametrize("frontend", ["lab", "notebook"])
def test_no_key_reaches_jupyter_while_a_cell_runs(
    desk: Path, open_notebook: OpenNotebook, frontend: Frontend
) -> None:
    """With the focus on the review and on a button of it: same cells, of the same kinds, and no interrupt."""
    launch(desk / "launch")
    file = notebook(desk / "cut.ipynb", OPEN, "%review", RUNNING, "40 + 2")
    page = open_notebook(file, frontend=frontend)
    page.run(0)
    page.run(1)
    view = ReviewView.of(page, 1)
    page.cell(2).locator(".jp-InputArea-prompt").first.click()
    page.page.keyboard.press("Control+Enter")
    before = page.page.evaluate(CELLS)
    view.root.scroll_into_view_if_needed()
    view.focus()
    all_keys(view)
    assert page.page.evaluate(CELLS) == before
    view.button("undecide").evaluate("button => button.focus()")
    all_keys(view)
    assert page.page.evaluate(CELLS) == before

    saves_by_key(page, view)
    end = page.cell(2).locator(".jp-OutputArea")
    view.until(lambda: "ran to its end" in end.first.inner_text(), "the cell was stopped", seconds=60)
    assert page.errors(2) == []

    view.focus().press("Escape", "Escape", "Escape")
    inside = "root => root.contains(document.activeElement)"
    assert not view.root.evaluate(inside), "escape did not give the focus back to the cell"
    view.press("ArrowDown")
    assert page.page.evaluate(CELLS) == before


def saves_by_key(page: NotebookPage, view: ReviewView) -> None:
    """Press ctrl-S in the review, and wait until the notebook was saved."""
    was = page.notebook.stat().st_mtime_ns
    view.focus().press("Control+s")
    view.until(lambda: page.notebook.stat().st_mtime_ns != was, "ctrl-S did not save the notebook")
    cells = nbformat.read(page.notebook, as_version=4).cells
    assert [cell.cell_type for cell in cells] == ["code"] * 4


@pytest.mark.parametrize("frontend", ["lab", "notebook"])
def test_what_is_typed_into_a_reason_stays_in_it(
    desk: Path, open_notebook: OpenNotebook, frontend: Frontend
) -> None:
    """Letters that are keys of the review or of Jupyter are letters in a line of text, and so is what is composed."""
    launch(desk / "launch")
    page = open_notebook(notebook(desk / "cut.ipynb", OPEN, "%review"), frontend=frontend)
    page.run(0)
    page.run(1)
    view = ReviewView.of(page, 1)
    before = page.page.evaluate(CELLS)
    view.focus().press("w")
    page.page.keyboard.type("a dry joke: ii dd 00, xyz? ")
    page.page.keyboard.insert_text("很好")
    view.press("Enter").settled()
    view.until(
        lambda: "a dry joke: ii dd 00, xyz? 很好" in view.root.locator(".cb-row").first.inner_text(),
        "the reason is not in the list",
    )
    assert view.statuses == ["undecided"] * 4
    assert page.page.evaluate(CELLS) == before
