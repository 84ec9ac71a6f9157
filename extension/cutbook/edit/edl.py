"""The cut list: ranges of takes in order, and the file that holds them."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Status = Literal["undecided", "accepted", "rejected"]
NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """One kept piece of a take.

    ``frames`` is [in, out) on the source's grid of ``rate`` frames a second; ``start`` and ``end`` (seconds) follow.
    ``words`` are the numbers of the first and the last word kept, None for a range without any. ``pads`` are the
    seconds of air kept before the first and after the last word (None: no words), from which the sound's fades come.
    ``audio_lead`` and ``audio_lag`` (seconds) make J and L cuts. ``extra`` keeps keys that cutbook does not know.
    """

    id: str
    source: str
    frames: tuple[int, int]
    rate: Fraction
    words: tuple[int, int] | None = None
    pads: tuple[Fraction, Fraction] | None = None
    beat: str = ""
    quote: str = ""
    reason: str = ""
    status: Status = "undecided"
    by: str = ""
    grade: str | None = None
    audio_lead: Fraction = Fraction(0)
    audio_lag: Fraction = Fraction(0)
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def start(self) -> Fraction:
        """In point, seconds of take time."""
        return self.frames[0] / self.rate

    @property
    def end(self) -> Fraction:
        """Out point, seconds of take time."""
        return self.frames[1] / self.rate


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlay:
    """A still or moving picture laid over the film; times are seconds of the output."""

    file: str
    start_in_output: Fraction
    duration: Fraction
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edl:
    """A whole cut list. ``sources`` maps a take's name to its path as written in the file."""

    ranges: tuple[Range, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict, hash=False)
    rate: Fraction | None = None
    size: tuple[int, int] | None = None
    grade: str = "none"
    overlays: tuple[Overlay, ...] = ()
    captions: Mapping[str, Any] = field(default_factory=dict, hash=False)
    media: Mapping[str, str] = field(default_factory=dict, hash=False)
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def kept(self) -> tuple[Range, ...]:
        """The ranges that are rendered: all that are not rejected."""
        return tuple(each for each in self.ranges if each.status != "rejected")

    @property
    def duration(self) -> Fraction:
        """Seconds of the kept ranges together, at their sources' rates."""
        return sum((each.end - each.start for each in self.kept), Fraction(0))
