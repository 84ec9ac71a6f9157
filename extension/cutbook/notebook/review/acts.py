"""What a view asks for as the verb of :class:`~cutbook.Project` that does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutbook.edit import versions
from cutbook.errors import InputError
from cutbook.notebook.review.deeds import deed
from cutbook.results import Edited

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cutbook.edit.edl import Edl
    from cutbook.project import Project


def act(project: Project, change: object) -> tuple[Edl | None, str]:
    """Do a change; give the cut list as it then is, where the verb gives it, and a sentence for people.

    Raises:
        InputError: it is no change that a view can ask for.
        EdlError, NothingToUndo: it cannot be made.
    """
    asked = _Asked(change)
    verb = _VERBS.get(asked.text("verb"))
    if verb is None:
        msg = f"{asked.text('verb')!r} is no change of a cut list; run %review again"
        raise InputError(msg)
    edl, said = verb(project, asked)
    ends = edl.ends if isinstance(edl, Edited) else ""
    return edl, "; ".join(filter(None, (said, ends)))


class _Asked:
    """A message's values, each checked as it is taken."""

    def __init__(self, values: object) -> None:
        self._values: Mapping[str, object] = values if isinstance(values, dict) else {}

    def _wrong(self, name: str, wanted: str) -> InputError:
        return InputError(f"{name} wants {wanted}, not {self._values.get(name)!r}; run %review again")

    def text(self, name: str, *, without: str | None = None) -> str:
        found = self._values.get(name, without)
        if not isinstance(found, str):
            raise self._wrong(name, "a text")
        return found

    @property
    def why(self) -> str:
        return " ".join(self.text("why", without="").split())

    def texts(self, name: str) -> list[str]:
        found = self._values.get(name)
        if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
            raise self._wrong(name, "a list of texts")
        return found

    def whole(self, name: str) -> int:
        found = self._values.get(name)
        if isinstance(found, bool) or not isinstance(found, int | float) or found != int(found):
            raise self._wrong(name, "a whole number")
        return int(found)

    def pair(self, name: str) -> tuple[int, int]:
        found = self._values.get(name)
        numbers = [each for each in found if isinstance(each, int)] if isinstance(found, list) else []
        if len(numbers) != 2:
            raise self._wrong(name, "two whole numbers")
        return numbers[0], numbers[1]

    def number(self, name: str) -> float | None:
        found = self._values.get(name)
        if found is not None and (isinstance(found, bool) or not isinstance(found, int | float)):
            raise self._wrong(name, "a number")
        return found

    def flag(self, name: str) -> bool:
        return self._values.get(name) is True

    def some(self, name: str) -> str | None:
        return None if self._values.get(name) is None else self.text(name)


def _chosen(asked: _Asked) -> list[str]:
    ranges = asked.texts("ranges")
    if not ranges:
        msg = "no range is chosen, so nothing was changed"
        raise InputError(msg)
    return ranges


def _decide(project: Project, asked: _Asked) -> tuple[Edl | None, str]:
    ranges = _chosen(asked)
    decide = {"accept": project.accept, "reject": project.reject, "undecided": project.undecided}
    return decide[asked.text("verb")](*ranges, why=asked.why), ""


def _trim(project: Project, asked: _Asked) -> tuple[Edl | None, str]:
    edl = project.trim(
        asked.text("range"),
        edge=asked.text("edge"),
        frame=asked.whole("frame"),
        exact=asked.flag("exact"),
        why=asked.why,
    )
    return edl, ""


def _cut(project: Project, asked: _Asked) -> tuple[Edl | None, str]:
    first, last = asked.pair("words")
    return project.cut_words(asked.text("range"), first, last, why=asked.why), ""


def _restore(project: Project, asked: _Asked) -> tuple[Edl | None, str]:
    first, last = asked.pair("words")
    return project.restore_words(asked.text("take"), first, last, why=asked.why), ""


def _split(project: Project, asked: _Asked) -> tuple[Edl | None, str]:
    return project.split(asked.text("range"), frame=asked.whole("frame"), why=asked.why), ""


def _merge(project: Project, asked: _Asked) -> tuple[Edl | None, str]:
    return project.merge(asked.text("range"), why=asked.why), ""


def _move(project: Project, asked: _Asked) -> tuple[Edl | None, str]:
    return project.move(*_chosen(asked), before=asked.some("before"), why=asked.why), ""


def _swap(project: Project, asked: _Asked) -> tuple[Edl | None, str]:
    first, last = asked.pair("words")
    return project.swap(asked.text("range"), asked.text("take"), first, last, why=asked.why), ""


def _why(project: Project, asked: _Asked) -> tuple[Edl | None, str]:
    return project.reason(asked.text("range"), asked.why), ""


def _note(project: Project, asked: _Asked) -> tuple[Edl | None, str]:
    project.memory.note(asked.text("text"))
    return None, "noted"


def _tighten(project: Project, asked: _Asked) -> tuple[Edl | None, str]:
    ranges = _chosen(asked)
    done = project.tighten(
        *ranges,
        fillers=asked.flag("fillers"),
        pauses=asked.number("pauses"),
        keep=asked.number("keep"),
        why=asked.why,
    )
    count = len(done.removed)
    said = f"{count} place{'s' if count != 1 else ''} taken out" if count else "there was nothing to take out"
    return done.edl, said


def _undo(project: Project, _asked: _Asked) -> tuple[Edl | None, str]:
    project.look()  # what was edited by hand is what undo takes back
    before = versions.current(project.edit)
    edl = project.undo()
    if versions.current(project.edit) == before:
        return edl, f"version {before} is back"
    return edl, ": ".join(filter(None, ("undone", deed(project.edit, before))))


def _redo(project: Project, _asked: _Asked) -> tuple[Edl | None, str]:
    edl = project.redo()
    return edl, ": ".join(filter(None, ("done again", deed(project.edit, versions.current(project.edit)))))


_VERBS: Mapping[str, Callable[[Project, _Asked], tuple[Edl | None, str]]] = {
    "accept": _decide,
    "reject": _decide,
    "undecided": _decide,
    "trim": _trim,
    "cut": _cut,
    "restore": _restore,
    "split": _split,
    "merge": _merge,
    "move": _move,
    "swap": _swap,
    "why": _why,
    "note": _note,
    "tighten": _tighten,
    "undo": _undo,
    "redo": _redo,
}
