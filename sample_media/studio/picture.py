"""Make a take's frames: heads that move a little, mouths that follow the sound, and the burnt-in slate."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from studio.canvas import SCALE, colour, font
from studio.people import HEAD_CENTRE, LID_STEPS, MOUTH_STEPS, head
from studio.scenes import Seat, scene_of
from studio.script import CAST, Take
from studio.sound import Track

Frame = NDArray[np.uint8]
QUIET_DBFS, LOUD_DBFS = -42.0, -15.0
BLINK_S = 0.20
NECK = 130
RECORD_RED = "#e0483e"


@dataclass(frozen=True, kw_only=True)
class Motion:
    """What one character does in each frame: mouth and lid steps, brow lift, and the head's shift and tilt."""

    mouth: NDArray[np.int64]
    lid: NDArray[np.int64]
    brow: NDArray[np.int64]
    shift: NDArray[np.float64]
    tilt: NDArray[np.float64]


def frames(take: Take, track: Track) -> Iterator[Frame]:
    """Yield the frames of a speaking take, as shown (upright), RGB."""
    scene = scene_of(track.speakers, take.size)
    count = round(track.samples.size / track.rate * take.rate)
    motions = [
        _motion(take, track, label=f"S{index}", count=count, seed=index) for index in range(len(scene.seats))
    ]
    title = " & ".join(CAST[speaker].name for speaker in track.speakers)
    still = slate(scene.backdrop, take=take, title=title, ink=scene.ink)
    for index in range(count):
        picture = still.copy()
        for seat, motion in zip(scene.seats, motions, strict=True):
            _place(picture, seat, motion, index)
        stamp(picture, take=take, index=index, ink=scene.ink)
        yield np.asarray(picture)


def slate(backdrop: Image.Image, *, take: Take, title: str, ink: str) -> Image.Image:
    """Set what does not change: the record dot, the take's name, who is seen, and the rate."""
    picture = backdrop.copy()
    layer = Image.new("RGBA", (420 * SCALE, 84 * SCALE), colour(ink, 0))
    draw = ImageDraw.Draw(layer)
    left, base = 36 * SCALE, 44 * SCALE
    radius = 6 * SCALE
    draw.ellipse(
        [left, base - 8 * SCALE - radius, left + 2 * radius, base - 8 * SCALE + radius],
        fill=colour(RECORD_RED),
    )
    draw.text(
        (left + 22 * SCALE, base),
        take.name,
        font=font("bold", 24 * SCALE),
        fill=colour(ink, 0.92),
        anchor="ls",
    )
    rate = f"{float(take.rate):.2f}".rstrip("0").rstrip(".")
    draw.text(
        (left + 22 * SCALE, base + 24 * SCALE),
        f"{title}  ·  {rate} fps",
        font=font("text", 16 * SCALE),
        fill=colour(ink, 0.66),
        anchor="ls",
    )
    small = layer.resize((420, 84), Image.Resampling.LANCZOS)
    picture.paste(small, (0, 0), small)
    return picture


def timecode(take: Take, index: int) -> str:
    """Count frames as ``hh:mm:ss:ff``, without drops, at the rate rounded to a whole number."""
    whole = round(take.rate)
    seconds, frame = divmod(index, whole)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}:{frame:02d}"


@cache
def _glyph(sign: str, ink: str) -> Image.Image:
    cell = Image.new("RGBA", (16 * SCALE, 34 * SCALE), colour(ink, 0))
    draw = ImageDraw.Draw(cell)
    draw.text(
        (8 * SCALE, 26 * SCALE), sign, font=font("mono", 25 * SCALE), fill=colour(ink, 0.86), anchor="ms"
    )
    return cell.resize((16, 34), Image.Resampling.LANCZOS)


def stamp(picture: Image.Image, *, take: Take, index: int, ink: str) -> None:
    """Set the running timecode in the top right corner."""
    text = timecode(take, index)
    left = take.size[0] - 36 - 15 * len(text)
    for place, sign in enumerate(text):
        glyph = _glyph(sign, ink)
        picture.paste(glyph, (left + 15 * place, 18), glyph)


def _place(picture: Image.Image, seat: Seat, motion: Motion, index: int) -> None:
    """Paste a head where it is in this frame: turned about the neck and shifted, by parts of a pixel too."""
    sprite = head(
        seat.who,
        size=seat.size,
        mouth=int(motion.mouth[index]),
        lid=int(motion.lid[index]),
        turn=seat.turn,
        brow=int(motion.brow[index]),
    )
    angle = math.radians(float(motion.tilt[index]))
    cosine, sine = math.cos(angle), math.sin(angle)
    x, y = HEAD_CENTRE[0] * seat.size, (HEAD_CENTRE[1] + NECK) * seat.size
    moved_y = y + float(motion.shift[index])
    matrix = (cosine, sine, x - cosine * x - sine * moved_y, -sine, cosine, y + sine * x - cosine * moved_y)
    moved = sprite.transform(sprite.size, Image.Transform.AFFINE, matrix, Image.Resampling.BICUBIC)
    corner = (
        round(seat.centre[0] - HEAD_CENTRE[0] * seat.size),
        round(seat.centre[1] - HEAD_CENTRE[1] * seat.size),
    )
    picture.paste(moved, corner, moved)


def _motion(take: Take, track: Track, *, label: str, count: int, seed: int) -> Motion:
    rate = float(take.rate)
    clock = np.arange(count) / rate
    level = _levels(track, label=label, count=count, rate=rate)
    slow = np.convolve(level, np.hanning(round(rate) | 1) / (rate / 2), mode="same")
    chance = np.random.default_rng([seed, *take.name.encode()])
    lid = np.zeros(count, dtype=np.int64)
    at = 0.9 + float(chance.uniform(0, 1.6))
    while at < clock[-1]:
        phase = 1 - np.abs(clock - at) / (BLINK_S / 2)
        lid = np.maximum(lid, np.clip(np.ceil(phase * 1.5 * LID_STEPS), 0, LID_STEPS).astype(np.int64))
        at += float(chance.uniform(2.0, 4.2))
    start = float(chance.uniform(0, 6))
    sway = np.sin(clock * 1.1 + start)
    nod = np.sin(clock * 2.3 + 2 * start)
    return Motion(
        mouth=np.round(level * MOUTH_STEPS).astype(np.int64),
        lid=lid,
        brow=np.round(np.clip(slow * 1.6, 0, 1) * 4).astype(np.int64),
        shift=1.2 * sway + slow * (2.0 + 3.0 * nod),
        tilt=0.8 * np.sin(clock * 0.7 + start) + 1.6 * slow * np.sin(clock * 1.7 + start),
    )


def _levels(track: Track, *, label: str, count: int, rate: float) -> NDArray[np.float64]:
    """Measure how loud the speaker is during each frame, 0 to 1, and nought while others speak."""
    voice = np.zeros(track.samples.size)
    for word in track.words:
        if word.speaker == label:
            span = slice(round(word.start * track.rate), round(word.end * track.rate))
            voice[span] = track.samples[span]
    edges = np.round(np.arange(count + 1) / rate * track.rate).astype(np.int64)
    power = np.add.reduceat(np.append(voice, 0.0) ** 2, edges[:-1]) / np.maximum(1, np.diff(edges))
    decibels = 10 * np.log10(power + 1e-12)
    level = np.clip((decibels - QUIET_DBFS) / (LOUD_DBFS - QUIET_DBFS), 0, 1) ** 1.4
    held = level.copy()
    for index in range(1, count):
        held[index] = max(level[index], held[index - 1] * 0.5)
    return held
