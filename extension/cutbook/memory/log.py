"""project.md, the log: bytes in, bytes out, and the one place that writes it.

Whatever is not understood is kept byte for byte: a log is its head and its sections, and these joined are the file.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import errno
import functools
import os
import re
import secrets
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutbook import files
from cutbook.errors import FileBusy, LogChanged, MemoryLogError
from cutbook.memory import front, markdown
from cutbook.memory.marks import Mark, find_mark
from cutbook.memory.text import short_hash, unescape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from cutbook.files import UserFolders

NAME = "project.md"
KINDS = {
    "strategy": "s",
    "decision": "d",
    "decisions": "d",
    "reasoning": "r",
    "reasoning log": "r",
    "outstanding": "o",
}
"""The fields that are known, by their label in lower case, and the kind of what stands in them."""

_NOTHING = frozenset(
    {"none", "n/a", "na", "nothing", "nil", "无", "無", "なし", "없음", "keine", "nothing outstanding"}
)
_BOX = re.compile(r"\A\[[ xX]\](?:\s+|\Z)")
_TICKED = re.compile(r"\[[xX]\](?:\s|\Z)")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_BOM = "\ufeff"
_CONFLICT = re.compile(rb"^(?:<<<<<<<|>>>>>>>) ", re.MULTILINE)
_TRIES = 20


@dataclass(frozen=True, slots=True)
class Entry:
    """One item of the log as it is served.

    ``id`` is the comment's, or ``d-<session>-<n>`` for the nth item of a field without one; an id met before gets
    ``~2``. ``kind`` is d, r, o, e or p. ``raw`` is the text as it stands, without the comment.
    """

    id: str
    kind: str
    session: int
    raw: str
    mark: Mark | None = None
    ticked: bool = False

    @property
    def text(self) -> str:
        """The words of the entry as they were typed, without a tick box."""
        return unescape(_BOX.sub("", " ".join(self.raw.split("\n"))))

    @property
    def text_hash(self) -> str:
        """The hash by which an event names an entry that has no id of its own."""
        return short_hash(self.text)


@dataclass(frozen=True, slots=True)
class Section:
    """One session of the log. ``raw`` is its text in the file, ``fields`` maps each label as written to its entries.

    ``strategy`` is the words of that field, ``mark`` its comment (``s-<number>``).
    """

    number: int
    date: dt.date | None
    title: str
    raw: str
    strategy: str = ""
    mark: Mark | None = None
    fields: Mapping[str, tuple[Entry, ...]] = field(default_factory=dict)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every entry in the order of the file."""
        return tuple(entry for entries in self.fields.values() for entry in entries)

    def text(self) -> str:
        """Give the section as it stands in the file, with LF."""
        return self.raw.replace("\r\n", "\n").strip() + "\n"

    def __repr__(self) -> str:
        return self.text()

    def _repr_markdown_(self) -> str:
        return self.text()


@dataclass(frozen=True, slots=True)
class Log:
    """A whole project.md. ``warnings`` says in plain words what is odd about it."""

    head: str = ""
    sections: tuple[Section, ...] = ()
    front: Mapping[str, Any] = field(default_factory=dict)
    crlf: bool = False
    utf16: bytes = b""
    open_fence: str | None = None
    warnings: tuple[str, ...] = ()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every entry in the order of the file."""
        return tuple(entry for section in self.sections for entry in section.entries)

    @property
    def last(self) -> Section | None:
        """The last session: the highest number, then the latest in the file. Dates never decide."""
        return max(reversed(self.sections), key=lambda each: each.number, default=None)

    @property
    def next_number(self) -> int:
        """The number of the next session."""
        return max((each.number for each in self.sections), default=0) + 1

    @property
    def uuid(self) -> str | None:
        """The project's uuid, from the front matter or else from the first Strategy that carries one."""
        if isinstance(self.front.get("uuid"), str):
            return str(self.front["uuid"])
        return next(
            (value for each in self.sections if each.mark for value in each.mark.values("uuid")), None
        )

    @property
    def upto(self) -> frozenset[str]:
        """The events of open sessions up to which the log has come."""
        return frozenset(value for each in self.sections if each.mark for value in each.mark.values("upto"))


def serialise(log: Log) -> bytes:
    """Give the bytes of a log: exactly those that it was parsed from."""
    if log.utf16:
        return log.utf16
    return _encode("".join((log.head, *(section.raw for section in log.sections))))


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


@functools.lru_cache(maxsize=4)
def _parsed(data: bytes) -> Log:
    return parse(data)


def parse(data: bytes) -> Log:
    """Read a log; never raises, whatever the bytes are."""
    if data[:2] in _UTF16:
        return Log(utf16=data, warnings=(f"{NAME} is in UTF-16; save it as UTF-8",))
    text = data.decode("utf-8", "surrogateescape")
    bom = len(_BOM) if text.startswith(_BOM) else 0
    values, body = front.split(text[bom:])
    lines = markdown.split_lines(text[bom + body :])
    hidden, open_fence = markdown.hidden_lines(lines)
    starts = list(_starts(lines, hidden))
    bounds = [*(number for number, _ in starts), len(lines)]
    names = _Names()
    sections = tuple(
        _section(heading, lines[first:last], hidden[first:last], names)
        for (first, heading), last in zip(starts, bounds[1:], strict=True)
    )
    head = text[: bom + body] + "".join(lines[: bounds[0]])
    crlf = data.count(b"\r\n")
    return Log(
        head=head,
        sections=sections,
        front=values,
        crlf=crlf * 2 > data.count(b"\n"),
        open_fence=open_fence,
        warnings=tuple(_warnings(data)),
    )


def _warnings(data: bytes) -> Iterator[str]:
    if _CONFLICT.search(data):
        yield f"{NAME} holds conflict markers of a merge (<<<<<<<, >>>>>>>); keep both sides and remove the markers"
    try:
        data.decode()
    except UnicodeDecodeError as error:
        yield f"{NAME} is not UTF-8 at byte {error.start}; the bytes are kept as they are"


def _starts(lines: list[str], hidden: list[bool]) -> Iterator[tuple[int, markdown.Heading]]:
    level = 0
    for number, (line, veiled) in enumerate(zip(lines, hidden, strict=True)):
        heading = None if veiled else markdown.session_heading(line)
        if heading and (not level or heading.level <= level or heading.date):
            level = level or heading.level
            yield number, heading


class _Names:
    """Hands out ids: the second entry with an id is served as ``id~2``."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def serve(self, name: str) -> str:
        self._seen[name] = self._seen.get(name, 0) + 1
        return name if self._seen[name] == 1 else f"{name}~{self._seen[name]}"


def _section(heading: markdown.Heading, lines: list[str], hidden: list[bool], names: _Names) -> Section:
    strategy, mark = "", None
    fields: dict[str, tuple[Entry, ...]] = {}
    counts: dict[str, int] = {}
    for label, body, veiled in _fields(lines, hidden):
        kind = KINDS.get(label.lower(), "")
        items = markdown.list_items(body, veiled)
        if kind == "s" and not strategy:
            mark, strategy = find_mark("\n".join(text for text, _ in items))
            strategy = unescape(" ".join(strategy.split()))
            continue
        entries = tuple(_entries(heading.number, kind, items, names, counts))
        fields[label] = fields.get(label, ()) + entries
    return Section(heading.number, heading.date, heading.title, "".join(lines), strategy, mark, fields)


def _fields(lines: list[str], hidden: list[bool]) -> Iterator[tuple[str, list[str], list[bool]]]:
    label, body, veiled = "", list[str](), list[bool]()
    for line, veil in zip(lines[1:], hidden[1:], strict=True):
        level = 0 if veil else markdown.heading_level(line)
        found = None if veil else markdown.field_label(line)
        if level and (name := markdown.heading_text(line)).lower() in KINDS:
            found = (name, "")
        if found:
            yield label, body, veiled
            label, body, veiled = found[0], [found[1]], [False]
        elif not level:
            body.append(line)
            veiled.append(veil)
    yield label, body, veiled


def _entries(
    session: int, kind: str, items: list[tuple[str, bool]], names: _Names, counts: dict[str, int]
) -> Iterator[Entry]:
    for item, _ in items:
        mark, text = find_mark(item)
        if mark and mark.kind == "s":
            mark = None
        if not mark and (not kind or kind == "s" or nothing(text)):
            continue
        counts[kind] = counts.get(kind, 0) + 1
        name = mark.id if mark else f"{kind}-{session}-{counts[kind]}"
        struck = len(text) > 4 and text.startswith("~~") and text.endswith("~~")
        ticked = (text[:1] == "[" and bool(_TICKED.match(text))) or struck
        yield Entry(names.serve(name), name[0], session, text, mark, ticked)


def nothing(text: str) -> bool:
    """Tell whether the text of an item says that there is none."""
    return text.strip(" \t\n.,;:!()*_~-–—。").casefold() in _NOTHING | {""}


def read(path: Path) -> Log | None:
    """Read a log's file; None where there is none.

    Raises:
        MemoryLogError: it cannot be read.
    """
    data = _read(path)
    return _parsed(data) if data is not None else None


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        msg = f"{path} cannot be read: {error.strerror or error}"
        raise MemoryLogError(msg) from error


def append(
    path: Path,
    build: Callable[[Log], str | None],
    folders: UserFolders,
    *,
    front_matter: Mapping[str, Any] | None = None,
) -> Section | None:
    """Append the section that ``build`` makes for the log as it is, or nothing where it makes None.

    Under the lock; through a symlink, with the file's mode and line ends. Bytes that another program appended in the
    meantime are kept, and ``build`` is asked again. A file that is made gets ``front_matter``.

    Raises:
        LogChanged: the file was changed, not only appended to, while the section was written; nothing was written.
        MemoryLogError: UTF-16, no permission, no room; the old file is whole.
        FileBusy: another process held the lock for a minute.
    """
    front.handler()
    try:
        with files.locked(path, folders):
            target = path.resolve()
            for _ in range(_TRIES):
                before = _read(target)
                log = parse(before or b"")
                if log.utf16:
                    msg = f"{path} is in UTF-16, to which nothing is appended; save it as UTF-8 and try again"
                    raise MemoryLogError(msg)
                section = build(log)
                if section is None:
                    return None
                after = _joined(before or b"", log, section, front_matter)
                if _replace(target, before, after):
                    return parse(after).sections[-1]
            msg = f"{path} keeps changing while it is written to; close the program that writes it and try again"
            raise LogChanged(msg)
    except OSError as error:
        if isinstance(error, FileBusy):
            raise
        what = (
            "no room is left on the disk"
            if error.errno in {errno.ENOSPC, errno.EDQUOT}
            else error.strerror or error
        )
        msg = f"{path} could not be written: {what}; the old file is whole and the open session is kept"
        raise MemoryLogError(msg) from error


def _joined(before: bytes, log: Log, section: str, front_matter: Mapping[str, Any] | None) -> bytes:
    if not before.removeprefix(_encode(_BOM)):
        return before + _encode(f"{front.dump(front_matter)}\n{section}" if front_matter else section)
    end = "\r\n" if log.crlf else "\n"
    text = section.replace("\n", end)
    gap = end if before.endswith(b"\n") else end * 2
    gap = "" if re.search(rb"\n[ \t]*\r?\n\Z", before) else gap
    plain = before + _encode(gap + text)
    if log.open_fence is None:
        return plain
    newline = "" if before.endswith(b"\n") else end
    closed = before + _encode(f"{newline}{log.open_fence}{end}{end}{text}")
    # Closing a fence hides what stands in it: never a section or an entry that is read today.
    return closed if _names(parse(closed).sections[:-1]) == _names(log.sections) else plain


def _names(sections: Sequence[Section]) -> list[tuple[int, list[str]]]:
    return [(section.number, [entry.id for entry in section.entries]) for section in sections]


def _replace(target: Path, before: bytes | None, after: bytes) -> bool:
    """Put ``after`` in the file's place; False when something was appended since ``before`` was read."""
    target.parent.mkdir(parents=True, exist_ok=True)
    prefix = f".{NAME}-"
    for stale in target.parent.glob(f"{prefix}*.part"):
        with contextlib.suppress(OSError):
            stale.unlink()
    part = target.parent / f"{prefix}{secrets.token_hex(4)}.part"
    try:
        with part.open("xb") as file:
            file.write(after)
            file.flush()
            os.fsync(file.fileno())
        if before is not None:
            part.chmod(stat.S_IMODE(target.stat().st_mode))
        now = _read(target)
        if now == before:
            part.replace(target)
            _sync_folder(target.parent)
            return True
    finally:
        with contextlib.suppress(FileNotFoundError):
            part.unlink()
    if now is None or not now.startswith(before or b""):
        msg = f"{target} was changed by another program; nothing was written and the open session is kept: try again"
        raise LogChanged(msg)
    return False


def _sync_folder(folder: Path) -> None:
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
