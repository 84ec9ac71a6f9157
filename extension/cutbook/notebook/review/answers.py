"""What a view asks the kernel, and the answers: words, levels, pictures, pieces of video, comparisons."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from cutbook.edit.diff import diff
from cutbook.errors import InputError, UnknownTake
from cutbook.notebook.review import board as boards
from cutbook.notebook.review.clips import middle, seen
from cutbook.notebook.review.deeds import deed
from cutbook.timebase import decimals

if TYPE_CHECKING:
    from cutbook.edit.diff import Row
    from cutbook.edit.take import Take
    from cutbook.notebook.review.exchange import Exchange
    from cutbook.timebase import Span

    Ask = Mapping[str, Any]
    Answer = tuple[dict[str, Any], Sequence[bytes]]

PEAKS = 100
"""Levels a second that a view draws."""

_TALLEST, _MOST_COLUMNS = 720, 120
_QUALITY = 72
_DEEDS = 100
"""Versions, the newest, of which it is said what made them."""


@dataclass(frozen=True, slots=True)
class Question:
    """How a question is answered, in which lane, and whether the same is also told unasked."""

    answer: Callable[[Exchange, Ask], Answer]
    lane: str
    told: bool = False


def _words(exchange: Exchange, ask: Ask) -> Answer:
    return {"words": boards.words(_take(exchange, ask))}, ()


def _peaks(exchange: Exchange, ask: Ask) -> Answer:
    take = _take(exchange, ask)
    return {"take": take.name}, (peaks(take),)


def peaks(take: Take) -> bytes:
    """Give a byte of level for each hundredth of a second of take time; 255 is full scale, and it is linear in RMS."""
    import numpy as np

    envelope = take.envelope
    if envelope is None:
        return b""
    each = max(1, round(1 / (PEAKS * envelope.step)))
    count = -(-len(envelope.levels) // each)
    padded = np.zeros(count * each, dtype=np.float32)
    padded[: len(envelope.levels)] = envelope.levels
    loudest = padded.reshape(count, each).max(axis=1)
    found: bytes = np.clip(np.rint(loudest * 255), 0, 255).astype(np.uint8).tobytes()
    return found


def _sprite(exchange: Exchange, ask: Ask) -> Answer:
    import numpy as np
    from PIL import Image

    from cutbook.media.frames import filmstrip

    take = _take(exchange, ask)
    columns, height = _whole(ask, "columns", 1, _MOST_COLUMNS), _whole(ask, "height", 8, _TALLEST)
    first, end = _frames(ask, take)
    media, key = seen(exchange.project, take)
    times = [(first + Fraction((2 * n + 1) * (end - first), 2 * columns)) / take.rate for n in range(columns)]
    images = filmstrip(
        media,
        times,
        height=height,
        cache=exchange.project.folders.cache,
        key=key,
        exact=media is not take.media,
    )
    buffer = io.BytesIO()
    Image.fromarray(np.concatenate(images, axis=1)).save(buffer, "JPEG", quality=_QUALITY)
    told = {"take": take.name, "frames": [first, end], "columns": columns}
    return told | {"width": images[0].shape[1], "height": height}, (buffer.getvalue(),)


def _poster(exchange: Exchange, ask: Ask) -> Answer:
    from cutbook.media.frames import poster

    take = _take(exchange, ask)
    frame, height = _whole(ask, "frame", 0, 10**9), _whole(ask, "height", 8, _TALLEST)
    media, key = seen(exchange.project, take)
    frame = min(frame, max(0, take.media.frames - 1))
    data = poster(media, middle(frame, take), height=height, cache=exchange.project.folders.cache, key=key)
    return {"take": take.name, "frame": frame}, (data,)


def _clip(exchange: Exchange, ask: Ask) -> Answer:
    take = _take(exchange, ask)
    asked = exchange.uses(take.name)
    first = ask.get("first") is True
    return {"clip": exchange.room.clips.clip(exchange.project, take, make=asked, first=first)}, ()


def _piece(exchange: Exchange, ask: Ask) -> Answer:
    take = _take(exchange, ask)
    number = None if ask.get("part") is None else _whole(ask, "part", 0, 10**6)
    start, end = _whole(ask, "start", 0, 2**53), _whole(ask, "end", 0, 2**53)
    size, data = exchange.room.clips.piece(exchange.project, take, number, start, end)
    return {"size": size}, (data,)


def _others(exchange: Exchange, ask: Ask) -> Answer:
    found = [
        {
            "take": each.take,
            "words": list(each.words),
            "frames": list(each.frames),
            "quote": each.quote,
            "likeness": float(each.likeness),
            "used": each.used or "",
        }
        for each in exchange.project.others(_text(ask, "range"))
    ]
    exchange.mention(str(each["take"]) for each in found)
    return {"others": found}, ()


def _versions(exchange: Exchange, _ask: Ask) -> Answer:
    project = exchange.project
    found = [each for each in project.history().versions if each.valid]
    rows = [
        {
            "number": each.number,
            "by": each.by,
            "what": deed(project.edit, each.number) if place >= len(found) - _DEEDS else "",
            "why": each.why,
            "when": each.when,
            "current": each.current,
        }
        for place, each in enumerate(found)
    ]
    return {"versions": rows}, ()


def _compare(exchange: Exchange, ask: Ask) -> Answer:
    project, number = exchange.project, _whole(ask, "version", 1, 10**9)
    found = diff(project.version(number), exchange.edl, project.takes)
    return {"text": found.text(), "rows": [_row(row) for row in found.rows if row.kind in _KINDS]}, ()


_KINDS = frozenset({"kept", "added", "dropped", "moved", "trimmed", "decided"})


def _row(row: Row) -> dict[str, object]:
    was, now = _spans(row.before), _spans(row.after)
    if row.kind == "moved":
        was, now = (f"place {place}" for place in row.positions)
    elif row.kind == "decided":
        was, now = "", row.note
    else:
        was = " ".join([was, *(f"“{text}”" for text in row.lost)]).strip()
        now = " ".join([now, *(f"“{text}”" for text in row.gained)]).strip()
    return {"what": row.kind, "range": row.id, "was": was, "now": now}


def _spans(spans: Sequence[Span]) -> str:
    return ", ".join(f"{decimals(span.start)}-{decimals(span.end)}" for span in spans)


def _slips(exchange: Exchange, ask: Ask) -> Answer:
    pauses = ask.get("pauses")
    if isinstance(pauses, bool) or not isinstance(pauses, int | float) or not pauses > 0:
        msg = f"pauses wants seconds above 0, not {pauses!r}"
        raise InputError(msg)
    rows = [
        {"range": each.range, "kind": each.kind, "frames": list(each.frames), "text": each.text}
        for each in exchange.project.slips(pauses)
    ]
    return {"slips": rows}, ()


QUESTIONS: Mapping[str, Question] = {
    "words": Question(_words, "words"),
    "others": Question(_others, "words"),
    "versions": Question(_versions, "words"),
    "compare": Question(_compare, "words"),
    "slips": Question(_slips, "words"),
    "clip": Question(_clip, "words", told=True),
    "piece": Question(_piece, "video"),
    "poster": Question(_poster, "pictures"),
    "sprite": Question(_sprite, "strips"),
    "peaks": Question(_peaks, "levels"),
}
"""The questions by their names."""


def _take(exchange: Exchange, ask: Ask) -> Take:
    name = _text(ask, "take")
    found = exchange.project.takes.get(name)
    if found is None:
        msg = f"there is no take {name!r} any more; put its file back, or run %review again"
        raise UnknownTake(msg)
    return found


def _text(ask: Ask, name: str) -> str:
    found = ask.get(name)
    if not isinstance(found, str):
        msg = f"{name} wants a text, not {found!r}"
        raise InputError(msg)
    return found


def _whole(ask: Ask, name: str, low: int, high: int) -> int:
    found = ask.get(name)
    if isinstance(found, bool) or not isinstance(found, int | float) or not low <= found <= high:
        msg = f"{name} wants a whole number from {low} to {high}, not {found!r}"
        raise InputError(msg)
    return int(found)


def _frames(ask: Ask, take: Take) -> tuple[int, int]:
    found = ask.get("frames")
    numbers = [each for each in found if isinstance(each, int | float)] if isinstance(found, list) else []
    if len(numbers) != 2 or not numbers[0] < numbers[1]:
        msg = f"frames wants the first and the one behind the last, not {found!r}"
        raise InputError(msg)
    first = min(max(0, int(numbers[0])), max(0, take.media.frames - 1))
    return first, max(first + 1, min(int(numbers[1]), take.media.frames))
