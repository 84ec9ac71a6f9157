"""Whatever an engine answers is loaded, packed and cut: nothing fails, and no cut stands where no time is known."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutbook.edit import cutlist
from cutbook.edit.edl import Range
from cutbook.edit.take import Take
from cutbook.errors import CutListError
from cutbook.files import Fingerprint
from cutbook.media.probe import Media, probe
from cutbook.transcripts.model import Timing, Transcript, read_scribe
from cutbook.transcripts.pack import pack, phrases
from tests.footage import make_sound
from tests.strategies import odd_answers, tidy_answers


@pytest.fixture(scope="module")
def media(tmp_path_factory: pytest.TempPathFactory) -> Media:
    """Return a sound of thirty seconds."""
    return probe(make_sound(Path(tmp_path_factory.mktemp("shapes")) / "T.wav", seconds=30))


@settings(max_examples=60)
@given(st.one_of(tidy_answers(), odd_answers()))
def test_every_shape_packs_and_cuts(media: Media, answer: dict[str, Any]) -> None:
    """Each phrase lies within the take and is a cut line; one whose edge is in a stuck run is refused by name."""
    transcript = read_scribe(answer, duration=media.duration)
    take = Take.given("T", media, Fingerprint(1, "0" * 64), transcript=transcript)
    packed = pack({"T": (transcript, media.duration)})
    lines = [line for line in packed.splitlines() if line.startswith("  [")]
    for phrase in phrases(transcript):
        assert 0 <= phrase.start <= phrase.end <= media.duration
    stuck, frame = _stuck(transcript, media.duration), 2 / media.rate
    unsure = [word for word in transcript.words if word.timing is not Timing.TIMED]
    for line in lines:
        made, refusal = _cut(line, take)
        start, _, end = line[3:].partition("]")[0].partition("-")
        # Only where a time is not to be trusted, or nothing is left to keep, may a packed phrase be refused.
        assert not refusal or unsure or start == end, refusal
        for piece in made:
            assert 0 <= piece.start < piece.end <= media.duration
            for low, high in stuck:
                for edge in (piece.start, piece.end):
                    assert not low + frame < edge < high - frame


def _cut(line: str, take: Take) -> tuple[tuple[Range, ...], str]:
    """Cut by one packed line, and give its ranges or why it was refused."""
    pads = (Fraction(1, 20), Fraction(2, 25))
    try:
        return cutlist.parse(f"## T\n{line}", {"T": take}, pads=pads, by="test"), ""
    except CutListError as error:
        return (), str(error)


def _stuck(transcript: Transcript, end: Fraction) -> list[tuple[Fraction, Fraction]]:
    """Give the stretches, from timed word to timed word, in which a stuck word may have been said."""
    timed = [word for word in transcript.words if word.timing is Timing.TIMED]
    found = []
    for word in transcript.words:
        if word.timing is Timing.STUCK:
            before = [each.end for each in timed if each.number < word.number]
            after = [each.start for each in timed if each.number > word.number]
            found.append((max(before, default=Fraction(0)), min(after, default=end)))
    return found
