from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from cutbook.edit.edl import Range
from cutbook.render.captions import kept_words
from cutbook.render.spoken import Spoken
from cutbook.transcripts.model import Word

RATE = Fraction(30000, 1001)
TICKS = st.integers(0, 3000)


@st.composite
def spoken(draw: st.DrawFn) -> tuple[Word, ...]:
    """Give words in any order that may overlap."""
    times = draw(st.lists(st.tuples(TICKS, st.integers(0, 300)), max_size=40))
    return tuple(
        Word(number, "word", Fraction(start, 100), Fraction(start + length, 100))
        for number, (start, length) in enumerate(times, start=1)
    )


@given(words=spoken(), first=st.integers(0, 900), frames=st.integers(1, 200), some=st.booleans())
def test_no_word_that_a_range_keeps_is_missed(
    words: tuple[Word, ...], first: int, frames: int, *, some: bool
) -> None:
    """Of the words near a range the same are kept as of all, whether it names them or goes by their middles."""
    part = Range(
        id="r-00001",
        source="take",
        frames=(first, first + frames),
        rate=RATE,
        words=(first % 40, first % 40 + 3) if some else None,
    )
    assert kept_words(part, Spoken(words).of(part)) == kept_words(part, words)


@given(words=spoken(), start=TICKS, length=st.integers(0, 500))
def test_every_word_that_touches_a_stretch_is_given(words: tuple[Word, ...], start: int, length: int) -> None:
    """No word that lies partly inside a stretch, or begins or ends at its edge, is left out."""
    low, high = Fraction(start, 100), Fraction(start + length, 100)
    touching = [word for word in words if word.start <= high and word.end >= low]
    found = list(Spoken(words).between(low, high))
    assert [word for word in found if word in touching] == touching


def test_of_hours_of_words_only_those_near_are_looked_at() -> None:
    """Of three hours of words, ten seconds give the twenty in them and their two neighbours."""
    half = Fraction(1, 2)
    words = tuple(Word(n, "word", n * half, (n + 1) * half) for n in range(21_600))
    found = Spoken(words).between(Fraction(5000), Fraction(5010))
    assert [word.number for word in found] == list(range(9999, 10_021))
