"""``%memory``: what was decided and why, from one session to the next."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING, Any, NoReturn

from cutbook.errors import InputError
from cutbook.notebook.line import Parser, nearest, words
from cutbook.notebook.magic import Magic
from cutbook.notebook.ranges import ranges
from cutbook.notebook.review.serving import before_a_browser
from cutbook.notebook.sentence import Sentence, sentence

if TYPE_CHECKING:
    from collections.abc import Callable

    from cutbook.notebook.desk import Desk
    from cutbook.project import Project

FIELDS = ("strategy", "decisions", "reasoning", "outstanding")
_LABEL = re.compile(r"\s*(?:\*\*)?([A-Za-z]+(?: log)?)\s*:(?=\s|\*|\Z)\s*(?:\*\*)?\s*(.*)\Z")
_TIMED = re.compile(r"\d[.:]\d")
"""What tells seconds and minutes from numbers of ranges."""

_FORMS = """%memory resume [--json]          the last session, what needs review, what is outstanding, what is unsaved
%memory strategy TEXT            what this session is after
%memory decide TEXT [--take T] [--range RANGE|A-B] [--beat B] [--why TEXT]   ranges of the cut: 3, 3-5; seconds: 1.0-3.5
%memory note TEXT                something that belongs to no decision
%memory todo TEXT                something left to do
%memory done ID [--why TEXT]     it is done
%memory show [ID|--all]          what is remembered, by session, and what needs review
%memory confirm ID…|--take T|--cause N --why TEXT   still right (a cause is reason enough; also: reaffirm)
%memory flag ID --why TEXT       doubtful until it is confirmed
%memory abandon ID --why TEXT    given up; warned of when it comes again
%memory supersede ID --by ID --why TEXT
%memory search TEXT [--everywhere] [--json]         by words, the latest first; in every project of yours
%memory context [--budget 2000] [--task TEXT] [--json]   what somebody who takes over should start from
%memory prefer [KEY=VALUE|TEXT] [--everywhere] [--why TEXT]   KEY= takes it back; alone: what holds, from where
%memory lesson TEXT [--from ID] [--applies-to KEY=VALUE]…   for this project, or for all of one genre, language, client
%memory export FILE              this memory as a .memoryfield.zip
%memory import FILE [--sha256 HASH]   somebody else's, shown, and served as quotations
%memory tidy                     near-duplicates and possible replacements, with the command for each
%memory doctor                   numbering, ids, anchors, encoding, copies; repairs nothing
%memory persist [--now]          append this session to edit/project.md; in a browser as a form first, unless --now"""

parser = Parser(
    "%memory",
    "Pick up where the last session ended, note what is decided and why, and keep it in edit/project.md.",
    epilog=_FORMS
    + """
%%memory persist                 the same, with fields written by hand:
  Strategy: ...   Decisions:   - ...   Reasoning: ...   Outstanding:
what looks like an option is text in quotes, or behind a -- of its own: %memory note -- use --exact""",
)
_VERBS = (
    "resume",
    "strategy",
    "decide",
    "note",
    "todo",
    "done",
    "confirm",
    "reaffirm",
    "flag",
    "abandon",
    "supersede",
    "show",
    "search",
    "context",
    "prefer",
    "lesson",
    "export",
    "import",
    "tidy",
    "doctor",
    "persist",
)
parser.add_argument("verb", choices=_VERBS)
parser.add_argument("text", nargs="*")


OPTIONS: dict[str, tuple[str, ...]] = {
    "resume": ("--json",),
    "decide": ("--take", "--range", "--beat", "--why"),
    "done": ("--why",),
    "confirm": ("--take", "--cause", "--why"),
    "reaffirm": ("--take", "--cause", "--why"),
    "flag": ("--why",),
    "abandon": ("--why",),
    "supersede": ("--by", "--why"),
    "show": ("--all",),
    "search": ("--everywhere", "--json"),
    "context": ("--budget", "--task", "--json"),
    "prefer": ("--everywhere", "--why"),
    "lesson": ("--from", "--applies-to"),
    "import": ("--sha256",),
    "persist": ("--now",),
}
"""The options that go with each verb."""

_SWITCHES = ("all", "everywhere", "json", "now")


def read(text: str) -> argparse.Namespace:
    """Split off the verb; the rest stays as people wrote it."""
    verb, _, rest = text.strip().partition(" ")
    return argparse.Namespace(verb=parser.read(verb or "resume").verb, text=rest.strip())


class _Form(Parser):
    """What says how one verb is written."""

    def __init__(self, verb: str) -> None:
        super().__init__(parser.prog, "")
        self._verb = verb

    def form(self) -> str:
        """Give the verb's own line of the help."""
        verb = "confirm" if self._verb == "reaffirm" else self._verb
        line = next(each for each in _FORMS.splitlines() if each.split()[1] == verb)
        return re.split(r"\s{2,}", line)[0].replace(verb, self._verb, 1)


def said(verb: str, text: str) -> Sentence:
    """Read what follows a verb: a text, and the options that go with it.

    Raises:
        InputError: an option that does not go with the verb, or one without its value.
    """
    names = [each.removeprefix("--") for each in OPTIONS.get(verb, ())]
    switches = [each for each in names if each in _SWITCHES]
    return sentence(text, [each for each in names if each not in switches], switches, fail=_Form(verb).error)


def fields(cell: str) -> dict[str, Any]:
    """Read the four fields from a cell: a label and a colon, then text or a bullet a line.

    A text goes on in the lines below it; under a label that stands alone each line is an item.

    Raises:
        InputError: there is no field of a label's name.
    """
    found: dict[str, list[str]] = {}
    name, goes_on = "strategy", True
    for line in cell.splitlines():
        label = _LABEL.match(line)
        if label is not None:
            name = _field(label[1])
            found.setdefault(name, [])
        text = (label[2] if label is not None else line).strip()
        items = found.setdefault(name, []) if text else found.get(name, [])
        bullet = text.startswith(("- ", "* "))
        if goes_on and items and text and not bullet and label is None:
            items[-1] += f" {text}"
        elif text:
            items.append(text[2:].strip() if bullet else text)
        goes_on = bool(text) if label is not None else bool(text) and (bullet or goes_on)
    return {key: " ".join(lines) if key == "strategy" else lines for key, lines in found.items() if lines}


def _field(label: str) -> str:
    """Give the field that a label means."""
    word = label.casefold().split()[0]
    known = next((each for each in FIELDS if word in {each, each.removesuffix("s")}), None)
    if known is None:
        near = nearest(word, FIELDS)
        hint = f"did you mean {near.capitalize()}? An" if near else "an"
        msg = (
            f"%%memory persist has no field {label!r}{': ' if near else '; '}{hint} item begins with - ; "
            "the fields are Strategy, Decisions, Reasoning and Outstanding"
        )
        raise InputError(msg)
    return known


def _resume(project: Project, line: Sentence) -> object:
    _nothing_more("resume", line)
    found = project.memory.resume()
    return found.json() if "json" in line.switches else found


class Said(str):
    """A sentence that was taken down, shown as it was said and not as Python writes a string."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Give the sentence."""
        return str(self)


def _strategy(project: Project, line: Sentence) -> object:
    return Said(project.memory.strategy(_wanted("strategy", line)))


def _note(project: Project, line: Sentence) -> object:
    return project.memory.note(_wanted("note", line))


def _todo(project: Project, line: Sentence) -> object:
    return project.memory.todo(_wanted("todo", line))


def _done(project: Project, line: Sentence) -> object:
    return Said(project.memory.done(_wanted("done", line), why=line.get("why")))


def _decide(project: Project, line: Sentence) -> object:
    where, text = line.get("range"), _wanted("decide", line)
    timed = where is not None and bool(_TIMED.search(where))
    return project.memory.decide(
        text,
        take=line.get("take"),
        span=_span(where or "") if timed else None,
        beat=line.get("beat"),
        why=line.get("why"),
        ranges=() if timed or where is None else ranges(words(where), _Form("decide")),
    )


def _span(text: str) -> tuple[object, object]:
    start, dash, end = text.strip("[]").replace("–", "-").partition("-")
    if not dash:
        _wrong("decide", f"--range wants a start and an end like 2.52-5.36, or ranges like 3-5, not {text!r}")
    return start, end


def _confirm(project: Project, line: Sentence) -> object:
    cause = line.get("cause")
    if cause is not None and not cause.isdecimal():
        _wrong("confirm", f"--cause wants the number that resume gives, not {cause!r}")
    return project.memory.confirm(
        *words(line.text),
        take=line.get("take"),
        cause=int(cause) if cause else None,
        why=line.get("why"),
    )


def _flag(project: Project, line: Sentence) -> object:
    return project.memory.flag(_one("flag", line), why=line.get("why"))


def _abandon(project: Project, line: Sentence) -> object:
    return project.memory.abandon(_one("abandon", line), why=line.get("why"))


def _supersede(project: Project, line: Sentence) -> object:
    by = line.get("by") or ""
    return project.memory.supersede(_one("supersede", line), by=by, why=line.get("why"))


def _search(project: Project, line: Sentence) -> object:
    found = project.memory.search(line.text, everywhere="everywhere" in line.switches)
    return found.json() if "json" in line.switches else found


def _context(project: Project, line: Sentence) -> object:
    _nothing_more("context", line)
    budget = line.get("budget") or "2000"
    if not budget.isdecimal():
        _wrong("context", f"--budget wants a number of tokens, not {budget!r}")
    pack = project.memory.context(int(budget), task=line.get("task"))
    return pack.json() if "json" in line.switches else pack


def _prefer(project: Project, line: Sentence) -> object:
    everywhere = "everywhere" in line.switches
    if not line.text and not everywhere and not line.values:
        return project.memory.prefer()
    return project.memory.prefer(_wanted("prefer", line), everywhere=everywhere, why=line.get("why"))


def _lesson(project: Project, line: Sentence) -> object:
    facets = dict[str, str]()
    for value in line.all("applies-to"):
        key, equals, what = value.partition("=")
        if not (equals and key.strip().isidentifier()):
            _wrong("lesson", f"--applies-to wants KEY=VALUE, not {value!r}")
        facets[key.strip()] = what.strip()
    return project.memory.lesson(_wanted("lesson", line), source=line.get("from"), facets=facets)


def _export(project: Project, line: Sentence) -> object:
    return project.memory.export(_wanted("export", line))


def _import(project: Project, line: Sentence) -> object:
    return project.memory.import_field(_wanted("import", line), sha256=line.get("sha256"))


def _tidy(project: Project, line: Sentence) -> object:
    _nothing_more("tidy", line)
    return project.memory.tidy()


def _doctor(project: Project, line: Sentence) -> object:
    _nothing_more("doctor", line)
    return project.memory.doctor()


def _show(project: Project, line: Sentence) -> object:
    if "all" in line.switches:
        _nothing_more("show --all", line)
        return project.memory.show("--all")
    return project.memory.show(line.text)


class Nothing:
    """Nothing happened since the last section, so nothing was written."""

    def __bool__(self) -> bool:
        """Say that there is no section."""
        return False

    def __repr__(self) -> str:
        """Say so."""
        return "Nothing happened since the last session was kept; project.md stays as it is."


def _persist(project: Project, line: Sentence) -> object:
    _nothing_more("persist", line)
    if "now" in line.switches or not before_a_browser():
        return project.memory.persist() or Nothing()
    from cutbook.notebook.persist_form import form

    return form(project.memory) or Nothing()


VERBS: dict[str, Callable[[Project, Sentence], object]] = {
    "resume": _resume,
    "strategy": _strategy,
    "decide": _decide,
    "note": _note,
    "todo": _todo,
    "done": _done,
    "confirm": _confirm,
    "reaffirm": _confirm,
    "flag": _flag,
    "abandon": _abandon,
    "supersede": _supersede,
    "search": _search,
    "context": _context,
    "prefer": _prefer,
    "lesson": _lesson,
    "export": _export,
    "import": _import,
    "tidy": _tidy,
    "doctor": _doctor,
    "show": _show,
    "persist": _persist,
}


def run(desk: Desk, args: argparse.Namespace, cell: str | None) -> object:
    """Do what the verb says."""
    project = desk.project
    if cell is None:
        return VERBS[args.verb](project, said(args.verb, args.text))
    if args.verb != "persist":
        parser.error(f"%%memory is for persist; write %memory {args.verb} in one line")
    return project.memory.persist(**fields(cell)) or Nothing()


def _wanted(verb: str, line: Sentence) -> str:
    if not line.text:
        _wrong(verb, f"{verb} wants a {'file' if verb in {'import', 'export'} else 'text'}")
    return line.text


def _one(verb: str, line: Sentence) -> str:
    names = words(line.text)
    if len(names) != 1:
        _wrong(verb, f"{verb} wants one id, not {line.text!r}")
    return names[0]


def _nothing_more(verb: str, line: Sentence) -> None:
    if line.text:
        _wrong(verb.partition(" ")[0], f"{verb} takes nothing more, not {line.text!r}")


def _wrong(verb: str, message: str) -> NoReturn:
    """Say what is wrong, and how this verb is written."""
    _Form(verb).error(message)


MAGIC = Magic("memory", parser, run, raw=True, kinds=("line", "cell"), read=read)
