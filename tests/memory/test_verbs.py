from __future__ import annotations

from pathlib import Path

import pytest

from cutbook.errors import EdlError, InputError, TimeError, UnknownTake
from cutbook.memory.verbs import Memory, Shown
from tests.memory.helpers import edl, kept, session, take

TAKES = {"C0103": take("C0103")}
CUT = edl(kept("r-hook1", "C0103", 2.52, 5.36, beat="HOOK"))


def memory(base: Path) -> Memory:
    """Give the memory of a project with one take and one range."""
    return Memory(session(base), takes=lambda: TAKES, edl=lambda: CUT, title="Launch")


@pytest.fixture
def mind(tmp_path: Path) -> Memory:
    """Return the memory of a fresh project."""
    return memory(tmp_path)


def test_what_is_told_counts_at_once_and_keeps_its_id(mind: Memory, tmp_path: Path) -> None:
    """A note, a todo and a decision are served before they are saved, and under the same id after."""
    told = [mind.note("The fan was on."), mind.todo("Logo"), mind.decide("Warm grade", why="green light")]
    before = mind.entries()
    assert [each.id for each in before] == [each.id for each in told]
    assert [each.session for each in before] == [None] * 3
    mind.persist()
    after = {each.id: each for each in memory(tmp_path).entries()}
    assert {each.id: (each.kind, each.text) for each in told} == {
        name: (each.kind, each.text)
        for name, each in after.items()
        if each.session == 1 and name[1:].count("-") == 1
    }
    assert "Warm grade: green light." in [each.text for each in after.values()]


def test_a_decision_is_anchored_to_what_it_names(mind: Memory) -> None:
    """Take, span (as two times or as text) and beat are captured with the decision."""
    one = mind.decide("Use this line", take="C0103", span=("2.6", "5"))
    two = mind.decide("Use this line too", take="C0103", span="[2.60-5.00]")
    three = mind.decide("The hook stays", beat="hook")
    assert one.anchors == two.anchors
    assert [token.partition("=")[0] for token in one.anchors] == ["media:C0103", "words:C0103#2.60-5.00"]
    assert [token.partition(":")[0] for token in three.anchors] == [
        "media",
        "words",
        "edl",
        "range",
        "written",
    ]


def test_a_decision_on_what_does_not_exist_is_refused(mind: Memory) -> None:
    """An unknown take, a span past the end or an unknown beat is an error, and nothing is written."""
    with pytest.raises(UnknownTake):
        mind.decide("x", take="C9")
    with pytest.raises(TimeError):
        mind.decide("x", take="C0103", span="50-70")
    with pytest.raises(TimeError):
        mind.decide("x", take="C0103", span="fifty")
    with pytest.raises(EdlError):
        mind.decide("x", beat="END")
    with pytest.raises(InputError, match="wants a text"):
        mind.note(" \n ")
    assert not mind.session.edit.exists()


def test_done_settles_what_is_outstanding(mind: Memory, tmp_path: Path) -> None:
    """An item is settled by its id, saved or not, once; another id is refused with the ids that there are."""
    logo = mind.todo("Logo")
    mind.persist()
    later = memory(tmp_path)
    music = later.todo("Music")
    assert later.done(music) == "Music"
    with pytest.raises(InputError, match=f"nothing outstanding has the id 'o-nope'; there are {logo}"):
        later.done("o-nope")
    assert later.done(logo.id, why="the client sent it") == "Logo"
    with pytest.raises(InputError):
        later.done(logo)
    assert [each.text for each in later.resume().outstanding if each.id == logo.id] == []
    later.persist()
    assert memory(tmp_path).show(logo.id) == Shown(logo.id, "outstanding", "Logo", "done", 1)


def test_an_item_without_an_id_is_done_by_its_place_and_its_words(mind: Memory) -> None:
    """The line of undecided ranges, which has no id, can be settled; the event carries its text's hash."""
    mind.note("x")
    mind.persist()
    (item,) = mind.resume().outstanding
    assert item.id == "o-1-1"
    mind.done(item.id)
    assert mind.resume().outstanding == ()
    section = mind.persist()
    assert section is not None
    assert " done o-1-1=" in section.text()


def test_an_id_that_two_entries_have_is_refused(mind: Memory) -> None:
    """A new event on an id found twice is an error."""
    mind.session.edit.mkdir(parents=True)
    mind.session.log_path.write_text(
        "## Session 1\n**Outstanding:**\n- a <!-- m o-aaaaa -->\n- b <!-- m o-aaaaa -->\n"
    )
    for name in ("o-aaaaa", "o-aaaaa~2"):
        with pytest.raises(InputError, match="two entries"):
            mind.done(name)


def test_the_last_strategy_said_is_the_sections(mind: Memory) -> None:
    """`strategy` may be said again; what was said last is kept, on one line."""
    mind.strategy("First idea")
    assert mind.strategy("Tight\nopening") == "Tight opening"
    section = mind.persist()
    assert section is not None
    assert section.strategy == "Tight opening"


def test_show_lists_and_finds(mind: Memory) -> None:
    """`show` lists what holds, `show --all` what ended too, `show ID` one entry; an unknown id is an error."""
    assert repr(mind.show()) == "nothing is remembered here yet"
    item = mind.todo("Logo")
    mind.done(item)
    assert repr(mind.show()) == "nothing is remembered here yet"
    assert repr(mind.show("--all")) == f"{item.id}  Logo  (outstanding, not saved yet, done)"
    assert repr(mind.show(item.id)).splitlines()[0] == repr(mind.show("--all"))
    with pytest.raises(InputError, match="no entry has the id"):
        mind.show("d-zzzzz")


def test_the_same_words_again_are_the_same_entry(mind: Memory, tmp_path: Path) -> None:
    """What is told twice with the same targets is one entry, in the open session and across sessions, until it ends."""
    first = mind.todo("Logo")
    assert mind.todo("Logo") == first
    decision = mind.decide("Use this line", take="C0103", span="2.60-5.00")
    assert mind.decide("Use this line", take="C0103", span="6.00-7.00").id != decision.id
    mind.persist()
    later = memory(tmp_path)
    assert later.todo("Logo").id == first.id
    assert later.resume().unsaved == ()
    later.done(first)
    assert later.todo("Logo").id != first.id


def test_the_same_decision_on_changed_words_is_a_confirmation(mind: Memory, tmp_path: Path) -> None:
    """Said again after the words changed, a decision is confirmed with new anchors, and stays the entry it was."""
    decision = mind.decide("Use this line", take="C0103", span="2.60-5.00")
    mind.persist()
    said = (("Ninety", "2.60", "2.90"), ("present", "2.95", "3.40"))
    later = Memory(session(tmp_path), takes=lambda: {"C0103": take("C0103", said)}, edl=lambda: None)
    later.decide("Use this line", take="C0103", span="2.60-5.00")
    section = later.persist()
    assert section is not None
    (event,) = section.fields["Decisions"]
    assert event.text == "Still right: “Use this line” (session 1)."
    assert event.mark is not None
    assert (event.mark.verb, event.mark.targets[0].id) == ("confirm", decision.id)
    assert event.mark.tokens != decision.anchors
    assert later.persist() is None


def test_a_todo_made_and_done_again_in_the_same_notebook_is_nothing_new(mind: Memory, tmp_path: Path) -> None:
    """A notebook that notes a task and does it gives no second section when it is run again."""
    for number, each in enumerate((mind, memory(tmp_path))):
        each.done(each.todo("Logo"))
        assert (each.persist() is None) is bool(number)
    assert memory(tmp_path).resume().unsaved == ()


def test_values_show_in_a_notebook(mind: Memory) -> None:
    """The brief and lists of entries have HTML with every word escaped, a section is markdown."""
    mind.todo("<b>Logo</b>")
    section = mind.persist()
    assert "&lt;b&gt;Logo&lt;/b&gt;" in mind.resume()._repr_html_()
    assert "&lt;b&gt;Logo&lt;/b&gt;" in mind.entries()._repr_html_()
    assert section is not None
    assert section._repr_markdown_().startswith("## Session 1")
