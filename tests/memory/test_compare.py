from __future__ import annotations

import shutil
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cutbook.edit.edl import Range
from cutbook.errors import EdlError, TimeError, UnknownTake
from cutbook.memory.verbs import Memory
from tests.launch import tree
from tests.memory.helpers import HOOK, Said, kept
from tests.memory.world import World, due, states

OTHER: Said = (("Eighty", "2.60", "2.90"), *HOOK[1:])
DEMO: Said = (("So", "14.50", "14.70"), ("we", "14.80", "15.00"), ("built", "15.10", "15.50"))
HOOK_RANGE = kept("r-hook1", "C0103", 2.52, 5.36, beat="HOOK", quote="Ninety percent is wasted.")
DEMO_RANGE = kept("r-demo1", "C0108", 14.28, 28.88, beat="DEMO", quote="So we built")


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Return a project of two takes and a cut of two ranges, kept as session 1."""
    made = World(tmp_path)
    made.film("C0103")
    made.film("C0108", said=DEMO)
    made.cut(HOOK_RANGE, DEMO_RANGE)
    made.persist()
    return made


def ids(world: World) -> dict[str, str]:
    """Give the ids of the decisions by their beat."""
    return {
        each.text.partition(" ")[0]: each.id for each in world.memory().entries() if each.kind == "decision"
    }


def test_what_nothing_happened_to_is_fresh(world: World) -> None:
    """After a session nothing needs review, and every decision is fresh."""
    mind = world.memory()
    assert mind.resume().needs_review == ()
    assert states(mind, *ids(world).values()) == ["fresh", "fresh"]


def test_a_changed_word_names_take_and_span_and_heals(world: World) -> None:
    """Cases 3 and 4: a word in the span changed needs review; the old transcript restored is fresh again, unwritten."""
    before = tree(world.footage)
    world.said["C0103"] = OTHER
    (cause,) = world.memory().resume().needs_review
    assert str(cause) == "transcript of C0103 was made again, 1 decision: `%memory confirm --cause 1`"
    (entry,) = cause.entries
    assert (entry.id, entry.reason) == (ids(world)["HOOK"], "words of C0103 2.52–5.36 are other now")
    assert (entry.before, entry.now) == ("Ninety percent is wasted.", "Eighty percent is wasted.")
    world.said["C0103"] = HOOK
    assert due(world.memory()) == {}
    assert tree(world.footage) == before


def test_words_changed_elsewhere_leave_everything_fresh(world: World) -> None:
    """Case 5: a word before, after or between the ranges is nobody's business."""
    world.said["C0103"] = (("Well,", "0.10", "0.50"), *HOOK, ("bye", "5.40", "5.90"))
    assert due(world.memory()) == {}


def test_how_files_are_written_does_not_matter(world: World) -> None:
    """Case 6: log-probabilities, speakers, and edl.json laid out anew with other ids, beats and order: fresh."""
    world.by_hand(lambda found: found["ranges"].reverse())

    def dress(found: dict[str, Any]) -> None:
        for number, each in enumerate(found["ranges"]):
            each.update(id=f"r-0000{number}", beat="", reason="", words=None)
            each["frames"] = [each["frames"][0] - 1, each["frames"][1] + 1]
            each.update(start=each["frames"][0] / 25, end=each["frames"][1] / 25)

    world.by_hand(dress)
    assert due(world.memory()) == {}


def test_another_engine_flags_nothing(world: World) -> None:
    """Case 22: 20 ms later, with other punctuation and case, the words are the same words."""
    later = [(text.upper() + "…", str(Fraction(a) + Fraction(1, 50)), str(Fraction(b) + Fraction(1, 50)))
             for text, a, b in HOOK]  # fmt: skip
    world.said["C0103"] = later
    assert due(world.memory()) == {}


def test_a_renamed_take_has_moved_and_is_carried_along(world: World) -> None:
    """Case 7: another name for the file needs no review, its words and its range go with it, and copies do no harm."""
    world.rename("C0103", "opening")
    mind = world.memory()
    assert due(mind) == {}
    assert states(mind, ids(world)["HOOK"]) == ["moved"]
    shutil.copy(world.footage / "opening.mp4", world.footage / "copy.mp4")
    assert states(world.memory(), ids(world)["HOOK"]) == ["moved"]
    world.said["opening"] = OTHER
    (cause,) = world.memory().resume().needs_review
    assert cause.what == "transcript of opening was made again"


def test_another_file_under_the_old_name_says_where_the_old_one_is(world: World) -> None:
    """Case 7: the old name on another file is a change, and the message names the file that has the content."""
    world.rename("C0103", "opening")
    world.film("C0103", content="a retake, which is longer")
    assert due(world.memory()) == {ids(world)["HOOK"]: "C0103 is another file now; the old one is opening"}
    world.film("C0103", content="another retake")
    (world.footage / "opening.mp4").unlink()
    assert due(world.memory()) == {ids(world)["HOOK"]: "C0103 is another file now"}


def test_a_file_of_the_same_size_is_told_apart(world: World) -> None:
    """Other bytes of the same number are another file."""
    content = (world.footage / "C0103.mp4").read_text()
    world.film("C0103", content=content[::-1])
    assert due(world.memory()) == {ids(world)["HOOK"]: "C0103 is another file now"}


def test_a_replaced_take_touches_its_decisions_alone_whatever_becomes_of_the_cut_list(world: World) -> None:
    """A range that the new file cannot have spoils only itself: the others are compared as ever."""
    world.film("C0103", content="short")
    world.by_hand(lambda found: found["ranges"][0].update(end=9999, frames=[63, 249975]))
    assert due(world.memory()) == {ids(world)["HOOK"]: "C0103 is another file now"}


def test_a_deleted_source_needs_review_and_comes_back(world: World) -> None:
    """Case 8: one file gone needs review, and is fresh when it is back; with all media away everything is offline."""
    path = world.footage / "C0103.mp4"
    content = path.read_text()
    path.unlink()
    assert due(world.memory()) == {ids(world)["HOOK"]: "C0103 is gone"}
    (cause,) = world.memory().resume().needs_review
    assert cause.command == f"%memory abandon {ids(world)['HOOK']} --why …"
    path.write_text(content)
    assert states(world.memory(), *ids(world).values()) == ["fresh", "fresh"]
    for each in world.footage.glob("*.mp4"):
        each.rename(each.with_suffix(".away"))
    assert due(world.memory()) == {}
    assert states(world.memory(), *ids(world).values()) == ["offline", "offline"]


def test_a_take_whose_folder_is_gone_is_offline(world: World) -> None:
    """Footage on a card that is not there now is away, not lost."""
    name = ids(world)["HOOK"]
    (world.footage / "C0103.mp4").unlink()
    places = {"C0103": world.base / "card" / "C0103.mp4"}
    mind = Memory(world.memory().session, takes=world.takes, edl=lambda: None, missing=lambda: places)
    assert states(mind, name) == ["offline"]
    assert due(mind) == {}


def test_a_deleted_file_behind_a_link_is_missing(world: World) -> None:
    """A footage folder that is reached by a link is the same folder: what was deleted in it is gone, not away."""
    name = ids(world)["HOOK"]
    link = world.base / "link"
    link.symlink_to(world.footage)
    (world.footage / "C0103.mp4").unlink()
    places = {"C0103": link / "C0103.mp4"}
    mind = Memory(world.memory().session, takes=world.takes, edl=lambda: None, missing=lambda: places)
    assert states(mind, name) == ["missing"]


def test_a_decision_on_what_does_not_exist_is_refused(world: World) -> None:
    """Case 9: unknown take, span past the end, unknown beat: errors, and neither log nor open session changes."""
    before = tree(world.footage)
    mind = world.memory()
    with pytest.raises(UnknownTake):
        mind.decide("x", take="C9")
    with pytest.raises(TimeError):
        mind.decide("x", take="C0103", span="59-61")
    with pytest.raises(EdlError):
        mind.decide("x", beat="END")
    assert tree(world.footage) == before


def test_a_range_rejected_by_hand_needs_review_and_one_rejected_in_cutbook_does_not(world: World) -> None:
    """Case 21: the hand edit asks; cutbook's own rejection supersedes the decision, at once and once kept."""
    name = ids(world)["HOOK"]
    world.by_hand(lambda found: found["ranges"][0].update(status="rejected"))
    (cause,) = world.memory().resume().needs_review
    assert cause.what == "the cut list was changed outside cutbook"
    assert due(world.memory()) == {name: "HOOK is rejected in the cut list"}
    world.by_hand(lambda found: found["ranges"][0].update(status="undecided"))
    assert due(world.memory()) == {}
    world.cut(replace(HOOK_RANGE, status="rejected"), DEMO_RANGE, by="reject", why="tired the audience")
    for _ in range(2):
        assert due(world.memory()) == {}
        shown = world.memory().show(name)
        assert getattr(shown, "state", None) == "superseded"
        world.memory().persist()


def test_a_rejection_is_in_doubt_when_its_take_changes_and_not_when_it_goes(world: World) -> None:
    """What was left out is out all the same when its file or its words are gone; another file is worth a look."""
    world.cut(replace(HOOK_RANGE, status="rejected"), DEMO_RANGE, by="reject", why="slow")
    world.persist()
    (out,) = (each for each in world.memory().entries() if each.text.startswith("No longer: “HOOK"))
    film = world.footage / "C0103.mp4"
    kept_aside = film.rename(world.base / "aside")
    assert due(world.memory()) == {}
    kept_aside.rename(film)
    world.said["C0103"] = None
    assert due(world.memory()) == {}
    world.film("C0103", "another film altogether")
    assert due(world.memory()) == {out.id: "C0103 is another file now"}


def test_a_second_use_of_a_passage_asks_nothing_before_it_is_kept_either(world: World) -> None:
    """What the open session will not end is not ended in any answer before: the cut list is looked at for both."""
    hook = ids(world)["HOOK"]
    again = kept("r-again", "C0103", 2.52, 5.36, beat="CODA", quote="Ninety percent is wasted.")
    world.cut(HOOK_RANGE, DEMO_RANGE, again)
    world.cut(HOOK_RANGE, DEMO_RANGE, replace(again, status="rejected"), by="reject")
    before = [each.state for each in world.memory().entries(all=True) if each.id == hook]
    world.persist()
    after = [each.state for each in world.memory().entries(all=True) if each.id == hook]
    assert (before, after) == (["live"], ["live"])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda found: found["ranges"].pop(0), "HOOK is not in the cut list now"),
        (
            lambda found: found["ranges"][0].update(start=3.44, end=5.36, frames=[86, 134]),
            "HOOK is cut otherwise now: C0103 3.44–5.36",
        ),
        (lambda found: found.clear(), "the cut list is gone or cannot be read, and HOOK with it"),
    ],
)
def test_a_cut_changed_behind_our_back_needs_review(world: World, change: Any, reason: str) -> None:
    """A range taken out, moved onto other words, or a list that is none any more: each says what happened."""
    world.by_hand(change)
    assert due(world.memory())[ids(world)["HOOK"]] == reason


def test_any_range_that_has_the_words_will_do(world: World) -> None:
    """A second range with the same words keeps the decision fresh when the first goes."""
    twin = replace(HOOK_RANGE, id="r-twin1", beat="RECAP")
    world.cut(HOOK_RANGE, DEMO_RANGE, twin)
    world.persist()
    world.by_hand(lambda found: found["ranges"].pop(0))
    assert due(world.memory()) == {}


def test_a_cut_made_before_the_words_were_there_stays_fresh(tmp_path: Path) -> None:
    """A range of a take without transcript is no other range because the take was transcribed since."""
    world = World(tmp_path)
    world.film("C0103", said=None)
    world.cut(HOOK_RANGE)
    world.persist()
    world.said["C0103"] = HOOK
    assert due(world.memory()) == {}


def test_words_that_are_gone_are_missing_not_changed(world: World) -> None:
    """A take without its transcript says how to get it back."""
    world.said["C0103"] = None
    assert list(due(world.memory()).values()) == [
        "C0103 has no words now; %transcribe C0103 brings them back (C0103 2.52–5.36)"
    ]


def test_a_hash_that_is_none_is_unanchored(world: World) -> None:
    """A damaged hash makes the entry unanchored, whatever else it names, and is never "changed"."""
    path = world.edit / "project.md"
    (world.edit / "session.jsonl").unlink()
    path.write_bytes(
        b"## Session 1\n**Decisions:**\n"
        b"- a <!-- m d-aaaaa media:C0103=1.000000000000 words:C0103#2.52-5.36=nothing -->\n"
        b"- b <!-- m d-bbbbb media:C0103=unknown -->\n- c <!-- m d-ccccc -->\n- d\n"
    )
    mind = world.memory()
    assert states(mind, "d-aaaaa", "d-bbbbb", "d-ccccc", "d-1-4") == ["unanchored"] * 4
    assert due(mind) == {}


def test_one_reason_an_entry_files_before_words_before_the_cut(world: World) -> None:
    """Where everything changed at once, the file is the reason."""
    world.said["C0103"] = OTHER
    world.by_hand(lambda found: found["ranges"].pop(0))
    assert due(world.memory()) == {ids(world)["HOOK"]: "words of C0103 2.52–5.36 are other now"}
    world.film("C0103", content="a retake", said=OTHER)
    assert due(world.memory()) == {ids(world)["HOOK"]: "C0103 is another file now"}


def test_a_corrected_word_says_so_with_the_words_then_and_now(world: World) -> None:
    """A word put right in corrections.md is its own cause; the words as they were heard are known."""
    world.fixes["C0103"] = {"Ninety": "Nineteen"}
    (cause,) = world.memory().resume().needs_review
    assert cause.what == "words of C0103 were put right in corrections.md"
    assert (cause.entries[0].before, cause.entries[0].now) == (
        "Ninety percent is wasted.",
        "Nineteen percent is wasted.",
    )


def test_an_abandoned_entrys_source_asks_nobody(world: World) -> None:
    """Case 13: what ended is never flagged, counted or compared, whatever becomes of its footage."""
    name = ids(world)["HOOK"]
    world.memory().abandon(name, why="tired the audience")
    world.film("C0103", content="a retake")
    for _ in range(2):
        assert due(world.memory()) == {}
        assert states(world.memory(), name) == [""]
        world.memory().persist()


def films(world: World, count: int) -> list[Range]:
    """Make takes and one range of each."""
    for number in range(count):
        said = [(f"word{number}a", "2.60", "2.90"), (f"word{number}b", "3.40", "3.90")]
        world.film(f"T{number:02d}", said=said)
    return [kept(f"r-{number:05d}", f"T{number:02d}", 2, 6, beat=f"B{number:02d}") for number in range(count)]


def test_own_edits_over_ten_sessions_ask_for_nothing_and_a_replaced_take_for_its_own(tmp_path: Path) -> None:
    """Case 23: 15 ranges, five trims a session, ten sessions, none to review; then exactly the replaced take's."""
    world = World(tmp_path)
    ranges = films(world, 15)
    world.cut(*ranges)
    world.persist()
    for number in range(1, 11):
        for step in range(5):
            place = (number * 5 + step) % 15
            first, last = ranges[place].frames
            ranges[place] = replace(ranges[place], frames=(first + 1, max(last - 20, first + 13)))
            world.cut(*ranges, by="trim")
            if step == 2:
                assert due(world.memory()) == {}
        world.persist()
        assert due(world.memory()) == {}
    world.film("T03", content="a retake of the third")
    mine = {each.id for each in world.memory().entries() if "T03 " in each.text and each.state == "live"}
    assert len(mine) == 1
    assert due(world.memory()) == dict.fromkeys(mine, "T03 is another file now")


def test_reading_writes_nothing_and_the_cache_answers_nothing(world: World) -> None:
    """Bytes and times stay through every read; without edit/cache the answers are the same."""
    (world.edit / "cache").mkdir()
    (world.edit / "cache" / "x").write_text("x")
    world.said["C0103"] = OTHER
    before = tree(world.footage)

    def answers() -> tuple[str, ...]:
        mind = world.memory()
        found = (mind.resume(), mind.show(), mind.entries(all=True), mind.show(ids(world)["HOOK"]))
        return (*map(repr, (*found, mind.tidy(), mind.doctor())), mind.show()._repr_html_())

    said = answers()
    assert tree(world.footage) == before
    shutil.rmtree(world.edit / "cache")
    assert answers() == said


def test_what_moved_is_shown_with_its_new_name(tmp_path: Path) -> None:
    """A decision on a take that was renamed says what the take is called now."""
    world = World(tmp_path)
    world.film("C0107")
    name = world.memory().decide("Warm ending", take="C0107").id
    world.memory().persist()
    world.rename("C0107", "warm")
    assert "moved: C0107 is warm now" in repr(world.memory().show(name))
