"""A batch of takes on its way through an engine: one flight a key, progress over all, what is done stays done."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Protocol

from cutbook.errors import CutbookError, EngineMissing, EngineRefused, MayBeBilled, QuotaUsedUp
from cutbook.files import Fingerprint
from cutbook.media.probe import Media
from cutbook.transcripts.engine import Answer, Engine
from cutbook.transcripts.engine import Progress as Heard
from cutbook.transcripts.flights import Flight
from cutbook.transcripts.report import Row

Progress = Callable[[float, str], None]
"""Told the part done (0 to 1) and a line for people."""

_LOOK = 0.1


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked for one take, all of it decided, the key of the answer, and what its meta must say."""

    name: str
    media: Media
    fingerprint: Fingerprint
    track: int
    language: str | None
    speakers: int | None
    key: str
    asked: Mapping[str, object] = field(default_factory=dict)


class Keeper(Protocol):
    """Where answers are kept: the store."""

    def keep(self, task: Task, engine: Engine, answer: Answer) -> None:
        """Keep an answer."""

    def here(self, task: Task) -> bool:
        """Tell whether the answer is there by now."""

    def flight(self, task: Task) -> Flight:
        """Give the flight of a task."""

    def row(self, task: Task, state: str, engine: Engine, message: str = "") -> Row:
        """Make a task's row of the report."""


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Tasks that one engine works through; ``force`` asks even where an earlier request may have been billed.

    ``progress`` is called by the thread that runs the batch alone. Tasks of one key are asked once.
    """

    keeper: Keeper
    engine: Engine
    tasks: Mapping[int, Task]
    force: bool = False
    progress: Progress | None = None
    cancel: threading.Event | None = None
    _lock: threading.RLock = field(default_factory=threading.RLock, init=False, repr=False)
    _refusals: list[str] = field(default_factory=list, init=False, repr=False)

    def run(self) -> Generator[tuple[int, Row]]:
        """Work through the tasks here, as many at once as the engine takes; one that refuses ends the batch.

        An interrupt, and ``cancel``, stop what is under way and leave the rest; what is done is kept.
        """
        lanes = min(self.engine.at_once, len(self._groups))
        yield from self._together(lanes) if lanes > 1 else self._in_turn()
        self._tell(self._total, "")

    def _in_turn(self) -> Iterator[tuple[int, Row]]:
        done = Fraction(0)
        for places in self._groups:
            task = self.tasks[places[0]]
            row = self._flown(task, self._teller(task, done), self.cancel)
            done += self._length(places)
            yield from self._rows(places, row)

    def _together(self, lanes: int) -> Iterator[tuple[int, Row]]:
        """Let threads work through the tasks; what they tell is gathered here, so that there is one display."""
        told: queue.SimpleQueue[tuple[int, Fraction | Row | BaseException, str]] = queue.SimpleQueue()
        stop = threading.Event()
        self._pass_on(stop)

        def fly(number: int, task: Task) -> None:
            def tell(seconds: Fraction, line: str = "", /) -> None:
                told.put((number, seconds, line))

            try:
                told.put((number, self._flown(task, tell, stop), ""))
            except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
                told.put((number, error, ""))

        done, under_way = Fraction(0), dict[int, tuple[Fraction, str]]()
        with ThreadPoolExecutor(lanes, thread_name_prefix="cutbook-take") as pool:
            try:
                for number, places in enumerate(self._groups):
                    pool.submit(fly, number, self.tasks[places[0]])
                left = len(self._groups)
                while left:
                    self._pass_on(stop)
                    try:
                        number, found, line = told.get(timeout=_LOOK)
                    except queue.Empty:
                        continue
                    places = self._groups[number]
                    if isinstance(found, BaseException):
                        raise found
                    if isinstance(found, Row):
                        under_way.pop(number, None)
                        done += self._length(places)
                        left -= 1
                        yield from self._rows(places, found)
                    else:
                        name = self.tasks[places[0]].name
                        under_way[number] = (found, f"{name}: {line}" if line else name)
                    seconds = sum((part for part, _ in under_way.values()), start=done)
                    self._tell(seconds, " · ".join(said for _, said in under_way.values()))
            finally:
                stop.set()
                pool.shutdown(wait=False, cancel_futures=True)

    def _pass_on(self, stop: threading.Event) -> None:
        if self.cancel is not None and self.cancel.is_set():
            stop.set()

    def run_on(self, executor: Executor) -> Generator[tuple[int, Row]]:
        """Let an executor work through the tasks; rows come as they are done, the same sound is asked once.

        It may work on another machine, so a request counts as begun when it is handed over.
        """
        done = Fraction(0)
        with contextlib.ExitStack() as held:
            flying: dict[Future[Answer], list[int]] = {}
            try:
                # Two kernels with the same takes would wait for each other, were the keys not held in one order.
                for places in sorted(self._groups, key=lambda places: self.tasks[places[0]].key):
                    task = self.tasks[places[0]]
                    waiting = _waiting(partial(self._teller(task, done), Fraction(0)))
                    held.enter_context(self.keeper.flight(task).held(waiting, self.cancel))
                    if (row := self._before(task)) is None:
                        if (sending := self._sending(task)) is not None:
                            sending()
                        flying[executor.submit(_hear, self.engine, task)] = places
                    else:
                        yield from self._rows(places, row)
                while flying:
                    for future in wait(flying, return_when=FIRST_COMPLETED).done:
                        places = flying.pop(future)
                        task = self.tasks[places[0]]
                        try:
                            row = self._after(task, future.result())
                        except CutbookError as error:
                            row = self._failed(task, error)
                        done += self._length(places)
                        yield from self._rows(places, row)
                        self._tell(done, task.name)
                    if self._refusals:
                        for places in self._recall(flying):
                            yield from self._rows(places, self._not_begun(self.tasks[places[0]]))
            finally:
                self._recall(flying)

    def _recall(self, flying: dict[Future[Answer], list[int]]) -> list[list[int]]:
        """Take back what an executor has not begun."""
        back = [future for future in flying if future.cancel()]
        for future in back:
            self.keeper.flight(self.tasks[flying[future][0]]).landed()
        return [flying.pop(future) for future in back]

    @cached_property
    def _groups(self) -> list[list[int]]:
        """The places of tasks, those of one key together."""
        same: dict[str, list[int]] = {}
        for place, task in self.tasks.items():
            same.setdefault(task.key, []).append(place)
        return list(same.values())

    @cached_property
    def _total(self) -> Fraction:
        return sum((self._length(places) for places in self._groups), start=Fraction(0))

    def _length(self, places: list[int]) -> Fraction:
        return sum((self.tasks[place].media.duration for place in places), start=Fraction(0))

    def _rows(self, places: list[int], row: Row) -> Iterator[tuple[int, Row]]:
        """Give a row for each take of one sound, the first of which was asked for."""
        for place in places:
            task = self.tasks[place]
            if place == places[0] or row.state not in {"made", "cached"}:
                yield place, replace(row, take=task.name)
            else:
                with self._lock:
                    self.keeper.here(task)
                yield place, self.keeper.row(task, "cached", self.engine, f"the same sound as {row.take}")

    def _flown(self, task: Task, tell: Heard, cancel: threading.Event | None) -> Row:
        """Have one take heard, unless an engine that refuses, or a stop, came before."""
        if self._refusals or (cancel is not None and cancel.is_set()):
            return self._not_begun(task)
        with contextlib.ExitStack() as held:
            try:
                held.enter_context(
                    self.keeper.flight(task).held(_waiting(partial(tell, Fraction(0))), cancel)
                )
            except CutbookError as error:
                # The note that may lie there is another's.
                return self.keeper.row(task, "failed", self.engine, str(error))
            if (row := self._before(task)) is not None:
                return row
            try:
                answer = _hear(self.engine, task, self._sending(task), tell, cancel)
                return self._after(task, answer)
            except CutbookError as error:
                return self._failed(task, error)

    def _not_begun(self, task: Task) -> Row:
        why = self._refusals[0] if self._refusals else "stopped"
        return self.keeper.row(task, "pending", self.engine, f"not begun: {why}")

    def _before(self, task: Task) -> Row | None:
        """Give a row where nothing is to be asked any more."""
        if not self.force:
            with self._lock:
                if self.keeper.here(task):
                    return self.keeper.row(task, "cached", self.engine, "another process made it")
            if self.engine.price_per_hour is not None and (when := self.keeper.flight(task).lost()):
                message = f"a request of {when} was cut off and may have been billed; ask again with --force"
                return self.keeper.row(task, "failed", self.engine, message)
        return None

    def _sending(self, task: Task) -> Callable[[], None] | None:
        """Give what notes that a request which may be billed begins."""
        if self.engine.price_per_hour is None:
            return None
        cost = float(task.media.duration) / 3600 * self.engine.price_per_hour
        return partial(self.keeper.flight(task).begin, take=task.name, size=task.media.size, cost=cost)

    def _after(self, task: Task, answer: Answer) -> Row:
        with self._lock:
            self.keeper.keep(task, self.engine, answer)
        self.keeper.flight(task).landed()
        return self.keeper.row(task, "made", self.engine)

    def _failed(self, task: Task, error: CutbookError) -> Row:
        if not isinstance(error, MayBeBilled):
            self.keeper.flight(task).landed()
        if isinstance(error, EngineMissing | EngineRefused):
            self._refusals.append(str(error))
        state = "pending" if isinstance(error, QuotaUsedUp) else "failed"
        return self.keeper.row(task, state, self.engine, str(error))

    def _teller(self, task: Task, done: Fraction) -> Heard:
        def tell(seconds: Fraction, line: str = "", /) -> None:
            self._tell(done + seconds, f"{task.name}: {line}" if line else task.name)

        return tell

    def _tell(self, done: Fraction, line: str) -> None:
        if self.progress is not None:
            self.progress(float(done / self._total) if self._total else 1.0, line)


def _waiting(tell: Callable[[str], None]) -> Callable[[], None]:
    return lambda: tell("another process is at it; waiting")


def _hear(
    engine: Engine,
    task: Task,
    sending: Callable[[], None] | None = None,
    progress: Heard | None = None,
    cancel: threading.Event | None = None,
) -> Answer:
    return engine.transcribe(
        task.media,
        task.track,
        language=task.language,
        speakers=task.speakers,
        sending=sending,
        progress=progress,
        cancel=cancel,
    )
