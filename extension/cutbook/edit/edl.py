"""The cut list: ranges of takes in order, and the file that holds them.

``edl.json`` has video-use's keys and more (version 2). ``start`` and ``end`` are what people and agents write:
where they and ``frames`` are more than half a frame apart, they win and are put on the source's frame grid.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from cutbook.edit import told
from cutbook.files import write_atomic
from cutbook.html import paragraph, plain_table, table
from cutbook.timebase import clock, decimals, rate_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cutbook.edit.take import Take

Status = Literal["undecided", "accepted", "rejected"]
STATUSES: tuple[Status, ...] = ("undecided", "accepted", "rejected")
NAME = "edl.json"

_HEAD = ("", "#", "beat", "take", "range", "seconds", "words", "why")


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """One kept piece of a take.

    ``frames`` is [in, out) on the source's grid of ``rate`` frames a second; ``start`` and ``end`` (seconds) follow.
    ``words`` are the numbers of the first and the last word kept, None for a range without any. ``pads`` are the
    seconds of air kept before the first and after the last word (None: no words), from which the sound's fades come.
    ``audio_lead`` and ``audio_lag`` (seconds) make J and L cuts. ``dissolve`` is how many of the film's frames the
    picture takes to come out of the range before it, half of them before the cut. ``fit`` is ``fit`` or ``fill``
    (None: as the film), ``centre`` the point of the picture, in shares of its sides, that a crop keeps. ``extra`` keeps
    keys that cutbook does not know. ``problem`` says why the take is not the file that was cut: the range then stands
    as it was written, is never saved as anything else, and is not rendered. It is found on reading and not written.
    """

    id: str
    source: str
    frames: tuple[int, int]
    rate: Fraction
    words: tuple[int, int] | None = None
    pads: tuple[Fraction, Fraction] | None = None
    beat: str = ""
    quote: str = ""
    reason: str = ""
    status: Status = "undecided"
    by: str = ""
    grade: str | None = None
    audio_lead: Fraction = Fraction(0)
    audio_lag: Fraction = Fraction(0)
    dissolve: int = 0
    fit: str | None = None
    centre: tuple[Fraction, Fraction] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)
    problem: str = field(default="", compare=False)

    @property
    def start(self) -> Fraction:
        """In point, seconds of take time."""
        return self.frames[0] / self.rate

    @property
    def end(self) -> Fraction:
        """Out point, seconds of take time."""
        return self.frames[1] / self.rate


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlay:
    """A still or moving picture laid over the film; times are seconds of the output.

    ``box`` (left, top, width, height, as shares of the canvas) is where it is shown, None for the whole canvas.
    """

    file: str
    start_in_output: Fraction
    duration: Fraction
    box: tuple[Fraction, Fraction, Fraction, Fraction] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Music:
    """A bed of music under the whole film: ``gain_db`` on the file, and ``duck_db`` less while somebody speaks."""

    file: str
    gain_db: float = -12.0
    duck_db: float = 10.0
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edl:
    """A whole cut list. ``sources`` maps a take's name to its path as written in the file.

    ``fit`` is how pictures of another shape than the film's are shown: ``fit`` (whole) or ``fill`` (cropped).
    ``renamed`` says which takes have another name than the file has for them; found on reading, not written.
    """

    ranges: tuple[Range, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict, hash=False)
    rate: Fraction | None = None
    size: tuple[int, int] | None = None
    grade: str = "none"
    overlays: tuple[Overlay, ...] = ()
    music: Music | None = None
    fit: str = "fit"
    captions: Mapping[str, Any] = field(default_factory=dict, hash=False)
    media: Mapping[str, str] = field(default_factory=dict, hash=False)
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)
    renamed: tuple[str, ...] = field(default=(), compare=False)

    @property
    def kept(self) -> tuple[Range, ...]:
        """The ranges that are rendered: all that are not rejected."""
        return tuple(each for each in self.ranges if each.status != "rejected")

    @property
    def duration(self) -> Fraction:
        """Seconds of the kept ranges together, at their sources' rates."""
        frames: Counter[Fraction] = Counter()
        for each in self.kept:
            frames[each.rate] += each.frames[1] - each.frames[0]
        return sum((count / rate for rate, count in frames.items()), Fraction(0))

    @property
    def sentence(self) -> str:
        """Say how many ranges there are and how long the film is."""
        count = f"{len(self.ranges)} range{'s' if len(self.ranges) != 1 else ''}"
        left = len(self.ranges) - len(self.kept)
        told = "".join(f"; {problem}" for problem in (*self.renamed, *self.problems))
        return f"{count}, {clock(self.duration)}{self._film}" + (f" ({left} rejected)" if left else "") + told

    @property
    def problems(self) -> tuple[str, ...]:
        """Why takes of it are not the files that were cut, each once."""
        return tuple(dict.fromkeys(each.problem for each in self.ranges if each.problem))

    @property
    def _film(self) -> str:
        return "".join(f", {each}" for each in told.film(self))

    @property
    def _tables(self) -> list[tuple[Sequence[str], list[tuple[object, ...]], tuple[int, ...]]]:
        """Give head, rows and columns of numbers of each table: the ranges, and what lies over them."""
        marks = {"accepted": "✓", "rejected": "✗", "undecided": "·"}
        more = [told.how(each) for each in self.ranges]
        rows: list[tuple[object, ...]] = [
            (
                "!" if each.problem else marks[each.status],
                number,
                each.beat,
                each.source,
                f"{decimals(each.start)}-{decimals(each.end)}",
                decimals(each.end - each.start),
                each.quote,
                *((how,) if any(more) else ()),
                told.why(each),
            )
            for number, (each, how) in enumerate(zip(self.ranges, more, strict=True), 1)
        ]
        head = (*_HEAD[:-1], "how", _HEAD[-1]) if any(more) else _HEAD
        return [(head, rows, (1, 5)), *([(told.OVER, told.over(self), (1, 2))] if self.overlays else [])]

    def __repr__(self) -> str:
        """Write the cut list as a table in text."""
        if not self.ranges:
            return f"no range{self._film}"
        tables = [plain_table(head, rows, numbers=numbers) for head, rows, numbers in self._tables]
        return "\n\n".join([f"{self.sentence}\n{tables[0]}", *tables[1:]])

    def _repr_html_(self) -> str:
        tables = [table(head, rows, numbers=numbers) for head, rows, numbers in self._tables]
        return paragraph(self.sentence, bold=True) + "".join(tables)


def settle(edl: Edl, takes: Mapping[str, Take], edit: Path) -> Edl:
    """Give the cut list with the path and the fingerprint of each take that it uses.

    Paths that lead to the take already stay as they are written; others become relative to ``edit``. Of a take that is
    not the file that was cut, both stay; so does the fingerprint under a name that a take had before.
    """
    sources = dict(edl.sources)
    used = dict.fromkeys(each.source for each in edl.ranges)
    held = {each.source for each in edl.ranges if each.problem}
    for name in used:
        if name in held:
            continue
        take = takes[name]
        if name not in sources or not _same_file(edit / sources[name], take.path):
            sources[name] = _relative(take.path, edit)
    media = {name: takes[name].fingerprint.short for name in used if name not in held}
    media |= {name: edl.media[name] for name in used if name in held and name in edl.media}
    contents = set(media.values())
    media |= {name: each for name, each in edl.media.items() if name not in takes and each in contents}
    return replace(edl, sources=sources, media=media)


def overlay_path(overlay: Overlay | Music, edit: Path) -> Path:
    """Give the file of an overlay or the music: relative to ``edit``, to the footage folder if written ``edit/…``."""
    path = edit / overlay.file
    if not path.exists() and Path(overlay.file).parts[:1] == (edit.name,):
        return edit.parent / overlay.file
    return path


def dump(edl: Edl) -> str:
    """Write a cut list as the text of ``edl.json``, version 2: the same text for the same cut list."""
    document: dict[str, Any] = {"version": 2, "sources": dict(edl.sources)}
    document["ranges"] = _PLACE if edl.ranges else []
    if edl.rate is not None:
        document["rate"] = int(edl.rate) if edl.rate.denominator == 1 else rate_text(edl.rate)
    if edl.size is not None:
        document["size"] = list(edl.size)
    document["grade"] = edl.grade
    document["overlays"] = [_overlay(each) for each in edl.overlays]
    if edl.music is not None:
        document["music"] = _music(edl.music)
    if edl.fit != "fit":
        document["fit"] = edl.fit
    if edl.captions:
        document["captions"] = dict(edl.captions)
    document["total_duration_s"] = _number(edl.duration)
    if edl.media:
        document["media"] = dict(edl.media)
    document |= {key: value for key, value in edl.extra.items() if key not in document}
    before, place, after = _written(document).partition(f'"ranges": {json.dumps(_PLACE)}')
    ranges = ",\n".join(_range_text(each) for each in edl.ranges)
    return f'{before}"ranges": [\n{ranges}\n  ]{after}\n' if place else f"{before}\n"


def _written(value: object) -> str:
    return _compact(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False))


_PLACE = "\0"
"""Stands for the ranges while the rest is written; no name of a file or take holds it."""

_MANY = 4096
_texts: dict[int, tuple[Range, str]] = {}
"""The text of ranges written before, by identity: a change leaves all but a few of them as they were."""


def _range_text(piece: Range) -> str:
    kept = _texts.get(id(piece))
    if kept is not None and kept[0] is piece:
        return kept[1]
    text = "\n".join(f"    {line}" for line in _written(_range(piece)).split("\n"))
    if len(_texts) >= _MANY:
        _texts.clear()
    _texts[id(piece)] = piece, text
    return text


def write(data: bytes | str, edit: Path) -> None:
    """Put the text of a checked cut list in place, whole or not at all."""
    write_atomic(edit / NAME, data)


def where(number: int, piece: Range) -> str:
    """Name a range in a message: its number, its id and its take."""
    return f"range {number} ({piece.id}, {_span(piece)})"


def named(piece: Range) -> str:
    """Name a range in a message where its number is not known: its take, its times and its id."""
    return f"range {_span(piece)} ({piece.id})"


def _span(piece: Range) -> str:
    return f"{piece.source} {decimals(piece.start)}-{decimals(piece.end)}"


def _range(piece: Range) -> dict[str, Any]:
    written: dict[str, Any] = {
        "id": piece.id,
        "source": piece.source,
        "start": _number(piece.start),
        "end": _number(piece.end),
        "frames": list(piece.frames),
    }
    if piece.words:
        written["words"] = list(piece.words)
    written |= {"beat": piece.beat, "quote": piece.quote, "reason": piece.reason, "status": piece.status}
    written["by"] = piece.by
    optional = {
        "grade": piece.grade,
        "audio_lead": _number(piece.audio_lead) if piece.audio_lead else None,
        "audio_lag": _number(piece.audio_lag) if piece.audio_lag else None,
        "transition": {"kind": "dissolve", "frames": piece.dissolve} if piece.dissolve else None,
        "fit": piece.fit,
        "centre": [_number(share) for share in piece.centre] if piece.centre else None,
    }
    written |= {key: value for key, value in optional.items() if value is not None}
    return written | {key: value for key, value in piece.extra.items() if key not in written}


def _overlay(overlay: Overlay) -> dict[str, Any]:
    written: dict[str, Any] = {
        "file": overlay.file,
        "start_in_output": _number(overlay.start_in_output),
        "duration": _number(overlay.duration),
    }
    if overlay.box is not None:
        written["box"] = [_number(share) for share in overlay.box]
    return written | {key: value for key, value in overlay.extra.items() if key not in written}


def _music(music: Music) -> dict[str, Any]:
    written: dict[str, Any] = {"file": music.file, "gain_db": music.gain_db, "duck_db": music.duck_db}
    return written | {key: value for key, value in music.extra.items() if key not in written}


def _number(time: Fraction) -> float:
    return float(decimals(time, 6))


_PAIR = re.compile(r"\[\n\s+(-?[\d.]+),\n\s+(-?[\d.]+)\n\s+\]")
_LONE = re.compile(r"[\ud800-\udfff]")


def _compact(text: str) -> str:
    """Put pairs of numbers on one line; write bytes of names that are no text as escapes, so that UTF-8 holds them."""
    return _LONE.sub(lambda hit: f"\\u{ord(hit[0]):04x}", _PAIR.sub(r"[\1, \2]", text))


def _same_file(written: Path, path: Path) -> bool:
    return Path(os.path.normpath(written)) == Path(os.path.normpath(path)) or (
        written.exists() and written.resolve() == path.resolve()
    )


def _relative(path: Path, edit: Path) -> str:
    try:
        return Path(os.path.relpath(path.resolve(), edit.resolve())).as_posix()
    except ValueError:  # another drive
        return path.resolve().as_posix()
