"""What can be found in a log, read without its grammar where cutbook wrote it: many times as fast.

Anything that cutbook would not have written, a table, a fence, a bullet over two lines, gives None: then the log is
parsed. What is given is what parsing and folding give.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import NamedTuple

from cutbook.memory.items import Names
from cutbook.memory.log import Entry, Log, nothing
from cutbook.memory.markdown import session_heading
from cutbook.memory.marks import Mark, read_mark, sound_id
from cutbook.memory.plain import strategy_of
from cutbook.memory.served import State, fold
from cutbook.memory.strategy import given, standing_section
from cutbook.memory.text import unescape

KINDS = {
    "d": "decision",
    "r": "reasoning",
    "o": "outstanding",
    "p": "preference",
    "e": "event",
    "s": "strategy",
}
_LABELS = {"**Decisions:**": "d", "**Reasoning log:**": "r", "**Outstanding:**": "o"}
_STRATEGY = "**Strategy:** "
_COMMENT = " <!-- m "
_ODD = re.compile(r"[\\&\[\n]")
_TICKED = re.compile(r"\[[xX]\](?:\s|\Z)")


class Row(NamedTuple):
    """One entry that can be found. ``origin`` names the import that it came by; ``session`` None: not saved yet."""

    id: str
    kind: str
    text: str
    state: str = "live"
    session: int | None = None
    date: dt.date | None = None
    origin: str = ""


@dataclass(slots=True)
class _Line:
    """A bullet: what stands before its comment, and what the comment does to others, if anything."""

    id: str
    raw: str
    session: int
    date: dt.date | None
    marked: bool
    act: Mark | None = None


def rows(log: Log, state: State | None = None) -> list[Row]:
    """Give the entries of a log that was parsed, in the order of the file.

    A session without a date has that of the one before it.
    """
    known = state or fold(log)
    found: list[Row] = []
    date = None
    names, stands = Names(), standing_section(log)
    for section in log.sections:
        date = section.date or date
        if given(section.strategy, section.mark):
            name = names.serve(f"s-{section.number}")
            became_of = "live" if section is stands else "superseded"
            found.append(Row(name, KINDS["s"], section.strategy, became_of, section.number, date))
        found += [
            Row(
                e.id,
                KINDS.get(e.kind, "note"),
                e.text,
                _became(e.id, known, ticked=e.ticked),
                e.session,
                date,
            )
            for e in section.entries
        ]
    return found


def became(entry: Entry, state: State) -> str:
    """Say what became of an entry: live, superseded, abandoned, done or flagged."""
    return _became(entry.id, state, ticked=entry.ticked)


def _became(name: str, state: State, *, ticked: bool) -> str:
    if name in state.ended:
        return state.ended[name]
    if ticked or name in state.done:
        return "done"
    return "flagged" if name in state.flagged else "live"


def quick(data: bytes) -> list[Row] | None:
    """Read a log in cutbook's own form; None for any other."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    start = text.find("\n---\n", 3) + 5 if text.startswith("---\n") else 0
    if "\r" in text or "\0" in text or "```" in text or "~~" in text or start == 4:
        return None
    lines = _lines(text[start:])
    if lines is None:
        return None
    by_id = {line.id: line for line in lines}
    if len(by_id) < len(lines):
        return None
    state = _state(lines, by_id)
    told = [line for line in lines if line.id[0] == "s"]
    stands = max(reversed(told), key=lambda line: line.session, default=None)
    state.ended.update((line.id, "superseded") for line in told if line is not stands)
    return [
        Row(
            line.id,
            KINDS[line.id[0]],
            # Most entries stand in the file as they were typed.
            _entry(line).text if _ODD.search(line.raw) else line.raw,
            _became(line.id, state, ticked=_ticked(line)),
            line.session,
            line.date,
        )
        for line in lines
    ]


def _state(lines: list[_Line], by_id: dict[str, _Line]) -> State:
    """Let the events have their effect, on no more entries than they name."""
    acts = sorted((line for line in lines if line.act), key=lambda line: line.session)
    marks = [line.act for line in acts if line.act]
    named = {target.id for mark in marks for target in mark.targets}
    named |= {value.partition("=")[0] for mark in marks for value in mark.values("supersedes")}
    state = State({name: _entry(by_id[name]) for name in named if name in by_id})
    for mark in marks:
        state.apply(mark)
    return state


def _entry(line: _Line) -> Entry:
    mark = line.act or (Mark(line.id) if line.marked else None)
    return Entry(line.id, line.id[0], line.session, line.raw, mark, _ticked(line))


def _ticked(line: _Line) -> bool:
    return line.raw.startswith("[") and bool(_TICKED.match(line.raw))


def _lines(body: str) -> list[_Line] | None:
    found: list[_Line] = []
    date: dt.date | None = None
    session, kind, count = 0, "", 0
    labels: set[str] = set()
    for row in filter(None, body.split("\n")):
        if row.startswith("- ") and kind:
            line = _line(row, session, kind, count + 1, date)
            if line is None:
                return None
            if line.id:
                found.append(line)
                count += 1
        elif row.startswith("## Session ") and (heading := session_heading(row)):
            session, kind, date = heading.number, "", heading.date or date
            labels.clear()
        else:
            label = _label(row)
            if label is None or not session or label in labels:
                return None
            labels.add(label)
            kind, count = _LABELS.get(label, ""), 0
            found += _strategy(row, session, date) if not kind else []
    return found


def _label(row: str) -> str | None:
    """Give the label that a row is or begins with; None for any other row."""
    if row in _LABELS:
        return row
    return _STRATEGY if row.startswith(_STRATEGY) and row[len(_STRATEGY) :][:1].isalpha() else None


def _strategy(row: str, session: int, date: dt.date | None) -> list[_Line]:
    mark, said = strategy_of(row[len(_STRATEGY) :])
    if not given(unescape(said), mark):
        return []
    return [_Line(f"s-{session}", said, session, date, marked=False)]


def _line(row: str, session: int, kind: str, number: int, date: dt.date | None) -> _Line | None:
    """Read a bullet; one without an id where it says that there is nothing, None where it is of another form."""
    at = row.find("<!--")
    if at < 0:
        raw = row[2:].strip()
        if row[2:3] in " \t" or raw.startswith("- "):
            return None
        return _Line("" if nothing(raw) else f"{kind}-{session}-{number}", raw, session, date, marked=False)
    name = row[at + 7 : at + 14]
    whole = row.endswith(" -->") and row.find("-->", at) == len(row) - 3 and row.find("<!--", at + 4) < 0
    if (
        not whole
        or row[at - 1 : at + 7] != _COMMENT
        or not sound_id(name)
        or row[at + 14] != " "
        or name[0] == "s"
    ):
        return None
    act = None
    if name[0] == "e" or row.find("supersedes:", at) > 0:
        act = read_mark(row[at + 5 : -4])
        if act is None or act.id != name:
            return None
    return _Line(name, row[2 : at - 1].strip(), session, date, marked=True, act=act)
