"""The bullets of a section that is drafted, and what makes two entries the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cutbook.memory import wording
from cutbook.memory.anchors import places
from cutbook.memory.marks import WRITTEN, Mark, Target, new_id
from cutbook.memory.text import escape, unescape

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cutbook.memory.log import Entry

Key = tuple[str, str, frozenset[str]]
"""What makes two entries the same, see :func:`key`."""


@dataclass(slots=True)
class Item:
    """One bullet: its words as they were typed, and its machine part."""

    text: str
    mark: Mark | None = None
    ticked: bool = False

    def __str__(self) -> str:
        words = f"{'[x] ' if self.ticked else ''}{escape(self.text)}"
        return f"- {words} {self.mark}" if self.mark else f"- {words}"


def key(kind: str, text: str, tokens: Iterable[str]) -> Key:
    """Give what makes two entries the same: words and targets, whatever the hashes of these."""
    return kind, unescape(escape(text)), places(tokens)


def entry_key(entry: Entry) -> Key:
    """Give what makes an entry the same as another."""
    return key(entry.kind, entry.text, entry.tokens)


def confirmed(entry: Entry, tokens: tuple[str, ...], *, anew: bool = False) -> list[Item]:
    """Write that an entry is still right, with what its targets are now; nothing where they are what they were.

    ``anew``: they are fewer now.
    """
    tokens = tuple(token for token in tokens if token != WRITTEN)
    if entry.mark is None or (set(tokens) <= set(entry.mark.tokens) and not anew):
        return []
    mark = Mark(new_id("e"), "confirm", (Target(entry.id),), tokens)
    return [Item(f"Still right: {wording.quoted(entry)}.", mark)]
