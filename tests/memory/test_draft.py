from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cutbook.edit.edl import Edl, Range
from cutbook.memory import draft as drafting
from cutbook.memory import log
from cutbook.memory.anchors import range_tokens, words_anchor
from cutbook.memory.changes import range_changes
from cutbook.memory.log import Entry, Section
from cutbook.memory.served import State, fold
from cutbook.memory.session import Session
from cutbook.timebase import Span
from tests.memory.helpers import edl, kept, session, take

TAKES = {name: take(name, size=number) for number, name in enumerate(("C0101", "C0103", "C0108"), start=100)}
HOOK = kept("r-hook1", "C0103", 2.52, 5.36, beat="HOOK", quote="Ninety percent is wasted.", reason="no slip")
DEMO = kept("r-demo1", "C0108", 14.28, 28.88, beat="DEMO", quote="So um we built a thing.")
AIR = kept("r-air11", "C0101", 1, 3)


class Cutter:
    """Changes a cut list session after session, and tells the open session as the project does."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.edl: Edl | None = None
        self.work = session(base)

    def act(self, kind: str, *ranges: Range, **facts: Any) -> None:
        """Put these ranges in place of the cut list."""
        after = edl(*ranges)
        self.work.note(kind, changes=range_changes(self.edl, after, TAKES), **facts)
        self.edl = after

    def persist(self, **given: Any) -> Section | None:
        """Persist, and start over as the next notebook would."""
        section = drafting.persist(self.work, edl=self.edl, **given)
        self.work = session(self.base)
        return section

    @property
    def state(self) -> State:
        """What holds by the log."""
        read = log.read(self.work.log_path)
        assert read is not None
        return fold(read)


@pytest.fixture
def cutter(tmp_path: Path) -> Cutter:
    """Return a cutter on a project that nothing is known of."""
    return Cutter(tmp_path)


def words(section: Section | None, field: str = "Decisions") -> list[str]:
    """Give the words of a field's entries."""
    assert section is not None
    return [entry.text for entry in section.fields.get(field, ())]


def superseded(entry: Entry) -> tuple[str, ...]:
    """Name what an entry replaces."""
    return entry.mark.values("supersedes") if entry.mark else ()


def test_a_session_reads_like_minutes(cutter: Cutter) -> None:
    """The four fields are filled from what was done: a summary, a decision a range, the notes, and what is left."""
    cutter.work.note("transcribe", takes=list(TAKES))
    cutter.act("cut", HOOK, DEMO, AIR, why="a new cut list")
    cutter.work.note("render", file="preview.mp4", encoded=3, seconds=19.44, ok=True, findings=[])
    cutter.work.note("note", entry="r-aaaaa", text="Room tone from C0101.")
    cutter.work.note("todo", entry="o-aaaaa", text="End card needs the new logo.")
    section = cutter.persist()
    assert section is not None
    said = [line.partition(" <!--")[0] for line in section.text().splitlines()]
    assert "\n".join(said) == (
        "## Session 1 — 2026-11-30\n"
        "\n"
        "**Strategy:** Transcribed 3 takes, cut 3 ranges from 3 takes"
        " and rendered preview.mp4 (00:19), which passed its check.\n"
        "\n"
        "**Decisions:**\n"
        "- HOOK is C0103 2.52–5.36 “Ninety percent is wasted.”: no slip.\n"
        "- DEMO is C0108 14.28–28.88 “So um we built a thing.”\n"
        "- C0101 1.00–3.00 is in.\n"
        "\n"
        "**Reasoning log:**\n"
        "- Room tone from C0101.\n"
        "\n"
        "**Outstanding:**\n"
        "- End card needs the new logo.\n"
        "- 3 of 3 ranges are undecided: HOOK, DEMO, C0101 (`%review`)."
    )
    assert section.mark is not None
    assert section.mark.id == "s-1"
    assert section.mark.values("upto") == (cutter.work.events()[-1].id,)
    first = section.entries[0]
    assert first.mark is not None
    assert [token.partition("=")[0] for token in first.mark.tokens] == [
        "media:C0103", "words:C0103#2.52-5.36", "edl:HOOK", "range:r-hook1",
    ]  # fmt: skip


def test_nothing_happened_writes_nothing(cutter: Cutter) -> None:
    """Without an event, and with none that matters, there is no section and no file."""
    assert cutter.persist() is None
    cutter.work.note("check", file="final.mp4", ok=True, findings=[])
    cutter.work.note("render", file="final.mp4", ok=True, findings=[], encoded=0)
    assert cutter.persist() is None
    assert not cutter.work.edit.exists()


def test_the_same_notebook_run_twice_gives_one_section(cutter: Cutter) -> None:
    """Cutting, tightening, noting and deciding the same again ends where it began: nothing new is written."""

    def run() -> Section | None:
        cutter.work.note("strategy", text="Tight opening.")
        whole = replace(DEMO, id=f"r-{len(cutter.work.events()):05d}")
        cutter.act("cut", HOOK, whole)
        first = replace(whole, frames=(357, 400))
        cutter.act(
            "tighten",
            HOOK,
            first,
            replace(whole, id=f"{whole.id}x", frames=(410, 722)),
            removed=[{"what": "um"}],
        )
        cutter.work.note("note", entry="r-aaaaa", text="The fan was on.")
        cutter.work.note(
            "decide",
            entry="d-aaaaa",
            text="Warm grade",
            why="green light",
            anchors=["media:C0103=1.0123456789ab"],
        )
        cutter.work.note("todo", entry="o-aaaaa", text="Logo")
        cutter.work.note("render", file="preview.mp4", encoded=0, ok=False, findings=["late"])
        return cutter.persist()

    assert run() is not None
    before = cutter.work.log_path.read_bytes()
    assert run() is None
    assert cutter.work.log_path.read_bytes() == before


def test_changes_of_a_range_collapse_to_where_it_ended(cutter: Cutter) -> None:
    """Three trims of one range are one decision on its last state; what was undone is none."""
    cutter.act("cut", HOOK, DEMO)
    for start in (60, 61, 62):
        cutter.act("trim", replace(HOOK, frames=(start, 134)), DEMO, why=f"in point {start}")
    assert words(cutter.persist()) == [
        "HOOK is C0103 2.48–5.36 “Ninety percent is wasted.” (trimmed): no slip; in point 62.",
        "DEMO is C0108 14.28–28.88 “So um we built a thing.”",
    ]
    cutter.act("trim", replace(HOOK, frames=(70, 134)), DEMO)
    cutter.act("undo", replace(HOOK, frames=(62, 134)), DEMO)
    assert cutter.persist() is None


def test_added_and_dropped_in_one_session_is_no_decision(cutter: Cutter) -> None:
    """A range that came and went before the session ended leaves no trace."""
    cutter.act("cut", HOOK)
    cutter.act("cut", HOOK, DEMO)
    cutter.act("undo", HOOK)
    assert [text[:4] for text in words(cutter.persist())] == ["HOOK"]


def test_a_tightened_range_is_one_decision_with_its_pieces(cutter: Cutter) -> None:
    """What one range was cut into shares a decision, which replaces the one on the whole range."""
    cutter.act("cut", HOOK, DEMO)
    first = cutter.persist()
    assert first is not None
    parts = (
        replace(DEMO, frames=(357, 400), quote="So"),
        replace(DEMO, id="r-demo2", frames=(410, 722), quote="we built a thing."),
    )
    cutter.act(
        "tighten",
        HOOK,
        *parts,
        removed=[{"what": "um"}, {"what": "pause of 0.80 s"}],
        why="fillers and pauses",
    )
    section = cutter.persist()
    assert section is not None
    assert section.strategy == "Changed 1 range and took out 1 filler and 1 pause."
    (decision,) = section.fields["Decisions"]
    assert decision.text == (
        "DEMO is C0108 14.28–16.00, 16.40–28.88 “So … we built a thing.” (tightened)."
        " Replaces “DEMO is C0108 14.28–28.88” (session 1)."
    )
    assert superseded(decision) == (first.entries[1].id,)
    assert decision.mark is not None
    assert decision.mark.values("range") == ("r-demo1", "r-demo2")


def test_own_changes_end_the_decisions_on_their_range_session_after_session(cutter: Cutter) -> None:
    """After ten sessions of trims, one decision a range is live: the last."""
    cutter.act("cut", HOOK, DEMO, AIR)
    cutter.persist()
    for number in range(10):
        cutter.act("trim", replace(HOOK, frames=(64 + number, 134)), DEMO, AIR)
        cutter.persist()
    live = [entry.text.partition(" “")[0] for entry in cutter.state.of("d")]
    assert live == ["DEMO is C0108 14.28–28.88", "C0101 1.00–3.00 is in.", "HOOK is C0103 2.92–5.36"]
    assert list(cutter.state.ended.values()) == ["superseded"] * 10


def test_a_rejected_range_ends_its_decision(cutter: Cutter) -> None:
    """Rejecting in cutbook supersedes the decision, quotes it, and says why."""
    cutter.act("cut", HOOK, DEMO)
    first = cutter.persist()
    assert first is not None
    cutter.act("reject", replace(HOOK, status="rejected"), DEMO, why="tired the test audience")
    section = cutter.persist()
    old = "HOOK is C0103 2.52–5.36: no slip"
    assert words(section) == [
        f"No longer: “{old}” (session 1). HOOK C0103 2.52–5.36 is rejected: tired the test audience."
    ]
    assert section is not None
    (decision,) = section.fields["Decisions"]
    assert superseded(decision) == (first.entries[0].id,)
    assert decision.mark is not None
    assert decision.mark.values("edl") == ()
    assert section.strategy == "Rejected 1 range."


def test_a_change_from_outside_supersedes_nothing(cutter: Cutter) -> None:
    """A hand edit of the cut list is drafted, and leaves the old decision to be reviewed."""
    cutter.act("cut", HOOK, DEMO)
    cutter.persist()
    cutter.act("hand edit", replace(HOOK, frames=(70, 134)), DEMO)
    section = cutter.persist()
    assert section is not None
    (decision,) = section.fields["Decisions"]
    assert decision.text.startswith(
        "HOOK is C0103 2.80–5.36 “Ninety percent is wasted.” (changed by hand): no slip."
    )
    assert superseded(decision) == ()


def test_a_decision_by_hand_on_the_span_is_superseded_and_a_wide_one_is_not(cutter: Cutter) -> None:
    """What a decision names must lie mostly in the changed range for it to end."""
    cutter.act("cut", HOOK)
    cutter.work.note(
        "decide", entry="d-narro", text="This line", anchors=["words:C0103#2.60-5.00=0123456789ab"]
    )
    cutter.work.note(
        "decide", entry="d-wide1", text="The whole take", anchors=["words:C0103#0.00-60.00=0123456789ab"]
    )
    cutter.work.note(
        "decide", entry="d-other", text="Elsewhere", anchors=["words:C0103#20.00-25.00=0123456789ab"]
    )
    cutter.persist()
    cutter.act("trim", replace(HOOK, frames=(70, 134)))
    section = cutter.persist()
    assert section is not None
    assert "d-narro" in superseded(section.entries[0])
    assert not {"d-wide1", "d-other"} & set(superseded(section.entries[0]))


def test_a_second_use_of_a_span_leaves_the_first_one_alone(cutter: Cutter) -> None:
    """A new range over footage that another range, still in the cut, uses ends nothing."""
    cutter.act("cut", HOOK)
    cutter.persist()
    cutter.act("cut", HOOK, replace(HOOK, id="r-again", beat="RECAP"))
    section = cutter.persist()
    assert section is not None
    assert superseded(section.entries[0]) == ()


def test_a_moved_range_says_where_it_stands_now(cutter: Cutter) -> None:
    """A new order is a decision on what moved, and moving it back is none."""
    cutter.act("cut", HOOK, DEMO, AIR)
    cutter.persist()
    cutter.act("cut", DEMO, AIR, HOOK)
    cutter.act("undo", HOOK, DEMO, AIR)
    assert cutter.persist() is None
    cutter.act("cut", DEMO, AIR, HOOK)
    section = cutter.persist()
    assert words(section)[0].startswith(
        "HOOK C0103 2.52–5.36 “Ninety percent is wasted.” now comes after C0101."
    )
    assert section is not None
    assert section.strategy == "Moved 1 range."


def test_each_acceptance_is_written_down_with_its_range(cutter: Cutter) -> None:
    """With a reason or without, the log says which ranges were accepted; those accepted alike share a line."""
    cutter.act("cut", HOOK, DEMO, AIR)
    cutter.persist()
    yes = [replace(each, status="accepted") for each in (HOOK, DEMO, AIR)]
    cutter.act("accept", HOOK, *yes[1:])
    cutter.act("accept", *yes, why="the client loves it")
    section = cutter.persist()
    assert section is not None
    assert section.strategy == "Accepted 3 ranges."
    assert words(section) == [
        "HOOK C0103 2.52–5.36 “Ninety percent is wasted.” is accepted: the client loves it.",
        "DEMO C0108 14.28–28.88 and C0101 1.00–3.00 are accepted.",
    ]
    assert words(section, "Outstanding") == []
    assert cutter.persist() is None


def test_a_verdict_replaces_the_verdict_before_it_and_nothing_else(cutter: Cutter) -> None:
    """Accepted again for another reason, then undecided again: one verdict a range is live, and the range's reason."""
    cutter.act("cut", HOOK, DEMO)
    cutter.persist()
    yes = [replace(each, status="accepted") for each in (HOOK, DEMO)]
    cutter.act("accept", *yes)
    cutter.persist()
    cutter.act("accept", replace(yes[0], extra={"why": "calm"}), yes[1], why="calm")
    assert words(cutter.persist()) == [
        (
            "HOOK C0103 2.52–5.36 “Ninety percent is wasted.” is accepted: calm. "
            "For the rest “HOOK C0103 2.52–5.36 and DEMO C0108 14.28–28.88 are accepted” (session 2) still holds."
        )
    ]
    cutter.act("accept", replace(yes[0], extra={"why": "calmer"}), yes[1], why="calmer")
    cutter.persist()
    cutter.act("review", HOOK, yes[1])
    assert words(cutter.persist()) == [
        (
            "HOOK C0103 2.52–5.36 “Ninety percent is wasted.” is undecided again. "
            "Replaces “HOOK C0103 2.52–5.36 is accepted: calmer” (session 4)."
        )
    ]
    live = [
        entry.text.partition(" For the rest")[0].partition(" Replaces")[0] for entry in cutter.state.of("d")
    ]
    assert live == [
        "HOOK is C0103 2.52–5.36 “Ninety percent is wasted.”: no slip.",
        "DEMO is C0108 14.28–28.88 “So um we built a thing.”",
        "HOOK C0103 2.52–5.36 and DEMO C0108 14.28–28.88 are accepted.",
        "HOOK C0103 2.52–5.36 “Ninety percent is wasted.” is undecided again.",
    ]
    both = cutter.state.of("d")[2]
    assert both.mark is not None
    assert both.mark.values("range") == ("r-demo1",)
    cutter.act("trim", HOOK, replace(yes[1], frames=(360, 722)))
    cutter.persist()
    assert len(cutter.state.of("d")) == 3


def test_a_verdict_that_is_undone_is_taken_back_in_the_log(cutter: Cutter) -> None:
    """Undoing an acceptance a session later says so; marking it accepted by hand is noted and replaces nothing."""
    cutter.act("cut", HOOK)
    cutter.persist()
    yes = replace(HOOK, status="accepted")
    cutter.act("accept", yes)
    cutter.persist()
    cutter.act("undo", HOOK)
    assert words(cutter.persist()) == [
        (
            "HOOK C0103 2.52–5.36 “Ninety percent is wasted.” is undecided again. "
            "Replaces “HOOK C0103 2.52–5.36 is accepted” (session 2)."
        )
    ]
    cutter.act("hand edit", yes)
    section = cutter.persist()
    assert words(section) == ["HOOK C0103 2.52–5.36 “Ninety percent is wasted.” is accepted."]
    assert section is not None
    assert [superseded(entry) for entry in section.fields["Decisions"]] == [()]


def test_what_replaces_a_rejection_names_what_was_rejected(cutter: Cutter) -> None:
    """Rejected, then wanted back: the log quotes the rejection with its subject."""
    cutter.act("cut", HOOK)
    cutter.persist()
    cutter.act("reject", replace(HOOK, status="rejected"), why="slow")
    cutter.persist()
    cutter.act("accept", replace(HOOK, status="accepted"), why="she likes it")
    assert words(cutter.persist()) == [
        (
            "HOOK is C0103 2.52–5.36 “Ninety percent is wasted.”: no slip; she likes it. Replaces “No longer: ‘HOOK is "
            "C0103 2.52–5.36: no slip’ (session 1). HOOK C0103 2.52–5.36 is rejected: slow” (session 2)."
        )
    ]


def test_rejecting_one_range_leaves_a_decision_on_several_for_the_rest(cutter: Cutter) -> None:
    """A decision on two ranges is narrowed to the other one, and ends with it; the log says so in words."""
    cutter.act("cut", HOOK, DEMO)
    tokens = [token for each in (HOOK, DEMO) for token in range_tokens(TAKES[each.source], each)]
    cutter.work.note("decide", entry="d-wide1", text="Leave the breaths in", anchors=tokens)
    cutter.persist()
    cutter.act("reject", replace(HOOK, status="rejected"), DEMO, why="slow")
    (said, *_) = words(cutter.persist())
    assert said == (
        "No longer: “HOOK is C0103 2.52–5.36: no slip” (session 1). HOOK C0103 2.52–5.36 is rejected: slow. "
        "For the rest “Leave the breaths in” (session 1) still holds."
    )
    wide = cutter.state.entries["d-wide1"]
    assert wide.mark is not None
    assert wide.mark.tokens == range_tokens(TAKES["C0108"], DEMO)
    assert "d-wide1" not in cutter.state.ended
    cutter.act("reject", replace(HOOK, status="rejected"), replace(DEMO, status="rejected"), why="long")
    cutter.persist()
    assert cutter.state.ended["d-wide1"] == "superseded"


def test_rejecting_both_ranges_of_a_decision_at_once_ends_it(cutter: Cutter) -> None:
    """Where nothing is left of what a decision named, it ends, though each range has a reason of its own."""
    cutter.act("cut", HOOK, DEMO)
    tokens = [token for each in (HOOK, DEMO) for token in range_tokens(TAKES[each.source], each)]
    cutter.work.note("decide", entry="d-wide1", text="Leave the breaths in", anchors=tokens)
    cutter.persist()
    cutter.act("reject", replace(HOOK, status="rejected"), DEMO, why="slow")
    cutter.act("reject", replace(HOOK, status="rejected"), replace(DEMO, status="rejected"), why="long")
    cutter.persist()
    assert cutter.state.ended["d-wide1"] == "superseded"
    assert [entry.text.partition(":")[0] for entry in cutter.state.of("d")] == ["No longer", "No longer"]


def test_the_same_cut_twice_shares_its_decision(cutter: Cutter) -> None:
    """A second range with the same words for the same reason joins the decision; rejecting either leaves the other."""
    twin = replace(HOOK, id="r-twin1")
    cutter.act("cut", HOOK)
    cutter.persist()
    cutter.act("cut", HOOK, twin)
    cutter.persist()
    (shared,) = cutter.state.of("d")
    assert shared.mark is not None
    assert set(shared.mark.values("range")) == {"r-hook1", "r-twin1"}
    cutter.act("reject", replace(HOOK, status="rejected"), twin)
    cutter.persist()
    left = cutter.state.entries[shared.id]
    assert shared.id not in cutter.state.ended
    assert left.mark is not None
    assert left.mark.values("range") == ("r-twin1",)


def test_what_is_rejected_and_cut_again_has_a_decision(cutter: Cutter) -> None:
    """One range is rejected and the same is cut anew in one session: the old decision ends, a new one begins."""
    cutter.act("cut", HOOK)
    cutter.persist()
    out, again = replace(HOOK, status="rejected"), replace(HOOK, id="r-again")
    cutter.act("reject", out, why="slow")
    cutter.act("cut", out, again)
    cutter.persist()
    live = [entry for entry in cutter.state.of("d") if entry.mark and entry.mark.values("edl")]
    assert [entry.mark.values("range") for entry in live if entry.mark] == [("r-again",)]


def test_a_decision_of_this_session_ends_when_its_range_changes_after_it(cutter: Cutter) -> None:
    """Decided on a beat, then cut otherwise, undone, or trimmed and back: nobody is asked about what is no more."""
    cutter.act("cut", HOOK)
    tokens = range_tokens(TAKES["C0103"], HOOK)
    cutter.work.note("decide", entry="d-early", text="Leave the breath in", anchors=tokens)
    cutter.act("trim", replace(HOOK, frames=(70, 134)))
    cutter.persist()
    assert cutter.state.ended == {"d-early": "superseded"}
    coda = replace(DEMO, id="r-coda1", beat="CODA")
    cutter.act("cut", *cutter.edl.ranges if cutter.edl else (), coda)
    cutter.work.note("decide", entry="d-coda1", text="End on it", anchors=range_tokens(TAKES["C0108"], coda))
    cutter.act("undo", replace(HOOK, frames=(70, 134)))
    assert words(cutter.persist()) == [
        "End on it",
        "No longer: “End on it” (session 2). CODA C0108 14.28–28.88 was taken out of the cut or changed again.",
    ]
    assert cutter.state.ended["d-coda1"] == "superseded"


def test_a_decision_made_after_the_change_holds(cutter: Cutter) -> None:
    """What is decided on the cut as it is now is not ended by the edits that led there."""
    cutter.act("cut", HOOK)
    trimmed = replace(HOOK, frames=(70, 134))
    cutter.act("trim", trimmed)
    tokens = range_tokens(TAKES["C0103"], trimmed)
    cutter.work.note("decide", entry="d-later", text="Leave the breath in", anchors=tokens)
    cutter.persist()
    assert cutter.state.ended == {}


def test_a_trim_taken_back_a_session_later_ends_the_trims_decision(cutter: Cutter) -> None:
    """Where another range has the same words and reason, its decision takes the range in, and the trim's ends."""
    twin = replace(HOOK, id="r-twin1")
    cutter.act("cut", HOOK, twin)
    cutter.persist()
    cutter.act("trim", HOOK, replace(twin, frames=(70, 134)))
    cutter.persist()
    cutter.act("undo", HOOK, twin)
    cutter.persist()
    (shared,) = cutter.state.of("d")
    assert shared.mark is not None
    assert set(shared.mark.values("range")) == {"r-hook1", "r-twin1"}


def test_a_range_that_got_another_id_is_still_the_one_decided_on(cutter: Cutter) -> None:
    """Taken out and put back within a session, then rejected in the next: its decision ends by what it kept."""
    away = kept("r-away1", "C0101", 1, 3, beat="AWAY")
    again = replace(away, id="r-other")
    cutter.act("cut", HOOK, away)
    cutter.persist()
    cutter.act("cut", HOOK)
    cutter.act("cut", HOOK, again)
    assert cutter.persist() is None
    cutter.work.note("note", entry="r-aaaaa", text="Nothing changed.")
    cutter.persist()
    cutter.act("reject", HOOK, replace(again, status="rejected"), why="shaky")
    cutter.persist()
    assert [entry.text.partition(":")[0] for entry in cutter.state.of("d")] == [
        "HOOK is C0103 2.52–5.36 “Ninety percent is wasted.”",
        "No longer",
    ]


def test_a_range_that_takes_its_pieces_in_again_loses_none_of_them(cutter: Cutter) -> None:
    """Tightened in one session, undone in the next: the whole replaces the pieces, and nothing is said to be out."""
    pieces = [replace(HOOK, frames=(63, 90)), replace(HOOK, id="r-two22", frames=(95, 134))]
    cutter.act("cut", HOOK)
    cutter.persist()
    cutter.act("tighten", *pieces)
    cutter.persist()
    cutter.act("undo", HOOK)
    section = cutter.persist()
    assert section is not None
    assert section.strategy == "Changed 1 range."
    assert words(section) == [
        (
            "HOOK is C0103 2.52–5.36 “Ninety percent is wasted.”: no slip. "
            "Replaces “HOOK is C0103 2.52–3.60, 3.80–5.36 (tightened): no slip” (session 2)."
        )
    ]
    assert len(cutter.state.of("d")) == 1


def test_taking_a_rejected_range_out_of_the_list_is_no_decision(cutter: Cutter) -> None:
    """What was out of the film already is not taken out again; why it was rejected stays known."""
    out = replace(HOOK, status="rejected")
    cutter.act("cut", HOOK, DEMO)
    cutter.act("reject", out, DEMO, why="slow")
    cutter.persist()
    cutter.act("cut", DEMO)
    assert words(cutter.persist()) == []
    assert any("is rejected: slow" in entry.text for entry in cutter.state.of("d"))


def test_a_decision_on_a_passage_holds_while_any_range_of_it_is_kept(cutter: Cutter) -> None:
    """A decision by hand over a span of which most is rejected goes on for the range that is still in the film."""
    first, second = kept("r-one11", "C0103", 0, 6), kept("r-two22", "C0103", 6.4, 9)
    cutter.act("cut", first, second)
    token = words_anchor(TAKES["C0103"], Span(Fraction(0), Fraction(9))).token
    cutter.work.note("decide", entry="d-wide1", text="Mara carries the opening", anchors=[token])
    cutter.persist()
    cutter.act("reject", replace(first, status="rejected"), second, why="slow")
    cutter.persist()
    assert "d-wide1" not in cutter.state.ended
    cutter.act("reject", replace(first, status="rejected"), replace(second, status="rejected"), why="slow")
    cutter.persist()
    assert "d-wide1" not in cutter.state.ended


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("/Volumes/Mara/films/final.mp4", "final.mp4"),
        ("C:\\films\\final.mp4", "final.mp4"),
        ("../final.mp4", "final.mp4"),
        ("verify/final.mp4", "verify/final.mp4"),
    ],
)
def test_a_film_is_named_without_the_way_to_it(cutter: Cutter, file: str, said: str) -> None:
    """Where a film lies on somebody's disk is no business of the log; one inside the project keeps its folder."""
    cutter.work.note("render", file=file, encoded=3, seconds=5, ok=False, findings=["Too quiet."])
    section = cutter.persist()
    assert section is not None
    assert section.strategy == f"Rendered {said} (00:05), which fails its check."
    assert words(section, "Outstanding") == [f"{said} does not pass its check: Too quiet."]


def test_a_failed_check_is_outstanding_until_it_passes(cutter: Cutter) -> None:
    """A file that fails is one item, whatever is said about it later, and is done when it passes."""
    cutter.work.note("render", file="a.mp4", encoded=2, ok=False, findings=["Sound is 41 ms short.", "x"])
    cutter.work.note("check", file="a.mp4", ok=False, findings=["Sound is 41 ms short.", "x"])
    assert words(cutter.persist(), "Outstanding") == [
        "a.mp4 does not pass its check: Sound is 41 ms short (and 1 more)."
    ]
    cutter.work.note("check", file="a.mp4", ok=False, findings=["Picture is black."])
    cutter.persist()
    assert [entry.text for entry in cutter.state.outstanding] == [
        "a.mp4 does not pass its check: Picture is black."
    ]
    cutter.work.note("check", file="a.mp4", ok=True, findings=[])
    cutter.persist()
    assert cutter.state.outstanding == ()


def test_what_is_undecided_is_one_line_that_the_next_session_replaces(cutter: Cutter) -> None:
    """The line has no id, so that it is open while its session is the last; it alone makes no session."""
    cutter.act("cut", HOOK, DEMO)
    cutter.persist()
    assert [entry.text for entry in cutter.state.outstanding] == [
        "2 of 2 ranges are undecided: HOOK, DEMO (`%review`)."
    ]
    assert cutter.persist() is None
    cutter.act("accept", replace(HOOK, status="accepted"), DEMO)
    cutter.persist()
    assert [entry.text for entry in cutter.state.outstanding] == [
        "1 of 2 ranges is undecided: DEMO (`%review`)."
    ]


def test_a_todo_done_in_its_session_is_ticked(cutter: Cutter) -> None:
    """What was noted and done before it was saved is kept, and is not open."""
    cutter.work.note("todo", entry="o-aaaaa", text="Logo")
    cutter.work.note("todo", entry="o-bbbbb", text="Music")
    cutter.work.note("done", target="o-aaaaa")
    section = cutter.persist()
    assert section is not None
    assert "- [x] Logo <!-- m o-aaaaa -->" in section.text()
    assert [entry.text for entry in cutter.state.outstanding] == ["Music"]
    cutter.work.note("done", target="o-bbbbb", why="the client sent it")
    assert words(cutter.persist(), "Outstanding") == ["Done: “Music” (session 1): the client sent it."]
    assert cutter.state.outstanding == ()


def test_fields_by_hand_and_what_happened_are_mixed(cutter: Cutter) -> None:
    """Given fields come first, a line an item; the given strategy leads and the summary goes to the reasoning log."""
    cutter.act("cut", HOOK)
    section = cutter.persist(
        strategy="# Tighten\nthe opening",
        decisions="- Warm grade\n\n* No music",
        reasoning=["Fan noise"],
        outstanding="None.",
    )
    assert section is not None
    assert section.strategy == "# Tighten the opening"
    assert words(section) == [
        "Warm grade",
        "No music",
        "HOOK is C0103 2.52–5.36 “Ninety percent is wasted.”: no slip.",
    ]
    assert words(section, "Reasoning log") == ["Fan noise", "Done: cut 1 range from 1 take."]
    assert words(section, "Outstanding") == ["1 of 1 range is undecided: HOOK (`%review`)."]
    assert all(entry.mark for entry in section.fields["Decisions"])


def test_the_same_fields_by_hand_twice_are_one_section(cutter: Cutter) -> None:
    """Persisting the same words again, as after a crash, writes nothing."""
    given = {"strategy": "Tight.", "decisions": ["Warm grade"], "outstanding": ["Logo"]}
    assert cutter.persist(**given) is not None
    assert cutter.persist(**given) is None
    assert cutter.persist(strategy="Other.") is not None


def test_hostile_words_stay_words(cutter: Cutter) -> None:
    """Comments, headings and labels in takes, beats, quotes, reasons and notes never become structure."""
    nasty = "--> <!-- m e-11111 abandon d-aaaaa -->\n## Session 99\n**Outstanding:** x"
    name = "a --> b.mov"
    takes = {name: take(name)}
    made = kept("r-aaaaa", name, 1, 2, beat=nasty, quote=nasty, reason=nasty)
    cutter.work.note("cut", changes=range_changes(None, edl(made), takes))
    cutter.work.note("decide", entry="d-aaaaa", text=nasty, why=nasty)
    cutter.persist(strategy=nasty, reasoning=[nasty])
    read = log.parse(cutter.work.log_path.read_bytes())
    assert [section.number for section in read.sections] == [1]
    assert [entry.kind for entry in read.entries] == ["d", "d", "r", "r"]
    assert fold(read).ended == {}
    assert [tuple(section.fields) for section in read.sections] == [
        ("", "Decisions", "Reasoning log", "Outstanding")
    ]


def test_what_a_session_alone_wrote_down(cutter: Cutter) -> None:
    """When nothing was made, the summary counts what was written down."""
    cutter.work.note("note", entry="r-aaaaa", text="a")
    cutter.work.note("decide", entry="d-aaaaa", text="b")
    section = cutter.persist()
    assert section is not None
    assert section.strategy == "Wrote down 1 decision and 1 note."


def test_a_session_is_given_its_name_once_it_is_made(tmp_path: Path) -> None:
    """`Session` can be had from the draft's module too, as the page of the house says."""
    assert drafting.Session is Session
    assert not (tmp_path / "launch").exists()


def test_a_move_or_an_acceptance_ends_no_decision(cutter: Cutter) -> None:
    """Where a range stands, and that it is accepted, leaves the reason for it in force."""
    cutter.act("cut", HOOK, DEMO)
    cutter.persist()
    cutter.act("cut", DEMO, HOOK)
    cutter.act("accept", replace(DEMO, status="accepted"), HOOK, why="the client loves it")
    section = cutter.persist()
    assert section is not None
    assert words(section) == [
        "DEMO C0108 14.28–28.88 “So um we built a thing.” now comes first.",
        "DEMO C0108 14.28–28.88 “So um we built a thing.” is accepted: the client loves it.",
    ]
    assert [superseded(entry) for entry in section.fields["Decisions"]] == [(), ()]
    assert cutter.state.ended == {}


def test_a_move_keeps_its_reason_beside_one_for_the_range(cutter: Cutter) -> None:
    """Moved for one reason, and given another afterwards: both stand in the section, in either order."""
    cutter.act("cut", HOOK, DEMO)
    cutter.persist()
    said = replace(DEMO, extra={"why": "says a number"})
    cutter.act("move", DEMO, HOOK, why="proof first, for the shops")
    cutter.act("review", said, HOOK, why="says a number")
    section = cutter.persist()
    assert section is not None
    assert section.strategy == "Moved 1 range."
    assert words(section) == [
        "DEMO C0108 14.28–28.88 “So um we built a thing.” now comes first: proof first, for the shops.",
        "DEMO C0108 14.28–28.88 “So um we built a thing.” is undecided: says a number.",
    ]
    cutter.act("review", replace(said, extra={"why": "the price"}), HOOK, why="the price")
    cutter.act("move", HOOK, replace(said, extra={"why": "the price"}), why="calmer")
    both = [text.partition(" Replaces")[0].rpartition("” ")[2] for text in words(cutter.persist())]
    assert sorted(both) == ["is undecided: the price.", "now comes first: calmer."]


def test_each_act_keeps_its_reason_and_an_undone_one_takes_it_along(cutter: Cutter) -> None:
    """Trimmed, moved and accepted, each for a reason: all are told by their acts; what was undone gave none."""
    cutter.act("cut", HOOK, DEMO, AIR)
    cutter.persist()
    short, rest = replace(HOOK, frames=(63, 120)), (DEMO, AIR)
    cutter.act("trim", short, *rest, why="no um")
    cutter.act("move", *rest, short, why="last, to end on it")
    cutter.act("trim", *rest, replace(short, frames=(63, 110)), why="too long")
    cutter.act("undo", *rest, short)
    cutter.act("accept", *rest, replace(short, status="accepted"))
    cutter.act("accept", *rest, replace(short, status="accepted", extra={"why": "calm"}), why="calm")
    (said,) = words(cutter.persist())
    assert said.startswith(
        "HOOK is C0103 2.52–4.80 “Ninety percent is wasted.” (trimmed): "
        "no slip; trimmed: no um; moved: last, to end on it; accepted: calm."
    )


def test_a_rejection_names_what_else_was_done_to_the_range(cutter: Cutter) -> None:
    """A range that was moved for a reason and then rejected for another: both reasons are kept."""
    cutter.act("cut", HOOK, DEMO)
    cutter.persist()
    cutter.act("move", DEMO, HOOK, why="demo first")
    cutter.act("reject", replace(DEMO, status="rejected"), HOOK, why="too long")
    (said,) = words(cutter.persist())
    assert said.endswith("too long; moved: demo first.")


def test_what_is_accepted_again_on_other_footage_counts_as_accepted(cutter: Cutter) -> None:
    """Three are accepted, one of them swapped since the last session said yes to it: three were accepted."""
    yes = [replace(each, status="accepted") for each in (HOOK, DEMO, AIR)]
    cutter.act("cut", HOOK, DEMO, AIR)
    cutter.act("accept", yes[0], DEMO, AIR)
    cutter.persist()
    other = replace(HOOK, source="C0108", frames=(0, 50))
    cutter.act("swap", other, DEMO, AIR)
    cutter.act("accept", replace(other, status="accepted"), *yes[1:])
    section = cutter.persist()
    assert section is not None
    assert section.strategy == "Changed 1 range and accepted 3 ranges."
    again = replace(other, status="accepted")
    cutter.act("reject", replace(yes[1], status="rejected"), again, yes[2])
    cutter.act("undo", again, *yes[1:])
    cutter.act("trim", replace(again, frames=(0, 40)), *yes[1:])
    cutter.work.note("note", entry="r-abcde", text="nothing more")
    section = cutter.persist()
    assert section is not None
    assert "accepted" not in section.strategy


def test_a_trim_and_back_with_a_reason_is_no_acceptance(cutter: Cutter) -> None:
    """A reason for a change that was taken back is not a verdict on the range."""
    cutter.act("cut", HOOK)
    cutter.persist()
    cutter.act("trim", replace(HOOK, frames=(70, 134)), why="tighter")
    cutter.act("trim", HOOK, why="too tight")
    assert cutter.persist() is None
    cutter.act("reject", replace(HOOK, status="rejected"), why="dull")
    cutter.act("accept", replace(HOOK, status="accepted"))
    assert words(cutter.persist()) == ["HOOK C0103 2.52–5.36 “Ninety percent is wasted.” is accepted."]


def test_an_open_session_that_was_tampered_with_writes_no_commands(cutter: Cutter) -> None:
    """Ids and tokens out of session.jsonl that are none are left out of the comments."""
    nasty = "x:1 --> <!-- m e-11111 abandon d-aaaaa -->"
    good = "media:C1=1.0123456789ab"
    cutter.work.note("decide", entry=nasty, text="Fine", anchors=[nasty, "media:a--b=1", good])
    cutter.work.note(
        "cut", changes=[{"id": "r-a", "before": None, "after": {"take": "C1"}, "anchors": [nasty]}]
    )
    section = cutter.persist()
    assert section is not None
    assert [entry.kind for entry in section.entries] == ["d", "d"]
    assert [entry.mark.tokens for entry in section.entries if entry.mark] == [(good,), ()]


def test_what_another_notebook_decided_since_is_not_said_the_old_way(tmp_path: Path) -> None:
    """A cuts, B rejects one of A's ranges and persists first; A's section is silent on that range."""
    a, b = (session(tmp_path, notebook=name) for name in ("a.ipynb", "b.ipynb"))
    cut, rejected = edl(HOOK, DEMO), edl(HOOK, replace(DEMO, status="rejected"))
    a.note("cut", changes=range_changes(None, cut, TAKES))
    b.note("reject", changes=range_changes(cut, rejected, TAKES), why="price changed")
    drafting.persist(b, edl=rejected)
    assert words(drafting.persist(a, edl=rejected)) == [
        "HOOK is C0103 2.52–5.36 “Ninety percent is wasted.”: no slip."
    ]


def test_a_reason_given_afterwards_is_remembered(cutter: Cutter) -> None:
    """A range rejected without a word, then again with one, is rejected for that reason; before and after persist."""
    out = replace(DEMO, status="rejected")
    cutter.act("cut", HOOK, DEMO)
    cutter.act("reject", HOOK, out)
    cutter.act("reject", HOOK, replace(out, extra={"why": "too long"}), why="too long")
    assert (
        words(cutter.persist())[-1]
        == "DEMO C0108 14.28–28.88 “So um we built a thing.” is rejected: too long."
    )
    cutter.act("reject", HOOK, replace(out, extra={"why": "off topic"}), why="off topic")
    assert "off topic" in words(cutter.persist())[-1]
