"""Dissolves: around a cut each picture is seen under or over the other, coming or going frame by frame.

A segment stays one range's: what the neighbour shows of itself is laid over it, from frames outside its range (its
handles). So a film is as long with dissolves as with cuts, and a changed neighbour makes a segment anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from cutbook.edit.edl import named
from cutbook.edit.take import Take
from cutbook.errors import EdlError
from cutbook.render.layers import Layer, Ramp, sought
from cutbook.timebase import decimals

if TYPE_CHECKING:
    from cutbook.render.plan import Segment


def check(segments: Sequence[Segment], takes: Mapping[str, Take], rate: Fraction) -> None:
    """Check that each dissolve has two pictures, room inside its ranges, and frames beyond them.

    Raises:
        EdlError: one has not; the range, and the frames that it can have, are named.
    """
    for number, segment in enumerate(segments):
        if not segment.dissolve:
            continue
        place = f"{named(segment.part)}: its dissolve of {segment.dissolve} frames"
        if not number:
            msg = f"{place} has no range before it; take its transition out"
            raise EdlError(msg)
        before = segments[number - 1]
        after = segments[number + 1].dissolve // 2 if number + 1 < len(segments) else 0
        for each in (before, segment):
            if takes[each.part.source].media.picture is None:
                msg = f"{place} needs two pictures, and {each.part.source} has none; take its transition out"
                raise EdlError(msg)
        head, tail = segment.dissolve // 2, segment.dissolve - segment.dissolve // 2
        taken = before.dissolve - before.dissolve // 2
        if head + taken > before.frames or tail + after > segment.frames:
            msg = f"{place} does not fit into ranges of {before.frames} and {segment.frames}; make it shorter"
            raise EdlError(msg)
        take = takes[before.part.source]
        left = take.duration - before.part.start - before.frames / rate
        if left * rate < tail - Fraction(1, 2) or segment.part.start * rate < head - Fraction(1, 2):
            msg = (
                f"{place} needs {tail} frames of {before.part.source} after the cut and {head} of "
                f"{segment.part.source} before it; there are {decimals(max(Fraction(0), left))} s and "
                f"{decimals(segment.part.start)} s: make it shorter or trim the ranges"
            )
            raise EdlError(msg)


def layers(
    segment: Segment,
    segments: Sequence[Segment],
    takes: Mapping[str, Take],
    *,
    grade: Callable[[Segment], str],
    rate: Fraction,
    size: tuple[int, int],
) -> tuple[Layer, ...]:
    """Give what a segment's neighbours show of themselves over it; ``grade`` gives a segment's filter chain."""

    def laid() -> Iterator[Layer]:
        whole = segment.dissolve
        if whole:
            before = segments[segment.number - 2]
            ramp = Ramp(steps=whole + 1, first=whole // 2 + 1, rising=False)
            yield beside(before, at=0, frames=whole - whole // 2, since=before.frames, ramp=ramp)
        after = segments[segment.number] if segment.number < len(segments) else None
        if after is not None and after.dissolve > 1:
            head = after.dissolve // 2
            ramp = Ramp(steps=after.dissolve + 1, first=1, rising=True)
            yield beside(after, at=segment.frames - head, frames=head, since=-head, ramp=ramp)

    def beside(other: Segment, *, at: int, frames: int, since: int, ramp: Ramp) -> Layer:
        take = takes[other.part.source]
        start = max(Fraction(0), other.part.start + since / rate)
        return Layer(
            media=take.media,
            digest=take.fingerprint.digest,
            box=(0, 0, *size),
            at=at,
            frames=frames,
            start=start,
            counted=other.part.rate == rate,
            seek=sought(take.media, start),
            framing=other.framing,
            grade=grade(other),
            ramp=ramp,
        )

    return tuple(laid())
