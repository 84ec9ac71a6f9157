"""The cutaway: two pages open side by side, one heavy, one light, each with its own clock."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from studio.canvas import Canvas, mixed
from studio.people import feather
from studio.picture import Frame, slate, stamp
from studio.script import Take

INK = "#3d3550"
PAPER = "#fffaf2"
HEAVY, LIGHT = "#d9694f", "#3f8a74"
START_S = 0.6
SLOW_S, FAST_S = 4.5, 0.75
SHOWN_SLOW_S, SHOWN_FAST_S = 6.0, 1.0


def frames(take: Take) -> Iterator[Frame]:
    """Yield the frames of the cutaway, RGB."""
    back = Canvas(take.size)
    back.wash("#efe3d6", "#f6ecdf")
    back.oval((640, 800), (820, 260), "#e5d3c2", alpha=0.8)
    for left in (118, 668):
        back.card((left + 4, 138), (494, 430), "#6b4b3a", radius=18, alpha=0.18, blur=12)
        back.card((left, 124), (494, 430), PAPER, radius=16)
        for index, fill in enumerate(("#e8a08f", "#efd08f", "#a8cdb4")):
            back.oval((left + 26 + index * 20, 148), (6, 6), fill)
        back.card((left + 92, 137), (376, 22), "#efe6da", radius=11)
    feather(back, (868, 622), 0.5, LIGHT)
    still = slate(back.finished().convert("RGB"), take=take, title="Cutaway", ink=INK)
    for index in range(round(take.silent_s * take.rate)):
        now = float(index / take.rate) - START_S
        picture = still.copy()
        for left, needed, shown, fill, name in (
            (118, SLOW_S, SHOWN_SLOW_S, HEAVY, "Before"),
            (668, FAST_S, SHOWN_FAST_S, LIGHT, "With Feather"),
        ):
            pane = _pane(min(max(now / needed, 0.0), 1.0), shown=shown, fill=fill, name=name)
            small = pane.finished()
            picture.paste(small, (left, 166), small)
        stamp(picture, take=take, index=index, ink=INK)
        yield np.asarray(picture)


def _pane(done: float, *, shown: float, fill: str, name: str) -> Canvas:
    canvas = Canvas((494, 520))
    canvas.card((24, 12), (446, 8), "#efe6da", radius=4)
    canvas.card((24, 12), (max(8.0, 446 * done), 8), fill, radius=4)
    blocks = (
        (24, 40, 446, 120),
        (24, 178, 300, 18),
        (24, 208, 446, 12),
        (24, 230, 446, 12),
        (24, 252, 250, 12),
        (24, 284, 138, 84),
        (178, 284, 138, 84),
        (332, 284, 138, 84),
    )
    for index, (x, y, w, h) in enumerate(blocks):
        share = min(max(done * (len(blocks) + 0.6) - index, 0.0), 1.0)
        eased = share * share * (3 - 2 * share)
        canvas.card((x, y), (w, h), "#f4ece1", radius=min(10, h / 2))
        if eased > 0:
            tone = mixed(fill, PAPER, 0.35 if index in (0, 5, 6, 7) else 0.62)
            canvas.card(
                (x, y), (max(h * 0.6, w * eased), h), mixed("#f4ece1", tone, eased), radius=min(10, h / 2)
            )
    canvas.text((24, 464), name, INK, style="bold", size=24)
    canvas.text((470, 464), f"{shown * done:.1f} s", fill, style="display", size=40, anchor="rs")
    return canvas
