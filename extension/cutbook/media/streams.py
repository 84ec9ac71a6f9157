"""A media file opened for reading, and the times at which its packets say that they are shown.

Decoding is left to others; what is here is cheap even for hours of footage.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutbook.errors import UnreadableMedia

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from av.container import InputContainer

TELEVISION = tuple(Fraction(n * 1000, 1001) for n in (24, 30, 48, 60, 120))
RATES = tuple(
    sorted(
        (
            *(Fraction(n) for n in (5, 8, 10, 12, 15, 20, 24, 25, 30, 48, 50, 60, 72, 90, 100, 120, 240)),
            *TELEVISION,
        )
    )
)
"""Frame rates that cameras, screens and encoders use; a rate that is measured is taken to the nearest of them."""

_HOUR = 3600


@contextlib.contextmanager
def opened(path: Path, **options: str) -> Iterator[InputContainer]:
    """Open a file with PyAV, whatever its name and its tags are made of; ``options`` go to its demuxer.

    Raises:
        UnreadableMedia: it is missing, empty, a folder, or no media; also when reading on fails inside the block.
    """
    import av

    _refuse_empty(path)
    try:
        container = av.open(
            f"file:{path.absolute()}",
            metadata_errors="replace",
            options={"protocol_whitelist": "file", **options},
        )
    except (av.FFmpegError, OSError, ValueError) as error:
        raise UnreadableMedia(
            f"{path.name} is no media file that can be read ({why(error)}); {CURE}"
        ) from error
    with container:
        try:
            yield container
        except av.FFmpegError as error:
            raise UnreadableMedia(f"{path.name} cannot be read on ({why(error)}); {CURE}") from error


CURE = "copy it again from the camera or the recorder, or repair it"


def why(error: Exception) -> str:
    """Give the reason of a PyAV or system error without file names and numbers."""
    return str(getattr(error, "strerror", None) or error).strip()


def _refuse_empty(path: Path) -> None:
    try:
        if path.is_dir():
            raise UnreadableMedia(f"{path.name} is a folder; name a file in it")
        size = path.stat().st_size
    except OSError as error:
        raise UnreadableMedia(f"{path.name} cannot be read: {error.strerror}; look where it went") from error
    if size == 0:
        raise UnreadableMedia(f"{path.name} is empty (0 bytes); {CURE}")


@dataclass(slots=True)
class Times:
    """When the packets of one stream are shown, in ticks of its time base: ``pts`` in file order, ``end`` of the last.

    ``ticks`` is the last packet's own duration, 0 where the file does not tell. ``lost`` counts packets that an
    index promises beyond the end of the file; ``strays`` those that were left out by
    :meth:`settle`; ``decoding`` tells that the times are those of decoding.
    """

    pts: list[int] = field(default_factory=list)
    end: int | None = None
    ticks: int = 0
    lost: int = 0
    strays: int = 0
    decoding: bool = False

    def add(self, pts: int, ticks: int) -> None:
        """Take in one packet."""
        self.pts.append(pts)
        if self.end is None or pts + ticks >= self.end:
            self.end, self.ticks = pts + ticks, ticks

    def settle(self, time_base: Fraction) -> None:
        """Keep the longest stretch where times lie over an hour apart: a clock that was damaged or set anew."""
        import numpy as np

        pts = np.unique(np.asarray(self.pts, dtype=np.int64))
        steps = np.diff(pts)
        breaks = np.flatnonzero(steps > _HOUR / time_base) + 1
        if breaks.size:
            kept = max(np.split(pts, breaks), key=len)
            self.strays = len(self.pts) - len(kept)
            self.pts, self.ticks = kept.tolist(), 0
            self.end = self.pts[-1] + int(np.median(steps))


def index_times(stream: Any, size: int) -> Times | None:
    """Read the times of a stream from its container's own table, or give None where it has no whole one.

    MP4 and MOV have one: packets that edit lists hide are left out. Its times are those of decoding, which differ from
    those of showing by an offset and by the order of B-frames.
    """
    entries = getattr(stream, "index_entries", None)
    if entries is None or not stream.frames or len(entries) < stream.frames:
        return None
    times = Times(decoding=True)
    for entry in entries:
        if entry.is_discard:
            continue
        if entry.pos + entry.size > size:
            times.lost += 1
        elif not times.lost:
            times.pts.append(entry.timestamp)
    if len(times.pts) > 1:
        # How long the last one is held stands in no entry, but in the length of the whole.
        held = times.pts[0] + (stream.duration or 0) - times.pts[-1]
        times.ticks = held if held > 0 and not times.lost else times.pts[-1] - times.pts[-2]
    if times.pts:
        times.end = times.pts[-1] + times.ticks
    return times


def packets(container: InputContainer, streams: Any) -> Iterator[Any]:
    """Read packets of one stream or several, up to where the file breaks off."""
    import av

    # PyAV raises IndexError where a damaged file seems to begin a new stream.
    with contextlib.suppress(av.FFmpegError, IndexError):
        yield from container.demux(streams)


def packet_times(path: Path) -> dict[int, Times]:
    """Read every packet's time, a pass over the whole file without decoding, by stream number."""
    found: dict[int, Times] = {}
    with opened(path) as container:
        streams = [stream for stream in container.streams if stream.type in {"video", "audio"}]
        # AVI holds no times of showing; guessed ones come out of order and twice.
        untold = container.format.name == "avi"
        for packet in packets(container, streams):
            time = packet.dts if packet.pts is None or untold else packet.pts
            if time is not None and packet.size and not packet.is_discard:
                found.setdefault(packet.stream_index, Times()).add(time, packet.duration or 0)
        for stream in streams:
            if stream.index in found and stream.time_base:
                found[stream.index].settle(stream.time_base)
    return found


@dataclass(frozen=True, slots=True)
class Pace:
    """How the frames of a picture follow each other; ``duration`` in seconds from the first frame."""

    rate: Fraction
    average: Fraction
    variable: bool
    frames: int
    duration: Fraction


def pace(times: Times, time_base: Fraction, nominal: Fraction | None, *, first: int | None = None) -> Pace:
    """Find the rate of a picture from the times of its frames; ``first`` is the pts before which nothing is shown.

    It is constant when frame n begins at n/rate to within one tick of the time base (or half a millisecond).
    """
    import numpy as np

    shown = np.unique(np.asarray(times.pts, dtype=np.int64))
    if first is not None and (later := shown[shown >= first]).size:
        shown = later
    count = len(shown)
    if count < 2:
        rate = nearest(nominal) if nominal and 1 <= nominal <= 240 else Fraction(25)
        return Pace(rate, rate, variable=False, frames=count, duration=count / rate)
    steps = np.diff(shown)
    usual = int(np.median(steps))
    # A coarse time base shows 1/30 s as 33 or 34 ms; both are the usual step.
    near = steps[np.abs(steps - usual) <= 1]
    # Of two steps alone the middle may be neither.
    step = Fraction(float(np.mean(near if near.size else steps))).limit_denominator(10_000) * time_base
    seconds = Fraction(int(shown[-1] - shown[0]) + (times.ticks or usual)) * time_base
    average = count / seconds
    measured = (count - 1) / (int(shown[-1] - shown[0]) * time_base)
    # A last picture that is held (a recorder whose screen stands still) is no frame of a constant rate.
    held = times.ticks > 4 * usual and times.ticks * time_base > Fraction(1, 4)
    for rate in _candidates(nominal, measured, 1 / step):
        if not held and _steady(shown, rate, time_base):
            return Pace(rate, rate, variable=False, frames=count, duration=count / rate)
    return Pace(_grid(1 / step, average), average, variable=True, frames=count, duration=seconds)


def nearest(rate: Fraction, within: Fraction = Fraction(1, 5000)) -> Fraction:
    """Take a measured rate to a rate in use where one is near (relative), else leave it."""
    best = min(RATES, key=lambda known: abs(known - rate))
    return best if abs(best - rate) <= rate * within else rate


def _candidates(nominal: Fraction | None, measured: Fraction, usual: Fraction) -> Iterator[Fraction]:
    """Give rates that may be the one, the likeliest first: what the file claims, rates in use, what was measured."""
    if nominal and 1 <= nominal <= 1000:
        yield nearest(nominal)
        yield nominal
    near = (rate for rate in RATES if abs(rate - measured) <= measured / 100)
    yield from sorted(near, key=lambda rate: abs(rate - measured))
    yield measured
    yield usual


def _steady(shown: np.ndarray[Any, Any], rate: Fraction, time_base: Fraction) -> bool:
    import numpy as np

    numbers = np.arange(len(shown), dtype=np.float64)
    off = (shown - shown[0]).astype(np.float64) * float(time_base) - numbers * float(1 / rate)
    return bool(np.max(np.abs(off)) <= max(float(time_base), 0.0005) + 1e-6)


def _grid(usual: Fraction, average: Fraction) -> Fraction:
    """Choose the grid on which ranges of a variable picture lie: its usual rate, or one that its average fits in."""
    usual = nearest(usual, Fraction(1, 50))
    if average * Fraction(49, 50) <= usual <= 120:
        return usual
    return next(
        (rate for rate in RATES if rate >= average and rate.denominator == 1 and rate >= 24), Fraction(60)
    )
