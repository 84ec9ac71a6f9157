"""What a session's edits came to: later changes of a range collapse to its final state."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from cutbook.memory.marks import sound_token
from cutbook.memory.session import JUDGED, OUTSIDE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cutbook.edit.edl import Range
    from cutbook.memory.session import Event


_VERDICTS = frozenset({"accept", "reject", "review"})
VERDICT = "verdict"
"""Under which the reason for what was decided on a range stands among its reasons, whichever act gave it."""


@dataclass(slots=True)
class Net:
    """One range from the session's start to its end; ``before`` or ``after`` None: it was not there.

    ``acts`` are the kinds of what touched it, ``root`` the range that it was split from, itself where it was not;
    ``fresh`` tells that this root was made in the session, ``last`` is the place of the event that touched it last,
    ``held`` the hashes of what it kept on the way, ``also`` names the ranges that it took in again. ``reasons`` maps an
    act to the last reason that was given for it, ``placed`` tells that only the range's place is meant.
    """

    id: str
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None
    anchors: tuple[str, ...]
    root: str
    fresh: bool = False
    reasons: Mapping[str, str] = field(default_factory=dict)
    moved: bool = False
    placed: bool = False
    acts: tuple[str, ...] = ()
    last: int = -1
    held: frozenset[str] = frozenset()
    also: frozenset[str] = frozenset()

    @property
    def outside(self) -> bool:
        """Tell whether the last word on the range came from outside cutbook."""
        return self.acts[-1:] == (OUTSIDE,)

    @property
    def rejected(self) -> bool:
        """Tell whether the range stays in the list, but not in the film."""
        return self.after is not None and self.after.get("status") == "rejected"

    @property
    def out(self) -> bool:
        """Tell whether the range is not in the film any more."""
        return self.after is None or self.rejected

    @property
    def verdict(self) -> str:
        """The reason for what was decided on the range."""
        return self.reasons.get(VERDICT, "")

    @property
    def judged(self) -> bool:
        """Tell whether nothing is other than what a person decided: accepted, or undecided again.

        A notebook that is run again decides the same once more, which is no news.
        """
        before, after = _verdict(self.before), _verdict(self.after)
        said = bool(self.verdict) and before != after
        return self.same and not self.placed and (before[:1] != after[:1] or said)

    @property
    def same(self) -> bool:
        """Tell whether the range is what it was, but for its place or what was said about it."""
        return self.after is not None and self.content[0] == self.content[1]

    @property
    def content(self) -> tuple[object, object]:
        """What decides whether anything is left of the change."""
        return _key(self.before), _key(self.after)


def _key(state: Mapping[str, Any] | None) -> tuple[object, ...] | None:
    if state is None:
        return None
    names = ("take", "span", "beat", "why")
    return (
        *(state.get(name) for name in names),
        tuple(state.get("frames") or ()),
        state.get("status") == "rejected",
    )


def net_changes(events: Iterable[Event]) -> tuple[Net, ...]:
    """Collapse the changes of events, in the order in which the ranges stand in the film; those gone come last."""
    folding = _Folding()
    for place, event in enumerate(events):
        for change in event.changes:
            folding.fold(change, event.kind, event.text("why" if event.kind in JUDGED else "reason"), place)
    nets = [each for each in folding.nets.values() if each.before is not None or each.after is not None]
    nets = [part for net in _joined(_cancelled(nets)) for part in _parted(net)]
    return tuple(sorted(nets, key=lambda each: (each.after is None, _place(each))))


@dataclass(frozen=True, slots=True)
class Touch:
    """The last own change of a range: its place among the events, and the hash of what the range keeps since."""

    place: int
    keeps: str = ""


def touched(events: Iterable[Event]) -> dict[str, Touch]:
    """Give the last own change of each range, those included that came to nothing."""
    found: dict[str, Touch] = {}
    for place, event in enumerate(events):
        for change in event.changes if event.kind != OUTSIDE else ():
            after = _state(change.get("after"))
            tokens = change.get("anchors")
            edl = [t for t in map(str, tokens) if t.startswith("edl:")] if isinstance(tokens, list) else []
            kept = after is not None and after.get("status") != "rejected"
            found[change["id"]] = Touch(place, edl[0].rpartition("=")[2] if kept and edl else "")
    return found


class _Folding:
    """Ranges by id; one that came back under another id stays the range it was."""

    def __init__(self) -> None:
        self.nets: dict[str, Net] = {}
        self._past: dict[int, list[tuple[object, Mapping[str, str]]]] = {}

    def fold(self, change: Mapping[str, Any], act: str, why: str, place: int) -> None:
        name, was = change["id"], change.get("was")
        before, after = _state(change.get("before")), _state(change.get("after"))
        if isinstance(was, str) and was != name:
            self._rename(was, name)
        known = self.nets.get(name)
        if known is None:
            known = self.nets[name] = self._begun(name, before, change.get("parent") or was)
        tokens = change.get("anchors")
        known.anchors = tuple(filter(sound_token, map(str, tokens))) if isinstance(tokens, list) else ()
        if isinstance(change.get("held"), str):
            known.held |= {change["held"]}
        known.after = after
        if change.get("action") not in {"moved", "accepted", "reopened", "renamed"}:
            known.last = place
        known.acts = (*known.acts, act)
        known.reasons = self._reasons(known, before, act, why)
        known.moved = known.moved or change.get("action") == "moved"

    def _reasons(self, net: Net, before: Mapping[str, Any] | None, act: str, why: str) -> Mapping[str, str]:
        """Give a range's reasons after an act: what was undone takes its reason along, and what is redone has it again.

        What was decided before on other footage, or the other way, is not decided now.
        """
        past = self._past.setdefault(id(net), [(_all(before), net.reasons)])
        now = _all(net.after)
        known = next((each for state, each in reversed(past) if state == now), None)
        if act in {"undo", "redo"} and known is not None:
            return known
        found = {name: said for name, said in net.reasons.items() if name != VERDICT}
        if said := _said(net, before, act, why):
            found[VERDICT] = said
        if act not in _VERDICTS and why:
            found.pop(act, None)
            found[act] = why
        past.append((now, found))
        return found

    def _begun(self, name: str, before: Mapping[str, Any] | None, parent: object) -> Net:
        if isinstance(parent, str) and parent in self.nets:
            home = self.nets[parent]
            return Net(name, before, None, (), home.root, home.fresh, home.reasons)
        return Net(name, before, None, (), str(parent or name), before is None and not parent)

    def _rename(self, was: str, name: str) -> None:
        """Let a range go on under a new id; what this id stood for before is gone, and is kept aside."""
        if (gone := self.nets.pop(name, None)) is not None:
            self.nets[f"{name} {len(self.nets)}"] = gone
        if (net := self.nets.pop(was, None)) is not None:
            net.id = name
            self.nets[name] = net


def _state(value: object) -> Mapping[str, Any] | None:
    return value if isinstance(value, dict) else None


def _place(net: Net) -> int:
    state = net.after or net.before or {}
    return state["place"] if isinstance(state.get("place"), int) else 0


def _cancelled(nets: list[Net]) -> list[Net]:
    """Leave out what came back to where it was, under the same id or another."""
    gone = [each for each in nets if each.after is None]
    kept = []
    for net in nets:
        if net.before is None and net.after is not None:
            twin = next((each for each in gone if each.content[0] == net.content[1]), None)
            if twin is not None:
                gone.remove(twin)
                continue
        if net.same and not net.judged and not (net.moved and _shifted(net)):
            continue
        if net.after is not None:
            kept.append(net)
    roots = {net.root for net in kept}
    return kept + [net for net in gone if net.id not in roots and net.root not in roots]


def _joined(nets: list[Net]) -> list[Net]:
    """Let a range that grew over others take them in: their footage is in the film as before, under its name."""
    grown = [net for net in nets if net.after is not None and not net.rejected and not net.same]
    found = [net for net in nets if net.after is not None]
    for gone in nets:
        if gone.after is None:
            home = next((net for net in grown if _within(gone.before, net.after)), None)
            if home is None:
                found.append(gone)
            else:
                home.also |= {gone.id, gone.root}
                home.held |= gone.held
    return found


def _within(part: Mapping[str, Any] | None, whole: Mapping[str, Any] | None) -> bool:
    if part is None or whole is None or part.get("take") != whole.get("take"):
        return False
    (a, b), (first, last) = _frames(part), _frames(whole)
    return first <= a < b <= last


def _frames(state: Mapping[str, Any]) -> tuple[int, int]:
    frames = state.get("frames")
    if isinstance(frames, list) and len(frames) == 2 and all(isinstance(each, int) for each in frames):
        return frames[0], frames[1]
    return 0, 0


def _verdict(state: Mapping[str, Any] | None) -> tuple[object, ...]:
    """Give what a person decided on a range, and why."""
    return tuple((state or {}).get(name) for name in ("status", "verdict"))


def _all(state: Mapping[str, Any] | None) -> object:
    """Give all of a state but its number in the list, which others change too."""
    return None if state is None else {name: value for name, value in state.items() if name != "place"}


def _said(net: Net, before: Mapping[str, Any] | None, act: str, why: str) -> str:
    """Give the reason for what is decided on a range now: reasons for one decision are joined, as in the cut list."""
    was, now = _verdict(before), _verdict(net.after)
    held = net.verdict if was[:1] == now[:1] else ""
    if act not in _VERDICTS:
        return held
    if was[:1] != now[:1] or now[1] == why:
        return why
    return "; ".join(dict.fromkeys(filter(None, (*held.split("; "), why)))) if now[1] else ""


def _parted(net: Net) -> tuple[Net, ...]:
    """Part what was moved from what was decided on it: each has its own reason, and neither hides the other."""
    if not (net.judged and net.moved and _shifted(net)):
        return (net,)
    return replace(net, placed=True), replace(net, moved=False)


def _shifted(net: Net) -> bool:
    return bool(net.before and net.after and net.before.get("follows") != net.after.get("follows"))


def overtaken(net: Net, ranges: Sequence[Range] | None) -> bool:
    """Tell whether another notebook has changed the range since: its section says so, and this one must not."""
    now = next((each for each in ranges or () if each.id == net.id), None)
    if now is None or net.after is None:
        return False
    frames = list(net.after.get("frames") or now.frames)
    return (now.status == "rejected") != net.rejected or list(now.frames) != frames


def groups(nets: Sequence[Net]) -> list[list[Net]]:
    """Put together what one sentence says: the pieces of a range, and ranges that were judged alike."""
    found: dict[tuple[object, ...], list[Net]] = {}
    for net in nets:
        state: Mapping[str, Any] = net.after or net.before or {}
        reasons = tuple(net.reasons.items())
        about = (
            net.root,
            state.get("take"),
            state.get("beat"),
            net.out,
            reasons,
            state.get("why"),
            net.placed,
        )
        same = ("judged", state.get("status"), net.verdict) if net.judged else about
        found.setdefault(same, []).append(net)
    return list(found.values())
