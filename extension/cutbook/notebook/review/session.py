"""The review of a cut list: a person's decisions, and the ways in which it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cutbook.edit import versions
from cutbook.errors import CutbookError, EdlError
from cutbook.html import paragraph
from cutbook.memory.commands import marked
from cutbook.notebook.review.clips import cut_picture
from cutbook.notebook.review.exchange import locked
from cutbook.notebook.review.plain import html_review, text_review
from cutbook.notebook.review.room import room
from cutbook.notebook.review.showing import Still, in_notebook, show, view_of
from cutbook.results import Edited

if TYPE_CHECKING:
    from cutbook.edit.decide import Which
    from cutbook.edit.edl import Edl, Range
    from cutbook.project import Project

_PICTURES = 1000
"""Pictures of cuts that a review keeps at the most, a few kilobytes each."""


class Review:
    """Every range of the cut list with its words and its picture; decisions go through :class:`~cutbook.Project`.

    Shows as a widget in a notebook, with a table for where no script runs, and as text elsewhere. ``version`` looks at
    an earlier cut list, on which nothing can be decided; with ``still`` it shows as the table alone. ``ends`` says
    which written decisions end with what was decided last.
    """

    def __init__(self, project: Project, *, version: int | None = None, still: bool = False) -> None:
        self.project = project
        self.version = version
        self._still = still
        self._widget: Any = None
        self._pictures: dict[object, bytes | None] = {}
        self.below = Still(self)
        self.ends = ""
        self.edl  # noqa: B018 - an unknown version is said now, not when it is shown

    @property
    def number(self) -> int:
        """The number of the version under review, as ``%edl history`` counts."""
        return versions.current(self.project.edit) if self.version is None else self.version

    @property
    def edl(self) -> Edl:
        """The cut list under review, as it is now."""
        return self.project.edl if self.version is None else self.project.version(self.version)

    def accept(self, *which: Which, why: str = "") -> None:
        """Keep ranges, by their numbers from 1 or their ids.

        Raises:
            EdlError: no range has that number or id, or this looks at an earlier version.
        """
        self._do("accept", *which, why=why)

    def reject(self, *which: Which, why: str = "") -> None:
        """Leave ranges out of the film; they stay in the list.

        Raises:
            EdlError: no range has that number or id, or this looks at an earlier version.
        """
        self._do("reject", *which, why=why)

    def undecided(self, *which: Which, why: str = "") -> None:
        """Take a decision back.

        Raises:
            EdlError: no range has that number or id, or this looks at an earlier version.
        """
        self._do("undecided", *which, why=why)

    def undo(self) -> None:
        """Take the last change back.

        Raises:
            NothingToUndo: there is none.
        """
        self._do("undo")

    def redo(self) -> None:
        """Make the change again that was taken back last.

        Raises:
            NothingToUndo: there is none.
        """
        self._do("redo")

    def _do(self, verb: str, *which: Which, **more: str) -> None:
        """Do it, and let every open view of this project follow at once."""
        if self.version is not None:
            raise EdlError(locked(self.version))
        here = room(self.project.folder)
        with here.lock:
            done = getattr(self.project, verb)(*which, **more)
            self.ends = done.ends if isinstance(done, Edited) else ""
            here.changed(None, by="python")

    @property
    def widget(self) -> Any:
        """The widget of this review, made when it is first asked for; plain toggles where the editor cannot load.

        Raises:
            CutbookError: there is none: its script is missing, or ipywidgets is.
        """
        if self._widget is None:
            self._widget = self._made()
        return self._widget

    def _made(self) -> Any:
        from cutbook.notebook.review.widget import review_widget

        try:
            return review_widget(self.project, version=self.version)
        except ImportError:
            from cutbook.notebook.review.toggles import Toggles

        try:
            return Toggles(self.project, version=self.version)
        except ImportError as error:
            msg = f"the review cannot be drawn here ({error}); pip install anywidget"
            raise CutbookError(msg) from error

    def __repr__(self) -> str:
        """Write the review for a terminal."""
        return "\n".join(filter(None, (self.ends, text_review(self.edl))))

    def html(self, *, patience: float | None = None) -> str:
        """Write the review as a table with pictures; none is begun after ``patience`` seconds."""
        takes = self.project.takes
        if len(self._pictures) > _PICTURES:
            self._pictures.clear()

        def jpeg(piece: Range, edge: str) -> bytes | None:
            take = takes.get(piece.source)
            if take is None or piece.problem:
                return None
            # Known by what it shows: a copy that was made meanwhile gives the same picture.
            key = take.fingerprint.short, piece.frames[0 if edge == "in" else 1], edge
            found = self._pictures.get(key)
            if found is None:
                found = self._pictures[key] = cut_picture(self.project, takes, piece, edge)
            return found

        said = paragraph(marked(self.ends), bold=True) if self.ends else ""
        return said + html_review(self.edl, jpeg, patience=patience)

    def _repr_html_(self) -> str:
        return self.html()

    def _repr_mimebundle_(self, **_options: object) -> dict[str, object]:
        bundle: dict[str, object] = {"text/plain": repr(self), "text/html": self._repr_html_()}
        if self._still or not in_notebook():
            return bundle
        try:
            return bundle | view_of(self.widget)
        except CutbookError:
            return bundle

    def _ipython_display_(self) -> None:
        if self._still or not in_notebook():
            raise NotImplementedError  # IPython then asks for the bundle
        show(self)
