"""Words and when they are said, normalised from the shape of ElevenLabs Scribe."""

from __future__ import annotations

import math
import unicodedata
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from itertools import groupby

from cutbook.errors import TranscriptDamaged
from cutbook.transcripts.shift import on_take_time

STUCK_RUN = 4
"""So many words on one start time are a run whose times say nothing."""

_CONTRADICTS = Fraction(1, 20)

STRETCHED_OVER = Fraction(3)
"""Seconds; no single word is spoken for longer, so its end (or start) reaches over a pause."""

FILLERS = frozenset("um umm uh uhm uhh erm er err hm hmm mm mhm äh ähm öhm".split())
"""Bare words that carry no meaning of their own and may be tightened away."""


class Timing(StrEnum):
    """How far a token's times can be trusted; only ``TIMED`` words are cut points."""

    TIMED = "timed"
    STUCK = "stuck"
    STRETCHED = "stretched"
    UNTIMED = "untimed"


@dataclass(frozen=True, slots=True)
class Word:
    """One spoken word or audio event.

    ``number`` counts the take's tokens from 1 (the n of ``TAKE#n``), ``start`` and ``end`` are seconds of take time,
    ``kind`` is ``word`` or ``event``. ``aligned`` tells that the times come from forced alignment, None where the
    engine does not say. ``heard`` is the text before it was corrected, None where it was not.
    """

    number: int
    text: str
    start: Fraction
    end: Fraction
    kind: str = "word"
    speaker: str | None = None
    timing: Timing = Timing.TIMED
    logprob: float | None = None
    aligned: bool | None = None
    heard: str | None = field(default=None, compare=False)

    @property
    def bare(self) -> str:
        """The word casefolded, without punctuation at its ends: what comparing and hashing use."""
        return bare(self.text)

    @property
    def filler(self) -> bool:
        """Tell whether the word is an um, uh or the like."""
        return self.kind == "word" and self.bare in FILLERS


@dataclass(frozen=True, slots=True)
class Transcript:
    """The words of one take, in the order of the answer; numbers run from 1 without a gap, times are monotone."""

    words: tuple[Word, ...]
    language: str | None
    engine: str
    model: str
    track: int = 0

    def said(self) -> tuple[Word, ...]:
        """Give the spoken words alone, without events."""
        return tuple(word for word in self.words if word.kind == "word")

    def speakers(self) -> tuple[str, ...]:
        """Give the speakers in the order in which they first speak."""
        return tuple(dict.fromkeys(word.speaker for word in self.words if word.speaker is not None))


def bare(text: str) -> str:
    """Casefold a word and take punctuation, symbols and spaces off its ends (``"Um,"`` → ``um``; ``43,000`` stays)."""
    folded = unicodedata.normalize("NFC", text).casefold()
    start, end = 0, len(folded)
    while start < end and unicodedata.category(folded[start])[0] in "PSZC":
        start += 1
    while end > start and unicodedata.category(folded[end - 1])[0] in "PSZC":
        end -= 1
    return folded[start:end]


_Time = int | Fraction
"""Microseconds while a transcript is read: whole numbers, which compare quickly, but for a take's end that is none."""

_SECOND = 1_000_000


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    start: _Time | None
    end: _Time | None
    kind: str
    speaker: str | None
    logprob: float | None


def read_scribe(
    payload: Mapping[str, object], *, duration: Fraction | None, meta: Mapping[str, object] | None = None
) -> Transcript:
    """Normalise an answer in Scribe's shape.

    The answer's order stays, whatever its times say. Starts lie in [0, ``duration``] and never run backwards, words do
    not overlap, and nothing that was said is dropped: only spacing tokens are. A word without a time, or one that
    contradicts the others by more than 50 ms, is ``UNTIMED`` and stands where its neighbours leave it.
    ``meta`` names ``engine``, ``model`` and ``track`` and may hold ``aligned``, one truth value a spoken word. Its
    ``shift`` says how far words move that were heard in another file of the same sound; what the take does not hold of
    that sound is left out.

    Raises:
        TranscriptDamaged: the answer holds neither ``words`` nor ``transcripts``, or a token is no object.
    """
    payload, about = on_take_time(payload, meta or {}, duration)
    tokens = _tokens(payload)
    until = _time(payload.get("audio_duration_secs")) if duration is None else _whole(duration * _SECOND)
    starts, timings = _starts(tokens, until)
    ends = _ends(tokens, starts, timings, until)
    aligned = about.get("aligned")
    flags = iter(aligned if isinstance(aligned, Sequence) and not isinstance(aligned, str) else ())
    silent = all(not token.logprob for token in tokens)
    words = tuple(
        Word(
            number=number,
            text=token.text,
            start=Fraction(starts[number - 1], _SECOND),
            end=Fraction(ends[number - 1], _SECOND),
            kind=token.kind,
            speaker=token.speaker,
            timing=timings[number - 1],
            logprob=None if silent else token.logprob,
            aligned=_flag(next(flags, None)) if token.kind == "word" else None,
        )
        for number, token in enumerate(tokens, start=1)
    )
    language = payload.get("language_code") or next(
        (part.get("language_code") for part in _channels(payload) if part.get("language_code")), None
    )
    track = about.get("track", 0)
    return Transcript(
        words=words,
        language=str(language) if language else None,
        engine=str(about.get("engine", "scribe")),
        model=str(about.get("model", "unknown")),
        track=track if isinstance(track, int) else 0,
    )


def _channels(payload: Mapping[str, object]) -> tuple[Mapping[str, object], ...]:
    parts = payload.get("transcripts")
    if isinstance(parts, Sequence) and not isinstance(parts, str):
        return tuple(part for part in parts if isinstance(part, Mapping))
    return (payload,)


def _tokens(payload: Mapping[str, object]) -> tuple[_Token, ...]:
    channels = _channels(payload)
    if not channels or not any(isinstance(part.get("words"), list) for part in channels):
        msg = "the answer holds no words list; it is no transcript in Scribe's shape"
        raise TranscriptDamaged(msg)
    read = [
        [
            token
            for raw in _listed(part.get("words"))
            if (token := _token(raw, _channel_speaker(part, len(channels))))
        ]
        for part in channels
    ]
    if len(read) == 1:
        return tuple(read[0])
    placed: list[tuple[_Time, int, int, _Token]] = []
    for channel, tokens in enumerate(read):
        last: _Time = 0
        for place, token in enumerate(tokens):
            last = max(last, token.start if token.start is not None else last)
            placed.append((last, channel, place, token))
    return tuple(entry[3] for entry in sorted(placed, key=lambda entry: entry[:3]))


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _channel_speaker(part: Mapping[str, object], channels: int) -> str | None:
    return f"speaker_{part.get('channel_index', 0)}" if channels > 1 else None


def _token(raw: object, channel_speaker: str | None) -> _Token | None:
    if not isinstance(raw, Mapping):
        msg = f"the answer holds {raw!r:.40} where a word should be"
        raise TranscriptDamaged(msg)
    text = raw.get("text")
    text = text.strip() if isinstance(text, str) else ""
    if not text:
        return None
    start, end = _time(raw.get("start")), _time(raw.get("end"))
    logprob = raw.get("logprob")
    speaker = channel_speaker or raw.get("speaker_id")
    return _Token(
        text=text,
        start=start if start is not None else end,
        end=end if end is not None else start,
        kind="event" if raw.get("type") == "audio_event" else "word",
        speaker=None if speaker is None else str(speaker),
        logprob=float(logprob) if isinstance(logprob, int | float) and math.isfinite(logprob) else None,
    )


def _time(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return round(value * _SECOND)


def _whole(time: Fraction) -> _Time:
    return time.numerator if time.denominator == 1 else time


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _starts(tokens: Sequence[_Token], duration: _Time | None) -> tuple[list[_Time], list[Timing]]:
    """Give starts that never run backwards, and how far each is to be trusted."""
    wanted = [None if token.start is None else _clamp(token.start, duration) for token in tokens]
    trusted = _longest_run([(place, time) for place, time in enumerate(wanted) if time is not None])
    starts: list[_Time] = []
    timings: list[Timing] = []
    coming = _next_trusted(wanted, trusted)
    last: _Time = 0
    free: _Time = 0
    contradicts, stretched = _whole(_CONTRADICTS * _SECOND), _whole(STRETCHED_OVER * _SECOND)
    for place, (token, time) in enumerate(zip(tokens, wanted, strict=True)):
        latest = coming[place]
        start = _between(last, free if time is None else time, latest)
        if time is None or not time - contradicts <= start <= time + contradicts:
            timing = Timing.UNTIMED
            start = _between(last, free, latest)
        elif token.kind == "word" and (token.end or time) - (token.start or time) > stretched:
            timing = Timing.STRETCHED
        else:
            timing = Timing.TIMED
        if timing is not Timing.UNTIMED and token.kind == "word":
            free = max(start, _clamp(token.end or start, duration))
        starts.append(start)
        timings.append(timing)
        last = start
    said = [place for place, token in enumerate(tokens) if token.kind == "word" and wanted[place] is not None]
    for _, group in groupby(said, key=lambda place: starts[place]):
        run = list(group)
        if len(run) >= STUCK_RUN:
            for place in run:
                timings[place] = Timing.STUCK
    return starts, timings


def _between(earliest: _Time, time: _Time, latest: _Time | None) -> _Time:
    return max(earliest, time if latest is None else min(time, latest))


def _clamp(time: _Time, duration: _Time | None) -> _Time:
    return max(0, time if duration is None else min(time, duration))


def _longest_run(times: Sequence[tuple[int, _Time]]) -> frozenset[int]:
    """Give the places of the longest run of times that never goes back, so that one outlier moves nothing else."""
    tails: list[_Time] = []
    tops: list[int] = []
    before: dict[int, int | None] = {}
    for place, time in times:
        at = bisect_right(tails, time)
        before[place] = tops[at - 1] if at else None
        tails[at : at + 1] = [time]
        tops[at : at + 1] = [place]
    found: set[int] = set()
    step = tops[-1] if tops else None
    while step is not None:
        found.add(step)
        step = before[step]
    return frozenset(found)


def _next_trusted(wanted: Sequence[_Time | None], trusted: frozenset[int]) -> list[_Time | None]:
    coming: list[_Time | None] = []
    latest: _Time | None = None
    for place in reversed(range(len(wanted))):
        if place in trusted:
            latest = wanted[place]
        coming.append(latest)
    return coming[::-1]


def _ends(
    tokens: Sequence[_Token], starts: list[_Time], timings: Sequence[Timing], duration: _Time | None
) -> list[_Time]:
    """Give ends that reach into no later word; an event gives way to words and is moved behind the one before it."""
    ends: list[_Time] = []
    following: _Time | None = None
    for place in reversed(range(len(tokens))):
        token = tokens[place]
        trusted = timings[place] is not Timing.UNTIMED and token.end is not None
        end = _clamp(token.end, duration) if trusted and token.end is not None else starts[place]
        end = end if following is None else min(end, following)
        ends.append(max(end, starts[place]))
        if token.kind == "word":
            following = starts[place]
    ends.reverse()
    last: _Time = 0
    for place, token in enumerate(tokens):
        if token.kind == "event":
            starts[place] = max(starts[place], last)
            ends[place] = max(ends[place], starts[place])
        last = max(last, ends[place] if token.kind == "word" else starts[place])
    return ends
