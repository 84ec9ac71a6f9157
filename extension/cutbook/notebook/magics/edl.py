"""``%edl``: the cut list, its versions, and every change of single ranges."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from cutbook.notebook.line import Parser, free_text, words
from cutbook.notebook.magic import Help, Magic
from cutbook.notebook.ranges import HELP, ranges

if TYPE_CHECKING:
    from cutbook.edit.decide import Which
    from cutbook.notebook.desk import Desk
    from cutbook.project import Project

OPTIONS = {
    "trim": ("--in", "--out", "--exact", "--why"),
    "split": ("--exact", "--why"),
    "merge": ("--why",),
    "move": ("--before", "--why"),
    "cut": ("--why",),
    "restore": ("--why",),
    "swap": ("--why",),
    "reason": ("--why",),
    "slips": ("--pauses",),
}
"""The options that go with each verb."""

_HELP = {"--help", "-h"}
_BARE = ("show", "undo", "redo", "history")
VERBS = (*_BARE, "diff", "set", "adopt", "others", *OPTIONS)
parser = Parser(
    "%edl",
    "Show the cut list and change single ranges of it; undo and redo; tell two versions apart in words.",
    epilog="""%edl                      the cut list
%edl undo | redo          one version back or forth
%edl history              every version, with who and why
%edl diff [A] [B]         the difference in words (left out: the version before, and now)
%edl trim 3 --in 12.4     move an edge, or --out, to a time of the take; --exact: through a word too
%edl split 3 14.2         two ranges of one, parted between two words
%edl merge 3              join range 3 to the next one, with what lies between them in the take
%edl move 5 --before 2    reorder; without --before to the end
%edl cut 3 "you know"     take words out of a range: said words, #14-#18 or seconds 12.4-13.1
%edl restore C0103 #14-#18    put words back into the film
%edl others 3             where else the words of range 3 are said
%edl swap 3 C0108 #2-#9   put those in its place
%edl slips --pauses 0.6   where fillers and long pauses are left
%edl reason 3 --why TEXT  why range 3 was decided on as it is
%edl adopt TAKE           put the ranges of a take that was replaced on the file that it is now
%edl set KEY VALUE        rate (or fps), size, fit, grade or captions of the film
--why TEXT, at the end of the line, goes along with any change, into the history and the open session
grades: none, auto, subtle, neutral_punch, warm_cinematic or a raw ffmpeg filter
captions: none, natural-sentence, bold-overlay, karaoke""",
)
parser.add_argument("verb", nargs="?", choices=VERBS, default="show")
parser.add_argument("rest", nargs="*", metavar="VALUE", help=f"what the verb is about; ranges are {HELP}")
parser.add_argument(
    "--in", dest="start", metavar="TIME", help="where the range is to begin: seconds or timecode"
)
parser.add_argument("--out", dest="end", metavar="TIME", help="where the range is to end")
parser.add_argument("--exact", action="store_true", help="do not snap to whole words")
parser.add_argument("--before", metavar="RANGE", help="the range that is to follow")
parser.add_argument("--pauses", type=float, metavar="S", help="pauses longer than S seconds too")
parser.add_argument("--why", metavar="REASON", help="the reason: all the rest of the line")


def read(text: str) -> argparse.Namespace:
    """Split off the reason, which stays as people wrote it."""
    line, why = free_text(text, "why")
    if _HELP & set(words(line)):
        return argparse.Namespace(verb=None)
    found = parser.read(line)
    given = {
        "--in": found.start is not None,
        "--out": found.end is not None,
        "--exact": found.exact,
        "--before": found.before is not None,
        "--pauses": found.pauses is not None,
        "--why": why is not None,
    }
    for option, there in given.items():
        if there and option not in OPTIONS.get(found.verb, ()):
            parser.error(f"{option} does not go with {found.verb}")
    if why == "" and found.verb != "reason":
        parser.error("--why wants a reason")
    found.why = why
    return found


def run(desk: Desk, args: argparse.Namespace, _cell: str | None) -> object:
    """Do what the verb says."""
    if args.verb is None:
        return Help(parser.format_help())
    project = desk.project
    rest, verb = args.rest, args.verb
    if verb in _BARE or verb == "slips":
        if rest:
            parser.error(f"{verb} takes nothing more, not {' '.join(rest)!r}")
        return project.slips(args.pauses) if verb == "slips" else _bare(project, verb)
    if verb == "diff":
        return project.diff(*(_version(each) for each in rest[:2]))
    if verb == "set":
        if len(rest) < 2:
            parser.error("set wants a key and a value")
        return project.set(rest[0], " ".join(rest[1:]))
    if verb in {"adopt", "restore"}:
        if not rest:
            parser.error(f"{verb} wants the name of a take")
        return project.adopt(" ".join(rest)) if verb == "adopt" else _restore(project, args)
    if not rest:
        parser.error(f"{verb} wants the number or the id of a range")
    return _on_ranges(project, args)


def _bare(project: Project, verb: str) -> object:
    if verb == "undo":
        return project.undo()
    if verb == "redo":
        return project.redo()
    return project.history() if verb == "history" else project.edl


def _on_ranges(project: Project, args: argparse.Namespace) -> object:
    if args.verb == "move":
        before = None if args.before is None else _range(args.before)
        return project.move(*ranges(args.rest, parser), before=before, why=args.why or "")
    which, rest = _range(args.rest[0]), args.rest[1:]
    if rest and args.verb in {"trim", "merge", "others", "reason"}:
        parser.error(f"{args.verb} takes one range, not {' '.join(args.rest)!r}")
    return _ON_RANGE[args.verb](project, which, rest, args)


def _trim(project: Project, which: Which, _rest: list[str], args: argparse.Namespace) -> object:
    if args.start is None and args.end is None:
        parser.error("trim wants --in, --out or both")
    return project.trim(which, start=args.start, end=args.end, exact=args.exact, why=args.why or "")


def _split(project: Project, which: Which, rest: list[str], args: argparse.Namespace) -> object:
    if len(rest) != 1:
        parser.error("split wants the time, in seconds of the take, at which the second part begins")
    return project.split(which, at=rest[0], exact=args.exact, why=args.why or "")


def _merge(project: Project, which: Which, _rest: list[str], args: argparse.Namespace) -> object:
    return project.merge(which, why=args.why or "")


def _cut(project: Project, which: Which, rest: list[str], args: argparse.Namespace) -> object:
    return project.cut_words(which, _span(rest, "cut wants words"), why=args.why or "")


def _swap(project: Project, which: Which, rest: list[str], args: argparse.Namespace) -> object:
    if not rest:
        parser.error("swap wants a take and words of it, as %edl others shows them")
    return project.swap(which, rest[0], _span(rest[1:], "swap wants words"), why=args.why or "")


def _others(project: Project, which: Which, _rest: list[str], _args: argparse.Namespace) -> object:
    return project.others(which)


def _reason(project: Project, which: Which, _rest: list[str], args: argparse.Namespace) -> object:
    if args.why is None:
        parser.error("reason wants --why and the reason; an empty one takes it away")
    return project.reason(which, args.why)


_ON_RANGE = {
    "trim": _trim,
    "split": _split,
    "merge": _merge,
    "cut": _cut,
    "swap": _swap,
    "others": _others,
    "reason": _reason,
}


def _restore(project: Project, args: argparse.Namespace) -> object:
    take, *rest = args.rest
    return project.restore_words(take, _span(rest, "restore wants words"), why=args.why or "")


def _span(said: list[str], wanted: str) -> str:
    if not said:
        parser.error(f'{wanted}: #14-#18, seconds like 12.4-13.1, or what is said, like "you know"')
    return " ".join(said)


def _range(text: str) -> Which:
    found = ranges([text], parser)
    if len(found) != 1:
        parser.error(f"{text!r} names more than one range; name one")
    return found[0]


def _version(text: str) -> int:
    if not text.isdigit():
        parser.error(f"versions are numbers, as %edl history shows them, not {text!r}")
    return int(text)


MAGIC = Magic("edl", parser, run, raw=True, read=read)
