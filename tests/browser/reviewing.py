"""A review in a notebook in a browser, used as a person uses it: keys, clicks, and what is then read on the page."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from cutbook import Project
from tests.launch import copy_launch

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

    from tests.browser.conftest import OpenNotebook
    from tests.browser.pages import Frontend, NotebookPage

CUT = """
HOOK     C0101 0.5-1.4   -- the line
PROBLEM  C0101 1.45-2.2  -- same breath
FIX      B0202 0.4-1.5   -- shorter
AGAIN    C0101 3.6-4.7   -- the longer answer
"""
"""Four ranges of two takes; the second goes on where the first ends."""

OPEN = "%load_ext cutbook\n%project launch"
"""The cell that opens the launch folder beside a notebook."""

SECONDS = 20.0


def launch(folder: Path, *, cut: str = CUT) -> Path:
    """Make the launch folder with its words and a cut list of four ranges."""
    copy_launch(folder)
    Project(folder).cut(cut)
    return folder


def twin(folder: Path) -> Project:
    """Copy a footage folder with its edit, for what the magics would have made of it."""
    return Project(shutil.copytree(folder, folder.parent.parent / f"{folder.parent.name} twin" / folder.name))


def notebook(path: Path, *cells: str) -> Path:
    """Write a notebook of code cells."""
    made = new_notebook(cells=[new_code_cell(cell) for cell in cells])
    made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(made, path)
    return path


def wait(until: Callable[[], object], what: str, page: Page, *, seconds: float = SECONDS) -> None:
    """Wait until something is true, else fail with what it was to be."""
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end, what
        page.wait_for_timeout(50)


def left(edit: Path) -> dict[str, Any]:
    """Return what work on a cut list leaves: the list, who made its versions and why, and the open session's events.

    Ids of ranges, which are random, stand as the order in which they first occur.
    """
    metas = [json.loads(path.read_text("utf-8")) for path in sorted((edit / "history").glob("*.meta.json"))]
    lines = (edit / "session.jsonl").read_text("utf-8").splitlines()
    events = [json.loads(line) for line in lines if line]
    found = {
        "edl": json.loads((edit / "edl.json").read_text("utf-8")),
        "history": [(meta["by"], meta["why"]) for meta in metas],
        "session": [
            {key: value for key, value in event.items() if key in {"kind", "facts"}} for event in events
        ],
    }
    ids: dict[str, str] = {}
    text = re.sub(r"r-[a-z0-9]{5}", lambda hit: ids.setdefault(hit[0], f"r-{len(ids)}"), json.dumps(found))
    plain: dict[str, Any] = json.loads(text)
    return plain


class ReviewView:
    """One view of a review on the page."""

    def __init__(self, page: NotebookPage, root: Locator) -> None:
        self.notebook = page
        self.page = page.page
        self.root = root

    @classmethod
    def of(cls, page: NotebookPage, cell: int, view: int = 0) -> ReviewView:
        """Wait for the review beneath a code cell to show its ranges."""
        found = cls(page, page.cell(cell).locator(".cb-root").nth(view))
        found.root.wait_for(timeout=60_000)
        found.until(lambda: found.saved == "saved", "the review did not open")
        return found

    def until(self, true: Callable[[], object], what: str, *, seconds: float = SECONDS) -> None:
        """Wait until something is so; else say what the review shows."""
        try:
            wait(true, what, self.page, seconds=seconds)
        except AssertionError:
            said = self.root.locator(".cb-news").first.inner_text()
            pytest.fail(f"{what}; it shows {self.rows}, {self.saved!r}, {said!r}")

    def focus(self) -> ReviewView:
        """Put the focus on the review itself."""
        self.root.evaluate("root => root.focus()")
        return self

    def press(self, *keys: str) -> ReviewView:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def button(self, act: str) -> Locator:
        """Return the button of an act."""
        return self.root.locator(f"button[data-act='{act}']").first

    def settled(self) -> ReviewView:
        """Wait until all is saved."""
        self.until(lambda: self.saved == "saved", "it was not saved")
        return self

    @property
    def saved(self) -> str:
        """What the head says of saving."""
        return self.root.locator(".cb-saved").inner_text().strip()

    @property
    def head(self) -> str:
        """How far the review is, as the head says."""
        return self.root.locator(".cb-far").inner_text().strip()

    @property
    def rows(self) -> list[tuple[str, str, str]]:
        """The list's rows on the screen, by their order: number, status, words."""
        found: list[list[str]] = self.root.locator(".cb-row").evaluate_all(
            """rows => rows.map(row => [row.querySelector(".cb-number").textContent, row.dataset.status,
                row.querySelector(".cb-quote").textContent])"""
        )
        return sorted(((n, status, words) for n, status, words in found), key=lambda row: int(row[0]))

    @property
    def statuses(self) -> list[str]:
        """The decisions, by the list's order."""
        return [status for _, status, _ in self.rows]

    @property
    def current(self) -> int:
        """The number of the current range."""
        return int(self.root.locator(".cb-row[aria-selected='true'] .cb-number").inner_text())

    def word(self, take: str, number: int) -> Locator:
        """Return a word of the transcript, counted from 1."""
        return self.root.locator(f".cb-take[data-take='{take}'] .cb-said span").nth(number - 1)

    @property
    def struck(self) -> list[str]:
        """The words that are struck through, in the order of the page."""
        return self.root.locator(".cb-said span.cut").all_inner_texts()

    def type(self, text: str) -> ReviewView:
        """Write a line into the form that is open, and press enter."""
        self.page.keyboard.type(text)
        return self.press("Enter")

    @property
    def time(self) -> str:
        """The film time at the playhead."""
        return self.root.locator(".cb-time").inner_text().strip()

    def shows(self, statuses: Sequence[str]) -> ReviewView:
        """Wait until the list shows these decisions."""
        self.until(lambda: self.statuses == list(statuses), f"the decisions are not {statuses}")
        return self


def opened(
    desk: Path, open_notebook: OpenNotebook, frontend: Frontend, *, cut: str = CUT
) -> tuple[NotebookPage, ReviewView, Project]:
    """Open a notebook beside a cut, and its review; give a twin of the folder too."""
    launch(desk / "launch", cut=cut)
    same = twin(desk / "launch")
    page = open_notebook(notebook(desk / "cut.ipynb", OPEN, "%review"), frontend=frontend)
    page.run(0)
    page.run(1)
    return page, ReviewView.of(page, 1), same
