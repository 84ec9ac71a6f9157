"""What is odd about a project's memory, in plain words. Nothing is repaired here."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cutbook.edit.ranges import spelled
from cutbook.html import paragraph
from cutbook.memory import log as project_log
from cutbook.memory import wording
from cutbook.memory.anchors import read_anchor
from cutbook.memory.archive import SUFFIX
from cutbook.memory.log import KINDS, Log
from cutbook.memory.reading import passed_over
from cutbook.memory.served import fold
from cutbook.memory.strategy import given
from cutbook.memory.text import decode_name, one_line, shorten

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cutbook.memory.session import Session

_NEIGHBOURS = 500
_HEAD = 4096
_RUNS = 4
_LONG = re.compile(r" {0,3}#{1,3}[ \t]+session[ \t]+[0-9]{16}", re.IGNORECASE)
_UUID = re.compile(rb"^uuid:[ \t]*['\"]?([0-9a-fA-F-]{36})", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was checked, and what is odd; ``ok`` where nothing is."""

    sentence: str
    findings: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Tell whether nothing is odd."""
        return not self.findings

    def __repr__(self) -> str:
        return "\n".join((self.sentence, *(f"- {each}" for each in self.findings)))

    def _repr_html_(self) -> str:
        return paragraph(self.sentence, bold=True) + "".join(map(paragraph, self.findings))


def examine(session: Session) -> Diagnosis:
    """Check numbering, ids, events, anchors, encoding and copies of the uuid; reads only.

    Raises:
        MemoryLogError: project.md is there and cannot be read.
    """
    log = project_log.read(session.log_path)
    if log is None:
        return Diagnosis("There is no project.md yet: nothing to check.")
    found = (*log.warnings, *_shape(log), *_numbers(log), *_ids(log), *_events(log), *_anchors(log))
    found += (*_unread(log), *_strategies(log), *_torn(session), *_copies(log, session.log_path))
    counted = f"{wording.count(len(log.sections), 'session')}, {wording.count(len(log.entries), 'item')}"
    verdict = "all in order" if not found else f"{wording.count(len(found), 'thing')} to look at"
    return Diagnosis(f"project.md: {counted}; {verdict}.", found)


def _shape(log: Log) -> Iterator[str]:
    if log.head.startswith("\ufeff"):
        yield "the file begins with a byte order mark; some readers miss its front matter for it"
    if log.open_fence:
        yield f"a code fence ({log.open_fence}) is opened and never closed"
    if log.sections and not log.front:
        yield "there is no front matter that can be read (title, uuid, created)"

    nuls = sum(section.source.count(0) for section in log.sections)
    if nuls:
        yield f"{wording.count(nuls, 'NUL byte')} stand in the sessions, as a crash leaves them; they are passed over"


def _unread(log: Log) -> Iterator[str]:
    """Name the lines that are read as nothing, and headings that look like a session's and are none."""
    first = log.head.count("\n") + 1
    for section in log.sections:
        lines = section.raw.split("\n")
        for number, line in enumerate(lines):
            if _LONG.match(line):
                yield f"line {first + number} begins no session, its number is too long: {shorten(line.strip(), 60)}"
        odd = passed_over(section)
        if odd:
            where = _runs([first + number for number in odd])
            verb, them = ("is", "line") if len(odd) == 1 else ("are", "lines")
            yield (
                f"{wording.count(len(odd), 'line')} of session {section.number} {verb} read as nothing "
                f"({them} {where}: “{shorten(one_line(lines[odd[0]]), 60)}”); under **Reasoning log:** notes are read"
            )
        first += section.raw.count("\n")


def _runs(numbers: list[int]) -> str:
    """Write numbers in words, neighbours as a run (``3-5 and 9``)."""
    said = spelled(numbers)
    return wording.listed(said if len(said) <= _RUNS else [*said[:_RUNS], "more"])


def _strategies(log: Log) -> Iterator[str]:
    for section in log.sections:
        parts = [found for label, found in section.fields.items() if KINDS.get(label.lower()) == "s"]
        for each in (entry for found in parts for entry in found):
            # A sentence of cutbook's own that a merge left there misleads nobody.
            if given(each.text, section.mark):
                yield (
                    f"session {section.number} has more than one Strategy (a merge?); "
                    f"this one is kept as the note {each.id}: “{shorten(each.text, 60)}”"
                )


def _numbers(log: Log) -> Iterator[str]:
    numbers = [each.number for each in log.sections]
    for number, times in sorted(Counter(numbers).items()):
        if times > 1:
            yield f"session {number} is there {times} times (a merge?); new sessions go on from the highest"
    if numbers != sorted(numbers):
        yield "sessions do not stand in the order of their numbers; the highest is the last"
    missing = sorted(set(range(1, max(numbers, default=0) + 1)) - set(numbers))
    if missing and len(missing) < len(set(numbers)) + 10:
        yield f"no session has the number {wording.listed([str(each) for each in missing[:8]])}"


def _ids(log: Log) -> Iterator[str]:
    for name in (entry.id for entry in log.entries if "~" in entry.id):
        first = name.partition("~")[0]
        yield f"{first} is the id of more than one entry; the later is served as {name}, and no event can name either"


def _events(log: Log) -> Iterator[str]:
    state = fold(log)
    values = (value for entry in log.entries if entry.mark for value in entry.mark.values("import"))
    zips = {decode_name(value.rpartition("=")[0]).removesuffix(SUFFIX) for value in values}
    for entry in log.entries:
        for target in entry.mark.targets if entry.mark else ():
            if "/" in target.id:
                if target.id.partition("/")[0] not in zips:
                    yield f"event {entry.id} (session {entry.session}) is about {target.id}, which nobody imported"
            elif target.id not in state.entries and target.text is None:
                yield f"event {entry.id} (session {entry.session}) is about {target.id}, which is not there"
            elif state.find(target) is None:
                yield f"event {entry.id} (session {entry.session}) does not fit the words of {target.id} any more"


def _anchors(log: Log) -> Iterator[str]:
    for entry in log.entries:
        for token in entry.tokens:
            anchor = read_anchor(token)
            named = token.partition(":")[0] in {"media", "words", "edl"}
            if (anchor is None and named) or (anchor is not None and anchor.value is None):
                yield f"{entry.id} (session {entry.session}) has an anchor whose hash is none: {token}"


def _torn(session: Session) -> Iterator[str]:
    try:
        rows = session.path.read_bytes().splitlines()
    except OSError:
        return
    odd = sum(bool(row.strip()) for row in rows) - len(session.events())
    if odd > 0:
        verb = "is" if odd == 1 else "are"
        yield f"{wording.count(odd, 'line')} of {session.path.name} cannot be read and {verb} passed over"


def _copies(log: Log, path: Path) -> Iterator[str]:
    """Look into the folders beside the project's: a copied folder has the same uuid."""
    if log.uuid is None:
        return
    folder = path.resolve().parent.parent
    try:
        beside = sorted(each for each in folder.parent.iterdir() if each != folder)[:_NEIGHBOURS]
    except OSError:
        return
    for each in beside:
        other = each / path.parent.name / path.name
        try:
            with other.open("rb") as file:
                match = _UUID.search(file.read(_HEAD))
        except OSError:
            continue
        if match and match[1].decode().casefold() == log.uuid.casefold():
            yield f"{each.name} beside this folder has the same uuid: one is a copy of the other"
