"""Where a range may begin and end: whole words, air up to the neighbour, the quietest point, the frame grid."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from cutbook.edit.layout import PRINTED, Layout, layout
from cutbook.errors import TimeError
from cutbook.timebase import Span, decimals
from cutbook.transcripts.model import Timing

if TYPE_CHECKING:
    from cutbook.edit.layout import Unsure
    from cutbook.edit.take import Take

PADS = (Fraction(50, 1000), Fraction(80, 1000))
"""Seconds of air before the first and after the last word unless told otherwise."""

OVERSHOOT = Fraction(1, 20)
"""Seconds by which a span may pass a take's end and still mean the end: packed headings round to 0.1 s."""

QUIET = Fraction(1, 100)
"""Seconds over which the quietest place is looked for."""

_AS_QUIET = 2.0
"""Six decibels, about what 10 ms of room tone differ by: less than that is no reason to give up air."""

_SILENT = 1e-4
"""Linear level (−80 dBFS) below which everything is equally quiet."""


@dataclass(frozen=True, slots=True)
class Snapped:
    """Where a range came to lie: ``frames`` [in, out), ``words`` first and last number, ``pads`` seconds of air."""

    frames: tuple[int, int]
    words: tuple[int, int] | None = None
    pads: tuple[Fraction, Fraction] | None = None


def snap(take: Take, span: Span, *, pads: tuple[Fraction, Fraction] = PADS) -> Snapped:
    """Give the range that a span typed in seconds of take time means.

    Every word that the span overlaps by more than a sliver (a frame) is kept whole. Then ``pads`` (seconds before
    and after), never past the neighbouring word, moved to the quietest 10 ms in that window and outward to the
    frame grid. More air than the pad is kept where the span itself asks for it. A span without any word is kept as
    it is, on the grid.

    Raises:
        TimeError: the span is empty, negative or past the end, or an edge lies among words without times.
    """
    plan = layout(take)
    span = within(plan, span)
    for time in (span.start, span.end):
        run = plan.unsure_at(time)
        if run is not None:
            raise TimeError(_no_place(plan, run, f"{decimals(time)} lies"))
    places = plan.inside(span)
    if places is None:
        clear, touched = plan.clear(span)
        if clear is not None:
            return Snapped(frames=on_grid(take, clear))
        places = plan.with_marks(touched, touched)
    return _settle(plan, places, pads, span)


def snap_words(take: Take, first: int, last: int, *, pads: tuple[Fraction, Fraction] = PADS) -> Snapped:
    """Give the range that keeps the words of numbers ``first`` to ``last``, padded as :func:`snap` does.

    Raises:
        TimeError: no such words, or an edge lies among words without times.
    """
    plan = layout(take)
    return _settle(plan, numbered(plan, first, last), pads, None)


def on_grid(take: Take, span: Span) -> tuple[int, int]:
    """Give the frames [in, out) that a span covers, outward, at least one; both edges within the take.

    A time within 5 ms of a frame's edge, which is what two decimals leave of it, means that edge.
    """
    plan = layout(take)
    first = min(max(math.floor((span.start + PRINTED) * plan.rate), 0), max(plan.total - 1, 0))
    last = math.ceil((span.end - PRINTED) * plan.rate)
    return first, max(min(last, plan.total), first + 1)


def within(plan: Layout, span: Span) -> Span:
    """Check that a span lies in its take and has a length; an end just past the take's is moved onto it.

    Raises:
        TimeError: it does not.
    """
    name, end = plan.take.name, plan.end
    if span.start < 0:
        msg = f"{decimals(span.start)} lies before the beginning of {name}; times count from 0"
        raise TimeError(msg)
    if span.end > end + OVERSHOOT or span.start >= end:
        time = span.start if span.start >= end else span.end
        msg = f"{decimals(time)} lies past the end of {name}, which is {decimals(end)} s long"
        raise TimeError(msg)
    if span.start >= span.end:
        msg = f"{decimals(span.start)}-{decimals(span.end)} has no length; the end must lie after the start"
        raise TimeError(msg)
    return Span(span.start, min(span.end, end))


def head(plan: Layout, place: int, air: Fraction, *, window: Fraction | None = None) -> int:
    """Give the in frame before the word at ``place``, with up to ``air`` seconds before it.

    The quietest place is looked for in the whole air, or in its outermost ``window`` seconds.
    """
    start = plan.start(place)
    floor = plan.floor(place)
    low = max(floor, start - air, Fraction(0))
    high = start if window is None else min(start, low + window)
    edge = _quietest(plan, Span(low, max(low, high)), outer=low)
    return _frame_in(plan, math.floor(edge * plan.rate), floor, start)


def tail(plan: Layout, place: int, air: Fraction, *, window: Fraction | None = None) -> int:
    """Give the out frame after the word at ``place``, with up to ``air`` seconds after it; ``window`` as in head."""
    end = plan.stop(place)
    ceiling = plan.ceiling(place)
    high = min(ceiling, end + air, plan.end)
    low = end if window is None else max(end, high - window)
    edge = _quietest(plan, Span(min(low, high), high), outer=high)
    return _frame_out(plan, math.ceil(edge * plan.rate), ceiling, end)


def in_before(plan: Layout, place: int, air: Fraction) -> int:
    """Give the in frame of a range whose first word is at ``place``, as a cut list would put it.

    Raises:
        TimeError: the word lies among words without times.
    """
    run = plan.run(place)
    if run is not None and place != run.first:
        raise TimeError(_no_place(plan, run, f"#{plan.words[place].number} is"))
    return min(head(plan, place, air), plan.total - 1)


def out_after(plan: Layout, place: int, air: Fraction) -> int:
    """Give the out frame of a range whose last word is at ``place``, as a cut list would put it.

    Raises:
        TimeError: the word lies among words without times.
    """
    run = plan.run(place)
    if run is not None and place != run.last:
        raise TimeError(_no_place(plan, run, f"#{plan.words[place].number} is"))
    return tail(plan, place, air)


def numbered(plan: Layout, first: int, last: int) -> tuple[int, int]:
    """Give the places of words named by number, with the marks that belong to them.

    Raises:
        TimeError: the take has no such words.
    """
    if first > last:
        msg = f"#{first}-#{last} ends before it begins; write the smaller number first"
        raise TimeError(msg)
    if first < 1 or last > len(plan.words):
        known = f"its words are #1 to #{len(plan.words)}" if plan.words else "it has no words yet"
        msg = f"{plan.take.name} has no words #{first}-#{last}; {known}"
        raise TimeError(msg)
    return plan.with_marks(first - 1, last - 1)


def pads_of(plan: Layout, frames: tuple[int, int], places: tuple[int, int]) -> tuple[Fraction, Fraction]:
    """Give the seconds of air in [in, out) before the first and after the last of ``places``, never below 0."""
    heard = plan.edge_words(*places) or places
    before = plan.start(heard[0]) - frames[0] / plan.rate
    after = frames[1] / plan.rate - plan.stop(heard[1])
    return max(before, Fraction(0)), max(after, Fraction(0))


def _settle(
    plan: Layout, places: tuple[int, int], pads: tuple[Fraction, Fraction], span: Span | None
) -> Snapped:
    heard = plan.edge_words(*places)
    if heard is None:
        words = plan.words[places[0]], plan.words[places[1]]
        msg = f"#{words[0].number}-#{words[1].number} of {plan.take.name} has no word to cut at; give seconds instead"
        raise TimeError(msg)
    first, last = heard
    for place, outermost in ((first, "first"), (last, "last")):
        run = plan.run(place)
        if run is not None and place != getattr(run, outermost):
            raise TimeError(_no_place(plan, run, f"#{plan.words[place].number} is"))
    slack = 1 / plan.rate + PRINTED
    start, end = plan.start(first), plan.stop(last)
    if span is not None and start - span.start > pads[0] + slack:
        low = max(span.start, plan.floor(first))
        frame_in = _frame_in(plan, math.floor((low + PRINTED) * plan.rate), plan.floor(first), start)
    else:
        frame_in = head(plan, first, pads[0])
    if span is not None and span.end - end > pads[1] + slack:
        high = min(span.end, plan.ceiling(last))
        frame_out = _frame_out(plan, math.ceil((high - PRINTED) * plan.rate), plan.ceiling(last), end)
    else:
        frame_out = tail(plan, last, pads[1])
    frame_in = min(frame_in, plan.total - 1)
    frames = (frame_in, max(frame_out, frame_in + 1))
    numbers = plan.words[places[0]].number, plan.words[places[1]].number
    return Snapped(frames=frames, words=numbers, pads=pads_of(plan, frames, places))


def _frame_in(plan: Layout, frame: int, floor: Fraction, start: Fraction) -> int:
    if frame / plan.rate < floor:
        clear = math.ceil(floor * plan.rate)
        frame = clear if clear / plan.rate <= start else math.floor(start * plan.rate)
    return max(frame, 0)


def _frame_out(plan: Layout, frame: int, ceiling: Fraction, end: Fraction) -> int:
    if frame / plan.rate > ceiling:
        clear = math.floor(ceiling * plan.rate)
        frame = clear if clear / plan.rate >= end else math.ceil(end * plan.rate)
    return min(frame, plan.total)


def _quietest(plan: Layout, window: Span, *, outer: Fraction) -> Fraction:
    if window.duration < QUIET:
        return outer
    envelope = plan.take.envelope
    if envelope is None:
        return outer
    middle = envelope.quietest(window)
    rim = Span(outer, outer + QUIET) if outer == window.start else Span(outer - QUIET, outer)
    here = envelope.level(Span(max(middle - QUIET / 2, Fraction(0)), middle + QUIET / 2))
    if envelope.level(rim) <= here * _AS_QUIET + _SILENT:
        return outer
    return min(max(middle, window.start), window.end)


def _no_place(plan: Layout, run: Unsure, what: str) -> str:
    words = plan.words[run.first], plan.words[run.last]
    if words[0].timing is Timing.STRETCHED:
        of = f"a word that is far too long for its times (#{words[0].number} “{words[0].text}” of {plan.take.name})"
        before, after = f"before “{words[0].text}”", f"after “{words[0].text}”"
    else:
        of = f"a run of words without times of their own (#{words[0].number}-#{words[1].number} of {plan.take.name})"
        before = _named(plan, plan.spoken.index(run.first) - 1, "after")
        after = _named(plan, plan.spoken.index(run.last) + 1, "before")
    return f"{what} in {of}; cut at {decimals(run.span.start)} ({before}) or at {decimals(run.span.end)} ({after})"


def _named(plan: Layout, index: int, side: str) -> str:
    if index < 0:
        return "the take's beginning"
    if index >= len(plan.spoken):
        return "the take's end"
    return f"{side} “{plan.words[plan.spoken[index]].text}”"
