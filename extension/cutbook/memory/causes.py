"""What needs review, grouped by what happened, so that one answer settles all that it touched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cutbook.errors import CutbookError
from cutbook.html import Markup, escape, paragraph, picture, table
from cutbook.memory import wording
from cutbook.memory.anchors import read_anchor
from cutbook.memory.commands import marked
from cutbook.memory.compare import FRESH, Freshness
from cutbook.memory.draft import act_mark
from cutbook.memory.heard import heard
from cutbook.memory.served import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cutbook.memory.compare import Verdict
    from cutbook.memory.log import Entry
    from cutbook.memory.standing import Standing

    Looks = tuple[bytes | None, bytes | None]
    """The pictures then and now, as JPEG, as far as there are any."""

FLAGGED = "flagged by hand"
_NOUNS = {"d": "decision", "r": "note", "o": "task", "p": "preference"}
_HEIGHT = 96
_RANKS = {"media": 0, "words": 1, "edl": 2}


@dataclass(frozen=True, slots=True)
class Due:
    """One entry to look at again: why, and the words then and now as far as they are known.

    ``about`` is the kind of what is other now: media, words or edl; empty for a flag.
    """

    id: str
    kind: str
    text: str
    where: str
    reason: str
    before: str = ""
    now: str = ""
    about: str = ""

    def __str__(self) -> str:
        return f"{self.id}  {self.text}  ({self.where}; {self.reason})"


@dataclass(frozen=True, slots=True)
class Cause:
    """One thing that happened, and the entries that it put in doubt. ``number`` stays until the session is kept."""

    number: int
    what: str
    entries: tuple[Due, ...]
    gone: bool = False

    @property
    def counted(self) -> str:
        """Say how many entries there are, by their kind where they have one kind."""
        kinds = {each.kind for each in self.entries}
        return wording.count(
            len(self.entries), _NOUNS.get(kinds.pop(), "entry") if len(kinds) == 1 else "entry"
        )

    @property
    def command(self) -> str:
        """Give the command that settles it."""
        if self.gone:
            return f"%memory abandon {self.entries[0].id} --why …"
        return f"%memory confirm --cause {self.number}"

    def __str__(self) -> str:
        return f"{self.what}, {self.counted}: `{self.command}`"

    def _repr_html_(self) -> str:
        return self.html()

    def html(self, looks: Callable[[Due], Looks] = lambda _due: (None, None)) -> str:
        """Lay the entries out, each with its words then and now, and with the pictures that ``looks`` gives."""
        line = f"{escape(self.what)}, {self.counted}: <code>{escape(self.command)}</code>"
        head: list[str] = ["id", "entry", "why"]
        rows: list[list[object]] = [
            [each.id, marked(each.text), marked(each.reason)] for each in self.entries
        ]
        shown = [looks(each) for each in self.entries]
        if any(map(any, shown)):
            head += ["then", "now"]
            for row, each, (then, now) in zip(rows, self.entries, shown, strict=True):
                row += [
                    _seen(then, each.before, "not kept"),
                    _seen(now, each.now, "gone" if self.gone else ""),
                ]
        elif any(each.before or each.now for each in self.entries):
            head += ["words then", "words now"]
            for row, each in zip(rows, self.entries, strict=True):
                row += [each.before or ("not known" if each.now else ""), each.now]
        return paragraph(Markup(line)) + table(head, rows)


def _seen(look: bytes | None, words: str, without: str) -> Markup | str:
    if look is None:
        return words or without
    said = f'<div style="max-width:200px">{escape(words)}</div>' if words else ""
    return Markup(f"{picture(look, alt=words or 'picture', height=_HEIGHT).text}{said}")


def causes(standing: Standing) -> tuple[Cause, ...]:
    """Group what needs review: files before words before the cut, then flags, each in the order of the log.

    Numbers count what was settled in the open session too, so that they hold until it is kept.
    """
    groups: dict[str, list[Due]] = {}
    doubtful = [each for each in _all(standing) if each[1].review or each[2]]
    doubtful.sort(key=lambda each: _RANKS[each[1].kind] if each[1].review else len(_RANKS))
    gone: set[str] = set()
    for entry, verdict, flagged, now in doubtful:
        group = groups.setdefault(verdict.cause if verdict.review else FLAGGED, [])
        if verdict.kind == "media" and verdict.freshness is Freshness.MISSING:
            gone.add(verdict.cause)
        if now:
            group.append(_due(standing, entry, verdict, flagged=flagged))
    numbered = enumerate(groups.items(), start=1)
    return tuple(
        Cause(number, what, tuple(group), gone=what in gone) for number, (what, group) in numbered if group
    )


def _due(standing: Standing, entry: Entry, verdict: Verdict, *, flagged: bool) -> Due:
    why = standing.state.why(entry.id) if flagged else ""
    parts = [verdict.reason] if verdict.review else []
    parts += [f"flagged: {why}" if why else FLAGGED] if flagged else []
    before = (verdict.before or wording.quote_of(entry.text)) if verdict.review else ""
    text, where = entry.text, standing.where(entry)
    about = verdict.kind if verdict.review else ""
    now = verdict.now or (_said_now(standing, entry) if about == "media" else "")
    return Due(entry.id, entry.kind, text, where, "; ".join(parts), before, now, about)


def _said_now(standing: Standing, entry: Entry) -> str:
    """Give what another file of the name says where an entry's words were."""
    anchors = (anchor for token in entry.tokens if (anchor := read_anchor(token)))
    anchor = next((each for each in anchors if each.span), None)
    take = standing.present.takes.get(anchor.name) if anchor else None
    try:
        words = take.words if take else ()
    except CutbookError:
        return ""
    return heard(words).text(anchor.span) if anchor and anchor.span and words else ""


def _all(standing: Standing) -> Iterator[tuple[Entry, Verdict, bool, bool]]:
    """Give each entry as the session found it and as it is now: verdict, whether it is flagged, whether it counts."""
    told = {mark.targets[0].id for event in standing.events if (mark := act_mark(event))}
    if told:
        before = fold(standing.log)
        for entry in before.holding:
            if entry.id in told:
                yield entry, standing.verdict(entry), entry.id in before.flagged, False
    flagged = standing.state.flagged
    for entry in standing.holding:
        verdict = standing.verdicts[entry.id]
        if verdict is not FRESH or entry.id in flagged:
            yield entry, verdict, entry.id in flagged, True
