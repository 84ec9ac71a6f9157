"""``%memory persist`` where a browser is: the drafted section as a form, to change before it is kept.

Each line of a field is an item. A line that is changed keeps what its item is anchored on, one that is taken out is not
written, and what happened since the form was drawn is kept with it.
"""

from __future__ import annotations

import secrets
import threading
from dataclasses import replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from cutbook.errors import CutbookError
from cutbook.html import escape, paragraph
from cutbook.memory.bullets import Item
from cutbook.memory.draft import Draft, lines
from cutbook.memory.marks import Kind, Mark, new_id
from cutbook.notebook.review.showing import DRAWN, in_notebook, publish, still, view_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cutbook.memory.entries import Section
    from cutbook.memory.verbs import Memory

FIELDS: Mapping[str, Kind] = {"decisions": "d", "reasoning": "r", "outstanding": "o"}
"""The fields of items, and the kind of an item that is added to each."""

_LABELS = {"decisions": "Decisions", "reasoning": "Reasoning", "outstanding": "Outstanding"}
_TICK = "[x] "
_SAME = 60.0
"""Likeness, 0 to 100, from which a line is another one changed, and not one of its own."""


def form(memory: Memory) -> PersistForm | None:
    """Draft the section of the open session as a form; None when nothing happened."""
    drafted = memory.draft()
    return PersistForm(memory, drafted) if drafted is not None else None


class PersistForm:
    """The form of one section. Until it is saved nothing is written, and the session stays open."""

    def __init__(self, memory: Memory, drafted: Draft) -> None:
        self.memory = memory
        self.drafted = drafted
        self.section: Section | None = None
        self._lock = threading.Lock()
        self._open = True
        self._name = secrets.token_hex(8)
        self._widgets: dict[str, Any] = {}

    # ---- what a person does

    def save(self, strategy: str, fields: Mapping[str, str]) -> str:
        """Keep the section with the fields as they are now, and say so.

        Raises:
            CutbookError: it could not be written; the form stays as it is.
        """
        with self._lock:
            if not self._open:
                return self._ending()
            shown = {name: shown_lines(getattr(self.drafted, name)) for name in FIELDS}

            def revise(now: Draft) -> None:
                now.strategy = " ".join(strategy.split()) or now.strategy
                for name, kind in FIELDS.items():
                    setattr(now, name, revised(getattr(now, name), shown[name], lines(fields[name]), kind))

            self.section = self.memory.persist(revise=revise)
            self._open = False
            return self._ending()

    def discard(self) -> str:
        """Write nothing."""
        with self._lock:
            self._open = False
            return self._ending()

    def _ending(self) -> str:
        if self.section is not None:
            return f"Session {self.section.number} is kept in edit/project.md."
        return "Nothing was written; the session stays open, and %memory persist asks again."

    # ---- how it is shown

    def __repr__(self) -> str:
        """Write the section as it would stand or stands in the file."""
        head = self._ending() if not self._open else "Not kept yet: Save keeps it, or %memory persist --now."
        if not self._open and self.section is None:
            return head
        return f"{head}\n\n{self.section.text() if self.section else self.drafted.text()}"

    def _repr_markdown_(self) -> str:
        return repr(self)

    def _repr_mimebundle_(self, **_options: object) -> dict[str, object]:
        bundle: dict[str, object] = {"text/plain": repr(self), "text/markdown": self._repr_markdown_()}
        return bundle | view_of(self.widget) if self._open else bundle

    def _ipython_display_(self) -> None:
        if not (self._open and in_notebook()):
            raise NotImplementedError  # IPython then asks for the bundle
        view = view_of(self.widget) | {"text/plain": "The session as a form; what follows says the same."}
        publish(view, display_id=self._name)
        page = (
            paragraph("Not kept yet")
            + f'<pre style="white-space:pre-wrap">{escape(self.drafted.text())}</pre>'
        )
        publish({"text/html": still(page), "text/plain": repr(self)}, display_id=f"{self._name}-still")

    @property
    def widget(self) -> Any:
        """The form's widgets, made when they are first asked for."""
        if not self._widgets:
            self._widgets = self._made()
        return self._widgets["form"]

    def _made(self) -> dict[str, Any]:
        import ipywidgets

        wide = ipywidgets.Layout(width="auto")
        made: dict[str, Any] = {
            "strategy": ipywidgets.Text(self.drafted.strategy, description="Strategy", layout=wide)
        }
        for name, label in _LABELS.items():
            text = "\n".join(shown_lines(getattr(self.drafted, name)))
            rows = min(10, max(2, sum(1 + len(line) // 90 for line in text.splitlines())))
            made[name] = ipywidgets.Textarea(text, description=label, rows=rows, layout=wide)
        made["save"] = ipywidgets.Button(
            description="Save", button_style="primary", tooltip="Append this session to edit/project.md"
        )
        made["discard"] = ipywidgets.Button(
            description="Discard", tooltip="Write nothing; the session stays open"
        )
        title = (
            f"<b>Session {self.drafted.number}</b> as it will stand in edit/project.md; a line is an item."
        )
        made["said"] = ipywidgets.HTML("Not kept yet.")
        made["save"].on_click(lambda _button: self._pressed(save=True))
        made["discard"].on_click(lambda _button: self._pressed(save=False))
        row = ipywidgets.HBox([made["save"], made["discard"], made["said"]])
        fields = [made["strategy"], *(made[name] for name in FIELDS)]
        made["form"] = ipywidgets.VBox([ipywidgets.HTML(title), *fields, row], layout=wide)
        made["form"].add_class(DRAWN)
        return made

    def _pressed(self, *, save: bool) -> None:
        made = self._widgets
        try:
            fields = {name: str(made[name].value) for name in FIELDS}
            said = self.save(str(made["strategy"].value), fields) if save else self.discard()
        except CutbookError as error:
            made["said"].value = escape(str(error))
            return
        except Exception as error:  # noqa: BLE001 - said in the form, since no cell is there to say it
            made["said"].value = escape(f"{type(error).__name__}: {error}")
            return
        made["said"].value = escape(said)
        for name in ("strategy", *FIELDS, "save", "discard"):
            made[name].disabled = True
        # What a message's handler may not do itself: the output becomes what a saved notebook shows.
        if in_notebook():
            threading.Thread(target=self._settle, name="cutbook-persist", daemon=True).start()

    def _settle(self) -> None:
        publish(self._repr_mimebundle_(), display_id=self._name, update=True)
        publish({"text/html": "", "text/plain": ""}, display_id=f"{self._name}-still", update=True)
        self._widgets["form"].close()


def shown_lines(items: Sequence[Item]) -> list[str]:
    """Write items as a person changes them: a line each."""
    return [f"{_TICK if item.ticked else ''}{item.text}" for item in items]


def revised(items: Sequence[Item], shown: Sequence[str], wanted: Sequence[str], kind: Kind) -> list[Item]:
    """Give a field's items as they were changed from the lines ``shown`` to the lines ``wanted``.

    What is in ``items`` and was not shown came since, and stays at the end.
    """
    waiting = dict[str, list[Item]]()
    for item, line in zip(items, shown_lines(items), strict=True):
        waiting.setdefault(line, []).append(item)
    found: list[Item] = []
    for _, first, end, begin, stop in SequenceMatcher(None, shown, wanted, autojunk=False).get_opcodes():
        old = [(line, waiting[line].pop(0)) for line in shown[first:end] if waiting.get(line)]
        for line in wanted[begin:stop]:
            near = max(old, key=lambda pair: _likeness(pair[0], line), default=None)
            if near is not None and _likeness(near[0], line) >= _SAME:
                old.remove(near)
                made = near[1]
            else:
                made = Item("", Mark(new_id(kind)), ticked=kind == "o")
            ticked = made.ticked and line.startswith(_TICK)
            found.append(replace(made, text=line.removeprefix(_TICK), ticked=ticked))
    return found + [item for left in waiting.values() for item in left]


def _likeness(one: str, other: str) -> float:
    from rapidfuzz import fuzz

    return fuzz.ratio(one.removeprefix(_TICK), other.removeprefix(_TICK))
