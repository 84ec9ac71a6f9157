"""``%check``: prove a rendered file against the edit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from IPython.display import display

from cutbook.errors import ProofError
from cutbook.files import readable
from cutbook.notebook.line import Parser
from cutbook.notebook.magic import Magic
from cutbook.notebook.progress import Progress

if TYPE_CHECKING:
    import argparse

    from cutbook.notebook.desk import Desk

parser = Parser("%check", "Prove that a file is what the edit says, with a picture of every cut.")
parser.add_argument("file", nargs="*", metavar="FILE", help="left out: the last render")

parser.add_argument(
    "--words",
    action="store_true",
    help="transcribe the film back with the local engine, and compare with the words that the edit keeps",
)


def run(desk: Desk, args: argparse.Namespace, _cell: str | None) -> object:
    """Check with progress; a film that is wrong fails the cell, after what was found is shown."""
    with Progress(desk.shell, "Checking") as progress:
        proof = desk.project.check(" ".join(args.file) or None, words=args.words, progress=progress)
        if proof.ok:
            progress.done(proof.sentence, proof)
            return proof
        progress.done(f"Checked {readable(proof.file.name)}")
    display(proof)  # type: ignore[no-untyped-call] # IPython's own
    raise ProofError(proof.sentence)


MAGIC = Magic("check", parser, run)
