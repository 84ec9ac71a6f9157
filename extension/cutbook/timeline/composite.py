"""The composite picture of a take, of the whole edit, or of a rendered file."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from cutbook.edit.edl import Edl, Range
from cutbook.edit.take import Take
from cutbook.errors import InputError, TimeError
from cutbook.files import write_atomic
from cutbook.timebase import Span, Time, decimals, seconds
from cutbook.timeline.programme import Piece, edit_scene, programme, told
from cutbook.timeline.scene import Scene
from cutbook.transcripts.model import Word

RECIPE = 4
"""Raised whenever the same input is drawn differently."""

MOST = 60
"""Most pictures of a filmstrip."""


@dataclass(frozen=True, slots=True)
class Composite:
    """A drawn composite: the PNG at ``path``, its size in pixels and its bytes."""

    path: Path
    width: int
    height: int
    png: bytes


def compose(
    take: Take,
    start: Time,
    end: Time,
    *,
    frames: int = 10,
    cuts: Sequence[Range] = (),
    output: Path | None = None,
    cache: Path,
) -> Composite:
    """Draw pictures, sound and words of a take from ``start`` to ``end`` (seconds of take time), with its ranges.

    ``cuts`` may hold ranges of other takes: they are passed over. The PNG goes to ``output``, or stays in ``cache``.

    Raises:
        TimeError: the end is not after the start, or either lies outside the take.
        InputError: ``frames`` is no whole number from 1 to 60.
    """
    from cutbook.timeline.gather import take_scene

    view = viewed(start, end, take.duration, take.name, take.rate)
    own = tuple(each for each in cuts if each.source == take.name)
    count = counted(frames)
    key = ["take", take.name, take.fingerprint.short, view, count, own, heard(take.words), *_voices(take)]
    return _drawn(key, lambda: take_scene(take, view, frames=count, cuts=own, cache=cache), output, cache)


def compose_edit(
    edl: Edl,
    takes: Mapping[str, Take],
    *,
    frames: int = 10,
    output: Path | None = None,
    cache: Path,
) -> Composite:
    """Draw the whole edit on the clock of its film: ranges with their beats, pictures, sound and words.

    Raises:
        TimeError: the edit keeps nothing.
        UnknownTake: a range is of a take that is not there.
        InputError: ``frames`` is no whole number from 1 to 60.
    """
    count = counted(frames)
    pieces = programme(edl, takes)
    key = ["edit", count, *_shown(edl, pieces)]
    return _drawn(key, lambda: edit_scene(pieces, edl, frames=count, cache=cache), output, cache)


def compose_file(
    path: Path,
    start: Time | None = None,
    end: Time | None = None,
    *,
    frames: int = 10,
    edl: Edl | None = None,
    takes: Mapping[str, Take] | None = None,
    output: Path | None = None,
    cache: Path,
) -> Composite:
    """Draw pictures and sound of any video from ``start`` to ``end`` (seconds; the whole file without them).

    Where ``edl`` is what the file was rendered from, its ranges and the words that its ``takes`` say in them are drawn.

    Raises:
        UnreadableMedia: the file is missing or no media.
        TimeError: the end is not after the start, or either lies outside the file.
        InputError: ``frames`` is no whole number from 1 to 60.
    """
    from cutbook.media.probe import probe
    from cutbook.timeline.gather import file_scene

    media = probe(path)
    view = viewed(
        0 if start is None else start,
        media.duration if end is None else end,
        media.duration,
        path.name,
        media.rate,
    )
    count = counted(frames)
    state = path.stat()
    which = (os.fsencode(path.resolve()), state.st_size, state.st_mtime_ns)
    content = hashlib.sha256(repr(which).encode()).hexdigest()[:32]
    pieces = programme(replace(edl, rate=media.rate), takes) if edl is not None and takes is not None else ()
    key = ["file", path.name, content, view, count, *_shown(edl, pieces)]

    def scene() -> Scene:
        plain = file_scene(media, content, view, frames=count, cache=cache)
        return plain if edl is None else told(plain, pieces, edl)

    return _drawn(key, scene, output, cache)


def viewed(start: Time, end: Time, duration: Fraction, name: str, rate: Fraction) -> Span:
    """Give the stretch to show; an end that is past the last frame by less than a frame is the end of the take.

    Raises:
        TimeError: the end is not after the start, or either lies outside the take.
    """
    first, last = seconds(start), seconds(end)
    length = f"{name} is {decimals(duration)} s long"
    if last <= first:
        msg = f"a range must end after it starts, not {decimals(first)}-{decimals(last)}; {length}"
        raise TimeError(msg)
    if first < 0 or first >= duration or last > duration + max(1 / rate, Fraction(1, 50)):
        msg = f"{decimals(first)}-{decimals(last)} lies outside the take: {length}"
        raise TimeError(msg)
    return Span(first, min(last, duration))


def counted(frames: object) -> int:
    """Give a number of pictures.

    Raises:
        InputError: it is no whole number from 1 to 60.
    """
    if isinstance(frames, bool) or not isinstance(frames, int) or not 1 <= frames <= MOST:
        msg = f"{frames!r} pictures cannot be shown; ask for 1 to {MOST}"
        raise InputError(msg)
    return frames


def heard(words: Sequence[Word]) -> str:
    """Give a digest of all that is shown of words."""
    lines = (
        f"{word.start} {word.end} {word.speaker} {word.kind} {word.timing} {word.text}" for word in words
    )
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def _shown(edl: Edl | None, pieces: Sequence[Piece]) -> list[object]:
    """Give all that is shown of an edit: what its picture is known by in the cache."""
    if edl is None:
        return []
    return [
        [each.status for each in edl.ranges],
        [
            (
                each.range,
                each.span,
                each.sound,
                each.take.fingerprint.short,
                heard(each.words),
                *_voices(each.take),
            )
            for each in pieces
        ],
    ]


def _voices(take: Take) -> tuple[object, ...]:
    transcript = take.transcript
    return (transcript.language, transcript.speakers(), transcript.track) if transcript else ()


def _drawn(key: Sequence[object], scene: Callable[[], Scene], output: Path | None, cache: Path) -> Composite:
    kept = cache / "composites" / f"{_digest(key)}.png"
    png = None
    with suppress(OSError):
        png = kept.read_bytes()
    if png is None or not png.endswith(b"IEND\xaeB`\x82"):
        from cutbook.timeline.panel import draw

        png = draw(scene()).png()
        with suppress(OSError):  # a cache that cannot be written costs time only
            write_atomic(kept, png)
    if output is not None:
        write_atomic(output, png)
    width, height = (int.from_bytes(png[at : at + 4], "big") for at in (16, 20))
    return Composite(output if output is not None else kept, width, height, png)


def _digest(key: Sequence[object]) -> str:
    from cutbook.timeline.lettering import installed

    text = json.dumps([RECIPE, installed(), *key], default=repr, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:40]
