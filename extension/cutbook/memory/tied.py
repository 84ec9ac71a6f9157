"""What a decision is tied to, in words: said back to whoever wrote it down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutbook.edit.ranges import spelled
from cutbook.memory import wording
from cutbook.memory.anchors import read_anchor, span_text
from cutbook.memory.heard import heard
from cutbook.memory.text import decode_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cutbook.edit.edl import Range
    from cutbook.edit.take import Take


def tied(tokens: Sequence[str], takes: Mapping[str, Take], ranges: Sequence[Range]) -> str:
    """Say it (``C0103 1.00-3.00, 4 words``; ``ranges 1-3``); empty where a decision is tied to nothing.

    ``ranges`` is the cut list, whose numbers are those that its table shows.
    """
    named = {decode_name(each[6:]) for each in tokens if each.startswith("range:")}
    numbers = [number for number, each in enumerate(ranges, start=1) if each.id in named]
    found = []
    if numbers:
        beats = dict.fromkeys(ranges[number - 1].beat for number in numbers if ranges[number - 1].beat)
        of = f" ({', '.join(beats)})" if beats else ""
        found.append(f"{'range' if len(numbers) == 1 else 'ranges'} {runs(numbers)}{of}")
    elif tokens:
        found += _places(tokens, takes)
    return "; ".join(found)


def _places(tokens: Iterable[str], takes: Mapping[str, Take]) -> list[str]:
    anchors = [anchor for anchor in map(read_anchor, tokens) if anchor is not None]
    found = []
    for anchor in anchors:
        take = takes.get(anchor.name)
        if anchor.kind == "words" and anchor.span and take is not None:
            number = heard(take.words).count(anchor.span)
            found.append(f"{anchor.name} {span_text(anchor.span)}, {wording.count(number, 'word')}")
    spans = [token[5:].partition("#") for token in tokens if token.startswith("span:")]
    found += [f"{decode_name(name)} {span}, which has no words yet" for name, _, span in spans]
    return found or [f"the file {anchor.name}" for anchor in anchors if anchor.kind == "media"]


def runs(numbers: Sequence[int]) -> str:
    """Write numbers, which rise, as people write ranges: ``1-3,5``."""
    return ",".join(spelled(numbers))
