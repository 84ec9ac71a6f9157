"""The decisions that a section is given on what its session changed in the cut."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cutbook.memory import wording
from cutbook.memory.anchors import in_order, ranges_of, without
from cutbook.memory.bullets import Item, confirmed, key
from cutbook.memory.ground import Ground, Hit
from cutbook.memory.marks import WRITTEN, Mark, Target, new_id, sound_token
from cutbook.memory.net import groups
from cutbook.memory.text import encode_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from cutbook.edit.edl import Range
    from cutbook.memory.bullets import Key
    from cutbook.memory.ground import Place
    from cutbook.memory.log import Entry
    from cutbook.memory.net import Net, Touch


@dataclass(frozen=True, slots=True)
class _Draft:
    """What is to be said of ranges that belong together; ``same`` is the entry that says it already."""

    group: Sequence[Net]
    text: str
    tokens: tuple[str, ...]
    same: Entry | None
    hit: Hit


class Cuts:
    """A decision a changed range; the pieces that one range was cut into share theirs.

    ``known`` are the entries that hold, ``holds`` the live decisions of the log, ``told`` those of this session with
    their places among its events, ``given_up`` those that it ended by a verb, ``touched`` each range's last change.
    ``confirmed`` are those of the log that it confirmed, as they are now and were before, with the place of that.
    """

    def __init__(
        self,
        nets: Sequence[Net],
        ranges: Sequence[Range] | None,
        *,
        known: Mapping[Key, Entry | None],
        holds: Sequence[Entry],
        told: Sequence[tuple[Entry, int]],
        given_up: Sequence[Entry],
        touched: Mapping[str, Touch],
        confirmed: Sequence[tuple[Entry, Entry, int]] = (),
    ) -> None:
        self._nets = nets
        self._known = known
        self._told = told
        self._confirmed = confirmed
        self._touched = touched
        self._kept = frozenset(each.id for each in ranges or () if each.status != "rejected")
        altered = [net for net in nets if not (net.outside or net.same)]
        self._grounds = [Ground(holds, ranges, _names(altered))]
        for entry, place in told:
            later = _names(net for net in altered if net.last > place)
            if entry.mark and later.intersection(ranges_of(entry.mark.tokens)):
                self._grounds.append(Ground([entry], ranges, later))
        self._anew: list[tuple[Ground, frozenset[str]]] = []
        for entry, _, place in confirmed:
            news = _names(net for net in altered if net.last > place and not self._holds(entry, net))
            if news:
                self._anew.append((Ground([entry], ranges, news), news))
        self._given_up = Ground(given_up, ranges, _names(altered))
        every = [*holds, *(entry for entry, _, _ in confirmed)]
        said = [entry for entry in every if entry.mark and entry.mark.values("status")]
        self._verdicts = Ground(said, ranges, _names(net for net in nets if net.judged))

    def items(self) -> list[Item]:
        """Write them in the order of the film.

        One that says only what was decided on a range replaces the last such, and leaves the reason for it in force.
        """
        drafts = [draft for group in groups(self._nets) if (draft := self._draft(group))]
        ended = {entry.id for draft in drafts for entry in draft.hit.ended}
        settled = ended | {entry.id for draft in drafts for entry in draft.hit.narrowed}
        found = [item for draft in drafts for item in self._written(draft, ended)]
        return [
            *found,
            *(item for told in self._told if told[0].id not in settled for item in self._left(*told)),
            *(item for each in self._confirmed if each[0].id not in settled for item in self._back(*each)),
        ]

    def _holds(self, entry: Entry, net: Net) -> bool:
        """Tell whether a range keeps what an entry was confirmed for."""
        touch = self._touched.get(net.id)
        return touch is not None and bool(touch.keeps) and touch.keeps in _held(entry)

    def _back(self, entry: Entry, before: Entry, place: int) -> list[Item]:
        """Give an entry that was confirmed its old anchors again, where what it is about came back to these."""
        touches = [self._touched[n] for n in ranges_of(before.tokens) if n in self._touched]
        late = [touch for touch in touches if touch.place > place and touch.keeps not in _held(entry)]
        if not any(touch.keeps in _held(before) for touch in late):
            return []
        return confirmed(entry, tuple(t for t in before.tokens if t != WRITTEN), anew=True)

    def _draft(self, group: Sequence[Net]) -> _Draft | None:
        text = wording.decision(group)
        if not text:
            return None
        tokens = in_order(
            token for net in group for token in net.anchors if not (net.out and token.startswith("edl:"))
        )
        names = _names(group)
        places = [place for net in group for place in wording.spans(net)]
        same = self._known.get(key("d", text, tokens))
        hit = self._hit(group, names, places)
        if same is not None:
            hit = replace(hit, ended=tuple(entry for entry in hit.ended if entry.id != same.id))
        elif not hit.ended and all(net.out for net in group) and self._given_up.take(names, places).ended:
            return None  # a verb has said already that it no longer holds
        return _Draft(group, text, tokens, same, hit)

    def _written(self, draft: _Draft, ended: AbstractSet[str]) -> list[Item]:
        """Write a decision, or that one which says the same is still right and holds here too."""
        same = draft.same
        if same is None or same.id in ended:
            return [_decided(draft)]
        tokens = self._with(same, draft.tokens)
        ends = _ends(draft.hit)
        if not ends:
            return confirmed(same, tokens)
        quotes = [wording.quoted(entry) for entry in draft.hit.ended]
        words = wording.replacing(f"Still right: {wording.quoted(same)}.", quotes)
        words = wording.narrowing(words, [wording.quoted(entry) for entry in draft.hit.narrowed])
        return [Item(words, Mark(new_id("e"), "confirm", (Target(same.id),), (*tokens, *ends)))]

    def _left(self, entry: Entry, place: int) -> list[Item]:
        """End a decision of this session, or leave it the rest, where what it was about is gone as if it never was."""
        tokens = entry.tokens
        held = _held(entry)
        ranges = ranges_of(tokens)
        touches = {name: self._touched[name] for name in ranges if name in self._touched}
        gone = {name for name, touch in touches.items() if touch.place > place and touch.keeps not in held}
        if not gone:
            return []
        if gone != set(ranges):
            return confirmed(entry, without(tokens, gone), anew=True)
        what = wording.about(tokens) or "What it was about"
        words = f"No longer: {wording.quoted(entry)}. {what} was taken out of the cut or changed again."
        return [Item(words, Mark(new_id("e"), "supersede", (Target(entry.id),)))]

    def _hit(self, group: Sequence[Net], names: frozenset[str], places: Sequence[Place]) -> Hit:
        held = frozenset(value for net in group for value in net.held)
        if all(net.outside or (net.same and not net.judged) for net in group):
            return Hit()
        if group[0].judged:
            return self._verdicts.take(names, (), held)
        log, *session = self._grounds
        hits = [log.take(names, places, held), *(ground.take(names, ()) for ground in session)]
        hits += [ground.take(names, places, held) for ground, later in self._anew if later & names]
        return Hit(
            tuple(entry for hit in hits for entry in hit.ended),
            tuple(entry for hit in hits for entry in hit.narrowed),
            tuple(dict.fromkeys(name for hit in hits for name in hit.without)),
        )

    def _with(self, same: Entry, tokens: tuple[str, ...]) -> tuple[str, ...]:
        """Let an entry go on for the ranges that it has, where another is cut for the same reason."""
        own = same.tokens
        still = [t for t in own if t.startswith("range:") and self._kept.intersection(ranges_of((t,)))]
        return in_order((*tokens, *still))


def _held(entry: Entry) -> set[str]:
    """Give the hashes of what an entry's ranges keep."""
    return {token.rpartition("=")[2] for token in entry.tokens if token.startswith("edl:")}


def _names(nets: Iterable[Net]) -> frozenset[str]:
    return frozenset(name for net in nets for name in (net.id, net.root, *net.also))


def _ends(hit: Hit) -> tuple[str, ...]:
    """Give the tokens by which a decision ends and narrows others."""
    marks = [
        *(f"supersedes:{wording.address(entry)}" for entry in hit.ended),
        *(f"narrows:{wording.address(entry)}" for entry in hit.narrowed),
        *(f"without:{encode_name(name)}" for name in hit.without),
    ]
    return tuple(filter(sound_token, marks))


def _decided(draft: _Draft) -> Item:
    group, hit = draft.group, draft.hit
    quotes = [wording.quoted(entry) for entry in hit.ended]
    gone = bool(quotes) and all(net.out for net in group)
    words = wording.ending(group, quotes) if gone else wording.replacing(draft.text, quotes)
    words = wording.narrowing(words, [wording.quoted(entry) for entry in hit.narrowed])
    status = f"status:{(group[0].after or {}).get('status')}"
    verdict = (status,) if group[0].judged and sound_token(status) else ()
    return Item(words, Mark(new_id("d"), tokens=(*draft.tokens, *verdict, *_ends(hit))))
