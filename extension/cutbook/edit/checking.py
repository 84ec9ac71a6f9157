"""Whether a cut list can be what it says: its ranges within their takes, its files there, its ids its own."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING

from cutbook.edit.edl import STATUSES, overlay_path, where
from cutbook.edit.fields import fail
from cutbook.edit.layout import grid_length
from cutbook.edit.sources import unknown
from cutbook.timebase import decimals

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from cutbook.edit.edl import Edl, Range
    from cutbook.edit.take import Take


def validate(edl: Edl, takes: Mapping[str, Take], edit: Path) -> None:
    """Check that a cut list can be rendered from these takes: ranges, ids, overlays and their files.

    Raises:
        EdlError: the first thing that cannot be, by number, id and place.
    """
    check_ids(edl.ranges)
    held = {each.source: each.problem for each in edl.ranges if each.problem}
    for number, piece in enumerate(edl.ranges, 1):
        if piece.problem:
            continue
        if piece.source in held:
            fail(f"{where(number, piece)}: {held[piece.source]}")
        take = takes.get(piece.source)
        if take is None:
            fail(f"{where(number, piece)}: {unknown(piece.source, takes)}")
        if wrong := _wrong(piece, take):
            fail(f"{where(number, piece)}: {wrong}")
    _check_overlays(edl, edit)
    if edl.music is not None and not overlay_path(edl.music, edit).is_file():
        fail(f"music ({edl.music.file}): there is no such file; its path counts from the edit folder")


def _wrong(piece: Range, take: Take) -> str:
    """Say what keeps a range from being cut out of its take; nothing where nothing does."""
    first, last = piece.frames
    total = grid_length(take)
    in_take = 0 <= first < last <= total
    early_or_late = piece.audio_lead.numerator < 0 or piece.audio_lag.numerator < 0
    if in_take and piece.rate == take.rate and piece.status in STATUSES and not early_or_late:
        return ""
    if piece.rate != take.rate:
        return (
            f"its frames are counted at {piece.rate} a second, but {take.name} has {take.rate}; cut it anew"
        )
    if first < 0:
        return "it begins before the take; times count from 0"
    if last <= first:
        return "it has no length; end must lie after start"
    if last > total:
        return f"it ends past the take, which is {decimals(total / take.rate)} s long"
    return (
        "audio_lead and audio_lag are seconds from 0 up"
        if early_or_late
        else f"status is {piece.status!r}; it is one of {', '.join(STATUSES)}"
    )


def _check_overlays(edl: Edl, edit: Path) -> None:
    # The film's length is rounded to frames of the output, range by range.
    slack = (
        (len(edl.kept) + 1)
        * Fraction(1, 2)
        / (edl.rate or min((each.rate for each in edl.kept), default=Fraction(24)))
    )
    for number, overlay in enumerate(edl.overlays, 1):
        place = f"overlay {number} ({overlay.file})"
        if overlay.start_in_output < 0 or overlay.duration <= 0:
            fail(f"{place}: start_in_output is seconds from 0 up, duration more than 0")
        if not overlay_path(overlay, edit).is_file():
            fail(f"{place}: there is no such file; its path counts from the edit folder")
        end = overlay.start_in_output + overlay.duration
        if end > edl.duration + slack:
            fail(
                f"{place}: it ends at {decimals(end)} s, but the film at {decimals(edl.duration)} s; "
                "shorten, move or remove it"
            )


def check_ids(ranges: Sequence[Range]) -> None:
    """Check that no two ranges have one id.

    Raises:
        EdlError: two have, by number and id.
    """
    counted = Counter(each.id for each in ranges)
    for id_, count in counted.items():
        if count > 1:
            numbers = [str(number) for number, each in enumerate(ranges, 1) if each.id == id_]
            fail(
                f"ranges {' and '.join(numbers[:4])} have the same id {id_}; remove the key from the newer one, "
                "it gets an id of its own"
            )
