"""What is uploaded: one sound track as 16 kHz mono, whose second 0 is the take's, from a file that is streamed."""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from cutbook.errors import NoSound, TranscriptError
from cutbook.media.probe import Media
from cutbook.timebase import Span

if TYPE_CHECKING:
    from cutbook.media.ffmpeg import Ffmpeg

RATE = 16_000
"""Samples a second of what is uploaded."""

LONGEST = 36_000
"""Seconds: Scribe takes 10 hours at most."""

LARGEST = 3_000_000_000
"""Bytes that Scribe takes at most."""

HOLE = Fraction(1, 100)
"""Seconds by which a packet may be off its place before silence is put in, or sound taken out."""

OFF = Fraction(1, 10)
"""Seconds by which what is heard may be shorter than the track before it is worth a warning."""

Form = Literal["flac", "opus"]
"""``flac`` loses nothing; ``opus`` (32 kbit/s) is a quarter of it or less, for slow lines."""

_CODECS: dict[Form, tuple[str, str, str, tuple[str, ...]]] = {
    "flac": ("flac", "take.flac", "audio/flac", ("-compression_level", "5")),
    "opus": (
        "libopus",
        "take.ogg",
        "audio/ogg",
        ("-b:a", "32k", "-application", "voip", "-compression_level", "5"),
    ),
}


@dataclass(frozen=True, slots=True)
class Upload:
    """A file ready to be sent: its ``name`` and ``mime`` for Scribe, ``seconds`` of sound, and what is odd about it."""

    path: Path
    name: str
    mime: str
    seconds: Fraction
    warnings: tuple[str, ...] = ()


class Handle(io.FileIO):
    """A file on its way out, which breaks off when ``stop`` is set.

    ``tell`` is told the part that was read, and whether the end was: then the whole request is on its way.
    """

    def __init__(self, path: Path, *, stop: threading.Event, tell: Callable[[float, bool], None]) -> None:
        super().__init__(path, "rb")
        self._stop = stop
        self._tell = tell
        self._size = os.fstat(self.fileno()).st_size
        self._sent = 0

    def read(self, size: int | None = -1, /) -> bytes:
        """Read on, unless the work was stopped."""
        if self._stop.is_set():
            raise InterruptedError
        chunk = super().read(-1 if size is None else size) or b""
        self._sent += len(chunk)
        self._tell(self._sent / max(1, self._size), not chunk)
        return chunk


def extract(
    media: Media,
    track: int,
    folder: Path,
    *,
    form: Form = "flac",
    ffmpeg: Ffmpeg | None = None,
    cancel: threading.Event | None = None,
) -> Upload:
    """Write a sound track for the upload: silent until a late sound begins, holes filled, no longer than the take.

    Raises:
        TranscriptError: the take has no length, or is longer or larger than Scribe takes.
        NoSound: there is no such track, or nothing of it lies within the take.
        FfmpegError: ffmpeg is not there, failed, or was stopped.
    """
    from cutbook.media.ffmpeg import Needs, argument, find
    from cutbook.media.sound import sound_track

    if not 0 < media.duration <= LONGEST:
        msg = f"{media.path.name} is {float(media.duration):.0f} s long; Scribe takes up to 10 hours, cut it in two"
        raise TranscriptError(msg)
    source = sound_track(media, track)
    codec, name, mime, how = _CODECS[form]
    runner = ffmpeg or find(None, Needs(encoders=frozenset({codec})))
    path = folder / name
    zero = media.origin
    clock = (
        f"asetpts=PTS-({zero.numerator}/{zero.denominator})/TB,"
        f"aresample={RATE}:async=1:min_hard_comp={float(HOLE)}:first_pts=0,"
        f"aformat=sample_fmts=s16:channel_layouts=mono,atrim=end={float(media.duration):.6f}"
    )
    reading = [
        "-v",
        "warning",
        "-copyts",
        "-i",
        argument(media.path),
        "-map",
        f"0:a:{track}",
        "-vn",
        "-sn",
        "-dn",
    ]
    writing = ["-af", clock, "-map_metadata", "-1", "-c:a", codec, *how, "-y", argument(path)]
    runner.run([*reading, *writing], cancel=cancel)
    if path.stat().st_size > LARGEST:
        msg = f"{media.path.name} is over 3 GB as {form}, more than Scribe takes; cut it in two"
        raise TranscriptError(msg)
    seconds = _length(path)
    if not seconds:
        msg = f"track {track} of {media.path.name} has no sound while its picture runs; choose another with --track"
        raise NoSound(msg)
    due = (
        Span(source.start - zero, source.start - zero + source.duration)
        .clamp(Span(Fraction(0), media.duration))
        .end
    )
    warnings = []
    if abs(due - seconds) > OFF:
        what = "shorter" if seconds < due else "longer"
        warnings.append(
            f"track {track} is {float(abs(due - seconds)):.2f} s {what} than the file says: words may be early or late"
        )
    return Upload(path, name, mime, seconds, tuple(warnings))


def _length(path: Path) -> Fraction:
    """Count the seconds of a file that was just written."""
    import av

    with av.open(str(path)) as container:
        stream = container.streams.audio[0]
        if stream.duration and stream.time_base:
            return Fraction(stream.duration * stream.time_base)
        ends = (
            (packet.pts + (packet.duration or 0)) * packet.time_base
            for packet in container.demux(stream)
            if packet.pts is not None
        )
        return max(ends, default=Fraction(0))
