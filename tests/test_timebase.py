from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutbook.errors import TimeError
from cutbook.timebase import (
    Span,
    clock,
    conformed_length,
    decimals,
    frame_ceil,
    frame_floor,
    frame_nearest,
    frame_time,
    parse_rate,
    parse_timecode,
    rate_text,
    round_half_up,
    sample_at,
    seconds,
    timecode,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

N24, N30, N60 = Fraction(24000, 1001), Fraction(30000, 1001), Fraction(60000, 1001)
RATES = st.sampled_from((N24, Fraction(24), Fraction(25), N30, Fraction(30), Fraction(50), N60, Fraction(60)))
TIMES = st.fractions(0, 100_000, max_denominator=1_000_000)


def counted(base: int, skipped: int) -> Iterator[str]:
    """Count drop-frame numbers one by one, as a counter with wheels does it: the slow way, and another one."""
    hours = minutes = secs = frames = 0
    while True:
        yield f"{hours:02d}:{minutes:02d}:{secs:02d};{frames:02d}"
        frames += 1
        if frames == base:
            frames, secs = 0, secs + 1
        if secs == 60:
            secs, minutes = 0, minutes + 1
            if minutes == 60:
                minutes, hours = 0, hours + 1
            if minutes % 10:
                frames = skipped


# By hand: 30 · 60 − 2 = 1798 numbers in a minute that drops, 1800 in one that does not, 17,982 in ten minutes.
@pytest.mark.parametrize(
    ("frame", "text", "rate"),
    [
        (0, "00:00:00;00", N30),
        (1799, "00:00:59;29", N30),
        (1800, "00:01:00;02", N30),
        (3597, "00:01:59;29", N30),
        (3598, "00:02:00;02", N30),
        (17_981, "00:09:59;29", N30),
        (17_982, "00:10:00;00", N30),
        (107_892, "01:00:00;00", N30),
        (2_589_407, "23:59:59;29", N30),
        (3599, "00:00:59;59", N60),
        (3600, "00:01:00;04", N60),
        (215_784, "01:00:00;00", N60),
    ],
)
def test_drop_frame_is_the_known_count(frame: int, text: str, rate: Fraction) -> None:
    """Known drop-frame numbers are written and read."""
    assert timecode(frame, rate, drop=True) == text
    assert parse_timecode(text, rate) == frame


@pytest.mark.parametrize(("rate", "base", "skipped"), [(N30, 30, 2), (N60, 60, 4)])
def test_drop_frame_counts_like_wheels(rate: Fraction, base: int, skipped: int) -> None:
    """Eleven minutes of frames are numbered as a counter with wheels numbers them, each once."""
    for frame, expected in enumerate(islice(counted(base, skipped), base * 60 * 11)):
        assert timecode(frame, rate, drop=True) == expected
        assert parse_timecode(expected, rate) == frame


@given(st.sampled_from((N30, N60)), st.integers(0, 24 * 60 * 60 * 60))
def test_drop_frame_stays_with_the_clock(rate: Fraction, frame: int) -> None:
    """A drop-frame number is within a tenth of a second of the true time, over a day."""
    hours, minutes, rest = timecode(frame, rate, drop=True).split(":")
    secs, frames = rest.split(";")
    shown = int(hours) * 3600 + int(minutes) * 60 + int(secs) + int(frames) / round(rate)
    assert abs(shown - frame / rate) < 0.1 + float(frame / rate) * 1.1e-6


@given(RATES, st.integers(0, 10_000_000), st.booleans())
def test_timecode_is_read_back(rate: Fraction, frame: int, drop: bool) -> None:  # noqa: FBT001 - a drawn value
    """What is written is read as the same frame."""
    drop = drop and rate in {N30, N60}
    assert parse_timecode(timecode(frame, rate, drop=drop), rate) == frame


def test_timecode_without_dropping_counts_frames() -> None:
    """At 23.976 a second of numbers has 24 frames, whatever the clock says."""
    assert timecode(24 * 3600, N24) == "01:00:00:00"
    assert timecode(25 * 60 + 24, Fraction(25)) == "00:01:00:24"
    assert parse_timecode("10:00:00:01", Fraction(25)) == 900_001


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("00:01:00;00", N30),
        ("00:01:00;01", N30),
        ("00:59:00;03", N60),
        ("00:00:00;10", Fraction(25)),
        ("00:00:00:25", Fraction(25)),
        ("00:60:00:00", Fraction(25)),
        ("1.5", Fraction(25)),
        ("", Fraction(25)),
        ("00:00:00:00:00", Fraction(25)),
    ],
)
def test_numbers_that_do_not_exist_are_refused(text: str, rate: Fraction) -> None:
    """Dropped numbers, frames past the rate and other forms are errors that quote the text."""
    with pytest.raises(TimeError) as caught:
        parse_timecode(text, rate)
    if text != "00:00:00;10":
        assert repr(text) in str(caught.value)


def test_no_timecode_before_zero() -> None:
    """A negative frame and drop-frame at another rate have no number."""
    with pytest.raises(TimeError, match="-1"):
        timecode(-1, Fraction(25))
    with pytest.raises(TimeError, match="25"):
        timecode(1, Fraction(25), drop=True)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("12.34", Fraction(1234, 100)),
        ("  7 ", Fraction(7)),
        (3, Fraction(3)),
        (0.1, Fraction(1, 10)),
        (29.999999999, Fraction(30)),
        (Decimal("1e-3"), Fraction(1, 1000)),
        (Fraction(1001, 30000), Fraction(1001, 30000)),
        ("-0.5", Fraction(-1, 2)),
        ("0e-400", Fraction(0)),
        ("1:20", Fraction(80)),
        ("00:13.50", Fraction(27, 2)),
        ("1:02:03.25", Fraction(14893, 4)),
    ],
)
def test_seconds_are_exact(value: str | float | Decimal | Fraction, expected: Fraction) -> None:
    """Text is read exactly, a float to the microsecond that was meant."""
    assert seconds(value) == expected


@pytest.mark.parametrize(
    "value",
    [
        "",
        "x",
        "nan",
        "inf",
        "-Infinity",
        "1:75",
        "1:",
        ":20",
        "1:60:00",
        "1:2:3:4",
        "1e999999999",
        "1e-999999999",
        "9" * 100,
        float("nan"),
        float("inf"),
    ],
)
def test_what_is_no_time_is_refused_at_once(value: str | float) -> None:
    """No number, no end, and numbers that would fill the memory are errors."""
    with pytest.raises(TimeError):
        seconds(value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("23.976", N24),
        ("23.98", N24),
        (29.97, N30),
        ("59.94", N60),
        ("119.88", Fraction(120_000, 1001)),
        ("30000/1001", N30),
        ("25", Fraction(25)),
        (30, Fraction(30)),
        ("12.5", Fraction(25, 2)),
        (60.0, Fraction(60)),
        ("50/2", Fraction(25)),
    ],
)
def test_rates_are_exact(value: str | float, expected: Fraction) -> None:
    """The television rates are understood however people write them."""
    assert parse_rate(value) == expected


@pytest.mark.parametrize("value", ["0", "-25", "fast", "1/0", "1001", "25/", "nan", "1e99999999"])
def test_what_is_no_rate_is_refused(value: str) -> None:
    """An error quotes what was given."""
    with pytest.raises(TimeError, match="frame rate"):
        parse_rate(value)


@given(RATES)
def test_a_rate_is_written_as_it_is_read(rate: Fraction) -> None:
    """The form of a rate that ffmpeg reads is exact."""
    assert parse_rate(rate_text(rate)) == rate


@given(st.fractions(-1000, 1000))
def test_halves_go_up(value: Fraction) -> None:
    """The nearest whole number, halves always upwards, never to even."""
    got = round_half_up(value)
    assert value - Fraction(1, 2) < got <= value + Fraction(1, 2)


@given(RATES, st.integers(0, 1_000_000), st.fractions(0, 1))
def test_frames_and_times_agree(rate: Fraction, frame: int, part: Fraction) -> None:
    """A frame is shown from its beginning until the next one begins."""
    begin, end = frame_time(frame, rate), frame_time(frame + 1, rate)
    assert frame_floor(begin, rate) == frame_ceil(begin, rate) == frame_nearest(begin, rate) == frame
    within = begin + (end - begin) * part
    assert frame_floor(within, rate) == (frame if part < 1 else frame + 1)
    assert frame_ceil(within, rate) == (frame if part == 0 else frame + 1)
    assert frame_nearest(within, rate) == (frame if part < Fraction(1, 2) else frame + 1)


@given(RATES, st.lists(st.integers(1, 5000), min_size=1, max_size=200))
def test_samples_do_not_drift(rate: Fraction, lengths: list[int]) -> None:
    """However a programme is cut into pieces, their samples add up to the samples of the whole."""
    total, position = 0, 0
    for length in lengths:
        total += sample_at(position + length, rate) - sample_at(position, rate)
        position += length
    assert total == sample_at(position, rate)
    assert abs(total - position / rate * 48_000) <= Fraction(1, 2)


@pytest.mark.parametrize(
    ("frames", "source", "rate", "expected"),
    [(25, 25, 30, 30), (1, 60, 24, 1), (30, 30, 25, 25), (5, 24, 30, 6), (100, 25, 25, 100), (3, 24, 30, 4)],
)
def test_a_range_keeps_its_length_at_another_rate(frames: int, source: int, rate: int, expected: int) -> None:
    """Frames at another rate: the time is kept to half a frame (3/24 s is 3.75 frames of 30), and one is the least."""
    assert conformed_length(frames, Fraction(source), Fraction(rate)) == expected


@given(TIMES, st.integers(0, 4))
def test_decimals_are_rounded_like_a_decimal(time: Fraction, places: int) -> None:
    """Text with decimals is the exact value rounded half up."""
    exact = (Decimal(time.numerator) / Decimal(time.denominator)).quantize(
        Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP
    )
    if places:
        assert abs(Decimal(decimals(time, places)) - exact) <= Decimal(1).scaleb(-places - 12)


def test_a_full_minute_is_never_sixty_seconds() -> None:
    """59.9996 s is a minute, for people and in decimals."""
    assert clock(Fraction(599_996, 10_000)) == "01:00"
    assert decimals(Fraction(599_996, 10_000), 3) == "60.000"
    assert clock(Fraction(3599)) == "59:59"
    assert clock(Fraction(36_001, 10)) == "1:00:00"
    assert decimals(Fraction(-1, 3)) == "-0.33"
    assert decimals(Fraction(-1, 1000)) == "0.00"


@given(st.lists(TIMES, min_size=4, max_size=4), TIMES)
def test_spans_are_half_open(times: list[Fraction], point: Fraction) -> None:
    """A span holds its start and not its end; overlap and clamping follow from the points they share."""
    a, b = Span(*sorted(times[:2])), Span(*sorted(times[2:]))
    assert a.holds(point) == (a.start <= point < a.end)
    assert not a.holds(a.end)
    shared = Span(max(a.start, b.start), max(a.start, b.start, min(a.end, b.end)))
    assert a.overlaps(b) == b.overlaps(a)
    if a.duration and b.duration:
        assert a.overlaps(b) == (shared.duration > 0)
    kept = a.clamp(b)
    assert b.start <= kept.start <= kept.end <= b.end
    assert kept.duration == (shared.duration if a.overlaps(b) else 0)
    if not kept.duration and b.duration:
        assert kept.start == min(max(a.start, b.start), b.end)


def test_a_span_runs_forwards() -> None:
    """An end before its start is an error, an empty span is none; spans sort by start."""
    with pytest.raises(TimeError, match=r"2\.000-1\.000"):
        Span(Fraction(2), Fraction(1))
    assert Span(Fraction(1), Fraction(1)).duration == 0
    assert Span(Fraction(1), Fraction(4)).middle == Fraction(5, 2)
    assert Span(Fraction(1), Fraction(4)) < Span(Fraction(2), Fraction(3))
