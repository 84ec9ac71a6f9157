"""``%takes``: the take table, and sentences said more than once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutbook.notebook.line import Parser
from cutbook.notebook.magic import Magic

if TYPE_CHECKING:
    import argparse

    from cutbook.notebook.desk import Desk

parser = Parser(
    "%takes", "Show the takes: length, rate, size, sound, transcript, and what is odd about a file."
)
parser.add_argument(
    "--retakes", action="store_true", help="sentences said in more than one place, side by side"
)


def run(desk: Desk, args: argparse.Namespace, _cell: str | None) -> object:
    """Show the table."""
    return desk.project.retakes() if args.retakes else desk.project.table()


MAGIC = Magic("takes", parser, run)
