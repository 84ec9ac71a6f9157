"""Exact time: seconds as ``Fraction``, frames, samples, rates, half-open spans and timecode.

Nothing here knows files or media. A rate is frames per second as a ``Fraction`` (30000/1001, never 29.97).
Frame *n* of a stream at rate *r* is shown during [n/r, (n+1)/r).
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from cutbook.errors import TimeError

SAMPLE_RATE = 48_000
"""Samples a second of every programme sound that cutbook makes."""

MICROSECOND = Fraction(1, 1_000_000)
_DIGITS = 18
_NTSC = {Fraction(n * 1000, 1001): n for n in (24, 30, 48, 60, 120)}
_CLOCK = re.compile(r"(?:(\d{1,3}):)?(\d{1,3}):([0-5]?\d(?:\.\d{1,99})?)\Z", re.ASCII)
_TIMECODE = re.compile(r"(\d{1,3}):([0-5]?\d):([0-5]?\d)[:;](\d{1,3})\Z")

Time = str | int | float | Decimal | Fraction


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open stretch of time [start, end), in seconds.

    Raises:
        TimeError: end lies before start.
    """

    start: Fraction
    end: Fraction

    def __post_init__(self) -> None:
        if self.end < self.start:
            msg = f"a span must not end before it starts: {float(self.start):.3f}-{float(self.end):.3f}"
            raise TimeError(msg)

    @property
    def duration(self) -> Fraction:
        """Length in seconds."""
        return self.end - self.start

    @property
    def middle(self) -> Fraction:
        """The point halfway, in seconds."""
        return (self.start + self.end) / 2

    def holds(self, time: Fraction) -> bool:
        """Tell whether ``time`` lies in [start, end)."""
        return self.start <= time < self.end

    def overlaps(self, other: Span) -> bool:
        """Tell whether both spans share more than a point."""
        return self.start < other.end and other.start < self.end

    def clamp(self, other: Span) -> Span:
        """Give the part of this span that lies in ``other``; empty at its nearer edge when none does."""
        start = min(max(self.start, other.start), other.end)
        return Span(start, max(start, min(self.end, other.end)))


def seconds(value: Time) -> Fraction:
    """Read seconds exactly; a float is taken to the nearest microsecond, text may be ``1:23.4`` or ``1:02:03`` too.

    Raises:
        TimeError: no number, NaN or infinite.
    """
    if isinstance(value, Fraction):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            msg = f"{value} is no time in seconds"
            raise TimeError(msg)
        return Fraction(round(value * 1_000_000), 1_000_000)
    if isinstance(value, str) and (parts := _CLOCK.match(value.strip())):
        hours, minutes, secs = parts.groups()
        if hours and int(minutes) > 59:
            msg = f"{value!r} is no time: an hour has 60 minutes; write hours:minutes:seconds"
            raise TimeError(msg)
        return Fraction(secs) + 60 * (int(minutes) + 60 * int(hours or 0))
    try:
        number = Decimal(value)
    except InvalidOperation:
        number = Decimal("NaN")
    # An exponent of a few digits would make a fraction of gigabytes.
    if (
        not number.is_finite()
        or (number and abs(number.adjusted()) > _DIGITS)
        or len(number.as_tuple().digits) > 60
    ):
        msg = f"{value!r} is no time in seconds; write it like 12.34"
        raise TimeError(msg)
    return Fraction(number) if number else Fraction(0)


def parse_rate(value: Time) -> Fraction:
    """Read a frame rate; 23.976, 29.97 and 59.94 become n·1000/1001.

    Raises:
        TimeError: no number, or not between 1 and 1000 frames a second.
    """
    try:
        rate = Fraction(value) if isinstance(value, str) and "/" in value else seconds(value)
    except (ValueError, ZeroDivisionError):
        msg = f"{value!r} is no frame rate; write it like 25 or 30000/1001"
        raise TimeError(msg) from None
    for exact in _NTSC:
        if abs(rate - exact) < Fraction(1, 200) and rate.denominator != 1:
            return exact
    if not 1 <= rate <= 1000:
        msg = f"{value!r} is no frame rate between 1 and 1000 frames a second"
        raise TimeError(msg)
    return rate


def rate_text(rate: Fraction) -> str:
    """Write a rate exactly, as ffmpeg reads it: ``25`` or ``30000/1001``."""
    return str(rate)


def round_half_up(value: Fraction) -> int:
    """Round to the nearest whole number, halves upwards (never to even)."""
    return math.floor(value + Fraction(1, 2))


def frame_time(frame: int, rate: Fraction) -> Fraction:
    """Give the second at which a frame begins."""
    return frame / rate


def frame_floor(time: Fraction, rate: Fraction) -> int:
    """Give the frame that is shown at ``time``."""
    return math.floor(time * rate)


def frame_ceil(time: Fraction, rate: Fraction) -> int:
    """Give the first frame that begins at or after ``time``."""
    return math.ceil(time * rate)


def frame_nearest(time: Fraction, rate: Fraction) -> int:
    """Give the frame whose beginning is nearest to ``time``."""
    return round_half_up(time * rate)


def conformed_length(frames: int, source_rate: Fraction, rate: Fraction) -> int:
    """Count the output frames of ``frames`` source frames: max(1, ⌊n/source·rate + ½⌋)."""
    return max(1, round_half_up(frames / source_rate * rate))


def sample_at(frame: int, rate: Fraction, sample_rate: int = SAMPLE_RATE) -> int:
    """Give the sample at which a programme frame begins; differences of it never accumulate an error."""
    return round_half_up(frame / rate * sample_rate)


def timecode(frame: int, rate: Fraction, *, drop: bool = False) -> str:
    """Write a frame number as ``HH:MM:SS:FF`` (``;`` before the frames of drop-frame).

    Drop-frame exists at 30000/1001 and 60000/1001 only (SMPTE ST 12-1): the first two (four) numbers of a
    minute are left out, but for every tenth minute.

    Raises:
        TimeError: drop-frame at another rate, or a negative frame.
    """
    base = math.ceil(rate)
    if frame < 0:
        msg = f"frame {frame} has no timecode: frames count from 0"
        raise TimeError(msg)
    if drop:
        frame += _dropped(frame, rate)
    rest, frames = divmod(frame, base)
    rest, secs = divmod(rest, 60)
    hours, minutes = divmod(rest, 60)
    return f"{hours:02d}:{minutes:02d}:{secs:02d}{';' if drop else ':'}{frames:02d}"


def parse_timecode(text: str, rate: Fraction) -> int:
    """Read ``HH:MM:SS:FF`` (or ``;FF`` for drop-frame) as a frame number.

    Raises:
        TimeError: another form, or a frame number that the rate does not have.
    """
    match = _TIMECODE.match(text.strip())
    base = math.ceil(rate)
    if match is None:
        msg = f"{text!r} is no timecode; write it like 00:00:12:10"
        raise TimeError(msg)
    hours, minutes, secs, frames = (int(part) for part in match.groups())
    if frames >= base:
        msg = f"{text!r} has frame {frames}, but a second has {base} frames at {rate_text(rate)}"
        raise TimeError(msg)
    number = ((hours * 60 + minutes) * 60 + secs) * base + frames
    if ";" not in text:
        return number
    per_minute = _drop_count(rate)
    total = hours * 60 + minutes
    if frames < per_minute and secs == 0 and minutes % 10:
        msg = f"{text!r} is one of the numbers that drop-frame leaves out"
        raise TimeError(msg)
    return number - per_minute * (total - total // 10)


def _drop_count(rate: Fraction) -> int:
    if rate not in {Fraction(30000, 1001), Fraction(60000, 1001)}:
        msg = f"drop-frame exists at 30000/1001 and 60000/1001 only, not at {rate_text(rate)}"
        raise TimeError(msg)
    return math.ceil(rate) // 15


def _dropped(frame: int, rate: Fraction) -> int:
    per_minute = _drop_count(rate)
    base = math.ceil(rate)
    minute = base * 60 - per_minute
    ten = minute * 10 + per_minute
    tens, rest = divmod(frame, ten)
    extra = 0 if rest < per_minute else (rest - per_minute) // minute
    return per_minute * (9 * tens + extra)


def clock(time: Fraction) -> str:
    """Write seconds for people: ``01:23`` below an hour, ``1:02:03`` above."""
    whole = round_half_up(time)
    minutes, secs = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{secs:02d}" if hours else f"{minutes:02d}:{secs:02d}"


def decimals(time: Fraction, places: int = 2) -> str:
    """Write seconds with fixed decimals, rounded half up and exact (``12.34``)."""
    scale = 10**places
    number = round_half_up(time * scale)
    sign, number = ("-", -number) if number < 0 else ("", number)
    return f"{sign}{number // scale}.{number % scale:0{places}d}"
