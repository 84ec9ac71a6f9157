"""What was made before: files under names that say what is in them, the oldest dropped when they grow too many."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import shutil
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import filelock

from cutbook.files import UserFolders, folder, locked

LIMIT = 20 * 1024**3
"""Bytes that the cache of one project may hold."""

MOST_RECORDS = 20_000
"""Small records that the cache of one project may hold."""


def key(*facts: object) -> str:
    """Give the name of what is made from ``facts`` (anything JSON holds, or what ``str`` tells apart)."""
    text = json.dumps(facts, sort_keys=True, default=str, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def content(path: Path) -> str:
    """Give the sha256 of a whole file; one that has not changed since is read once."""
    found = path.stat()
    return _digest(path.resolve(), found.st_size, found.st_mtime_ns)


@functools.lru_cache(maxsize=256)
def _digest(path: Path, _size: int, _mtime: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@dataclass(frozen=True, slots=True)
class Cache:
    """The cache folder of one project, ``edit/cache``. Deleting it changes no answer, only time."""

    folder: Path

    def segment(self, name: str) -> Path:
        """Give the place of a segment's picture."""
        return self.folder / "segments" / f"{name}.mp4"

    def sound(self, name: str, suffix: str) -> Path:
        """Give the place of a piece of sound or of a whole film's."""
        return self.folder / "sound" / f"{name}{suffix}"

    def record(self, name: str) -> Path:
        """Give the place of a small JSON record."""
        return self.folder / "records" / f"{name}.json"

    @staticmethod
    def used(path: Path) -> bool:
        """Tell whether a file is there, and mark it as used now."""
        try:
            os.utime(path)
        except OSError:
            return False
        return True

    @contextlib.contextmanager
    def workshop(self) -> Iterator[Path]:
        """Make a work directory that is gone afterwards, whatever happens, and remove those of killed renders.

        Who works in one holds the lock in it; one whose lock is free is nobody's any more.

        Raises:
            FileBusy: the lock under which such directories are made and removed cannot be had.
            CannotWrite: there can be no such directory.
        """
        place = self.folder / f"work-{uuid.uuid4().hex[:12]}"
        lock = _owner(place)
        with locked(self.folder / "work", UserFolders.find()):
            self._sweep()
            folder(place)
            lock.acquire()
        try:
            yield place
        finally:
            _remove(place)
            lock.release()

    def _sweep(self) -> None:
        for place in self.folder.glob("work-*"):
            with contextlib.suppress(OSError, filelock.Timeout), _owner(place).acquire(blocking=False):
                _remove(place)

    def prune(self, keep: Iterable[Path], limit: int = LIMIT, *, records: int = MOST_RECORDS) -> int:
        """Drop the files used longest ago until the cache fits ``limit`` bytes, none of ``keep``; gives how many."""
        self._thin(records)
        kept = set(keep)
        files = []
        for name in ("segments", "sound"):
            with contextlib.suppress(OSError):
                for path in (self.folder / name).iterdir():
                    with contextlib.suppress(OSError):
                        found = path.stat()
                        files.append((found.st_mtime_ns, found.st_size, path))
        total = sum(size for _, size, _ in files)
        dropped = 0
        for _, size, path in sorted(files):
            if total <= limit:
                break
            if path not in kept:
                with contextlib.suppress(OSError):
                    path.unlink()
                    total -= size
                    dropped += 1
        return dropped

    def _thin(self, most: int) -> None:
        """Drop the oldest records beyond ``most``, and half of those: what they say is then found out again."""
        with contextlib.suppress(OSError):
            found = list((self.folder / "records").iterdir())
            if len(found) > most:
                for path in sorted(found, key=lambda each: each.stat().st_mtime_ns)[: len(found) - most // 2]:
                    path.unlink()


def _owner(place: Path) -> filelock.BaseFileLock:
    return filelock.FileLock(place / ".lock")


def _remove(place: Path) -> None:
    shutil.rmtree(place, ignore_errors=True)
