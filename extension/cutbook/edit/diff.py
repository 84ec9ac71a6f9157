"""Two cut lists compared in words: what is kept, dropped, added, moved, trimmed, decided."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from cutbook.edit import told
from cutbook.edit.edl import Music
from cutbook.edit.layout import is_spoken
from cutbook.edit.ranges import joined, runs, words_of
from cutbook.timebase import Span, decimals

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cutbook.edit.edl import Edl, Overlay, Range
    from cutbook.edit.take import Take

Kind = Literal["kept", "dropped", "added", "moved", "trimmed", "decided", "noted", "setting"]


@dataclass(frozen=True, slots=True)
class Row:
    """One difference.

    ``before`` and ``after`` are the spans of take time that were and are kept, ``lost`` and ``gained`` the words
    that went out and came in (with their places for a trim), ``positions`` the places in the film, from 1 (0: none).
    """

    kind: Kind
    id: str
    take: str
    beat: str = ""
    before: tuple[Span, ...] = ()
    after: tuple[Span, ...] = ()
    lost: tuple[str, ...] = ()
    gained: tuple[str, ...] = ()
    positions: tuple[int, int] = (0, 0)
    note: str = ""

    def __str__(self) -> str:
        """Say the difference in a line."""
        name = " ".join(filter(None, (self.beat, self.take)))
        match self.kind:
            case "setting":
                line = f"set {self.note}"
            case "dropped":
                line = _line("−", name, self.before, said=self.lost, note=self.note)
            case "added":
                line = _line("+", name, self.after, said=self.gained, note=self.note)
            case "moved":
                line = _line(
                    "↕", name, self.after, note=f"from place {self.positions[0]} to {self.positions[1]}"
                )
            case "trimmed":
                line = f"~ {name} {_spans(self.before)} → {_spans(self.after)} {self._trim()}"
            case _:
                marks = {"decided": "✓", "noted": "·"}
                line = _line(marks.get(self.kind, " "), name, self.after, note=self.note)
        return line

    def _trim(self) -> str:
        parts = [f"without “{text}”" for text in self.lost] + [f"with “{text}”" for text in self.gained]
        change = _length(self.after) - _length(self.before)
        return ", ".join([*parts, f"{'+' if change >= 0 else '−'}{decimals(abs(change))} s"])


@dataclass(frozen=True, slots=True)
class Difference:
    """The differences from one cut list to another, in the order of the new one; ``seconds`` before and after."""

    rows: tuple[Row, ...]
    seconds: tuple[Fraction, Fraction]

    @property
    def changes(self) -> tuple[Row, ...]:
        """The rows that say a difference."""
        return tuple(row for row in self.rows if row.kind != "kept")

    def __bool__(self) -> bool:
        return bool(self.changes)

    def __repr__(self) -> str:
        """Write the differences as text."""
        return self.text()

    def text(self) -> str:
        """Write the differences for people, a line each, and the lengths before and after."""
        if not self:
            return "No difference."
        before, after = self.seconds
        kept = sum(row.kind == "kept" for row in self.rows)
        closing = f"{decimals(before)} s → {decimals(after)} s"
        if kept:
            closing += f", {kept} {'range' if kept == 1 else 'ranges'} unchanged"
        return "\n".join([*map(str, self.changes), closing])

    def __str__(self) -> str:
        return self.text()


def diff(a: Edl, b: Edl, takes: Mapping[str, Take]) -> Difference:
    """Compare two cut lists by the words that the film keeps; rejected ranges count as not kept."""
    return _Comparison(a, b, takes).result()


@dataclass(frozen=True, slots=True)
class _Group:
    """Ranges of one take that overlap across both lists, with their places in each film."""

    old: tuple[tuple[int, Range], ...]
    new: tuple[tuple[int, Range], ...]


class _Comparison:
    def __init__(self, a: Edl, b: Edl, takes: Mapping[str, Take]) -> None:
        self.a, self.b, self.takes = a, b, takes
        self.rejected = {each.id: each for each in b.ranges if each.status == "rejected"}
        self.was = {each.id: each for each in a.ranges}

    def result(self) -> Difference:
        groups = _grouped(list(enumerate(self.a.kept, 1)), list(enumerate(self.b.kept, 1)))
        placed = [group for group in groups if group.old and group.new]
        placed.sort(key=lambda group: group.new[0][0])
        still = _longest_rising([group.old[0][0] for group in placed])
        rows: list[tuple[tuple[int, int], Row]] = []
        for index, group in enumerate(placed):
            key = (group.new[0][0], 0)
            rows.extend((key, row) for row in self._changed(group, moved=index not in still))
        for group in groups:
            if not group.new:
                rows.extend(((number, -1), self._dropped(number, each)) for number, each in group.old)
            if not group.old:
                rows.extend(((number, 1), self._added(number, each)) for number, each in group.new)
        rows.extend(self._rejected())
        rows.sort(key=lambda pair: pair[0])
        settings = [Row("setting", "", "", note=note) for note in self._settings()]
        return Difference((*(row for _, row in rows), *settings), (self.a.duration, self.b.duration))

    def _changed(self, group: _Group, *, moved: bool) -> list[Row]:
        first = group.new[0][1]
        before = tuple(Span(each.start, each.end) for _, each in group.old)
        after = tuple(Span(each.start, each.end) for _, each in group.new)
        row = Row(
            "kept",
            first.id,
            first.source,
            first.beat,
            before=before,
            after=after,
            positions=(group.old[0][0], group.new[0][0]),
        )
        rows: list[Row] = []
        if before != after:
            lost, gained = self._words(group)
            rows.append(replace(row, kind="trimmed", lost=lost, gained=gained))
        if moved:
            rows.append(replace(row, kind="moved"))
        for (_, old), (_, new) in zip(group.old, group.new, strict=False):
            if old.status != new.status:
                why = str(new.extra.get("why", ""))
                rows.append(replace(row, kind="decided", note=f"{new.status}{': ' + why if why else ''}"))
            noted = [
                f"{key} “{getattr(old, key)}” → “{getattr(new, key)}”"
                for key in ("beat", "reason")
                if getattr(old, key) != getattr(new, key)
            ]
            was, now = told.how(old), told.how(new)
            if was != now:
                noted.append(f"{was or 'a plain cut'} → {now or 'a plain cut'}")
            if old.status == new.status and (changed := _whys(old, new)):
                noted.append(changed)
            if noted:
                rows.append(replace(row, kind="noted", note="; ".join(noted)))
        return rows or [row]

    def _rejected(self) -> Iterator[tuple[tuple[int, int], Row]]:
        """Give a row for each range that stays rejected, for another reason."""
        place = 1
        for each in self.b.ranges:
            old = self.was.get(each.id)
            place += each.status != "rejected"
            if old is not None and old.status == each.status == "rejected" and (note := _whys(old, each)):
                span = (Span(each.start, each.end),)
                row = Row("noted", each.id, each.source, each.beat, after=span, note=f"rejected; {note}")
                yield (place, -1), row

    def _dropped(self, number: int, each: Range) -> Row:
        now = self.rejected.get(each.id)
        why = str(now.extra.get("why", "")) if now else ""
        note = f"rejected{': ' + why if why else ''}" if now else ""
        return Row(
            "dropped",
            each.id,
            each.source,
            each.beat,
            before=(Span(each.start, each.end),),
            lost=self._said(each),
            positions=(number, 0),
            note=note,
        )

    def _added(self, number: int, each: Range) -> Row:
        was = self.was.get(each.id)
        note = "taken back in" if was is not None and was.status == "rejected" else each.reason
        return Row(
            "added",
            each.id,
            each.source,
            each.beat,
            after=(Span(each.start, each.end),),
            gained=self._said(each),
            positions=(0, number),
            note=note,
        )

    def _said(self, each: Range) -> tuple[str, ...]:
        take = self.takes.get(each.source)
        text = joined(word.text for word in words_of(each, take)) if take else each.quote
        return (text,) if text else ()

    def _words(self, group: _Group) -> tuple[tuple[str, ...], tuple[str, ...]]:
        old, new = self._numbers(group.old), self._numbers(group.new)
        take = self.takes.get(group.new[0][1].source)
        return _runs(old - new, take), _runs(new - old, take)

    def _numbers(self, pieces: Sequence[tuple[int, Range]]) -> Counter[int]:
        counted: Counter[int] = Counter()
        for _, each in pieces:
            if each.words:
                counted.update(range(each.words[0], each.words[1] + 1))
        return counted

    def _settings(self) -> list[str]:
        notes: list[str] = []
        for key in ("grade", "rate", "size", "fit", "captions", "music"):
            old, new = getattr(self.a, key), getattr(self.b, key)
            if old != new:
                notes.append(f"{key} {_plain(old)} → {_plain(new)}")
        had, has = (Counter(map(_lying, edl.overlays)) for edl in (self.a, self.b))
        notes += [f"overlay taken out: {each}" for each in (had - has).elements()]
        notes += [f"overlay laid over: {each}" for each in (has - had).elements()]
        return notes


def _whys(old: Range, new: Range) -> str:
    was, now = (str(each.extra.get("why") or "") for each in (old, new))
    return f"why “{was}” → “{now}”" if was != now else ""


def _grouped(old: list[tuple[int, Range]], new: list[tuple[int, Range]]) -> list[_Group]:
    """Pair equal ranges one to one, then join what overlaps in the same take."""
    groups: list[_Group] = []
    waiting: defaultdict[tuple[object, ...], list[tuple[int, Range]]] = defaultdict(list)
    for each in new:
        waiting[each[1].source, each[1].start, each[1].end].append(each)
    rest: list[tuple[int, Range]] = []
    for each in old:
        same = waiting[each[1].source, each[1].start, each[1].end]
        if same:
            groups.append(_Group((each,), (same.pop(0),)))
        else:
            rest.append(each)
    left = [each for same in waiting.values() for each in same]
    by_take: defaultdict[str, list[tuple[bool, tuple[int, Range]]]] = defaultdict(list)
    for each in rest:
        by_take[each[1].source].append((False, each))
    for each in left:
        by_take[each[1].source].append((True, each))
    for pieces in by_take.values():
        pieces.sort(key=lambda pair: (pair[1][1].start, pair[1][1].end, pair[0]))
        cluster: list[tuple[bool, tuple[int, Range]]] = []
        end: Fraction | None = None
        for pair in pieces:
            if end is not None and pair[1][1].start >= end:
                groups.append(_group(cluster))
                cluster, end = [], None
            cluster.append(pair)
            end = pair[1][1].end if end is None else max(end, pair[1][1].end)
        groups.append(_group(cluster))
    return groups


def _group(cluster: list[tuple[bool, tuple[int, Range]]]) -> _Group:
    old = sorted((each for is_new, each in cluster if not is_new), key=lambda each: each[0])
    new = sorted((each for is_new, each in cluster if is_new), key=lambda each: each[0])
    return _Group(tuple(old), tuple(new))


def _longest_rising(values: list[int]) -> set[int]:
    """Give the indexes of a longest rising run of values: what need not be called moved."""
    tops: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for index, value in enumerate(values):
        at = bisect_left(tops, value)
        before.append(ends[at - 1] if at else -1)
        tops[at : at + 1] = [value]
        ends[at : at + 1] = [index]
    found: set[int] = set()
    index = ends[-1] if ends else -1
    while index >= 0:
        found.add(index)
        index = before[index]
    return found


def _runs(numbers: Counter[int], take: Take | None) -> tuple[str, ...]:
    if take is None:
        return ()
    texts = []
    for first, last in runs(number for number in sorted(numbers) if 1 <= number <= len(take.words)):
        words = take.words[first - 1 : last]
        if any(is_spoken(word) or word.kind != "word" for word in words):
            texts.append(joined(word.text for word in words))
    return tuple(texts)


def _line(
    mark: str, name: str, spans: tuple[Span, ...], *, said: tuple[str, ...] = (), note: str = ""
) -> str:
    line = f"{mark} {name} {_spans(spans)}"
    if said:
        line += f" “{' … '.join(said)}”"
    return f"{line} ({note})" if note else line


def _spans(spans: tuple[Span, ...]) -> str:
    return "[" + ", ".join(f"{decimals(span.start)}-{decimals(span.end)}" for span in spans) + "]"


def _length(spans: tuple[Span, ...]) -> Fraction:
    return sum((each.duration for each in spans), Fraction(0))


def _lying(overlay: Overlay) -> str:
    file, start, end, place = told.row(overlay)
    return f"{file} {start}-{end} s, {place}"


def _plain(value: object) -> str:
    if isinstance(value, Music):
        return f"{value.file} ({value.gain_db:g} dB, {value.duck_db:g} less under speech)"
    return "unset" if value is None or value == {} else str(value)
