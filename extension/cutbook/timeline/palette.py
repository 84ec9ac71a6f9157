"""Colours and sizes of the composite; colours are RGB from 0 to 255, sizes pixels at 1:1."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

Colour = tuple[int, int, int]

WIDTH = 1600
LEFT, RIGHT = 64, 1580
"""Where the time axis begins and ends; what lies left of it names the lanes."""

PAPER: Colour = (251, 251, 249)
LANE: Colour = (241, 241, 238)
STAGE: Colour = (38, 40, 44)
HAIR: Colour = (214, 214, 209)
FAINT: Colour = (228, 228, 224)
INK: Colour = (32, 35, 40)
SOFT: Colour = (96, 101, 108)
DIM: Colour = (150, 154, 160)
PAUSE: Colour = (222, 222, 214)
ACCENT: Colour = (36, 86, 196)
ACCEPTED: Colour = (38, 132, 78)
REJECTED: Colour = (190, 52, 46)
DOUBT: Colour = (176, 118, 20)
QUIET: Colour = (166, 170, 174)
PLAIN: Colour = (98, 110, 122)

VOICES: tuple[Colour, ...] = (
    (58, 104, 130),
    (178, 106, 42),
    (110, 90, 146),
    (76, 124, 82),
    (160, 78, 98),
    (46, 128, 128),
    (132, 112, 54),
    (92, 92, 98),
)
"""Speakers, in the order in which they first speak; told apart with weak colour vision by lightness too."""

TITLE, TEXT, SMALL = 15, 12, 11

STATUS: dict[str, Colour] = {"accepted": ACCEPTED, "rejected": REJECTED}


def voice(speaker: str | None, speakers: Sequence[str]) -> Colour:
    """Give the colour of a speaker; grey for nobody in particular."""
    if speaker is None:
        return VOICES[0] if not speakers else QUIET
    return VOICES[list(speakers).index(speaker) % len(VOICES)] if speaker in speakers else QUIET


def mix(colour: Colour, other: Colour, share: float) -> Colour:
    """Give ``colour`` with ``share`` (0 to 1) of another in it."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(colour, other, strict=True))
    return red, green, blue
