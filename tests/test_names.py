"""Folders and takes of any name, from probe to film and memory."""

from __future__ import annotations

import json
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

import av
import pytest
from PIL import Image

from cutbook import Project
from cutbook.edit.edl import Edl
from cutbook.edit.naming import typed
from cutbook.render.film import Film
from tests.faces import run, shell
from tests.footage import make_clip
from tests.launch import hear

NAMES = [
    "my take",
    "it's",
    'the "best"',
    "take #3",
    "# three",
    "50%",
    "100%20",
    "Käse ß",
    "第一条",
    "🎬 take",
    "-dash",
    "--edl",
    "[2.0-3.0]",
    "a;b",
    "10:30",
    "back\\slash",
    "a -- b",
    "$x {y}",
    "say 1.0-2.0",
    "<b>&",
    "a|b?*",
    "dots...",
]
FOLDER = "Ünï 'co\"de' #1 % [x]; 中 🎬 -"
SAID = (("one", 0.2, 0.5), ("two", 0.6, 1.0), ("three.", 1.1, 1.4))


def quoted(name: str) -> str:
    """Write a take's name as a cut list takes any name."""
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


@dataclass(frozen=True)
class Done:
    """A project of oddly named takes, and the film of them all."""

    project: Project
    edl: Edl
    film: Film


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Done:
    """Cut and render one film of all takes, a picture of another colour each."""
    folder = tmp_path_factory.mktemp("names") / FOLDER
    clip = make_clip(folder.parent / "clip.mp4", seconds=1.5, size=(160, 90), sound="beeps")
    folder.mkdir()
    for name in NAMES:
        shutil.copy(clip, folder / f"{name}.mp4")
        hear(folder, name, SAID)
    project = Project(folder)
    edl = project.cut("\n".join(f"{quoted(name)} #1-#2" for name in NAMES), pad=(0, 0))
    return Done(project, edl, project.render("draft", captions="natural-sentence"))


def test_takes_have_the_names_of_their_files(done: Done) -> None:
    """Each file is a take under its own name, with its words."""
    takes = done.project.takes
    assert sorted(takes) == sorted(NAMES)
    assert {len(take.words) for take in takes.values()} == {3}
    assert done.project.problems == {}


@pytest.mark.parametrize("name", NAMES)
def test_each_name_can_be_cut_by(done: Done, name: str) -> None:
    """A line finds the take by its name in quotes, with a beat, a reason and any kind of span."""
    from cutbook.edit.cutlist import parse

    for line in (
        f"HOOK {quoted(name)} [0.20-1.00] -- why",
        f"{quoted(name)} #1-#2",
        f'{quoted(name)} "one two"',
    ):
        made = parse(line, done.project.takes, by="cut")
        assert [(each.source, each.words) for each in made] == [(name, (1, 2))]


def test_packed_text_of_all_is_a_cut_list(done: Done) -> None:
    """What packing writes, pasted whole, takes every take."""
    from cutbook.edit.cutlist import parse

    made = parse(done.project.pack().text, done.project.takes, by="cut")
    assert sorted(each.source for each in made) == sorted(NAMES)


def test_cut_list_names_files_that_are_there(done: Done) -> None:
    """edl.json has every name as a key, and a path from edit/ to its file."""
    edit = done.project.edit
    sources = json.loads((edit / "edl.json").read_text(encoding="utf-8"))["sources"]
    assert sorted(sources) == sorted(NAMES)
    assert [name for name in NAMES if not (edit / sources[name]).samefile(edit.parent / f"{name}.mp4")] == []
    assert [each.source for each in Project(edit.parent).edl.ranges] == NAMES


def test_film_holds_every_range(done: Done) -> None:
    """One film of all of them, captions in the picture, is what the edit says."""
    # 0.20 s to 1.00 s at 30 frames a second: 24 frames each.
    with av.open(str(done.film.path)) as video:
        assert sum(1 for _ in video.decode(video=0)) == 24 * len(NAMES)
    assert done.film.proof.ok
    assert done.project.check().ok


def test_timeline_by_the_magic(done: Done) -> None:
    """The magic draws takes whose names stand in quotes, even those that look like options or comments."""
    with shell() as made:
        made.user_ns["folder"] = str(done.project.folder)
        run(made, '%project "{folder}";')
        for name in ("--edl", "take #3", 'the "best"', "a;b", "back\\slash"):
            made.user_ns["name"] = typed(name)
            drawn = run(made, "%timeline {name} 0.2 1.0 --frames 1")
            assert drawn.path.parent == done.project.edit / "verify"
            assert unquote(drawn.path.name) == f"{name} 0.20-1.00.png"


def test_memory_names_the_take(done: Done) -> None:
    """Decisions anchored on takes stand in project.md, and each anchor reads back to its take."""
    for name in NAMES:
        done.project.memory.decide(f"Keep {name}", take=name, span=(0.2, 1.0))
    assert done.project.memory.persist() is not None
    text = (done.project.edit / "project.md").read_text(encoding="utf-8")
    assert {unquote(found) for found in re.findall(r" media:([^= ]+)=", text)} == set(NAMES)
    assert Project(done.project.folder).memory.resume().sentence


def test_bytes_that_are_no_text_are_rendered_proved_and_shown(tmp_path: Path) -> None:
    """Folder, take, overlay and film named in Latin-1: frames, captions, sidecars, report and pictures are as ever."""
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    make_clip(folder / os.fsdecode(b"pris\xe9.mp4"), seconds=1.5, size=(160, 90), sound="beeps")
    hear(folder, "pris%E9", SAID)
    project = Project(folder)
    project.cut('"pris%E9" 0.2-1.0\n"pris%E9" 1.1-1.4', pad=(0, 0))
    logo, listed = folder / "edit" / os.fsdecode(b"l\xf6go.png"), folder / "edit" / "edl.json"
    Image.new("RGBA", (40, 20), (250, 20, 20, 255)).save(logo)
    edl = json.loads(listed.read_text(encoding="utf-8"))
    edl["overlays"] = [{"file": logo.name, "start_in_output": 0, "duration": 1.0}]
    listed.write_text(json.dumps(edl), encoding="utf-8")
    film = project.render("final", captions="natural-sentence", output=folder / os.fsdecode(b"f\xefn.mp4"))
    assert film.sentence.startswith("Rendered 00:01 in ")
    assert film.sentence.endswith("caf%E9/f%EFn.mp4).")
    with av.open(str(shutil.copy(film.path, tmp_path / "film.mp4"))) as video:
        # 0.8 s and 0.3 s at 30 frames a second.
        assert sum(1 for _ in video.decode(video=0)) == 33
    assert "one two" in (project.edit / "master.srt").read_text(encoding="utf-8")
    report = (project.edit / "verify" / "check.md").read_text(encoding="utf-8")
    assert report.startswith("# Check of f%EFn.mp4\n")
    assert "0.80 s) pris%E9 → pris%E9" in report
    assert (project.edit / "verify" / "cuts" / "cut_001.jpg").is_file()
    drawn = [project.timeline_edl(frames=2), project.timeline_file(film.path), project.check(film.path)]
    assert [repr(each).isprintable() for each in drawn[:2]] == [True, True]
    for shown in (project, film, *drawn):
        repr(shown).encode()
    film._repr_html_().encode()
    assert project.memory.persist() is not None
    assert "caf%E9" in listed.with_name("project.md").read_text(encoding="utf-8")
