"""A footage folder, its ``edit/``, and a method for each verb.

Here an act and its note meet: the rooms below know nothing of memory; a verb calls them, then tells the open session.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutbook.cutting import Cutting
from cutbook.edit import adopt as adopting
from cutbook.edit import cutlist, versions
from cutbook.edit import diff as differences
from cutbook.edit import tighten as tightening
from cutbook.edit.edl import Edl, where
from cutbook.edit.ranges import same_again
from cutbook.edit.take import Take
from cutbook.editing import Editing
from cutbook.errors import (
    CannotWrite,
    EdlError,
    InputError,
    MemoryLogError,
    NotAFolder,
    NoTakes,
    NothingToUndo,
    SettingError,
    TakesFailed,
)
from cutbook.files import UserFolders, readable, write_atomic
from cutbook.footage import media_files
from cutbook.made import CONTENT, EDIT, film_of, same_film
from cutbook.media.probe import probe
from cutbook.memory.session import Session, local_now
from cutbook.memory.verbs import Memory
from cutbook.outputs import TIERS
from cutbook.results import Drawn, History, Packed, TakeRow, TakeTable, Tightened
from cutbook.settings import CALL, Environment, Settings, read_setting
from cutbook.timebase import decimals, parse_timecode, seconds
from cutbook.transcripts.model import Transcript
from cutbook.transcripts.pack import pack
from cutbook.transcripts.report import Row
from cutbook.transcripts.store import Request
from cutbook.workplace import Workplace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from concurrent.futures import Executor
    from fractions import Fraction

    from cutbook.edit.diff import Difference
    from cutbook.edit.edl import Range
    from cutbook.edit.retakes import Retakes
    from cutbook.render.film import Film
    from cutbook.render.findings import Proof
    from cutbook.render.plan import Plan
    from cutbook.timeline.composite import Composite
    from cutbook.transcripts.engine import Engine
    from cutbook.transcripts.report import Report

    Progress = Callable[[float, str], None]

_FILM_KEYS = ("rate", "size", "fit", "grade", "captions")


class Project(Editing):
    """One footage folder.

    Opening and reading create nothing; the first verb that writes makes ``edit/`` beside the footage. ``config`` holds
    settings of this process (``%config``), ``environ`` the environment, ``clock`` gives the time of notes and sections,
    ``notebook`` names who works here.

    Raises:
        NotAFolder: there is no such folder, or it cannot be read, or its ``edit`` is a file.
        NoTakes: the folder holds neither footage nor an earlier edit.
    """

    def __init__(
        self,
        folder: str | Path = ".",
        *,
        config: Mapping[str, object] | None = None,
        environ: Mapping[str, str] | None = None,
        clock: Callable[[], datetime] = local_now,
        notebook: str = "python",
    ) -> None:
        environ = Environment.of(environ)
        # A mapping that is empty now may be filled later: it is what `%config` holds.
        self._work = Workplace(
            folder,
            config={} if config is None else config,
            environ=environ,
        )
        self._clock = clock
        self._notebook = notebook
        self._cutting = Cutting(self._work, lambda: self.session)
        self.folder = self._work.folder
        self.edit = self._work.edit
        if self.edit.exists() and not self.edit.is_dir():
            msg = f"{self.edit} is a file, and cutbook keeps its work in a folder of that name; move the file away"
            raise NotAFolder(msg)
        if not media_files(self.folder) and not self.edit.is_dir():
            msg = f"{self.folder} holds no footage that cutbook knows; give the folder that holds your takes"
            raise NoTakes(msg)

    def __repr__(self) -> str:
        """Write the take table."""
        return repr(self.table())

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()

    # ---- what there is

    def settings(self, **call: object) -> Settings:
        """Resolve every setting; ``call`` holds a call's own arguments, the highest rung.

        Raises:
            SettingError: a value of the wrong kind, with the place it came from.
        """
        return self._work.settings(**call)

    @property
    def folders(self) -> UserFolders:
        """The user's folders, with the cache where it is set to be."""
        return self._work.folders

    @property
    def takes(self) -> Mapping[str, Take]:
        """The takes by name, in natural order; files that cannot be read are left out (see :attr:`problems`)."""
        return self._work.footage.scan()[0]

    @property
    def problems(self) -> Mapping[str, str]:
        """Why each file that cannot be read cannot, by the name that it would have."""
        return self._work.footage.scan()[1]

    def names(self) -> tuple[str, ...]:
        """Give the takes' names without opening any file."""
        return tuple(self._work.footage.files())

    def take(self, name: str) -> Take:
        """Give one take.

        Raises:
            UnknownTake: no take has that name.
            UnreadableMedia: the file of that name cannot be read.
        """
        return self._work.footage.take(name)

    def table(self) -> TakeTable:
        """Give the take table: a row a file, those that cannot be read included."""
        takes, bad = self._work.footage.scan()
        rows = [
            TakeRow(
                name,
                take,
                "",
                _transcript_state(take),
                self._work.picture(take, take.duration / 3, height=108),
            )
            for name, take in takes.items()
        ]
        rows += [TakeRow(name, None, why, "") for name, why in bad.items()]
        return TakeTable(self.folder, tuple(rows))

    def facts(self) -> list[tuple[str, str]]:
        """Say what is in use: the engine, ffmpeg, the cache, and each setting that is not the default."""
        settings = self.settings()
        rows = [
            ("engine", self._work.engine_name(settings)),
            ("ffmpeg", str(self._work.ffmpeg().path)),
            ("cache", str(self.folders.cache)),
        ]
        changed = [(name, found) for name, found in settings.items().items() if found.origin != "default"]
        return rows + [(name, f"{found.value} ({found.origin})") for name, found in changed]

    @cached_property
    def session(self) -> Session:
        """The open session: what happened since the last persist."""
        return Session(self.edit, self.folders, clock=self._clock, notebook=self._notebook)

    @cached_property
    def memory(self) -> Memory:
        """What this project remembers, with the verbs of ``%memory``."""
        return Memory(
            self.session,
            takes=self._work.footage.unopened,
            edl=self._cutting.edl_or_none,
            title=readable(self.folder.name),
            missing=self._work.claims,
            plain=self._work.plain_words,
            settings=self.settings,
            overrides=self._work.overrides,
            picture=lambda take, time: self._work.picture(take, time, height=144),
        )

    # ---- words

    def engine(self, engine: str | None = None) -> str:
        """Name the engine that would transcribe, where a call asks for ``engine``."""
        return self._work.engine_name(self._work.resolved({"engine": engine}))

    def transcribe(
        self,
        *names: str,
        engine: str | Engine | None = None,
        language: str | None = None,
        speakers: int | None = None,
        track: int | None = None,
        dry_run: bool = False,
        force: bool = False,
        progress: Progress | None = None,
        executor: Executor | None = None,
    ) -> Report:
        """Transcribe the takes named (all, unless named) that have no words yet, and give a row for each.

        ``engine`` is ``scribe``, ``local`` or an engine of one's own. A take that fails does not stop the others.

        Raises:
            UnknownTake: a name that is no take.
            InputError: ``speakers`` is below 1.
            EngineMissing, EngineRefused: the engine cannot be used at all; the other is never taken in its place.
            TakesFailed: some takes could not be transcribed; the others were, and are kept.
        """
        if speakers is not None and speakers < 1:
            msg = f"--speakers wants how many people speak, 1 or more, not {speakers}"
            raise InputError(msg)
        settings = self.settings(engine=engine if isinstance(engine, str) else None, language=language)
        takes, unreadable = ({}, {}) if names else self._work.footage.scan()
        wanted = [self.take(name) for name in names] or list(takes.values())
        hearing = self._work.engine(settings) if engine is None or isinstance(engine, str) else engine
        requests = [Request(take.name, take.media, take.fingerprint, track) for take in wanted]
        before = {take.name: self._work.answered(take.name) for take in wanted}
        try:
            report = self._work.store().transcribe(
                requests,
                hearing,
                language=settings["language"],
                speakers=speakers,
                dry_run=dry_run,
                force=force,
                progress=progress,
                executor=executor,
            )
        except BaseException:
            self._note_heard(before, hearing.name)
            raise
        finally:
            hearing.close()
        failed = [row for row in report.rows if row.state == "failed"]
        if not names:
            bad = tuple(Row(name, "failed", seconds(0), None, why) for name, why in unreadable.items())
            report = replace(report, rows=(*report.rows, *bad))
        made = [row.take for row in report.rows if row.state == "made"]
        if made:
            self.session.note("transcribe", takes=made, engine=report.engine)
        if failed:
            count = f"{len(failed)} of {len(requests)} takes" if len(requests) > 1 else "the take"
            kept = "; what was made is kept" if made else ""
            msg = f"{count} could not be transcribed; {failed[0].take}: {failed[0].message}{kept}"
            raise TakesFailed(msg, report=report)
        return report

    def pack(self, *, silence: float = 0.5) -> Packed:
        """Write ``edit/takes_packed.md``, phrases broken on ``silence`` seconds; the same words give the same bytes.

        Raises:
            InputError: ``silence`` is not above 0.
        """
        if not silence > 0:
            msg = f"--silence wants seconds above 0, not {silence:g}"
            raise InputError(msg)
        takes, bad = self._work.footage.scan()
        text = pack(
            {name: (_heard(take), take.duration) for name, take in takes.items()}, silence=seconds(silence)
        )
        path = self.edit / "takes_packed.md"
        if not path.is_file() or path.read_bytes() != text.encode():
            write_atomic(path, text)
        return Packed(text, path, tuple(bad.values()))

    def retakes(self) -> Retakes:
        """Find sentences that are said in more than one place."""
        from cutbook.edit import retakes

        return retakes.find(self.takes)

    # ---- pictures of time

    def timeline(
        self,
        take: str,
        start: object = None,
        end: object = None,
        *,
        frames: int = 10,
        output: str | Path | None = None,
    ) -> Drawn:
        """Draw a range of a take, from ``start`` to ``end`` (seconds or timecode; the whole take without them).

        Raises:
            UnknownTake: no take has that name.
            TimeError: the end is not after the start, or either lies outside the take.
        """
        from cutbook.timeline.composite import compose

        found = self.take(take)
        first = _time(start, found.rate) if start is not None else seconds(0)
        last = _time(end, found.rate) if end is not None else found.duration
        edl = self._cutting.edl_or_none()
        title = f"{take} {decimals(first)}-{decimals(last)}"
        return self._drawn(
            lambda place: compose(
                found,
                first,
                last,
                frames=frames,
                cuts=edl.kept if edl else (),
                output=place,
                cache=self.folders.cache,
            ),
            self._work.drawing(output, title),
            title,
            asked=output is not None,
        )

    def timeline_edl(self, *, frames: int = 10, output: str | Path | None = None) -> Drawn:
        """Draw the whole edit on the film's clock, without ranges whose take is not the file that was cut.

        Raises:
            EdlError: there is no cut list yet, or no range of it can be drawn.
        """
        from cutbook.timeline.composite import compose_edit

        edl = self.edl
        drawable = tuple(each for each in edl.ranges if not each.problem)
        without = "".join(f"; left out: {problem}" for problem in edl.problems)
        if without and all(each.status == "rejected" for each in drawable):
            raise EdlError(edl.problems[0])
        return self._drawn(
            lambda place: compose_edit(
                replace(edl, ranges=drawable),
                self.takes,
                frames=frames,
                output=place,
                cache=self.folders.cache,
            ),
            self._work.drawing(output, "edit"),
            f"the edit{without}",
            asked=output is not None,
        )

    def timeline_file(
        self,
        file: str | Path,
        start: object = None,
        end: object = None,
        *,
        frames: int = 10,
        output: str | Path | None = None,
    ) -> Drawn:
        """Draw a range of any video file; of a film that cutbook made of the present edit, with its ranges and words.

        Raises:
            UnreadableMedia: the file is missing or no media.
            TimeError: the end is not after the start, or either lies outside the file.
        """
        from cutbook.timeline.composite import compose_file

        path = self._work.file(file)
        edl, rate = self._cutting.edl_or_none(), probe(path).rate
        ours = (
            edl is not None
            and same_film(self._work.made_from(path), edl)
            and all(each.source in self.takes and not each.problem for each in edl.kept)
        )
        first, last = (_time(each, rate) if each is not None else None for each in (start, end))
        return self._drawn(
            lambda place: compose_file(
                path,
                first,
                last,
                frames=frames,
                edl=edl if ours else None,
                takes=self.takes,
                output=place,
                cache=self.folders.cache,
            ),
            self._work.drawing(output, path.stem),
            readable(path.name),
            asked=output is not None,
        )

    def timeline_grade(self, grade: str | None = None, *, output: str | Path | None = None) -> Drawn:
        """Draw the middle of each kept range before and after a grade: the film's and the ranges' own, unless given.

        Raises:
            EdlError: there is no cut list, or it is not valid.
            InputError: there is no grade.
            PreflightError: a grade that ffmpeg cannot use, or that changes more than how frames look.
        """
        from cutbook.render.looks import draw, looks
        from cutbook.render.preflight import try_grades

        place = self._work.drawing(output, "grade")
        planned, ffmpeg = self._plan(self._work.resolved({"grade": grade})), self._work.ffmpeg()
        try_grades(planned, ffmpeg)
        png, width, height = draw(looks(planned, self.takes, ffmpeg))
        try:
            write_atomic(place, png)
        except CannotWrite:
            if output is not None:
                raise
        return Drawn(place, width, height, png, "before and after the grade")

    def cut_picture(self, piece: Range, edge: str) -> bytes | None:
        """Give the picture at a range's ``in`` or ``out`` as JPEG, or None where there is no picture to be had."""
        take = self.takes.get(piece.source)
        if take is None or piece.problem:
            return None
        frame = piece.frames[0] if edge == "in" else piece.frames[1] - 1
        return self._work.picture(take, frame / piece.rate, height=144)

    # ---- the cut list

    @property
    def edl(self) -> Edl:
        """The cut list as ``edit/edl.json`` has it now.

        Raises:
            EdlError: there is none yet, or it is not valid.
        """
        return self._cutting.edl

    def cut(self, text: str, *, append: bool = False, pad: tuple[float, float] | None = None) -> Edl:
        """Make the cut list of lines of text, or add to it; ``pad`` is milliseconds before and after the words.

        Raises:
            CutListError: a line cannot be used; nothing is written.
        """
        before, after = pad if pad is not None else (None, None)
        settings = self.settings(pad_before_ms=before, pad_after_ms=after)
        pads = (seconds(settings["pad_before_ms"]) / 1000, seconds(settings["pad_after_ms"]) / 1000)
        takes, bad = self._work.footage.scan()
        made = cutlist.parse(text, takes, pads=pads, by="cut", problems=bad)

        def how(old: Edl) -> Edl:
            if append:
                return replace(old, ranges=(*old.ranges, *made))
            decided = replace(old, ranges=same_again(made, old.ranges))
            plain = replace(old, ranges=made)
            # A notebook that is run again goes through its versions again; its decisions come in their own cells.
            again = versions.seen(plain, self.edit, takes=takes) and not versions.seen(
                decided, self.edit, takes=takes
            )
            return plain if again else decided

        return self._cutting.begin("cut", how, why="lines added" if append else "a new cut list")

    def tighten(
        self,
        *ranges: int | str,
        fillers: bool | None = None,
        pauses: float | None = None,
        keep: float | None = None,
        why: str = "",
    ) -> Tightened:
        """Take fillers, and pauses longer than ``pauses`` seconds, out of the kept ranges; ``keep`` seconds stay.

        ``why`` goes along into the history and the open session.

        Raises:
            EdlError: there is no cut list, or no range of that number or id.
        """
        settings = self.settings(fillers=fillers, max_pause_s=pauses)
        removed: tuple[tightening.Removed, ...] = ()
        longest = settings["max_pause_s"]
        left = tightening.KEEP if keep is None else seconds(keep)

        def how(old: Edl) -> Edl:
            nonlocal removed
            new, removed = tightening.tighten(
                old,
                self._takes(),
                fillers=settings["fillers"],
                pauses=None if longest is None else seconds(longest),
                keep=left,
                only=ranges or None,
            )
            return new

        edl = self._cutting.change(
            "tighten", how, why=why or "fillers and pauses", told=lambda: {"removed": removed, "reason": why}
        )
        return Tightened(edl, removed)

    def set(self, key: str, value: str) -> Edl:
        """Set a value of the film in the cut list: rate, size, fit, grade or captions.

        Raises:
            SettingError: another key, or a value that it cannot have.
            PreflightError: a grade that ffmpeg cannot use, or that changes more than how frames look.
        """
        key = "rate" if key == "fps" else key
        if key not in _FILM_KEYS:
            msg = f"{key!r} is no value of the film; there are {', '.join(_FILM_KEYS)}"
            raise SettingError(msg)
        read = read_setting(key, value, "%edl set")
        new: Any = {"style": read} if key == "captions" else read
        if key == "grade":
            self._try_grade(read)
        return self._cutting.change("set", lambda old: replace(old, **{key: new}), why=f"{key} {value}")

    def adopt(self, take: str) -> Edl:
        """Put the ranges of a take that was replaced by another file at the same seconds of the new one.

        Or, named by the take that the replaced one is now, leave them on it under its new name.

        Raises:
            UnknownTake: no take has that name.
            EdlError: it is the file that was cut, or it is too short for a kept range.
        """
        found = self.take(take)
        return self._cutting.change(
            "cut",
            lambda old: adopting.adopt(old, found, self.takes, self.edit),
            by="adopt",
            why=adopting.told(self._cutting.edl_or_none(), found),
        )

    def undo(self) -> Edl:
        """Put the version before back in place.

        Raises:
            NothingToUndo: there is none.
        """
        return self._cutting.step("undo", versions.undo)

    def redo(self) -> Edl:
        """Put the version that was undone last back in place.

        Raises:
            NothingToUndo: nothing was undone, or something was saved since.
        """
        return self._cutting.step("redo", versions.redo)

    def history(self) -> History:
        """List the versions of the cut list, oldest first."""
        return History(versions.history(self.edit))

    def version(self, number: int) -> Edl:
        """Give one version of the cut list.

        Raises:
            EdlError: there is none of that number.
        """
        return versions.version(self.edit, number, self.takes)

    def diff(self, a: int | None = None, b: int | None = None) -> Difference:
        """Compare two versions in words; left out, the version before and the cut list as it is now.

        Raises:
            EdlError: no such version.
            NothingToUndo: there is no earlier version to compare with.
        """
        takes = self.takes
        if a is None:
            a = versions.previous(self.edit)
            if not a:
                msg = "there is no earlier version to compare with; %edl history shows what there is"
                raise NothingToUndo(msg)
        new = self.edl if b is None else versions.version(self.edit, b, takes)
        return differences.diff(versions.version(self.edit, a, takes), new, takes)

    # ---- the film

    def render(
        self,
        tier: str = "preview",
        *,
        output: str | Path | None = None,
        captions: str | None = None,
        grade: str | None = None,
        size: str | tuple[int, int] | None = None,
        fit: str | None = None,
        rate: object = None,
        jobs: int | None = None,
        progress: Progress | None = None,
        executor: Executor | None = None,
    ) -> Film:
        """Render the cut list and prove the file; an error leaves the file of an earlier render in place.

        ``tier`` is draft, preview or final; ``output`` is ``edit/<tier>.mp4`` unless given. Segments that did not
        change come from the cache.

        Raises:
            EdlError: there is no cut list, or it is not valid.
            PreflightError, DiskFull: something that the render needs is missing.
            FfmpegError, RenderError, ProofError: the film could not be made, or is not what the edit says.
        """
        from cutbook.render.film import render

        self._cutting.see_hand_edit()
        asked = {"captions": captions, "grade": grade, "size": size, "fit": fit, "rate": rate}
        settings = self.settings(**asked, jobs=jobs)
        path = self._work.film(output, tier)
        planned = self.edl
        film = render(
            self._plan(settings),
            takes=self.takes,
            edit=self.edit,
            output=path,
            ffmpeg=self._work.ffmpeg(),
            tier_name=tier,
            loudness=settings["loudness_lufs"],
            true_peak=settings["true_peak_db"],
            jobs=settings["jobs"],
            progress=progress,
            executor=executor,
        )
        name = self._work.name(film.path)
        facts = {CONTENT: self._work.content(film.path), EDIT: film_of(planned)}
        self._work.made.keep(name, tier=tier, **facts, **asked)
        self.session.note(
            "render",
            file=readable(name),
            tier=tier,
            seconds=float(film.duration),
            encoded=film.encoded,
            changed=film.fresh,
            **_verdict(film.proof),
        )
        return film

    def check(
        self, file: str | Path | None = None, *, words: bool = False, progress: Progress | None = None
    ) -> Proof:
        """Prove a file (the last render, unless given) against the cut list; writes ``edit/verify/check.md``.

        ``words`` has the local engine transcribe the film back, and compares with the words that the edit keeps.

        Raises:
            UnreadableMedia: the file is missing or no video.
            EdlError: there is no cut list, or it is not valid.
            TranscriptError: the local engine failed while it listened.
        """
        from cutbook.render import findings
        from cutbook.render.check import check, publish
        from cutbook.render.tiers import tier
        from cutbook.transcripts.local import LocalEngine

        path = self._work.file(file) if file is not None else self._last_film()
        made = self._work.made.get(self._work.name(path))
        made.pop(CONTENT, None)
        before = made.pop(EDIT, None)
        overtaken = before is not None and not same_film(before, self.edl)
        name = made.pop("tier", None) or next((each for each in TIERS if path.stem == each), "final")
        settings = self._work.resolved(made)
        wanted = self._plan(settings).sized(tier(str(name)).short)
        with contextlib.ExitStack() as stack:
            listener = LocalEngine(self.folders, model=settings["whisper_model"]) if words else None
            if listener is not None:
                stack.callback(listener.close)
            proof = check(
                path,
                wanted,
                takes=self.takes,
                edit=self.edit,
                ffmpeg=self._work.ffmpeg(),
                loudness=settings["loudness_lufs"],
                true_peak=settings["true_peak_db"],
                listener=listener,
                progress=progress,
            )
        if overtaken:
            proof = publish(findings.overtaken(proof), wanted, edit=self.edit, pictures=False)
        if path.resolve() not in {take.path for take in self.takes.values()}:
            # A project that can be read alone can be checked all the same; the proof says what was not written.
            with contextlib.suppress(MemoryLogError):
                self.session.note("check", file=readable(self._work.name(path)), **_verdict(proof))
        return proof

    # ---- within

    def _drawn(
        self, draw: Callable[[Path | None], Composite], place: Path, title: str, *, asked: bool
    ) -> Drawn:
        """Draw into a file; where nobody asked for one and it cannot be kept, the picture is shown all the same."""
        try:
            return Drawn.of(draw(place), title)
        except CannotWrite:
            if asked:
                raise
            return Drawn.of(draw(None), title)

    def _note_heard(self, before: Mapping[str, object], engine: str) -> None:
        """Note the takes that got words before the run was stopped."""
        made = [name for name, answer in before.items() if self._work.answered(name) != answer]
        if made:
            self.session.note("transcribe", takes=made, engine=engine)

    def _last_film(self) -> Path:
        films = [self.edit / f"{tier}.mp4" for tier in TIERS]
        films += [(self.edit / name).resolve() for name in self._work.made.names()]
        there = [film for film in films if film.is_file()]
        if not there:
            msg = "nothing is rendered yet; run %render, or name a file: %check FILE"
            raise InputError(msg)
        return max(there, key=lambda film: film.stat().st_mtime_ns)

    def _try_grade(self, grade: str) -> None:
        from cutbook.render.grade import AUTO, chain
        from cutbook.render.preflight import try_grades

        if grade.strip() != AUTO and chain(grade) == grade.strip() and self.edl.kept:
            try_grades(self._plan(self._work.resolved({"grade": grade})), self._work.ffmpeg())

    def _plan(self, settings: Settings) -> Plan:
        from cutbook.render.plan import plan

        edl = self.edl
        for number, piece in enumerate(edl.ranges, 1):
            if piece.problem and piece.status != "rejected":
                msg = f"{where(number, piece)} cannot be rendered: {piece.problem}"
                raise EdlError(msg)
        own = {
            "captions": bool(edl.captions),
            "grade": edl.grade != "none",
            "size": edl.size,
            "fit": edl.fit != "fit",
            "rate": edl.rate,
        }
        chosen = {
            key: settings[key]
            for key, set_in_list in own.items()
            if settings.origin(key) == CALL or (settings.origin(key) != "default" and not set_in_list)
        }
        return plan(edl, self.takes, **chosen)


def _time(value: object, rate: Fraction) -> Fraction:
    text = str(value).strip()
    return parse_timecode(text, rate) / rate if text.count(":") == 3 else seconds(text)


def _heard(take: Take) -> Transcript | None:
    """Give a take's words; a take without sound has none to wait for."""
    return take.transcript if take.media.sound else Transcript((), None, "", "")


def _transcript_state(take: Take) -> str:
    if not take.media.sound:
        return "no sound"
    if take.transcript is None:
        return "none yet"
    count = len(take.transcript.said())
    said = f"{count} word{'s' if count != 1 else ''} ({take.transcript.engine})"
    return said if count else "no speech"


def _verdict(proof: Proof) -> dict[str, object]:
    return {"ok": proof.ok, "findings": [finding.what for finding in proof.errors]}
