"""Decisions that a person wrote, and which of them a change of the cut ends: told at once, and easy to refuse."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from cutbook.errors import CutbookError
from cutbook.memory import log as project_log
from cutbook.memory.anchors import ranges_of, read_anchor
from cutbook.memory.draft import ended_by
from cutbook.memory.log import Log
from cutbook.memory.marks import WRITTEN
from cutbook.memory.served import fold
from cutbook.memory.wording import read_span

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from cutbook.edit.edl import Range
    from cutbook.memory.log import Entry
    from cutbook.memory.session import Event, Session
    from cutbook.timebase import Span


def written(entry: Entry) -> bool:
    """Tell whether a person wrote a decision: it says so, or it has not the form of one that is drafted."""
    tokens = entry.tokens
    return WRITTEN in tokens or not any(token.startswith(("range:", "status:")) for token in tokens)


@dataclass(slots=True)
class _Index:
    """The written decisions of one log that hold, by the ranges and the takes that they name."""

    log: Log
    by_range: dict[str, list[Entry]] = field(default_factory=lambda: defaultdict(list))
    by_take: dict[str, list[tuple[Span, Entry]]] = field(default_factory=lambda: defaultdict(list))

    def near(self, changes: Iterable[Mapping[str, Any]]) -> tuple[dict[str, Entry], set[str]]:
        """Give those that changes of ranges may be about, and the ids of these ranges."""
        found: dict[str, Entry] = {}
        ranges: set[str] = set()
        for change in changes:
            names = [name for key in ("id", "was", "parent") if (name := change.get(key))]
            hit = {each.id: each for name in names for each in self.by_range.get(name, ())}
            for state in filter(None, (change.get("before"), change.get("after"))):
                own = self.by_take.get(state.get("take"))
                if own and (span := read_span(state.get("span"))):
                    hit |= {each.id: each for at, each in own if at.start < span.end and span.start < at.end}
            if hit:
                found |= hit
                ranges.update(names)
        return found, ranges


_indexed: list[_Index] = []


def _index(log: Log) -> _Index:
    known = next((each for each in _indexed if each.log is log), None)
    if known is None:
        known = _Index(log)
        for entry in fold(log).of("d"):
            if not (entry.mark and entry.mark.tokens and written(entry)):
                continue
            for name in ranges_of(entry.mark.tokens):
                known.by_range[name].append(entry)
            for token in entry.mark.tokens:
                anchor = read_anchor(token) if token.startswith("words:") else None
                if anchor and anchor.span:
                    known.by_take[anchor.name].append((anchor.span, entry))
        _indexed[:] = [known]
    return known


def endings(
    session: Session, event: Event, before: Sequence[Range], after: Sequence[Range]
) -> tuple[Entry, ...]:
    """Give the decisions that a person wrote and that end with an edit, in the order of the log.

    ``event`` is the edit as the session holds it, ``before`` and ``after`` the ranges of the cut list. What has ended
    already with an earlier edit of the session is not told again. Nothing is told where the log cannot be read.
    """
    try:
        log = project_log.read(session.log_path, session.folders) or Log()
        events = session.unsaved(log)
    except CutbookError:
        return ()
    near, names = _index(log).near(event.changes)
    told = [name for each in events if each.kind == "decide" for name in ranges_of(each.anchors)]
    names |= {change["id"] for change in event.changes}.intersection(told)
    if not names:
        return ()
    names.update(told, (name for each in near.values() if each.mark for name in ranges_of(each.mark.tokens)))
    few = _about(events, names)
    takes = {anchor.name for each in near.values() for token in each.tokens if (anchor := read_anchor(token))}
    now = ended_by(log, few, near, [each for each in after if each.id in names or each.source in takes])
    if not now:
        return ()
    was = [each for each in before if each.id in names or each.source in takes]
    earlier = ended_by(log, [each for each in few if each.id != event.id], near, was)
    return tuple(entry for name, entry in now.items() if name not in earlier)


def _about(events: Sequence[Event], names: set[str]) -> list[Event]:
    """Leave out of events what they did to other ranges than these, and those from which they came."""
    found = []
    for event in reversed(events):
        if not event.changes:
            found.append(event)
            continue
        own = [change for change in event.changes if change["id"] in names]
        names = names | {str(change[key]) for change in own for key in ("was", "parent") if change.get(key)}
        if own:
            found.append(replace(event, facts={**event.facts, "changes": own}))
    return found[::-1]
