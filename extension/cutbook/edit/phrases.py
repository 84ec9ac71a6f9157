"""Words found in a take: exactly, and the nearest where they are not said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cutbook.edit.layout import layout
from cutbook.edit.ranges import joined
from cutbook.timebase import decimals
from cutbook.transcripts.model import bare

if TYPE_CHECKING:
    from fractions import Fraction

    from cutbook.edit.take import Take

NEAR = 60.0
"""Likeness (0 to 100) from which a passage is offered as the nearest."""


@dataclass(frozen=True, slots=True)
class Place:
    """A passage of a take: numbers of its first and last word, its seconds and its text."""

    first: int
    last: int
    start: Fraction
    end: Fraction
    text: str

    def __str__(self) -> str:
        """Write the span as a cut list takes it."""
        return f"[{decimals(self.start).rjust(6, '0')}-{decimals(self.end).rjust(6, '0')}] (#{self.first}-#{self.last})"


def places(take: Take, text: str) -> tuple[Place, ...]:
    """Find where words are said, whatever their case and punctuation; overlapping places count each.

    Words written without spaces between them (Chinese) are found by their characters, at whole words.
    """
    wanted = [_even(piece) for piece in text.split()]
    wanted = [piece for piece in wanted if piece]
    plan = layout(take)
    heard = [_even(take.words[place].text) for place in plan.spoken]
    if not wanted or not heard:
        return ()
    count = len(wanted)
    found = [
        (at, at + count - 1)
        for at in range(len(heard) - count + 1)
        if heard[at] == wanted[0] and heard[at : at + count] == wanted
    ]
    return tuple(_place(take, *each) for each in found or _by_letters(heard, wanted))


def nearest(take: Take, text: str) -> Place | None:
    """Find the passage that is most like the words, None where nothing is."""
    from rapidfuzz import fuzz

    plan = layout(take)
    starts: list[int] = []
    line = ""
    for place in plan.spoken:
        line += " " if line else ""
        starts.append(len(line))
        line += _even(take.words[place].text)
    asked = " ".join(filter(None, (_even(piece) for piece in text.split())))
    if not asked or not line:
        return None
    hit = fuzz.partial_ratio_alignment(asked, line, score_cutoff=NEAR)
    if hit is None or hit.dest_start >= hit.dest_end:
        return None
    inside = [
        at
        for at, start in enumerate(starts)
        if _middle(starts, line, at) >= hit.dest_start and start < hit.dest_end
    ]
    return _place(take, inside[0], inside[-1]) if inside else None


def _middle(starts: list[int], line: str, at: int) -> float:
    end = starts[at + 1] - 1 if at + 1 < len(starts) else len(line)
    return (starts[at] + end) / 2


def _by_letters(heard: list[str], wanted: list[str]) -> list[tuple[int, int]]:
    asked = "".join(wanted)
    text = "".join(heard)
    begins: dict[int, int] = {}
    ends: dict[int, int] = {}
    at = 0
    for index, word in enumerate(heard):
        begins[at] = index
        at += len(word)
        ends[at] = index
    found: list[tuple[int, int]] = []
    at = text.find(asked)
    while at >= 0:
        if at in begins and at + len(asked) in ends:
            found.append((begins[at], ends[at + len(asked)]))
        at = text.find(asked, at + 1)
    return found


def _place(take: Take, first: int, last: int) -> Place:
    plan = layout(take)
    here, there = plan.spoken[first], plan.spoken[last]
    words = take.words[here : plan.with_marks(here, there)[1] + 1]
    return Place(
        first=take.words[here].number,
        last=take.words[there].number,
        start=take.words[here].start,
        end=take.words[there].end,
        text=joined(word.text for word in words),
    )


def _even(text: str) -> str:
    return bare(text).replace("’", "'")  # a typed apostrophe is the printed one
