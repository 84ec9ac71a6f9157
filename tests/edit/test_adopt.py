"""Takes that are gone or another file since they were cut: the cut list stays, and nothing is taken for granted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cutbook import Project
from cutbook.errors import EdlError
from cutbook.notebook.review.plain import html_review, text_review
from tests.footage import make_clip
from tests.launch import copy_launch, hear


@pytest.fixture
def launch(tmp_path: Path) -> Path:
    """Return a folder whose cut list has two ranges of C0101 and one of B0202."""
    folder = copy_launch(tmp_path / "launch")
    Project(folder).cut("HOOK C0101 #1-#4 -- clean\nB0202 #1-#3\nEND C0101 #6-#8", pad=(0, 0))
    return folder


def written(folder: Path) -> dict[str, object]:
    """Return the ranges as the file has them, by id."""
    document = json.loads((folder / "edit" / "edl.json").read_text(encoding="utf-8"))
    return {each["id"]: {**each, "status": "", "by": ""} for each in document["ranges"]}


def test_a_take_that_is_gone_locks_nobody_out(launch: Path) -> None:
    """Its ranges stand in the list, marked; others and they can be decided on, undone and drawn."""
    before = written(launch)
    (launch / "C0101.mp4").rename(launch.parent / "away.mp4")
    project = Project(launch)
    gone = "C0101 (../C0101.mp4) is no longer there"
    assert gone in repr(project.edl)
    assert gone in project.edl._repr_html_()
    assert text_review(project.edl).count(gone) == 2
    assert html_review(project.edl, project.cut_picture).count(gone) == 2
    project.reject(1, why="lost")
    project.accept(2)
    assert [each.status for each in project.edl.ranges] == ["rejected", "accepted", "undecided"]
    assert written(launch) == {
        **before,
        project.edl.ranges[0].id: {**before[project.edl.ranges[0].id], "why": "lost"},  # type: ignore[dict-item]
    }
    assert project.edl.ranges[0].beat == "HOOK"
    assert gone in project.timeline_edl(frames=1).title
    project.undo()
    project.undo()
    assert written(launch) == before


def test_render_and_check_refuse_while_a_kept_take_is_gone(launch: Path) -> None:
    """Neither renders nor proves with a kept range of a missing take; once those are rejected, both do."""
    (launch / "C0101.mp4").unlink()
    project = Project(launch)
    with pytest.raises(
        EdlError, match=r"range 1 .* cannot be rendered: C0101 \(\.\./C0101\.mp4\) is no longer there"
    ):
        project.render("draft")
    project.reject(1, 3)
    assert project.render("draft").proof.ok
    project.undecided(3)
    with pytest.raises(EdlError, match="range 3"):
        project.check()


def test_a_take_that_comes_back_is_as_before(launch: Path) -> None:
    """Moved away, decided on and moved back, the cut list is whole: words, frames and quotes."""
    (launch / "C0101.mp4").rename(launch.parent / "away.mp4")
    Project(launch).reject(1)
    (launch.parent / "away.mp4").rename(launch / "C0101.mp4")
    edl = Project(launch).edl
    assert edl.problems == ()
    assert [(each.words, each.quote) for each in edl.ranges] == [
        ((1, 4), "Ninety percent is wasted."),
        ((1, 3), "We fixed that."),
        ((6, 8), "we fixed this."),
    ]


def test_another_file_of_the_same_name_is_said_and_not_rendered(launch: Path) -> None:
    """A replaced take keeps its ranges as cut, says so everywhere, and is rendered after adopting it alone."""
    before = written(launch)
    make_clip(launch / "C0101.mp4", seconds=5, size=(160, 90), rate="25", sound="beeps")
    project = Project(launch)
    told = "C0101 is another file than when it was cut"
    assert told in repr(project.edl)
    assert text_review(project.edl).count(told) == 2
    with pytest.raises(EdlError, match=told):
        project.render("draft")
    with pytest.raises(EdlError, match=told):
        project.cut("C0101 1-2", append=True)
    project.accept(2)
    assert written(launch) == before
    assert project.edl.ranges[0].quote == "Ninety percent is wasted."
    hear(launch, "C0101", (("All", 0.6, 1.0), ("new.", 1.1, 2.0)))
    with pytest.raises(EdlError, match=rf"range 1 .* cannot be accepted: {told}"):
        project.accept(2, 1)
    edl = project.adopt("C0101")
    assert edl.problems == ()
    assert project.history().versions[-1].by == "adopt"
    # 0.5-2.2 s of the take at 25 frames a second, outward
    assert (edl.ranges[0].frames, edl.ranges[0].beat, edl.ranges[0].reason) == ((12, 55), "HOOK", "clean")
    assert project.render("draft").proof.ok
    project.undo()
    assert told in repr(project.edl)
    with pytest.raises(EdlError, match="B0202 is the file that was cut"):
        project.adopt("B0202")


def test_a_shorter_file_is_adopted_once_its_ranges_fit(launch: Path) -> None:
    """A replacement that ends too early shows the list, and names the range to reject before it is adopted."""
    make_clip(launch / "C0101.mp4", seconds=3, size=(160, 90), sound="beeps")
    project = Project(launch)
    assert len(project.edl.ranges) == 3
    with pytest.raises(EdlError, match=r"range 3 .* ends past C0101 as it is now, which is 3\.00 s long"):
        project.adopt("C0101")
    project.reject(3)
    assert [each.source for each in project.adopt("C0101").ranges] == ["C0101", "B0202"]
    assert project.render("draft").proof.ok


def test_a_new_cut_list_is_of_the_files_that_are_there(launch: Path) -> None:
    """Cutting anew from the replaced take needs no adopting: what was cut was cut from the new file."""
    make_clip(launch / "C0101.mp4", seconds=3, size=(160, 90), sound="beeps")
    project = Project(launch)
    assert project.cut("C0101 0-1").problems == ()
    assert Project(launch).edl.problems == ()


def test_decisions_on_the_other_file_are_not_taken_over(launch: Path) -> None:
    """What was accepted of the old file is undecided of the new, without its reason; what was rejected stays out."""
    project = Project(launch)
    project.accept(1, 2, why="calm")
    project.reject(3, why="hums")
    make_clip(launch / "C0101.mp4", seconds=5, size=(160, 90), sound="beeps")
    edl = Project(launch).adopt("C0101")
    assert [(each.source, each.status, each.extra.get("why")) for each in edl.ranges] == [
        ("C0101", "undecided", None),
        ("B0202", "accepted", "calm"),
        ("C0101", "rejected", "hums"),
    ]


def test_a_take_that_is_gone_is_not_accepted(launch: Path) -> None:
    """In one line that says what to do; rejecting it and leaving it open are decisions still."""
    (launch / "C0101.mp4").rename(launch.parent / "away.mp4")
    project = Project(launch)
    with pytest.raises(EdlError, match=r"range 3 .* cannot be accepted: C0101 .* no longer there") as error:
        project.accept(2, 3)
    assert "\n" not in str(error.value)
    assert {each.status for each in project.edl.ranges} == {"undecided"}
    assert project.reject(3).ranges[2].status == "rejected"
    assert project.undecided(3).ranges[2].status == "undecided"


def test_what_was_confirmed_of_a_replaced_take_is_not_adopted_yet(launch: Path) -> None:
    """Resume names the verb that puts the cut on the new file once nothing of it needs review, and until it is done."""
    Project(launch).memory.persist()
    make_clip(launch / "C0101.mp4", seconds=6, size=(160, 90), sound="tone")
    project = Project(launch)
    found = project.memory.resume()
    assert [each.what for each in found.needs_review] == ["C0101 is another file now"]
    assert found.warnings == ()
    answer = project.memory.confirm(cause=1)
    for shown in (repr(answer), answer._repr_html_()):
        assert "The cut is not of it yet: C0101 is another file than when it was cut (" in shown
        assert "then %edl adopt C0101, or put the old file back." in shown
    (told,) = project.memory.resume().warnings
    assert told.startswith("the cut is not of it yet: C0101 is another file than when it was cut (")
    assert "then %edl adopt C0101, or put the old file back" in told
    assert f"Note: {told}." in repr(project.memory.resume())
    project.adopt("C0101")
    assert project.memory.resume().warnings == ()
    assert project.memory.confirm(answer[0].id, why="looked at again").more == ()
