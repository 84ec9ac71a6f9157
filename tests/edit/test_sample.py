"""The sample's takes with the words that are truly said in them, and their real sound."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cutbook.edit import retakes
from cutbook.edit.cutlist import parse
from cutbook.edit.edl import Edl
from cutbook.edit.take import Take
from cutbook.edit.tighten import tighten
from cutbook.files import Fingerprint
from cutbook.media.probe import probe
from cutbook.media.sound import envelope
from cutbook.timebase import Span
from cutbook.transcripts.model import Transcript, Word
from cutbook.transcripts.pack import pack

FRAME = Fraction(1, 100)


@pytest.fixture(scope="module")
def takes(
    session_sample: Path, script: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Take]:
    """Return the sample's takes with the synthesiser's own words and times."""
    cache = tmp_path_factory.mktemp("levels")
    made: dict[str, Take] = {}
    for name, about in script["takes"].items():
        file = probe(session_sample / about["file"])
        heard = [
            Word(
                number,
                word["written"],
                Fraction(str(word["start"])),
                Fraction(str(word["end"])),
                speaker=word["speaker"],
            )
            for number, word in enumerate(about["words"], 1)
        ]
        made[name] = Take.given(
            name,
            file,
            Fingerprint(file.size, name * 20),
            transcript=Transcript(tuple(heard), "en", "test", "script") if heard else None,
            envelope=envelope(file, 0, cache=cache, key=name) if file.sound else None,
        )
    return made


@pytest.fixture(scope="module")
def packed(takes: dict[str, Take]) -> Edl:
    """Return the cut list that the whole packed text is."""
    text = pack({name: (take.transcript, take.duration) for name, take in takes.items()})
    return Edl(ranges=parse(text, takes))


def test_each_phrase_is_cut_in_silence(packed: Edl, takes: dict[str, Take]) -> None:
    """Its words are whole, and 10 ms at either end are 20 dB below the phrase itself."""
    assert len(packed.ranges) > 20
    for each in packed.ranges:
        take = takes[each.source]
        assert each.words is not None
        assert each.start <= take.words[each.words[0] - 1].start
        assert take.words[each.words[1] - 1].end <= each.end
        sound = take.envelope
        assert sound is not None
        loud = sound.level(Span(each.start, each.end))
        assert sound.level(Span(each.start, each.start + FRAME)) < loud / 10
        assert sound.level(Span(each.end - FRAME, each.end)) < loud / 10


def test_tightening_takes_every_filler_and_no_word(packed: Edl, takes: dict[str, Take]) -> None:
    """What is left, word for word, is what was said without its ums and uhs."""
    now, removed = tighten(packed, takes)
    kept = [
        word
        for each in now.kept
        if each.words
        for word in takes[each.source].words[each.words[0] - 1 : each.words[1]]
    ]
    said = [word for take in takes.values() for word in take.words]
    assert len(removed) == sum(word.filler for word in said) > 5
    assert sorted(word.text for word in kept) == sorted(word.text for word in said if not word.filler)
    assert tighten(now, takes) == (now, ())


def test_sentence_of_three_takes_is_found(takes: dict[str, Take]) -> None:
    """Some group has a place in three different takes, as the sample was made to have."""
    groups = retakes.find(takes).groups
    assert max(len({each.take for each in group}) for group in groups) >= 3
