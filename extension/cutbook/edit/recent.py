"""What was read of cut lists lately: a change reads the file before and after, and whoever shows it reads it again.

Cut lists and ranges are never changed in place, so what was read of the same text and the same takes is that still.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cutbook.edit.edl import Edl, Range
    from cutbook.edit.take import Take

_LISTS = 4
_RANGES = 20_000
_KEPT = "_ranges"

_read: list[tuple[bytes, Path, dict[str, Take], Edl]] = []


def recall(data: bytes, edit: Path, takes: Mapping[str, Take]) -> Edl | None:
    """Give the cut list that was read of these bytes when the takes were these; None where that is long ago."""
    for text, folder, known, made in tuple(_read):
        same = folder == edit and text == data and known.keys() == takes.keys()
        if same and all(takes[name] is take for name, take in known.items()):
            return made
    return None


def keep(made: Edl, data: bytes, edit: Path, takes: Mapping[str, Take]) -> None:
    """Keep a cut list that was read, unless a take of it is away: what is said of that changes without its bytes."""
    if not made.problems:
        _read.insert(0, (data, edit, dict(takes), made))
        del _read[_LISTS:]


def ranges(take: Take) -> dict[str, Range]:
    """Give the ranges of a take that were read, by how they were written; they go with the take."""
    kept: dict[str, Range] = vars(take).setdefault(_KEPT, {})
    if len(kept) >= _RANGES:
        kept.clear()
    return kept
