"""Ranges divided, joined and put elsewhere in the film: the same material, other ranges."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from cutbook.edit.binding import bind
from cutbook.edit.decide import at_hand, resolve
from cutbook.edit.edl import where
from cutbook.edit.layout import layout
from cutbook.edit.ranges import derived_id
from cutbook.errors import EdlError
from cutbook.timebase import decimals, round_half_up

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cutbook.edit.decide import Which
    from cutbook.edit.edl import Edl, Range
    from cutbook.edit.layout import Layout
    from cutbook.edit.take import Take


def split(edl: Edl, which: Which, takes: Mapping[str, Take], *, frame: int, exact: bool = False) -> Edl:
    """Make two ranges of one, the second from ``frame`` of its take on; the first keeps the id.

    A frame within a word gives way to the nearest between two words, unless ``exact``. Everything that was said of
    the range holds for both; its early sound and its dissolve stay with the first, its late sound with the second.

    Raises:
        EdlError: no such range, or no place to split it at.
    """
    index, piece, take = at_hand(edl, which, takes)
    place = where(index + 1, piece)
    first, last = piece.frames
    if not first < frame < last:
        msg = f"{place} cannot be split at {decimals(frame / piece.rate)}; give a time within it"
        raise EdlError(msg)
    plan = layout(take)
    cut = frame if exact else _between_words(piece, plan, frame)
    if cut is None:
        msg = f"{place} has no place between two words to be split at; split it exactly to cut through a word"
        raise EdlError(msg)
    id_ = derived_id(piece.id, cut, last, taken={each.id for each in edl.ranges})
    left = bind(replace(piece, frames=(first, cut), audio_lag=Fraction(0)), take)
    right = bind(replace(piece, id=id_, frames=(cut, last), audio_lead=Fraction(0), dissolve=0), take)
    if piece.words and left.words:
        left = bind(left, take, (piece.words[0], left.words[1]))
    if piece.words and right.words:
        right = bind(right, take, (right.words[0], piece.words[1]))
    return replace(edl, ranges=(*edl.ranges[:index], left, right, *edl.ranges[index + 1 :]))


def merge(edl: Edl, which: Which, takes: Mapping[str, Take]) -> Edl:
    """Join a range to the next one in the film, of the same take; what lies between them comes back.

    The first keeps its id, place, beat and look; reasons are kept of both. Where the two
    decisions differ it is undecided.

    Raises:
        EdlError: no such range, or the next is of another take, earlier in it, or parted from it by a rejected one.
    """
    index, piece, take = at_hand(edl, which, takes)
    place = where(index + 1, piece)
    out = piece.status == "rejected"
    following = next(
        (at for at in range(index + 1, len(edl.ranges)) if (edl.ranges[at].status == "rejected") == out), None
    )
    if following is None:
        msg = f"{place} is the last one, and nothing follows it to be merged with; name the one before it"
        raise EdlError(msg)
    other = edl.ranges[following]
    if other.source != piece.source or other.problem:
        msg = f"{place} and {where(following + 1, other)} are not of one take; only what follows in one take is merged"
        raise EdlError(msg)
    if other.frames[0] < piece.frames[0]:
        msg = f"{where(following + 1, other)} comes before {place} in the take; put them in that order first: %edl move"
        raise EdlError(msg)
    for number, between in enumerate(edl.ranges[index + 1 : following], index + 2):
        if between.source == piece.source and _overlap(between, (piece.frames[0], other.frames[1])):
            state = "kept" if out else "rejected"
            msg = (
                f"{where(number, between)} lies between the two and is {state}; decide otherwise on it first"
            )
            raise EdlError(msg)
    made = joined_range([piece, other], take)
    kept = (*edl.ranges[index + 1 : following], *edl.ranges[following + 1 :])
    return replace(edl, ranges=(*edl.ranges[:index], made, *kept))


def joined_range(
    pieces: Sequence[Range],
    take: Take,
    *,
    frames: tuple[int, int] | None = None,
    words: tuple[int, int] | None = None,
) -> Range:
    """Give one range for several of one take in its order, over what they span unless told otherwise."""
    first, last = pieces[0], max(pieces, key=lambda each: each.frames[1])
    said = [each.words for each in pieces if each.words]
    numbers = (min(each[0] for each in said), max(each[1] for each in said)) if said else None
    statuses = {each.status for each in pieces}
    extra = {key: value for each in reversed(pieces) for key, value in each.extra.items()}
    if why := _both(str(each.extra.get("why") or "") for each in pieces):
        extra["why"] = why
    made = replace(
        first,
        frames=frames or (first.frames[0], last.frames[1]),
        beat=first.beat or next((each.beat for each in pieces if each.beat), ""),
        reason=_both(each.reason for each in pieces),
        status=first.status if len(statuses) == 1 else "undecided",
        audio_lag=last.audio_lag,
        extra={key: extra[key] for key in dict.fromkeys([*first.extra, *extra])},
    )
    return bind(made, take, words or numbers)


def move(edl: Edl, *which: Which, before: Which | None = None) -> Edl:
    """Put ranges, in the order in which they are named, before another one; None: at the end.

    Raises:
        EdlError: a range that is not there, or one that is to come before itself.
    """
    chosen = list(dict.fromkeys(resolve(edl, each) for each in which))
    target = len(edl.ranges) if before is None else resolve(edl, before)
    if target in chosen:
        msg = f"{where(target + 1, edl.ranges[target])} cannot come before itself; name the range that is to follow"
        raise EdlError(msg)
    stay = [at for at in range(len(edl.ranges)) if at not in chosen]
    order = [at for at in stay if at < target] + chosen + [at for at in stay if at >= target]
    return replace(edl, ranges=tuple(edl.ranges[at] for at in order))


def _between_words(piece: Range, plan: Layout, frame: int) -> int | None:
    """Give the frame nearest to ``frame`` at which a range can be parted without going through a word."""
    if piece.words is None:
        return frame
    places = plan.heard(piece.words[0] - 1, piece.words[1] - 1)
    options = [min(max(frame, low), high) for low, high in _gaps(piece, plan, places)]
    inner = [each for each in options if piece.frames[0] < each < piece.frames[1]]
    return min(inner, key=lambda each: abs(each - frame), default=None)


def _gaps(piece: Range, plan: Layout, places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Give the frames, first and last, between words; where two words touch, the one nearest to their seam."""
    if not places:
        yield piece.frames[0] + 1, piece.frames[1] - 1
        return
    edges = [(None, places[0]), *pairwise(places), (places[-1], None)]
    for before, after in edges:
        low = piece.frames[0] + 1 if before is None else math.ceil(plan.stop(before) * plan.rate)
        high = piece.frames[1] - 1 if after is None else math.floor(plan.start(after) * plan.rate)
        if low <= high:
            yield low, high
        elif before is not None and after is not None and low - high == 1:
            seam = round_half_up((plan.stop(before) + plan.start(after)) / 2 * plan.rate)
            yield seam, seam


def _overlap(piece: Range, frames: tuple[int, int]) -> bool:
    return piece.frames[0] < frames[1] and frames[0] < piece.frames[1]


def _both(texts: Iterable[str]) -> str:
    """Join reasons, each once."""
    each = dict.fromkeys(filter(None, texts))
    return next(iter(each)) if len(each) == 1 else "; ".join(dict.fromkeys("; ".join(each).split("; ")))
