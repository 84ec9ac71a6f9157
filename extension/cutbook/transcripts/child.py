"""The worker process as its parent sees it: killed on any interruption, never left behind."""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from typing import IO, BinaryIO

from cutbook.errors import EngineRefused, TranscriptError

WORKER = "cutbook.transcripts.worker"
_LOOK = 0.1


class Child:
    """A worker process with its pipes; ``environment`` is added to this process's own.

    Raises:
        EngineRefused: no Python can be started from here.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        if not sys.executable:
            msg = "this Python does not know its own executable, so the local engine cannot start; use a plain Python"
            raise EngineRefused(msg)
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        self._process = subprocess.Popen(  # noqa: S603 - this very Python, a fixed argument list
            [sys.executable, "-P", "-X", "utf8", "-m", WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=_around(environment),
            # A notebook's interrupt goes to the whole group; the parent ends this one itself.
            start_new_session=True,
        )
        self._finish = weakref.finalize(self, _end, self._process, self._log)

    def ask(self, job: object, cancel: threading.Event | None) -> Generator[tuple[object, ...]]:
        """Give the worker's messages on one job, up to and with the last; any interruption ends the worker.

        Raises:
            TranscriptError: the worker died, or ``cancel`` was set.
        """
        done = False
        try:
            for message in self._messages(job, cancel):
                done = message[0] != "progress"
                yield message
                if done:
                    return
        finally:
            if not done:
                self.close()

    def _messages(self, job: object, cancel: threading.Event | None) -> Iterator[tuple[object, ...]]:
        arrived: queue.SimpleQueue[tuple[object, ...] | None] = queue.SimpleQueue()
        source, sink = self._process.stdout, self._process.stdin
        if source is None or sink is None or not self.alive:
            raise self._died()
        try:
            pickle.dump(job, sink)
            sink.flush()
        except OSError:
            raise self._died() from None
        threading.Thread(target=_listen, args=(source, arrived), daemon=True).start()
        while True:
            try:
                message = arrived.get(timeout=_LOOK)
            except queue.Empty:
                if cancel is not None and cancel.is_set():
                    msg = "stopped; the words of this take were not finished"
                    raise TranscriptError(msg) from None
                continue
            if message is None:
                raise self._died()
            yield message

    def _died(self) -> TranscriptError:
        self._process.wait()
        self._log.seek(0)
        lines = self._log.read().decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "it said nothing")
        msg = f"the local engine ended unexpectedly (code {self._process.returncode}): {last}; run %transcribe again"
        return TranscriptError(msg)

    @property
    def alive(self) -> bool:
        """Tell whether the process runs."""
        return self._process.poll() is None

    def close(self) -> None:
        """End the process and wait until it is gone."""
        self._finish()


def _around(more: Mapping[str, str]) -> dict[str, str]:
    return {**os.environ, **more, "PYTHONPATH": _path()}


def _path() -> str:
    root = str(Path(__file__).resolve().parents[2])
    return os.pathsep.join(dict.fromkeys([root, *(entry for entry in sys.path if entry)]))


def _listen(source: IO[bytes], arrived: queue.SimpleQueue[tuple[object, ...] | None]) -> None:
    """Pass messages on until one ends the job; None tells that there is nobody any more."""
    while True:
        try:
            message = pickle.load(source)  # noqa: S301 - written by our own worker
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            arrived.put(None)
            return
        arrived.put(message)
        if message[0] != "progress":
            return


def _end(process: subprocess.Popen[bytes], log: BinaryIO) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:
                continue
    log.close()
