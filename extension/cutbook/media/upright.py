"""Take the turn out of an MP4 that was encoded upright: ffmpeg hands a source's turn on to what was turned already."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

_UPRIGHT = struct.pack(">9i", 1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30)
"""The matrix that changes nothing, in 16.16 fixed point, its last column in 2.30 (ISO/IEC 14496-12, 8.2.2)."""

_MATRIX = {0: 48, 1: 60}
"""Bytes from the start of a track header to its matrix, by its version."""


def upright(file: Path) -> None:
    """Write the matrix that changes nothing into every track of an MP4."""
    with file.open("r+b") as opened:
        end = opened.seek(0, 2)
        for place in _found(opened, 0, end, (b"moov", b"trak", b"tkhd")):
            opened.seek(place + 8)
            opened.seek(place + _MATRIX[opened.read(1)[0]])
            opened.write(_UPRIGHT)


def _found(file: BinaryIO, place: int, end: int, path: tuple[bytes, ...]) -> Iterator[int]:
    """Give where the boxes of a path begin."""
    while place + 8 <= end:
        file.seek(place)
        size, kind = struct.unpack(">I4s", file.read(8))
        head = 8
        if size == 1:
            size, head = struct.unpack(">Q", file.read(8))[0], 16
        size = size or end - place
        if size < head:
            return
        if kind == path[0]:
            if len(path) == 1:
                yield place
            else:
                yield from _found(file, place + head, place + size, path[1:])
        place += size
