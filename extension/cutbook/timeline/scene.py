"""What a composite shows, on one time axis, before anybody knows where it goes on paper."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from cutbook.timebase import Span
from cutbook.timeline.ruler import Counter
from cutbook.transcripts.model import Timing, Word

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PAUSE = Fraction(2, 5)
"""Shortest stretch without a word, in seconds, that is shaded."""


@dataclass(frozen=True, slots=True)
class Said:
    """A word or event on the axis; ``sure`` tells that its times can be cut at, ``kept`` that the edit has it."""

    start: Fraction
    end: Fraction
    text: str
    speaker: str | None = None
    event: bool = False
    sure: bool = True
    kept: bool = True

    @classmethod
    def word(cls, word: Word, *, shift: Fraction = Fraction(0), kept: bool = True) -> Said:
        """Put a word of a take on an axis that runs ``shift`` seconds ahead of the take."""
        return cls(
            start=word.start + shift if shift else word.start,
            end=word.end + shift if shift else word.end,
            text=word.text.strip(),
            speaker=word.speaker,
            event=word.kind == "event",
            sure=word.timing is Timing.TIMED,
            kept=kept,
        )


@dataclass(frozen=True, slots=True)
class Bar:
    """A range on the axis; ``pads`` are its seconds of air at either end, ``note`` is the smaller line.

    ``heard`` is when its sound is heard where that is not while it is seen (J and L cuts), else None. ``dissolve`` is
    when the range before it is seen under it, None where that ends with a cut.
    """

    span: Span
    name: str = ""
    note: str = ""
    beat: str = ""
    status: str = "undecided"
    pads: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))
    heard: Span | None = None
    dissolve: Span | None = None

    @property
    def sound(self) -> Span:
        """When it is heard."""
        return self.heard or self.span


@dataclass(frozen=True, slots=True)
class Pause:
    """A stretch without a word; ``span`` is the part in view, ``length`` all of it in seconds."""

    span: Span
    length: Fraction


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A picture and the stretch of the axis that it stands over; it was taken at ``time`` of the axis."""

    span: Span
    time: Fraction
    image: NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Sound:
    """Levels a pixel column of the axis: the highest millisecond and the mean, linear RMS where 1 is full scale."""

    peaks: NDArray[np.float64]
    means: NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scene:
    """All that one composite shows; ``edit`` tells that the bars are the film itself, one after the other."""

    title: str
    detail: str
    facts: str
    span: Span
    counter: Counter
    shots: tuple[Shot, ...] = ()
    film_height: int = 0
    sound: Sound | None = None
    said: tuple[Said, ...] = ()
    speakers: tuple[str, ...] = ()
    pauses: tuple[Pause, ...] = ()
    bars: tuple[Bar, ...] = ()
    notes: tuple[str, ...] = ()
    language: str | None = None
    edit: bool = False


def within(words: Sequence[Word], view: Span) -> Sequence[Word]:
    """Give the words that are heard in a view, in part or whole; their starts must be in order."""
    first = bisect_left(words, view.start, key=lambda word: word.start)
    while first and words[first - 1].end > view.start:
        first -= 1
    last = bisect_left(words, view.end, lo=first, key=lambda word: word.start)
    return [word for word in words[first:last] if word.end > view.start]


def pauses(words: Sequence[Word], duration: Fraction, view: Span) -> tuple[Pause, ...]:
    """Give the stretches of at least 400 ms without a word or event that are in view, ends of the take included."""
    found = []
    end = Fraction(0)
    for start, stop in [*((word.start, word.end) for word in words), (duration, duration)]:
        if start - end >= PAUSE:
            found.append(Span(end, start))
        end = max(end, stop)
    return tuple(Pause(gap.clamp(view), gap.duration) for gap in found if gap.overlaps(view))
