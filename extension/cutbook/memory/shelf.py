"""Sections of a long log as they were read, kept in the user's cache so that a new process reads the end of it alone.

A log is only appended to: what was read holds for as long as the bytes that it was read from begin the file, which
their sha256 tells. Anything else, a hand in the middle, a damaged or missing file, another version of cutbook, and the
log is read whole again. The last section is never kept, since what is appended next may still belong to it.
"""

from __future__ import annotations

import datetime as dt
import functools
import hashlib
import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cutbook import files
from cutbook.errors import CannotWrite
from cutbook.memory.entries import Entry, Section, no_collecting
from cutbook.memory.marks import Mark, Target

if TYPE_CHECKING:
    from pathlib import Path

    from cutbook.files import UserFolders
    from cutbook.memory.entries import Log

LARGE = 1 << 18
"""Bytes from which on reading them again costs more than keeping them."""

_PLACE = "logs"
"""The folder in the cache."""

_ID = len("d-k7f2q")
"""What an id in a comment is long; one that is served a second time has ``~2`` after it."""

FENCES = (b"```", b"~~~")


@dataclass(frozen=True, slots=True)
class Known:
    """Sections that stand before byte ``end`` of a log; ``level`` is that of its sessions' headings."""

    end: int
    level: int
    sections: tuple[Section, ...]


def keep(data: bytes, log: Log, path: Path, folders: UserFolders) -> None:
    """Keep what was read of a log, where it is of a kind that can be taken up again and the cache can be written."""
    row = _row(data, log)
    if row is None:
        return
    try:
        body = json.dumps({"form": _form(), **row}, separators=(",", ":")).encode()
        digest = hashlib.sha256(body).hexdigest().encode()
        files.write_atomic(_file(path, folders), digest + b"\n" + body)
    except (CannotWrite, OSError):
        return


def recall(data: bytes, path: Path, folders: UserFolders) -> Known | None:
    """Give what was kept of a log, where it begins with the bytes of then; None where there is nothing of use."""
    try:
        kept = _file(path, folders).read_bytes()
        digest, _, body = kept.partition(b"\n")
        if hashlib.sha256(body).hexdigest().encode() != digest:
            return None
        with no_collecting():
            row = json.loads(body)
            return _known(data, row) if _fits(data, row) else None
    except (OSError, ValueError, KeyError, TypeError, IndexError, RecursionError):
        return None


def _fits(data: bytes, row: dict[str, Any]) -> bool:
    end = int(row["end"])
    # After a heading that is not indented nothing hangs on what is before it.
    if row["form"] != _form() or data[end : end + 1] != b"#":
        return False
    return bool(hashlib.sha256(memoryview(data)[:end]).hexdigest() == row["sha256"])


@functools.cache
def _form() -> str:
    """Name the state of the grammar: what another one read is not taken up."""
    with os.scandir(os.path.dirname(__file__)) as found:  # noqa: PTH120 - as scandir takes it
        rows = sorted(
            (each.name, each.stat().st_size, each.stat().st_mtime_ns)
            for each in found
            if each.name.endswith(".py")
        )
    return hashlib.sha256(repr(rows).encode()).hexdigest()[:12]


def _file(path: Path, folders: UserFolders) -> Path:
    place = hashlib.sha256(str(path.absolute()).encode("utf-8", "surrogatepass")).hexdigest()[:24]
    return folders.cache / _PLACE / f"{place}.json"


def _row(data: bytes, log: Log) -> dict[str, Any] | None:
    sections = log.sections[:-1]
    if not sections:
        return None
    end = len(data) - len(log.sections[-1].source)
    entries = [entry for section in sections for entry in section.entries]
    if any(data.find(fence, 0, end) >= 0 for fence in FENCES):
        return None
    heading = sections[0].source.lstrip(b" ")
    marks = [entry.mark for entry in entries]
    return {
        "end": end,
        "sha256": hashlib.sha256(memoryview(data)[:end]).hexdigest(),
        "level": len(heading) - len(heading.lstrip(b"#")),
        "sections": [
            (
                each.number,
                each.date and each.date.toordinal(),
                each.title,
                len(each.source),
                each.strategy,
                each.mark and (each.mark.id, each.mark.verb, _pairs(each.mark), each.mark.tokens),
                [(label, len(found)) for label, found in each.fields.items()],
            )
            for each in sections
        ],
        "ids": [entry.id for entry in entries],
        "texts": [entry.raw for entry in entries],
        "tokens": [mark and mark.tokens for mark in marks],
        "ticked": [place for place, entry in enumerate(entries) if entry.ticked],
        "acts": [(n, mark.verb, _pairs(mark)) for n, mark in enumerate(marks) if mark and mark.verb],
    }


def _known(data: bytes, row: dict[str, Any]) -> Known:
    sessions = [each[0] for each in row["sections"] for _, count in each[6] for _ in range(count)]
    entries = [
        Entry(
            name,
            name[0],
            session,
            text,
            None if tokens is None else Mark(name[:_ID], None, (), tuple(tokens)),
        )
        for name, session, text, tokens in zip(row["ids"], sessions, row["texts"], row["tokens"], strict=True)
    ]
    for place in row["ticked"]:
        entries[place] = entries[place]._replace(ticked=True)
    for place, verb, targets in row["acts"]:
        act = Mark(entries[place].id[:_ID], verb, _targets(targets), tuple(row["tokens"][place]))
        entries[place] = entries[place]._replace(mark=act)
    at = int(row["end"]) - sum(each[3] for each in row["sections"])
    sections, first = [], 0
    for number, day, title, length, strategy, mark, labels in row["sections"]:
        fields = {}
        for label, count in labels:
            fields[label] = tuple(entries[first : first + count])
            first += count
        said = Mark(mark[0], mark[1], _targets(mark[2]), tuple(mark[3])) if mark else None
        date = dt.date.fromordinal(day) if day else None
        sections.append(Section(number, date, title, data[at : at + length], strategy, said, fields))
        at += length
    return Known(int(row["end"]), int(row["level"]), tuple(sections))


def _pairs(mark: Mark) -> list[tuple[str, str | None]]:
    return [(target.id, target.text) for target in mark.targets]


def _targets(rows: list[list[Any]]) -> tuple[Target, ...]:
    return tuple(Target(name, text) for name, text in rows)
