from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutbook.edit.cutlist import parse
from cutbook.edit.edl import Edl
from cutbook.edit.layout import layout
from cutbook.edit.ranges import make_range
from cutbook.edit.snap import snap_words
from cutbook.edit.strike import cut_words, restore_words
from cutbook.edit.take import Take
from cutbook.errors import CutbookError, EdlError
from cutbook.transcripts.model import Timing
from tests.edit.making import c0103, odd_takes, piece, spoken_takes, take
from tests.edit.test_reshape import check_written

TAKES = {"C0103": c0103()}


def cut(text: str, takes: dict[str, Take] = TAKES) -> Edl:
    """Return the cut list of a text."""
    return Edl(ranges=parse(text, takes, by="cut"))


def test_words_in_the_middle_leave_two_ranges() -> None:
    """The new edges are those of a cut list of the words that stay; the outer ones are not touched."""
    was = cut("HOOK C0103 #1-#7 -- why")
    now = cut_words(was, 1, (3, 4), TAKES)
    wanted = cut("C0103 #1-#2\nC0103 #5-#7")
    assert [each.frames for each in now.ranges] == [each.frames for each in wanted.ranges]
    assert [each.words for each in now.ranges] == [(1, 2), (5, 7)]
    assert [each.quote for each in now.ranges] == ["Ninety percent", "We fixed this."]
    assert [each.pads for each in now.ranges] == [each.pads for each in wanted.ranges]
    assert {(each.beat, each.reason, each.by) for each in now.ranges} == {("HOOK", "why", "cut")}
    assert now.ranges[0].id == was.ranges[0].id != now.ranges[1].id


def test_words_at_an_end_shorten_the_range() -> None:
    """It stays one, with its id; the other edge is where it was put, here by hand."""
    source = TAKES["C0103"]
    was = Edl(ranges=(piece(source, (60, 220), words=(1, 7)),))
    assert [each.frames for each in cut_words(was, 1, (5, 7), TAKES).ranges] == [
        (60, snap_words(source, 1, 4).frames[1])
    ]
    assert [each.frames for each in cut_words(was, 1, (1, 4), TAKES).ranges] == [
        (snap_words(source, 5, 7).frames[0], 220)
    ]


def test_pads_are_those_that_are_asked_for() -> None:
    """Without any, “We” begins at 6.08: frame 182."""
    now = cut_words(cut("C0103 #1-#7"), 1, (1, 4), TAKES, pads=(Fraction(0), Fraction(0)))
    assert now.ranges[0].frames[0] == 182


def test_sound_that_ran_over_the_words_stops() -> None:
    """Late sound past an edge that moved would let the words be heard; that of the edge that stays is kept."""
    whole = replace(
        cut("C0103 #1-#7").ranges[0], audio_lead=Fraction(1, 5), audio_lag=Fraction(2, 5), dissolve=8
    )
    end = cut_words(Edl(ranges=(whole,)), 1, (5, 7), TAKES).ranges[0]
    assert (end.audio_lead, end.audio_lag, end.dissolve) == (Fraction(1, 5), Fraction(0), 8)
    start = cut_words(Edl(ranges=(whole,)), 1, (1, 4), TAKES).ranges[0]
    assert (start.audio_lead, start.audio_lag, start.dissolve) == (Fraction(0), Fraction(2, 5), 8)
    parts = cut_words(Edl(ranges=(whole,)), 1, (3, 4), TAKES).ranges
    assert [(each.audio_lead, each.audio_lag, each.dissolve) for each in parts] == [
        (Fraction(1, 5), Fraction(0), 8),
        (Fraction(0), Fraction(2, 5), 0),
    ]


def test_range_of_nothing_but_the_words_is_rejected() -> None:
    """It stays in the list, says why, and can be had back: not even its decision's key is left."""
    was = cut("C0103 #5-#7 -- reason")
    now = cut_words(was, 1, (5, 7), TAKES, why="too long")
    assert [(each.status, each.extra["why"], each.frames) for each in now.ranges] == [
        ("rejected", "too long", was.ranges[0].frames)
    ]
    assert cut_words(was, 1, (4, 9), TAKES).ranges[0].extra["why"] == "its words were cut: “We fixed this.”"
    assert restore_words(now, "C0103", (5, 7), TAKES) == was
    with pytest.raises(EdlError, match=r"range 1 .* is rejected, so none of its words are in the film"):
        cut_words(now, 1, (5, 5), TAKES)


def test_words_that_the_range_does_not_keep_are_refused() -> None:
    """Other words of the take, no words of the take, words the wrong way round."""
    edl = cut("C0103 #1-#4")
    with pytest.raises(EdlError, match=r"range 1 .* has no words #6-#7; its words are #1 to #4"):
        cut_words(edl, 1, (6, 7), TAKES)
    with pytest.raises(EdlError, match=r"C0103 has no words #1-#99; its words are #1 to #10"):
        cut_words(edl, 1, (1, 99), TAKES)
    with pytest.raises(EdlError, match=r"#3-#2 ends before it begins"):
        cut_words(edl, 1, (3, 2), TAKES)
    silent = Edl(ranges=(piece(TAKES["C0103"], (300, 330)),))
    with pytest.raises(EdlError, match="it keeps none"):
        cut_words(silent, 1, (1, 1), TAKES)


def test_words_without_times_are_not_cut_apart() -> None:
    """In a stuck run nobody knows where a word ends; the message names the nearest places."""
    stuck = take(
        "A",
        ("So", 1, 1.5),
        *((text, 2, 2, Timing.STUCK) for text in ("one", "two", "three", "four")),
        ("end.", 4, 4.5),
    )
    edl = Edl(ranges=(piece(stuck, (30, 140), words=(1, 6)),))
    with pytest.raises(EdlError, match=r"#2 is in a run of words without times.*cut at 1\.50"):
        cut_words(edl, 1, (3, 4), {"A": stuck})
    assert [each.words for each in cut_words(edl, 1, (2, 5), {"A": stuck}).ranges] == [(1, 1), (6, 6)]


def test_word_shorter_than_a_frame_stays() -> None:
    """Nothing would be taken out."""
    quick = take("A", ("So", 1, 1.501), ("a", 1.501, 1.502), ("thing", 1.502, 2))
    with pytest.raises(EdlError, match="lasts less than a frame; trim the range"):
        cut_words(cut("A #1-#3", {"A": quick}), 1, (2, 2), {"A": quick})


def test_mark_goes_with_the_word_before_it() -> None:
    """A comma that has a token of its own is cut with its word."""
    marked = take("A", ("好", 1, 1.4), ("，", 1.4, 1.4), ("我", 2, 2.4), ("们", 2.4, 2.8))
    now = cut_words(cut("A #1-#4", {"A": marked}), 1, (1, 1), {"A": marked})
    assert [each.words for each in now.ranges] == [(3, 4)]


def test_words_put_back_between_two_ranges_join_them() -> None:
    """What was cut is back as if it had never been."""
    was = cut("HOOK C0103 #1-#7 -- why\nB C0103 #8-#10")
    assert restore_words(cut_words(was, 1, (3, 4), TAKES), "C0103", (3, 4), TAKES) == was


def test_words_put_back_beside_a_range_make_it_longer() -> None:
    """The new edge is that of a cut list; the other stays."""
    was = cut("A C0103 #3-#4")
    now = restore_words(was, "C0103", (2, 2), TAKES)
    assert now.ranges[0].frames == (snap_words(TAKES["C0103"], 2, 4).frames[0], was.ranges[0].frames[1])
    assert (now.ranges[0].words, now.ranges[0].id) == ((2, 4), was.ranges[0].id)
    now = restore_words(was, "C0103", (4, 5), TAKES)
    assert now.ranges[0].frames == (was.ranges[0].frames[0], snap_words(TAKES["C0103"], 3, 5).frames[1])


def test_words_put_back_elsewhere_are_a_range_of_their_own() -> None:
    """After the nearest range of the take before them, with its beat and look; the reason is what is said of them."""
    other = take("B", ("Hello", 1, 2))
    takes = {**TAKES, "B": other}
    one, two = cut("ONE C0103 #1-#2\nTWO C0103 #5-#6").ranges
    edl = Edl(ranges=(two, piece(other, (30, 60), id="r-bbbbb"), replace(one, grade="subtle")))
    now = restore_words(edl, "C0103", (8, 10), takes, why="the second go", by="me")
    made = now.ranges[1]
    assert [each.id for each in now.ranges] == [two.id, made.id, "r-bbbbb", one.id]
    assert (made.beat, made.reason, made.by, made.grade, made.words) == (
        "TWO",
        "the second go",
        "me",
        None,
        (8, 10),
    )
    assert made.frames == snap_words(TAKES["C0103"], 8, 10).frames
    only = Edl(ranges=(replace(cut("LATE C0103 #8-#10").ranges[0], grade="subtle"),))
    before = restore_words(only, "C0103", (1, 2), takes)
    assert [(each.beat, each.grade, each.words) for each in before.ranges] == [
        ("LATE", "subtle", (1, 2)),
        ("LATE", "subtle", (8, 10)),
    ]
    assert restore_words(Edl(), "B", (1, 1), takes).ranges[0].source == "B"


def test_words_of_a_rejected_range_are_undecided_again() -> None:
    """All of them: the range itself is back. Some: they are a range beside it, and it stays out."""
    was = cut("A C0103 #1-#2\nB C0103 #5-#7 -- fine\nC C0103 #8-#10")
    out = replace(
        was,
        ranges=(was.ranges[0], replace(was.ranges[1], status="rejected", extra={"why": "no"}), was.ranges[2]),
    )
    assert restore_words(out, "C0103", (5, 7), TAKES) == was
    some = restore_words(out, "C0103", (5, 6), TAKES)
    assert [(each.beat, each.words, each.status) for each in some.ranges] == [
        ("A", (1, 2), "undecided"),
        ("B", (5, 7), "rejected"),
        ("B", (5, 6), "undecided"),
        ("C", (8, 10), "undecided"),
    ]


def test_words_that_are_there_or_are_none_are_refused() -> None:
    """The range that has them is named; a strange take and strange words too."""
    edl = cut("A C0103 #1-#7")
    with pytest.raises(EdlError, match=r"range 1 \(.*\) has these words in the film already"):
        restore_words(edl, "C0103", (2, 4), TAKES)
    with pytest.raises(EdlError, match="no take is named 'C0104'; the nearest is C0103"):
        restore_words(edl, "C0104", (1, 2), TAKES)
    with pytest.raises(EdlError, match=r"#11-#12 of C0103 cannot be put back: .*its words are #1 to #10"):
        restore_words(edl, "C0103", (11, 12), TAKES)


@given(source=spoken_takes(shortest=Fraction(1, 5)), data=st.data())
def test_words_cut_and_put_back_are_as_before(source: Take, data: st.DataObject) -> None:
    """Whichever words: what is left holds only others, lies on the grid, and gets its frames back with them."""
    whole = make_range(source, snap_words(source, 1, len(source.words)), id="r-aaaaa", beat="A", reason="why")
    was, takes = Edl(ranges=(whole,)), {source.name: source}
    first = data.draw(st.integers(1, len(source.words)))
    last = data.draw(st.integers(first, len(source.words)))
    now = cut_words(was, 1, (first, last), takes)
    check_written(now, source)
    kept = [number for each in now.kept if each.words for number in range(each.words[0], each.words[1] + 1)]
    assert kept == [number for number in range(1, len(source.words) + 1) if not first <= number <= last]
    assert now.duration < was.duration
    plan = layout(source)
    for each in now.kept:
        assert each.words is not None
        inner = snap_words(source, *each.words).frames
        assert each.frames[0] in {whole.frames[0], inner[0]}
        assert each.frames[1] in {whole.frames[1], inner[1]}
        assert 0 <= each.frames[0] < each.frames[1] <= plan.total
    again = restore_words(now, source.name, (first, last), takes)
    assert again == was


@given(source=odd_takes(), data=st.data())
def test_cutting_the_oddest_take_gives_valid_lists(source: Take, data: st.DataObject) -> None:
    """Whatever is cut or put back, it is refused in a line, or what results is valid and lies on the grid."""
    try:
        whole = make_range(source, snap_words(source, 1, len(source.words)), id="r-aaaaa")
    except CutbookError:
        return
    edl, takes = Edl(ranges=(whole,)), {source.name: source}
    for _ in range(3):
        first = data.draw(st.integers(1, len(source.words)))
        last = data.draw(st.integers(first, len(source.words)))
        try:
            if data.draw(st.booleans()):
                edl = cut_words(edl, data.draw(st.integers(1, len(edl.ranges))), (first, last), takes)
            else:
                edl = restore_words(edl, source.name, (first, last), takes)
        except EdlError:
            continue
        check_written(edl, source)
