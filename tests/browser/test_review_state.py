"""Reviews in step with one another, with other processes and with the kernel, and honest when they are not."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.reviewing import OPEN, ReviewView, launch, notebook

if TYPE_CHECKING:
    from tests.browser.conftest import OpenNotebook
    from tests.browser.pages import Frontend, NotebookPage

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(400)]
BOTH = pytest.mark.parametrize("frontend", ["lab", "notebook"])
UNDECIDED = ["undecided"] * 4


def opened(
    desk: Path, open_notebook: OpenNotebook, frontend: Frontend, *cells: str
) -> tuple[NotebookPage, Path]:
    """Open a notebook beside a cut of four ranges, its first cell run; give the edit folder too."""
    launch(desk / "launch")
    page = open_notebook(notebook(desk / "cut.ipynb", OPEN, *cells), frontend=frontend)
    page.run(0)
    return page, desk / "launch" / "edit"


def saved(edit: Path) -> list[str]:
    """Return the decisions that edl.json has."""
    return [each["status"] for each in json.loads((edit / "edl.json").read_text("utf-8"))["ranges"]]


def elsewhere(folder: Path, verb: str) -> None:
    """Change the cut list from another process."""
    code = f"import sys; from cutbook import Project; Project(sys.argv[1]).{verb}"
    subprocess.run([sys.executable, "-c", code, str(folder)], check=True, timeout=60)


@BOTH
def test_a_restarted_kernel_is_told_and_undo_goes_on(
    desk: Path, open_notebook: OpenNotebook, frontend: Frontend, tmp_path: Path
) -> None:
    """After a restart a press is not saved; %review again names it and does it on wish; undo goes on from before."""
    page, edit = opened(desk, open_notebook, frontend, "%review")
    page.run(1)
    view = ReviewView.of(page, 1)
    view.focus().press("a", "r").settled()
    assert saved(edit) == ["accepted", "rejected", "undecided", "undecided"]
    page.restart()
    forgotten = "no kernel behind this: run %review again"
    view.until(lambda: view.saved == forgotten, "that the kernel knows nothing of the view was not told")
    view.focus().press("a")
    view.until(lambda: view.saved == "not saved: run %review again", "the loss was not told")
    page.screenshot(tmp_path / "lost.png")
    assert saved(edit) == ["accepted", "rejected", "undecided", "undecided"]

    page.run(0)
    page.run(1)
    again = ReviewView.of(page, 1)
    again.shows(["accepted", "rejected", "undecided", "undecided"])
    notice = again.root.locator(".cb-notice:visible .cb-notice-text")
    again.until(lambda: notice.all_inner_texts() == ["Not saved before: 3 accept."], "the loss was not named")
    assert saved(edit) == ["accepted", "rejected", "undecided", "undecided"]
    again.focus().press("g")
    again.shows(["accepted", "rejected", "accepted", "undecided"])
    again.settled()
    assert notice.count() == 0
    again.press("Control+z")
    again.shows(["accepted", "rejected", "undecided", "undecided"])
    again.press("Control+z")
    again.shows(["accepted", "undecided", "undecided", "undecided"])
    again.press("Control+z")
    again.shows(UNDECIDED)
    again.press("Control+Shift+z").settled()
    assert saved(edit) == ["accepted", "undecided", "undecided", "undecided"]


@BOTH
def test_a_page_loaded_anew_shows_the_review_again(
    desk: Path, open_notebook: OpenNotebook, frontend: Frontend
) -> None:
    """The notebook is saved and loaded anew with its kernel alive: the review stands there, and goes on."""
    page, edit = opened(desk, open_notebook, frontend, "%review")
    page.run(1)
    ReviewView.of(page, 1).focus().press("a").settled()
    page.reload()
    view = ReviewView.of(page, 1)
    view.shows(["accepted", "undecided", "undecided", "undecided"])
    view.focus().press("ArrowDown", "r").settled()
    assert saved(edit) == ["accepted", "rejected", "undecided", "undecided"]


def test_a_saved_notebook_has_the_table_with_its_pictures(desk: Path, open_notebook: OpenNotebook) -> None:
    """The view does not wait for the pictures of the table beneath it; a moment later all eight are in the notebook."""
    page, _ = opened(desk, open_notebook, "lab", "%review")
    page.run(1)
    ReviewView.of(page, 1)
    found = 0
    for _again in range(10):
        page.page.wait_for_timeout(1500)
        outputs = page.save().cells[1].outputs
        found = sum(str(each.get("data", {}).get("text/html", "")).count("<img") for each in outputs)
        if found:
            break
    assert found == 8


@BOTH
def test_two_reviews_two_views_and_the_magics_are_in_step(
    desk: Path, open_notebook: OpenNotebook, frontend: Frontend
) -> None:
    """What is decided in one is seen in all, whoever decides: a view, another widget, Python."""
    cells = ("review = %review\nreview", "%review", "review", "review.reject(4, why='off topic')")
    page, edit = opened(desk, open_notebook, frontend, *cells)
    views = []
    for cell in (1, 2, 3):
        page.run(cell)
        views.append(ReviewView.of(page, cell))
    views[0].focus().press("a")
    for view in views:
        view.shows(["accepted", "undecided", "undecided", "undecided"])
    views[2].focus().press("ArrowDown", "r")
    for view in views:
        view.shows(["accepted", "rejected", "undecided", "undecided"])
    page.run(4)
    for view in views:
        view.shows(["accepted", "rejected", "undecided", "rejected"])
    views[1].focus().press("Control+z")
    for view in views:
        view.shows(["accepted", "rejected", "undecided", "undecided"]).settled()
    assert saved(edit) == ["accepted", "rejected", "undecided", "undecided"]


@BOTH
def test_what_another_process_changed_comes_into_view(
    desk: Path, open_notebook: OpenNotebook, frontend: Frontend
) -> None:
    """A change from elsewhere is shown within seconds, and one's own next press goes on from it."""
    page, edit = opened(desk, open_notebook, frontend, "%review")
    page.run(1)
    view = ReviewView.of(page, 1)
    elsewhere(desk / "launch", "reject(3, why='too loud')")
    view.shows(["undecided", "undecided", "rejected", "undecided"])
    view.focus().press("a").settled()
    assert saved(edit) == ["accepted", "undecided", "rejected", "undecided"]


@BOTH
def test_a_stale_press_is_refused_and_the_view_made_fresh(
    desk: Path, open_notebook: OpenNotebook, frontend: Frontend, tmp_path: Path
) -> None:
    """Pressed before the other's change was seen: not done, named, the list as it is now; G does it again."""
    page, edit = opened(desk, open_notebook, frontend, "%review", "import os; print(os.getpid())")
    page.run(1)
    view = ReviewView.of(page, 1)
    kernel = int(page.run(2).inner_text().split()[-1])
    os.kill(kernel, signal.SIGSTOP)
    try:
        view.focus().press("a")
        view.until(
            lambda: view.saved not in {"saved", "saving…"}, "a kernel that does not answer was not told"
        )
        page.screenshot(tmp_path / "silent.png")
        elsewhere(desk / "launch", "reject(3, why='too loud')")
    finally:
        os.kill(kernel, signal.SIGCONT)
    view.shows(["undecided", "undecided", "rejected", "undecided"])
    view.until(lambda: view.saved == "not done", "the refusal was not told")
    page.screenshot(tmp_path / "refused.png")
    assert saved(edit) == ["undecided", "undecided", "rejected", "undecided"]
    named = view.root.locator(".cb-notice:visible .cb-notice-text").inner_text()
    assert named == "Not done, since the cut list was changed elsewhere: 1 accept."
    view.press("g")
    view.shows(["accepted", "undecided", "rejected", "undecided"]).settled()
    assert saved(edit) == ["accepted", "undecided", "rejected", "undecided"]


@BOTH
def test_a_dead_kernel_is_shown(
    desk: Path, open_notebook: OpenNotebook, frontend: Frontend, tmp_path: Path
) -> None:
    """The kernel is shut down: the review says so, and a press is not passed off as saved."""
    page, edit = opened(desk, open_notebook, frontend, "%review")
    page.run(1)
    view = ReviewView.of(page, 1)
    page.shut_down()
    view.until(lambda: "kernel" in view.saved, "the dead kernel was not shown")
    view.focus().press("a")
    page.page.wait_for_timeout(2000)
    page.screenshot(tmp_path / "dead.png")
    assert "not saved" in view.saved
    assert saved(edit) == UNDECIDED
