from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from cutbook.edit.cutlist import parse
from cutbook.edit.decide import accept, decide, find, reason, reject, resolve, trim, undecide
from cutbook.edit.edl import Edl
from cutbook.edit.ranges import same_again
from cutbook.errors import EdlError
from cutbook.transcripts.model import Timing
from tests.edit.making import c0103, piece, take

TAKES = {"C0103": c0103()}


def three() -> Edl:
    """Return a cut list of three ranges."""
    return Edl(ranges=parse("A C0103 #1-#4 -- one\nB C0103 #5-#7 -- two\nC C0103 #8-#10", TAKES, by="cut"))


def test_ranges_are_named_by_number_or_id() -> None:
    """Numbers count from 1, also as text from a magic's line."""
    edl = three()
    assert [resolve(edl, each) for each in (1, "2", edl.ranges[2].id)] == [0, 1, 2]
    assert find(edl, 3) == edl.ranges[2]
    for wrong in (0, 4, -1, "r-zzzzz", "", True):
        with pytest.raises(EdlError, match="there are 1 to 3, or give an id"):
            resolve(edl, wrong)
    with pytest.raises(EdlError, match="the cut list is empty"):
        resolve(Edl(), 1)


def test_decision_keeps_its_reason_and_who_decided() -> None:
    """The reason of the range stays; the decision's own is the key why; a later decision replaces it."""
    edl = reject(three(), 1, "3", why="too long", by="person")
    assert [each.status for each in edl.ranges] == ["rejected", "undecided", "rejected"]
    assert [each.extra.get("why") for each in edl.ranges] == ["too long", None, "too long"]
    assert (edl.ranges[0].reason, edl.ranges[0].by, edl.ranges[1].by) == ("one", "person", "cut")
    assert len(edl.kept) == 1
    again = accept(edl, 1)
    assert (again.ranges[0].status, dict(again.ranges[0].extra)) == ("accepted", {})
    assert undecide(again, 1).ranges[0].status == "undecided"


def test_unknown_decision_is_refused() -> None:
    """Only the three."""
    with pytest.raises(EdlError, match="'maybe' is no decision; one is undecided, accepted, rejected"):
        decide(three(), 1, status="maybe")  # type: ignore[arg-type]


def test_trim_moves_one_edge_to_whole_words() -> None:
    """The end moved into “is” keeps “is” whole; the start stays to the frame."""
    edl = three()
    moved = trim(edl, 1, TAKES, end=Fraction("3.45")).ranges[0]
    assert moved.words == (1, 3)
    assert moved.frames == (edl.ranges[0].frames[0], 105)  # touches at 3.5, which is a frame's edge
    assert (moved.id, moved.beat, moved.reason, moved.quote) == (
        edl.ranges[0].id,
        "A",
        "one",
        "Ninety percent is",
    )


def test_edge_that_is_not_trimmed_stays_where_it_was_put() -> None:
    """Even where a cut list would have put it elsewhere."""
    edl = three()
    odd = replace(
        edl, ranges=(replace(edl.ranges[0], frames=(70, 164), pads=(Fraction(14, 75), Fraction(8, 75))),)
    )
    moved = trim(odd, 1, TAKES, end=Fraction("3.45")).ranges[0]
    assert moved.frames == (70, 105)
    assert moved.pads == (Fraction(14, 75), Fraction(0))


def test_exact_trim_goes_through_a_word() -> None:
    """To the frame asked for: the word belongs to the range while its middle does; the other edge stays."""
    edl = three()
    moved = trim(edl, 1, TAKES, start=Fraction("2.6"), exact=True).ranges[0]
    assert (moved.frames, moved.words) == ((78, 164), (1, 4))
    assert moved.pads == (Fraction(0), edl.ranges[0].pads[1] if edl.ranges[0].pads else None)
    moved = trim(edl, 1, TAKES, start=Fraction("2.8"), exact=True).ranges[0]
    assert (moved.frames, moved.words, moved.quote) == ((84, 164), (2, 4), "percent is wasted.")


def test_trim_of_a_range_cut_through_a_word_moves_one_edge() -> None:
    """The start in the middle of “Ninety” is where somebody put it by hand."""
    edl = trim(three(), 1, TAKES, start=Fraction("2.8"), exact=True)
    moved = trim(edl, 1, TAKES, end=Fraction("3.3")).ranges[0]
    assert (moved.frames, moved.words) == ((84, 100), (2, 2))


def test_trim_to_nowhere_is_refused() -> None:
    """The range is named, the edge's time too."""
    edl = three()
    with pytest.raises(EdlError, match=rf"range 1 \({edl.ranges[0].id}\): 99.00 lies past the end"):
        trim(edl, 1, TAKES, end=Fraction(99))
    with pytest.raises(EdlError, match=r"in point .* must lie before its out point"):
        trim(edl, 1, TAKES, end=Fraction(1))
    with pytest.raises(EdlError, match=r"99\.00 lies past the end"):
        trim(edl, 1, TAKES, start=Fraction(99), end=Fraction(100), exact=True)
    with pytest.raises(EdlError, match="no take is named 'C0103'"):
        trim(edl, 1, {}, end=Fraction(3))


def test_ranges_written_again_keep_ids_and_decisions() -> None:
    """What is the same range is it still; what is new gets an id that none had."""
    old = accept(three(), 2, why="yes")
    made = same_again(parse("B C0103 #5-#7\nA C0103 #1-#3\nB C0103 #5-#7", TAKES), old.ranges)
    assert made[0].id == old.ranges[1].id
    assert (made[0].status, made[0].extra["why"], made[0].reason) == ("accepted", "yes", "two")
    assert made[1].status == made[2].status == "undecided"
    assert len({each.id for each in (*made, *old.ranges)}) == 5


def test_edge_that_stays_may_lie_where_none_could_be_put() -> None:
    """A range that somebody began in a stuck run is trimmed at its end; its beginning stays to the frame."""
    stuck = take(
        "A",
        ("So", 1, 1.5),
        *((text, 2, 2, Timing.STUCK) for text in ("one", "two", "three", "four")),
        ("the", 4, 4.5),
        ("end.", 5, 5.5),
    )
    edl = Edl(ranges=(piece(stuck, (80, 170), words=(4, 7)),))
    moved = trim(edl, 1, {"A": stuck}, end=Fraction("4.6")).ranges[0]
    assert (moved.frames[0], moved.words and moved.words[1]) == (80, 6)
    with pytest.raises(EdlError, match="run of words without times"):
        trim(edl, 1, {"A": stuck}, start=Fraction(3))


def test_range_that_loses_its_words_loses_its_quote() -> None:
    """Trimmed to a pause it says nothing any more."""
    silent = trim(three(), 1, TAKES, start=Fraction("5.4"), end=Fraction(6), exact=True).ranges[0]
    assert (silent.words, silent.pads, silent.quote) == (None, None, "")


def test_reason_is_given_and_taken_away() -> None:
    """The decision stays as it is."""
    edl = accept(three(), 1, by="me")
    told = reason(edl, 1, "the best")
    assert (told.ranges[0].status, told.ranges[0].extra["why"], told.ranges[0].by) == (
        "accepted",
        "the best",
        "me",
    )
    assert reason(told, 1, "") == edl


def test_same_decision_again_is_none() -> None:
    """Who decided first stays who decided; another reason is another decision."""
    edl = accept(three(), 1, why="yes", by="me")
    assert accept(edl, 1, why="yes", by="somebody") == edl
    assert accept(edl, 1, why="very", by="somebody").ranges[0].by == "somebody"


def test_a_further_reason_is_added() -> None:
    """Where the decision stays what it is; none at all takes nothing away, the contrary one does."""
    edl = accept(accept(three(), 1, why="calm"), 1, why="in focus")
    assert edl.ranges[0].extra["why"] == "calm; in focus"
    assert accept(edl, 1) == accept(edl, 1, why="calm") == edl
    assert reject(edl, 1, why="too long").ranges[0].extra["why"] == "too long"


def test_trim_leaves_a_whole_word() -> None:
    """An edge put behind the last word, or before the first, snaps to that word; two edges around none are refused."""
    edl = three()
    plain = edl.ranges[0]
    late = trim(edl, 1, TAKES, start=Fraction("5.38")).ranges[0]
    assert (late.words, late.frames[1]) == ((4, 4), plain.frames[1])
    early = trim(edl, 1, TAKES, end=Fraction("2.49")).ranges[0]
    assert (early.words, early.frames[0]) == ((1, 1), plain.frames[0])
    with pytest.raises(
        EdlError, match=r"no whole word lies in 10.00-11.00; reject the range, or trim it with"
    ):
        trim(edl, 1, TAKES, start=Fraction(10), end=Fraction(11))
    bare = trim(edl, 1, TAKES, start=Fraction("5.42"), exact=True).ranges[0]
    assert bare.words is None
