"""The film transcribed back, against the words that the edit keeps."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from fractions import Fraction
from pathlib import Path

from cutbook.edit.take import Take
from cutbook.errors import EngineMissing, EngineRefused
from cutbook.files import write_atomic
from cutbook.media.probe import probe
from cutbook.render import spoken
from cutbook.render.assemble import print_of_sound
from cutbook.render.cache import Cache, key
from cutbook.render.findings import Finding
from cutbook.render.plan import Plan
from cutbook.timebase import SAMPLE_RATE
from cutbook.transcripts.engine import Engine
from cutbook.transcripts.model import FILLERS, bare, read_scribe

MOST_LISTED = 30
"""Differences that are listed; of more, only how many there are is said."""

_ALIKE = 70
"""Likeness (0 to 100) from which other letters are taken for the same word, heard otherwise."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """One word and the film's second that it begins at."""

    text: str
    start: Fraction


def kept(plan: Plan, takes: Mapping[str, Take]) -> tuple[Spoken, ...]:
    """Give the words whose middle is heard in the film, on its clock, without fillers."""
    found: list[Spoken] = []
    said = {name: _said(takes[name]) for name in dict.fromkeys(piece.source for piece in plan.pieces)}
    for piece in plan.pieces:
        end = piece.start + Fraction(piece.samples, SAMPLE_RATE)
        for word in said[piece.source].between(piece.start, end):
            if piece.start <= (word.start + word.end) / 2 < end and not word.filler:
                at = Fraction(piece.first, SAMPLE_RATE) + max(Fraction(0), word.start - piece.start)
                found.append(Spoken(word.text, at))
    return tuple(found)


def _said(take: Take) -> spoken.Spoken:
    return spoken.Spoken(take.transcript.said() if take.transcript else ())


def heard(
    file: Path,
    engine: Engine,
    *,
    cache: Cache,
    language: str | None = None,
    progress: Callable[[Fraction], None] | None = None,
    cancel: threading.Event | None = None,
) -> tuple[Spoken, ...]:
    """Give the words that an engine hears in a film; the same sound is listened to once.

    Raises:
        EngineMissing, EngineRefused, TranscriptError: the engine cannot listen.
    """
    engine.prepare()
    options = sorted(engine.options(language=language, speakers=None).items())
    name = key("words", print_of_sound(file), engine.name, engine.model_name, engine.recipe, options)
    place = cache.record(name)
    try:
        return tuple(Spoken(text, Fraction(start)) for text, start in json.loads(place.read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        pass
    film = probe(file)

    def tell(seconds: Fraction, _line: str = "", /) -> None:
        if progress is not None:
            progress(seconds)

    answer = engine.transcribe(film, 0, language=language, progress=tell, cancel=cancel)
    said = read_scribe(json.loads(answer.raw), duration=film.duration).said()
    found = tuple(Spoken(word.text, word.start) for word in said if not word.filler)
    write_atomic(place, json.dumps([(word.text, str(word.start)) for word in found]))
    return found


def compared(expected: Sequence[Spoken], found: Sequence[Spoken]) -> Iterator[Finding]:
    """List what differs between the words kept and the words heard, with times.

    A recogniser mishears now and then: a single word is told as measured, more in a row as something to look at.
    """
    wanted, there = ([bare(word.text) for word in words] for words in (expected, found))
    same = 0
    listed: list[Finding] = []
    for tag, a, b, c, d in SequenceMatcher(None, wanted, there, autojunk=False).get_opcodes():
        if tag == "equal" or _alike("".join(wanted[a:b]), "".join(there[c:d])):
            same += b - a
            continue
        left, right = (" ".join(word.text for word in words) for words in (expected[a:b], found[c:d]))
        what = f"“{left}” is kept, “{right}” is heard" if left and right else ""
        what = what or (f"“{left}” is kept and not heard" if left else f"“{right}” is heard and not kept")
        first = expected[a].start if a < b else found[c].start
        many = max(b - a, d - c) > 1
        do = "listen to it, and move the cut if it is so" if many else ""
        listed.append(
            Finding(kind="warning" if many else "measured", what=f"words: {what}", time=first, do=do)
        )
    whole = f"words: {same} of {len(expected)} kept are heard in the film"
    yield Finding(kind="measured" if listed else "passed", what=whole)
    yield from listed[:MOST_LISTED]
    if len(listed) > MOST_LISTED:
        yield Finding(kind="measured", what=f"words: {len(listed) - MOST_LISTED} more places differ")


def proved(
    file: Path,
    plan: Plan,
    takes: Mapping[str, Take],
    *,
    engine: Engine,
    cache: Cache,
    progress: Callable[[Fraction], None] | None = None,
    cancel: threading.Event | None = None,
) -> Iterator[Finding]:
    """Transcribe a film back and compare.

    Raises:
        TranscriptError: the engine failed while it listened.
    """
    expected = kept(plan, takes)
    if not expected:
        yield Finding(kind="skipped", what="words: the edit keeps none that are known; run %transcribe")
        return
    languages = {take.transcript.language for take in takes.values() if take.transcript}
    language = languages.pop() if len(languages) == 1 else None
    try:
        found = heard(file, engine, cache=cache, language=language, progress=progress, cancel=cancel)
    except (EngineMissing, EngineRefused) as error:
        yield Finding(kind="skipped", what=f"words: {error}")
        return
    yield from compared(expected, [word for word in found if bare(word.text) not in FILLERS])


def _alike(one: str, two: str) -> bool:
    from rapidfuzz import fuzz

    return bool(one and two) and fuzz.ratio(one, two) >= _ALIKE
