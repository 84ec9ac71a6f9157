"""The verbs of ``%memory``, as methods: what a notebook may tell the memory and ask of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cutbook.edit.edl import NAME as EDL
from cutbook.errors import InputError
from cutbook.memory import brief, kept, life, wording
from cutbook.memory import draft as drafting
from cutbook.memory import log as project_log
from cutbook.memory import tidy as tidying
from cutbook.memory.anchors import Spanned, capture, places, ranges_of, read_anchor
from cutbook.memory.compare import Scene
from cutbook.memory.doctor import Diagnosis, examine
from cutbook.memory.imports import find, imports
from cutbook.memory.log import Section
from cutbook.memory.marks import WRITTEN, new_id
from cutbook.memory.moments import Moments
from cutbook.memory.page import Page, page
from cutbook.memory.preferences import override_tokens
from cutbook.memory.recall import Recall
from cutbook.memory.shown import Listing, Shown, foreign, history, shown
from cutbook.memory.standing import Standing, standing
from cutbook.memory.text import one_line, shorten
from cutbook.memory.tied import tied
from cutbook.memory.tried import related, tried_before

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from cutbook.edit.decide import Which
    from cutbook.edit.edl import Edl, Range
    from cutbook.edit.take import Take
    from cutbook.memory.log import Entry
    from cutbook.memory.moments import Picture
    from cutbook.memory.session import Session
    from cutbook.settings import Settings
    from cutbook.transcripts.model import Word

__all__ = ["Listing", "Memory", "Shown"]


class Memory(Recall):
    """The memory of one project.

    ``takes`` and ``edl`` are asked when a decision is anchored or a session is persisted, so that making this is free.
    ``missing`` gives the places where takes were last, ``plain`` the words of a take without corrections,
    ``settings`` what holds for each setting; ``overrides`` are those that a call of this session said otherwise,
    ``picture`` makes pictures of takes.
    """

    def __init__(
        self,
        session: Session,
        *,
        takes: Callable[[], Mapping[str, Take]],
        edl: Callable[[], Edl | None],
        title: str | None = None,
        missing: Callable[[], Mapping[str, Path]] = dict,
        plain: Callable[[Take], Sequence[Word] | None] = lambda _take: None,
        settings: Callable[[], Settings] | None = None,
        overrides: dict[str, object] | None = None,
        picture: Picture = lambda _take, _time: None,
    ) -> None:
        self.session = session
        self._takes = takes
        self._edl = edl
        self._title = title
        self._missing = missing
        self._plain = plain
        self._settings = settings
        self._overrides = {} if overrides is None else overrides
        self._moments = Moments(session.folders, picture)

    def standing(self) -> Standing:
        """Give what holds by log and open session, ready to be compared with the project as it is now."""
        scene = Scene(self._takes, self._ranges, self._missing, self._plain)
        return standing(self.session, scene)

    def _ranges(self) -> Sequence[Range] | None:
        if (self.session.edit / EDL).exists():
            return kept.ranges(self.session.edit, self._takes())
        edl = self._edl()
        return edl.ranges if edl is not None else None

    def resume(self) -> brief.Resume:
        """Say where the work stands, and what needs review; writes nothing in the project."""
        return brief.resume(self.session, self.standing())

    def persist(
        self,
        strategy: str | None = None,
        decisions: drafting.Given = None,
        reasoning: drafting.Given = None,
        outstanding: drafting.Given = None,
        *,
        revise: Callable[[drafting.Draft], None] | None = None,
    ) -> Section | None:
        """Append this session to project.md and give the section; None when nothing happened.

        ``revise`` may change what is drafted before it is written.

        Raises:
            MemoryLogError: project.md cannot be written safely; it is whole, and the open session is kept.
        """
        section = drafting.persist(
            self.session,
            edl=self._edl(),
            title=self._title,
            strategy=strategy,
            decisions=decisions,
            reasoning=reasoning,
            outstanding=outstanding,
            tokens=override_tokens(self._overrides),
            revise=revise,
        )
        if section is not None:
            self._overrides.clear()
            self.register()
            self._keep(each.mark.tokens for each in section.entries if each.mark)
        return section

    def draft(self) -> drafting.Draft | None:
        """Give the section that :meth:`persist` would write now; None when nothing happened."""
        session, edl = self.session, self._edl()
        log = project_log.read(session.log_path) or project_log.parse(b"")
        ranges = edl.ranges if edl else None
        return drafting.draft(log, session.mine(log), date=session.clock().date(), ranges=ranges)

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
        *,
        ranges: Sequence[Which] = (),
    ) -> Shown:
        """Write down a decision with anchors on what it names.

        ``span`` is seconds of the take (``2.52-5.36``), ``beat`` one of the cut list, ``ranges`` numbers or ids of it.

        Raises:
            UnknownTake, TimeError, EdlError: what it names does not exist; nothing is written.
        """
        said, cut = _said(text, "decide"), beat is not None or bool(ranges)
        takes = self._takes() if cut or take is not None else {}
        edl = self._edl() if cut else None
        anchors = capture(
            takes=takes,
            take=take,
            span=span,
            beat=beat,
            edl=edl,
            plain=self._plain,
            home=self.session.edit.parent,
            ranges=ranges,
        )
        if ranges_of(anchors):
            anchors = (*anchors, WRITTEN)
        told = self._tell("decide", said, anchors=anchors, why=one_line(why or ""))
        return replace(told, tied=tied(anchors, takes, edl.ranges if edl else ()))

    def confirm(
        self, *ids: str | Shown, take: str | None = None, cause: int | None = None, why: str | None = None
    ) -> Listing:
        """Say that entries are still right: by id, all that need review about a take, or those of one cause.

        Raises:
            InputError: no reason, nothing of that name, or what an entry is about is gone; nothing is written.
        """
        before = self.standing()
        names = life.confirm(self.session, before, map(str, ids), take=take, cause=cause, why=why)
        found = self._listed(*names)
        files = {each.name for one in found for each in map(read_anchor, one.anchors) if each}
        said = kept.to_adopt(before.present.ranges or ())
        found.more = tuple(f"The cut is not of it yet: {said[each]}." for each in said if each in files)
        return found

    reaffirm = confirm

    def flag(self, id: str | Shown, why: str | None = None) -> Shown:
        """Mark an entry as doubtful until it is confirmed (raises :class:`~cutbook.errors.InputError`)."""
        return self._listed(life.flag(self.session, self.standing(), str(id), why=why))[0]

    def abandon(self, id: str | Shown, why: str | None = None) -> Shown:
        """Give an idea up: it is kept, served no more, and warned of when it comes again.

        Raises:
            InputError: no reason, an unknown id, or the entry ended already; nothing is written.
        """
        stands = self.standing()
        theirs = find(self.session.edit, stands.state, str(id).strip())
        name = life.abandon(self.session, stands, str(id), why=why)
        if theirs is not None:
            return replace(foreign(self.standing(), theirs), state="abandoned")
        return self._listed(name)[0]

    def supersede(self, id: str | Shown, by: str | Shown, why: str | None = None) -> Shown:
        """End an entry in favour of another that holds.

        Raises:
            InputError: no reason, an unknown id, an entry that ended already, or itself; nothing is written.
        """
        name = life.supersede(self.session, self.standing(), str(id), by=str(by), why=why)
        return self._listed(name)[0]

    def tidy(self) -> tidying.Proposals:
        """List what could be put in order, each with the command that would settle it; changes nothing."""
        return tidying.proposals(self.standing())

    def doctor(self) -> Diagnosis:
        """Check numbering, ids, anchors, encoding and copies of the uuid; repairs nothing."""
        return examine(self.session)

    def done(self, id: str | Shown, why: str | None = None) -> str:
        """Settle an outstanding item, and give its words.

        Raises:
            InputError: nothing outstanding has this id; the message lists what has.
        """
        stands = self.standing()
        open_items = {each.id: each for each in brief.outstanding(stands)}
        found = open_items.get(str(id).strip())
        if found is None:
            known = stands.state.entries.get(str(id).strip())
            if known is not None and known.kind == "o":
                life.resolve(stands, "settle", known.id)  # says what became of it
            msg = f"nothing outstanding has the id {str(id)!r}; there are {', '.join(open_items) or 'none'}"
            raise InputError(msg)
        entry = life.resolve(stands, "settle", found.id)
        self.session.note("done", target=wording.address(entry), why=one_line(why or ""), text=found.text)
        return found.text

    def entries(self, all: bool = False) -> Listing:  # noqa: FBT001, FBT002 - `entries(all=True)` is how it is called
        """List the entries that hold, those of the open session too; ``all``: also those that ended, and events."""
        stands = self.standing()
        found = [shown(stands, entry) for entry in stands.state.entries.values()]
        return Listing(each for each in found if all or (each.state in _HOLDS and each.kind != "event"))

    def show(self, id: str | None = None) -> Shown | Page:
        """Give one entry with its history by its id; without one the page of memory, of all entries for ``--all``.

        ``s-3`` is the strategy of session 3, as search finds it.

        Raises:
            InputError: no entry has the id.
        """
        name = str(id or "").strip()
        stands = self.standing()
        if name in {"", "--all"}:
            return page(stands, imports(self.session.edit, stands.state), self._moments, all=bool(name))
        theirs = find(self.session.edit, stands.state, name)
        if theirs is not None:
            return foreign(stands, theirs)
        entry = stands.state.entries.get(name)
        section = next((each for each in stands.log.sections if f"s-{each.number}" == name), None)
        if entry is None and section is not None:
            return Shown(name, "strategy", section.strategy or section.title, "live", section.number)
        if entry is None:
            msg = f"no entry has the id {name!r}; %memory show --all lists them"
            raise InputError(msg)
        return replace(shown(stands, entry), history=history(stands, entry.id))

    def _keep(self, entries: Iterable[tuple[str, ...]]) -> None:
        """Keep a picture of what each entry is about."""
        about = [tokens for tokens in entries if any(each.startswith("media:") for each in tokens)]
        if about:
            self._moments.keep(about, self.standing().present)

    def _listed(self, *names: str) -> Listing:
        stands = self.standing()
        found = []
        for name in names:
            theirs = find(self.session.edit, stands.state, name)
            entry = stands.state.entries.get(name)
            found += [foreign(stands, theirs)] if theirs else [shown(stands, entry)] if entry else []
        return Listing(found)

    def _tell(self, kind: str, text: str, *, why: str = "", anchors: tuple[str, ...] = ()) -> Shown:
        letter = drafting.ENTRIES[kind]
        said = _said(text, kind)
        words = wording.with_why(said, why)
        stands = self.standing()
        same = (letter, words, places(anchors))
        known = next((each for each in stands.state.holding if _sameness(each) == same), None)
        more = {"why": why} if why else {}
        if known is not None and set(anchors) - {WRITTEN} <= set(known.tokens):
            return shown(stands, known)
        entry = new_id(letter)
        self.session.note(kind, entry=entry, text=said, **more, **({"anchors": anchors} if anchors else {}))
        after = self.standing()
        self._keep([anchors])
        told = after.state.entries.get(known.id if known else entry)
        if told is None:
            return shown(stands, known) if known else Shown(entry, "decision", words, "live", None, anchors)
        warnings = _warnings(after, told) if letter == "d" and known is None else ()
        return replace(shown(after, told), warnings=warnings)


_HOLDS = frozenset({"live", "flagged"})


def _sameness(entry: Entry) -> tuple[str, str, frozenset[str]]:
    return entry.kind, entry.text, places(entry.tokens)


def _warnings(stands: Standing, told: Entry) -> tuple[str, ...]:
    """Say what a new decision repeats that was given up, and what it may replace."""
    found = [str(each) for each in tried_before(told.text, stands.state)]
    for each in stands.state.holding:
        if each.session <= told.session and related(each, told):
            old = f"“{shorten(each.text, 100)}” ({each.id}, {stands.where(each)})"
            found.append(f"may replace {old}: `%memory supersede {each.id} --by {told.id} --why …`")
    return tuple(found)


def _said(text: str, verb: str) -> str:
    said = one_line(text)
    if not said:
        msg = f"{verb} wants a text"
        raise InputError(msg)
    return said
