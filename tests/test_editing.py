"""The verbs on single ranges: undone to the byte, noted, counted, one at a time, and never over what was not seen."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from cutbook import Project
from cutbook.edit.edl import Edl
from cutbook.errors import EdlError, InputError, NothingToUndo, StaleView, TimeError, UnknownTake
from tests.launch import copy_launch

LINES = """\
HOOK C0101 #1-#4 -- clear
FIX C0101 #6-#8 -- short
END B0202 #1-#3
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Return a project with a cut list of three ranges."""
    made = Project(copy_launch(tmp_path / "launch"))
    made.cut(LINES)
    return made


def on_disk(project: Project) -> bytes:
    """Return the bytes of the cut list."""
    return (project.edit / "edl.json").read_bytes()


def log(project: Project) -> list[dict[str, object]]:
    """Return the log of changes."""
    text = (project.edit / "history" / "changes.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def by_hand(project: Project, old: str, new: str) -> None:
    """Edit the cut list as a person does."""
    path = project.edit / "edl.json"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


VERBS: dict[str, Callable[[Project], Edl]] = {
    "accept": lambda p: p.accept(1, 2, why="both"),
    "reject": lambda p: p.reject(3),
    "reason": lambda p: p.reason(2, "the shorter one"),
    "trim": lambda p: p.trim(1, end=1.5),
    "trim to a frame": lambda p: p.trim(1, edge="in", frame=29, exact=True),
    "split": lambda p: p.split(1, at="0:01.42"),
    "merge": lambda p: p.merge(1),
    "move": lambda p: p.move(3, before=1),
    "cut": lambda p: p.cut_words(1, 2, 3),
    "cut all": lambda p: p.cut_words(3, 1, 3),
    "cut said words": lambda p: p.cut_words(1, "percent is"),
    "restore": lambda p: p.restore_words("C0101", 5),
    "swap": lambda p: p.swap(2, "B0202", "#1-#3"),
}


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_is_a_version_that_undo_takes_back_to_the_byte(project: Project, verb: str) -> None:
    """It is on the disk when it returns, is one change, and goes back and forth."""
    before, changes = on_disk(project), project.changes
    edl = VERBS[verb](project)
    after = on_disk(project)
    assert after != before
    assert edl == project.edl == Project(project.folder).edl
    assert project.changes == changes + 1
    assert (project.can_undo, project.can_redo) == (True, False)
    project.undo()
    assert on_disk(project) == before
    assert (project.changes, project.can_redo) == (changes + 2, True)
    project.redo()
    assert on_disk(project) == after
    assert project.changes == changes + 3


def test_reason_goes_into_history_and_session(project: Project) -> None:
    """Each change's why stands with its version, and the open session has it with what was changed."""
    project.split(1, at=1.42, why="a breath")
    project.move(4, before=1, why="the end first")
    assert [each.why for each in project.history().versions[1:]] == ["a breath", "the end first"]
    events = [(each.kind, each.text("why")) for each in project.session.events()]
    assert events[1:] == [("split", "a breath"), ("move", "the end first")]


def test_change_that_changes_nothing_is_none(project: Project) -> None:
    """No version, no count, no note."""
    changes, events = project.changes, len(project.session.events())
    project.move(1, before=2)
    project.undecided(1)
    assert (project.changes, len(project.session.events())) == (changes, events)
    assert len(project.history().versions) == 1


def test_refused_change_leaves_everything_as_it_was(project: Project) -> None:
    """The message is one line and names the range; nothing is written."""
    before, changes = on_disk(project), project.changes
    refused: list[Callable[[], object]] = [
        lambda: project.trim(1, end=99),
        lambda: project.split(1, at=5.9),
        lambda: project.merge(2),
        lambda: project.move(1, before=1),
        lambda: project.cut_words(1, "we fixed"),
        lambda: project.restore_words("C0101", 1),
        lambda: project.swap(1, "C0101", 1, 99),
        lambda: project.reason("r-zzzzz", "why"),
    ]
    for change in refused:
        with pytest.raises(EdlError) as error:
            change()
        assert "\n" not in str(error.value)
    with pytest.raises(UnknownTake, match="C0102"):
        project.swap(1, "C0102", 1, 2)
    with pytest.raises(TimeError):
        project.split(1, at="soon")
    assert (on_disk(project), project.changes) == (before, changes)


def test_wrong_arguments_are_said(project: Project) -> None:
    """Which of them go together."""
    with pytest.raises(InputError, match="trim wants start or end in seconds, or edge and frame"):
        project.trim(1)
    with pytest.raises(InputError, match="trim wants"):
        project.trim(1, edge="in")
    with pytest.raises(InputError, match="trim wants"):
        project.trim(1, start=1, edge="in", frame=3)
    with pytest.raises(InputError, match="'left' is no edge of a range; there are in and out"):
        project.trim(1, edge="left", frame=3)
    with pytest.raises(InputError, match="split wants at, in seconds, or frame"):
        project.split(1)


def test_take_is_named_in_any_case(project: Project) -> None:
    """As everywhere else; the cut list has its own name."""
    assert project.swap(2, "b0202", 1, 3).ranges[1].source == "B0202"
    assert project.restore_words("c0101.mp4", 5).ranges[0].words == (1, 5)


def test_log_tells_each_change(project: Project) -> None:
    """A line a change: the act, the version that came into force, and the view that made it."""
    project.reject(2)
    with project.viewing("v1", project.changes):
        project.accept(1)
        project.undo()
    assert [(each["act"], each["version"], each["view"]) for each in log(project)] == [
        ("cut", 1, ""),
        ("reject", 2, ""),
        ("accept", 3, "v1"),
        ("undo", 2, "v1"),
    ]
    assert project.changes == 4
    assert Project(project.folder).changes == 4


def test_going_back_to_an_earlier_version_by_hand_of_a_verb_counts(project: Project) -> None:
    """The same cut list again is the earlier version again, but it is a change."""
    project.reject(2)
    project.undecided(2)
    assert [each["version"] for each in log(project)][:2] == [1, 2]
    assert len(log(project)) == project.changes == 3


def test_view_is_refused_what_came_after_another_change(project: Project) -> None:
    """Its own changes it need not have seen; those of Python, another view or a hand edit it must."""
    seen = project.changes
    with project.viewing("v1", seen):
        project.accept(1)
        project.reject(2)
        project.undo()
    before = on_disk(project)
    with project.viewing("v2", seen), pytest.raises(StaleView, match="changed elsewhere since this view"):
        project.accept(3)
    assert on_disk(project) == before
    with project.viewing("v2", project.changes):
        project.accept(3)
    with project.viewing("v1", seen), pytest.raises(StaleView):
        project.undo()
    project.accept(2)
    with project.viewing("v2", project.changes - 1), pytest.raises(StaleView):
        project.move(1)
    assert project.accept(1).ranges[0].status == "accepted"  # outside a view nothing is refused


def test_view_is_refused_after_a_hand_edit(project: Project) -> None:
    """The edit is kept as a version first; having seen it, the view goes on."""
    seen = project.changes
    by_hand(project, '"reason": "clear"', '"reason": "clearest"')
    with project.viewing("v1", seen), pytest.raises(StaleView):
        project.accept(1)
    assert (project.changes, log(project)[-1]["act"]) == (seen + 1, "hand")
    assert log(project)[-1]["view"] == ""
    with project.viewing("v1", project.changes):
        assert project.accept(1).ranges[0].reason == "clearest"


def test_view_that_saw_more_than_there_was_is_refused(project: Project) -> None:
    """The folder was put back from elsewhere: what the view shows is not what is there."""
    with project.viewing("v1", project.changes + 5), pytest.raises(StaleView):
        project.accept(1)


def test_looking_takes_a_hand_edit_in(project: Project) -> None:
    """The count alone reads nothing; a look finds the edit, keeps it, and can undo it."""
    seen = project.changes
    by_hand(project, '"reason": "clear"', '"reason": "clearest"')
    assert project.changes == seen
    assert project.look() == seen + 1
    assert project.look() == seen + 1
    project.undo()
    assert project.edl.ranges[0].reason == "clear"


def test_other_process_is_seen(project: Project) -> None:
    """A second project on the folder, as another notebook has it, counts on, and refuses the first one's view."""
    seen = project.changes
    Project(project.folder).accept(1)
    assert project.changes == seen + 1
    with project.viewing("v1", seen), pytest.raises(StaleView):
        project.accept(2)


def test_torn_line_is_passed_over(project: Project) -> None:
    """What a crash left of a line is no change; the next stands on its own line."""
    path = project.edit / "history" / "changes.jsonl"
    path.write_bytes(path.read_bytes() + b'{"view": "v')
    assert project.changes == 1
    project.accept(1)
    assert project.changes == 3  # the torn line is ended now, and whoever it was counts
    assert json.loads(path.read_text(encoding="utf-8").splitlines()[-1])["act"] == "accept"


def test_nothing_to_undo_in_a_new_project(tmp_path: Path) -> None:
    """Nor to redo, nor changes; asking creates nothing."""
    project = Project(copy_launch(tmp_path / "launch"))
    assert (project.changes, project.look(), project.can_undo, project.can_redo) == (0, 0, False, False)
    assert not (project.edit / "history").exists()
    with pytest.raises(NothingToUndo):
        project.undo()


def test_threads_change_one_after_another(project: Project) -> None:
    """Presses that arrive on several threads at once all land, each a version, a change and a note of its own."""
    project.cut("\n".join(f"B{number} C0101 #{number}-#{number + 1}" for number in range(1, 8)))
    ids = [each.id for each in project.edl.ranges]
    changes, events = project.changes, len(project.session.events())
    failed: list[BaseException] = []

    def press(mine: list[str], view: str) -> None:
        try:
            for name in mine:
                with project.viewing(view, changes):
                    project.accept(name)
        except BaseException as error:  # noqa: BLE001 - told in the main thread
            failed.append(error)

    threads = [threading.Thread(target=press, args=(ids[at::2], "v1")) for at in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert {each.status for each in project.edl.ranges} == {"accepted"}
    assert project.changes == changes + len(ids)
    assert len(project.session.events()) == events + len(ids)


def test_view_of_one_thread_is_none_of_another(project: Project) -> None:
    """A name that one thread acts in says nothing of a cell that runs meanwhile."""
    seen = project.changes
    project.reject(2)
    done: list[str] = []

    def cell() -> None:
        project.accept(1)
        done.append("cell")

    with project.viewing("v1", seen):
        thread = threading.Thread(target=cell)
        thread.start()
        thread.join()
        with pytest.raises(StaleView):
            project.accept(3)
    assert done == ["cell"]


def test_others_and_slips_of_a_project(project: Project) -> None:
    """“we fixed” is said in both takes; the um of C0101 lies between the ranges, and is a slip once it is kept."""
    found = project.others(2)
    assert [(each.take, each.words) for each in found] == [("B0202", (1, 3))]
    assert found[0].used == project.edl.ranges[2].id
    assert project.slips() == ()
    edl = project.merge(1)
    assert [(each.range, each.kind) for each in project.slips(0.7)] == [
        (edl.ranges[0].id, "pause"),
        (edl.ranges[0].id, "filler"),
    ]


SECTIONS: dict[str, tuple[Callable[[Project], object], list[str]]] = {
    "split": (
        lambda p: p.split(1, at=1.42, why="a breath"),
        ["HOOK is C0101 0.43–1.43, 1.43–2.30 “Ninety percent … is wasted.” (split): clear; a breath."],
    ),
    "merge": (
        lambda p: p.merge(1, why="one thought"),
        [
            (
                "HOOK is C0101 0.43–4.80 “Ninety percent is wasted. Um, we fixed this.” (merged): "
                "clear; short; one thought."
            ),
        ],
    ),
    "move": (
        lambda p: p.move(3, before=1, why="the end first"),
        ["END B0202 0.32–1.60 “We fixed that.” now comes first: the end first."],
    ),
    "cut": (
        lambda p: p.cut_words(1, "percent is", why="mumbled"),
        ["HOOK is C0101 0.43–0.93, 1.60–2.30 “Ninety … wasted.” (words taken out): clear; mumbled."],
    ),
    "cut all": (
        lambda p: p.cut_words(3, 1, 3, why="nobody needs it"),
        [
            "No longer: “END is B0202 0.32–1.60” (session 1). END B0202 0.32–1.60 is rejected: nobody needs it."
        ],
    ),
    "restore": (
        lambda p: (p.cut_words(1, 4), p.memory.persist(), p.restore_words("C0101", 4, why="after all")),
        ["HOOK is C0101 0.43–2.30 “Ninety percent is wasted.” (words put back): clear; after all."],
    ),
    "swap": (
        lambda p: p.swap(2, "B0202", "#1-#3", why="better light"),
        ["FIX is B0202 0.32–1.60 “We fixed that.” (swapped): better light."],
    ),
    "reason": (
        lambda p: p.reason(1, "says it best"),
        ["HOOK C0101 0.43–2.30 “Ninety percent is wasted.” is undecided: says it best."],
    ),
    "tighten": (
        lambda p: (p.merge(1), p.memory.persist(), p.tighten(1, why="he breathes")),
        [
            (
                "HOOK is C0101 0.43–2.33, 3.47–4.80 “Ninety percent is wasted. … we fixed this.” (tightened): "
                "clear; short; he breathes."
            ),
        ],
    ),
    "split and merged": (lambda p: (p.split(1, at=1.42), p.merge(1)), []),
    "cut and restored": (lambda p: (p.cut_words(1, 2, 3), p.restore_words("C0101", 2, 3)), []),
}


@pytest.mark.parametrize("verb", SECTIONS)
def test_section_says_what_became_of_the_ranges(project: Project, verb: str) -> None:
    """A sentence each, with the words that are kept now and both reasons; what came back to what it was is none."""
    project.memory.persist()
    do, wanted = SECTIONS[verb]
    do(project)
    text = str(project.memory.persist() or "")
    decisions = text.partition("**Decisions:**")[2].partition("**Reasoning log:**")[0]
    lines = [line.removeprefix("- ").partition(" <!--")[0] for line in decisions.splitlines() if "- " in line]
    assert [line.partition(" Replaces “")[0] for line in lines if line != "None."] == wanted


def test_threads_that_note_at_once_are_one_notebook(tmp_path: Path) -> None:
    """The first notes of a process may come from several threads; they all bear its one name."""
    project = Project(copy_launch(tmp_path / "launch"))
    gate = threading.Barrier(4)

    def note(number: int) -> None:
        gate.wait()
        project.session.note("note", text=f"note {number}")

    threads = [threading.Thread(target=note, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    events = project.session.events()
    assert len(events) == 4
    assert len({each.kernel for each in events}) == 1


def test_a_list_that_is_gone_comes_back_by_undo(project: Project) -> None:
    """Each verb says so; what comes back is what was in force, and the session hears of no change."""
    project.reject(2)
    before, events = on_disk(project), len(project.session.events())
    for broken in (False, True):
        if broken:
            (project.edit / "edl.json").write_text("{", encoding="utf-8")
            with pytest.raises(EdlError, match="%edl undo brings version 2 back"):
                project.accept(1)
        (project.edit / "edl.json").unlink()
        for verb in (lambda: project.edl, lambda: project.accept(1), project.slips):
            with pytest.raises(EdlError, match=r"edl\.json is gone; %edl undo brings version 2 back"):
                verb()
        assert project.can_undo
        project.undo()
        assert on_disk(project) == before
        assert len(project.session.events()) == events


def test_a_time_that_is_none_says_how_to_write_one(project: Project) -> None:
    """A decimal comma is told from nonsense, and a time past the end says where the take ends."""
    with pytest.raises(TimeError, match=r"'1,5' is no time: decimals have a point; write 1\.5"):
        project.trim(1, end="1,5")
    with pytest.raises(
        TimeError, match=r"'soon' is no time; write seconds \(12.34\), minutes .* or timecode"
    ):
        project.split(1, at="soon")
    with pytest.raises(EdlError, match=r"99.00 lies past the end of C0101, which is 6.00 s long"):
        project.trim(1, start=99)
    with pytest.raises(EdlError, match=r"its in point \(3.00\) must lie before its out point \(2.30\)"):
        project.trim(1, start=3)


def test_words_named_by_seconds_are_answered_in_seconds(project: Project) -> None:
    """The range's own seconds stand beside those that were typed."""
    with pytest.raises(EdlError, match=r"range 2 \(.*\) keeps no word of 0.5-0.9; it is 3.53-4.80 of C0101"):
        project.cut_words(2, "0.5-0.9")


def test_history_calls_acts_as_people_do(project: Project) -> None:
    """Words cut and a reason given are called that."""
    project.cut_words(1, 2)
    project.reason(1, "short")
    assert [each.by for each in project.history().versions[1:]] == ["cut words", "reason"]


def test_an_unknown_take_is_told_how_many_there_are(project: Project) -> None:
    """Eight are named."""
    for number in range(10):
        (project.folder / f"{chr(98 + number) * 5}.mp4").symlink_to(project.folder / "S0303.mp4")
    with pytest.raises(UnknownTake, match="and 5 more"):  # 13 takes
        Project(project.folder).adopt("ωωω")
