"""Where a project's memory stands: the log, the open session on top of it, and each entry against the footage.

**Served state = fold(log + open session) × compare(anchors).** Made for one answer and thrown away.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from cutbook.memory import log as project_log
from cutbook.memory.compare import UNANCHORED, Present, Verdict
from cutbook.memory.draft import ENTRIES, act_mark, draft
from cutbook.memory.log import Entry, Log
from cutbook.memory.marks import Mark, sound_id
from cutbook.memory.served import fold
from cutbook.memory.text import decode_name, escape
from cutbook.memory.wording import counts_undecided, undecided, with_why

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cutbook.memory.compare import Scene
    from cutbook.memory.served import State
    from cutbook.memory.session import Event, Session


@dataclass
class Standing:
    """The log, the events that are in no section of it yet, and what holds by both.

    ``unsaved`` are the ids of entries that only the open session has; their ``session`` is the number it would get.
    ``home`` is the footage folder, ``ending`` names what ends only with the session's own edits, once it is kept.
    """

    log: Log
    events: tuple[Event, ...]
    state: State
    unsaved: frozenset[str]
    scene: Scene
    home: Path = Path()
    ending: frozenset[str] = frozenset()

    @cached_property
    def present(self) -> Present:
        """The project as it is now; nothing is looked at before an anchor asks."""
        return Present(replace(self.scene, places=lambda: {**self._told(), **self.scene.places()}))

    def _told(self) -> dict[str, Path]:
        """Give where takes lay by what entries say, for those that neither cut list nor transcripts know."""
        rows = (row for entry in self.state.entries.values() if entry.mark for row in entry.mark.values("at"))
        named = (
            (decode_name(name), decode_name(folder)) for name, _, folder in (r.partition("=") for r in rows)
        )
        return {name: self.home / folder / name for name, folder in named}

    @cached_property
    def holding(self) -> tuple[Entry, ...]:
        """The live entries that anchors can put in doubt."""
        return self.state.holding

    @cached_property
    def verdicts(self) -> dict[str, Verdict]:
        """What comparing gave, of every entry that holds; those that ended are never compared."""
        tokens = [entry.tokens for entry in self.holding]
        found = self.present.verdicts(tokens)
        return {entry.id: verdict for entry, verdict in zip(self.holding, found, strict=True)}

    def verdict(self, entry: Entry) -> Verdict:
        """Compare one entry's anchors with the project as it is now."""
        return self.present.verdict(entry.mark.tokens) if entry.mark else UNANCHORED

    def where(self, entry: Entry) -> str:
        """Say in which session an entry stands."""
        return "not saved yet" if entry.id in self.unsaved else f"session {entry.session}"


def outstanding_text(stands: Standing, entry: Entry) -> str:
    """Give the words of a task; how many ranges are undecided is counted in the cut list as it is, empty for none."""
    ranges = stands.present.ranges if entry.mark is None and counts_undecided(entry.text) else None
    return entry.text if ranges is None else undecided(ranges)


def standing(session: Session, scene: Scene) -> Standing:
    """Fold log and open session; writes nothing.

    Raises:
        MemoryLogError: project.md or session.jsonl is there and cannot be read.
    """
    log = project_log.read(session.log_path, session.folders) or Log()
    events = session.unsaved(log)
    state = fold(log)
    ranges = scene.ranges() if any(event.changes for event in events) else None
    drafted = draft(log, events, date=session.clock().date(), ranges=ranges) if events else None
    items = drafted.items if drafted else []
    written = {item.mark.id for item in items if item.mark}
    new = [entry for entry in _entries(events, log.next_number) if entry.id in written]
    state.entries.update({entry.id: entry for entry in new})
    acts = list(_acts(events))
    for mark, why in acts:
        state.apply(mark, why, log.next_number)
    # What the session's own edits will end is ended already, so that nobody reviews their own work.
    told, before = {mark.id for mark, _ in acts}, frozenset(state.ended)
    for item in items:
        if item.mark and item.mark.id not in told:
            state.apply(item.mark, item.text, log.next_number)
    unsaved = frozenset(entry.id for entry in new)
    ending = frozenset(state.ended) - before
    return Standing(log, events, state, unsaved, scene, session.edit.parent, ending)


def _entries(events: Sequence[Event], number: int) -> Iterator[Entry]:
    for event in events:
        name = event.text("entry")
        if event.kind in ENTRIES and sound_id(name):
            text = with_why(event.text("text"), event.text("why"))
            yield Entry(name, ENTRIES[event.kind], number, escape(text), Mark(name, tokens=event.anchors))


def _acts(events: Iterable[Event]) -> Iterator[tuple[Mark, str]]:
    for event in events:
        mark = act_mark(event)
        if mark is not None:
            yield mark, event.text("why")
