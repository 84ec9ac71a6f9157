"""Files that are never half-written, locks between processes, and what a file's content is.

Fingerprints are kept per (path, size, mtime_ns) in the user's cache folder, so that an unchanged file is read once.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import secrets
import sqlite3
import stat
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

import filelock
import platformdirs

from cutbook.errors import CannotWrite, FileBusy, UnreadableMedia

if TYPE_CHECKING:
    from collections.abc import Iterator

BLOCK = 1 << 20
"""Bytes of one block of a fingerprint."""

BLOCKS = 64
"""Most blocks of a fingerprint: files up to 64 MiB are hashed whole."""

_LONGEST_NAME = 200
_SHORTENED = re.compile(r"~[0-9a-f]{12}\Z")
_TICK = 2_000_000_000
_UNSHOWN = re.compile(r"[\udc80-\udcff\x00-\x1f\x7f-\x9f\u2028\u2029]")
_UNSAFE = re.compile(r'[/\\:*?"<>|%\x00-\x1f]|\A\.')


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Size in bytes and sha256 (64 hex characters) over the size and evenly spaced blocks of a file."""

    size: int
    digest: str

    @property
    def short(self) -> str:
        """The form of the files: ``48210944.9f2c11aa03be``."""
        return f"{self.size}.{self.digest[:12]}"


@dataclass(frozen=True, slots=True)
class UserFolders:
    """The user's own folders: ``cache`` may be deleted at any time, ``state`` and ``config`` may not."""

    cache: Path
    state: Path
    config: Path

    @classmethod
    def find(cls, cache: Path | None = None) -> UserFolders:
        """Give the folders of this user; ``cache`` overrides the platform's place. Creates nothing."""
        return cls(
            cache=cache or platformdirs.user_cache_path("cutbook", appauthor=False),
            state=platformdirs.user_state_path("cutbook", appauthor=False),
            config=platformdirs.user_config_path("cutbook", appauthor=False),
        )


def safe_name(name: str) -> str:
    r"""Write a take's name as a file name: ``/ \ : * ? " < > | %``, controls and a leading dot percent-encoded.

    Beyond 200 bytes, of the 255 that file systems take, the end gives way to a hash: suffixes follow.
    """
    safe = _UNSAFE.sub(lambda hit: f"%{ord(hit[0]):02X}", name)
    written = os.fsencode(safe)
    if len(written) <= _LONGEST_NAME:
        return safe
    digest = hashlib.sha256(written).hexdigest()[:12]
    return f"{written[: _LONGEST_NAME - 13].decode(errors='ignore')}~{digest}"


def shortened(name: str) -> bool:
    """Tell whether a file name lost its end in :func:`safe_name`, so that the take's name cannot be read back."""
    return _SHORTENED.search(name) is not None and len(os.fsencode(name)) > _LONGEST_NAME - 8


def unsafe_name(name: str) -> str:
    """Read a take's name back from a file name made by :func:`safe_name`."""
    return unquote(name)


def readable(name: object) -> str:
    """Write a file's name on one line: bytes that are no text, and characters that control it, are percent-encoded."""
    return _UNSHOWN.sub(lambda hit: quote(hit[0].encode("utf-8", "surrogateescape")), str(name))


def write_atomic(path: Path, data: bytes | str, *, sync: bool = True) -> None:
    """Write a whole file or none: temp file beside it, fsync, replace.

    Without ``sync`` a power cut may leave it empty: for what can be made anew.

    A symlink is written through, and the mode of a file that is replaced stays. Text is UTF-8 with its line ends kept;
    bytes of file names that are no text are written as JSON escapes them.

    Raises:
        CannotWrite: the folder cannot be written or the disk is full; the old file is whole.
    """
    payload = data.encode("utf-8", "backslashreplace") if isinstance(data, str) else data
    try:
        _write(path.resolve(), payload, sync=sync)
    except OSError as error:
        raise cannot_write(path, error, "the file before, if any, is whole") from error


def cannot_write(path: Path, error: OSError, then: str = "") -> CannotWrite:
    """Say why a file or folder cannot be written and what to do; ``then`` is what holds all the same."""
    if isinstance(error, CannotWrite):
        return error
    why = str(error.strerror or error)
    blocked = next((each for each in reversed(path.parents) if _blocks(each)), None)
    blocked = path if blocked is None and error.errno in {errno.EEXIST, errno.ENOTDIR} else blocked
    if blocked is not None:
        what = "a file" if blocked.exists() else "a link that leads nowhere"
        why = (
            f"{blocked.name} in {blocked.parent} is {what} where a folder must be; move it away and try again"
        )
    elif error.errno in {errno.EROFS, errno.EACCES, errno.EPERM}:
        why += "; make it writable, or work on a copy elsewhere"
    msg = f"{path} cannot be written: {why}" + (f"; {then}" if then else "")
    return CannotWrite(msg, errno=error.errno, why=why)


def _blocks(place: Path) -> bool:
    """Tell whether something that is no folder lies where one must be."""
    return os.path.lexists(place) and not place.is_dir()


def folder(path: Path) -> Path:
    """Make a folder with those above it, where it is not there yet.

    Raises:
        CannotWrite: it cannot be made; says what lies in its way.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(path, error) from error
    return path


def _write(target: Path, payload: bytes, *, sync: bool) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
    part = target.with_name(f".cutbook-{secrets.token_hex(8)}.part")
    try:
        with part.open("xb") as file:
            file.write(payload)
            file.flush()
            if sync:
                os.fsync(file.fileno())
        if mode is not None:
            part.chmod(mode)
        part.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise


@contextlib.contextmanager
def locked(path: Path, folders: UserFolders, *, timeout: float = 60.0) -> Iterator[None]:
    """Hold the lock of ``path`` (any path, existing or not) between processes; ``timeout`` in seconds.

    The lock file lies in the user's state folder, so that locking writes nothing beside the footage.

    Raises:
        FileBusy: another process held it for longer than ``timeout``.
        CannotWrite: the user's state folder cannot be written.
    """
    name = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:24]
    place = folders.state / "locks"
    lock = filelock.FileLock(place / f"{name}.lock", timeout=timeout)
    try:
        place.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except filelock.Timeout:
        msg = f"{path.name} is being written by another process for over {timeout:.0f} s; wait for it and try again"
        raise FileBusy(msg) from None
    except OSError as error:
        msg = f"{place} cannot be written: {error.strerror or error}; cutbook keeps its locks there"
        raise CannotWrite(msg, errno=error.errno) from error
    try:
        yield
    finally:
        lock.release()


def fingerprint(path: Path, folders: UserFolders) -> Fingerprint:
    """Give the content fingerprint of a file, from the cache when size and mtime are those seen before.

    A change between the blocks of a file over 64 MiB that keeps size and mtime is not seen.

    Raises:
        UnreadableMedia: the file is missing or cannot be read.
    """
    try:
        found = path.stat()
        key = (os.fsencode(path.resolve()), found.st_size, found.st_mtime_ns)
        known = _recall(folders, key)
        if known is None:
            known = Fingerprint(found.st_size, _digest(path, found.st_size))
            after = path.stat()
            still = (after.st_size, after.st_mtime_ns) == key[1:]
            # A file written a moment ago may change again within one tick of its clock, unseen by its mtime.
            if still and not 0 <= time.time_ns() - found.st_mtime_ns < _TICK:
                _remember(folders, key, known)
    except OSError as error:
        msg = f"{path.name} cannot be read: {error.strerror or error}"
        raise UnreadableMedia(msg) from error
    return known


def _digest(path: Path, size: int) -> str:
    whole = size <= BLOCK * BLOCKS
    count = -(-size // BLOCK) if whole else BLOCKS
    digest = hashlib.sha256(f"{size}\n".encode())
    with path.open("rb") as file:
        for number in range(count):
            file.seek(number * BLOCK if whole else number * (size - BLOCK) // (BLOCKS - 1))
            digest.update(file.read(BLOCK))
    return digest.hexdigest()


def _index(folders: UserFolders) -> sqlite3.Connection:
    folders.cache.mkdir(parents=True, exist_ok=True)
    index = sqlite3.connect(folders.cache / "fingerprints.sqlite3", timeout=10)
    index.execute(
        "create table if not exists seen (path blob primary key, size int, mtime int, digest text) without rowid"
    )
    return index


def _recall(folders: UserFolders, key: tuple[bytes, int, int]) -> Fingerprint | None:
    try:
        with contextlib.closing(_index(folders)) as index:
            row = index.execute("select digest from seen where path=? and size=? and mtime=?", key).fetchone()
    except (sqlite3.Error, OSError):
        return None
    return Fingerprint(key[1], row[0]) if row else None


def _remember(folders: UserFolders, key: tuple[bytes, int, int], found: Fingerprint) -> None:
    with contextlib.suppress(sqlite3.Error, OSError), contextlib.closing(_index(folders)) as index, index:
        index.execute("insert or replace into seen values (?, ?, ?, ?)", (*key, found.digest))
