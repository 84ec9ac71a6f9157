from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cutbook import Project
from cutbook.edit.edl import Edl
from cutbook.memory.shown import Shown
from cutbook.results import Edited
from tests.launch import copy_launch

LINES = "HOOK C0101 #1-#8 -- calm\nFIX B0202 #1-#3\nMID C0101 #6-#8 -- late"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the footage of a project with a cut of three ranges that was kept."""
    place = copy_launch(tmp_path / "launch")
    project = Project(place)
    project.cut(LINES)
    project.memory.persist()
    return place


def state(folder: Path, name: str) -> str:
    """Give what became of an entry, as the next notebook sees it."""
    found = Project(folder).memory.show(name)
    assert isinstance(found, Shown)
    return found.state


def decided(folder: Path, text: str = "Opening stays under 5 s", beat: str = "HOOK") -> str:
    """Write a decision on a beat down, keep it, and give its id."""
    memory = Project(folder).memory
    name = memory.decide(text, beat=beat, why="attention").id
    memory.persist()
    return name


def test_an_edit_says_which_written_decision_ends_with_it(folder: Path) -> None:
    """A trim names the decision on its beat and the command that keeps it, in text and table; it ends at persist."""
    name = decided(folder)
    project = Project(folder)
    done = project.trim(1, end=project.edl.ranges[0].end - 1, exact=True, why="shorter")
    said = f"This ends “Opening stays under 5 s: attention” ({name}); `%memory confirm {name}` keeps it."
    assert isinstance(done, Edited)
    assert done.ends == said
    assert said in repr(done)
    assert name in done._repr_html_()
    assert done == project.edl
    assert hash(done) == hash(project.edl)
    project.memory.persist()
    assert state(folder, name) == "superseded"


def test_a_drafted_decision_ends_without_a_word(folder: Path) -> None:
    """What cutbook drafted of an earlier cut, and what was told once, is not told again."""
    project = Project(folder)
    assert not isinstance(project.trim(1, end=project.edl.ranges[0].end - 1, exact=True), Edited)
    project.memory.persist()
    decided(folder)
    project = Project(folder)
    assert isinstance(project.trim(1, end=project.edl.ranges[0].end - 1, exact=True), Edited)
    assert not isinstance(project.trim(1, end=project.edl.ranges[0].end - 1, exact=True), Edited)


def test_confirming_after_the_change_keeps_the_decision(folder: Path) -> None:
    """Confirmed by its id alone, the decision is live after persist, fresh, and asks nobody for anything."""
    name = decided(folder)
    project = Project(folder)
    project.trim(1, end=project.edl.ranges[0].end - 1, exact=True, why="shorter")
    (kept,) = project.memory.confirm(name)
    assert kept.state == "live"
    project.memory.persist()
    assert state(folder, name) == "live"
    assert Project(folder).memory.resume().needs_review == ()
    assert "it holds after this change too" in (folder / "edit/project.md").read_text()
    later = Project(folder)
    assert isinstance(later.reject(1, why="dull"), Edited)
    later.memory.persist()
    assert state(folder, name) == "superseded"


def test_what_is_changed_again_after_the_confirmation_is_told_again(folder: Path) -> None:
    """Confirming holds for the changes before it; a later one ends the decision, says so, and can be confirmed too."""
    name = decided(folder)
    project = Project(folder)
    project.trim(1, end=project.edl.ranges[0].end - 1, exact=True)
    project.memory.confirm(name)
    again = project.trim(1, end=project.edl.ranges[0].end - 1, exact=True)
    assert isinstance(again, Edited)
    assert name in again.ends
    project.memory.confirm(name)
    project.memory.persist()
    assert state(folder, name) == "live"
    assert Project(folder).memory.resume().needs_review == ()


def test_a_confirmation_stands_when_the_change_is_undone(folder: Path) -> None:
    """Trimmed, confirmed, undone: the decision holds for what the range was before, and nobody is asked."""
    name = decided(folder)
    project = Project(folder)
    project.trim(1, end=project.edl.ranges[0].end - 1, exact=True)
    project.memory.confirm(name)
    project.undo()
    project.memory.persist()
    assert state(folder, name) == "live"
    assert Project(folder).memory.resume().needs_review == ()


def test_a_decision_on_a_rejected_range_can_be_kept(folder: Path) -> None:
    """Rejected, then confirmed: the decision stays, bound to the range that is left out."""
    name = decided(folder)
    project = Project(folder)
    assert isinstance(project.reject(1, why="too long"), Edited)
    project.memory.confirm(name, why="for the long version")
    project.memory.persist()
    assert state(folder, name) == "live"
    assert Project(folder).memory.resume().needs_review == ()


def test_rejecting_and_accepting_in_one_session_ends_nothing(folder: Path) -> None:
    """A range that is rejected and accepted again has its decision as if nothing had happened."""
    name = decided(folder)
    before = Project(folder).memory.show(name)
    project = Project(folder)
    assert isinstance(project.reject(1, why="too long"), Edited)
    assert not isinstance(project.accept(1, why="the client wants it"), Edited)
    section = project.memory.persist()
    assert section is not None
    assert "No longer" not in section.text()
    assert Project(folder).memory.show(name) == before
    assert Project(folder).memory.resume().needs_review == ()


def test_a_decision_on_a_span_is_told_too(folder: Path) -> None:
    """What was decided on a take and a span ends when the range around it goes, and is kept by its id."""
    memory = Project(folder).memory
    piece = Project(folder).edl.ranges[1]
    name = memory.decide("These words stay", take="B0202", span=(piece.start, piece.end), why="legal").id
    memory.persist()
    project = Project(folder)
    done = project.reject(2)
    assert isinstance(done, Edited)
    assert name in done.ends
    project.memory.confirm(name)
    project.memory.persist()
    assert state(folder, name) == "live"


def test_three_are_named_and_the_others_counted(folder: Path) -> None:
    """Many decisions on one range are three names and a number; a decision of this session is one of them."""
    memory = Project(folder).memory
    names = [memory.decide(f"Idea {number} of the opening", beat="HOOK").id for number in range(6)]
    memory.persist()
    project = Project(folder)
    fresh = project.memory.decide("Thought of just now", beat="HOOK").id
    done = project.reject(1)
    assert isinstance(done, Edited)
    assert done.ends.endswith(f"and 4 more; `%memory confirm {' '.join(names[:3])}` keeps them.")
    project.memory.confirm(*names, fresh)
    project.memory.persist()
    assert {state(folder, name) for name in (*names, fresh)} == {"live"}


def test_what_no_longer_holds_says_which_range_it_was(folder: Path) -> None:
    """The entry that ends a written decision names beat, take and span of the range that went."""
    decided(folder, "Keep the answer whole", beat="FIX")
    project = Project(folder)
    project.reject(2, why="too long")
    piece = project.edl.ranges[1]
    section = project.memory.persist()
    assert section is not None
    (entry,) = section.fields["Decisions"]
    span = f"{float(piece.start):.2f}–{float(piece.end):.2f}"
    assert entry.text.endswith(f"FIX B0202 {span} is rejected: too long.")
    assert "Keep the answer whole" in entry.text


def test_every_verb_that_changes_a_range_says_it(folder: Path) -> None:
    """Cut words, tighten, a new cut list and a swap say it as a trim does; moving and accepting end nothing."""
    name = decided(folder)
    changes: tuple[Callable[[Project], Edl], ...] = (
        lambda project: project.cut_words(1, "#2-#3"),
        lambda project: project.swap(1, "B0202", "#1-#3"),
        lambda project: project.cut("FIX B0202 #1-#3"),
    )
    for change in changes:
        project = Project(folder)
        done = change(project)
        assert isinstance(done, Edited)
        assert name in done.ends
        project.undo()
    assert not isinstance(project.move(1), Edited)
    assert not isinstance(project.accept(2, why="good"), Edited)
    project.memory.persist()
    assert state(folder, name) == "live"


def test_undecided_ranges_are_counted_as_the_cut_list_is(folder: Path) -> None:
    """What is undecided is what the cut list says now, not what it was when the session was kept."""
    log = (folder / "edit/project.md").read_bytes()
    assert "3 of 3 ranges are undecided" in Project(folder).memory.resume().text()
    project = Project(folder)
    project.accept(1)
    assert "2 of 3 ranges are undecided" in Project(folder).memory.resume().text()
    project.accept(2, 3)
    assert Project(folder).memory.resume().outstanding == ()
    assert "undecided" not in Project(folder).memory.context().text
    (folder / "edit/edl.json").write_text("{broken")
    assert "3 of 3 ranges are undecided" in Project(folder).memory.resume().text()
    assert (folder / "edit/project.md").read_bytes() == log
