"""What holds: the log and the open session, folded. Derived every time, stored nowhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cutbook.memory.marks import Mark, Target

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cutbook.memory.log import Entry, Log


@dataclass(slots=True)
class State:
    """Entries by their served id, and what became of them.

    ``ended`` maps an entry to "superseded" or "abandoned", ``flagged`` and ``done`` are ids.
    """

    entries: Mapping[str, Entry]
    last_session: int = 0
    ended: dict[str, str] = field(default_factory=dict)
    flagged: set[str] = field(default_factory=set)
    done: set[str] = field(default_factory=set)

    @property
    def live(self) -> tuple[Entry, ...]:
        """Every entry that holds, events left out, in the order of the log."""
        return tuple(each for each in self.entries.values() if each.kind != "e" and each.id not in self.ended)

    def of(self, kind: str) -> tuple[Entry, ...]:
        """Give the live entries of one kind."""
        return tuple(each for each in self.live if each.kind == kind)

    @property
    def outstanding(self) -> tuple[Entry, ...]:
        """What is still to do: with an id until done, without one while its session is the last."""
        return tuple(
            each
            for each in self.of("o")
            if not each.ticked
            and each.id not in self.done
            and (each.mark or each.session == self.last_session)
        )

    def find(self, target: Target) -> Entry | None:
        """Find the entry that an event means: where the id is only a place, the text must fit."""
        entry = self.entries.get(target.id)
        if entry is None or (target.text is not None and entry.text_hash != target.text):
            return None
        return None if entry.mark is None and target.text is None else entry

    def apply(self, mark: Mark) -> None:
        """Let one event, or the ``supersedes:`` of one entry, have its effect."""
        for identity in mark.values("supersedes"):
            entry = self.find(_target(identity))
            if entry and entry.id != mark.id:
                self.ended.setdefault(entry.id, "superseded")
        for target in mark.targets:
            entry = self.find(target)
            if entry is None or entry.id == mark.id:
                continue
            if mark.verb == "abandon":
                self.ended.setdefault(entry.id, "abandoned")
            elif mark.verb == "supersede":
                self.ended.setdefault(entry.id, "superseded")
            elif mark.verb == "flag":
                self.flagged.add(entry.id)
            elif mark.verb == "confirm":
                self.flagged.discard(entry.id)
            elif mark.verb == "done":
                self.done.add(entry.id)


def _target(text: str) -> Target:
    identity, _, hashed = text.partition("=")
    return Target(identity, hashed or None)


def fold(log: Log, events: Iterable[Mark] = ()) -> State:
    """Fold the log, then the events of open sessions.

    Events apply after all entries are known, in the order of the sessions' numbers, then of the file.
    """
    last = log.last
    state = State({entry.id: entry for entry in log.entries}, last.number if last else 0)
    for section in sorted(log.sections, key=lambda each: each.number):
        for entry in section.entries:
            if entry.mark:
                state.apply(entry.mark)
    for mark in events:
        state.apply(mark)
    return state
