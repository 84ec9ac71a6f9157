"""Join segments packet by packet and lay the sound beside them; nothing is encoded here."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from cutbook.errors import RenderError
from cutbook.media.ffmpeg import Ffmpeg, argument
from cutbook.media.upright import upright
from cutbook.render.picture import time_scale
from cutbook.render.prints import digest, summed

if TYPE_CHECKING:
    from av.container import InputContainer

_REORDER = 3
MOVIE_SCALE = 240_000
"""Ticks a second of the film's own clock: a multiple of 48 kHz, else the sound ends some samples early."""


def count(path: Path) -> int:
    """Count the packets of a segment's picture."""
    with contextlib.ExitStack() as stack:
        return len(_looked_through(path, stack)[1])


def join(files: Sequence[tuple[Path, int]], output: Path, *, rate: Fraction) -> tuple[str, ...]:
    """Copy the packets of segments (file, number of frames) into one file: frame k is shown at exactly k/rate.

    Gives the print of each segment's packets.

    Raises:
        RenderError: a segment is damaged, or has another form than the rest of the film; it is removed.
    """
    import av

    first_output = decode = 0
    made: list[str] = []
    with av.open(
        str(output), "w", format="mp4", options={"video_track_timescale": str(time_scale(rate))}
    ) as film:
        target = None
        form: bytes | None = None
        for path, frames in files:
            with contextlib.ExitStack() as stack:
                file, times = _looked_through(path, stack)
                source = file.streams.video[0]
                ranks = {pts: rank for rank, pts in enumerate(sorted(pts for pts, _ in times))}
                if len(ranks) != frames:
                    raise damaged(path, f"holds {len(ranks)} frames of {frames}")
                # Opening a file costs as much as decoding several frames of it: it is rather read twice in one.
                file.seek(times[0][1], stream=source)
                if target is None:
                    target = film.add_stream_from_template(source)
                    target.time_base = 1 / rate
                    form = source.codec_context.extradata
                if source.codec_context.extradata != form:
                    raise damaged(path, "was encoded in another form than the segments before it")
                digests: list[bytes] = []
                for packet in file.demux(source):
                    if not packet.size:
                        continue
                    digests.append(digest(bytes(packet)))
                    pts, dts = first_output + ranks[packet.pts or 0], decode - _REORDER
                    if pts < dts:
                        raise damaged(path, "has its frames too far out of order")
                    packet.stream = target
                    packet.time_base = 1 / rate
                    packet.pts, packet.dts, packet.duration = pts, dts, 1
                    film.mux(packet)
                    decode += 1
            made.append(summed(form, digests))
            first_output += frames
    upright(output)
    return tuple(made)


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


def _looked_through(path: Path, stack: contextlib.ExitStack) -> tuple[InputContainer, list[tuple[int, int]]]:
    """Open a segment and give when its packets are shown and decoded."""
    import av

    try:
        file = stack.enter_context(av.open(str(path)))
        packets = (packet for packet in file.demux(file.streams.video[0]) if packet.size)
        return file, [(packet.pts or 0, packet.dts or 0) for packet in packets]
    except (av.FFmpegError, IndexError) as error:
        raise damaged(path, f"cannot be read ({error})") from error


def damaged(path: Path, how: str) -> RenderError:
    """Take a file that is of no use out of the cache, so that the next render makes it anew; gives the error."""
    with contextlib.suppress(OSError):
        path.unlink()
    return RenderError(f"{path.name} in edit/cache {how} and was removed; render again")


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
