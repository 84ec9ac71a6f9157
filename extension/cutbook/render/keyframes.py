"""Where a transport or program stream can be entered: decoding from anywhere else loses frames without a word."""

from __future__ import annotations

import functools
from fractions import Fraction
from pathlib import Path

from cutbook.media.probe import Media


def keyframes(media: Media) -> tuple[Fraction, ...]:
    """Give the times of a picture's keyframes on the container's clock, in order; reads the whole file once.

    Empty where they cannot be told: then the file is decoded from its beginning.
    """
    if media.picture is None:
        return ()
    found = media.path.stat()
    return _scan(media.path, media.picture.index, found.st_size, found.st_mtime_ns)


@functools.lru_cache(maxsize=64)
def _scan(path: Path, index: int, _size: int, _mtime: int) -> tuple[Fraction, ...]:
    import av

    with av.open(f"file:{path.absolute()}") as file:
        stream = file.streams[index]
        times: list[Fraction] = []
        count = marked = 0
        for packet in file.demux(stream):
            if packet.size and packet.pts is not None and packet.time_base is not None:
                count += 1
                marked += packet.is_keyframe
                times += [packet.pts * packet.time_base] if packet.is_keyframe else []
    # Where every packet claims to be one, none can be believed.
    return () if marked > 1 and marked == count else tuple(sorted(times))
