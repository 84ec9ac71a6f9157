"""Where the ruler's lines stand and what they say."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from cutbook.errors import TimeError
from cutbook.timebase import Span, frame_floor, parse_timecode, timecode

STEPS = tuple(
    Fraction(step)
    for step in "0.01 0.02 0.05 0.1 0.2 0.5 1 2 5 10 15 30 60 120 300 600 900 1800 3600 7200 18000 36000".split()
)
"""Seconds between two lines with numbers."""

ROOM = 118
"""Fewest pixels between two lines with numbers."""

DAY = 24 * 3600


@dataclass(frozen=True, slots=True)
class Counter:
    """How frames are numbered: ``first`` is the number of the frame at second 0."""

    rate: Fraction
    first: int = 0
    drop: bool = False

    @classmethod
    def starting(cls, text: str | None, rate: Fraction) -> Counter:
        """Count from an embedded timecode, or from 0 where there is none that the rate has."""
        if text is None:
            return cls(rate)
        try:
            return cls(rate, parse_timecode(text, rate), ";" in text)
        except TimeError:
            return cls(rate)

    def at(self, time: Fraction) -> str:
        """Give the timecode of the frame shown at ``time``; a day on it begins anew."""
        frame = self.first + frame_floor(time, self.rate)
        return timecode(max(0, frame) % (DAY * ceil(self.rate)), self.rate, drop=self.drop)


@dataclass(frozen=True, slots=True)
class Tick:
    """One line of the ruler; ``label`` is empty for the short ones."""

    time: Fraction
    label: str = ""


def step(span: Span, width: int) -> Fraction:
    """Give the seconds between two numbers when ``span`` is ``width`` pixels wide."""
    least = span.duration * ROOM / width
    return next((each for each in STEPS if each >= least), STEPS[-1])


def ticks(span: Span, width: int) -> tuple[Tick, ...]:
    """Give the lines within a span, in order, five or fewer short ones to each long one."""
    long = step(span, width)
    short = long / (6 if long in {Fraction(30), Fraction(60), Fraction(1800), Fraction(3600)} else 5)
    first, last = ceil(span.start / short), ceil(span.end / short)
    return tuple(
        Tick(
            number * short,
            seconds_label(number * short, long) if (number * short / long).denominator == 1 else "",
        )
        for number in range(first, last)
    )


def seconds_label(time: Fraction, step: Fraction) -> str:
    """Write a time with the decimals that a step needs, above two minutes as m:ss or h:mm:ss."""
    places = 0 if step.denominator == 1 else 1 if (step * 10).denominator == 1 else 2
    if time < 120 or places:
        return f"{float(time):.{places}f} s"
    minutes, seconds = divmod(int(time), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"
