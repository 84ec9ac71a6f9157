"""Small pieces of HTML for the ``_repr_html_`` of values: tables, pictures, a video. Everything is escaped here."""

from __future__ import annotations

import base64
import html
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_CELL = "padding:4px 10px;text-align:{};vertical-align:top;"
_TABLE = "border-collapse:collapse;font-size:13px;margin:4px 0;"
_SHORT = 20
_DIM = "opacity:.65;font-weight:normal;"


@dataclass(frozen=True, slots=True)
class Markup:
    """HTML that is safe as it stands; every other value is escaped."""

    text: str


def escape(value: object) -> str:
    """Write any value as HTML text; :class:`Markup` passes as it is."""
    return value.text if isinstance(value, Markup) else html.escape(str(value))


def paragraph(value: object, *, dim: bool = False, bold: bool = False) -> str:
    """Write one paragraph."""
    style = (_DIM if dim else "") + ("font-weight:600;" if bold else "")
    return f'<p style="margin:4px 0;{style}">{escape(value)}</p>'


def table(head: Sequence[str], rows: Iterable[Sequence[object]], *, numbers: Sequence[int] = ()) -> str:
    """Write a table; columns whose place is in ``numbers`` stand right-aligned."""
    align = ["right" if place in numbers else "left" for place in range(len(head))]
    top = "".join(
        f'<th style="{_CELL.format(a)}{_DIM}">{escape(h)}</th>' for h, a in zip(head, align, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(
            f'<td style="{_CELL.format(a)}{_unbroken(v)}">{escape(v)}</td>'
            for v, a in zip(row, align, strict=True)
        )
        + "</tr>"
        for row in rows
    )
    return f'<table style="{_TABLE}"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>'


def _unbroken(value: object) -> str:
    """Keep what is short, such as a range or a name, in one line: browsers break it at its dash."""
    return "white-space:nowrap;" if not isinstance(value, Markup) and len(str(value)) <= _SHORT else ""


def picture(data: bytes, *, alt: str, height: int | None = None, kind: str = "jpeg") -> Markup:
    """Write a picture into the page itself, so that a saved notebook keeps it; ``height`` in pixels."""
    code = base64.b64encode(data).decode()
    source = f"data:image/{kind};base64,{code}"
    # Notebooks set `height:auto; max-width:100%` on every picture, which only a style of its own undoes.
    size = f"height:{height}px;width:auto;max-width:none" if height else "max-width:100%"
    return Markup(f'<img src="{source}" alt="{html.escape(alt)}" style="{size};border-radius:3px">')


def plain_table(head: Sequence[str], rows: Iterable[Sequence[object]], *, numbers: Sequence[int] = ()) -> str:
    """Write a table as text in columns, for terminals and headless runs."""
    lines = [[str(h) for h in head], *([str(v) for v in row] for row in rows)]
    widths = [max(columns(line[place]) for line in lines) for place in range(len(head))]
    return "\n".join(
        "  ".join(
            _filled(text, width, right=place in numbers)
            for place, (text, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def columns(text: str) -> int:
    """Count the columns of a text in a terminal: two for a wide character, none for a combining one."""
    return sum(
        0 if unicodedata.combining(each) else 2 if unicodedata.east_asian_width(each) in "WF" else 1
        for each in text
    )


def _filled(text: str, width: int, *, right: bool) -> str:
    space = " " * (width - columns(text))
    return space + text if right else text + space
