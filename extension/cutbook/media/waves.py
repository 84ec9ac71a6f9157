"""Decoding of one sound track into mono blocks that lie without a gap on take time."""

from __future__ import annotations

import contextlib
import functools
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from cutbook.errors import UnreadableMedia
from cutbook.media.probe import Media, SoundTrack
from cutbook.media.streams import CURE, opened, packets
from cutbook.timebase import Span, round_half_up

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from av import AudioFrame
    from av.container import InputContainer
    from numpy.typing import NDArray

JITTER = Fraction(1, 100)
"""Seconds that a packet's time may be off before the sound is moved: rounded times are, lost packets are longer."""

WARM_UP = Fraction(1)
"""Seconds decoded before a span, for decoders lean on what came before."""

_BLOCK = 10
_NO_EXACT_SEEK = frozenset({"aac", "mp3", "ac3", "eac3", "dts", "truehd", "avi", "flv"})
_WEIGHTS = {"FC": 1.0, "FL": 0.7071, "FR": 0.7071, "LFE": 0.0, "LFE2": 0.0}
_SURROUND = 0.5
_SCALES = {"u8": 128.0, "s16": 32768.0, "s32": 2147483648.0, "s64": 9223372036854775808.0}


def mono(media: Media, track: SoundTrack, span: Span) -> Iterator[NDArray[np.float32]]:
    """Decode a track over a span of take time, as blocks at its own sample rate that follow each other without a gap.

    All blocks together hold round(duration·rate) samples. Packets that cannot be decoded are silence.

    Raises:
        UnreadableMedia: the file cannot be read any more.
    """
    rate = track.sample_rate
    wanted = round_half_up(span.duration * rate)
    done = 0
    waiting: list[NDArray[np.float32]] = []
    held = 0
    for at, wave in _placed(media, track, span):
        # Nothing is wanted before the span, nor what is there already.
        begin = max(at, done + held)
        part = wave[begin - at :][: max(0, wanted - begin)]
        if not len(part):
            continue
        if begin > done + held:
            waiting.append(np.zeros(begin - done - held, dtype=np.float32))
        waiting.append(part)
        held = begin + len(part) - done
        if held >= _BLOCK * rate:
            yield np.concatenate(waiting)
            done, held, waiting = done + held, 0, []
    if waiting:
        yield np.concatenate(waiting)
        done += held
    while done < wanted:
        rest = min(wanted - done, _BLOCK * rate)
        yield np.zeros(rest, dtype=np.float32)
        done += rest


def _placed(media: Media, track: SoundTrack, span: Span) -> Iterator[tuple[int, NDArray[np.float32]]]:
    """Decode runs of frames with the sample, counted from the span's start, at which each run begins.

    A run is at most a second long: mixing one at once is much quicker than mixing each frame.
    """
    rate = track.sample_rate
    zero = media.origin + span.start
    place, last, slack = _placer(zero, rate), round_half_up(span.duration * rate), int(JITTER * rate)
    waiting: list[NDArray[Any]] = []
    begin = expected = 0
    form: AudioFrame | None = None
    with _sought(media, track, zero - WARM_UP) as container:
        stream = _stream(container, media, track)
        base = stream.time_base or Fraction(1, rate)
        frames = (
            (
                None if frame.pts is None else place(frame.pts, frame.time_base or base),
                _length(frame, rate),
                frame,
            )
            for frame in _frames(container, stream, zero - WARM_UP)
        )
        for at, frame in _believed(frames, slack):
            if at >= last:
                break
            if form is not None and (at != expected or at - begin >= rate or not _alike(form, frame)):
                yield begin, _mixed(waiting, form, rate)
                waiting = []
            if not waiting:
                begin, form = at, frame
            waiting.append(frame.to_ndarray())
            expected = at + _length(frame, rate)
    if form is not None:
        yield begin, _mixed(waiting, form, rate)


def _length(frame: AudioFrame, rate: int) -> int:
    return frame.samples if frame.sample_rate == rate else frame.samples * rate // frame.sample_rate


def _believed(
    frames: Iterable[tuple[int | None, int, AudioFrame]], slack: int
) -> Iterator[tuple[int, AudioFrame]]:
    """Give each frame with the sample at which it begins: where the one before ends, but for true gaps.

    A time that jumps is believed when the next frame goes on from there; else it is damaged, and nothing moves.
    """
    expected: int | None = None
    doubted: tuple[int, int, AudioFrame] | None = None
    for told, length, frame in frames:
        at = told
        if doubted is not None:
            jumped, size, held = doubted
            doubted = None
            if at is None or abs(at - jumped - size) <= slack:
                begin = jumped
            else:
                begin = at - size if expected is None else expected
            yield begin, held
            expected = begin + size
        if expected is not None and (at is None or abs(at - expected) <= slack):
            yield expected, frame
            expected += length
        else:
            doubted = (0 if at is None else at, length, frame)
    if doubted is not None:
        yield doubted[0], doubted[2]


def _placer(zero: Fraction, rate: int) -> Callable[[int, Fraction], int]:
    """Give a function from a time on the container's clock to the nearest sample, in whole numbers for speed."""

    @functools.cache
    def factors(base: Fraction) -> tuple[int, int, int]:
        whole = base.denominator * zero.denominator
        return base.numerator * rate * zero.denominator, zero.numerator * rate * base.denominator, whole

    def place(pts: int, base: Fraction) -> int:
        times, less, whole = factors(base)
        return (2 * (pts * times - less) + whole) // (2 * whole)

    return place


@contextlib.contextmanager
def _sought(media: Media, track: SoundTrack, begin: Fraction) -> Iterator[InputContainer]:
    """Open a file at ``begin`` on its clock, or at its start where it cannot be sought."""
    import av

    with contextlib.ExitStack() as stack:
        container = stack.enter_context(opened(media.path))
        if begin > track.start and media.container not in _NO_EXACT_SEEK:
            stream = _stream(container, media, track)
            try:
                container.seek(int(begin / (stream.time_base or 1)), stream=stream)
            except av.FFmpegError:
                container = stack.enter_context(opened(media.path))
        yield container


def _stream(container: InputContainer, media: Media, track: SoundTrack) -> Any:
    if track.index < len(container.streams) and container.streams[track.index].type == "audio":
        return container.streams[track.index]
    raise UnreadableMedia(f"{media.path.name} has lost its sound track {track.track}; {CURE}")


def _frames(container: InputContainer, stream: Any, begin: Fraction) -> Iterator[AudioFrame]:
    import av

    for other in container.streams:
        # Packets of others are then passed over unread where the container allows it.
        if other.index != stream.index and hasattr(other, "discard"):
            other.discard = av.stream.Discard.all
    first = begin / stream.time_base
    for packet in packets(container, stream):
        if packet.pts is not None and packet.pts < first:
            continue
        try:
            yield from packet.decode()
        except av.FFmpegError:
            continue


def _alike(one: AudioFrame, other: AudioFrame) -> bool:
    return (
        one.sample_rate == other.sample_rate
        and one.format.name == other.format.name
        and one.layout.name == other.layout.name
    )


def _mixed(arrays: list[NDArray[Any]], form: AudioFrame, rate: int) -> NDArray[np.float32]:
    """Mix frames of one form to mono: the mean of one, two or unknown channels, ITU-R BS.775's shares of surround."""
    kind = form.format.name
    data = np.concatenate(arrays, axis=1)
    count = form.layout.nb_channels
    planes = (data if kind.endswith("p") else data.reshape(-1, count).T).astype(np.float32)
    if kind.startswith("u8"):
        planes -= 128
    planes /= np.float32(_SCALES.get(kind.removesuffix("p"), 1.0))
    names = [channel.name for channel in form.layout.channels] if count > 2 else []
    if "FL" in names:
        weights = np.array([_WEIGHTS.get(name, _SURROUND) for name in names], dtype=np.float32)
        wave = weights @ planes * np.float32(0.7071)
    else:
        wave = planes.mean(axis=0)
    if form.sample_rate != rate:
        # A stream that changes its rate on the way; the time of each sample is what matters.
        times = np.arange(len(wave) * rate // form.sample_rate) * (form.sample_rate / rate)
        wave = np.interp(times, np.arange(len(wave)), wave)
    return wave.astype(np.float32, copy=False)
