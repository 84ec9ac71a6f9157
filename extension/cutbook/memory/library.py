"""The user's library: lessons that reach beyond their project, a page each, for projects that they fit.

A page is markdown with front matter: ``title``, ``uuid``, ``summary``, ``created``, ``updated`` (quoted strings), then
``applies_to`` (facet: value, or a list of values), ``project`` and ``source``, where the lesson was learnt.
"""

from __future__ import annotations

import re
import unicodedata
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cutbook import files
from cutbook.errors import InputError, MemoryLogError
from cutbook.memory import front
from cutbook.memory.preferences import FACETS
from cutbook.memory.refusal import refusal
from cutbook.memory.text import one_line, short_hash, shorten

if TYPE_CHECKING:
    import datetime as dt

    from cutbook.files import UserFolders

PAGE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\.md\Z")
"""What the name of a memoryfield page looks like."""

MOST = 8192
"""Bytes of a page."""

_PREFIX = "lesson-"
_FRONT = 1 << 16


@dataclass(frozen=True, slots=True)
class Lesson:
    """One page. ``applies_to`` holds each facet's values; ``project`` is the uuid of where it was learnt."""

    name: str
    text: str
    applies_to: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    project: str = ""
    source: str = ""
    created: str = ""

    @property
    def id(self) -> str:
        """The page's name without its ending."""
        return self.name.removesuffix(".md")

    @property
    def where(self) -> str:
        """Say for which projects it is."""
        return ", ".join(f"{key}: {' or '.join(values)}" for key, values in self.applies_to.items())

    def fits(self, facets: Mapping[str, str]) -> bool:
        """Tell whether every facet is one of the project's."""
        own = {_fold(key): _fold(value) for key, value in facets.items()}
        return bool(self.applies_to) and all(
            own.get(_fold(key)) in {_fold(value) for value in values}
            for key, values in self.applies_to.items()
        )

    def page(self) -> str:
        """Write the page."""
        identity = uuid.uuid5(uuid.NAMESPACE_URL, f"cutbook:lesson:{self.name}:{self.project}:{self.text}")
        values = {
            "title": shorten(self.text, 80),
            "uuid": str(identity),
            "summary": shorten(self.text, 1000),
            "created": self.created,
            "updated": self.created,
            "applies_to": {key: list(v) if len(v) > 1 else v[0] for key, v in self.applies_to.items()},
            "project": self.project,
            "source": self.source,
        }
        return f"{front.dump({key: value for key, value in values.items() if value})}\n{self.text}\n"

    def __repr__(self) -> str:
        return f"{self.id}  {self.text}  ({self.where or 'this project'})"


def facet(text: str) -> tuple[str, str]:
    """Read ``KEY=VALUE`` of ``--applies-to``.

    Raises:
        InputError: it is none, or its key is no facet.
    """
    key, equals, value = one_line(text).partition("=")
    key, value = key.strip().casefold(), value.strip()
    if not equals or key not in FACETS or not value:
        msg = f"{text!r} is no facet; write {' or '.join(f'{name}=…' for name in FACETS)}"
        raise InputError(msg)
    return key, value


def read_lesson(name: str, text: str) -> Lesson | None:
    """Read a page, with front matter or without; None where it says nothing."""
    values, body = front.split(text.removeprefix("\ufeff")[:_FRONT])
    said = one_line(" ".join(text.removeprefix("\ufeff")[body:].split()))
    if not said:
        return None
    applies = values.get("applies_to")
    facets = applies if isinstance(applies, Mapping) else {}
    return Lesson(
        name,
        said,
        {str(key): found for key, value in facets.items() if (found := _values(value))},
        *(v if isinstance(v := values.get(key), str) else "" for key in ("project", "source", "created")),
    )


def _values(value: Any) -> tuple[str, ...]:
    rows = value if isinstance(value, list) else [value]
    return tuple(str(row) for row in rows if isinstance(row, str | int | float) and str(row).strip())


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()


class Library:
    """The lessons of one user, in ``library`` of the config folder. Making one reads nothing."""

    def __init__(self, folders: UserFolders) -> None:
        self.folder = folders.config / "library"
        self._folders = folders

    def lessons(self) -> tuple[Lesson, ...]:
        """Give every lesson, by name; a page that cannot be read is passed over."""
        found = []
        for path in sorted(self.folder.glob(f"{_PREFIX}*.md")):
            try:
                lesson = read_lesson(path.name, path.read_text("utf-8-sig"))
            except (OSError, UnicodeDecodeError):
                continue
            found += [lesson] if lesson else []
        return tuple(found)

    def fitting(self, facets: Mapping[str, str]) -> tuple[Lesson, ...]:
        """Give the lessons of which every facet fits."""
        return tuple(each for each in self.lessons() if each.fits(facets))

    def add(
        self,
        text: str,
        applies_to: Mapping[str, str],
        *,
        now: dt.datetime,
        project: str = "",
        source: str = "",
    ) -> Lesson:
        """Write a lesson with facets; the same words for the same facets are the page that is there already.

        Raises:
            InputError: the text is longer than a page.
            MemoryLogError: the page cannot be written.
        """
        said = one_line(text)
        facets = {key: (value,) for key, value in applies_to.items()}
        lesson = Lesson(_name(said, facets), said, facets, project, source, now.isoformat(timespec="seconds"))
        if len(lesson.page().encode()) > MOST:
            msg = f"a lesson must fit on a page of {MOST} bytes; this one has {len(said.encode())}"
            raise InputError(msg)
        path = self.folder / lesson.name
        try:
            with files.locked(path, self._folders):
                known = read_lesson(path.name, path.read_text("utf-8-sig")) if path.exists() else None
                if known is not None:
                    return known
                files.write_atomic(path, lesson.page())
        except (OSError, UnicodeDecodeError) as error:
            msg = refusal(
                path, error, "the lesson is not kept: make it writable, or keep it for this project alone"
            )
            raise MemoryLogError(msg) from error
        return lesson


def _name(text: str, facets: Mapping[str, tuple[str, ...]]) -> str:
    """Name a page by its first words, and by a hash of all that makes it this lesson."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    words = re.findall(r"[a-z0-9]+", plain)[:6]
    exact = _fold(text) + "\n" + "\n".join(f"{key}={_fold(v[0])}" for key, v in sorted(facets.items()))
    return f"{_PREFIX}{'-'.join([*(word[:16] for word in words), short_hash(exact)[:8]])}.md"
