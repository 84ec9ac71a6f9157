"""An answer moved in time: the words that were heard in one file, as of another that holds the same sound."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from cutbook.media.packets import SLACK


def shift(meta: Mapping[str, object]) -> Fraction:
    """Give the seconds from raw times to take time, an exact fraction in text in a meta file; 0 where none is told."""
    try:
        return Fraction(str(meta.get("shift", 0)))
    except (ValueError, ZeroDivisionError):
        return Fraction(0)


def on_take_time(
    answer: Mapping[str, object], meta: Mapping[str, object], duration: Fraction | None
) -> tuple[Mapping[str, object], Mapping[str, object]]:
    """Move an answer as its meta says; one that was heard in the file itself stays as it is."""
    return shifted(answer, meta, by=shift(meta), duration=duration) if "shift" in meta else (answer, meta)


def shifted(
    answer: Mapping[str, object], meta: Mapping[str, object], *, by: Fraction, duration: Fraction | None
) -> tuple[Mapping[str, object], Mapping[str, object]]:
    """Move the words of an answer in Scribe's shape by seconds, and leave out those that lie outside the take.

    ``duration`` is the take's, in seconds. Given back are the answer and its meta, whose ``aligned`` flags (one a
    spoken word) stay with their words.
    """
    aligned = meta.get("aligned")
    flags = iter(aligned if isinstance(aligned, list) else ())
    kept: list[object] = []

    def moved(tokens: object) -> object:
        if not isinstance(tokens, list):
            return tokens
        found: list[object] = []
        for token in tokens:
            flag = next(flags, None) if _spoken(token) else None
            new = _moved(token, by)
            if _outside(new, duration):
                continue
            found.append(new)
            if _spoken(token):
                kept.append(flag)
        return found

    new = dict(answer)
    if isinstance(parts := answer.get("transcripts"), list):
        new["transcripts"] = [
            {**part, "words": moved(part.get("words"))} if isinstance(part, Mapping) else part
            for part in parts
        ]
    else:
        new["words"] = moved(answer.get("words"))
    return new, {**meta, "aligned": kept} if isinstance(aligned, list) else meta


def _spoken(token: object) -> bool:
    return (
        isinstance(token, Mapping)
        and token.get("type") != "audio_event"
        and bool(str(token.get("text") or "").strip())
    )


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _moved(token: object, by: Fraction) -> object:
    if not isinstance(token, Mapping):
        return token
    times = {
        name: time + float(by) for name in ("start", "end") if (time := _number(token.get(name))) is not None
    }
    return {**token, **times}


def _outside(token: object, duration: Fraction | None) -> bool:
    if not isinstance(token, Mapping):
        return False
    start, end = _number(token.get("start")), _number(token.get("end"))
    before = end is not None and end <= 0 and (start is None or start < -SLACK)
    return before or (duration is not None and start is not None and start > duration + SLACK)
