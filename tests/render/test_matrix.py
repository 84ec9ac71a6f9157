from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import av
import pytest

from cutbook.files import UserFolders
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.render.film import render
from cutbook.render.plan import plan
from tests.render.footage import RATE, edl, film, lag, number, pictures, sound, span

RATES = ("24000/1001", "25", "30000/1001", "50", "60")
FRAMES = 600


def ranges(count: int, seed: int) -> list[tuple[int, int]]:
    """Give ranges anywhere in the film, some of one and two frames."""
    chance = random.Random(seed)  # noqa: S311 - nothing is kept secret
    lengths = [1, 2, *(chance.randint(3, 30) for _ in range(count - 2))]
    chance.shuffle(lengths)
    begins = [chance.randint(0, FRAMES - length) for length in lengths]
    return [(low, low + length) for low, length in zip(begins, lengths, strict=True)]


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("rate", "count"),
    [("24000/1001", 12), *(pytest.param(rate, 60, marks=pytest.mark.matrix) for rate in RATES)],
)
def test_each_frame_and_its_sound_at_every_rate(  # noqa: PLR0917 - pytest gives them by name
    rate: str, count: int, folders: UserFolders, runner: Ffmpeg, any_ffmpeg: Path, tmp_path: Path
) -> None:
    """Of ranges at any rate each frame is the one asked for, shown at k/rate, its sound within a millisecond."""
    fps = Fraction(rate)
    clip = film(tmp_path / "take.mp4", any_ffmpeg, rate=fps, frames=FRAMES)
    assert clip.sound is not None
    take = clip.take("take", folders)
    cuts = ranges(count, seed=count)
    made = render(
        plan(edl(*(span(f"{n:05d}", take, *cut) for n, cut in enumerate(cuts))), {"take": take}),
        takes={"take": take},
        edit=tmp_path / "edit",
        output=tmp_path / "film.mp4",
        ffmpeg=runner,
        tier_name="final",
        pictures=False,
    )
    assert made.proof.ok
    expected = [k for low, high in cuts for k in range(low, high)]
    assert [number(each, (0, 0, 160, 90)) for each in pictures(made.path)] == expected
    with av.open(str(made.path)) as file:
        times = sorted(p.pts * p.time_base for p in file.demux(video=0) if p.pts is not None and p.size)
    assert times == [k / fps for k in range(len(expected))]
    heard, begin, compared = sound(made.path), 0, 0
    for low, high in cuts:
        at, start = round(begin / fps * RATE), round(low / fps * RATE)
        length = int((high - low) / fps * RATE) - 1500
        if length > 6000:
            late, likeness = lag(heard[at + 1500 : at + length], clip.sound[start + 1500 : start + length])
            assert likeness > 0.9
            assert abs(late) <= RATE // 1000
            compared += 1
        begin += high - low
    assert compared > count // 4
