"""Which live decisions a change of the cut is about, and which of these it leaves something of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cutbook.memory.anchors import ranges_of, read_anchor
from cutbook.timebase import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet

    from cutbook.edit.edl import Range
    from cutbook.memory.log import Entry

Place = tuple[object, Span]
"""A take's name and a span of it."""

_Exact = tuple[object, int, int]


@dataclass(frozen=True, slots=True)
class _About:
    entry: Entry
    ranges: frozenset[str]
    places: tuple[_Exact, ...]
    held: frozenset[str]


@dataclass(frozen=True, slots=True)
class Hit:
    """What a change does to decisions: it ends those that speak of nothing else, and narrows the others.

    ``narrowed`` are the decisions that hold for the ranges that are left, ``without`` the ids of those that are not.
    """

    ended: tuple[Entry, ...] = ()
    narrowed: tuple[Entry, ...] = ()
    without: tuple[str, ...] = ()


class Ground:
    """Live decisions by the ranges and spans that they name; each ends once.

    ``ranges`` is the cut list as it is (None: not known), ``changed`` holds the ids of what the session changed: a
    decision on one of these is found by that id alone, so that a second use of the same footage does not end the
    decision on the first.
    """

    def __init__(
        self, decisions: Iterable[Entry], ranges: Sequence[Range] | None, changed: AbstractSet[str]
    ) -> None:
        kept = [each for each in ranges or () if each.status != "rejected" and each.id not in changed]
        self._changed = changed
        self._listed = changed | {each.id for each in ranges or ()}
        self._kept = {each.id for each in kept} if ranges is not None else None
        self._others = [(each.source, *_hundredths(Span(each.start, each.end))) for each in kept]
        self._left = [_about(entry) for entry in decisions if entry.mark]

    def take(
        self, names: AbstractSet[str], places: Iterable[Place], held: AbstractSet[str] = frozenset()
    ) -> Hit:
        """Find the decisions on ranges of these names, on what was ``held``, or mostly inside one of these places.

        What was held is told by its hashes, for a range that got another id on the way.
        """
        exact = [(name, *_hundredths(span)) for name, span in places]
        hit = [each for each in self._left if self._hit(each, names, exact, held)]
        if not hit:
            return Hit()
        rest = [each for each in hit if self._rest(each)]
        ended = [each for each in hit if not self._rest(each)]
        gone = {id(each) for each in ended}
        self._left = [each for each in self._left if id(each) not in gone]
        without = dict.fromkeys(name for each in rest for name in sorted(each.ranges & names))
        return Hit(tuple(e.entry for e in ended), tuple(e.entry for e in rest), tuple(without))

    def _rest(self, about: _About) -> bool:
        """Tell whether a decision names ranges that the session left as they were."""
        rest = about.ranges - self._changed
        return bool(rest if self._kept is None else rest & self._kept)

    def _hit(
        self, about: _About, names: AbstractSet[str], places: list[_Exact], held: AbstractSet[str]
    ) -> bool:
        if about.ranges & names:
            return True
        if about.ranges & self._listed:
            return False
        if about.ranges and about.held & held:
            return True
        within = any(_mostly(own, place) for own in about.places for place in places)
        return within and not any(_mostly(other, own) for own in about.places for other in self._others)


def _mostly(one: _Exact, other: _Exact) -> bool:
    """Tell whether at least half of a stretch lies in another."""
    (name, start, end), (take, first, last) = one, other
    if name != take or not (start < last and first < end):
        return False
    return 2 * (min(end, last) - max(start, first)) >= end - start


def _about(entry: Entry) -> _About:
    tokens = entry.tokens
    anchors = [anchor for token in tokens if (anchor := read_anchor(token)) and anchor.span]
    places = tuple((anchor.name, *_hundredths(anchor.span)) for anchor in anchors if anchor.span)
    held = frozenset(token.rpartition("=")[2] for token in tokens if token.startswith("edl:"))
    return _About(entry, frozenset(ranges_of(tokens)), places, held)


def _hundredths(span: Span) -> tuple[int, int]:
    return int(span.start * 100), int(span.end * 100)
