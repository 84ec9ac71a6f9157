from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cutbook.errors import CannotWrite
from cutbook.files import UserFolders, cannot_write, folder, write_atomic
from cutbook.media.ffmpeg import Ffmpeg
from tests.render.footage import Clip
from tests.render.test_cache import bench
from tests.render.test_damage import checked

CUT = (("pal", 0, 15), ("mute", 5, 20))


def block(place: Path, kind: str) -> None:
    """Put a file, or a link that leads nowhere, where a folder must be."""
    shutil.rmtree(place, ignore_errors=True)
    if kind == "a file":
        place.write_bytes(b"x")
    else:
        place.symlink_to("/proc/nothing/here")


@pytest.mark.parametrize("kind", ["a file", "a link that leads nowhere"])
def test_a_folder_that_cannot_be_made_is_told_with_what_lies_in_its_way(kind: str, tmp_path: Path) -> None:
    """What is no folder is named, whether a folder, a folder in it or a file in that was wanted."""
    block(tmp_path / "edit", kind)
    expected = f"edit in {tmp_path} is {kind} where a folder must be; move it away and try again"
    for make in (folder, lambda path: write_atomic(path, b"")):
        with pytest.raises(CannotWrite) as told:
            make(tmp_path / "edit" / "cache" / "work")
        assert told.value.strerror == expected
        assert str(told.value).startswith(
            f"{tmp_path / 'edit' / 'cache' / 'work'} cannot be written: {expected}"
        )
    with pytest.raises(CannotWrite, match=f"cannot be written: edit in .* is {kind} where"):
        folder(tmp_path / "edit")


def test_a_place_without_leave_is_told_with_what_to_do(tmp_path: Path) -> None:
    """Where the system gives no leave, the line says what helps; what is a line already stays as it is."""
    told = cannot_write(tmp_path / "x", PermissionError(13, "Permission denied"), "the rest is whole")
    expected = "Permission denied; make it writable, or work on a copy elsewhere"
    assert str(told) == f"{tmp_path / 'x'} cannot be written: {expected}; the rest is whole"
    assert (told.errno, told.strerror) == (13, expected)
    assert cannot_write(tmp_path / "y", told) is told


@pytest.mark.parametrize("place", ["cache", "cache/segments", "cache/sound", "cache/records"])
def test_a_render_that_cannot_write_its_cache_is_one_line(
    place: str, clips: dict[str, Clip], folders: UserFolders, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """Whatever lies where the cache must be, the render says which, and goes on once it is away."""
    kind = "a link that leads nowhere" if place == "cache" else "a file"
    work = bench(clips, folders, one_runner, tmp_path)
    (tmp_path / "cache").mkdir()
    block(tmp_path / place, kind)
    with pytest.raises(CannotWrite, match=f"{Path(place).name} in .* is {kind} where a folder must be"):
        work.render(work.cut(*CUT))
    (tmp_path / place).unlink()
    assert work.render(work.cut(*CUT)).proof.ok


@pytest.mark.parametrize("kind", ["a file", "a link that leads nowhere"])
def test_a_check_looks_where_nothing_can_be_written(
    kind: str, clips: dict[str, Clip], folders: UserFolders, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """Without a place for the report or the cache a film is checked all the same, and that is said."""
    work = bench(clips, folders, one_runner, tmp_path)
    cut = work.cut(*CUT)
    work.render(cut)
    block(tmp_path / "verify", kind)
    block(tmp_path / "cache", kind)
    proof = checked(work, cut)
    assert (proof.ok, proof.report) == (True, None)
    said = (
        f"was not written: verify in {tmp_path} is {kind} where a folder must be; move it away and try again"
    )
    assert proof.findings[-1].what.endswith(said)
