"""Search in one project's memory, and in that of every project of this user.

Every word of a query is quoted, so that no query is an expression. Under 1,000 entries nothing is kept on the disk.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutbook.errors import InputError
from cutbook.html import paragraph, table
from cutbook.memory.context import Json
from cutbook.memory.index import Index, forget, opened, refresh
from cutbook.memory.quick import Row
from cutbook.memory.ranking import spaced
from cutbook.memory.text import one_line, quotation, shorten

if TYPE_CHECKING:
    from cutbook.files import UserFolders

SMALL = 1000
"""Entries from which on the index is kept."""

_WORDS = 64


@dataclass(frozen=True, slots=True)
class Hit:
    """One entry that was found, and its project, empty for the one in use."""

    id: str
    kind: str
    text: str
    state: str
    session: int | None
    project: str = ""
    origin: str = ""

    @property
    def said(self) -> str:
        """The words, quoted and named where they came by import."""
        return f"{quotation(self.text)} ({self.origin})" if self.origin else self.text

    def __repr__(self) -> str:
        where = f"session {self.session}" if self.session is not None else "not saved yet"
        more = "".join(
            f", {each}" for each in (self.project, "" if self.state == "live" else self.state) if each
        )
        return f"{self.id}  {self.said}  ({self.kind}, {where}{more})"


class Found(tuple[Hit, ...]):  # noqa: SLOT001 - a tuple of any length has no room for a slot
    """What was found, the latest first. ``meta``: matched, returned, omitted (a count a reason)."""

    meta: Mapping[str, Any]

    def __repr__(self) -> str:
        return "\n".join([*map(repr, self), self.sentence])

    @property
    def sentence(self) -> str:
        """Say how many there are, and what was left out."""
        omitted = ", ".join(f"{number} {why}" for why, number in self.meta["omitted"].items())
        return f"{self.meta['returned']} of {self.meta['matched']} found" + (
            f" ({omitted})" if omitted else ""
        )

    def json(self) -> Json:
        """Give ``{"data": […], "meta": {…}}``."""
        return Json(
            json.dumps(
                {"data": [asdict(each) for each in self], "meta": self.meta}, ensure_ascii=False, indent=1
            )
        )

    def _repr_html_(self) -> str:
        rows = [
            (
                e.id,
                e.said,
                e.kind,
                e.session or "–",
                e.state,
                e.project,
            )
            for e in self
        ]
        head = ("id", "text", "kind", "session", "state", "project")
        return (table(head, rows) if rows else "") + paragraph(self.sentence, dim=True)


def query(text: str) -> tuple[str, ...]:
    """Write what a person types as expressions: all of its words, then any of them; none where it has no word.

    Raises:
        InputError: the text is empty.
    """
    said = one_line(text)
    if not said:
        msg = "search wants a text"
        raise InputError(msg)
    words = []
    for word in spaced(said).split()[:_WORDS]:
        if any(char.isalnum() for char in word):
            quoted = '"' + word.replace('"', '""') + '"'
            words.append(f"{quoted}*" if len(word) == 1 and ord(word) >= 0x3040 else quoted)
    return tuple(dict.fromkeys((" ".join(words), " OR ".join(words)))) if words else ()


def counted(hits: Sequence[Hit], matched: int, omitted: Mapping[str, int]) -> Found:
    """Put what was found together with its counts."""
    made = Found(hits)
    left = matched - len(hits)
    counts = {**({"for the limit": left} if left else {}), **{why: n for why, n in omitted.items() if n}}
    made.meta = {"matched": matched, "returned": len(hits), "omitted": counts}
    return made


def _hit(row: Row, project: str = "") -> Hit:
    return Hit(row.id, row.kind, shorten(row.text, 400), row.state, row.session, project, row.origin)


def search(rows: Sequence[Row], text: str, *, limit: int = 20) -> Found:
    """Search in entries that are at hand, the latest first.

    Raises:
        InputError: the text is empty.
    """
    expressions = query(text)
    if not expressions or not rows:
        return counted((), 0, {})
    with contextlib.closing(Index(None)) as index:
        return _first(index, expressions, {index.put("", rows): ""}, limit)


@dataclass(frozen=True, slots=True)
class Place:
    """A project's log, its title, and whether it is the one in use."""

    log: Path
    title: str
    here: bool = False


def search_logs(
    folders: UserFolders,
    places: Iterable[Place],
    text: str,
    *,
    client: str = "",
    states: Mapping[str, str] | None = None,
    extra: Sequence[Row] = (),
    limit: int = 20,
) -> Found:
    """Search in logs through the kept index; projects of another client are skipped and counted.

    ``states`` says what became of entries of the project in use, ``extra`` is what no log holds yet.

    Raises:
        InputError: the text is empty.
    """
    expressions = query(text)
    fresh = search(extra, text, limit=limit)
    listed = list(places)

    def asked(index: Index) -> tuple[Found, int]:
        known = refresh(index, (place.log for place in listed))
        titles, others = _wanted(listed, known, client)
        found = _first(index, expressions, titles, limit) if expressions and titles else counted((), 0, {})
        return found, others

    try:
        with opened(folders) as index:
            old, others = asked(index)
    except sqlite3.Error as error:
        if not isinstance(error, sqlite3.OperationalError):
            forget(folders)
        with contextlib.closing(Index(None)) as index:
            old, others = asked(index)
    hits = [*fresh, *(_now(each, states or {}) for each in old)][:limit]
    matched = fresh.meta["matched"] + old.meta["matched"]
    return counted(hits, matched, {"projects of another client": others})


def _wanted(
    places: Iterable[Place], known: Mapping[str, tuple[int, str, str]], client: str
) -> tuple[dict[int, str], int]:
    """Give the titles of the logs to search by their number, and how many belong to another client."""
    titles: dict[int, str] = {}
    seen: set[str] = set()
    others = 0
    for place in places:
        number, digest, theirs = known.get(str(place.log), (0, "", ""))
        if not number or digest in seen:
            continue
        seen.add(digest)
        if not place.here and theirs and theirs.casefold() != client.casefold():
            others += 1
        else:
            titles[number] = "" if place.here else place.title
    return titles, others


def _now(hit: Hit, states: Mapping[str, str]) -> Hit:
    return hit if hit.project else replace(hit, state=states.get(hit.id, hit.state))


def _first(index: Index, expressions: Sequence[str], titles: Mapping[int, str], limit: int) -> Found:
    """Find what has every word, or where nothing has, what has one of them."""
    for words in expressions:
        matched, rows = index.find(words, titles, limit)
        if matched:
            return counted([_hit(row, titles.get(number, "")) for number, row in rows], matched, {})
    return counted((), 0, {})
