"""Caption styles as data: how words are gathered into cues, and how the cues look when burnt in."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any

from cutbook.errors import EdlError


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """One style of captions; every value can be set in the cut list's ``captions``.

    ``words`` is the most words of a cue, ``columns`` the most columns of a line (a wide character takes two),
    ``lines`` the most lines. ``speed`` is characters a second that can be read; a cue is held longer for it where
    there is room. ``pause`` (seconds) ends a cue, ``hold`` (seconds) is bridged between two cues. ``clauses`` breaks
    at commas too. ``size``, ``outline`` and ``shadow`` are shares of the canvas's shorter side; ``margin`` and
    ``tall_margin`` (canvas taller than wide) are shares of its height, from the lower edge, ``side`` and ``tall_side``
    shares of its width, from either side: a vertical video's own buttons and texts lie below and beside. Colours are
    ``#rrggbb``; ``ink`` is the letters', ``edge`` their outline's, ``lit`` the word's that is being said ("": as ink).
    """

    name: str
    words: int = 7
    columns: int = 42
    lines: int = 1
    speed: float = 20.0
    pause: float = 0.6
    hold: float = 0.3
    clauses: bool = False
    upper: bool = False
    font: str = "DejaVu Sans"
    bold: bool = False
    size: float = 0.052
    outline: float = 0.0045
    shadow: float = 0.0015
    margin: float = 0.06
    tall_margin: float = 0.22
    side: float = 0.05
    tall_side: float = 0.13
    ink: str = "#ffffff"
    edge: str = "#101010"
    lit: str = ""


STYLES: Mapping[str, Style] = {
    "natural-sentence": Style(name="natural-sentence", lines=2),
    "bold-overlay": Style(
        name="bold-overlay",
        words=2,
        columns=24,
        pause=0.4,
        hold=0.15,
        clauses=True,
        upper=True,
        bold=True,
        size=0.085,
        outline=0.006,
        shadow=0.0,
        margin=0.12,
        tall_margin=0.28,
    ),
    "karaoke": Style(
        name="karaoke",
        words=5,
        columns=30,
        lines=2,
        pause=0.5,
        bold=True,
        size=0.07,
        outline=0.0055,
        margin=0.1,
        tall_margin=0.28,
        lit="#ffd84a",
    ),
}
"""The styles that come with cutbook, by name."""

BUTTONS_BELOW, BUTTONS_BESIDE = 0.2, 0.12
"""Shares of a vertical picture's height and width that players cover with texts below and buttons beside it."""

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_WIDEST = 0.4

PLAIN = "natural-sentence"
"""The style of the sidecars where no captions are burnt in."""


def sides(looks: Style, size: tuple[int, int]) -> float:
    """Give the share of a canvas's width that stays free on either side."""
    return looks.tall_side if size[1] > size[0] else looks.side


def room(looks: Style, size: tuple[int, int]) -> int:
    """Give the columns of a style's letters that fit a canvas between its sides.

    The share of the letters' height that a column takes is measured on DejaVu Sans.
    """
    share = 0.64 if looks.upper or looks.bold else 0.48
    return max(2, int((1 - 2 * sides(looks, size)) * size[0] / (share * looks.size * min(size))))


def fitted(looks: Style, size: tuple[int, int]) -> Style:
    """Give a style whose lines are no longer than a canvas is wide."""
    return replace(looks, columns=min(looks.columns, room(looks, size)))


def style(name: str | None, changes: Mapping[str, Any] | None = None) -> Style:
    """Give a style by name (None or ``none``: the plain one) with single values changed.

    Raises:
        EdlError: no such style, no such value, or a value of the wrong kind.
    """
    wanted = PLAIN if name in (None, "", "none") else str(name)
    if wanted not in STYLES:
        msg = f"{wanted!r} is no caption style; there are none, {', '.join(STYLES)}"
        raise EdlError(msg)
    base = STYLES[wanted]
    kinds = {each.name: type(getattr(base, each.name)) for each in fields(base) if each.name != "name"}
    clean: dict[str, Any] = {}
    for key, value in (changes or {}).items():
        if key in {"style", "name"}:
            continue
        kind = kinds.get(key)
        fits = isinstance(value, kind) if kind is not None else False
        if kind is float and isinstance(value, int | float | Fraction) and not isinstance(value, bool):
            clean[key] = float(value)
        elif kind is int and isinstance(value, bool):
            fits = False
        if key not in clean:
            if not fits:
                raise EdlError(_unfit(key, value, kinds))
            clean[key] = value
    made = replace(base, **clean)
    _check(made)
    return made


def _unfit(key: str, value: object, kinds: Mapping[str, type]) -> str:
    if key not in kinds:
        return f"captions: {key!r} is no value of a style; there are {', '.join(sorted(kinds))}"
    wanted = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}[kinds[key]]
    usual = getattr(STYLES[PLAIN], key)
    return f"captions: {key} = {value!r} cannot be used; write {wanted}, like {json.dumps(usual)}"


def _check(made: Style) -> None:
    for colour in (made.ink, made.edge, made.lit or made.ink):
        if not _COLOUR.fullmatch(colour):
            msg = f"captions: {colour!r} is no colour; write it like #ffd84a"
            raise EdlError(msg)
    if max(made.side, made.tall_side) > _WIDEST or min(made.side, made.tall_side) < 0:
        msg = f"captions: side and tall_side are shares of the canvas's width from 0 to {_WIDEST}"
        raise EdlError(msg)
    if made.words < 1 or made.columns < 2 or made.lines < 1 or not 0 < made.size < 1:
        msg = (
            "captions: words, columns and lines count from 1 (columns from 2), size is a share of the canvas"
        )
        raise EdlError(msg)
