from __future__ import annotations

import math
import random
from fractions import Fraction
from pathlib import Path

import pytest

from cutbook.edit.edl import Overlay
from cutbook.files import UserFolders
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.render.film import render
from cutbook.render.plan import plan
from cutbook.transcripts.model import Word
from tests.render.footage import RATE, edl, film, lag, pictures, sound, span
from tests.render.test_overlays import ALPHA, LOWER, shown, still

GRADES = ("none", "subtle", "warm_cinematic", "eq=gamma=0.95,eq=contrast=1.05")
PAL = Fraction(25)


def lengths(count: int) -> list[int]:
    """Give the frames of each range: long at both ends for the sound, one and two frames among the rest."""
    chance = random.Random(count)  # noqa: S311 - a test's choice
    return [20, 1, 2, 1, *(chance.choice((1, 2, 3, 5, 8, 9)) for _ in range(count - 5)), 20]


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("rate", "count"),
    [
        pytest.param(Fraction(30000, 1001), 16, id="some ranges at 29.97"),
        *(
            pytest.param(rate, 60, id=f"sixty ranges at {float(rate):.2f}", marks=pytest.mark.matrix)
            for rate in (Fraction(24000, 1001), PAL, Fraction(30000, 1001), Fraction(50), Fraction(60))
        ),
    ],
)
def test_every_frame_is_right_with_captions_overlays_and_grades(  # noqa: PLR0917 - fixtures
    rate: Fraction, count: int, any_ffmpeg: Path, folders: UserFolders, runner: Ffmpeg, tmp_path: Path
) -> None:
    """At the real preset, with ranges of one frame: each frame, each overlay's frame, and the sound at both ends."""
    words = tuple(
        Word(n, f"word{n}.", Fraction(n), Fraction(n) + Fraction(1, 2)) for n in range(1, int(800 / rate))
    )
    source = film(tmp_path / "source.mp4", any_ffmpeg, rate=rate, frames=800, words=words)
    assert source.sound is not None
    film(
        tmp_path / "own.mov", any_ffmpeg, rate=rate, frames=60, seed=None, filters=LOWER, codec=ALPHA["qtrle"]
    )
    film(tmp_path / "vp9.webm", any_ffmpeg, rate=PAL, frames=60, seed=None, filters=LOWER, codec=ALPHA["vp9"])
    still(tmp_path / "card.png", any_ffmpeg, 1001)
    take = source.take("source", folders)
    chance = random.Random(7)  # noqa: S311 - a test's choice
    starts = [chance.randrange(30, 760) for _ in range(count)]
    cuts = [(start, start + length) for start, length in zip(starts, lengths(count), strict=True)]
    total = sum(end - start for start, end in cuts)
    windows = {"own.mov": (15, 45), "vp9.webm": (46, 63), "card.png": (total - 15, total - 2)}
    overlays = tuple(
        Overlay(file=file, start_in_output=first / rate, duration=(end - first) / rate)
        for file, (first, end) in windows.items()
    )
    ranges = [span(f"{n:03d}", take, start, end, grade=GRADES[n % 4]) for n, (start, end) in enumerate(cuts)]
    made = render(
        plan(edl(*ranges, overlays=overlays), {"source": take}, size=(160, 90), captions="natural-sentence"),
        takes={"source": take},
        edit=tmp_path,
        output=tmp_path / "film.mp4",
        ffmpeg=runner,
        tier_name="final",
        pictures=False,
    )
    upper = [frame for start, end in cuts for frame in range(start, end)]
    lower = list(upper)
    lower[15:45] = range(30)
    lower[46:63] = [math.floor((k + Fraction(1, 8)) / rate * PAL) for k in range(17)]
    lower[total - 15 : total - 2] = [1001] * 13
    found = [shown(each) for each in pictures(made.path)]
    assert [above for above, _ in found] == upper
    assert [below for _, below in found] == lower
    assert made.proof.ok
    heard = sound(made.path)
    for start, first in ((cuts[0][0], 0), (cuts[-1][0], total - 20)):
        begin, known = round(first / rate * RATE), round(start / rate * RATE)
        length = round(20 / rate * RATE)
        late, likeness = lag(
            heard[begin + 1500 : begin + length - 1500], source.sound[known + 1500 : known + length - 1500]
        )
        assert (abs(late) <= 48, likeness > 0.85) == (True, True)
