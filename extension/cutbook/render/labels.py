"""What is known of a file in the cache, written before the file is there: what is another file then is damaged."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from pathlib import Path

from cutbook.files import write_atomic
from cutbook.media.flaws import Flaw
from cutbook.render.cache import key

_BLOCK = 1 << 20


def write_label(place: Path, print_: str) -> None:
    """Write down what the bytes of what was made come to; a power cut may lose it."""
    write_atomic(place, json.dumps({"print": print_}), sync=False)


def label(place: Path) -> str | None:
    """Give the print that a label says; None where there is none that can be read."""
    try:
        return str(json.loads(place.read_text("utf-8"))["print"])
    except (OSError, ValueError, TypeError, KeyError):
        return None


def write_flaws(records: Path, print_: str, flaws: Sequence[Flaw]) -> None:
    """Write down what was damaged in what was made, under its print; nothing where nothing was."""
    if flaws:
        write_atomic(flaws_place(records, print_), json.dumps([each.exact() for each in flaws]), sync=False)


def flaws(records: Path, print_: str | None) -> tuple[Flaw, ...]:
    """Give what was damaged in what has a print."""
    try:
        found = json.loads(flaws_place(records, str(print_)).read_text("utf-8"))
        return tuple(Flaw.of(each) for each in found)
    except (OSError, ValueError, TypeError):
        return ()


def flaws_place(records: Path, print_: str) -> Path:
    """Give the place of a record of flaws."""
    return records / f"{key('flaws', print_)}.json"


def print_of_raw(path: Path) -> str:
    """Give the print of raw sound: a checksum of all of it, as cheap as there is one, and how long it is."""
    found = size = 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            found = zlib.crc32(block, found)
            size += len(block)
    return f"{found:08x}.{size}"
