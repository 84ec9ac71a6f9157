"""Takes of numbered films, with sound and words at known times."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cutbook.edit.take import Take
from cutbook.files import Fingerprint
from cutbook.media.probe import Media, probe
from cutbook.media.sound import Envelope
from cutbook.transcripts.model import Transcript, Word
from tests.barcode import make_numbered

SPOKEN = (
    ("One", "0.5", "0.9", "A"),
    ("two", "1.0", "1.4", "A"),
    ("three", "2.4", "2.8", "B"),
    ("four", "2.9", "3.5", "B"),
)
"""Words of the films; between two and three lies a second without any, and half a second at either end."""


@dataclass(frozen=True)
class Films:
    """Two numbered films of four seconds: ``first`` at 30 frames a second, ``second`` at 25, numbered from 500."""

    first: Media
    second: Media


@pytest.fixture(scope="session")
def films(tmp_path_factory: pytest.TempPathFactory) -> Films:
    """Return the films that these tests share."""
    folder = tmp_path_factory.mktemp("numbered")
    return Films(
        probe(make_numbered(folder / "first.mp4")),
        probe(make_numbered(folder / "second.mp4", rate="25", first=500)),
    )


def words(*rows: tuple[str, str, str, str | None]) -> tuple[Word, ...]:
    """Make words of (text, start, end, speaker)."""
    return tuple(
        Word(number, text, Fraction(start), Fraction(end), speaker=speaker)
        for number, (text, start, end, speaker) in enumerate(rows, start=1)
    )


def envelope(media: Media, said: tuple[Word, ...]) -> Envelope:
    """Make a sound that is at -20 dBFS while a word is said and silent otherwise."""
    levels = np.zeros(round(media.duration * 1000), np.float32)
    for word in said:
        levels[round(word.start * 1000) : round(word.end * 1000)] = 0.1
    return Envelope(Fraction(1, 1000), levels)


def take(name: str, media: Media, said: tuple[Word, ...] = words(*SPOKEN), language: str = "en") -> Take:
    """Make a take of a film under a name, with what is said in it."""
    transcript = Transcript(said, language, "local", "test") if said else None
    print_ = Fingerprint(media.size, f"{media.path.name:0<64}")
    return Take.given(name, media, print_, transcript=transcript, envelope=envelope(media, said))


@pytest.fixture
def first(films: Films) -> Take:
    """Return the take of the first film."""
    return take("C0103", films.first)


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """Return a folder for what may be made again."""
    return tmp_path / "cache"
