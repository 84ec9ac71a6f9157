"""A process that renders, to be stopped: `python -m tests.render.rendering FOLDER FFMPEG`."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

from cutbook.edit.take import Take
from cutbook.files import UserFolders, fingerprint
from cutbook.media.ffmpeg import find
from cutbook.media.probe import probe
from cutbook.render.film import Film, render
from cutbook.render.plan import plan
from tests.render.footage import edl, span

RANGES = 8


def film(folder: Path, ffmpeg: Path) -> Film:
    """Render eight ranges of the take in a folder."""
    folders = UserFolders(folder / "cache", folder / "state", folder / "config")
    path = folder / "take.mp4"
    take = Take.given("take", probe(path), fingerprint(path, folders))
    cut = edl(*(span(f"{n:05d}", take, 24 * n, 24 * n + 20) for n in range(RANGES)))
    return render(
        plan(cut, {"take": take}, size=(320, 180), rate=Fraction(25)),
        takes={"take": take},
        edit=folder / "edit",
        output=folder / "film.mp4",
        ffmpeg=find(ffmpeg),
        tier_name="final",
        jobs=2,
        pictures=False,
    )


if __name__ == "__main__":
    film(Path(sys.argv[1]), Path(sys.argv[2]))
