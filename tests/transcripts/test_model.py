from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given

from cutbook.errors import TranscriptDamaged
from cutbook.transcripts.model import Timing, Transcript, Word, read_scribe
from tests.strategies import odd_answers, tidy_answers

MINUTE = Fraction(60)


def token(text: str, start: Any, end: Any, **more: Any) -> dict[str, Any]:
    """Return a token of an answer."""
    return {"text": text, "start": start, "end": end, "type": "word", "speaker_id": "speaker_0", **more}


def read(*tokens: dict[str, Any], duration: Fraction | None = MINUTE, **more: Any) -> Transcript:
    """Return an answer of these tokens, read."""
    return read_scribe({"language_code": "eng", "words": list(tokens), **more}, duration=duration)


def spans(transcript: Transcript) -> list[tuple[str, float, float]]:
    """Return texts with their seconds."""
    return [(word.text, float(word.start), float(word.end)) for word in transcript.words]


def timings(transcript: Transcript) -> list[str]:
    """Return how far each token's times are trusted."""
    return [word.timing.value for word in transcript.words]


def test_spacing_is_dropped_and_numbers_count_words_and_events() -> None:
    """Spacing tokens go; words and events are numbered from 1 in the answer's order."""
    found = read(
        token("Um,", 0.5, 0.75),
        token(" ", 0.75, 1, type="spacing"),
        token("(laughs)", 1, 1.5, type="audio_event"),
        token("hi", 2, 2.5),
    )
    assert [(word.number, word.text, word.kind) for word in found.words] == [
        (1, "Um,", "word"),
        (2, "(laughs)", "event"),
        (3, "hi", "word"),
    ]
    assert found.words[0].filler
    assert not found.words[1].filler


def test_spacing_that_says_something_stays() -> None:
    """A spacing token that holds letters is kept as a word: nothing that was said is dropped."""
    found = read(token("你", 0, 0.2), token("，好", 0.2, 0.4, type="spacing"))
    assert [(word.text, word.kind) for word in found.words] == [("你", "word"), ("，好", "word")]


def test_times_are_exact() -> None:
    """A time is the decimal number of the answer, not the nearest binary one."""
    found = read(token("hi", 1.1, 2.3))
    assert found.words[0] == Word(
        number=1, text="hi", start=Fraction(11, 10), end=Fraction(23, 10), speaker="speaker_0"
    )


def test_times_are_clamped_to_the_take() -> None:
    """A time before 0 or past the take's end lies at 0 or at the end."""
    found = read(token("a", -0.5, 0.2), token("b", 59.9, 60.4))
    assert spans(found) == [("a", 0, 0.2), ("b", 59.9, 60)]


def test_an_end_before_its_start_is_the_start() -> None:
    """A word that ends 1 ms before it starts has no length."""
    assert spans(read(token("a", 2.001, 2.0))) == [("a", 2.001, 2.001)]


def test_overlapping_words_part_at_the_later_start() -> None:
    """A word's end reaches into no later word, and the later word keeps its start."""
    assert spans(read(token("a", 1, 1.5), token("b", 1.4, 2))) == [("a", 1, 1.4), ("b", 1.4, 2)]


def test_list_order_beats_start() -> None:
    """Words whose times run backwards by a few milliseconds keep their order and are drawn together."""
    found = read(token("a", 1, 1.2), token("b", 1.53, 1.6), token("c", 1.52, 1.8))
    assert [word.text for word in found.words] == ["a", "b", "c"]
    assert timings(found) == ["timed", "timed", "timed"]
    starts = [word.start for word in found.words]
    assert starts == sorted(starts)


@pytest.mark.parametrize("wrong", [50.0, 0.1])
def test_one_wrong_time_moves_no_other_word(wrong: float) -> None:
    """A single time far off is untimed; the words around it keep theirs."""
    found = read(
        token("a", 1, 1.2),
        token("b", 2, 2.2),
        token("c", wrong, wrong + 0.2),
        token("d", 3, 3.2),
        token("e", 4, 4.2),
    )
    assert [float(word.start) for word in found.words if word.text != "c"] == [1, 2, 3, 4]
    assert timings(found) == ["timed", "timed", "untimed", "timed", "timed"]
    assert 2 <= found.words[2].start <= 3


def test_four_words_on_one_time_are_stuck_and_three_are_not() -> None:
    """A run of four or more words on one start says nothing about when they are said."""
    three = [token("x", 5, 5) for _ in range(2)] + [token("x", 5, 5.4)]
    four = [token("y", 9, 9) for _ in range(3)] + [token("y", 9, 9.4)]
    assert timings(read(*three, *four)) == ["timed"] * 3 + ["stuck"] * 4


def test_words_past_the_end_are_stuck_at_it() -> None:
    """Words that all lie past the take's end are a stuck run."""
    assert timings(read(*(token("x", 61 + n, 61.5 + n) for n in range(5)))) == ["stuck"] * 5


def test_a_word_of_28_seconds_is_stretched() -> None:
    """A word that covers 28 s is stretched; an event of that length is just long."""
    found = read(token("か", 1, 29), token("[music]", 30, 58, type="audio_event"))
    assert timings(found) == ["stretched", "timed"]


@pytest.mark.parametrize(
    "missing", [{}, {"start": None, "end": None}, {"start": float("nan"), "end": float("inf")}]
)
def test_words_without_times_stand_between_their_neighbours(missing: dict[str, Any]) -> None:
    """A word without times is untimed and stands where the words around it leave it."""
    found = read(token("a", 1, 1.5), {"text": "$43,000.", "type": "word", **missing}, token("b", 3, 3.5))
    assert timings(found) == ["timed", "untimed", "timed"]
    assert 1 <= found.words[1].start <= found.words[1].end <= 3
    assert found.words[0].end == Fraction(3, 2)


def test_chinese_comes_a_character_a_word_with_its_punctuation() -> None:
    """Characters and full-width punctuation are words of their own."""
    found = read(token("你", 0, 0.2), token("好", 0.2, 0.4), token("。", 0.4, 0.4))
    assert [word.text for word in found.said()] == ["你", "好", "。"]


def test_null_speakers_stay_unknown() -> None:
    """A null speaker is nobody, and speakers are listed as they first speak."""
    found = read(
        token("a", 0, 1, speaker_id=None), token("b", 1, 2, speaker_id="speaker_1"), token("c", 2, 3)
    )
    assert [word.speaker for word in found.words] == [None, "speaker_1", "speaker_0"]
    assert found.speakers() == ("speaker_1", "speaker_0")


def test_channels_are_merged_by_time_each_its_own_speaker() -> None:
    """Of a multichannel answer the words stand in one order, the channel says who speaks."""
    payload = {
        "transcripts": [
            {"channel_index": 0, "language_code": "eng", "words": [token("How?", 1, 2), token("Yes.", 5, 6)]},
            {"channel_index": 1, "language_code": "eng", "words": [token("Well.", 3, 4)]},
        ]
    }
    found = read_scribe(payload, duration=MINUTE)
    assert [(word.text, word.speaker) for word in found.words] == [
        ("How?", "speaker_0"),
        ("Well.", "speaker_1"),
        ("Yes.", "speaker_0"),
    ]
    assert found.language == "eng"


def test_nothing_said_is_no_words() -> None:
    """An answer with an empty list, and one with an invented jingle alone, have no spoken word."""
    assert read(duration=None).words == ()
    jingle = read(token("[outro jingle]", 0.019, 3.699, type="audio_event"), duration=None)
    assert (len(jingle.words), jingle.said()) == (1, ())


@pytest.mark.parametrize(
    "payload", [{}, {"words": None}, {"detail": "busy"}, {"words": "no"}, {"transcripts": []}]
)
def test_an_answer_without_words_is_damaged(payload: dict[str, Any]) -> None:
    """An answer that is none is refused, never read as silence."""
    with pytest.raises(TranscriptDamaged, match="no words list"):
        read_scribe(payload, duration=MINUTE)


def test_a_word_that_is_no_object_is_damaged() -> None:
    """A list of texts is no list of words."""
    with pytest.raises(TranscriptDamaged, match="'hello'"):
        read_scribe({"words": ["hello"]}, duration=MINUTE)


def test_meta_names_engine_model_track_and_alignment() -> None:
    """What the answer does not say comes from meta; ``aligned`` counts spoken words alone."""
    payload = {"words": [token("a", 0, 1), token("(cough)", 1, 2, type="audio_event"), token("b", 2, 3)]}
    meta = {"engine": "local", "model": "base", "track": 2, "aligned": [True, False]}
    found = read_scribe(payload, duration=MINUTE, meta=meta)
    assert (found.engine, found.model, found.track) == ("local", "base", 2)
    assert [word.aligned for word in found.words] == [True, None, False]


def test_a_logprob_that_is_always_zero_says_nothing() -> None:
    """Scribe v1 writes 0.0 everywhere: that is no certainty."""
    assert [word.logprob for word in read(token("a", 0, 1, logprob=0.0)).words] == [None]
    assert [word.logprob for word in read(token("a", 0, 1, logprob=-0.5)).words] == [-0.5]


@given(odd_answers())
def test_whatever_comes_is_in_order_inside_and_complete(payload: dict[str, Any]) -> None:
    """Numbers run from 1, starts never go back, all lies in the take, words do not overlap, nothing said is lost."""
    found = read_scribe(payload, duration=Fraction(30))
    assert [word.number for word in found.words] == list(range(1, len(found.words) + 1))
    assert [word.text for word in found.words] == [
        w["text"].strip() for w in payload["words"] if w["text"].strip()
    ]
    starts = [word.start for word in found.words]
    assert starts == sorted(starts)
    assert all(0 <= word.start <= word.end <= 30 for word in found.words)
    said = found.said()
    assert all(before.end <= after.start for before, after in pairwise(said))


@given(tidy_answers())
def test_a_tidy_answer_keeps_every_time(payload: dict[str, Any]) -> None:
    """Words that follow each other keep their times to the millisecond, and all are timed."""
    found = read_scribe(payload, duration=Fraction(1000))
    words = [word for word in payload["words"] if word["type"] == "word"]
    assert [(word.start, word.end) for word in found.words] == [
        (Fraction(round(word["start"] * 1000), 1000), Fraction(round(word["end"] * 1000), 1000))
        for word in words
    ]
    assert {word.timing for word in found.words} <= {Timing.TIMED}
