"""Where else a range's words are said: other takes of them, and other goes within its own take."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Self

from cutbook.edit.decide import at_hand
from cutbook.edit.layout import is_spoken
from cutbook.edit.naming import typed
from cutbook.edit.ranges import quote
from cutbook.edit.retakes import LIKENESS, ends_sentence
from cutbook.edit.snap import PADS, snap_words
from cutbook.edit.sources import another_file
from cutbook.errors import TimeError
from cutbook.html import paragraph, plain_table, table
from cutbook.transcripts.pack import phrases

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from fractions import Fraction

    from cutbook.edit.decide import Which
    from cutbook.edit.edl import Edl
    from cutbook.edit.take import Take

ALIKE = 60
"""Likeness, 0 to 100, from which a passage is offered."""

MOST = 20
"""Passages that are offered at most."""

_NEAR = 2
"""Words by which a passage may grow to the end or the beginning of its sentence."""


_TRIED = 20
"""Runs of equal words at either end of a passage that may be its first or its last."""


@dataclass(frozen=True, slots=True)
class Other:
    """The same words elsewhere: take, numbers of the first and last word, frames as they would be cut, and text.

    ``likeness`` is 0 to 100. ``used`` is the id of a kept range that shows most of them, empty where none does.
    """

    take: str
    words: tuple[int, int]
    frames: tuple[int, int]
    quote: str
    likeness: int
    used: str = ""


_HEAD = ("take", "words", "likeness", "what is said", "in the film")


class Others(tuple[Other, ...]):  # noqa: SLOT001 - a tuple can have no slots of its own
    """Where else the words of a range are said, the most alike first. Each line says what ``%edl swap`` takes.

    ``total`` is in how many places, of which only the first are here.
    """

    total: int

    def __new__(cls, found: Iterable[Other] = (), *, total: int | None = None) -> Self:
        """Take the places that are listed, and how many there are."""
        made = super().__new__(cls, found)
        made.total = len(made) if total is None else total
        return made

    @property
    def sentence(self) -> str:
        """Say how many there are."""
        if not self:
            return "These words are said nowhere else."
        listed = f", the first {len(self)}" if self.total > len(self) else ""
        return f"These words are said in {self.total} other place{'s' if self.total != 1 else ''}{listed}"

    @property
    def _rows(self) -> list[tuple[object, ...]]:
        return [
            (typed(each.take), f"#{each.words[0]}-#{each.words[1]}", each.likeness, each.quote, each.used)
            for each in self
        ]

    def __repr__(self) -> str:
        """Write them as a table in text."""
        return f"{self.sentence}\n{plain_table(_HEAD, self._rows, numbers=(2,))}" if self else self.sentence

    def _repr_html_(self) -> str:
        return paragraph(self.sentence, bold=True) + (table(_HEAD, self._rows, numbers=(2,)) if self else "")


class _Heard:
    """A take's spoken words without fillers, for looking passages up."""

    def __init__(self, take: Take) -> None:
        self.places = [word.number - 1 for word in take.words if not word.filler and is_spoken(word)]
        self.bare = [take.words[place].bare for place in self.places]
        self.begins, self.ends = _bounds(take, self.places)
        self.single: defaultdict[str, list[int]] = defaultdict(list)
        self.pairs: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        for at, word in enumerate(self.bare):
            self.single[word].append(at)
        for at, pair in enumerate(pairwise(self.bare)):
            self.pairs[pair].append(at)

    def within(self, words: tuple[int, int]) -> list[int]:
        """Give which of the words bear these numbers."""
        return [at for at, place in enumerate(self.places) if words[0] <= place + 1 <= words[1]]


def others(
    edl: Edl, which: Which, takes: Mapping[str, Take], *, pads: tuple[Fraction, Fraction] = PADS
) -> Others:
    """Find where else the words of a range are said, the most alike first; the range's own place is never among them.

    Raises:
        EdlError: no such range, or its take is not there.
    """
    _, piece, take = at_hand(edl, which, takes)
    if piece.words is None:
        return Others()
    heard = take.worked_out(_Heard)
    mine = heard.within(piece.words)
    if not mine:
        return Others()
    wanted = _Wanted(
        [heard.bare[at] for at in mine],
        begins=heard.begins[mine[0]] == mine[0],
        ends=heard.ends[mine[-1]] == mine[-1],
        whole=ends_sentence(take.words[heard.places[mine[-1]]].text),
    )
    found: list[tuple[int, int, Other]] = []
    for name, other in takes.items():
        if not other.words or (name in edl.media and another_file(other, edl.media[name])):
            continue
        said = other.worked_out(_Heard)
        for first, last, likeness in _passages(wanted, said):
            numbers = said.places[first] + 1, said.places[last] + 1
            if name == piece.source and numbers[0] <= piece.words[1] and piece.words[0] <= numbers[1]:
                continue
            try:
                snapped = snap_words(other, *numbers, pads=pads)
            except TimeError:
                continue
            words = snapped.words or numbers
            text = other.words[words[0] - 1 : words[1]]
            made = Other(name, words, snapped.frames, quote(text), likeness, _user(edl, name, words))
            found.append((-likeness, sum(word.filler for word in text), made))
    found.sort(key=lambda each: each[:2])
    return Others((made for _, _, made in found[:MOST]), total=len(found))


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is looked for: words, whether they begin and end where a sentence does, and whether with a full stop."""

    words: Sequence[str]
    begins: bool
    ends: bool
    whole: bool


def _passages(wanted: _Wanted, said: _Heard) -> Iterator[tuple[int, int, int]]:
    """Give passages that are like what is wanted, none over another: first and last word, likeness."""
    from rapidfuzz import fuzz

    text = " ".join(wanted.words)
    found: list[tuple[int, int, int]] = []
    for low, high in _windows(wanted.words, said):
        span = _aligned(wanted.words, said.bare[low:high])
        if span is None:
            continue
        first, last = _to_sentence(wanted, said, low + span[0], low + span[1])
        likeness = round(fuzz.ratio(text, " ".join(said.bare[first : last + 1])))
        if not wanted.whole and list(said.bare[first : first + len(wanted.words)]) == list(wanted.words):
            likeness = max(likeness, round(LIKENESS))
        if likeness >= ALIKE:
            found.append((first, last, likeness))
    taken: list[tuple[int, int]] = []
    for first, last, likeness in sorted(found, key=lambda each: (-each[2], each[0])):
        if all(last < low or first > high for low, high in taken):
            taken.append((first, last))
            yield first, last, likeness


def _windows(wanted: Sequence[str], said: _Heard) -> Iterator[tuple[int, int]]:
    """Give stretches in which words in a row lie as they lie in what is wanted."""
    count = len(wanted)
    if count == 1:
        shifts = list(said.single.get(wanted[0], ()))
    else:
        shifts = sorted(
            at - place for place, pair in enumerate(pairwise(wanted)) for at in said.pairs.get(pair, ())
        )
    slack = min(max(2, count // 4), count - 1)
    run: list[int] = []
    for shift in [*shifts, None]:
        if run and (shift is None or shift - run[-1] > slack):
            if len(run) * 4 >= count - 1:
                yield max(0, run[0] - slack), min(len(said.bare), run[-1] + count + slack)
            run = []
        if shift is not None:
            run.append(shift)


def _aligned(wanted: Sequence[str], window: Sequence[str]) -> tuple[int, int] | None:
    """Give the first and last word of a window that belong to what is wanted."""
    from rapidfuzz.distance import Indel, LCSseq

    blocks = [each for each in LCSseq.opcodes(wanted, window) if each.tag == "equal"]
    first, last = blocks[:_TRIED], blocks[-_TRIED:]
    best = max(
        ((one, other) for one in first for other in last if one.dest_start < other.dest_end),
        key=lambda pair: Indel.normalized_similarity(wanted, window[pair[0].dest_start : pair[1].dest_end]),
        default=None,
    )
    if best is None:
        return None
    # Words said otherwise at either end are as many there as here.
    before, after = best[0].src_start, len(wanted) - best[1].src_end
    return max(best[0].dest_start - before, 0), min(best[1].dest_end - 1 + after, len(window) - 1)


def _to_sentence(wanted: _Wanted, said: _Heard, first: int, last: int) -> tuple[int, int]:
    """Put the ends of a passage where its sentence begins and ends, as those of what is wanted do."""
    middle = (first + last) // 2
    for at in range(middle, first, -1):
        if said.begins[at] == at and at - first <= _NEAR:
            first = at
            break
    for at in range(middle, last):
        if said.ends[at] == at and last - at <= _NEAR:
            last = at
            break
    if wanted.begins and first - said.begins[first] <= _NEAR:
        first = said.begins[first]
    if wanted.ends and (said.ends[last] - last <= _NEAR or not wanted.whole):
        last = said.ends[last]
    return first, last


def _bounds(take: Take, places: Sequence[int]) -> tuple[list[int], list[int]]:
    """Give for each word the first and the last word of its sentence, by their places in the list."""
    index = {place: at for at, place in enumerate(places)}
    begins, ends = list(range(len(places))), list(range(len(places)))
    run: list[int] = []

    def close() -> None:
        for at in run:
            begins[at], ends[at] = run[0], run[-1]
        run.clear()

    for phrase in phrases(take.transcript) if take.transcript else ():
        for word in phrase.words:
            if word.number - 1 in index:
                run.append(index[word.number - 1])
            if word.kind == "word" and ends_sentence(word.text):
                close()
        close()
    return begins, ends


def _user(edl: Edl, name: str, words: tuple[int, int]) -> str:
    """Name the kept range that shows most of some words."""
    for each in edl.kept:
        if each.source == name and each.words:
            shared = min(each.words[1], words[1]) - max(each.words[0], words[0]) + 1
            if shared * 2 > words[1] - words[0] + 1:
                return each.id
    return ""
