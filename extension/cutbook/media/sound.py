"""What is heard, on take time: samples, levels once a millisecond, silences, loudness of a finished file.

A sound that starts late begins with silence, what is missing in between is silence, and what an encoder put before
its first sample (priming) is gone, so that sample n at rate r is heard at n/r.
"""

from __future__ import annotations

import contextlib
import io
import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cutbook.errors import NoSound
from cutbook.files import write_atomic
from cutbook.media.ffmpeg import Ffmpeg, argument
from cutbook.media.probe import Media, SoundTrack
from cutbook.media.waves import mono
from cutbook.timebase import Span, round_half_up

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

STEP = Fraction(1, 1000)
"""Seconds of one level of an envelope."""

SILENT = -100.0
"""dBFS (and dBTP) that stand for no sound at all."""

_RECIPE = 1
_SAMPLED = 600
_SPANS, _SPAN = 20, 15


@dataclass(frozen=True, slots=True, eq=False)
class Envelope:
    """How loud a sound is over time: linear RMS (1 is full scale) of its mono downmix, once every ``step`` seconds."""

    step: Fraction
    levels: NDArray[np.float32]

    @property
    def duration(self) -> Fraction:
        """Seconds that the levels cover, from take time 0."""
        return len(self.levels) * self.step

    def level(self, span: Span) -> float:
        """Give the linear RMS over a span; 0 outside the sound."""
        part = self._part(span)
        return float(np.sqrt(np.mean(np.square(part, dtype=np.float64)))) if len(part) else 0.0

    def quietest(self, span: Span, width: Fraction = Fraction(1, 100)) -> Fraction:
        """Give the middle of the quietest ``width`` seconds in a span; of equals the one nearest the span's middle."""
        steps = max(1, round_half_up(width / self.step))
        first = -int(-span.start // self.step)
        count = int(span.end // self.step) - first - steps + 1
        if count < 1:
            return span.middle
        power = np.zeros(count + steps)
        low, high = max(0, first), min(len(self.levels), first + count + steps - 1)
        if high > low:
            power[low - first + 1 : high - first + 1] = np.square(self.levels[low:high], dtype=np.float64)
        sums = np.cumsum(power)
        windows = sums[steps:] - sums[:-steps]
        near = np.flatnonzero(windows <= windows.min() + steps * 1e-10)
        middles = (first + near) * float(self.step) + float(width) / 2
        best = int(near[np.argmin(np.abs(middles - float(span.middle)))])
        return (first + best) * self.step + width / 2

    def peaks(self, span: Span, columns: int) -> NDArray[np.float32]:
        """Give the highest level in each of ``columns`` equal parts of a span, for drawing; 0 outside the sound."""
        edges = [int((span.start + span.duration * n / columns) // self.step) for n in range(columns + 1)]
        found = np.zeros(columns, dtype=np.float32)
        for column, (start, end) in enumerate(pairwise(edges)):
            part = self.levels[max(0, start) : max(0, end, start + 1)]
            found[column] = part.max() if len(part) else 0
        return found

    def silences(
        self, span: Span | None = None, *, below: float = -45.0, at_least: Fraction = Fraction(2, 5)
    ) -> tuple[Span, ...]:
        """Give the stretches of ``at_least`` seconds that stay below ``below`` dBFS (RMS over 10 ms)."""
        whole = Span(Fraction(0), self.duration)
        span = whole if span is None else span.clamp(whole)
        first, part = int(span.start // self.step), np.square(self._part(span), dtype=np.float64)
        wide = np.convolve(part, np.full(10, 0.1), mode="same") if len(part) >= 10 else part
        quiet = np.concatenate(([False], wide < 10 ** (below / 10), [False]))
        turns = np.flatnonzero(quiet[1:] != quiet[:-1])
        spans = (
            Span((first + int(start)) * self.step, (first + int(end)) * self.step)
            for start, end in zip(turns[::2], turns[1::2], strict=True)
        )
        return tuple(silence for silence in spans if silence.duration >= at_least)

    def _part(self, span: Span) -> NDArray[np.float32]:
        return self.levels[max(0, int(span.start // self.step)) : max(0, -int(-span.end // self.step))]


@dataclass(frozen=True, slots=True)
class Loudness:
    """Programme loudness (EBU R128): LUFS (−70 for silence), dBTP (−100 for none) and range in LU."""

    integrated_lufs: float
    true_peak_db: float
    range_lu: float


def sound_track(media: Media, track: int) -> SoundTrack:
    """Give a decodable sound track by its number.

    Raises:
        NoSound: there is none of that number.
    """
    for found in media.sound:
        if found.track == track:
            return found
    numbers = ", ".join(str(found.track) for found in media.sound)
    have = f"it has {numbers}" if numbers else "it has no sound"
    raise NoSound(f"{media.path.name} has no sound track {track}; {have}")


def samples(
    media: Media, track: int = 0, *, rate: int = 16_000, span: Span | None = None
) -> NDArray[np.float32]:
    """Decode a track to mono at ``rate`` samples a second; element n is heard at ``span.start`` + n/rate.

    Without a ``span`` it is the whole take.

    Raises:
        NoSound: there is no such track.
        UnreadableMedia: the file cannot be read any more.
    """
    source = sound_track(media, track)
    span = Span(Fraction(0), media.duration) if span is None else span
    wanted = round_half_up(span.duration * rate)
    found = np.zeros(wanted, dtype=np.float32)
    filled = 0
    for block in _at_rate(mono(media, source, span), source.sample_rate, rate):
        part = block[: wanted - filled]
        found[filled : filled + len(part)] = part
        filled += len(part)
    return found


def envelope(media: Media, track: int = 0, *, cache: Path, key: str) -> Envelope | None:
    """Give the levels of a track over the whole take, or None where the file has no sound.

    They are kept in the folder ``cache`` under ``key`` (what the file's content is), and read from there.

    Raises:
        NoSound: there is sound, but no such track.
        UnreadableMedia: the file cannot be read any more.
    """
    if not media.sound:
        return None
    source = sound_track(media, track)
    file = cache / f"{key}-{track}-envelope{_RECIPE}.npy"
    levels = _kept(file)
    if levels is None:
        span = Span(Fraction(0), media.duration)
        parts = list(_levels(mono(media, source, span), source.sample_rate))
        levels = np.concatenate(parts) if parts else np.zeros(0, dtype=np.float32)
        memory = io.BytesIO()
        np.save(memory, levels, allow_pickle=False)
        # A cache that cannot be written costs time only.
        with contextlib.suppress(OSError):
            write_atomic(file, memory.getvalue())
    return Envelope(STEP, levels)


def levels(media: Media) -> tuple[float, ...]:
    """Give the RMS of each sound track in dBFS, −100 for silence.

    Of a file over ten minutes, twenty stretches are listened to, and all of it only where those are silent.

    Raises:
        UnreadableMedia: the file cannot be read any more.
    """
    return tuple(_track_level(media, track) for track in media.sound)


def measure(ffmpeg: Ffmpeg, file: Path) -> Loudness:
    """Measure the loudness and the true peak of a file's first sound track with ffmpeg's ``ebur128``.

    Raises:
        NoSound: the file has no sound.
        FfmpegFailed: the file cannot be decoded.
    """
    measuring = ["-map", "0:a:0?", "-af", "ebur128=peak=true:framelog=verbose", "-f", "null", "-"]
    log = ffmpeg.run(["-v", "info", "-i", argument(file), *measuring]).log
    summary = log.rpartition("Summary:")[2]
    found = {
        name: re.search(rf"^\s*{name}:\s+(-?[\d.]+|-?inf|nan)\b", summary, re.MULTILINE)
        for name in ("I", "LRA", "Peak")
    }
    if found["I"] is None:
        raise NoSound(f"{file.name} has no sound to measure")
    values = {name: float(hit[1]) if hit else SILENT for name, hit in found.items()}
    return Loudness(max(-70.0, values["I"]), max(SILENT, values["Peak"]), values["LRA"])


def _kept(file: Path) -> NDArray[np.float32] | None:
    try:
        with file.open("rb") as opened:
            found = np.load(opened, allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    return found if found.ndim == 1 and found.dtype == np.float32 else None


def _levels(blocks: Iterator[NDArray[np.float32]], rate: int) -> Iterator[NDArray[np.float32]]:
    """Give RMS levels, a thousand at once: the blocks are regrouped to whole seconds, which hold whole milliseconds."""
    edges = np.arange(1000) * rate // 1000
    counts = np.diff(np.append(edges, rate))
    rest = np.zeros(0, dtype=np.float32)
    for block in blocks:
        rest = np.concatenate((rest, block))
        while len(rest) >= rate:
            yield np.sqrt(np.add.reduceat(np.square(rest[:rate], dtype=np.float64), edges) / counts).astype(
                np.float32
            )
            rest = rest[rate:]
    if len(rest):
        held = int(np.searchsorted(edges, len(rest)))
        sums = np.add.reduceat(np.square(rest, dtype=np.float64), edges[:held])
        yield np.sqrt(sums / np.diff(np.append(edges[:held], len(rest)))).astype(np.float32)


def _at_rate(blocks: Iterator[NDArray[np.float32]], rate: int, wanted: int) -> Iterator[NDArray[np.float32]]:
    import av

    if rate == wanted:
        yield from blocks
        return
    resampler = av.AudioResampler(format="flt", layout="mono", rate=wanted)
    for block in blocks:
        frame = av.AudioFrame.from_ndarray(block[np.newaxis], format="flt", layout="mono")
        frame.sample_rate = rate
        for made in resampler.resample(frame):
            yield made.to_ndarray()[0]
    for made in resampler.resample(None):
        yield made.to_ndarray()[0]


def _track_level(media: Media, track: SoundTrack) -> float:
    whole = Span(Fraction(0), media.duration)
    if media.duration > _SAMPLED:
        places = (media.duration * n / _SPANS for n in range(_SPANS))
        some = [Span(place, place + _SPAN).clamp(whole) for place in places]
        found = _mean_level(media, track, some)
        if found > -60:
            return found
    return _mean_level(media, track, [whole])


def _mean_level(media: Media, track: SoundTrack, spans: list[Span]) -> float:
    power, count = 0.0, 0
    for span in spans:
        for block in mono(media, track, span):
            power += float(np.sum(np.square(block, dtype=np.float64)))
            count += len(block)
    return max(SILENT, 10 * float(np.log10(power / count))) if power and count else SILENT
