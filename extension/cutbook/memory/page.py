"""The page of memory in a notebook: what needs review on top, then the sessions as a timeline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutbook.html import Markup, escape, paragraph, table
from cutbook.memory.causes import Cause, causes
from cutbook.memory.commands import marked
from cutbook.memory.shown import NAMES, Listing, Shown, shown
from cutbook.memory.text import quotation, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cutbook.memory.causes import Looks
    from cutbook.memory.imports import Imported
    from cutbook.memory.moments import Moments
    from cutbook.memory.standing import Standing

_DIM = "opacity:.6"
_SHOWN = 40
_LOOKS = 12
_MARKS = {
    "fresh": ("●", "#2e7d32"),
    "moved": ("●", "#2e7d32"),
    "changed": ("▲", "#b26a00"),
    "missing": ("▲", "#b3261e"),
    "offline": ("○", "#777"),
    "unanchored": ("○", "#777"),
}
_SESSION = "border-left:3px solid #8888;margin:10px 0 0 4px;padding:0 0 2px 12px;"


class Page(Listing):
    """Entries with the sessions that they stand in, and what needs review.

    ``causes`` is what needs review by cause, ``sessions`` number, date and strategy of each session, ``imported`` what
    came from others; ``looks`` gives the pictures of an entry then and now, made when the page is shown.
    """

    causes: tuple[Cause, ...] = ()
    sessions: tuple[tuple[int, str, str], ...] = ()
    imported: tuple[Imported, ...] = ()
    looks: Callable[[str], Looks] = staticmethod(lambda _id: (None, None))

    def __repr__(self) -> str:
        return "\n".join(
            [super().__repr__(), *(f"imported: {each.name} ({each.counted})" for each in self.imported)]
        )

    def _repr_html_(self) -> str:
        if not self:
            return paragraph(repr(self))
        return "".join((*self._due(), *self._timeline(), *map(_block_of, self.imported)))

    def _due(self) -> Iterator[str]:
        if not self.causes:
            yield paragraph("Nothing needs review.", dim=True)
            return
        yield paragraph("Needs review", bold=True)
        first = [due.id for cause in self.causes for due in cause.entries if due.about in {"media", "edl"}]
        shown = frozenset(first[:_LOOKS])
        for cause in self.causes:
            yield cause.html(lambda due: self.looks(due.id) if due.id in shown else (None, None))

    def _timeline(self) -> Iterator[str]:
        held: dict[int | None, list[Shown]] = {}
        for each in self:
            held.setdefault(each.session, []).append(each)
        if None in held:
            yield _block("Not saved yet", "`%memory persist` writes it", held.pop(None))
        for number, date, strategy in reversed(self.sessions):
            # Two sessions of one number, as a merge makes them, share what the later one shows.
            own = held.pop(number, [])
            yield _block(f"Session {number}{f' — {date}' if date else ''}", strategy, own)


def page(
    standing: Standing,
    imported: tuple[Imported, ...] = (),
    moments: Moments | None = None,
    *,
    all: bool = False,
) -> Page:
    """Lay out the entries that hold; ``all``: those that ended, and events, too."""
    state = standing.state
    holds = {each.id for each in standing.holding}
    found = Page(shown(standing, entry) for entry in state.entries.values() if all or entry.id in holds)
    found.causes = causes(standing)
    found.imported = imported
    if moments is not None:
        tokens = {each.id: each.mark.tokens for each in standing.holding if each.mark}
        found.looks = lambda name: (
            moments.then(tokens.get(name, ())),
            moments.now(tokens.get(name, ()), standing.present),
        )
    sections = sorted(standing.log.sections, key=lambda each: each.number)
    found.sessions = tuple(
        (each.number, each.date.isoformat() if each.date else "", each.strategy or each.title)
        for each in sections
    )
    return found


def _block(title: str, line: str, entries: list[Shown]) -> str:
    rows = [_row(each) for each in entries]
    head = f"<b>{escape(title)}</b> <span style='{_DIM}'>{escape(marked(line))}</span>"
    body = table(("", "entry", "state", "about", "id"), rows) if rows else ""
    return f'<div style="{_SESSION}">{paragraph(Markup(head))}{body}</div>'


def _block_of(one: Imported) -> str:
    said = [
        (
            quotation(shorten(each.text, 400)),
            each.kind,
            "confirmed" if each.checked else "not checked",
            each.id,
        )
        for each in one.entries[:_SHOWN]
    ]
    more = len(one.entries) - _SHOWN
    head = f"<b>Imported: {escape(one.name)}</b> <span style='{_DIM}'>{escape(one.counted)}</span>"
    rest = paragraph(f"… and {more} more", dim=True) if more > 0 else ""
    body = table(("quoted", "kind", "state", "id"), said) if said else ""
    return f'<div style="{_SESSION}">{paragraph(Markup(head))}{body}{rest}</div>'


def _row(each: Shown) -> tuple[object, ...]:
    sign, colour = _MARKS.get(each.freshness, ("·", "#777"))
    event = each.kind == NAMES["e"]
    state = "" if event else each.standing or (each.freshness if each.about else each.state)
    text = escape(marked(each.text))
    ended = event or each.state in {"superseded", "abandoned", "done"}
    words = Markup(f'<span style="{_DIM}">{text}</span>') if ended else Markup(text)
    return Markup(f'<span style="color:{colour}">{sign}</span>'), words, state, each.about, each.id
