"""The section of a session as a form: what a person changes is what is kept, and nothing before Save."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutbook import Project
from cutbook.memory.bullets import Item
from cutbook.memory.marks import Mark
from cutbook.notebook.persist_form import PersistForm, form, revised


@pytest.fixture
def project(launch: Path) -> Project:
    """Return a project in whose session something happened."""
    project = Project(launch)
    project.cut("HOOK C0101 #1-#4 -- calm\nFIX B0202 #1-#3")
    project.reject(2, why="hums")
    project.memory.todo("ask her for another take")
    return project


@pytest.fixture
def drafted(project: Project) -> PersistForm:
    """Return its form."""
    made = form(project.memory)
    assert made is not None
    return made


def fields(drafted: PersistForm) -> dict[str, str]:
    """Return what the three fields of items show."""
    drafted.widget  # noqa: B018 - makes them
    return {name: drafted._widgets[name].value for name in ("decisions", "reasoning", "outstanding")}


def log(project: Project) -> str:
    """Return project.md, empty where there is none."""
    path = project.edit / "project.md"
    return path.read_text("utf-8") if path.exists() else ""


def test_nothing_happened_makes_no_form(launch: Path) -> None:
    """A session in which nothing happened has nothing to keep."""
    assert form(Project(launch).memory) is None


def test_the_form_shows_the_draft_and_writes_nothing(drafted: PersistForm, project: Project) -> None:
    """The four fields hold what persist would write, a line an item; until Save there is no project.md."""
    shown = fields(drafted)
    assert "HOOK is C0101" in shown["decisions"]
    assert "hums" in shown["decisions"]
    assert "ask her for another take" in shown["outstanding"]
    assert drafted._widgets["strategy"].value == drafted.drafted.strategy
    assert "Not kept yet" in repr(drafted)
    assert sorted(drafted._repr_mimebundle_()) == [
        "application/vnd.jupyter.widget-view+json",
        "text/markdown",
        "text/plain",
    ]
    assert log(project) == ""
    assert project.memory.resume().unsaved


def test_an_unchanged_form_keeps_what_persist_would(drafted: PersistForm, project: Project) -> None:
    """Save without a change writes the drafted section, anchors and all, once."""
    shown = fields(drafted)
    drafted._widgets["save"].click()
    assert drafted._widgets["said"].value == "Session 1 is kept in edit/project.md."
    text = log(project)
    for line in "\n".join(shown.values()).splitlines():
        assert f"- {line}" in text
    assert "words:C0101" in text
    drafted.save("again", shown)
    assert log(project) == text
    assert sorted(drafted._repr_mimebundle_()) == ["text/markdown", "text/plain"]
    assert "Session 1 is kept" in repr(drafted)
    assert form(project.memory) is None


def test_a_person_changes_each_field(drafted: PersistForm, project: Project) -> None:
    """A changed line keeps its anchors, one taken out is not written, a new one is an item of its field."""
    shown = fields(drafted)
    first, second = shown["decisions"].splitlines()
    drafted._widgets["strategy"].value = "Make it  short"
    drafted._widgets["decisions"].value = f"{first} And warm.\n- No music"
    drafted._widgets["reasoning"].value = "The room echoes"
    drafted._widgets["outstanding"].value = ""
    drafted._widgets["save"].click()
    text = log(project)
    assert "**Strategy:** Make it short" in text
    changed = next(line for line in text.splitlines() if "And warm." in line)
    assert "words:C0101" in changed
    assert second not in text
    (added,) = (line for line in text.splitlines() if "No music" in line)
    assert added.startswith("- No music <!-- m d-")
    assert "media:" not in added
    assert "- The room echoes <!-- m r-" in text
    assert "another take" not in text
    assert "**Outstanding:**\n- None." in text
    section = drafted.section
    assert section is not None
    assert not project.memory.doctor().findings


def test_what_happens_after_the_form_was_drawn_is_kept_too(drafted: PersistForm, project: Project) -> None:
    """A decision that comes while a person writes is in the section as well."""
    shown = fields(drafted)
    project.memory.decide("Cut on breaths")
    drafted.save("", shown)
    assert "Cut on breaths" in log(project)
    assert "hums" in log(project)


def test_discard_keeps_the_session_open(drafted: PersistForm, project: Project) -> None:
    """Discard writes nothing, and the form can be asked for again."""
    fields(drafted)
    drafted._widgets["discard"].click()
    assert "Nothing was written" in drafted._widgets["said"].value
    assert all(drafted._widgets[name].disabled for name in ("save", "discard", "decisions"))
    assert log(project) == ""
    assert form(project.memory) is not None


def test_an_error_is_said_in_the_form_and_loses_nothing(drafted: PersistForm, project: Project) -> None:
    """When project.md cannot be written the form says so, stays, and Save works once it can."""
    (project.edit / "project.md").write_bytes("﻿x".encode("utf-16"))
    fields(drafted)
    drafted._widgets["save"].click()
    assert "UTF-16" in drafted._widgets["said"].value
    assert not drafted._widgets["save"].disabled
    (project.edit / "project.md").unlink()
    drafted._widgets["save"].click()
    assert "is kept" in drafted._widgets["said"].value


def test_lines_are_matched_to_items() -> None:
    """Items follow their lines through changes, moves of others, ticks, twins and items that came since."""
    one, two, three = (Item(text, Mark(f"o-{text * 5}")) for text in "abc")
    ticked = Item("d", Mark("o-ddddd"), ticked=True)
    marks = {item.text: item.mark.id for item in (one, two, three, ticked) if item.mark}
    shown = ["a", "b", "[x] d"]
    found = revised([one, two, ticked, three], shown, ["a", "b", "d"], "o")
    assert [(item.text, item.mark.id if item.mark else "", item.ticked) for item in found] == [
        ("a", marks["a"], False),
        ("b", marks["b"], False),
        ("d", marks["d"], False),
        ("c", marks["c"], False),
    ]
    assert [item.text for item in revised([one, two], ["a", "b"], ["b"], "o")] == ["b"]
    (done,) = revised([], [], ["[x] new"], "o")
    assert (done.text, done.ticked, bool(done.mark)) == ("new", True, True)
    assert revised([one, one], ["a", "a"], ["a"], "o") == [one]
