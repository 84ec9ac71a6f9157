"""Resume: where the work stands, in a sentence and a short list."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from cutbook.html import paragraph, table
from cutbook.memory import log as project_log
from cutbook.memory import wording
from cutbook.memory.causes import Cause, causes
from cutbook.memory.commands import marked
from cutbook.memory.compare import Scene
from cutbook.memory.context import Json
from cutbook.memory.draft import draft
from cutbook.memory.imports import imports
from cutbook.memory.kept import to_adopt
from cutbook.memory.net import net_changes
from cutbook.memory.standing import Standing, outstanding_text, standing
from cutbook.memory.strategy import earlier
from cutbook.memory.text import shorten
from cutbook.memory.tidy import proposals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutbook.memory.log import Log
    from cutbook.memory.session import Event, Session

_ENDS = ".!?…。！？"
_OPEN = 12
_DUE = 5
_MANY = 2_000
_FEW = {"strategy": "a strategy"}


@dataclass(frozen=True, slots=True)
class Outstanding:
    """One thing that is still to do; ``session`` is None while it is only in the open session."""

    id: str
    text: str
    session: int | None

    @property
    def where(self) -> str:
        """Say where it stands: in a session of the log, or not there yet."""
        return f"session {self.session}" if self.session is not None else "not saved yet"

    def __str__(self) -> str:
        return f"{self.text} ({self.id}, {self.where})"


@dataclass(frozen=True, slots=True)
class Unsaved:
    """What lies in the open session alone: how many events, since when, of which notebooks, and in words.

    ``here`` tells that ``%memory persist`` in this notebook writes them; the others belong to notebooks that run.
    """

    events: int
    since: str
    notebooks: tuple[str, ...]
    summary: str
    here: bool

    def __str__(self) -> str:
        where = f" in {wording.listed(self.notebooks)}" if any(self.notebooks) else ""
        do = "`%memory persist` writes it" if self.here else "that notebook is running and persists it"
        since = self.since[:16].replace("T", " ")
        return f"Unsaved since {since}{where}: {self.summary} ({do})"


@dataclass(frozen=True, slots=True)
class Resume:
    """Where the work stands.

    ``needs_review`` is grouped by cause, ``imported`` says what of others is quoted here; ``tidy`` counts the proposals
    of that verb. ``strategy`` is the last that a person gave, where it is not the last session's.
    """

    sentence: str
    counts: str = ""
    needs_review: tuple[Cause, ...] = ()
    outstanding: tuple[Outstanding, ...] = ()
    unsaved: tuple[Unsaved, ...] = ()
    imported: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    question: str = ""
    tidy: int = 0
    strategy: str = ""

    def text(self) -> str:
        """Give the whole brief as plain lines."""
        rows = [self.sentence, *([self.strategy] if self.strategy else [])]
        rows += [self.counts] if self.counts else []
        for cause in self.needs_review:
            rows.append(f"Needs review: {cause}")
            rows += [f"- {each}" for each in cause.entries[:_DUE]]
            more = len(cause.entries) - _DUE
            rows += [f"- … and {more} more (`%memory show`)"] if more > 0 else []
        if self.outstanding:
            rows.append(f"Outstanding ({len(self.outstanding)}):")
            rows += [f"- {each}" for each in self.outstanding[:_OPEN]]
            more = len(self.outstanding) - _OPEN
            rows += [f"- … and {more} more (`%memory show --all`)"] if more > 0 else []
        rows += [*map(str, self.unsaved), *self.imported]
        rows += [self._tidy] if self._tidy else []
        rows += [f"Note: {each}." for each in self.warnings]
        rows += [self.question] if self.question else []
        return "\n".join(rows)

    @property
    def _tidy(self) -> str:
        return f"{wording.count(self.tidy, 'proposal')} to tidy up: `%memory tidy`." if self.tidy else ""

    def json(self) -> Json:
        """Give the brief as JSON, for an agent: the fields as they are, each cause with the command that settles it."""
        found = {
            "sentence": self.sentence,
            "strategy": self.strategy,
            "counts": self.counts,
            "needs_review": [{**asdict(each), "command": each.command} for each in self.needs_review],
            "outstanding": [asdict(each) for each in self.outstanding],
            "unsaved": [asdict(each) for each in self.unsaved],
            "imported": list(self.imported),
            "tidy": self.tidy,
            "warnings": list(self.warnings),
        }
        return Json(json.dumps(found, ensure_ascii=False, indent=1))

    def __repr__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        rows = [paragraph(marked(self.sentence), bold=True)]
        rows += [paragraph(marked(self.strategy))] if self.strategy else []
        rows += [paragraph(self.counts, dim=True)] if self.counts else []
        rows += [paragraph("Needs review", bold=True)] if self.needs_review else []
        rows += [cause._repr_html_() for cause in self.needs_review]
        if self.outstanding:
            shown = [(marked(each.text), each.id, each.where) for each in self.outstanding]
            rows.append(table(("outstanding", "id", "since"), shown))
        rows += [paragraph(marked(str(each))) for each in (*self.unsaved, *self.imported)]
        rows += [paragraph(marked(self._tidy), dim=True)] if self._tidy else []
        rows += [paragraph(f"Note: {each}.", dim=True) for each in self.warnings]
        rows += [paragraph(self.question)] if self.question else []
        return "".join(rows)


def resume(session: Session, stands: Standing | None = None) -> Resume:
    """Say where the work stands; the same files give the same answer. Writes nothing in the project.

    ``stands`` is what holds, with the project that anchors are compared with; without it nothing is compared.

    Raises:
        MemoryLogError: project.md or session.jsonl is there and cannot be read.
    """
    compared = stands is not None
    stands = stands or standing(session, Scene())
    known, events = stands.log, stands.events
    log = known if known.sections else project_log.read(session.log_path)
    told, where = earlier(known, events)
    due = causes(stands) if compared else ()
    return Resume(
        sentence=_sentence(log),
        strategy=f"Strategy ({where}): {shorten(told, 240)}" if told else "",
        counts=_counts(stands) if known.sections else "",
        needs_review=due,
        outstanding=tuple(outstanding(stands)),
        unsaved=tuple(_unsaved(session, known, events)),
        imported=tuple(
            f"Imported: {each.name}, {each.counted} (`%memory show` quotes them)."
            for each in imports(session.edit, stands.state)
        ),
        warnings=(*known.warnings, *(_to_adopt(stands, due) if compared else ())),
        question="Go on from here?" if known.sections or events else "",
        tidy=len(proposals(stands)) if len(stands.state.entries) <= _MANY else 0,
    )


def _to_adopt(stands: Standing, due: tuple[Cause, ...]) -> list[str]:
    """Name the takes of the cut that were replaced and of which nothing needs review (any more)."""
    said = to_adopt(stands.present.ranges or ())
    told = [each.what for each in due]
    return [
        f"the cut is not of it yet: {each}"
        for name, each in said.items()
        if not any(what.startswith(f"{name} is another file") for what in told)
    ]


def _sentence(log: Log | None) -> str:
    if log is None:
        return "There is no project.md yet: nothing is remembered here, and the first `%memory persist` makes it."
    last = log.last
    if log.utf16:
        return "project.md is in UTF-16 and cannot be read; save it as UTF-8."
    if last is None:
        return "project.md holds no session yet."
    when = f" ({last.date.isoformat()})" if last.date else ""
    what = first_sentence(last.strategy or last.title) or "no strategy was written down."
    return f"Session {last.number}{when}: {what}"


def first_sentence(text: str) -> str:
    """Give the first sentence of a text, ended with a full stop; ``2.52`` ends none."""
    text = " ".join(text.split())
    for place, char in enumerate(text):
        after = text[place + 1 : place + 2]
        if char in "。！？" or (char in _ENDS and after == " "):
            return shorten(text[: place + 1], 240)
    return wording.ended(shorten(text, 240))


def _counts(stands: Standing) -> str:
    saved = [each.kind for each in stands.state.live if each.id not in stands.unsaved]
    ended = list(stands.state.ended.values())
    parts = [(saved.count("d"), "decision"), (saved.count("r"), "note")]
    found = [wording.count(number, thing) for number, thing in parts if number]
    found += [f"{number} {what}" for what in ("superseded", "abandoned") if (number := ended.count(what))]
    return f"{wording.listed(found)} in the log." if found else ""


def outstanding(stands: Standing) -> list[Outstanding]:
    """List what is still to do, by the log and by the open session."""
    return [
        Outstanding(entry.id, text, None if entry.id in stands.unsaved else entry.session)
        for entry in stands.state.outstanding
        if (text := outstanding_text(stands, entry))
    ]


def _unsaved(session: Session, log: Log, events: Sequence[Event]) -> list[Unsaved]:
    mine = {event.id for event in session.mine(log)} if events else set()
    found = []
    for here in (True, False):
        group = [event for event in events if (event.id in mine) is here]
        summary = _in_words(group)
        # What would give no section is not worth saving.
        if summary and draft(log, group, date=session.clock().date()):
            notebooks = tuple(dict.fromkeys(event.notebook for event in group if event.notebook))
            found.append(Unsaved(len(group), group[0].time, notebooks, summary, here))
    return found


def _in_words(events: Sequence[Event]) -> str:
    kinds = {
        "decide": "decision",
        "note": "note",
        "todo": "task",
        "done": "task done",
        "confirm": "confirmation",
        "flag": "flag",
        "abandon": "idea given up",
        "supersede": "replacement",
        "strategy": "strategy",
        "prefer": "preference",
        "lesson": "lesson",
        "imported": "import",
    }
    done = wording.summary(events, net_changes(events)).rstrip(".")
    parts = [done[0].lower() + done[1:]] if done else []
    for kind, thing in kinds.items():
        number = sum(event.kind == kind for event in events)
        if number:
            told = f"{number} given up" if kind == "abandon" else wording.count(number, thing)
            parts.append(_FEW.get(kind, told))
    return "; ".join(parts)
