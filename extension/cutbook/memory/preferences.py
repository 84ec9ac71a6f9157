"""Preferences: typed keys that the tool reads, a project's facets, and free lines for whoever works here.

One line a preference, in project.md and in the user's ``preferences.md`` alike: ``- [key] value (reason, date)``, or
free text without a key. The last line of a key holds and the older ones stay. ``unset`` takes a key back.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutbook import files
from cutbook.errors import InputError, MemoryLogError, SettingError
from cutbook.memory import front
from cutbook.memory import log as project_log
from cutbook.memory.log import Log
from cutbook.memory.markdown import hidden_lines, split_lines
from cutbook.memory.marks import new_id
from cutbook.memory.refusal import refusal
from cutbook.memory.served import fold
from cutbook.memory.session import Event, Session
from cutbook.memory.text import decode_name, encode_name, escape, one_line, unescape
from cutbook.settings import Rung, read_setting

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cutbook.memory.log import Section

KEYS = (
    "captions",
    "fillers",
    "grade",
    "language",
    "loudness_lufs",
    "max_pause_s",
    "pad_after_ms",
    "pad_before_ms",
    "rate",
    "size",
    "true_peak_db",
)
"""The settings that a preference may set: never what costs money, names a program or says where a key goes."""

FACETS = ("genre", "language", "client")
"""What tells projects apart; a lesson can be for some of them alone."""

SESSION, PROJECT, USER = "this session's preference", "the project's preference", "the user's preference"
UNSET = "unset"
NAME = "preferences.md"
OVERRIDES = 3
"""Sessions with the same override after which it is suggested as a preference."""

_KEYED = re.compile(r"\[([a-z_]{2,40})\]\s*(.*)\Z")
_ASKED = re.compile(r"([a-z_]{2,40})\s*=\s*(.*)\Z")
_BACK = re.compile(r"unset\s+([a-z_]{2,40})\Z")
_CODE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z]{2,4})?\Z")
_DATE = r"\d{4}-\d\d-\d\d"
_TAIL = re.compile(rf"\s*\((?:([^()]*), )?({_DATE})\)\Z")


@dataclass(frozen=True, slots=True, repr=False)
class Preference:
    """One line. ``key`` is empty for free text; ``where`` names the rung; ``id`` is empty in ``preferences.md``."""

    key: str
    value: str
    where: str
    id: str = ""
    why: str = ""
    date: str = field(default="", compare=False)

    @property
    def line(self) -> str:
        """The preference in words, without its date."""
        said = f"{self.key} = {self.value}" if self.key else self.value
        return f"{said} ({self.why})" if self.why else said

    def __repr__(self) -> str:
        return f"{self.line} — {self.where}"


def read_line(text: str, where: str, name: str = "") -> Preference | None:
    """Read one line; None where its key is none or its value not one of the key's."""
    keyed = _KEYED.match(text)
    value = keyed[2] if keyed else text
    tail = _TAIL.search(value)
    body, why, date = (value[: tail.start()], tail[1] or "", tail[2]) if tail else (value, "", "")
    if keyed is None:
        return Preference("", body.strip(), where, name, why, date) if body.strip() else None
    found = Preference(keyed[1], body.strip(), where, name, why, date)
    return found if _sound(found) else None


def _sound(found: Preference) -> bool:
    if found.value == UNSET:
        return found.key in KEYS or found.key in FACETS
    if found.key in KEYS:
        try:
            read_setting(found.key, found.value, found.where)
        except SettingError:
            return False
        return True
    return found.key in FACETS and bool(found.value)


def write_line(key: str, value: str, why: str, date: str) -> str:
    """Write one line as it stands in either file; ``date`` is an ISO date."""
    why = why.replace("(", "[").replace(")", "]")
    tail = f"({why}, {date})" if why else f"({date})"
    return f"[{key}] {value} {tail}" if key else f"{value} {tail}"


def asked(text: str) -> tuple[str, str]:
    """Split ``KEY=VALUE``, and check it; a text that is none is a free line, with an empty key.

    Raises:
        SettingError: the key is no preference or the value none of its.
    """
    said = one_line(text)
    back = _BACK.match(said)
    if back and back[1] in {*KEYS, *FACETS}:
        return back[1], UNSET
    match = _ASKED.match(said)
    if match is None:
        if not said:
            msg = "prefer wants KEY=VALUE or a text"
            raise InputError(msg)
        return "", said
    key, value = match[1], match[2].strip() or UNSET
    if key not in KEYS and key not in FACETS:
        msg = f"{key!r} is no preference; there are {', '.join(sorted({*KEYS, *FACETS}))}"
        raise SettingError(msg)
    if key == "language" and value != UNSET and not _CODE.match(value):
        msg = f"language={value} is no language that an engine knows; write a code like en, de or zh"
        raise SettingError(msg)
    if key in KEYS and value != UNSET:
        read_setting(key, value, "call")
    return key, value


class Preferences:
    """Every preference that holds for a project, from its open session, its log and the user's library.

    Making one reads nothing; what was read is kept while the files stay as they are.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.path = session.folders.config / "library" / NAME
        self._kept: tuple[object, tuple[Preference, ...]] | None = None

    def lines(self) -> tuple[Preference, ...]:
        """Give every line that is understood, lowest rung first, the oldest first within one."""
        stamp = tuple(map(_stamp, (self.path, self._session.log_path, self._session.path)))
        if self._kept is None or self._kept[0] != stamp:
            self._kept = stamp, (*self._user(), *self._own())
        return self._kept[1]

    def holding(self) -> tuple[Preference, ...]:
        """Give the lines that hold: of a key the last of the highest rung, of equal texts one."""
        last: dict[tuple[str, str], Preference] = {}
        user: dict[tuple[str, str], Preference] = {}
        for each in self.lines():
            key = (each.key, "" if each.key else each.value)
            before = last.pop(key, None)
            if each.where == USER:
                user[key] = each
            if each.key and each.value == UNSET:
                before = user.get(key) if each.where != USER else None
                last.update({key: before} if before and before.value != UNSET else {})
            else:
                last[key] = each
        return tuple(last.values())

    def rungs(self) -> tuple[Rung, Rung, Rung]:
        """Give the settings among them as rungs of the ladder: this session's, the project's, the user's."""
        found: dict[str, dict[str, object]] = {SESSION: {}, PROJECT: {}, USER: {}}
        for each in self.lines():
            if each.key not in KEYS:
                continue
            if each.value != UNSET:
                found[each.where][each.key] = each.value
            else:
                for where in {SESSION: (SESSION, PROJECT)}.get(each.where, (each.where,)):
                    found[where].pop(each.key, None)
        session, project, user = (Rung(name, values) for name, values in found.items())
        return session, project, user

    def facets(self) -> dict[str, str]:
        """Give what this project is: its genre, language and client, as far as they are said."""
        return {each.key: each.value for each in self.holding() if each.key in FACETS}

    def prefer(self, text: str, *, why: str = "", everywhere: bool = False) -> Preference:
        """Prefer something from now on: in this project, or everywhere.

        Raises:
            SettingError: the key is no preference or the value none of its; nothing is written.
            MemoryLogError: it cannot be written.
        """
        key, value = asked(text)
        why = one_line(why)
        own = [each for each in self.lines() if (each.where == USER) is everywhere and each.key == key]
        same = own[-1:] if key else [each for each in own if each.value == value]
        if same and same[-1].value == value and why in {"", same[-1].why}:
            return same[-1]
        line = write_line(key, value, why, self._session.clock().date().isoformat())
        if everywhere:
            self._append(line)
            return Preference(key, value, USER, "", why)
        entry = new_id("p")
        older = [each.id for each in own if key and each.where == PROJECT and each.id]
        tokens = [f"supersedes:{name}" for name in older]
        self._session.note("prefer", entry=entry, text=line, key=key, anchors=tokens)
        return Preference(key, value, SESSION, entry, why)

    def _append(self, line: str) -> None:
        session = self._session
        try:
            with files.locked(self.path, session.folders):
                before = self.path.read_text("utf-8") if self.path.exists() else _head(session.clock())
                gap = "" if before.endswith("\n") else "\n"
                files.write_atomic(self.path, f"{before}{gap}- {escape(line)}\n")
        except (OSError, UnicodeDecodeError) as error:
            msg = refusal(
                self.path, error, "nothing is changed: make it writable, or prefer it for this project alone"
            )
            raise MemoryLogError(msg) from error

    def _user(self) -> list[Preference]:
        try:
            text = self.path.read_text("utf-8-sig", errors="replace")
        except OSError:
            return []
        return read_page(text, USER)

    def _own(self) -> list[Preference]:
        session = self._session
        try:
            data = session.log_path.read_bytes() if session.log_path.exists() else b""
            events = session.path.read_bytes() if session.path.exists() else b""
        except OSError:
            return []
        if b"<!-- m p-" not in data and b'"prefer"' not in events:
            return []
        log = project_log.read(session.log_path) or Log()
        state = fold(log)
        unsaved = session.unsaved(log)
        # What replaced an older one and is given up later does not bring that back.
        ended = {
            *state.ended,
            *(event.text("target").partition("=")[0] for event in unsaved if event.kind == "abandon"),
        }
        found = [
            read_line(entry.text, PROJECT, entry.id) for entry in state.entries.values() if entry.kind == "p"
        ]
        told = [
            read_line(event.text("text"), SESSION, event.text("entry"))
            for event in unsaved
            if event.kind == "prefer"
        ]
        return [each for each in (*found, *told) if each and each.id not in ended]


def read_page(text: str, where: str) -> list[Preference]:
    """Read the lines of a ``preferences.md``."""
    _, body = front.split(text)
    lines = split_lines(text[body:])
    hidden, _ = hidden_lines(lines)
    rows = [line.strip() for line, veiled in zip(lines, hidden, strict=True) if not veiled]
    found = [read_line(unescape(row[2:].strip()), where) for row in rows if row.startswith(("- ", "* "))]
    return [each for each in found if each]


def taken_back(events: Sequence[Event]) -> frozenset[str]:
    """Name the events of an open session whose preference a later one of the same key took back."""
    last = {event.text("key"): event.id for event in events if event.kind == "prefer" and event.text("key")}
    return frozenset(
        event.id
        for event in events
        if event.kind == "prefer" and event.text("key") and last[event.text("key")] != event.id
    )


def override_tokens(overrides: Mapping[str, object]) -> tuple[str, ...]:
    """Write what calls of a session said otherwise, as tokens of its section."""
    found = []
    for key, value in sorted(overrides.items()):
        if key in KEYS and value is not None:
            found.append(f"override:{encode_name(key)}={encode_name(written(value))}")
    return tuple(found)


def written(value: Any) -> str:
    """Write a setting's value as a person types it."""
    if isinstance(value, tuple | list):
        return "x".join(map(str, value))
    if isinstance(value, float):
        return f"{value:g}"
    return str(value).lower() if isinstance(value, bool) else str(value)


def suggestions(sections: Iterable[Section], values: Mapping[str, str]) -> tuple[str, ...]:
    """Suggest what was said by hand in three sessions and is not what holds: the command that would set it."""
    counts: Counter[tuple[str, str]] = Counter()
    for section in sections:
        tokens = section.mark.values("override") if section.mark else ()
        counts.update({(key, decode_name(value)) for key, _, value in (t.partition("=") for t in tokens)})
    return tuple(
        f"{key} was {value} in {number} sessions: `%memory prefer {key}={value}` would keep it"
        for (key, value), number in sorted(counts.items())
        if number >= OVERRIDES and key in KEYS and values.get(key) != value
    )


def _stamp(path: Path) -> object:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns, found.st_ino


def _head(now: dt.datetime) -> str:
    import uuid

    time = now.isoformat(timespec="seconds")
    head = front.dump(
        {
            "title": "Preferences",
            "uuid": str(uuid.uuid4()),
            "summary": "What is preferred in every project; the last line of a key holds.",
            "created": time,
            "updated": time,
        }
    )
    return f"{head}\n"
