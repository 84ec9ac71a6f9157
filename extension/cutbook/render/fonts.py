"""Fonts that have the captions' glyphs: DejaVu, which matplotlib brings, else one of the system's."""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from cutbook.errors import PreflightError
from cutbook.render.styles import Style

_NO_LETTERS = ("Last Resort", "STIXNonUnicode", "Noto Color Emoji", "Apple Color Emoji", "Segoe UI Emoji")
"""Fonts that draw boxes, or glyphs under other letters' numbers, or pictures that libass leaves out."""


@dataclass(frozen=True, slots=True)
class Font:
    """A font file and the family name that captions call it by."""

    family: str
    file: Path


@dataclass(frozen=True, slots=True)
class Fonts:
    """The fonts of a film's captions, the style's own first."""

    fonts: tuple[Font, ...]

    @property
    def names(self) -> tuple[tuple[str, int], ...]:
        """What tells the fonts from others of their name: each file's name and size."""
        return tuple((font.file.name, font.file.stat().st_size) for font in self.fonts)

    def family(self, text: str) -> str:
        """Give the family that writes a text; "" where the style's own does.

        A text that no single font writes takes the one that lacks least.
        """
        if not self.fonts:
            return ""
        best = min(self.fonts, key=lambda font: len(lacking(text, font.file)))
        return "" if best == self.fonts[0] else best.family


def choose(texts: Iterable[str], style: Style) -> Fonts:
    """Choose fonts that together have every glyph of ``texts``.

    Raises:
        PreflightError: no font has a glyph; it is named.
    """
    shown = tuple(texts)
    wanted = "".join(sorted({character for text in shown for character in text}))
    if not wanted:
        return Fonts(())
    own = _own(style)
    found = [own]
    rest = lacking(wanted, own.file)
    if rest:
        for font in _others(bold=style.bold):
            still = lacking(rest, font.file)
            if len(still) < len(rest):
                found.append(font)
                rest = still
            if not rest:
                break
    if rest:
        first = rest[0]
        name = unicodedata.name(first, "unnamed")
        said = next((text for text in shown if first in text), first)
        like = (
            ", like fonts-noto-cjk" if unicodedata.east_asian_width(first) in "WF" and first.isalpha() else ""
        )
        msg = (
            f"no font here has the caption glyph {first!r} (U+{ord(first):04X}, {name}) of “{said}”; install one "
            f"that has{like}, correct the word in edit/corrections.md, or render without captions"
        )
        raise PreflightError(msg)
    return Fonts(tuple(found))


def lacking(text: str, file: Path) -> str:
    """Give the characters of a text that a font has no glyph for; marks and spaces that show nothing do not count."""
    glyphs = _glyphs(file)
    return "".join(
        each
        for each in dict.fromkeys(text)
        if ord(each) not in glyphs and not each.isspace() and unicodedata.category(each) not in {"Cf", "Cc"}
    )


def _own(style: Style) -> Font:
    import matplotlib as mpl

    name = style.font.replace(" ", "")
    bundled = Path(mpl.get_data_path()) / "fonts" / "ttf"
    for file in (bundled / f"{name}-Bold.ttf", bundled / f"{name}.ttf")[0 if style.bold else 1 :]:
        if file.is_file():
            return Font(style.font, file)
    from matplotlib import font_manager

    properties = font_manager.FontProperties(family=style.font, weight="bold" if style.bold else "normal")
    try:
        file = Path(font_manager.findfont(properties, fallback_to_default=False))
    except ValueError:
        msg = f"no font here is named {style.font!r}; install it, or set captions.font to DejaVu Sans (always here)"
        raise PreflightError(msg) from None
    return Font(style.font, file)


@functools.cache
def _glyphs(file: Path) -> frozenset[int]:
    from matplotlib import ft2font

    try:
        return frozenset(ft2font.FT2Font(str(file)).get_charmap())
    except (OSError, RuntimeError):
        return frozenset()


@functools.cache
def _others(*, bold: bool) -> tuple[Font, ...]:
    """Give the system's upright fonts, those without serifs and of the right weight first."""
    from matplotlib import font_manager

    entries = [
        entry
        for entry in font_manager.fontManager.ttflist
        if entry.style == "normal" and not entry.name.startswith(_NO_LETTERS)
    ]

    def rank(entry: font_manager.FontEntry) -> tuple[bool, bool, bool, str]:
        weight = (
            entry.weight
            if isinstance(entry.weight, int)
            else {"bold": 700, "normal": 400}.get(entry.weight, 500)
        )
        wanted = 700 if bold else 400
        return "CJK" not in entry.name, "Sans" not in entry.name, weight != wanted, entry.fname

    return tuple(Font(entry.name, Path(entry.fname)) for entry in sorted(entries, key=rank))
