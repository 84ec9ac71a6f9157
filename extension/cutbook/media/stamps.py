"""What tells that a file was replaced or written while something was made of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Stamp:
    """A file as it was: ``name`` is what people call it, ``size`` is -1 where there was none."""

    name: str
    path: Path
    size: int
    mtime: int = 0
    device: int = 0
    inode: int = 0

    @property
    def holds(self) -> bool:
        """Tell whether the file is as it was; on another machine its device has another number, and its own may too."""
        now = stamp(self.name, self.path)
        alike = (now.size, now.mtime) == (self.size, self.mtime)
        return alike and (now.inode == self.inode or now.device != self.device)


def stamp(name: str, path: Path) -> Stamp:
    """Look at a file."""
    path = path.absolute()
    try:
        found = path.stat()
    except OSError:
        return Stamp(name, path, -1)
    return Stamp(name, path, found.st_size, found.st_mtime_ns, found.st_dev, found.st_ino)


def changed(stamps: Iterable[Stamp]) -> str | None:
    """Name the first file that is not as it was; None where all are."""
    return next((each.name for each in stamps if not each.holds), None)
