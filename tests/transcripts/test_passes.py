from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutbook.transcripts.passes import (
    Heard,
    Voice,
    joined,
    loops,
    merge_fillers,
    pieces,
    without_echoes,
    without_trailers,
)


def words(text: str, *, start: float = 0.0, each: float = 0.5) -> tuple[Heard, ...]:
    """Return words that follow each other, `each` seconds long."""
    return tuple(
        Heard(word, start + n * each, start + (n + 1) * each, 0.9) for n, word in enumerate(text.split())
    )


def text(heard: tuple[Heard, ...]) -> str:
    """Return the words in one line."""
    return " ".join(word.text for word in heard)


def test_signs_join_the_word_before_them() -> None:
    """A token without a leading space belongs to the word before; the less certain of both counts."""
    tokens = [
        Heard(" 90", 1, 1.5, 0.9),
        Heard("%", 1.5, 1.75, 0.5),
        Heard(" of", 1.75, 2, 0.8),
        Heard(" ", 2, 2, 1),
    ]
    assert joined(tokens, spaced=True) == (Heard("90%", 1, 1.75, 0.5), Heard("of", 1.75, 2, 0.8))


def test_languages_without_spaces_keep_every_token() -> None:
    """Chinese characters come without spaces and stay apart."""
    tokens = [Heard("我", 0, 0.2, 0.9), Heard("们", 0.2, 0.4, 0.9)]
    assert [word.text for word in joined(tokens, spaced=False)] == ["我", "们"]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("I mean, er, " * 8, True),
        ("This is an example video for your convenience and pleasure.", False),
        ("no no no", False),
        ("", False),
    ],
)
def test_a_text_that_repeats_itself_loops(said: str, expected: bool) -> None:  # noqa: FBT001
    """What compresses by more than 2.4 is an invention."""
    assert loops(said) is expected


@pytest.mark.parametrize(
    ("plain", "primed", "expected"),
    [
        ("we fix that", "we um fix that", "we um fix that"),
        ("we fix that", "Um, we fix that uh.", "Um, we fix that uh."),
        ("we fix that", "we um uh fix that", "we um uh fix that"),
        ("We, um, fix that", "We um fix that", "We, um, fix that"),
        ("we um fix that", "we um uh fix that", "we um uh fix that"),
        ("nine pages open", "9 uh pages open", "nine uh pages open"),
        ("we fix that", "banana er apple", "we fix that"),
        ("we fix that", "so like you know", "we fix that"),
        ("we fix that", "", "we fix that"),
        ("", "um", ""),
        ("the the page", "the um the page", "the um the page"),
    ],
)
def test_only_fillers_are_taken_from_the_primed_pass(plain: str, primed: str, expected: str) -> None:
    """Fillers go where a neighbour in both passes puts them; no other word is added, changed or lost."""
    assert text(merge_fillers(words(plain), words(primed))) == expected


def test_a_filler_needs_sixty_milliseconds() -> None:
    """What is shorter was not said."""
    plain = words("we fix")
    for length, expected in ((0.059, "we fix"), (0.0601, "we um fix")):
        primed = (plain[0], Heard("um", 0.5, 0.5 + length, 0.01), plain[1])
        assert text(merge_fillers(plain, primed)) == expected


def test_a_filler_has_the_time_of_the_primed_pass_and_overlaps_nobody() -> None:
    """The filler begins where the primed pass heard it; the word before it gives way."""
    plain = (Heard("we", 0.0, 1.2, 0.9), Heard("fix", 1.2, 1.6, 0.9))
    primed = (Heard("we", 0.0, 0.3, 0.9), Heard("um", 0.5, 0.8, 0.2), Heard("fix", 1.2, 1.6, 0.9))
    merged = merge_fillers(plain, primed)
    assert [(word.text, word.start, word.end) for word in merged] == [
        ("we", 0.0, 0.5),
        ("um", 0.5, 0.8),
        ("fix", 1.2, 1.6),
    ]


def test_an_echo_at_a_seam_is_dropped() -> None:
    """The first word of a new window that repeats the last is dropped, unless the primed pass hears it twice too."""
    plain = (*words("the time."), Heard("time.", 1.0, 1.2, 0.4, seam=True), *words("When the", start=2))
    assert text(without_echoes(plain, words("the time When the"))) == "the time. When the"
    assert text(without_echoes(plain, words("the time. Time. When the"))) == "the time. time. When the"
    no_seam = tuple(Heard(w.text, w.start, w.end, w.probability) for w in plain)
    assert without_echoes(no_seam, words("the time When the")) == no_seam


def test_trailing_words_without_voice_or_length_are_dropped() -> None:
    """From the end on, words in silence or under 30 ms go; the first real word stops it."""
    heard = (
        Heard("say", 1.0, 1.4, 0.9),
        Heard("banana", 1.4, 2.0, 0.9),
        Heard("thank", 2.0, 2.01, 0.9),
        Heard("you", 5.0, 5.5, 0.9),
    )
    assert text(without_trailers(heard, [Voice(0.9, 2.1)])) == "say banana"
    assert without_trailers(heard, []) == ()


@st.composite
def voices(draw: st.DrawFn) -> tuple[Voice, ...]:
    """Return stretches of voice no longer than a piece, in order."""
    at, found = 0.0, []
    for _ in range(draw(st.integers(0, 30))):
        start = at + draw(st.floats(0.1, 8))
        at = start + draw(st.floats(0.1, 23.6))
        found.append(Voice(start, at))
    return tuple(found)


@given(voices())
def test_pieces_hold_all_voice_and_none_is_over_24_seconds(voice: tuple[Voice, ...]) -> None:
    """Pieces are in order, none overlaps another, all voice is in one, and a long silence is in none."""
    length = (voice[-1].end if voice else 0.0) + 1
    found = pieces(voice, length=length)
    assert all(piece.end - piece.start <= 24.0 + 1e-6 for piece in found)
    assert all(before.end <= after.start + 1e-9 for before, after in pairwise(found))
    for stretch in voice:
        holding = [p for p in found if p.start <= stretch.start + 1e-9 and stretch.end <= p.end + 1e-9]
        assert len(holding) == 1
    for before, after in pairwise(voice):
        if after.start - before.end >= 3.0:
            middle = (before.end + after.start) / 2
            assert not any(piece.start < middle < piece.end for piece in found)


def test_a_piece_ends_at_the_longest_silence_within_reach() -> None:
    """Of the silences after half a piece the longest is taken, not the last."""
    voice = (Voice(0.5, 13), Voice(14, 20), Voice(20.2, 23), Voice(23.4, 30))
    assert [(piece.start, piece.end) for piece in pieces(voice, length=31)] == [
        (0.3, 13.2),
        (13.8, pytest.approx(30.2)),
    ]
