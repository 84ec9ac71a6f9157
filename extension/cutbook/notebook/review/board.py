"""The cut list as a view draws it: plain data, with times as frames of a take's grid and words in columns.

The keys are those of ``extension/review/src/types.ts``; whatever is large travels as columns or not at all.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from cutbook.edit.ranges import joined
from cutbook.timebase import rate_text
from cutbook.transcripts.model import bare
from cutbook.transcripts.pack import phrases, shown, speaker_label

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from fractions import Fraction

    from cutbook.edit.edl import Edl, Range
    from cutbook.edit.take import Take

Document = dict[str, Any]
"""JSON, ready to be sent."""

WANTED = "wanted_duration_s"
"""The key of ``edl.json`` that says how long the film is to be."""

PARAGRAPH = 90
"""Words from which a paragraph ends with a sentence, so that it fits a screen and is painted as one."""

_LONGEST = 160
_ENDS = ".?!…。？！"
_CLOSING = frozenset(",.;:!?…)]}%’”»、。，；：！？）】」』")
_stamps: WeakKeyDictionary[Take, str] = WeakKeyDictionary()
_columns: WeakKeyDictionary[Take, Document] = WeakKeyDictionary()


def board(
    edl: Edl,
    takes: Mapping[str, Take],
    *,
    version: int,
    number: int,
    title: str,
    undo: bool = False,
    redo: bool = False,
    locked: str = "",
    more: Iterable[str] = (),
) -> Document:
    """Write the cut list, with the takes that it uses and those of ``more``."""
    held = {each.source: each for each in edl.ranges if each.problem or each.source not in takes}
    names = dict.fromkeys([*(each.source for each in edl.ranges), *(name for name in more if name in takes)])
    return {
        "version": version,
        "number": number,
        "title": title,
        "wanted": _wanted(edl),
        "locked": locked,
        "takes": {name: _absent(held[name]) if name in held else _take(takes[name]) for name in names},
        "ranges": [_range(each) for each in edl.ranges],
        "undo": undo,
        "redo": redo,
        "film": film(edl),
    }


def film(edl: Edl) -> str:
    """Say what is set of the film as a whole, and what is wrong with it; empty where nothing is."""
    style = str(edl.captions.get("style") or "on") if edl.captions else "none"
    values = [
        f"{rate_text(edl.rate)} fps" if edl.rate is not None else "",
        f"{edl.size[0]}×{edl.size[1]}" if edl.size else "",
        edl.fit if edl.fit != "fit" else "",
        f"grade {edl.grade}" if edl.grade != "none" else "",
        f"captions {style}" if style != "none" else "",
        f"music {edl.music.file}" if edl.music is not None else "",
        f"{len(edl.overlays)} overlay{'s' if len(edl.overlays) != 1 else ''}" if edl.overlays else "",
        *edl.problems,
    ]
    return ", ".join(value for value in values if value)


def words(take: Take) -> Document:
    """Write a take's words in columns: numbers, texts, milliseconds, kinds, and where paragraphs begin."""
    found = _columns.get(take)
    if found is None:
        found = _columns[take] = _words(take)
    return found


def stamp(take: Take) -> str:
    """Give what changes when the take's file or its words do."""
    found = _stamps.get(take)
    if found is None:
        said = "|".join(f"{word.text}\x1f{word.start}\x1f{word.end}" for word in take.words)
        digest = hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:10]
        found = _stamps[take] = f"{take.fingerprint.short}-{digest}"
    return found


def _take(take: Take) -> Document:
    media = take.media
    picture = media.picture
    return {
        "name": take.name,
        "rate": _rate(media.rate),
        "frames": media.frames,
        "picture": picture is not None,
        "sound": bool(media.sound),
        "size": [picture.width, picture.height] if picture else [0, 0],
        "words": len(take.words),
        "stamp": stamp(take),
    }


def _absent(piece: Range) -> Document:
    """Stand in for a take that is not the file that was cut: its ranges keep their grid, and nothing is shown."""
    return {
        "name": piece.source,
        "rate": _rate(piece.rate),
        "frames": piece.frames[1],
        "picture": False,
        "sound": False,
        "size": [0, 0],
        "words": 0,
        "stamp": "",
    }


def _range(piece: Range) -> Document:
    return {
        "id": piece.id,
        "take": piece.source,
        "frames": list(piece.frames),
        "words": list(piece.words) if piece.words else None,
        "beat": piece.beat,
        "quote": piece.quote,
        "reason": piece.reason,
        "why": str(piece.extra.get("why") or ""),
        "status": piece.status,
        "by": piece.by,
        "problem": piece.problem,
        "lead": float(piece.audio_lead),
        "lag": float(piece.audio_lag),
        "dissolve": piece.dissolve,
    }


def _rate(rate: Fraction) -> list[int]:
    return [rate.numerator, rate.denominator]


def _wanted(edl: Edl) -> float | None:
    found = edl.extra.get(WANTED)
    return (
        float(found) if isinstance(found, int | float) and not isinstance(found, bool) and found > 0 else None
    )


def _words(take: Take) -> Document:
    said = take.words
    texts = [shown(word) for word in said]
    starts, speakers = _paragraphs(take)
    return {
        "take": take.name,
        "number": [word.number for word in said],
        "text": texts,
        "start": [_milliseconds(word.start) for word in said],
        "end": [_milliseconds(word.end) for word in said],
        "kind": [2 if word.kind != "word" else 1 if word.filler else 0 for word in said],
        "joined": [int(place > 0 and _joins(texts[place - 1], text)) for place, text in enumerate(texts)],
        "paragraphs": starts,
        "speakers": speakers,
    }


def _paragraphs(take: Take) -> tuple[list[int], list[str]]:
    """Part the words where the speaker changes, at a pause after enough of them, at a sentence end after more."""
    starts: list[int] = []
    speakers: list[str] = []
    if take.transcript is None:
        return starts, speakers
    place, length = 0, _LONGEST
    for phrase in phrases(take.transcript):
        label = speaker_label(phrase.speaker)
        if length >= PARAGRAPH // 3 or label != speakers[-1]:
            starts.append(place)
            speakers.append(label)
            length = 0
        for count, word in enumerate(phrase.words, 1):
            place, length = place + 1, length + 1
            ended = length >= PARAGRAPH and word.text.rstrip("\"'”’)")[-1:] in _ENDS
            if (ended or length >= _LONGEST) and count < len(phrase.words):
                starts.append(place)
                speakers.append(label)
                length = 0
    return starts, speakers


def _milliseconds(time: Fraction) -> int:
    return (2000 * time.numerator + time.denominator) // (2 * time.denominator)


def _joins(before: str, text: str) -> bool:
    """Tell whether two words are written together: as Chinese, Japanese and Thai are, and before a stop."""
    if not before or not text:
        return False
    return _spaceless(before[-1], text[0]) or (text[0] in _CLOSING and not bare(text))


@lru_cache(maxsize=20_000)
def _spaceless(last: str, first: str) -> bool:
    return " " not in joined((last, first))
