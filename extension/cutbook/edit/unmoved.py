"""A trim that leaves a range as it is: said, so that nobody believes it done and no reason is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutbook.edit.layout import layout
from cutbook.edit.snap import on_grid
from cutbook.errors import EdlError
from cutbook.timebase import Span, decimals

if TYPE_CHECKING:
    from fractions import Fraction

    from cutbook.edit.edl import Range
    from cutbook.edit.take import Take


def refuse(
    number: int, piece: Range, take: Take, *, start: Fraction | None, end: Fraction | None, why: str = ""
) -> None:
    """Refuse a trim of a range to ``start`` and ``end`` (seconds of its take) that moved neither edge.

    An edge that lies at its time already was not asked to move; that is refused only where a reason came along.

    Raises:
        EdlError: in one line, where the edge would have been, where it stays, and what moves it or keeps the reason.
    """
    place = f"range {number} ({piece.id})"
    asked = on_grid(take, Span(piece.start if start is None else start, piece.end if end is None else end))
    for time, edge, stays, there in (
        (start, "in", piece.frames[0], asked[0]),
        (end, "out", piece.frames[1], asked[1]),
    ):
        if time is not None and stays != there:
            msg = (
                f"{place}: nothing changes: {decimals(time)} {_goes_through(take, time)}snaps to "
                f"{decimals(stays / piece.rate)}, where its {edge} point is; "
                f"--exact puts it at {decimals(there / piece.rate)}"
            )
            raise EdlError(msg)
    if why:
        edges = [edge for time, edge in ((start, "in"), (end, "out")) if time is not None]
        lie = f"its {edges[0]} point lies" if len(edges) == 1 else "its edges lie"
        msg = f"{place}: {lie} there already; %edl reason {number} --why TEXT keeps a reason"
        raise EdlError(msg)


def _goes_through(take: Take, time: Fraction) -> str:
    plan = layout(take)
    word = next((at for at in plan.spoken if plan.start(at) < time < plan.stop(at)), None)
    return f"goes through “{plan.words[word].text}” and " if word is not None else ""
