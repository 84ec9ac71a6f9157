"""The section that a session becomes: drafted from what happened, in plain words."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cutbook.memory import log as project_log
from cutbook.memory import wording
from cutbook.memory.bullets import Item, Key, confirmed, entry_key, key
from cutbook.memory.cuts import Cuts
from cutbook.memory.log import Log, Section
from cutbook.memory.marks import Kind, Mark, Target, new_id, read_targets, sound_id
from cutbook.memory.net import Net, Touch, net_changes, overtaken, touched
from cutbook.memory.preferences import taken_back
from cutbook.memory.served import State, fold
from cutbook.memory.session import Event, Session, check_token
from cutbook.memory.strategy import summed_up
from cutbook.memory.text import decode_name, escape, one_line, quotation, shorten, unescape

if TYPE_CHECKING:
    from cutbook.edit.edl import Edl, Range

__all__ = ["Draft", "Item", "Session", "draft", "persist"]

Given = str | Sequence[str] | None
ENTRIES: Mapping[str, Kind] = {
    "decide": "d",
    "note": "r",
    "todo": "o",
    "prefer": "p",
    "lesson": "r",
    "imported": "r",
}
"""The verbs that write an entry, and its kind."""

ACTS = frozenset({"done", "confirm", "flag", "abandon", "supersede"})
"""The verbs that do something to an entry; each is an event of the log once the session is kept."""


@dataclass(slots=True)
class Draft:
    """A section before it is written."""

    number: int
    date: dt.date
    strategy: str
    mark: Mark
    decisions: list[Item] = field(default_factory=list)
    reasoning: list[Item] = field(default_factory=list)
    outstanding: list[Item] = field(default_factory=list)
    summed: str = ""
    """The sentence that stands in place of a strategy, where nobody gave one."""

    @property
    def items(self) -> list[Item]:
        """Every bullet, in the order of the section."""
        return [*self.decisions, *self.reasoning, *self.outstanding]

    def text(self) -> str:
        """Give the section as markdown, with LF."""
        parts = [
            f"## Session {self.number} — {self.date.isoformat()}",
            f"**Strategy:** {escape(self.strategy)} {self.mark}",
            _field("Decisions", self.decisions),
            _field("Reasoning log", self.reasoning),
            _field("Outstanding", self.outstanding),
        ]
        return "\n\n".join(parts) + "\n"


def _field(label: str, items: Sequence[Item]) -> str:
    return "\n".join((f"**{label}:**", *(map(str, items) if items else ("- None.",))))


def persist(
    session: Session,
    *,
    edl: Edl | None = None,
    title: str | None = None,
    strategy: str | None = None,
    decisions: Given = None,
    reasoning: Given = None,
    outstanding: Given = None,
    tokens: Sequence[str] = (),
    revise: Callable[[Draft], None] | None = None,
) -> Section | None:
    """Append this session to project.md, and give the section; None when nothing happened.

    Fields given by hand come first, each line of a text an item; a strategy given takes the place of the summary.
    ``edl`` is the cut list now, for what is undecided; ``title`` names a project.md that is made; ``tokens`` are what
    the section's own comment says beside how far it comes; ``revise`` may change what is drafted before it is written.

    Raises:
        MemoryLogError: project.md cannot be written safely; it is whole, and the open session is kept.
        FileBusy: another process held the lock for a minute.
    """
    given = {"decisions": lines(decisions), "reasoning": lines(reasoning), "outstanding": lines(outstanding)}
    now = session.clock()

    def build(log: Log) -> str | None:
        events = session.mine(log)
        drafted = draft(
            log,
            events,
            date=now.date(),
            ranges=edl.ranges if edl else None,
            strategy=strategy,
            given=given,
        )
        if drafted is None:
            return None
        if revise is not None:
            revise(drafted)
        marks = [*(f"upto:{event}" for event in session.upto(events)), *tokens]
        if drafted.summed and drafted.strategy == drafted.summed:
            marks.append(summed_up(drafted.summed))
        if "uuid" not in log.front and serialised(log):
            marks.append(f"uuid:{log.uuid or uuid.uuid4()}")
        drafted.mark = Mark(drafted.mark.id, tokens=tuple(marks))
        return drafted.text()

    front_matter = {
        "schema": "cutbook/1",
        "title": title or session.edit.resolve().parent.name,
        "uuid": str(uuid.uuid4()),
        "created": now.isoformat(timespec="seconds"),
        "read": 'later lines override earlier ones; "No longer:" ends a decision; '
        "%memory context gives the checked state",
    }
    return project_log.append(session.log_path, build, session.folders, front_matter=front_matter)


def serialised(log: Log) -> bool:
    """Tell whether the log has any content, so that its file exists already."""
    return bool(project_log.serialise(log).removeprefix(b"\xef\xbb\xbf"))


def lines(given: Given) -> tuple[str, ...]:
    """Split what a person gave for a field into items: a line each, list marks taken off."""
    if given is None:
        return ()
    rows = given.splitlines() if isinstance(given, str) else given
    bare = (row.strip().removeprefix("- ").removeprefix("* ").strip() for row in rows)
    return tuple(row for row in bare if not project_log.nothing(row))


def draft(
    log: Log,
    events: Sequence[Event],
    *,
    date: dt.date,
    ranges: Sequence[Range] | None = None,
    strategy: str | None = None,
    given: Mapping[str, Sequence[str]] | None = None,
) -> Draft | None:
    """Draft the section of the events; None when nothing happened that is not in the log already.

    ``ranges`` is the cut list now; None where there is none, or where nothing of it is wanted.
    """
    writer = _Writer(fold(log), ranges, log.next_number)
    hand = given or {}
    decisions = writer.typed("d", hand.get("decisions", ()))
    reasoning = writer.typed("r", hand.get("reasoning", ()))
    outstanding = writer.typed("o", hand.get("outstanding", ()))
    verbs = writer.verbs(events)
    nets = [net for net in net_changes(events) if not overtaken(net, ranges)]
    decisions += [*verbs["p"], *verbs["d"], *writer.ranges(nets, touched(events))]
    reasoning += verbs["r"]
    outstanding += [*verbs["o"], *writer.checks(events)]
    said = one_line(strategy or "") or _strategy(events)
    done = wording.summary(events, nets)
    news = bool(said) and unescape(escape(said)) not in {section.strategy for section in log.sections}
    if not (decisions or reasoning or outstanding or done or news):
        return None
    if said and done:
        reasoning.append(Item(f"Done: {done[0].lower()}{done[1:]}", Mark(new_id("r"))))
    acts = [item.mark.verb for item in (*decisions, *outstanding) if item.mark and item.mark.verb]
    new = [
        sum(not (each.mark and each.mark.verb) for each in part)
        for part in (decisions, reasoning, outstanding)
    ]
    preferred = sum(bool(each.mark and each.mark.kind == "p") for each in decisions)
    summary = said or done or wording.written(new[0] - preferred, new[1], new[2], acts, preferences=preferred)
    if ranges and (undecided := wording.undecided(ranges)):
        outstanding.append(Item(undecided))
    mark = Mark(f"s-{log.next_number}")
    summed = "" if said else summary
    return Draft(log.next_number, date, summary, mark, decisions, reasoning, outstanding, summed)


def _strategy(events: Iterable[Event]) -> str:
    """Give the last strategy that was stated."""
    said = [event.text("text") for event in events if event.kind == "strategy"]
    return said[-1] if said else ""


def ended_by(
    log: Log,
    events: Sequence[Event],
    entries: Mapping[str, project_log.Entry],
    ranges: Sequence[Range] | None,
) -> dict[str, project_log.Entry]:
    """Give which of these decisions of the log, and of those that the events wrote down, end with what events changed.

    ``ranges`` is the cut list after them.
    """
    state = State(dict(entries), log.last.number if log.last else 0)
    writer = _Writer(state, ranges, log.next_number)
    writer.verbs(events)
    by_verb = frozenset(state.ended)
    nets = [net for net in net_changes(events) if not overtaken(net, ranges)]
    for item in writer.ranges(nets, touched(events)):
        if item.mark:
            state.apply(item.mark)
    return {name: state.entries[name] for name in state.ended if name not in by_verb}


class _Writer:
    """Turns what happened into items, against what the log holds already."""

    def __init__(self, state: State, ranges: Sequence[Range] | None, number: int) -> None:
        self._state = state
        self._ranges = ranges
        self._number = number
        self._logged = state.of("d")
        self._given_up: list[project_log.Entry] = []
        self._told: list[tuple[project_log.Entry, int]] = []
        self._kept: dict[str, int] = {}
        still = {entry.id for entry in state.outstanding}
        holds = [entry for entry in state.live if entry.kind != "o" or entry.id in still]
        self._known: dict[Key, project_log.Entry | None] = {entry_key(entry): entry for entry in holds}
        self._settled = {entry_key(e) for e in state.of("o") if e.ticked or e.id in state.done}

    def typed(self, kind: Kind, texts: Iterable[str]) -> list[Item]:
        """Write items given by hand."""
        return [item for text in texts for item in self._entry(kind, text, ())]

    def _entry(self, kind: Kind, text: str, tokens: tuple[str, ...], name: str = "") -> list[Item]:
        """Write an entry; nothing where it holds already, a confirmation where its targets have changed since."""
        same = key(kind, text, tokens)
        if not text or same in self._known:
            known = self._known.get(same)
            return confirmed(known, tokens) if known else []
        self._known[same] = None
        return [Item(text, Mark(name if sound_id(name) else new_id(kind), tokens=tokens))]

    def verbs(self, events: Sequence[Event]) -> dict[str, list[Item]]:
        """Write what ``%memory`` was told: decisions, notes, todos, and events on entries."""
        found: dict[str, list[Item]] = {"d": [], "r": [], "o": [], "p": []}
        stale = taken_back(events)
        own: dict[str, Item] = {}
        for place, event in enumerate(events):
            if event.id in stale:
                continue
            if event.kind in ENTRIES:
                kind = ENTRIES[event.kind]
                text = wording.with_why(event.text("text"), event.text("why"))
                items = self._entry(kind, text, event.anchors, event.text("entry"))
                own.update({item.mark.id: item for item in items if item.mark and not item.mark.verb})
                for item in items:
                    self._hold(item, place)
                found[kind] += items
            elif event.kind == "done":
                target = event.text("target")
                if target in own:
                    own[target].ticked = True
                else:
                    found["o"] += self._done(event.id, target, event.text("why"))
            elif event.kind in ACTS:
                found["d"] += self._act(event)
                if (
                    event.kind == "confirm"
                    and (mark := act_mark(event))
                    and (kept := self._state.find(mark.targets[0]))
                ):
                    self._kept[kept.id] = place
        old = self._settled
        found["o"] = [item for item in found["o"] if not (item.ticked and key("o", item.text, ()) in old)]
        return found

    def _done(self, event: str, target: str, why: str) -> list[Item]:
        targets = read_targets([target])
        entry = self._state.find(targets[0]) if targets else None
        if entry is None or entry.id in self._state.done:
            return []
        mark = Mark(event, "done", targets)
        self._state.apply(mark)
        return [Item(wording.with_why(f"Done: {wording.quoted(entry)}", why), mark)]

    def _hold(self, item: Item, place: int) -> None:
        """Let an entry of this session be named by its events, and by what is changed after it."""
        mark = item.mark
        if mark and not mark.verb:
            entry = project_log.Entry(mark.id, mark.kind, self._number, escape(item.text), mark)
            self._state.entries.setdefault(mark.id, entry)
            self._told += [(entry, place)] if mark.kind == "d" else []

    def _act(self, event: Event) -> list[Item]:
        """Write a confirmation, flag or end of an entry that still holds, with the words that it is about."""
        mark = act_mark(event)
        if mark is None:
            return []
        entry = self._state.find(mark.targets[0])
        if entry is None:
            # Another notebook has the entry and has not kept it yet; once it is there the event applies.
            name = mark.targets[0].id
            where = f"from {decode_name(name)}" if "/" in name else "not saved yet"
            quote = f"{quotation(shorten(one_line(event.text('text')), 120))} ({where})"
            return [Item(wording.act(event.kind, quote, event.text("why")), mark)]
        if entry.id in self._state.ended:
            return []
        by = read_targets(list(mark.values("by")))
        other = self._state.find(by[0]) if by else None
        self._state.apply(mark)
        if entry.id in self._state.ended:
            self._known.pop(entry_key(entry), None)
            self._given_up.append(entry)
        quote = wording.quoted(other) if other else ""
        return [Item(wording.act(event.kind, wording.quoted(entry), event.text("why"), quote), mark)]

    def ranges(self, nets: Sequence[Net], touches: Mapping[str, Touch]) -> list[Item]:
        """Write a decision a changed range; what was confirmed after a change is not ended by it."""
        ended, entries, kept = self._state.ended, self._state.entries, self._kept
        live = [each for each in self._logged if each.id not in ended]
        holds = [entries[each.id] for each in live if each.id not in kept]
        confirmed = [(entries[each.id], each, kept[each.id]) for each in live if each.id in kept]
        told = [
            (entries[each.id], max(place, kept.get(each.id, place)))
            for each, place in self._told
            if each.id not in ended
        ]
        return Cuts(
            nets,
            self._ranges,
            known=self._known,
            holds=holds,
            told=told,
            confirmed=confirmed,
            given_up=self._given_up,
            touched=touches,
        ).items()

    def checks(self, events: Sequence[Event]) -> list[Item]:
        """Write what does not pass its check, and close what does now."""
        last = {e.text("file"): e for e in events if e.kind in {"render", "check"} and "ok" in e.facts}
        found: list[Item] = []
        for event in last.values():
            token = check_token(event.facts)
            open_items = [e for e in self._state.outstanding if e.mark and token in e.mark.tokens]
            text = wording.failed(event)
            stale = [e for e in open_items if event.facts["ok"] or e.text != text]
            for entry in stale:
                words = f"Done: {wording.quoted(entry)}."
                found.append(Item(words, Mark(new_id("e"), "done", (Target(entry.id),))))
            if not event.facts["ok"] and len(stale) == len(open_items):
                found.append(Item(text, Mark(new_id("o"), tokens=(token,))))
        return found


def act_mark(event: Event) -> Mark | None:
    """Give what an event of the open session does to an entry as the log holds it; None for another event."""
    targets = read_targets([event.text("target")]) if event.kind in ACTS else ()
    if not targets or not sound_id(event.id):
        return None
    by = [f"by:{event.text('by')}"] if read_targets([event.text("by")]) else []
    return Mark(event.id, event.kind, targets, (*by, *event.anchors))
