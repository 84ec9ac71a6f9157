"""Threads that answer what takes a while, so that a key that was pressed never waits for a picture."""

from __future__ import annotations

import queue
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

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
        """Do something after what waits already; ``work`` raises nothing."""
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
            work()
            del work
