"""Progress of long work, which ends in a sentence that stays."""

from __future__ import annotations

import html
import sys
import time
from typing import TYPE_CHECKING, Any, Self

from IPython.display import display

if TYPE_CHECKING:
    from types import TracebackType

    from IPython.core.interactiveshell import InteractiveShell
    from IPython.display import DisplayHandle

_EVERY = 0.2


class _Line:
    def __init__(self, text: str, fraction: float | None) -> None:
        self.text = text
        self.fraction = fraction

    def __repr__(self) -> str:
        return self.text if self.fraction is None else f"{self.fraction:4.0%}  {self.text}"

    def _repr_html_(self) -> str:
        text = f'<span style="font-size:13px">{html.escape(self.text)}</span>'
        if self.fraction is None:
            return text
        style = "width:220px;vertical-align:middle"
        return f'<progress value="{self.fraction:.4f}" max="1" style="{style}"></progress> {text}'


class Progress:
    """Show how far a piece of work is, in a notebook as a bar, in a terminal as a line; a callable for ``progress=``.

    Use as a context: left by an exception, the line says where the work stopped.
    """

    def __init__(self, shell: InteractiveShell, title: str) -> None:
        self._shell = shell
        self._notebook = getattr(shell, "kernel", None) is not None
        self._terminal = not self._notebook and sys.stdout.isatty()
        self._title = title
        self._last = _Line(title, 0.0)
        self._shown = 0.0
        self._handle: DisplayHandle | None = None
        self._begun = False
        self._ended = False

    def __call__(self, fraction: float, text: str) -> None:
        """Show a fraction from 0 to 1 and a sentence; calls faster than five a second are let pass."""
        now = time.monotonic()
        self._begun = True
        self._last = _Line(text or self._title, min(1.0, max(0.0, fraction)))
        if now - self._shown >= _EVERY:
            self._shown = now
            self._show(self._last)

    def done(self, sentence: str, value: object = None) -> None:
        """End with a sentence that stays, unless the cell ends by showing ``value``, which says it again."""
        self._ended = True
        self._show(_Line(sentence, None), last=True)
        if value is None or self._handle is None:
            return

        def shown(result: Any) -> None:
            self._shell.events.unregister("post_run_cell", shown)
            if result.result is value:
                self._handle.update(_Line("", None))  # type: ignore[union-attr] # there is one

        self._shell.events.register("post_run_cell", shown)

    def _show(self, line: _Line, *, last: bool = False) -> None:
        if self._notebook and self._handle is None:
            self._handle = display(line, display_id=True)  # type: ignore[no-untyped-call] # IPython's own
        elif self._handle is not None:
            self._handle.update(line)  # type: ignore[no-untyped-call] # IPython's own
        elif self._terminal:
            sys.stdout.write(f"\r\x1b[K{line!r}" + ("\n" if last else ""))
            sys.stdout.flush()
        elif last:
            print(line)  # noqa: T201 - a headless run keeps the sentence

    def __enter__(self) -> Self:
        """Start showing."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Say where the work stopped when it had begun and did not end."""
        if kind is not None and self._begun and not self._ended:
            word = "Interrupted" if issubclass(kind, KeyboardInterrupt) else "Stopped"
            self._show(_Line(f"{word} at {self._last.fraction or 0:.0%}: {self._last.text}", None), last=True)
