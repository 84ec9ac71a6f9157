"""The sentences of a drafted section: plain, short and in the past tense."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Any

from cutbook.errors import TimeError
from cutbook.memory.anchors import ranges_of, read_anchor, span_text
from cutbook.memory.net import VERDICT
from cutbook.memory.text import shorten
from cutbook.timebase import Span, clock, seconds

if TYPE_CHECKING:
    from cutbook.edit.edl import Range
    from cutbook.memory.log import Entry
    from cutbook.memory.net import Net
    from cutbook.memory.session import Event

_UNDECIDED = re.compile(r"\d{1,9} of \d{1,9} ranges? (?:is|are) undecided: ")
_QUOTE = 90
_NAMED = 3
_LISTED = 5
_ENDS, _NARROWS = " Replaces “", " For the rest “"
_DONE = {
    "tighten": "tightened",
    "trim": "trimmed",
    "split": "split",
    "merge": "merged",
    "strike": "words taken out",
    "restore": "words put back",
    "swap": "swapped",
    "hand edit": "changed by hand",
}
_SAID = re.compile(r"(?<=\d\.\d\d) “([^“”]*)”\.?")


def count(number: int, thing: str) -> str:
    """Write a number with its noun (``1 range``, ``3 ranges``)."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def listed(parts: Sequence[str]) -> str:
    """Write a list in words (``a, b and c``)."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else ""


def ended(text: str) -> str:
    """End a sentence with a full stop, if nothing ends it."""
    text = text.strip()
    return (
        text if not text or text[-1] in ".!?…。！？" or text[-2:] in {".”", "!”", "?”", ".)"} else f"{text}."
    )


def with_why(text: str, why: str) -> str:
    """Join a statement and its reason."""
    text, why = text.strip(), why.strip()
    if not why:
        return ended(text) if text.startswith("Done:") else text
    return ended(f"{text.rstrip('.')}: {why}")


def own_words(text: str) -> str:
    """Give what an entry says itself, without what it says of the entries that it ends or narrows."""
    return text.partition(_ENDS)[0].partition(_NARROWS)[0]


def quoted(entry: Entry) -> str:
    """Quote an entry for the one that ends it: its words, without those of the take, and its session."""
    words = own_words(entry.text).rstrip(".")
    if entry.mark and entry.mark.values("range"):
        words = _SAID.sub("", words, count=1)
    return f"“{shorten(words, 120).replace('“', '‘').replace('”', '’')}” (session {entry.session})"


def quote_of(text: str) -> str:
    """Give the words of a take that an entry quotes behind their span; empty where it quotes none."""
    said = _SAID.search(own_words(text))
    return said[1] if said else ""


def address(entry: Entry) -> str:
    """Name an entry in a machine comment; by its text too where its id is only a place."""
    return entry.id if entry.mark else f"{entry.id}={entry.text_hash}"


def spans(net: Net) -> list[tuple[object, Span]]:
    """Give the takes and spans on which a range lies or lay."""
    found = []
    for state in (net.before, net.after):
        span = read_span(state.get("span")) if state else None
        if state and span:
            found.append((state.get("take"), span))
    return found


def read_span(text: object) -> Span | None:
    """Read ``2.52-5.36``; None for anything else."""
    start, _, end = str(text or "").partition("-")
    try:
        return Span(seconds(start), seconds(end))
    except TimeError:
        return None


def decision(group: Sequence[Net]) -> str:
    """Say what became of a range, or of the pieces that it was cut into, and why; empty when nothing is to be said."""
    first = group[0]
    state: Mapping[str, Any] = first.after or first.before or {}
    if first.judged:
        return _judged(group)
    beat = str(state.get("beat") or "")
    where = f"{_name(state.get('take'))} {', '.join(_span(net.after or net.before) for net in group)}"
    why = _why(first)
    quote = _quote(group)
    if first.after is None:
        if first.before is None or first.before.get("status") == "rejected":
            return ""  # what was out already is out
        what = f"{beat} {where}{quote} is out".strip()
    elif first.rejected:
        what = f"{beat} {where}{quote} is rejected".strip()
    elif first.same:
        after = str(state.get("follows") or "")
        what = f"{beat} {where}{quote} now comes {f'after {after}' if after else 'first'}".strip()
        why = first.reasons.get("move", "")
    else:
        what = f"{beat} is {where}{quote}" if beat else f"{where}{quote} is in"
    how = _how(group)
    return ended(f"{what}{how}: {why}" if why else f"{what}{how}")


def _judged(group: Sequence[Net]) -> str:
    """Say what was decided on ranges that stay what they are, each by its name."""
    first = group[0]
    was, now = _status(first.before), _status(first.after)
    verdict = "accepted" if now == "accepted" else "undecided" if was == now else "undecided again"
    names = [_place(net) for net in group]
    quote, verb = (_quote(group), "is") if len(group) == 1 else ("", "are")
    what = f"{listed(names)}{quote} {verb} {verdict}"
    return ended(f"{what}: {first.verdict}" if first.verdict else what)


def _place(net: Net) -> str:
    state = net.after or net.before or {}
    return f"{state.get('beat') or ''} {_name(state.get('take'))} {_span(state)}".strip()


def _why(net: Net) -> str:
    """Give every reason for what was done, one an act: a range's own speaks for it, never for its rejection.

    Each is named by its act where there are several, and that of a move where more than the place is other.
    """
    state = net.after or {}
    reasons = dict(net.reasons)
    own = str(state.get("why") or "")
    if net.rejected:
        own = reasons.pop(VERDICT, "") or str(state.get("verdict") or "")
    named = len(reasons) > 1 or net.rejected or "move" in reasons
    said = (f"{_act(net, act)}: {why}" if named else why for act, why in reasons.items() if why != own)
    return "; ".join(dict.fromkeys(filter(None, (own, *said))))


def _act(net: Net, act: str) -> str:
    """Name an act in the past tense, and what was decided by its outcome."""
    return {"move": "moved", **_DONE}.get(act, act) if act != VERDICT else _status(net.after) or "decided"


def _name(take: object) -> str:
    return f'"{take}"' if " " in str(take) else str(take)


def _span(state: Mapping[str, Any] | None) -> str:
    return str((state or {}).get("span", "")).replace("-", "–")


def _quote(group: Sequence[Net]) -> str:
    quotes = [str((net.after or net.before or {}).get("quote") or "") for net in group]
    words = " … ".join(dict.fromkeys(quote.strip() for quote in quotes if quote.strip()))
    if not words:
        return ""
    if len(words) > _QUOTE:
        words = f"{shorten(words, _QUOTE - 30).rstrip('…')}… {words[-28:].partition(' ')[2]}"
    return f" “{words.replace('“', '‘').replace('”', '’')}”"


def _how(group: Sequence[Net]) -> str:
    acts = {act for net in group for act in net.acts}
    found = [word for act, word in _DONE.items() if act in acts and group[0].after is not None]
    return f" ({listed(found)})" if found else ""


def joined(net: Net) -> bool:
    """Tell whether a range went because another one has its place in the take now."""
    return net.after is None and net.acts[-1:] in {("merge",), ("restore",)}


def ending(group: Sequence[Net], quotes: Sequence[str]) -> str:
    """Say that a range went, by the decisions that ends with it."""
    why = _why(group[0])
    names = [place for net in group if (place := _place(net))] or ["it"]
    gone = "joined to the range before it" if joined(group[0]) else "taken out of the cut"
    verb = "is" if len(names) == 1 else "are"
    how = f"{listed(names)} {verb} {'rejected' if group[0].after else gone}"
    return f"No longer: {listed(quotes)}. {ended(f'{how}: {why}' if why else how)}"


def about(tokens: Sequence[str]) -> str:
    """Name what tokens are about by beat, take and span (``HOOK C0103 2.52–5.36``); empty where they name no take."""
    anchors = [anchor for token in tokens if (anchor := read_anchor(token))]
    own = set(ranges_of(tokens))
    beats = [each.name for each in anchors if each.kind == "edl" and each.name not in own]
    said = [f"{_name(e.name)} {span_text(e.span, '–')}" for e in anchors if e.span]
    places = said or [_name(each.name) for each in anchors if each.kind == "media"]
    return " ".join(filter(None, (listed(list(dict.fromkeys(beats))), listed(list(dict.fromkeys(places))))))


def endings(entries: Sequence[Entry]) -> str:
    """Say which written decisions end with an edit, and what keeps them; empty where none does."""
    if not entries:
        return ""
    named = [f"“{shorten(own_words(e.text).rstrip('.'), 90)}” ({e.id})" for e in entries[:_NAMED]]
    more = len(entries) - _NAMED
    names = f"{', '.join(named)} and {more} more" if more > 0 else listed(named)
    ids = " ".join(each.id for each in entries[:_NAMED])
    return f"This ends {names}; `%memory confirm {ids}` keeps {'it' if len(entries) == 1 else 'them'}."


def replacing(text: str, quotes: Sequence[str]) -> str:
    """Say which decisions a new one ends, so that the log alone misleads nobody."""
    return f"{text} Replaces {listed(quotes)}." if quotes else text


def narrowing(text: str, quotes: Sequence[str]) -> str:
    """Say which decisions hold only for the rest of what they were about."""
    return (
        f"{text} For the rest {listed(quotes)} still {'holds' if len(quotes) == 1 else 'hold'}."
        if quotes
        else text
    )


def film(name: str) -> str:
    """Name a film for people who may sit at another machine: without the way to a place outside the footage."""
    if PurePosixPath(name).is_absolute() or PureWindowsPath(name).is_absolute():
        return PureWindowsPath(name).name
    return name.removeprefix("../")


def failed(event: Event) -> str:
    """Say that a file did not pass its check, with the first thing found."""
    findings = event.names("findings")
    more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
    first = f": {findings[0].rstrip('.')}{more}" if findings else ""
    return ended(f"{film(event.text('file'))} does not pass its check{first}")


def undecided(ranges: Sequence[Range]) -> str:
    """Say in one line which ranges nobody has decided on."""
    waiting = [each for each in ranges if each.status == "undecided"]
    if not waiting:
        return ""
    names = list(dict.fromkeys(each.beat or each.source for each in waiting))
    shown = ", ".join(names[:_LISTED]) + (", …" if len(names) > _LISTED else "")
    verb = "is" if len(waiting) == 1 else "are"
    return f"{len(waiting)} of {count(len(ranges), 'range')} {verb} undecided: {shown} (`%review`)."


def counts_undecided(text: str) -> bool:
    """Tell whether a text is what :func:`undecided` said once."""
    return bool(_UNDECIDED.match(text))


_ACTS = {
    "confirm": ("Still right", "confirmed"),
    "flag": ("To review", "flagged"),
    "abandon": ("No longer", "abandoned"),
    "supersede": ("No longer", "superseded"),
    "done": ("Done", "settled"),
}


def act(verb: str, quote: str, why: str, by: str = "") -> str:
    """Say what became of an entry: its words quoted, what took its place, and why."""
    if by:
        return f"No longer: {quote}. {ended(f'Replaced by {by}: {why}' if why else f'Replaced by {by}')}"
    return ended(f"{_ACTS[verb][0]}: {quote}: {why}" if why else f"{_ACTS[verb][0]}: {quote}")


def written(decisions: int, notes: int, todos: int, acts: Sequence[str] = (), *, preferences: int = 0) -> str:
    """Sum up a session in which nothing was made, only written down, or said of what stands there already."""
    parts = [(decisions, "decision"), (notes, "note"), (todos, "task"), (preferences, "preference")]
    new = [count(number, thing) for number, thing in parts if number]
    found = [f"wrote down {listed(new)}"] if new else []
    found += [f"{said} {number}" for verb, (_, said) in _ACTS.items() if (number := list(acts).count(verb))]
    return (
        f"{found[0][0].upper()}{found[0][1:]}{''.join(f', {each}' for each in found[1:])}." if found else ""
    )


def summary(events: Sequence[Event], nets: Sequence[Net]) -> str:
    """Say what was done in one sentence; empty when nothing was."""
    parts = [*_transcribed(events), *_cut(events, nets), *_made(events)]
    if not parts:
        return ""
    text = listed(parts)
    return ended(text[0].upper() + text[1:])


def _transcribed(events: Iterable[Event]) -> list[str]:
    takes = {take for event in events if event.kind == "transcribe" for take in event.names("takes")}
    return [f"transcribed {count(len(takes), 'take')}"] if takes else []


def _cut(events: Sequence[Event], nets: Sequence[Net]) -> list[str]:
    live = [net for net in nets if net.after is not None and not net.rejected and not net.same]
    fresh = {net.root: str((net.after or {}).get("take")) for net in live if net.fresh}
    changed = {net.root for net in live if not net.fresh}
    gone = {net.root for net in nets if net.after is None and not joined(net)}
    merged = {net.root for net in nets if joined(net)}
    moved = [net for net in nets if net.moved and net.same]
    found = (
        [f"cut {count(len(fresh), 'range')} from {count(len(set(fresh.values())), 'take')}"] if fresh else []
    )
    found += _counted("changed", len(changed)) + _tightened(events, nets) + _counted("removed", len(gone))
    found += _counted("merged", len(merged) and len(merged) + 1)
    found += _counted("rejected", sum(net.rejected for net in nets)) + _counted("accepted", _accepted(events))
    return found + _counted("moved", len(moved))


def _counted(act: str, number: int) -> list[str]:
    return [f"{act} {count(number, 'range')}"] if number else []


def _accepted(events: Iterable[Event]) -> int:
    """Count the ranges that were accepted: anew, or again with other footage in them."""
    first: dict[str, object] = {}
    said: dict[str, object] = {}
    for event in events:
        for change in event.changes:
            name, before, after = str(change["id"]), change.get("before"), change.get("after")
            was = str(change.get("was") or name)
            start, held = first.pop(was, before), said.pop(was, None)
            yes = _status(after) == "accepted"
            first[name], said[name] = start, after if yes and _status(before) != "accepted" else yes and held
    return sum(
        bool(now) and (_status(first[name]) != "accepted" or _footage(first[name]) != _footage(now))
        for name, now in said.items()
    )


def _footage(state: object) -> object:
    return (state.get("take"), state.get("span")) if isinstance(state, dict) else None


def _status(state: object) -> str:
    return str(state.get("status", "")) if isinstance(state, dict) else ""


def _tightened(events: Iterable[Event], nets: Sequence[Net]) -> list[str]:
    if not any("tighten" in net.acts for net in nets):
        return []
    removed = [row for event in events if event.kind == "tighten" for row in event.rows("removed")]
    pauses = sum(str(row.get("what", "")).startswith("pause") for row in removed)
    fillers = len(removed) - pauses
    what = [count(fillers, "filler")] if fillers else []
    what += [count(pauses, "pause")] if pauses else []
    return [f"took out {listed(what)}" if what else "tightened the cut"]


def _made(events: Sequence[Event]) -> list[str]:
    proofs = {event.text("file"): event for event in events if event.kind in {"render", "check"}}
    renders = {event.text("file"): event for event in events if event.kind == "render" and _new(event)}
    found = []
    for name, event in renders.items():
        verdict = "passed" if proofs[name].facts.get("ok") else "fails"
        found.append(f"rendered {film(name)}{_length(event.facts.get('seconds'))}, which {verdict} its check")
    exported = dict.fromkeys(event.text("file") for event in events if event.kind == "export")
    return [*found, *(f"exported {film(name)}" for name in exported)]


def _new(event: Event) -> bool:
    return bool(event.facts.get("encoded") or event.facts.get("changed"))


def _length(value: object) -> str:
    try:
        return f" ({clock(Fraction(value))})" if isinstance(value, int | float | str) else ""
    except (ValueError, OverflowError, ZeroDivisionError):
        return ""
