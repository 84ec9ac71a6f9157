"""``%tighten``: fillers and long pauses out of the kept ranges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutbook.notebook.line import Flag, Parser
from cutbook.notebook.magic import Magic
from cutbook.notebook.ranges import HELP, ranges

if TYPE_CHECKING:
    import argparse

    from cutbook.notebook.desk import Desk

parser = Parser(
    "%tighten",
    "Remove ums and uhs, and pauses when asked, inside the kept ranges; %edl undo brings them back.",
)
parser.add_argument("ranges", nargs="*", metavar="RANGE", help=f"{HELP}; left out: all")
parser.add_argument("--fillers", action=Flag, help="remove ums and uhs (the default)")
parser.add_argument("--pauses", type=float, metavar="S", help="shorten pauses longer than S seconds")
parser.add_argument("--keep", type=float, metavar="S", help="seconds that stay of a shortened pause (0.25)")
parser.add_argument("--why", metavar="REASON", help="the reason: all the rest of the line")


def run(desk: Desk, args: argparse.Namespace, _cell: str | None) -> object:
    """Tighten."""
    chosen = ranges(args.ranges, parser)
    return desk.project.tighten(
        *chosen, fillers=args.fillers, pauses=args.pauses, keep=args.keep, why=args.why
    )


MAGIC = Magic("tighten", parser, run, read=parser.read_reason)
