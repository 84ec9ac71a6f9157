"""The rest of what is done in a review: filters and batches, other takes, versions, edges and rows by mouse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.reviewing import left, opened

if TYPE_CHECKING:
    from cutbook.edit.edl import Range
    from tests.browser.conftest import OpenNotebook
    from tests.browser.pages import Frontend

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(400)]
BOTH = pytest.mark.parametrize("frontend", ["lab", "notebook"])
WHOLE = """
HOOK     C0101 0.5-4.7   -- all of it
FIX      B0202 0.4-1.5   -- shorter
"""


@BOTH
def test_a_filter_shows_some_and_a_batch_is_one_change(
    desk: Path, open_notebook: OpenNotebook, frontend: Frontend, tmp_path: Path
) -> None:
    """Ranges with fillers alone are shown and cleared at once with a reason; those undecided are accepted at once."""
    page, view, same = opened(desk, open_notebook, frontend, cut=WHOLE)
    view.root.locator(".cb-mode", has_text="Fillers").click()
    view.until(
        lambda: [row[0] for row in view.rows] == ["1"], "the filter does not show the range with an um"
    )
    view.root.get_by_role("textbox", name="Why, for all shown").fill("no ums in this film")
    page.screenshot(tmp_path / "fillers.png")
    view.root.locator(".cb-batch button", has_text="Take out").click()
    view.settled()
    view.until(lambda: view.rows == [], "the um is still there")
    view.root.locator(".cb-mode", has_text="Undecided").click()
    view.until(lambda: len(view.rows) == 3, "the cut range is not two")
    view.root.locator(".cb-batch button", has_text="Accept").click()
    view.settled()
    view.focus().press("Escape")
    view.shows(["accepted"] * 3)

    same.tighten(1, fillers=True)
    same.accept(*range(1, 4))
    found, wanted = left(desk / "launch" / "edit"), left(same.edit)
    assert found["edl"] == wanted["edl"]
    assert "no ums in this film" in json.dumps(found["session"])


@BOTH
def test_another_take_is_tried_and_taken(
    desk: Path, open_notebook: OpenNotebook, frontend: Frontend, tmp_path: Path
) -> None:
    """T lists where else the words are said, 1 plays the first in place, 1 again takes it; undo brings the old back."""
    page, view, same = opened(
        desk, open_notebook, frontend, cut="FIX B0202 0.4-1.5 -- shorter\nEND C0101 1.45-2.2"
    )
    (other, *_) = same.others(1)
    view.focus().press("t")
    view.until(lambda: view.root.locator(".cb-other").count() > 0, "no other take is listed")
    page.screenshot(tmp_path / "takes.png")
    view.press("1")
    view.until(lambda: view.root.locator(".cb-other[aria-current]").count() == 1, "it was not tried")
    view.press("1")
    view.until(lambda: view.rows[0][2] == "we fixed this.", "the other take was not put in")
    view.settled()
    same.swap(1, other.take, *other.words)
    assert left(desk / "launch" / "edit") == left(same.edit)
    strip = view.root.locator(".cb-wave")

    def stands(on: Range) -> bool:
        told = (
            strip.get_attribute("aria-valuenow"),
            (strip.get_attribute("aria-valuetext") or "").split()[-1],
        )
        return told == (str(on.frames[0]), on.source)

    view.until(lambda: stands(same.edl.ranges[0]), "the playhead does not stand on the other take")
    view.focus().press("Control+z")
    view.until(lambda: view.rows[0][2] == "We fixed that.", "the take before did not come back")
    same.undo()
    view.until(lambda: stands(same.edl.ranges[0]), "the playhead does not stand on the take before")


@BOTH
def test_an_edge_and_a_row_are_dragged(
    desk: Path, open_notebook: OpenNotebook, frontend: Frontend, tmp_path: Path
) -> None:
    """The mouse takes an edge of the range to another word's edge, and a row to another place in the list."""
    page, view, _ = opened(
        desk, open_notebook, frontend, cut="HOOK C0101 0.5-2.2\nFIX B0202 0.4-1.0\nEND B0202 1.05-1.5"
    )
    edit = desk / "launch" / "edit"
    before = json.loads((edit / "edl.json").read_text("utf-8"))["ranges"]
    strip = view.root.locator(".cb-strip canvas").first
    strip.scroll_into_view_if_needed()
    whole = strip.bounding_box()
    assert whole
    x, y = whole["x"] + whole["width"] - 5, whole["y"] + whole["height"] * 0.7
    page.page.mouse.move(x, y)
    while "resize" not in strip.evaluate("canvas => getComputedStyle(canvas).cursor"):
        x -= 3
        assert x > whole["x"], "no edge is there to be taken"
        page.page.mouse.move(x, y)
    page.page.mouse.down()
    page.page.mouse.move(x - 260, y, steps=8)
    page.page.mouse.up()
    view.settled()
    page.screenshot(tmp_path / "edge.png")
    after = json.loads((edit / "edl.json").read_text("utf-8"))["ranges"]
    assert after[0]["frames"][0] == before[0]["frames"][0]
    assert after[0]["frames"][1] < before[0]["frames"][1]

    rows = view.root.locator(".cb-row .cb-quote")
    rows.nth(2).hover()
    page.page.mouse.down()
    first = rows.nth(0).bounding_box()
    assert first
    page.page.mouse.move(first["x"] + 20, first["y"] + 2, steps=8)
    page.page.mouse.up()
    view.until(lambda: view.rows[0][2] == "that.", "the row was not moved")
    view.settled()
    moved = json.loads((edit / "edl.json").read_text("utf-8"))["ranges"]
    assert [each["id"] for each in moved] == [before[place]["id"] for place in (2, 0, 1)]


@BOTH
def test_an_earlier_version_is_compared_and_looked_at(
    desk: Path, open_notebook: OpenNotebook, frontend: Frontend, tmp_path: Path
) -> None:
    """V tells the versions and what is different in words; %review --version N is to look at and not to change."""
    page, view, _ = opened(desk, open_notebook, frontend, cut=WHOLE)
    view.focus().press("r").settled()
    view.press("v")
    panel = view.root.get_by_role("dialog", name="Compare")
    view.until(lambda: "dropped" in panel.inner_text(), "the comparison does not tell of the rejection")
    page.screenshot(tmp_path / "compare.png")
    view.press("Escape")
    assert not panel.is_visible()
