from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutbook.edit.edl import Range
from cutbook.errors import EdlError
from cutbook.html import columns
from cutbook.render.ass import document, edge, escaped
from cutbook.render.captions import Cue, broken, cues, joined
from cutbook.render.sidecars import milliseconds
from cutbook.render.styles import STYLES, style
from cutbook.transcripts.model import Word

NATURAL, BOLD = STYLES["natural-sentence"], STYLES["bold-overlay"]


def said(text: str, *, start: str = "0", each: str = "0.4", gap: str = "0") -> tuple[Word, ...]:
    """Give the words of a text, each as long as the others."""
    at, length, pause = Fraction(start), Fraction(each), Fraction(gap)
    made = []
    for number, word in enumerate(text.split(), start=1):
        made.append(Word(number, word, at, at + length))
        at += length + pause
    return tuple(made)


def part(frames: int, rate: int = 30, first: int = 0, words: tuple[int, int] | None = None) -> Range:
    """Give a range from a take's frame `first` on."""
    return Range(id="r-00001", source="A", frames=(first, first + frames), rate=Fraction(rate), words=words)


def texts(words: tuple[Word, ...], looks: object = NATURAL, frames: int = 900) -> list[str]:
    """Give the cues' texts."""
    made = cues(part(frames), words, style=looks, rate=Fraction(30), first=0, frames=frames)  # type: ignore[arg-type]
    return [" / ".join(cue.lines) for cue in made]


def test_sentences_are_parted_evenly_and_at_commas() -> None:
    """A sentence over the most words becomes cues of like length, parted at a comma where one is near."""
    words = said("He came back late, so we began without him. We fixed this after a very long day of work.")
    assert texts(words) == [
        "He came back late,",
        "so we began without him.",
        "We fixed this after a",
        "very long day of work.",
    ]


def test_bold_overlay_shows_two_words_in_upper_case() -> None:
    """The bold style shows two words at a time, in upper case, and breaks on punctuation."""
    assert texts(said("we fixed, all of this"), BOLD) == ["WE FIXED,", "ALL OF", "THIS"]


@pytest.mark.parametrize(
    ("text", "wide", "shown"),
    [
        (
            "We go to https://www.example.com/docs/install for the whole list of these things.",
            29,
            [
                "We go to",
                "https://www.example. / com/docs/install",
                "for the whole list / of these things.",
            ],
        ),
        (
            "Hier gilt eine Geschwindigkeitsbegrenzung von achtzig Kilometern in der Stunde.",
            24,
            [
                "Hier gilt eine",
                "Geschwindigkeitsbegrenzung",
                "von achtzig Kilometern / in der Stunde.",
            ],
        ),
    ],
)
def test_a_word_too_long_for_a_line_leaves_the_others_together(
    text: str, wide: int, shown: list[str]
) -> None:
    """It has a cue of its own, broken behind the marks of an address alone, and the rest is parted as ever."""
    assert texts(said(text), replace(NATURAL, columns=wide)) == shown


def test_chinese_is_parted_by_characters() -> None:
    """A token of Chinese is taken apart by characters and joined without spaces, its time shared."""
    word = Word(1, "我们今天修好了这个问题，现在它可以工作了，而且非常快。", Fraction(0), Fraction(8))
    made = cues(part(300), (word,), style=NATURAL, rate=Fraction(30), first=0, frames=300)
    assert "".join(cue.text for cue in made) == word.text
    assert all(columns(line) <= 42 for cue in made for line in cue.lines)
    assert len(made) == 2


def test_a_chinese_word_is_in_one_cue() -> None:
    """Words that the engine gave as tokens of their own are not parted by the end of a cue."""
    tokens = ["我们", "做了", "一个", "新的", "工具，", "让", "手机", "页面", "快", "两倍。"]
    words = [Word(n + 1, text, Fraction(n, 4), Fraction(n + 1, 4)) for n, text in enumerate(tokens)]
    looks = replace(STYLES["bold-overlay"], columns=12)
    made = [cue.text for cue in cues(part(90), words, style=looks, rate=Fraction(30), first=0, frames=90)]
    assert "".join(made) == "".join(tokens)
    ends = [len("".join(tokens[:n])) for n in range(len(tokens) + 1)]
    assert [sum(map(len, made[:n])) in ends for n in range(len(made) + 1)] == [True] * (len(made) + 1)
    assert len(made) > 2


def test_words_join_with_spaces_only_where_the_script_has_them() -> None:
    """Latin words are joined with spaces, Chinese and Thai ones without."""
    assert joined(["a", "b."]) == "a b."
    assert joined(["我", "们", "OK"]) == "我们 OK"
    assert joined(["สวัส", "ดี"]) == "สวัสดี"


def test_cue_holds_the_words_of_the_range_alone() -> None:
    """Only the words that a range names are shown, on the film's clock."""
    words = said("one two three four five six", each="0.5")
    kept = part(60, first=15, words=(2, 4))
    made = cues(kept, words, style=NATURAL, rate=Fraction(30), first=100, frames=60)
    assert [(cue.text, cue.start, cue.end) for cue in made] == [("two three four", 100, 145)]


def test_events_are_no_captions() -> None:
    """Laughter and the like is not shown."""
    words = (
        Word(1, "yes", Fraction(0), Fraction(1)),
        Word(2, "(laughter)", Fraction(1), Fraction(2), kind="event"),
    )
    assert texts(words) == ["yes"]


@given(
    times=st.lists(st.tuples(st.integers(0, 4000), st.integers(0, 900)), min_size=1, max_size=40),
    frames=st.integers(1, 120),
    rate=st.sampled_from([Fraction(24000, 1001), Fraction(25), Fraction(60)]),
    looks=st.sampled_from([NATURAL, BOLD]),
)
def test_cues_never_overlap_or_leave_their_range(
    times: list[tuple[int, int]], frames: int, rate: Fraction, looks: object
) -> None:
    """Whatever the words' times, cues are at least a frame long, in order, apart and inside their range."""
    at, words = 0, []
    for number, (gap, length) in enumerate(times, start=1):
        start = at + gap % 700
        at = start + length
        words.append(Word(number, f"w{number}.", Fraction(start, 1000), Fraction(at, 1000)))
    kept = Range(id="r-1", source="A", frames=(0, frames), rate=rate, words=(1, len(words)))
    made = cues(kept, words, style=looks, rate=rate, first=7, frames=frames)  # type: ignore[arg-type]
    assert all(cue.end > cue.start for cue in made)
    assert all(one.end <= two.start for one, two in pairwise(made))
    assert made[0].start >= 7
    assert made[-1].end <= 7 + frames
    assert " ".join(cue.text.lower() for cue in made).split() == [word.text for word in words]


@given(
    frame=st.integers(1, 200_000),
    rate=st.sampled_from([Fraction(24000, 1001), Fraction(25), Fraction(30000, 1001), Fraction(60)]),
)
def test_an_edge_lies_between_the_frame_and_the_one_before(frame: int, rate: Fraction) -> None:
    """An ASS edge falls after the frame before and before the frame itself, though it counts hundredths."""
    hours, minutes, seconds = edge(frame, rate).split(":")
    time = int(hours) * 3600 + int(minutes) * 60 + Fraction(seconds)
    assert (frame - 1) / rate < time < frame / rate


def test_time_just_under_a_minute_is_whole_milliseconds_first() -> None:
    """59.9996 s is 60000 ms, never 59 s and 1000 ms."""
    assert milliseconds(599_996, Fraction(10_000)) == 60_000


def test_overrides_in_words_are_text() -> None:
    """Braces, backslashes and line ends in a word change nothing of the look."""
    assert escaped("a {\\b1} b\nc\\N") == "a \\{∖b1\\} b c∖N"


def test_document_places_cues_from_its_first_frame() -> None:
    """A segment's script counts from the segment's first frame, half a frame early."""
    text = document([Cue(110, 125, ("Hi",))], style=NATURAL, size=(1920, 1080), rate=Fraction(25), first=100)
    assert "Dialogue: 0,0:00:00.38,0:00:00.98,Default,,0,0,0,,Hi" in text
    assert "PlayResX: 1920" in text


def test_long_line_is_broken_in_the_middle() -> None:
    """A text over the columns of a line becomes two lines of nearly equal width."""
    assert broken("what people see when the caption is much too long", NATURAL) == (
        "what people see when the",
        "caption is much too long",
    )


def test_style_values_can_be_set_one_by_one() -> None:
    """Single values of a style are changed by name; what is no value is refused."""
    assert style("bold-overlay", {"style": "bold-overlay", "size": 0.1}).size == 0.1
    with pytest.raises(EdlError, match="'no-such' is no caption style"):
        style("no-such")
    with pytest.raises(EdlError, match="'sizes' is no value of a style; there are bold, "):
        style(None, {"sizes": 3})
    with pytest.raises(EdlError, match="words = True cannot be used; write a whole number, like 7"):
        style(None, {"words": True})
