"""The log of changes: how often the cut list became another one, when, and who made it so.

``history/changes.jsonl`` has a line for each time that a version came into force, be it new, undone, redone or found
edited by hand. It only grows, so the number of its lines is the number of changes ever, and whoever remembers that
number can ask what was changed since, and by whom.
"""

from __future__ import annotations

import contextlib
import json
import threading
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from cutbook.errors import CannotWrite, StaleView

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAME = "changes.jsonl"

_Stamp = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Change:
    """One change: the view that made it (empty: Python, a magic, a hand edit), what it was, when, and the version."""

    view: str = ""
    act: str = ""
    when: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class _Seen:
    """What was read of a log, and how the file looked then; a torn last line is not read."""

    stamp: _Stamp
    read: int
    changes: tuple[Change, ...]


_view: ContextVar[tuple[str, int] | None] = ContextVar("cutbook_view", default=None)
_seen: dict[Path, _Seen] = {}
_guard = threading.Lock()


@contextlib.contextmanager
def viewing(view: str, base: int) -> Iterator[None]:
    """Make changes in this block, on this thread, in the name of a view that last saw ``base`` changes.

    A change in it raises :class:`~cutbook.errors.StaleView` where a later one came from anybody else.
    """
    token = _view.set((view, base))
    try:
        yield
    finally:
        _view.reset(token)


def count(edit: Path) -> int:
    """Give the number of changes ever; a look at the file's size and time where nothing is new."""
    return len(log(edit))


def log(edit: Path) -> tuple[Change, ...]:
    """Give all changes, the oldest first."""
    path = edit / "history" / NAME
    try:
        found = path.stat()
    except OSError:
        return ()
    stamp = (found.st_ino, found.st_size, found.st_mtime_ns)
    with _guard:
        seen = _seen.get(path)
        if seen is None or seen.stamp != stamp:
            seen = _seen[path] = _read(path, stamp, seen)
    return seen.changes


def check(edit: Path) -> None:
    """Refuse to go on in the name of a view that has not seen what somebody else did; called under the lock.

    Raises:
        StaleView: a change after the last that it saw came from another view, from Python or from a hand edit.
    """
    told = _view.get()
    if told is None:
        return
    view, base = told
    made = log(edit)
    if base > len(made) or any(each.view != view for each in made[base:]):
        msg = "the cut list was changed elsewhere since this view showed it; look at it as it is now, and do it again"
        raise StaleView(msg)


def add(edit: Path, act: str, number: int, *, view: str | None = None) -> None:
    """Note that a version came into force, through the view in whose name this is done unless told otherwise.

    Called under the lock, once it is in force.

    Raises:
        CannotWrite: the log cannot be written.
    """
    told = _view.get()
    view = (told[0] if told else "") if view is None else view
    when = datetime.now(UTC).isoformat(timespec="milliseconds")
    row = {"view": view, "act": act, "when": when, "version": number}
    path = edit / "history" / NAME
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a+b") as file:
            end = file.tell()
            file.seek(max(end - 1, 0))
            torn = end > 0 and file.read(1) != b"\n"
            file.write((b"\n" if torn else b"") + json.dumps(row, ensure_ascii=True).encode() + b"\n")
    except OSError as error:
        msg = f"{path} cannot be written: {error.strerror or error}; the change itself is made"
        raise CannotWrite(msg, errno=error.errno) from error


def _read(path: Path, stamp: _Stamp, before: _Seen | None) -> _Seen:
    """Read what a log has gained, or all of it where it is another file or became shorter."""
    grown = before is not None and before.stamp[0] == stamp[0] and before.read <= stamp[1]
    start, known = (before.read, before.changes) if before and grown else (0, ())
    try:
        with path.open("rb") as file:
            file.seek(start)
            data = file.read()
    except OSError:
        return _Seen(stamp, start, known)
    whole = data[: data.rfind(b"\n") + 1]
    return _Seen(stamp, start + len(whole), (*known, *map(_change, whole.splitlines())))


def _change(line: bytes) -> Change:
    try:
        row = json.loads(line)
        return Change(str(row["view"]), str(row["act"]), str(row["when"]), int(row["version"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        return Change()
