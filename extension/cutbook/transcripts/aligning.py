"""Where in the sound the words of a piece stand, by forced alignment, a group of words at a time.

A group is a whole piece; where the aligner refuses it, each stretch of the piece between two silences. What is refused
then keeps Whisper's times and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from cutbook.transcripts.passes import Heard, Voice
from cutbook.transcripts.pronounce import pronunciations

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Align = Callable[[Sequence[str], Voice], Sequence[tuple[float, float] | None] | None]
"""Gives start and end in seconds for each written word (None where nothing is said), or None when it refuses."""

GROUP_SILENCE = 0.35
"""Seconds of silence that part two groups of a piece that was refused as a whole."""

FARTHEST = 1.5
"""Seconds; an aligned word that ends so far from where Whisper heard it was put on another sound."""


def place_words(
    words: Sequence[Heard], piece: Voice, voice: Sequence[Voice], align: Align
) -> tuple[Heard, ...]:
    """Give the words of a piece with aligned times, or with their own and ``aligned`` False where it was refused."""
    whole = _aligned(words, piece, align)
    if whole is not None:
        return whole
    placed: list[Heard] = []
    for group, stretch in _groups(words, piece, voice):
        found = _aligned(group, stretch, align) if len(group) < len(words) else None
        placed += found if found is not None else [replace(word, aligned=False) for word in group]
    return tuple(placed)


def _aligned(words: Sequence[Heard], stretch: Voice, align: Align) -> tuple[Heard, ...] | None:
    if not words:
        return ()
    times = align([word.text for word in words], stretch)
    if times is None:
        return None
    placed: list[Heard] = []
    for word, time in zip(words, times, strict=True):
        if time is None:
            at = placed[-1].end if placed else max(word.start, stretch.start)
            placed.append(replace(word, start=at, end=at, aligned=False))
        elif abs(time[1] - word.end) > FARTHEST:
            return None
        else:
            placed.append(replace(word, start=time[0], end=time[1], aligned=True))
    return tuple(placed)


def _groups(words: Sequence[Heard], piece: Voice, voice: Sequence[Voice]) -> list[tuple[list[Heard], Voice]]:
    inside = [stretch for stretch in voice if stretch.start < piece.end and piece.start < stretch.end]
    cuts = [
        (before.end + after.start) / 2
        for before, after in pairwise(inside)
        if after.start - before.end >= GROUP_SILENCE
    ]
    edges = [piece.start, *cuts, piece.end]
    groups: list[tuple[list[Heard], Voice]] = []
    rest = list(words)
    for number, (start, end) in enumerate(pairwise(edges)):
        last = number == len(edges) - 2
        count = len(rest) if last else next((n for n, w in enumerate(rest) if w.end > end + 0.1), len(rest))
        if count:
            groups.append((rest[:count], Voice(start, end)))
        rest = rest[count:]
    return groups


class Aligner:
    """PocketSphinx's American English model, used to place words that are known already.

    ``decoder`` is a PocketSphinx decoder with the CMU dictionary and no search of its own.
    """

    def __init__(self, decoder: Any) -> None:
        self._decoder = decoder
        self._names: dict[tuple[str, ...], str] = {}

    def align(
        self, texts: Sequence[str], sound: NDArray[np.float32], offset: float
    ) -> list[tuple[float, float] | None] | None:
        """Give start and end of each word in seconds (frames of 10 ms from ``offset``), or None where it refuses."""
        import numpy as np

        said = [self._named(pronunciations(text, self._lookup)) for text in texts]
        names = [name for name in said if name is not None]
        if not names:
            return None
        pcm = (np.clip(sound, -1.0, 1.0) * 32767).astype("<i2").tobytes()
        decoder = self._decoder
        try:
            decoder.set_align_text(" ".join(names))
            decoder.start_utt()
            decoder.process_raw(pcm, full_utt=True)
            decoder.end_utt()
            found = list(decoder.seg() or ()) if decoder.hyp() is not None else []
        except RuntimeError:
            return None
        placed = [entry for entry in found if entry.word.partition("(")[0] in self._known]
        if [entry.word.partition("(")[0] for entry in placed] != names:
            return None
        times = iter([(offset + e.start_frame / 100, offset + (e.end_frame + 1) / 100) for e in placed])
        return [None if name is None else next(times) for name in said]

    @property
    def _known(self) -> frozenset[str]:
        return frozenset(self._names.values())

    def _lookup(self, word: str) -> tuple[str, ...]:
        found: list[str] = []
        while phones := self._decoder.lookup_word(f"{word}({len(found) + 1})" if found else word):
            found.append(str(phones))
        return tuple(found)

    def _named(self, ways: tuple[str, ...]) -> str | None:
        """Give the dictionary's name for these pronunciations, entered when first met."""
        if not ways:
            return None
        if ways not in self._names:
            name = f"said-{len(self._names)}"
            for number, phones in enumerate(ways, start=1):
                self._decoder.add_word(
                    name if number == 1 else f"{name}({number})", phones, number == len(ways)
                )
            self._names[ways] = name
        return self._names[ways]
