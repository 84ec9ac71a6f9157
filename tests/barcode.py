"""Films whose every picture says its own number: ten upright stripes, black for 0 and white for 1, lowest bit left."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tests.footage import Sound, make_clip

BITS = 10


def stripes(rate: str = "30", size: tuple[int, int] = (160, 90), *, first: int = 0) -> str:
    """Return the filter source of such a film; the first picture says `first`."""
    bit = f"mod(floor((N+{first})/pow(2\\,floor(X*{BITS}/W)))\\,2)"
    return f"color=black:size={size[0]}x{size[1]}:rate={rate},geq=lum='235*{bit}+16*(1-{bit})':cb=128:cr=128"


def make_numbered(
    path: Path,
    *,
    seconds: float = 4.0,
    rate: str = "30",
    first: int = 0,
    rotate: int = 0,
    sound: Sound = "none",
    keyframes: int = 25,
    extra: Sequence[str] = (),
) -> Path:
    """Make such a film; `first` is the number of its first picture."""
    return make_clip(
        path,
        seconds=seconds,
        rate=rate,
        rotate=rotate,
        sound=sound,
        keyframes=keyframes,
        picture=stripes(rate, first=first),
        extra=extra,
    )


def number(image: np.ndarray[Any, Any]) -> int:
    """Read the number of a picture (RGB, upright stripes)."""
    height, width = image.shape[:2]
    row = image[height // 2].mean(axis=1)
    return sum(int(row[int((bit + 0.5) * width / BITS)] > 127) << bit for bit in range(BITS))
