"""A long proxy in self-contained parts of about a minute, for a browser that can only have it from the kernel."""

from __future__ import annotations

import io
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from cutbook.errors import UnreadableMedia
from cutbook.media.streams import opened

if TYPE_CHECKING:
    from pathlib import Path

    from cutbook.media.probe import Media

WHOLE = 200_000_000
"""Bytes up to which a proxy is sent whole."""

LENGTH = 60
"""Seconds of a part, to the next keyframe."""

OVERLAP = Fraction(1)
"""Seconds that a part goes on into the next one, so that there is time to change over."""


def begins(media: Media, *, length: Fraction | int = LENGTH) -> tuple[Fraction, ...]:
    """Give the seconds at which the parts of a proxy begin, each at a keyframe, about ``length`` apart."""
    every = max(1, round(media.rate / 2))
    step = every * max(1, round(length * media.rate / every))
    return tuple(frame / media.rate for frame in range(0, max(1, media.frames - step // 2), step))


def part(file: Path, start: Fraction, end: Fraction | None) -> bytes:
    """Copy a proxy from the keyframe at ``start`` to the first keyframe at or after ``end``, as a file of its own.

    Second 0 of the copy is ``start``; without an ``end`` it goes to the end of the file.

    Raises:
        UnreadableMedia: the file is gone or cannot be read.
    """
    import av

    buffer = io.BytesIO()
    try:
        with opened(file) as source, av.open(buffer, "w", format="mp4") as target:
            picture = source.streams.video[0]
            streams: list[Any] = [picture, *source.streams.audio[:1]]
            copies = {stream.index: target.add_stream_from_template(stream) for stream in streams}
            base = picture.time_base or Fraction(1, 1000)
            # A little later than the keyframe, since a seek goes back to the one before.
            source.seek(int((start + Fraction(1, 1000)) / base), stream=picture)
            done: set[int] = set()
            for packet in source.demux(streams):
                if packet.pts is None or packet.stream_index in done:
                    continue
                time = packet.pts * packet.time_base
                if (
                    end is not None
                    and time >= end
                    and (packet.stream_index != picture.index or packet.is_keyframe)
                ):
                    done.add(packet.stream_index)
                    if len(done) == len(streams):
                        break
                    continue
                if time < start - (0 if packet.stream_index == picture.index else Fraction(1, 1000)):
                    continue
                shift = int(start / packet.time_base)
                packet.pts -= shift
                if packet.dts is not None:
                    packet.dts -= shift
                packet.stream = copies[packet.stream_index]
                target.mux(packet)
    except (av.FFmpegError, OSError, IndexError) as error:
        msg = f"{file.name} cannot be read any more; run %review again, and it is made anew"
        raise UnreadableMedia(msg) from error
    return buffer.getvalue()
