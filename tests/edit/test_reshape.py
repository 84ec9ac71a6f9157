from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutbook.edit.checking import validate
from cutbook.edit.cutlist import parse
from cutbook.edit.edl import Edl, Range, dump
from cutbook.edit.ranges import make_range
from cutbook.edit.reading import loads
from cutbook.edit.reshape import merge, move, split
from cutbook.edit.snap import snap_words
from cutbook.edit.take import Take
from cutbook.errors import CutbookError, EdlError
from cutbook.transcripts.model import Timing
from tests.edit.making import c0103, odd_takes, piece, spoken_takes, take

TAKES = {"C0103": c0103()}


def cut(text: str) -> Edl:
    """Return the cut list of a text."""
    return Edl(ranges=parse(text, TAKES, by="cut"))


def test_split_lies_where_it_is_asked_in_a_pause() -> None:
    """“wasted.” ends at 5.36 (frame 160.8) and “We” begins at 6.08 (182.4): frame 170 lies between them."""
    was = cut("HOOK C0103 #1-#7 -- why")
    now = split(was, 1, TAKES, frame=170)
    left, right = now.ranges
    first, last = was.ranges[0].frames
    assert (left.frames, right.frames) == ((first, 170), (170, last))
    assert (left.words, right.words) == ((1, 4), (5, 7))
    assert (left.quote, right.quote) == ("Ninety percent is wasted.", "We fixed this.")
    assert left.pads is not None
    assert left.pads[1] == Fraction(170, 30) - Fraction("5.36")
    assert right.pads is not None
    assert right.pads[0] == Fraction("6.08") - Fraction(170, 30)


def test_split_in_a_word_goes_to_the_nearest_seam() -> None:
    """Frame 90 is 3.00 s, in “percent” (2.9-3.3): “Ninety” meets it at 2.9, which is frame 87; exactly it is 90."""
    was = cut("C0103 #1-#4")
    assert split(was, 1, TAKES, frame=90).ranges[0].frames[1] == 87
    exact = split(was, 1, TAKES, frame=90, exact=True)
    assert exact.ranges[1].frames[0] == 90
    # Its middle, 3.1 s, lies in the second part.
    assert [each.words for each in exact.ranges] == [(1, 1), (2, 4)]


def test_split_keeps_what_was_said_of_the_range() -> None:
    """Beat, reason, decision, look and unknown keys hold for both; early sound and dissolve first, late sound last."""
    whole = replace(
        cut("HOOK C0103 #1-#7 -- why").ranges[0],
        status="accepted",
        grade="subtle",
        fit="fill",
        centre=(Fraction(1, 4), Fraction(1, 2)),
        audio_lead=Fraction(1, 5),
        audio_lag=Fraction(2, 5),
        dissolve=12,
        extra={"why": "best", "note": [1]},
    )
    left, right = split(Edl(ranges=(whole,)), 1, TAKES, frame=170).ranges
    for part in (left, right):
        assert (part.beat, part.reason, part.status, part.by) == ("HOOK", "why", "accepted", "cut")
        assert (part.grade, part.fit, part.centre) == ("subtle", "fill", (Fraction(1, 4), Fraction(1, 2)))
        assert dict(part.extra) == {"why": "best", "note": [1]}
    assert (left.audio_lead, left.audio_lag, left.dissolve) == (Fraction(1, 5), Fraction(0), 12)
    assert (right.audio_lead, right.audio_lag, right.dissolve) == (Fraction(0), Fraction(2, 5), 0)
    assert left.id == whole.id
    assert right.id != whole.id


def test_split_of_a_cutaway_lies_where_it_is_asked() -> None:
    """A range without words has no seam to look for."""
    edl = Edl(ranges=(piece(TAKES["C0103"], (300, 330)),))
    assert [each.frames for each in split(edl, 1, TAKES, frame=311).ranges] == [(300, 311), (311, 330)]


@pytest.mark.parametrize("frame", [0, 70, 73, 74, 164, 170, 10_000])
def test_split_outside_is_refused(frame: int) -> None:
    """At an edge or beyond it there is nothing to part; the range is named."""
    edl = cut("C0103 #1-#4")
    first, last = edl.ranges[0].frames
    assert (first, last) == (74, 164)
    with pytest.raises(EdlError, match=r"range 1 \(r-.{5}, C0103 2\.\d\d-5\.\d\d\) cannot be split at"):
        split(edl, 1, TAKES, frame=frame)


def test_split_of_one_word_wants_to_be_exact() -> None:
    """There is no seam in a single word without air; the message says how to go through it."""
    said = {"A": take("A", ("Well", 1, 2))}
    edl = Edl(ranges=(piece(said["A"], (30, 60), words=(1, 1)),))
    with pytest.raises(EdlError, match="no place between two words to be split at; split it exactly"):
        split(edl, 1, said, frame=45)
    assert len(split(edl, 1, said, frame=45, exact=True).ranges) == 2


def test_merge_brings_back_what_lies_between() -> None:
    """From the in point of the first to the out point of the next, all words between included."""
    was = cut("A C0103 #1-#2 -- one\nB C0103 #6-#7 -- two")
    now = merge(was, 1, TAKES)
    assert [each.frames for each in now.ranges] == [(was.ranges[0].frames[0], was.ranges[1].frames[1])]
    assert now.ranges[0].words == (1, 7)
    assert now.ranges[0].quote == "Ninety percent is wasted. We fixed this."
    assert (now.ranges[0].id, now.ranges[0].beat, now.ranges[0].reason) == (was.ranges[0].id, "A", "one; two")


def test_merge_keeps_a_decision_that_both_share() -> None:
    """Two that were accepted are one that is; where they differ it is undecided; both reasons stay."""
    one, two = cut("C0103 #1-#2\nC0103 #6-#7").ranges
    accepted = [
        replace(each, status="accepted", extra={"why": why}) for each, why in ((one, "a"), (two, "b"))
    ]
    both = merge(Edl(ranges=tuple(accepted)), 1, TAKES).ranges[0]
    assert (both.status, both.extra["why"]) == ("accepted", "a; b")
    assert merge(Edl(ranges=(accepted[0], two)), 1, TAKES).ranges[0].status == "undecided"


def test_merge_passes_over_a_rejected_range_of_another_take() -> None:
    """An alternative that was left out does not stand between; it stays in the list."""
    other = take("B", ("Hello", 1, 2))
    one, two = cut("C0103 #1-#2\nC0103 #6-#7").ranges
    out = piece(other, (30, 60), id="r-other", words=(1, 1), status="rejected")
    now = merge(Edl(ranges=(one, out, two)), one.id, {**TAKES, "B": other})
    assert [each.id for each in now.ranges] == [one.id, "r-other"]


def test_merge_that_cannot_be_is_refused() -> None:
    """The last one, another take, the wrong order, something rejected between: each is said with both names."""
    other = {"B": take("B", ("Hello", 1, 2))}
    edl = cut("C0103 #1-#2\nC0103 #6-#7")
    one, two = edl.ranges
    with pytest.raises(EdlError, match=r"range 2 \(.*\) is the last one, and nothing follows it"):
        merge(edl, 2, TAKES)
    mixed = Edl(ranges=(one, piece(other["B"], (30, 60), id="r-bbbbb")))
    with pytest.raises(
        EdlError, match=r"range 1 .* and range 2 \(r-bbbbb, B 1\.00-2\.00\) are not of one take"
    ):
        merge(mixed, 1, {**TAKES, **other})
    with pytest.raises(EdlError, match=r"range 2 .* comes before range 1 .* in the take.*%edl move"):
        merge(Edl(ranges=(two, one)), 1, TAKES)
    between = piece(TAKES["C0103"], (110, 150), id="r-middl", status="rejected")
    with pytest.raises(EdlError, match=r"range 2 \(r-middl.*lies between the two and is rejected"):
        merge(Edl(ranges=(one, between, two)), 1, TAKES)


def test_move_puts_ranges_before_another_or_last() -> None:
    """In the order in which they are named; the others keep theirs."""
    edl = cut("A C0103 #1-#2\nB C0103 #3-#4\nC C0103 #5-#6\nD C0103 #7-#8")

    def order(now: Edl) -> str:
        return "".join(each.beat for each in now.ranges)

    assert order(move(edl, 4, before=1)) == "DABC"
    assert order(move(edl, 1)) == "BCDA"
    assert order(move(edl, 3, 1, before=4)) == "BCAD"
    assert order(move(edl, edl.ranges[0].id, before=edl.ranges[2].id)) == "BACD"
    assert move(edl, 2, before=3) == edl
    with pytest.raises(EdlError, match=r"range 2 .* cannot come before itself"):
        move(edl, 1, 2, before=2)
    with pytest.raises(EdlError, match="no range is 9"):
        move(edl, 1, before=9)


def whole_range(source: Take) -> Range | None:
    """Return the range of all of a take's words; None where a cut list could not have it."""
    try:
        return make_range(
            source, snap_words(source, 1, len(source.words)), id="r-aaaaa", beat="A", reason="why"
        )
    except CutbookError:
        return None


@given(source=spoken_takes(), data=st.data())
def test_split_and_merge_give_the_range_back(source: Take, data: st.DataObject) -> None:
    """Wherever it is split, both parts are whole ranges on the grid, as long together, and merge to what was."""
    was, now = split_somewhere(source, data)
    if was != now:
        assert merge(now, 1, {source.name: source}) == was


@given(source=odd_takes(), data=st.data())
def test_split_of_the_oddest_take_loses_no_frame(source: Take, data: st.DataObject) -> None:
    """Zero lengths, overlaps, stuck runs, marks and events: the parts are valid, and merge to the same frames."""
    was, now = split_somewhere(source, data)
    if was != now:
        assert merge(now, 1, {source.name: source}).ranges[0].frames == was.ranges[0].frames


def split_somewhere(source: Take, data: st.DataObject) -> tuple[Edl, Edl]:
    """Return a cut list of one range, and the same split at any frame; both the same where it cannot be."""
    whole = whole_range(source)
    if whole is None:
        return Edl(), Edl()
    was = Edl(ranges=(whole,))
    frame = data.draw(st.integers(whole.frames[0] - 1, whole.frames[1] + 1))
    try:
        now = split(was, 1, {source.name: source}, frame=frame, exact=data.draw(st.booleans()))
    except EdlError:
        return was, was
    left, right = now.ranges
    assert left.frames[0] == whole.frames[0] < left.frames[1] == right.frames[0]
    assert right.frames[0] < right.frames[1] == whole.frames[1]
    assert now.duration == was.duration
    check_written(now, source)
    return was, now


def check_written(edl: Edl, source: Take) -> None:
    """Check that a cut list is valid and reads back as it is, to the words where their times can be trusted."""
    takes = {source.name: source}
    folder = source.path.parent
    validate(edl, takes, folder)
    fresh = Take.given(source.name, source.media, source.fingerprint, transcript=source.transcript)
    again = loads(
        dump(replace(edl, sources={source.name: str(source.path)})).encode(), folder, {source.name: fresh}
    )
    assert [(each.id, each.frames) for each in again.ranges] == [
        (each.id, each.frames) for each in edl.ranges
    ]
    if all(word.timing is Timing.TIMED and word.bare and word.start < word.end for word in source.words):
        assert again.ranges == edl.ranges


@given(count=st.integers(1, 6), data=st.data())
def test_move_loses_nothing(count: int, data: st.DataObject) -> None:
    """Whatever is moved wherever, the same ranges are there, and the film is as long."""
    edl = cut("\n".join(f"B{n} C0103 #{n + 1}-#{n + 2}" for n in range(count)))
    which = data.draw(st.lists(st.integers(1, count), max_size=3))
    before = data.draw(st.one_of(st.none(), st.integers(1, count)))
    if before in which:
        return
    now = move(edl, *which, before=before)
    assert sorted(each.id for each in now.ranges) == sorted(each.id for each in edl.ranges)
    assert now.duration == edl.duration
