"""What memory reaches beyond its own log: context, search, preferences, lessons, and the exchange with others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from cutbook.errors import InputError
from cutbook.html import paragraph, plain_table, table
from cutbook.memory import archive
from cutbook.memory import imports as importing
from cutbook.memory import log as project_log
from cutbook.memory.commands import marked
from cutbook.memory.context import Pack, pack
from cutbook.memory.library import Lesson, Library, facet
from cutbook.memory.log import Log
from cutbook.memory.marks import new_id
from cutbook.memory.material import LESSON, gather
from cutbook.memory.preferences import KEYS, PROJECT, SESSION, Preference, Preferences, suggestions, written
from cutbook.memory.quick import KINDS, Row, became, rows
from cutbook.memory.registry import register, registered
from cutbook.memory.search import SMALL, Found, Place, search, search_logs
from cutbook.memory.text import one_line

if TYPE_CHECKING:
    from cutbook.memory.session import Session
    from cutbook.memory.standing import Standing
    from cutbook.settings import Settings


@dataclass(frozen=True, slots=True)
class Preferred:
    """Every preference: the value that holds, where it comes from; then facets and free lines, and suggestions."""

    settings: tuple[tuple[str, str, str], ...]
    lines: tuple[Preference, ...]
    suggestions: tuple[str, ...] = ()

    @property
    def rows(self) -> list[tuple[str, str, str]]:
        """The settings, then the facets and the free lines, each with its origin."""
        others = [(each.key, each.value, each.where) for each in self.lines if each.key not in KEYS]
        return [*self.settings, *sorted(others, key=lambda each: (not each[0], each[0]))]

    def __repr__(self) -> str:
        return "\n".join([plain_table(("preference", "value", "from"), self.rows), *self.suggestions])

    def _repr_html_(self) -> str:
        hints = "".join(paragraph(marked(each)) for each in self.suggestions)
        return table(("preference", "value", "from"), self.rows) + hints


class Recall:
    """The verbs that reach further; :class:`~cutbook.memory.verbs.Memory` has them too."""

    session: Session
    _title: str | None
    _settings: Callable[[], Settings] | None

    def standing(self) -> Standing:
        """Give what holds by log and open session."""
        raise NotImplementedError

    @cached_property
    def preferences(self) -> Preferences:
        """The preferences that hold here."""
        return Preferences(self.session)

    @cached_property
    def library(self) -> Library:
        """The user's lessons."""
        return Library(self.session.folders)

    def register(self) -> None:
        """Let other projects of this user find this one."""
        log = project_log.read(self.session.log_path) or Log()
        folder = self.session.edit.resolve().parent.name
        register(self.session.folders, self.session.edit, uuid=log.uuid or "", title=self._title or folder)

    def context(self, budget: int = 2000, task: str | None = None) -> Pack:
        """Give what somebody should start from, in at most ``budget`` estimated tokens; writes nothing.

        ``task`` says what is to be done: what fits it comes earlier, and what was tried before is told.

        Raises:
            InputError: a budget under 50.
        """
        stands = self.standing()
        material = gather(
            stands,
            preferences=self.preferences.holding(),
            lessons=self.library.fitting(self.preferences.facets()),
            imported=importing.imports(self.session.edit, stands.state),
            task=task,
        )
        return pack(material, budget=budget, task=task)

    def search(self, text: str, everywhere: bool = False, limit: int = 20) -> Found:  # noqa: FBT001, FBT002 - as typed
        """Find entries by their words, the latest first; ``everywhere`` in every project but another client's.

        Raises:
            InputError: the text is empty.
        """
        session, stands = self.session, self.standing()
        extra = self._fresh_rows(stands)
        own = len(stands.state.entries) - len(stands.unsaved)
        if not everywhere and own < SMALL:
            saved = rows(stands.log, stands.state)
            return search([*saved, *extra], text, limit=limit)
        places = [Place(session.log_path.resolve(), self._title or "", here=True)]
        if everywhere:
            here = session.edit.resolve()
            known = (each for each in registered(session.folders) if each.edit != here)
            places += [Place(each.edit / session.log_path.name, each.title) for each in known]
        states = {name: became(entry, stands.state) for name, entry in stands.state.entries.items()}
        client = self.preferences.facets().get("client", "")
        return search_logs(
            session.folders, places, text, client=client, states=states, extra=extra, limit=limit
        )

    def _fresh_rows(self, stands: Standing) -> list[Row]:
        """Give what no log holds: imports, then what is not saved yet."""
        state = stands.state
        found = [
            Row(
                each.id,
                each.kind,
                each.text,
                "live" if each.checked else "provisional",
                each.session,
                None,
                each.origin,
            )
            for one in importing.imports(self.session.edit, state)
            for each in one.entries
        ]
        today = self.session.clock().date()
        for name in sorted(stands.unsaved):
            entry = state.entries[name]
            found.append(
                Row(name, KINDS.get(entry.kind, "note"), entry.text, became(entry, state), None, today)
            )
        return found

    def prefer(
        self,
        text: str | None = None,
        *,
        everywhere: bool = False,
        why: str | None = None,
        **values: object,
    ) -> Preference | Preferred:
        """Prefer ``KEY=VALUE`` or a free text, here or everywhere; without one list what holds and where it comes from.

        Raises:
            SettingError: the key is no preference or the value none of its; nothing is written.
            MemoryLogError: it cannot be written.
        """
        texts = [
            *([text] if text is not None else []),
            *(f"{key}={written(value)}" for key, value in values.items()),
        ]
        if not texts:
            return self._preferred()
        told = [self.preferences.prefer(each, why=why or "", everywhere=everywhere) for each in texts]
        return told[-1]

    def _preferred(self) -> Preferred:
        found = self._settings() if self._settings is not None else None
        rows = []
        for key in KEYS if found is not None else ():
            value = found[key] if found is not None else None
            rows.append(
                (
                    key,
                    "–" if value is None else written(value),
                    found.origin(key) if found is not None else "",
                )
            )
        hints = suggestions(self.standing().log.sections, {key: value for key, value, _ in rows})
        return Preferred(tuple(rows), self.preferences.holding(), hints)

    def lesson(
        self, text: str, source: str | None = None, *, facets: Mapping[str, str] | None = None, **more: str
    ) -> Lesson:
        """Write down what was learnt, from an entry (``source``) or not.

        With facets (genre, language, client, by name or as ``facets``) it is served in every project that has them
        all, else in this one.

        Raises:
            InputError: no text, no entry of that id, or no such facet; nothing is written.
        """
        said = one_line(text)
        if not said:
            msg = "lesson wants a text"
            raise InputError(msg)
        stands = self.standing()
        name = str(source or "").strip()
        if name and name not in stands.state.entries:
            msg = f"no entry has the id {name!r}; %memory show --all lists them"
            raise InputError(msg)
        applies = dict(facet(f"{key}={value}") for key, value in {**(facets or {}), **more}.items())
        now = self.session.clock()
        project = stands.log.uuid or ""
        if applies:
            return self.library.add(said, applies, now=now, project=project, source=name)
        words = f"{LESSON}{said}"
        known = next(
            (e for e in stands.state.of("r") if e.text == words and e.mark and e.mark.values("lesson")), None
        )
        entry = known.id if known else new_id("r")
        if known is None:
            self.session.note(
                "lesson", entry=entry, text=words, anchors=[f"lesson:{name.partition('~')[0] or 'own'}"]
            )
        return Lesson(f"{entry}.md", said, {}, project, name, now.isoformat(timespec="seconds"))

    def export(self, file: str | Path) -> archive.Exported:
        """Write this memory as a ``.memoryfield.zip``; the same memory gives the same bytes.

        Raises:
            InputError: nothing was persisted yet.
            MemoryLogError: the file cannot be written.
        """
        stands = self.standing()
        log: Log = stands.log
        project = log.uuid
        lessons = [each for each in self.library.lessons() if project and each.project == project]
        lines = [each for each in self.preferences.holding() if each.where in {PROJECT, SESSION}]
        kept = [each for each in lines if each.id not in stands.unsaved]
        return archive.export(
            log,
            Path.cwd() / Path(file).expanduser(),
            title=self._title or str(log.front.get("title") or "Memory"),
            lessons=lessons,
            preferences=kept,
            unsaved=len(stands.events),
        )

    def import_field(self, file: str | Path, sha256: str | None = None) -> importing.Imported:
        """Take in somebody else's memory: kept whole, shown, and served as quotations that nobody checked.

        Raises:
            InputError: it is no memoryfield, or not the one that is pinned; nothing is written.
        """
        path = Path.cwd() / Path(file).expanduser()
        return importing.bring_in(self.session, self.standing().state, path, sha256=sha256)
