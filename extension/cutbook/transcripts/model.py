"""Words and when they are said, normalised from the shape of ElevenLabs Scribe."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

FILLERS = frozenset("um umm uh uhm uhh erm er err hm hmm mm mhm äh ähm öhm".split())
"""Bare words that carry no meaning of their own and may be tightened away."""


class Timing(StrEnum):
    """How far a token's times can be trusted; only ``TIMED`` words are cut points."""

    TIMED = "timed"
    STUCK = "stuck"
    STRETCHED = "stretched"
    UNTIMED = "untimed"


@dataclass(frozen=True, slots=True)
class Word:
    """One spoken word or audio event.

    ``number`` counts the take's tokens from 1 (the n of ``TAKE#n``), ``start`` and ``end`` are seconds of take time,
    ``kind`` is ``word`` or ``event``. ``aligned`` tells that the times come from forced alignment, None where the
    engine does not say.
    """

    number: int
    text: str
    start: Fraction
    end: Fraction
    kind: str = "word"
    speaker: str | None = None
    timing: Timing = Timing.TIMED
    logprob: float | None = None
    aligned: bool | None = None

    @property
    def bare(self) -> str:
        """The word casefolded, without punctuation at its ends: what comparing and hashing use."""
        return bare(self.text)

    @property
    def filler(self) -> bool:
        """Tell whether the word is an um, uh or the like."""
        return self.kind == "word" and self.bare in FILLERS


@dataclass(frozen=True, slots=True)
class Transcript:
    """The words of one take, in the order of the answer; numbers run from 1 without a gap, times are monotone."""

    words: tuple[Word, ...]
    language: str | None
    engine: str
    model: str
    track: int = 0

    def said(self) -> tuple[Word, ...]:
        """Give the spoken words alone, without events."""
        return tuple(word for word in self.words if word.kind == "word")

    def speakers(self) -> tuple[str, ...]:
        """Give the speakers in the order in which they first speak."""
        return tuple(dict.fromkeys(word.speaker for word in self.words if word.speaker is not None))


def bare(text: str) -> str:
    """Casefold a word and take punctuation, symbols and spaces off its ends (``"Um,"`` → ``um``; ``43,000`` stays)."""
    folded = unicodedata.normalize("NFC", text).casefold()
    start, end = 0, len(folded)
    while start < end and unicodedata.category(folded[start])[0] in "PSZC":
        start += 1
    while end > start and unicodedata.category(folded[end - 1])[0] in "PSZC":
        end -= 1
    return folded[start:end]
