"""The words of a take, ready to be asked for many spans.

Times are whole hundredths, as spans are written, and whole numbers all the way: ten thousand spans are compared while a
person waits.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from typing import TYPE_CHECKING

from cutbook.edit.ranges import joined
from cutbook.memory.anchors import letters
from cutbook.memory.text import short_hash

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from cutbook.timebase import Span
    from cutbook.transcripts.model import Word

_KEPT = 256
_indexed: dict[int, tuple[tuple[Word, ...], Heard]] = {}


class Heard:
    """The spoken words of a take by their middles."""

    def __init__(self, words: Iterable[Word]) -> None:
        spoken = [word for word in words if word.kind == "word"]
        self._texts = [word.text for word in spoken]
        self._at = [_middle(word.start, word.end) for word in spoken]
        self._letters = [letters(text) for text in self._texts]
        self._order: list[int] | None = None
        self._all, self._ends = "", [0]
        if any(map(int.__gt__, self._at, self._at[1:])):
            self._order = sorted(range(len(spoken)), key=self._at.__getitem__)
            self._at = [self._at[place] for place in self._order]
        else:
            self._all = "".join(self._letters)
            self._ends = list(itertools.accumulate(map(len, self._letters), initial=0))

    def _inside(self, first: int, last: int) -> Iterable[int]:
        low, high = bisect_left(self._at, first), bisect_left(self._at, last)
        return range(low, high) if self._order is None else sorted(self._order[low:high])

    def _said(self, first: int, last: int) -> str:
        if self._order is None:
            low, high = bisect_left(self._at, first), bisect_left(self._at, last)
            return self._all[self._ends[low] : self._ends[max(low, high)]]
        return "".join([self._letters[place] for place in self._inside(first, last)])

    def letters(self, span: Span) -> str:
        """Give the normalised words whose middle lies in a span as written."""
        return self._said(hundredths(span.start), hundredths(span.end))

    def value(self, first: int, last: int) -> str:
        """Hash the normalised words whose middle lies between two times in hundredths."""
        return short_hash(self._said(first, last))

    def says(self, first: int, last: int, value: str) -> bool:
        """Tell whether the words between two times in hundredths have this hash."""
        return first <= last and short_hash(self._said(first, last)) == value

    def text(self, span: Span) -> str:
        """Give the words whose middle lies in a span as written, as they are spelt."""
        inside = self._inside(hundredths(span.start), hundredths(span.end))
        return joined(self._texts[place] for place in inside)


def heard(words: tuple[Word, ...]) -> Heard:
    """Index a take's words, once for as long as they are the same ones."""
    known = _indexed.get(id(words))
    if known is None or known[0] is not words:
        known = _indexed[id(words)] = words, Heard(words)
        if len(_indexed) > _KEPT:
            del _indexed[next(iter(_indexed))]
    return known[1]


def _middle(start: Fraction, end: Fraction) -> int:
    """Give the middle in whole hundredths, rounded down."""
    (a, b), (c, d) = start.as_integer_ratio(), end.as_integer_ratio()
    return (a * d + c * b) * 50 // (b * d)


def hundredths(time: Fraction) -> int:
    """Give a time as its two decimals say it, in whole hundredths."""
    return (200 * time.numerator + time.denominator) // (2 * time.denominator)
