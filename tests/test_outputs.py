"""Where films and pictures go: what must never be overwritten, and what a film beside the footage is."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from cutbook import Project
from cutbook.errors import CannotWrite, InputError
from tests.footage import make_clip, make_sound
from tests.launch import copy_launch, tree
from tests.transcripts.making import Parrot


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Return a project with a cut list of one second, its packed text and a kept session."""
    folder = copy_launch(tmp_path / "launch")
    project = Project(folder)
    project.pack()
    project.cut("S0303 0-1")
    project.memory.persist()
    return project


KEPT = (
    "C0101.mp4",
    "B0202.mov",
    "edit/project.md",
    "edit/session.jsonl",
    "edit/edl.json",
    "edit/takes_packed.md",
    "edit/transcripts/C0101.json",
    "edit/history/0001.json",
    "edit/cache/film.mp4",
    "edit/transcripts/C0101.png",
    "edit",
    ".",
)


@pytest.mark.parametrize("name", KEPT)
def test_nothing_that_counts_is_overwritten(project: Project, name: str) -> None:
    """A film or a picture over a take, the memory, the cut list, words or a folder is refused, and nothing changes."""
    project.memory.note("one more")
    before = tree(project.folder)
    with pytest.raises(InputError):
        project.render("draft", output=project.folder / name)
    with pytest.raises(InputError):
        project.timeline("S0303", 0, 1, frames=1, output=project.folder / name)
    assert tree(project.folder) == before


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_link_to_a_take_is_the_take(project: Project, tmp_path: Path, link: object) -> None:
    """A name outside the folder that leads to a take is refused for film and picture, whatever its suffix."""
    assert callable(link)
    for name in ("film.mp4", "shot.png"):
        link(project.folder / "C0101.mp4", tmp_path / name)
    with pytest.raises(InputError, match="C0101"):
        project.render("draft", output=tmp_path / "film.mp4")
    with pytest.raises(InputError, match="C0101"):
        project.timeline("S0303", 0, 1, frames=1, output=tmp_path / "shot.png")


def test_a_take_that_is_away_keeps_its_place(project: Project) -> None:
    """Where a take of the cut list lay before it was moved away, no film is put."""
    (project.folder / "S0303.mp4").unlink()
    with pytest.raises(InputError, match="the take S0303"):
        project.render("draft", output=project.folder / "S0303.mp4")


@pytest.mark.parametrize("name", ["film.avi", "film", "film.mov"])
def test_a_film_is_an_mp4(project: Project, tmp_path: Path, name: str) -> None:
    """Another suffix than .mp4 is refused, with the name that would do."""
    with pytest.raises(InputError, match=r"film\.mp4"):
        project.render("draft", output=tmp_path / name)
    assert not (tmp_path / name).exists()


def test_a_picture_is_a_png(project: Project, tmp_path: Path) -> None:
    """Another suffix than .png is refused, with the name that would do."""
    with pytest.raises(InputError, match=r"shot\.png"):
        project.timeline("S0303", 0, 1, frames=1, output=tmp_path / "shot.jpg")


def test_a_stranger_s_file_is_left_alone(project: Project, tmp_path: Path) -> None:
    """An .mp4 that was there and is not ours is refused; one that we made is replaced."""
    (tmp_path / "wedding.mp4").write_bytes(b"mine")
    with pytest.raises(InputError, match="did not make"):
        project.render("draft", output=tmp_path / "wedding.mp4")
    assert (tmp_path / "wedding.mp4").read_bytes() == b"mine"
    first = project.render("draft", output=tmp_path / "film.mp4")
    assert first.path == tmp_path / "film.mp4"
    project.cut("S0303 0-0.5")
    assert project.render("draft", output=tmp_path / "film.mp4").fresh


def test_no_folder_is_made_by_a_slip_of_the_pen(project: Project, tmp_path: Path) -> None:
    """A film or picture in a folder that is not there is refused and makes none, but for one inside the project."""
    lost = tmp_path / "flims" / "x.mp4"
    with pytest.raises(InputError, match=f"has no folder to lie in; make {lost.parent} first"):
        project.render("draft", output=lost)
    with pytest.raises(InputError, match="has no folder to lie in"):
        project.timeline("S0303", 0, 1, frames=1, output=lost.with_suffix(".png"))
    assert not lost.parent.exists()
    project.render("draft")
    inside = project.folder / "films" / "x.mp4"
    film = project.render("draft", output=inside)
    assert project.check().file == inside
    assert film.path == inside
    assert film.sentence.endswith(f" (draft, {inside}).")
    assert project.render("draft").sentence.startswith("draft.mp4 (00:01) is up to date")


def test_a_film_beside_the_footage_is_no_take(project: Project, tmp_path: Path) -> None:
    """A film put among the takes is not one, also once the folder was copied; a file put over it is."""
    project.render("draft", output=project.folder / "film.mp4")
    assert set(project.takes) == {"B0202", "C0101", "S0303"}
    shutil.copytree(project.folder, tmp_path / "copy", copy_function=shutil.copyfile)
    assert set(Project(tmp_path / "copy").takes) == {"B0202", "C0101", "S0303"}
    assert project.check(project.folder / "film.mp4").ok
    make_clip(project.folder / "film.mp4", seconds=1, size=(160, 90), sound="none")
    assert "film" in project.takes


@pytest.mark.parametrize("name", [os.fsdecode(b"bad\xff"), "long" * 62])
def test_an_odd_name_stops_no_verb(tmp_path: Path, name: str) -> None:
    """A name that is no text, or as long as names may be, is transcribed, packed, cut and drawn like any other."""
    folder = tmp_path / "f"
    make_sound(folder / "A.wav", seconds=1)
    make_sound(folder / f"{name}.wav", seconds=2)
    shown = "bad%FF" if name.startswith("bad") else name
    project = Project(folder)
    assert len(project.transcribe(engine=Parrot()).rows) == 2
    assert f"## {shown}  (duration: 2.0s" in project.pack().text
    project.cut(f'"{shown}" 0-1')
    assert project.timeline(shown, 0, 1, frames=1).path.is_file()
    again = Project(folder)
    assert [each.source for each in again.edl.ranges] == [shown]
    assert set(again.takes) == {"A", shown}
    again._repr_html_().encode()
    assert again.transcribe(engine=Parrot(), dry_run=True).ok


def test_a_film_of_an_earlier_edit_is_told_apart_from_a_wrong_one(project: Project) -> None:
    """A check after the edit changed says that first; a decision that leaves the film as it is changes nothing."""
    film = project.render("draft")
    project.accept(1)
    assert project.check().ok
    project.cut("S0303 0-1.5")
    proof = project.check()
    assert "the edit changed since this render" in proof.sentence
    assert [finding.do for finding in proof.errors] == ["render again", "", "", ""]
    assert proof.report is not None
    assert "the edit changed since this render" in proof.report.read_text(encoding="utf-8")
    project.undo()
    project.undo()
    project.set("grade", "subtle")
    assert "is wrong: the edit changed since this render; render again" in project.check().sentence
    project.undo()
    shutil.copyfile(project.folder / "C0101.mp4", film.path)
    assert "the edit changed" not in repr(project.check())


def test_a_picture_that_cannot_be_kept_is_shown(project: Project, tmp_path: Path) -> None:
    """Where edit/verify cannot be written a picture is drawn all the same; one asked for by name says why not."""
    shutil.rmtree(project.edit / "verify", ignore_errors=True)
    (project.edit / "verify").write_bytes(b"")
    assert project.timeline("S0303", 0, 1, frames=1).png.startswith(b"\x89PNG")
    assert project.timeline_edl(frames=1).png.startswith(b"\x89PNG")
    assert project.timeline_file("S0303.mp4", 0, 1, frames=1).png.startswith(b"\x89PNG")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match="cannot lie in file, which is a file"):
        project.timeline("S0303", 0, 1, frames=1, output=tmp_path / "file" / "shot.png")
    with pytest.raises(InputError, match="cannot lie in file, which is a file"):
        project.render("draft", output=tmp_path / "file" / "film.mp4")
    shut = tmp_path / "shut"
    shut.mkdir(mode=0o500)
    if not os.access(shut, os.W_OK):  # nothing is shut to the superuser
        with pytest.raises(CannotWrite, match="cannot be written"):
            project.timeline("S0303", 0, 1, frames=1, output=shut / "shot.png")
