from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import numpy as np

from cutbook.files import UserFolders
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.render.film import render
from cutbook.render.plan import plan
from tests.render.footage import RATE, Clip, edl, lag, number, pictures, sound, span

CUT = (
    ("pal", 3, 20),
    ("ntsc", 10, 43),
    ("cinema", 5, 30),
    ("phone", 7, 33),
    ("mute", 11, 30),
    ("ntsc", 44, 45),
    ("pal", 60, 100),
    ("ntsc", 50, 100),
)


def test_every_frame_and_sample_is_in_its_place(
    clips: dict[str, Clip], folders: UserFolders, runner: Ffmpeg, tmp_path: Path
) -> None:
    """Ranges of five kinds of clips show exactly the frames asked for, with the sound within a millisecond."""
    takes = {name: clip.take(name, folders) for name, clip in clips.items()}
    cut = edl(*(span(f"{n:05d}", takes[name], low, high) for n, (name, low, high) in enumerate(CUT)))
    planned = plan(cut, takes)
    made = render(
        planned, takes=takes, edit=tmp_path, output=tmp_path / "film.mp4", ffmpeg=runner, tier_name="final"
    )
    rate = Fraction(30000, 1001)
    expected: list[tuple[int, tuple[int, int, int, int]]] = []
    begins: list[int] = []
    for name, low, high in CUT:
        source = clips[name].rate
        begins.append(len(expected))
        for k in range(max(1, math.floor(Fraction(high - low) / source * rate + Fraction(1, 2)))):
            newest = math.floor((low / source + (k + Fraction(1, 8)) / rate) * source)
            expected.append((newest, (55, 0, 50, 90) if name == "phone" else (0, 0, 160, 90)))
    shown = pictures(made.path)
    assert [number(picture, box) for picture, (_, box) in zip(shown, expected, strict=True)] == [
        n for n, _ in expected
    ]
    heard = sound(made.path)
    for (name, low, high), begin in zip(CUT, begins, strict=True):
        known, at = clips[name].sound, round(begin / rate * RATE)
        if high - low < 10:
            continue
        length = int((high - low) / clips[name].rate * RATE) - 2000
        part = heard[at + 1500 : at + length]
        if known is None:
            assert np.abs(part).max() < 0.001
            continue
        start = round(low / clips[name].rate * RATE)
        late, likeness = lag(part, known[start + 1500 : start + length])
        assert likeness > 0.9
        assert abs(late) <= 2
