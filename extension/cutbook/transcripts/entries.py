"""A transcript on disk: raw bytes as they came, and a meta file beside them that says what they are.

In the user's cache an entry lies under its file's fingerprint and its own key; in a project under the take's name.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from cutbook.errors import TranscriptDamaged
from cutbook.files import Fingerprint, write_atomic
from cutbook.transcripts.engine import Engine
from cutbook.transcripts.model import Transcript, read_scribe

DAMAGED = ".damaged"


def entry_key(
    fingerprint: Fingerprint, track: int, engine: Engine, *, language: str | None, speakers: int | None
) -> str:
    """Give the key (40 hex characters) of a transcript: what was heard, by whom, and how it was asked."""
    asked = {
        "content": [fingerprint.size, fingerprint.digest],
        "track": track,
        "engine": engine.name,
        "model": engine.model_name,
        "options": dict(engine.options(language=language, speakers=speakers)),
        "recipe": engine.recipe,
    }
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:40]


def alike(meta: Mapping[str, object], asked: Mapping[str, object]) -> bool:
    """Tell whether an entry's meta says what is asked, whatever its keyterms: one more of them is no reason to pay."""
    return all(_without_terms(meta.get(name)) == _without_terms(asked[name]) for name in asked)


def _without_terms(value: object) -> object:
    if isinstance(value, Mapping):
        return {name: each for name, each in value.items() if name != "keyterms"}
    return value


@dataclass(frozen=True, slots=True)
class Entry:
    """One transcript as stored; ``meta`` is empty for a transcript of video-use, which has none."""

    raw: bytes
    meta: Mapping[str, object]

    @property
    def key(self) -> str | None:
        """The key under which it was made."""
        found = self.meta.get("key")
        return found if isinstance(found, str) else None

    def transcript(self, duration: Fraction | None) -> Transcript:
        """Read the words (raises :class:`~cutbook.errors.TranscriptDamaged`)."""
        return read_scribe(payload(self.raw), duration=duration, meta=self.meta)

    def of(self, fingerprint: Fingerprint) -> bool:
        """Tell whether it is of this content; one without meta is taken at its name."""
        return not self.meta or self.meta.get("content") == fingerprint.digest


def payload(raw: bytes) -> Mapping[str, object]:
    """Parse raw bytes.

    Raises:
        TranscriptDamaged: no JSON object in UTF-8.
    """
    try:
        found = json.loads(raw.decode("utf-8-sig"))
    except ValueError as error:
        msg = f"a transcript is no JSON: {error}"
        raise TranscriptDamaged(msg) from None
    if not isinstance(found, dict):
        msg = "a transcript is no JSON object"
        raise TranscriptDamaged(msg)
    return found


def sound(raw: bytes) -> str | None:
    """Say what is wrong with raw bytes that have no hash to be checked by, or None: words must make up the text."""
    try:
        found = payload(raw)
        read_scribe(found, duration=None)
    except TranscriptDamaged as error:
        return str(error)
    words, text = found.get("words"), found.get("text")
    if isinstance(words, list) and isinstance(text, str):
        joined = "".join(str(word.get("text") or "") for word in words if isinstance(word, dict))
        if joined.split() != text.split():
            return "its words do not make up its text"
    return None


def meta_path(path: Path) -> Path:
    """Give the place of the meta file of a transcript."""
    return path.with_name(path.name.removesuffix(".json") + ".meta.json")


def load(path: Path) -> Entry | None:
    """Read an entry, or None where there is none.

    Raises:
        TranscriptDamaged: it is there and does not hold together.
    """
    try:
        raw = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        msg = f"{path.name} cannot be read: {error.strerror}"
        raise TranscriptDamaged(msg) from None
    meta = _meta(meta_path(path))
    wrong: str | None
    if meta is None or "sha256" not in meta:
        wrong = sound(raw) if meta is not None else _readable(raw)
        meta = meta or {}
    else:
        wrong = (
            None
            if meta["sha256"] == hashlib.sha256(raw).hexdigest()
            else "it is not the file that was written"
        )
    if wrong:
        msg = f"{path.name} is damaged: {wrong}"
        raise TranscriptDamaged(msg)
    return Entry(raw, meta)


def _readable(raw: bytes) -> str | None:
    try:
        read_scribe(payload(raw), duration=None)
    except TranscriptDamaged as error:
        return str(error)
    return None


def _meta(path: Path) -> Mapping[str, object] | None:
    try:
        found = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def save(path: Path, entry: Entry) -> None:
    """Write an entry, its meta first, so that raw bytes without their hash are never ours."""
    meta = json.dumps(dict(entry.meta), ensure_ascii=False, indent=1) + "\n"
    write_atomic(meta_path(path), meta)
    write_atomic(path, entry.raw)


def set_aside(path: Path) -> Path:
    """Move a damaged entry out of the way and give its new place."""
    place = path.with_name(path.name + DAMAGED)
    for number in range(2, 100):
        if not place.exists():
            break
        place = path.with_name(f"{path.name}{DAMAGED}{number}")
    path.replace(place)
    meta_path(path).unlink(missing_ok=True)
    return place


def kept(folder: Path) -> Iterator[Path]:
    """Give the raw files of a folder of the store."""
    for path in sorted(folder.glob("*.json")):
        if not path.name.endswith(".meta.json"):
            yield path
