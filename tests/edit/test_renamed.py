"""Takes under another name than the cut list has: it follows the content, but not where names changed hands."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from cutbook import Project
from cutbook.errors import EdlError
from cutbook.notebook.review.plain import text_review
from tests.footage import make_clip
from tests.launch import copy_launch


@pytest.fixture
def launch(tmp_path: Path) -> Path:
    """Return a folder whose cut list has two ranges of C0101 and one of B0202, decided on and with reasons."""
    folder = copy_launch(tmp_path / "launch")
    project = Project(folder)
    project.cut("HOOK C0101 #1-#4 -- clean\nB0202 #1-#3\nEND C0101 #6-#8", pad=(50, 80))
    project.accept(1, why="calm")
    project.reject(3, why="hums")
    return folder


def document(folder: Path) -> dict[str, Any]:
    """Return the cut list as its file has it."""
    found: dict[str, Any] = json.loads((folder / "edit" / "edl.json").read_text(encoding="utf-8"))
    return found


def kept(folder: Path) -> list[tuple[object, ...]]:
    """Return what is to outlive a rename, range by range."""
    return [
        (each.id, each.frames, each.rate, each.beat, each.reason, each.status, each.by, dict(each.extra))
        for each in Project(folder).edl.ranges
    ]


def test_a_renamed_take_goes_on_working(launch: Path) -> None:
    """The list, its drawing and its film are as before, one line says the new name, and reading writes nothing."""
    before, text = kept(launch), (launch / "edit" / "edl.json").read_bytes()
    (launch / "C0101.mp4").rename(launch / "warm.mp4")
    project = Project(launch)
    assert [each.source for each in project.edl.ranges] == ["warm", "B0202", "warm"]
    assert kept(launch) == before
    assert "; C0101 is now warm" in project.edl.sentence
    assert "C0101 is now warm" in project.edl._repr_html_()
    assert "warm" in text_review(project.edl)
    assert project.timeline_edl(frames=1).title == "the edit"
    assert project.render("draft").proof.ok
    assert project.check().ok
    assert (launch / "edit" / "edl.json").read_bytes() == text


def test_the_next_change_writes_the_new_name(launch: Path) -> None:
    """With its path and fingerprint; the history says what happened, and undo brings back the old bytes, which work."""
    before, text = kept(launch), (launch / "edit" / "edl.json").read_bytes()
    content = document(launch)["media"]["C0101"]
    (launch / "C0101.mp4").rename(launch / "warm.mp4")
    project = Project(launch)
    project.accept(2, why="short")
    found = document(launch)
    assert [each["source"] for each in found["ranges"]] == ["warm", "B0202", "warm"]
    assert found["sources"] == {"warm": "../warm.mp4", "B0202": "../B0202.mov"}
    assert found["media"]["warm"] == content
    assert project.edl.sentence.count("warm") == 0
    assert project.history().versions[-1].why == "short; C0101 is now warm"
    project.undo()
    assert (launch / "edit" / "edl.json").read_bytes() == text
    assert kept(launch) == before
    assert Project(launch).render("draft").proof.ok
    project.redo()
    assert document(launch) == found


def test_a_change_after_a_rename_is_of_what_was_changed(launch: Path) -> None:
    """The session notes the range that was trimmed, and not that the others have another take."""
    (launch / "C0101.mp4").rename(launch / "warm.mp4")
    project = Project(launch)
    project.memory.persist()
    project.trim(1, start=0.6, exact=True)
    lines = (launch / "edit" / "session.jsonl").read_text(encoding="utf-8").splitlines()
    changes = json.loads(lines[-1])["facts"]["changes"]
    assert [(each["id"], each["action"]) for each in changes] == [(project.edl.ranges[0].id, "changed")]
    assert [each["before"]["take"] for each in changes] == ["warm"]


def test_of_several_copies_the_first_by_natural_order_is_taken(launch: Path) -> None:
    """And the others are named."""
    shutil.copy2(launch / "C0101.mp4", launch / "copy10.mp4")
    shutil.copy2(launch / "C0101.mp4", launch / "copy9.mp4")
    (launch / "C0101.mp4").rename(launch / "D1.mp4")
    edl = Project(launch).edl
    assert {each.source for each in edl.ranges} == {"copy9", "B0202"}
    assert edl.sentence.endswith("; C0101 is now copy9; copy10, D1 are the same file")


def test_only_the_whole_content_counts(launch: Path) -> None:
    """A file of the same size and length, but for one byte, is not what was cut."""
    data = bytearray((launch / "C0101.mp4").read_bytes())
    data[-1] ^= 1
    (launch / "C0101.mp4").unlink()
    (launch / "warm.mp4").write_bytes(data)
    assert "C0101 (../C0101.mp4) is no longer there" in Project(launch).edl.sentence


def test_neither_file_is_followed_silently_where_another_has_the_old_name(launch: Path) -> None:
    """Both ways are offered; following the old one keeps everything, and taking the new one drops the decisions."""
    before = kept(launch)
    (launch / "C0101.mp4").rename(launch / "warm.mp4")
    make_clip(launch / "C0101.mp4", seconds=6, size=(160, 90), sound="tone")
    project = Project(launch)
    told = (
        "C0101 is another file now; the one that was cut is warm: "
        "%edl adopt warm follows it, %edl adopt C0101 takes the new file"
    )
    assert project.edl.problems == (told,)
    with pytest.raises(EdlError, match="C0101 is another file now; the one that was cut is warm"):
        project.render("draft")
    edl = project.adopt("warm")
    assert [each.source for each in edl.ranges] == ["warm", "B0202", "warm"]
    assert (edl.problems, kept(launch)) == ((), before)
    assert project.history().versions[-1].why == "C0101 is warm now, and the ranges follow"
    assert document(launch)["sources"] == {"warm": "../warm.mp4", "B0202": "../B0202.mov"}
    assert project.render("draft").proof.ok
    project.undo()
    assert project.edl.problems == (told,)
    edl = project.adopt("C0101")
    assert [(each.source, each.status) for each in edl.ranges] == [
        ("C0101", "undecided"),
        ("B0202", "undecided"),
        ("C0101", "rejected"),
    ]
    assert project.render("draft").proof.ok


def test_a_name_that_another_file_takes_later_is_free_again(launch: Path) -> None:
    """Once the cut list has the new name, a file under the old one is a take like any other."""
    (launch / "C0101.mp4").rename(launch / "warm.mp4")
    Project(launch).accept(2)
    make_clip(launch / "C0101.mp4", seconds=3, size=(160, 90), sound="tone")
    project = Project(launch)
    assert project.edl.problems == ()
    assert project.cut("C0101 0-1", append=True).problems == ()
    assert project.render("draft").proof.ok


def test_takes_that_changed_names_are_not_mixed_up(launch: Path) -> None:
    """Each is another file now, and the answer names where the old one is; nothing is followed."""
    before = (launch / "edit" / "edl.json").read_bytes()
    shutil.copy2(launch / "C0101.mp4", launch / "D0404.mp4")
    make_clip(launch / "D0404.mp4", seconds=4, size=(160, 90), sound="tone")
    Project(launch).cut("D0404 0-1", append=True)
    (launch / "C0101.mp4").rename(launch / "x.mp4")
    (launch / "D0404.mp4").rename(launch / "C0101.mp4")
    (launch / "x.mp4").rename(launch / "D0404.mp4")
    assert before != (launch / "edit" / "edl.json").read_bytes()
    project = Project(launch)
    assert [each.partition(":")[0] for each in project.edl.problems] == [
        "C0101 is another file now; the one that was cut is D0404, which is another file than when it was cut too",
        "D0404 is another file now; the one that was cut is C0101, which is another file than when it was cut too",
    ]
    with pytest.raises(EdlError, match="another file now"):
        project.trim(1, start=0.6)


def test_a_take_over_another_is_that_one_replaced(launch: Path) -> None:
    """Moved onto another take of the cut, whose ranges are of what was there: those are adopted first."""
    (launch / "B0202.mov").unlink()
    (launch / "C0101.mp4").rename(launch / "B0202.mov")
    project = Project(launch)
    assert [each.partition(" is ")[0] for each in project.edl.problems] == ["C0101 (../C0101.mp4)", "B0202"]
    edl = project.adopt("B0202")
    assert edl.problems == ()
    assert [each.source for each in edl.ranges] == ["B0202"] * 3


def test_a_broken_file_under_the_old_name_is_not_passed_over(launch: Path) -> None:
    """It is said, with the take that holds what was cut; adopting that one follows it."""
    before = kept(launch)
    (launch / "C0101.mp4").rename(launch / "warm.mp4")
    (launch / "C0101.mp4").write_bytes(b"no film")
    project = Project(launch)
    assert "; C0101 (../C0101.mp4) cannot be read; put the file that was cut back" in project.edl.sentence
    assert "or %edl adopt warm" in project.edl.sentence
    project.adopt("warm")
    assert kept(launch) == before


def test_the_words_go_along(launch: Path) -> None:
    """Words, quotes and corrections are as before, before and after a change, and nothing is to be transcribed."""
    notes = launch / "edit" / "corrections.md"
    notes.write_text("C0101#4: wasted -> spent\n", encoding="utf-8")
    before = [(each.words, each.quote, each.pads) for each in Project(launch).edl.ranges]
    (launch / "C0101.mp4").rename(launch / "warm.mp4")
    project = Project(launch)
    assert [(each.words, each.quote, each.pads) for each in project.edl.ranges] == before
    assert [word.text for word in project.take("warm").words[:4]] == ["Ninety", "percent", "is", "spent."]
    project.accept(2)
    again = Project(launch)
    assert [(each.words, each.quote, each.pads) for each in again.edl.ranges] == before
    assert again.take("warm").words[3].text == "spent."
    assert [row.state for row in again.transcribe("warm", engine="local").rows] == ["cached"]


def test_a_take_in_hand_gets_the_words_that_come_under_its_old_name(launch: Path) -> None:
    """A project that is open sees them without being opened anew."""
    kept = launch / "edit" / "transcripts" / "C0101.json"
    text = kept.read_bytes()
    kept.unlink()
    (launch / "C0101.mp4").rename(launch / "warm.mp4")
    project = Project(launch)
    assert project.take("warm").words == ()
    kept.write_bytes(text)
    assert len(project.take("warm").words) == 8


def test_a_film_made_before_a_rename_is_of_the_same_edit(launch: Path) -> None:
    """Its check finds no other edit, before the new name is written and after, and finds a real change."""
    Project(launch).render("draft")
    (launch / "C0101.mp4").rename(launch / "warm.mp4")
    assert Project(launch).check().ok
    Project(launch).accept(2)
    (launch / "warm.mp4").rename(launch / "hot.mp4")
    project = Project(launch)
    project.accept(2, why="short")
    assert document(launch)["ranges"][0]["source"] == "hot"
    assert project.check().ok
    project.trim(1, start=0.6, exact=True)
    assert project.check().errors[0].what == "the edit changed since this render"
