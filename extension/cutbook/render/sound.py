"""The film's sound: one continuous track of exact length, set to a loudness once and encoded once."""

from __future__ import annotations

import contextlib
import math
import struct
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from cutbook.errors import RenderError
from cutbook.media.ffmpeg import Ffmpeg, argument
from cutbook.media.probe import Media, SoundTrack
from cutbook.media.sound import Loudness, measure
from cutbook.render.conform import streamed
from cutbook.render.plan import Piece
from cutbook.timebase import SAMPLE_RATE, decimals

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RECIPE = "1"
"""Counts changes to what is made here, so that older sound is not taken from the cache."""

CHANNELS = 2
FRAME_BYTES = 4 * CHANNELS
"""Bytes of one stereo sample of 32-bit float."""

SILENCE = -69.0
"""LUFS at and below which there is nothing to hear: such sound is left alone (EBU R128 gates at −70)."""

HEADROOM = 1.0
"""Decibels under the highest true peak that the sound is held before it is encoded, which adds to peaks."""

MOST_GAIN = 30.0
"""Decibels by which quiet sound is raised at most, so that a hum does not become a roar."""

MOST_ROUNDS = 3
"""How often sound is encoded again because its peak came out too high."""

_BIT_RATE = "192k"
_WARM = Fraction(1, 2)
_BLOCK = 1 << 20
_INDEX = 3072
"""Bytes that a container's index takes for a second, about."""
_HEAD = struct.pack(">4s5I", b".snd", 24, 0xFFFFFFFF, 6, SAMPLE_RATE, CHANNELS)


def piece_arguments(piece: Piece, media: Media, track: SoundTrack, output: str) -> list[str]:
    """Give ffmpeg's arguments for one piece as raw 32-bit float stereo, sample for sample in its place.

    Half a second more is decoded before it: that swallows the decoder's warm-up, and a late start becomes silence.
    """
    import ffmpeg

    at = media.origin + piece.start - _WARM
    seek = at + _WARM - (3 if streamed(media) else 1)
    options: dict[str, Any] = {"copyts": None, "seek_timestamp": 1, "noaccurate_seek": None, "vn": None}
    if seek > media.origin:
        options["ss"] = decimals(seek, 6)
    warm = int(_WARM * SAMPLE_RATE)
    stream = ffmpeg.input(argument(media.path), **options)[str(track.index)]
    stream = stream.filter("atrim", start=decimals(at, 6))
    stream = stream.filter("asetpts", f"PTS-({at})/TB")
    stream = stream.filter("aresample", SAMPLE_RATE, **{"async": 1, "first_pts": 0})
    stream = stream.filter("aformat", sample_fmts="flt", channel_layouts="stereo")
    stream = stream.filter("apad", whole_len=warm + piece.samples)
    stream = stream.filter("atrim", start_sample=warm, end_sample=warm + piece.samples)
    target = stream.output(output, **{"map_metadata": -1, "c:a": "pcm_f32le", "format": "f32le"})
    line: list[str] = target.overwrite_output().get_args()
    return line


def pattern(piece: Piece) -> Piece:
    """Give what the commands of many pieces have in common: a piece of one source at one place, of one length.

    Beside it, a piece's name holds its start and its samples.
    """
    return Piece(source=piece.source, start=Fraction(1), first=0, samples=1, fade_in=0, fade_out=0)


def held(media: Media) -> int:
    """Give about how many bytes decoding a piece holds: some of its own, and those of the container's index."""
    return (4 << 20) + int(media.duration * _INDEX)


def lay(pieces: Sequence[tuple[Piece, Path | None]], samples: int, output: Path) -> None:
    """Lay pieces (with their raw files, None for silence) into one track of ``samples``, with their fades.

    The file is Sun audio in 32-bit float, whose header needs no length, so that no film is too long for it.

    Raises:
        RenderError: a raw file is not as long as its piece.
    """
    with output.open("wb+") as file:
        file.write(_HEAD)
        file.truncate(len(_HEAD) + samples * FRAME_BYTES)
        for piece, path in pieces:
            if path is None:
                continue
            _mix(file, piece, path)


def _mix(
    file: IO[bytes], piece: Piece, path: Path, shape: Callable[[int, int], NDArray[np.float32]] | None = None
) -> None:
    import numpy as np

    found = path.stat().st_size // FRAME_BYTES
    if found < piece.samples:
        short = f"{found} of {piece.samples} samples"
        msg = f"the sound of {piece.source} has {short}; delete edit/cache and render again"
        raise RenderError(msg)
    for low in range(0, piece.samples, _BLOCK):
        high = min(low + _BLOCK, piece.samples)
        raw = np.fromfile(path, np.float32, (high - low) * CHANNELS, offset=low * FRAME_BYTES)
        gain = gains(piece, low, high)
        if shape is not None:
            gain *= shape(piece.first + low, piece.first + high)
        place = len(_HEAD) + (piece.first + low) * FRAME_BYTES
        file.seek(place)
        under = np.frombuffer(file.read((high - low) * FRAME_BYTES), ">f4")
        mixed = under + raw * np.repeat(gain, CHANNELS)
        file.seek(place)
        # Plain writes: a full disk is then an error, and not the end of the process as with mapped memory.
        file.write(mixed.astype(">f4").tobytes())


def add_music(
    pieces: Sequence[Piece], raw: Path, track: Path, *, shape: Callable[[int, int], NDArray[np.float32]]
) -> None:
    """Mix pieces of one raw file into a track that :func:`lay` made; ``shape`` gives the gain of samples [low, high).

    Raises:
        RenderError: the raw file is shorter than a piece.
    """
    with track.open("rb+") as file:
        for piece in pieces:
            _mix(file, piece, raw, shape)


def gains(piece: Piece, low: int, high: int) -> NDArray[np.float32]:
    """Give the gain of each of a piece's samples [low, high): 1 but for its fades.

    A fade is half a cosine; of a crossfade a quarter sine, so that two unlike sounds keep their power.
    """
    import numpy as np

    made = np.ones(high - low)
    for first, last, edge, length, crossed in (
        (low, min(high, piece.fade_in), 0, piece.fade_in, piece.crossed_in),
        (max(low, piece.samples - piece.fade_out), high, piece.samples, piece.fade_out, piece.crossed_out),
    ):
        if first < last:
            share = np.abs(np.arange(first, last, dtype=np.float64) + 0.5 - edge) / length
            made[first - low : last - low] *= np.sin(share * math.pi / 2) ** (1 if crossed else 2)
    return made.astype(np.float32)


@dataclass(frozen=True, slots=True)
class Levelled:
    """What was done to the film's sound. ``gain`` is in dB; ``rounds`` counts the encodings made for the peak."""

    before: Loudness
    after: Loudness
    gain: float
    limited: bool
    rounds: int

    @property
    def sentence(self) -> str:
        """What was done, for people."""
        if silent(self.before):
            return "The sound is silent, so it was left alone."
        how = "limited" if self.limited else "not limited"
        return (
            f"Sound {self.before.integrated_lufs:.1f} → {self.after.integrated_lufs:.1f} LUFS "
            f"({self.gain:+.1f} dB, {how}), true peak {self.after.true_peak_db:.1f} dBTP."
        )

    def as_dict(self) -> dict[str, Any]:
        """Give plain data for a record."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Levelled:
        """Read what :meth:`as_dict` gave."""
        return cls(**{**data, "before": Loudness(**data["before"]), "after": Loudness(**data["after"])})


def level(
    ffmpeg: Ffmpeg,
    track: Path,
    output: Path,
    *,
    loudness: float,
    true_peak: float,
    cancel: threading.Event | None = None,
) -> Levelled:
    """Set a track to ``loudness`` LUFS with peaks up to ``true_peak`` dBTP and encode it as AAC.

    The encoded file is what is measured: a peak over the limit lowers the sound by the excess and 0.3 dB, at most
    three times.
    """
    before = measure(ffmpeg, track)
    quiet = silent(before)
    gain = 0.0 if quiet else min(loudness - before.integrated_lufs, MOST_GAIN)
    ceiling = true_peak - HEADROOM
    limited = not quiet and before.true_peak_db + gain > ceiling
    lowered = 0.0
    rounds = 0
    while True:
        rounds += 1
        _encode(
            ffmpeg,
            track,
            output,
            gain=gain,
            ceiling=ceiling if limited else None,
            lowered=lowered,
            cancel=cancel,
        )
        after = measure(ffmpeg, output)
        if silent(after) or after.true_peak_db <= true_peak or rounds > MOST_ROUNDS:
            return Levelled(before, after, round(gain - lowered, 2), limited, rounds)
        lowered += after.true_peak_db - true_peak + 0.3


def silent(loudness: Loudness) -> bool:
    """Tell whether there is nothing to hear."""
    return not loudness.integrated_lufs > SILENCE


def _encode(
    ffmpeg: Ffmpeg,
    track: Path,
    output: Path,
    *,
    gain: float,
    ceiling: float | None,
    lowered: float,
    cancel: threading.Event | None,
) -> None:
    chain = [f"volume={gain:.2f}dB"] if gain else []
    if ceiling is not None:
        # Without `latency` the limiter's look-ahead makes the sound late.
        limiter = f"alimiter=limit={ceiling:.2f}dB:level=false:latency=1"
        chain += ["aresample=192000", limiter, f"aresample={SAMPLE_RATE}"]
    if lowered:
        chain.append(f"volume={-lowered:.2f}dB")
    with contextlib.suppress(FileNotFoundError):
        output.unlink()
    ffmpeg.run(
        [
            *("-i", argument(track), "-af", ",".join([*chain, "aformat=channel_layouts=stereo"])),
            *("-c:a", "aac", "-b:a", _BIT_RATE, "-ar", str(SAMPLE_RATE), "-map_metadata", "-1"),
            *("-movie_timescale", "240000", "-bitexact", "-f", "mp4", "-y", argument(output)),
        ],
        cancel=cancel,
    )
