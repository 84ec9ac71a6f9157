from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from cutbook.edit.cutlist import parse
from cutbook.edit.edl import Edl
from cutbook.edit.others import others
from cutbook.edit.retakes import LIKENESS
from cutbook.edit.slips import slips
from cutbook.edit.snap import snap_words
from cutbook.edit.swap import swap
from cutbook.edit.take import Take
from cutbook.edit.wordspan import word_numbers
from cutbook.errors import EdlError, InputError
from cutbook.transcripts.model import Timing
from tests.edit.making import Said, c0103, piece, take


def said(text: str, start: float = 1.0) -> list[Said]:
    """Return words of 0.4 s, 0.1 s apart; a stroke is a pause of a second."""
    made: list[Said] = []
    for word in text.split():
        if word == "/":
            start += 1
            continue
        made.append((word, f"{start:.2f}", f"{start + 0.4:.2f}"))
        start += 0.5
    return made


def cut(text: str, takes: dict[str, Take]) -> Edl:
    """Return the cut list of a text."""
    return Edl(ranges=parse(text, takes, by="cut"))


def two() -> dict[str, Take]:
    """Return a take and another go at its sentence."""
    return {
        "A": take("A", *said("We wanted to fix that. / So we built it.")),
        "B": take("B", *said("Um we wanted to fix that. / Hello there.")),
    }


def test_swap_puts_other_words_in_the_place() -> None:
    """Id, beat, reason, place, dissolve and unknown keys stay; frames, words and quote are the new ones."""
    takes = two()
    first, second = cut("HOOK A #1-#5 -- clear\nNEXT A #6-#9", takes).ranges
    first = replace(first, status="accepted", dissolve=6, fit="fill", extra={"why": "yes", "note": 1})
    now = swap(Edl(ranges=(first, second)), 1, "B", (2, 6), takes, by="swap").ranges[0]
    assert (now.id, now.beat, now.reason, now.dissolve, now.fit) == (first.id, "HOOK", "clear", 6, "fill")
    assert (now.source, now.words, now.quote) == ("B", (2, 6), "we wanted to fix that.")
    assert now.frames == snap_words(takes["B"], 2, 6).frames
    assert (now.status, dict(now.extra), now.by) == ("undecided", {"note": 1}, "swap")


def test_swap_with_a_reason_says_it_in_the_place_of_the_other_takes() -> None:
    """Why the words before were taken is no reason for those that are there now."""
    takes = two()
    list_of_one = cut("HOOK A #1-#5 -- the warmest of the two", takes)
    assert swap(list_of_one, 1, "B", (2, 6), takes, why="no slip").ranges[0].reason == "no slip"


def test_swap_within_the_take_keeps_its_look() -> None:
    """A grade and the point of a crop were chosen for the footage; early and late sound for the words."""
    takes = two()
    centre = Fraction(1, 4), Fraction(1, 2)
    first = replace(cut("A #1-#5", takes).ranges[0], grade="subtle", centre=centre, audio_lead=Fraction(1, 5))
    edl = Edl(ranges=(first,))
    same = swap(edl, 1, "A", (6, 9), takes).ranges[0]
    assert (same.grade, same.centre, same.audio_lead) == ("subtle", centre, Fraction(0))
    other = swap(edl, 1, "B", (2, 6), takes).ranges[0]
    assert (other.grade, other.centre, other.audio_lead) == (None, None, Fraction(0))


def test_rejected_range_comes_back_with_other_words() -> None:
    """What was rejected were the words that are gone."""
    takes = two()
    out = replace(cut("A #1-#5", takes).ranges[0], status="rejected", extra={"why": "muffled"})
    now = swap(Edl(ranges=(out,)), 1, "B", (2, 6), takes).ranges[0]
    assert (now.status, dict(now.extra)) == ("undecided", {})


def test_swap_that_cannot_be_is_refused() -> None:
    """A strange take, strange words, the same words, a take that is another file than when it was cut."""
    takes = two()
    edl = cut("A #1-#5", takes)
    with pytest.raises(EdlError, match=r"range 1 \(.*\): no take is named 'BB'; the nearest is B"):
        swap(edl, 1, "BB", (1, 2), takes)
    with pytest.raises(EdlError, match=r"range 1 \(.*\): B has no words #1-#99; its words are #1 to #8"):
        swap(edl, 1, "B", (1, 99), takes)
    with pytest.raises(EdlError, match=r"range 1 \(.*\) has these words already"):
        swap(edl, 1, "A", (1, 5), takes)
    with pytest.raises(EdlError, match="B is another file than when it was cut"):
        swap(replace(edl, media={"B": "999.0123456789ab"}), 1, "B", (2, 6), takes)


def test_others_are_the_same_words_in_other_takes() -> None:
    """A sentence is taken whole; likeness is that of the letters, without fillers, and a filler inside is shown."""
    takes = two() | {"C": take("C", *said("And we, um, wanted to mend that."))}
    edl = cut("A #1-#5", takes)
    found = others(edl, 1, takes)
    assert [(each.take, each.words, each.quote) for each in found] == [
        ("B", (2, 6), "we wanted to fix that."),
        ("C", (1, 7), "And we, um, wanted to mend that."),
    ]
    assert found[0].likeness == 100
    assert 60 <= found[1].likeness < 100
    assert found[0].frames == snap_words(takes["B"], 2, 6).frames
    assert repr(found).splitlines()[0] == "These words are said in 2 other places"
    assert "#2-#6" in repr(found)
    assert "#2-#6" in found._repr_html_()


def test_others_within_the_take_are_other_goes() -> None:
    """The range's own words are never among them, and one that the film shows is named."""
    takes = {
        "A": take("A", *said("We wanted to fix that. / We wanted to fix that. / We wanted to fix that."))
    }
    edl = cut("A #6-#10\nA #11-#15", takes)
    assert [(each.words, each.used) for each in others(edl, 1, takes)] == [
        ((1, 5), ""),
        ((11, 15), edl.ranges[1].id),
    ]


def test_part_of_a_sentence_finds_that_part() -> None:
    """A range of some words of a sentence is likened to those words alone."""
    takes = {
        "A": take("A", *said("Before lunch we wanted to fix that old page of ours.")),
        "B": take("B", *said("Yesterday morning we wanted to fix that old page of mine.")),
    }
    assert [each.words for each in others(cut("A #4-#7", takes), 1, takes)] == [(4, 7)]


def test_false_start_finds_the_whole_sentence() -> None:
    """It broke off in the middle; what is wanted in its place goes on to the full stop."""
    takes = {
        "A": take("A", *said("Ninety percent of what / Ninety percent of what a page loads is never seen."))
    }
    found = others(cut("A #1-#4", takes), 1, takes)
    assert [(each.words, each.likeness) for each in found] == [((5, 14), round(LIKENESS))]


def test_others_of_a_single_word() -> None:
    """One word is found where it is said; a range without words has no others."""
    takes = {"A": take("A", *said("Hello. / Goodbye. / Hello."))}
    edl = Edl(ranges=(*cut("A #1-#1", takes).ranges, piece(takes["A"], (300, 330), id="r-bbbbb")))
    assert [each.words for each in others(edl, 1, takes)] == [(3, 3)]
    assert others(edl, 2, takes) == ()
    assert repr(others(edl, 2, takes)) == "These words are said nowhere else."


def test_others_in_chinese_are_found_by_their_characters() -> None:
    """A token a character, no spaces."""
    takes = {
        "A": take("A", *said("我 们 想 改 变 它 。")),
        "B": take("B", *said("好 / 我 们 想 改 变 它 。")),
    }
    found = others(cut("A #1-#7", takes), 1, takes)
    assert [(each.words, each.quote) for each in found] == [((2, 8), "我们想改变它。")]


def test_others_among_words_without_times_are_left_out() -> None:
    """They could not be cut there."""
    stuck = [(text, 2, 2, Timing.STUCK) for text in ("we", "wanted", "to", "fix", "that")]
    takes = two() | {"C": take("C", ("So", 1, 1.5), *stuck, ("now", 4, 4.5))}
    assert "C" not in {each.take for each in others(cut("A #2-#4", takes), 1, takes)}


def test_slips_are_pointed_at_and_left() -> None:
    """An um at 1.0-1.4 is frames 30-42 at 30 a second; a second and a tenth between 2.4 and 3.5 frames 72-105."""
    takes = {"A": take("A", *said("Um we wanted / to fix uh that."))}
    edl = cut("A #1-#7", takes)
    found = slips(edl, takes, pauses=Fraction(1))
    assert [(each.kind, each.frames, each.text) for each in found] == [
        ("filler", (30, 42), "Um"),
        ("pause", (72, 105), "pause of 1.10 s"),
        ("filler", (135, 147), "uh"),
    ]
    assert {each.range for each in found} == {edl.ranges[0].id}
    assert [(each.number, each.around) for each in found] == [
        (1, "[Um] we wanted to"),
        (1, "Um we wanted […] to fix uh"),
        (1, "wanted to fix [uh] that."),
    ]
    assert [each.kind for each in slips(edl, takes)] == ["filler", "filler"]
    assert repr(found).splitlines()[0] == "2 fillers and 1 pause in the kept ranges; %tighten takes such out"
    assert "1.00-1.40" in found._repr_html_()
    assert repr(slips(cut("A #2-#3", takes), takes)) == "No slip is left."
    with pytest.raises(InputError, match=r"pauses must be seconds above 0, not 0\.00"):
        slips(edl, takes, pauses=Fraction(0))


def test_slips_of_what_is_not_in_the_film_are_none() -> None:
    """Rejected ranges and those whose take is away are passed over."""
    takes = {"A": take("A", *said("Um we"))}
    whole = cut("A #1-#2", takes).ranges[0]
    assert slips(Edl(ranges=(replace(whole, status="rejected"),)), takes) == ()
    assert slips(Edl(ranges=(whole,)), {}) == ()
    assert slips(Edl(ranges=(replace(whole, problem="gone"),)), takes) == ()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("#2-#4", (2, 4)),
        ("#3", (3, 3)),
        ("[2.52-3.30]", (1, 2)),
        ("6.1-6.7", (5, 7)),
        ("percent is", (2, 3)),
        ('"percent is"', (2, 3)),
        ("fixed this", (6, 7)),
    ],
)
def test_words_are_named_as_in_a_cut_list(text: str, wanted: tuple[int, int]) -> None:
    """By number, by seconds, by what is said, with and without quotes."""
    takes = {"C0103": c0103(folder=Path("footage"))}
    assert word_numbers(text, takes["C0103"], takes) == wanted


def test_words_said_twice_are_looked_for_in_the_range_first() -> None:
    """“We fixed” is said twice in the take, once in the range; where that does not help, the places are listed."""
    takes = {"C0103": c0103()}
    assert word_numbers("we fixed", takes["C0103"], takes, within=(8, 10)) == (8, 9)
    with pytest.raises(EdlError, match=r"“we fixed” is said 2 times in C0103"):
        word_numbers("we fixed", takes["C0103"], takes)
    with pytest.raises(
        EdlError, match=r"“we fixed” is said 2 times in #1-#10 of C0103: #5-#6, #8-#9; write one"
    ):
        word_numbers("we fixed", takes["C0103"], takes, within=(1, 10))
    with pytest.raises(EdlError, match="“we mended” is not said in C0103"):
        word_numbers("we mended", takes["C0103"], takes, within=(1, 10))
    with pytest.raises(
        EdlError, match=r"“wasted” is not among the words of the range \(#8-#10 of C0103\).* at #4-#4"
    ):
        word_numbers("wasted", takes["C0103"], takes, within=(8, 10))
    with pytest.raises(EdlError, match="'more' after the span of words is too much"):
        word_numbers("#2-#4 more", takes["C0103"], takes)
    with pytest.raises(EdlError, match=r"no word of C0103 lies in 10-11"):
        word_numbers("10-11", takes["C0103"], takes)
    with pytest.raises(EdlError, match="no span"):
        word_numbers("[1.0,2.0]", takes["C0103"], takes)


def test_long_range_is_likened_as_a_whole() -> None:
    """Some hundred words, every tenth said otherwise: found in one piece, at once."""
    words = [f"word{number}" for number in range(400)]
    other = [f"else{number}" if number % 10 == 5 else word for number, word in enumerate(words)]
    takes = {
        "A": take("A", *said(" ".join(words)), frames=9000),
        "B": take("B", *said(" ".join(other)), frames=9000),
    }
    found = others(cut("A #1-#400", takes), 1, takes)
    assert [(each.take, each.words) for each in found] == [("B", (1, 400))]


def test_more_others_than_are_listed_are_counted() -> None:
    """Twenty are listed of thirty."""
    takes = {"A": take("A", *said(" / ".join(["Hello there."] * 31)), frames=9000)}
    found = others(cut("A #1-#2", takes), 1, takes)
    assert (len(found), found.total) == (20, 30)
    assert found.sentence == "These words are said in 30 other places, the first 20"
