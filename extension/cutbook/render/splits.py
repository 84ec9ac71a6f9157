"""Sound that is not cut with its picture: J and L cuts, which reach into the gaps between words and no further."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from cutbook.edit.edl import Range, named
from cutbook.errors import EdlError
from cutbook.render.captions import kept_words
from cutbook.render.spoken import Spoken
from cutbook.timebase import decimals
from cutbook.transcripts.model import Word

_SLACK = Fraction(1, 50)
"""Seconds that a sound may reach further: words' times are no truer."""


def check_gap(one: Range, two: Range, said: Mapping[str, Spoken]) -> None:
    """Refuse sound that reaches over words: those beside its own range, or those of the range it goes over.

    Raises:
        EdlError: it does; says how much the gap holds.
    """
    if not (two.audio_lead or one.audio_lag):
        return
    here, there = said[one.source].of(one), said[two.source].of(two)
    cuts = (
        (
            "audio_lead",
            two,
            two.audio_lead,
            [two.start - word.end for word in _left_out(two, two.audio_lead, said) if word.end <= two.start],
            [one.end - word.end for word in kept_words(one, here)],
        ),
        (
            "audio_lag",
            one,
            one.audio_lag,
            [word.start - one.end for word in _left_out(one, one.audio_lag, said) if word.start >= one.end],
            [word.start - two.start for word in kept_words(two, there)],
        ),
    )
    for key, part, wanted, own, other in cuts:
        room = max(Fraction(0), min([*own, *other], default=wanted))
        if wanted and wanted > room + _SLACK:
            msg = (
                f"{named(part)}: its {key} of {decimals(wanted)} s reaches over words; "
                f"the gap holds {decimals(room)} s, so set it to that or less"
            )
            raise EdlError(msg)


def _left_out(part: Range, reach: Fraction, said: Mapping[str, Spoken]) -> Iterator[Word]:
    """Give the words that a range does not keep, those that its sound can reach among them."""
    spoken = said[part.source]
    kept = {word.number for word in kept_words(part, spoken.of(part))}
    near = spoken.between(part.start - reach, part.end + reach)
    return (word for word in near if word.kind == "word" and word.number not in kept)
