"""Grades: presets and raw ffmpeg filters, as the text of a filter chain."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from cutbook.media.frames import frames_at
from cutbook.media.probe import Media

AUTO = "auto"
"""The grade that measures each range and mends it a little."""

RECIPE = "1"
"""Counts changes to how ``auto`` measures."""

BOUND = 0.08
"""The share by which ``auto`` changes anything at most."""

_SAMPLES = 5
_BRIGHT, _SPREAD, _COLOURED = 0.45, 0.22, 0.30

PRESETS: Mapping[str, str] = {
    "subtle": "eq=contrast=1.04:saturation=1.03",
    "neutral_punch": "eq=contrast=1.10:saturation=1.08:gamma=0.98",
    "warm_cinematic": (
        "eq=contrast=1.08:saturation=0.94,colorbalance=rs=0.02:bs=-0.02:rm=0.04:bm=-0.03:rh=0.05:bh=-0.05"
    ),
}
"""The chains of the grades that have a name."""


def chain(grade: str) -> str:
    """Give the filter chain of a grade: "" for ``none``, a preset's, or the raw filter as it is."""
    wanted = grade.strip()
    if wanted in {"", "none"}:
        return ""
    return PRESETS.get(wanted, wanted)


def auto(media: Media, start: Fraction, end: Fraction) -> str:
    """Measure a range (seconds of take time) and give the chain that brings it nearer to even light and colour.

    Brightness, contrast and saturation change by 8 % at most; hue never does.
    """
    import numpy as np

    if media.picture is None:
        return ""
    times = [start + (end - start) * (2 * n + 1) / (2 * _SAMPLES) for n in range(_SAMPLES)]
    shown = np.stack(frames_at(media, times, height=72)).astype(np.float64) / 255
    luma = shown @ np.array([0.2126, 0.7152, 0.0722])
    high, low = shown.max(axis=-1), shown.min(axis=-1)
    coloured = float(((high - low) / np.maximum(high, 0.02)).mean())
    changes = {
        "gamma": _nudge(float(luma.mean()), _BRIGHT),
        "contrast": _nudge(float(luma.std()), _SPREAD),
        "saturation": _nudge(coloured, _COLOURED),
    }
    wanted = ":".join(f"{name}={value:.2f}" for name, value in changes.items() if f"{value:.2f}" != "1.00")
    return f"eq={wanted}" if wanted else ""


def _nudge(found: float, wanted: float) -> float:
    """Go a quarter of the way to what is wanted, within the bound."""
    return min(1 + BOUND, max(1 - BOUND, 1 + (wanted - found) / wanted / 4))
