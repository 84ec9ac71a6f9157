"""What a sound track holds before it is decoded: the same payload in other wrapping is the same sound.

A copy into another container, new tags and a new picture leave the payload as it is, byte for byte. An edit list
leaves it too, and hides a part of it; what is heard is therefore told beside the hash.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
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

    ``digest`` is sha256 (64 hex characters) over codec, sample rate, channels (but for AAC, whose headers tell them in
    two ways) and the payload in order. ``first`` is where the payload begins in take time; the rest is in seconds from
    there: its ``length``, the part that is ``shown`` by the container (edit lists hide some), and of this the part that
    is ``heard`` while the take lasts.
    ``given`` is the payload without the packets that an edit list takes away altogether, where there are such: it is
    what a copy into a container without edit lists holds.
    """

    digest: str
    codec: str
    rate: int
    channels: int
    first: Fraction
    length: Fraction
    shown: Span
    heard: Span
    given: Payload | None = None

    @property
    def digests(self) -> tuple[str, ...]:
        """The digests by which the same sound may be found."""
        return (self.digest,) if self.given is None else (self.digest, *self.given.digests)

    def shift(self, other: Payload) -> Fraction | None:
        """Tell by how many seconds words heard in this track are later in the other; None where they are not its words.

        What was heard here must hold what is heard there, and no edit list may hide more in one than in the other.
        """
        for one in (self, self.given):
            for two in (other, other.given):
                if one is not None and two is not None and _serves(one, two):
                    return two.first - one.first
        return None

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
            **({} if self.given is None else {"given": self.given.plain()}),
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
                given=cls.read(plain.get("given")),
            )
        except (ArithmeticError, KeyError, TypeError, ValueError):
            return None


def _serves(one: Payload, other: Payload) -> bool:
    return (
        one.digest == other.digest
        and abs(one.length - other.length) <= SLACK
        and abs(one.shown.start - other.shown.start) <= SLACK
        and abs(one.shown.end - other.shown.end) <= SLACK
        and one.heard.start <= other.heard.start + SLACK
        and one.heard.end >= other.heard.end - SLACK
    )


def payload(media: Media, track: int) -> Payload | None:
    """Hash the payload of a sound track (counted from 0); None where there is none or its times cannot be told.

    The headers of ADTS, the frame of numbers that writers of MP3 put first, empty packets and the order of bytes in
    PCM are left out. A track whose edit list moves its parts against each other is whole only with that list.
    The whole file is read, nothing is decoded.

    Raises:
        UnreadableMedia: the file cannot be opened.
    """
    sound = next((sound for sound in media.sound if sound.track == track), None)
    walk = None if sound is None else _walk(media, sound, ignore_editlist="1")
    if sound is None or walk is None:
        return None
    if not walk.quicktime:
        return walk.payload(media, [_Part(walk.begin, walk.end, 0)])
    seen, given = _index(media, sound, len(walk.times)), None
    if (
        seen is None
        and (seen := _walk(media, sound)) is not None
        and seen.digest.digest() != walk.digest.digest()
    ):
        given = seen.payload(media, seen.unhidden())
    parts = [] if seen is None else _parts(walk, seen)
    if not parts:
        return given
    if len(parts) > 1:
        walk.digest.update(repr([walk.told(part) for part in parts]).encode())
    return replace(walk.payload(media, parts), given=given)


@dataclass(slots=True)
class _Part:
    """A stretch of payload in ticks of its own clock, and by how many ticks an edit list moves it."""

    start: int
    end: int
    moved: int


@dataclass(slots=True)
class _Walk:
    """What a pass over packets found: times in ticks of ``base``, places in bytes, and which are hidden."""

    codec: str
    rate: int
    channels: int
    base: Fraction
    quicktime: bool
    digest: Any = field(default_factory=hashlib.sha256)
    end: int = 0
    times: array[int] = field(default_factory=lambda: array("q"))
    places: array[int] = field(default_factory=lambda: array("q"))
    hidden: bytearray = field(default_factory=bytearray)

    @property
    def begin(self) -> int:
        return self.times[0]

    def since(self, time: int) -> Fraction:
        return (time - self.begin) * self.base

    def told(self, part: _Part) -> tuple[int, int, int]:
        """Give a part in milliseconds, for no time base matters."""
        start, end = self.since(part.start), self.since(part.end)
        return round(start * 1000), round(end * 1000), round(part.moved * self.base * 1000)

    def add(self, time: int, end: int, place: int, *, hidden: bool) -> None:
        self.end = max(self.end, end) if self.times else end
        self.times.append(time)
        self.places.append(place)
        self.hidden.append(hidden)

    def unhidden(self) -> list[_Part]:
        """Give all, less the packets at the start that are only there for the decoder."""
        shown = self.hidden.find(0)
        start = self.times[shown] if shown >= 0 else self.end
        return [_Part(start, max(start, self.end), 0)]

    def payload(self, media: Media, parts: list[_Part]) -> Payload:
        first = (self.begin + parts[0].moved) * self.base - media.origin
        start, end = min(part.start for part in parts), max(part.end for part in parts)
        shown = Span(self.since(start), self.since(end))
        return Payload(
            digest=self.digest.hexdigest(),
            codec=self.codec,
            rate=self.rate,
            channels=self.channels,
            first=first,
            length=self.since(self.end),
            shown=shown,
            heard=Span(-first, media.duration - first).clamp(shown),
        )


def _walk(media: Media, sound: SoundTrack, **options: str) -> _Walk | None:
    with opened(media.path, **options) as container:
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
        # Half the containers of HE-AAC tell the rate and the channels that come out, half those of the core.
        form = "" if name == "aac" else f" {walk.rate} {walk.channels}"
        walk.digest.update(f"{walk.codec}{form}\n".encode())
        bare = _bare(name, stream)
        for packet in packets(container, stream):
            if not packet.size or (not walk.times and name == "mp3" and _holds_numbers(bytes(packet))):
                continue
            told = packet.dts if packet.pts is None else packet.pts
            time = walk.end if told is None else told
            place = -1 if packet.pos is None else packet.pos
            walk.add(time, time + (packet.duration or 0), place, hidden=packet.is_discard)
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


def _index(media: Media, sound: SoundTrack, count: int) -> _Walk | None:
    """Read where an edit list puts each packet from the file's index; None where that does not name all of them."""
    with opened(media.path) as container:
        stream = _alone(container, sound)
        if stream is None or len(stream.index_entries) != count:
            return None
        seen = _Walk("", 0, 0, stream.time_base, quicktime=True)
        for entry in stream.index_entries:
            seen.add(entry.timestamp, entry.timestamp, entry.pos, hidden=entry.is_discard)
    return seen


def _parts(walk: _Walk, seen: _Walk) -> list[_Part]:
    """Give the parts of a track that its edit list shows, by where each packet lies in the file."""
    following = (*walk.times[1:], walk.end)
    known = dict(zip(walk.places, zip(walk.times, following, strict=True), strict=True))
    apart = int(SLACK / walk.base)
    parts: list[_Part] = []
    for place, time, hidden in zip(seen.places, seen.times, seen.hidden, strict=True):
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
