"""Texts against a task: stems, bigrams for scripts without spaces, and BM25."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from cutbook.scripts import HAN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_K1, _B = 1.2, 0.75
"""Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009): the usual constants."""

_WORD = re.compile(rf"[{HAN}]+|[^\W_{HAN}]+", re.UNICODE)
SPACELESS = re.compile(rf"[{HAN}]+")
_ENDINGS = ("ingly", "edly", "ings", "ing", "ied", "ies", "ed", "es", "s", "ly")
_COMMON = frozenset(
    "a an and are as at be but by for from has in is it its no not of on or so than that the then this to was "
    "were with you we".split()
)


def terms(text: str) -> list[str]:
    """Split a text into stems, or pairs of characters where the script has no spaces; common words are left out."""
    found: list[str] = []
    for word in _WORD.findall(unicodedata.normalize("NFKC", text).casefold()):
        if SPACELESS.match(word):
            found += bigrams(word)
        elif word not in _COMMON:
            found.append(stem(word))
    return found


def bigrams(word: str) -> list[str]:
    """Give each pair of neighbours; a single character is itself."""
    return [word[at : at + 2] for at in range(max(1, len(word) - 1))]


def spaced(text: str, *, ends: bool = False) -> str:
    """Write a text for an index that splits at spaces: pairs of characters apart where its script has none.

    ``ends`` adds each stretch's last character alone, so that every single one begins something.
    """
    flat = unicodedata.normalize("NFKC", text)
    return SPACELESS.sub(
        lambda hit: f" {' '.join([*bigrams(hit[0]), *([hit[0][-1]] if ends else [])])} ", flat
    )


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Take an English ending off a word that stays long enough without it."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            bare = word[: -len(ending)]
            if ending in {"ied", "ies"}:
                return f"{bare}y"
            twice = len(bare) > 3 and bare[-1] == bare[-2] and bare[-1] not in "lsz"
            return bare[:-1] if twice else bare.removesuffix("e")
    return word.removesuffix("e") if len(word) > 3 else word


def scores(query: str, texts: Sequence[str]) -> list[float]:
    """Score each text against a query by BM25; 0 where they share no stem."""
    wanted = set(terms(query))
    if not wanted:
        return [0.0] * len(texts)
    stems = [_all(text) for text in texts]
    average = sum(map(len, stems)) / len(stems) if any(stems) else 1.0
    shared = [[term for term in each if term in wanted] for each in stems]
    holders = Counter(term for each in shared for term in set(each))
    weights = {term: _weight(holders[term], len(texts)) for term in wanted}
    found = []
    for each, mine in zip(stems, shared, strict=True):
        score = 0.0
        for term in set(mine):
            times = mine.count(term)
            score += weights[term] * times * (_K1 + 1) / (times + _K1 * (1 - _B + _B * len(each) / average))
        found.append(score)
    return found


@lru_cache(maxsize=1 << 15)
def _all(text: str) -> tuple[str, ...]:
    return tuple(terms(text))


def _weight(holders: int, texts: int) -> float:
    return math.log(1 + (texts - holders + 0.5) / (holders + 0.5))


def named(text: str, names: Iterable[str]) -> frozenset[str]:
    """Tell which of the names stand in a text as words of their own."""
    folded = f" {text.casefold()} "
    return frozenset(
        name
        for name in names
        if name.casefold() in folded and re.search(rf"(?<![\w]){re.escape(name.casefold())}(?![\w])", folded)
    )
