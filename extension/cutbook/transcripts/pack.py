"""``takes_packed.md``: every take's words in a few kilobytes, a phrase a line, each line a range that cuts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from natsort import natsorted, ns

from cutbook.scripts import spaceless
from cutbook.timebase import decimals
from cutbook.transcripts.model import Timing, Transcript, Word

SILENCE = Fraction(1, 2)
"""Seconds of silence that part two phrases."""

_HEAD = """\
# Packed transcripts

Phrase-level, grouped on silences ≥ {silence}s or speaker change.
Use `[start-end]` ranges to address cuts in the EDL.
"""


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words between two silences by one speaker; ``start`` and ``end`` are the first's and the last's, in seconds."""

    start: Fraction
    end: Fraction
    speaker: str | None
    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        """The words as they are read: events in parentheses, runs whose times say nothing between ``~``."""
        text = ""
        marked = False
        for place, word in enumerate(self.words):
            unsure = word.timing is not Timing.TIMED
            gap = " " if place and not _joins(self.words[place - 1], word) else ""
            if unsure and not marked:
                text += f"{gap}~"
            elif marked and not unsure:
                text += f"~{gap}"
            else:
                text += gap
            text += shown(word)
            marked = unsure
        return text + ("~" if marked else "")


def shown(word: Word) -> str:
    """Give a word as it is read; an event stands in parentheses, whatever brackets it came in."""
    text = " ".join(word.text.split())
    return f"({text.strip('()[]（）【】 ')})" if word.kind == "event" else text


def _joins(before: Word, word: Word) -> bool:
    """Tell whether two words are written together, as Chinese, Japanese and Thai are."""
    return before.kind == word.kind == "word" and spaceless(before.text[-1:]) and spaceless(word.text[:1])


def phrases(transcript: Transcript, silence: Fraction = SILENCE) -> tuple[Phrase, ...]:
    """Part a take's words where nobody speaks for ``silence`` seconds or longer, and where the speaker changes.

    An event belongs to the phrase that it stands in, and is one of its own where it is alone.
    """
    found: list[Phrase] = []
    run: list[Word] = []
    heard = Fraction(0)
    speaker: str | None = None
    for word in transcript.words:
        changes = word.speaker is not None and speaker is not None and word.speaker != speaker
        if run and (changes or (word.start > heard and word.start - heard >= silence)):
            found.append(_phrase(run))
            run, speaker = [], None
        run.append(word)
        speaker = word.speaker or speaker
        if len(run) == 1 or word.end > heard:
            heard = word.end
    if run:
        found.append(_phrase(run))
    return tuple(found)


def _phrase(run: Sequence[Word]) -> Phrase:
    speaker = next((word.speaker for word in run if word.speaker is not None), None)
    return Phrase(run[0].start, max(word.end for word in run), speaker, tuple(run))


def speaker_label(speaker: str | None) -> str:
    """Give ``S0`` for Scribe's ``speaker_0``, and a name as it is."""
    if speaker is None:
        return ""
    number = speaker.removeprefix("speaker_")
    return f"S{number}" if number != speaker and number.isdigit() else speaker


def span_text(start: Fraction, end: Fraction) -> str:
    """Write a range as the packed text does: ``[002.52-005.36]``, wider past 999.99 s."""
    return f"[{decimals(start).rjust(6, '0')}-{decimals(end).rjust(6, '0')}]"


def pack(takes: Mapping[str, tuple[Transcript | None, Fraction]], *, silence: Fraction = SILENCE) -> str:
    """Write every take's words; ``takes`` gives transcript and length in seconds by name.

    The same input gives the same bytes. Takes stand in natural order (C2 before C10).
    """
    parts = [_HEAD.format(silence=_plain(silence))]
    for name in natsorted(sorted(takes), alg=ns.IGNORECASE):
        transcript, duration = takes[name]
        said = phrases(transcript, silence) if transcript is not None else ()
        count = f"{len(said)} phrase{'' if len(said) == 1 else 's'}"
        lines = [f"## {name}  (duration: {decimals(duration, 1)}s, {count})"]
        for phrase in said:
            label = speaker_label(phrase.speaker)
            lines.append(
                f"  {span_text(phrase.start, phrase.end)} {label + ' ' if label else ''}{phrase.text}"
            )
        if transcript is None:
            lines.append("  (no transcript)")
        elif not transcript.said():
            lines.append("  (no speech)")
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _plain(value: Fraction) -> str:
    text = decimals(value, 3).rstrip("0")
    return text + "0" if text.endswith(".") else text
