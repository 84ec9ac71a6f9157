"""The open session: what happened since the last persist, a line an event, in edit/session.jsonl."""

from __future__ import annotations

import atexit
import contextlib
import datetime as dt
import json
import math
import os
import secrets
import threading
from dataclasses import asdict, dataclass, is_dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import filelock

from cutbook import files
from cutbook.errors import FileBusy, MemoryLogError
from cutbook.memory import log as project_log
from cutbook.memory.anchors import span_text
from cutbook.memory.log import Log
from cutbook.memory.marks import new_id, sound_id, sound_token
from cutbook.memory.refusal import refusal
from cutbook.timebase import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from cutbook.files import UserFolders

NAME = "session.jsonl"

EDITS = frozenset(
    "cut tighten trim split merge move strike restore swap review reject accept undo redo set import".split()
)
"""Acts of cutbook's own on the cut list. They carry ``changes``; without any they are not noted."""

JUDGED = frozenset("accept reject review trim split merge move strike restore swap".split())
"""Acts whose ``why`` is a person's reason for the range; that of the others only names the act."""

OUTSIDE = "hand edit"
"""A change of edl.json from outside, seen by cutbook; it carries ``changes`` too, but supersedes nothing."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened. ``notebook`` and ``kernel`` say in which notebook and which process of it."""

    id: str
    time: str
    notebook: str
    kernel: str
    kind: str
    facts: Mapping[str, Any]

    def text(self, name: str) -> str:
        """Give a fact as text; empty where it is missing."""
        value = self.facts.get(name)
        return value if isinstance(value, str) else ""

    def rows(self, name: str) -> tuple[Mapping[str, Any], ...]:
        """Give a fact that is a list of objects; whatever else stands in it is left out."""
        value = self.facts.get(name)
        return tuple(row for row in value if isinstance(row, dict)) if isinstance(value, list) else ()

    def names(self, name: str) -> tuple[str, ...]:
        """Give a fact that is a list of texts."""
        value = self.facts.get(name)
        return tuple(row for row in value if isinstance(row, str)) if isinstance(value, list) else ()

    @property
    def anchors(self) -> tuple[str, ...]:
        """The tokens of an entry, those that may stand in a comment."""
        return tuple(filter(sound_token, self.names("anchors")))

    @property
    def changes(self) -> tuple[Mapping[str, Any], ...]:
        """What an edit did to each range, see :mod:`cutbook.memory.changes`; none for what is no edit."""
        if self.kind not in EDITS and self.kind != OUTSIDE:
            return ()
        return tuple(row for row in self.rows("changes") if isinstance(row.get("id"), str))


def local_now() -> dt.datetime:
    """Give the time of this machine, with its zone."""
    return dt.datetime.now().astimezone()


class Session:
    """The open session of one project, as one notebook sees it. Making one reads and writes nothing.

    ``edit`` is the project's ``edit`` folder, ``clock`` tells the time, ``notebook`` is a name for people.
    """

    def __init__(
        self,
        edit: Path,
        folders: UserFolders,
        *,
        clock: Callable[[], dt.datetime] = local_now,
        notebook: str = "",
    ) -> None:
        self.edit = edit
        self.folders = folders
        self.clock = clock
        self.notebook = notebook
        self.path = edit / NAME
        self.log_path = edit / project_log.NAME
        self._started = False
        self._seen: tuple[bytes, tuple[Event, ...]] = b"", ()

    def note(self, kind: str, **facts: Any) -> Event | None:
        """Note something that happened; None when nothing changed by it, so that it is not worth a line.

        Not worth a line: an edit without ``changes``, a transcription that made nothing (``takes``), a render that
        encoded nothing (``encoded`` 0), is right (``ok``) and is not told to be other (``changed``), and a check that
        says what is known already. The line is on the disk when this returns.

        Raises:
            MemoryLogError: session.jsonl cannot be written.
            FileBusy: another process held its lock for a minute.
        """
        plain = {key: _plain(value) for key, value in facts.items()}
        if not self._worth(kind, plain):
            return None
        event = Event(new_id("e"), self.clock().isoformat(), self.notebook, kernel(self.folders), kind, plain)
        try:
            self.edit.mkdir(parents=True, exist_ok=True)
            with files.locked(self.path, self.folders):
                self._write(_line(event))
        except OSError as error:
            if isinstance(error, FileBusy):
                raise
            msg = refusal(
                self.path, error, f"this {kind} is not remembered: make it writable and say it again"
            )
            raise MemoryLogError(msg) from error
        return event

    def events(self) -> tuple[Event, ...]:
        """Give every event of the file, of all notebooks, in the order in which they happened.

        A torn or foreign line is passed over.
        """
        data = self._data()
        known, found = self._seen
        # A session only grows, and it is read at every edit.
        if not known or not data.startswith(known):
            known, found = b"", ()
        whole = data.rfind(b"\n") + 1
        found += tuple(event for _, event in _read(data[len(known) : whole]) if event)
        self._seen = data[:whole], found
        return found + tuple(event for _, event in _read(data[whole:]) if event)

    def unsaved(self, log: Log) -> tuple[Event, ...]:
        """Give the events that are in no section of the log yet."""
        events = self.events()
        saved = _saved(events, log)
        return tuple(event for event in events if event.id not in saved)

    def mine(self, log: Log) -> tuple[Event, ...]:
        """Give the unsaved events that this notebook persists: its own, and those whose kernel is gone.

        Another notebook that is still running persists its own.
        """
        here = kernel(self.folders)
        alive = {here: True}

        def ours(event: Event) -> bool:
            if event.kernel not in alive:
                alive[event.kernel] = _alive(event.kernel, self.folders)
            return not alive[event.kernel] or (event.kernel == here and event.notebook == self.notebook)

        return tuple(event for event in self.unsaved(log) if ours(event))

    def upto(self, events: Iterable[Event]) -> tuple[str, ...]:
        """Name the last of these events, one for each notebook that they come from: ``upto:`` of a section."""
        last = {(event.notebook, event.kernel): event.id for event in events}
        return tuple(dict.fromkeys(last.values()))

    def _worth(self, kind: str, facts: Mapping[str, Any]) -> bool:
        if kind in EDITS or kind == OUTSIDE:
            return bool(facts.get("changes"))
        if kind == "transcribe":
            return bool(facts.get("takes"))
        if kind == "render":
            return bool(facts.get("encoded") or facts.get("changed")) or self._news(facts)
        if kind == "check":
            return self._news(facts)
        return True

    def _news(self, facts: Mapping[str, Any]) -> bool:
        """Tell whether a proof says something else than the last one of the file; a first good one is no news."""
        said = [event.facts for event in self.events() if event.kind in {"render", "check"}]
        last = next((each for each in reversed(said) if each.get("file") == facts.get("file")), None)
        if last is not None:
            return (last.get("ok"), last.get("findings")) != (facts.get("ok"), facts.get("findings"))
        if not facts.get("ok", True):
            return True
        with contextlib.suppress(MemoryLogError):
            log = project_log.read(self.log_path)
            token = check_token(facts)
            return log is not None and any(e.mark and token in e.mark.tokens for e in log.entries)
        return False

    def _data(self) -> bytes:
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            return b""
        except OSError as error:
            msg = f"{self.path} cannot be read: {error.strerror or error}"
            raise MemoryLogError(msg) from error

    def _write(self, line: bytes) -> None:
        if not self._started:
            self._started = True
            data = self._data()
            kept = self._without_saved(data)
            if kept != data:
                files.write_atomic(self.path, _ended(kept) + line)
                return
        with self.path.open("a+b") as file:
            if file.tell():
                file.seek(-1, os.SEEK_END)
                # A line that a crash tore stands alone.
                line = line if file.read(1) == b"\n" else b"\n" + line
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

    def _without_saved(self, data: bytes) -> bytes:
        try:
            log = project_log.read(self.log_path)
        except MemoryLogError:
            return data
        if log is None or not data:
            return data
        lines = _read(data)
        saved = _saved([event for _, event in lines if event], log)
        return b"".join(raw for raw, event in lines if event is None or event.id not in saved)


def check_token(facts: Mapping[str, Any]) -> str:
    """Give the token of an outstanding item about a file's check."""
    from cutbook.memory.text import encode_name

    return f"check:{encode_name(str(facts.get('file', '')))}"


def _ended(data: bytes) -> bytes:
    return data if data.endswith(b"\n") or not data else data + b"\n"


def _saved(events: Iterable[Event], log: Log) -> set[str]:
    """Name the events that lie at or before an ``upto:`` of the same notebook."""
    upto = log.upto
    passed: dict[tuple[str, str], list[str]] = {}
    saved: set[str] = set()
    for event in events:
        waiting = passed.setdefault((event.notebook, event.kernel), [])
        waiting.append(event.id)
        if event.id in upto:
            saved.update(waiting)
            waiting.clear()
    return saved


def _line(event: Event) -> bytes:
    row = {
        "id": event.id,
        "time": event.time,
        "notebook": event.notebook,
        "kernel": event.kernel,
        "kind": event.kind,
        "facts": event.facts,
    }
    return json.dumps(row, ensure_ascii=True, separators=(", ", ": "), allow_nan=False).encode() + b"\n"


def _read(data: bytes) -> list[tuple[bytes, Event | None]]:
    return [(raw, _event(raw)) for raw in data.splitlines(keepends=True)]


def _event(raw: bytes) -> Event | None:
    try:
        row = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    names = ("id", "time", "notebook", "kernel", "kind")
    if not isinstance(row, dict) or not isinstance(row.get("facts"), dict):
        return None
    if not all(isinstance(row.get(name), str) for name in names) or not sound_id(row["id"]):
        return None
    return Event(row["id"], row["time"], row["notebook"], row["kernel"], row["kind"], row["facts"])


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(each) for each in value]
    if is_dataclass(value) and not isinstance(value, type | Span):
        return _plain(asdict(value))
    return _scalar(value)


def _scalar(value: object) -> int | float | str | None:
    if isinstance(value, Span):
        return span_text(value)
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else str(value)
    if isinstance(value, float):
        return round(value, 6) if math.isfinite(value) else None
    return value.name if isinstance(value, Path) else str(value)


_HELD = 16
"""Most state folders, so open files, that a process keeps its lock in; a person has one."""

_naming = threading.Lock()
_held: dict[tuple[int, Path], tuple[str, filelock.BaseFileLock]] = {}


def kernel(folders: UserFolders) -> str:
    """Name this process; a lock in the user's state folder, held while it lives, tells others that it does."""
    with _naming:
        return _named(folders)


def _named(folders: UserFolders) -> str:
    key = (os.getpid(), folders.state)
    if key not in _held:
        name = secrets.token_hex(6)
        place = _kernels(folders)
        lock = filelock.FileLock(place / f"{name}.lock", thread_local=False)
        try:
            place.mkdir(parents=True, exist_ok=True)
            lock.acquire(timeout=0)
        except OSError:
            # Without a place to say so, nobody is known to live: every notebook persists what there is.
            return ""
        _held[key] = (name, lock)
        atexit.register(_let_go, os.getpid(), lock)
        if len(_held) > _HELD:
            oldest = next(iter(_held))
            _let_go(oldest[0], _held.pop(oldest)[1])
    return _held[key][0]


def _let_go(process: int, lock: filelock.BaseFileLock) -> None:
    """Leave no lock file behind; a fork does not take away its parent's."""
    if os.getpid() == process:
        lock.release()
        with contextlib.suppress(OSError):
            Path(lock.lock_file).unlink()


def _alive(name: str, folders: UserFolders) -> bool:
    path = _kernels(folders) / f"{name}.lock"
    if not name.isalnum() or not path.exists():
        return False
    try:
        with filelock.FileLock(path, timeout=0):
            pass
    except filelock.Timeout:
        return True
    with contextlib.suppress(OSError):
        path.unlink()
    return False


def _kernels(folders: UserFolders) -> Path:
    return folders.state / "kernels"
