"""Decisions on ranges: accepted, rejected, undecided, and edges moved."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cutbook.edit.binding import bind
from cutbook.edit.edl import STATUSES, where
from cutbook.edit.layout import layout
from cutbook.edit.snap import PADS, Snapped, on_grid, snap, within
from cutbook.errors import EdlError, TimeError
from cutbook.timebase import Span, decimals

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from cutbook.edit.edl import Edl, Range, Status
    from cutbook.edit.layout import Layout
    from cutbook.edit.take import Take

Which = int | str
"""A range: its number in the list, counted from 1, or its id."""


def resolve(edl: Edl, which: Which) -> int:
    """Give the index, from 0, of a range named by number or id.

    Raises:
        EdlError: there is none.
    """
    for index, piece in enumerate(edl.ranges):
        if piece.id == which:
            return index
    number = which if isinstance(which, int) else _number(which)
    if isinstance(which, bool) or not 1 <= number <= len(edl.ranges):
        known = f"there are 1 to {len(edl.ranges)}" if edl.ranges else "the cut list is empty"
        msg = f"no range is {which!r}; {known}, or give an id like r-k7f2q"
        raise EdlError(msg)
    return number - 1


def _number(text: str) -> int:
    return int(text) if text.strip().isdecimal() and len(text) < 10 else 0


def find(edl: Edl, which: Which) -> Range:
    """Give the range named by number or id.

    Raises:
        EdlError: there is none.
    """
    return edl.ranges[resolve(edl, which)]


def decide(edl: Edl, *which: Which, status: Status, why: str = "", by: str = "") -> Edl:
    """Give ranges a status; ``why`` is kept with each as its key ``why``, ``by`` says who decided.

    A range on which just that was decided already stays as it is; another ``why`` is added to what was said for it. A
    contrary decision goes without what was said for the other.

    Raises:
        EdlError: a range that is not there or, to be accepted, whose take is not the file that was cut; or no such
            status.
    """
    if status not in STATUSES:
        msg = f"{status!r} is no decision; one is {', '.join(STATUSES)}"
        raise EdlError(msg)
    chosen = {resolve(edl, each) for each in which}
    ranges = list(edl.ranges)
    for index in chosen:
        piece = ranges[index]
        said = str(piece.extra.get("why") or "") if piece.status == status else ""
        reasons = said if why in {"", *said.split("; ")} else "; ".join(filter(None, [said, why]))
        if piece.status == status and said == reasons:
            continue
        if status == "accepted" and piece.problem:
            msg = f"{where(index + 1, piece)} cannot be accepted: {piece.problem}"
            raise EdlError(msg)
        extra = {key: value for key, value in piece.extra.items() if key != "why"}
        if reasons:
            extra["why"] = reasons
        ranges[index] = replace(piece, status=status, by=by or piece.by, extra=extra)
    return replace(edl, ranges=tuple(ranges))


def accept(edl: Edl, *which: Which, why: str = "", by: str = "") -> Edl:
    """Accept ranges (raises :class:`~cutbook.errors.EdlError` where one is not there)."""
    return decide(edl, *which, status="accepted", why=why, by=by)


def reject(edl: Edl, *which: Which, why: str = "", by: str = "") -> Edl:
    """Reject ranges; they stay in the list and are not rendered (raises :class:`~cutbook.errors.EdlError`)."""
    return decide(edl, *which, status="rejected", why=why, by=by)


def undecide(edl: Edl, *which: Which, why: str = "", by: str = "") -> Edl:
    """Take a decision back (raises :class:`~cutbook.errors.EdlError` where a range is not there)."""
    return decide(edl, *which, status="undecided", why=why, by=by)


def reason(edl: Edl, which: Which, why: str) -> Edl:
    """Give a range the reason of its decision, which stays as it is; an empty one takes the reason away.

    Raises:
        EdlError: there is no such range.
    """
    index = resolve(edl, which)
    piece = edl.ranges[index]
    extra = {key: value for key, value in piece.extra.items() if key != "why"}
    made = replace(piece, extra={**extra, "why": why} if why else extra)
    return replace(edl, ranges=(*edl.ranges[:index], made, *edl.ranges[index + 1 :]))


def trim(
    edl: Edl,
    which: Which,
    takes: Mapping[str, Take],
    *,
    start: Fraction | None = None,
    end: Fraction | None = None,
    pads: tuple[Fraction, Fraction] = PADS,
    exact: bool = False,
    by: str = "",
) -> Edl:
    """Move an edge of a range to a time in seconds of its take, snapped as in a cut list; the other edge stays.

    ``exact`` puts the edge on the frame grid alone, through a word where it must be.

    Raises:
        EdlError: no such range, or the edge cannot lie there.
    """
    index, piece, take = at_hand(edl, which, takes)
    place = f"range {index + 1} ({piece.id})"
    plan = layout(take)
    try:
        span = _asked(plan, piece.start if start is None else start, piece.end if end is None else end)
        loose = _loose(plan, span, start is None, end is None)
        snapped = Snapped(on_grid(take, span)) if exact else snap(take, loose, pads=pads)
        if not exact and piece.words and not snapped.words:
            snapped = _last_word(plan, piece, span, start=start, end=end, pads=pads)
    except TimeError as error:
        msg = f"{place}: {error}"
        raise EdlError(msg) from error
    frames = (
        piece.frames[0] if start is None else snapped.frames[0],
        piece.frames[1] if end is None else snapped.frames[1],
    )
    words = None
    if snapped.words:
        kept = piece.words or snapped.words
        words = (
            kept[0] if start is None else snapped.words[0],
            kept[1] if end is None else snapped.words[1],
        )
    made = bind(replace(piece, frames=frames, by=by or piece.by), take, words)
    return replace(edl, ranges=(*edl.ranges[:index], made, *edl.ranges[index + 1 :]))


def _asked(plan: Layout, start: Fraction, end: Fraction) -> Span:
    """Give the span between two edges (raises :class:`~cutbook.errors.TimeError` where there is none in the take)."""
    if start >= end and start < plan.end:
        msg = f"its in point ({decimals(start)}) must lie before its out point ({decimals(end)})"
        raise TimeError(msg)
    return within(plan, Span(start, max(start, end)))


def _last_word(
    plan: Layout,
    piece: Range,
    span: Span,
    *,
    start: Fraction | None,
    end: Fraction | None,
    pads: tuple[Fraction, Fraction],
) -> Snapped:
    """Keep the word beside the edge that stays, where the one that moves would leave none.

    Raises:
        TimeError: both edges move, or the word is too short to be kept.
    """
    words = piece.words or (1, 0)
    heard = plan.heard(words[0] - 1, min(words[1], len(plan.words)) - 1)
    if heard and start is not None and end is None and plan.start(heard[-1]) < span.end:
        snapped = snap(plan.take, Span(plan.start(heard[-1]), span.end), pads=pads)
    elif heard and end is not None and start is None and plan.stop(heard[0]) > span.start:
        snapped = snap(plan.take, Span(span.start, plan.stop(heard[0])), pads=pads)
    else:
        snapped = Snapped((0, 0))
    if not snapped.words:
        msg = (
            f"no whole word lies in {decimals(span.start)}-{decimals(span.end)}; reject the range, "
            "or trim it with --exact"
        )
        raise TimeError(msg)
    return snapped


def _loose(plan: Layout, span: Span, start_stays: bool, end_stays: bool) -> Span:  # noqa: FBT001 - said once
    """Give a span to snap one edge of: the other may lie where no edge could be put, since it stays."""
    start, end = span.start, span.end
    if start_stays and (run := plan.unsure_at(start)) is not None and run.span.start < end:
        start = run.span.start
    if end_stays and (run := plan.unsure_at(end)) is not None and run.span.end > start:
        end = run.span.end
    return Span(start, end)


def at_hand(edl: Edl, which: Which, takes: Mapping[str, Take]) -> tuple[int, Range, Take]:
    """Give the index of a range, the range and its take.

    Raises:
        EdlError: there is no such range, or its take is not there or is not the file that was cut.
    """
    index = resolve(edl, which)
    piece = edl.ranges[index]
    place = f"range {index + 1} ({piece.id})"
    take = takes.get(piece.source)
    if piece.problem:
        msg = f"{place}: {piece.problem}"
        raise EdlError(msg)
    if take is None:
        msg = f"{place}: no take is named {piece.source!r}; open the project that has it"
        raise EdlError(msg)
    return index, piece, take
