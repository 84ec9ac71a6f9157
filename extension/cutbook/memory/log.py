"""project.md, the log: bytes in, bytes out, and the one place that writes it.

Whatever is not understood is kept byte for byte: a log is its head and its sections, and these joined are the file.
How it is read stands in :mod:`cutbook.memory.reading`.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutbook import files
from cutbook.errors import FileBusy, LogChanged, MemoryLogError
from cutbook.memory import front, shelf
from cutbook.memory.entries import Entry, Log, Section, encoded
from cutbook.memory.items import KINDS, nothing
from cutbook.memory.reading import BOM, NAME, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cutbook.files import UserFolders

__all__ = ["KINDS", "NAME", "Entry", "Log", "Section", "append", "nothing", "parse", "read", "serialise"]

_TRIES = 20


def serialise(log: Log) -> bytes:
    """Give the bytes of a log: exactly those that it was parsed from."""
    if log.utf16:
        return log.utf16
    return b"".join((encoded(log.head), *(section.source for section in log.sections)))


_HELD = 4
_held: list[tuple[bytes, Log]] = []
"""The logs that this process read last."""


def read(path: Path, folders: UserFolders | None = None) -> Log | None:
    """Read a log's file; None where there is none.

    With the user's ``folders``, what is read of a long one is kept in the cache for the next process.

    Raises:
        MemoryLogError: it cannot be read.
    """
    data = _read(path)
    if data is None:
        return None
    log = next((each for known, each in _held if known == data), None)
    if log is None:
        log = _parsed(data, path, folders)
        _held.insert(0, (data, log))
        del _held[_HELD:]
    return log


def _parsed(data: bytes, path: Path, folders: UserFolders | None) -> Log:
    if folders is None or len(data) < shelf.LARGE:
        return parse(data)
    known = shelf.recall(data, path, folders)
    log = parse(data, known=known)
    if known is None or len(data) - known.end > shelf.LARGE:
        shelf.keep(data, log, path, folders)
    return log


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        msg = f"{path} cannot be read: {error.strerror or error}; put the file in its place, or make it readable"
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
    if not before.removeprefix(BOM):
        return before + encoded(f"{front.dump(front_matter)}\n{section}" if front_matter else section)
    end = "\r\n" if log.crlf else "\n"
    text = section.replace("\n", end)
    gap = end if before.endswith(b"\n") else end * 2
    gap = "" if re.search(rb"\n[ \t]*\r?\n\Z", before) else gap
    plain = before + encoded(gap + text)
    if log.open_fence is None:
        return plain
    newline = "" if before.endswith(b"\n") else end
    closed = before + encoded(f"{newline}{log.open_fence}{end}{end}{text}")
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
