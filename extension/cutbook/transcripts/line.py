"""One request on the line, in a thread of its own: what is shown meanwhile, how it is cut off, what came of it.

The thread is why no traceback of ours ever holds a frame of the SDK, in whose variables the key lies, and why an
interrupt is heard while the server is silent.
"""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutbook.errors import MayBeBilled, TranscriptError
from cutbook.transcripts.answers import UNKNOWN, Again, Response
from cutbook.transcripts.asking import Patience, Say
from cutbook.transcripts.upload import Handle

if TYPE_CHECKING:
    import httpx

_GRACE = 5.0
_LOGGERS = ("httpx", "httpcore.connection", "httpcore.http11", "httpcore.proxy", "fern")

Call = Callable[["httpx.Client", "httpx.Timeout", Handle], None]
"""Sends one request through the client given, and may raise what it likes."""


class Line:
    """One request: ``call`` is run once, with a client that keeps the response's bytes and follows no redirect.

    ``direct`` goes past any proxy, for a server on this machine. ``hide`` takes out of a text what must not be shown.
    """

    def __init__(
        self, call: Call, file: Path, *, patience: Patience, direct: bool, hide: Callable[[str], str] = str
    ) -> None:
        self._call = call
        self._file = file
        self._patience = patience
        self._direct = direct
        self._hide = hide
        self._stop = threading.Event()
        self._done = threading.Event()
        self._socket: socket.socket | None = None
        self._sent = 0.0
        self._ended = False
        self._response: Response | None = None
        self._unreachable = False
        self._failure = ""
        self._trace = ""

    def response(self, *, say: Say, cancel: threading.Event | None = None) -> Response:
        """Send the request and wait for its response, telling how far it is.

        Raises:
            Again: it did not get through as a whole, so nothing was done.
            MayBeBilled: all of it was sent, and the line was lost or ``cancel`` set before the answer came.
            TranscriptError: ``cancel`` was set before all of it was sent, or the SDK failed.
        """
        thread = threading.Thread(target=self._run, name="cutbook-scribe", daemon=True)
        listening: float | None = None
        try:
            thread.start()
            # Not by the thread's own `join`: before Python 3.13 an interrupt there makes a running thread look ended.
            while not self._done.wait(self._patience.tick) and not (cancel is not None and cancel.is_set()):
                if self._ended:
                    listening = time.monotonic() if listening is None else listening
                    say(f"Scribe is listening, {_elapsed(time.monotonic() - listening)} so far")
                else:
                    say(f"uploading, {self._sent:.0%}")
        finally:
            self._cut()
        return self._outcome()

    def _cut(self) -> None:
        if not self._done.is_set():
            self._stop.set()
            if self._socket is not None:
                with contextlib.suppress(OSError, ValueError):
                    self._socket.shutdown(socket.SHUT_RDWR)
            self._done.wait(_GRACE)

    def _outcome(self) -> Response:
        if self._response is not None:
            return self._response
        lost = self._failure or "no answer"
        if self._stop.is_set():
            if self._ended:
                raise MayBeBilled(f"stopped while Scribe was listening; it may have been billed: {UNKNOWN}")
            raise TranscriptError("stopped before all was uploaded; nothing was billed")
        if self._unreachable:
            raise Again(f"Scribe cannot be reached ({lost}), so nothing was billed")
        if self._ended:
            what = "the SDK failed" if self._trace else "the connection to Scribe was lost"
            msg = f"{what} after the upload ({lost}); it may have been billed: {UNKNOWN}"
            raise self._noted(MayBeBilled(msg))
        if self._trace:
            msg = f"Scribe's SDK failed before the upload ({lost}); report it with what %tb shows"
            raise self._noted(TranscriptError(msg))
        raise Again(f"the connection to Scribe was lost during the upload ({lost}), so nothing was billed")

    def _noted(self, error: TranscriptError) -> TranscriptError:
        if self._trace:
            error.add_note(self._trace)
        return error

    def _run(self) -> None:
        """Send the request; nothing that the SDK raises leaves this thread, for it would carry the key along."""
        import httpx

        patience = self._patience
        timeout = httpx.Timeout(patience.connect, read=patience.read, write=patience.write)
        hooks: dict[str, list[Callable[..., Any]]] = {"request": [self._watch], "response": [self._keep]}
        unreachable = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError)
        try:
            with (
                Handle(self._file, stop=self._stop, tell=self._tell) as handle,
                httpx.Client(
                    timeout=timeout, follow_redirects=False, trust_env=not self._direct, event_hooks=hooks
                ) as client,
                _hiding(self._hide),
            ):
                self._call(client, timeout, handle)
        except unreachable as error:
            self._unreachable = True
            self._failure = self._hide(_named(error))
        except (httpx.HTTPError, InterruptedError) as error:
            self._failure = self._hide(_named(error))
        except BaseException as error:  # noqa: BLE001 - it is told in the thread that waits
            self._failure = type(error).__name__
            self._trace = "".join(traceback.format_tb(error.__traceback__))
        finally:
            self._socket = None
            self._done.set()

    def _tell(self, sent: float, ended: bool) -> None:  # noqa: FBT001 - a callback
        self._sent, self._ended = sent, ended

    def _watch(self, request: httpx.Request) -> None:
        request.extensions["trace"] = self._wire

    def _wire(self, event: str, info: Mapping[str, Any]) -> None:
        if event in {"connection.connect_tcp.complete", "connection.start_tls.complete"}:
            self._socket = info["return_value"].get_extra_info("socket")

    def _keep(self, response: httpx.Response) -> None:
        """Keep the bytes as they came; a refusal is known by its status even where its body breaks off."""
        headers = {name.lower(): value for name, value in response.headers.items()}
        body, whole = b"", False
        try:
            body = response.read()
            whole = True
        finally:
            self._response = Response(response.status_code, headers, body, whole)


@contextlib.contextmanager
def _hiding(hide: Callable[[str], str]) -> Iterator[None]:
    """Keep out of the log what must not be shown: at DEBUG every header of a response is written there."""

    def rewrite(record: logging.LogRecord) -> bool:
        said = record.getMessage()
        if (shown := hide(said)) != said:
            record.msg, record.args = shown, ()
        return True

    loggers = [logging.getLogger(name) for name in _LOGGERS]
    for logger in loggers:
        logger.addFilter(rewrite)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(rewrite)


def _named(error: Exception) -> str:
    text = " ".join(str(error).split())[:120]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _elapsed(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
