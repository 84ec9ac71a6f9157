"""What a memory of years costs: the context pack of 10,000 entries, and search in 200 projects with 100,000."""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from benchmarks import Reading, benchmark, memory
from cutbook.files import UserFolders
from cutbook.memory.index import NAME
from cutbook.memory.search import Place, search_logs

WORDS = (
    "hook intro demo pause breath cutaway logo music level caption grade warm tone speaker slide zoom jump take slip "
    "noise room hum mic client lower third opening closing answer question chapter title proof"
).split()
LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
TASK = "make the jump cuts of the demo warmer"


def written(sessions: int, entries: int, seed: int) -> bytes:
    """Write a log of so many sessions with so many decisions each, a tenth of them abandoned."""
    pick = random.Random(seed)  # noqa: S311 - the same log each time
    rows = [f"---\nschema: cutbook/1\ntitle: p{seed}\nuuid: 00000000-0000-0000-0000-{seed:012}\n---\n"]
    dropped = ""
    for number in range(1, sessions + 1):
        date = f"2026-{1 + number % 12:02}-{1 + number % 28:02}"
        rows.append(
            f"\n## Session {number} — {date}\n\n**Strategy:** Tighten. <!-- m s-{number} upto:e-0xw3c -->\n"
        )
        rows.append("\n**Decisions:**\n")
        for place in range(entries):
            name = "".join(pick.choices(LETTERS, k=5))
            text = " ".join(pick.choices(WORDS, k=11))
            take = f"C0{pick.randint(100, 120)}"
            if place == 0 and dropped:
                rows.append(f"- No longer: {text}. <!-- m e-{name} abandon {dropped} -->\n")
                continue
            rows.append(
                f"- {text} {take}. <!-- m d-{name} media:{take}=48210944.9f2c11aa03be edl:HOOK=77ab90cc12de -->\n"
            )
            dropped = f"d-{name}"
    return "".join(rows).encode()


@contextmanager
def place() -> Iterator[tuple[Path, UserFolders]]:
    """Give a folder, and a user's folders in it."""
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        yield base, UserFolders(base / "cache", base / "state", base / "config")


def timed(label: str, work: Callable[[], object], times: int = 5, note: str = "") -> Reading:
    """Read the seconds on the clock of the fastest of several tries, and note those of the processor."""
    walls, spent = [], []
    for _ in range(times):
        began, before = time.perf_counter(), time.process_time()
        work()
        walls.append(time.perf_counter() - began)
        spent.append(time.process_time() - before)
    said = f"{min(spent):.3f} s of processor"
    return Reading(label=label, value=min(walls), note=f"{said}; {note}" if note else said)


@benchmark("The context pack of 1,000 sessions with 10,000 entries, every anchor compared (bar: 0.2 s)")
def pack() -> Sequence[Reading]:
    """Time packs of 2,000 tokens, of no task and of one, the first in a process and those after it."""
    with place() as (base, _):
        memory.write(base, 1000)
        size = (base / "edit" / "project.md").stat().st_size
        found = []
        for label, task in (("a pack", None), ("a pack for a task", TASK)):
            mind = memory.memory(base)
            found.append(
                timed(f"{label}, first", partial(mind.context, task=task), 1, f"{size / 1e6:.1f} MB of log")
            )
            meta = mind.context(task=task).meta
            note = f"{meta['tokens']} tokens, {meta['returned']} of {meta['matched']} entries"
            found.append(timed(f"{label}, again", partial(mind.context, task=task), note=note))
        return found


@benchmark("Search in 200 projects with 100,000 entries (bars: 0.05 s warm, 2 s to build)")
def everywhere() -> Sequence[Reading]:
    """Time building the index, asking it, and asking it after one log changed."""
    with place() as (base, folders):
        places = []
        for number in range(200):
            path = base / f"p{number}" / "edit" / "project.md"
            path.parent.mkdir(parents=True)
            path.write_bytes(written(50, 10, number))
            os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))
            places.append(Place(path, f"p{number}"))
        ask = partial(search_logs, folders, places)
        readings = [timed("building", partial(ask, "jump demo"), 1)]
        size = sum(each.stat().st_size for each in folders.cache.glob(f"{NAME}*"))
        for text in ("jump demo", "jump", "zebra", "hook intro warm grade"):
            note = f"{ask(text).meta['matched']} found"
            readings.append(timed(f"“{text}”", partial(ask, text), note=note))
        path.write_bytes(written(51, 10, 199))
        readings.append(
            timed("after one log changed", partial(ask, "jump"), 1, f"an index of {size / 1e6:.1f} MB")
        )
        return readings
