"""One table says which scripts are written without spaces, for all that is joined, split and drawn."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from cutbook.edit.ranges import joined as quoted
from cutbook.memory.ranking import terms
from cutbook.render.captions import joined as captioned
from cutbook.scripts import HAN, spaceless
from cutbook.transcripts.model import Word
from cutbook.transcripts.pack import Phrase


@pytest.mark.parametrize("letter", "我々あアーｱＡ，、。ㄅไກខမ")
def test_letters_and_marks_of_scripts_without_spaces(letter: str) -> None:
    """Chinese, Japanese, Thai, Lao, Khmer and Burmese characters, wide and half-wide, have no space beside them."""
    assert spaceless(letter)


@pytest.mark.parametrize("letter", ["", "a", "é", "한", "я", "1", ".", "“", "¿", "\x00", "\ud800"])
def test_other_scripts(letter: str) -> None:
    """Korean is written with spaces, as Latin is; what is no letter, or nothing, is none of these scripts."""
    assert not spaceless(letter, marks=True)


def test_wide_brackets_are_such_marks_only_where_they_are_asked_for() -> None:
    """A Chinese bracket has no space beside it in captions and quotes; the packed text keeps to the letters."""
    assert spaceless("「", marks=True)
    assert not spaceless("「")


def phrase(*texts: str) -> str:
    """Write words as the packed text does."""
    words = [Word(n, text, Fraction(n), Fraction(n + 1)) for n, text in enumerate(texts, start=1)]
    return Phrase(Fraction(0), Fraction(9), None, tuple(words)).text


@pytest.mark.parametrize(
    ("words", "packed", "caption", "quote"),
    [
        (("We", "ship"), "We ship", "We ship", "We ship"),
        (("我们", "发布"), "我们发布", "我们发布", "我们发布"),
        (("สวัสดี", "ครับ"), "สวัสดีครับ", "สวัสดีครับ", "สวัสดีครับ"),
        (("ខ្មែរ", "យើង"), "ខ្មែរយើង", "ខ្មែរយើង", "ខ្មែរយើង"),
        (("안녕", "하세요"), "안녕 하세요", "안녕 하세요", "안녕 하세요"),
        (("用", "AI", "剪"), "用 AI 剪", "用 AI 剪", "用AI剪"),
        (("说", "「好」"), "说 「好」", "说「好」", "说「好」"),
    ],
)
def test_what_is_joined(words: tuple[str, ...], packed: str, caption: str, quote: str) -> None:
    """Packed text and captions want both sides to be of such a script, a quote one; brackets are as above."""
    assert (phrase(*words), captioned(words), quoted(words)) == (packed, caption, quote)


def test_what_is_searched_in_pairs_is_written_without_spaces() -> None:
    """Every letter that search pairs is of such a script; a Chinese word is its pairs."""
    paired = [chr(code) for code in range(0x3000, 0x30000) if re.match(rf"(?=\w)[{HAN}]", chr(code))]
    assert [letter for letter in paired if not spaceless(letter)] == []
    assert terms("快剪辑 cut") == ["快剪", "剪辑", "cut"]
