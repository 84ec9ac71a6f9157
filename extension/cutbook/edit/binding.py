"""The words that a range keeps, found anew when its edges have moved."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cutbook.edit.layout import layout
from cutbook.edit.ranges import quote
from cutbook.edit.snap import pads_of
from cutbook.timebase import Span

if TYPE_CHECKING:
    from cutbook.edit.edl import Range
    from cutbook.edit.take import Take


def bind(piece: Range, take: Take, words: tuple[int, int] | None = None) -> Range:
    """Give a range with its words, quote and pads: the words of those numbers where they lie in it, else those inside.

    Reading the range back from ``edl.json`` finds the same. A range without any word loses its quote.
    """
    plan = layout(take)
    span = Span(piece.start, piece.end)
    places = (words[0] - 1, words[1] - 1) if words else None
    if places is None or not plan.fits(places, span):
        places = plan.covered(span)
    if places is None:
        return replace(piece, words=None, pads=None, quote="")
    return replace(
        piece,
        words=(plan.words[places[0]].number, plan.words[places[1]].number),
        pads=pads_of(plan, piece.frames, places),
        quote=quote(plan.words[places[0] : places[1] + 1]),
    )
