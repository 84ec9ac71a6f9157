"""What is drawn at a cut that is no plain one: sound that is cut elsewhere, a picture that dissolves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutbook.timeline import lettering
from cutbook.timeline.palette import INK, LEFT, PAPER, RIGHT, SMALL, mix

if TYPE_CHECKING:
    from fractions import Fraction

    from cutbook.timebase import Span
    from cutbook.timeline.layout import Lane, Layout
    from cutbook.timeline.palette import Colour
    from cutbook.timeline.sheet import Sheet


def split(
    sheet: Sheet, layout: Layout, seen: Fraction, heard: Fraction, colour: Colour, *, early: bool
) -> None:
    """Draw where sound is cut that is not cut with its picture: a J cut's earlier, an L cut's later."""
    lane, view = layout.sound, layout.span
    low, high = sorted((seen, heard))
    if lane is None or high <= view.start or low >= view.end:
        return
    if view.start <= heard < view.end:
        sheet.rule(layout.at(heard), lane.top, lane.bottom, colour, width=2)
    _over(sheet, layout, lane, (low, high), colour=colour, name="J" if early else "L")


def dissolve(sheet: Sheet, layout: Layout, span: Span, colour: Colour) -> None:
    """Draw over which stretch of the film two pictures are seen at once."""
    lane, view = layout.film or layout.bars, layout.span
    if lane is not None and span.end > view.start and span.start < view.end:
        _over(sheet, layout, lane, (span.start, span.end), colour=colour, name="dissolve")


def _over(
    sheet: Sheet,
    layout: Layout,
    lane: Lane,
    stretch: tuple[Fraction, Fraction],
    *,
    colour: Colour,
    name: str,
) -> None:
    """Mark a stretch at the top of a lane, and say what it is and how long."""
    low, high = stretch
    left, right = layout.at(max(low, layout.span.start)), layout.at(min(high, layout.span.end))
    sheet.box((left, lane.top, right, lane.top + 3), colour)
    label = f"{name} {float(high - low):.2f} s"
    wide = lettering.measure(label, SMALL, bold=True)
    x = max(LEFT + 2, min((left + right) / 2 - wide / 2, RIGHT - wide - 2))
    sheet.box((x - 3, lane.top + 5, x + wide + 3, lane.top + 19), PAPER, alpha=0.85)
    sheet.text(x, lane.top + 16, label, size=SMALL, colour=mix(colour, INK, 0.35), bold=True)
