"""Cues on the output's clock: which words stand on the screen together, from which frame to which."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from cutbook.edit.edl import Range
from cutbook.html import columns
from cutbook.render.styles import Style
from cutbook.scripts import spaceless
from cutbook.transcripts.model import Word

_SENTENCE = tuple(".!?…。！？")
_CLAUSE = (*_SENTENCE, *",;:、，；：—–")
_WORD = 4
"""Characters of the longest words of scripts without spaces that are common."""

_JOINT = re.compile(r"[^-/._?&=]+[-/._?&=]*|[-/._?&=]+")
_CLOSERS = "\"'”’»)]}」』）】"


@dataclass(frozen=True, slots=True)
class Cue:
    """Text shown during the output frames [start, end); ``lines`` are broken to fit the style.

    ``said`` gives the output frame from which each word, as it is shown, is said; empty where no style asks for it.
    """

    start: int
    end: int
    lines: tuple[str, ...]
    said: tuple[tuple[int, str], ...] = ()

    @property
    def text(self) -> str:
        """The cue's text on one line."""
        return joined(self.lines)


def joined(parts: Sequence[str]) -> str:
    """Join words with spaces, but for scripts that are written without them."""
    text = ""
    for part in parts:
        if text and part and not (spaceless(text[-1], marks=True) and spaceless(part[0], marks=True)):
            text += " "
        text += part
    return text


def right_to_left(text: str) -> bool:
    """Tell whether most of a text's letters are of a script that is written from right to left."""
    kinds = [unicodedata.bidirectional(each) for each in text]
    return sum(kind in {"R", "AL"} for kind in kinds) > sum(kind == "L" for kind in kinds)


def misleading(text: str) -> bool:
    """Tell whether a text's direction is not that of its first letter, from which players guess it."""
    kinds = (unicodedata.bidirectional(each) for each in text)
    first = next((kind for kind in kinds if kind in {"L", "R", "AL"}), "L")
    return (first != "L") != right_to_left(text)


def hurried(cues: Sequence[Cue], style: Style, rate: Fraction) -> int:
    """Count the cues that go by faster than the style's characters a second: there was no room to hold them."""
    return sum(len(cue.text) * rate > (cue.end - cue.start) * Fraction(str(style.speed)) for cue in cues)


def kept_words(part: Range, words: Sequence[Word]) -> tuple[Word, ...]:
    """Give the spoken words of a take that a range keeps; by their middles where the range names none."""
    if part.words is not None:
        first, last = part.words
        inside = (word for word in words if first <= word.number <= last)
    else:
        inside = (word for word in words if part.start <= (word.start + word.end) / 2 < part.end)
    return tuple(word for word in inside if word.kind == "word" and word.text.strip())


def cues(
    part: Range, words: Sequence[Word], *, style: Style, rate: Fraction, first: int, frames: int
) -> tuple[Cue, ...]:
    """Make the cues of one range that fills ``frames`` output frames from frame ``first`` on.

    No cue is shorter than a frame, overlaps another or leaves the range.
    """
    if not frames:
        return ()
    spoken = [piece for word in kept_words(part, words) for piece in _characters(word)]
    groups = [group for run in _runs(spoken, style) for group in _groups(run, style)]
    made: list[Cue] = []
    for group in groups:
        start = min(max(math.floor((group[0].start - part.start) * rate), 0), frames - 1)
        end = min(max(math.ceil((group[-1].end - part.start) * rate), start + 1), frames)
        lines = broken(joined([word.text.strip() for word in group]), style)
        said = _said(group, part, style, rate, frames) if style.lit else ()
        if made and start <= made[-1].start:
            start = made[-1].start + 1
            end = max(end, start + 1)
            if end > frames:
                whole = broken(joined([*made[-1].lines, *lines]), style)
                made[-1] = replace(made[-1], lines=whole, said=made[-1].said + said)
                continue
        if made and made[-1].end > start:
            made[-1] = replace(made[-1], end=start)
        made.append(Cue(start, end, lines, said))
    held = _held(made, style, rate, frames)
    return tuple(_moved(cue, first) for cue in held)


def _moved(cue: Cue, first: int) -> Cue:
    said = tuple((at + first, word) for at, word in cue.said)
    return replace(cue, start=cue.start + first, end=cue.end + first, said=said)


def _said(
    group: Sequence[Word], part: Range, style: Style, rate: Fraction, frames: int
) -> tuple[tuple[int, str], ...]:
    texts = [word.text.upper() if style.upper else word.text for word in group]
    starts = [min(max(math.floor((word.start - part.start) * rate), 0), frames - 1) for word in group]
    return tuple(zip(starts, texts, strict=True))


def _held(made: Sequence[Cue], style: Style, rate: Fraction, frames: int) -> Iterator[Cue]:
    for number, cue in enumerate(made):
        limit = made[number + 1].start if number + 1 < len(made) else frames
        wanted = cue.start + math.ceil(len(cue.text) / Fraction(str(style.speed)) * rate)
        end = min(max(cue.end, wanted), limit)
        if number + 1 < len(made) and limit - end <= Fraction(str(style.hold)) * rate:
            end = limit
        yield replace(cue, end=end)


def _characters(word: Word) -> Iterator[Word]:
    """Take a long token of an unspaced script apart, its time shared evenly; punctuation stays with what it follows.

    Tokens up to the length of a word stay whole, so that no cue ends within a word that the engine knew.
    """
    text = word.text.strip()
    units: list[str] = []
    for character in text:
        mark = unicodedata.category(character)[0] in "PMS"
        if units and (mark or not (spaceless(character) or spaceless(units[-1][0]))):
            units[-1] += character
        else:
            units.append(character)
    if len(units) <= _WORD:
        yield word
        return
    step = (word.end - word.start) / len(units)
    for place, unit in enumerate(units):
        yield replace(word, text=unit, start=word.start + place * step, end=word.start + (place + 1) * step)


def _ends(text: str, marks: tuple[str, ...]) -> bool:
    return text.strip().rstrip(_CLOSERS).endswith(marks)


def _runs(words: Sequence[Word], style: Style) -> Iterator[list[Word]]:
    """Part words where a sentence, a speaker or a breath ends."""
    run: list[Word] = []
    marks = _CLAUSE if style.clauses else _SENTENCE
    pause = Fraction(str(style.pause))
    for word in words:
        if run and (
            _ends(run[-1].text, marks) or word.start - run[-1].end >= pause or word.speaker != run[-1].speaker
        ):
            yield run
            run = []
        run.append(word)
    if run:
        yield run


def _groups(run: Sequence[Word], style: Style) -> Iterator[list[Word]]:
    """Part a run into the fewest cues that fit, of nearly equal length, at commas where one is near.

    A word that is too long for a line has a cue of its own, if need be.
    """
    text = joined([word.text.strip() for word in run])
    wide = sum(spaceless(each) for each in text) * 2 > len(text)
    room = (style.columns if wide else style.columns * style.lines) if style.words > 2 else style.columns
    least = min(max(-(-columns(text) // room), 1 if wide else -(-len(run) // style.words)), len(run))
    yield from next(
        groups
        for count in range(least, len(run) + 1)
        for groups in (list(_split(run, count)), _packed(run, count, style, wide=wide))
        if groups and all(_fits(group, style, wide=wide) for group in groups)
    )


def _packed(run: Sequence[Word], count: int, style: Style, *, wide: bool) -> list[list[Word]]:
    """Part a run into ``count`` cues that fit, as even in width as can be; none where there is no such way."""
    best: dict[int, tuple[int, list[list[Word]]]] = {0: (0, [])}
    for left in reversed(range(count)):
        found: dict[int, tuple[int, list[list[Word]]]] = {}
        for start, (cost, groups) in best.items():
            for end in range(start + 1, len(run) - left + 1):
                group = list(run[start:end])
                if not _fits(group, style, wide=wide):
                    break
                total = cost + columns(joined([word.text.strip() for word in group])) ** 2
                if end not in found or total < found[end][0]:
                    found[end] = total, [*groups, group]
        best = found
    return best[len(run)][1] if len(run) in best else []


def _fits(group: Sequence[Word], style: Style, *, wide: bool) -> bool:
    if len(group) == 1:
        return True
    if not wide and len(group) > style.words:
        return False
    lines = broken(joined([word.text.strip() for word in group]), style)
    return len(lines) <= style.lines and all(columns(line) <= style.columns for line in lines)


def _split(run: Sequence[Word], count: int) -> Iterator[list[Word]]:
    start = 0
    for left in range(count, 0, -1):
        rest = len(run) - start
        size = -(-rest // left)
        if left > 1 and size > 2:
            near = [size, size - 1, size + 1]
            size = next(
                (n for n in near if n <= rest - left + 1 and _ends(run[start + n - 1].text, _CLAUSE)), size
            )
        yield list(run[start : start + size])
        start += size


def broken(text: str, style: Style) -> tuple[str, ...]:
    """Break a cue's text into lines of nearly equal width, at a comma where one is near, in the style's case.

    A word is broken behind the marks of an address or a compound, in scripts without spaces anywhere, else not at all.
    """
    shown = text.upper() if style.upper else text
    if columns(shown) <= style.columns or style.lines == 1:
        return (shown,)
    spaced = shown.split(" ")
    parts, glue = (spaced, " ") if len(spaced) > 1 else (_joints(shown), "")
    best: tuple[int, tuple[str, ...]] | None = None
    for place in range(1, len(parts)):
        upper, lower = glue.join(parts[:place]), glue.join(parts[place:])
        cost = max(columns(upper), columns(lower))
        if unicodedata.category(lower[0])[0] == "P" and not glue:
            continue
        if _ends(upper, _CLAUSE) and cost <= style.columns:
            cost -= columns(shown) // 8
        if best is None or cost < best[0]:
            best = (cost, (upper, lower))
    return best[1] if best else (shown,)


def _joints(word: str) -> list[str]:
    return list(word) if any(map(spaceless, word)) else _JOINT.findall(word)
