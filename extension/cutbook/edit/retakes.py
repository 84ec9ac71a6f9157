"""The same sentence, said again: in another take, or after a slip in the same one."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from cutbook.edit.layout import is_spoken
from cutbook.edit.ranges import joined
from cutbook.html import Markup, escape, paragraph, table
from cutbook.timebase import Span
from cutbook.transcripts.pack import phrases, span_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cutbook.edit.take import Take
    from cutbook.transcripts.model import Word

LIKENESS = 80.0
"""Likeness of two sentences, 0 to 100, from which one is a retake of the other."""

SHORTEST = 3
"""Words that a sentence has at least; shorter ones recur without being meant to."""

SLIP = 0.6
"""Part of a false start that must be the beginning of the longer sentence; the rest is the slip."""

_COMMON = 50
"""Pairs of words said more often than this tell nothing about where a sentence comes from."""

_ENDS = frozenset(".?!…。？！")
"""Marks with which a sentence is said to its end."""

_CLOSING = "\"'”’)"


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence where it is said: its take, its seconds, the numbers of its first and last word, its text.

    ``slips`` counts the fillers in it, ``whole`` tells it from a false start of the group's longest.
    """

    take: str
    span: Span
    words: tuple[int, int]
    text: str
    slips: int
    whole: bool = True

    def __str__(self) -> str:
        """Write it as a line of a cut list."""
        name = f'"{self.take}"' if " " in self.take else self.take
        return f"{name} {span_text(self.span.start, self.span.end)} {self.text}"


@dataclass(frozen=True, slots=True)
class Retakes:
    """Groups of sentences that are the same one, in the order in which each is first said."""

    groups: tuple[tuple[Said, ...], ...]

    @property
    def sentence(self) -> str:
        """Say how many there are."""
        if not self.groups:
            return "No sentence is said in more than one place."
        count = len(self.groups)
        return f"{count} {'sentence is' if count == 1 else 'sentences are'} said in more than one place"

    def __str__(self) -> str:
        """Write the groups; each line can be pasted into a cut list."""
        blocks = ["\n".join(["", *(f"  {each}{_remark(each)}" for each in group)]) for group in self.groups]
        return "\n".join([self.sentence, *blocks])

    def __repr__(self) -> str:
        """Write the groups as text."""
        return str(self)

    def _repr_html_(self) -> str:
        rows: list[tuple[object, ...]] = []
        for number, group in enumerate(self.groups, 1):
            for place, each in enumerate(group):
                name = Markup(f"<b>{escape(each.take)}</b>")
                span = span_text(each.span.start, each.span.end)
                rows.append(("" if place else number, name, span, each.text, _remark(each).strip(" ()")))
        return paragraph(self.sentence, bold=True) + table(("", "take", "span", "words", ""), rows)


def find(takes: Mapping[str, Take]) -> Retakes:
    """Find sentences of three words or more that are said in more than one place, fillers and punctuation aside.

    A false start counts when the longer sentence begins with all of it, or with four words and most of it.
    """
    said = [each for take in takes.values() if take.words for each in sentences(take)]
    keys = [key for _, key in said]
    joins = _Joins(len(said))
    for one, other in _candidates(keys):
        if _same(keys[one], keys[other]):
            joins.join(one, other)
    groups = []
    for members in joins.groups():
        longest = max(len(keys[index]) for index in members)
        groups.append(
            tuple(
                _marked(said[index][0], _ends_well(said[index][0]) or len(keys[index]) * 4 >= longest * 3)
                for index in members
            )
        )
    return Retakes(tuple(groups))


def ends_sentence(text: str) -> bool:
    """Tell whether a sentence ends with a word, whatever quotation marks or brackets close behind it."""
    return text.rstrip(_CLOSING)[-1:] in _ENDS


def _ends_well(each: Said) -> bool:
    """Tell whether a sentence was said to its end: dots that trail off are no full stop."""
    text = each.text.rstrip(_CLOSING)
    return text[-1:] in _ENDS - {"…"} and not text.endswith("..")


def _marked(each: Said, whole: bool) -> Said:  # noqa: FBT001 - said by name where it is read
    return Said(each.take, each.span, each.words, each.text, each.slips, whole)


def sentences(take: Take) -> Iterator[tuple[Said, tuple[str, ...]]]:
    """Give each sentence of three words or more, and its words without fillers and punctuation."""
    if take.transcript is None:
        return
    for phrase in phrases(take.transcript):
        sentence: list[Word] = []
        for word in phrase.words:
            sentence.append(word)
            if word.kind == "word" and ends_sentence(word.text):
                yield from _sentence(take, sentence)
                sentence = []
        yield from _sentence(take, sentence)


def _sentence(take: Take, words: Sequence[Word]) -> Iterator[tuple[Said, tuple[str, ...]]]:
    key = tuple(word.bare for word in words if is_spoken(word) and not word.filler)
    if len(key) < SHORTEST:
        return
    slips = sum(word.filler for word in words)
    span = Span(words[0].start, max(word.end for word in words))
    numbers = words[0].number, words[-1].number
    yield Said(take.name, span, numbers, joined(word.text for word in words), slips), key


def _candidates(keys: Sequence[tuple[str, ...]]) -> Iterator[tuple[int, int]]:
    """Give the pairs of sentences that share two words in a row which are not said everywhere."""
    places: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for index, key in enumerate(keys):
        for pair in set(pairwise(key)):
            places[pair].append(index)
    shared: Counter[tuple[int, int]] = Counter()
    for found in places.values():
        if len(found) <= _COMMON:
            shared.update((one, other) for at, one in enumerate(found) for other in found[at + 1 :])
    yield from sorted(shared)


def _same(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    from rapidfuzz import fuzz

    short, long = sorted((one, other), key=len)
    alike = next((at for at, word in enumerate(short) if word != long[at]), len(short))
    if alike == len(short) or (alike > SHORTEST and alike >= SLIP * len(short)):
        return True
    return fuzz.ratio(" ".join(one), " ".join(other)) >= LIKENESS


class _Joins:
    """Sentences joined into groups, pair by pair."""

    def __init__(self, count: int) -> None:
        self._top = list(range(count))

    def _find(self, index: int) -> int:
        while self._top[index] != index:
            self._top[index] = self._top[self._top[index]]
            index = self._top[index]
        return index

    def join(self, one: int, other: int) -> None:
        first, second = sorted((self._find(one), self._find(other)))
        self._top[second] = first

    def groups(self) -> list[list[int]]:
        found: defaultdict[int, list[int]] = defaultdict(list)
        for index in range(len(self._top)):
            found[self._find(index)].append(index)
        return [members for members in found.values() if len(members) > 1]


def _remark(each: Said) -> str:
    remarks = [] if each.whole else ["false start"]
    if each.slips:
        remarks.append(f"{each.slips} {'filler' if each.slips == 1 else 'fillers'}")
    return f"  ({', '.join(remarks)})" if remarks else ""
