"""Entries as people see them: in words, with their state and what they are about."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cutbook.html import paragraph, table
from cutbook.memory import wording
from cutbook.memory.anchors import read_anchor, span_text
from cutbook.memory.commands import marked
from cutbook.memory.text import quotation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cutbook.memory.compare import Verdict
    from cutbook.memory.imports import Foreign
    from cutbook.memory.log import Entry
    from cutbook.memory.standing import Standing

NAMES = {
    "d": "decision",
    "r": "reasoning",
    "o": "outstanding",
    "p": "preference",
    "e": "event",
    "s": "session",
}

_DONE = {
    "confirm": "confirmed",
    "flag": "flagged",
    "abandon": "abandoned",
    "supersede": "superseded",
    "done": "done",
    "narrow": "narrowed",
}


@dataclass(frozen=True, slots=True)
class Shown:
    """One entry as it is served.

    ``kind`` is decision, reasoning, outstanding, preference or event; ``state`` is live, superseded, abandoned, done,
    flagged or provisional; ``session`` is None while the entry is only in the open session. ``freshness`` is what
    comparing its anchors gave, empty for what ended, and ``reason`` why it needs review; ``before`` and ``now`` are the
    words then and now. ``history`` is what was done to it, told where one entry is asked for; ``warnings`` what to know
    first; ``origin`` names the import that it came by, ``tied`` what an entry that was just told is tied to.
    """

    id: str
    kind: str
    text: str
    state: str
    session: int | None
    anchors: tuple[str, ...] = ()
    freshness: str = field(default="", compare=False)
    reason: str = field(default="", compare=False)
    before: str = field(default="", compare=False)
    now: str = field(default="", compare=False)
    history: tuple[str, ...] = field(default=(), compare=False)
    warnings: tuple[str, ...] = field(default=(), compare=False)
    origin: str = ""
    whither: str = field(default="", compare=False)
    """Which take is called what now, where one that the entry is about moved."""
    tied: str = field(default="", compare=False)

    @property
    def where(self) -> str:
        """Say where it stands: in a session of the log, or not there yet, or whose words it is."""
        if self.origin:
            return self.origin
        return f"session {self.session}" if self.session is not None else "not saved yet"

    @property
    def review(self) -> bool:
        """Tell whether the entry needs review."""
        return bool(self.reason)

    @property
    def about(self) -> str:
        """Say in words what the entry is tied to."""
        return wording.listed(list(dict.fromkeys(_about(self.anchors))))

    @property
    def standing(self) -> str:
        """Say its state, and why it needs review."""
        plain = "" if self.state in {"live", "provisional"} else self.state
        if self.review:
            return f"needs review: {self.reason}"
        if not plain and self.freshness == "moved" and self.whither:
            return f"moved: {self.whither}"
        return plain or (self.freshness if self.freshness in {"moved", "offline"} else "")

    def __str__(self) -> str:
        return self.id

    def __repr__(self) -> str:
        state = f", {self.standing}" if self.standing else ""
        rows = [f"{self.id}  {self.text}  ({self.kind}, {self.where}{state})"]
        rows += (
            [f"  about: {self.about}{f' ({self.freshness})' if self.freshness else ''}"]
            if self.history and self.about
            else []
        )
        rows += [f"  tied to {self.tied}"] if self.tied else []
        rows += [f"  {each}" for each in (*self.history, *self.warnings)]
        return "\n".join(rows)

    def _repr_html_(self) -> str:
        rows = [paragraph(marked(f"{self.id}  {self.text}"), bold=True)]
        state = f", {self.standing}" if self.standing else ""
        rows.append(paragraph(f"{self.kind}, {self.where}{state}", dim=True))
        rows += [paragraph(f"Tied to {self.tied}")] if self.tied else []
        rows += (
            []
            if self.tied
            else [paragraph(f"About: {self.about} ({self.freshness or self.state})")]
            if self.about
            else []
        )
        if self.before or self.now:
            rows.append(table(("words then", "words now"), [(self.before or "not known", self.now)]))
        rows += [paragraph(marked(each)) for each in (*self.history, *self.warnings)]
        return "".join(rows)


class Listing(tuple[Shown, ...]):  # noqa: SLOT001 - a tuple's subclass has no slots but empty ones
    """Entries, one a line when shown, and ``more`` lines of what is to be done elsewhere."""

    more: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return "\n".join((*map(repr, self), *self.more)) or "nothing is remembered here yet"

    def _repr_html_(self) -> str:
        rows = [
            (each.id, each.kind, marked(each.text), each.where, each.standing or each.state) for each in self
        ]
        if not rows:
            return paragraph(repr(self))
        return table(("id", "kind", "text", "since", "state"), rows) + "".join(map(paragraph, self.more))


def _about(tokens: Iterable[str]) -> Iterator[str]:
    for token in tokens:
        anchor = read_anchor(token)
        if anchor is None:
            continue
        if anchor.kind == "media":
            yield f"the file {anchor.name}"
        elif anchor.kind == "words" and anchor.span:
            yield f"the words of {anchor.name} {span_text(anchor.span, '–')}"
        else:
            yield f"{anchor.name} in the cut"


def shown(standing: Standing, entry: Entry) -> Shown:
    """Give an entry as it is served; its anchors are compared where it still holds."""
    state = _state(standing, entry)
    verdict: Verdict | None = (
        standing.verdict(entry) if state in {"live", "flagged"} and entry.kind != "e" else None
    )
    reasons = [verdict.reason] if verdict and verdict.review else []
    if state == "flagged":
        why = standing.state.why(entry.id)
        reasons.append(f"flagged: {why}" if why else "flagged by hand")
    due = bool(verdict and verdict.review)
    return Shown(
        entry.id,
        NAMES[entry.kind],
        entry.text,
        state,
        None if entry.id in standing.unsaved else entry.session,
        entry.tokens,
        freshness=str(verdict.freshness) if verdict else "",
        reason="; ".join(reasons),
        before=(verdict.before or wording.quote_of(entry.text)) if verdict and due else "",
        now=verdict.now if verdict else "",
        whither=verdict.reason if verdict and str(verdict.freshness) == "moved" else "",
    )


def foreign(standing: Standing, each: Foreign) -> Shown:
    """Give what came by import as it is served: quoted, and named."""
    state = "live" if each.checked else "provisional"
    told = history(standing, each.address)
    return Shown(
        each.id, each.kind, quotation(each.text), state, each.session, history=told, origin=each.origin
    )


def history(standing: Standing, name: str) -> tuple[str, ...]:
    """Say what was done to an entry, in order, as far as the log and the open session know."""
    found = []
    for act in standing.state.acts.get(name, ()):
        since = "not saved yet" if act.session >= standing.log.next_number else f"session {act.session}"
        by = f" by {act.by}" if act.by else ""
        name = f", {act.id}" if act.id != act.by else ""
        why = f": {act.why}" if act.why else ""
        found.append(f"{_DONE.get(act.verb, act.verb)}{by} ({since}{name}){why}")
    return tuple(found)


def _state(standing: Standing, entry: Entry) -> str:
    state = standing.state
    if entry.id in state.ended:
        return state.ended[entry.id]
    over = entry.kind == "o" and entry.mark is None and entry.session != state.last_session
    if entry.ticked or entry.id in state.done or over:
        return "done"
    return "flagged" if entry.id in state.flagged else "live"
