"""How carefully a film is encoded: draft, preview, final."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cutbook.errors import SettingError


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """One way to encode with x264.

    ``short`` is the most pixels of the canvas's shorter side, None for no limit.

    ``rough`` decodes and scales with less care. ``held`` is how many frames x264 holds at once, to look ahead.
    """

    name: str
    preset: str
    crf: int
    short: int | None
    held: int
    rough: bool = False

    @property
    def scaler(self) -> str:
        """How pictures are scaled, in swscale's words."""
        return "fast_bilinear" if self.rough else "bicubic+accurate_rnd"


TIERS: Mapping[str, Tier] = {
    "draft": Tier(name="draft", preset="ultrafast", crf=30, short=360, held=8, rough=True),
    "preview": Tier(name="preview", preset="veryfast", crf=24, short=1080, held=24),
    "final": Tier(name="final", preset="fast", crf=20, short=None, held=56),
}
"""The tiers by name."""


def tier(name: str) -> Tier:
    """Give a tier by name.

    Raises:
        SettingError: there is no such tier.
    """
    if name not in TIERS:
        msg = f"{name!r} is no tier; there are {', '.join(TIERS)}"
        raise SettingError(msg)
    return TIERS[name]
