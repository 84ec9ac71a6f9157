"""What could be put in order: proposals, each with the command that would settle it. Nothing is changed by itself."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cutbook.html import paragraph, table
from cutbook.memory.commands import marked
from cutbook.memory.text import shorten
from cutbook.memory.tried import gist, related
from cutbook.memory.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cutbook.memory.log import Entry
    from cutbook.memory.standing import Standing

UNTOUCHED = 10
"""Sessions after which an entry that nothing can check is worth a look."""

_MANY = 1_000
_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Proposal:
    """One thing to put in order: what it is about, and the command that settles it."""

    what: str
    command: str
    ids: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.what}: `{self.command}`"


class Proposals(tuple[Proposal, ...]):
    """Proposals, one a line when shown."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "\n".join(map(str, self)) or "nothing to tidy up"

    def _repr_html_(self) -> str:
        if not self:
            return paragraph(repr(self))
        return table(("what", "to settle it"), [(each.what, marked(f"`{each.command}`")) for each in self])


def proposals(standing: Standing) -> Proposals:
    """List near-duplicates, possible replacements, and entries that nothing has touched for many sessions.

    A pair is settled once one of the two was confirmed after both were there.
    """
    holding = [each for each in standing.holding if each.kind == "d"]
    return Proposals((*_alike(standing, holding), *_untouched(standing)))


def _alike(standing: Standing, entries: Sequence[Entry]) -> Iterator[Proposal]:
    """Propose once for all that say nearly the same, however many they are."""
    groups: dict[str, _Group] = {}
    for old, new in _candidates(entries):
        mine, theirs = groups.get(old.id), groups.get(new.id)
        if mine is not None and mine is theirs:
            continue
        how = related(old, new)
        if not how or _settled(standing, old, new):
            continue
        mine, theirs = mine or _Group([old]), theirs or _Group([new])
        mine.join(theirs, same=how == "duplicate")
        groups.update((each.id, mine) for each in (*theirs.entries, old))
    places = {entry.id: place for place, entry in enumerate(entries)}
    found = {id(group): group for group in groups.values()}.values()
    for group in found:
        group.entries.sort(key=lambda each: places[each.id])
    yield from (each.proposal() for each in sorted(found, key=lambda each: places[each.entries[-1].id]))


@dataclass(slots=True)
class _Group:
    """Entries of which each is like another one; ``same`` tells that they say the same."""

    entries: list[Entry]
    same: bool = True

    def join(self, other: _Group, *, same: bool) -> None:
        self.entries += other.entries
        self.same = self.same and other.same and same

    def proposal(self) -> Proposal:
        """Propose to end the first in favour of the last, and say how many there are."""
        first, *more, last = self.entries
        shown = [first, *more[: _SHOWN - 2], last]
        said = [f"“{shorten(each.text, 60)}” ({each.id})" for each in shown]
        left = len(self.entries) - len(shown)
        words = listed([*said[:-1], *([f"{left} more"] if left else []), said[-1]])
        count = f"{len(self.entries)} entries: " if more else ""
        how = "say the same" if self.same else "may replace each other"
        ids = tuple(each.id for each in self.entries)
        command = f"%memory supersede {first.id} --by {last.id} --why …"
        return Proposal(f"{count}{words} {how}", command, ids)


def _candidates(entries: Sequence[Entry]) -> Iterator[tuple[Entry, Entry]]:
    """Give pairs worth a look: neighbours that have the same stems, and those that share some where there are few."""
    same: dict[object, Entry] = {}
    holders: defaultdict[str, list[int]] = defaultdict(list)
    for place, entry in enumerate(entries):
        about = gist(entry.text)
        key = (entry.kind, about.stems, about.pairs)
        seen: set[int] = set()
        if len(entries) <= _MANY:
            for term in about.stems | about.pairs:
                seen.update(holders[term])
                holders[term].append(place)
            # The nearest first: what is like one of a group is not held against the others.
            yield from ((entries[other], entry) for other in sorted(seen, reverse=True))
        elif key in same:
            yield same[key], entry
        same[key] = entry


def _settled(standing: Standing, old: Entry, new: Entry) -> bool:
    after = max(old.session, new.session)
    acts = [*standing.state.acts.get(old.id, ()), *standing.state.acts.get(new.id, ())]
    return any(act.verb == "confirm" and act.session >= after for act in acts)


def _untouched(standing: Standing) -> Iterator[Proposal]:
    last = standing.state.last_session
    for entry in standing.holding:
        anchored = entry.mark and any(
            t.partition(":")[0] in {"media", "words", "edl"} for t in entry.mark.tokens
        )
        since = last - max(entry.session, standing.state.touched.get(entry.id, 0))
        if anchored or since < UNTOUCHED or entry.kind not in "do" or entry.mark is None:
            continue
        words = f"“{shorten(entry.text, 60)}” ({entry.id}) was not touched for {since} sessions"
        yield Proposal(words, f"%memory confirm {entry.id} --why …", (entry.id,))
