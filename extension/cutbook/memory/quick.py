"""A log's entries without its grammar: for a file in the very form in which cutbook writes it, many times as fast.

Anything that cutbook would not have written, a table, a fence, a bullet over two lines, gives None: then the log is
parsed. What is given is what parsing and folding give.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from cutbook.memory.log import Entry, Log, nothing
from cutbook.memory.markdown import session_heading
from cutbook.memory.marks import Mark, read_mark, sound_id
from cutbook.memory.served import State, fold

_LABELS = {"**Decisions:**": "d", "**Reasoning log:**": "r", "**Outstanding:**": "o"}
_STRATEGY = "**Strategy:** "
_COMMENT = " <!-- m "


@dataclass(frozen=True, slots=True)
class Dated:
    """An entry, the date of its session (that of an earlier one where it has none), and what became of it."""

    entry: Entry
    date: dt.date | None
    state: str


def dated(log: Log, state: State | None = None) -> list[Dated]:
    """Give the entries of a log that was parsed, in the order of the file."""
    known = state or fold(log)
    found: list[Dated] = []
    date = None
    for section in log.sections:
        date = section.date or date
        found += [Dated(entry, date, became(entry, known)) for entry in section.entries]
    return found


def became(entry: Entry, state: State) -> str:
    """Say what became of an entry: live, superseded, abandoned, done or flagged."""
    if entry.id in state.ended:
        return state.ended[entry.id]
    if entry.ticked or entry.id in state.done:
        return "done"
    return "flagged" if entry.id in state.flagged else "live"


def quick(data: bytes) -> list[Dated] | None:
    """Read a log in cutbook's own form; None for any other."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    start = text.find("\n---\n", 3) + 5 if text.startswith("---\n") else 0
    if "\r" in text or "```" in text or "~~" in text or start == 4:
        return None
    entries = _entries(text[start:])
    if entries is None or len({entry.id for entry, _, _ in entries}) < len(entries):
        return None
    state = State({entry.id: entry for entry, _, _ in entries})
    for entry, _, _ in sorted(entries, key=lambda each: each[0].session):
        if entry.mark and (entry.mark.verb or entry.mark.tokens):
            state.apply(entry.mark)
    return [Dated(entry, date, became(entry, state)) for entry, date, _ in entries]


def _entries(body: str) -> list[tuple[Entry, dt.date | None, str]] | None:
    found: list[tuple[Entry, dt.date | None, str]] = []
    date: dt.date | None = None
    session, kind, count = 0, "", 0
    labels: set[str] = set()
    for line in body.split("\n"):
        if line.startswith("- ") and kind:
            entry = _entry(line, session, kind, count + 1)
            if entry is None:
                return None
            if entry.id:
                found.append((entry, date, kind))
                count += 1
        elif not line:
            continue
        elif line in _LABELS:
            if not session or line in labels:
                return None
            kind, count = _LABELS[line], 0
            labels.add(line)
        elif line.startswith(_STRATEGY) and session:
            kind = ""
        elif line.startswith("## Session ") and (heading := session_heading(line)):
            session, kind, date = heading.number, "", heading.date or date
            labels.clear()
        else:
            return None
    return found


def _entry(line: str, session: int, kind: str, number: int) -> Entry | None:
    """Read a bullet; an entry without an id where it says that there is nothing, None where it is of another form."""
    at = line.find("<!--")
    if at < 0:
        raw = line[2:].strip()
        if line[2:3] in " \t" or raw.startswith("- "):
            return None
        name = "" if nothing(raw) else f"{kind}-{session}-{number}"
        return Entry(name, kind, session, raw, None, raw[:4].lower().strip() == "[x]")
    if not line.endswith(" -->") or line.find("<!--", at + 4) > 0 or line.find("-->") != len(line) - 3:
        return None
    comment = line[at + 5 : -4]
    name = comment[2:9].rstrip()
    if line[at - 1 : at + 7] != _COMMENT or not sound_id(name) or name[0] == "s":
        return None
    mark = read_mark(comment) if name[0] == "e" or "supersedes:" in comment else Mark(name)
    if mark is None or mark.id != name:
        return None
    raw = line[2 : at - 1].strip()
    return Entry(name, name[0], session, raw, mark, raw[:4].lower().strip() == "[x]")
