"""What the verbs of a project give back, where no room below has a value for it: tables and packed text."""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from cutbook.edit.edl import Edl
from cutbook.files import readable
from cutbook.html import Markup, escape, paragraph, picture, plain_table, table
from cutbook.timebase import clock, decimals, rate_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cutbook.edit.shelf import Version
    from cutbook.edit.take import Take
    from cutbook.edit.tighten import Removed
    from cutbook.timeline.composite import Composite

_THUMBNAIL = 54


@dataclass(frozen=True)
class TakeRow:
    """One line of the take table; ``take`` is None where the file cannot be read, and ``problem`` says why."""

    name: str
    take: Take | None
    problem: str
    transcript: str
    thumbnail: bytes | None = None

    @property
    def cells(self) -> tuple[str, ...]:
        """Name, length, rate, size, sound, transcript and what is odd, as text."""
        if self.take is None:
            return (self.name, "", "", "", "", "", self.problem)
        media = self.take.media
        shown = media.picture
        sound = "none"
        if media.sound:
            track = media.sound[min(self.take.track, len(media.sound) - 1)]
            sound = f"{track.layout} {track.sample_rate / 1000:g} kHz"
            if len(media.sound) > 1:
                sound += f" (track {track.track} of {len(media.sound)})"
        return (
            self.name,
            clock(media.duration),
            rate_text(shown.rate) if shown else "",
            f"{shown.width}×{shown.height}" if shown else "",
            sound,
            self.transcript,
            "; ".join(media.notes),
        )


_HEAD = ("take", "length", "rate", "size", "sound", "transcript", "notes")


@dataclass(frozen=True)
class TakeTable:
    """The takes of a folder, a row each, and the files that cannot be read."""

    folder: Path
    rows: tuple[TakeRow, ...]

    @property
    def sentence(self) -> str:
        """Say how many takes there are and how long they are together."""
        good = [row.take for row in self.rows if row.take is not None]
        length = sum((take.duration for take in good), start=Fraction(0))
        bad = len(self.rows) - len(good)
        ending = f"; {bad} {'file' if bad == 1 else 'files'} cannot be read" if bad else ""
        name = readable(self.folder.name)
        return f"{name}: {len(good)} {'take' if len(good) == 1 else 'takes'}, {clock(length)}{ending}"

    def __repr__(self) -> str:
        """Write the table as text."""
        return f"{self.sentence}\n{plain_table(_HEAD, [row.cells for row in self.rows], numbers=(1,))}"

    def _repr_html_(self) -> str:
        rows: list[tuple[object, ...]] = []
        for row in self.rows:
            shot = picture(row.thumbnail, alt=row.name, height=_THUMBNAIL) if row.thumbnail else Markup("")
            name, *rest = row.cells
            rows.append((shot, Markup(f"<b>{escape(name)}</b>"), *rest))
        return paragraph(self.sentence, bold=True) + table(("", *_HEAD), rows, numbers=(2,))


@dataclass(frozen=True)
class Packed:
    """The packed text of all takes, the file that holds it, and the files that could not be read."""

    text: str
    path: Path
    problems: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Give the text."""
        return self.text

    def __repr__(self) -> str:
        """Give the text, so that a notebook shows it as people copy it."""
        return self.text + "".join(f"\nleft out: {problem}" for problem in self.problems)


@dataclass(frozen=True)
class Drawn:
    """A picture of a range of time; shows itself in a notebook."""

    path: Path
    width: int
    height: int
    png: bytes
    title: str

    @classmethod
    def of(cls, composite: Composite, title: str) -> Drawn:
        """Take over a composite."""
        return cls(composite.path, composite.width, composite.height, composite.png, title)

    def __repr__(self) -> str:
        """Say where the picture is."""
        return readable(f"{self.title}: {self.path} ({self.width}×{self.height})")

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        return self.png, {"width": self.width, "height": self.height}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Edited(Edl):
    """A cut list right after a change that ends decisions which a person wrote; ``ends`` says which.

    It is equal to the same cut list read again.
    """

    ends: str = ""

    @classmethod
    def of(cls, edl: Edl, ends: str) -> Edited:
        """Give a cut list with what ends by it."""
        return cls(**_values(edl), ends=ends)

    @property
    def sentence(self) -> str:
        """Say how many ranges there are and how long the film is, and which decisions end."""
        return f"{Edl.sentence.__get__(self)}. {self.ends}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Edl) and _plain(self) == _plain(other)

    def __hash__(self) -> int:
        return hash(_plain(self))


def _plain(edl: Edl) -> Edl:
    return Edl(**_values(edl))


def _values(edl: Edl) -> dict[str, Any]:
    return {each.name: getattr(edl, each.name) for each in fields(Edl)}


@dataclass(frozen=True)
class Tightened:
    """A cut list made tighter, and what was taken out of it."""

    edl: Edl
    removed: tuple[Removed, ...]

    @property
    def sentence(self) -> str:
        """Say how much was taken out."""
        if not self.removed:
            return "Nothing to tighten."
        length = sum((each.span.duration for each in self.removed), start=Fraction(0))
        places = f"{len(self.removed)} place" + ("s" if len(self.removed) != 1 else "")
        left = clock(self.edl.duration)
        ends = f" {self.edl.ends}" if isinstance(self.edl, Edited) else ""
        return f"Took {decimals(length)} s out at {places}; {left} is left. %edl undo brings it back.{ends}"

    @property
    def _rows(self) -> Sequence[tuple[object, ...]]:
        sources = {piece.id: piece.source for piece in self.edl.ranges}
        return [
            (
                sources.get(each.range_id, ""),
                f"{decimals(each.span.start)}-{decimals(each.span.end)}",
                each.what,
            )
            for each in self.removed
        ]

    def __repr__(self) -> str:
        """Write what was taken out as text."""
        return self.sentence + (
            "\n" + plain_table(("take", "range", "taken out"), self._rows) if self.removed else ""
        )

    def _repr_html_(self) -> str:
        rows = table(("take", "range", "taken out"), self._rows) if self.removed else ""
        return paragraph(self.sentence, bold=True) + rows


@dataclass(frozen=True)
class History:
    """The versions of the cut list, the newest last."""

    versions: tuple[Version, ...]

    @property
    def _rows(self) -> Sequence[tuple[object, ...]]:
        return [("→" if v.current else "", v.number, v.when, v.by, v.why) for v in self.versions]

    def __repr__(self) -> str:
        """Write the versions as text; the arrow marks the one in use."""
        return (
            plain_table(("", "version", "when", "by", "why"), self._rows, numbers=(1,))
            if self.versions
            else "no version yet"
        )

    def _repr_html_(self) -> str:
        if not self.versions:
            return paragraph("no version yet", dim=True)
        return table(("", "version", "when", "by", "why"), self._rows, numbers=(1,))
