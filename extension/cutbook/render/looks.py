"""What a grade does to each range, before and after it in one picture."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cutbook.edit.take import Take
from cutbook.errors import InputError
from cutbook.files import readable
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.media.frames import frames_at
from cutbook.render.grade import AUTO, auto, chain
from cutbook.render.plan import Plan, Segment
from cutbook.timebase import decimals

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL import Image as Pillow
    from PIL import ImageFont as Type

    Image = NDArray[np.uint8]

MOST = 12
"""Most ranges of one picture; of more, this many are shown, evenly spread."""

WIDTH = 1600
_HEIGHT = 216
_WIDEST = (WIDTH - 32) // 4
_LINE = 22
_INK, _PAPER, _SOFT = (28, 30, 33), (252, 252, 250), (120, 120, 116)


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """The middle of a range before and after its grade; ``label`` says which range, ``grade`` what was done."""

    label: str
    grade: str
    before: Image
    after: Image


def looks(plan: Plan, takes: Mapping[str, Take], ffmpeg: Ffmpeg) -> tuple[Look, ...]:
    """Give the looks of the ranges that have a grade and a picture, in the film's order, at most :data:`MOST`.

    The whole picture of the take is shown, upright and in the film's colours, without overlays and captions.

    Raises:
        InputError: no range has a grade.
        FfmpegError: a grade cannot be used.
    """
    graded = [
        segment
        for segment in plan.segments
        if (segment.grade.strip() == AUTO or chain(segment.grade))
        and takes[segment.part.source].media.picture
    ]
    if not graded:
        msg = "no range with a picture has a grade; name one, like auto, or set it with %edl set grade"
        raise InputError(msg)
    step = max(1.0, len(graded) / MOST)
    chosen = [graded[int(place * step)] for place in range(min(MOST, len(graded)))]
    return tuple(_look(segment, takes[segment.part.source], ffmpeg) for segment in chosen)


def _look(segment: Segment, take: Take, ffmpeg: Ffmpeg) -> Look:
    part = segment.part
    middle = (part.start + part.end) / 2
    (before,) = frames_at(take.media, [middle], height=_HEIGHT)
    own = segment.grade.strip() == AUTO
    filters = auto(take.media, part.start, part.end) if own else chain(segment.grade)
    said = f"auto: {filters or 'nothing to mend'}" if own else segment.grade.strip()
    label = " ".join(each for each in (part.beat, part.source, f"{decimals(middle)} s") if each)
    return Look(label, said, before, _graded(before, filters, ffmpeg) if filters else before)


def _graded(image: Image, filters: str, ffmpeg: Ffmpeg) -> Image:
    """Put a picture through a grade as a render does: in the film's own levels and colours, eight bits, 4:2:0."""
    height, width = image.shape[:2]
    even = f"{width + width % 2}:{height + height % 2}"
    graph = (
        f"scale={even}:out_color_matrix=bt709:out_range=tv,format=yuv420p,{filters},"
        f"scale={width}:{height}:in_color_matrix=bt709:in_range=tv,format=rgb24"
    )
    source = ("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-i", "pipe:0")
    shown = ("-frames:v", "1", "-f", "rawvideo", "pipe:1")
    done = ffmpeg.run([*source, "-vf", graph, *shown], stdin=image.tobytes(), capture=True)
    return np.frombuffer(done.stdout, np.uint8).reshape(height, width, 3)


def draw(found: Sequence[Look]) -> tuple[bytes, int, int]:
    """Draw looks in two columns, each a pair of pictures; gives the PNG, its width and its height in pixels."""
    from PIL import Image

    columns = 2 if len(found) > 1 else 1
    pairs = list(_pairs(found))
    rows = [pairs[place : place + columns] for place in range(0, len(pairs), columns)]
    heights = [max(pair.height for pair in row) for row in rows]
    width = columns * (2 * _WIDEST + 4) + (columns - 1) * 12 + 12
    sheet = Image.new("RGB", (width, sum(heights) + 12 * len(rows) + 12), _PAPER)
    top = 12
    for row, height in zip(rows, heights, strict=True):
        for place, pair in enumerate(row):
            sheet.paste(pair, (6 + place * (2 * _WIDEST + 4 + 12), top))
        top += height + 12
    buffer = io.BytesIO()
    sheet.save(buffer, "PNG")
    return buffer.getvalue(), sheet.width, sheet.height


def _pairs(found: Sequence[Look]) -> Iterator[Pillow.Image]:
    import matplotlib as mpl
    from PIL import Image, ImageDraw, ImageFont

    fonts = Path(mpl.get_data_path()) / "fonts" / "ttf"
    bold = ImageFont.truetype(fonts / "DejaVuSans-Bold.ttf", 13)
    plain = ImageFont.truetype(fonts / "DejaVuSans.ttf", 11)
    for look in found:
        shots = [Image.fromarray(each) for each in (look.before, look.after)]
        for shot in shots:
            shot.thumbnail((_WIDEST, _HEIGHT))
        room = 2 * _WIDEST + 4
        pair = Image.new("RGB", (room, shots[0].height + _LINE + 18), _PAPER)
        pen = ImageDraw.Draw(pair)
        label = _fitting(readable(look.label), bold, room / 2)
        pen.text((0, 2), label, _INK, bold)
        left = bold.getlength(label) + 10
        pen.text((left, 4), _fitting(look.grade, plain, room - left), _SOFT, plain)
        for place, (shot, name) in enumerate(zip(shots, ("before", "after"), strict=True)):
            at = place * (shot.width + 4)
            pair.paste(shot, (at, _LINE))
            pen.text((at, _LINE + shot.height + 2), name, _SOFT, plain)
        yield pair


def _fitting(text: str, font: Type.FreeTypeFont, room: float) -> str:
    """Give a text on one line, or its beginning with an ellipsis where it is wider than ``room``."""
    shown = " ".join(text.split())
    while shown and font.getlength(shown) > room:
        shown = shown[:-2] + "…" if len(shown) > 1 else ""
    return shown
