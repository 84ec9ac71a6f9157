"""Where in the sound the words of a piece stand, by forced alignment, a group of words at a time.

A group is a whole piece; where the aligner refuses it, each stretch of the piece between two silences. What is refused
then keeps Whisper's times and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from cutbook.transcripts.passes import Heard, Voice

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
