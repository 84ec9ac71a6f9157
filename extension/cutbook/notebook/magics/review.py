"""``%review``: every cut with its picture and words, and a person's decision on each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutbook.notebook.line import Parser
from cutbook.notebook.magic import Magic
from cutbook.notebook.ranges import HELP, ranges

if TYPE_CHECKING:
    import argparse

    from cutbook.notebook.desk import Desk
    from cutbook.notebook.review.session import Review

parser = Parser(
    "%review",
    "Play the edit without rendering it, and decide on every cut; accept or reject ranges by number or id.",
    epilog="""%review                                the editor (? shows its keys); a table without a browser
%review accept 1 3 --why "clean"       keep ranges 1 and 3
%review reject 2 --why "she looks off" leave range 2 out of the film
%review accept 4-6                     a run of them, or 1,3, or an id
%review undecided 2                    take a decision back""",
)
parser.add_argument("verb", nargs="?", choices=("show", "accept", "reject", "undecided"), default="show")
parser.add_argument("ranges", nargs="*", metavar="RANGE", help=HELP)
parser.add_argument("--why", metavar="REASON", help="the reason: all the rest of the line")
parser.add_argument("--version", type=int, metavar="N", help="an earlier version of the cut list, to look at")


def run(desk: Desk, args: argparse.Namespace, _cell: str | None) -> Review:
    """Show or decide."""
    from cutbook.notebook.review.session import Review

    review = Review(desk.project, version=args.version, still=args.verb != "show")
    if args.verb == "show":
        if args.ranges:
            parser.error("numbers of ranges go with accept, reject or undecided")
        return review
    if not args.ranges:
        parser.error(f"{args.verb} wants the numbers of ranges")
    decide = {"accept": review.accept, "reject": review.reject, "undecided": review.undecided}[args.verb]
    decide(*ranges(args.ranges, parser), why=args.why)
    return review


MAGIC = Magic("review", parser, run, raw=True, read=parser.read_reason)
