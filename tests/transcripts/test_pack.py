from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import given

from cutbook.transcripts.model import Transcript, read_scribe
from cutbook.transcripts.pack import pack, phrases, span_text
from tests.strategies import odd_answers

HEAD = """\
# Packed transcripts

Phrase-level, grouped on silences ≥ 0.5s or speaker change.
Use `[start-end]` ranges to address cuts in the EDL.
"""


def said(*tokens: tuple[Any, ...], duration: int = 5000) -> Transcript:
    """Return what was said: text, start, end and, where it matters, speaker."""
    words = []
    for text, start, end, *rest in tokens:
        kind = "audio_event" if text.startswith(("(", "[")) else "word"
        words.append(
            {
                "text": text,
                "start": start,
                "end": end,
                "type": kind,
                "speaker_id": rest[0] if rest else "speaker_0",
            }
        )
    return read_scribe({"words": words}, duration=Fraction(duration))


def test_the_packed_text_is_as_documented() -> None:
    """Headings, phrases, ranges and speakers stand as the format says, to the byte."""
    take = said(
        ("Ninety", 2.52, 3.0),
        ("percent.", 3.05, 5.36),
        ("We", 6.08, 6.2),
        ("fixed", 6.2, 6.5),
        ("this.", 6.5, 6.74),
    )
    expected = (
        HEAD
        + """
## C0103  (duration: 43.0s, 2 phrases)
  [002.52-005.36] S0 Ninety percent.
  [006.08-006.74] S0 We fixed this.
"""
    )
    assert pack({"C0103": (take, Fraction(43))}) == expected


def test_takes_stand_in_natural_order_and_silent_ones_say_so() -> None:
    """C2 comes before C10, one phrase is no phrases, and a take without words says why."""
    word = said(("Hi.", 0, 1))
    packed = pack({"C10": (None, Fraction(5)), "C2": (word, Fraction(5)), "C1": (said(), Fraction(21, 20))})
    assert packed.removeprefix(HEAD) == (
        "\n## C1  (duration: 1.1s, 0 phrases)\n  (no speech)\n"
        "\n## C2  (duration: 5.0s, 1 phrase)\n  [000.00-001.00] S0 Hi.\n"
        "\n## C10  (duration: 5.0s, 0 phrases)\n  (no transcript)\n"
    )


def test_the_same_takes_in_another_order_give_the_same_bytes() -> None:
    """The order in which takes are handed over changes nothing."""
    takes = {name: (said(("Hi.", 0, 1)), Fraction(2)) for name in ("b", "A", "a", "C2", "c10", "10", "9")}
    assert pack(takes) == pack(dict(reversed(takes.items())))


def test_a_phrase_ends_on_a_silence_of_the_threshold() -> None:
    """Half a second of silence parts phrases, a millisecond less does not; the threshold can be chosen."""
    take = said(("a", 0, 1), ("b", 1.5, 2), ("c", 2.499, 3))
    assert [phrase.text for phrase in phrases(take)] == ["a", "b c"]
    assert [phrase.text for phrase in phrases(take, Fraction(1))] == ["a b c"]
    assert "silences ≥ 1.25s" in pack({"T": (take, Fraction(3))}, silence=Fraction(5, 4))


def test_a_pause_is_measured_between_words_not_by_spacing() -> None:
    """A spacing token that covers a pause of 151 s hides none of it."""
    payload = {
        "words": [
            {"text": "a", "start": 0, "end": 1, "type": "word"},
            {"text": " ", "start": 1, "end": 152, "type": "spacing"},
            {"text": "b", "start": 152, "end": 153, "type": "word"},
        ]
    }
    assert len(phrases(read_scribe(payload, duration=Fraction(200)))) == 2


def test_a_phrase_ends_where_the_speaker_changes() -> None:
    """Another speaker is another phrase, however fast they answer; nobody in particular changes nothing."""
    take = said(("a", 0, 1, "speaker_0"), ("b", 1, 2, None), ("c", 2, 3, "speaker_1"), ("d", 3, 4, "Mara"))
    assert [(phrase.speaker, phrase.text) for phrase in phrases(take)] == [
        ("speaker_0", "a b"),
        ("speaker_1", "c"),
        ("Mara", "d"),
    ]
    lines = pack({"T": (take, Fraction(4))}).splitlines()[-3:]
    assert [line.partition("] ")[2] for line in lines] == ["S0 a b", "S1 c", "Mara d"]


def test_chinese_and_japanese_join_without_spaces() -> None:
    """Characters join, Latin words between them keep a space from each other, Korean keeps its spaces."""
    tokens = ["PGS", "入", "水", "，", "IU", "PGS", "ペ", "ー", "ジ", "。"]
    take = said(*((text, n / 10, (n + 1) / 10) for n, text in enumerate(tokens)))
    assert [phrase.text for phrase in phrases(take)] == ["PGS 入水， IU PGS ページ。"]
    korean = said(("서차터호", 0, 1), ("라마소", 1, 2))
    assert [phrase.text for phrase in phrases(korean)] == ["서차터호 라마소"]


def test_runs_whose_times_say_nothing_are_marked() -> None:
    """Stuck, stretched and untimed words stand between tildes, also at a phrase's ends."""
    stuck = [("so", 2, 2)] * 4
    take = said(("a", 1.6, 1.9), *stuck, ("b", 2.2, 2.4), ("c", 2.4, 2.5), ("d", None, None))
    assert [phrase.text for phrase in phrases(take)] == ["a ~so so so so~ b c ~d~"]


def test_events_stand_in_parentheses_whatever_their_brackets() -> None:
    """``[suspiro]``, ``(laughs)`` and ``（笑）`` are all written in round brackets."""
    take = said(("Hm.", 0, 0.4), ("[suspiro]", 0.4, 0.6), ("(laughs)", 0.6, 0.9))
    assert [phrase.text for phrase in phrases(take)] == ["Hm. (suspiro) (laughs)"]


def test_an_event_alone_is_shown_and_the_take_is_without_speech() -> None:
    """An invented jingle is there to be seen, with the word that nobody speaks."""
    packed = pack({"T": (said(("[outro jingle]", 0.019, 3.699)), Fraction(4))})
    assert packed.endswith("  [000.02-003.70] S0 (outro jingle)\n  (no speech)\n")


def test_ranges_grow_past_a_thousand_seconds() -> None:
    """Ranges are padded to six characters and grow wider."""
    assert span_text(Fraction(5, 2), Fraction(2001, 2)) == "[002.50-1000.50]"


@given(odd_answers())
def test_every_word_is_in_one_phrase_and_every_line_is_one_line(payload: dict[str, Any]) -> None:
    """Phrases hold every word once and in order, and no text breaks a line."""
    take = read_scribe(payload, duration=Fraction(30))
    found = phrases(take)
    assert [word for phrase in found for word in phrase.words] == list(take.words)
    lines = pack({"T": (take, Fraction(30))}).removeprefix(HEAD).splitlines()
    assert len(lines) == 2 + len(found) + (not take.said())
