"""What a log is made of: entries, the sections that hold them, and the log itself."""

from __future__ import annotations

import contextlib
import gc
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from cutbook.memory.marks import Mark
from cutbook.memory.text import short_hash, unescape

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator, Mapping

_BOX = re.compile(r"\A\[[ xX]\](?:\s+|\Z)")
_ODD = re.compile("[\\\\&\\[\n\ud800-\udfff]")


def decoded(data: bytes) -> str:
    """Give bytes of a log as text, from which :func:`encoded` makes them again."""
    return str(data, "utf-8", "surrogateescape")


def encoded(text: str) -> bytes:
    """Give the bytes of a text of a log."""
    return text.encode("utf-8", "surrogateescape")


@contextlib.contextmanager
def no_collecting() -> Iterator[None]:
    """Keep the garbage collector from walking through what is being made, in which there are no rings."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


class Entry(NamedTuple):
    """One item of the log as it is served; a named tuple, since ten thousand are made while a person waits.

    ``id`` is the comment's, or ``d-<session>-<n>`` for the nth item of a field without one; an id met before gets
    ``~2``. ``kind`` is d, r, o, e or p. ``raw`` is the text as it stands, without the comment.
    """

    id: str
    kind: str
    session: int
    raw: str
    mark: Mark | None = None
    ticked: bool = False

    @property
    def text(self) -> str:
        """The words of the entry as they were typed, without a tick box."""
        raw = self.raw
        # Most entries stand in the file as they were typed.
        return unescape(_BOX.sub("", " ".join(raw.split("\n")))) if _ODD.search(raw) else raw

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens of its comment; none where it has no comment."""
        return self.mark.tokens if self.mark else ()

    def anchored(self, tokens: Iterable[str]) -> Entry:
        """Give the entry with these tokens in its comment, if it has one."""
        return self._replace(mark=self.mark._replace(tokens=tuple(tokens))) if self.mark else self

    @property
    def text_hash(self) -> str:
        """The hash by which an event names an entry that has no id of its own."""
        return short_hash(self.text)


@dataclass(frozen=True, slots=True)
class Section:
    """One session of the log. ``source`` is its bytes in the file, ``fields`` maps each label to its entries.

    ``strategy`` is the words of that field, ``mark`` its comment (``s-<number>``).
    """

    number: int
    date: dt.date | None
    title: str
    source: bytes
    strategy: str = ""
    mark: Mark | None = None
    fields: Mapping[str, tuple[Entry, ...]] = field(default_factory=dict)

    @property
    def raw(self) -> str:
        """The section's text as it stands in the file."""
        return decoded(self.source)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every entry in the order of the file."""
        return tuple([entry for entries in self.fields.values() for entry in entries])

    def text(self) -> str:
        """Give the section as it stands in the file, with LF."""
        return self.raw.replace("\r\n", "\n").strip() + "\n"

    def __repr__(self) -> str:
        return self.text()

    def _repr_markdown_(self) -> str:
        return self.text()


@dataclass(frozen=True, slots=True)
class Log:
    """A whole project.md. ``warnings`` says in plain words what is odd about it."""

    head: str = ""
    sections: tuple[Section, ...] = ()
    front: Mapping[str, Any] = field(default_factory=dict)
    crlf: bool = False
    utf16: bytes = b""
    open_fence: str | None = None
    warnings: tuple[str, ...] = ()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every entry in the order of the file."""
        return tuple([entry for section in self.sections for entry in section.entries])

    @property
    def last(self) -> Section | None:
        """The last session: the highest number, then the latest in the file. Dates never decide."""
        return max(reversed(self.sections), key=lambda each: each.number, default=None)

    @property
    def next_number(self) -> int:
        """The number of the next session."""
        return max((each.number for each in self.sections), default=0) + 1

    @property
    def uuid(self) -> str | None:
        """The project's uuid, from the front matter or else from the first Strategy that carries one."""
        if isinstance(self.front.get("uuid"), str):
            return str(self.front["uuid"])
        return next(
            (value for each in self.sections if each.mark for value in each.mark.values("uuid")), None
        )

    @property
    def upto(self) -> frozenset[str]:
        """The events of open sessions up to which the log has come."""
        return frozenset(value for each in self.sections if each.mark for value in each.mark.values("upto"))
