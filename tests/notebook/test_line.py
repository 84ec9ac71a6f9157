"""A magic's line, as people write it and as front ends hand it over."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutbook.edit.naming import typed
from cutbook.errors import InputError
from cutbook.notebook.line import Parser, tidy, words
from cutbook.notebook.magics import NAMES, all_magics
from cutbook.notebook.magics.memory import fields, options


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
        ("keep the --bold look", "keep the --bold look", {}),
        ("--why alone", "", {"why": "alone"}),
    ],
)
def test_sentence_and_its_options_are_told_apart(text: str, sentence: str, found: dict[str, str]) -> None:
    """Known options end a sentence and each other; other dashes and quotes are words."""
    assert options(text, "take", "why") == (sentence, found)


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
