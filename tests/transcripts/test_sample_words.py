from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import pytest
from rapidfuzz.distance import Levenshtein

from cutbook.transcripts.model import Transcript
from tests.transcripts.conftest import Heard

# The first test of a session that asks for them waits for all takes to be heard.
pytestmark = pytest.mark.timeout(900)

NUMBERS = {"1": "one", "6": "six", "9": "nine", "90": "ninety", "%": "percent"}
FILLERS = {"um", "uh", "er", "hmm"}


@dataclass
class Score:
    """How the words heard compare with those said: counts, and errors of matched words' starts in seconds."""

    said: int = 0
    wrong: int = 0
    starts: list[float] = field(default_factory=list)
    ums: int = 0
    found: int = 0
    invented: int = 0

    @property
    def wer(self) -> float:
        """Words wrong, missing or too many, over words said."""
        return self.wrong / self.said


def tokens(transcript: Transcript) -> list[tuple[str, float | None]]:
    """Return the words as they are said, each with its start; the second half of a word has none."""
    found: list[tuple[str, float | None]] = []
    for word in transcript.said():
        parts = re.findall(r"\d+|%|[a-z']+", word.text.lower())
        found += [
            (NUMBERS.get(part, part), float(word.start) if number == 0 else None)
            for number, part in enumerate(parts)
        ]
    return found


def score(pairs: Sequence[tuple[dict[str, Any], Transcript]]) -> Score:
    """Compare takes of the script with what was heard in them."""
    total = Score()
    for take, transcript in pairs:
        truth = take["words"]
        spoken = [word["spoken"] for word in truth]
        heard = tokens(transcript)
        total.said += len(spoken)
        total.wrong += Levenshtein.distance(spoken, [text for text, _ in heard])
        for block in Levenshtein.opcodes(spoken, [text for text, _ in heard]):
            if block.tag != "equal":
                continue
            for step in range(block.src_end - block.src_start):
                start = heard[block.dest_start + step][1]
                if start is not None:
                    total.starts.append(abs(start - truth[block.src_start + step]["start"]))
        ums = [word["start"] for word in truth if word["filler"]]
        fillers = [float(word.start) for word in transcript.said() if word.bare in FILLERS]
        total.ums += len(ums)
        total.found += sum(any(abs(start - um) <= 0.25 for start in fillers) for um in ums)
        total.invented += sum(all(abs(start - um) > 0.25 for um in ums) for start in fillers)
    return total


def scored(script: dict[str, Any], heard: Heard, *, robot: bool) -> Score:
    """Score the takes with the robot's voice, or all the others."""
    takes = [take for take in script["takes"].values() if take["words"]]
    chosen = [take for take in takes if any("espeak" in voice for voice in take["voice"]) == robot]
    assert chosen
    return score([(take, heard.words[take["file"]]) for take in chosen])


@pytest.fixture(scope="session")
def people(script: dict[str, Any], heard: Heard) -> Score:
    """Return the score of the festival and flite takes."""
    return scored(script, heard, robot=False)


def test_every_take_is_heard(script: dict[str, Any], heard: Heard) -> None:
    """Every take with sound has words, the silent cutaway has none and counts as done."""
    assert heard.report.ok
    states = {row.take: row.state for row in heard.report.rows}
    silent = {take["file"] for take in script["takes"].values() if take["audio"] is None}
    assert {take for take, state in states.items() if state == "no sound"} == silent
    assert set(heard.words) == set(states) - silent


def test_at_most_one_word_in_twenty_is_wrong(people: Score) -> None:
    """WER, numbers spoken out, is at most 5 %."""
    assert people.wer <= 0.05


def test_words_start_where_they_are_said(people: Score) -> None:
    """The median word starts within 25 ms of where the synthesiser said it, over nearly all words."""
    assert len(people.starts) >= 0.8 * people.said
    assert median(people.starts) <= 0.025


def test_most_ums_are_heard_and_none_are_invented(people: Score) -> None:
    """At least 70 % of the ums are found within a quarter of a second, and at most one is false."""
    assert people.found >= 0.7 * people.ums
    assert people.invented <= 1


def test_a_robot_is_understood(script: dict[str, Any], heard: Heard) -> None:
    """The espeak take has at most 12 % wrong words and a median start within 60 ms."""
    robot = scored(script, heard, robot=True)
    assert robot.wer <= 0.12
    assert median(robot.starts) <= 0.060
    assert robot.invented == 0


def test_aligned_words_say_so(heard: Heard) -> None:
    """Every spoken word says whether its times come from alignment, and nearly all do."""
    flags = [word.aligned for words in heard.words.values() for word in words.said()]
    assert None not in flags
    assert sum(flag is True for flag in flags) >= 0.9 * len(flags)
