from __future__ import annotations

from fractions import Fraction

import pytest

from cutbook.edit.cutlist import parse
from cutbook.edit.retakes import find
from cutbook.edit.take import Take
from tests.edit.making import Said, take


def said(name: str, *sentences: str) -> Take:
    """Return a take in which each sentence follows the one before after a second, half a second a word."""
    time = Fraction(1)
    heard: list[Said] = []
    for sentence in sentences:
        for text in sentence.split():
            heard.append((text, time, time + Fraction(1, 2)))
            time += Fraction(1, 2)
        time += 1
    return take(name, *heard)


def test_sentence_said_in_three_takes_is_one_group() -> None:
    """Whatever its fillers and punctuation; what is said once is in no group."""
    takes = {
        "A": said("A", "We rebuilt the whole kitchen.", "Nothing else is like it."),
        "B": said("B", "We, um, rebuilt the whole kitchen!", "Something very different here."),
        "C": said("C", "we rebuilt the whole kitchens"),
    }
    found = find(takes)
    (group,) = found.groups
    assert [(each.take, each.words, each.slips) for each in group] == [
        ("A", (1, 5), 0),
        ("B", (1, 6), 1),
        ("C", (1, 5), 0),
    ]
    assert found.sentence == "1 sentence is said in more than one place"
    assert "(1 filler)" in repr(found)


def test_false_start_belongs_to_the_sentence_that_follows() -> None:
    """A slip and a restart in one take, marked as what it is."""
    takes = {"A": said("A", "So this is the", "So this is the moment that it all went wrong.")}
    (group,) = find(takes).groups
    assert [each.whole for each in group] == [False, True]


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Try it today.", True),
        ("Try it today!”", True),
        ("Try it today", False),
        ("Try it today...", False),
        ("Try it today…", False),
    ],
)
def test_short_sentence_with_a_full_stop_is_whole(text: str, whole: bool) -> None:  # noqa: FBT001
    """What was said to its end is no false start of a longer sentence that begins alike."""
    takes = {"A": said("A", text), "B": said("B", "Try it today and tell us what you think of it.")}
    (group,) = find(takes).groups
    assert [each.whole for each in group] == [whole, True]


def test_slip_at_its_end_makes_a_false_start() -> None:
    """Five of seven words are the sentence's own; two of seven are not enough."""
    start = "It reads a page before, sorry, what?"
    takes = {"A": said("A", start, "It reads a page before you do.", "It reads nothing of the kind to me.")}
    (group,) = find(takes).groups
    assert [each.words for each in group] == [(1, 7), (8, 14)]


def test_short_sentences_recur_without_being_retakes() -> None:
    """“Thank you.” is said all the time."""
    takes = {"A": said("A", "Thank you.", "Thank you.", "Oh, really?", "Oh really.")}
    assert find(takes).groups == ()
    assert str(find(takes)) == "No sentence is said in more than one place."
    assert find({"S": take("S")}).groups == ()


def test_lines_paste_into_a_cut_list() -> None:
    """Each line of the text form gives the words of its sentence, in a take with a space in its name as well."""
    takes = {"my take": said("my take", "We rebuilt the kitchen.", "We rebuilt the kitchen.")}
    found = find(takes)
    lines = str(found).splitlines()[2:]
    assert [each.words for each in parse("\n".join(lines), takes)] == [(1, 4), (5, 8)]


def test_table_escapes_what_was_said() -> None:
    """Words and names are text, never markup."""
    takes = {"<b>": said("<b>", "we <i>really</i> mean it", "we <i>really</i> mean it")}
    html = find(takes)._repr_html_()
    assert "<i>" not in html
    assert "&lt;i&gt;really" in html
