"""project.md as it is read: its head, its sections, and in each the fields and their entries.

Reading never raises, and head and sections joined are the text again. A section in cutbook's own form is read by
:mod:`cutbook.memory.plain`, any other by the grammar here; both give the same.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

from cutbook.memory import front, markdown, plain
from cutbook.memory.entries import Entry, Log, Section
from cutbook.memory.items import KINDS, Names, nothing, ticked
from cutbook.memory.marks import find_mark
from cutbook.memory.text import unescape

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "project.md"

UTF16 = (b"\xff\xfe", b"\xfe\xff")
BOM = "\ufeff"
_CONFLICT = re.compile(rb"^(?:<<<<<<<|>>>>>>>) ", re.MULTILINE)
_HASHED = re.compile(r"\n {0,3}#[^\n]*")


def parse(data: bytes, *, quick: bool = True) -> Log:
    """Read a log; never raises, whatever the bytes are. Not ``quick``: all of it by the grammar, for the same."""
    if data[:2] in UTF16:
        return Log(utf16=data, warnings=(f"{NAME} is in UTF-16; save it as UTF-8",))
    text = data.decode("utf-8", "surrogateescape")
    bom = len(BOM) if text.startswith(BOM) else 0
    values, length = front.split(text[bom:])
    body = text[bom + length :]
    fenced = "```" in body or "~~~" in body
    starts, open_fence = _visible(body) if fenced else (_headings(body), None)
    bounds = [*(at for at, _ in starts), len(body)]
    names = Names()
    sections = tuple(
        [
            (plain.section(heading, body[first:last], names) if quick else None)
            or _section(heading, body[first:last], names)
            for (first, heading), last in zip(starts, bounds[1:], strict=True)
        ]
    )
    crlf = data.count(b"\r\n")
    return Log(
        head=text[: bom + length] + body[: bounds[0]],
        sections=sections,
        front=values,
        crlf=crlf * 2 > data.count(b"\n"),
        open_fence=open_fence,
        warnings=tuple(_warnings(data)),
    )


def _warnings(data: bytes) -> Iterator[str]:
    if (b"<<<<<<< " in data or b">>>>>>> " in data) and _CONFLICT.search(data):
        yield f"{NAME} holds conflict markers of a merge (<<<<<<<, >>>>>>>); keep both sides and remove the markers"
    try:
        data.decode()
    except UnicodeDecodeError as error:
        yield f"{NAME} is not UTF-8 at byte {error.start}; the bytes are kept as they are"


Starts = list[tuple[int, markdown.Heading]]


def _headings(body: str) -> Starts:
    """Find where sessions begin in a text without fences."""
    first = body.partition("\n")[0]
    lines = itertools.chain([(0, first)], ((hit.start() + 1, hit[0][1:]) for hit in _HASHED.finditer(body)))
    return list(_starts(lines))


def _visible(body: str) -> tuple[Starts, str | None]:
    """Find where sessions begin outside fences, and what closes one that is still open at the end."""
    lines = markdown.split_lines(body)
    hidden, open_fence = markdown.hidden_lines(lines)
    places = itertools.accumulate(map(len, lines), initial=0)
    seen = ((at, line) for at, line, veiled in zip(places, lines, hidden, strict=False) if not veiled)
    return list(_starts(seen)), open_fence


def _starts(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, markdown.Heading]]:
    level = 0
    for at, line in lines:
        heading = markdown.session_heading(line)
        if heading and (not level or heading.level <= level or heading.date):
            level = level or heading.level
            yield at, heading


def _section(heading: markdown.Heading, raw: str, names: Names) -> Section:
    lines = markdown.split_lines(raw)
    # What a fence hides lies in one section, so that its own lines tell.
    hidden, _ = markdown.hidden_lines(lines)
    strategy, mark = "", None
    fields: dict[str, tuple[Entry, ...]] = {}
    counts: dict[str, int] = {}
    for label, body, veiled in _fields(lines, hidden):
        kind = KINDS.get(label.lower(), "")
        items = markdown.list_items(body, veiled)
        if kind == "s" and not strategy:
            mark, strategy = find_mark("\n".join(text for text, _ in items))
            strategy = unescape(" ".join(strategy.split()))
            continue
        entries = tuple(_entries(heading.number, kind, items, names, counts))
        fields[label] = fields.get(label, ()) + entries
    return Section(heading.number, heading.date, heading.title, raw, strategy, mark, fields)


def _fields(lines: list[str], hidden: list[bool]) -> Iterator[tuple[str, list[str], list[bool]]]:
    label, body, veiled = "", list[str](), list[bool]()
    for line, veil in zip(lines[1:], hidden[1:], strict=True):
        level = 0 if veil else markdown.heading_level(line)
        found = None if veil else markdown.field_label(line)
        if level and (name := markdown.heading_text(line)).lower() in KINDS:
            found = (name, "")
        if found:
            yield label, body, veiled
            label, body, veiled = found[0], [found[1]], [False]
        elif not level:
            body.append(line)
            veiled.append(veil)
    yield label, body, veiled


def _entries(
    session: int, kind: str, items: list[tuple[str, bool]], names: Names, counts: dict[str, int]
) -> Iterator[Entry]:
    for item, _ in items:
        mark, text = find_mark(item)
        if mark and mark.kind == "s":
            mark = None
        if not mark and (not kind or kind == "s" or nothing(text)):
            continue
        counts[kind] = counts.get(kind, 0) + 1
        name = mark.id if mark else f"{kind}-{session}-{counts[kind]}"
        yield Entry(names.serve(name), name[0], session, text, mark, ticked(text))
