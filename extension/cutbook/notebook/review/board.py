"""The cut list as a view draws it: plain data, with times as frames of a take's grid and words in columns.

The keys are those of ``extension/review/src/types.ts``; whatever is large travels as columns or not at all.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from cutbook.edit import told
from cutbook.edit.ranges import joined
from cutbook.edit.retakes import ends_sentence
from cutbook.errors import CutbookError
from cutbook.transcripts.model import FILLERS, bare
from cutbook.transcripts.pack import shown, speaker_label

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from fractions import Fraction

    from cutbook.edit.edl import Edl, Range
    from cutbook.edit.take import Take
    from cutbook.transcripts.model import Word

Document = dict[str, Any]
"""JSON, ready to be sent."""

WANTED = "wanted_duration_s"
"""The key of ``edl.json`` that says how long the film is to be."""

PARAGRAPH = 90
"""Words from which a paragraph ends with a sentence, so that it fits a screen and is painted as one."""

PAUSE = 500
"""Milliseconds of silence that may end a paragraph."""

_SHORTEST, _LONGEST = 30, 160
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
        "film": "; ".join([", ".join(told.film(edl)), *edl.problems]).strip("; "),
    }


def words(take: Take) -> Document:
    """Write a take's words in columns: numbers, texts, milliseconds, kinds, and where paragraphs begin."""
    found = _columns.get(take)
    if found is None:
        found = _columns[take] = _words(take)
    return found


def offered(take: Take) -> bool:
    """Tell whether a take can be offered beside those of the film: it has words, and they and its file can be read."""
    try:
        return bool(take.words and stamp(take))
    except (CutbookError, OSError):
        return False


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
    starts = [_milliseconds(word.start) for word in said]
    ends = [_milliseconds(word.end) for word in said]
    paragraphs = _paragraphs(said, starts, ends)
    return {
        "take": take.name,
        "number": [word.number for word in said],
        "text": texts,
        "start": starts,
        "end": ends,
        "kind": [2 if word.kind != "word" else int(_filler(word.text)) for word in said],
        "joined": [int(place > 0 and _joins(texts[place - 1], text)) for place, text in enumerate(texts)],
        "paragraphs": list(paragraphs),
        "speakers": list(paragraphs.values()),
    }


def _paragraphs(said: Sequence[Word], starts: Sequence[int], ends: Sequence[int]) -> dict[int, str]:
    """Part words where the speaker changes, at a pause after a few lines, at the end of a sentence after more.

    Gives the speaker of each paragraph by its first place.
    """
    found: dict[int, str] = {}
    speaker: str | None = None
    begun = heard = 0
    for place, word in enumerate(said):
        changes = word.speaker is not None and word.speaker != speaker
        length = place - begun
        paused = starts[place] - heard >= PAUSE
        ended = length >= PARAGRAPH and ends_sentence(said[place - 1].text)
        if not found or changes or (length >= _SHORTEST and paused) or ended or length >= _LONGEST:
            speaker = word.speaker if word.speaker is not None else speaker
            found[place] = speaker_label(speaker)
            begun = place
        heard = max(heard, ends[place])
    return found


def _milliseconds(time: Fraction) -> int:
    return (2000 * time.numerator + time.denominator) // (2 * time.denominator)


@lru_cache(maxsize=20_000)
def _filler(text: str) -> bool:
    return bare(text) in FILLERS


def _joins(before: str, text: str) -> bool:
    """Tell whether two words are written together: as Chinese, Japanese and Thai are, and before a stop."""
    if not before or not text:
        return False
    return _spaceless(before[-1], text[0]) or (text[0] in _CLOSING and not bare(text))


@lru_cache(maxsize=20_000)
def _spaceless(last: str, first: str) -> bool:
    return " " not in joined((last, first))
