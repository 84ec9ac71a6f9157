"""How a magic is declared and how it reaches the shell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from IPython.core.magic import no_var_expand

from cutbook.errors import Interrupted
from cutbook.notebook.line import tidy, words

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from cutbook.notebook.desk import Desk
    from cutbook.notebook.line import Parser


class Help(str):
    """A magic's help, shown as it is written."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Give the text."""
        return str(self).rstrip()


@dataclass(frozen=True)
class Magic:
    """One verb: its parser, and what it does with the parsed line (and the cell, for a cell magic).

    ``raw`` keeps the shell from putting variables into the line: people's sentences may hold ``{x}`` and ``$x``.
    ``kinds`` is a choice of ``line`` and ``cell``. ``read`` parses the tidied line where words and options do not do.
    """

    name: str
    parser: Parser
    run: Callable[[Desk, argparse.Namespace, str | None], object]
    raw: bool = False
    kinds: tuple[str, ...] = ("line",)
    read: Callable[[str], argparse.Namespace] | None = None

    def bind(self, desk: Desk) -> dict[str, Callable[..., Any]]:
        """Give the functions to register, by kind."""
        read = self.read or self.parser.read

        def line_magic(line: str) -> object:
            return self._done(desk, read, line, None)

        def cell_magic(line: str, cell: str) -> object:
            return self._done(desk, read, line, cell)

        made: dict[str, Callable[..., Any]] = {"line": line_magic, "cell": cell_magic}
        for function in made.values():
            function.__name__ = self.name
            function.__doc__ = self.parser.format_help()
        chosen = {kind: made[kind] for kind in self.kinds}
        return {kind: no_var_expand(function) for kind, function in chosen.items()} if self.raw else chosen

    def _done(
        self, desk: Desk, read: Callable[[str], argparse.Namespace], line: str, cell: str | None
    ) -> object:
        text, silent = tidy(line)
        if text.strip() in {"--help", "-h"} or (not self.raw and {"--help", "-h"} & set(words(text))):
            return Help(self.parser.format_help())
        try:
            value = self.run(desk, read(text), cell)
        except KeyboardInterrupt as error:
            msg = f"{self.parser.prog} was stopped; what was finished is kept, and the same line goes on from there"
            raise Interrupted(msg) from error
        return None if silent else value
