"""project.md as it is read: its head, its sections, and in each the fields and their entries.

Reading never raises, and head and sections joined are the text again. A section in cutbook's own form is read by
:mod:`cutbook.memory.plain`, any other by the grammar here; both give the same.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cutbook.memory import front, markdown, plain
from cutbook.memory.entries import Entry, Log, Section, decoded, encoded, no_collecting
from cutbook.memory.items import KINDS, Names, nothing, ticked
from cutbook.memory.marks import Mark, find_mark
from cutbook.memory.shelf import FENCES, Known
from cutbook.memory.strategy import given
from cutbook.memory.text import unescape

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

NAME = "project.md"

UTF16 = (b"\xff\xfe", b"\xfe\xff")
BOM = "\ufeff".encode()
_LEFT = re.compile(r"(?:<<<<<<< .*|>>>>>>> .*|=======)\r?\n?\Z")
_CONFLICT = re.compile(rb"^(?:<<<<<<<|>>>>>>>) ", re.MULTILINE)
_HASHED = re.compile(rb"\n {0,3}#[^\n]*")
_PIECE = 1 << 15
"""Bytes that are tried at a time for being UTF-8: memory for all of them would cost more than the trial."""

Starts = list[tuple[int, markdown.Heading]]
"""Where sessions begin, in bytes, and their headings."""


def parse(data: bytes, *, quick: bool = True, known: Known | None = None) -> Log:
    """Read a log; never raises, whatever the bytes are.

    Not ``quick``: all of it by the grammar, for the same. ``known`` is what was read of its beginning before.
    """
    if data[:2] in UTF16:
        return Log(utf16=data, warnings=(f"{NAME} is in UTF-16; save it as UTF-8",))
    values, top = _front(data)
    at, level = (known.end, known.level) if known else (top, 0)
    fenced = any(data.find(fence, at) >= 0 for fence in FENCES)
    starts, open_fence = _visible(data, at, level) if fenced else (_headings(data, at, level), None)
    if known and (not starts or starts[0][0] != at):
        return parse(data, quick=quick)
    bounds = [*(first for first, _ in starts), len(data)]
    before = known.sections if known else ()
    names = Names([entry.id.partition("~")[0] for section in before for entry in section.entries])
    with no_collecting():
        sections = (*before, *_sections(data, starts, bounds[1:], names, quick=quick))
    crlf = data.count(b"\r\n")
    return Log(
        head=decoded(data[: bounds[0] - sum(len(section.source) for section in before)]),
        sections=sections,
        front=values,
        crlf=crlf * 2 > data.count(b"\n"),
        open_fence=open_fence,
        warnings=tuple(_warnings(data)),
    )


def _front(data: bytes) -> tuple[dict[str, Any], int]:
    """Read the front matter, and give where the body begins, in bytes."""
    bom = len(BOM) if data.startswith(BOM) else 0
    if not data.startswith(b"---", bom):
        return {}, bom
    close = data.find(b"\n---", bom)
    line = data.find(b"\n", close + 1) + 1 if close >= 0 else 0
    for end in (line, len(data)):
        text = decoded(data[bom:end])
        values, length = front.split(text)
        if length:
            return values, bom + len(encoded(text[:length]))
    return {}, bom


def _warnings(data: bytes) -> Iterator[str]:
    if (b"<<<<<<< " in data or b">>>>>>> " in data) and _CONFLICT.search(data):
        yield f"{NAME} holds conflict markers of a merge (<<<<<<<, >>>>>>>); keep both sides and remove the markers"
    at = _broken(data)
    if at is not None:
        yield f"{NAME} is not UTF-8 at byte {at}; the bytes are kept as they are"


def _broken(data: bytes) -> int | None:
    """Give the first byte that is no UTF-8; None where all is."""
    first = 0
    while first < len(data):
        line = data.find(b"\n", first + _PIECE)
        last = line + 1 if line >= 0 else len(data)
        try:
            data[first:last].decode()
        except UnicodeDecodeError as error:
            return first + error.start
        first = last
    return None


def _headings(data: bytes, top: int, level: int) -> Starts:
    """Find where sessions begin in a text without fences."""
    end = data.find(b"\n", top)
    first = data[top : end if end >= 0 else len(data)]
    lines = itertools.chain(
        [(top, first)], ((hit.start() + 1, hit[0][1:]) for hit in _HASHED.finditer(data, max(end, top)))
    )
    return list(_starts(((at, decoded(line)) for at, line in lines), level))


def _visible(data: bytes, top: int, level: int) -> tuple[Starts, str | None]:
    """Find where sessions begin outside fences, and what closes one that is still open at the end."""
    lines = markdown.split_lines(decoded(data[top:]))
    hidden, open_fence = markdown.hidden_lines(lines)
    places = itertools.accumulate((len(encoded(line)) for line in lines), initial=top)
    seen = ((at, line) for at, line, veiled in zip(places, lines, hidden, strict=False) if not veiled)
    return list(_starts(seen, level)), open_fence


def _starts(lines: Iterable[tuple[int, str]], level: int) -> Iterator[tuple[int, markdown.Heading]]:
    for at, line in lines:
        heading = markdown.session_heading(line)
        if heading and (not level or heading.level <= level or heading.date):
            level = level or heading.level
            yield at, heading


def _sections(
    data: bytes, starts: Starts, ends: list[int], names: Names, *, quick: bool
) -> tuple[Section, ...]:
    return tuple(
        [
            (plain.section(heading, data[first:last], names) if quick else None)
            or _section(heading, data[first:last], names)
            for (first, heading), last in zip(starts, ends, strict=True)
        ]
    )


def _section(heading: markdown.Heading, source: bytes, names: Names) -> Section:
    strategies: list[tuple[Mark | None, str, str]] = []
    fields: dict[str, tuple[Entry, ...]] = {}
    counts: dict[str, int] = {}
    for part in _parts(source):
        items = markdown.list_items(part.lines, part.veiled)
        if part.kind == "s":
            mark, text = find_mark("\n".join(text for text, _ in items))
            strategies.append((mark, " ".join(text.split()), part.label))
            continue
        entries = tuple(_entries(heading.number, part.kind, items, names, counts))
        fields[part.label] = fields.get(part.label, ()) + entries
    mark = _joined([mark for mark, _, _ in strategies if mark])
    told = [(unescape(raw), raw, label) for _, raw, label in strategies if raw]
    # Of two that a merge left there, that of a person is the strategy; what the other says is a note.
    first = next((each for each in told if given(each[0], mark)), told[0] if told else ("", "", ""))
    for text, raw, label in told:
        if text != first[0]:
            items = [(raw, False)]
            entries = tuple(_entries(heading.number, "r", items, names, counts))
            fields[label] = fields.get(label, ()) + entries
    return Section(heading.number, heading.date, heading.title, source, first[0], mark, fields)


def _joined(marks: list[Mark]) -> Mark | None:
    """Give one comment that says what all of them say."""
    tokens = dict.fromkeys(token for mark in marks for token in mark.tokens)
    return marks[0]._replace(tokens=tuple(tokens)) if marks else None


@dataclass(slots=True)
class _Part:
    """What stands under one label or heading: its lines, and their numbers in the section."""

    label: str
    kind: str
    lines: list[str] = field(default_factory=list)
    veiled: list[bool] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    level: int = 0
    """The level from which on a heading is one within it; 0: none is."""

    def add(self, number: int, line: str, *, veiled: bool = False) -> None:
        self.lines.append(line)
        self.veiled.append(veiled)
        self.numbers.append(number)

    def holds(self, level: int) -> bool:
        """Tell whether a heading stands within this part, and parts it no further."""
        if not self.level and self.kind and not any(line.strip() for line in self.lines):
            self.level = level
        return 0 < self.level <= level


def _parts(source: bytes) -> list[_Part]:
    lines = markdown.split_lines(decoded(source).replace("\0", ""))
    # What a fence hides lies in one section, so that its own lines tell.
    hidden, _ = markdown.hidden_lines(lines)
    found = [_Part("", "")]
    for number, (line, veil) in enumerate(zip(lines[1:], hidden[1:], strict=True), start=1):
        level = 0 if veil else markdown.heading_level(line)
        if level:
            name = markdown.heading_text(line)
            known = KINDS.get(name.lower())
            if known or not found[-1].holds(level):
                found.append(_Part(name, known or "r", level=level + 1))
            continue
        label = None if veil else _label(line)
        if label:
            found.append(_Part(label[0], KINDS.get(label[0].lower(), "")))
            found[-1].add(number, label[1])
        else:
            # What a merge left there stands between the entries of both sides.
            found[-1].add(number, "\n" if not veil and _LEFT.match(line) else line, veiled=veil)
    return found


def _label(line: str) -> tuple[str, str] | None:
    bare = markdown.bare_label(line)
    return bare if bare and bare[0].lower() in KINDS else markdown.field_label(line)


def passed_over(section: Section) -> tuple[int, ...]:
    """Give the numbers, from 0, of a section's lines that hold words and are read as nothing."""
    return tuple(
        number
        for part in _parts(section.source)
        if not part.kind
        for number, line in zip(part.numbers, part.lines, strict=True)
        if "<!-- m " not in line and any(char.isalnum() for char in line)
    )


def _entries(
    session: int, kind: str, items: list[tuple[str, bool]], names: Names, counts: dict[str, int]
) -> Iterator[Entry]:
    for item, _ in items:
        mark, text = find_mark(item)
        if mark and mark.kind == "s":
            mark = None
        if not mark and (not kind or nothing(text)):
            continue
        counts[kind] = counts.get(kind, 0) + 1
        name = mark.id if mark else f"{kind}-{session}-{counts[kind]}"
        yield Entry(names.serve(name), name[0], session, text, mark, ticked(text))
