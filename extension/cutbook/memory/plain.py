"""A section in the form in which cutbook writes it, read in one pass: the fields once each, a bullet a line.

Anything else, a table, a fence, a bullet over two lines, a label of another's, gives None, and the grammar reads it.
What is given is what the grammar gives.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cutbook.memory.entries import Entry, Section, decoded
from cutbook.memory.items import Names, nothing, ticked
from cutbook.memory.marks import Mark, find_mark
from cutbook.memory.text import unescape

if TYPE_CHECKING:
    from cutbook.memory.markdown import Heading

_LABELS = {"Decisions:**": "d", "Reasoning log:**": "r", "Outstanding:**": "o"}
_STRATEGY = "Strategy:** "
_TICKS = frozenset("[~")
_Bullet = tuple[str, str, str, str]
"""Text, id and tokens of a bullet as cutbook writes it, or else all of another one."""

_BULLET = re.compile(
    r"\n- (?![ \t\n])(?:"
    r"([^\n<]*)<!-- m ([drop]-[0-9a-z]{5})((?: [a-z]+:[!-;=?-~]+)*) -->(?=\n|\Z)"  # as cutbook writes it
    r"|([^\n]+))"
)

_ENDED = re.compile(r"([^<]*)<!-- m (s-[0-9]{1,15})((?: [a-z]+:[!-;=?-~]+)*) -->\Z")


def section(heading: Heading, source: bytes, names: Names) -> Section | None:
    """Read a section, with its heading's line; None where it is of another form, and then no id is handed out."""
    text = decoded(source)
    text = text.replace("\r\n", "\n") if "\r" in text else text
    if "\r" in text or "\0" in text or "```" in text or "~~~" in text:
        return None
    top, *parts = text.split("\n**")
    if "\n" in top.rstrip("\n"):
        return None
    found: dict[str, tuple[str, list[_Bullet]]] = {}
    strategy, mark = "", None
    for part in parts:
        label, _, body = part.partition("\n")
        kind = _LABELS.get(label)
        if kind is None:
            said = label.removeprefix(_STRATEGY)
            if strategy or body.strip("\n") or said == label or not said[:1].isalpha():
                return None
            mark, said = strategy_of(said)
            strategy = unescape(said)
            continue
        rows = body.strip("\n")
        bullets = _BULLET.findall(f"\n{rows}") if rows else []
        # A line that is no bullet is counted and not found.
        if label in found or len(bullets) != (rows.count("\n") + 1 if rows else 0):
            return None
        found[label] = kind, bullets
    fields: dict[str, tuple[Entry, ...]] = {"": ()}
    for label, (kind, bullets) in found.items():
        fields[label[:-3]] = tuple(_entries(heading.number, kind, bullets, names))
    return Section(heading.number, heading.date, heading.title, source, strategy, mark, fields)


def strategy_of(said: str) -> tuple[Mark | None, str]:
    """Read what stands behind the label of a Strategy: its comment and its words, as they stand in the file."""
    own = _ENDED.match(said)
    mark, said = (Mark(own[2], tokens=tuple(own[3].split())), own[1]) if own else find_mark(said)
    return mark, " ".join(said.split())


def _entries(session: int, kind: str, bullets: list[_Bullet], names: Names) -> tuple[Entry, ...]:
    items = [
        (Mark(name, None, (), tuple(tokens.split())), text.strip()) if name else _odd(odd)
        for text, name, tokens, odd in bullets
    ]
    own = [name for _, name, _, _ in bullets]
    if not all(own):
        items = [(mark, text) for mark, text in items if mark or not nothing(text)]
        own = [mark.id if mark else f"{kind}-{session}-{n}" for n, (mark, _) in enumerate(items, start=1)]
    return tuple(
        [
            Entry(served, name[0], session, text, mark, text[:1] in _TICKS and ticked(text))
            for served, name, (mark, text) in zip(names.serve_all(own), own, items, strict=True)
        ]
    )


def _odd(text: str) -> tuple[Mark | None, str]:
    """Read a bullet with whatever stands in it."""
    mark, text = find_mark(text.strip())
    return (None if mark and mark.kind == "s" else mark), text
