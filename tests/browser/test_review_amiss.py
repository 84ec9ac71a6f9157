"""The review when something is amiss with the footage, the cut list or the page: it says so, and goes on from there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.reviewing import OPEN, ReviewView, launch, notebook

if TYPE_CHECKING:
    from tests.browser.conftest import OpenNotebook
    from tests.browser.pages import NotebookPage

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(400)]


def opened(desk: Path, open_notebook: OpenNotebook) -> tuple[NotebookPage, ReviewView, Path]:
    """Open a notebook beside a cut of four ranges, and its review; give the footage folder too."""
    folder = launch(desk / "launch")
    page = open_notebook(notebook(desk / "cut.ipynb", OPEN, "%review"), frontend="lab")
    page.run(0)
    page.run(1)
    return page, ReviewView.of(page, 1), folder


def saved(folder: Path) -> list[str]:
    """Return the decisions that edl.json has."""
    found = json.loads((folder / "edit" / "edl.json").read_text("utf-8"))
    return [each["status"] for each in found["ranges"]]


def test_a_range_whose_take_is_gone_is_rejected_by_the_next_key(
    desk: Path, open_notebook: OpenNotebook, tmp_path: Path
) -> None:
    """A does not accept it and stays on it, so that the R which is asked for is of the same range."""
    page, view, folder = opened(desk, open_notebook)
    next(folder.glob("B0202.*")).unlink()
    problem = view.root.locator(".cb-row.cb-problem .cb-number")
    view.until(lambda: problem.all_inner_texts() == ["3"], "that the take is gone was not shown")
    view.focus().press("ArrowDown", "ArrowDown", "a")
    said = view.root.locator(".cb-live")
    view.until(lambda: "range 3 cannot be accepted" in said.inner_text(), "it was not refused")
    page.screenshot(tmp_path / "gone.png")
    view.press("r")
    view.shows(["undecided", "undecided", "rejected", "undecided"]).settled()
    assert saved(folder) == ["undecided", "undecided", "rejected", "undecided"]
    assert view.current == 4


def test_a_broken_cut_list_is_undone_in_the_view(
    desk: Path, open_notebook: OpenNotebook, tmp_path: Path
) -> None:
    """While edl.json is half a file the reason stays in sight; ctrl-Z brings the version back, as the button would."""
    page, view, folder = opened(desk, open_notebook)
    view.focus().press("a").settled()
    (folder / "edit" / "edl.json").write_text('{"version": 2,', "utf-8")
    notice = view.root.locator(".cb-notice:visible")
    notice.wait_for(timeout=60_000)
    view.focus().press("r")
    page.screenshot(tmp_path / "broken.png")
    assert "edl.json" in notice.inner_text()
    assert view.saved == "cannot be changed"
    assert notice.locator("button[data-act='undo']:visible").count() == 1
    view.press("Control+z")
    view.until(lambda: notice.count() == 0, "the version was not brought back")
    view.shows(["accepted", "undecided", "undecided", "undecided"]).settled()
    assert saved(folder) == ["accepted", "undecided", "undecided", "undecided"]


def test_a_dark_page_that_is_loaded_anew_is_dark(
    desk: Path, open_notebook: OpenNotebook, tmp_path: Path
) -> None:
    """The review is there before the theme's colours are, and follows when they come."""
    page, view, _ = opened(desk, open_notebook)

    def theme(name: str) -> None:
        page.page.locator(".lm-MenuBar-item", has_text="Settings").click()
        page.page.locator(".lm-Menu-item[data-type='submenu']", has_text="Theme").first.click()
        page.page.locator(".lm-Menu-item[data-command='apputils:change-theme']", has_text=name).first.click()

    def scheme() -> str | None:
        return view.root.get_attribute("data-scheme")

    theme("JupyterLab Dark")
    try:
        view.until(lambda: scheme() == "dark", "the review did not turn dark")
        page.reload()
        page.page.locator("body[data-jp-theme-light='false']").wait_for(state="attached", timeout=60_000)
        view = ReviewView.of(page, 1)
        view.until(lambda: scheme() == "dark", "the review took the page for a light one")
        page.screenshot(tmp_path / "dark.png")
    finally:
        theme("JupyterLab Light")
    view.until(lambda: scheme() == "light", "the review stayed dark")
