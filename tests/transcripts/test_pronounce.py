from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutbook.transcripts.pronounce import pronunciations

PHONES = set(
    "AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW V W Y Z ZH".split()
)


def spelled(word: str) -> tuple[str, ...]:
    """Stand for a dictionary that says each word as itself, so that what is looked up can be read."""
    return (word.upper(),)


def nothing(word: str) -> tuple[str, ...]:
    """Stand for an empty dictionary."""
    del word
    return ()


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Carrots,", ["CARROTS"]),
        ("don't", ["DON'T"]),
        ("it’s", ["IT'S"]),
        ("web-page", ["WEB PAGE"]),
        ("café", ["CAFE"]),
        ("90%", ["NINETY PERCENT"]),
        ("9", ["NINE"]),
        ("43,000.", ["FORTY THREE THOUSAND"]),
        ("$5", ["FIVE DOLLARS"]),
        ("3.14", ["THREE POINT ONE FOUR"]),
        ("21st", ["TWENTY FIRST"]),
        ("40th", ["FORTIETH"]),
        ("512", ["FIVE HUNDRED TWELVE"]),
        ("1998", ["NINETEEN NINETY EIGHT", "ONE THOUSAND NINE HUNDRED NINETY EIGHT"]),
        ("2010", ["TWENTY TEN", "TWO THOUSAND TEN"]),
        ("R&D", ["R AND D"]),
        ("—", []),
        ("...", []),
        ("我们", []),
    ],
)
def test_what_is_written_is_put_into_words(written: str, said: list[str]) -> None:
    """Numbers, signs and joined words are spoken out; punctuation says nothing."""
    assert list(pronunciations(written, spelled)) == said


@pytest.mark.parametrize(("written", "said"), [("Um,", "AH M"), ("uh", "AH"), ("Er...", "ER")])
def test_fillers_have_sounds_of_their_own(written: str, said: str) -> None:
    """An um is a vowel and an m, whatever a dictionary makes of its letters."""
    assert pronunciations(written, nothing)[0] == said


@pytest.mark.parametrize(
    ("written", "said"),
    [("Febber", "F EH B ER"), ("cutbook", "K AH T B UW K"), ("shade", "SH EY D"), ("phone", "F OW N")],
)
def test_a_word_of_no_dictionary_is_sounded_by_rule(written: str, said: str) -> None:
    """Names and made-up words get the sounds that their letters suggest."""
    assert pronunciations(written, nothing) == (said,)


def test_capitals_may_be_spelled_out() -> None:
    """An abbreviation in capitals may be said by its letters or as a word."""
    assert pronunciations("GPU", nothing)[0] == "JH IY P IY Y UW"
    assert len(pronunciations("GPU", nothing)) == 2


@given(st.text(max_size=20))
def test_any_text_gives_phones_alone(written: str) -> None:
    """Whatever is written, only phones of the model come out, at most four ways, and letters are never silent."""
    found = pronunciations(written, nothing)
    assert len(found) <= 4
    assert all(set(way.split()) <= PHONES and way for way in found)
    if re.search("[a-z]", written):
        assert found
