"""The server: what it was asked, what it bills, how many it listens to at once, and what it was told to do wrong."""

from __future__ import annotations

import contextlib
import json
import shutil
import socket
import struct
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.scribe_double import rules
from tests.scribe_double.answers import ANSWER, STEP, Sample, loudness, multichannel
from tests.scribe_double.multipart import Body, BrokenForm, Form, read_form
from tests.scribe_double.turns import Turn, busy, out_of_quota

KEY = "not-a-real-key-7a51"
"""The key that the stand-in lets in, unless it is told to take any."""

LONG = 480
"""Seconds; a longer sound takes up to four places at once."""

PATH = "/v1/speech-to-text"


@dataclass(frozen=True)
class Asked:
    """One request: its path, form fields in order, and the file's place, hash, name and type; `at` is a clock's time.

    `whole` tells that all of it arrived.
    """

    at: float
    path: str
    fields: tuple[tuple[str, str], ...] = ()
    file: Path | None = None
    sha256: str = ""
    size: int = 0
    file_name: str = ""
    file_type: str = ""
    whole: bool = True


@dataclass
class Double:
    """What the server was asked and has billed, and what it is to do.

    `turns` are used up, one a request, before it does as the service does. `answers` are by the sha256 of the file,
    `answer` is for every other file (the sample's words, or `ANSWER`, where it is None). `at_once` is how many places
    there are, `credits` how many requests are still paid for.
    """

    url: str = ""
    key: str | None = KEY
    turns: list[Turn] = field(default_factory=list)
    answers: dict[str, bytes] = field(default_factory=dict)
    answer: bytes | None = None
    at_once: int = 1000
    credits: int = 1_000_000
    asked: list[Asked] = field(default_factory=list)
    billed: int = 0
    seconds: float = 0.0
    places: int = 0
    tell: Callable[[str], None] = lambda _: None
    folder: Path = Path()
    lock: threading.RLock = field(default_factory=threading.RLock)
    gone: threading.Event = field(default_factory=threading.Event)

    def turn(self) -> Turn | None:
        """Take the next turn out, if one was set."""
        with self.lock:
            return self.turns.pop(0) if self.turns else None

    def words(self, form: Form, levels: NDArray[np.float64]) -> bytes:
        """Give the right answer to a form."""
        if form.sha256 in self.answers:
            return self.answers[form.sha256]
        if self.answer is not None:
            return self.answer
        found = Sample().answer(levels) or (
            ANSWER if len(levels) * STEP >= 0.9 else {**ANSWER, "text": "", "words": []}
        )
        if dict(form.fields).get("use_multi_channel", "false").lower() in {"true", "1"}:
            return json.dumps(multichannel(found)).encode()
        return json.dumps({**found, "audio_duration_secs": round(len(levels) * STEP, 2)}).encode()

    def bill(self, levels: NDArray[np.float64]) -> None:
        """Count a request that was worked on."""
        with self.lock:
            self.billed += 1
            self.credits -= 1
            self.seconds += len(levels) * STEP


class Handler(BaseHTTPRequestHandler):
    """Take uploads; `double` is set by a class of its own for each server."""

    protocol_version = "HTTP/1.1"
    double: Double

    def do_POST(self) -> None:
        """Take one upload."""
        at, turn = time.monotonic(), self.double.turn() or Turn()
        self._wait(turn.pause)
        if turn.cut == "before":
            self.rfile.read(1024)
            self._asked(Asked(at, self.path, whole=False))
            self._reset()
            return
        length = int(self.headers["Content-Length"]) if "Content-Length" in self.headers else None
        if length is not None and (large := rules.too_large(length)):
            self._asked(Asked(at, self.path, whole=False))
            self._send(large)
            self.close_connection = True
            return
        try:
            form = read_form(
                self.headers.get("Content-Type", ""), Body(self.rfile, length=length), self.double.folder
            )
        except (BrokenForm, OSError):
            self._asked(Asked(at, self.path, whole=False))
            self.close_connection = True
            return
        self._asked(
            Asked(
                at,
                self.path,
                tuple(form.fields),
                form.file,
                form.sha256,
                form.size,
                form.file_name,
                form.file_type,
            )
        )
        self._answer(form, turn)

    def _answer(self, form: Form, turn: Turn) -> None:
        wrong = self._refusal(form)
        if wrong is None and turn.status == 200:
            try:
                levels = loudness(form.file) if form.file else np.zeros(0)
            except Exception:  # noqa: BLE001 - whatever is no sound is refused alike
                wrong = rules.bad_sound()
            else:
                self._listen(form, turn, levels)
                return
        self._wait(turn.delay)
        self._send(wrong or turn)

    def _refusal(self, form: Form) -> Turn | None:
        if self.path.partition("?")[0] != PATH:
            return Turn.refusing(404, "Not Found")
        key = self.headers["xi-api-key"]
        if not key or (self.double.key is not None and key != self.double.key):
            return rules.bad_key(key)
        return rules.refusal(form)

    def _listen(self, form: Form, turn: Turn, levels: NDArray[np.float64]) -> None:
        """Work on a form: take places for it, bill it, and answer as the turn says."""
        double, places = self.double, min(4, 1 + int(len(levels) * STEP // LONG))
        with double.lock:
            if double.places + places > double.at_once:
                self._send(busy(double.places, double.at_once))
                return
            if double.credits < 1:
                self._send(out_of_quota())
                return
            double.places += places
            double.bill(levels)
        try:
            self._wait(turn.delay)
        finally:
            with double.lock:
                double.places -= places
        if turn.cut == "after":
            self._reset()
            return
        body = turn.body if turn.body is not None else double.words(form, levels)
        self._send(Turn(200, body, turn.headers), cut=turn.cut == "body")

    def _wait(self, seconds: float) -> None:
        self.double.gone.wait(seconds)

    def _send(self, turn: Turn, *, cut: bool = False) -> None:
        body = turn.body or b""
        with contextlib.suppress(OSError):
            self.send_response(turn.status)
            for name, value in {"Content-Type": "application/json", **turn.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[: len(body) // 2] if cut else body)
            self.wfile.flush()
        self.close_connection = self.close_connection or cut

    def _reset(self) -> None:
        """Break the line off so that the other side is told at once."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()

    def _asked(self, asked: Asked) -> None:
        with self.double.lock:
            self.double.asked.append(asked)
        self.double.tell(f"{len(self.double.asked)}: {asked.file_name or 'no file'}, {asked.size} bytes")

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


class Server(ThreadingHTTPServer):
    """A server whose threads end with it, and that lets a line break in silence."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Pass over a line that broke; it was meant to, or the other side did it."""


@contextlib.contextmanager
def scribe_double(*, port: int = 0, key: str | None = KEY) -> Iterator[Double]:
    """Run the stand-in on a free port (or the one given) until the block is left; a `key` of None lets any in."""
    folder = Path(tempfile.mkdtemp(prefix="scribe-double-"))
    double = Double(key=key, folder=folder)
    server = Server(("127.0.0.1", port), type("Handler", (Handler,), {"double": double}))
    double.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield double
    finally:
        double.gone.set()
        server.shutdown()
        server.server_close()
        thread.join()
        shutil.rmtree(folder, ignore_errors=True)
