"""Which live decisions a change of the cut is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cutbook.memory.anchors import read_anchor
from cutbook.timebase import Span

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet

    from cutbook.memory.log import Entry

Place = tuple[object, Span]
"""A take's name and a span of it."""


@dataclass(frozen=True, slots=True)
class _About:
    entry: Entry
    ranges: frozenset[str]
    places: tuple[tuple[str, int, int], ...]


class Ground:
    """Live decisions by the ranges and spans that they name; each is found once.

    ``ranges`` holds the ids of the cut list as it is, and of what was changed: a decision on one of these is found by
    that id alone, so that a second use of the same footage does not end the decision on the first.
    """

    def __init__(self, decisions: Iterable[Entry], ranges: AbstractSet[str]) -> None:
        self._ranges = ranges
        self._left = [_about(entry) for entry in decisions if entry.mark]

    def take(self, names: AbstractSet[str], places: Iterable[Place]) -> list[Entry]:
        """Find the decisions on ranges of these names, or mostly inside one of these places."""
        exact = [(name, *_hundredths(span)) for name, span in places]
        found = [each for each in self._left if self._hit(each, names, exact)]
        if found:
            gone = {id(each) for each in found}
            self._left = [each for each in self._left if id(each) not in gone]
        return [each.entry for each in found]

    def _hit(self, about: _About, names: AbstractSet[str], places: list[tuple[object, int, int]]) -> bool:
        if about.ranges & names:
            return True
        if about.ranges & self._ranges:
            return False
        return any(
            name == take and 2 * (min(end, last) - max(start, first)) >= end - start
            for name, start, end in about.places
            for take, first, last in places
            if start < last and first < end
        )


def _about(entry: Entry) -> _About:
    tokens = entry.mark.tokens if entry.mark else ()
    anchors = [anchor for token in tokens if (anchor := read_anchor(token)) and anchor.span]
    places = tuple((anchor.name, *_hundredths(anchor.span)) for anchor in anchors if anchor.span)
    return _About(entry, frozenset(entry.mark.values("range") if entry.mark else ()), places)


def _hundredths(span: Span) -> tuple[int, int]:
    return int(span.start * 100), int(span.end * 100)
