"""``%pack``: all takes in a few kilobytes of markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutbook.notebook.line import Parser
from cutbook.notebook.magic import Magic

if TYPE_CHECKING:
    import argparse

    from cutbook.notebook.desk import Desk

parser = Parser("%pack", "Write edit/takes_packed.md, the text that people and agents read, and show it.")
parser.add_argument(
    "--silence", type=float, default=0.5, metavar="S", help="seconds of silence that end a phrase (0.5)"
)


def run(desk: Desk, args: argparse.Namespace, _cell: str | None) -> object:
    """Pack the takes."""
    return desk.project.pack(silence=args.silence)


MAGIC = Magic("pack", parser, run)
