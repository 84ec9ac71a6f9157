"""Search in one project's memory, and in that of every project of this user.

Every word of a query is quoted, so that no query is an expression. Under 1,000 entries nothing is kept on the disk.
"""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
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

Answer = tuple[int, list[tuple[int, Row]]]
COPIES = "in copies of projects"
_WORDS = 64
_COPIED = 4
"""How many times the limit is looked at where several projects may hold the same."""

_ID = re.compile(r"(?:[droep]-[0-9a-z]{5}|[dro]-\d+-\d+|s-\d+)(?:~\d+)?\Z|[a-z0-9-]+/\S+\Z", re.IGNORECASE)


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
    """What was found, the latest first.

    ``meta``: matched, returned, omitted (a count a reason), and ``partly`` where nothing has every word. ``asked`` is
    what was looked for.
    """

    meta: Mapping[str, Any]
    asked: str = ""

    def __repr__(self) -> str:
        return "\n".join([*map(repr, self), self.sentence])

    @property
    def sentence(self) -> str:
        """Say how many there are, and what was left out."""
        omitted = ", ".join(
            f"{number} {why.replace('projects of', 'project of') if number == 1 else why}"
            for why, number in self.meta["omitted"].items()
        )
        what = f" for {quotation(shorten(self.asked, 60))}" if self.asked and not self else ""
        partly = "; nothing has all of these words, these have some" if self.meta.get("partly") else ""
        more = f" ({omitted})" if omitted else ""
        return f"{self.meta['returned']} of {self.meta['matched']} found{what}{more}{partly}"

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


def counted(
    hits: Sequence[Hit], matched: int, omitted: Mapping[str, int], *, partly: bool = False, asked: str = ""
) -> Found:
    """Put what was found together with its counts."""
    made = Found(hits)
    left = matched - len(hits) - omitted.get(COPIES, 0)
    counts = {**({"for the limit": left} if left else {}), **{why: n for why, n in omitted.items() if n}}
    meta = {"matched": matched, "returned": len(hits), "omitted": counts}
    made.meta = {**meta, "partly": True} if partly else meta
    made.asked = asked
    return made


def _hit(row: Row, project: str = "") -> Hit:
    return Hit(row.id, row.kind, shorten(row.text, 400), row.state, row.session, project, row.origin)


def search(rows: Sequence[Row], text: str, *, limit: int = 20) -> Found:
    """Search in entries that are at hand, the latest first; by words, or by the id of one.

    Raises:
        InputError: the text is empty.
    """
    asked = Asked.of(text)
    if not rows:
        return counted((), 0, {}, asked=asked.text)
    with contextlib.closing(Index(None)) as index:
        return _first(index, asked, {index.put("", rows): ""}, limit)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is looked for: as it was typed, and as expressions."""

    text: str
    expressions: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Asked:
        """Read what a person types (raises :class:`~cutbook.errors.InputError` where it is empty)."""
        return cls(one_line(text), query(text))


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
    asked = Asked.of(text)
    fresh = search(extra, text, limit=limit)
    listed = list(places)

    def answered(index: Index) -> tuple[Found, int]:
        known = refresh(index, (place.log for place in listed))
        titles, others = _wanted(listed, known, client)
        return _first(index, asked, titles, limit), others

    try:
        with opened(folders) as index:
            old, others = answered(index)
    except sqlite3.Error as error:
        if not isinstance(error, sqlite3.OperationalError):
            forget(folders)
        with contextlib.closing(Index(None)) as index:
            old, others = answered(index)
    hits = [*fresh, *(_now(each, states or {}) for each in old)][:limit]
    matched = fresh.meta["matched"] + old.meta["matched"]
    omitted = {COPIES: old.meta["omitted"].get(COPIES, 0), "projects of another client": others}
    partly = all(each.meta.get("partly") or not each for each in (fresh, old)) and bool(hits)
    return counted(hits, matched, omitted, partly=partly, asked=asked.text)


def _wanted(
    places: Iterable[Place], known: Mapping[str, tuple[int, str, str]], client: str
) -> tuple[dict[int, str], int]:
    """Give the titles of the logs to search by their number, and how many belong to another client."""
    titles: dict[int, str] = {}
    seen: set[str] = set()
    others = 0
    listed = list(places)
    for place in listed:
        number, digest, theirs = known.get(str(place.log), (0, "", ""))
        if not number or digest in seen:
            continue
        seen.add(digest)
        if not place.here and theirs and theirs.casefold() != client.casefold():
            others += 1
        else:
            titles[number] = "" if place.here else _title(place, listed)
    return titles, others


def _title(place: Place, listed: Iterable[Place]) -> str:
    """Name a project so that it is told apart: by its folder too where another has its title."""
    alike = any(each.title == place.title and each.log != place.log for each in listed)
    return f"{place.title} ({place.log.parent.parent})" if alike else place.title


def _now(hit: Hit, states: Mapping[str, str]) -> Hit:
    return hit if hit.project else replace(hit, state=states.get(hit.id, hit.state))


def _first(index: Index, asked: Asked, titles: Mapping[int, str], limit: int) -> Found:
    """Find what has this id, else every word, or where nothing has, what has one of them."""
    if not titles:
        return counted((), 0, {}, asked=asked.text)
    most = limit * _COPIED if len(titles) > 1 else limit
    ways: list[tuple[Callable[[str, Iterable[int], int], Answer], str]] = [
        (index.find, words) for words in asked.expressions
    ]
    if _ID.match(asked.text):
        ways.insert(0, (index.named, asked.text.lower()))
    every = len(ways) - len(asked.expressions) + 1
    for number, (way, words) in enumerate(ways, start=1):
        matched, rows = way(words, titles, most)
        if matched:
            hits, copies = _without_copies([_hit(row, titles.get(log, "")) for log, row in rows])
            return counted(hits[:limit], matched, {COPIES: copies}, partly=number > every, asked=asked.text)
    return counted((), 0, {}, asked=asked.text)


def _without_copies(hits: Sequence[Hit]) -> tuple[list[Hit], int]:
    """Leave out what is there twice, since a project was copied with its memory: that of the one in use stays."""
    best: dict[tuple[str, str], Hit] = {}
    for each in hits:
        key = (each.id, each.text)
        if key not in best or (not each.project and best[key].project):
            best[key] = each
    return [each for each in hits if best[each.id, each.text] is each], len(hits) - len(best)
