"""Ranges made and recognised: ids that last, the words of a range as text, the same range written anew."""

from __future__ import annotations

import hashlib
import secrets
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from cutbook.edit.edl import Range
from cutbook.scripts import spaceless

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from cutbook.edit.snap import Snapped
    from cutbook.edit.take import Take
    from cutbook.transcripts.model import Word

_LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
LONGEST_QUOTE = 240
"""Most characters of a range's words that are written into the cut list."""


def new_id(taken: Container[str] = ()) -> str:
    """Make a range's id: ``r-`` and five random characters, none of those taken."""
    while True:
        made = "r-" + "".join(secrets.choice(_LETTERS) for _ in range(5))
        if made not in taken:
            return made


def derived_id(*parts: object, taken: Container[str] = ()) -> str:
    """Make an id out of what a range is, the same each time, none of those taken."""
    salt = 0
    while True:
        text = "\x1f".join([*map(str, parts), str(salt)])
        number = int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8])
        letters = ""
        for _ in range(5):
            number, digit = divmod(number, len(_LETTERS))
            letters += _LETTERS[digit]
        if (made := f"r-{letters}") not in taken:
            return made
        salt += 1


def make_range(
    take: Take, snapped: Snapped, *, id: str, beat: str = "", reason: str = "", by: str = ""
) -> Range:
    """Make a range of a take out of where it came to lie."""
    words = take.words[snapped.words[0] - 1 : snapped.words[1]] if snapped.words else ()
    return Range(
        id=id,
        source=take.name,
        frames=snapped.frames,
        rate=take.rate,
        words=snapped.words,
        pads=snapped.pads,
        beat=beat,
        quote=quote(words),
        reason=reason,
        by=by,
    )


def words_of(piece: Range, take: Take) -> tuple[Word, ...]:
    """Give the words and events that a range keeps, as the take has them now."""
    return take.words[piece.words[0] - 1 : piece.words[1]] if piece.words else ()


def quote(words: Sequence[Word]) -> str:
    """Write words as one line, shortened in the middle beyond 240 characters."""
    text = joined(word.text for word in words)
    if len(text) <= LONGEST_QUOTE:
        return text
    half = LONGEST_QUOTE // 2 - 2
    return f"{text[:half].rstrip()} … {text[-half:].lstrip()}"


def quote_as_heard(words: Sequence[Word]) -> str:
    """Write words as one line as :func:`quote` does, without corrections."""
    return quote([each if each.heard is None else replace(each, text=each.heard) for each in words])


def joined(texts: Iterable[str]) -> str:
    """Join words with spaces, but for scripts that are written without them (Chinese, Japanese, Thai).

    One side of such a script is enough, so that a quote in the cut list is as short as it can be read.
    """
    line = ""
    for text in texts:
        piece = text.strip()
        if not piece:
            continue
        if line and not (spaceless(line[-1], marks=True) or spaceless(piece[0], marks=True)):
            line += " "
        line += piece
    return " ".join(line.split())


def runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Give numbers, which rise, as the first and the last of each run of neighbours."""
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1] = found[-1][0], number
        else:
            found.append((number, number))
    return found


def spelled(numbers: Iterable[int]) -> list[str]:
    """Write numbers, which rise, as people write ranges: ``1-3`` and ``5``."""
    return [str(first) if first == last else f"{first}-{last}" for first, last in runs(numbers)]


def same_again(made: Sequence[Range], old: Sequence[Range]) -> tuple[Range, ...]:
    """Give ranges written anew the ids and decisions of the equal ranges (take, frames, beat) that were there.

    A cut list that is written twice is thereby the same cut list, and a decision on a range outlives it.
    """
    known: defaultdict[tuple[object, ...], list[Range]] = defaultdict(list)
    for each in old:
        known[each.source, each.frames, each.rate, each.beat].append(each)
    taken = {each.id for each in old}
    result: list[Range] = []
    for each in made:
        before = known[each.source, each.frames, each.rate, each.beat]
        if before:
            was = before.pop(0)
            result.append(
                replace(
                    was,
                    words=each.words,
                    pads=each.pads,
                    quote=each.quote,
                    reason=each.reason or was.reason,
                    problem=each.problem,
                )
            )
        else:
            result.append(replace(each, id=new_id(taken)) if each.id in taken else each)
        taken.add(result[-1].id)
    return tuple(result)
