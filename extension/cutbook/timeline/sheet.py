"""The paper that a composite is drawn on: boxes and pictures to the pixel, text by matplotlib."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from cutbook.timeline import lettering
from cutbook.timeline.palette import INK, PAPER, TEXT, Colour

if TYPE_CHECKING:
    from numpy.typing import NDArray

Align = Literal["left", "center", "right"]

Box = tuple[float, float, float, float]
"""Left, top, right, bottom; right and bottom are not in it."""


@dataclass(frozen=True, slots=True)
class Letters:
    """One line of text; ``x`` and ``y`` are its left (or middle, or right) end on the baseline."""

    x: float
    y: float
    text: str
    size: int
    colour: Colour
    bold: bool
    align: Align


@dataclass
class Sheet:
    """A picture in the making, with its origin at the top left."""

    width: int
    height: int
    language: str | None = None
    pixels: NDArray[np.uint8] = field(init=False)
    letters: list[Letters] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.pixels = np.empty((self.height, self.width, 3), np.uint8)
        self.pixels[:] = PAPER

    def box(self, box: Box, colour: Colour, *, alpha: float = 1.0) -> None:
        """Fill a box, at least one pixel wide and high."""
        left, top, right, bottom = (round(edge) for edge in box)
        rows = slice(max(0, top), max(top + 1, bottom, 0))
        columns = slice(max(0, left), max(left + 1, right, 0))
        part = self.pixels[rows, columns]
        part[:] = np.rint(part * (1 - alpha) + np.array(colour) * alpha).astype(np.uint8)

    def hatch(self, box: Box, colour: Colour, *, step: int = 5) -> None:
        """Stroke a box with slanting lines."""
        left, top, right, bottom = (max(0, round(edge)) for edge in box)
        part = self.pixels[top:bottom, left : max(right, left + 1)]
        down, across = np.indices(part.shape[:2])
        part[(down + across) % step == 0] = colour

    def rule(
        self, x: float, top: float, bottom: float, colour: Colour, *, width: int = 1, dashes: int = 0
    ) -> None:
        """Draw an upright line; ``dashes`` is their length."""
        left = max(0, min(self.width - width, round(x)))
        rows = np.arange(round(top), round(bottom))
        if dashes:
            rows = rows[(rows - rows[0]) // dashes % 2 == 0] if len(rows) else rows
        self.pixels[rows, left : left + width] = colour

    def paste(self, image: NDArray[np.uint8], left: int, top: int) -> None:
        """Lay an RGB image down, cut at the sheet's edges."""
        skip = max(0, -left)
        room = self.width - max(0, left)
        part = image[: self.height - top, skip : skip + room]
        self.pixels[top : top + part.shape[0], left + skip : left + skip + part.shape[1]] = part

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: int = TEXT,
        colour: Colour = INK,
        bold: bool = False,
        align: Align = "left",
    ) -> float:
        """Write a line with its baseline at ``y``; gives its width in pixels."""
        shown = lettering.readable(text)
        if not shown.strip():
            return 0.0
        self.letters.append(Letters(x, y, shown, size, colour, bold, align))
        return lettering.measure(shown, size, bold=bold)

    def png(self) -> bytes:
        """Give the picture as a PNG without a date or a program's name in it."""
        from PIL import Image

        buffer = io.BytesIO()
        Image.fromarray(self._lettered()).save(buffer, "PNG", compress_level=6)
        return buffer.getvalue()

    def _lettered(self) -> NDArray[np.uint8]:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        from matplotlib.text import Text

        # At 72 dots an inch a point is a pixel.
        figure = Figure(figsize=(self.width / 72, self.height / 72), dpi=72, frameon=False, layout=None)
        canvas = FigureCanvasAgg(figure)
        figure.figimage(self.pixels, resize=False, origin="upper")
        for line in self.letters:
            figure.add_artist(
                Text(
                    line.x,
                    self.height - line.y,
                    line.text,
                    color=(line.colour[0] / 255, line.colour[1] / 255, line.colour[2] / 255),
                    horizontalalignment=line.align,
                    verticalalignment="baseline",
                    fontproperties=lettering.properties(
                        line.text, line.size, bold=line.bold, language=self.language
                    ),
                    usetex=False,
                    parse_math=False,
                    antialiased=True,
                    transform=None,
                )
            )
        with lettering.unhinted():
            canvas.draw()  # type: ignore[no-untyped-call]
        drawn: NDArray[np.uint8] = np.asarray(canvas.buffer_rgba())  # type: ignore[no-untyped-call]
        return drawn[:, :, :3].copy()
