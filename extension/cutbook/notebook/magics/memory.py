"""``%memory``: what was decided and why, from one session to the next."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING, Any, NoReturn

from cutbook.errors import InputError
from cutbook.notebook.line import Parser, unquoted, words
from cutbook.notebook.magic import Magic
from cutbook.notebook.review.serving import before_a_browser

if TYPE_CHECKING:
    from collections.abc import Callable

    from cutbook.notebook.desk import Desk
    from cutbook.project import Project

FIELDS = ("strategy", "decisions", "reasoning", "outstanding")
_LABEL = re.compile(
    r"\s*(?:\*\*)?(strategy|decisions|reasoning(?: log)?|outstanding)\s*:\s*(?:\*\*)?\s*(.*)\Z", re.IGNORECASE
)

_FORMS = """%memory resume [--json]          the last session, what needs review, what is outstanding, what is unsaved
%memory strategy TEXT            what this session is after
%memory decide TEXT [--take T --range A-B --beat B] [--why TEXT]
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
%memory prefer [KEY=VALUE|TEXT] [--everywhere] [--why TEXT]   alone: what holds, and where it comes from
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
  Strategy: ...   Decisions:   - ...   Reasoning: ...   Outstanding:""",
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


def read(text: str) -> argparse.Namespace:
    """Split off the verb; the rest stays as people wrote it."""
    verb, _, rest = text.strip().partition(" ")
    return argparse.Namespace(verb=parser.read(verb or "resume").verb, text=rest.strip())


def options(text: str, *names: str) -> tuple[str, dict[str, str]]:
    """Take ``--name value`` pieces off a sentence; a value runs to the next of the ``names``.

    Returns the sentence and the values found, without quotes around them.
    """
    sentence, found = pieces(text, *names)
    return sentence, dict(found)


def pieces(text: str, *names: str) -> tuple[str, list[tuple[str, str]]]:
    """Take ``--name value`` pieces off a sentence as :func:`options` does, an option that is repeated each time."""
    pattern = re.compile(rf"(?:\A|\s)--({'|'.join(names)})(?:\s+|=)")
    places = list(pattern.finditer(text))
    if not places:
        return text, []
    ends = [*(place.start() for place in places[1:]), len(text)]
    found = [(p[1], unquoted(text[p.end() : end].strip())) for p, end in zip(places, ends, strict=True)]
    return text[: places[0].start()].strip(), found


def switch(text: str, name: str) -> tuple[str, bool]:
    """Take ``--name`` off a line, wherever it stands as a word, and tell whether it was there."""
    rest, count = re.subn(rf"(?:\A|\s)--{name}(?=\s|\Z)", "", text)
    return rest.strip(), bool(count)


def fields(cell: str) -> dict[str, Any]:
    """Read the four fields from a cell: a label and a colon, then text or a bullet a line."""
    found: dict[str, list[str]] = {}
    name = "strategy"
    for line in cell.splitlines():
        label = _LABEL.match(line)
        if label is not None:
            name = label[1].casefold().split()[0]
            found.setdefault(name, [])
        text = (label[2] if label is not None else line).strip()
        if text:
            found.setdefault(name, []).append(text.removeprefix("- ").strip())
    return {key: " ".join(lines) if key == "strategy" else lines for key, lines in found.items()}


def _resume(project: Project, text: str) -> object:
    rest, json = switch(text, "json")
    _nothing_more("resume", rest)
    found = project.memory.resume()
    return found.json() if json else found


class Said(str):
    """A sentence that was taken down, shown as it was said and not as Python writes a string."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Give the sentence."""
        return str(self)


def _strategy(project: Project, text: str) -> object:
    return Said(project.memory.strategy(_wanted("strategy", text)))


def _note(project: Project, text: str) -> object:
    return project.memory.note(_wanted("note", text))


def _todo(project: Project, text: str) -> object:
    return project.memory.todo(_wanted("todo", text))


def _done(project: Project, text: str) -> object:
    ids, found = options(text, "why")
    return Said(project.memory.done(_wanted("done", ids), why=found.get("why")))


def _decide(project: Project, text: str) -> object:
    sentence, found = options(text, "take", "range", "beat", "why")
    return project.memory.decide(
        _wanted("decide", sentence),
        take=found.get("take"),
        span=_span(found["range"]) if "range" in found else None,
        beat=found.get("beat"),
        why=found.get("why"),
    )


def _confirm(project: Project, text: str) -> object:
    ids, found = options(text, "take", "cause", "why")
    cause = found.get("cause")
    if cause is not None and not cause.isdecimal():
        parser.error(f"--cause wants the number that resume gives, not {cause!r}")
    return project.memory.confirm(
        *words(ids),
        take=found.get("take"),
        cause=int(cause) if cause else None,
        why=found.get("why"),
    )


def _flag(project: Project, text: str) -> object:
    name, found = options(text, "why")
    return project.memory.flag(_one("flag", name), why=found.get("why"))


def _abandon(project: Project, text: str) -> object:
    name, found = options(text, "why")
    return project.memory.abandon(_one("abandon", name), why=found.get("why"))


def _supersede(project: Project, text: str) -> object:
    name, found = options(text, "by", "why")
    return project.memory.supersede(_one("supersede", name), by=found.get("by", ""), why=found.get("why"))


def _search(project: Project, text: str) -> object:
    words_of, everywhere = switch(text, "everywhere")
    sentence, json = switch(words_of, "json")
    found = project.memory.search(unquoted(sentence), everywhere=everywhere)
    return found.json() if json else found


def _context(project: Project, text: str) -> object:
    line, json = switch(text, "json")
    rest, found = options(line, "budget", "task")
    _nothing_more("context", rest)
    budget = found.get("budget", "2000")
    if not budget.isdecimal():
        parser.error(f"--budget wants a number of tokens, not {budget!r}")
    pack = project.memory.context(int(budget), task=found.get("task"))
    return pack.json() if json else pack


def _prefer(project: Project, text: str) -> object:
    line, everywhere = switch(text, "everywhere")
    sentence, found = options(line, "why")
    if not sentence and not everywhere and not found:
        return project.memory.prefer()
    return project.memory.prefer(_wanted("prefer", sentence), everywhere=everywhere, why=found.get("why"))


def _lesson(project: Project, text: str) -> object:
    sentence, found = pieces(text, "from", "applies-to")
    facets = dict[str, str]()
    for name, value in found:
        key, equals, said = value.partition("=")
        if name == "applies-to" and not (equals and key.strip().isidentifier()):
            parser.error(f"--applies-to wants KEY=VALUE, not {value!r}")
        if name == "applies-to":
            facets[key.strip()] = said.strip()
    return project.memory.lesson(_wanted("lesson", sentence), source=dict(found).get("from"), facets=facets)


def _export(project: Project, text: str) -> object:
    return project.memory.export(unquoted(_wanted("export", text)))


def _import(project: Project, text: str) -> object:
    file, found = options(text, "sha256")
    return project.memory.import_field(unquoted(_wanted("import", file)), sha256=found.get("sha256"))


def _tidy(project: Project, text: str) -> object:
    _nothing_more("tidy", text)
    return project.memory.tidy()


def _doctor(project: Project, text: str) -> object:
    _nothing_more("doctor", text)
    return project.memory.doctor()


def _span(text: str) -> tuple[object, object]:
    start, dash, end = text.strip("[]").partition("-")
    if not dash:
        parser.error(f"--range wants a start and an end like 2.52-5.36, not {text!r}")
    return start, end


def _show(project: Project, text: str) -> object:
    return project.memory.show(text)


class Nothing:
    """Nothing happened since the last section, so nothing was written."""

    def __bool__(self) -> bool:
        """Say that there is no section."""
        return False

    def __repr__(self) -> str:
        """Say so."""
        return "Nothing happened since the last session was kept; project.md stays as it is."


def _persist(project: Project, text: str) -> object:
    rest, now = switch(text, "now")
    _nothing_more("persist", rest)
    if now or not before_a_browser():
        return project.memory.persist() or Nothing()
    from cutbook.notebook.persist_form import form

    return form(project.memory) or Nothing()


VERBS: dict[str, Callable[[Project, str], object]] = {
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
        return VERBS[args.verb](project, args.text)
    if args.verb != "persist":
        parser.error(f"%%memory is for persist; write %memory {args.verb} in one line")
    return project.memory.persist(**fields(cell)) or Nothing()


def _wanted(verb: str, text: str) -> str:
    if not text:
        _wrong(verb, f"{verb} wants a text")
    return text


def _one(verb: str, text: str) -> str:
    names = words(text)
    if len(names) != 1:
        _wrong(verb, f"{verb} wants one id, not {text!r}")
    return names[0]


def _nothing_more(verb: str, text: str) -> None:
    if text:
        _wrong(verb, f"{verb} takes nothing more, not {text!r}")


def _wrong(verb: str, message: str) -> NoReturn:
    """Say what is wrong, and how this verb is written."""
    forms = {line.split()[1]: re.split(r"\s{2,}", line)[0] for line in _FORMS.splitlines()}
    msg = f"%memory: {message}. Write it like: {forms[verb]}; %memory? says more"
    raise InputError(msg)


MAGIC = Magic("memory", parser, run, raw=True, kinds=("line", "cell"), read=read)
