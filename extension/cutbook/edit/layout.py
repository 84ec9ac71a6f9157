"""A take's words as places to cut: which lie in a span, what stands beside them, where times cannot be trusted."""

from __future__ import annotations

import math
import unicodedata
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from cutbook.timebase import Span
from cutbook.transcripts.model import Timing

if TYPE_CHECKING:
    from cutbook.edit.take import Take
    from cutbook.transcripts.model import Word

PRINTED = Fraction(1, 200)
"""Most seconds by which a time printed with two decimals is off."""

LONGEST_SLIVER = Fraction(1, 12)
"""Seconds of a word that a span may touch, at very low frame rates, before the word counts as kept."""


_TALK_OVER = 8
"""Words for which one speaker's word may go on while another speaks."""


@dataclass(frozen=True, slots=True)
class Unsure:
    """Words whose times cannot be trusted: ``first`` to ``last`` (places) are said somewhere in ``span``.

    A run without times of its own lies between its neighbours, a stretched word between its own two ends.
    """

    first: int
    last: int
    span: Span


class Layout:
    """The words of one take, arranged for looking up. Places count from 0; the word at place p has number p + 1."""

    def __init__(self, take: Take) -> None:
        self.take = take
        self.rate = take.rate
        self.total = grid_length(take)
        self.end = self.total / self.rate
        self.words = take.words
        self.sliver = min(1 / self.rate, LONGEST_SLIVER) + PRINTED
        self._starts = [word.start for word in self.words]
        self._ends: list[Fraction] = []
        self._floor: list[Fraction] = []
        self._ceiling: list[Fraction] = []
        self._is_spoken = [is_spoken(word) for word in self.words]
        self._stands = [_stands(word) for word in self.words]
        self.spoken = [place for place, spoken in enumerate(self._is_spoken) if spoken]
        latest = quiet = Fraction(0)
        for place, word in enumerate(self.words):
            self._floor.append(quiet)
            latest = max(latest, word.end)
            self._ends.append(latest)
            if self._stands[place]:
                quiet = max(quiet, word.end)
        soonest = self.end
        for place in reversed(range(len(self.words))):
            word = self.words[place]
            self._ceiling.append(soonest)
            if self._stands[place]:
                soonest = min(soonest, word.start)
        self._ceiling.reverse()
        self.unsure = tuple(self._find_unsure())

    def near(self, span: Span) -> tuple[Word, ...]:
        """Give the words that a span may touch, in order: all that it touches are among them."""
        return self.words[bisect_right(self._ends, span.start) : bisect_left(self._starts, span.end)]

    def inside(self, span: Span) -> tuple[int, int] | None:
        """Give the first and last place of what a span keeps: whatever it overlaps by more than a sliver.

        Events count when they lie in the span whole. Punctuation follows the word before it.
        """
        low = bisect_right(self._ends, span.start - PRINTED)
        high = bisect_left(self._starts, span.end + PRINTED)
        kept = [place for place in range(low, high) if self._is_in(place, span)]
        return self.with_marks(kept[0], kept[-1]) if kept else None

    def clear(self, span: Span) -> tuple[Span | None, int]:
        """Give a span that keeps no word, off the words at its edges; None where it lies within the word returned."""
        low, high, touched = span.start, span.end, -1
        for place in range(bisect_right(self._ends, span.start), bisect_left(self._starts, span.end)):
            word = self.words[place]
            if self._is_spoken[place] and word.start < word.end:
                touched = place
                low = max(low, word.end) if word.start <= span.start < word.end else low
                high = min(high, word.start) if word.start < span.end <= word.end else high
        return (Span(low, high) if low < high else None), touched

    def covered(self, span: Span) -> tuple[int, int] | None:
        """Give the first and last place of what lies in a span already cut: words by their middle, events whole."""
        low = bisect_right(self._ends, span.start - PRINTED)
        high = bisect_left(self._starts, span.end + PRINTED)
        kept = [
            place
            for place in range(low, high)
            if (
                span.holds((self.words[place].start + self.words[place].end) / 2)
                if self._is_spoken[place]
                else self._is_in(place, span)
            )
        ]
        return self.with_marks(kept[0], kept[-1]) if kept else None

    def fits(self, places: tuple[int, int], span: Span) -> bool:
        """Tell whether a span already cut keeps just these places: both ends lie in it, no other word by a sliver."""
        heard = self.edge_words(*places)
        if heard is None:
            return False
        before, after = bisect_left(self.spoken, places[0]) - 1, bisect_right(self.spoken, places[1])
        others = self.spoken[max(before, 0) : before + 1] + self.spoken[after : after + 1]
        return (
            self.start(heard[0]) >= span.start - PRINTED
            and self.stop(heard[1]) <= span.end + PRINTED
            and all(self._overlap(place, span) <= self.sliver for place in others)
        )

    def _overlap(self, place: int, span: Span) -> Fraction:
        return min(self.words[place].end, span.end) - max(self.words[place].start, span.start)

    def with_marks(self, first: int, last: int) -> tuple[int, int]:
        """Give ``first`` and ``last`` with the punctuation tokens that open the one and close the other."""
        while first > 0 and _is_mark(self.words[first - 1]) and not self._closes(first - 1):
            first -= 1
        while last + 1 < len(self.words) and self._closes(last + 1):
            last += 1
        return first, last

    def _closes(self, place: int) -> bool:
        """Tell whether a token is a mark that belongs to what stands before it, and by the same speaker."""
        word = self.words[place]
        if not _is_mark(word) or place == 0 or self.words[place - 1].speaker != word.speaker:
            return False
        return not any(unicodedata.category(letter) in {"Ps", "Pi"} for letter in word.text)

    def edge_words(self, first: int, last: int) -> tuple[int, int] | None:
        """Give the outermost places between ``first`` and ``last`` that are heard, None when none is."""
        heard = self.heard(first, last)
        return (heard[0], heard[-1]) if heard else None

    def heard(self, first: int, last: int) -> list[int]:
        """Give the places from ``first`` to ``last`` of spoken words and of events whose times hold."""
        return [p for p in range(first, last + 1) if self._is_spoken[p] or self._stands[p]]

    def floor(self, place: int) -> Fraction:
        """Give the second before which the sound before ``place`` lies, at most that word's own start."""
        start = self.start(place)
        before = bisect_left(self.spoken, place) - 1
        if before >= 0 and _untimed(self.words[self.spoken[before]]):
            return start
        return min(self._floor[place], start)

    def ceiling(self, place: int) -> Fraction:
        """Give the second from which the sound after ``place`` lies, at least that word's own end."""
        end = self.stop(place)
        after = bisect_right(self.spoken, place)
        if after < len(self.spoken) and _untimed(self.words[self.spoken[after]]):
            return end
        return max(self._ceiling[place], end)

    def start(self, place: int) -> Fraction:
        """Give the second at which the word at ``place`` begins; for a run without times, the earliest it can."""
        run = self.run(place)
        start = self.words[place].start
        return min(start, run.span.start if run else start, self.end)

    def stop(self, place: int) -> Fraction:
        """Give the second at which the word at ``place`` ends; for a run without times, the latest it can.

        A word before it that is still going on then, as another speaker's may be, is heard to its end.
        """
        run = self.run(place)
        end = max(self.words[place].end, run.span.end if run else self.words[place].end)
        for before in range(max(0, place - _TALK_OVER), place):
            word = self.words[before]
            if self._stands[before] and word.end > self.words[place].start:
                end = max(end, word.end)
        return min(end, self.end)

    def run(self, place: int) -> Unsure | None:
        """Give the run without times that the word at ``place`` belongs to."""
        return next(
            (
                run
                for run in self.unsure
                if run.first <= place <= run.last and self.words[place].timing is not Timing.TIMED
            ),
            None,
        )

    def unsure_at(self, time: Fraction) -> Unsure | None:
        """Give the run without times in whose span ``time`` lies, off its two edges."""
        for run in self.unsure:
            at_start = time - run.span.start <= self.sliver
            at_end = run.span.end - time <= self.sliver
            if run.span.holds(time) and not at_start and not at_end:
                return run
        return None

    def _is_in(self, place: int, span: Span) -> bool:
        word = self.words[place]
        start, end = word.start, word.end
        if word.kind != "word":
            return self._stands[place] and start >= span.start - PRINTED and end <= span.end + PRINTED
        if not self._is_spoken[place]:
            return False
        length = end - start
        if length <= 2 * PRINTED:
            return span.start - PRINTED <= (start + end) / 2 <= span.end + PRINTED
        overlap = min(end, span.end) - max(start, span.start)
        return overlap > self.sliver or overlap >= max(length - 2 * PRINTED, length / 2)

    def _find_unsure(self) -> list[Unsure]:
        found: list[Unsure] = []
        run: list[int] = []
        before = Fraction(0)
        for place in self.spoken:
            word = self.words[place]
            if _untimed(word):
                run.append(place)
                continue
            if run:
                found.append(Unsure(run[0], run[-1], Span(before, max(before, word.start))))
                run = []
            if word.timing is Timing.STRETCHED:
                found.append(Unsure(place, place, Span(word.start, word.end)))
            before = max(before, word.end)
        if run:
            found.append(Unsure(run[0], run[-1], Span(before, max(before, self.end))))
        return found


def layout(take: Take) -> Layout:
    """Give a take's layout, made once a take and kept with it."""
    return take.worked_out(Layout)


def laid_out(take: Take) -> Layout | None:
    """Give a take's layout where it was made already."""
    return take.known(Layout)


def grid_length(take: Take) -> int:
    """Count the frames of a take's grid; of a variable rate, those that its nominal rate would have."""
    media = take.media
    if media.picture and not media.picture.variable:
        return media.frames
    return max(math.floor(media.duration * media.rate), 0)


def is_spoken(word: Word) -> bool:
    """Tell a spoken word from an event and from a mark that has a token of its own (``，``)."""
    return word.kind == "word" and word.bare != ""


def _untimed(word: Word) -> bool:
    return word.timing in {Timing.STUCK, Timing.UNTIMED}


def _stands(word: Word) -> bool:
    """Tell whether the sound of a word or event lies between its own times; a mark has no sound."""
    if word.kind == "word":
        return word.bare != "" and not _untimed(word)
    return word.timing is Timing.TIMED


def _is_mark(word: Word) -> bool:
    return word.kind == "word" and not word.bare
