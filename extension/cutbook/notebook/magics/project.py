"""``%project``: open a footage folder, or show the one in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutbook.notebook.line import Parser
from cutbook.notebook.magic import Magic

if TYPE_CHECKING:
    import argparse

    from cutbook.notebook.desk import Desk
    from cutbook.project import Project

parser = Parser(
    "%project", "Open a footage folder and list its takes, sub-folders included. Reading creates nothing."
)
parser.add_argument("folder", nargs="*", metavar="DIR", help="the folder of takes; left out: the one in use")


def run(desk: Desk, args: argparse.Namespace, _cell: str | None) -> Project:
    """Open the folder, or give the project in use."""
    project = desk.open(" ".join(args.folder)) if args.folder else desk.project
    desk.named = True
    project.table()
    return project


MAGIC = Magic("project", parser, run)
