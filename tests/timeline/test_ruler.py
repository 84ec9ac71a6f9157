from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutbook.timebase import Span
from cutbook.timeline.ruler import ROOM, Counter, seconds_label, ticks

WIDTH = 1516


@pytest.mark.parametrize(
    ("start", "time", "expected"),
    [
        ("10:00:00:00", Fraction(5, 2), "10:00:02:12"),
        ("23:59:59:00", Fraction(2), "00:00:01:00"),
        (None, Fraction(61), "00:01:01:00"),
        ("99 bad", Fraction(1), "00:00:01:00"),
    ],
)
def test_timecode_counts_from_the_embedded_one(start: str | None, time: Fraction, expected: str) -> None:
    """The ruler goes on from the source's own timecode, over midnight too; without a usable one it starts at 0."""
    assert Counter.starting(start, Fraction(25)).at(time) == expected


def test_drop_frame_stays_drop_frame() -> None:
    """A source in drop-frame is counted so: after 60 s less two frames comes second 1:00;02."""
    counter = Counter.starting("00:00:00;00", Fraction(30000, 1001))
    assert counter.at(Fraction(1800 * 1001, 30000)) == "00:01:00;02"


def test_timecode_is_that_of_the_frame_shown() -> None:
    """Between two frames it is still the first one's number."""
    assert Counter(Fraction(30)).at(Fraction("3.05")) == "00:00:03:01"


@given(
    start=st.fractions(min_value=0, max_value=20000, max_denominator=1000),
    length=st.fractions(min_value=Fraction(1, 10), max_value=90000, max_denominator=1000),
)
def test_numbers_never_touch_and_lie_in_the_view(start: Fraction, length: Fraction) -> None:
    """Whatever the view, its numbers are at least 118 pixels apart, in it, and there are no more than fit."""
    span = Span(start, start + length)
    found = ticks(span, WIDTH)
    assert all(span.holds(tick.time) for tick in found)
    named = [float((tick.time - start) / length) * WIDTH for tick in found if tick.label]
    assert all(b - a >= ROOM - 1e-6 for a, b in pairwise(named))
    assert len(found) <= 6 * (WIDTH / ROOM + 1)


@pytest.mark.parametrize(
    ("time", "step", "expected"),
    [
        ("2", "1", "2 s"),
        ("2.5", "0.5", "2.5 s"),
        ("3.05", "0.05", "3.05 s"),
        ("125", "5", "2:05"),
        ("3725", "60", "1:02:05"),
    ],
)
def test_labels_have_the_decimals_of_their_step(time: str, step: str, expected: str) -> None:
    """Seconds are written as finely as the ruler is, and from two minutes on as m:ss."""
    assert seconds_label(Fraction(time), Fraction(step)) == expected
