from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from cutbook.edit.cutlist import parse
from cutbook.edit.decide import accept, reason, reject
from cutbook.edit.diff import diff
from cutbook.edit.edl import Edl, Overlay
from cutbook.edit.tighten import tighten
from tests.edit.making import c0103, piece, take

TAKES = {"C0103": c0103(), "U": take("U", ("So", 1, 2), ("um", 3, 4), ("yes", 5, 6))}


def cut(*lines: str) -> Edl:
    """Return the cut list of some lines."""
    return Edl(ranges=parse("\n".join(lines), TAKES))


def test_equal_lists_have_no_difference() -> None:
    """Whatever their ids."""
    found = diff(cut("C0103 #1-#4"), cut("C0103 #1-#4"), TAKES)
    assert not found
    assert found.text() == "No difference."
    assert [row.kind for row in found.rows] == ["kept"]


def test_dropped_and_added_are_said_in_words() -> None:
    """In the order of the film, with lengths before and after."""
    text = diff(
        cut("A C0103 #1-#4", "B C0103 #5-#7"), cut("A C0103 #1-#4", "C C0103 #8-#10 -- better"), TAKES
    ).text()
    assert text.splitlines() == [
        "− B C0103 [6.00-6.83] “We fixed this.”",
        "+ C C0103 [19.93-21.00] “We fixed that.” (better)",
        "3.83 s → 4.07 s, 1 range unchanged",
    ]


def test_trim_says_the_words_that_went_and_came() -> None:
    """One range with another end, one with another beginning."""
    (row,) = diff(cut("A C0103 #1-#4"), cut("A C0103 #2-#7"), TAKES).changes
    assert (row.kind, row.lost, row.gained) == ("trimmed", ("Ninety",), ("We fixed this.",))
    assert "without “Ninety”, with “We fixed this.”, +0.93 s" in str(row)


def test_tightened_range_is_a_trim_and_no_new_range() -> None:
    """One range became two; only the um is gone."""
    was = cut("U #1-#3")
    now, _ = tighten(was, TAKES)
    (row,) = diff(was, now, TAKES).changes
    assert (row.kind, row.lost, row.gained, len(row.after)) == ("trimmed", ("um",), (), 2)


def test_moved_range_is_said_once() -> None:
    """The last put first: one range moved, the other two stay in their order."""
    was = cut("A C0103 #1-#4", "B C0103 #5-#7", "C C0103 #8-#10")
    now = replace(was, ranges=(was.ranges[2], was.ranges[0], was.ranges[1]))
    (row,) = diff(was, now, TAKES).changes
    assert (row.kind, row.beat, row.positions) == ("moved", "C", (3, 1))
    assert str(row) == "↕ C C0103 [19.93-21.00] (from place 3 to 1)"


def test_decisions_are_said_with_their_reasons() -> None:
    """A rejected range is dropped from the film, and comes back when it is taken back."""
    was = cut("A C0103 #1-#4", "B C0103 #5-#7")
    (row,) = diff(was, reject(was, 2, why="too slow"), TAKES).changes
    assert (row.kind, row.note) == ("dropped", "rejected: too slow")
    (back,) = diff(reject(was, 2), was, TAKES).changes
    assert (back.kind, back.note) == ("added", "taken back in")
    (yes,) = diff(was, accept(was, 1, why="crisp"), TAKES).changes
    assert str(yes) == "✓ A C0103 [2.47-5.47] (accepted: crisp)"


def test_notes_and_settings_are_differences_too() -> None:
    """A new reason, beat or grade, and what holds for the whole film."""
    was = cut("A C0103 #1-#4 -- old")
    now = replace(was, ranges=(replace(was.ranges[0], reason="new"),), grade="subtle", size=(1080, 1920))
    assert diff(was, now, TAKES).text().splitlines()[:3] == [
        "· A C0103 [2.47-5.47] (reason “old” → “new”)",
        "set grade none → subtle",
        "set size unset → (1080, 1920)",
    ]


def test_transitions_split_sound_and_overlays_are_said_in_plain_words() -> None:
    """What a range does besides being cut hard is said as the cut list says it, an overlay with its place."""
    old = cut("A C0103 #1-#4", "B C0103 #5-#7")
    second = replace(old.ranges[1], dissolve=12, audio_lead=Fraction(2, 5))
    logo = Overlay(file="logo.png", start_in_output=Fraction(1), duration=Fraction(2))
    new = replace(old, ranges=(old.ranges[0], second), overlays=(logo,))
    lines = diff(old, new, TAKES).text().splitlines()
    assert lines[0].endswith(
        "(a plain cut → dissolves in over 12 frames, heard 0.40 s before it is seen (J cut))"
    )
    assert "overlay laid over: logo.png 1.00-3.00 s, the whole picture" in lines[1]
    later = replace(new, overlays=(replace(logo, start_in_output=Fraction(3, 2)),))
    moved = diff(new, later, TAKES).text()
    assert "overlay taken out: logo.png 1.00-3.00 s" in moved
    assert "overlay laid over: logo.png 1.50-3.50 s" in moved


def test_word_that_is_used_twice_and_then_once_is_lost_once() -> None:
    """Overlapping ranges of one take count each time that a word is heard."""
    (row,) = diff(cut("C0103 #1-#3", "C0103 #3-#4"), cut("C0103 #1-#4"), TAKES).changes
    assert (row.lost, row.gained) == (("is",), ())


def test_take_that_is_gone_is_told_by_its_quote() -> None:
    """No transcript is needed to say what was dropped."""
    was = Edl(ranges=(replace(piece(TAKES["C0103"], (0, 30), words=(1, 1)), quote="Ninety"),))
    (row,) = diff(was, Edl(), {}).changes
    assert row.lost == ("Ninety",)


@given(st.lists(st.tuples(st.integers(1, 10), st.integers(0, 3)), max_size=6), st.permutations(range(6)))
def test_lengths_and_words_add_up(numbers: list[tuple[int, int]], order: list[int]) -> None:
    """From any list to any part of it in any order: what is lost less what is gained is what the films differ by."""
    lines = [f"C0103 #{first}-#{min(first + more, 10)}" for first, more in numbers]
    was = cut(*lines) if lines else Edl()
    now = replace(was, ranges=tuple(was.ranges[index] for index in order if index < len(was.ranges))[:3])
    found = diff(was, now, TAKES)

    def count(edl: Edl) -> int:
        return sum(each.words[1] - each.words[0] + 1 for each in edl.ranges if each.words)

    lost = sum(len(text.split()) for row in found.rows for text in row.lost)
    gained = sum(len(text.split()) for row in found.rows for text in row.gained)
    assert lost - gained == count(was) - count(now)
    assert found.seconds == (was.duration, now.duration)
    before = sum(
        (span.duration for row in found.rows if row.kind != "moved" for span in row.before), Fraction(0)
    )
    assert before == was.duration or any(row.kind == "moved" for row in found.rows)


def test_another_reason_alone_is_said() -> None:
    """Of a range that is kept, and of one that stays rejected."""
    old = reject(accept(cut("A C0103 #1-#4", "C0103 #5-#7"), 1, why="calm"), 2)
    new = reason(reason(old, 1, "calmest"), 2, "hums")
    assert diff(old, new, TAKES).text().splitlines()[:2] == [
        "· A C0103 [2.47-5.47] (why “calm” → “calmest”)",
        "· C0103 [6.00-6.83] (rejected; why “” → “hums”)",
    ]
