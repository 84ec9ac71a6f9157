"""``%render``: make the film, and prove it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutbook.notebook.line import Parser
from cutbook.notebook.magic import Magic
from cutbook.notebook.progress import Progress

if TYPE_CHECKING:
    import argparse

    from cutbook.notebook.desk import Desk

parser = Parser(
    "%render", "Render the cut list and prove the file; what did not change comes from the cache."
)
tier = parser.add_mutually_exclusive_group()
tier.add_argument("--draft", dest="tier", action="store_const", const="draft", help="small and fastest")
tier.add_argument(
    "--preview", dest="tier", action="store_const", const="preview", help="fast, up to 1080p (the default)"
)
tier.add_argument("--final", dest="tier", action="store_const", const="final", help="best picture")
parser.add_argument(
    "-o", "--output", metavar="FILE", help="where the film goes; edit/<tier>.mp4 unless given"
)
parser.add_argument(
    "--captions", metavar="STYLE", help="burn captions in: none, natural-sentence, bold-overlay, karaoke"
)
parser.add_argument(
    "--grade",
    metavar="G",
    help="none, auto, subtle, neutral_punch, warm_cinematic or a raw ffmpeg filter",
)
parser.add_argument("--size", metavar="WxH", help="the film's size, like 1920x1080")
parser.add_argument("--fit", metavar="HOW", help="pictures of another shape: fit (whole) or fill (cropped)")
parser.add_argument("--fps", metavar="R", help="the film's rate, like 25 or 30000/1001")
parser.add_argument("--jobs", type=int, metavar="N", help="segments made at once")


def run(desk: Desk, args: argparse.Namespace, _cell: str | None) -> object:
    """Render with progress."""
    project = desk.project
    with Progress(desk.shell, "Rendering") as progress:
        film = project.render(
            args.tier or "preview",
            output=args.output,
            captions=args.captions,
            grade=args.grade,
            size=args.size,
            fit=args.fit,
            rate=args.fps,
            jobs=args.jobs,
            progress=progress,
        )
        progress.done(film.sentence, film)
    return film


MAGIC = Magic("render", parser, run)
