"""Where a stream can be entered: decoding from anywhere else loses frames without a word."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from cutbook.media.probe import Media


@dataclass(frozen=True, slots=True, order=True)
class Keyframe:
    """A picture that decoding can begin with: when it is shown and when it is decoded, in container seconds."""

    shown: Fraction
    decoded: Fraction


def keyframes(media: Media) -> tuple[Keyframe, ...]:
    """Give a picture's keyframes in order; reads the whole file once.

    Empty where they cannot be told: then the file is decoded from its beginning.
    """
    if media.picture is None:
        return ()
    found = media.path.stat()
    return _scan(media.path, media.picture.index, found.st_size, found.st_mtime_ns)


@functools.lru_cache(maxsize=64)
def _scan(path: Path, index: int, _size: int, _mtime: int) -> tuple[Keyframe, ...]:
    import av

    with av.open(f"file:{path.absolute()}") as file:
        stream = file.streams[index]
        found: list[Keyframe] = []
        count = 0
        for packet in file.demux(stream):
            if not packet.size or packet.pts is None or packet.time_base is None:
                continue
            count += 1
            if packet.is_keyframe:
                decoded = packet.pts if packet.dts is None else packet.dts
                found.append(Keyframe(packet.pts * packet.time_base, decoded * packet.time_base))
    # Where every packet of a stream claims to be one, none can be believed.
    return () if len(found) > 1 and len(found) == count else tuple(sorted(found))
