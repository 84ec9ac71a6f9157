"""Footage whose every frame carries its number as bars, and whose every sample is known."""

from __future__ import annotations

import struct
import subprocess
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cutbook.edit.edl import Edl, Range
from cutbook.edit.take import Take
from cutbook.files import UserFolders, fingerprint
from cutbook.media.probe import probe
from cutbook.transcripts.model import Transcript, Word

BITS = 10
RATE = 48_000
Gray = NDArray[np.uint8]
Sound = NDArray[np.float32]


@dataclass(frozen=True)
class Clip:
    """A file, what each of its frames says, and its sound."""

    path: Path
    rate: Fraction
    frames: int
    sound: Sound | None
    words: tuple[Word, ...] = field(default=())

    def take(self, name: str, folders: UserFolders) -> Take:
        """Give the clip as a take."""
        spoken = Transcript(self.words, "en", "test", "none") if self.words else None
        return Take.given(name, probe(self.path), fingerprint(self.path, folders), transcript=spoken)


def bars(number: int, size: tuple[int, int]) -> Gray:
    """Draw a number as white and black bars from left to right, the lowest bit first."""
    width, height = size
    places = np.arange(width) * BITS // width
    row = np.where((number >> places) & 1, 235, 16).astype(np.uint8)
    return np.tile(row, (height, 1))


def number(picture: Gray, box: tuple[int, int, int, int]) -> int:
    """Read the number that the bars inside `box` (left, top, width, height) say."""
    left, top, width, height = box
    inside = picture[top + height // 4 : top + height // 2, left : left + width].mean(axis=0)
    middles = [int((bit + 0.5) * width / BITS) for bit in range(BITS)]
    return sum(1 << bit for bit, place in enumerate(middles) if inside[place] > 126)


def noise(samples: int, seed: int) -> Sound:
    """Make sound in which no two places are alike."""
    raw = np.random.default_rng(seed).normal(0, 1, samples + 8)
    smooth = np.convolve(raw, np.hanning(6), "valid")[:samples]
    return np.asarray(0.15 * smooth / np.abs(smooth).max() * 4, np.float32).clip(-0.9, 0.9)


def film(
    path: Path,
    ffmpeg: Path,
    *,
    rate: Fraction,
    frames: int,
    size: tuple[int, int] = (160, 90),
    seed: int | None = 1,
    rotation: int = 0,
    words: tuple[Word, ...] = (),
    codec: tuple[str, ...] = (
        "-c:v",
        "libx264",
        "-preset",
        "veryfast",
        "-crf",
        "18",
        "-g",
        "40",
        "-pix_fmt",
        "yuv420p",
    ),
    sound_codec: tuple[str, ...] = ("-c:a", "aac", "-b:a", "160k"),
    filters: str = "null",
) -> Clip:
    """Make a clip; `size` is how it is shown, `rotation` the clockwise turn that its tag asks for."""
    width, height = size
    turns = rotation // 90
    coded = (height, width) if turns % 2 else size
    pictures = b"".join(np.rot90(bars(n, size), turns).tobytes() for n in range(frames))
    heard = None
    command: list[str | Path] = [
        ffmpeg,
        "-v",
        "error",
        "-nostdin",
        "-y",
        "-f",
        "rawvideo",
        "-pix_fmt",
        "gray",
    ]
    command += ["-s", f"{coded[0]}x{coded[1]}", "-r", str(rate), "-i", "-"]
    if seed is not None:
        heard = noise(int(frames / rate * RATE), seed)
        wave = path.with_suffix(".raw")
        wave.write_bytes(heard.tobytes())
        command += ["-f", "f32le", "-ar", str(RATE), "-ac", "1", "-i", wave]
    command += ["-vf", filters, *codec, *(sound_codec if seed is not None else ()), path]
    subprocess.run(command, input=pictures, check=True, timeout=60)
    if turns:
        _tag(path, rotation)
    return Clip(path, rate, frames, heard, words)


def _tag(path: Path, rotation: int) -> None:
    """Write the turn into the track header's matrix (ISO/IEC 14496-12, 8.3.2), in 16.16 fixed point."""
    data = bytearray(path.read_bytes())
    place = data.index(b"tkhd") + 4 + 40
    one = 1 << 16
    matrix = {90: (0, one, -one, 0), 180: (-one, 0, 0, -one), 270: (0, -one, one, 0)}[rotation]
    a, b, c, d = matrix
    struct.pack_into(">9i", data, place, a, b, 0, c, d, 0, 0, 0, 1 << 30)
    path.write_bytes(data)


def span(name: str, take: Take, first: int, last: int, **more: Any) -> Range:
    """Give a range of a take's frames [first, last)."""
    return Range(id=f"r-{name}", source=take.name, frames=(first, last), rate=take.rate, **more)


def edl(*ranges: Range, **more: Any) -> Edl:
    """Give a cut list of ranges."""
    return Edl(ranges=ranges, **more)


def pictures(path: Path) -> list[Gray]:
    """Decode a film's pictures, in order, as gray."""
    import av

    with av.open(str(path)) as file:
        return [np.asarray(frame.to_ndarray(format="gray")) for frame in file.decode(video=0)]


def sound(path: Path) -> Sound:
    """Decode a film's sound, both sides as one, each sample in its place."""
    import av

    with av.open(str(path)) as file:
        parts = []
        for frame in file.decode(audio=0):
            assert frame.pts is not None
            assert frame.time_base is not None
            parts.append((round(frame.pts * frame.time_base * RATE), frame.to_ndarray().mean(axis=0)))
    heard = np.zeros(max(at + len(part) for at, part in parts), np.float32)
    for at, part in parts:
        low = max(0, -at)
        heard[at + low : at + len(part)] = part[low:]
    return heard


def lag(heard: Sound, known: Sound, reach: int = 480) -> tuple[int, float]:
    """Give by how many samples `heard` is later than `known`, and how alike they then are (0 to 1)."""
    middle = known[reach : len(known) - reach]
    likeness = np.correlate(heard, middle, "valid")
    windows = np.lib.stride_tricks.sliding_window_view(heard, len(middle))
    scale = np.sqrt((windows**2).sum(axis=1) * float((middle**2).sum())) + 1e-12
    likeness = likeness / scale
    best = int(likeness.argmax())
    return best - reach, float(likeness[best])
