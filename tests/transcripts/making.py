"""Engines and sounds that the store is tried on: an engine is a seam, so these are whole ones, not patches."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from cutbook.errors import CutbookError
from cutbook.files import UserFolders, fingerprint
from cutbook.media.probe import Media, probe
from cutbook.transcripts.engine import Answer, Progress
from cutbook.transcripts.store import Request


def answer(*texts: str) -> bytes:
    """Return an answer with a word a second, in Scribe's shape."""
    words = [
        {"text": text, "start": n, "end": n + 0.5, "type": "word", "speaker_id": "speaker_0"}
        for n, text in enumerate(texts)
    ]
    return json.dumps({"language_code": "eng", "text": "".join(texts), "words": words}).encode()


@dataclass
class Parrot:
    """An engine that says the take's name, and remembers what it was asked; `fail` may raise for a take."""

    name: str = "parrot"
    model_name: str = "parrot-1"
    recipe: int = 1
    price_per_hour: float | None = None
    at_once: int = 1
    fail: Callable[[str], None] = lambda _: None
    asked: list[tuple[str, int, str | None, int | None]] = field(default_factory=list)
    prepared: int = 0
    closed: int = 0

    def options(self, *, language: str | None, speakers: int | None) -> Mapping[str, object]:
        """Give what changes the answer."""
        return {"language": language, "speakers": speakers}

    def prepare(self) -> None:
        """Count that the engine was made ready."""
        self.prepared += 1

    def transcribe(
        self,
        media: Media,
        track: int,
        *,
        language: str | None = None,
        speakers: int | None = None,
        sending: Callable[[], None] | None = None,
        progress: Progress | None = None,
        cancel: threading.Event | None = None,
    ) -> Answer:
        """Say the file's name and the number of the track."""
        del cancel
        self.asked.append((media.path.name, track, language, speakers))
        if sending is not None:
            sending()
        self.fail(media.path.name)
        if progress is not None:
            progress(Fraction(media.duration, 2))
        return Answer(answer(media.path.stem, f"track{track}"), {"versions": {"parrot": "1"}})

    def close(self) -> None:
        """Count that the engine was let go."""
        self.closed += 1


def failing(name: str, error: CutbookError) -> Callable[[str], None]:
    """Return a failure for the take in one file."""

    def fail(file: str) -> None:
        if file == name:
            raise error

    return fail


def request(
    path: Path, folders: UserFolders, *, name: str | None = None, track: int | None = None
) -> Request:
    """Ask for one file, under its stem."""
    return Request(name or path.stem, probe(path), fingerprint(path, folders), track)
