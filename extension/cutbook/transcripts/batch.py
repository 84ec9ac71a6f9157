"""A batch of takes on its way through an engine: one flight a key, progress over all, what is done stays done."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future, as_completed
from dataclasses import dataclass, field, replace
from fractions import Fraction
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
    """Tasks that one engine works through; ``force`` asks even where an earlier request may have been billed."""

    keeper: Keeper
    engine: Engine
    tasks: Mapping[int, Task]
    force: bool = False
    progress: Progress | None = None
    cancel: threading.Event | None = None

    def run(self) -> Iterator[tuple[int, Row]]:
        """Work through the tasks here, one after another; an engine that refuses ends the batch."""
        done = Fraction(0)
        total = sum((task.media.duration for task in self.tasks.values()), start=Fraction(0))
        refusal = ""
        for place, task in self.tasks.items():
            if refusal:
                yield place, self.keeper.row(task, "pending", self.engine, f"not begun: {refusal}")
                continue
            with self.keeper.flight(task).held(self._waiting(task, done, total)):
                row = self._before(task)
                if row is None:
                    try:
                        answer = _hear(self.engine, task, self._teller(task, done, total), self.cancel)
                        row = self._after(task, answer)
                    except CutbookError as error:
                        refusal = str(error) if isinstance(error, EngineMissing | EngineRefused) else ""
                        row = self._failed(task, error)
            done += task.media.duration
            yield place, row
        self._tell(total, total, "")

    def run_on(self, executor: Executor) -> Iterator[tuple[int, Row]]:
        """Let an executor work through the tasks; rows come as they are done, the same sound is asked once."""
        done = Fraction(0)
        total = sum((task.media.duration for task in self.tasks.values()), start=Fraction(0))
        same: dict[str, list[int]] = {}
        for place, task in self.tasks.items():
            same.setdefault(task.key, []).append(place)
        with contextlib.ExitStack() as held:
            flying: dict[Future[Answer], list[int]] = {}
            # Two kernels with the same takes would wait for each other, were the keys not held in one order.
            for key in sorted(same):
                task = self.tasks[same[key][0]]
                held.enter_context(self.keeper.flight(task).held(self._waiting(task, done, total)))
                if (row := self._before(task)) is None:
                    flying[executor.submit(_hear, self.engine, task, None, None)] = same[key]
                else:
                    yield from ((place, replace(row, take=self.tasks[place].name)) for place in same[key])
            try:
                for future in as_completed(flying):
                    task = self.tasks[flying[future][0]]
                    try:
                        row = self._after(task, future.result())
                    except CutbookError as error:
                        row = self._failed(task, error)
                    for place in flying[future]:
                        done += task.media.duration
                        again = self.tasks[place] is not task and row.state == "made"
                        yield place, self._twin(self.tasks[place], row) if again else row
                    self._tell(done, total, task.name)
            finally:
                for future in flying:
                    future.cancel()

    def _twin(self, task: Task, row: Row) -> Row:
        """Give the row of a take whose sound was heard as another's."""
        self.keeper.here(task)
        return self.keeper.row(task, "cached", self.engine, f"the same sound as {row.take}")

    def _before(self, task: Task) -> Row | None:
        """Give a row where nothing is to be asked any more; else note that a request is begun."""
        if not self.force and self.keeper.here(task):
            return self.keeper.row(task, "cached", self.engine, "another process made it")
        if self.engine.price_per_hour is None:
            return None
        flight = self.keeper.flight(task)
        if not self.force and (when := flight.lost()):
            message = f"a request of {when} was cut off and may have been billed; ask again with --force"
            return self.keeper.row(task, "failed", self.engine, message)
        cost = float(task.media.duration) / 3600 * self.engine.price_per_hour
        flight.begin(take=task.name, size=task.media.size, cost=cost)
        return None

    def _after(self, task: Task, answer: Answer) -> Row:
        self.keeper.keep(task, self.engine, answer)
        self.keeper.flight(task).landed()
        return self.keeper.row(task, "made", self.engine)

    def _failed(self, task: Task, error: CutbookError) -> Row:
        if not isinstance(error, MayBeBilled):
            self.keeper.flight(task).landed()
        state = "pending" if isinstance(error, QuotaUsedUp) else "failed"
        return self.keeper.row(task, state, self.engine, str(error))

    def _waiting(self, task: Task, done: Fraction, total: Fraction) -> Callable[[], None]:
        return lambda: self._tell(done, total, f"{task.name}: another process is at it; waiting")

    def _teller(self, task: Task, done: Fraction, total: Fraction) -> Heard:
        def tell(seconds: Fraction, line: str = "", /) -> None:
            self._tell(done + seconds, total, f"{task.name}: {line}" if line else task.name)

        return tell

    def _tell(self, done: Fraction, total: Fraction, line: str) -> None:
        if self.progress is not None:
            self.progress(float(done / total) if total else 1.0, line)


def _hear(engine: Engine, task: Task, progress: Heard | None, cancel: threading.Event | None) -> Answer:
    return engine.transcribe(
        task.media,
        task.track,
        language=task.language,
        speakers=task.speakers,
        progress=progress,
        cancel=cancel,
    )
