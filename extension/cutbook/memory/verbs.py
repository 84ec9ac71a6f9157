"""The verbs of ``%memory``, as methods: what a notebook may tell the memory and ask of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cutbook.errors import InputError
from cutbook.html import paragraph, table
from cutbook.memory import brief, wording
from cutbook.memory import draft as drafting
from cutbook.memory import log as project_log
from cutbook.memory.anchors import Spanned, capture
from cutbook.memory.log import Log, Section
from cutbook.memory.marks import new_id
from cutbook.memory.served import State, fold
from cutbook.memory.session import Event, Session
from cutbook.memory.text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cutbook.edit.edl import Edl
    from cutbook.edit.take import Take

_NAMES = {
    "d": "decision",
    "r": "reasoning",
    "o": "outstanding",
    "p": "preference",
    "e": "event",
    "s": "session",
}


@dataclass(frozen=True, slots=True)
class Shown:
    """One entry as it is served.

    ``kind`` is decision, reasoning, outstanding, preference or event; ``state`` is live, superseded, abandoned, done or
    flagged; ``session`` is None while the entry is only in the open session.
    """

    id: str
    kind: str
    text: str
    state: str
    session: int | None
    anchors: tuple[str, ...] = ()

    @property
    def where(self) -> str:
        """Say where it stands: in a session of the log, or not there yet."""
        return f"session {self.session}" if self.session is not None else "not saved yet"

    def __str__(self) -> str:
        return self.id

    def __repr__(self) -> str:
        state = "" if self.state == "live" else f", {self.state}"
        return f"{self.id}  {self.text}  ({self.kind}, {self.where}{state})"


class Listing(tuple[Shown, ...]):
    """Entries, one a line when shown."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "\n".join(map(repr, self)) or "nothing is remembered here yet"

    def _repr_html_(self) -> str:
        rows = [(each.id, each.kind, each.text, each.where, each.state) for each in self]
        return table(("id", "kind", "text", "since", "state"), rows) if rows else paragraph(repr(self))


class Memory:
    """The memory of one project.

    ``takes`` and ``edl`` are asked when a decision is anchored or a session is persisted, so that making this is free.
    """

    def __init__(
        self,
        session: Session,
        *,
        takes: Callable[[], Mapping[str, Take]],
        edl: Callable[[], Edl | None],
        title: str | None = None,
    ) -> None:
        self.session = session
        self._takes = takes
        self._edl = edl
        self._title = title

    def resume(self) -> brief.Resume:
        """Say where the work stands; writes nothing in the project."""
        return brief.resume(self.session)

    def persist(
        self,
        strategy: str | None = None,
        decisions: drafting.Given = None,
        reasoning: drafting.Given = None,
        outstanding: drafting.Given = None,
    ) -> Section | None:
        """Append this session to project.md and give the section; None when nothing happened.

        Raises:
            MemoryLogError: project.md cannot be written safely; it is whole, and the open session is kept.
        """
        return drafting.persist(
            self.session,
            edl=self._edl(),
            title=self._title,
            strategy=strategy,
            decisions=decisions,
            reasoning=reasoning,
            outstanding=outstanding,
        )

    def note(self, text: str) -> Shown:
        """Write down what belongs to no decision."""
        return self._tell("note", text)

    def todo(self, text: str) -> Shown:
        """Write down what is still to do."""
        return self._tell("todo", text)

    def strategy(self, text: str) -> str:
        """Say what this session is for; the last one said becomes the section's Strategy."""
        self.session.note("strategy", text=_said(text, "strategy"))
        return one_line(text)

    def decide(
        self,
        text: str,
        take: str | None = None,
        span: Spanned | None = None,
        beat: str | None = None,
        why: str | None = None,
    ) -> Shown:
        """Write down a decision with anchors on what it names.

        ``span`` is seconds of the take (``2.52-5.36``), ``beat`` one of the cut list.

        Raises:
            UnknownTake, TimeError, EdlError: what it names does not exist; nothing is written.
        """
        said = _said(text, "decide")
        anchors = capture(
            takes=self._takes() if take is not None or beat is not None else {},
            take=take,
            span=span,
            beat=beat,
            edl=self._edl() if beat is not None else None,
        )
        return self._tell("decide", said, anchors=anchors, why=one_line(why or ""))

    def done(self, id: str | Shown, why: str | None = None) -> str:
        """Settle an outstanding item, and give its words.

        Raises:
            InputError: nothing outstanding has this id; the message lists what has.
        """
        events, state = self._state()
        open_items = {each.id: each for each in brief.outstanding(state, events)}
        found = open_items.get(str(id).strip())
        if found is None:
            msg = f"nothing outstanding has the id {str(id)!r}; there are {', '.join(open_items) or 'none'}"
            raise InputError(msg)
        entry = state.entries.get(found.id)
        if "~" in found.id or (entry and f"{entry.id}~2" in state.entries):
            msg = f"{id} is the id of two entries in project.md; give one of them another id first"
            raise InputError(msg)
        target = wording.address(entry) if entry else found.id
        self.session.note("done", target=target, why=one_line(why or ""), text=found.text)
        return found.text

    def entries(self, all: bool = False) -> Listing:  # noqa: FBT001, FBT002 - `entries(all=True)` is how it is called
        """List the entries that hold, those of the open session too; ``all``: also those that ended, and events."""
        events, state = self._state()
        found = [
            Shown(
                e.id,
                _NAMES[e.kind],
                e.text,
                _state_of(e.id, e.ticked, state),
                e.session,
                e.mark.tokens if e.mark else (),
            )
            for e in state.entries.values()
        ]
        settled = {event.text("target") for event in events if event.kind == "done"}
        found += [
            Shown(
                event.text("entry"),
                _NAMES[drafting.ENTRIES[event.kind]],
                wording.with_why(event.text("text"), event.text("why")),
                "done" if event.text("entry") in settled else "live",
                None,
                event.anchors,
            )
            for event in events
            if event.kind in drafting.ENTRIES
        ]
        kept = {"live", "flagged"}
        return Listing(each for each in found if all or (each.state in kept and each.kind != "event"))

    def show(self, id: str | None = None) -> Shown | Listing:
        """Give one entry by its id; the entries that hold without one, all of them for ``--all``.

        Raises:
            InputError: no entry has the id.
        """
        if id is None or id.strip() in {"", "--all"}:
            return self.entries(all=bool(id and id.strip()))
        found = next((each for each in self.entries(all=True) if each.id == id.strip()), None)
        if found is None:
            msg = f"no entry has the id {id!r}; %memory show --all lists them"
            raise InputError(msg)
        return found

    def _tell(self, kind: str, text: str, *, why: str = "", anchors: tuple[str, ...] = ()) -> Shown:
        letter = drafting.ENTRIES[kind]
        entry = new_id(letter)
        said = _said(text, kind)
        told = Shown(entry, _NAMES[letter], wording.with_why(said, why), "live", None, anchors)
        for each in self.entries():
            if (each.kind, each.text, each.anchors) == (told.kind, told.text, anchors):
                return each
        more = {"why": why} if why else {}
        self.session.note(kind, entry=entry, text=said, **more, **({"anchors": anchors} if anchors else {}))
        return told

    def _state(self) -> tuple[tuple[Event, ...], State]:
        log = project_log.read(self.session.log_path) or Log()
        events = self.session.unsaved(log)
        return events, fold(log, brief.done_marks(events))


def _said(text: str, verb: str) -> str:
    said = one_line(text)
    if not said:
        msg = f"{verb} wants a text"
        raise InputError(msg)
    return said


def _state_of(name: str, ticked: bool, state: State) -> str:  # noqa: FBT001 - private
    if name in state.ended:
        return state.ended[name]
    if ticked or name in state.done:
        return "done"
    return "flagged" if name in state.flagged else "live"
