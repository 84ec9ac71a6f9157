"""The transcripts of a project, and the user's store behind them, so that nothing is heard or paid for twice.

Reading writes nothing in the project. ``edit/transcripts/`` holds the copies that people see; the store in the user's
cache holds the same by content. Either restores the other.
"""

from __future__ import annotations

import contextlib
import hashlib
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import partial
from pathlib import Path

from cutbook.errors import CutbookError, TranscriptDamaged, TranscriptError
from cutbook.files import Fingerprint, UserFolders
from cutbook.media.probe import Media
from cutbook.transcripts import copies, corrections, entries, guard
from cutbook.transcripts.batch import Batch, Progress, Task
from cutbook.transcripts.engine import Answer, Engine
from cutbook.transcripts.entries import Entry
from cutbook.transcripts.flights import Flight
from cutbook.transcripts.model import Transcript
from cutbook.transcripts.report import Report, Row
from cutbook.transcripts.sounds import Sounds, wanted


@dataclass(frozen=True, slots=True)
class Request:
    """A take to be transcribed; ``track`` counts sound tracks from 0, None is the one heard before, else the first."""

    name: str
    media: Media
    fingerprint: Fingerprint
    track: int | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """A transcript with corrections applied, what is known about it, its raw bytes, and corrections that do not fit."""

    transcript: Transcript
    meta: Mapping[str, object]
    raw: bytes
    misfits: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Asked:
    """How a batch is asked."""

    language: str | None
    speakers: int | None
    force: bool
    fixes: corrections.Corrections


class Store:
    """The transcripts of one project; ``edit`` is its edit folder, which is made when the first one is kept.

    ``former`` gives the names that a content had before, where the cut list tells: a transcript without a note of what
    it is of is then taken at these too.
    """

    def __init__(
        self,
        folders: UserFolders,
        edit: Path,
        *,
        former: Callable[[Fingerprint], Iterable[str]] | None = None,
    ) -> None:
        self._folders = folders
        self._edit = edit
        self._copies = copies.Copies(folders, edit, former)
        self._sounds = Sounds(folders, edit / "transcripts")

    # ------------------------------------------------------------------ reading

    def read(self, name: str, media: Media, fingerprint: Fingerprint) -> Stored | None:
        """Give a take's words: the project's copy, under whatever name, else the newest in the user's store.

        None where there are none. Corrections of a take that is this one under another name now hold for it.
        What is damaged is passed over here; ``transcribe`` says so and sets it aside. Writes nothing.
        """
        entry = self._heard(name, fingerprint)
        if entry is None:
            return None
        words, misfits = self._copies.fixes(name, fingerprint).applied(entry.transcript(media.duration), name)
        return Stored(words, entry.meta, entry.raw, misfits)

    def stamp(self, name: str) -> tuple[object, ...]:
        """Give what changes when the project's copy of a take's words does."""
        return self._copies.stamp(name)

    def around(self, name: str) -> int:
        """Give what changes, of a take without a copy of its own, when one under another name may be its."""
        return self._copies.around(name)

    def claims(self, folder: Path) -> dict[str, Path]:
        """Give the take names that transcripts hold already, each with the file that it was given to."""
        return self._copies.claims(folder)

    def _heard(self, name: str, fingerprint: Fingerprint) -> Entry | None:
        own = self._copies.own(name, fingerprint)
        return own or next(self._copies.elsewhere(fingerprint), None) or self._newest(fingerprint)

    def _shelf(self, fingerprint: Fingerprint) -> Path:
        return self._folders.cache / "transcripts" / fingerprint.digest[:2] / fingerprint.digest

    def _newest(self, fingerprint: Fingerprint) -> Entry | None:
        kept = map(copies.whole, entries.kept(self._shelf(fingerprint)))
        found = [entry for entry in kept if entry is not None and entry.meta]
        return max(found, key=lambda entry: str(entry.meta.get("made")), default=None)

    # ------------------------------------------------------------------ transcribing

    def transcribe(
        self,
        requests: Sequence[Request],
        engine: Engine,
        *,
        language: str | None = None,
        speakers: int | None = None,
        dry_run: bool = False,
        force: bool = False,
        progress: Progress | None = None,
        cancel: threading.Event | None = None,
        executor: Executor | None = None,
    ) -> Report:
        """Have every take transcribed that was not yet, and give a row for each; a failed one does not stop the others.

        What was asked for a take before (track, language, speakers) holds until another is given; keyterms that were
        added since are for what is asked from now on. ``force`` asks again what is there, or what may have been billed.
        A row tells of warnings, and of corrections that no longer fit; the report, of those that nobody understands.
        With an ``executor`` the takes are heard by it.

        Raises:
            EngineMissing, EngineRefused: the engine can do nothing at all; nothing was begun.
        """
        asked = _Asked(language, speakers, force, corrections.load(self._edit))
        rows: dict[int, Row] = {}
        tasks: dict[int, Task] = {}
        for place, request in enumerate(requests):
            if not request.media.sound:
                rows[place] = Row(request.name, "no sound", Fraction(0))
                continue
            task = self._task(request, engine, asked)
            try:
                rows[place] = self._known(task, engine, asked, dry=dry_run)
            except CutbookError as error:
                rows[place] = self.row(task, "failed", engine, str(error))
            if rows[place].state == "pending":
                tasks[place] = task
        if tasks and not dry_run:
            engine.prepare()
            twins = {} if force else self._sounds.twins(tasks)
            alone = {place: task for place, task in tasks.items() if place not in twins}
            batch = Batch(
                keeper=self, engine=engine, tasks=alone, force=force, progress=progress, cancel=cancel
            )
            rows_come = batch.run() if executor is None else batch.run_on(executor)
            with contextlib.closing(engine), contextlib.closing(rows_come):
                for place, row in rows_come:
                    made = self._remarks(tasks[place], None, asked) if row.state == "made" else ()
                    said = "; ".join(filter(None, (rows[place].message, row.message, *made)))
                    rows[place] = replace(row, message=said)
            for place, first in twins.items():
                rows[place] = self._twin(tasks[place], engine, rows[first])
        in_order = tuple(rows[place] for place in range(len(requests)))
        return Report(in_order, engine.name, dry_run, asked.fixes.problems)

    def _task(self, request: Request, engine: Engine, asked: _Asked) -> Task:
        before = self._before(request, engine)
        track = request.track if request.track is not None else _whole(before.get("track")) or 0
        language, speakers = asked.language, asked.speakers
        earlier = before.get("asked")
        if isinstance(earlier, dict) and before.get("engine") == engine.name:
            language = language or (str(earlier["language"]) if earlier.get("language") else None)
            speakers = speakers or _whole(earlier.get("speakers"))
        key = entries.entry_key(request.fingerprint, track, engine, language=language, speakers=speakers)
        asked_of = wanted(engine, language=language, speakers=speakers)
        return Task(
            request.name, request.media, request.fingerprint, track, language, speakers, key, asked_of
        )

    def _twin(self, task: Task, engine: Engine, first: Row) -> Row:
        if self.here(task):
            return self.row(task, "cached", engine, f"the same sound as {first.take}")
        return self.row(task, first.state, engine, first.message)

    def _before(self, request: Request, engine: Engine) -> Mapping[str, object]:
        """Give the meta of what was heard of a take before: under its name, or of its content, or of its sound."""
        own = self._heard(request.name, request.fingerprint)
        if own is not None:
            return own.meta
        track = request.track
        if track is None:
            with contextlib.suppress(TranscriptDamaged):
                last = entries.load(self._copies.place(request.name))
                track = _whole(last.meta.get("track")) if last is not None else None
        asked = {"engine": engine.name, "model": engine.model_name, "recipe": engine.recipe}
        for number in dict.fromkeys((track or 0, 0) if request.track is None else (track or 0,)):
            found = self._sounds.find(request.media, request.fingerprint, number, asked)
            if found is not None:
                return {**found.meta, "track": number}
        return {}

    def row(self, task: Task, state: str, engine: Engine, message: str = "") -> Row:
        """Make a task's row of the report."""
        media = task.media
        price = None
        if engine.price_per_hour is not None:
            price = (
                float(media.duration) / 3600 * engine.price_per_hour if state in {"pending", "made"} else 0.0
            )
        return Row(task.name, state, media.duration, price, message)

    def _known(self, task: Task, engine: Engine, asked: _Asked, *, dry: bool) -> Row:
        """Give the row of a take before any engine runs: cached, silent, failed or pending."""
        if (missing := guard.missing(task)) is not None:
            return self.row(task, "failed", engine, missing)
        entry, messages = self._find(task, mend=not dry)
        said = "; ".join(messages)
        if entry is not None and not asked.force:
            remarks = self._remarks(task, entry, asked)
            return self.row(task, "cached", engine, "; ".join((*messages, *remarks)))
        if messages and engine.price_per_hour is not None and not asked.force:
            return self.row(task, "failed", engine, f"{said}; transcribe with --force to pay for it again")
        if not dry and (silent := guard.silence(task)) is not None:
            return self.row(task, "silent", engine, silent)
        return self.row(task, "pending", engine, said)

    def _find(self, task: Task, *, mend: bool) -> tuple[Entry | None, tuple[str, ...]]:
        """Look for the words in the project and in the store, and make each whole from the other when told to."""
        copy, shelved = self._copies.place(task.name), self._shelf(task.fingerprint) / f"{task.key}.json"
        messages: list[str] = []
        own = self._checked(copy, messages, mend=mend)
        stored = self._checked(shelved, messages, mend=mend)
        if own is not None and not (own.of(task.fingerprint) and _serves(own, task)):
            own = None
        elsewhere = (each for each in self._copies.elsewhere(task.fingerprint) if _serves(each, task))
        entry = (
            own or stored or next(elsewhere, None) or self._with_other_terms(task) or self._second_look(task)
        )
        if entry is not None and mend:
            if own is None and entry.meta:
                self._give(copy, self._named(entry, task))
            place = self._place(task, entry)
            if stored is None and entry.meta and (place == shelved or not place.is_file()):
                self._shelve(task, entry)
        if entry is not None:
            messages = [f"{message}; restored" for message in messages]
        return entry, tuple(messages)

    def _with_other_terms(self, task: Task) -> Entry | None:
        """Look for words of this file that were asked alike, but with other keyterms."""
        kept = map(copies.whole, entries.kept(self._shelf(task.fingerprint)))
        found = [entry for entry in kept if entry is not None and entry.meta and _serves(entry, task)]
        return max(found, key=lambda entry: str(entry.meta.get("made")), default=None)

    def _remarks(self, task: Task, entry: Entry | None, asked: _Asked) -> tuple[str, ...]:
        """Say what is odd about a take's words: warnings of the engine, corrections that do not fit them."""
        entry = entry or self._copies.own(task.name, task.fingerprint)
        if entry is None:
            return ()
        warnings = entry.meta.get("warnings")
        said = [str(each) for each in warnings] if isinstance(warnings, list) else []
        fixes = asked.fixes.of(task.name)
        if fixes.fixes:
            said += fixes.applied(entry.transcript(task.media.duration), task.name)[1]
        return tuple(said)

    def _second_look(self, task: Task) -> Entry | None:
        """Look for words that were heard in another file of the same sound; they move to where it lies in this one."""
        found = self._sounds.find(task.media, task.fingerprint, task.track, task.asked)
        return None if found is None else Entry(found.raw, {**found.meta, **self._identity(task)})

    def _identity(self, task: Task) -> Mapping[str, object]:
        """Give what an entry's meta says of the file that it is of."""
        return {
            "key": task.key,
            "content": task.fingerprint.digest,
            "size": task.fingerprint.size,
            "source": self._source(task.media.path),
            "track": task.track,
        }

    def _place(self, task: Task, entry: Entry) -> Path:
        return self._shelf(task.fingerprint) / f"{entry.key or task.key}.json"

    def _shelve(self, task: Task, entry: Entry) -> None:
        shelved = self._place(task, entry)
        self._sounds.add(entry, shelved)
        self._write(shelved, entry)

    def _checked(self, path: Path, messages: list[str], *, mend: bool) -> Entry | None:
        try:
            return entries.load(path)
        except TranscriptDamaged as error:
            place = entries.set_aside(path) if mend else None
            messages.append(f"{error}" + (f", set aside as {place.name}" if place else ""))
            return None

    def _named(self, entry: Entry, task: Task) -> Entry:
        """Give an entry as this project's: under this file's place."""
        return Entry(entry.raw, {**entry.meta, "source": self._source(task.media.path)})

    def _source(self, path: Path) -> str:
        with contextlib.suppress(ValueError):
            return path.absolute().relative_to(self._edit.parent.absolute()).as_posix()
        return str(path.absolute())

    def _give(self, copy: Path, entry: Entry) -> None:
        """Write the project's copy; the words of other content in its place may be another take's now, and are kept."""
        old = copies.whole(copy)
        content = old.meta.get("content") if old is not None else None
        if old is not None and old.key and isinstance(content, str) and content != entry.meta.get("content"):
            shelved = self._folders.cache / "transcripts" / content[:2] / content / f"{old.key}.json"
            if not shelved.is_file():
                self._sounds.add(old, shelved)
                self._write(shelved, old)
        self._write(copy, entry)

    def _write(self, path: Path, entry: Entry) -> None:
        try:
            entries.save(path, entry)
        except OSError as error:
            msg = (
                f"{path} cannot be written: {error.strerror or error}; make room or give leave, and try again"
            )
            raise TranscriptError(msg) from error

    def keep(self, task: Task, engine: Engine, answer: Answer) -> None:
        """Keep an answer in the store and in the project.

        Raises:
            TranscriptDamaged: it holds no words list.
            TranscriptError: it cannot be written.
        """
        Entry(answer.raw, {}).transcript(task.media.duration)
        sound = self._sounds.payload(task.media, task.fingerprint, task.track)
        meta: dict[str, object] = {
            "schema": "cutbook/1",
            "sha256": hashlib.sha256(answer.raw).hexdigest(),
            **self._identity(task),
            "engine": engine.name,
            "model": engine.model_name,
            "recipe": engine.recipe,
            "asked": {"language": task.language, "speakers": task.speakers},
            "options": dict(engine.options(language=task.language, speakers=task.speakers)),
            "made": datetime.now(UTC).isoformat(timespec="seconds"),
            **({"sound": sound.plain()} if sound is not None else {}),
            **answer.meta,
        }
        entry = Entry(answer.raw, meta)
        lost: TranscriptError | None = None
        for write in (partial(self._shelve, task), partial(self._give, self._copies.place(task.name))):
            try:
                write(entry)
            except TranscriptError as error:
                lost = error
        if lost is not None:
            raise lost

    def here(self, task: Task) -> bool:
        """Tell whether another process has kept this take's words by now, and copy them."""
        entry, _ = self._find(task, mend=True)
        return entry is not None

    def flight(self, task: Task) -> Flight:
        """Give the flight of a task, whose sound is hashed before it, so that a paid answer has only to be written."""
        self._sounds.payload(task.media, task.fingerprint, task.track)
        return Flight(task.key, self._folders)


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _serves(entry: Entry, task: Task) -> bool:
    """Tell whether an entry of the same file answers a task; one without meta was made of the first track."""
    if not entry.meta:
        return task.track == 0
    alike = entry.meta.get("track") == task.track and entries.alike(entry.meta, task.asked)
    return entry.key == task.key or alike
