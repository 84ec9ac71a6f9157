"""What files are, as it was found out before: a file whose size and mtime are those seen then is not opened again."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import sqlite3
import time
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from cutbook.media.probe import Media, Picture, SoundTrack, probe

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cutbook.files import UserFolders

VERSION = 2
"""To be raised whenever :func:`~cutbook.media.probe.probe` finds out something else about the same file."""

_TICK = 2_000_000_000
_TABLE = (
    "create table if not exists known "
    "(path blob primary key, size int, mtime int, version int, media text) without rowid"
)


def known(path: Path, folders: UserFolders) -> Media:
    """Find out what a file is, from the user's cache where it is unchanged.

    Raises:
        UnreadableMedia: as :func:`~cutbook.media.probe.probe`; nothing is kept of such a file.
    """
    try:
        found = path.stat()
    except OSError:
        return probe(path)
    key = (os.fsencode(path.resolve()), found.st_size, found.st_mtime_ns, VERSION)
    if (media := _recall(folders, key, path)) is not None:
        return media
    media = probe(path)
    # A file written a moment ago may change again within one tick of its clock, unseen by its mtime.
    if not 0 <= time.time_ns() - found.st_mtime_ns < _TICK:
        _remember(folders, key, media)
    return media


_Key = tuple[bytes, int, int, int]


def _recall(folders: UserFolders, key: _Key, path: Path) -> Media | None:
    try:
        with contextlib.closing(_index(folders)) as index:
            row = index.execute(
                "select media from known where path=? and size=? and mtime=? and version=?", key
            ).fetchone()
        return None if row is None else _media(json.loads(row[0]), path)
    except (sqlite3.Error, OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _remember(folders: UserFolders, key: _Key, media: Media) -> None:
    plain = dataclasses.asdict(media)
    del plain["path"]
    text = json.dumps(plain, default=str)
    with contextlib.suppress(sqlite3.Error, OSError), contextlib.closing(_index(folders)) as index, index:
        index.execute("insert or replace into known values (?, ?, ?, ?, ?)", (*key, text))


def _index(folders: UserFolders) -> sqlite3.Connection:
    folders.cache.mkdir(parents=True, exist_ok=True)
    index = sqlite3.connect(folders.cache / "media.sqlite3", timeout=10)
    index.execute(_TABLE)
    return index


def _media(plain: Mapping[str, Any], path: Path) -> Media:
    picture = plain["picture"]
    return Media(
        path=path,
        container=str(plain["container"]),
        size=int(plain["size"]),
        origin=Fraction(plain["origin"]),
        duration=Fraction(plain["duration"]),
        picture=None if picture is None else Picture(**_values(Picture, picture)),
        sound=tuple(SoundTrack(**_values(SoundTrack, track)) for track in plain["sound"]),
        notes=tuple(str(note) for note in plain["notes"]),
    )


def _values(kind: type[Picture | SoundTrack], plain: Mapping[str, Any]) -> dict[str, Any]:
    return {field.name: _value(str(field.type), plain[field.name]) for field in dataclasses.fields(kind)}


def _value(kind: str, plain: Any) -> Any:
    if kind == "Fraction":
        return Fraction(plain)
    return tuple(plain) if kind.startswith("tuple") else plain
