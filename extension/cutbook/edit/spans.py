"""The span of a cut list's line: seconds, timecode, word numbers or quoted words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from cutbook.edit.layout import PRINTED, layout
from cutbook.edit.naming import typed as as_typed
from cutbook.edit.phrases import Place, nearest, places
from cutbook.edit.snap import Snapped, snap, snap_words
from cutbook.errors import TimeError
from cutbook.timebase import Span, decimals, parse_timecode, seconds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cutbook.edit.take import Take

_DASH = r"[-–—−]"
_SECONDS = r"\d{1,9}(?:\.\d{0,99})?|\.\d{1,99}"
_TIMECODE = r"\d{1,3}:\d{1,2}:\d{1,2}[:;]\d{1,3}"
_CLOCK = r"(?:\d{1,3}:)?\d{1,3}:\d{1,2}(?:\.\d{1,99})?"
_TIME = rf"(?:{_TIMECODE}|{_CLOCK}|{_SECONDS})"
_BARE_TIMES = re.compile(rf"~?({_TIME})\s*{_DASH}\s*~?({_TIME})(?=\s|\Z)")
_TIMES = re.compile(rf"~?\s*({_TIME})\s*{_DASH}\s*~?\s*({_TIME})\s*~?")
_NUMBERS = re.compile(rf"#(\d{{1,9}})\s*{_DASH}\s*#?(\d{{1,9}})(?=\s|\Z)")
_ONE_NUMBER = re.compile(r"#(\d{1,9})(?=\s|\Z)")
_QUOTED = re.compile(r'"(.*?)"(?=\s|\Z)|“(.*?)”(?=\s|\Z)')
_LIKE_TIMES = re.compile(rf"[\d:;.,]+\s*{_DASH}\s*[\d:;.,]+(?=\s|\Z)")

_COMMA = re.compile(r"(?<=\d),(?=\d)")
_FORMS = (
    "write seconds from 0 up like 2.52-5.36, minutes like 0:02.52-0:05.36, timecode like 00:00:02:13-00:00:05:09 "
    "or words like #12-#18"
)


class Malformed(ValueError):
    """Raised when a span is begun but cannot be read; ``offset`` counts characters of the text from 0."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


@dataclass(frozen=True, slots=True)
class Times:
    """A span of two times as typed."""

    start: str
    end: str

    def find(self, take: Take, pads: tuple[Fraction, Fraction], _takes: Mapping[str, Take]) -> Snapped:
        """Give the range that is meant."""
        first, last = _time(self.start, take), _time(self.end, take)
        if last == first and (number := _event_at(take, first)):
            return snap_words(take, number, number, pads=pads)
        if last <= first:
            msg = f"{self.start}-{self.end} has no length; the end must lie after the start"
            raise TimeError(msg)
        return snap(take, Span(first, last), pads=pads)


@dataclass(frozen=True, slots=True)
class Numbers:
    """A span of word numbers, both kept."""

    first: int
    last: int

    def find(self, take: Take, pads: tuple[Fraction, Fraction], _takes: Mapping[str, Take]) -> Snapped:
        """Give the range that is meant."""
        return snap_words(take, self.first, self.last, pads=pads)


@dataclass(frozen=True, slots=True)
class Words:
    """A span of quoted words, which the take must hold exactly once."""

    text: str

    def find(self, take: Take, pads: tuple[Fraction, Fraction], takes: Mapping[str, Take]) -> Snapped:
        """Give the range that is meant."""
        if not take.words:
            more = (
                f"%transcribe {as_typed(take.name)}, or give seconds"
                if take.media.sound
                else "it has no sound; give seconds"
            )
            msg = f"{take.name} has no words yet, so “{self.text}” cannot be found in it; {more}"
            raise TimeError(msg)
        found = places(take, self.text)
        if len(found) == 1:
            return snap_words(take, found[0].first, found[0].last, pads=pads)
        if found:
            listed = ", ".join(str(place) for place in found[:8])
            more = f" and {len(found) - 8} more" if len(found) > 8 else ""
            msg = f"“{self.text}” is said {len(found)} times in {take.name}: {listed}{more}; write one of these spans"
            raise TimeError(msg)
        raise TimeError(f"“{self.text}” is not said in {take.name}{_elsewhere(self.text, take, takes)}")


SpanText = Times | Numbers | Words


def read_span(text: str, at: int) -> tuple[SpanText, int, bool] | None:
    """Read the span that begins at ``at``: what it says, where it ends, and whether words may follow it.

    None where no span begins.

    Raises:
        Malformed: one begins but is none.
    """
    if text.startswith("[", at):
        close = text.find("]", at)
        if close < 0:
            msg = "the span's closing ] is missing; write it like [2.52-5.36]"
            raise Malformed(msg, at)
        return _bracketed(text[at + 1 : close], at), close + 1, True
    if hit := _BARE_TIMES.match(text, at):
        return Times(hit[1], hit[2]), hit.end(), True
    if hit := _NUMBERS.match(text, at):
        return Numbers(int(hit[1]), int(hit[2])), hit.end(), True
    if hit := _ONE_NUMBER.match(text, at):
        return Numbers(int(hit[1]), int(hit[1])), hit.end(), True
    if text[at : at + 1] in {'"', "“"}:
        hit = _QUOTED.match(text, at)
        if hit is None:
            msg = "the closing quote of the quoted words is missing"
            raise Malformed(msg, at)
        words = hit[1] if hit[1] is not None else hit[2]
        if not words.strip():
            msg = "the quotes hold no words"
            raise Malformed(msg, at)
        return Words(words), hit.end(), False
    if hit := _LIKE_TIMES.match(text, at):
        msg = _no_span(hit[0])
        raise Malformed(msg, at)
    return None


def is_times(text: str) -> bool:
    """Tell whether a text is a span of two times, in brackets or not."""
    return bool(_TIMES.fullmatch(text.strip().strip("[]").strip()))


def _bracketed(inner: str, at: int) -> SpanText:
    content = inner.strip()
    if hit := _TIMES.fullmatch(content):
        return Times(hit[1], hit[2])
    if hit := _NUMBERS.fullmatch(content) or _ONE_NUMBER.fullmatch(content):
        return Numbers(int(hit[1]), int(hit[hit.lastindex or 1]))
    if hit := _QUOTED.fullmatch(content):
        return Words(hit[1] if hit[1] is not None else hit[2])
    msg = _no_span(f"[{inner}]")
    raise Malformed(msg, at)


def _no_span(typed: str) -> str:
    pointed = _COMMA.sub(".", typed)
    if pointed != typed and _TIMES.fullmatch(pointed.strip("[]").strip()):
        return f"{typed} is no span; decimals have a point: write {pointed}"
    return f"{typed} is no span; {_FORMS}"


def _time(text: str, take: Take) -> Fraction:
    """Give seconds of take time; a timecode is the source's own where that falls in the take, else from 0."""
    if text.count(":") + text.count(";") < 3:
        return seconds(text)
    rate = take.rate
    begins = take.media.picture.timecode if take.media.picture else None
    if begins:
        typed = text[::-1].replace(":", ";", 1)[::-1] if ";" in begins else text
        try:
            frame = parse_timecode(typed, rate) - parse_timecode(begins, rate)
        except TimeError:
            frame = -1
        if 0 <= frame <= layout(take).total:
            return frame / rate
    return parse_timecode(text, rate) / rate


def _event_at(take: Take, time: Fraction) -> int:
    """Give the number of an event without length that is printed with this time, 0 where there is none."""
    for word in take.words:
        if word.kind == "event" and word.start == word.end and abs(word.start - time) <= PRINTED:
            return word.number
    return 0


def _elsewhere(text: str, take: Take, takes: Mapping[str, Take]) -> str:
    others = [
        (other, found)
        for other in takes.values()
        if other is not take
        for found in _loaded_places(other, text)
    ]
    if others:
        listed = ", ".join(f"{other.name} {found}" for other, found in others[:4])
        return f", but in {listed}"
    close = nearest(take, text)
    return f"; the nearest is {close} “{close.text}”" if close else "; look at its words in takes_packed.md"


def _loaded_places(take: Take, text: str) -> tuple[Place, ...]:
    return places(take, text) if take.words else ()


def written(span: Span) -> str:
    """Write a span as a cut list has it: ``[002.52-005.36]``."""
    return f"[{decimals(span.start).rjust(6, '0')}-{decimals(span.end).rjust(6, '0')}]"
