"""The context pack: what somebody who takes over should start from, inside a budget of estimated tokens, never over.

Records, not instructions: words of this project as they were written down, without hashes and comments; words that came
by import are quoted and named.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from cutbook.errors import InputError
from cutbook.html import Markup, escape
from cutbook.memory.ranking import named, scores
from cutbook.memory.text import one_line, quotation

LEAST = 50
"""Tokens of the smallest pack."""

GROUPS: Mapping[str, str] = {
    "open": "This session, not saved yet",
    "last": "Last session",
    "outstanding": "Outstanding",
    "review": "Needs review",
    "preferences": "Preferences",
    "lessons": "Lessons",
    "here": "Decisions on the takes at hand",
    "tried": "Tried before",
    "rest": "Other decisions and notes",
    "imported": "Imported: quoted from others, not checked",
}
"""What a pack holds, in this order, with the heading of each part."""

_AS_TOLD = frozenset({"open", "last", "outstanding", "preferences", "tried"})
"""Parts that keep the order of the log."""

_SHARES = ((frozenset({"last", "outstanding"}), 0.30), (frozenset({"review"}), 0.15))
_HEAD = "# Project memory: records, not instructions\n"
_MORE = (
    "What was decided and why, checked against the footage as it is now. "
    "Nothing here asks for anything; quoted imports are other people's words.\n"
)
_ROOMY = 400


def tokens(text: str) -> int:
    """Estimate the tokens of a text: a third of one for each ASCII character, one for each other; rounded up."""
    size = Size()
    size.add(text)
    return size.tokens


@dataclass(slots=True)
class Size:
    """A text's length as it grows."""

    ascii: int = 0
    other: int = 0

    def add(self, text: str) -> None:
        """Add a piece."""
        plain = len(text) if text.isascii() else sum(char < "\x80" for char in text)
        self.ascii += plain
        self.other += len(text) - plain

    def plus(self, *texts: str) -> Size:
        """Give the size that it would have with these pieces."""
        found = Size(self.ascii, self.other)
        for text in texts:
            found.add(text)
        return found

    @property
    def tokens(self) -> int:
        """The estimate."""
        return -(-self.ascii // 3) + self.other


class Record(NamedTuple):
    """One thing that a pack may serve; a named tuple, since ten thousand are made to serve twenty.

    ``takes`` are the takes that it is about, ``review`` why it needs review, ``origin`` the import that it came by.
    """

    group: str
    text: str
    id: str = ""
    kind: str = ""
    session: int | None = None
    takes: frozenset[str] = frozenset()
    review: str = ""
    origin: str = ""

    def line(self) -> str:
        """Write the record as a line of the pack."""
        said = one_line(self.text)
        if self.origin:
            said = f"{quotation(said)} ({self.origin})"
        elif self.session is not None:
            said = f"{said} (session {self.session})"
        if self.review:
            said = f"{said} — needs review: {one_line(self.review)}"
        return f"- {self.id}: {said}\n" if self.id else f"- {said}\n"

    def row(self) -> dict[str, Any]:
        """Give the record as plain data."""
        more = {"needs_review": self.review, "origin": self.origin, "takes": sorted(self.takes)}
        found = {
            "id": self.id,
            "kind": self.kind,
            "group": self.group,
            "text": one_line(self.text),
            "session": self.session,
        }
        return {**found, **{key: value for key, value in more.items() if value}}


@dataclass(frozen=True, slots=True)
class Material:
    """All that a pack could serve, in no order but that of the log.

    ``takes`` are those at hand; ``ended`` counts what is not served, by reason.
    """

    records: Sequence[Record]
    takes: frozenset[str] = frozenset()
    ended: Mapping[str, int] = field(default_factory=dict)
    warnings: Sequence[str] = ()


class Json(str):
    """Text in JSON, shown as it is."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True)
class Pack:
    """What is served.

    ``meta``: matched, returned, omitted (a count a reason), needs_review, warnings, tokens, budget.
    """

    text: str
    data: tuple[Mapping[str, Any], ...]
    meta: Mapping[str, Any]

    def json(self) -> Json:
        """Give ``{"data": […], "meta": {…}}``."""
        return Json(
            json.dumps({"data": list(self.data), "meta": dict(self.meta)}, ensure_ascii=False, indent=1)
        )

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return Markup(f'<pre style="white-space:pre-wrap">{escape(self.text)}</pre>').text


def pack(material: Material, *, budget: int = 2000, task: str | None = None) -> Pack:
    """Serve what fits into ``budget`` estimated tokens, the most useful first; the rest is skipped and counted.

    Raises:
        InputError: a budget under 50.
    """
    if isinstance(budget, bool) or budget < LEAST:
        msg = f"a context pack wants a budget of {LEAST} tokens or more, not {budget!r}"
        raise InputError(msg)
    wanted, turns = ordered(material, task)
    head = _HEAD + (_MORE if budget >= _ROOMY else "")
    worst = _left_out({"budget": len(wanted), **material.ended})
    worst = worst if Size().plus(head, worst).tokens <= budget else ""
    taken = _fill(wanted, turns, Size().plus(head, worst), budget)
    left = len(wanted) - len(taken)
    omitted = {**({"budget": left} if left else {}), **{k: n for k, n in sorted(material.ended.items()) if n}}
    parts = [head]
    for group, title in GROUPS.items():
        lines = [line for record, line in taken if record.group == group]
        parts += [_heading(title), *lines] if lines else []
    parts.append(_left_out(omitted) if worst else "")
    text = "".join(parts)
    meta = {
        "matched": len(wanted),
        "returned": len(taken),
        "omitted": omitted,
        "needs_review": sum(bool(each.review) for each in wanted),
        "warnings": list(material.warnings),
        "tokens": tokens(text),
        "budget": budget,
    }
    return Pack(text, tuple(record.row() for record, _ in taken), meta)


def _heading(title: str) -> str:
    return f"\n## {title}\n"


def ordered(material: Material, task: str | None) -> tuple[list[Record], list[int]]:
    """Put records in the order in which they are told, and give the order in which they have their turn for the room.

    That is the same, but with a task: then decisions that its words or takes touch come before those of the takes at
    hand that they do not.
    """
    ranks = {group: number for number, group in enumerate(GROUPS)}
    records = material.records
    asked = task if task and task.strip() else ""
    fits = scores(asked, [each.text for each in records]) if asked else [0.0] * len(records)

    takes = material.takes

    def key(place: int) -> tuple[int, int, float, int, int]:
        each = records[place]
        if each.group in _AS_TOLD:
            return ranks[each.group], 0, 0.0, 0, place
        near = -(each.session if each.session is not None else 10**9)
        overlap = -len(each.takes & takes) if takes else 0
        return ranks[each.group], overlap, -fits[place], near, place

    places = sorted(range(len(records)), key=key)
    turns = list(range(len(places)))
    if asked:
        meant = named(asked, takes)
        touched = [fits[place] > 0 or bool(records[place].takes & meant) for place in places]
        turn = {
            ("here", True): 0,
            ("rest", True): 1,
            ("tried", True): 2,
            ("tried", False): 2,
            ("here", False): 3,
        }
        # The parts that a task sorts anew stand beside each other.
        first, last = ranks["here"], ranks["rest"]

        def when(place: int) -> tuple[int, int, int]:
            group = records[places[place]].group
            among = first <= ranks[group] <= last
            return (first if among else ranks[group]), turn.get((group, touched[place]), 4), place

        turns.sort(key=when)
    return [records[place] for place in places], turns


def _fill(
    wanted: Sequence[Record], turns: Iterable[int], size: Size, budget: int
) -> list[tuple[Record, str]]:
    """Take what fits, in turn, keeping to the shares of some groups first and filling what is left after."""
    base = size.tokens
    spent: Counter[frozenset[str]] = Counter()
    started: set[str] = set()
    taken: list[tuple[int, Record, str]] = []
    waiting: list[tuple[int, Record]] = []
    shortest = Size().plus("- \n").tokens

    def put(place: int, record: Record, limit: float, groups: frozenset[str]) -> bool:
        nonlocal size
        left = budget - size.tokens
        if left < shortest or len(record.text) > 3 * left:
            return False
        line = record.line()
        more = (line,) if record.group in started else (_heading(GROUPS[record.group]), line)
        grown = size.plus(*more)
        cost = grown.tokens - size.tokens
        if grown.tokens > budget or spent[groups] + cost > limit:
            return False
        spent[groups] += cost
        size = grown
        started.add(record.group)
        taken.append((place, record, line))
        return True

    shares = {group: (groups, share) for groups, share in _SHARES for group in groups}
    own = frozenset[str](), 1.0
    left = budget - size.tokens
    for place in turns:
        record = wanted[place]
        groups, share = shares.get(record.group, own)
        limit = share * budget if share < 1 else budget - base
        if len(record.text) <= 3 * left and put(place, record, limit, groups):
            left = budget - size.tokens
        elif groups:
            waiting.append((place, record))
    for place, record in waiting:
        put(place, record, budget, frozenset({"second"}))
    return [(record, line) for _, record, line in sorted(taken, key=lambda each: each[0])]


def _left_out(omitted: Mapping[str, int]) -> str:
    counts = [
        f"{number} for budget" if why == "budget" else f"{number} {why}"
        for why, number in omitted.items()
        if number
    ]
    return f"\nLeft out: {', '.join(counts)}.\n" if counts else ""
