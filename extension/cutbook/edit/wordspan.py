"""Words of a take as people name them: by number, by seconds or by what is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutbook.edit.layout import layout
from cutbook.edit.phrases import places
from cutbook.edit.snap import PADS, numbered
from cutbook.edit.spans import Malformed, Numbers, Words, read_span
from cutbook.errors import EdlError, TimeError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cutbook.edit.phrases import Place
    from cutbook.edit.take import Take


def word_numbers(
    text: str, take: Take, takes: Mapping[str, Take], *, within: tuple[int, int] | None = None
) -> tuple[int, int]:
    """Give the numbers of the first and the last word that a span of a cut list names: ``#14-#18``, ``[2.5-3.1]``.

    Whatever else it is counts as words that are said, once in the take or in the words ``within``, quoted or not.

    Raises:
        EdlError: there are no such words, or they are said more than once.
    """
    try:
        span = read_span(text.strip(), 0)
    except Malformed as error:
        raise EdlError(str(error)) from error
    asked, end, _ = span or (Words(text.strip()), len(text.strip()), False)
    if rest := text.strip()[end:].strip():
        msg = f"{rest!r} after the span of words is too much; write one span like #14-#18, or the words in quotes"
        raise EdlError(msg)
    try:
        if isinstance(asked, Numbers):
            first, last = numbered(layout(take), asked.first, asked.last)
            return first + 1, last + 1
        if isinstance(asked, Words) and within is not None and (said := places(take, asked.text)):
            return _one_of(said, asked.text, take, within)
        words = asked.find(take, PADS, takes).words
    except TimeError as error:
        raise EdlError(str(error)) from error
    if words is None:
        msg = f"no word of {take.name} lies in {text.strip()}; look at its words in takes_packed.md"
        raise EdlError(msg)
    return words


def _one_of(said: Sequence[Place], text: str, take: Take, within: tuple[int, int]) -> tuple[int, int]:
    """Give the place that lies within some words (raises :class:`~cutbook.errors.EdlError` unless one does)."""
    inside = [each for each in said if within[0] <= each.first and each.last <= within[1]]
    if len(inside) == 1:
        return inside[0].first, inside[0].last
    listed = ", ".join(f"#{each.first}-#{each.last}" for each in (inside or said)[:8])
    kept = f"#{within[0]}-#{within[1]}"
    if inside:
        msg = f"“{text}” is said {len(inside)} times in {kept} of {take.name}: {listed}; write one of these"
    else:
        msg = f"“{text}” is not among the words of the range ({kept} of {take.name}); it is said at {listed}"
    raise EdlError(msg)
