from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutbook.edit.checking import validate
from cutbook.edit.cutlist import parse
from cutbook.edit.edl import Edl
from cutbook.edit.layout import layout
from cutbook.edit.take import Take
from cutbook.edit.tighten import tighten
from cutbook.errors import EdlError, InputError
from cutbook.media.sound import Envelope
from cutbook.transcripts.model import Timing
from tests.edit.making import odd_takes, piece, spoken_takes, take

HALF = Fraction(1, 2)


def cut(text: str, *takes: Take) -> Edl:
    """Return the cut list of a text."""
    return Edl(ranges=parse(text, {each.name: each for each in takes}, by="me"))


def ums() -> Take:
    """Return a take with two fillers and a pause of two seconds."""
    return take(
        "A",
        ("So", "1.0", "1.5"),
        ("um", "2.0", "2.4"),
        ("we", "3.0", "3.2"),
        ("uh,", "3.2", "3.6"),
        ("fixed", "3.6", "4.0"),
        ("this.", "6.0", "6.5"),
    )


def test_fillers_leave_half_of_what_is_kept_on_either_side() -> None:
    """After “So” (1.5) 125 ms: 1.625, frame 48.75 → 49; before “we” (3.0) 125 ms: 2.875, 86.25 → 86."""
    was = cut("HOOK A #1-#6 -- why", ums())
    now, removed = tighten(was, {"A": ums()})
    assert [each.frames for each in now.ranges] == [
        (was.ranges[0].frames[0], 49),
        (86, 96),
        (108, was.ranges[0].frames[1]),
    ]
    assert [each.words for each in now.ranges] == [(1, 1), (3, 3), (5, 6)]
    assert [each.what for each in removed] == ["um", "uh,"]
    assert (removed[0].span.start, removed[0].span.end) == (Fraction(49, 30), Fraction(86, 30))


def test_parts_keep_beat_and_reason_and_the_first_the_id() -> None:
    """New ids for new parts; words, quote and pads are each part's own."""
    was = cut("HOOK A #1-#6 -- why", ums())
    now, _ = tighten(was, {"A": ums()})
    assert {(each.beat, each.reason, each.by) for each in now.ranges} == {("HOOK", "why", "me")}
    assert now.ranges[0].id == was.ranges[0].id
    assert len({each.id for each in now.ranges}) == 3
    assert [each.quote for each in now.ranges] == ["So", "we", "fixed this."]
    assert now.ranges[1].pads == (3 - Fraction(86, 30), Fraction(96, 30) - Fraction("3.2"))


def test_long_pause_is_shortened_to_what_is_kept() -> None:
    """2 s between “fixed” and “this”: 4.125 → 123.75 → 124 and 5.875 → 176.25 → 176; 0.27 s stay of it."""
    now, removed = tighten(cut("A #5-#6", ums()), {"A": ums()}, fillers=False, pauses=Fraction(6, 10))
    assert now.ranges[0].frames[1] == 124
    assert now.ranges[1].frames[0] == 176
    assert removed[0].what == "pause of 2.00 s"


def test_pause_is_left_unless_asked_for() -> None:
    """Without a length, pauses stay; one that is not longer than the length stays too."""
    was = cut("A #5-#6", ums())
    assert tighten(was, {"A": ums()}) == (was, ())
    assert tighten(was, {"A": ums()}, pauses=Fraction(2)) == (was, ())


def test_filler_at_either_end_trims_the_range() -> None:
    """No empty part is left, and the other edge stays where it was."""
    said = take("A", ("Um", "1.0", "1.3"), ("so", "1.3", "1.8"), ("uh", "1.9", "2.3"))
    was = cut("A #1-#3", said)
    now, removed = tighten(was, {"A": said})
    assert [each.words for each in now.ranges] == [(2, 2)]
    assert now.ranges[0].frames == (39, 57)  # touches at 1.3; 100 ms of gap: 1.9 is frame 57
    assert now.ranges[0].id == was.ranges[0].id
    assert len(removed) == 2


def test_range_of_fillers_alone_is_rejected() -> None:
    """It stays in the list, says why, and is no range of zero length."""
    said = take("A", ("Um,", "1.0", "1.3"), ("uh", "1.3", "1.8"))
    now, removed = tighten(cut("A #1-#2", said), {"A": said})
    assert now.ranges[0].status == "rejected"
    assert now.ranges[0].extra["why"] == "nothing but “Um, uh”"
    assert removed[0].what == "Um, uh"
    assert tighten(now, {"A": said}) == (now, ())


def test_only_the_ranges_named_are_tightened() -> None:
    """By number or id; a rejected range and a cutaway are left alone."""
    was = cut("A #1-#3\nA #3-#5", ums())
    now, removed = tighten(was, {"A": ums()}, only=[2])
    assert now.ranges[0] == was.ranges[0]
    assert {each.range_id for each in removed} == {was.ranges[1].id}
    assert tighten(was, {"A": ums()}, only=[was.ranges[1].id])[0] == now
    with pytest.raises(EdlError, match="no range is 3; there are 1 to 2"):
        tighten(was, {"A": ums()}, only=[3])
    cutaway = Edl(
        ranges=(
            piece(ums(), (300, 330)),
            piece(ums(), (0, 330), id="r-bbbbb", words=(1, 6), status="rejected"),
        )
    )
    assert tighten(cutaway, {"A": ums()}) == (cutaway, ())


def test_words_without_times_are_no_place_to_cut() -> None:
    """A filler beside a stuck run, or in it, stays: nobody knows where it is said."""
    said = take(
        "A",
        ("one", "1.0", "1.5"),
        ("um", "2.0", "2.4"),
        *[(text, "5.0", "5.0", Timing.STUCK) for text in ("w", "um", "x", "y")],
        ("two", "9.0", "9.5"),
    )
    was = cut("A 1.0-9.5", said)
    assert tighten(was, {"A": said}) == (was, ())


def test_laughter_is_no_pause() -> None:
    """Three seconds between two words with an event in them are not silent."""
    said = take("A", ("one", "1.0", "1.5"), ("(laughs)", "2.2", "3.9"), ("two", "4.5", "5.0"))
    was = cut("A #1-#3", said)
    assert [each.what for each in tighten(was, {"A": said}, pauses=HALF)[1]] == [
        "pause of 0.70 s",
        "pause of 0.60 s",
    ]
    untimed = take(
        "A", ("one", "1.0", "1.5"), ("(laughs)", "2.2", "2.2", Timing.UNTIMED), ("two", "4.5", "5.0")
    )
    was = cut("A #1-#3", untimed)
    assert tighten(was, {"A": untimed}, pauses=HALF) == (was, ())


def test_mark_after_a_filler_goes_with_it() -> None:
    """“嗯，” is a filler where it is one, and its comma does not stay behind as a part of its own."""
    said = take("A", ("um", "1.0", "1.3"), ("，", "1.3", "1.3"), ("so", "2.0", "2.4"))
    now, _ = tighten(cut("A #1-#3", said), {"A": said})
    assert [each.words for each in now.ranges] == [(3, 3)]


def test_sound_leads_and_lags_stay_at_the_outer_edges() -> None:
    """A J cut belongs to the first part, an L cut to the last."""
    was = cut("A #1-#6", ums()).ranges[0]
    leading = Edl(
        ranges=(piece(ums(), was.frames, words=was.words, audio_lead=HALF, audio_lag=Fraction(1, 4)),)
    )
    parts = tighten(leading, {"A": ums()})[0].ranges
    assert [each.audio_lead for each in parts] == [HALF, 0, 0]
    assert [each.audio_lag for each in parts] == [0, 0, Fraction(1, 4)]


def test_cut_lies_at_the_quietest_place_near_what_is_kept() -> None:
    """A quiet 10 ms at 1.59–1.6, within 40 ms of 1.625: out at 1.595, so frame 48."""
    levels = np.full(43000, 0.1, dtype=np.float32)
    levels[1590:1600] = 0.0001
    said = take(
        "A",
        ("So", "1.0", "1.5"),
        ("um", "2.0", "2.4"),
        ("we", "3.0", "3.2"),
        envelope=Envelope(Fraction(1, 1000), levels),
    )
    assert tighten(cut("A #1-#3", said), {"A": said})[0].ranges[0].frames[1] == 48


@pytest.mark.parametrize(
    ("pauses", "keep"),
    [
        (Fraction(0), Fraction(0)),
        (Fraction(-1), Fraction(0)),
        (Fraction(1, 5), Fraction(1, 4)),
        (None, Fraction(-1)),
    ],
)
def test_lengths_that_make_no_sense_are_refused(pauses: Fraction | None, keep: Fraction) -> None:
    """A pause must be longer than what is kept of it."""
    with pytest.raises(InputError, match="keep must not be negative"):
        tighten(Edl(), {}, pauses=pauses, keep=keep)


@given(
    spoken_takes(),
    st.sampled_from([None, Fraction(3, 10), HALF]),
    st.sampled_from([Fraction(0), Fraction(1, 4)]),
)
def test_tightening_twice_takes_nothing_more(said: Take, pauses: Fraction | None, keep: Fraction) -> None:
    """Every other word stays whole, once; parts lie in order within the range; a second time changes nothing."""
    takes = {"C0103": said}
    was = cut(f"C0103 #1-#{len(said.words)}", said)
    now, removed = tighten(was, takes, pauses=pauses, keep=keep)
    assert tighten(now, takes, pauses=pauses, keep=keep) == (now, ())
    if now.ranges[0].status == "rejected":
        assert all(word.filler for word in said.words)
        return
    kept: list[int] = []
    for part in now.ranges:
        assert part.words is not None
        first, last = part.words
        kept.extend(range(first, last + 1))
        assert part.start <= said.words[first - 1].start
        assert said.words[last - 1].end <= part.end
    assert len(kept) == len(set(kept))
    assert [word.number for word in said.words if not word.filler and word.number not in kept] == []
    edges = [frame for part in now.ranges for frame in part.frames]
    assert edges == sorted(edges)
    assert was.ranges[0].frames[0] <= edges[0] < edges[-1] <= was.ranges[0].frames[1] <= layout(said).total
    assert was.duration - now.duration == sum((each.span.duration for each in removed), Fraction(0))


@given(odd_takes(), st.sampled_from([None, HALF]))
def test_tightening_odd_transcripts_twice_takes_nothing_more(said: Take, pauses: Fraction | None) -> None:
    """Every part is a range that can be saved, and what was written reads back to the same parts."""
    takes = {"C0103": said}
    frames = (0, layout(said).total)
    was = Edl(ranges=(piece(said, frames, words=(1, len(said.words))),))
    now, _ = tighten(was, takes, pauses=pauses)
    validate(now, takes, Path("edit"))
    assert tighten(now, takes, pauses=pauses) == (now, ())
    edges = [frame for part in now.ranges for frame in part.frames]
    assert edges == sorted(edges)
