"""What a sound track holds before it is decoded: the same payload in other wrapping is the same sound.

A copy into another container, new tags and a new picture leave the payload as it is, byte for byte. An edit list
leaves it too, and hides a part of it; what is heard is therefore told beside the hash.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from cutbook.media.probe import Media, SoundTrack
from cutbook.media.streams import opened, packets
from cutbook.timebase import Span

if TYPE_CHECKING:
    from av.container import InputContainer

SLACK = Fraction(3, 20)
"""Seconds by which containers tell the edges of one track apart: priming of AAC (21–48 ms) and MP3 (up to 85 ms)."""

_BIG_ENDIAN = re.compile(r"(pcm_[suf](16|24|32|64))be")


@dataclass(frozen=True, slots=True)
class Payload:
    """The payload of a sound track.

    ``digest`` is sha256 (64 hex characters) over codec, sample rate, channels and the payload in order. ``first`` is
    where the payload begins in take time; the rest is in seconds from there: its ``length``, the part that is
    ``shown`` by the container (edit lists hide some), and of this the part that is ``heard`` while the take lasts.
    """

    digest: str
    codec: str
    rate: int
    channels: int
    first: Fraction
    length: Fraction
    shown: Span
    heard: Span

    def serves(self, other: Payload) -> bool:
        """Tell whether the words that were heard in this track are those of the other, but for a shift."""
        return (
            self.digest == other.digest
            and abs(self.length - other.length) <= SLACK
            and abs(self.shown.start - other.shown.start) <= SLACK
            and abs(self.shown.end - other.shown.end) <= SLACK
            and self.heard.start <= other.heard.start + SLACK
            and self.heard.end >= other.heard.end - SLACK
        )

    def plain(self) -> dict[str, object]:
        """Give it as plain JSON; times are exact fractions in text."""
        return {
            "sha256": self.digest,
            "codec": self.codec,
            "rate": self.rate,
            "channels": self.channels,
            "first": str(self.first),
            "length": str(self.length),
            "shown": [str(self.shown.start), str(self.shown.end)],
            "heard": [str(self.heard.start), str(self.heard.end)],
        }

    @classmethod
    def read(cls, plain: object) -> Payload | None:
        """Read what :meth:`plain` wrote; None for anything else."""
        if not isinstance(plain, Mapping):
            return None
        try:
            shown, heard = (Span(*map(Fraction, plain[name])) for name in ("shown", "heard"))
            return cls(
                digest=str(plain["sha256"]),
                codec=str(plain["codec"]),
                rate=int(plain["rate"]),
                channels=int(plain["channels"]),
                first=Fraction(plain["first"]),
                length=Fraction(plain["length"]),
                shown=shown,
                heard=heard,
            )
        except (ArithmeticError, KeyError, TypeError, ValueError):
            return None


def payload(media: Media, track: int) -> Payload | None:
    """Hash the payload of a sound track (counted from 0); None where there is none or its times cannot be told.

    The headers of ADTS, the frame of numbers that writers of MP3 put first, empty packets and the order of bytes in
    PCM are left out. A track whose edit list moves parts of it against each other is the same only with that list.
    The whole file is read, nothing is decoded.

    Raises:
        UnreadableMedia: the file cannot be opened.
    """
    sound = next((sound for sound in media.sound if sound.track == track), None)
    walk = None if sound is None else _walk(media, sound)
    if sound is None or walk is None:
        return None
    parts = _edited(media, sound, walk) if walk.quicktime else [_Part(walk.begin, walk.end, 0)]
    if not parts:
        return None
    if len(parts) > 1:
        walk.digest.update(repr([walk.told(part) for part in parts]).encode())
    first = (walk.begin + parts[0].moved) * walk.base - media.origin
    shown = Span(walk.since(min(part.start for part in parts)), walk.since(max(part.end for part in parts)))
    return Payload(
        digest=walk.digest.hexdigest(),
        codec=walk.codec,
        rate=walk.rate,
        channels=walk.channels,
        first=first,
        length=walk.since(walk.end),
        shown=shown,
        heard=Span(-first, media.duration - first).clamp(shown),
    )


@dataclass(slots=True)
class _Part:
    """A stretch of payload in ticks of its own clock, and by how many ticks an edit list moves it."""

    start: int
    end: int
    moved: int


@dataclass(slots=True)
class _Walk:
    """What a pass over all packets found: times in ticks of ``base`` as if there were no edit list, places in bytes."""

    codec: str
    rate: int
    channels: int
    base: Fraction
    quicktime: bool
    digest: Any = field(default_factory=hashlib.sha256)
    end: int = 0
    times: array[int] = field(default_factory=lambda: array("q"))
    places: array[int] = field(default_factory=lambda: array("q"))

    @property
    def begin(self) -> int:
        return self.times[0]

    def since(self, time: int) -> Fraction:
        return (time - self.begin) * self.base

    def told(self, part: _Part) -> tuple[int, int, int]:
        """Give a part in milliseconds, for no time base matters."""
        start, end = self.since(part.start), self.since(part.end)
        return round(start * 1000), round(end * 1000), round(part.moved * self.base * 1000)


def _walk(media: Media, sound: SoundTrack) -> _Walk | None:
    with opened(media.path, ignore_editlist="1") as container:
        stream = _alone(container, sound)
        if stream is None:
            return None
        context = stream.codec_context
        name = context.codec.canonical_name
        walk = _Walk(
            codec=_BIG_ENDIAN.sub(r"\1le", name),
            rate=context.sample_rate,
            channels=context.layout.nb_channels,
            base=stream.time_base,
            quicktime=container.format.name.startswith("mov,"),
        )
        walk.digest.update(f"{walk.codec} {walk.rate} {walk.channels}\n".encode())
        bare = _bare(name, stream)
        for packet in _filled(container, stream):
            if not walk.times and name == "mp3" and _holds_numbers(bytes(packet)):
                continue
            told = packet.dts if packet.pts is None else packet.pts
            time = walk.end if told is None else told
            end = time + (packet.duration or 0)
            walk.end = max(walk.end, end) if walk.times else end
            walk.times.append(time)
            if walk.quicktime:
                walk.places.append(-1 if packet.pos is None else packet.pos)
            walk.digest.update(bare(packet))
    return walk if walk.times else None


def _alone(container: InputContainer, sound: SoundTrack) -> Any:
    """Give a track's stream, and have the others passed over unread where the container allows it."""
    import av

    for other in container.streams:
        if other.index != sound.index and hasattr(other, "discard"):
            other.discard = av.stream.Discard.all
    found = container.streams[sound.index] if sound.index < len(container.streams) else None
    return found if found is not None and found.type == "audio" and found.codec_context is not None else None


def _filled(container: InputContainer, stream: Any) -> Iterator[Any]:
    return (packet for packet in packets(container, stream) if packet.size)


def _bare(codec: str, stream: Any) -> Callable[[Any], Any]:
    """Give what makes the payload of a packet: for most codecs, the packet."""
    if codec == "aac":
        return _without_headers(stream)
    if big := _BIG_ENDIAN.fullmatch(codec):
        return _turned(int(big[2]) // 8)
    return lambda packet: packet


def _without_headers(stream: Any) -> Callable[[Any], Any]:
    import av
    from av.bitstream import BitStreamFilterContext

    strip = BitStreamFilterContext("aac_adtstoasc", stream)

    def bare(packet: Any) -> Any:
        data = bytes(packet)
        # An AAC frame without a header cannot begin with so many ones: they would end it.
        if data[0] != 0xFF or len(data) < 7 or data[1] & 0xF0 != 0xF0:
            return data
        try:
            return b"".join(bytes(made) for made in strip.filter(packet))
        except av.FFmpegError:
            strip.flush()
            return data

    return bare


def _turned(width: int) -> Callable[[Any], bytes]:
    """Turn samples of ``width`` bytes to little endian, whatever the packets' borders."""
    import numpy as np

    rest = b""

    def bare(packet: Any) -> bytes:
        nonlocal rest
        data = rest + bytes(packet)
        whole = len(data) - len(data) % width
        rest = data[whole:]
        return np.frombuffer(data[:whole], dtype=np.uint8).reshape(-1, width)[:, ::-1].tobytes()

    return bare


def _holds_numbers(frame: bytes) -> bool:
    """Tell whether an MP3 frame holds no sound, but its file's numbers (Xing, Info; VBRI stands at byte 36)."""
    if len(frame) < 40:
        return False
    newest, mono = frame[1] & 0x08, frame[3] >> 6 == 3
    aside = (17 if mono else 32) if newest else (9 if mono else 17)
    return frame[4 + aside : 8 + aside] in {b"Xing", b"Info"} or frame[36:40] == b"VBRI"


def _edited(media: Media, sound: SoundTrack, walk: _Walk) -> list[_Part]:
    """Give the parts of a track that the file's edit list shows, by where each packet lies in the file."""
    following = (*walk.times[1:], walk.end)
    known = dict(zip(walk.places, zip(walk.times, following, strict=True), strict=True))
    apart = int(SLACK / walk.base)
    parts: list[_Part] = []
    for place, time, hidden in _seen(media, sound, len(walk.times)):
        if place not in known:
            continue
        start, end = known[place]
        moved = time - start
        if not parts or abs(parts[-1].moved - moved) > apart:
            parts.append(_Part(start, start, moved))
        part = parts[-1]
        if not hidden:
            part.end = max(part.end, end)
        elif part.end == part.start:
            part.start = part.end = end
    return [part for part in parts if part.end > part.start]


def _seen(media: Media, sound: SoundTrack, count: int) -> Iterator[tuple[int, int, bool]]:
    """Give place, time and hiddenness of each packet under the edit list: from the index where it names all of them."""
    with opened(media.path) as container:
        stream = _alone(container, sound)
        if stream is None:
            return
        if len(stream.index_entries) == count:
            for entry in stream.index_entries:
                yield entry.pos, entry.timestamp, entry.is_discard
            return
        for packet in _filled(container, stream):
            if packet.pts is not None and packet.pos is not None:
                yield packet.pos, packet.pts, packet.is_discard
