from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutbook.edit.layout import layout
from cutbook.edit.snap import PADS, on_grid, snap, snap_words
from cutbook.edit.take import Take
from cutbook.errors import TimeError
from cutbook.media.sound import Envelope
from cutbook.timebase import Span, decimals
from cutbook.transcripts.model import Timing
from tests.edit.making import RATES, Said, c0103, exact, odd_takes, spoken_takes, take, words


def span(start: str, end: str) -> Span:
    """Return a span of two typed times."""
    return Span(exact(start), exact(end))


def test_phrase_is_padded_into_the_silence_and_put_on_the_grid_outward() -> None:
    """2.52 less 50 ms is 2.47, frame 74.1, so 74; 5.36 and 80 ms is 5.44, frame 163.2, so 164."""
    snapped = snap(c0103(), span("2.52", "5.36"))
    assert snapped.frames == (74, 164)
    assert snapped.words == (1, 4)
    assert snapped.pads == (exact("2.52") - Fraction(74, 30), Fraction(164, 30) - exact("5.36"))


def test_span_that_ends_inside_a_word_keeps_the_whole_word() -> None:
    """An edge is moved outward, never through a word."""
    assert snap(c0103(), span("2.7", "4.0")).words == (1, 4)


def test_touch_of_less_than_a_frame_keeps_no_further_word() -> None:
    """A sliver of 20 ms into the next word is a rounding of the edge, not a wish for the word."""
    assert snap(c0103(), span("2.52", "2.92")).words == (1, 1)


def test_pad_ends_where_the_neighbour_begins() -> None:
    """80 ms of air would reach into the next word 50 ms later; the grid has a frame edge in the gap, which is taken."""
    said = take("A", ("one", "1.0", "2.0"), ("two", "2.05", "3.0"))
    snapped = snap(said, span("1.0", "2.0"))
    assert snapped.frames[1] == 61  # 61/30 = 2.033, before 2.05; 62/30 = 2.067 is in the neighbour
    assert snapped.pads is not None
    assert snapped.pads[1] == Fraction(61, 30) - 2


def test_touching_neighbour_enters_by_less_than_a_frame() -> None:
    """Where words touch off the grid, the kept word stays whole and the neighbour's first milliseconds come along."""
    said = take("A", ("one", "1.0", "2.01"), ("two", "2.01", "3.0"))
    out = snap(said, span("1.0", "2.01")).frames[1] / Fraction(30)
    assert out == Fraction(61, 30)
    assert out - exact("2.01") < Fraction(1, 30)


def test_air_that_the_span_asks_for_is_kept() -> None:
    """A span that goes on into silence, where something may be seen, is not shortened to its words."""
    snapped = snap(c0103(), span("1.0", "5.9"))
    assert snapped.frames == (30, 177)
    assert snapped.words == (1, 4)


def test_air_that_the_span_asks_for_ends_at_the_neighbour() -> None:
    """A span that begins a few milliseconds inside the word before keeps the whole gap and not that word."""
    snapped = snap(c0103(), span("5.34", "6.74"))
    assert snapped.words == (5, 7)
    assert snapped.frames[0] == 161  # 161/30 = 5.367, the first frame after 5.36


def test_span_without_words_stays_as_typed() -> None:
    """A cutaway keeps its own edges, outward on the grid, without words and pads."""
    snapped = snap(c0103(), span("10.01", "11.00"))
    assert snapped.frames == (300, 330)
    assert snapped.words is None
    assert snapped.pads is None


def test_range_may_end_with_the_clip() -> None:
    """The last word touches the end: the range ends with the last frame."""
    said = take("A", ("last", "41.0", "43.0"))
    assert snap(said, span("41.0", "43.0")).frames[1] == 1290
    assert snap(said, span("41.0", "43.04")).frames[1] == 1290


def test_word_that_outlasts_the_clip_is_cut_by_the_clip_alone() -> None:
    """Engines round a last word past the end; the range then ends with the last frame."""
    said = take("A", ("last", "42.0", "43.4"))
    assert snap(said, span("42.0", "43.0")).frames == (1258, 1290)


@pytest.mark.parametrize(
    ("start", "end", "says"),
    [
        ("42.0", "43.2", "past the end of C0103, which is 43.00 s long"),
        ("43.0", "43.04", "past the end"),
        ("-0.5", "1.0", "before the beginning"),
        ("2.0", "2.0", "no length"),
    ],
)
def test_span_outside_the_take_is_refused(start: str, end: str, says: str) -> None:
    """The message has the time and the take's length."""
    with pytest.raises(TimeError, match=says):
        snap(c0103(), span(start, end))


def envelope(levels: dict[tuple[str, str], float], *, length: str = "43", level: float = 0.1) -> Envelope:
    """Return a hum with other levels in some spans."""
    made = np.full(int(exact(length) * 1000), level, dtype=np.float32)
    for (start, end), value in levels.items():
        made[int(exact(start) * 1000) : int(exact(end) * 1000)] = value
    return Envelope(Fraction(1, 1000), made)


def test_edge_moves_to_the_quietest_place_in_the_pad() -> None:
    """With a hum everywhere and 10 ms of quiet at 5.37–5.38, the out point is 5.375, so frame 162 (5.4)."""
    quiet = envelope({("5.37", "5.38"): 0.001})
    assert snap(c0103(envelope=quiet), span("2.52", "5.36")).frames == (74, 162)


def test_edge_stays_out_where_all_is_equally_quiet() -> None:
    """Even hum is no reason to give up air."""
    assert snap(c0103(envelope=envelope({})), span("2.52", "5.36")).frames == (74, 164)


STUCK: list[Said] = [
    ("before", "1.0", "2.0"),
    *[(f"w{n}", "5.0", "5.0", Timing.STUCK) for n in range(5)],
    ("after", "9.0", "9.5"),
]


@pytest.mark.parametrize(
    ("start", "end"), [("5.0", "9.5"), ("1.0", "5.0"), ("4.0", "4.5"), ("3.0", "9.5"), ("1.0", "8")]
)
def test_edge_among_words_without_times_is_refused_with_the_nearest_places(start: str, end: str) -> None:
    """Five words on one time are said somewhere between their neighbours; the ends of these are offered."""
    with pytest.raises(TimeError, match=r"cut at 2\.00 \(after “before”\) or at 9\.00 \(before “after”\)"):
        snap(take("A", *STUCK), span(start, end))


def test_stuck_run_is_no_obstacle_inside_a_range() -> None:
    """Both edges at timed words: everything between is kept."""
    assert snap(take("A", *STUCK), span("1.0", "9.5")).words == (1, 7)


def test_no_air_is_taken_towards_a_stuck_run() -> None:
    """Its words may be said right after the kept one, so the out point is the first frame after that."""
    snapped = snap(take("A", *STUCK), span("1.0", "2.0"))
    assert snapped.words == (1, 1)
    assert snapped.frames[1] == 60


def test_whole_stuck_run_is_taken_from_the_word_before_it() -> None:
    """Asked for by number, a run from its first word begins where the word before it ends."""
    snapped = snap_words(take("A", *STUCK), 2, 7)
    assert snapped.frames[0] == 60
    with pytest.raises(TimeError, match="#3 is in a run of words without times"):
        snap_words(take("A", *STUCK), 3, 7)


def test_take_without_any_times_can_be_kept_whole() -> None:
    """Its beginning and end are the places that are left."""
    said = take("A", *[(f"w{n}", 0, 0, Timing.UNTIMED) for n in range(6)])
    assert snap(said, span("0", "43")).words == (1, 6)
    with pytest.raises(
        TimeError, match=r"cut at 0\.00 \(the take's beginning\) or at 43\.00 \(the take's end\)"
    ):
        snap(said, span("5", "43"))


def test_stretched_word_may_be_kept_or_left_whole() -> None:
    """Seven seconds for one word: it is said in them somewhere, so its own two ends are places to cut, no other."""
    said = take("A", ("one", "1.0", "2.0"), ("long", "2.5", "9.5", Timing.STRETCHED), ("two", "11.0", "11.5"))
    assert snap(said, span("1.0", "9.5")).words == (1, 2)
    assert snap(said, span("1.0", "9.5")).frames[1] == 288  # 9.58 → 287.4
    assert snap(said, span("1.0", "2.0")).frames[1] == 63  # 80 ms of air, far from the long word's start
    with pytest.raises(TimeError, match=r"cut at 2\.50 \(before “long”\) or at 9\.50 \(after “long”\)"):
        snap(said, span("1.0", "5.0"))


def test_mark_that_opens_the_next_speakers_turn_goes_with_that_turn() -> None:
    """A dash before the answer is no end of the question, and a bracket no end of the word before it."""
    heard = words(
        ("Why?", "1.0", "1.5"),
        ("-", "1.5", "1.5"),
        ("So.", "1.5", "2.0"),
        ("(", "3.0", "3.0"),
        ("yes", "3.0", "4.0"),
    )
    turns = tuple(replace(word, speaker="a" if word.number == 1 else "b") for word in heard.words)
    said = Take.given("A", c0103().media, c0103().fingerprint, transcript=replace(heard, words=turns))
    assert snap(said, span("1.0", "1.5")).words == (1, 1)
    assert snap(said, span("1.5", "2.0")).words == (2, 3)


def test_event_counts_where_it_lies_in_the_span_whole() -> None:
    """Laughter after the sentence comes along when the span covers it, and is left out when it only reaches in."""
    said = take("A", ("funny", "1.0", "2.0"), ("(laughs)", "2.5", "4.0"), ("now", "6.0", "6.5"))
    assert snap(said, span("1.0", "4.0")).words == (1, 2)
    assert snap(said, span("1.0", "2.1")).words == (1, 1)


def test_mark_with_a_token_of_its_own_goes_with_its_word() -> None:
    """A Chinese comma has no length; it neither ends the air after its word nor begins the next range."""
    said = take("A", ("好", "1.0", "1.3"), ("，", "1.3", "1.3"), ("我", "2.0", "2.2"))
    snapped = snap(said, span("1.0", "1.3"))
    assert snapped.words == (1, 2)
    assert snapped.frames == (28, 42)  # 0.95 → 28.5, 1.38 → 41.4
    assert snap(said, span("2.0", "2.2")).words == (3, 3)


def test_unknown_word_numbers_are_refused() -> None:
    """The message has how many words there are."""
    with pytest.raises(TimeError, match="C0103 has no words #9-#11; its words are #1 to #10"):
        snap_words(c0103(), 9, 11)


@st.composite
def takes_and_words(draw: st.DrawFn) -> tuple[Take, int, int]:
    """Return a take and the numbers of two of its words."""
    said = draw(spoken_takes())
    first = draw(st.integers(1, len(said.words)))
    return said, first, draw(st.integers(first, len(said.words)))


@given(
    takes_and_words(), st.sampled_from([PADS, (Fraction(0), Fraction(0)), (Fraction(1, 5), Fraction(1, 2))])
)
def test_kept_words_are_whole_and_no_other_enters_by_a_frame(
    chosen: tuple[Take, int, int], pads: tuple[Fraction, Fraction]
) -> None:
    """Whatever words are asked for at whatever rate, the range holds them whole and a neighbour under a frame."""
    said, first, last = chosen
    snapped = snap_words(said, first, last, pads=pads)
    start, end = (frame / said.rate for frame in snapped.frames)
    assert 0 <= snapped.frames[0] < snapped.frames[1] <= layout(said).total
    for word in said.words:
        inside = min(word.end, end) - max(word.start, start)
        if first <= word.number <= last:
            assert inside == word.end - word.start
        else:
            assert inside < 1 / said.rate
    assert snapped.pads is not None
    assert snapped.pads == (said.words[first - 1].start - start, end - said.words[last - 1].end)
    assert snapped.pads[0] <= pads[0] + 1 / said.rate
    assert snapped.pads[1] <= pads[1] + 1 / said.rate


@given(takes_and_words())
def test_span_printed_with_two_decimals_keeps_the_same_words(chosen: tuple[Take, int, int]) -> None:
    """A phrase's own times, printed, give its words; and the range's own times, printed, give the range again."""
    said, first, last = chosen
    printed = Span(
        exact(decimals(said.words[first - 1].start)),
        exact(decimals(said.words[last - 1].end)),
    )
    snapped = snap(said, printed)
    assert snapped == snap_words(said, first, last)
    again = Span(*(exact(decimals(frame / said.rate)) for frame in snapped.frames))
    assert snap(said, again) == snapped


@given(spoken_takes(), st.integers(0, 12000), st.integers(1, 5000))
def test_any_span_gives_a_range_that_gives_itself_again(said: Take, start: int, length: int) -> None:
    """A span typed anywhere in the take lands on frames in the take, and its printed range on the same frames."""
    plan = layout(said)
    typed = Span(Fraction(start, 1000), Fraction(start + length, 1000)).clamp(Span(Fraction(0), plan.end))
    if typed.duration == 0:
        return
    snapped = snap(said, typed)
    assert 0 <= snapped.frames[0] < snapped.frames[1] <= plan.total
    again = Span(*(exact(decimals(frame / plan.rate)) for frame in snapped.frames))
    assert snap(said, again) == snapped


@given(st.sampled_from(RATES), st.integers(0, 1000), st.integers(1, 200))
def test_frame_edges_printed_with_two_decimals_come_back(rate: Fraction, first: int, count: int) -> None:
    """Two decimals leave enough of a frame's edge at up to 60 frames a second."""
    silent = take("A", rate=rate, frames=1290)
    printed = Span(exact(decimals(first / rate)), exact(decimals((first + count) / rate)))
    assert on_grid(silent, printed) == (first, first + count)


@given(odd_takes(), st.integers(0, 8000), st.integers(1, 8000))
def test_odd_transcripts_give_a_range_or_one_error(said: Take, start: int, length: int) -> None:
    """Frames lie in the take, words that have times are whole or the take ends in them, pads are never negative."""
    plan = layout(said)
    try:
        snapped = snap(said, Span(Fraction(start, 1000), Fraction(start + length, 1000)))
    except TimeError:
        return
    into, out = snapped.frames
    assert 0 <= into < out <= plan.total
    if snapped.words is None:
        return
    assert snapped.pads is not None
    assert min(snapped.pads) >= 0
    for word in said.words[snapped.words[0] - 1 : snapped.words[1]]:
        if word.timing is Timing.TIMED and word.bare and word.start < plan.end:
            assert into / said.rate <= word.start
            assert min(word.end, plan.end) <= out / said.rate
