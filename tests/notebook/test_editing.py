"""Each change of single ranges, by line and by call: the same bytes, the same history, the same session."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from cutbook import Project
from cutbook.edit.others import Others
from cutbook.edit.slips import Slips
from cutbook.errors import EdlError, InputError, UnknownTake
from tests.faces import run, shell
from tests.launch import copy_launch
from tests.notebook.test_extension import completions

LINES = "HOOK C0101 #1-#4 -- clear\nFIX C0101 #6-#8 -- short\nEND B0202 #1-#3\n"

BOTH: list[tuple[str, Callable[[Project], Any]]] = [
    ("%edl trim 1 --out 1.5", lambda p: p.trim(1, end=1.5)),
    ("%edl trim 1 --in 0:00.97 --out 1.5 --exact", lambda p: p.trim(1, start="0.97", end=1.5, exact=True)),
    (
        "%edl trim 1 --in 00:00:00:29 --why a {breath} of $5",
        lambda p: p.trim(1, start=29 / 30, why="a {breath} of $5"),
    ),
    ("%edl split 1 1.42", lambda p: p.split(1, at=1.42)),
    (
        '%edl split 1 1.2 --exact --why "two thoughts"',
        lambda p: p.split(1, at=1.2, exact=True, why="two thoughts"),
    ),
    ("%edl merge 1 --why one thought", lambda p: p.merge(1, why="one thought")),
    ("%edl move 3 --before 1", lambda p: p.move(3, before=1)),
    ("%edl move 1-2 --why the end first", lambda p: p.move(1, 2, why="the end first")),
    ("%edl cut 1 #2-#3", lambda p: p.cut_words(1, 2, 3)),
    ('%edl cut 1 "percent is" --why mumbled', lambda p: p.cut_words(1, 2, 3, why="mumbled")),
    ("%edl cut 1 percent is  # as it is said", lambda p: p.cut_words(1, "percent is")),
    ("%edl cut 1 0.95-1.6", lambda p: p.cut_words(1, 2, 3)),
    ("%edl cut 3 #1-#3", lambda p: p.cut_words(3, 1, 3)),
    ("%edl restore C0101 #5 --why it is human", lambda p: p.restore_words("C0101", 5, why="it is human")),
    ("%edl restore c0101 um", lambda p: p.restore_words("C0101", 5, 5)),
    ("%edl swap 2 B0202 #1-#3", lambda p: p.swap(2, "B0202", 1, 3)),
    ('%edl swap 2 "b0202" we fixed that', lambda p: p.swap(2, "B0202", 1, 3)),
    ("%edl reason 2 --why says it best", lambda p: p.reason(2, "says it best")),
]


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a launch folder that is cut already."""
    folder = copy_launch(tmp_path_factory.mktemp("master") / "launch")
    Project(folder).cut(LINES)
    return folder


@pytest.fixture(scope="module")
def one_shell() -> Iterator[InteractiveShell]:
    """Return a shell for all lines."""
    with shell() as made:
        yield made


@pytest.mark.parametrize(("line", "call"), BOTH, ids=[line for line, _ in BOTH])
def test_line_and_call_do_the_same(
    line: str, call: Callable[[Project], Any], tmp_path: Path, master: Path, one_shell: InteractiveShell
) -> None:
    """Cut list to the byte, who and why of each version, kinds and reasons of the session; undo gives it back."""
    seen = []
    for name in ("magic", "python"):
        folder = Path(shutil.copytree(master, tmp_path / name / "launch"))
        project = Project(folder)
        before = (project.edit / "edl.json").read_bytes()
        if name == "magic":
            run(one_shell, f'%project "{folder}";')
            assert run(one_shell, line) == project.edl
        else:
            call(project)
        after = (project.edit / "edl.json").read_bytes()
        assert after != before
        versions = [(each.by, each.why) for each in project.history().versions]
        events = [(each.kind, each.text("why")) for each in project.session.events()]
        seen.append((after, versions, events, project.changes))
        project.undo()
        assert (project.edit / "edl.json").read_bytes() == before
    assert seen[0] == seen[1]


@pytest.fixture
def lab(ipython: InteractiveShell, launch: Path) -> InteractiveShell:
    """Return a shell with the launch folder cut."""
    Project(launch).cut(LINES)
    run(ipython, f'%project "{launch}";')
    return ipython


def test_others_and_slips_are_shown(lab: InteractiveShell) -> None:
    """A line each, of which a swap can be pasted together."""
    found = run(lab, "%edl others 2")
    assert isinstance(found, Others)
    assert [(each.take, each.words) for each in found] == [("B0202", (1, 3))]
    assert isinstance(run(lab, "%edl slips --pauses 0.6"), Slips)


WRONG = [
    ("%edl trim 1", "trim wants --in, --out or both"),
    ("%edl trim", "trim wants the number or the id of a range"),
    ("%edl trim 1 2 --in 1", "trim takes one range, not '1 2'"),
    ("%edl trim 1-2 --in 1", "'1-2' names more than one range"),
    ("%edl trim one --in 1", "'one' names no range"),
    ("%edl split 1", "split wants the time"),
    ("%edl split 1 2 3", "split wants the time"),
    ("%edl cut 1", "cut wants words: #14-#18"),
    ("%edl swap 1", "swap wants a take and words of it"),
    ("%edl swap 1 B0202", "swap wants words: #14-#18"),
    ("%edl restore", "restore wants the name of a take"),
    ("%edl restore C0101", "restore wants words: #14-#18"),
    ("%edl reason 1", "reason wants --why and the reason"),
    ("%edl merge 1 --before 2", "--before does not go with merge"),
    ("%edl undo --why no", "--why does not go with undo"),
    ("%edl move 1 --why", "--why wants a reason"),
    ("%edl slips 1", "slips takes nothing more"),
    ("%edl others", "others wants the number or the id of a range"),
]


@pytest.mark.parametrize(("line", "said"), WRONG, ids=[line for line, _ in WRONG])
def test_line_that_cannot_be_is_refused_in_one(lab: InteractiveShell, line: str, said: str) -> None:
    """What is missing or too much is named, and nothing is written."""
    project = vars(lab)["_cutbook_desk"].project
    before = project.changes
    with pytest.raises(InputError) as error:
        run(lab, line)
    assert said in str(error.value)
    assert "\n" not in str(error.value)
    assert project.changes == before


def test_what_is_not_there_is_refused_in_one_line(lab: InteractiveShell) -> None:
    """Range, words, take."""
    with pytest.raises(EdlError, match="no range is 9; there are 1 to 3"):
        run(lab, "%edl trim 9 --in 1")
    with pytest.raises(EdlError, match="“hello there” is not said in C0101"):
        run(lab, "%edl cut 1 hello there")
    with pytest.raises(UnknownTake, match="there is no take 'C0102'"):
        run(lab, "%edl swap 1 C0102 #1-#2")


def test_empty_reason_takes_the_reason_away(lab: InteractiveShell) -> None:
    """With quotes around nothing, or nothing at all."""
    run(lab, "%edl reason 1 --why best")
    assert run(lab, '%edl reason 1 --why ""').ranges[0].extra == {}


def test_completion_knows_the_verbs(lab: InteractiveShell) -> None:
    """Takes where a take goes, and only the options that go with the verb."""

    def offered(text: str) -> set[str]:
        return completions(lab, text)

    assert {"trim", "split", "swap"} <= offered("%edl ")
    assert offered("%edl swap 2 ") >= {"B0202", "C0101"}
    assert offered("%edl restore B") == {"B0202"}
    assert offered("%edl trim 1 --") == {"--in", "--out", "--exact", "--why"}
    assert offered("%edl merge 1 --") == {"--why"}
    assert offered("%edl undo --") == set()


def test_help_is_given_wherever_it_is_asked_for(lab: InteractiveShell) -> None:
    """After a verb too; in a reason it is a word."""
    assert "usage: %edl" in repr(run(lab, "%edl trim --help"))
    assert run(lab, "%edl reason 1 --why it was of no --help").ranges[0].extra["why"] == "it was of no --help"


def test_tightening_takes_a_reason(lab: InteractiveShell) -> None:
    """It stands in the history; without one the act is named."""
    project = vars(lab)["_cutbook_desk"].project
    run(lab, "%edl merge 1")
    run(lab, "%tighten 1 --why he hums, and it's long")
    assert project.history().versions[-1].why == "he hums, and it's long"
    run(lab, "%edl undo")
    run(lab, "%tighten 1 --no-fillers --pauses 0.6")
    assert project.history().versions[-1].why == "fillers and pauses"
    with pytest.raises(InputError, match="--why wants a reason"):
        run(lab, "%tighten --why")
