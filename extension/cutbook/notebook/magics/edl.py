"""``%edl``: the cut list, its versions, and what differs between two of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutbook.notebook.line import Parser
from cutbook.notebook.magic import Magic

if TYPE_CHECKING:
    import argparse

    from cutbook.notebook.desk import Desk

VERBS = ("show", "undo", "redo", "history", "diff", "set", "adopt")
parser = Parser(
    "%edl",
    "Show the cut list; undo and redo its versions; tell two versions apart in words; set a value of the film.",
    epilog="""%edl                   the cut list
%edl undo | redo       one version back or forth
%edl history           every version, with who and why
%edl diff [A] [B]      the difference in words (left out: the version before, and now)
%edl adopt TAKE        put the ranges of a take that was replaced on the file that it is now
%edl set KEY VALUE     rate (or fps), size, fit, grade or captions of the film
grades: none, auto, subtle, neutral_punch, warm_cinematic or a raw ffmpeg filter
captions: none, natural-sentence, bold-overlay, karaoke""",
)
parser.add_argument("verb", nargs="?", choices=VERBS, default="show")
parser.add_argument("rest", nargs="*", metavar="VALUE")


def run(desk: Desk, args: argparse.Namespace, _cell: str | None) -> object:
    """Do what the verb says."""
    project = desk.project
    if args.verb == "diff":
        return project.diff(*(_version(each) for each in args.rest[:2]))
    if args.verb == "set":
        if len(args.rest) < 2:
            parser.error("set wants a key and a value")
        return project.set(args.rest[0], " ".join(args.rest[1:]))
    if args.verb == "adopt":
        if not args.rest:
            parser.error("adopt wants the name of a take")
        return project.adopt(" ".join(args.rest))
    if args.rest:
        parser.error(f"{args.verb} takes nothing more, not {' '.join(args.rest)!r}")
    if args.verb == "undo":
        return project.undo()
    if args.verb == "redo":
        return project.redo()
    return project.history() if args.verb == "history" else project.edl


def _version(text: str) -> int:
    if not text.isdigit():
        parser.error(f"versions are numbers, as %edl history shows them, not {text!r}")
    return int(text)


MAGIC = Magic("edl", parser, run)
