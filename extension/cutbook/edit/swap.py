"""The same sentence from elsewhere, put in a range's place."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from cutbook.edit.decide import resolve
from cutbook.edit.edl import where
from cutbook.edit.ranges import make_range
from cutbook.edit.snap import PADS, snap_words
from cutbook.edit.sources import another_file, unknown
from cutbook.errors import EdlError, TimeError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cutbook.edit.decide import Which
    from cutbook.edit.edl import Edl
    from cutbook.edit.take import Take


def swap(
    edl: Edl,
    which: Which,
    name: str,
    words: tuple[int, int],
    takes: Mapping[str, Take],
    *,
    pads: tuple[Fraction, Fraction] = PADS,
    why: str = "",
    by: str = "",
) -> Edl:
    """Put the words of two numbers of a take, and those between, in a range's place.

    Id, place, beat, transition and keys that cutbook does not know stay, and so does the reason unless ``why`` gives
    one for these words. The decision was about the other footage: the range is undecided. So were the grade and the
    point that a crop keeps, where the take is another one, and the seconds by which its sound ran early or late.

    Raises:
        EdlError: no such range, take or words, or an edge lies among words without times.
    """
    index = resolve(edl, which)
    piece = edl.ranges[index]
    place = where(index + 1, piece)
    take = takes.get(name)
    if take is None:
        msg = f"{place}: {unknown(name, takes)}"
        raise EdlError(msg)
    if problem := another_file(take, edl.media.get(name, "")) if name in edl.media else "":
        msg = f"{place}: {problem}"
        raise EdlError(msg)
    try:
        snapped = snap_words(take, *words, pads=pads)
    except TimeError as error:
        msg = f"{place}: {error}"
        raise EdlError(msg) from error
    made = make_range(
        take, snapped, id=piece.id, beat=piece.beat, reason=why or piece.reason, by=by or piece.by
    )
    if made.frames == piece.frames and made.source == piece.source:
        msg = f"{place} has these words already"
        raise EdlError(msg)
    same = name == piece.source
    made = replace(
        made,
        dissolve=piece.dissolve,
        fit=piece.fit,
        grade=piece.grade if same else None,
        centre=piece.centre if same else None,
        extra={key: value for key, value in piece.extra.items() if key != "why"},
    )
    return replace(edl, ranges=(*edl.ranges[:index], made, *edl.ranges[index + 1 :]))
