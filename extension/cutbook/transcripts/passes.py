"""What is made of Whisper's two passes: pieces of sound, joined tokens, fillers merged in, invented ends dropped.

All times here are plain seconds of take time inside one transcription; they become exact when the answer is read.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import pairwise

from cutbook.transcripts.model import FILLERS, bare

FILLER_PROMPT = "Um, so, uh, like, you know, I mean, er, hmm. So, um, I was, uh, thinking."
"""Said before the second pass, so that Whisper writes what it otherwise leaves out."""

LONGEST_PIECE = 24.0
"""Seconds of sound that Whisper hears at once; its window is 30."""

PAUSE = 3.0
"""Seconds of silence that always part two pieces: Whisper invents words in long silences."""

MARGIN = 0.2
"""Seconds of silence kept around the voice of a piece, where there is so much."""

LOOPING = 2.4
"""Above this UTF-8 length over zlib length a text repeats itself (Whisper's own threshold)."""

SHORTEST_FILLER = 0.06
SHORTEST_TRAILER = 0.03
"""Seconds; what is shorter was not said."""


@dataclass(frozen=True, slots=True)
class Voice:
    """A stretch of voice or of sound, in seconds."""

    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Heard:
    """A word that Whisper heard: seconds, probability 0 to 1, and whether forced alignment placed it.

    ``seam`` marks the first word after Whisper moved its window on.
    """

    text: str
    start: float
    end: float
    probability: float
    aligned: bool | None = None
    seam: bool = False

    @property
    def filler(self) -> bool:
        """Tell whether the word is an um, uh or the like."""
        return bare(self.text) in FILLERS


def pieces(voice: Sequence[Voice], *, length: float) -> tuple[Voice, ...]:
    """Cut ``length`` seconds of sound at silences into pieces of at most 24 s that hold all the voice.

    Within reach, the longest silence of the later half is taken.
    """
    found: list[Voice] = []
    rest = list(voice)
    while rest:
        fits = 1
        while (
            fits < len(rest)
            and rest[fits].end - rest[0].start <= LONGEST_PIECE - 2 * MARGIN
            and rest[fits].start - rest[fits - 1].end < PAUSE
        ):
            fits += 1
        if fits < len(rest) and rest[fits].start - rest[fits - 1].end < PAUSE:
            later = [n for n in range(1, fits + 1) if rest[n - 1].end - rest[0].start >= LONGEST_PIECE / 2]
            fits = max(later or [fits], key=lambda n: (rest[n].start - rest[n - 1].end, n))
        before = found[-1].end if found else 0.0
        after = rest[fits].start if fits < len(rest) else length
        start, end = rest[0].start, rest[fits - 1].end
        found.append(Voice(max(before, start - MARGIN), end + min(MARGIN, (after - end) / 2)))
        rest = rest[fits:]
    return tuple(found)


def joined(heard: Iterable[Heard], *, spaced: bool) -> tuple[Heard, ...]:
    """Join what Whisper splits inside a word (`` 90`` + ``%``): a token without a leading space belongs to the last.

    ``spaced`` is False for languages without spaces between words, where every token stands for itself.
    """
    words: list[Heard] = []
    for token in heard:
        if not token.text.strip():
            continue
        if spaced and words and not token.text.startswith(" "):
            last = words[-1]
            words[-1] = replace(
                last,
                text=last.text + token.text.rstrip(),
                end=max(last.end, token.end),
                probability=min(last.probability, token.probability),
            )
        else:
            words.append(replace(token, text=token.text.strip()))
    return tuple(words)


def loops(text: str) -> bool:
    """Tell whether a text repeats itself, as Whisper's inventions do."""
    data = text.encode()
    return bool(data) and len(data) / len(zlib.compress(data)) > LOOPING


def without_echoes(plain: Sequence[Heard], primed: Sequence[Heard]) -> tuple[Heard, ...]:
    """Drop a word that Whisper hears twice because its window moved on within it.

    That is the first word of a window, the same as the last of the one before, where the primed pass, whose windows
    lie elsewhere, hears no repetition of it.
    """
    twice = {bare(a.text) for a, b in pairwise(primed) if bare(a.text) == bare(b.text)}
    return tuple(
        word
        for place, word in enumerate(plain)
        if not (
            word.seam
            and place
            and bare(word.text) == bare(plain[place - 1].text)
            and bare(word.text) not in twice
        )
    )


def merge_fillers(plain: Sequence[Heard], primed: Sequence[Heard]) -> tuple[Heard, ...]:
    """Put the fillers of the primed pass between the words of the plain one, which it never changes.

    The passes are aligned over their other words. A filler needs 60 ms and one neighbour that both passes have; where
    the plain pass has fillers in that place already, only further ones are added.
    """
    partner = _partners(plain, primed)
    added: dict[int, list[Heard]] = {}
    for place, word in enumerate(primed):
        if not word.filler or word.end - word.start < SHORTEST_FILLER:
            continue
        before = next((n for n in range(place - 1, -1, -1) if not primed[n].filler), None)
        after = next((n for n in range(place + 1, len(primed)) if not primed[n].filler), None)
        if before is not None and before in partner:
            gap = partner[before] + 1
        elif after is not None and after in partner:
            gap = partner[after]
            while gap and plain[gap - 1].filler:
                gap -= 1
        else:
            continue
        added.setdefault(gap, []).append(word)
    further: dict[int, list[Heard]] = {}
    for gap, fillers in added.items():
        known = 0
        while gap + known < len(plain) and plain[gap + known].filler:
            known += 1
        further[gap + known] = fillers[known:]
    merged: list[Heard] = []
    for place in range(len(plain) + 1):
        merged += further.get(place, [])
        merged += plain[place : place + 1]
    return _ordered(merged)


def _partners(plain: Sequence[Heard], primed: Sequence[Heard]) -> dict[int, int]:
    """Match the primed pass's words, fillers left out, with the plain one's: place by place."""
    kept = [place for place, word in enumerate(plain) if not word.filler]
    others = [place for place, word in enumerate(primed) if not word.filler]
    matcher = SequenceMatcher(
        None, [bare(plain[n].text) for n in kept], [bare(primed[n].text) for n in others], autojunk=False
    )
    partner: dict[int, int] = {}
    for block in matcher.get_matching_blocks():
        for step in range(block.size):
            partner[others[block.b + step]] = kept[block.a + step]
    return partner


def _ordered(words: Sequence[Heard]) -> tuple[Heard, ...]:
    placed: list[Heard] = []
    for word in words:
        start = max(word.start, placed[-1].start) if placed else word.start
        if placed and placed[-1].end > start:
            placed[-1] = replace(placed[-1], end=start)
        placed.append(replace(word, start=start, end=max(start, word.end)))
    return tuple(placed)


def without_trailers(words: Sequence[Heard], voice: Sequence[Voice]) -> tuple[Heard, ...]:
    """Drop the words at the end of a piece that take less than 30 ms or lie where there is no voice at all."""
    kept = list(words)
    while kept:
        last = kept[-1]
        heard = any(stretch.start < last.end and last.start < stretch.end for stretch in voice)
        if heard and last.end - last.start >= SHORTEST_TRAILER:
            break
        kept.pop()
    return tuple(kept)
