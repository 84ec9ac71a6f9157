"""A lecture of three hours with every word known, and five hundred ranges cut out of it."""

from __future__ import annotations

from pathlib import Path

from cutbook import Project
from tests.footage import make_clip, run
from tests.launch import hear

SECONDS = 10_800
WORDS = 27_000
CUTS = 500
SAID = (
    "so what we want to see here is how a page gets from there to a screen and why it takes that long".split()
)


def lecture(folder: Path) -> Path:
    """Make the footage folder: one take, ten frames a second and small, one minute of it said over again."""
    folder.mkdir(parents=True)
    minute = folder.parent / "minute.mp4"
    make_clip(minute, seconds=60, size=(64, 36), rate="10", sound="tone")
    run("-stream_loop", SECONDS // 60 - 1, "-i", minute, "-c", "copy", folder / "L0001.mp4")
    minute.unlink()
    step = SECONDS / WORDS
    words = [
        (SAID[n % len(SAID)] + ("." if n % 18 == 17 else ""), n * step + 0.02, (n + 0.8) * step)
        for n in range(WORDS)
    ]
    hear(folder, "L0001", words)
    each = SECONDS / CUTS
    lines = [f"PART L0001 {n * each + 1:.2f}-{n * each + 13:.2f} -- part {n + 1}" for n in range(CUTS)]
    Project(folder).cut("\n".join(lines))
    return folder
