"""The review in JupyterLab and Notebook: what a person does there is what the magics would have done."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.reviewing import ReviewView, as_saved, launch, notebook, twin, versions

if TYPE_CHECKING:
    from cutbook import Project
    from tests.browser.conftest import OpenNotebook
    from tests.browser.pages import Frontend, NotebookPage

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(400)]
BOTH = pytest.mark.parametrize("frontend", ["lab", "notebook"])
OPEN = "%load_ext cutbook\n%project launch"


def opened(
    desk: Path, open_notebook: OpenNotebook, frontend: Frontend, *more: str
) -> tuple[NotebookPage, ReviewView, Project]:
    """Open a notebook beside a cut of four ranges, and its review; give a twin of the folder too."""
    launch(desk / "launch")
    same = twin(desk / "launch")
    page = open_notebook(notebook(desk / "cut.ipynb", OPEN, "%review", *more), frontend=frontend)
    page.run(0)
    page.run(1)
    return page, ReviewView.of(page, 1), same


@BOTH
def test_decisions_by_key_and_by_mouse_are_those_of_the_magics(
    desk: Path, open_notebook: OpenNotebook, frontend: Frontend, tmp_path: Path
) -> None:
    """A accepts, R rejects, and the buttons do the same; the files are then as if the magics had been typed."""
    page, view, same = opened(desk, open_notebook, frontend)
    page.screenshot(tmp_path / "first.png")
    assert view.head == "1 of 4 · 4 undecided · 00:04"
    view.focus().press("a")
    view.shows(["accepted", "undecided", "undecided", "undecided"])
    assert view.current == 2
    view.button("reject").click()
    view.shows(["accepted", "rejected", "undecided", "undecided"])
    assert view.current == 3
    view.press("ArrowUp", "u")
    view.shows(["accepted", "undecided", "undecided", "undecided"])
    view.settled()
    page.screenshot(tmp_path / "decided.png")
    same.accept(1)
    same.reject(2)
    same.undecided(2)
    edit = desk / "launch" / "edit"
    assert as_saved(edit) == as_saved(same.edit)
    assert versions(edit) == versions(same.edit)
