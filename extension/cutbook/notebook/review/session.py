"""The review of a cut list: its state and a person's decisions, apart from any way to show it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutbook.notebook.review.static import html_review, text_review

if TYPE_CHECKING:
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

    def accept(self, *numbers: int, why: str = "") -> None:
        """Keep ranges, by their numbers from 1.

        Raises:
            EdlError: no range has that number.
        """
        self.project.accept(*numbers, why=why)

    def reject(self, *numbers: int, why: str = "") -> None:
        """Leave ranges out of the film; they stay in the list.

        Raises:
            EdlError: no range has that number.
        """
        self.project.reject(*numbers, why=why)

    def undecided(self, *numbers: int, why: str = "") -> None:
        """Take a decision back.

        Raises:
            EdlError: no range has that number.
        """
        self.project.undecided(*numbers, why=why)

    def __repr__(self) -> str:
        """Write the review for a terminal."""
        return text_review(self.edl)

    def _repr_html_(self) -> str:
        return html_review(self.edl, self.project.cut_picture)
