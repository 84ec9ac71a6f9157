"""Join segments packet by packet and lay the sound beside them; nothing is encoded here."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from cutbook.errors import RenderError
from cutbook.media.ffmpeg import Ffmpeg, argument
from cutbook.media.upright import upright
from cutbook.render.picture import time_scale
from cutbook.render.prints import digest, summed

if TYPE_CHECKING:
    from av import VideoStream
    from av.container import InputContainer, OutputContainer

_REORDER = 3
MOVIE_SCALE = 240_000
"""Ticks a second of the film's own clock: a multiple of 48 kHz, else the sound ends some samples early."""


class Damaged(RenderError):
    """Raised when files of the cache are of no use; they were removed, so that they are made anew."""

    def __init__(self, found: Mapping[Path, str]) -> None:
        rest = f", and {len(found) - 1} more were removed" if len(found) > 1 else " and was removed"
        first, how = next(iter(found.items()))
        super().__init__(f"{first.name} in edit/cache {how}{rest}; render again")
        self.paths = tuple(found)
        for path in found:
            with contextlib.suppress(OSError):
                path.unlink()


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A segment's file: its ``frames``, what it was made as where that is ``known``, and whether it is ``new``."""

    file: Path
    frames: int
    known: str | None = None
    new: bool = True


class _UnfitError(Exception):
    """Raised when a segment's file is not what it should be."""


def packed(path: Path) -> tuple[int, str]:
    """Count the packets of a segment's picture, and give their print.

    Raises:
        av.FFmpegError, IndexError: it cannot be read.
    """
    import av

    with av.open(str(path)) as file:
        stream = file.streams.video[0]
        digests = [digest(bytes(packet)) for packet in file.demux(stream) if packet.size]
        return len(digests), summed(stream.codec_context.extradata, digests)


def join(parts: Sequence[Part], output: Path, *, rate: Fraction) -> tuple[str, ...]:
    """Copy the packets of segments into one file: frame k is shown at exactly k/rate.

    Gives the print of each segment's packets.

    Raises:
        Damaged: segments are not what was encoded, or of another form than the rest of the film; all are removed.
        RenderError: segments that were made just now are of different forms.
    """
    import av

    with av.open(
        str(output), "w", format="mp4", options={"video_track_timescale": str(time_scale(rate))}
    ) as film:
        joined = _Joined(film, rate)
        for part in parts:
            joined.add(part)
    if joined.odd and not joined.unfit:
        # Which form is the wrong one cannot be told; what was made just now will not be another next time.
        how = "is of another form than the rest of the film"
        joined.unfit |= {part.file: how for part in parts if not part.new}
        if not joined.unfit:
            name = joined.odd[0].name
            msg = f"{name} came out in another form than the segments before it; render with another ffmpeg"
            raise RenderError(msg)
    if joined.unfit:
        raise Damaged(joined.unfit)
    upright(output)
    return tuple(joined.prints)


class _Joined:
    """A film as far as it is joined. Once a segment does not fit, the rest is looked at alone."""

    def __init__(self, film: OutputContainer, rate: Fraction) -> None:
        self.prints: list[str] = []
        self.unfit: dict[Path, str] = {}
        self.odd: list[Path] = []
        self._film = film
        self._tick = 1 / rate
        self._target: VideoStream | None = None
        self._form: bytes | None = None
        self._first = 0

    def add(self, part: Part) -> None:
        """Copy a segment's packets."""
        try:
            form, digests = self._copied(part)
        except _UnfitError as error:
            self.unfit.setdefault(part.file, str(error))
            return
        self.prints.append(summed(form, digests))
        if part.known not in {self.prints[-1], None}:
            self.unfit.setdefault(part.file, "is not what was encoded")
        elif form != self._form:
            self.odd.append(part.file)
        self._first += part.frames

    def _copied(self, part: Part) -> tuple[bytes | None, list[bytes]]:
        digests: list[bytes] = []
        with contextlib.ExitStack() as stack:
            file, times = _looked_through(part, stack)
            source = file.streams.video[0]
            ranks = {pts: rank for rank, pts in enumerate(sorted(pts for pts, _ in times))}
            # Opening a file costs as much as decoding several frames of it: it is rather read twice in one.
            file.seek(times[0][1], stream=source)
            form = source.codec_context.extradata
            if self._target is None:
                self._target = self._film.add_stream_from_template(source)
                self._target.time_base = self._tick
                self._form = form
            for packet in file.demux(source):
                if not packet.size:
                    continue
                pts, dts = self._first + ranks[packet.pts or 0], self._first + len(digests) - _REORDER
                digests.append(digest(bytes(packet)))
                if pts < dts:
                    raise _UnfitError("has its frames too far out of order")
                if self.unfit or form != self._form:
                    continue
                packet.stream = self._target
                packet.time_base = self._tick
                packet.pts, packet.dts, packet.duration = pts, dts, 1
                self._film.mux(packet)
        return form, digests


def sound_as_made(path: Path, known: str | None) -> str | None:
    """Give the print of the film's sound in the cache.

    Raises:
        Damaged: it is not what was encoded; it is removed.
    """
    import av

    try:
        found = print_of_sound(path)
    except (av.FFmpegError, OSError) as error:
        raise Damaged({path: f"cannot be read ({error})"}) from error
    if known not in {found, None}:
        raise Damaged({path: "is not what was encoded"})
    return found


def print_of_sound(path: Path) -> str | None:
    """Give the print of a file's sound; None where it has none."""
    import av

    with av.open(str(path)) as file:
        if not file.streams.audio:
            return None
        stream = file.streams.audio[0]
        return summed(
            stream.codec_context.extradata,
            (digest(bytes(packet)) for packet in file.demux(stream) if packet.size),
        )


def _looked_through(part: Part, stack: contextlib.ExitStack) -> tuple[InputContainer, list[tuple[int, int]]]:
    """Open a segment and give when its packets are shown and decoded."""
    import av

    try:
        file = stack.enter_context(av.open(str(part.file)))
        packets = (packet for packet in file.demux(file.streams.video[0]) if packet.size)
        times = [(packet.pts or 0, packet.dts or 0) for packet in packets]
    except (av.FFmpegError, IndexError, OSError) as error:
        raise _UnfitError(f"cannot be read ({error})") from error
    found = len({pts for pts, _ in times})
    if found != part.frames:
        raise _UnfitError(f"holds {found} frames of {part.frames}")
    return file, times


def mux(
    ffmpeg: Ffmpeg,
    picture: Path,
    sound: Path | None,
    output: Path,
    *,
    rate: Fraction,
    cancel: threading.Event | None = None,
) -> None:
    """Lay picture and sound into one MP4 that plays from its first bytes; both are copied."""
    args = ["-i", argument(picture)]
    maps = ["-map", "0:v:0"]
    if sound is not None:
        args += ["-i", argument(sound)]
        maps += ["-map", "1:a:0"]
    ffmpeg.run(
        [
            *args,
            *maps,
            *("-c", "copy", "-map_metadata", "-1", "-map_chapters", "-1"),
            *("-movie_timescale", str(MOVIE_SCALE), "-video_track_timescale", str(time_scale(rate))),
            *("-movflags", "+faststart", "-bitexact", "-f", "mp4", "-y", argument(output)),
        ],
        cancel=cancel,
    )
