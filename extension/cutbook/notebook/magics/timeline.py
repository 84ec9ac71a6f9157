"""``%timeline``: filmstrip, waveform, words and silences of a range in one picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutbook.notebook.line import Parser
from cutbook.notebook.magic import Magic

if TYPE_CHECKING:
    import argparse

    from cutbook.notebook.desk import Desk

parser = Parser(
    "%timeline",
    "Draw a range of a take, the whole edit (--edl), a range of any video (--file VIDEO START END), or what a grade "
    "does to the ranges (--grade G).",
)
parser.add_argument(
    "what", nargs="*", metavar="TAKE START END", help="a take, and seconds or timecode; no times: all of it"
)
parser.add_argument("--edl", action="store_true", help="the whole edit, on the film's clock")
parser.add_argument("--file", metavar="VIDEO", help="a video file instead of a take")
parser.add_argument(
    "--grade",
    nargs="?",
    const="",
    metavar="G",
    help="the ranges before and after a grade; the film's own where none is named",
)
parser.add_argument("--frames", type=int, default=10, metavar="N", help="pictures in the filmstrip (10)")
parser.add_argument(
    "-o", "--output", metavar="PNG", help="where the picture is kept; edit/verify/ unless given"
)


def run(desk: Desk, args: argparse.Namespace, _cell: str | None) -> object:
    """Draw the picture asked for."""
    project = desk.project
    if args.grade is not None:
        if args.what or args.file or args.edl:
            parser.error("--grade draws the kept ranges and takes no take, file or times")
        return project.timeline_grade(args.grade or None, output=args.output)
    if args.edl:
        if args.what or args.file:
            parser.error("--edl draws the whole edit and takes no take, file or times")
        return project.timeline_edl(frames=args.frames, output=args.output)
    if args.file:
        start, end = _times(args.what)
        return project.timeline_file(args.file, start, end, frames=args.frames, output=args.output)
    if not args.what:
        parser.error("a take is wanted")
    name, times = _take(args.what, set(project.takes))
    start, end = _times(times)
    return project.timeline(name, start, end, frames=args.frames, output=args.output)


def _take(parts: list[str], known: set[str]) -> tuple[str, list[str]]:
    for count in range(len(parts), 0, -1):
        name = " ".join(parts[:count])
        if name in known:
            return name, parts[count:]
    return parts[0], parts[1:]


def _times(parts: list[str]) -> tuple[str | None, str | None]:
    if not parts:
        return None, None
    if len(parts) == 1 and "-" in parts[0].strip("[]"):
        start, _, end = parts[0].strip("[]").partition("-")
        return start, end
    if len(parts) != 2:
        parser.error(f"a start and an end are wanted, not {' '.join(parts)!r}")
    return parts[0], parts[1]


MAGIC = Magic("timeline", parser, run)
