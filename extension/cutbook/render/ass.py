"""Write ASS: each edge in the middle between two frames, so that a frame is never on the wrong side of it.

Advanced SubStation counts hundredths of a second; the middle between two frames, rounded to one, is right up to
100 frames a second. Faster films are captioned in slowed time (:func:`slowness`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from cutbook.html import columns
from cutbook.render.captions import Cue, right_to_left
from cutbook.render.styles import Style, room, sides
from cutbook.timebase import round_half_up

_HEAD = """[Script Info]
ScriptType: v4.00+
PlayResX: {width}
PlayResY: {height}
WrapStyle: 0
ScaledBorderAndShadow: yes
YCbCr Matrix: TV.709

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,{font},{size},{ink},{ink},{edge},&H80000000,{bold},0,0,0,100,100,0,0,1,{outline},{shadow},2,{side},{side},{margin},1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
"""  # noqa: E501 - lines of the format


_RIGHT_TO_LEFT = "\u200f"

_OTHER = 1.25
"""Fonts for other scripts have taller lines, so that their letters come out smaller: this evens it."""


def slowness(rate: Fraction) -> int:
    """Give the whole number by which time is slowed while captions are drawn, so that hundredths are fine enough."""
    return 1 if rate <= 60 else 10


def document(
    cues: Sequence[Cue],
    *,
    style: Style,
    size: tuple[int, int],
    rate: Fraction,
    first: int = 0,
    slow: int = 1,
    font: Callable[[str], str] = lambda _: "",
) -> str:
    """Write cues as an ASS script for a canvas, time 0 at output frame ``first``.

    ``font`` gives the family for a text that the style's own font cannot write, else "".
    """
    width, height = size
    short = min(size)
    tall = height > width
    fit = room(style, size)
    head = _HEAD.format(
        width=width,
        height=height,
        font=style.font.replace(",", " "),
        size=_number(style.size * short),
        ink=_colour(style.ink),
        edge=_colour(style.edge),
        bold=-1 if style.bold else 0,
        outline=_number(style.outline * short),
        shadow=_number(style.shadow * short),
        side=round(width * sides(style, size)),
        margin=round(height * (style.tall_margin if tall else style.margin)),
    )
    lines = []
    for cue in cues:
        family = font(cue.text)
        longest = max((columns(line) for line in cue.lines), default=0)
        # A single word may be longer than the canvas is wide; it is drawn smaller.
        points = style.size * short * fit / longest if longest > fit else 0
        if family and not points:
            points = style.size * short * _OTHER
        marks = (f"\\fn{family}" if family else "") + (f"\\fs{_number(points)}" if points else "")
        backwards = right_to_left(cue.text)
        # Encoding −1 is libass's own: each line's direction is that of its first letter, here of a mark before it.
        marks += "\\fe-1" if backwards else ""
        lead = _RIGHT_TO_LEFT if backwards else ""
        for begin, until, shown in _states(cue, style):
            text = (f"{{{marks}}}" if marks else "") + "\\N".join(lead + line for line in shown)
            start, end = edge(begin - first, rate, slow), edge(until - first, rate, slow)
            lines.append(f"Dialogue: 0,{start},{end},Default,,0,0,0,,{text}\n")
    return head + "".join(lines)


def _states(cue: Cue, style: Style) -> Iterator[tuple[int, int, list[str]]]:
    """Give what a cue looks like, from frame to frame: once, or once for each word that is lit."""
    if not cue.said or not style.lit:
        yield cue.start, cue.end, [escaped(line) for line in cue.lines]
        return
    starts = [cue.start, *(min(max(at, cue.start), cue.end) for at, _ in cue.said[1:]), cue.end]
    for number in range(len(cue.said)):
        begin, until = starts[number], min(starts[number + 1 :])
        if begin < until:
            yield begin, until, _lit(cue, number, style)


def _lit(cue: Cue, number: int, style: Style) -> list[str]:
    """Write a cue's lines with one word in another colour, found by counting letters: lines may break anywhere."""
    letters = [sum(not each.isspace() for each in word) for _, word in cue.said]
    low = sum(letters[:number])
    high = low + letters[number]
    on, off = f"{{\\1c{_colour(style.lit)}}}", f"{{\\1c{_colour(style.ink)}}}"
    count, shown = 0, []
    for line in cue.lines:
        parts = ["", "", ""]
        for each in " ".join(line.split()):
            place = 0 if count < low else 1 if count < high else 2
            if each.isspace() and place == 1 and count == low:
                place = 0
            parts[place] += each
            count += not each.isspace()
        before, within, after = (escaped(part, flat=False) for part in parts)
        shown.append(f"{before}{on}{within}{off}{after}" if within else before + after)
    return shown


def edge(frame: int, rate: Fraction, slow: int = 1) -> str:
    """Write the middle between a frame and the one before it as ``H:MM:SS.cc``; 0 for the first frame."""
    hundredths = max(0, round_half_up((frame - Fraction(1, 2)) / rate * 100 * slow))
    rest, hundredths = divmod(hundredths, 100)
    rest, seconds = divmod(rest, 60)
    hours, minutes = divmod(rest, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}.{hundredths:02d}"


def escaped(text: str, *, flat: bool = True) -> str:
    """Write a text so that none of it is read as an override or a line end; ``flat`` evens its spaces."""
    if flat:
        text = " ".join(text.split())
    return text.replace("\\", "∖").replace("{", "\\{").replace("}", "\\}")


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _colour(text: str) -> str:
    red, green, blue = text[1:3], text[3:5], text[5:7]
    return f"&H00{blue}{green}{red}".upper()
