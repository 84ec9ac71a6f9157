from __future__ import annotations

from collections.abc import Sequence

from cutbook.transcripts.aligning import place_words
from cutbook.transcripts.passes import Heard, Voice

PIECE = Voice(10.0, 20.0)
VOICE = (Voice(10.2, 13.0), Voice(15.0, 19.0))
WORDS = (
    Heard("We", 10.1, 10.9, 0.9),
    Heard("fix", 10.9, 12.9, 0.9),
    Heard("—", 12.9, 12.9, 0.9),
    Heard("that", 13.0, 18.8, 0.9),
)


def test_words_take_the_aligned_times() -> None:
    """Where the aligner places the words, its times stand; a token that says nothing stands at the one before."""

    def align(texts: Sequence[str], part: Voice) -> list[tuple[float, float] | None]:
        assert (list(texts), part) == (["We", "fix", "—", "that"], PIECE)
        return [(10.2, 10.5), (10.5, 12.8), None, (18.2, 18.9)]

    placed = place_words(WORDS, PIECE, VOICE, align)
    assert [(word.start, word.end, word.aligned) for word in placed] == [
        (10.2, 10.5, True),
        (10.5, 12.8, True),
        (12.8, 12.8, False),
        (18.2, 18.9, True),
    ]


def test_what_is_refused_as_a_whole_is_tried_in_parts() -> None:
    """A refused piece is parted at its silences; a part that is refused too keeps Whisper's times and says so."""
    asked: list[tuple[list[str], Voice]] = []

    def align(texts: Sequence[str], part: Voice) -> list[tuple[float, float] | None] | None:
        asked.append((list(texts), part))
        return [(18.2, 18.9)] if list(texts) == ["that"] else None

    placed = place_words(WORDS, PIECE, VOICE, align)
    assert asked == [
        (["We", "fix", "—", "that"], PIECE),
        (["We", "fix", "—"], Voice(10.0, 14.0)),
        (["that"], Voice(14.0, 20.0)),
    ]
    assert [(word.text, word.start, word.end, word.aligned) for word in placed] == [
        ("We", 10.1, 10.9, False),
        ("fix", 10.9, 12.9, False),
        ("—", 12.9, 12.9, False),
        ("that", 18.2, 18.9, True),
    ]


def test_a_word_put_on_another_sound_is_a_refusal() -> None:
    """Words that the aligner ends more than 1.5 s from where Whisper did are not believed."""

    def align(texts: Sequence[str], part: Voice) -> list[tuple[float, float] | None]:
        del part
        return [(10.2, 10.4)] * len(texts)

    assert [word.aligned for word in place_words(WORDS, PIECE, VOICE, align)] == [False] * 4


def test_no_words_need_no_aligner() -> None:
    """A piece without words is left alone."""
    assert place_words((), PIECE, VOICE, lambda _texts, _part: None) == ()
