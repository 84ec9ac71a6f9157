"""What could be put in order: proposals, each with the command that would settle it. Nothing is changed by itself."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cutbook.html import paragraph, table
from cutbook.memory.commands import marked
from cutbook.memory.text import shorten
from cutbook.memory.tried import gist, related

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cutbook.memory.log import Entry
    from cutbook.memory.standing import Standing

UNTOUCHED = 10
"""Sessions after which an entry that nothing can check is worth a look."""

_MANY = 1_000


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
    return Proposals((*_pairs(standing, holding), *_untouched(standing)))


def _pairs(standing: Standing, entries: Sequence[Entry]) -> Iterator[Proposal]:
    for old, new in _candidates(entries):
        how = related(old, new)
        if not how or _settled(standing, old, new):
            continue
        what = "say the same" if how == "duplicate" else "may replace each other"
        words = " and ".join(f"“{shorten(each.text, 60)}” ({each.id})" for each in (old, new))
        yield Proposal(
            f"{words} {what}", f"%memory supersede {old.id} --by {new.id} --why …", (old.id, new.id)
        )


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
            yield from ((entries[other], entry) for other in sorted(seen))
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
