"""How a review comes onto the page: the view that a browser draws, and below it what stays when there is none.

They are two outputs, since a front end that finds no kernel for a view shows an error in its place and none of the
other forms of that output. The other one's style hides it where the view is drawn, and the error where it is not. It
follows what is decided, so that a notebook that is saved and opened again shows that, and says as of when: a page that
was loaded anew takes no further form of an output that was there before.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
import weakref
from datetime import datetime
from typing import TYPE_CHECKING, Any

from cutbook.errors import CutbookError
from cutbook.html import paragraph
from cutbook.notebook.review.serving import before_a_browser

if TYPE_CHECKING:
    from cutbook.notebook.review.session import Review

MIME = "application/vnd.jupyter.widget-view+json"

DRAWN = "cutbook-review"
"""The class of every element that a browser draws a view into."""

STILL = "cutbook-still"
"""The class of the review without a script."""

PATIENCE = 3.0
"""Seconds that a cell waits for pictures; those that are missing then come later."""

CALM = 2.0
"""Seconds without a change after which the review without a script is written anew; more where that is long."""

LATEST = 5.0
"""Times as many seconds from a change to that at the latest, however fast others follow it."""

PACE = 40_000
"""Characters a second that are written anew in the long run: a browser takes them in while somebody edits."""

_LOOK = 0.2
_log = logging.getLogger(__name__)

_STYLE = f"""<style>
.jp-OutputArea:has(.{DRAWN}) > .jp-OutputArea-child:has(.{STILL}) {{ display: none; }}
.jp-OutputArea:has(.{STILL}) > .jp-OutputArea-child > .jupyter-widgets.jp-OutputArea-output:not(:has(*)) {{
  display: none;
}}
</style>"""


def in_notebook() -> bool:
    """Tell whether there is a front end that may draw a widget."""
    from IPython.core.getipython import get_ipython

    return getattr(get_ipython(), "kernel", None) is not None


def view_of(widget: Any) -> dict[str, object]:
    """Give what makes a front end draw a view of a widget."""
    return {MIME: {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}}


def still(page: str) -> str:
    """Write HTML that is seen only where no view is drawn in the same output area."""
    return f'{_STYLE}<div class="{STILL}">{page}</div>'


def show(review: Review) -> None:
    """Show a review in a notebook."""
    after = review.below
    try:
        widget = review.widget
    except CutbookError as error:
        after.publish(problem=str(error))
        return
    publish(view_of(widget) | {"text/plain": "The cut review; what follows says the same without a script."})
    after.publish()
    widget.follow(after.soon)
    after.soon()


class Still:
    """The review without a script, in an output of its own, the same one wherever the review is shown."""

    def __init__(self, review: Review) -> None:
        self._review = weakref.ref(review)
        self._name = secrets.token_hex(8)
        self._lock = threading.Lock()
        self._runs = False
        self._since: float | None = None
        self._due = self._rested = 0.0
        self._shown = ""

    def publish(self, *, problem: str = "") -> None:
        """Show it, with the pictures that are there soon enough; ``problem`` says why there is nothing else.

        Before a browser that draws the view they come later: the view is what is looked at, and waits for the cell.
        """
        hidden = not problem and before_a_browser()
        self._send(problem=problem, patience=0.0 if hidden else PATIENCE, update=False)

    def soon(self) -> None:
        """Write it anew once nothing has changed for a while, on a thread of its own, so that no view waits for it."""
        with self._lock:
            now = time.monotonic()
            self._since = now if self._since is None else self._since
            calm = max(CALM, len(self._shown) / PACE)
            self._due = min(now + calm, self._since + LATEST * calm)
            if not self._runs:
                self._runs = True
                threading.Thread(target=self._follow, name="cutbook-still", daemon=True).start()

    def _follow(self) -> None:
        while True:
            with self._lock:
                if self._since is None:
                    self._runs = False
                    return
                left = max(self._due, self._rested) - time.monotonic()
                due = left <= 0 and not _captured()
                if due:
                    self._since = None
            if due:
                self._again()
            else:
                time.sleep(max(left, _LOOK))

    def _again(self) -> None:
        try:
            self._send(problem="", patience=None, update=True)
        except (CutbookError, OSError, RuntimeError):
            return  # it stays as it was, and says as of when
        except Exception:  # noqa: BLE001 - the next change is shown all the same
            _log.exception("what was decided could not be written below the review")

    def _send(self, *, problem: str, patience: float | None, update: bool) -> None:
        review = self._review()
        if review is None:
            return
        head = paragraph(problem) if problem else ""
        number, page, text = review.number, head + review.html(patience=patience), repr(review)
        if update and page == self._shown:
            return
        self._shown = page
        self._rested = time.monotonic() + len(page) / PACE
        when = f"As of version {number}, {datetime.now().astimezone():%Y-%m-%d %H:%M}"
        again = "" if review.version is not None else "; %review shows it as it is now"
        told = f"{when}{again}."
        bundle: dict[str, object] = {
            "text/html": still(page + paragraph(told, dim=True)),
            "text/plain": f"{text}\n{told}",
        }
        publish(bundle, display_id=self._name, update=update)


def _captured() -> bool:
    """Tell whether what is put out now goes to whoever captures the output of the cell that runs."""
    from IPython.core.displaypub import CapturingDisplayPublisher
    from IPython.core.getipython import get_ipython

    return isinstance(getattr(get_ipython(), "display_pub", None), CapturingDisplayPublisher)


def publish(bundle: dict[str, object], **options: object) -> None:
    """Put an output onto the page, or a new form of it."""
    from IPython.display import display

    display(bundle, raw=True, **options)  # type: ignore[no-untyped-call] # IPython's own
