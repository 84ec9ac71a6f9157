"""``%transcribe``: words for takes that have none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from IPython.display import display

from cutbook.errors import InputError, TakesFailed
from cutbook.notebook.line import Flag, Parser
from cutbook.notebook.magic import Magic
from cutbook.notebook.progress import Progress
from cutbook.transcripts.report import Report

if TYPE_CHECKING:
    import argparse

    from cutbook.notebook.desk import Desk
    from cutbook.project import Project

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
    if not desk.named and not args.dry_run and project.engine(args.engine) == "scribe":
        msg = f"{project.folder} was opened without being asked for, and Scribe costs money; run %project DIR first"
        raise InputError(msg)
    asked = {
        "engine": args.engine,
        "language": args.language,
        "speakers": args.speakers,
        "track": args.track,
        "force": args.force,
    }
    if not args.dry_run and (cost := _cost(project, args.takes, asked)):
        print(cost)  # noqa: T201 - it is to stand there before anything is spent
    with Progress(desk.shell, "Transcribing") as progress:
        try:
            report = project.transcribe(*args.takes, **asked, dry_run=args.dry_run, progress=progress)
        except TakesFailed as error:
            display(error.report)  # type: ignore[no-untyped-call] # IPython's own
            raise
        progress.done(report.sentence, report)
    return report


def _cost(project: Project, takes: list[str], asked: dict[str, Any]) -> str:
    """Say what is about to be spent; nothing where nothing is."""
    report: object
    try:
        report = project.transcribe(*takes, **asked, dry_run=True)
    except TakesFailed as error:
        report = error.report
    return report.sentence if isinstance(report, Report) and report.price else ""


MAGIC = Magic("transcribe", parser, run)
