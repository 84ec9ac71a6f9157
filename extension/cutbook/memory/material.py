"""What a context pack is made of: everything that holds, each thing in the part of the pack where it belongs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from cutbook.memory.anchors import read_anchor
from cutbook.memory.compare import FRESH
from cutbook.memory.context import Material, Record
from cutbook.memory.net import net_changes
from cutbook.memory.ranking import named
from cutbook.memory.standing import outstanding_text
from cutbook.memory.strategy import NOT_SAVED, earlier, unsaved
from cutbook.memory.text import escape
from cutbook.memory.tried import tried_before
from cutbook.memory.wording import summary

if TYPE_CHECKING:
    from cutbook.memory.imports import Imported
    from cutbook.memory.library import Lesson
    from cutbook.memory.log import Entry
    from cutbook.memory.preferences import Preference
    from cutbook.memory.standing import Standing

LESSON = "Lesson: "
"""How a lesson begins that belongs to its project."""

_KINDS = {"d": "decision", "r": "reasoning", "o": "outstanding"}


def gather(
    stands: Standing,
    *,
    preferences: Sequence[Preference] = (),
    lessons: Sequence[Lesson] = (),
    imported: Sequence[Imported] = (),
    task: str | None = None,
) -> Material:
    """Sort what is remembered into the parts of a pack.

    The takes at hand are those that the task names, or else those of the cut list.
    """
    takes = _at_hand(stands, task or "")
    records = [
        *_open(stands),
        *_last(stands),
        *_entries(stands, takes),
        *(Record("preferences", each.line, id=each.id, kind="preference") for each in preferences),
        *(Record("lessons", f"{e.text} ({e.where})", id=e.id, kind="lesson") for e in lessons),
        *(
            Record("tried", str(each), kind="abandoned")
            for each in (tried_before(task, stands.state) if task else ())
        ),
        *(
            Record("imported", each.text, id=each.id, kind=each.kind, origin=each.origin)
            for one in imported
            for each in one.entries
        ),
    ]
    return Material(records, takes, _ended(stands), stands.log.warnings)


def _at_hand(stands: Standing, task: str) -> frozenset[str]:
    if task:
        found = named(task, stands.present.takes)
        if found:
            return found
    return frozenset(each.source for each in stands.present.ranges or () if each.status != "rejected")


def _open(stands: Standing) -> Iterator[Record]:
    told = unsaved(stands.events)
    if told:
        yield Record("open", f"Strategy: {told}", kind="strategy")
    done = summary(stands.events, net_changes(stands.events))
    if done:
        yield Record("open", done, kind="session")
    for entry in stands.state.live if stands.unsaved else ():
        if entry.id in stands.unsaved and entry.kind != "p" and not _settled(stands, entry):
            yield _record("open", entry, stands)


def _last(stands: Standing) -> Iterator[Record]:
    last = stands.log.last
    told, where = earlier(stands.log, stands.events)
    if told and last is not None and where != NOT_SAVED:
        yield Record("last", f"Strategy ({where}): {told}", kind="strategy")
    if last is not None:
        when = f" ({last.date.isoformat()})" if last.date else ""
        yield Record(
            "last",
            f"Session {last.number}{when}: {last.strategy or last.title or 'no strategy'}",
            kind="session",
        )


def _entries(stands: Standing, takes: frozenset[str]) -> Iterator[Record]:
    state = stands.state
    still = {each.id for each in state.outstanding}
    verdicts = stands.verdicts
    for entry in state.live:
        verdict = verdicts.get(entry.id, FRESH)
        review = "" if verdict is FRESH or not verdict.review else verdict.reason or "changed"
        if entry.id in state.flagged:
            review = f"flagged: {state.why(entry.id)}".removesuffix(": ")
        if entry.kind == "p" or (entry.id in stands.unsaved and not review):
            continue
        if entry.kind == "o":
            if entry.id in still and (text := outstanding_text(stands, entry)):
                yield _record("outstanding", entry._replace(raw=escape(text)), stands, review)
        elif review:
            yield _record("review", entry, stands, review)
        elif entry.mark and entry.mark.values("lesson"):
            yield _record("lessons", entry, stands)
        else:
            here = entry.kind == "d" and bool(takes and _takes(entry) & takes)
            yield _record("here" if here else "rest", entry, stands)


def _record(group: str, entry: Entry, stands: Standing, review: str = "") -> Record:
    lesson = group == "lessons"
    return Record(
        group,
        entry.text.removeprefix(LESSON) if lesson else entry.text,
        id=entry.id,
        kind="lesson" if lesson else _KINDS.get(entry.kind, "note"),
        session=None if entry.id in stands.unsaved else entry.session,
        takes=_takes(entry),
        review=review,
    )


def _takes(entry: Entry) -> frozenset[str]:
    if entry.mark is None:
        return frozenset()
    return frozenset(_names(entry.mark.tokens))


def _names(tokens: Iterable[str]) -> Iterator[str]:
    known = ""
    for token in tokens:
        # Words nearly always come with their file, which says the name already.
        if token.startswith("media:") or (token.startswith("words:") and not token.startswith(known or "=")):
            anchor = read_anchor(token)
            if anchor is not None:
                yield anchor.name
                known = f"words:{token[6:].partition('=' if anchor.kind == 'media' else '#')[0]}#"


def _settled(stands: Standing, entry: Entry) -> bool:
    return entry.ticked or entry.id in stands.state.done


def _ended(stands: Standing) -> dict[str, int]:
    state = stands.state
    counts: Counter[str] = Counter()
    still = {each.id for each in state.outstanding}
    for name, entry in state.entries.items():
        if entry.kind in {"e", "p"}:
            continue
        if name in state.ended:
            counts[state.ended[name]] += 1
        elif entry.kind == "o" and name not in still:
            counts["done" if _settled(stands, entry) else "no longer open"] += 1
    return dict(sorted(counts.items()))
