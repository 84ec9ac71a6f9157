"""A take that was replaced by another file: its ranges put on the new one, or on the old one under its new name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cutbook.edit.edl import Edl, dump, where
from cutbook.edit.layout import layout
from cutbook.edit.reading import loads
from cutbook.edit.sources import another_file, holders
from cutbook.errors import EdlError
from cutbook.timebase import decimals

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from cutbook.edit.edl import Range
    from cutbook.edit.take import Take


def adopt(edl: Edl, take: Take, takes: Mapping[str, Take], edit: Path) -> Edl:
    """Put a take's ranges at the same seconds of the file that it is now, with the words that are said there.

    Of a take that holds what was cut under a name that another file has now, these ranges become its own, as they are.

    Those that were accepted are undecided: the decision was about the other file. Rejected ones stay out of the film;
    those that the new file is too short for are dropped.

    Raises:
        EdlError: it is the file that was cut, or it is too short for a kept range.
    """
    if not another_file(take, edl.media.get(take.name, "")):
        old = _old_names(edl, take)
        if old:
            return _followed(edl, take, old, takes, edit)
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


def told(edl: Edl | None, take: Take) -> str:
    """Say for the history what adopting a take does."""
    old = [] if edl is None or another_file(take, edl.media.get(take.name, "")) else _old_names(edl, take)
    if old:
        return (
            f"{' and '.join(old)} {'is' if len(old) == 1 else 'are'} {take.name} now, and the ranges follow"
        )
    return f"{take.name} is another file now, and its ranges were adopted"


def _old_names(edl: Edl, take: Take) -> list[str]:
    """Name the takes that are not what was cut any more, and of which this take is what was cut."""
    held = dict.fromkeys(each.source for each in edl.ranges if each.problem and each.source != take.name)
    return [name for name in held if holders(edl.media.get(name, ""), {take.name: take})]


def _followed(edl: Edl, take: Take, old: Collection[str], takes: Mapping[str, Take], edit: Path) -> Edl:
    ranges = tuple(replace(each, source=take.name) if each.source in old else each for each in edl.ranges)
    sources = {name: path for name, path in edl.sources.items() if name not in old}
    media = {name: content for name, content in edl.media.items() if name not in old}
    media[take.name] = take.fingerprint.short
    return loads(dump(replace(edl, ranges=ranges, sources=sources, media=media)).encode(), edit, takes)


def _open(piece: Range) -> Range:
    if piece.status != "accepted":
        return piece
    extra = {key: value for key, value in piece.extra.items() if key != "why"}
    return replace(piece, status="undecided", extra=extra)
