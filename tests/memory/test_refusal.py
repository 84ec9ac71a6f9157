"""What is said where something cannot be written, read or done: once, and with what to do."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from cutbook.errors import CannotWrite, InputError, MemoryLogError, SettingError
from cutbook.memory.refusal import refusal
from tests.memory.world import World


def test_a_reason_is_told_once() -> None:
    """The system's own words, a file that the error names already, and another file that is in the way."""
    path = Path("a") / "b.zip"
    full = OSError(errno.ENOSPC, "No space left on device", "a/b.zip")
    assert refusal(path, full, "go on") == f"{path} cannot be written: {os.strerror(errno.ENOSPC)}; go on"
    told = CannotWrite(
        f"{path} cannot be written: Read-only file system; the file is whole", errno=errno.EROFS
    )
    assert refusal(path, told, "go on") == f"{path} cannot be written: {os.strerror(errno.EROFS)}; go on"
    other = CannotWrite(
        "/locks cannot be written: Read-only file system; make it writable", errno=errno.EROFS
    )
    assert refusal(path, other, "go on") == "/locks cannot be written: Read-only file system; go on"


def test_an_export_wants_a_file_in_a_folder_that_is_there(tmp_path: Path) -> None:
    """A folder, and one that is missing, are said; nothing is made."""
    world = World(tmp_path)
    world.memory().note("Quiet room")
    world.persist()
    with pytest.raises(InputError, match="is a folder; name the file to export to"):
        world.memory().export(tmp_path)
    with pytest.raises(InputError, match=r"there is no folder .*nowhere; name the file to export to"):
        world.memory().export(tmp_path / "nowhere" / "x.zip")
    assert not (tmp_path / "nowhere").exists()
    assert not list(tmp_path.parent.glob("*.memoryfield.zip"))


def test_what_became_of_a_task_is_said_by_done(tmp_path: Path) -> None:
    """One that was given up or done is told as such, not as unknown."""
    world = World(tmp_path)
    logo, music = world.memory().todo("Logo"), world.memory().todo("Music")
    world.memory().abandon(logo, why="no time")
    world.memory().done(music)
    with pytest.raises(
        InputError, match=f"{logo} was abandoned already: no time; there is nothing to settle"
    ):
        world.memory().done(logo)
    with pytest.raises(InputError, match=f"{music} is done already"):
        world.memory().done(music)
    assert "1 given up" in world.memory().resume().unsaved[0].summary


def test_a_preference_is_taken_back_in_either_way(tmp_path: Path) -> None:
    """`KEY=` and `unset KEY` do; a free line may begin with the word; a language is a code."""
    world = World(tmp_path)
    for back in ("pad_before_ms=", "unset pad_before_ms"):
        world.memory().prefer("pad_before_ms=70")
        assert world.memory().prefer(back).key == "pad_before_ms"  # type: ignore[union-attr] # one was asked for
        assert world.memory().preferences.holding() == ()
    assert world.memory().prefer("unset the mood").key == ""  # type: ignore[union-attr] # one was asked for
    assert world.memory().prefer("language=pt-BR").key == "language"  # type: ignore[union-attr] # one was asked for
    with pytest.raises(SettingError, match=r"language=Deutsch is no language .* like en, de or zh"):
        world.memory().prefer("language=Deutsch")


def test_a_session_is_shown_by_the_id_that_search_gives(tmp_path: Path) -> None:
    """The id of a strategy is that of its session."""
    world = World(tmp_path)
    world.memory().strategy("Buyers first")
    world.persist()
    (hit,) = world.memory().search("buyers")
    assert repr(world.memory().show(hit.id)) == "s-1  Buyers first  (strategy, session 1)"


def test_a_folder_in_the_logs_place_is_said_with_what_to_do(tmp_path: Path) -> None:
    """Reading it is one error of the memory."""
    world = World(tmp_path)
    (world.edit / "project.md").mkdir(parents=True)
    with pytest.raises(MemoryLogError, match="put the file in its place"):
        world.memory().resume()
