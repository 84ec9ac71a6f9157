"""Finding takes below a folder, and naming each."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from cutbook import Project
from cutbook.errors import CutListError, UnknownTake, UnreadableMedia
from cutbook.footage import footage_folder, media_files, take_names
from tests.launch import FIX, copy_launch, hear


def laid(folder: Path, *names: str) -> Path:
    """Make empty files of these names."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    return folder


def found(folder: Path) -> list[str]:
    """Return what is found as footage, relative to the folder."""
    return [path.relative_to(folder).as_posix() for path in media_files(folder)]


def named(folder: Path, **claimed: str) -> dict[str, str]:
    """Return the names that the files below a folder get."""
    claims = {name: folder / path for name, path in claimed.items()}
    return {
        name: path.relative_to(folder).as_posix()
        for name, path in take_names(folder, media_files(folder), claims).items()
    }


def test_media_by_suffix_in_natural_order(tmp_path: Path) -> None:
    """Film and sound are found whatever the case of their suffix, C2 before C10; other files are not."""
    laid(
        tmp_path, "C10.MP4", "C2.mov", "b/C1.mkv", "voice.WAV", "notes.txt", "cover.jpg", "C3.mp4.part", "mp4"
    )
    assert found(tmp_path) == ["b/C1.mkv", "C2.mov", "C10.MP4", "voice.WAV"]


def test_edit_and_dot_folders_are_not_searched(tmp_path: Path) -> None:
    """Neither the project's own edit/, nor another project's, nor hidden folders and files hold takes."""
    laid(
        tmp_path,
        "C1.mp4",
        "edit/preview.mp4",
        ".trash/C2.mp4",
        "._C1.mp4",
        "other/edit/final.mp4",
        "other/edit/project.md",
        "other/C3.mp4",
    )
    assert found(tmp_path) == ["C1.mp4", "other/C3.mp4"]


def test_a_folder_named_edit_that_is_no_project_is_searched(tmp_path: Path) -> None:
    """Deeper down, a folder that merely is named edit holds takes like any other."""
    laid(tmp_path, "day1/edit/C1.mp4")
    assert found(tmp_path) == ["day1/edit/C1.mp4"]


def test_links_are_followed_once(tmp_path: Path) -> None:
    """A loop of links ends, a linked card is searched, a dead link is passed over."""
    folder = laid(tmp_path / "a", "C1.mp4", "sub/C2.mp4")
    laid(tmp_path / "card", "C3.mp4")
    (folder / "loop").symlink_to(folder)
    (folder / "sub" / "up").symlink_to(folder)
    (folder / "card").symlink_to(tmp_path / "card")
    (folder / "dead.mp4").symlink_to(tmp_path / "gone.mp4")
    assert found(folder) == ["C1.mp4", "card/C3.mp4", "sub/C2.mp4"]


def test_a_thousand_files(tmp_path: Path) -> None:
    """A thousand takes on ten cards each have a name of their own, without a file being opened."""
    laid(tmp_path, *(f"card{card}/C{clip:04d}.mp4" for card in range(10) for clip in range(100)))
    names = named(tmp_path)
    assert len(names) == 1000
    assert names["card3/C0042"] == "card3/C0042.mp4"


def test_name_is_the_stem(tmp_path: Path) -> None:
    """A file alone with its stem is named by it, whatever folder it lies in."""
    assert named(laid(tmp_path, "C1.mp4", "day 2/C2.MOV")) == {"C1": "C1.mp4", "C2": "day 2/C2.MOV"}


def test_two_suffixes_of_one_stem(tmp_path: Path) -> None:
    """Files that differ only in their suffix are told apart by it."""
    assert named(laid(tmp_path, "C1.MP4", "C1.MOV", "C2.MP4")) == {
        "C1.MOV": "C1.MOV",
        "C1.MP4": "C1.MP4",
        "C2": "C2.MP4",
    }


def test_two_cards(tmp_path: Path) -> None:
    """The same name on two cards is told apart by the card."""
    assert named(laid(tmp_path, "cardA/C1.MP4", "cardB/C1.MP4")) == {
        "cardA/C1": "cardA/C1.MP4",
        "cardB/C1": "cardB/C1.MP4",
    }


def test_who_has_a_name_keeps_it(tmp_path: Path) -> None:
    """A name that a cut list uses stays its file's when another of the stem comes."""
    laid(tmp_path, "cardB/C1.MP4", "cardA/C1.MP4")
    assert named(tmp_path, C1="cardB/C1.MP4") == {"C1": "cardB/C1.MP4", "cardA/C1": "cardA/C1.MP4"}


@pytest.mark.parametrize(
    "files",
    [
        ["C1.mp4", "C1/C1.mp4", "C1/C1/C1.mp4"],
        ["a.mp4", "a.mp4.mp4", "a.mp4.mov"],
        ["x/C1.mp4", "x/C1.mov", "y/C1.mp4", "C1.mov"],
        ["A.mp4", "a.mp4"],
    ],
)
def test_every_file_has_one_name(tmp_path: Path, files: list[str]) -> None:
    """However stems clash, each file has a name of its own, and the next look gives the same."""
    names = named(laid(tmp_path, *files))
    assert sorted(names.values()) == sorted(files)
    assert named(tmp_path) == names


def test_a_claim_on_a_file_that_went_holds_nobody_up(tmp_path: Path) -> None:
    """A name whose file is gone goes to who bears it now."""
    assert named(laid(tmp_path, "C1.mp4"), C1="gone.mp4") == {"C1": "C1.mp4"}


def test_a_claimed_name_is_not_given_twice(tmp_path: Path) -> None:
    """A file whose stem another file has claimed takes a longer name."""
    assert named(laid(tmp_path, "C1.mp4", "C2.mp4"), C2="C1.mp4") == {"C2": "C1.mp4", "C2.mp4": "C2.mp4"}


def test_cut_list_keeps_the_name_of_its_take(tmp_path: Path) -> None:
    """A second card with the same names changes no name that edl.json uses."""
    launch = copy_launch(tmp_path / "launch")
    project = Project(launch)
    project.cut("C0101 #1-#4", pad=(0, 0))
    (launch / "cardB").mkdir()
    shutil.copy2(launch / "B0202.mov", launch / "cardB" / "C0101.mp4")
    hear(launch, "cardB/C0101", FIX)
    assert set(project.takes) == {"B0202", "C0101", "S0303", "cardB/C0101"}
    assert project.take("C0101").path == launch / "C0101.mp4"
    edl = project.cut("cardB/C0101 #1-#3\nC0101 #1-#4", pad=(0, 0))
    assert [(each.source, each.frames) for each in edl.ranges] == [
        ("cardB/C0101", (10, 38)),
        ("C0101", (15, 66)),
    ]
    sources = json.loads((launch / "edit" / "edl.json").read_text(encoding="utf-8"))["sources"]
    assert sources["cardB/C0101"] == "../cardB/C0101.mp4"


def test_a_file_that_changes_is_read_again(tmp_path: Path) -> None:
    """A take is read again when its file changes, and is the same object while it does not."""
    launch = copy_launch(tmp_path / "launch")
    project = Project(launch)
    before = project.take("C0101")
    assert project.take("C0101") is before
    shutil.copy(launch / "S0303.mp4", launch / "C0101.mp4")
    assert project.take("C0101").duration == project.take("S0303").duration
    (launch / "C0101.mp4").unlink()
    with pytest.raises(UnknownTake, match="C0101"):
        project.take("C0101")


def test_words_that_come_are_seen(tmp_path: Path) -> None:
    """A transcript that another tool puts in place, or changes, is read at the next look."""
    launch = copy_launch(tmp_path / "launch")
    project = Project(launch)
    assert len(project.take("B0202").words) == 3
    hear(launch, "B0202", FIX[:2])
    assert len(project.take("B0202").words) == 2


def test_folder_of_a_person(home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """``~`` is the person's home, and a link to a folder is that folder."""
    (home / "footage").mkdir(exist_ok=True)
    assert footage_folder("~/footage") == (home / "footage").resolve()
    (tmp_path / "link").symlink_to(home / "footage")
    assert footage_folder(tmp_path / "link") == (home / "footage").resolve()
    monkeypatch.chdir(tmp_path)
    assert footage_folder(".") == tmp_path.resolve()


def test_take_is_found_as_people_type_it(tmp_path: Path) -> None:
    """Any case and the file's suffix will do where only one take can be meant; a shared name names both."""
    for name in ("C0103.mp4", "cardA/C0001.mov", "cardB/C0001.mov"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    project = Project(tmp_path)
    for typed in ("C0103", "c0103", "C0103.MP4"):
        with pytest.raises(UnreadableMedia, match=r"C0103\.mp4"):
            project.take(typed)
    with pytest.raises(UnknownTake, match="there are cardA/C0001, cardB/C0001: write one of these"):
        project.take("C0001")
    with pytest.raises(
        CutListError, match=r"the take C0103 cannot be cut, for its file cannot be read: .*C0103\.mp4"
    ):
        project.cut("HOOK C0103 [1-2]")
