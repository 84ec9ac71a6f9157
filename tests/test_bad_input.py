"""Input that cannot be used: one clear line, an error of cutbook's own, and nothing written."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from cutbook import CutbookError, Project
from cutbook.errors import (
    CutListError,
    EditError,
    EdlError,
    InputError,
    NotAFolder,
    NoTakes,
    NothingToUndo,
    RenderError,
    SettingError,
    TimeError,
    UnknownTake,
    UnreadableMedia,
)
from tests.footage import cut_short
from tests.launch import HOOK, copy_launch, hear, tree

Act = Callable[[Project], object]


@pytest.fixture
def launch(tmp_path: Path) -> Path:
    """Return a launch folder of the test's own."""
    return copy_launch(tmp_path / "launch")


def refused(folder: Path, act: Callable[[], object], kind: type[CutbookError], *said: str) -> str:
    """Check that `act` is refused in one line with these words in it, and that the folder stays as it is."""
    before = tree(folder)
    with pytest.raises(kind) as caught:
        act()
    message = str(caught.value)
    assert "\n" not in message
    assert [word for word in said if word not in message] == []
    assert tree(folder) == before
    return message


def test_empty_folder(tmp_path: Path) -> None:
    """A folder without footage is refused by name, and stays empty."""
    (tmp_path / "nothing").mkdir()
    (tmp_path / "nothing" / "notes.txt").write_text("no film")
    refused(tmp_path, lambda: Project(tmp_path / "nothing"), NoTakes, "nothing")


def test_no_such_folder(tmp_path: Path) -> None:
    """A folder that is not there is refused by name, and is not made."""
    refused(tmp_path, lambda: Project(tmp_path / "gone"), NotAFolder, "gone", "no such folder")


@pytest.mark.parametrize("name", ["", " "])
def test_no_name_of_a_folder(name: str) -> None:
    """An empty name is not the current folder: a variable that was never set opens nothing."""
    with pytest.raises(NotAFolder, match="empty"):
        Project(name)


def test_a_file_for_a_folder(launch: Path) -> None:
    """A take in place of a folder is refused, and the folder that holds it is asked for."""
    refused(launch, lambda: Project(launch / "C0101.mp4"), NotAFolder, "C0101.mp4", "is a file")


def test_links_that_lead_nowhere(tmp_path: Path) -> None:
    """A folder that is a link to itself is refused."""
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    refused(tmp_path, lambda: Project(tmp_path / "loop"), NotAFolder, "loop")


@pytest.mark.parametrize(
    ("act", "kind", "said"),
    [
        (lambda p: p.take("C0109"), UnknownTake, ["'C0109'", "C0101"]),
        (lambda p: p.timeline("C0109", 0, 1), UnknownTake, ["'C0109'"]),
        (lambda p: p.transcribe("C0109"), UnknownTake, ["'C0109'"]),
        (lambda p: p.memory.decide("x", take="C0109"), UnknownTake, ["C0109"]),
        (lambda p: p.memory.decide("x", take="C0101", span=(5, 9)), TimeError, ["C0101"]),
        (lambda p: p.memory.decide("x", take="C0101", span=(3, 2)), TimeError, []),
        (lambda p: p.memory.decide("  "), InputError, ["decide"]),
        (lambda p: p.memory.done("o-abcde"), InputError, ["o-abcde"]),
        (lambda p: p.timeline("C0101", 4, 9), TimeError, ["6.00"]),
        (lambda p: p.timeline("C0101", -1, 2), TimeError, []),
        (lambda p: p.timeline("C0101", 3, 3), TimeError, ["3.00"]),
        (lambda p: p.timeline("C0101", 3, 2), TimeError, ["3.00", "2.00"]),
        (lambda p: p.timeline("C0101", "soon", 2), TimeError, ["soon"]),
        (lambda p: p.timeline("C0101", float("nan"), 2), TimeError, []),
        (lambda p: p.timeline("C0101", 0, 2, frames=0), InputError, ["0"]),
        (lambda p: p.timeline_file("gone.mp4"), UnreadableMedia, ["gone.mp4"]),
        (lambda p: p.timeline_file("edit/transcripts/C0101.json"), UnreadableMedia, ["C0101.json"]),
        (lambda p: p.cut("C0109 [1.0-2.0]"), CutListError, ["line 1", "C0109"]),
        (lambda p: p.cut("C0101 [4.0-9.0]"), CutListError, ["line 1", "6.0"]),
        (lambda p: p.cut("C0101 [3.0-3.0]"), CutListError, ["line 1", "3.0"]),
        (lambda p: p.cut("C0101 [3.0-2.0]"), CutListError, ["line 1", "3.0"]),
        (lambda p: p.cut("C0101 #1-#3\n\nC0101 [1.0"), CutListError, ["line 3", "]"]),
        (lambda p: p.cut("C0101 #1-#99"), CutListError, ["line 1", "99"]),
        (lambda p: p.cut('C0101 "never said"'), CutListError, ["never said"]),
        (lambda p: p.cut("hello there"), CutListError, ["line 1"]),
        (lambda p: p.cut(""), EditError, []),
        (lambda p: p.cut("# nothing but a comment"), EditError, []),
        (lambda p: p.cut("C0101 #1-#3", pad=(-1, 5)), SettingError, ["pad_before_ms"]),
        (lambda p: p.edl, EdlError, ["%%cut"]),
        (lambda p: p.tighten(), EdlError, ["%%cut"]),
        (lambda p: p.accept(1), EdlError, ["%%cut"]),
        (lambda p: p.set("rate", "25"), EdlError, ["%%cut"]),
        (lambda p: p.render("draft"), EdlError, ["%%cut"]),
        (lambda p: p.check(), InputError, ["%render"]),
        (lambda p: p.timeline_edl(), EdlError, ["%%cut"]),
        (lambda p: p.undo(), NothingToUndo, []),
        (lambda p: p.redo(), NothingToUndo, []),
        (lambda p: p.diff(), NothingToUndo, []),
        (lambda p: p.version(3), EdlError, ["3"]),
        (lambda p: p.pack(silence=0), InputError, ["0"]),
        (lambda p: p.pack(silence=-1), InputError, ["-1"]),
        (lambda p: p.pack(silence=float("nan")), InputError, ["nan"]),
        (lambda p: p.pack(silence=float("inf")), InputError, ["inf"]),
        (lambda p: p.transcribe(speakers=0), InputError, ["--speakers", "0"]),
        (lambda p: p.settings(jobs=0), SettingError, ["jobs"]),
        (lambda p: p.transcribe(engine="whisper"), SettingError, ["engine", "whisper"]),
    ],
)
def test_what_cannot_be_used_is_refused(
    launch: Path, act: Act, kind: type[CutbookError], said: list[str]
) -> None:
    """Each verb refuses what it cannot use before anything is written."""
    project = Project(launch)
    refused(launch, lambda: act(project), kind, *said)


@pytest.mark.parametrize(
    ("act", "kind", "said"),
    [
        (lambda p: p.tighten(9), EdlError, ["9"]),
        (lambda p: p.tighten("r-zzzzz"), EdlError, ["r-zzzzz"]),
        (lambda p: p.tighten(pauses=-1), InputError, ["-1"]),
        (lambda p: p.tighten(pauses=0.5, keep=-1), InputError, ["-1"]),
        (lambda p: p.reject(3), EdlError, ["3"]),
        (lambda p: p.set("rate", "fast"), SettingError, ["rate", "fast"]),
        (lambda p: p.set("size", "0x0"), SettingError, ["size"]),
        (lambda p: p.set("captions", "huge"), SettingError, ["captions"]),
        (lambda p: p.render("best"), InputError, ["best", "draft"]),
        (lambda p: p.render("draft", size="3x3"), SettingError, ["size"]),
        (lambda p: p.render("draft", rate=0), SettingError, ["rate"]),
        (lambda p: p.render("draft", captions="huge"), SettingError, ["captions"]),
        (lambda p: p.render("draft", output=p.folder / "C0101.mp4"), CutbookError, ["C0101"]),
        (lambda p: p.check("gone.mp4"), UnreadableMedia, ["gone.mp4"]),
        (lambda p: p.memory.decide("x", beat="NONE"), EdlError, ["NONE"]),
        (lambda p: p.diff(1, 9), EdlError, ["9"]),
    ],
)
def test_what_cannot_be_done_to_a_cut_list_is_refused(
    launch: Path, act: Act, kind: type[CutbookError], said: list[str]
) -> None:
    """A verb on a cut list refuses ranges, values and files that are not there."""
    project = Project(launch)
    project.cut("C0101 #1-#4\nB0202 #1-#3")
    refused(launch, lambda: act(project), kind, *said)


def test_a_corrupt_file_among_good_ones(launch: Path) -> None:
    """A broken file is named in the table and among the problems; the other takes work as ever."""
    cut_short(launch / "C0101.mp4", launch / "broken.mp4", share=0.3)
    (launch / "empty.mov").write_bytes(b"")
    project = Project(launch)
    assert list(project.takes) == ["B0202", "C0101", "S0303"]
    assert set(project.problems) == {"broken", "empty"}
    shown = repr(project)
    assert "launch: 3 takes, 00:11; 2 files cannot be read" in shown
    assert [line.split()[0] for line in shown.splitlines()[-2:]] == ["broken", "empty"]
    packed = project.pack()
    assert "## broken" not in packed.text
    assert len(packed.problems) == 2
    assert [row.take for row in project.transcribe(dry_run=True).rows if row.state == "failed"] == [
        "broken",
        "empty",
    ]
    assert project.cut("C0101 #1-#4", pad=(0, 0)).ranges[0].frames == (15, 66)
    refused(launch, lambda: project.take("broken"), UnreadableMedia, "broken.mp4")
    refused(launch, lambda: project.timeline("empty", 0, 1), UnreadableMedia, "empty.mov")
    refused(launch, lambda: project.cut("broken 0-1"), CutListError, "broken")


@pytest.mark.parametrize(
    "nonsense",
    [
        "",
        "{",
        "[]",
        "null",
        '"a text"',
        '{"version": 99, "sources": {}, "ranges": []}',
        '{"version": 2, "sources": [], "ranges": {}}',
        '{"version": 2, "sources": {"C0101": "../C0101.mp4"}, "ranges": [{"source": "C0101"}]}',
        '{"version": 2, "sources": {"C0101": 7}, "ranges": [{"source": "C0101", "start": "a", "end": null}]}',
        '{"version": 2, "sources": {"C0101": "../C0101.mp4"}, "ranges": [{"source": "C0101", "start": 5, "end": 90}]}',
        "\x00\x01",
        "[" * 5000,
    ],
)
def test_nonsense_in_edl_json(launch: Path, nonsense: str) -> None:
    """A cut list edited into nonsense is refused where it is read; undo brings back the last good one."""
    project = Project(launch)
    project.cut("C0101 #1-#4", pad=(0, 0))
    (launch / "edit" / "edl.json").write_text(nonsense, encoding="utf-8")
    said = refused(launch, lambda: project.edl, EdlError)
    assert "edl.json" in said or "range 1" in said
    assert repr(project.table())
    assert project.undo().ranges[0].frames == (15, 66)
    assert project.edl.ranges[0].frames == (15, 66)


@pytest.mark.parametrize("append", [False, True])
def test_new_cut_over_nonsense(launch: Path, append: bool) -> None:  # noqa: FBT001
    """A new cut list recovers from nonsense, and what lay there is kept among the versions."""
    project = Project(launch)
    project.cut("C0101 #1-#4")
    (launch / "edit" / "edl.json").write_text("{nonsense", encoding="utf-8")
    edl = project.cut("B0202 #1-#3", pad=(0, 0), append=append)
    assert [each.source for each in edl.ranges] == ["B0202"]
    assert "{nonsense" in [path.read_text() for path in (launch / "edit" / "history").glob("*.json")]


def test_nonsense_is_refused_by_every_verb_that_needs_a_cut_list(launch: Path) -> None:
    """Tighten, render, decisions and drawing say that edl.json is not valid."""
    project = Project(launch)
    project.cut("C0101 #1-#4")
    (launch / "edit" / "edl.json").write_text("{nonsense", encoding="utf-8")
    acts: list[Act] = [
        lambda p: p.tighten(),
        lambda p: p.render("draft"),
        lambda p: p.accept(1),
        lambda p: p.timeline_edl(),
        lambda p: p.set("rate", "25"),
    ]
    for act in acts:
        with pytest.raises(EdlError, match=r"edl\.json"):
            act(Project(launch))
    assert (launch / "edit" / "edl.json").read_text(encoding="utf-8") == "{nonsense"
    assert repr(Project(launch).memory.resume())


def test_a_take_that_went_after_cutting(launch: Path) -> None:
    """A cut list whose file is gone is shown, and not rendered; when the file comes back, all is well."""
    project = Project(launch)
    project.cut("C0101 #1-#4\nB0202 #1-#3")
    shutil.move(launch / "B0202.mov", launch.parent / "B0202.mov")
    refused(launch, lambda: project.render("draft"), CutbookError, "B0202")
    refused(launch, project.check, CutbookError, "nothing is rendered")
    assert "B0202 (../B0202.mov) is no longer there" in repr(Project(launch).edl)
    assert "B0202" in project.timeline_edl(frames=1).title
    assert project.pack().text.count("## ") == 2
    shutil.move(launch.parent / "B0202.mov", launch / "B0202.mov")
    assert [each.source for each in project.edl.ranges] == ["C0101", "B0202"]


def test_a_file_where_edit_should_be(tmp_path: Path, launch: Path) -> None:
    """A file of the name edit is left alone, and said."""
    folder = tmp_path / "other"
    folder.mkdir()
    shutil.copy2(launch / "C0101.mp4", folder)
    (folder / "edit").write_text("mine")
    refused(folder, lambda: Project(folder), NotAFolder, "edit", "is a file")


def test_a_damaged_transcript_is_as_none(launch: Path) -> None:
    """A transcript that is no JSON does not stop the others, and nothing is lost of it."""
    path = hear(launch, "C0101", HOOK)
    path.write_text('{"words": [', encoding="utf-8")
    project = Project(launch)
    assert "## B0202  (duration: 3.0s, 1 phrase)" in project.pack().text
    assert project.cut("C0101 1.0-2.0", pad=(0, 0)).ranges[0].frames == (30, 60)
    assert path.read_text(encoding="utf-8") == '{"words": ['


def test_settings_that_cannot_be_read_name_their_place(launch: Path) -> None:
    """A cutbook.toml that is broken, or sets what there is not, is refused with its path."""
    file = launch / "cutbook.toml"
    for text, said in [("jobs = ", "cutbook.toml"), ("job = 3", "'job'"), ('jobs = "x"', "jobs")]:
        file.write_text(text, encoding="utf-8")
        refused(launch, lambda: Project(launch).settings(), SettingError, str(file), said)


def test_edl_of_another_tool_with_a_float_out_of_range(launch: Path) -> None:
    """Times that are no numbers of this world are refused in one line."""
    (launch / "edit" / "edl.json").write_text(
        json.dumps(
            {
                "version": 1,
                "sources": {"C0101": "../C0101.mp4"},
                "ranges": [{"source": "C0101", "start": 1e300, "end": float("inf")}],
            }
        ),
        encoding="utf-8",
    )
    refused(launch, lambda: Project(launch).edl, EdlError, "edl.json")


def test_render_error_leaves_the_earlier_film(launch: Path) -> None:
    """A render that cannot be made leaves the film of an earlier one, byte for byte."""
    project = Project(launch)
    project.cut("C0101 #1-#2", pad=(0, 0))
    film = project.render("draft").path
    before = film.read_bytes()
    with pytest.raises((RenderError, SettingError)):
        project.render("draft", grade="no_such_filter=1")
    assert film.read_bytes() == before
    assert project.edl.duration == Fraction(27, 30)
