"""An unchanged file is opened once: what it is comes from the user's cache afterwards."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cutbook.errors import UnreadableMedia
from cutbook.files import UserFolders
from cutbook.media.known import known
from cutbook.media.probe import probe
from tests.footage import make_clip, make_sound

LONG_AGO = 1_600_000_000


@pytest.fixture
def folders(tmp_path: Path) -> UserFolders:
    """Return user folders of the test's own."""
    return UserFolders(tmp_path / "cache", tmp_path / "state", tmp_path / "config")


def emptied(path: Path, when: int = LONG_AGO) -> None:
    """Make a file nonsense of the same size and mtime, so that whoever opens it fails."""
    path.write_bytes(bytes(path.stat().st_size))
    os.utime(path, (when, when))


@pytest.mark.parametrize("kind", ["picture", "sound"])
def test_what_was_found_out_is_told_again(tmp_path: Path, folders: UserFolders, kind: str) -> None:
    """Every field is as the file had it, without a look at the file."""
    path = tmp_path / ("a.mp4" if kind == "picture" else "a.wav")
    if kind == "picture":
        make_clip(path, seconds=1, sound="beeps", late=0.5, rate="30000/1001")
    else:
        make_sound(path, seconds=1)
    os.utime(path, (LONG_AGO, LONG_AGO))
    expected = probe(path)
    assert known(path, folders) == expected
    emptied(path)
    with pytest.raises(UnreadableMedia):
        probe(path)
    assert known(path, folders) == expected


@pytest.mark.parametrize("change", ["size", "mtime", "cache"])
def test_a_change_is_looked_at(tmp_path: Path, folders: UserFolders, change: str) -> None:
    """Another size or mtime, or a damaged cache, and the file is opened."""
    path = make_sound(tmp_path / "a.wav", seconds=1)
    os.utime(path, (LONG_AGO, LONG_AGO))
    known(path, folders)
    if change == "cache":
        (folders.cache / "media.sqlite3").write_bytes(b"no index" * 1000)
        assert known(path, folders) == probe(path)
        return
    make_sound(path, seconds=2 if change == "size" else 1)
    os.utime(path, (LONG_AGO, LONG_AGO + (change == "mtime")))
    assert known(path, folders) == probe(path)


def test_what_cannot_be_read_is_not_kept(tmp_path: Path, folders: UserFolders) -> None:
    """A broken file, and one that is not there, say so each time."""
    broken = tmp_path / "b.mp4"
    broken.write_bytes(b"no film" * 100)
    for path in (broken, broken, tmp_path / "none.mp4"):
        with pytest.raises(UnreadableMedia):
            known(path, folders)
