"""Ranges of the cut list as people write them: ``3``, ``3-5``, ``1,3`` or an id."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cutbook.edit.decide import Which
    from cutbook.notebook.line import Parser

HELP = "numbers as the table shows them, like 3, 3-5 or 1,3, or ids like r-k7f2q"
_RUN = re.compile(r"(\d{1,6})(?:\s*[-–]\s*(\d{1,6}))?\Z", re.ASCII)
_ID = re.compile(r"[a-z]-\S+\Z")


def ranges(words: Iterable[str], parser: Parser) -> list[Which]:
    """Read numbers, runs of numbers and ids, each once.

    Raises:
        InputError: a word is none of these, or a run ends before it begins.
    """
    found: dict[Which, None] = {}
    for word in words:
        for part in filter(None, word.split(",")):
            if _ID.match(part):
                found[part] = None
                continue
            run = _RUN.match(part)
            if run is None or int(run[2] or run[1]) < int(run[1]):
                parser.error(f"{part!r} names no range; write {HELP}")
            found.update(dict.fromkeys(range(int(run[1]), int(run[2] or run[1]) + 1)))
    return list(found)
