"""Draw smooth shapes and type: everything is drawn three times as large and scaled down once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image, ImageColor, ImageDraw, ImageFilter, ImageFont

SCALE = 3
Point = tuple[float, float]
FONT_FILES = {
    "text": "Inter-Medium.otf",
    "bold": "Inter-SemiBold.otf",
    "display": "InterDisplay-SemiBold.otf",
    "mono": "JetBrainsMono-Medium.ttf",
}
FONT_FOLDERS = (
    Path("/usr/share/fonts/opentype/inter"),
    Path("/usr/share/fonts/truetype/jetbrains-mono"),
)


def colour(value: str, alpha: float = 1.0) -> tuple[int, int, int, int]:
    """Turn ``#rrggbb`` and an opacity of 0 to 1 into RGBA."""
    red, green, blue = ImageColor.getrgb(value)[:3]
    return red, green, blue, round(255 * alpha)


def mixed(first: str, second: str, share: float) -> str:
    """Mix two colours; ``share`` is how much of the second, 0 to 1."""
    one, two = ImageColor.getrgb(first)[:3], ImageColor.getrgb(second)[:3]
    return "#{:02x}{:02x}{:02x}".format(*(round(a + (b - a) * share) for a, b in zip(one, two, strict=True)))


@cache
def font(style: str, size: int) -> ImageFont.FreeTypeFont:
    """Load one of the four styles at a size in pixels. Raises ``OSError`` where it is not installed."""
    name = FONT_FILES[style]
    for folder in FONT_FOLDERS:
        if (folder / name).exists():
            return ImageFont.truetype(str(folder / name), size)
    msg = f"{name} is not installed: apt-get install fonts-inter fonts-jetbrains-mono"
    raise OSError(msg)


def smooth(points: Sequence[Point], *, closed: bool = True, steps: int = 14) -> list[Point]:
    """Run a Catmull-Rom curve through points."""
    count = len(points)
    curve: list[Point] = []
    for index in range(count if closed else count - 1):
        if closed:
            four = [points[(index + offset) % count] for offset in (-1, 0, 1, 2)]
        else:
            four = [points[min(max(index + offset, 0), count - 1)] for offset in (-1, 0, 1, 2)]
        for step in range(steps):
            t = step / steps
            weights = (
                -0.5 * t + t * t - 0.5 * t**3,
                1 - 2.5 * t * t + 1.5 * t**3,
                0.5 * t + 2 * t * t - 1.5 * t**3,
                -0.5 * t * t + 0.5 * t**3,
            )
            curve.append(
                (
                    sum(w * p[0] for w, p in zip(weights, four, strict=True)),
                    sum(w * p[1] for w, p in zip(weights, four, strict=True)),
                )
            )
    if not closed:
        curve.append(points[-1])
    return curve


def mirrored(points: Sequence[Point]) -> list[Point]:
    """Complete the right half of a shape, given from top to bottom, with its left half."""
    left = [(-x, y) for x, y in reversed(points) if x != 0]
    return [*points, *left]


class Canvas:
    """A transparent picture in output pixels, with the origin at ``origin``."""

    def __init__(self, size: tuple[int, int], *, origin: Point = (0.0, 0.0)) -> None:
        """Make an empty canvas of ``size`` pixels."""
        self.size = size
        self.origin = origin
        self.image = Image.new("RGBA", (size[0] * SCALE, size[1] * SCALE), (0, 0, 0, 0))

    def _layer(self, fill: str) -> tuple[Image.Image, ImageDraw.ImageDraw]:
        layer = Image.new("RGBA", self.image.size, colour(fill, 0))
        return layer, ImageDraw.Draw(layer)

    def _put(self, layer: Image.Image, blur: float) -> None:
        if blur:
            layer = layer.filter(ImageFilter.GaussianBlur(blur * SCALE))
        self.image.alpha_composite(layer)

    def _at(self, points: Sequence[Point]) -> list[Point]:
        x, y = self.origin
        return [((px + x) * SCALE, (py + y) * SCALE) for px, py in points]

    def _shape(self, fill: str, alpha: float, blur: float) -> tuple[ImageDraw.ImageDraw, Image.Image | None]:
        if alpha == 1 and not blur:
            return ImageDraw.Draw(self.image), None
        layer, draw = self._layer(fill)
        return draw, layer

    def polygon(self, points: Sequence[Point], fill: str, *, alpha: float = 1.0, blur: float = 0.0) -> None:
        """Fill a shape with straight sides."""
        draw, layer = self._shape(fill, alpha, blur)
        draw.polygon(self._at(points), fill=colour(fill, alpha))
        if layer:
            self._put(layer, blur)

    def blob(self, points: Sequence[Point], fill: str, *, alpha: float = 1.0, blur: float = 0.0) -> None:
        """Fill a shape with round sides through the points."""
        self.polygon(smooth(points), fill, alpha=alpha, blur=blur)

    def oval(self, centre: Point, radii: Point, fill: str, *, alpha: float = 1.0, blur: float = 0.0) -> None:
        """Fill an ellipse."""
        draw, layer = self._shape(fill, alpha, blur)
        (x, y), (rx, ry) = centre, radii
        draw.ellipse(
            [*self._at([(x - rx, y - ry)])[0], *self._at([(x + rx, y + ry)])[0]], fill=colour(fill, alpha)
        )
        if layer:
            self._put(layer, blur)

    def ring(self, centre: Point, radii: Point, fill: str, width: float) -> None:
        """Draw the outline of an ellipse."""
        (x, y), (rx, ry) = centre, radii
        box = [*self._at([(x - rx, y - ry)])[0], *self._at([(x + rx, y + ry)])[0]]
        ImageDraw.Draw(self.image).ellipse(box, outline=colour(fill), width=round(width * SCALE))

    def card(
        self,
        corner: Point,
        size: Point,
        fill: str,
        *,
        radius: float = 0.0,
        alpha: float = 1.0,
        blur: float = 0.0,
    ) -> None:
        """Fill a rectangle with round corners."""
        draw, layer = self._shape(fill, alpha, blur)
        (x, y), (w, h) = corner, size
        box = [*self._at([(x, y)])[0], *self._at([(x + w, y + h)])[0]]
        draw.rounded_rectangle(box, radius=radius * SCALE, fill=colour(fill, alpha))
        if layer:
            self._put(layer, blur)

    def line(self, points: Sequence[Point], fill: str, width: float, *, curved: bool = True) -> None:
        """Draw a line with round ends, curved through its points unless told."""
        path = np.array(self._at(smooth(points, closed=False) if curved else points))
        half = width * SCALE / 2
        lengths = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(path, axis=0).T))])
        stops = np.arange(0.0, lengths[-1] + 1, 1.5)
        draw = ImageDraw.Draw(self.image)
        for x, y in zip(
            np.interp(stops, lengths, path[:, 0]), np.interp(stops, lengths, path[:, 1]), strict=True
        ):
            draw.ellipse([x - half, y - half, x + half, y + half], fill=colour(fill))

    def text(
        self,
        at: Point,
        words: str,
        fill: str,
        *,
        style: str = "text",
        size: int,
        anchor: str = "ls",
        alpha: float = 1.0,
    ) -> None:
        """Set type; ``anchor`` as in Pillow (``ls`` is left on the base line)."""
        layer, draw = self._layer(fill)
        draw.text(
            self._at([at])[0], words, font=font(style, size * SCALE), fill=colour(fill, alpha), anchor=anchor
        )
        self._put(layer, 0)

    def wash(self, top: str, bottom: str) -> None:
        """Fill the whole canvas with a soft change of colour from top to bottom, dithered."""
        height, width = self.image.size[1], self.image.size[0]
        share = np.linspace(0, 1, height)[:, None, None]
        one = np.array(ImageColor.getrgb(top)[:3], dtype=np.float64)
        two = np.array(ImageColor.getrgb(bottom)[:3], dtype=np.float64)
        rows = one + (two - one) * share
        rows = np.broadcast_to(rows, (height, width, 3)).round().astype(np.uint8)
        self.image.paste(Image.fromarray(rows, "RGB"))

    def finished(self, size: float = 1.0) -> Image.Image:
        """Scale down to ``size`` times the output pixels."""
        wide, tall = round(self.size[0] * size), round(self.size[1] * size)
        return self.image.resize((wide, tall), Image.Resampling.LANCZOS)
