"""The review as a Jupyter widget: carries messages between :class:`Exchange` and what a browser draws."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutbook.errors import CutbookError
from cutbook.notebook.review.exchange import Exchange
from cutbook.notebook.review.showing import DRAWN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cutbook.notebook.review.board import Document
    from cutbook.project import Project

_STATIC = Path(__file__).parent / "static"


def review_widget(project: Project, *, version: int | None = None) -> Any:
    """Make the widget of a review.

    Raises:
        CutbookError: its script is missing.
        ImportError: anywidget cannot be loaded.
    """
    script, style = _files()
    return _kind()(project, script, style, version)


def _files() -> tuple[str, str]:
    try:
        return tuple((_STATIC / name).read_text("utf-8") for name in ("review.js", "review.css"))  # type: ignore[return-value]
    except OSError as error:
        msg = (
            f"the review's script cannot be read ({error.strerror}: {error.filename}); install cutbook again"
        )
        raise CutbookError(msg) from error


@functools.cache
def _kind() -> type[Any]:
    import anywidget
    import traitlets

    class ReviewWidget(anywidget.AnyWidget):
        """One review on the page, in as many views as a person opens."""

        _esm = traitlets.Unicode().tag(sync=True)
        _css = traitlets.Unicode().tag(sync=True)

        def __init__(self, project: Project, script: str, style: str, version: int | None) -> None:
            super().__init__(_esm=script, _css=style, _dom_classes=(DRAWN,))
            self.exchange = Exchange(project, self._say, version=version)
            self.on_msg(lambda _widget, content, _buffers: self.exchange.heard(content))

        def follow(self, then: Callable[[], None]) -> None:
            """Call ``then`` after each change."""
            self.exchange.then = then

        def _say(self, content: Document, buffers: Sequence[bytes]) -> None:
            self.send(content, buffers=list(buffers) or None)

        def close(self) -> None:
            """Leave the page."""
            if exchange := getattr(self, "exchange", None):
                exchange.close()
            super().close()

    return ReviewWidget
