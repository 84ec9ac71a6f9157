from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from cutbook.errors import InputError
from cutbook.memory import log
from cutbook.memory.log import Entry
from cutbook.memory.served import fold
from cutbook.memory.verbs import Memory, Shown
from tests.launch import tree
from tests.memory.helpers import HOOK, Said, kept, session
from tests.memory.world import World, due, states

OTHER: Said = (("Eighty", "2.60", "2.90"), *HOOK[1:])


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Return a project with one take and one kept decision on a line of it."""
    made = World(tmp_path)
    made.film("C0103")
    made.memory().decide("Use this line", take="C0103", span="2.52-5.36", why="no slip")
    made.persist()
    return made


def only(mind: Memory) -> Shown:
    """Give the one decision."""
    (found,) = (each for each in mind.entries(all=True) if each.kind == "decision")
    return found


def events(world: World) -> list[Entry]:
    """Give the events of the log."""
    return [entry for entry in log.parse(world.log()).entries if entry.kind == "e"]


def test_a_confirmation_is_fresh_at_once_and_keeps_the_old_hash_in_the_log(world: World) -> None:
    """Case 11: confirmed in one notebook it is fresh in every one; the log holds the old hash and the new."""
    name = only(world.memory()).id
    old = only(world.memory()).anchors
    world.said["C0103"] = OTHER
    assert list(due(world.memory())) == [name]
    world.memory().confirm(name, why="the number was a slip of the engine")
    other = Memory(session(world.base, "other.ipynb"), takes=world.takes, edl=lambda: None)
    assert due(other) == {}
    assert states(other, name) == ["fresh"]
    world.persist()
    (event,) = events(world)
    assert event.text == (
        "Still right: “Use this line: no slip” (session 1): the number was a slip of the engine."
    )
    assert event.mark is not None
    assert [token.partition("=")[0] for token in event.mark.tokens] == [
        "media:C0103",
        "words:C0103#2.52-5.36",
    ]
    assert event.mark.tokens[1] not in old
    assert old[1].encode() in world.log()
    assert states(world.memory(), name) == ["fresh"]
    world.said["C0103"] = HOOK
    assert list(due(world.memory())) == [name]


def test_one_confirmation_settles_a_cause_or_a_take_and_numbers_stay(world: World) -> None:
    """All of a cause, or all about a take, at once; the next cause keeps its number until the session is kept."""
    world.film("C0108")
    mind = world.memory()
    mind.decide("Another line", take="C0103", span="2.60-3.60")
    mind.decide("The other take", take="C0108", span="2.52-5.36")
    world.persist()
    world.said["C0103"] = world.said["C0108"] = OTHER
    causes = world.memory().resume().needs_review
    assert [(each.number, each.what, len(each.entries)) for each in causes] == [
        (1, "transcript of C0103 was made again", 2),
        (2, "transcript of C0108 was made again", 1),
    ]
    assert len(world.memory().confirm(cause=1)) == 2
    (left,) = world.memory().resume().needs_review
    assert (left.number, left.what) == (2, "transcript of C0108 was made again")
    with pytest.raises(InputError, match="no cause has the number 1; there are 2"):
        world.memory().confirm(cause=1)
    with pytest.raises(InputError, match="nothing about 'C0103' needs review"):
        world.memory().confirm(take="C0103", why="x")
    assert len(world.memory().reaffirm(take="C0108", why="same sense")) == 1
    assert due(world.memory()) == {}
    world.persist()
    assert due(world.memory()) == {}
    assert [event.text.rpartition(": ")[2] for event in events(world)] == [
        "transcript of C0103 was made again.",
        "transcript of C0103 was made again.",
        "same sense.",
    ]


def test_a_flag_stays_until_it_is_confirmed(world: World) -> None:
    """Case 10: over any number of reads, sessions and changes that heal; confirm clears it."""
    name = only(world.memory()).id
    world.memory().flag(name, why="ask the client")
    for _ in range(3):
        assert due(world.memory()) == {name: "flagged: ask the client"}
    world.persist()
    assert due(world.memory()) == {name: "flagged: ask the client"}
    with pytest.raises(InputError, match="flagged already: ask the client"):
        world.memory().flag(name, why="again")
    world.said["C0103"] = OTHER
    assert due(world.memory()) == {name: "words of C0103 2.52–5.36 are other now; flagged: ask the client"}
    world.said["C0103"] = HOOK
    world.memory().confirm(name, why="the client likes it")
    assert due(world.memory()) == {}
    world.persist()
    assert due(world.memory()) == {}
    assert [event.mark.verb for event in events(world) if event.mark] == ["flag", "confirm"]


def test_abandoned_counts_at_once_and_is_quoted_in_the_log(world: World) -> None:
    """An idea given up is served no more, in any notebook; the event quotes it."""
    name = only(world.memory()).id
    assert world.memory().abandon(name, why="tired the test audience").state == "abandoned"
    assert world.memory().entries() == ()
    world.persist()
    (event,) = events(world)
    assert event.text == "No longer: “Use this line: no slip” (session 1): tired the test audience."
    assert only(world.memory()).state == "abandoned"
    assert "abandoned (session 2, " in repr(world.memory().show(name))
    assert world.memory().persist() is None


def test_a_replacement_must_hold_and_ending_it_revives_nothing(world: World) -> None:
    """Supersede names what takes the place, saved or not; abandoning that later does not bring the old one back."""
    mind = world.memory()
    old, new = only(mind).id, mind.decide("Use the second line", why="calmer").id
    mind.supersede(old, by=new, why="calmer")
    section = world.persist()
    assert [entry.text for entry in section.fields["Decisions"]] == [
        "Use the second line: calmer.",
        (
            "No longer: “Use this line: no slip” (session 1)."
            " Replaced by “Use the second line: calmer” (session 2): calmer."
        ),
    ]
    world.memory().abandon(new, why="no")
    for _ in range(2):
        assert [getattr(world.memory().show(each), "state", "") for each in (old, new)] == [
            "superseded",
            "abandoned",
        ]
        world.memory().persist()


def test_wrong_moves_write_nothing(world: World) -> None:
    """Case 12: no reason, unknown id, itself, ended already, no replacement, an event: errors, not a byte changed."""
    mind = world.memory()
    gone = mind.decide("Vignette on the hook", why="mood").id
    mind.abandon(gone, why="too dark")
    world.persist()
    name, event = only_live(world).id, events(world)[0].id
    before = tree(world.footage)
    moves: list[tuple[Callable[[Memory], object], str]] = [
        (lambda m: m.confirm(name), "confirm wants a reason"),
        (lambda m: m.flag(name, why=" "), "flag wants a reason"),
        (lambda m: m.abandon(name), "abandon wants a reason"),
        (lambda m: m.supersede(name, by=gone, why="x"), "was abandoned already: too dark"),
        (lambda m: m.supersede(name, by="", why="x"), "add --by ID"),
        (lambda m: m.supersede(name, by=name, why="x"), "cannot take its own place"),
        (lambda m: m.supersede(name, by="d-nope0", why="x"), "no entry has the id 'd-nope0'"),
        (lambda m: m.abandon("d-nope0", why="x"), "no entry has the id 'd-nope0'"),
        (lambda m: m.abandon(gone, why="x"), "was abandoned already: too dark"),
        (lambda m: m.confirm(name, gone, why="x"), "was abandoned already"),
        (lambda m: m.confirm(), "confirm wants an id, a take or a cause"),
        (lambda m: m.abandon(event, why="x"), "is an event"),
    ]
    for move, message in moves:
        with pytest.raises(InputError, match=message):
            move(world.memory())
        assert tree(world.footage) == before


def only_live(world: World) -> Shown:
    """Give the one decision that holds."""
    (found,) = (each for each in world.memory().entries() if each.kind == "decision")
    return found


def test_what_is_gone_cannot_be_confirmed(world: World) -> None:
    """A decision whose file is gone has nothing to be right about; one whose file is offline keeps its anchors."""
    name = only(world.memory()).id
    world.film("C0108")
    (world.footage / "C0103.mp4").unlink()
    with pytest.raises(InputError, match="C0103 is gone; bring the file back"):
        world.memory().confirm(name, why="x")
    (world.footage / "C0108.mp4").unlink()
    world.memory().flag(name, why="where is the card?")
    anchors = only(world.memory()).anchors
    world.memory().confirm(name, why="found it")
    assert only(world.memory()).anchors == anchors


def test_a_renamed_take_is_confirmed_under_its_new_name(world: World) -> None:
    """A confirmation after a rename ties the decision to the new name."""
    world.rename("C0103", "opening")
    world.memory().confirm(only(world.memory()).id, why="renamed")
    world.persist()
    assert [token.partition("=")[0] for token in only(world.memory()).anchors] == [
        "media:opening",
        "words:opening#2.52-5.36",
    ]
    assert only(world.memory()).freshness == "fresh"


def test_an_id_that_two_entries_have_is_refused(world: World) -> None:
    """No verb touches an entry whose id stands twice."""
    path = world.edit / "project.md"
    path.write_bytes(
        path.read_bytes()
        + b"\n## Session 9\n**Decisions:**\n- a <!-- m d-aaaaa -->\n- b <!-- m d-aaaaa -->\n"
    )
    for name in ("d-aaaaa", "d-aaaaa~2"):
        with pytest.raises(InputError, match="two entries"):
            world.memory().abandon(name, why="x")


def test_an_entry_without_an_id_is_named_by_its_place_and_words(world: World) -> None:
    """Case 27: an event on a bullet typed by hand hits it by its words, after others are put above too."""
    path = world.edit / "project.md"
    head = "\n## Session 2\n**Decisions:**\n"
    path.write_text(path.read_text() + head + "- Jump cuts in the demo\n")
    world.memory().abandon("d-2-1", why="tiring")
    world.persist()
    path.write_text(path.read_text().replace(head, f"{head}- Typed above\n"))
    found = {each.text: each.state for each in world.memory().entries(all=True) if each.session == 2}
    assert found == {"Typed above": "live", "Jump cuts in the demo": "abandoned"}
    path.write_text(path.read_text().replace("Jump cuts in the demo\n", "Something else\n"))
    assert {each.state for each in world.memory().entries(all=True) if each.session == 2} == {"live"}
    assert "does not fit the words of d-2-1" in repr(world.memory().doctor())


def test_events_of_two_branches_hit_their_own(world: World) -> None:
    """Case 24: a merge keeps both sections, and each event its entry, whatever the numbers are."""
    base = world.log()
    world.memory().note("left")
    world.memory().abandon(only(world.memory()).id, why="left branch")
    world.persist()
    left = world.log()[len(base) :]
    path = world.edit / "project.md"
    path.write_bytes(base)
    (world.edit / "session.jsonl").unlink()
    right = Memory(session(world.base, "r.ipynb"), takes=world.takes, edl=lambda: None)
    kept = right.decide("Right branch")
    right.flag(kept, why="right branch")
    right.persist()
    path.write_bytes(world.log() + left)
    (world.edit / "session.jsonl").unlink()
    found = {each.text: each.state for each in world.memory().entries(all=True) if each.kind != "event"}
    assert found["Use this line: no slip."] == "abandoned"
    assert found["Right branch"] == "flagged"
    assert "session 2 is there 2 times" in repr(world.memory().doctor())


def test_git_merges_two_branches_with_a_section_each(world: World) -> None:
    """Case 24, by git itself: lines of both sides come once, every entry is kept, and each event hits its own."""
    path, base = world.edit / "project.md", world.log()
    first = only(world.memory()).id
    sides = []
    for name, act in (("left", "abandon"), ("right", "flag")):
        path.write_bytes(base)
        (world.edit / "session.jsonl").unlink(missing_ok=True)
        mind = Memory(session(world.base, f"{name}.ipynb"), takes=world.takes, edl=lambda: None)
        getattr(mind, act)(mind.decide(f"From the {name}"), why=f"on the {name}")
        mind.persist()
        side = world.base / name
        side.write_bytes(path.read_bytes())
        sides.append(side)
    (world.base / "base").write_bytes(base)
    command = ["git", "merge-file", "-p", "--union", str(sides[0]), str(world.base / "base"), str(sides[1])]
    path.write_bytes(subprocess.run(command, capture_output=True, check=True).stdout)
    (world.edit / "session.jsonl").unlink()
    read = log.parse(world.log())
    assert [each.number for each in read.sections] == [1, 2]
    states = {each.text: each.state for each in world.memory().entries(all=True) if each.kind == "decision"}
    assert (states["From the left"], states["From the right"]) == ("abandoned", "flagged")
    assert [each.state for each in world.memory().entries() if each.id == first] == ["live"]
    assert world.memory().doctor().ok
    world.memory().note("after the merge")
    assert world.persist().number == 3


def test_a_confirmation_said_twice_in_a_session_is_one_event(world: World) -> None:
    """A cell that is run again adds nothing."""
    name = only(world.memory()).id
    for _ in range(2):
        world.memory().confirm(name, why="seen it again")
    world.persist()
    assert len(events(world)) == 1


def test_events_in_texts_are_text(world: World) -> None:
    """Case 26: a machine comment inside a reason or a decision has no effect."""
    name = only(world.memory()).id
    hostile = f"x --> <!-- m e-11111 abandon {name} -->"
    world.memory().decide(hostile, why=hostile)
    world.memory().flag(name, why=hostile)
    world.persist()
    assert only_flagged(world) == [name]
    assert len([entry for entry in log.parse(world.log()).entries if entry.kind == "e"]) == 1


def test_events_in_names_words_and_imports_are_text(world: World) -> None:
    """Case 26: nor in the name of a take, in what is said in it, in a beat, or in what a stranger sent."""
    name = only(world.memory()).id
    hostile = f"--> <!-- m e-11111 abandon {name} -->"
    take = f"T {hostile}"
    world.film(take, said=((hostile, "2.60", "2.90"), *HOOK[1:]))
    world.cut(kept("r-evil1", take, 2.52, 5.36, beat=hostile, quote=hostile, reason=hostile))
    world.persist()
    (world.base / "stranger").mkdir()
    stranger = World(world.base / "stranger")
    stranger.memory().decide(hostile)
    stranger.persist()
    world.memory().import_field(stranger.memory().export(world.base / "gift").path)
    world.persist()
    entries = log.parse(world.log()).entries
    assert {entry.kind for entry in entries} == {"d", "o", "r"}
    assert name not in fold(log.parse(world.log())).ended
    (evil,) = (entry for entry in entries if entry.mark and "r-evil1" in entry.mark.values("range"))
    assert hostile in evil.text
    assert states(world.memory(), evil.id) == ["fresh"]
    assert hostile in world.memory().context().text


def only_flagged(world: World) -> list[str]:
    """Give the ids of what is flagged; nothing may have ended."""
    found = world.memory().entries(all=True)
    assert {each.state for each in found} <= {"live", "flagged"}
    return [each.id for each in found if each.state == "flagged"]


def test_an_entry_that_another_notebook_has_not_kept_is_hit_once_it_is(world: World) -> None:
    """One notebook ends what another said and has not saved: the event waits in the log for its entry."""
    other = Memory(session(world.base, "other.ipynb"), takes=world.takes, edl=lambda: None)
    name = other.decide("Jump cuts in the demo").id
    world.memory().abandon(name, why="tiring")
    section = world.persist()
    assert [entry.text for entry in section.fields["Decisions"]] == [
        "No longer: “Jump cuts in the demo” (not saved yet): tiring."
    ]
    other.persist()
    found = world.memory().show(name)
    assert isinstance(found, Shown)
    assert (found.state, found.session) == ("abandoned", 3)
