from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from cutbook import Project
from cutbook.edit.edl import Edl, Music, Range
from cutbook.edit.take import Take
from cutbook.notebook.review.board import board, words
from cutbook.transcripts.model import Transcript, Word


def take_of(project: Project, *said: Word) -> Take:
    """Return C0101 with other words."""
    take = project.take("C0101")
    transcript = Transcript(said, "eng", "test", "test")
    return Take.given("C0101", take.media, take.fingerprint, transcript=transcript)


def word(number: int, text: str, start: float, end: float, **more: str) -> Word:
    """Return a word."""
    return Word(number, text, Fraction(str(start)), Fraction(str(end)), **more)  # type: ignore[arg-type]


def test_a_board_is_the_cut_list_as_plain_data(project: Project) -> None:
    """Ranges stand in order with frames and word numbers; takes have their grid, length, size, words."""
    edl = project.edl
    made = board(edl, project.takes, version=7, number=3, title="launch", undo=True)
    assert json.loads(json.dumps(made)) == made
    assert (made["version"], made["number"], made["title"]) == (7, 3, "launch")
    assert (made["undo"], made["redo"], made["locked"], made["wanted"]) == (True, False, "", None)
    assert [each["take"] for each in made["ranges"]] == ["C0101", "B0202", "C0101"]
    assert [each["words"] for each in made["ranges"]] == [[1, 4], [1, 3], [6, 8]]
    assert [each["frames"] for each in made["ranges"]] == [list(each.frames) for each in edl.ranges]
    first = made["ranges"][0]
    assert (first["beat"], first["reason"], first["status"]) == ("HOOK", "calm", "undecided")
    assert (first["quote"], first["why"], first["problem"]) == ("Ninety percent is wasted.", "", "")
    assert (first["lead"], first["lag"], first["dissolve"]) == (0, 0, 0)
    assert sorted(made["takes"]) == ["B0202", "C0101"]
    take = made["takes"]["C0101"]
    assert (take["rate"], take["frames"], take["size"]) == ([30, 1], 180, [160, 90])
    assert (take["picture"], take["sound"], take["words"]) == (True, True, 8)
    assert made["takes"]["B0202"]["rate"] == [25, 1]


def test_a_take_that_was_offered_is_there_too(project: Project) -> None:
    """Takes named beside those of the cut list are described as well; names that are no take are not."""
    made = board(project.edl, project.takes, version=1, number=1, title="", more=["S0303", "gone", "C0101"])
    assert sorted(made["takes"]) == ["B0202", "C0101", "S0303"]
    assert made["takes"]["S0303"]["sound"] is False


def test_a_take_that_went_keeps_its_ranges(project: Project, launch: Path) -> None:
    """A range whose take is gone says why; the take stands in with the range's grid and nothing to show."""
    (launch / "B0202.mov").unlink()
    made = board(project.edl, project.takes, version=1, number=1, title="")
    assert "B0202" in made["ranges"][1]["problem"]
    gone = made["takes"]["B0202"]
    assert (gone["rate"], gone["picture"], gone["sound"], gone["words"]) == ([25, 1], False, False, 0)
    assert gone["frames"] == made["ranges"][1]["frames"][1]
    assert "B0202" in made["film"]


def test_what_is_set_of_the_film_is_said(project: Project) -> None:
    """The film's values, its music and the length that is wanted are on the board."""
    edl = replace(project.edl, rate=Fraction(25), grade="warm_cinematic", music=Music(file="bed.mp3"))
    edl = replace(edl, extra={"wanted_duration_s": 90})
    made = board(edl, project.takes, version=1, number=1, title="")
    assert made["wanted"] == 90
    assert "25 fps" in made["film"]
    assert "warm_cinematic" in made["film"]
    assert "bed.mp3" in made["film"]
    assert board(Edl(), {}, version=0, number=0, title="")["film"] == ""


@pytest.mark.parametrize("wrong", ["ninety", True, -3, None])
def test_a_wanted_length_that_is_none_is_not_shown(wrong: object) -> None:
    """Only a positive number is a length."""
    made = board(Edl(extra={"wanted_duration_s": wrong}), {}, version=0, number=0, title="")
    assert made["wanted"] is None


def test_why_and_marks_of_a_range_are_told() -> None:
    """The reason of a decision, who made it, early and late sound and dissolves are on the range."""
    piece = Range(
        id="r-aaaaa",
        source="X",
        frames=(1, 9),
        rate=Fraction(24),
        status="rejected",
        by="review",
        audio_lead=Fraction(1, 2),
        audio_lag=Fraction(1, 4),
        dissolve=8,
        extra={"why": "hums"},
    )
    (made,) = board(Edl(ranges=(piece,)), {}, version=1, number=1, title="")["ranges"]
    assert (made["why"], made["by"], made["status"]) == ("hums", "review", "rejected")
    assert (made["lead"], made["lag"], made["dissolve"]) == (0.5, 0.25, 8)
    assert made["words"] is None


def test_words_are_columns_of_one_length(project: Project) -> None:
    """Numbers, texts, milliseconds and kinds stand in columns; fillers and events are told apart."""
    made = words(
        take_of(
            project,
            word(1, "Um,", 0.1, 0.3),
            word(2, "[laughs]", 0.3, 0.9, kind="event"),
            word(3, "we", 1.0005, 1.2),
        )
    )
    assert made["text"] == ["Um,", "(laughs)", "we"]
    assert made["number"] == [1, 2, 3]
    assert made["kind"] == [1, 2, 0]
    assert made["start"] == [100, 300, 1001]
    assert made["end"] == [300, 900, 1200]
    assert made["joined"] == [0, 0, 0]
    assert (made["paragraphs"], made["speakers"]) == ([0], [""])


def test_scripts_without_spaces_and_stops_are_joined(project: Project) -> None:
    """Chinese words and a stop that stands alone follow without a space; Latin words do not."""
    for texts, joined in ((["我们", "修好", "。"], [0, 1, 1]), (["then", "…", "go", "(x)"], [0, 1, 0, 0])):
        made = words(take_of(project, *(word(n, t, n, n + 0.5) for n, t in enumerate(texts, 1))))
        assert made["joined"] == joined


def test_paragraphs_begin_with_a_speaker_a_pause_or_a_sentence(project: Project) -> None:
    """A change of speaker parts at once, a pause after 30 words, a sentence's end after 90, any word after 160."""
    said: list[Word] = []
    time = 0.0

    def say(count: int, *, speaker: str, stop: int = 0) -> None:
        nonlocal time
        for place in range(1, count + 1):
            text = "word." if stop and place % stop == 0 else "word"
            said.append(word(len(said) + 1, text, round(time, 1), round(time + 0.1, 1), speaker=speaker))
            time += 0.1

    say(5, speaker="speaker_0")
    say(20, speaker="speaker_1")
    time += 1
    say(20, speaker="speaker_1")
    time += 1
    say(100, speaker="speaker_1", stop=10)
    say(200, speaker="speaker_0")
    made = words(take_of(project, *said))
    assert made["paragraphs"] == [0, 5, 45, 135, 145, 305]
    assert made["speakers"] == ["S0", "S1", "S1", "S1", "S0", "S0"]


def test_a_take_without_words_has_empty_columns(project: Project) -> None:
    """A take without a transcript has no word and no paragraph."""
    made = words(project.take("S0303"))
    assert made["text"] == made["paragraphs"] == made["speakers"] == []


def test_the_stamp_tells_words_apart(project: Project) -> None:
    """What is cached of a take is left when a word of it changes."""
    one, other = (
        board(project.edl, {**project.takes, "C0101": take}, version=1, number=1, title="")
        for take in (take_of(project, word(1, "a", 0, 1)), take_of(project, word(1, "b", 0, 1)))
    )
    assert one["takes"]["C0101"]["stamp"] != other["takes"]["C0101"]["stamp"]
    assert one["takes"]["B0202"]["stamp"] == other["takes"]["B0202"]["stamp"]
