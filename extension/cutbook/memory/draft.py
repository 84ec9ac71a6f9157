"""The section that a session becomes: drafted from what happened, in plain words."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cutbook.memory import log as project_log
from cutbook.memory import wording
from cutbook.memory.anchors import read_anchor
from cutbook.memory.log import Log, Section
from cutbook.memory.marks import Mark, Target, new_id, read_targets
from cutbook.memory.net import Net, net_changes
from cutbook.memory.served import State, fold
from cutbook.memory.session import Event, Session, check_token
from cutbook.memory.text import escape, unescape

if TYPE_CHECKING:
    from cutbook.edit.edl import Edl
    from cutbook.timebase import Span

__all__ = ["Draft", "Session", "draft", "persist"]

Given = str | Sequence[str] | None


@dataclass(slots=True)
class Item:
    """One bullet: its words as they were typed, and its machine part."""

    text: str
    mark: Mark | None = None
    ticked: bool = False

    def __str__(self) -> str:
        words = f"{'[x] ' if self.ticked else ''}{escape(self.text)}"
        return f"- {words} {self.mark}" if self.mark else f"- {words}"


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
) -> Section | None:
    """Append this session to project.md, and give the section; None when nothing happened.

    Fields given by hand come first, each line of a text an item; a strategy given takes the place of the summary.
    ``edl`` is the cut list now, for what is undecided; ``title`` names a project.md that is made.

    Raises:
        MemoryLogError: project.md cannot be written safely; it is whole, and the open session is kept.
        FileBusy: another process held the lock for a minute.
    """
    given = {"decisions": lines(decisions), "reasoning": lines(reasoning), "outstanding": lines(outstanding)}
    now = session.clock()

    def build(log: Log) -> str | None:
        events = session.mine(log)
        drafted = draft(log, events, date=now.date(), edl=edl, strategy=strategy, given=given)
        if drafted is None:
            return None
        tokens = [f"upto:{event}" for event in session.upto(events)]
        if "uuid" not in log.front and serialised(log):
            tokens.append(f"uuid:{log.uuid or uuid.uuid4()}")
        drafted.mark = Mark(drafted.mark.id, tokens=tuple(tokens))
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
    edl: Edl | None = None,
    strategy: str | None = None,
    given: Mapping[str, Sequence[str]] | None = None,
) -> Draft | None:
    """Draft the section of the events; None when nothing happened that is not in the log already."""
    writer = _Writer(log, fold(log), {each.id for each in edl.ranges} if edl else None)
    hand = given or {}
    decisions = writer.typed("d", hand.get("decisions", ()))
    reasoning = writer.typed("r", hand.get("reasoning", ()))
    outstanding = writer.typed("o", hand.get("outstanding", ()))
    verbs = writer.verbs(events)
    nets = net_changes(events)
    decisions += [*verbs["d"], *writer.ranges(nets)]
    reasoning += verbs["r"]
    outstanding += [*verbs["o"], *writer.checks(events)]
    said = strategy or _strategy(events)
    done = wording.summary(events, nets)
    last = log.last
    news = bool(said) and (last is None or unescape(escape(said)) != last.strategy)
    if not (decisions or reasoning or outstanding or done or news):
        return None
    if said and done:
        reasoning.append(Item(f"Done: {done[0].lower()}{done[1:]}", Mark(new_id("r"))))
    if edl and (undecided := wording.undecided(edl)):
        outstanding.append(Item(undecided))
    summary = said or done or wording.written(len(decisions), len(reasoning), len(outstanding))
    return Draft(
        log.next_number, date, summary, Mark(f"s-{log.next_number}"), decisions, reasoning, outstanding
    )


def _strategy(events: Iterable[Event]) -> str:
    """Give the last strategy that was stated."""
    said = [event.text("text") for event in events if event.kind == "strategy"]
    return said[-1] if said else ""


class _Writer:
    """Turns what happened into items, against what the log holds already."""

    def __init__(self, log: Log, state: State, ranges: set[str] | None) -> None:
        self._state = state
        self._ranges = ranges
        self._known = {_target_key(e.kind, e.text, e.mark.tokens if e.mark else ()): e for e in state.live}
        self._log = log
        self._ended: set[str] = set()

    def typed(self, kind: str, texts: Iterable[str]) -> list[Item]:
        """Write items given by hand."""
        marks = ((text, Mark(new_id(kind))) for text in texts)  # type: ignore[arg-type]
        return [Item(text, mark) for text, mark in marks if self._new(kind, text, ())]

    def _new(self, kind: str, text: str, tokens: Sequence[str]) -> bool:
        key = _target_key(kind, unescape(escape(text)), tokens)
        if key in self._known:
            return False
        self._known[key] = None  # type: ignore[assignment]
        return True

    def verbs(self, events: Iterable[Event]) -> dict[str, list[Item]]:
        """Write what ``%memory`` was told: decisions, notes, todos, and events on entries."""
        found: dict[str, list[Item]] = {"d": [], "r": [], "o": []}
        kinds = {"decide": "d", "note": "r", "todo": "o"}
        own: dict[str, Item] = {}
        for event in events:
            if event.kind in kinds:
                kind = kinds[event.kind]
                tokens = event.names("anchors")
                text = wording.with_why(event.text("text"), event.text("why"))
                if text and self._new(kind, text, tokens):
                    item = Item(text, Mark(event.text("entry") or new_id(kind), tokens=tokens))  # type: ignore[arg-type]
                    own[item.mark.id] = item  # type: ignore[union-attr]
                    found[kind].append(item)
            elif event.kind == "done":
                target = event.text("target")
                if target in own:
                    own[target].ticked = True
                else:
                    found["o"] += self._done(event.id, target, event.text("why"))
        return found

    def _done(self, event: str, target: str, why: str) -> list[Item]:
        targets = read_targets([target])
        entry = self._state.find(targets[0]) if targets else None
        if entry is None or entry.id in self._state.done:
            return []
        mark = Mark(event, "done", targets)
        self._state.apply(mark)
        return [Item(wording.with_why(f"Done: {wording.quoted(entry)}", why), mark)]

    def ranges(self, nets: Sequence[Net]) -> list[Item]:
        """Write a decision a changed range; the pieces that one range was cut into share theirs."""
        changed = {net.id for net in nets} | {net.root for net in nets}
        found: list[Item] = []
        for group in _groups(nets):
            text = wording.decision(group)
            if not text:
                continue
            tokens = _sorted(
                token
                for net in group
                for token in net.anchors
                if not (_out(net) and token.startswith("edl:"))
            )
            same = self._known.get(_target_key("d", unescape(escape(text)), tokens))
            if same is not None:
                found += self._confirmed(same, tokens)
                continue
            ended = [] if all(net.outside for net in group) else self._live_on(group, changed)
            quotes = [wording.quoted(entry) for entry in ended]
            gone = bool(ended) and all(map(_out, group))
            words = wording.ending(group, quotes) if gone else wording.replacing(text, quotes)
            marks = (*tokens, *(f"supersedes:{wording.address(entry)}" for entry in ended))
            found.append(Item(words, Mark(new_id("d"), tokens=marks)))
        return found

    def _confirmed(self, entry: project_log.Entry, tokens: tuple[str, ...]) -> list[Item]:
        if entry.mark is None or set(tokens) <= set(entry.mark.tokens):
            return []
        mark = Mark(new_id("e"), "confirm", (Target(entry.id),), tokens)
        return [Item(f"Still right: {wording.quoted(entry)}.", mark)]

    def _live_on(self, group: Sequence[Net], changed: set[str]) -> list[project_log.Entry]:
        """Find the live decisions on the ranges of a group: same range, or an overlapping span of the same take."""
        names = {net.id for net in group} | {net.root for net in group}
        spans = [span for net in group for span in wording.spans(net)]
        found = []
        for entry in self._state.of("d"):
            if entry.mark is None or entry.id in self._ended:
                continue
            ids = set(entry.mark.values("range"))
            if ids & names:
                found.append(entry)
            elif ids and self._ranges is not None and ids & self._ranges - changed:
                continue
            elif any(_on(token, take, span) for token in entry.mark.tokens for take, span in spans):
                found.append(entry)
        self._ended.update(entry.id for entry in found)
        return found

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


def _target_key(kind: str, text: str, tokens: Iterable[str]) -> tuple[str, str, frozenset[str]]:
    """Give what makes two entries the same: words and targets, whatever the hashes of these."""
    places = {token.rpartition("=")[0] for token in tokens if read_anchor(token)}
    return kind, text, frozenset(places)


def _out(net: Net) -> bool:
    return net.after is None or net.rejected


def _sorted(tokens: Iterable[str]) -> tuple[str, ...]:
    order = ("media", "words", "edl", "range")
    return tuple(sorted(dict.fromkeys(tokens), key=lambda token: order.index(token.partition(":")[0])))


def _groups(nets: Sequence[Net]) -> list[list[Net]]:
    groups: dict[tuple[object, ...], list[Net]] = {}
    for net in nets:
        state: Mapping[str, Any] = net.after or net.before or {}
        same = (net.root, state.get("take"), state.get("beat"), _out(net), net.why, state.get("why"))
        groups.setdefault(same, []).append(net)
    return list(groups.values())


def _on(token: str, take: object, span: Span) -> bool:
    """Tell whether a decision is about the span: at least half of what it names lies there."""
    anchor = read_anchor(token)
    if anchor is None or anchor.span is None or anchor.name != take or not anchor.span.overlaps(span):
        return False
    return 2 * anchor.span.clamp(span).duration >= anchor.span.duration
