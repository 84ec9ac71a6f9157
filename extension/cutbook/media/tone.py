"""High dynamic range pictures as a plain screen shows them.

The curve is the one that renders use (:data:`FILTER`, over light in which 203 nits are 1, the level of diffuse white in
ITU-R BT.2408), so that a picture here looks like the film. It leaves what is darker than 30 % of diffuse white alone,
so that faces and rooms look as in footage of standard range beside it; above, it bends towards white at 1000 nits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Light = NDArray[np.float32]

WHITE = 203.0
"""Nits of diffuse white (ITU-R BT.2408)."""

PEAK = 4.926
"""The light that becomes white: 1000 nits, the peak of HLG's screen and of most PQ masters, over diffuse white."""

_BEND = 0.3

FILTER = {"tonemap": "mobius", "param": _BEND, "peak": PEAK, "desat": 0}
"""The options of ffmpeg's ``tonemap``; its own peak would follow what a file says of itself, in other units."""

TO_709 = np.array(
    [[1.6605, -0.5876, -0.0728], [-0.1246, 1.1329, -0.0083], [-0.0182, -0.1006, 1.1187]], np.float32
)
"""Linear BT.2020 to BT.709 (ITU-R BT.2087)."""


def mapped(image: NDArray[Any], transfer: str) -> NDArray[np.uint8]:
    """Turn H×W×3 RGB of 16 bits in HLG or PQ with BT.2020 colours into 8 bits for a plain screen."""
    signal: Light = np.divide(image, 65535, dtype=np.float32)
    light = (_hlg(signal) if transfer == "HLG" else _pq(signal)) / WHITE
    light = np.maximum(light @ TO_709.T, 0)
    brightest = np.maximum(light.max(axis=2, keepdims=True), 1e-6)
    light *= _mobius(brightest) / brightest
    shown = np.clip(light, 0, 1) ** (1 / 2.4)  # what a screen undoes (ITU-R BT.1886), and zscale with it
    found: NDArray[np.uint8] = np.rint(shown * 255).astype(np.uint8)
    return found


def _hlg(signal: Light) -> Light:
    """Nits on a screen of 1000 nits (ITU-R BT.2100, table 5), each colour by itself, as zscale has it."""
    a, b, c = 0.17883277, 0.28466892, 0.55991073
    scene = np.where(signal <= 0.5, signal**2 / 3, (np.exp((signal - c) / a) + b) / 12)
    found: Light = (1000 * scene**1.2).astype(np.float32)
    return found


def _pq(signal: Light) -> Light:
    """Nits (SMPTE ST 2084)."""
    power = signal ** (1 / 78.84375)
    found: Light = (
        10000 * (np.maximum(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power)) ** (1 / 0.1593017578125)
    ).astype(np.float32)
    return found


def _mobius(light: Light) -> Light:
    j, square = _BEND, _BEND**2
    a = -square * (PEAK - 1) / (square - 2 * j + PEAK)
    b = (square - 2 * j * PEAK + PEAK) / (PEAK - 1)
    bent = (b * b + 2 * b * j + square) / (b - a) * (light + a) / (light + b)
    found: Light = np.where(light <= j, light, bent).astype(np.float32)
    return found
