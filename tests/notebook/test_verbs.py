"""Every verb through the Python call and through the magic: the same files, the same answers."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import pytest

from cutbook.errors import (
    CutListError,
    EdlError,
    NothingToUndo,
    PreflightError,
    SettingError,
    TimeError,
    UnknownTake,
)
from tests.faces import ByMagic, Face, run
from tests.launch import tree

THREE = """\
HOOK C0101 [0.50-2.20] -- clean, don't {touch} $it
# a comment
FIX  B0202 "we fixed that"
S0303 0.5-1.5
"""


def written(launch: Path) -> dict[str, Any]:
    """Return edl.json as it lies there."""
    found: dict[str, Any] = json.loads((launch / "edit" / "edl.json").read_text(encoding="utf-8"))
    return found


def pieces(launch: Path) -> list[tuple[str, list[int]]]:
    """Return source and frames of each range on disk."""
    return [(each["source"], each["frames"]) for each in written(launch)["ranges"]]


def test_values_of_the_film_are_shown_once_set(by: Face, launch: Path) -> None:
    """What is set of the film stands in the cut list's line; what is not set does not."""
    by.do("cut", text="C0101 [0.50-2.20]", pad=(0, 0))
    assert repr(by.project.edl).splitlines()[0] == "1 range, 00:02"
    by.do("set", "fps", "25")
    by.do("set", "size", "320x180")
    by.do("set", "grade", "warm_cinematic")
    edl = by.do("set", "captions", "bold-overlay")
    assert edl.sentence == "1 range, 00:02, 25 fps, 320×180, grade warm_cinematic, captions bold-overlay"
    assert written(launch)["rate"] == 25
    by.do("set", "captions", "none")
    assert by.do("set", "grade", "none").sentence == "1 range, 00:02, 25 fps, 320×180"


@pytest.mark.parametrize("grade", ["nonsense(", "warm", "setpts=2*PTS"])
def test_grade_that_cannot_be_is_refused_when_it_is_set(by: Face, launch: Path, grade: str) -> None:
    """A grade that no render could use is refused at once; a filter that ffmpeg knows is taken."""
    by.do("cut", text="C0101 [0.50-2.20]")
    with pytest.raises(PreflightError, match="grade"):
        by.do("set", "grade", grade)
    assert written(launch)["grade"] == "none"
    assert by.do("set", "grade", "eq=contrast=1.1").grade == "eq=contrast=1.1"


def test_project_lists_takes_without_writing(by: Face, launch: Path) -> None:
    """A project shows its takes, lengths, rates and words, in natural order."""
    shown = repr(by.project)
    assert shown.splitlines()[0] == "launch: 3 takes, 00:11"
    rows = [re.split(r"\s{2,}", line)[:4] for line in shown.splitlines()[2:]]
    assert rows == [
        ["B0202", "00:03", "25", "160×90"],
        ["C0101", "00:06", "30", "160×90"],
        ["S0303", "00:02", "30", "160×90"],
    ]
    assert not (launch / "edit" / "edl.json").exists()


def test_pack_writes_the_phrases(by: Face, launch: Path) -> None:
    """Packing writes each take's phrases with their times, and gives the same text."""
    packed = by.do("pack")
    text = (launch / "edit" / "takes_packed.md").read_text(encoding="utf-8")
    assert packed.text == text
    assert "  [000.50-002.20] S0 Ninety percent is wasted.\n  [003.00-004.70] S0 Um, we fixed this." in text
    assert "## S0303" in text


def test_pack_breaks_where_asked(by: Face) -> None:
    """A shorter silence makes more phrases: the um stands alone."""
    assert "  [003.00-003.30] S0 Um,\n" in by.do("pack", silence=0.25).text


def test_packing_again_writes_nothing(by: Face, launch: Path) -> None:
    """The same words leave the file as it is, its time included."""
    by.do("pack")
    before = tree(launch)
    by.do("pack")
    assert tree(launch) == before


def test_cut_puts_ranges_on_the_grid(by: Face, launch: Path) -> None:
    """Without pads a range runs from its first word's frame to its last word's, a cutaway as it is typed."""
    edl = by.do("cut", text=THREE, pad=(0, 0))
    # C0101 at 30: 0.50 s is frame 15, 2.20 s frame 66. B0202 at 25: 0.40 s is frame 10, 1.50 s lies in frame 37.
    assert pieces(launch) == [("C0101", [15, 66]), ("B0202", [10, 38]), ("S0303", [15, 45])]
    assert [each.frames for each in edl.ranges] == [(15, 66), (10, 38), (15, 45)]
    ranges = written(launch)["ranges"]
    assert [each["beat"] for each in ranges] == ["HOOK", "FIX", ""]
    assert ranges[0]["reason"] == "clean, don't {touch} $it"
    assert ranges[0]["quote"] == "Ninety percent is wasted."


def test_cut_pads_into_the_gaps(by: Face, launch: Path) -> None:
    """Unless told otherwise up to 50 ms before and 80 ms after the words are kept, and a frame to the grid."""
    by.do("cut", text="C0101 [0.50-2.20]")
    first, last = pieces(launch)[0][1]
    assert Fraction(45, 100) - Fraction(1, 30) <= Fraction(first, 30) <= Fraction(1, 2)
    assert Fraction(22, 10) <= Fraction(last, 30) <= Fraction(228, 100) + Fraction(1, 30)


def test_cut_replaces_and_appends(by: Face, launch: Path) -> None:
    """A new cut list takes the old one's place; appended lines follow it."""
    by.do("cut", text=THREE)
    by.do("cut", text="C0101 #6-#8", pad=(0, 0))
    assert [source for source, _ in pieces(launch)] == ["C0101"]
    by.do("cut", text="B0202 #1-#3", pad=(0, 0), append=True)
    # C0101 at 30: 3.60 s is frame 108, 4.70 s frame 141.
    assert pieces(launch) == [("C0101", [108, 141]), ("B0202", [10, 38])]


def test_cut_takes_what_pack_shows(by: Face, launch: Path) -> None:
    """The packed text of all takes, pasted whole, is a cut list."""
    by.do("cut", text=by.do("pack").text)
    assert [source for source, _ in pieces(launch)] == ["B0202", "C0101", "C0101"]


def test_tighten_takes_the_um_and_the_pause(by: Face, launch: Path) -> None:
    """The um goes; the pause of 0.8 s goes but for what stays; nothing that is said goes."""
    by.do("cut", text="C0101 #1-#8", pad=(0, 0))
    done = by.do("tighten", pauses=0.5, keep=0.2)
    kept = [(Fraction(first, 30), Fraction(last, 30)) for _, (first, last) in pieces(launch)]
    said = [(Fraction(5, 10), Fraction(22, 10)), (Fraction(36, 10), Fraction(47, 10))]
    assert [any(a <= start and end <= b for a, b in kept) for start, end in said] == [True, True]
    assert not any(a < Fraction(33, 10) and b > 3 for a, b in kept)
    assert done.sentence.startswith("Took ")
    assert "Um," in repr(done)


def test_tighten_touches_only_the_ranges_named(by: Face, launch: Path) -> None:
    """A range that is not named keeps its um."""
    by.do("cut", text="C0101 #1-#8\nC0101 #5-#8", pad=(0, 0))
    by.do("tighten", 2)
    assert pieces(launch)[0][1] == [15, 141]
    assert written(launch)["ranges"][-1]["quote"] == "we fixed this."


def test_tighten_can_leave_fillers(by: Face, launch: Path) -> None:
    """Asked for neither fillers nor pauses, it takes nothing, makes no version and says so."""
    by.do("cut", text="C0101 #1-#8")
    before = tree(launch)
    assert by.do("tighten", fillers=False).sentence == "Nothing to tighten."
    assert tree(launch) == before


def test_undo_and_redo_go_through_versions(by: Face, launch: Path) -> None:
    """Undo brings the version before back byte for byte, redo the one after."""
    by.do("cut", text="C0101 #1-#4")
    first = (launch / "edit" / "edl.json").read_bytes()
    by.do("cut", text="B0202 #1-#3")
    second = (launch / "edit" / "edl.json").read_bytes()
    by.do("undo")
    assert (launch / "edit" / "edl.json").read_bytes() == first
    by.do("redo")
    assert (launch / "edit" / "edl.json").read_bytes() == second
    with pytest.raises(NothingToUndo):
        by.do("redo")
    assert [each.number for each in by.do("history").versions] == [1, 2]
    by.do("undo")
    with pytest.raises(NothingToUndo):
        by.do("undo")


def test_diff_speaks_in_words(by: Face) -> None:
    """The difference between the version before and now names the word that went."""
    by.do("cut", text="C0101 #5-#8")
    by.do("tighten")
    text = by.do("diff").text()
    assert "“Um,”" in text
    assert by.do("diff", 1, 2).text() == text
    assert "“Um,”" in by.do("diff", 2, 1).text()


def test_film_values_are_set_in_the_cut_list(by: Face, launch: Path) -> None:
    """Rate, size and captions of the film stand in edl.json; a value that cannot be is refused by name."""
    by.do("cut", text="C0101 #1-#4")
    by.do("set", "rate", "25")
    by.do("set", "size", "320x180")
    by.do("set", "captions", "natural-sentence")
    edl = by.project.edl
    assert (edl.rate, edl.size) == (Fraction(25), (320, 180))
    assert edl.captions["style"] == "natural-sentence"
    before = tree(launch)
    with pytest.raises(SettingError, match="size"):
        by.do("set", "size", "wide")
    with pytest.raises(SettingError, match="colour"):
        by.do("set", "colour", "red")
    assert tree(launch) == before


def test_decisions_stand_in_the_cut_list_with_their_reason(by: Face, launch: Path) -> None:
    """Accepted, rejected and taken back; a rejected range stays and does not count."""
    by.do("cut", text=THREE, pad=(0, 0))
    by.do("accept", 1, 3)
    by.do("reject", 2, why="looks")
    assert [each["status"] for each in written(launch)["ranges"]] == ["accepted", "rejected", "accepted"]
    # 51 and 30 frames at 30 a second are left.
    assert by.project.edl.duration == Fraction(81, 30)
    by.do("undecided", 2)
    assert [each["status"] for each in written(launch)["ranges"]] == ["accepted", "undecided", "accepted"]
    for number in (0, 4):
        with pytest.raises(EdlError):
            by.do("accept", number)


def test_timeline_is_drawn_and_kept(by: Face, launch: Path) -> None:
    """A range of a take is drawn as a PNG, kept in edit/verify, and shown."""
    drawn = by.do("timeline", "C0101", 0.5, 2.5, frames=3)
    assert drawn.path.parent == launch / "edit" / "verify"
    data, size = drawn._repr_png_()
    assert data.startswith(b"\x89PNG")
    assert drawn.path.read_bytes() == data
    assert size == {"width": drawn.width, "height": drawn.height}
    for start, end in [(2, 1), (1, 1), (5, 9)]:
        with pytest.raises(TimeError):
            by.do("timeline", "C0101", start, end)
    with pytest.raises(UnknownTake, match="C0101"):
        by.do("timeline", "C0102", 0, 1)


def test_draft_is_rendered_proved_and_cached(by: Face, launch: Path) -> None:
    """The film has the frames of its ranges; again, each comes from the cache; a check of the file agrees."""
    by.do("cut", text=THREE, pad=(0, 0))
    film = by.do("render", tier="draft", rate=30)
    assert film.path == launch / "edit" / "draft.mp4"
    # 51 frames, 28 frames of 1/25 s (33.6 of 1/30 s), 30 frames.
    with av.open(str(film.path)) as video:
        assert sum(1 for _ in video.decode(video=0)) in {114, 115}
    assert film.proof.ok
    again = by.do("render", tier="draft", rate=30)
    assert (again.encoded, again.cached) == (0, 3)
    assert by.do("check").ok
    assert (launch / "edit" / "verify" / "check.md").is_file()


def test_a_film_of_the_present_edit_is_drawn_with_its_words(by: Face, launch: Path) -> None:
    """The picture of a rendered file is higher by its ranges and words, until the edit is another."""
    by.do("cut", text="HOOK C0101 #1-#4")
    by.do("render", tier="draft")

    def height() -> int:
        if isinstance(by, ByMagic):
            return int(run(by.shell, f'%timeline --file "{launch}/edit/draft.mp4" --frames 2').height)
        return by.project.timeline_file("draft.mp4", frames=2).height

    told = height()
    by.do("cut", text="HOOK C0101 #1-#3")
    assert told > height() + 50
    by.do("undo")
    assert told == height()


def test_memory_keeps_the_session(by: Face, launch: Path) -> None:
    """What was noted, decided and left to do stands in project.md under its fields; then nothing is unsaved."""
    by.do("cut", text="HOOK C0101 #1-#4 -- clean")
    by.do("memory.strategy", text="Tell it in {ten} seconds")
    by.do("memory.note", text="don't use S0303, it hums #3")
    by.do("memory.decide", text="Open on the number", take="C0101", span=(0.5, 2.2), why="it's calm")
    todo = by.do("memory.todo", text='the "end card"')
    by.do("memory.todo", text="a second thing")
    by.do("memory.done", str(todo))
    assert by.do("memory.resume").unsaved
    assert by.do("memory.persist")
    text = (launch / "edit" / "project.md").read_text(encoding="utf-8")
    shown = re.sub(r" ?<!--.*?-->", "", text)
    assert "**Strategy:** Tell it in {ten} seconds" in shown
    assert "- don't use S0303, it hums #3" in shown
    assert re.search(r"^- Open on the number.*it's calm", shown, re.MULTILINE)
    assert "- a second thing" in shown
    assert re.search(r"^- (HOOK is|“HOOK” is).*clean", shown, re.MULTILINE)
    assert not by.do("memory.resume").unsaved
    before = tree(launch)
    assert not by.do("memory.persist")
    assert tree(launch) == before


def test_cut_refuses_the_whole_cell(by: Face, launch: Path) -> None:
    """One bad line among good ones names its line, and nothing is written."""
    before = tree(launch)
    with pytest.raises(CutListError) as caught:
        by.do("cut", text="C0101 #1-#4\nC0101 [4.0-9.0]\nB0202 #1-#3")
    assert caught.value.line == 2
    assert tree(launch) == before
