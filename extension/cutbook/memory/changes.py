"""What an act did to the cut list, range by range, in the plain data that the open session keeps."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any

from cutbook.errors import MediaError
from cutbook.memory.anchors import edl_anchor, range_tokens, span_text
from cutbook.timebase import Span

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cutbook.edit.edl import Edl, Range
    from cutbook.edit.take import Take
    from cutbook.memory.anchors import Plain

Change = dict[str, Any]
"""One range's change: ``id``, ``action`` (added, changed, moved, accepted, reopened, renamed, dropped), ``before``
and ``after`` (None: not there), ``anchors`` (tokens of the state after, or before where it is gone), ``parent`` (the
range that it was split from), ``was`` (the id that it had), ``held`` (the hash of what it kept before)."""


def range_changes(
    before: Edl | None, after: Edl, takes: Mapping[str, Take], *, plain: Plain | None = None
) -> tuple[Change, ...]:
    """Give what changed between two cut lists, in the order of the second, then what is gone.

    ``plain`` gives a take's words without corrections, where there are any.

    Ranges are matched by id, then by content; a range inside one that is gone or changed was split from it.
    Take, frames, beat, reason, status and order count.
    """
    olds = list(before.ranges) if before else []
    news = list(after.ranges)
    pairs = _matched(olds, news)
    paired = {id(old) for old in pairs.values()}
    free = [old for old in olds if id(old) not in paired]
    by_id = {new.id: new for new in reversed(news)}
    altered = free + [old for name, old in pairs.items() if _content(old) != _content(by_id[name])]
    places = {id(old): place for place, old in enumerate(olds)}
    moved = _moved(olds, news, pairs)
    found: list[Change] = []
    for place, new in enumerate(news):
        old = pairs.get(new.id)
        action = "added" if old is None else _action(old, new, moved)
        if action:
            state = _state(old, places[id(old)], olds) if old else None
            change = _change(
                new.id,
                action,
                before=state,
                after=_state(new, place, news),
                anchors=_tokens(new, takes, plain),
            )
            parent = None if old else next((each.id for each in altered if _inside(new, each)), None)
            was = old.id if old and old.id != new.id else None
            more = {"parent": parent, "was": was, "held": _held(old, takes) if old else None}
            found.append({**change, **{key: value for key, value in more.items() if value}})
    for old in free:
        state = _state(old, places[id(old)], olds)
        change = _change(old.id, "dropped", before=state, after=None, anchors=_tokens(old, takes, plain))
        found.append({**change, "held": _held(old, takes)})
    return tuple(found)


def _action(old: Range, new: Range, moved: set[str]) -> str:
    if old is new:
        return "moved" if new.id in moved else ""
    if _content(old) != _content(new):
        return "changed"
    if new.id in moved:
        return "moved"
    if new.status != old.status:
        return "accepted" if new.status == "accepted" else "reopened"
    if new.extra.get("why") and new.extra.get("why") != old.extra.get("why"):
        return "accepted" if new.status == "accepted" else "changed"
    return "renamed" if new.id != old.id else ""


def _matched(olds: Sequence[Range], news: Sequence[Range]) -> dict[str, Range]:
    by_id = {old.id: old for old in olds}
    pairs = {new.id: by_id[new.id] for new in news if new.id in by_id}
    left = [old for old in olds if old.id not in pairs]
    for new in news:
        if new.id not in pairs:
            same = next((old for old in left if _content(old) == _content(new)), None)
            if same is not None:
                pairs[new.id] = same
                left.remove(same)
    return pairs


def _content(kept: Range) -> tuple[object, ...]:
    return kept.source, kept.frames, kept.rate, kept.beat, kept.reason, kept.status == "rejected"


def _inside(new: Range, old: Range) -> bool:
    if new.source != old.source:
        return False
    if new.rate == old.rate:  # the frames say it, and compare a hundred times as quickly
        return old.frames[0] <= new.frames[0] and new.frames[1] <= old.frames[1]
    return old.start <= new.start and new.end <= old.end


def _moved(olds: Sequence[Range], news: Sequence[Range], pairs: Mapping[str, Range]) -> set[str]:
    """Name the fewest ranges whose move explains the new order: those outside the longest ascending run."""
    place = {id(old): number for number, old in enumerate(olds)}
    kept = [new.id for new in news if new.id in pairs]
    order = [place[id(pairs[name])] for name in kept]
    tails: list[int] = []
    lengths: list[int] = []
    for value in order:
        at = bisect_left(tails, value)
        tails[at : at + 1] = [value]
        lengths.append(at + 1)
    wanted = len(tails)
    stay = set()
    for name, length in zip(reversed(kept), reversed(lengths), strict=True):
        if length == wanted:
            stay.add(name)
            wanted -= 1
    return set(kept) - stay


def _state(kept: Range, place: int, ranges: Sequence[Range]) -> dict[str, Any]:
    neighbour = next((each for each in reversed(ranges[:place]) if each.status != "rejected"), None)
    return {
        "take": kept.source,
        "frames": list(kept.frames),
        "span": span_text(Span(kept.start, kept.end)),
        "beat": kept.beat,
        "quote": kept.quote,
        "why": kept.reason,
        "by": kept.by,
        "verdict": str(kept.extra.get("why") or ""),
        "status": kept.status,
        "place": place,
        "follows": (neighbour.beat or neighbour.source) if neighbour else "",
    }


def _change(
    name: str,
    action: str,
    *,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
    anchors: tuple[str, ...],
) -> Change:
    return {"id": name, "action": action, "before": before, "after": after, "anchors": list(anchors)}


def _held(kept: Range, takes: Mapping[str, Take]) -> str | None:
    take = takes.get(kept.source)
    try:
        return edl_anchor(take, kept).value if take is not None else None
    except MediaError:
        return None


def _tokens(kept: Range, takes: Mapping[str, Take], plain: Plain | None) -> tuple[str, ...]:
    take = takes.get(kept.source)
    if take is None:
        return ()
    try:
        return range_tokens(take, kept, plain)
    except MediaError:
        return ()
