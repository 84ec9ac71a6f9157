"""The ranges of the cut list as it lies there, whatever else is wrong with it: what anchors are compared with."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cutbook.edit.edl import NAME
from cutbook.edit.reading import loads
from cutbook.errors import CutbookError
from cutbook.memory.content import holder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from cutbook.edit.edl import Range
    from cutbook.edit.take import Take


def ranges(edit: Path, takes: Mapping[str, Take]) -> tuple[Range, ...] | None:
    """Read the ranges of ``edl.json``; one that cannot be read is left out, None where there is no cut list.

    A take that the list knows by an old name is found by its content. Writes nothing.
    """
    try:
        data = (edit / NAME).read_bytes()
    except OSError:
        return None
    document = _document(data)
    if document is None:
        return None
    old = _renamed(document, edit, takes)
    known = {**takes, **old}
    try:
        found = loads(data, edit, known).ranges
    except CutbookError:
        found = tuple(_one_by_one(document, edit, known))
    return tuple(
        replace(each, source=old[each.source].name) if each.source in old else each for each in found
    )


def to_adopt(found: Iterable[Range]) -> dict[str, str]:
    """Say of each take of the cut that is another file than when it was cut what to do, whatever memory holds of it."""
    return {each.source: each.problem for each in found if "%edl adopt" in each.problem}


def _document(data: bytes) -> dict[str, Any] | None:
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) and isinstance(document.get("ranges"), list) else None


def _one_by_one(document: Mapping[str, Any], edit: Path, takes: Mapping[str, Take]) -> Iterator[Range]:
    for row in document["ranges"]:
        alone = {"version": document.get("version"), "sources": document.get("sources"), "ranges": [row]}
        try:
            yield from loads(json.dumps(alone).encode(), edit, takes).ranges
        except (CutbookError, ValueError):
            continue


def _renamed(document: Mapping[str, Any], edit: Path, takes: Mapping[str, Take]) -> dict[str, Take]:
    """Find the takes that the list has under names that nothing has now, by what they held."""
    media, sources = (document.get(key) for key in ("media", "sources"))
    if not isinstance(media, dict):
        return {}
    sources = sources if isinstance(sources, dict) else {}
    here = {os.path.realpath(take.path) for take in takes.values()}
    found: dict[str, Take] = {}
    for name, value in media.items():
        lies = os.path.realpath(edit / str(sources.get(name, ""))) in here
        if name not in takes and not lies and (take := holder(takes, str(value))) is not None:
            found[name] = take
    return found
