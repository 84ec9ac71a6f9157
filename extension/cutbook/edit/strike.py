"""Words taken out of the film, and put back."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from cutbook.edit.binding import bind
from cutbook.edit.decide import at_hand, resolve
from cutbook.edit.edl import where
from cutbook.edit.layout import layout
from cutbook.edit.ranges import derived_id, make_range
from cutbook.edit.reshape import joined_range
from cutbook.edit.snap import PADS, in_before, numbered, out_after, snap_words
from cutbook.edit.sources import unknown
from cutbook.edit.spans import is_times
from cutbook.errors import EdlError, TimeError
from cutbook.timebase import decimals

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cutbook.edit.decide import Which
    from cutbook.edit.edl import Edl, Range
    from cutbook.edit.layout import Layout
    from cutbook.edit.take import Take


def refuse_elsewhere(edl: Edl, which: Which, typed: str, words: tuple[int, int]) -> None:
    """Refuse a span of seconds whose words are not the range's, in seconds as it was typed.

    Raises:
        EdlError: none of the words is the range's.
    """
    index = resolve(edl, which)
    piece = edl.ranges[index]
    if piece.words and words[0] <= piece.words[1] and piece.words[0] <= words[1]:
        return
    if is_times(typed):
        span = f"{decimals(piece.start)}-{decimals(piece.end)}"
        msg = (
            f"range {index + 1} ({piece.id}) keeps no word of {typed.strip()}; it is {span} of {piece.source}"
        )
        raise EdlError(msg)


def cut_words(
    edl: Edl,
    which: Which,
    words: tuple[int, int],
    takes: Mapping[str, Take],
    *,
    pads: tuple[Fraction, Fraction] = PADS,
    why: str = "",
) -> Edl:
    """Take the words of two numbers, and those between, out of a range: it is shortened, or becomes two.

    The new edges are those that a cut list with the words that stay would have, with ``pads`` seconds of air. What
    would be nothing but the words is rejected for ``why``, and stays in the list. The first part keeps the id.

    Raises:
        EdlError: no such range, or it does not keep the words, or they cannot be parted from their neighbours.
    """
    index, piece, take = at_hand(edl, which, takes)
    place = where(index + 1, piece)
    if piece.status == "rejected":
        msg = f"{place} is rejected, so none of its words are in the film"
        raise EdlError(msg)
    plan = layout(take)
    try:
        gone = numbered(plan, *words)
        parts = list(_without(piece, plan, gone, pads, place))
    except TimeError as error:
        msg = f"{place}: {error}"
        raise EdlError(msg) from error
    if not parts:
        said = " ".join(piece.quote.split())
        made = [
            replace(
                piece, status="rejected", extra={**piece.extra, "why": why or f"its words were cut: “{said}”"}
            )
        ]
    else:
        made = [
            bind(_part(piece, frames, kept, number, edl), take, kept)
            for number, (frames, kept) in enumerate(parts)
        ]
    return replace(edl, ranges=(*edl.ranges[:index], *made, *edl.ranges[index + 1 :]))


def _without(
    piece: Range, plan: Layout, gone: tuple[int, int], pads: tuple[Fraction, Fraction], place: str
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Give the frames and word numbers of what stays of a range."""
    words = piece.words or (1, 0)
    low, high = words[0] - 1, words[1] - 1
    if gone[1] < low or gone[0] > high or not plan.heard(max(gone[0], low), min(gone[1], high)):
        kept = f"its words are #{words[0]} to #{words[1]}" if piece.words else "it keeps none"
        msg = f"{place} has no words #{gone[0] + 1}-#{gone[1] + 1}; {kept}"
        raise EdlError(msg)
    before, after = plan.heard(low, gone[0] - 1), plan.heard(gone[1] + 1, high)
    out = out_after(plan, before[-1], pads[1]) if before else piece.frames[0]
    into = in_before(plan, after[0], pads[0]) if after else piece.frames[1]
    if out >= into or (before and out <= piece.frames[0]) or (after and into >= piece.frames[1]):
        msg = f"{place}: between its neighbours #{gone[0] + 1}-#{gone[1] + 1} lasts less than a frame; trim the range"
        raise EdlError(msg)
    if before:
        yield (piece.frames[0], out), (words[0], gone[0])
    if after:
        yield (into, piece.frames[1]), (gone[1] + 2, words[1])


def _part(piece: Range, frames: tuple[int, int], words: tuple[int, int], number: int, edl: Edl) -> Range:
    taken = {each.id for each in edl.ranges}
    whole = piece.words or words
    return replace(
        piece,
        id=piece.id if number == 0 else derived_id(piece.id, *frames, taken=taken),
        frames=frames,
        # Sound that reached over an edge which moved would let the words be heard all the same.
        audio_lead=piece.audio_lead if words[0] == whole[0] else Fraction(0),
        audio_lag=piece.audio_lag if words[1] == whole[1] else Fraction(0),
        dissolve=piece.dissolve if number == 0 else 0,
    )


def restore_words(
    edl: Edl,
    name: str,
    words: tuple[int, int],
    takes: Mapping[str, Take],
    *,
    pads: tuple[Fraction, Fraction] = PADS,
    why: str = "",
    by: str = "",
) -> Edl:
    """Put the words of two numbers of a take, and those between, into the film.

    A rejected range of just these words is undecided again. Else the kept range that they touch grows, and two that
    they fill the gap between become one. Else they are a range of their own, beside the nearest of the take, with its
    beat and look.

    Raises:
        EdlError: no such take or words, or they are all in the film, or have no place to be cut at.
    """
    take = takes.get(name)
    if take is None:
        raise EdlError(unknown(name, takes))
    held = next((each.problem for each in edl.ranges if each.source == name and each.problem), "")
    if held:
        raise EdlError(held)
    plan = layout(take)
    try:
        places = numbered(plan, *words)
        if not plan.heard(*places):
            snap_words(take, *words)  # says that there is no word to cut at
        return _restored(edl, plan, places, pads, why=why, by=by)
    except TimeError as error:
        msg = f"#{words[0]}-#{words[1]} of {name} cannot be put back: {error}"
        raise EdlError(msg) from error


def _restored(
    edl: Edl, plan: Layout, places: tuple[int, int], pads: tuple[Fraction, Fraction], *, why: str, by: str
) -> Edl:
    take = plan.take
    mine = [(at, each) for at, each in enumerate(edl.ranges) if each.source == take.name and each.words]
    kept = [(at, each) for at, each in mine if each.status != "rejected"]
    wanted = set(plan.heard(*places))
    there = {place for _, each in kept for place in _heard(plan, each)}
    if wanted <= there:
        at, holder = next((at, each) for at, each in kept if wanted & set(_heard(plan, each)))
        msg = f"{where(at + 1, holder)} has these words in the film already"
        raise EdlError(msg)
    rejected = [(at, each, set(_heard(plan, each))) for at, each in mine if each.status == "rejected"]
    for at, each, words in rejected:
        if words == wanted:
            return _put(edl, [at], _reopened(each, why))
    touching = [(at, each) for at, each in kept if _touches(plan, each, places)]
    if touching:
        return _grown(edl, plan, places, pads, touching)
    snapped = snap_words(take, places[0] + 1, places[1] + 1, pads=pads)
    for at, each, words in rejected:
        if words and words < wanted:
            return _put(
                edl, [at], bind(replace(_reopened(each, why), frames=snapped.frames), take, snapped.words)
            )
    id_ = derived_id(take.name, *snapped.frames, taken={each.id for each in edl.ranges})
    made = make_range(take, snapped, id=id_, reason=why, by=by)
    near = min(mine, key=lambda item: _distance(item[1], places), default=None)
    if near is None:
        return replace(edl, ranges=(*edl.ranges, made))
    at, beside = near
    made = replace(made, beat=beside.beat, grade=beside.grade, fit=beside.fit, centre=beside.centre)
    at += 1 if (beside.words or places)[0] - 1 <= places[0] else 0
    return replace(edl, ranges=(*edl.ranges[:at], made, *edl.ranges[at:]))


def _grown(
    edl: Edl,
    plan: Layout,
    places: tuple[int, int],
    pads: tuple[Fraction, Fraction],
    touching: Sequence[tuple[int, Range]],
) -> Edl:
    """Join words to the first range that they touch and to those that follow it in film and take."""
    group = [touching[0]]
    for at, each in touching[1:]:
        between = [edl.ranges[number] for number in range(group[-1][0] + 1, at)]
        in_order = each.frames[0] >= group[-1][1].frames[0]
        if in_order and all(one.status == "rejected" for one in between):
            group.append((at, each))
        else:
            break
    said = [each.words or (1, 1) for _, each in group]
    low, high = min(each[0] for each in said) - 1, max(each[1] for each in said) - 1
    first, last = places
    for _, other in touching[len(group) :]:
        # What another range has stays its own.
        theirs = other.words or (1, 1)
        if theirs[0] - 1 > low:
            last = min(last, theirs[0] - 2)
        else:
            first = max(first, theirs[1])
    heard = plan.heard(first, last)
    frames = [min(each.frames[0] for _, each in group), max(each.frames[1] for _, each in group)]
    words = [low, high]
    pieces = [each for _, each in group]
    if heard and heard[0] < low:
        frames[0], words[0] = in_before(plan, heard[0], pads[0]), first
        pieces[0] = replace(pieces[0], audio_lead=Fraction(0))
    if heard and heard[-1] > high:
        frames[1], words[1] = out_after(plan, heard[-1], pads[1]), last
        pieces[-1] = replace(pieces[-1], audio_lag=Fraction(0))
    made = joined_range(pieces, plan.take, frames=(frames[0], frames[1]), words=(words[0] + 1, words[1] + 1))
    return _put(edl, [at for at, _ in group], made)


def _put(edl: Edl, places: Sequence[int], made: Range) -> Edl:
    """Put a range where the first of several was, and take the others out."""
    ranges = [each for at, each in enumerate(edl.ranges) if at not in places[1:]]
    ranges[places[0]] = made
    return replace(edl, ranges=tuple(ranges))


def _reopened(piece: Range, why: str) -> Range:
    extra = {key: value for key, value in piece.extra.items() if key != "why"}
    return replace(piece, status="undecided", extra={**extra, **({"why": why} if why else {})})


def _heard(plan: Layout, piece: Range) -> list[int]:
    words = piece.words or (1, 0)
    return plan.heard(words[0] - 1, min(words[1], len(plan.words)) - 1)


def _touches(plan: Layout, piece: Range, places: tuple[int, int]) -> bool:
    """Tell whether nothing that is heard lies between a range and the words."""
    low, high = (each - 1 for each in piece.words or (0, 0))
    return not (plan.heard(high + 1, places[0] - 1) or plan.heard(places[1] + 1, low - 1))


def _distance(piece: Range, places: tuple[int, int]) -> int:
    low, high = (each - 1 for each in piece.words or (1, 1))
    return max(low - places[1], places[0] - high, 0)
