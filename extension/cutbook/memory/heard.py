"""The words of a take, ready to be asked for many spans.

Times are whole hundredths, as spans are written, and whole numbers all the way: ten thousand spans are compared while a
person waits.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from hashlib import sha256
from typing import TYPE_CHECKING

from cutbook.edit.ranges import joined
from cutbook.memory.anchors import letters

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
        at = [
            (a * d + c * b) * 50 // (b * d)  # the middle, rounded down
            for word in spoken
            for (a, b), (c, d) in ((word.start.as_integer_ratio(), word.end.as_integer_ratio()),)
        ]
        self._at = sorted(at)
        self._order = None if at == self._at else sorted(range(len(at)), key=at.__getitem__)
        self._texts = [word.text for word in spoken]
        self._letters = [letters(text) for text in self._texts]
        # Words that stand in the order of their middles lie in one piece for every span.
        self._whole = "".join(self._letters)
        self._ends = list(itertools.accumulate(map(len, self._letters), initial=0))

    def _said(self, first: int, last: int) -> str:
        low, high = bisect_left(self._at, first), bisect_left(self._at, last)
        if self._order is None:
            return self._whole[self._ends[low] : self._ends[high]] if low < high else ""
        return "".join([self._letters[place] for place in sorted(self._order[low:high])])

    def count(self, span: Span) -> int:
        """Count the words whose middle lies in a span as written."""
        low, high = (bisect_left(self._at, hundredths(edge)) for edge in (span.start, span.end))
        return max(0, high - low)

    def letters(self, span: Span) -> str:
        """Give the normalised words whose middle lies in a span as written."""
        return self._said(hundredths(span.start), hundredths(span.end))

    def value(self, first: int, last: int) -> str:
        """Hash the normalised words whose middle lies between two times in hundredths."""
        return sha256(self._said(first, last).encode("utf-8", "surrogatepass")).hexdigest()[:12]

    def text(self, span: Span) -> str:
        """Give the words whose middle lies in a span as written, as they are spelt."""
        low, high = (bisect_left(self._at, hundredths(edge)) for edge in (span.start, span.end))
        inside = range(low, high) if self._order is None else sorted(self._order[low:high])
        return joined(self._texts[place] for place in inside)


def heard(words: tuple[Word, ...]) -> Heard:
    """Index a take's words, once for as long as they are the same ones."""
    known = _indexed.get(id(words))
    if known is None or known[0] is not words:
        known = _indexed[id(words)] = words, Heard(words)
        if len(_indexed) > _KEPT:
            del _indexed[next(iter(_indexed))]
    return known[1]


def hundredths(time: Fraction) -> int:
    """Give a time as its two decimals say it, in whole hundredths."""
    return (200 * time.numerator + time.denominator) // (2 * time.denominator)
