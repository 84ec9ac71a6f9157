"""Edit lists for test material: what a phone writes when a film is trimmed."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path


def edited(source: Path, path: Path, edits: Sequence[tuple[float, float]]) -> Path:
    """Copy an MP4 whose moov stands last, every track given an edit list of (start, seconds) in its own time."""
    data = source.read_bytes()
    place = data.rindex(b"moov") - 4
    movie: int = struct.unpack_from(">I", data, data.index(b"mvhd", place) + 16)[0]
    path.write_bytes(data[:place] + _boxes(data[place:], edits, movie))
    return path


def _boxes(data: bytes, edits: Sequence[tuple[float, float]], movie: int) -> bytes:
    made, at = b"", 0
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + size]
        if kind == b"trak":
            scale = struct.unpack_from(">I", body, body.index(b"mdhd") + 16)[0]
            old = body.index(b"edts") - 4
            length = struct.unpack_from(">I", body, old)[0]
            rows = b"".join(
                struct.pack(">IiI", round(seconds * movie), round(start * scale), 0x10000)
                for start, seconds in edits
            )
            table = struct.pack(">II", 0, len(edits)) + rows
            elst = struct.pack(">I4s", len(table) + 8, b"elst") + table
            body = body[:old] + struct.pack(">I4s", len(elst) + 8, b"edts") + elst + body[old + length :]
        elif kind == b"moov":
            body = _boxes(body, edits, movie)
        made += struct.pack(">I4s", len(body) + 8, kind) + body
        at += size
    return made
