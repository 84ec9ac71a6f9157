"""What other processes do to a memory; light to import, since many are started."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from multiprocessing.context import ForkServerContext
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from pathlib import Path

from cutbook.memory.draft import persist
from tests.memory.helpers import session


def processes() -> ForkServerContext:
    """Give a way to start processes that have what they need loaded already."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["__main__", "tests.memory.crowd", "frontmatter.default_handlers"])
    return context


def at_once(base: Path, number: int, gate: Barrier, numbers: Queue[int]) -> None:
    """Note something, wait for all the others, persist, and live on until the last is done."""
    work = session(base)
    work.note("note", entry=f"r-{number:05d}", text=f"I am number {number}.")
    gate.wait()
    section = persist(work)
    assert section is not None
    numbers.put(section.number)
    gate.wait()


def killed(base: Path, step: int) -> None:
    """Persist, and be killed when the file system is touched for the `step`-th time."""
    work = session(base)
    left = step

    def watch(event: str, _: object) -> None:
        nonlocal left
        if event in {"open", "os.rename", "os.chmod", "os.remove", "os.mkdir"}:
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)
    persist(work)
    os._exit(0)
