"""Where a file does not decode whole: looked for where ffmpeg complained, as it does of healthy files too.

A decoder that begins at a keyframe may miss what pictures before it lean on, and says so; those pictures are shown
before the keyframe, and nobody asked for them. What is at fault after it, and up to the end, is damage.
"""

from __future__ import annotations

import contextlib
import re
import threading
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from cutbook.errors import FfmpegStopped

if TYPE_CHECKING:
    from collections.abc import Iterator

_COMPLAINT = re.compile(
    r"error|invalid|corrupt|conceal|overread|illegal|truncat|damaged|no frame|not allocated|out of range|outside",
    re.IGNORECASE,
)
_HARMLESS = re.compile(
    r"mmco: unref short failure|number of reference frames|decode_slice_header error|\[\S*(graph|Parsed|out#|libx264)"
)
# Other lines hold names of files and of their tags, which may be called anything.
_SAID = re.compile(r"^(\[|Error )|: corrupt decoded frame in stream")
_LEAD = Fraction(1)
_BEYOND = Fraction(1)
"""Seconds before a range at which looking begins at the latest, and after it up to which frames are reordered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What is decoded of a stream: from ``start`` to ``end``, in container seconds; ``origin`` is take time's zero.

    ``name`` is what the file is called where it is not the take itself, ``seek`` where decoding must begin before.
    """

    path: Path
    stream: int
    start: Fraction
    end: Fraction
    origin: Fraction
    name: str = ""
    seek: Fraction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Flaw:
    """``count`` pictures or pieces of sound that do not decode whole, from ``first`` to ``last`` (take time)."""

    name: str
    first: Fraction
    last: Fraction
    count: int

    def exact(self) -> list[object]:
        """Give plain data."""
        return [self.name, str(self.first), str(self.last), self.count]

    @classmethod
    def of(cls, data: list[object]) -> Flaw:
        """Read what :meth:`exact` gave."""
        name, first, last, count = data
        return cls(
            name=str(name), first=Fraction(str(first)), last=Fraction(str(last)), count=int(str(count))
        )


def complained(log: str) -> bool:
    """Tell whether a run's log has complaints that damage would make."""
    lines = (line for line in log.splitlines() if _SAID.search(line) and not _HARMLESS.search(line))
    return any(_COMPLAINT.search(line.partition("] ")[2] or line) for line in lines)


def look(reading: Reading, cancel: threading.Event | None = None) -> Flaw | None:
    """Decode a stretch and give what is damaged in it, or before it and seen in it; None where nothing is.

    Raises:
        FfmpegStopped: ``cancel`` was set.
    """
    import av

    times: list[Fraction] = []
    # Where the file cannot be read any further, what was found before counts.
    with contextlib.suppress(av.FFmpegError, OSError, IndexError):
        for at in _bad(reading, cancel):
            times.append(at)  # noqa: PERF402 - what came before an error stays
    if not times:
        return None
    first, last = min(times) - reading.origin, max(times) - reading.origin
    return Flaw(name=reading.name, first=max(Fraction(0), first), last=last, count=len(times))


def _bad(reading: Reading, cancel: threading.Event | None) -> Iterator[Fraction]:
    import av

    with av.open(f"file:{reading.path.absolute()}") as file:
        stream = file.streams[reading.stream]
        if not isinstance(stream, (av.VideoStream, av.AudioStream)) or stream.time_base is None:
            return
        stream.codec_context.thread_count = 1
        wanted = min(reading.start, reading.start if reading.seek is None else reading.seek) - _LEAD
        file.seek(int(wanted / stream.time_base), stream=stream, backward=True)
        base, entry = stream.time_base, None
        heard = isinstance(stream, av.AudioStream)
        found: list[Fraction] = []
        for packet in file.demux(stream):
            if cancel is not None and cancel.is_set():
                msg = "the render was stopped; the earlier file stays"
                raise FfmpegStopped(msg)
            if packet.pts is None:
                continue
            at = packet.pts * base
            if at > reading.end + _BEYOND:
                break
            if packet.is_keyframe and not heard and (entry is None or at <= reading.start):
                entry = at
                found = [each for each in found if each >= at]
            if at <= reading.start:
                found += _faults(packet, at)
                continue
            begin = reading.start if heard or entry is None else entry
            found += _faults(packet, at)
            yield from (each for each in found if begin <= each < reading.end)
            found = []


def _faults(packet: object, at: Fraction) -> list[Fraction]:
    import av

    try:
        frames = packet.decode()  # type: ignore[attr-defined] # PyAV's packets differ in what they decode to
    except av.FFmpegError:
        return [at]
    return [
        at if frame.pts is None else frame.pts * frame.time_base
        for frame in frames
        if getattr(frame, "is_corrupt", False)
    ]
