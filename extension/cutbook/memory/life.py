"""What may be done to an entry: confirm, flag, abandon, supersede, each with a reason. A wrong move writes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutbook.errors import InputError
from cutbook.memory import wording
from cutbook.memory.anchors import read_anchor
from cutbook.memory.causes import causes
from cutbook.memory.imports import Foreign, find
from cutbook.memory.renew import renewed
from cutbook.memory.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cutbook.memory.log import Entry
    from cutbook.memory.session import Session
    from cutbook.memory.standing import Standing


KEPT = "it holds after this change too"
"""The reason for keeping a decision that an edit would end, where none is given."""


def confirm(
    session: Session,
    standing: Standing,
    ids: Iterable[str],
    *,
    take: str | None = None,
    cause: int | None = None,
    why: str | None = None,
) -> tuple[str, ...]:
    """Say that entries are still right: flags go, and new anchors are taken. Gives their ids.

    ``take`` stands for everything about it that needs review, ``cause`` for one of those that resume lists; a cause is
    reason enough where no other is given, and so is that an edit of this session would end it.

    Raises:
        InputError: no reason, an unknown id, take or cause, or what an entry is about is gone. Nothing is written.
    """
    wanted, reason = list(dict.fromkeys(map(str, ids))), one_line(why or "")
    if take is not None:
        wanted += _about(standing, take)
    if cause is not None:
        found = next((each for each in causes(standing) if each.number == cause), None)
        if found is None:
            known = ", ".join(str(each.number) for each in causes(standing)) or "none"
            msg = f"no cause has the number {cause}; there are {known} (%memory resume lists them)"
            raise InputError(msg)
        wanted += [each.id for each in found.entries]
        reason = reason or found.what
    if not wanted:
        msg = "confirm wants an id, a take or a cause; %memory resume lists what needs review"
        raise InputError(msg)
    if not reason and all(each.strip() in standing.ending for each in wanted):
        reason = KEPT
    reason = _reason("confirm", reason)
    named = {each: find(session.edit, standing.state, each.strip()) for each in wanted}
    theirs = {each: one for each, one in named.items() if one is not None}
    own = [each for each in dict.fromkeys(wanted) if each not in theirs]
    entries = [resolve(standing, "confirm", each) for each in own]
    anchors = [_news(entry, renewed(entry, standing.present, standing.scene.plain)) for entry in entries]
    for entry, tokens in zip(entries, anchors, strict=True):
        _told(session, standing, "confirm", entry, reason, anchors=tokens)
    for each in theirs.values():
        _told(session, standing, "confirm", each, reason)
    return (*(entry.id for entry in entries), *(each.id for each in theirs.values()))


def flag(session: Session, standing: Standing, id: str, *, why: str | None) -> str:
    """Mark an entry as doubtful until it is confirmed, and give its id (raises :class:`InputError`)."""
    entry = resolve(standing, "flag", id)
    if entry.id in standing.state.flagged:
        msg = f"{entry.id} is flagged already: {standing.state.why(entry.id) or 'by hand'}; confirm clears a flag"
        raise InputError(msg)
    return _told(session, standing, "flag", entry, _reason("flag", why))


def abandon(session: Session, standing: Standing, id: str, *, why: str | None) -> str:
    """End an entry as an idea that was given up; it is kept, and warned of when it comes again.

    One that came by import is served no more.
    """
    theirs = find(session.edit, standing.state, str(id).strip())
    if theirs is not None:
        return _told(session, standing, "abandon", theirs, _reason("abandon", why))
    return _told(session, standing, "abandon", resolve(standing, "abandon", id), _reason("abandon", why))


def supersede(session: Session, standing: Standing, id: str, *, by: str, why: str | None) -> str:
    """End an entry in favour of another that holds.

    Raises:
        InputError: the replacement does not hold, or is the entry itself.
    """
    entry = resolve(standing, "supersede", id)
    if not str(by or "").strip():
        msg = f"supersede wants the entry that takes the place of {entry.id}: add --by ID"
        raise InputError(msg)
    other = resolve(standing, "replace", by)
    if other.id == entry.id:
        msg = f"{entry.id} cannot take its own place; --by names another entry"
        raise InputError(msg)
    return _told(session, standing, "supersede", entry, _reason("supersede", why), by=wording.address(other))


def resolve(standing: Standing, verb: str, id: str) -> Entry:
    """Find the live entry that a verb names.

    Raises:
        InputError: there is none, two share the id, or it ended.
    """
    name, state = str(id).strip(), standing.state
    entry = state.entries.get(name)
    if entry is None and "/" in name:
        msg = (
            f"{name} came by import, if at all, and is only quoted here: it can be confirmed or abandoned while it is "
            f"served; %memory decide TEXT makes it your own"
        )
        raise InputError(msg)
    if entry is None:
        msg = f"no entry has the id {name!r}; %memory show --all lists them"
        raise InputError(msg)
    if "~" in name or f"{name}~2" in state.entries:
        msg = f"{name} is the id of two entries in project.md; give one of them another id first"
        raise InputError(msg)
    if entry.kind == "e":
        msg = f"{name} is an event, and an event cannot be taken back; name the entry that it is about"
        raise InputError(msg)
    if name in state.ended and not (verb == "confirm" and name in standing.ending):
        why = state.why(name)
        msg = f"{name} was {state.ended[name]} already{f': {why}' if why else ''}; there is nothing to {verb}"
        raise InputError(msg)
    if entry.ticked or name in state.done:
        msg = f"{name} is done already; there is nothing to {verb}"
        raise InputError(msg)
    return entry


def _reason(verb: str, why: str | None) -> str:
    reason = one_line(why or "")
    if not reason:
        msg = f"{verb} wants a reason: add --why TEXT"
        raise InputError(msg)
    return reason


def _about(standing: Standing, take: str) -> list[str]:
    found = []
    for cause in causes(standing):
        for due in cause.entries:
            mark = standing.state.entries[due.id].mark
            if take in _takes(standing, mark.tokens if mark else ()):
                found.append(due.id)
    if not found:
        msg = f"nothing about {take!r} needs review; %memory resume says what does"
        raise InputError(msg)
    return found


def _takes(standing: Standing, tokens: Iterable[str]) -> set[str]:
    """Name the takes that an entry is about, as it says and as their files are called now."""
    anchors = [anchor for token in tokens if (anchor := read_anchor(token)) and anchor.kind != "edl"]
    held = [standing.present.file(anchor)[1] for anchor in anchors if anchor.kind == "media"]
    return {anchor.name for anchor in anchors} | {take.name for take in held if take is not None}


def _news(entry: Entry, tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Give the new anchors where any is new: a confirmation of what is fresh has none."""
    old = entry.tokens
    return () if set(tokens) <= set(old) and all(t in tokens for t in old if read_anchor(t)) else tokens


def _told(
    session: Session,
    standing: Standing,
    verb: str,
    entry: Entry | Foreign,
    why: str,
    *,
    anchors: tuple[str, ...] = (),
    by: str = "",
) -> str:
    target = entry.address if isinstance(entry, Foreign) else wording.address(entry)
    facts = {"target": target, "why": why, "text": entry.text}
    more = {key: value for key, value in (("anchors", list(anchors)), ("by", by)) if value}
    said = [event.facts for event in standing.events if event.kind == verb]
    if facts | more not in said or entry.id in standing.ending:
        session.note(verb, **facts, **more)
    return entry.id
