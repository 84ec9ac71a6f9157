"""``%cutbook``: the verbs, the engine and the project in use, and what is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutbook import __version__
from cutbook.html import Markup, paragraph, plain_table, table
from cutbook.notebook.line import Parser
from cutbook.notebook.magic import Magic

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from cutbook.notebook.desk import Desk

parser = Parser("%cutbook", "Show the verbs, the engine and the project in use, and what is installed.")


class Help:
    """What cutbook can do here; shown as a table."""

    def __init__(self, verbs: Sequence[tuple[str, str]], facts: Sequence[tuple[str, str]]) -> None:
        self.verbs = tuple(verbs)
        self.facts = tuple(facts)

    def __repr__(self) -> str:
        """Write it for a terminal."""
        return plain_table(("magic", "does"), self.verbs) + "\n\n" + plain_table(("here", ""), self.facts)

    def _repr_html_(self) -> str:
        verbs = [(Markup(f"<code>{name}</code>"), what) for name, what in self.verbs]
        return (
            paragraph(f"cutbook {__version__}", bold=True)
            + table(("", ""), verbs)
            + table(("", ""), self.facts)
        )


def run(desk: Desk, _args: argparse.Namespace, _cell: str | None) -> Help:
    """Gather what there is."""
    from cutbook.notebook.magics import all_magics

    verbs = [(magic.parser.prog, (magic.parser.description or "").splitlines()[0]) for magic in all_magics()]
    project = desk.in_use
    facts = [("project", str(project.folder) if project else "none yet; %project DIR opens one")]
    if project is not None:
        facts += project.facts()
    return Help(verbs, facts)


MAGIC = Magic("cutbook", parser, run)
