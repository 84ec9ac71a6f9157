"""Threads that answer what takes a while, so that a key that was pressed never waits for a picture."""

from __future__ import annotations

import logging
import queue
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_log = logging.getLogger(__name__)

LANES = ("words", "pictures", "strips", "levels", "video", "offers")
"""What is asked of a kind is answered in its order, and waits for nothing of another kind."""

IDLE = 10.0
"""Seconds without work after which a lane's thread ends."""


class Lane:
    """One thread that does one thing after the other; it is there while there is something to do."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._work: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._runs = False

    def add(self, work: Callable[[], None]) -> None:
        """Do something after what waits already; what goes wrong in it is logged, and the rest is done."""
        with self._lock:
            self._work.put(work)
            if not self._runs:
                self._runs = True
                threading.Thread(target=self._run, name=self._name, daemon=True).start()

    def _run(self) -> None:
        while True:
            try:
                work = self._work.get(timeout=IDLE)
            except queue.Empty:
                with self._lock:
                    if self._work.empty():
                        self._runs = False
                        return
                continue
            try:
                work()
            except Exception:  # noqa: BLE001 - the next in the lane is answered all the same
                _log.exception("what a view of the review asked for could not be answered")
            del work
