"""One flight a key: two kernels that want the same words make one request, and a crash forgets no bill."""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cutbook.errors import FileBusy, TranscriptError
from cutbook.files import UserFolders, locked, write_atomic

PATIENCE = 12 * 3600.0
"""Seconds that a second kernel waits for the first: longer than the longest file that is taken."""

_LOOK = 0.5


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
    def held(self, waiting: Callable[[], None], cancel: threading.Event | None = None) -> Iterator[None]:
        """Hold the key between processes; ``waiting`` is called once when another holds it.

        Raises:
            TranscriptError: ``cancel`` was set while another held it.
            FileBusy: another holds it for ever.
        """
        with contextlib.ExitStack() as stack:
            try:
                stack.enter_context(locked(self.note, self.folders, timeout=0.05))
            except FileBusy:
                waiting()
                self._wait(stack, cancel)
            yield

    def _wait(self, stack: contextlib.ExitStack, cancel: threading.Event | None) -> None:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                stack.enter_context(locked(self.note, self.folders, timeout=_LOOK))
            except FileBusy:
                if cancel is not None and cancel.is_set():
                    msg = "stopped while another process was at it"
                    raise TranscriptError(msg) from None
                if time.monotonic() > end:
                    raise
            else:
                return

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
