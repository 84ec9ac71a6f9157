"""Fillers and long pauses taken out of the kept ranges."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from cutbook.edit.decide import resolve
from cutbook.edit.layout import Layout, layout
from cutbook.edit.ranges import derived_id, joined, quote
from cutbook.edit.snap import head, pads_of, tail
from cutbook.errors import InputError
from cutbook.timebase import Span, decimals

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cutbook.edit.edl import Edl, Range
    from cutbook.edit.take import Take

KEEP = Fraction(1, 4)
"""Seconds of silence left where something was taken out, when there was that much."""

_WINDOW = Fraction(40, 1000)
"""Seconds of the air's outer end in which the quietest place is looked for."""


@dataclass(frozen=True, slots=True)
class Removed:
    """What was taken out of a range: its span in seconds of take time, and what was there in words."""

    range_id: str
    span: Span
    what: str

    def __str__(self) -> str:
        """Say it in a line."""
        return f"{self.range_id} {decimals(self.span.start)}-{decimals(self.span.end)} {self.what}"


@dataclass(frozen=True, slots=True)
class _Cut:
    """A hole between two places that stay (None: the range's own edge), in frames."""

    after: int | None
    before: int | None
    out: int
    into: int
    what: str


def tighten(
    edl: Edl,
    takes: Mapping[str, Take],
    *,
    fillers: bool = True,
    pauses: Fraction | None = None,
    keep: Fraction = KEEP,
    only: Sequence[int | str] | None = None,
) -> tuple[Edl, tuple[Removed, ...]]:
    """Take fillers, and pauses longer than ``pauses`` seconds, out of the kept ranges.

    About ``keep`` seconds are left at each place, half on either side, never past the neighbouring word. A range
    becomes several that keep its beat and reason; the first keeps the id. One of nothing but fillers is rejected.
    ``only`` names ranges by number (from 1) or id. Doing it again takes nothing more out.

    Raises:
        InputError: ``pauses`` or ``keep`` is no usable length.
        EdlError: ``only`` names a range that is not there.
    """
    if keep < 0 or (pauses is not None and (pauses <= 0 or pauses < keep)):
        given = (
            f"pauses {decimals(pauses)} s, keep {decimals(keep)} s"
            if pauses is not None
            else f"keep {decimals(keep)} s"
        )
        msg = f"{given}: keep must not be negative, and pauses must be longer than what is kept of them"
        raise InputError(msg)
    chosen = range(len(edl.ranges)) if only is None else {resolve(edl, which) for which in only}
    taken = {each.id for each in edl.ranges}
    made: list[Range] = []
    removed: list[Removed] = []
    for index, piece in enumerate(edl.ranges):
        take = takes.get(piece.source)
        if (
            index not in chosen
            or piece.status == "rejected"
            or piece.words is None
            or take is None
            or piece.problem
        ):
            made.append(piece)
            continue
        parts, gone = _tightened(piece, layout(take), fillers=fillers, pauses=pauses, keep=keep, taken=taken)
        made.extend(parts)
        removed.extend(gone)
    return (replace(edl, ranges=tuple(made)) if removed else edl), tuple(removed)


def _tightened(
    piece: Range, plan: Layout, *, fillers: bool, pauses: Fraction | None, keep: Fraction, taken: set[str]
) -> tuple[list[Range], list[Removed]]:
    first, last = piece.words or (1, 0)
    heard = plan.heard(first - 1, min(last, len(plan.words)) - 1)
    gone = {place for place in heard if fillers and plan.words[place].filler and plan.run(place) is None}
    stay = [place for place in heard if place not in gone]
    if gone and not stay:
        text = _said(plan, sorted(gone))
        why = {"why": f"nothing but “{text}”"}
        return (
            [replace(piece, status="rejected", extra={**piece.extra, **why})],
            [Removed(piece.id, Span(piece.start, piece.end), text)],
        )
    cuts = _possible(piece, _cuts(piece, plan, stay, gone, pauses=pauses, keep=keep))
    if not cuts:
        return [piece], []
    removed = [Removed(piece.id, Span(cut.out / piece.rate, cut.into / piece.rate), cut.what) for cut in cuts]
    return _parts(piece, plan, cuts, taken), removed


def _possible(piece: Range, cuts: list[_Cut]) -> list[_Cut]:
    """Leave out the cuts that take less than a frame out, or leave less than a frame between them."""
    found: list[_Cut] = []
    frame, end = piece.frames
    for cut in cuts:
        if cut.out >= cut.into or (cut.after is not None and cut.out <= frame):
            continue
        if cut.into > end or (cut.before is not None and cut.into >= end):
            continue
        found.append(cut)
        frame = cut.into
    return found


def _cuts(
    piece: Range, plan: Layout, stay: list[int], gone: set[int], *, pauses: Fraction | None, keep: Fraction
) -> list[_Cut]:
    found: list[_Cut] = []
    air = keep / 2
    before = [place for place in gone if stay and place < stay[0]]
    if before and plan.run(stay[0]) is None:
        into = head(plan, stay[0], air, window=_WINDOW)
        found.append(_Cut(None, stay[0], piece.frames[0], into, _said(plan, sorted(before))))
    for place, following in pairwise(stay):
        between = [each for each in range(place + 1, following) if each in gone]
        gap = plan.words[following].start - plan.words[place].end
        silent = not any(plan.words[each].kind != "word" for each in range(place + 1, following))
        long = pauses is not None and gap > pauses and silent and not between
        if not (between or long) or plan.run(place) or plan.run(following):
            continue
        out = tail(plan, place, air, window=_WINDOW)
        into = head(plan, following, air, window=_WINDOW)
        what = _said(plan, between) if between else f"pause of {decimals(gap)} s"
        found.append(_Cut(place, following, out, into, what))
    after = [place for place in gone if stay and place > stay[-1]]
    if after and plan.run(stay[-1]) is None:
        out = tail(plan, stay[-1], air, window=_WINDOW)
        found.append(_Cut(stay[-1], None, out, piece.frames[1], _said(plan, sorted(after))))
    return found


def _parts(piece: Range, plan: Layout, cuts: list[_Cut], taken: set[str]) -> list[Range]:
    words = piece.words or (1, 1)
    edges: list[tuple[int, int, int, int]] = []
    frame, place = piece.frames[0], words[0] - 1
    for cut in cuts:
        if cut.after is not None:
            edges.append((frame, cut.out, place, plan.with_marks(place, cut.after)[1]))
        frame, place = cut.into, cut.before if cut.before is not None else place
    if cuts[-1].before is not None:
        edges.append((frame, piece.frames[1], place, words[1] - 1))
    parts: list[Range] = []
    for number, (into, out, first, last) in enumerate(edges):
        id_ = piece.id if number == 0 else derived_id(piece.id, into, out, taken=taken)
        taken.add(id_)
        parts.append(
            replace(
                piece,
                id=id_,
                frames=(into, out),
                words=(plan.words[first].number, plan.words[last].number),
                pads=pads_of(plan, (into, out), (first, last)),
                quote=quote(plan.words[first : last + 1]),
                audio_lead=piece.audio_lead if number == 0 else Fraction(0),
                audio_lag=piece.audio_lag if number == len(edges) - 1 else Fraction(0),
                dissolve=piece.dissolve if number == 0 else 0,
            )
        )
    return parts


def _said(plan: Layout, places: Sequence[int]) -> str:
    return joined(plan.words[place].text for place in places)
