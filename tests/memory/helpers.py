"""Takes and cut lists of a few words, made by hand, for the memory's tests."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from cutbook.edit.edl import Edl, Range
from cutbook.edit.take import Take
from cutbook.files import Fingerprint, UserFolders
from cutbook.media.probe import Media, Picture, SoundTrack
from cutbook.memory.session import Session
from cutbook.transcripts.model import Transcript, Word

RATE = Fraction(25)
DIGEST = "9f2c11aa03be" + "0" * 52

Said = Sequence[tuple[str, str, str]]
HOOK: Said = (
    ("Ninety", "2.60", "2.90"),
    ("percent", "2.95", "3.40"),
    ("is", "3.50", "3.60"),
    ("wasted.", "3.70", "4.20"),
)


class Clock:
    """Tells a time that the test sets."""

    def __init__(self, day: int = 30) -> None:
        self.now = dt.datetime(2026, 11, day, 12, 0, tzinfo=dt.UTC)

    def __call__(self) -> dt.datetime:
        """Tell the time."""
        return self.now


def folders(base: Path) -> UserFolders:
    """Give a user's folders inside a test's own."""
    return UserFolders(base / "user" / "cache", base / "user" / "state", base / "user" / "config")


def session(base: Path, notebook: str = "", day: int = 30) -> Session:
    """Give the open session of a project at ``base/launch``, not made yet."""
    return Session(base / "launch" / "edit", folders(base), clock=Clock(day), notebook=notebook)


def take(
    name: str, said: Said | None = HOOK, *, seconds: int = 60, digest: str = DIGEST, size: int = 48210944
) -> Take:
    """Make a take of a minute at 25 fps; ``said`` None: no transcript."""
    picture = Picture(
        index=0, codec="h264", width=64, height=36, coded=(64, 36), rotation=0, sample_aspect=Fraction(1),
        rate=RATE, average_rate=RATE, variable=False, time_base=Fraction(1, 12800), start=Fraction(0),
        duration=Fraction(seconds), frames=seconds * 25, pixel_format="yuv420p", bit_depth=8, interlaced=False,
        full_range=False,
    )  # fmt: skip
    sound = SoundTrack(1, 0, "aac", 48_000, 2, "stereo", Fraction(0), Fraction(seconds))
    media = Media(Path(f"{name}.mp4"), "mp4", size, Fraction(0), Fraction(seconds), picture, (sound,))
    words = tuple(
        Word(n, text, Fraction(a), Fraction(b)) for n, (text, a, b) in enumerate(said or (), start=1)
    )
    transcript = None if said is None else Transcript(words, "en", "local", "base")
    return Take.given(name, media, Fingerprint(size, digest), transcript=transcript)


def kept(name: str, source: str, start: float, end: float, **more: Any) -> Range:
    """Make a range from seconds, which must lie on frames of 25 fps."""
    return Range(id=name, source=source, frames=(round(start * 25), round(end * 25)), rate=RATE, **more)


def edl(*ranges: Range) -> Edl:
    """Make a cut list."""
    return Edl(ranges=ranges)
