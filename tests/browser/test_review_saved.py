"""The notebook that is saved while somebody decides, and what is read in it later."""

from __future__ import annotations

from pathlib import Path

import pytest
from nbconvert import HTMLExporter

from tests.browser.conftest import OpenNotebook
from tests.browser.pages import NotebookPage
from tests.browser.reviewing import OPEN, ReviewView, launch, notebook

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(400)]


def exported(page: NotebookPage) -> str:
    """Save the notebook and convert it."""
    text: str
    text, _ = HTMLExporter().from_notebook_node(page.save())  # type: ignore[no-untyped-call] # nbconvert's own
    return text


def test_a_saved_notebook_shows_what_was_decided_in_the_view(desk: Path, open_notebook: OpenNotebook) -> None:
    """Exported, it has the decisions, wherever the review is shown.

    A page that was loaded anew lets nothing be written below a review from before; that says as of when it is.
    """
    launch(desk / "launch")
    page = open_notebook(notebook(desk / "cut.ipynb", OPEN, "review = %review\nreview", "review"))
    for cell in range(3):
        page.run(cell)
    view = ReviewView.of(page, 1)
    view.focus().press("a", "r").settled()
    html = ""
    for _again in range(10):
        view.page.wait_for_timeout(2000)
        html = exported(page)
        if html.count("1 accepted, 1 rejected") == 2:
            break
    assert html.count("1 accepted, 1 rejected") == 2
    assert html.count("As of version 3, ") == 2
    page.reload()
    view = ReviewView.of(page, 1)
    view.focus().press("ArrowDown", "ArrowDown", "a").settled()
    view.page.wait_for_timeout(4000)
    html = exported(page)
    assert (html.count("2 accepted, 1 rejected"), html.count("As of version 3, ")) == (0, 2)
    page.run(1)
    html = exported(page)
    assert (html.count("2 accepted, 1 rejected"), html.count("As of version 4, ")) == (1, 1)
