"""Texts that say nearly the same: what was tried before, and what may replace what.

No score decides anything here: stems are shared or not, and numbers, takes, times and negations are told apart.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from cutbook.memory.ranking import SPACELESS, bigrams, stem
from cutbook.memory.text import shorten
from cutbook.memory.wording import own_words

if TYPE_CHECKING:
    from cutbook.memory.log import Entry
    from cutbook.memory.served import State

SHARED = 2
"""Stems that two texts share at least to be about the same idea; half of the shorter text's as well."""

RARE = 2
"""Most entries that may hold a pair of Chinese or Japanese characters for it to name an idea."""

_READ = 4_000
_QUOTED = re.compile(r"“[^“”]*”")
# A name is looked for once where letters begin, and nothing is given back: texts of one long word cost no more.
_NAMED = re.compile(
    r"(?<![^\W\d])(?<!-)[-_]*+([^\W\d_](?:[^\W\d]|-)*+\d\w*+(?:-(?:[^\W\d]|-)*+\d\w*+)*+)"  # C0103, web-2
    r"|(\d++(?:[.:]\d++)*+)"  # 3, 1.5, 0:12
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_NOT = re.compile(
    r"\b(?:no|not|never|none|without|avoid|stop|cannot|\w+n['’]t)\b|[不没沒無无别別勿]|ない|なし",
    re.IGNORECASE,
)
_EMPTY = frozenset(
    "a about add again all also an and any are as at be been but by can could did do does for from get give go had "
    "has have he her his how i if in into is it its keep let like made make may me more much must my no not now of "
    "off on one only or our out over put s she should so some such t take than that the their them then there these "
    "they this to too try up us use used want was we were what when where which while who will with would you "
    "your".split()
)


@dataclass(frozen=True, slots=True)
class Gist:
    """What a text is about: its stems, pairs of characters of scripts without spaces, what it names, and a no.

    ``named`` are numbers, times and takes. Words that a take says, in curly quotes, are left out.
    """

    stems: frozenset[str]
    pairs: frozenset[str]
    named: frozenset[str]
    negated: bool


@lru_cache(maxsize=1 << 15)
def gist(text: str) -> Gist:
    """Give what a text is about, as its first thousands of characters tell."""
    own = _QUOTED.sub(" ", own_words(text[:_READ]))
    named = frozenset(name.casefold() for name in names(own))
    rest = _NAMED.sub(" ", own)
    runs = SPACELESS.findall(rest)
    pairs = frozenset(pair for run in runs if len(run) > 1 for pair in bigrams(run))
    words = (word.casefold().replace("’", "'") for word in _WORD.findall(SPACELESS.sub(" ", rest)))
    stems = frozenset(
        stem(word.removesuffix("'s")) for word in words if word not in _EMPTY and "n't" not in word
    )
    return Gist(stems, pairs, named, bool(_NOT.search(own)))


def names(text: str) -> list[str]:
    """Give the takes, numbers and times that a text names, in time that grows as the text does."""
    return [name or number for name, number in _NAMED.findall(text)]


@dataclass(frozen=True, slots=True)
class Tried:
    """An idea that was given up and comes again; ``differs`` are the numbers and takes that only one of them names."""

    id: str
    text: str
    why: str
    session: int
    differs: tuple[str, ...] = ()

    def __str__(self) -> str:
        because = f", given up because: {self.why}" if self.why else ", given up"
        other = f" (only one of the two names {', '.join(self.differs)})" if self.differs else ""
        return (
            f"tried before: “{shorten(self.text, 120)}” ({self.id}, session {self.session}){because}{other}"
        )


def tried_before(text: str, state: State) -> tuple[Tried, ...]:
    """Find the abandoned entries that a text repeats, in the order of the log.

    At least two stems are shared, and half of the shorter text's; in Chinese and Japanese one pair of characters that
    at most two entries hold.
    """
    wanted = gist(text)
    dropped = [entry for name, entry in state.entries.items() if state.ended.get(name) == "abandoned"]
    if not dropped:
        return ()
    rare = _rare(wanted.pairs, state) if wanted.pairs else frozenset()
    found = []
    for entry in dropped:
        old = gist(entry.text)
        shared = len(wanted.stems & old.stems)
        enough = shared >= SHARED and shared * 2 >= min(len(wanted.stems), len(old.stems))
        if enough or rare & old.pairs:
            differs = tuple(sorted(wanted.named ^ old.named))
            found.append(Tried(entry.id, entry.text, state.why(entry.id), entry.session, differs))
    return tuple(found)


def _rare(pairs: frozenset[str], state: State) -> frozenset[str]:
    counts: Counter[str] = Counter()
    for entry in state.entries.values():
        if entry.kind != "e":
            counts.update(pairs & gist(entry.text).pairs)
    return frozenset(pair for pair in pairs if 1 <= counts[pair] <= RARE)


def related(one: Entry, other: Entry) -> str:
    """Tell how two entries of one kind that say nearly the same stand: ``duplicate``, ``replacement``, or neither.

    A replacement names other numbers, takes or times, or says no where the other says yes. Entries that are bound to
    different places of the footage or the cut are about different things, whatever they say.
    """
    if one.kind != other.kind or one.id == other.id or _apart(one, other):
        return ""
    a, b = gist(one.text), gist(other.text)
    if not (_near(a.stems, b.stems) if a.stems or b.stems else _near(a.pairs, b.pairs)):
        return ""
    return "duplicate" if (a.named, a.negated) == (b.named, b.negated) else "replacement"


def _near(a: frozenset[str], b: frozenset[str]) -> bool:
    shared = len(a & b)
    return shared > 0 and (a == b or (shared >= SHARED and shared * 5 >= len(a | b) * 3))


def _apart(one: Entry, other: Entry) -> bool:
    mine, theirs = _places(one), _places(other)
    if not (mine and theirs):
        mine, theirs = _places(one, files=True), _places(other, files=True)
    return bool(mine and theirs) and mine.isdisjoint(theirs)


def _places(entry: Entry, *, files: bool = False) -> set[str]:
    """Name the places of the footage and the cut that an entry is bound to, or the files."""
    tokens = entry.tokens
    kinds = {"media"} if files else {"words", "edl", "range", "span"}
    return {token.partition("=")[0] for token in tokens if token.partition(":")[0] in kinds}
