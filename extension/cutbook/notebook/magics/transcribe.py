"""``%transcribe``: words for takes that have none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from IPython.display import display

from cutbook.errors import TakesFailed
from cutbook.notebook.line import Flag, Parser
from cutbook.notebook.magic import Magic
from cutbook.notebook.progress import Progress

if TYPE_CHECKING:
    import argparse

    from cutbook.notebook.desk import Desk

parser = Parser("%transcribe", "Transcribe the takes that have no words yet; each piece of audio once, ever.")
parser.add_argument("takes", nargs="*", metavar="TAKE", help="names of takes; left out: every take")
parser.add_argument("--engine", choices=("scribe", "local"), help="who transcribes; the setting unless given")
parser.add_argument(
    "--language", metavar="L", help="the language spoken, like en; found by the engine unless given"
)
parser.add_argument("--speakers", type=int, metavar="N", help="how many people speak")
parser.add_argument("--track", type=int, metavar="N", help="the sound track to transcribe, counted from 0")
parser.add_argument("--verbatim", action=Flag, help="keep fillers and false starts (the default)")
parser.add_argument(
    "--dry-run", action="store_true", help="say minutes, price and what is cached; transcribe nothing"
)
parser.add_argument(
    "--force", action="store_true", help="ask again although an earlier request may have been billed"
)


def run(desk: Desk, args: argparse.Namespace, _cell: str | None) -> object:
    """Transcribe with progress."""
    project = desk.project
    if args.verbatim is False:
        parser.error(
            "--no-verbatim is not offered: an editor cuts by fillers and false starts; %tighten removes them"
        )
    with Progress(desk.shell, "Transcribing") as progress:
        try:
            report = project.transcribe(
                *args.takes,
                engine=args.engine,
                language=args.language,
                speakers=args.speakers,
                track=args.track,
                dry_run=args.dry_run,
                force=args.force,
                progress=progress,
            )
        except TakesFailed as error:
            display(error.report)  # type: ignore[no-untyped-call] # IPython's own
            raise
        progress.done(report.sentence)
    return report


MAGIC = Magic("transcribe", parser, run)
