"""The review as plain toggles, a row a range, where the editor's own script cannot be drawn."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from cutbook.html import escape
from cutbook.notebook.review.exchange import Exchange
from cutbook.notebook.review.plain import MARKS
from cutbook.notebook.review.showing import DRAWN
from cutbook.timebase import decimals

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cutbook.notebook.review.board import Document
    from cutbook.project import Project

MOST = 200
"""Rows that are drawn; the ranges after them are decided by number."""

_VIEW = "toggles"
_WIDE = "3.2em"
"""A sign and what a front end keeps free on both sides of it."""

_VERBS = {"accepted": "accept", "rejected": "reject", "undecided": "undecided"}


class Toggles:
    """Rows of toggles that speak with the kernel as a view does; ``box`` is what is shown."""

    def __init__(self, project: Project, *, version: int | None = None) -> None:
        import ipywidgets

        self._made = ipywidgets
        self._board: Document = {"ranges": [], "version": 0}
        self._rows: dict[str, tuple[Any, Any]] = {}
        self._drawing = False
        self._count = 0
        self._said = ipywidgets.HTML()
        self._undo = ipywidgets.Button(description="Undo", tooltip="Take the last change back")
        self._undo.on_click(lambda _button: self._do({"verb": "undo"}))
        self._list = ipywidgets.VBox()
        self.box = ipywidgets.VBox([ipywidgets.HBox([self._undo, self._said]), self._list])
        self.box.add_class(DRAWN)
        self.exchange = Exchange(project, self._told, version=version)
        self.exchange.heard({"type": "hello", "view": _VIEW})

    @property
    def model_id(self) -> str:
        """The name by which a front end knows what is shown."""
        name: str = self.box.model_id
        return name

    def follow(self, then: Callable[[], None]) -> None:
        """Call ``then`` after each change."""
        self.exchange.then = then

    def close(self) -> None:
        """Leave the page."""
        self.exchange.close()
        self.box.close()

    def _do(self, change: Document) -> None:
        self._count += 1
        message = {"type": "do", "view": _VIEW, "id": self._count, "base": self._board["version"]}
        self.exchange.heard(message | {"change": change})

    def _told(self, content: Document, _buffers: Sequence[bytes]) -> None:
        if content["type"] not in {"board", "ack", "changed"}:
            return
        self._board = content["board"]
        self._draw()
        self._said.value = escape(content.get("error") or self._board["locked"] or self._sentence())

    def _sentence(self) -> str:
        ranges = self._board["ranges"]
        undecided = sum(each["status"] == "undecided" for each in ranges)
        left = f"; {len(ranges) - MOST} more are decided by %review accept N" if len(ranges) > MOST else ""
        return f"{len(ranges)} ranges, {undecided} undecided{left}"

    def _draw(self) -> None:
        shown = self._board["ranges"][:MOST]
        self._drawing = True
        try:
            rows = dict.fromkeys(each["id"] for each in shown)
            if list(rows) != list(self._rows):
                self._rows = {id_: self._rows.get(id_) or self._row(id_) for id_ in rows}
                self._list.children = [self._made.HBox(list(pair)) for pair in self._rows.values()]
            for number, each in enumerate(shown, 1):
                toggle, label = self._rows[each["id"]]
                toggle.value = each["status"]
                toggle.disabled = bool(self._board["locked"])
                label.value = self._label(number, each)
            self._undo.disabled = not self._board["undo"]
        finally:
            self._drawing = False

    def _row(self, id_: str) -> tuple[Any, Any]:
        options = [(MARKS[status], status) for status in ("accepted", "undecided", "rejected")]
        toggle = self._made.ToggleButtons(
            options=options, value="undecided", style={"button_width": _WIDE}, tooltips=list(_VERBS)
        )
        toggle.observe(lambda change: self._decide(id_, change["new"]), "value")
        return toggle, self._made.HTML()

    def _decide(self, id_: str, status: str) -> None:
        if not self._drawing:
            self._do({"verb": _VERBS[status], "ranges": [id_]})

    def _label(self, number: int, each: Document) -> str:
        take = self._board["takes"][each["take"]]
        frames = each["frames"][1] - each["frames"][0]
        length = decimals(Fraction(frames * take["rate"][1], take["rate"][0]))
        quote = escape(each["quote"])
        words = f"<s>{quote}</s>" if each["status"] == "rejected" else quote
        told = " · ".join(
            escape(part) for part in (number, each["beat"], each["take"], f"{length} s") if part
        )
        # Once, where the decision has the same reason as the line.
        reason = "; ".join(dict.fromkeys(filter(None, (each["problem"], each["reason"], each["why"]))))
        return f"{told}&ensp;{words}{f'&ensp;<i>{escape(reason)}</i>' if reason else ''}"
