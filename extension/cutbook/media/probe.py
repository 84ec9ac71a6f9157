"""What a file is: its picture stream, its sound tracks, and what is odd about it."""

from __future__ import annotations

import math
import re
import struct
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutbook.errors import UnreadableMedia
from cutbook.media import colour, stills
from cutbook.media.streams import CURE, Times, index_times, opened, pace, packet_times, packets
from cutbook.timebase import decimals, rate_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from av import VideoFrame
    from av.container import InputContainer

SUFFIXES = frozenset(
    {
        *(".mp4", ".mov", ".m4v", ".mkv", ".webm", ".avi", ".mts", ".m2ts", ".ts", ".mpg", ".mpeg", ".mxf"),
        *(".3gp", ".wmv", ".flv", ".wav", ".mp3", ".m4a", ".aac", ".flac", ".ogg", ".opus", ".aif", ".aiff"),
    }
)
"""Suffixes (lower case) that are looked at when takes are searched for."""


@dataclass(frozen=True, slots=True)
class Picture:
    """The picture stream that is shown (never cover art).

    ``width`` and ``height`` are the displayed size in square pixels after rotation and sample aspect;
    ``coded`` is the stored size. ``rate`` is the nominal rate (r_frame_rate), ``average_rate`` frames over time;
    ``variable`` tells that they differ. ``start`` is the first shown frame's pts on the container's clock, in seconds;
    ``frames`` and ``duration`` (seconds) count from there. ``rotation`` is clockwise degrees (0, 90, 180, 270) that a
    player turns the stored picture; ``mirrored`` then swaps left and right. ``transfer``, ``primaries``, ``matrix``
    are ffmpeg's names or None; ``full_range`` tells pc from tv range. ``timecode`` is the embedded start timecode.
    """

    index: int
    codec: str
    width: int
    height: int
    coded: tuple[int, int]
    rotation: int
    sample_aspect: Fraction
    rate: Fraction
    average_rate: Fraction
    variable: bool
    time_base: Fraction
    start: Fraction
    duration: Fraction
    frames: int
    pixel_format: str
    bit_depth: int
    interlaced: bool
    full_range: bool
    transfer: str | None = None
    primaries: str | None = None
    matrix: str | None = None
    timecode: str | None = None
    mirrored: bool = False

    @property
    def hdr(self) -> str | None:
        """``HLG`` or ``PQ`` for a high dynamic range picture, else None."""
        return {"arib-std-b67": "HLG", "smpte2084": "PQ"}.get(self.transfer or "")


@dataclass(frozen=True, slots=True)
class SoundTrack:
    """One decodable sound track; ``track`` counts sound tracks from 0 (ffmpeg's ``0:a:N`` over all of them).

    ``index`` is the stream's number in the file, ``start`` (seconds) lies on the container's clock.
    """

    index: int
    track: int
    codec: str
    sample_rate: int
    channels: int
    layout: str
    start: Fraction
    duration: Fraction
    language: str | None = None
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Media:
    """A file of footage.

    Take time: second 0 is the first shown picture frame (the first sample where there is no picture), so that
    frame n of a constant-rate picture begins at n/rate. ``origin`` is that point on the container's clock.
    ``duration`` is the length in take time. ``notes`` says what is odd, in plain words
    (variable frame rate, HDR, rotated, no sound, sound starts 0.8 s late, undecodable track ignored…).
    """

    path: Path
    container: str
    size: int
    origin: Fraction
    duration: Fraction
    picture: Picture | None
    sound: tuple[SoundTrack, ...]
    notes: tuple[str, ...] = ()

    @property
    def rate(self) -> Fraction:
        """Frames a second of the grid on which ranges of this file lie: the picture's, or 30 for sound alone."""
        return self.picture.rate if self.picture else Fraction(30)

    @property
    def frames(self) -> int:
        """Whole frames of the grid that the file covers."""
        if self.picture and not self.picture.variable:
            return self.picture.frames
        return int(self.duration * self.rate)


_DEFAULT, _ATTACHED, _THUMBNAILS = 0x1, 0x400, 0x800
_STILLS = frozenset({"mjpeg", "png", "bmp", "gif", "webp", "tiff"})
_LOOK = 600
"""Packets that are read for the first frame before a picture counts as undecodable."""


def probe(path: Path) -> Media:
    """Find out what a file is, by reading it with PyAV.

    Raises:
        UnreadableMedia: the file is missing, empty, broken off too early or no footage; says what to do.
    """
    notes: list[str] = []
    with opened(path) as container:
        size = path.stat().st_size
        sounds = _playable(container.streams.audio, "sound track", notes)
        pictures = _playable(_pictures(container, notes), "picture", notes)
        stream = max(pictures, key=_prominence, default=None)
        if len(pictures) > 1:
            notes.append(f"{len(pictures)} pictures; stream {max(pictures, key=_prominence).index} is used")
        if stream is None and not sounds:
            raise UnreadableMedia(f"{path.name} holds neither picture nor sound that can be decoded; {CURE}")
        indexed = {s.index: index_times(s, size) for s in (stream, *sounds) if s is not None}
        times = indexed if all(indexed.values()) else packet_times(path)
        known = None if stream is None else times.get(stream.index)
        picture = None if stream is None else _picture(container, stream, known, notes, path)
        tracks = tuple(
            _track(s, number, times.get(s.index))
            for number, s in enumerate(container.streams.audio)
            if s in sounds
        )
        if picture is None and not tracks:
            raise UnreadableMedia(f"{path.name} holds no picture that can be decoded and no sound; {CURE}")
        origin = picture.start if picture else min(track.start for track in tracks)
        duration = picture.duration if picture else max(t.start + t.duration for t in tracks) - origin
        notes += _broken_off(container, times)
        notes += _bystanders(container)
        name = container.format.name.split(",")[0]
    if duration <= 0:
        raise UnreadableMedia(f"{path.name} holds no frame and no sample that can be read; {CURE}")
    notes += _oddities(picture, tracks, origin)
    return Media(path, name, size, origin, duration, picture, tracks, tuple(notes))


def _playable(streams: Iterable[Any], what: str, notes: list[str]) -> list[Any]:
    known = []
    for stream in streams:
        context = stream.codec_context
        if context is None or (stream.type == "audio" and not 4000 <= context.sample_rate <= 768_000):
            notes.append(f"{what} in stream {stream.index} cannot be decoded and is ignored")
        else:
            known.append(stream)
    return known


def _pictures(container: InputContainer, notes: list[str]) -> list[Any]:
    """Give the video streams that are moving pictures: cover art and thumbnails pose as video."""
    moving = []
    streams: list[Any] = list(container.streams.video)
    for stream in streams:
        posed = stream.disposition & (_ATTACHED | _THUMBNAILS)
        still = stream.frames == 1 and getattr(stream.codec_context, "name", "") in _STILLS
        if posed or (still and container.streams.audio):
            notes.append(f"cover art in stream {stream.index} is no picture")
        else:
            moving.append(stream)
    return moving


def _prominence(stream: Any) -> tuple[bool, int, int]:
    return bool(stream.disposition & _DEFAULT), stream.width * stream.height, -stream.index


def _first_frame(container: InputContainer, stream: Any) -> VideoFrame | None:
    """Decode the first frame that is shown: edit lists and broken starts of streams hide some before it."""
    import av

    stream.codec_context.thread_count = 1
    for count, packet in enumerate(packets(container, stream)):
        try:
            frames: list[VideoFrame] = packet.decode()
        except av.FFmpegError:
            frames = []
        if frames:
            return frames[0]
        if count >= _LOOK:
            break
    return None


def _picture(
    container: InputContainer, stream: Any, times: Times | None, notes: list[str], path: Path
) -> Picture | None:
    first = _first_frame(container, stream)
    if first is None or times is None or not times.pts:
        notes.append(f"picture in stream {stream.index} cannot be decoded and is ignored")
        return None
    base, context = stream.time_base, stream.codec_context
    begin = first.pts
    untold = container.format.name == "avi"
    # Times of decoding, which an index and AVI have, lie before those of showing.
    hidden = None if times.decoding or untold else first.pts
    if untold and context.has_b_frames:
        begin = first.dts
        notes.append("AVI does not say when its frames are shown; wrap it anew as MP4 where a frame matters")
    found = pace(times, base, stream.base_rate, first=hidden)
    if begin is None or (times.strays and not times.pts[0] <= begin <= times.pts[-1]):
        begin = min(times.pts)
    start = begin * base
    turned = stills.orientation(path) if context.name in _STILLS and len(times.pts) == 1 else None
    rotation, mirrored = turned or _orientation(first, stream)
    aspect = stream.sample_aspect_ratio or Fraction(1)
    width, height = max(1, math.floor(first.width * aspect + Fraction(1, 2))), first.height
    if rotation in {90, 270}:
        width, height = height, width
    return Picture(
        index=stream.index,
        codec=context.name,
        width=width,
        height=height,
        coded=(first.width, first.height),
        rotation=rotation,
        sample_aspect=aspect,
        rate=found.rate,
        average_rate=found.average,
        variable=found.variable,
        time_base=base,
        start=start,
        duration=found.duration,
        frames=found.frames,
        pixel_format=first.format.name,
        bit_depth=max(component.bits for component in first.format.components),
        interlaced=bool(first.interlaced_frame),
        full_range=colour.FULL_RANGE in {int(first.color_range), int(context.color_range)}
        or first.format.name.startswith("yuvj"),
        transfer=_name(colour.TRANSFERS, first.color_trc, context.color_trc),
        primaries=_name(colour.PRIMARIES, first.color_primaries, context.color_primaries),
        matrix=_name(colour.MATRICES, first.colorspace, context.colorspace),
        timecode=_timecode(container, stream),
        mirrored=mirrored,
    )


def _name(names: dict[int, str], *numbers: int) -> str | None:
    return next((names[int(number)] for number in numbers if int(number) in names), None)


def _orientation(frame: VideoFrame, stream: Any) -> tuple[int, bool]:
    """Give the clockwise turn to the nearest right angle and the mirroring after it.

    They stand in the display matrix (a b; c d over 65536, x' = a·x + c·y, y' = b·x + d·y), else in the old tag.
    """
    try:
        entries: Any = list(frame.side_data)
    except ValueError:  # newer data than PyAV knows, such as a camera's EXIF in each picture of an AVI
        return -frame.rotation // 90 % 4 * 90, False
    for data in entries:
        if data.type.name == "DISPLAYMATRIX":
            a, b, _, c, d = struct.unpack_from("=5i", bytes(data))
            mirrored = a * d - b * c < 0
            return round(math.atan2(b, -a if mirrored else a) / (math.pi / 2)) % 4 * 90, mirrored
    tag = next((value for key, value in stream.metadata.items() if key.casefold() == "rotate"), "")
    turned = float(tag) if re.fullmatch(r"-?\d{1,3}(\.\d*)?", tag) else 0.0
    return round(turned / 90) % 4 * 90, False


def _timecode(container: InputContainer, stream: Any) -> str | None:
    """Give the start timecode: of the picture's tag, the file's, or a timecode track's (tmcd)."""
    tags = (stream.metadata, container.metadata, *(other.metadata for other in container.streams))
    found = (value for tag in tags for key, value in tag.items() if key.casefold() == "timecode")
    return next((text for text in found if re.fullmatch(r"\d\d:\d\d:\d\d[:;.]\d\d+", text)), None)


def _track(stream: Any, number: int, times: Times | None) -> SoundTrack:
    base, context = stream.time_base, stream.codec_context
    begin = stream.start_time
    if begin is None:
        begin = min(times.pts) if times and times.pts else 0
    if times is not None and not times.decoding and times.end is not None:
        end = times.end
    elif stream.duration:
        end = begin + stream.duration
    else:
        end = times.end if times and times.end is not None else begin
    tags = {key.casefold(): value for key, value in stream.metadata.items()}
    language = tags.get("language")
    return SoundTrack(
        index=stream.index,
        track=number,
        codec=context.name,
        sample_rate=context.sample_rate,
        channels=context.layout.nb_channels,
        layout=context.layout.name,
        start=begin * base,
        duration=max(Fraction(0), (end - begin) * base),
        language=None if language in {None, "", "und"} else language,
        title=tags.get("title") or tags.get("name") or None,
    )


def _broken_off(container: InputContainer, times: Mapping[int, Times | None]) -> Iterator[str]:
    """Say where a file ends before it promises to."""
    begins = Fraction(container.start_time or 0, 1_000_000)
    bases = {stream.index: stream.time_base or Fraction(1) for stream in container.streams}
    ends = [found.end * bases[n] - begins for n, found in times.items() if found and found.end is not None]
    if any(found and found.strays for found in times.values()):
        yield "its times jump by over an hour; only the longest stretch is used"
        return
    promised = Fraction(container.duration or 0, 1_000_000)
    end = max(ends, default=promised)
    if any(found and found.lost for found in times.values()):
        yield f"breaks off after {decimals(end)} s; {CURE}"
    elif promised - end > max(Fraction(1, 2), promised / 50):
        yield f"breaks off at {decimals(end)} of {decimals(promised)} s; {CURE}"


def _bystanders(container: InputContainer) -> Iterator[str]:
    kinds = [stream.type for stream in container.streams]
    if "subtitle" in kinds:
        yield "subtitles inside are not used"
    if "attachment" in kinds:
        yield "attachments inside are not used"


def _oddities(picture: Picture | None, tracks: tuple[SoundTrack, ...], origin: Fraction) -> Iterator[str]:
    if picture is not None:
        yield from _picture_oddities(picture)
    if not tracks:
        yield "no sound"
    for track in tracks:
        which = f"sound track {track.track}" if len(tracks) > 1 else "sound"
        late = track.start - origin
        if late > Fraction(1, 20):
            yield f"{which} starts {decimals(late)} s late"
        over = late + track.duration - picture.duration if picture else Fraction(0)
        if abs(over) > Fraction(1, 2):
            how = "before the picture" if over < 0 else "after the picture"
            yield f"{which} ends {decimals(abs(over))} s {how}"


def _picture_oddities(picture: Picture) -> Iterator[str]:
    if picture.variable:
        average, rate = decimals(picture.average_rate), rate_text(picture.rate)
        yield f"variable frame rate: {average} frames a second on average, cut on a grid of {rate}"
    if picture.hdr:
        yield f"HDR ({picture.hdr})"
    if picture.rotation:
        yield f"rotated by {picture.rotation}°"
    if picture.mirrored:
        yield "mirrored"
    if picture.sample_aspect != 1:
        yield f"pixels are not square ({picture.sample_aspect.numerator}:{picture.sample_aspect.denominator})"
    if picture.interlaced:
        yield "interlaced"
    if picture.timecode and any(each in "123456789" for each in picture.timecode):
        yield f"timecode starts at {picture.timecode}"
