from __future__ import annotations

from fractions import Fraction

import pytest

from cutbook.edit.edl import Edl, Range
from cutbook.edit.take import Take
from cutbook.errors import EdlError
from cutbook.files import Fingerprint
from cutbook.render.plan import plan
from cutbook.transcripts.model import Transcript, Word
from tests.render.test_plan import take

PAL = Fraction(25)
SAID = tuple(
    Word(number, text, Fraction(start), Fraction(end))
    for number, (text, start, end) in enumerate(
        [("one", "0.5", "1"), ("two", "1.5", "2"), ("three", "3", "3.5"), ("four", "4.2", "4.6")], start=1
    )
)


def spoken(words: tuple[Word, ...]) -> dict[str, Take]:
    """Give a take in which words are said."""
    bare = take("A", PAL)
    heard = Transcript(words, "en", "test", "none")
    return {"A": Take.given("A", bare.media, Fingerprint(1, "0"), transcript=heard)}


def cut(lead: str = "0", lag: str = "0") -> Edl:
    """Cut from 0.4-2.4 s, whose last word ends at 2 s, to 4.0-5.0 s, whose first word begins at 4.2 s."""
    one = Range(id="r-1", source="A", frames=(10, 60), rate=PAL, words=(1, 2), audio_lag=Fraction(lag))
    two = Range(id="r-2", source="A", frames=(100, 125), rate=PAL, words=(4, 4), audio_lead=Fraction(lead))
    return Edl(ranges=(one, two))


@pytest.mark.parametrize(
    ("lead", "lag", "room"),
    [
        ("0.4", "0", ""),  # from 3.6 s on: behind "three", and over the silence after "two"
        (
            "0.45",
            "0",
            "audio_lead of 0.45 s reaches over words; the gap holds 0.40 s",
        ),  # over the end of "two"
        ("0.7", "0", "audio_lead of 0.70 s reaches over words; the gap holds 0.40 s"),
        ("0", "0.2", ""),  # until 2.6 s: before "three", and before "four" begins
        ("0", "0.3", "audio_lag of 0.30 s reaches over words; the gap holds 0.20 s"),
    ],
)
def test_split_sound_stays_within_the_gaps(lead: str, lag: str, room: str) -> None:
    """A lead or lag may take the silence of both sides; where it would cut off or let in a word it is refused."""
    if not room:
        assert plan(cut(lead, lag), spoken(SAID)).frames == 75
        return
    with pytest.raises(
        EdlError, match=rf"range \w+ [\d.]+-[\d.]+ \(r-[12]\): its {room}, so set it to that or less"
    ):
        plan(cut(lead, lag), spoken(SAID))


def test_without_words_any_split_goes() -> None:
    """Of a take without a transcript nobody knows its gaps."""
    assert plan(cut("0.9"), spoken(())).frames == 75
