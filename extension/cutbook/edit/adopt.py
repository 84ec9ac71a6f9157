"""A take that was replaced by another file: its ranges put on the new one, because a person said so."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cutbook.edit.edl import Edl, dump, where
from cutbook.edit.layout import layout
from cutbook.edit.reading import loads
from cutbook.edit.sources import another_file
from cutbook.errors import EdlError
from cutbook.timebase import decimals

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cutbook.edit.edl import Range
    from cutbook.edit.take import Take


def adopt(edl: Edl, take: Take, takes: Mapping[str, Take], edit: Path) -> Edl:
    """Put a take's ranges at the same seconds of the file that it is now, with the words that are said there.

    Those that were accepted are undecided: the decision was about the other file. Rejected ones stay out of the film;
    those that the new file is too short for are dropped.

    Raises:
        EdlError: it is the file that was cut, or it is too short for a kept range.
    """
    if not another_file(take, edl.media.get(take.name, "")):
        msg = f"{take.name} is the file that was cut; there is nothing to adopt"
        raise EdlError(msg)
    end = layout(take).end
    kept = []
    for number, piece in enumerate(edl.ranges, 1):
        if piece.source != take.name:
            kept.append(piece)
        elif piece.end <= end:
            kept.append(replace(_open(piece), words=None, pads=None, quote=""))
        elif piece.status != "rejected":
            msg = (
                f"{where(number, piece)}: it ends past {take.name} as it is now, which is {decimals(end)} s long; "
                "reject it first, or cut it anew"
            )
            raise EdlError(msg)
    media = {name: content for name, content in edl.media.items() if name != take.name}
    return loads(dump(replace(edl, ranges=tuple(kept), media=media)).encode(), edit, takes)


def _open(piece: Range) -> Range:
    if piece.status != "accepted":
        return piece
    extra = {key: value for key, value in piece.extra.items() if key != "why"}
    return replace(piece, status="undecided", extra=extra)
