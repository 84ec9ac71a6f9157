"""What made each version of the cut list, in few words: the verb, and the ranges by the numbers that they had then."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from cutbook.edit.ranges import spelled
from cutbook.edit.shelf import note_of, path_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

_DECISIONS = ("accept", "reject", "undecided", "reason")
_VERBS = frozenset(
    (*_DECISIONS, "trim", "split", "merge", "move", "swap", "cut words", "restore", "tighten"),
)
"""Verbs that change single ranges, as the history says who made a version."""

_MOST = 5


def deed(edit: Path, number: int) -> str:
    """Say what made a version, such as ``trim 3`` or ``accept 1-4``; empty where that is not told by ranges."""
    note = note_of(edit, number)
    try:
        return _deed(edit, number, note.stat().st_mtime_ns)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return ""


@lru_cache(maxsize=4096)
def _deed(edit: Path, number: int, _stamp: int) -> str:
    note = json.loads(note_of(edit, number).read_text("utf-8"))
    by, after = str(note["by"]), int(note["after"])
    if not after or by not in _VERBS:
        return ""
    old, new = _ranges(path_of(edit, after)), _ranges(path_of(edit, number))
    places = {each["id"]: place for place, each in enumerate(old, 1)}
    now = {each["id"]: each for each in new}
    changed = [each for each in old if each["id"] in now and now[each["id"]] != each]
    gone = [each for each in old if each["id"] not in now]
    touched = sorted(places[each["id"]] for each in (*changed, *gone))
    if by == "move":
        touched = _moved([each["id"] for each in old], [each["id"] for each in new])
    elif not touched:
        touched = [place for place, each in enumerate(new, 1) if each["id"] not in places]
    return f"{by} {_numbers(touched)}" if touched else ""


@lru_cache(maxsize=3)
def _ranges(path: Path) -> Sequence[Mapping[str, Any]]:
    found: Sequence[Mapping[str, Any]] = json.loads(path.read_bytes())["ranges"]
    return found


def _moved(old: Sequence[str], new: Sequence[str]) -> list[int]:
    """Give the numbers of ranges that were moved as one piece: the shorter of two that changed places."""
    if sorted(old) != sorted(new) or old == new:
        return []
    first = next(place for place, pair in enumerate(zip(old, new, strict=True)) if pair[0] != pair[1])
    end = len(old)
    while old[end - 1] == new[end - 1]:
        end -= 1
    cut = old.index(new[first])
    if [*old[cut:end], *old[first:cut]] != list(new[first:end]):
        return []
    piece = range(cut, end) if end - cut <= cut - first else range(first, cut)
    return [place + 1 for place in piece]


def _numbers(numbers: Iterable[int]) -> str:
    """Write numbers with what follows one another as a span, or how many there are."""
    every = sorted(numbers)
    said = spelled(every)
    return f"{len(every)} ranges" if len(said) > _MOST else ", ".join(said)
