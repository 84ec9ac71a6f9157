"""The review without a browser's help: a table with a picture at each cut, and the same as text."""

from __future__ import annotations

import io
import time
from functools import lru_cache
from typing import TYPE_CHECKING

from cutbook.edit import told
from cutbook.html import Markup, escape, paragraph, picture, plain_table, table
from cutbook.memory.text import shorten
from cutbook.timebase import clock, decimals

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cutbook.edit.edl import Edl, Range

MARKS = {"accepted": "✓", "rejected": "✗", "undecided": "·"}
_COLOURS = {"accepted": "#2e7d4f", "rejected": "#b3403a", "undecided": "#8a8a8a"}
EDGES = ("in", "out")
MOST = 400_000
"""Characters of the page, a few hundred ranges and their pictures included."""

_PICTURE = 72
_FEW, _LONG = 16, 100
_QUOTE, _QUALITY = 120, 70


def summary(edl: Edl) -> str:
    """Say how far the review is, in one line."""
    count = {status: sum(1 for each in edl.ranges if each.status == status) for status in MARKS}
    ranges = f"{len(edl.ranges)} range{'s' if len(edl.ranges) != 1 else ''}"
    return ", ".join(
        [
            f"{ranges}, {clock(edl.duration)} kept: {count['accepted']} accepted",
            f"{count['rejected']} rejected",
            f"{count['undecided']} undecided",
            *told.film(edl),
        ]
    )


def text_review(edl: Edl) -> str:
    """Write the review as a table in text."""
    more = [told.how(each) for each in edl.ranges]
    rows = [
        (MARKS[r.status], n, r.beat, r.source, _span(r), r.quote, *((how,) if any(more) else ()), _why(r))
        for n, (r, how) in enumerate(zip(edl.ranges, more, strict=True), 1)
    ]
    head = ("", "#", "beat", "take", "range", "words", *(("how",) if any(more) else ()), "why")
    over = f"\n\n{plain_table(told.OVER, told.over(edl), numbers=(1, 2))}" if edl.overlays else ""
    return f"{summary(edl)}\n{plain_table(head, rows, numbers=(1,))}{over}"


def html_review(
    edl: Edl,
    jpeg: Callable[[Range, str], bytes | None],
    *,
    most: int = MOST,
    patience: float | None = None,
) -> str:
    """Write the review as HTML; ``jpeg`` gives the picture at a range's ``in`` or ``out``, or None.

    Pictures are there as long as the page stays below ``most`` characters and none is begun after ``patience`` seconds:
    first those of the in points. A line says so where some are missing.
    """
    long = len(edl.ranges) > _LONG
    bare = _page(edl, {}, long=long)
    shots, without = _shots(edl, jpeg, room=max(most - len(bare), most // 4), patience=patience)
    note = f"Pictures stand at {len(edl.ranges) - without} of {len(edl.ranges)} ranges." if without else ""
    return _page(edl, shots, long=long) + (paragraph(note, dim=True) if note else "")


def _page(edl: Edl, shots: Mapping[tuple[int, str], Markup], *, long: bool) -> str:
    rows: list[tuple[object, ...]] = []
    more = [told.how(each) for each in edl.ranges]
    for number, (each, how) in enumerate(zip(edl.ranges, more, strict=True), 1):
        mark = f'<b style="color:{_COLOURS[each.status]}" title="{each.status}">{MARKS[each.status]}</b>'
        quote = escape(shorten(each.quote, _QUOTE) if long else each.quote)
        words = f"<s>{quote}</s>" if each.status == "rejected" else quote
        found = [shots[number, edge].text for edge in EDGES if (number, edge) in shots]
        shown = f'<span style="white-space:nowrap">{"&nbsp;".join(found)}</span>' if found else ""
        head = (Markup(mark), number, Markup(shown), each.beat, each.source, _span(each), Markup(words))
        rows.append((*head, *((how,) if any(more) else ()), _why(each)))
    also = ("how",) if any(more) else ()
    names = ("", "#", "first and last frame", "beat", "take", "range", "words", *also, "why")
    over = table(told.OVER, told.over(edl), numbers=(1, 2)) if edl.overlays else ""
    made = _lean(names, rows) if long else table(names, rows, numbers=(1,))
    return f"<p><b>{escape(summary(edl))}</b></p>{made}{over}"


def _lean(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Write a table whose cells carry no more style than they need: of hundreds of rows that is most of the page."""
    top = "".join(f"<th>{escape(name)}</th>" for name in head)
    left = 'style="text-align:left"'
    body = "".join(
        "<tr>"
        + "".join(f"<td {left}>{text}</td>" if text else "<td></td>" for text in map(escape, row))
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _shots(
    edl: Edl, jpeg: Callable[[Range, str], bytes | None], *, room: int, patience: float | None
) -> tuple[dict[tuple[int, str], Markup], int]:
    """Give the pictures that there is room and time for, and how many ranges have none for want of it."""
    found: dict[tuple[int, str], Markup] = {}
    started, used = time.monotonic(), 0
    small = len(edl.ranges) > _FEW
    wanted = [(number, edge, each) for edge in EDGES for number, each in enumerate(edl.ranges, 1)]
    for place, (number, edge, each) in enumerate(wanted):
        late = patience is not None and time.monotonic() - started > patience
        if late or used >= room:
            return found, max(0, len(edl.ranges) - place)
        data = jpeg(each, edge)
        if data is None:
            continue
        shot = picture(_smaller(data) if small else data, alt=f"range {number}, {edge}", height=_PICTURE)
        used += len(shot.text)
        found[number, edge] = shot
    return found, 0


@lru_cache(maxsize=512)
def _smaller(data: bytes) -> bytes:
    """Write a picture anew at the size at which it is shown."""
    from PIL import Image

    with Image.open(io.BytesIO(data)) as opened:
        width = max(1, round(opened.width * _PICTURE / opened.height))
        buffer = io.BytesIO()
        opened.convert("RGB").resize((width, _PICTURE)).save(buffer, "JPEG", quality=_QUALITY)
    return buffer.getvalue()


def _why(each: Range) -> str:
    """Give why it cannot be rendered, its reason, and that of the decision on it where it is another."""
    return "; ".join(filter(None, [each.problem, told.why(each)]))


def _span(each: Range) -> str:
    return f"{decimals(each.start)}-{decimals(each.end)}"
