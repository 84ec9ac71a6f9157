"""The versions of a cut list as they lie in ``history/``: numbered files, a note beside each, and what is in force."""

from __future__ import annotations

import hashlib
import json
import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cutbook.edit.edl import NAME
from cutbook.files import write_atomic

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = "history"
_NOTE = ".meta.json"
_NUMBERED = re.compile(r"(\d{4,})\.json\Z")


@dataclass(frozen=True, slots=True)
class Version:
    """One version of the cut list. ``when`` is ISO 8601 in UTC; ``current`` tells the one in force.

    ``digest`` is the sha256 of its bytes, ``same`` that of what it says, however it is written and whatever its ids.
    ``valid`` is False for a hand edit that was no cut list: it is kept and never put back by undo.
    ``new`` tells, of what saving returns, that it made this version.
    """

    number: int
    path: Path
    by: str = ""
    why: str = ""
    when: str = ""
    digest: str = ""
    same: str = ""
    valid: bool = True
    current: bool = False
    new: bool = False


@dataclass(frozen=True, slots=True)
class Head:
    """Numbers in the order in which they came into force, the index of the one that is, and its bytes' hash."""

    stack: tuple[int, ...] = ()
    at: int = -1
    digest: str = ""

    @property
    def number(self) -> int:
        """The number of the version in force, 0 where there is none."""
        return self.stack[self.at] if 0 <= self.at < len(self.stack) else 0


def pushed(head: Head, number: int, data: bytes) -> Head:
    """Give the pointer after a version came into force: what was undone before is forgotten."""
    stack = (*head.stack[: head.at + 1], number)
    return Head(stack, len(stack) - 1, digest_of(data))


def read_head(edit: Path) -> Head:
    """Read which version is in force; made anew from the numbered files where that is lost."""
    try:
        found = json.loads((edit / FOLDER / "head.json").read_text(encoding="utf-8"))
        head = Head(tuple(map(int, found["stack"])), int(found["at"]), str(found["sha256"]))
        if set(head.stack) <= set(numbers(edit)) and 0 <= head.at < len(head.stack):
            return head
    except FileNotFoundError:
        pass
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return _rebuilt(edit)


def _rebuilt(edit: Path) -> Head:
    """Make the pointer anew: all versions in order, the one in force is the newest whose bytes lie in place."""
    found = [each for each in versions(edit) if each.valid]
    if not found:
        return Head()
    try:
        here = digest_of((edit / NAME).read_bytes())
    except OSError:
        here = ""
    at = next((at for at in reversed(range(len(found))) if found[at].digest == here), len(found) - 1)
    return Head(tuple(each.number for each in found), at, found[at].digest)


def write_head(edit: Path, head: Head) -> None:
    """Write which version is in force."""
    text = json.dumps({"stack": list(head.stack), "at": head.at, "sha256": head.digest})
    write_atomic(edit / FOLDER / "head.json", text + "\n", sync=False)


def numbers(edit: Path) -> list[int]:
    """Give the numbers of the versions, in order."""
    try:
        with os.scandir(edit / FOLDER) as entries:
            return sorted(int(hit[1]) for each in entries if (hit := _NUMBERED.match(each.name)))
    except OSError:
        return []


_known: dict[str, tuple[tuple[int, int, int], Version]] = {}
"""Versions as their notes had them, and how the files of the notes looked then: a version does not change."""


def versions(edit: Path) -> list[Version]:
    """Give every version, oldest first; notes that are as they were are not read again."""
    found: list[int] = []
    notes: dict[str, os.DirEntry[str]] = {}
    try:
        with os.scandir(edit / FOLDER) as entries:
            for each in entries:
                if hit := _NUMBERED.match(each.name):
                    found.append(int(hit[1]))
                elif each.name.endswith(_NOTE):
                    notes[each.name] = each
        return [_version(edit, number, notes.get(f"{number:04d}{_NOTE}")) for number in sorted(found)]
    except (FileNotFoundError, NotADirectoryError):
        return []


def _version(edit: Path, number: int, note: os.DirEntry[str] | None) -> Version:
    if note is None:
        return _read_version(edit, number)
    found = note.stat()
    stamp = (found.st_ino, found.st_size, found.st_mtime_ns)
    kept = _known.get(note.path)
    if kept is None or kept[0] != stamp:
        kept = _known[note.path] = stamp, _read_version(edit, number)
    return kept[1]


def _read_version(edit: Path, number: int) -> Version:
    path = path_of(edit, number)
    try:
        meta = json.loads(note_of(edit, number).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        meta = {}
    if not isinstance(meta, dict):
        meta = {}
    return Version(
        number,
        path,
        same=str(meta.get("same") or sameness(path.read_bytes())),
        by=str(meta.get("by", "")),
        why=str(meta.get("why", "")),
        when=str(meta.get("when", "")),
        digest=str(meta.get("sha256") or digest_of(path.read_bytes())),
        valid=meta.get("valid", True) is not False,
    )


def sameness(data: bytes) -> str:
    """Give what makes two versions the same cut list: everything but ids and how the text is laid out."""
    document = as_data(data)
    if isinstance(document, dict):
        ranges = document.get("ranges")
        for each in ranges if isinstance(ranges, list) else ():
            if isinstance(each, dict):
                each.pop("id", None)
    return digest_of(json.dumps(document, sort_keys=True).encode())


def as_data(data: bytes) -> Any:
    """Give what a file says, or its bytes where it is no JSON."""
    try:
        return json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return data.hex()


def path_of(edit: Path, number: int) -> Path:
    """Give the file of a version."""
    return edit / FOLDER / f"{number:04d}.json"


def note_of(edit: Path, number: int) -> Path:
    """Give the file that says who made a version, why and when."""
    return edit / FOLDER / f"{number:04d}{_NOTE}"


def digest_of(data: bytes) -> str:
    """Give the sha256 of bytes."""
    return hashlib.sha256(data).hexdigest()
