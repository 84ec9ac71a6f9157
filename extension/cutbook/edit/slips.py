"""Fillers and long pauses in the kept ranges, pointed at and left in."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from cutbook.edit.layout import layout
from cutbook.edit.ranges import joined
from cutbook.errors import InputError
from cutbook.html import paragraph, plain_table, table
from cutbook.timebase import Span, decimals

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from fractions import Fraction

    from cutbook.edit.edl import Edl, Range
    from cutbook.edit.layout import Layout
    from cutbook.edit.take import Take


@dataclass(frozen=True, slots=True)
class Slip:
    """A filler or a pause: the id of its range, where it lies in frames [in, out) of the take, and what it is.

    ``number`` is that of the range in the list, from 1; ``around`` is what is said before and after it.
    """

    range: str
    kind: Literal["filler", "pause"]
    frames: tuple[int, int]
    text: str
    rate: Fraction
    number: int = 0
    around: str = ""

    @property
    def span(self) -> Span:
        """The same in seconds of the take."""
        return Span(self.frames[0] / self.rate, self.frames[1] / self.rate)


_HEAD = ("#", "at", "what", "words around it", "id")
_AROUND = 3
"""Words before and after a slip that say where it is."""


class Slips(tuple[Slip, ...]):
    """The slips of a cut list in the order of the film."""

    __slots__ = ()

    @property
    def sentence(self) -> str:
        """Say how many there are."""
        fillers = sum(each.kind == "filler" for each in self)
        pauses = len(self) - fillers
        listed = " and ".join(filter(None, [_count(fillers, "filler"), _count(pauses, "pause")]))
        return f"{listed} in the kept ranges; %tighten takes such out" if self else "No slip is left."

    @property
    def _rows(self) -> list[tuple[object, ...]]:
        return [
            (
                each.number,
                f"{decimals(each.span.start)}-{decimals(each.span.end)}",
                each.text,
                each.around,
                each.range,
            )
            for each in self
        ]

    def __repr__(self) -> str:
        """Write them as a table in text."""
        return f"{self.sentence}\n{plain_table(_HEAD, self._rows, numbers=(0,))}" if self else self.sentence

    def _repr_html_(self) -> str:
        return paragraph(self.sentence, bold=True) + (table(_HEAD, self._rows, numbers=(0,)) if self else "")


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'s' if number != 1 else ''}" if number else ""


def slips(edl: Edl, takes: Mapping[str, Take], *, pauses: Fraction | None = None) -> Slips:
    """Find fillers, and silences between two words longer than ``pauses`` seconds, in the kept ranges.

    Raises:
        InputError: ``pauses`` is no length.
    """
    if pauses is not None and pauses <= 0:
        msg = f"pauses must be seconds above 0, not {decimals(pauses)}"
        raise InputError(msg)
    return Slips(
        slip
        for number, piece in enumerate(edl.ranges, 1)
        if piece.status != "rejected" and not piece.problem and piece.words and piece.source in takes
        for slip in _in_range(piece, number, takes[piece.source], pauses)
    )


class _Loose:
    """The fillers and the silences of a take, found once: places of words, and places with what follows each."""

    def __init__(self, take: Take) -> None:
        plan = layout(take)
        heard = [place for place in plan.heard(0, len(plan.words) - 1) if plan.run(place) is None]
        self.plan = plan
        self.fillers = [place for place in heard if plan.words[place].filler]
        self.pauses: list[tuple[int, int, float, Fraction]] = []
        for place, following in pairwise(heard):
            gap = plan.words[following].start - plan.words[place].end
            between = plan.words[place + 1 : following]
            if gap > 0 and not any(word.kind != "word" or word.bare for word in between):
                self.pauses.append((place, following, float(gap), gap))


def _in_range(piece: Range, number: int, take: Take, pauses: Fraction | None) -> Iterator[Slip]:
    loose = take.worked_out(_Loose)
    plan, (first, last) = loose.plan, piece.words or (1, 0)
    found: list[tuple[int, int, Literal["filler", "pause"], tuple[int, int], str]] = []
    low, high = bisect_left(loose.fillers, first - 1), bisect_left(loose.fillers, last)
    for place in loose.fillers[low:high]:
        word = plan.words[place]
        frames = math.floor(word.start * plan.rate), math.ceil(word.end * plan.rate)
        found.append((place, place, "filler", frames, word.text))
    # Nearly all are too short, which floats tell at a tenth of the cost.
    about = math.inf if pauses is None else float(pauses) - 1e-6
    low, high = (bisect_left(loose.pauses, (place,)) for place in (first - 1, last - 1))
    for place, following, length, gap in loose.pauses[low:high]:
        if length > about and pauses is not None and gap > pauses and following < last:
            start, end = plan.words[place].end * plan.rate, plan.words[following].start * plan.rate
            said = f"pause of {decimals(gap)} s"
            found.append((place, following, "pause", (math.ceil(start), math.floor(end)), said))
    for place, following, kind, frames, text in sorted(found):
        low, high = max(frames[0], piece.frames[0]), min(frames[1], piece.frames[1])
        if low < high:
            around = _around(plan, place, following, kind, (first, last))
            yield Slip(piece.id, kind, (low, high), text, piece.rate, number, around)


def _around(plan: Layout, place: int, following: int, kind: str, words: tuple[int, int]) -> str:
    """Write the words of the range before and after a slip, and a mark or the filler where it is."""
    pause = kind == "pause"
    before = plan.words[max(words[0] - 1, place + pause - _AROUND) : place + pause]
    after = plan.words[following + (not pause) : min(words[1], following + (not pause) + _AROUND)]
    middle = ["[…]"] if pause else [f"[{plan.words[place].text}]"]
    return joined([*(word.text for word in before), *middle, *(word.text for word in after)])
