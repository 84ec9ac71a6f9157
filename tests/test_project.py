"""A project: what reading leaves alone, and what two notebooks at once keep."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from cutbook import Project
from cutbook.errors import EdlError
from cutbook.render.plan import plan
from tests.footage import make_clip, make_sound
from tests.launch import copy_launch, tree
from tests.transcripts.making import Parrot


@pytest.fixture
def launch(tmp_path: Path) -> Path:
    """Return a launch folder of the test's own."""
    return copy_launch(tmp_path / "launch")


READS: list[Callable[[Project], object]] = [
    lambda p: p.takes,
    lambda p: p.problems,
    repr,
    lambda p: p._repr_html_(),
    lambda p: p.table(),
    lambda p: p.facts(),
    lambda p: p.settings(),
    lambda p: p.take("C0101").words,
    lambda p: p.take("C0101").envelope,
    lambda p: p.retakes(),
    lambda p: p.history(),
    lambda p: p.memory.resume(),
    lambda p: p.memory.entries(),
    lambda p: p.transcribe(dry_run=True),
]


def test_reading_creates_nothing(launch: Path) -> None:
    """Looking at takes, words, versions, settings and memory writes nothing: no byte, no time, no folder changes."""
    before = tree(launch)
    project = Project(launch)
    for read in READS:
        read(project)
        assert tree(launch) == before
    with pytest.raises(EdlError):
        project.edl  # noqa: B018 - reading is what is tried
    assert tree(launch) == before


def test_reading_makes_no_edit_folder(tmp_path: Path) -> None:
    """A folder of takes alone gets no edit/ from being looked at; the first verb that writes makes it."""
    make_clip(tmp_path / "f" / "C0101.mp4", seconds=1, size=(160, 90))
    project = Project(tmp_path / "f")
    for read in READS:
        read(project)
    assert [path.name for path in (tmp_path / "f").iterdir()] == ["C0101.mp4"]
    project.pack()
    assert sorted(path.name for path in (tmp_path / "f").iterdir()) == ["C0101.mp4", "edit"]


def test_reading_a_cut_and_kept_project_writes_nothing(launch: Path) -> None:
    """With a cut list and a memory in place, looking at them changes nothing either."""
    project = Project(launch)
    project.cut("HOOK C0101 #1-#4 -- clean")
    project.memory.persist()
    before = tree(launch)
    again = Project(launch)
    more: list[Callable[[Project], object]] = [lambda p: p.edl, lambda p: p.version(1)]
    for read in READS + more:
        read(again)
        assert tree(launch) == before


def test_footage_is_never_touched(launch: Path) -> None:
    """Cutting, drawing and remembering leave every file outside edit/ as it was."""
    before = {name: found for name, found in tree(launch).items() if not name.startswith("edit")}
    project = Project(launch)
    project.pack()
    project.cut("C0101 #1-#4\nS0303 0-1")
    project.timeline("C0101", 0, 1, frames=1)
    project.memory.persist()
    assert {name: found for name, found in tree(launch).items() if not name.startswith("edit")} == before


def test_the_same_cut_again_makes_no_version(launch: Path) -> None:
    """The same lines, tightened the same way, leave one version of each and one session."""
    for _ in range(2):
        project = Project(launch)
        project.cut("HOOK C0101 #1-#8 -- clean")
        project.tighten()
        project.memory.persist()
    assert [each.number for each in project.history().versions] == [1, 2]
    assert (launch / "edit" / "project.md").read_text(encoding="utf-8").count("## Session") == 1


def test_a_hand_edit_is_a_version_of_its_own(launch: Path) -> None:
    """A change of edl.json by hand is kept, can be undone, and is in the way of nothing."""
    project = Project(launch)
    project.cut("HOOK C0101 #1-#4\nB0202 #1-#3", pad=(0, 0))
    file = launch / "edit" / "edl.json"
    edited = json.loads(file.read_text(encoding="utf-8"))
    edited["ranges"].reverse()
    edited["mine"] = {"kept": True}
    file.write_text(json.dumps(edited), encoding="utf-8")
    assert [each.source for each in project.edl.ranges] == ["B0202", "C0101"]
    project.accept(1)
    assert [each.by for each in project.history().versions] == ["cut", "hand", "accept"]
    assert json.loads(file.read_text(encoding="utf-8"))["mine"] == {"kept": True}
    project.undo()
    project.undo()
    assert [each.source for each in project.edl.ranges] == ["C0101", "B0202"]


def test_two_projects_see_each_other(launch: Path) -> None:
    """What one notebook changes, the other sees at its next look and builds on."""
    one, two = Project(launch), Project(launch)
    one.cut("C0101 #1-#8", pad=(0, 0))
    assert len(two.edl.ranges) == 1
    two.cut("B0202 #1-#3", append=True)
    one.tighten()
    two.reject(1)
    assert [each.by for each in one.history().versions] == ["cut", "cut", "tighten", "reject"]
    assert one.edl.ranges[0].status == "rejected"
    two.undo()
    one.undo()
    assert [(each.source, each.status) for each in two.edl.ranges] == [
        ("C0101", "undecided"),
        ("B0202", "undecided"),
    ]


def test_no_version_is_lost_between_two_notebooks(launch: Path) -> None:
    """Two notebooks that append, decide, note and persist at once lose no line, decision or note."""
    Project(launch).cut("S0303 0-1")
    failed: list[BaseException] = []

    def work(take: str, last: int) -> None:
        try:
            project = Project(launch, notebook=take)
            for number in range(1, last + 1):
                project.cut(f"{take} #{number}-#{number}", append=True)
                project.memory.note(f"{take} {number}")
            project.accept(1)
            project.memory.persist()
        except BaseException as error:  # noqa: BLE001 - a thread's failure is the test's
            failed.append(error)

    workers = [threading.Thread(target=work, args=args) for args in (("C0101", 4), ("B0202", 3))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert failed == []
    project = Project(launch)
    cut = [(each.source, each.words) for each in project.edl.ranges]
    assert sorted(cut[1:]) == sorted(
        [("C0101", (n, n)) for n in range(1, 5)] + [("B0202", (n, n)) for n in range(1, 4)]
    )
    assert project.edl.ranges[0].status == "accepted"
    assert len(project.history().versions) == 9
    text = (launch / "edit" / "project.md").read_text(encoding="utf-8")
    notes = [f"{take} {n}" for take, last in (("C0101", 4), ("B0202", 3)) for n in range(1, last + 1)]
    assert [note for note in notes if text.count(f"- {note} <!--") != 1] == []
    assert re.findall(r"^## Session (\d+)", text, flags=re.MULTILINE) == ["1", "2"]


def test_both_notebooks_persist(launch: Path) -> None:
    """Two notebooks that persist one after the other write two sections, nothing twice."""
    one, two = Project(launch, notebook="one"), Project(launch, notebook="two")
    one.memory.note("from one")
    two.memory.note("from two")
    one.memory.persist()
    two.memory.persist()
    text = (launch / "edit" / "project.md").read_text(encoding="utf-8")
    assert (text.count("from one"), text.count("from two")) == (1, 1)


def test_film_has_the_size_that_most_of_it_has(tmp_path: Path) -> None:
    """Two short takes of one size and rate outweigh one longer take of another."""
    folder = tmp_path / "f"
    make_clip(folder / "A.mp4", seconds=1, size=(160, 90), rate="25", sound="none")
    make_clip(folder / "B.mp4", seconds=1, size=(160, 90), rate="25", sound="none")
    make_clip(folder / "P.mp4", seconds=1.5, size=(90, 160), rate="30", sound="none")
    project = Project(folder)
    made = plan(project.cut("A 0-1\nB 0-1\nP 0-1.5"), project.takes)
    assert (made.size, made.rate) == ((160, 90), Fraction(25))


def test_a_project_follows_its_folder_by_name(launch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A project opened by a relative path stays at its folder wherever the notebook goes."""
    monkeypatch.chdir(launch.parent)
    project = Project("launch")
    monkeypatch.chdir("/")
    project.cut("C0101 #1-#4")
    assert (launch / "edit" / "edl.json").is_file()
    drawn = project.timeline_file("S0303.mp4", 0, 1, frames=1, output=launch.parent / "a b.png")
    assert drawn.path == launch.parent / "a b.png"


def test_what_was_transcribed_before_an_interrupt_is_noted(tmp_path: Path) -> None:
    """A run that is stopped at the second take notes the first; the next run notes the rest."""
    folder = tmp_path / "f"
    for length, name in enumerate(("A", "B", "C"), 1):
        make_sound(folder / f"{name}.wav", seconds=length)

    def interrupt(file: str) -> None:
        if file.startswith("B"):
            raise KeyboardInterrupt

    project = Project(folder)
    with pytest.raises(KeyboardInterrupt):
        project.transcribe(engine=Parrot(model_name="stopped", fail=interrupt))
    project.transcribe(engine=Parrot(model_name="stopped"))
    noted = [event.names("takes") for event in project.session.events() if event.kind == "transcribe"]
    assert [list(names) for names in noted] == [["A"], ["B", "C"]]
