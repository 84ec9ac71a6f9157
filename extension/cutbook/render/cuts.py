"""A picture of every cut: what is seen and heard before and after it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from cutbook.files import folder
from cutbook.media.frames import frames_at
from cutbook.media.probe import Media, probe
from cutbook.render import measures
from cutbook.render.findings import CutPicture
from cutbook.render.plan import Plan
from cutbook.timebase import SAMPLE_RATE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL import Image as Pillow

AROUND = Fraction(3, 2)
"""Seconds shown before and after a cut."""

_HEIGHT = 90
_WAVE = 36


def draw_cuts(file: Path, plan: Plan, place: Path) -> Iterator[CutPicture]:
    """Draw the film around each cut into ``place``: pictures before and after it, and the sound's waveform."""
    if place.is_dir():
        shutil.rmtree(place, ignore_errors=True)
    if len(plan.segments) < 2:
        return
    folder(place)
    film = probe(file)
    heard = measures.listener(film) if film.sound else None
    moments = [_moments(frame, plan) for frame in plan.cuts]
    shown = frames_at(film, [time for each in moments for time in each], height=_HEIGHT)
    each = len(moments[0])
    for number, (frame, two) in enumerate(zip(plan.cuts, plan.segments[1:], strict=True), start=1):
        one = plan.segments[number - 1]
        time = frame / plan.rate
        strip = _strip(shown[(number - 1) * each : number * each])
        image = _with_wave(strip, heard, time, film)
        path = place / f"cut_{number:03d}.jpg"
        image.save(path, "JPEG", quality=80)
        label = f"{one.part.source} → {two.part.source}" + (f" ({two.part.beat})" if two.part.beat else "")
        yield CutPicture(time=time, label=label, path=path)


def _moments(frame: int, plan: Plan) -> list[Fraction]:
    """Give six times around a cut, the middle two on its last and its first frame."""
    at = frame / plan.rate
    tick = 1 / plan.rate
    wanted = (at - AROUND, at - AROUND / 2, at - tick, at, at + AROUND / 2, at + AROUND)
    return [min(max(Fraction(0), time), plan.duration - tick) for time in wanted]


def _strip(images: list[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    import numpy as np

    gap = np.full((images[0].shape[0], 2, 3), 255, np.uint8)
    red = np.full((images[0].shape[0], 4, 3), (220, 30, 30), np.uint8)
    half = len(images) // 2
    parts = [part for image in images[:half] for part in (image, gap)][:-1]
    parts.append(red)
    parts += [part for image in images[half:] for part in (image, gap)][:-1]
    return np.concatenate(parts, axis=1)


def _with_wave(
    strip: NDArray[np.uint8], heard: measures.Heard | None, time: Fraction, film: Media
) -> Pillow.Image:
    import numpy as np
    from PIL import Image

    width = strip.shape[1]
    wave = np.full((_WAVE, width, 3), 250, np.uint8)
    if heard is not None:
        low = round((time - AROUND) * SAMPLE_RATE)
        high = min(round((time + AROUND) * SAMPLE_RATE), round(film.duration * SAMPLE_RATE))
        found = heard(max(0, low), high)
        whole = np.zeros(round(2 * AROUND * SAMPLE_RATE), np.float32)
        begin = max(0, -low)
        whole[begin : begin + len(found)] = found[: len(whole) - begin]
        edges = np.linspace(0, len(whole), width + 1).astype(int)
        for column in range(width):
            peak = float(np.abs(whole[edges[column] : edges[column + 1]]).max(initial=0))
            half = round(peak * (_WAVE // 2 - 1))
            wave[_WAVE // 2 - half : _WAVE // 2 + half + 1, column] = (70, 90, 120)
    wave[:, width // 2 - 1 : width // 2 + 1] = (220, 30, 30)
    return Image.fromarray(np.concatenate((strip, wave), axis=0))
