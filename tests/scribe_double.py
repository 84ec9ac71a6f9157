"""A stand-in for Scribe: a real HTTP server on loopback that takes real uploads and keeps what it was sent."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "not-a-real-key-7a51"
"""The key that the stand-in lets in."""

ANSWER: dict[str, Any] = {
    "language_code": "eng",
    "language_probability": 0.98,
    "text": "We fixed this.",
    "words": [
        {"text": "We", "start": 0.1, "end": 0.3, "type": "word", "speaker_id": "speaker_0", "logprob": -0.01},
        {
            "text": " ",
            "start": 0.3,
            "end": 0.35,
            "type": "spacing",
            "speaker_id": "speaker_0",
            "logprob": -0.01,
        },
        {
            "text": "fixed",
            "start": 0.35,
            "end": 0.6,
            "type": "word",
            "speaker_id": "speaker_0",
            "logprob": -0.02,
        },
        {
            "text": " ",
            "start": 0.6,
            "end": 0.7,
            "type": "spacing",
            "speaker_id": "speaker_0",
            "logprob": -0.01,
        },
        {
            "text": "this.",
            "start": 0.7,
            "end": 0.9,
            "type": "word",
            "speaker_id": "speaker_1",
            "logprob": -0.5,
        },
    ],
    "transcription_id": "double",
}


@dataclass(frozen=True)
class Asked:
    """One request: its path, its form fields in order, and the file with its name and type."""

    path: str
    fields: tuple[tuple[str, str], ...]
    file: bytes
    file_name: str
    file_type: str


@dataclass
class Double:
    """What the server will answer, and what it was asked; `cut_off` closes the line without an answer."""

    url: str = ""
    status: int = 200
    body: bytes = json.dumps(ANSWER).encode()
    headers: dict[str, str] = field(default_factory=dict)
    cut_off: bool = False
    asked: list[Asked] = field(default_factory=list)


def _form(kind: str, body: bytes) -> list[Message]:
    message = message_from_bytes(b"Content-Type: " + kind.encode() + b"\r\n\r\n" + body)
    parts = message.get_payload()
    return [part for part in parts if isinstance(part, Message)] if isinstance(parts, list) else []


def _payload(part: Message) -> bytes:
    found = part.get_payload(decode=True)
    return found if isinstance(found, bytes) else b""


def _handler(double: Double) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            """Take one upload."""
            body = self._body()
            parts = _form(self.headers["Content-Type"], body)
            named = [(str(part.get_param("name", header="content-disposition")), part) for part in parts]
            files = [part for name, part in named if name == "file"]
            double.asked.append(
                Asked(
                    path=self.path,
                    fields=tuple((name, _payload(part).decode()) for name, part in named if name != "file"),
                    file=_payload(files[0]) if files else b"",
                    file_name=str(files[0].get_filename()) if files else "",
                    file_type=files[0].get_content_type() if files else "",
                )
            )
            if double.cut_off:
                self.close_connection = True
                return
            if self.headers["xi-api-key"] != KEY:
                detail = {
                    "status": "invalid_api_key",
                    "message": f"Invalid API key {self.headers['xi-api-key']}",
                }
                self._answer(401, json.dumps({"detail": detail}).encode())
                return
            self._answer(double.status, double.body)

        def _body(self) -> bytes:
            if "chunked" not in self.headers.get("Transfer-Encoding", ""):
                return self.rfile.read(int(self.headers["Content-Length"]))
            found = b""
            while size := int(self.rfile.readline(), 16):
                found += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return found

        def _answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **double.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    return Handler


@contextlib.contextmanager
def scribe_double() -> Iterator[Double]:
    """Run the stand-in for the time of a test."""
    double = Double()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(double))
    double.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield double
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
