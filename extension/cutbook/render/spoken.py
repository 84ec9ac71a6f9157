"""The words near a stretch of a take, without looking through hours of them for each cut."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate

from cutbook.edit.edl import Range
from cutbook.transcripts.model import Word

_MARGIN = 0.001
"""Seconds by which a stretch is taken wider, more than a float is off."""


class Spoken:
    """A take's words, ready to be asked for again and again; they may overlap, and come in any order."""

    def __init__(self, words: Sequence[Word]) -> None:
        self._words = words
        self._ends = _highest([float(word.end) for word in words])
        self._starts = _lowest([float(word.start) for word in words])
        self._last = _highest([word.number for word in words])
        self._first = _lowest([word.number for word in words])

    def between(self, start: Fraction, end: Fraction) -> Sequence[Word]:
        """Give a run of words with all in it that touch [start, end], and few others."""
        low = bisect_left(self._ends, float(start) - _MARGIN)
        return self._words[low : bisect_right(self._starts, float(end) + _MARGIN)]

    def of(self, part: Range) -> Sequence[Word]:
        """Give a run of words with all in it that a range may keep, and few others."""
        if part.words is None:
            return self.between(part.start, part.end)
        first, last = part.words
        return self._words[bisect_left(self._last, first) : bisect_right(self._first, last)]


def _highest(values: list[float]) -> list[float]:
    """Give the highest value up to each place."""
    return list(accumulate(values, max))


def _lowest(values: list[float]) -> list[float]:
    """Give the lowest value from each place on."""
    return list(accumulate(reversed(values), min))[::-1]
