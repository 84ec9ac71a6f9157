"""The review without a browser's help: a table with a picture at each cut, and the same as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutbook.edit import told
from cutbook.html import Markup, escape, picture, plain_table, table
from cutbook.timebase import clock, decimals

if TYPE_CHECKING:
    from collections.abc import Callable

    from cutbook.edit.edl import Edl, Range

MARKS = {"accepted": "✓", "rejected": "✗", "undecided": "·"}
_COLOURS = {"accepted": "#2e7d4f", "rejected": "#b3403a", "undecided": "#8a8a8a"}
_PICTURE = 72


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


def html_review(edl: Edl, jpeg: Callable[[Range, str], bytes | None]) -> str:
    """Write the review as HTML; ``jpeg`` gives the picture at a range's ``in`` or ``out``, or None."""
    rows = []
    more = [told.how(each) for each in edl.ranges]
    for number, (each, how) in enumerate(zip(edl.ranges, more, strict=True), 1):
        mark = Markup(
            f'<b style="color:{_COLOURS[each.status]}" title="{each.status}">{MARKS[each.status]}</b>'
        )
        words = f"<s>{escape(each.quote)}</s>" if each.status == "rejected" else escape(each.quote)
        shown = _shots(each, number, jpeg)
        also = (how,) if any(more) else ()
        rows.append(
            (mark, number, shown, each.beat, each.source, _span(each), Markup(words), *also, _why(each))
        )
    also = ("how",) if any(more) else ()
    head = ("", "#", "first and last frame", "beat", "take", "range", "words", *also, "why")
    over = table(told.OVER, told.over(edl), numbers=(1, 2)) if edl.overlays else ""
    return f"<p><b>{escape(summary(edl))}</b></p>" + table(head, rows, numbers=(1,)) + over


def _shots(each: Range, number: int, jpeg: Callable[[Range, str], bytes | None]) -> Markup:
    found = [(edge, jpeg(each, edge)) for edge in ("in", "out")]
    shots = [picture(data, alt=f"range {number}, {edge}", height=_PICTURE) for edge, data in found if data]
    return Markup(f'<span style="white-space:nowrap">{"&nbsp;".join(shot.text for shot in shots)}</span>')


def _why(each: Range) -> str:
    """Give why it cannot be rendered, its reason, and that of the decision on it where it is another."""
    said = str(each.extra.get("why") or "")
    reasons = (each.problem, each.reason, said if said != each.reason else "")
    return "; ".join(reason for reason in reasons if reason)


def _span(each: Range) -> str:
    return f"{decimals(each.start)}-{decimals(each.end)}"
