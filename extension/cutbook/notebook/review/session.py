"""The review of a cut list: its state and a person's decisions, apart from any way to show it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutbook.errors import EdlError
from cutbook.notebook.review.plain import html_review, text_review

if TYPE_CHECKING:
    from cutbook.edit.decide import Which
    from cutbook.edit.edl import Edl
    from cutbook.project import Project


class Review:
    """Every range of the cut list with its words and a picture; decisions go through :class:`~cutbook.Project`.

    Shows as a table with pictures in a notebook and as text elsewhere. ``version`` looks at an earlier cut list, on
    which nothing can be decided.
    """

    def __init__(self, project: Project, *, version: int | None = None) -> None:
        self.project = project
        self.version = version
        self.edl  # noqa: B018 - an unknown version is said now, not when it is shown

    @property
    def edl(self) -> Edl:
        """The cut list under review, as it is now."""
        return self.project.edl if self.version is None else self.project.version(self.version)

    def accept(self, *which: Which, why: str = "") -> None:
        """Keep ranges, by their numbers from 1 or their ids.

        Raises:
            EdlError: no range has that number or id, or this looks at an earlier version.
        """
        self._decided().accept(*which, why=why)

    def reject(self, *which: Which, why: str = "") -> None:
        """Leave ranges out of the film; they stay in the list.

        Raises:
            EdlError: no range has that number or id, or this looks at an earlier version.
        """
        self._decided().reject(*which, why=why)

    def undecided(self, *which: Which, why: str = "") -> None:
        """Take a decision back.

        Raises:
            EdlError: no range has that number or id, or this looks at an earlier version.
        """
        self._decided().undecided(*which, why=why)

    def _decided(self) -> Project:
        if self.version is not None:
            msg = f"this is version {self.version} of the cut list; decide on the one in force, with %review alone"
            raise EdlError(msg)
        return self.project

    def __repr__(self) -> str:
        """Write the review for a terminal."""
        return text_review(self.edl)

    def _repr_html_(self) -> str:
        return html_review(self.edl, self.project.cut_picture)
