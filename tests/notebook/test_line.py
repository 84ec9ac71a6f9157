"""A magic's line, as people write it and as front ends hand it over."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutbook.edit.naming import typed
from cutbook.errors import InputError
from cutbook.notebook.line import Parser, tidy, words
from cutbook.notebook.magics import NAMES, all_magics
from cutbook.notebook.magics.memory import fields, said


@pytest.mark.parametrize(
    ("line", "text", "silent"),
    [
        ("", "", False),
        (";", "", True),
        ("--append", "--append", False),
        ("--append;", "--append", True),
        ("--append ;  ", "--append", True),
        ("--append  # ends early", "--append", False),
        ("--append; # ends early", "--append", True),
        ("--append # a; b", "--append", False),
        ("# all of it", "", False),
        ("#", "", False),
        ("C0103#12", "C0103#12", False),
        ("C0103 #12", "C0103 #12", False),
        ("C0103 #12-#18 # her best", "C0103 #12-#18", False),
        ("note take #3 is good", "note take #3 is good", False),
        ("'a # b' c", "'a # b' c", False),
        ('"a # b"; # c', '"a # b"', True),
        ("note don't # say so", "note don't", False),
        ("note don't say # what she can't", "note don't say", False),
        ("note the '90s # a decade", "note the '90s", False),
        ("a;b", "a;b", False),
        ("a;;", "a;", True),
    ],
)
def test_comment_and_semicolon_come_off(line: str, text: str, silent: bool) -> None:  # noqa: FBT001
    """A trailing comment and a semicolon are taken off; a # in a word, before a number or in quotes is no comment."""
    assert tidy(line) == (text, silent)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("", []),
        ("  C0101   2 8 ", ["C0101", "2", "8"]),
        ('"take one" 2 8', ["take one", "2", "8"]),
        ("'take one' 2", ["take one", "2"]),
        ("don't", ["don't"]),
        ("--why she doesn't look", ["--why", "she", "doesn't", "look"]),
        ("--why she doesn't and can't", ["--why", "she", "doesn't", "and", "can't"]),
        ("--why \"she doesn't and can't\" 2", ["--why", "she doesn't and can't", "2"]),
        (r'"C:\takes\one"', [r"C:\takes\one"]),
        ("TAKE#12 #3", ["TAKE#12", "#3"]),
        ('5" 6', ['5"', "6"]),
        ('-o="my film.mp4"', ["-o=my film.mp4"]),
        ('""', [""]),
    ],
)
def test_words_part_at_spaces_outside_quotes(line: str, found: list[str]) -> None:
    """Quotes hold words together; an apostrophe inside a word and a backslash are letters."""
    assert words(line) == found


@given(st.lists(st.text(st.characters(exclude_characters="\"'", exclude_categories=["Z", "C"]), min_size=1)))
def test_words_without_quotes_come_back(found: list[str]) -> None:
    """Words of any letters but quotes come back as they were joined."""
    assert words(" ".join(found)) == found


@given(st.lists(st.text(st.characters(exclude_characters='"', exclude_categories=["Zl", "Zp", "C"]))))
def test_quoted_words_come_back(found: list[str]) -> None:
    """Anything but a double quote comes back out of double quotes, apostrophes and backslashes included."""
    assert words(" ".join(f'"{word}"' for word in found)) == found


@given(st.text(st.characters(exclude_characters="\"'", exclude_categories=["Zl", "Zp", "C"]), min_size=1))
def test_quoted_name_is_never_an_option(name: str) -> None:
    """A name written as completion writes it reaches the magic as it is, a leading dash included."""
    parser = Parser("%try", "Try.")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--edl", action="store_true")
    for written in (f"{typed(name)} --edl", f'"{name}" --edl'):
        found = parser.read(written)
        assert (found.names, found.edl) == ([name], True)


@given(st.text())
def test_any_line_can_be_read(line: str) -> None:
    """No line breaks the reading of it, and what is left begins as the line did."""
    text, _ = tidy(line)
    assert line.startswith(text)
    words(text)


@given(st.text(st.characters(exclude_characters="#;\"'")), st.text(st.characters(exclude_characters="'\"")))
def test_comment_never_reaches_the_magic(said: str, comment: str) -> None:
    """Whatever stands behind a hash with spaces around it is gone."""
    assert tidy(f"{said} # {comment}") == (said.rstrip(), False)


@pytest.mark.parametrize("name", NAMES)
def test_error_of_every_parser_is_one_line_with_the_form(name: str) -> None:
    """An option that there is not is refused in one line that names the magic and how it is written."""
    magic = next(magic for magic in all_magics() if magic.name == name)
    with pytest.raises(InputError) as caught:
        magic.parser.read("--no-such-option-at-all")
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(magic.parser.prog)
    assert "Write it like: %" in message


def test_form_of_a_line_is_as_people_write_it() -> None:
    """Dots for what may be repeated, choices while they are few, and no brackets within brackets but these."""
    forms = {magic.name: magic.parser.form() for magic in all_magics()}
    assert forms["review"] == "%review [show|accept|reject|undecided] [RANGE…] [--why REASON] [--version N]"
    assert (
        forms["tighten"]
        == "%tighten [RANGE…] [--fillers|--no-fillers] [--pauses S] [--keep S] [--why REASON]"
    )
    assert forms["memory"] == "%memory VERB [TEXT…]"
    assert not [form for form in forms.values() if "[[" in form or " ...]" in form or "{" in form]


def test_options_are_not_guessed_from_their_beginnings() -> None:
    """``--fin`` is not ``--final``: what is added later must not change what a notebook means."""
    parser = Parser("%try", "Try.")
    parser.add_argument("--final", action="store_true")
    with pytest.raises(InputError, match="--fin"):
        parser.read("--fin")


@pytest.mark.parametrize(
    ("text", "sentence", "found"),
    [
        ("keep it", "keep it", {}),
        ("keep it --why she's calm", "keep it", {"why": "she's calm"}),
        ('keep --take "my take" --why "a --b"', "keep", {"take": "my take", "why": "a --b"}),
        ("keep --why=calm --take C0101", "keep", {"why": "calm", "take": "C0101"}),
        ("keep the -- bold -- look", "keep the -- bold -- look", {}),
        ("keep -3 dB, --, or x--y", "keep -3 dB, --, or x--y", {}),
        ('keep the "--bold" look --take C0101', 'keep the "--bold" look', {"take": "C0101"}),
        ('"keep --why it is" --why calm', "keep --why it is", {"why": "calm"}),
        ("keep -- the --bold look --why not", "keep the --bold look --why not", {}),
        ("--take C0101 -- use --exact", "", {"take": "C0101 use --exact"}),
        ("keep --why they said -- never --again", "keep", {"why": "they said never --again"}),
        ('"We love it"', "We love it", {}),
        ('"We" or "they"', '"We" or "they"', {}),
    ],
)
def test_sentence_and_its_options_are_told_apart(text: str, sentence: str, found: dict[str, str]) -> None:
    """Known options end a sentence and each other; what is quoted, or behind a dash of its own, is words."""
    read = said("decide", text)
    assert (read.text, dict(read.values)) == (sentence, found)


@pytest.mark.parametrize(
    ("verb", "text", "message"),
    [
        ("decide", "t --wy x", "there is no --wy here: did you mean --why?"),
        ("decide", "t --why", "--why wants a reason"),
        ("decide", "t --take --why x", "--take wants a value"),
        ("decide", "t --why a --taek C0101", "did you mean --take?"),
        ("todo", 'logo --why "because"', "there is no --why here"),
        ("strategy", "shops --why because", "there is no --why here"),
        ("import", "FILE --sha256", "--sha256 wants a value"),
        ("show", "--al", "did you mean --all?"),
        ("note", "use --json", "there is no --json here"),
        ("search", "price --json --everywere", "did you mean --everywhere?"),
    ],
)
def test_an_option_never_becomes_text_by_mistake(verb: str, text: str, message: str) -> None:
    """One that the verb has not, or that lacks its value, is refused in a line that says how to write it literally."""
    with pytest.raises(InputError) as caught:
        said(verb, text)
    assert message in str(caught.value)
    assert "n quotes, or behind a -- of its own, it is text" in str(caught.value)
    assert f"Write it like: %memory {verb}" in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.text())
def test_any_sentence_is_read_or_refused_in_a_line(text: str) -> None:
    """Whatever is typed, words without options stay, and what is refused is said."""
    try:
        read = said("decide", text)
    except InputError:
        assert "--" in text
        return
    if "--" not in text and not any(mark in text for mark in "\"'"):
        assert read.text == text.strip()


def test_a_verb_with_a_slip_in_it_is_asked_for() -> None:
    """What is near is named, and else all that there are."""
    memory = next(magic for magic in all_magics() if magic.name == "memory")
    with pytest.raises(
        InputError, match="there is no verb 'persit': did you mean persist\\? Write it like: %memory VERB"
    ):
        memory.parser.read("persit")
    with pytest.raises(InputError, match="choose from"):
        memory.parser.read("zzz")


def test_fields_are_read_as_people_write_them() -> None:
    """Labels bold or plain, bullets or none; lines before any label are the strategy."""
    cell = """Tell it in ninety seconds.
**Decisions:**
- Hook is C0101.
- Keep the laugh - it's real.
Reasoning log: the others hum
outstanding:
  - end card: new logo
"""
    assert fields(cell) == {
        "strategy": "Tell it in ninety seconds.",
        "decisions": ["Hook is C0101.", "Keep the laugh - it's real."],
        "reasoning": ["the others hum"],
        "outstanding": ["end card: new logo"],
    }


def test_a_text_of_several_lines_is_one_entry() -> None:
    """Behind its label or bullet a text goes on below; under a label that stands alone each line is an item."""
    cell = """Strategy: Tell it
in ninety seconds.
Decision: Hook is C0101,
which is calm.
Reasoning:
the others hum
this one does not
- a bullet
  goes on

and ends.
"""
    assert fields(cell) == {
        "strategy": "Tell it in ninety seconds.",
        "decisions": ["Hook is C0101, which is calm."],
        "reasoning": ["the others hum", "this one does not", "a bullet goes on", "and ends."],
    }


@pytest.mark.parametrize(
    ("cell", "message"),
    [("Nonsense: what?", "an item begins with -"), ("Outstandng:\n- Logo", "Outstanding?")],
)
def test_a_field_that_there_is_not_is_no_task(cell: str, message: str) -> None:
    """It is refused, and nothing is written; as a bullet it is an item's text."""
    with pytest.raises(InputError) as caught:
        fields(f"Outstanding:\n{cell}")
    assert message in str(caught.value)
    assert fields("Outstanding:\n- Nonsense: what?") == {"outstanding": ["Nonsense: what?"]}
