"""Pictures at exact times of a take, as arrays as they are shown: turned, and in square pixels."""

from __future__ import annotations

import hashlib
import io
from collections import deque
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, pairwise
from math import floor
from typing import TYPE_CHECKING, Any

from cutbook.errors import InputError, UnreadableMedia
from cutbook.files import write_atomic
from cutbook.media.groups import gathered
from cutbook.media.streams import opened
from cutbook.media.tone import mapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import numpy as np
    from av.container import InputContainer
    from av.packet import Packet
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream
    from numpy.typing import NDArray

    from cutbook.media.probe import Media, Picture

    Image = NDArray[np.uint8]

AHEAD = 32
"""Packets read in advance, to know whether a picture is needed before it is decoded."""

SMALL = 4
"""How many times smaller a picture must be than its film, so that smoothing of blocks is left out: it makes about one
level of difference then (two where noise is hard), and a sixth of the work."""

MILLISECOND = Fraction(1, 1000)

NEAR = Fraction(2)
"""Seconds that are rather decoded through than sought over, where the file has no index of its keyframes."""

QUALITY = 84
"""JPEG quality of posters."""


def frames_at(media: Media, times: Sequence[Fraction], *, height: int, exact: bool = True) -> list[Image]:
    """Give the pictures shown at ``times`` (seconds of take time), in one opening of the file.

    Each is H×W×3 RGB of ``height`` pixels as displayed (rotation and sample aspect applied) and is the newest
    with pts ≤ time: the last one past the end, the first one before the start. With ``exact`` off it is the
    keyframe before, where one lies within half the smallest gap between the times.

    Raises:
        InputError: ``height`` is below 1.
        UnreadableMedia: the file has no picture, cannot be opened, or none of it can be decoded.
    """
    picture = media.picture
    if height < 1:
        msg = f"a picture of {height} pixels height cannot be made; ask for 1 or more"
        raise InputError(msg)
    if picture is None:
        msg = f"{media.path.name} has no picture; only its sound can be shown"
        raise UnreadableMedia(msg)
    if not times:
        return []
    wanted = sorted(set(times))
    slack = None if exact else min((b - a for a, b in pairwise(wanted)), default=media.duration) / 2
    with ExitStack() as stack:
        film = _Film(media, picture, height, stack)
        ticks = {time: film.tick(time) for time in wanted}
        found = film.images(sorted(set(ticks.values())), slack)
    return [found[ticks[time]] for time in times]


def filmstrip(
    media: Media, times: Sequence[Fraction], *, height: int, cache: Path, key: str, exact: bool = True
) -> list[Image]:
    """Give what :func:`frames_at` gives, kept as one lossless picture in the folder ``cache``.

    ``key`` names the file's content (its fingerprint); raises as :func:`frames_at` does.
    """
    import numpy as np
    from PIL import Image as Pillow

    if not times:
        return []
    asked = ",".join(str(time) for time in times)
    name = hashlib.sha256(f"strip 4 {key} {height} {exact} {asked}".encode()).hexdigest()[:32]
    kept = cache / "strips" / f"{name}.png"
    with suppress(OSError, ValueError):
        with Pillow.open(kept) as opened:
            strip = np.asarray(opened.convert("RGB"))
        if strip.shape[0] == height and strip.shape[1] % len(times) == 0:
            return np.split(strip, len(times), axis=1)
    images = frames_at(media, times, height=height, exact=exact)
    _keep(kept, _encoded(np.concatenate(images, axis=1), "PNG", compress_level=1))
    return images


def poster(media: Media, time: Fraction, *, height: int, cache: Path, key: str) -> bytes:
    """Give the picture at ``time`` (seconds of take time) as a JPEG of ``height`` pixels, kept in ``cache``.

    ``key`` names the file's content (its fingerprint); raises as :func:`frames_at` does.
    """
    name = hashlib.sha256(f"poster 4 {key} {height} {time}".encode()).hexdigest()[:32]
    kept = cache / "posters" / f"{name}.jpg"
    with suppress(OSError):
        data = kept.read_bytes()
        if data.endswith(b"\xff\xd9"):
            return data
    data = _encoded(frames_at(media, [time], height=height)[0], "JPEG", quality=QUALITY)
    _keep(kept, data)
    return data


def _encoded(image: Image, form: str, **options: Any) -> bytes:
    from PIL import Image as Pillow

    buffer = io.BytesIO()
    Pillow.fromarray(image).save(buffer, form, **options)
    return buffer.getvalue()


def _keep(path: Path, data: bytes) -> None:
    with suppress(OSError):  # a cache that cannot be written costs time, not the picture
        write_atomic(path, data)


@dataclass
class _Film:
    """One open file, read forwards from keyframe to keyframe."""

    media: Media
    picture: Picture
    height: int
    stack: ExitStack
    container: InputContainer = field(init=False)
    stream: VideoStream = field(init=False)
    shown: Iterator[tuple[int, VideoFrame]] | None = field(default=None, init=False)
    held: tuple[int, VideoFrame] | None = field(default=None, init=False)
    upcoming: tuple[int, VideoFrame] | None = field(default=None, init=False)
    limit: int = field(default=0, init=False)
    image: tuple[int, Image] | None = field(default=None, init=False)
    backwards: bool = field(default=False, init=False)
    sparse: bool = field(default=False, init=False)
    grouped: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self._open()
        kind = self.container.format.name
        self.grouped = self.picture.codec == "h264" and kind.startswith(("mov", "matroska"))

    def _open(self) -> None:
        self.stack.close()
        self.container = self.stack.enter_context(opened(self.media.path))
        found = [stream for stream in self.container.streams.video if stream.index == self.picture.index]
        if not found:
            msg = f"{self.media.path.name} has changed since it was looked at; open the project again"
            raise UnreadableMedia(msg)
        self.stream = found[0]
        # Frame threads would decode as many frames too many after each seek as there are threads.
        self.stream.thread_type = "SLICE"
        options = {}
        if self.height * SMALL <= min(self.picture.coded):
            options["skip_loop_filter"] = "all"
        if self.picture.codec == "h264":
            options["enable_er"] = "0"  # it would paint over what is left out on purpose
        self.stream.codec_context.options = options

    def tick(self, time: Fraction) -> int:
        """Give the newest pts that is shown at a time."""
        base = self.picture.time_base
        # To the nearest tick: containers that count in milliseconds round the times of their pictures.
        return floor((time + self.media.origin + min(base, MILLISECOND) / 2) / base)

    def images(self, limits: Sequence[int], slack: Fraction | None) -> dict[int, Image]:
        """Give the image at each of some ascending limits (in ticks)."""
        found = {}
        for limit in limits if slack is not None else ():
            self.limit = limit
            near = self._keyframe(floor((slack or 0) / self.picture.time_base))
            if near is not None:
                found[limit] = near
        rest = [limit for limit in limits if limit not in found]
        while rest:
            found |= (self._group(rest) if self.grouped else {}) or {rest[0]: self._single(rest[0])}
            rest = [limit for limit in rest if limit not in found]
        return found

    def _group(self, limits: Sequence[int]) -> dict[int, Image]:
        """Give the images of a group of pictures: those at the first limit and at the next ones that lie in it."""
        self.limit = limits[0]
        first = self._land(self.limit)
        self.shown = self.held = self.upcoming = None
        if first is None:
            return {}
        context = self.stream.codec_context
        group = gathered(chain([first], self._demuxed()), limits, setup=context.extradata)
        self.grouped = group is not None
        if group is None:
            return {}
        wanted, images = group.wanted(), {}
        shown = set(wanted.values())
        context.skip_frame = "DEFAULT"
        for packet in (*group.needed(), None):
            for frame in self._decoded(packet):
                if (pts := _pts(frame)) in shown:
                    images[pts] = self._image(pts, frame)
        return {limit: images[pts] for limit, pts in wanted.items() if pts in images}

    def _single(self, limit: int) -> Image:
        """Give the image at a limit that is not before the one asked last."""
        self.limit = limit
        if self._must_seek():
            first = self._seek(limit)
            # Where pictures are made anew bit by bit, none is whole until the next keyframe.
            for _ in range(2):
                self.upcoming = next(self.shown, None) if self.shown else None
                if not first or first.pts is None or (self.upcoming and self.upcoming[0] <= limit):
                    break
                first = self._seek(first.pts - 1)
        return self._image(*self._newest())

    def _newest(self) -> tuple[int, VideoFrame]:
        while self.upcoming is None or self.upcoming[0] <= self.limit:
            if self.upcoming is not None:
                self.held = self.upcoming
            self.upcoming = next(self.shown, None) if self.shown is not None else None
            if self.upcoming is None:
                break
        found = self.held or self.upcoming
        if found is None:
            msg = f"{self.media.path.name} holds no picture that can be decoded; it may be damaged"
            raise UnreadableMedia(msg)
        return found

    def _must_seek(self) -> bool:
        if self.shown is None:
            return True
        at = self.upcoming or self.held
        if at is None or self.limit <= at[0]:
            return False
        entries = self.stream.index_entries
        found = entries.search_timestamp(self.limit) if len(entries) else -1
        if found >= 0 and entries[found].timestamp > at[0]:
            return True
        if found >= 0 and self.container.format.name.startswith("mov"):
            return False
        far = floor(NEAR / self.picture.time_base) * (8 if self.backwards else 1)
        return self.limit - at[0] > far

    def _seek(self, limit: int) -> Packet[VideoStream] | None:
        """Stand before the last keyframe shown at or before a limit, or at the start of the file: None."""
        before = self.upcoming or self.held
        first = self._land(limit)
        self.backwards = bool(before and first and (first.pts or 0) <= before[0])
        self.held = self.upcoming = None
        self.shown = self._decode(first)
        return first

    def _land(self, limit: int) -> Packet[VideoStream] | None:
        second = floor(1 / self.picture.time_base)
        if self.container.format.name in {"mpeg", "mpegts"}:
            limit -= second  # times are made up after a seek, until a packet brings one of its own
        goal, step = limit, second
        floor_pts = floor(self.picture.start / self.picture.time_base)
        while goal > floor_pts - second:
            key = self._first_key(goal)
            if key is not None and (key.pts is None or key.pts <= limit):
                return key
            # mov seeks by decoding time, which comes before the time of showing: one keyframe back is enough there.
            back = key.dts - 1 if key is not None and key.dts is not None and step == second else goal
            goal = back if back < goal else limit - step
            step *= 2
        self._open()
        return None

    def _first_key(self, goal: int) -> Packet[VideoStream] | None:
        import av

        with suppress(av.FFmpegError):
            self.container.seek(goal, stream=self.stream)
            for packet in self.container.demux(self.stream):
                if packet.is_keyframe:
                    return packet
                if packet.pts is not None and packet.pts > self.limit:
                    return None
        return None

    def _keyframe(self, slack: int) -> Image | None:
        """Give the newest keyframe at the limit when it is no older than ``slack``."""
        if self.sparse or self._far(slack):
            return None
        key = self._first_key(self.limit)
        self.shown = self.held = self.upcoming = None
        if key is None or key.pts is None or not 0 <= self.limit - key.pts <= slack:
            self.sparse = not len(self.stream.index_entries)
            return None
        if self.image is not None and self.image[0] == key.pts:
            return self.image[1]
        frames = self._decoded(key) + self._decoded(None)
        return next((self._image(key.pts, frame) for frame in frames if _pts(frame) == key.pts), None)

    def _far(self, slack: int) -> bool:
        """Tell that the file's index knows the keyframe to be older than ``slack``."""
        entries = self.stream.index_entries
        found = entries.search_timestamp(self.limit) if len(entries) else -1
        # The index holds times of decoding, a few pictures before those of showing.
        few = 4 * floor(1 / (self.picture.rate * self.picture.time_base))
        return found >= 0 and self.limit - entries[found].timestamp > slack + few

    def _decode(self, first: Packet[VideoStream] | None) -> Iterator[tuple[int, VideoFrame]]:
        """Give what is shown from the keyframe on; None: from the start of the file."""
        context = self.stream.codec_context
        since = first.pts if first is not None else None
        source = self._demuxed()
        queue = deque([first] if first is not None else [])
        gap = 2 * floor(1 / (self.picture.rate * self.picture.time_base))
        for packet in _ahead(source, queue):
            context.skip_frame = "NONREF" if self._needless(packet, queue, gap) else "DEFAULT"
            for frame in self._decoded(packet):
                pts = _pts(frame)
                # Pictures before an open group's keyframe lean on the group before it, which was not read.
                if since is None or pts >= since:
                    yield pts, frame

    def _demuxed(self) -> Iterator[Packet[VideoStream]]:
        import av

        with suppress(av.FFmpegError):  # a file that breaks off ends there
            yield from self.container.demux(self.stream)

    def _needless(self, packet: Packet[VideoStream], queue: deque[Packet[VideoStream]], gap: int) -> bool:
        """Tell that a later picture is shown before the limit is reached (two frames on: fields may come singly)."""
        pts = packet.pts
        return pts is not None and any(
            later.pts is not None and pts + gap < later.pts <= self.limit for later in queue
        )

    def _decoded(self, packet: Packet[VideoStream] | None) -> list[VideoFrame]:
        import av

        try:
            return self.stream.codec_context.decode(packet)
        except av.FFmpegError:  # a broken packet: the picture before it stays
            return []

    def _image(self, pts: int, frame: VideoFrame) -> Image:
        if self.image is None or self.image[0] != pts:
            self.image = (pts, _shown(frame, self.picture, self.height))
        return self.image[1]


def _ahead(
    source: Iterator[Packet[VideoStream]], queue: deque[Packet[VideoStream]]
) -> Iterator[Packet[VideoStream]]:
    """Give packets in order while ``queue`` holds those that follow."""
    for packet in source:
        queue.append(packet)
        if len(queue) > AHEAD:
            yield queue.popleft()
    while queue:
        yield queue.popleft()


def _pts(frame: VideoFrame) -> int:
    return frame.pts if frame.pts is not None else frame.dts or 0


def _shown(frame: VideoFrame, picture: Picture, height: int) -> Image:
    import numpy as np
    from av.video.reformatter import ColorRange, Colorspace, Interpolation

    width = max(1, round(Fraction(picture.width * height, picture.height)))
    across, down = (height, width) if picture.rotation in {90, 270} else (width, height)
    unsaid = frame.colorspace not in {0, 1, 4, 5, 6, 7, 9, 10}
    full = ColorRange.JPEG if picture.full_range else ColorRange.MPEG
    # Whole chroma for RGB of 16 bits loses green in libswscale.
    fine = Interpolation.ACCURATE_RND | (0 if picture.hdr else Interpolation.FULL_CHR_H_INT)
    turned = frame.reformat(
        width=across,
        height=down,
        format="rgb48le" if picture.hdr else "rgb24",
        interpolation=Interpolation.AREA | fine,
        # What says nothing is taken as players take it: Rec. 709 from 720 lines on, Rec. 601 below.
        src_colorspace=(Colorspace.ITU709 if frame.height >= 720 else Colorspace.ITU601) if unsaid else None,
        src_color_range=None if frame.format.is_rgb else full,
        dst_color_range=ColorRange.JPEG,
    ).to_ndarray()
    plain = mapped(turned, picture.hdr) if picture.hdr else turned.astype(np.uint8, copy=False)
    upright = np.rot90(plain, -picture.rotation // 90)
    return np.ascontiguousarray(upright[:, ::-1] if picture.mirrored else upright)
