"""A memory as a memoryfield: a flat zip of markdown pages with front matter, the same bytes for the same memory.

Own keys in the front matter: ``session`` (its number), ``place`` (its place in the log, from 0), ``part`` (from 1,
where a session takes several pages), ``joint``: how a later part goes on, in a new ``line`` or within a ``text``, and
``top``: how many lines of heading and label it repeats, so that each page stands for itself. A link to a file beside
the log is escaped, so that no page has a link that leads nowhere.
"""

from __future__ import annotations

import hashlib
import io
import re
import uuid
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cutbook import files
from cutbook.errors import InputError, MemoryLogError
from cutbook.memory import front, markdown
from cutbook.memory.library import MOST, Lesson
from cutbook.memory.log import Log, Section
from cutbook.memory.preferences import Preference, write_line
from cutbook.memory.refusal import refusal
from cutbook.memory.text import one_line, short_hash, shorten

SUFFIX = ".memoryfield.zip"
LINE = 7000
"""Most bytes of one bullet on a page; a longer one goes on on the next."""

_ROOM = 700
_SUMMARY = 600
_DATED = (1980, 1, 1, 0, 0, 0)
_EPOCH = "1970-01-01"
_INWARD = re.compile(r"\]\((?![a-zA-Z][a-zA-Z0-9+.-]*:|//|#)")
_BULLET = re.compile(r"[-+*] |\d{1,9}[.)] ")


@dataclass(frozen=True, slots=True)
class Exported:
    """The file that was written, its pages, and the hash that pins it."""

    path: Path
    sha256: str
    pages: tuple[str, ...]
    unsaved: int = 0

    def __repr__(self) -> str:
        more = f"; {self.unsaved} unsaved events are not in it (%memory persist)" if self.unsaved else ""
        return f"{self.path} ({len(self.pages)} pages)\nsha256 {self.sha256}{more}"


def export(
    log: Log,
    file: Path,
    *,
    title: str,
    lessons: Sequence[Lesson] = (),
    preferences: Sequence[Preference] = (),
    unsaved: int = 0,
) -> Exported:
    """Write a memory's zip.

    Raises:
        InputError: there is nothing to export, or no folder to export it to.
        MemoryLogError: the file cannot be written.
    """
    if not log.sections:
        msg = "project.md holds no session to export; %memory persist writes one"
        raise InputError(msg)
    if file.is_dir() or not file.parent.is_dir():
        there = f"{file} is a folder" if file.is_dir() else f"there is no folder {file.parent}"
        msg = f"{there}; name the file to export to, in a folder that is there"
        raise InputError(msg)
    path = file if file.name.casefold().endswith(".zip") else file.with_name(file.name + SUFFIX)
    pages = pages_of(log, title=title, lessons=lessons, preferences=preferences)
    data = zipped(pages)
    try:
        files.write_atomic(path, data)
    except OSError as error:
        msg = refusal(path, error, "nothing is exported: name a place that can be written")
        raise MemoryLogError(msg) from error
    return Exported(path, hashlib.sha256(data).hexdigest(), tuple(pages), unsaved)


def zipped(pages: Mapping[str, str]) -> bytes:
    """Put pages into a zip without compression: no version of a compressor can change a byte."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as made:
        for name, text in sorted(pages.items()):
            info = zipfile.ZipInfo(name, _DATED)
            info.create_system, info.external_attr = 3, 0o100644 << 16
            made.writestr(info, text.encode())
    return out.getvalue()


def pages_of(
    log: Log, *, title: str, lessons: Sequence[Lesson] = (), preferences: Sequence[Preference] = ()
) -> dict[str, str]:
    """Write every page of a memory, by name."""
    project = project_uuid(log)
    dates = [each.date.isoformat() for each in log.sections if each.date]
    created = str(log.front.get("created") or (min(dates) if dates else _EPOCH))
    writer = _Pages(project, created, max(dates) if dates else created)
    counts: Counter[int] = Counter()
    for place, section in enumerate(log.sections):
        counts[section.number] += 1
        again = counts[section.number]
        name = f"session-{section.number:03}" + (f"-again-{again}" if again > 1 else "")
        writer.session(name, section, place)
    head = log.head.removeprefix("\ufeff")
    notes = _clean(head[front.split(head)[1] :])
    if notes.strip():
        writer.parts("notes", "Notes", notes, {}, summary="What stands before the first session.")
    lines = [f"- {write_line(each.key, each.value, each.why, each.date or _EPOCH)}" for each in preferences]
    if lines:
        writer.parts(
            "preferences", "Preferences", "\n".join(lines) + "\n", {}, summary="What this project prefers."
        )
    for lesson in lessons:
        writer.pages[lesson.name] = _inward(lesson.page())
    writer.index(title)
    return dict(sorted(writer.pages.items()))


def project_uuid(log: Log) -> uuid.UUID:
    """Give the project's uuid, or one made of its first session where it has none."""
    try:
        return uuid.UUID(log.uuid)
    except (ValueError, AttributeError, TypeError):
        first = log.sections[0].raw if log.sections else ""
        return uuid.uuid5(uuid.NAMESPACE_URL, f"cutbook:{log.uuid or short_hash(first)}")


class _Pages:
    def __init__(self, project: uuid.UUID, created: str, updated: str) -> None:
        self.pages: dict[str, str] = {}
        self._listed: list[tuple[str, str]] = []
        self._project = project
        self._created = created
        self._updated = updated

    def session(self, name: str, section: Section, place: int) -> None:
        """Write one session, over as many pages as it takes."""
        date = section.date.isoformat() if section.date else ""
        title = f"Session {section.number}" + (f" — {date}" if date else "")
        text = _clean(section.raw)
        keys = {"session": section.number, "place": place}
        self.parts(name, title, text, keys, summary=section.strategy or section.title, date=date)

    def parts(
        self, name: str, title: str, text: str, keys: Mapping[str, Any], *, summary: str = "", date: str = ""
    ) -> None:
        """Write a text as one page, or as several where it does not fit."""
        chunks = list(_chunks(text, MOST - _ROOM - _SUMMARY))
        heading = f"## {title}\n\n" if keys else ""
        for number, (chunk, label, joint) in enumerate(chunks, start=1):
            more = {**keys, "part": number, "joint": joint} if number > 1 else dict(keys)
            said = f"{title} (part {number})" if number > 1 else title
            top = f"{heading}{label}" if number > 1 else ""
            if number > 1 and keys:
                more["top"] = top.count("\n")
            page = f"{name}-part-{number}.md" if number > 1 else f"{name}.md"
            self._page(page, said, f"{top}{chunk}", more, summary=summary, date=date)

    def _page(
        self, name: str, title: str, body: str, keys: Mapping[str, Any], *, summary: str = "", date: str = ""
    ) -> None:
        short = _bytes(_inward(one_line(summary)), _SUMMARY)
        values = {
            "title": _inward(title),
            "uuid": str(uuid.uuid5(self._project, name)),
            **({"summary": short} if short else {}),
            "created": date or self._created,
            "updated": date or self._updated,
            **keys,
        }
        end = "" if body.endswith("\n") else "\n"
        self.pages[name] = f"{front.dump(values)}\n{_inward(body)}{end}"
        self._listed.append((name, title))

    def index(self, title: str) -> None:
        """Write the list of pages, as far as one page goes."""
        listed = self._listed
        lines: list[str] = []
        size = 0
        for number, (name, said) in enumerate(listed):
            line = f"- [{said}]({name})\n"
            size += len(line.encode())
            if size > MOST - _ROOM - _SUMMARY:
                lines.append(f"- and {len(listed) - number} more pages\n")
                break
            lines.append(line)
        head = f"# {_bytes(one_line(title), 200)}\n\nWhat was decided in this project and why, a page a session.\n\n"
        self._page("index.md", _bytes(one_line(title), 200), head, {}, summary="The pages of this memory.")
        self.pages["index.md"] += "".join(lines)


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode().replace("\r\n", "\n")


def _inward(text: str) -> str:
    return _INWARD.sub(r"]\\(", text)


def outward(text: str) -> str:
    """Take back what an export did to links."""
    return text.replace("]\\(", "](")


def _bytes(text: str, most: int) -> str:
    """Shorten a text to so many bytes."""
    short = shorten(text, most)
    while len(short.encode()) > most:
        short = shorten(short, len(short) * 3 // 4)
    return short


def _chunks(text: str, most: int) -> Iterator[tuple[str, str, str]]:
    """Cut a text into pieces of so many bytes, at bullets where it can: piece, its label, and how it goes on."""
    chunk, label, joint, size = "", "", "line", 0
    now = ""
    for piece, way in _pieces(text, most):
        length = len(_inward(piece).encode())
        found = markdown.field_label(piece)
        if chunk and size + length > most:
            yield chunk, label, joint
            chunk, size, joint = "", 0, way
            label = now if not found else ""
        if found:
            now = f"**{one_line(found[0])}:**\n" if len(found[0].encode()) < 200 else ""
        chunk += piece
        size += length
    yield chunk, label, joint


def _pieces(text: str, most: int) -> Iterator[tuple[str, str]]:
    """Split into bullets with what belongs to them, one that is too long into lines, these into stretches."""
    unit = ""
    for line in [*markdown.split_lines(text), None]:
        if line is None or _BULLET.match(line) or markdown.field_label(line):
            yield from _fitting(unit, most)
            unit = ""
        unit += line or ""


def _fitting(unit: str, most: int) -> Iterator[tuple[str, str]]:
    if len(_inward(unit).encode()) <= min(LINE, most):
        if unit:
            yield unit, "line"
        return
    for line in markdown.split_lines(unit):
        way = "line"
        rest = line
        while rest:
            head = _head(rest, min(LINE, most) // 2)
            yield head, way
            rest, way = rest[len(head) :], "text"


def _head(text: str, most: int) -> str:
    """Give so many bytes of a text's beginning, whole characters, to a space where there is one."""
    if len(text.encode()) <= most:
        return text
    head = text.encode()[:most].decode(errors="ignore")
    space = head.rfind(" ", len(head) // 2)
    return head[: space + 1] if space > 0 else head
