"""One flight a key: two kernels that want the same words make one request, and a crash forgets no bill."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cutbook.errors import FileBusy
from cutbook.files import UserFolders, locked, write_atomic

PATIENCE = 12 * 3600.0
"""Seconds that a second kernel waits for the first: longer than the longest file that is taken."""


@dataclass(frozen=True, slots=True)
class Flight:
    """A request that may be under way: whose outcome is unknown while its note lies in the user's state folder."""

    key: str
    folders: UserFolders

    @property
    def note(self) -> Path:
        """The place of the note."""
        return self.folders.state / "in-flight" / f"{self.key}.json"

    @contextlib.contextmanager
    def held(self, waiting: Callable[[], None]) -> Iterator[None]:
        """Hold the key between processes; ``waiting`` is called once when another holds it."""
        with contextlib.ExitStack() as stack:
            try:
                stack.enter_context(locked(self.note, self.folders, timeout=0.05))
            except FileBusy:
                waiting()
                stack.enter_context(locked(self.note, self.folders, timeout=PATIENCE))
            yield

    def begin(self, *, take: str, size: int, cost: float) -> None:
        """Write the note, before anything that may be billed: time, process, bytes of the file, dollars."""
        note = {
            "key": self.key,
            "take": take,
            "time": time.time(),
            "pid": os.getpid(),
            "bytes": size,
            "cost": cost,
        }
        write_atomic(self.note, json.dumps(note) + "\n")

    def landed(self) -> None:
        """Take the note away: the outcome is known."""
        self.note.unlink(missing_ok=True)

    def lost(self) -> str | None:
        """Say when an earlier request was begun whose outcome nobody knows, or None."""
        try:
            note = json.loads(self.note.read_text("utf-8"))
            return time.strftime("%Y-%m-%d %H:%M", time.localtime(float(note["time"])))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError):
            return "an unknown time"
