"""What holds: the log and the open session, folded. Derived every time, stored nowhere."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cutbook.memory.anchors import places, without
from cutbook.memory.marks import Mark, Target
from cutbook.memory.text import decode_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cutbook.memory.log import Entry, Log

_REASON = re.compile(r"\((?:session \d+|not saved yet)\)[.:]?\s*")
_KEPT = 4


@dataclass(frozen=True, slots=True)
class Act:
    """What was done to an entry: ``verb`` is one of an event's, ``why`` its reason in words.

    ``id`` is the event's, or that of the decision that took the entry's place; ``by`` names what replaced it.
    """

    id: str
    verb: str
    why: str
    session: int
    by: str = ""


@dataclass(slots=True)
class State:
    """Entries by their served id, and what became of them.

    ``ended`` maps an entry to "superseded" or "abandoned", ``flagged`` and ``done`` are ids, ``foreign`` maps what came
    by import to "confirm" or "abandon". ``entries`` hold the anchors of their last confirmation. ``acts`` is each
    entry's history, ``touched`` the last session that named it.
    """

    entries: dict[str, Entry]
    last_session: int = 0
    ended: dict[str, str] = field(default_factory=dict)
    flagged: set[str] = field(default_factory=set)
    done: set[str] = field(default_factory=set)
    acts: dict[str, list[Act]] = field(default_factory=dict)
    touched: dict[str, int] = field(default_factory=dict)
    foreign: dict[str, str] = field(default_factory=dict)

    @property
    def live(self) -> tuple[Entry, ...]:
        """Every entry that holds, events left out, in the order of the log."""
        return tuple(
            [each for each in self.entries.values() if each.kind != "e" and each.id not in self.ended]
        )

    def of(self, kind: str) -> tuple[Entry, ...]:
        """Give the live entries of one kind."""
        if kind == "e":
            return ()
        return tuple([e for e in self.entries.values() if e.kind == kind and e.id not in self.ended])

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

    @property
    def holding(self) -> tuple[Entry, ...]:
        """The live entries that anchors can put in doubt: what is done, or no longer open, is left out."""
        still = {each.id for each in self.outstanding}
        return tuple(each for each in self.live if each.kind != "o" or each.id in still)

    def find(self, target: Target) -> Entry | None:
        """Find the entry that an event means: where the id is only a place, the text must fit."""
        entry = self.entries.get(target.id)
        if "/" in target.id:
            return None
        if target.text is not None and (entry is None or entry.text_hash != target.text):
            return self._elsewhere(target)
        return None if entry is None or (entry.mark is None and target.text is None) else entry

    def _elsewhere(self, target: Target) -> Entry | None:
        """Find an entry without id that bullets put above it moved: the only one of its session with these words."""
        kind, session = target.id.split("-")[:2]
        found = [
            each
            for each in self.entries.values()
            if each.mark is None and each.kind == kind and str(each.session) == session
            if each.text_hash == target.text
        ]
        return found[0] if len(found) == 1 else None

    def why(self, name: str) -> str:
        """Say why an entry ended or was flagged last, as far as that is written down."""
        said = [act.why for act in self.acts.get(name, ()) if act.verb != "confirm" and act.why]
        return said[-1] if said else ""

    def apply(self, mark: Mark, text: str = "", session: int = 0) -> None:
        """Let one event, or ``supersedes:`` and ``narrows:`` of one entry, have its effect; ``text`` is its words."""
        for identity in mark.values("supersedes"):
            entry = self.find(_target(identity))
            if entry and entry.id != mark.id:
                self.ended.setdefault(entry.id, "superseded")
                self._note(entry.id, Act(mark.id, "supersede", "", session, mark.id))
        for identity in mark.values("narrows"):
            self._narrow(identity, mark, session)
        for target in mark.targets:
            if "/" in target.id and mark.verb in {"confirm", "abandon"}:
                self.foreign[target.id] = mark.verb
                self._note(target.id, Act(mark.id, mark.verb, reason(text), session))
                continue
            entry = self.find(target)
            if entry is None or entry.id == mark.id or mark.verb is None:
                continue
            self._effect(entry, mark)
            by = next(iter(mark.values("by")), "")
            self._note(entry.id, Act(mark.id, mark.verb, reason(text), session, by))

    def _narrow(self, identity: str, mark: Mark, session: int) -> None:
        """Let an entry hold for fewer ranges: those that a later one has taken over are none of its any more."""
        entry = self.find(_target(identity))
        if entry is None or entry.mark is None or entry.id == mark.id:
            return
        gone = frozenset(map(decode_name, mark.values("without")))
        self.entries[entry.id] = entry.anchored(without(entry.mark.tokens, gone))
        self._note(entry.id, Act(mark.id, "narrow", "", session, mark.id))

    def _effect(self, entry: Entry, mark: Mark) -> None:
        if mark.verb == "abandon":
            self.ended.setdefault(entry.id, "abandoned")
        elif mark.verb == "supersede":
            self.ended.setdefault(entry.id, "superseded")
        elif mark.verb == "flag":
            self.flagged.add(entry.id)
        elif mark.verb == "done":
            self.done.add(entry.id)
        elif mark.verb == "confirm":
            self.flagged.discard(entry.id)
            self._anchor(entry, mark)

    def _anchor(self, entry: Entry, mark: Mark) -> None:
        new = places(mark.tokens)
        if not new or entry.mark is None or (len(mark.targets) > 1 and new != places(entry.mark.tokens)):
            return
        others = (token for token in entry.mark.tokens if token.partition(":")[0] not in _ANCHORING)
        tokens = (*(each for each in mark.tokens if each.partition(":")[0] in _ANCHORING), *others)
        self.entries[entry.id] = entry.anchored(tokens)

    def _note(self, name: str, act: Act) -> None:
        self.acts.setdefault(name, []).append(act)
        self.touched[name] = max(act.session, self.touched.get(name, 0))

    def copy(self) -> State:
        """Give a state of its own that starts from this one."""
        acts = {name: list(each) for name, each in self.acts.items()}
        return State(
            dict(self.entries), self.last_session, dict(self.ended), set(self.flagged), set(self.done), acts,
            dict(self.touched), dict(self.foreign),
        )  # fmt: skip


_ANCHORING = frozenset({"media", "words", "heard", "edl", "range", "span"})


def reason(text: str) -> str:
    """Give the reason that an event states after what it quotes; the whole text where it quotes nothing."""
    found = None
    for found in _REASON.finditer(text):  # noqa: B007 - the last one counts
        pass
    said = text[found.end() :] if found else text.partition("No longer:")[2] or text
    return said.strip().rstrip(".")


def _target(text: str) -> Target:
    identity, _, hashed = text.partition("=")
    return Target(identity, hashed or None)


_folded: list[tuple[Log, State]] = []


def fold(log: Log, events: Iterable[Mark] = ()) -> State:
    """Fold the log, then the events of open sessions.

    Events apply after all entries are known, in the order of the sessions' numbers, then of the file.
    """
    known = next((state for each, state in _folded if each is log), None)
    if known is None:
        known = _fold(log)
        _folded.append((log, known))
        del _folded[:-_KEPT]
    state = known.copy()
    for mark in events:
        state.apply(mark, session=log.next_number)
    return state


def _fold(log: Log) -> State:
    last = log.last
    state = State({entry.id: entry for entry in log.entries}, last.number if last else 0)
    for section in sorted(log.sections, key=lambda each: each.number):
        linking = b"supersedes:" in section.source or b"narrows:" in section.source
        for entry in section.entries:
            mark = entry.mark if linking or entry.kind == "e" else None
            if mark and (mark.targets or any(t.startswith(("supersedes:", "narrows:")) for t in mark.tokens)):
                state.apply(mark, entry.text if mark.targets else "", section.number)
    return state
