"""A small footage folder whose words are known to the millisecond, with the transcripts that an engine left there."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from cutbook.files import safe_name
from tests.footage import make_clip

Said = tuple[str, float, float]

HOOK: tuple[Said, ...] = (
    ("Ninety", 0.5, 0.9),
    ("percent", 0.95, 1.4),
    ("is", 1.45, 1.6),
    ("wasted.", 1.65, 2.2),
    ("Um,", 3.0, 3.3),
    ("we", 3.6, 3.8),
    ("fixed", 3.85, 4.2),
    ("this.", 4.25, 4.7),
)
"""What is said in C0101: 6 s, 30 frames a second; 0.8 s of pause, an um, 0.3 s of pause."""

FIX: tuple[Said, ...] = (("We", 0.4, 0.6), ("fixed", 0.65, 1.0), ("that.", 1.05, 1.5))
"""What is said in B0202: 3 s, 25 frames a second."""


def answer(*said: Said) -> str:
    """Return words as Scribe's JSON, with the spacing between them."""
    words: list[dict[str, object]] = []
    for text, start, end in said:
        if words:
            words.append({"text": " ", "start": words[-1]["end"], "end": start, "type": "spacing"})
        words.append({"text": text, "start": start, "end": end, "type": "word", "speaker_id": "speaker_0"})
    return json.dumps({"language_code": "eng", "text": " ".join(text for text, _, _ in said), "words": words})


def hear(folder: Path, take: str, said: Sequence[Said]) -> Path:
    """Put the words of a take where an engine leaves them."""
    path = folder / "edit" / "transcripts" / f"{safe_name(take)}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(answer(*said), encoding="utf-8")
    return path


def make_launch(folder: Path) -> Path:
    """Make three takes, the third a cutaway without sound, and the words of two."""
    make_clip(folder / "C0101.mp4", seconds=6, size=(160, 90), sound="beeps")
    make_clip(folder / "B0202.mov", seconds=3, size=(160, 90), sound="beeps", rate="25")
    make_clip(folder / "S0303.mp4", seconds=2, size=(160, 90), sound="none")
    hear(folder, "C0101", HOOK)
    hear(folder, "B0202", FIX)
    return folder


@cache
def _master() -> Path:
    return make_launch(Path(tempfile.mkdtemp(dir=os.environ["CUTBOOK_TEST_HOME"])) / "launch")


def copy_launch(folder: Path) -> Path:
    """Copy the launch folder, made once a session, to `folder`, times included."""
    return Path(shutil.copytree(_master(), folder))


def tree(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Return every file and folder below `folder`: mode, mtime and bytes."""
    return {
        path.relative_to(folder).as_posix(): (
            path.lstat().st_mode,
            path.lstat().st_mtime_ns,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in sorted(folder.rglob("*"))
    }
