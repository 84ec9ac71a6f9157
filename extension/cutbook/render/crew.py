"""The workers of one render: so many at once as the cores bear, stopped together, progress told as they go."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from pathlib import Path

from cutbook.errors import CutbookError, FfmpegStopped, InputError, RenderError
from cutbook.render.batches import gathered
from cutbook.render.jobs import PictureJob, SoundJob, make_pictures, make_sounds

Job = PictureJob | SoundJob
Batch = Sequence[PictureJob] | Sequence[SoundJob]
STOP = "stop"
"""The file of a work directory that says that its render was stopped."""

_TICK = 0.2
_PATIENCE = 10.0
_SHARE = 0.87
_SOUND_WEIGHT = 3


def cores() -> int:
    """Count the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Crew:
    """Run jobs on threads, or on an executor that was given, and stop them all when one fails or the user says so."""

    def __init__(
        self,
        *,
        jobs: int | None,
        executor: Executor | None,
        cancel: threading.Event | None,
        tell: Callable[[float, str], None],
    ) -> None:
        self.jobs = jobs or cores()
        self.cancel = cancel
        self._executor = executor
        self.tell = tell
        self._lock = threading.Lock()
        self._frames: dict[int, int] = {}
        self._total = 0
        self._pictures = 0
        self._done = 0

    def threads(self, jobs: int) -> int:
        """Give the threads of one job, so that jobs times threads are the cores."""
        return max(1, cores() // max(1, min(self.jobs, jobs)))

    def work(self, jobs: Sequence[Job]) -> None:
        """Do all jobs; the first error stops the rest and is raised.

        Raises:
            FfmpegStopped: the cancel event was set.
        """
        if not jobs:
            return
        ordered: list[Batch] = sorted(gathered(jobs, self.jobs), key=_weight, reverse=True)
        self._total = sum(_weight(batch) for batch in ordered)
        self._pictures = sum(map(_pictured, ordered))
        stop = threading.Event()
        if self._executor is not None:
            futures: dict[Future[tuple[Path, ...]], int] = {}
            try:
                with _given():
                    for number, batch in enumerate(ordered):
                        futures[self._executor.submit(_far, batch)] = number
                self._wait(futures, ordered, stop)
            except BaseException:
                # Elsewhere nobody sees an event of this process: what is under way ends at the sight of this file.
                for work in {job.work for job in jobs}:
                    with contextlib.suppress(OSError):
                        (work / STOP).touch()
                wait([future for future in futures if not future.cancelled()], timeout=_PATIENCE)
                raise
            return
        with ThreadPoolExecutor(self.jobs, thread_name_prefix="cutbook-render") as pool:
            try:
                futures = {
                    pool.submit(self._near, number, batch, stop): number
                    for number, batch in enumerate(ordered)
                }
                self._wait(futures, ordered, stop)
            except BaseException:
                stop.set()
                pool.shutdown(wait=True, cancel_futures=True)
                raise

    def _near(self, number: int, batch: Batch, stop: threading.Event) -> tuple[Path, ...]:
        return _made(batch, on_frame=lambda frames: self._count(number, frames), cancel=stop)

    def _wait(
        self, futures: dict[Future[tuple[Path, ...]], int], ordered: Sequence[Batch], stop: threading.Event
    ) -> None:
        left = set(futures)
        try:
            while left:
                done, left = wait(left, timeout=_TICK, return_when=FIRST_COMPLETED)
                self._look_up()
                for future in done:
                    with _given() if self._executor is not None else contextlib.nullcontext():
                        future.result()
                    batch = ordered[futures[future]]
                    self._done += _pictured(batch)
                    self._count(futures[future], _weight(batch))
                self._say()
        except BaseException:
            stop.set()
            for future in left:
                future.cancel()
            raise

    def _look_up(self) -> None:
        if self.cancel is not None and self.cancel.is_set():
            msg = "the render was stopped; the earlier file stays"
            raise FfmpegStopped(msg)

    def _count(self, number: int, frames: int) -> None:
        with self._lock:
            self._frames[number] = max(frames, self._frames.get(number, 0))

    def _say(self) -> None:
        with self._lock:
            share = min(1.0, sum(self._frames.values()) / max(1, self._total))
        what = (
            f"Encoding: {self._done} of {self._pictures} segments" if self._pictures else "Reading the sound"
        )
        self.tell(share * _SHARE, what)


def able(executor: object) -> None:
    """Check that an executor is one.

    Raises:
        InputError: it takes no jobs.
    """
    if executor is not None and not callable(getattr(executor, "submit", None)):
        msg = f"executor={executor!r} takes no jobs; give a concurrent.futures.Executor, or leave it out"
        raise InputError(msg)


@contextlib.contextmanager
def _given() -> Iterator[None]:
    """Tell in one line what an executor that was given cannot do; what went wrong in a job itself is said as it is."""
    try:
        yield
    except (CutbookError, OSError):
        raise
    except Exception as error:
        what = str(error).strip().splitlines()[:1] or [type(error).__name__]
        how = "lost a worker" if isinstance(error, BrokenExecutor) else "failed"
        msg = f"the executor {how} ({what[0]}); give a new one, or render without: what is done is kept"
        raise RenderError(msg) from error


def _weight(batch: Batch) -> int:
    return sum(job.frames if isinstance(job, PictureJob) else _SOUND_WEIGHT for job in batch)


def _pictured(batch: Batch) -> int:
    return sum(isinstance(job, PictureJob) for job in batch)


def _made(
    batch: Batch, *, cancel: threading.Event, on_frame: Callable[[int], None] | None = None
) -> tuple[Path, ...]:
    sounds = [job for job in batch if isinstance(job, SoundJob)]
    if sounds:
        return make_sounds(sounds, cancel=cancel)
    pictures = [job for job in batch if isinstance(job, PictureJob)]
    return make_pictures(pictures, on_frame=on_frame, cancel=cancel)


def _far(batch: Batch) -> tuple[Path, ...]:
    """Do jobs in another process: they end when the render was stopped, or their work directory is gone."""
    over = threading.Event()
    done = threading.Event()
    work = batch[0].work

    def watch() -> None:
        while not done.wait(_TICK):
            if (work / STOP).exists() or not work.is_dir():
                over.set()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        return _made(batch, cancel=over)
    finally:
        done.set()
        watcher.join()
