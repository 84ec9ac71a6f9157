"""``%review``: every cut with its picture and words, and a person's decision on each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutbook.notebook.line import Parser
from cutbook.notebook.magic import Magic
from cutbook.notebook.review.session import Review

if TYPE_CHECKING:
    import argparse

    from cutbook.notebook.desk import Desk

parser = Parser(
    "%review",
    "Show every cut with a picture and its words; accept or reject ranges by number.",
    epilog="""%review                                the table
%review accept 1 3 --why "clean"       keep ranges 1 and 3
%review reject 2 --why "she looks off" leave range 2 out of the film
%review undecided 2                    take a decision back""",
)
parser.add_argument("verb", nargs="?", choices=("show", "accept", "reject", "undecided"), default="show")
parser.add_argument("ranges", nargs="*", type=int, metavar="RANGE", help="numbers as the table shows them")
parser.add_argument("--why", nargs="+", default=[], metavar="REASON", help="the reason, in one line")
parser.add_argument("--version", type=int, metavar="N", help="an earlier version of the cut list, to look at")


def run(desk: Desk, args: argparse.Namespace, _cell: str | None) -> Review:
    """Show or decide."""
    review = Review(desk.project, version=args.version)
    if args.verb == "show":
        if args.ranges:
            parser.error("numbers of ranges go with accept, reject or undecided")
        return review
    if not args.ranges:
        parser.error(f"{args.verb} wants the numbers of ranges")
    decide = {"accept": review.accept, "reject": review.reject, "undecided": review.undecided}[args.verb]
    decide(*args.ranges, why=" ".join(args.why))
    return review


MAGIC = Magic("review", parser, run, raw=True)
