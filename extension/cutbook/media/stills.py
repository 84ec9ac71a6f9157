"""How a camera held a photograph: its EXIF orientation, which is kept beside the picture and not in it."""

from __future__ import annotations

import warnings
from pathlib import Path

_ORIENTATION = 0x0112
_TURNS = {
    1: (0, False),
    2: (0, True),
    3: (180, False),
    4: (180, True),
    5: (90, True),
    6: (90, False),
    7: (270, True),
    8: (270, False),
}
"""Clockwise degrees, and whether left and right are then swapped, by the number of the tag (CIPA DC-008, 4.6.5.A)."""


def orientation(path: Path) -> tuple[int, bool] | None:
    """Give the clockwise turn of a still and whether it is mirrored after it; None where Pillow cannot read the file.

    A still without the tag is upright.
    """
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a panorama is no attack: nothing is decoded here
            with Image.open(path) as still:
                found = still.getexif().get(_ORIENTATION, 1)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    return _TURNS.get(found, (0, False))
