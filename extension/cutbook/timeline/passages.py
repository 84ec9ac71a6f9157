"""Where words go on paper: each at its time, or in passages, or only their beginnings; never dropped in silence."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise

from cutbook.timeline.scene import Said

Measure = Callable[[str], float]
"""Gives the width of a text in pixels."""

At = Callable[[Fraction], float]
"""Gives the pixel column of a time."""

ROWS = (2, 3)
"""Rows that words at their times may take: two, and a third before they become passages."""

LINES = 8
"""Most lines of a passage."""

GAP = 7.0
"""Pixels between two words of a row."""

SLIP = 12.0
"""Pixels that a word may stand to the right of its beginning, so that it fits."""

TIGHT = 96.0
"""Pixels below which a passage is joined with its neighbour."""

BREAK = Fraction(1, 2)
"""Seconds of pause that end a passage."""

SHOWN = 0.4
"""Share of the words that passages must show, else only their beginnings are given."""

CLOSING = frozenset("。、，．！？：；）」』】》〉”’…,.!?:;)]}%")
"""What must not begin a line."""

SLOT = 190.0
"""Pixels of one beginning."""


@dataclass(frozen=True, slots=True)
class Run:
    """Words written in one go at ``x`` of row ``row``."""

    x: float
    row: int
    text: str
    words: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class More:
    """The mark ``+n`` for ``count`` words that found no room, at ``x`` of row ``row``."""

    x: float
    row: int
    count: int


@dataclass(frozen=True, slots=True)
class Block:
    """Speech of one speaker, or of several when ``speaker`` is None, between two pixel columns."""

    left: float
    right: float
    speaker: str | None


@dataclass(frozen=True, slots=True)
class Passages:
    """The words of a view on paper; ``kind`` is ``words``, ``passages`` or ``beginnings``."""

    kind: str
    rows: int
    runs: tuple[Run, ...] = ()
    more: tuple[More, ...] = ()
    blocks: tuple[Block, ...] = ()

    @property
    def hidden(self) -> int:
        """How many words are behind a mark."""
        return sum(each.count for each in self.more)


def place(said: Sequence[Said], at: At, *, left: float, right: float, measure: Measure) -> Passages:
    """Lay out the words of a view between two pixel columns, in the most legible way that has room."""
    words = [word for word in said if word.text]
    if not words:
        return Passages("words", 0)
    if len(words) <= (right - left) / 12:
        for rows in ROWS:
            placed = _singly(words, at, left, right, measure, rows=rows)
            if not placed.more and _reads_well(placed):
                return placed
    passages = (
        _passages(words, at, left, right, measure) if len(words) <= (right - left) * LINES / 10 else None
    )
    if passages is not None and passages.hidden <= (1 - SHOWN) * len(words):
        return passages
    return _beginnings(words, at, left, right, measure)


def _reads_well(placed: Passages) -> bool:
    """Tell that few words had to leave the first row; Chinese and Japanese are hard to follow over rows."""
    below = sum(1 for run in placed.runs if run.row)
    ideographic = sum(1 for run in placed.runs if _ideographic(run.text[0]))
    return below <= len(placed.runs) * (0.4 if ideographic * 2 < len(placed.runs) else 0.15)


def _singly(
    words: Sequence[Said], at: At, left: float, right: float, measure: Measure, *, rows: int
) -> Passages:
    free = [left - GAP] * rows
    last: list[Said | None] = [None] * rows
    runs, more = [], []
    for word in words:
        begin, width = max(left, at(word.start)), measure(word.text)
        begin = min(begin, max(left, right - width))
        room = [(max(begin, free[row] + _gap(last[row], word)), row) for row in range(rows)]
        x, row = next(
            (each for each in room if each[0] - begin <= SLIP and each[0] + width <= right + 1), (begin, -1)
        )
        if row < 0:
            more.append(More(begin, rows, 1))
            continue
        free[row], last[row] = x + width, word
        runs.append(Run(x, row, word.text, (word,)))
    used = 1 + max((run.row for run in runs), default=0)
    return Passages("words", used, tuple(runs), tuple(more))


def _passages(words: Sequence[Said], at: At, left: float, right: float, measure: Measure) -> Passages:
    groups = _joined(_groups(words), at, left, right)
    begins = [max(left, at(group[0].start)) for group in groups]
    runs: list[Run] = []
    more: list[More] = []
    blocks: list[Block] = []
    for group, x, end in zip(groups, begins, [*begins[1:], right + GAP], strict=True):
        lines, rest = _wrapped(group, end - GAP - x, measure, LINES)
        for row, line in enumerate(lines):
            runs += _line(line, x, row, measure)
        if rest:
            last = lines[-1] if lines else []
            more.append(More(x + _width(last, measure) + (GAP if last else 0), max(0, len(lines) - 1), rest))
        speakers = {word.speaker for word in group if not word.event}
        speaker = next(iter(speakers)) if len(speakers) == 1 else None
        blocks.append(Block(x, max(x + 1, min(right, at(group[-1].end))), speaker))
    rows = 1 + max([run.row for run in runs] + [each.row for each in more], default=0)
    return Passages("passages", rows, tuple(runs), tuple(more), tuple(blocks))


def _beginnings(words: Sequence[Said], at: At, left: float, right: float, measure: Measure) -> Passages:
    count = max(1, round((right - left) / SLOT))
    width = (right - left) / count
    slots: dict[int, list[Said]] = {}
    for word in words:
        slots.setdefault(min(count - 1, max(0, int((at(word.start) - left) / width))), []).append(word)
    runs: list[Run] = []
    more: list[More] = []
    for number, group in sorted(slots.items()):
        x = left + number * width
        lines, rest = _wrapped(group, width - 2 * GAP, measure, 3)
        for row, line in enumerate(lines):
            runs += _line(line, x, row, measure)
        if rest:
            last = lines[-1] if lines else []
            more.append(More(x + _width(last, measure) + (GAP if last else 0), max(0, len(lines) - 1), rest))
    return Passages("beginnings", 3, tuple(runs), tuple(more), _speech(words, at, left, right))


def _speech(words: Sequence[Said], at: At, left: float, right: float) -> tuple[Block, ...]:
    """Give a block a stretch of speech, for each speaker apart; what is less than two pixels apart is one."""
    blocks: list[Block] = []
    for speaker in dict.fromkeys(word.speaker for word in words if not word.event):
        begin = end = None
        for word in words:
            if word.event or word.speaker != speaker:
                continue
            start, stop = max(left, at(word.start)), min(right, at(word.end))
            if begin is None or end is None:
                begin, end = start, stop
            elif start - end > 2:
                blocks.append(Block(begin, end, speaker))
                begin, end = start, stop
            else:
                end = max(end, stop)
        if begin is not None and end is not None:
            blocks.append(Block(begin, end, speaker))
    return tuple(blocks)


def _groups(words: Sequence[Said]) -> list[list[Said]]:
    groups: list[list[Said]] = []
    for word in words:
        last = groups[-1][-1] if groups else None
        if last is None or word.speaker != last.speaker or word.start - last.end >= BREAK:
            groups.append([])
        groups[-1].append(word)
    return groups


def _joined(groups: list[list[Said]], at: At, left: float, right: float) -> list[list[Said]]:
    """Join passages that are too narrow with the one before: of the same speaker first, of anybody when tiny."""
    joined: list[list[Said]] = []
    for number, group in enumerate(groups):
        end = max(left, at(groups[number + 1][0].start)) if number + 1 < len(groups) else right
        before = joined[-1] if joined else None
        if before is not None:
            narrow = min(end - at(group[0].start), at(group[0].start) - max(left, at(before[0].start)))
            same = group[0].speaker == before[-1].speaker
            if narrow < TIGHT and (same or narrow < TIGHT / 3):
                before.extend(group)
                continue
        joined.append(list(group))
    return joined


def _wrapped(
    words: Sequence[Said], width: float, measure: Measure, lines: int
) -> tuple[list[list[Said]], int]:
    """Break words into lines; gives how many were left over, with room for the mark that says so."""
    found: list[list[Said]] = []
    for number, word in enumerate(words):
        rest = len(words) - number
        if not found or _width([*found[-1], word], measure) > width:
            if len(found) == lines or measure(word.text) > width:
                return _with_room(found, rest, width, measure)
            tied = _tied(found[-1], word) if found else 0
            found.append(found[-1][len(found[-1]) - tied :] if tied else [])
            if tied:
                del found[-2][-tied:]
        found[-1].append(word)
    return found, 0


def _tied(line: Sequence[Said], word: Said) -> int:
    """Count the words at a line's end that go with a closing mark to the next line."""
    tied, first = 0, word
    while first.text[0] in CLOSING and tied < len(line):
        tied += 1
        first = line[-tied]
    return tied if tied < len(line) else 0


def _with_room(
    lines: list[list[Said]], rest: int, width: float, measure: Measure
) -> tuple[list[list[Said]], int]:
    while lines and _width(lines[-1], measure) + GAP + measure(f"+{rest}") > width:
        lines[-1].pop()
        rest += 1
        if not lines[-1]:
            lines.pop()
            break
    return lines, rest


def _line(words: Sequence[Said], x: float, row: int, measure: Measure) -> list[Run]:
    """Give a line's words as runs of one look each."""
    runs = []
    done: list[Said] = []
    for _, same in groupby(words, key=lambda word: (word.speaker, word.kept, word.event, word.sure)):
        run = list(same)
        lead = _width(done, measure) + _space(done[-1], run[0], measure) if done else 0.0
        runs.append(Run(x + lead, row, sentence(run), tuple(run)))
        done += run
    return runs


def _width(words: Sequence[Said], measure: Measure) -> float:
    spaces = sum(_space(a, b, measure) for a, b in pairwise(words))
    return sum(measure(word.text) for word in words) + spaces


def _gap(before: Said | None, after: Said) -> float:
    return GAP / 3 if before is not None and _unspaced(before.text, after.text) else GAP


def _space(before: Said, after: Said, measure: Measure) -> float:
    return 0.0 if _unspaced(before.text, after.text) else measure("n n") - 2 * measure("n")


def sentence(words: Sequence[Said]) -> str:
    """Join words with spaces, Chinese and Japanese without."""
    text = ""
    for word in words:
        text += word.text if not text or _unspaced(text, word.text) else f" {word.text}"
    return text


def _unspaced(before: str, after: str) -> bool:
    return _ideographic(before[-1]) and _ideographic(after[0])


def _ideographic(letter: str) -> bool:
    name = unicodedata.name(letter, "")
    return name.startswith(("CJK", "HIRAGANA", "KATAKANA", "IDEOGRAPHIC", "FULLWIDTH", "HALFWIDTH KATAKANA"))
