"""``%%cut``: a cut list from lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutbook.notebook.line import Parser
from cutbook.notebook.magic import Magic

if TYPE_CHECKING:
    import argparse

    from cutbook.notebook.desk import Desk

parser = Parser(
    "%%cut",
    "Make the cut list from lines; any piece of takes_packed.md is one.",
    epilog="""each line:  [BEAT] TAKE span [text] [ -- reason]
span:       [12.34-15.60]   12.34-15.60   0:12.34-0:15.6   00:00:12:10-00:00:15:20   #4-#9   "words said once"
A line that begins with a span takes the last take named. A line that begins with # is a comment.
Ranges snap to whole words, get air into the gap, and lie on the take's frame grid.""",
)
parser.add_argument("--append", action="store_true", help="add to the cut list instead of replacing it")
parser.add_argument(
    "--pad", metavar="BEFORE,AFTER", help="milliseconds of air around the words (50,80 unless set)"
)


def run(desk: Desk, args: argparse.Namespace, cell: str | None) -> object:
    """Cut."""
    return desk.project.cut(cell or "", append=args.append, pad=_pad(args.pad))


def _pad(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    try:
        before, after = (float(part) for part in text.split(","))
    except ValueError:
        parser.error(f"--pad wants two numbers of milliseconds like 50,80, not {text!r}")
    return before, after


MAGIC = Magic("cut", parser, run, raw=True, kinds=("cell",))
