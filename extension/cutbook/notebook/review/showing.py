"""How a review comes onto the page: the view that a browser draws, and below it what stays when there is none.

They are two outputs, since a front end that finds no kernel for a view shows an error in its place and none of the
other forms of that output. Where the view is drawn, its style hides the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cutbook.errors import CutbookError
from cutbook.html import paragraph

if TYPE_CHECKING:
    from cutbook.notebook.review.session import Review

MIME = "application/vnd.jupyter.widget-view+json"

STILL = "cutbook-still"
"""The class of the review without a script."""


def in_notebook() -> bool:
    """Tell whether there is a front end that may draw a widget."""
    from IPython.core.getipython import get_ipython

    return getattr(get_ipython(), "kernel", None) is not None


def view_of(widget: Any) -> dict[str, object]:
    """Give what makes a front end draw a view of a widget."""
    return {MIME: {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}}


def show(review: Review) -> None:
    """Show a review in a notebook."""
    from IPython.display import display

    problem = ""
    try:
        drawn = view_of(review.widget) | {"text/plain": "The cut review; the table below says the same."}
        display(drawn, raw=True)  # type: ignore[no-untyped-call] # IPython's own
    except CutbookError as error:
        problem = paragraph(str(error))
    page = f'<div class="{STILL}">{problem}{review._repr_html_()}</div>'
    display({"text/html": page, "text/plain": repr(review)}, raw=True)  # type: ignore[no-untyped-call]
