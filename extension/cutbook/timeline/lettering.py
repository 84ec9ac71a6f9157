"""Which font shows which letter, and how wide a text is."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Any

BASE = "DejaVu Sans"
"""The font that matplotlib brings along."""

MARK = "\u25af"
"""Stands for a letter that no font of the machine has."""

FALLBACKS = (
    "Noto Sans",
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Sans CJK KR",
    "Source Han Sans SC",
    "PingFang SC",
    "Hiragino Sans",
    "Apple SD Gothic Neo",
    "Microsoft YaHei",
    "Yu Gothic",
    "Malgun Gothic",
    "WenQuanYi Zen Hei",
    "Arial Unicode MS",
)
_REGIONS = {"zh": ("SC", "TC"), "ja": ("JP",), "ko": ("KR",), "yu": ("HK", "TC")}


def readable(text: str) -> str:
    """Give a text in which letters that no font has are marks, and control characters are spaces."""
    shown = []
    for letter in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(letter)
        if kind == "Cf" or letter == "\ufe0f":
            continue
        if kind in {"Cc", "Cs", "Zl", "Zp"}:
            shown.append(" ")
        else:
            shown.append(letter if letter.isspace() or _family(letter) else MARK)
    return "".join(shown)


def families(text: str, language: str | None = None) -> tuple[str, ...]:
    """Give the fonts, in order, that together have every letter of a readable text."""
    found = dict.fromkeys((BASE,))
    for letter in text:
        if not letter.isascii():
            found.update(dict.fromkeys(filter(None, (_family(letter, language),))))
    return tuple(found)


@cache
def installed() -> str:
    """Name what decides how text looks here: matplotlib's version and the fonts that are used first."""
    import matplotlib as mpl
    from matplotlib.font_manager import fontManager

    names = {font.name for font in fontManager.ttflist}
    return " ".join([mpl.__version__, *(name for name in (BASE, *FALLBACKS) if name in names)])


@lru_cache(maxsize=8192)
def measure(text: str, size: int, *, bold: bool = False) -> float:
    """Give the width in pixels of a readable text."""
    with unhinted():
        width, _, _ = _renderer().get_text_width_height_descent(
            text, properties(text, size, bold=bold), ismath=False
        )
    return float(width)


@contextmanager
def unhinted() -> Iterator[None]:
    """Draw letters in their own shapes while this lasts: matplotlib's hinting thickens and squares them when small."""
    from matplotlib import rcParams

    before = rcParams["text.hinting"]
    rcParams["text.hinting"] = "none"
    try:
        yield
    finally:
        rcParams["text.hinting"] = before


def properties(text: str, size: int, *, bold: bool = False, language: str | None = None) -> Any:
    """Give matplotlib's font properties for a readable text."""
    from matplotlib.font_manager import FontProperties

    return FontProperties(
        family=list(families(text, language)),
        size=size,
        weight="bold" if bold else "normal",
        style="normal",
        variant="normal",
        stretch="normal",
    )


@cache
def _renderer() -> Any:
    from matplotlib.backends.backend_agg import RendererAgg

    return RendererAgg(1, 1, 72)  # type: ignore[no-untyped-call]


@lru_cache(maxsize=8192)
def _family(letter: str, language: str | None = None) -> str | None:
    regions = _REGIONS.get((language or "")[:2], ())
    near = [f"Noto Sans CJK {region}" for region in regions]
    for family in (BASE, *near, *FALLBACKS):
        if _has(family, letter):
            return family
    if unicodedata.category(letter)[0] in "LMN":
        return next((family for family in _others() if _has(family, letter)), None)
    return None


def _others() -> Iterator[str]:
    from matplotlib.font_manager import fontManager

    plain = (
        font for font in fontManager.ttflist if font.style == "normal" and font.weight in {400, "normal"}
    )
    names = sorted({font.name for font in plain})
    sans = [name for name in names if "Sans" in name and "Mono" not in name]
    yield from sans
    yield from (name for name in names if name not in sans)


def _has(family: str, letter: str) -> bool:
    font = _font(family)
    return font is not None and font.get_char_index(ord(letter)) != 0


@cache
def _font(family: str) -> Any:
    from matplotlib.font_manager import FontProperties, fontManager, get_font

    if not any(font.name == family for font in fontManager.ttflist):
        return None
    try:
        return get_font(fontManager.findfont(FontProperties(family=[family]), fallback_to_default=False))
    except (
        OSError,
        ValueError,
        RuntimeError,
    ):  # a font that cannot be drawn with, like one of coloured bitmaps
        return None
