"""Grades: presets and raw ffmpeg filters, as the text of a filter chain."""

from __future__ import annotations

from collections.abc import Mapping

PRESETS: Mapping[str, str] = {
    "subtle": "eq=contrast=1.04:saturation=1.03",
    "neutral_punch": "eq=contrast=1.10:saturation=1.08:gamma=0.98",
    "warm_cinematic": "eq=contrast=1.08:saturation=0.94,colorbalance=rs=0.02:bs=-0.02:rm=0.04:bm=-0.03:rh=0.05:bh=-0.05",
}
"""The chains of the grades that have a name."""


def chain(grade: str) -> str:
    """Give the filter chain of a grade: "" for ``none``, a preset's, or the raw filter as it is."""
    wanted = grade.strip()
    if wanted in {"", "none"}:
        return ""
    return PRESETS.get(wanted, wanted)
