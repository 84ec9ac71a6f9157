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

from benchmarks import Reading, benchmark
from cutbook.files import UserFolders
from cutbook.memory import context, log, material, standing
from cutbook.memory.compare import Scene
from cutbook.memory.index import NAME
from cutbook.memory.search import Place, search_logs
from cutbook.memory.session import Session

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


def fastest(work: Callable[[], object], times: int = 5) -> float:
    """Return the seconds of the fastest of several tries."""
    found = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        found.append(time.perf_counter() - began)
    return min(found)


@benchmark("The context pack of 1,000 sessions with 10,000 entries (bar: 0.2 s once the log is read)")
def pack() -> Sequence[Reading]:
    """Time a pack of 2,000 tokens, without anchors to look at."""
    with place() as (base, folders):
        session = Session(base / "edit", folders)
        session.edit.mkdir()
        session.log_path.write_bytes(written(1000, 10, 1))

        def made(task: str | None = None) -> context.Pack:
            stands = standing.standing(session, Scene())
            return context.pack(material.gather(stands, task=task), task=task)

        began = time.perf_counter()
        first = made()
        cold = time.perf_counter() - began
        note = f"{first.meta['tokens']} tokens, {first.meta['returned']} of {first.meta['matched']} entries"
        first_task = fastest(lambda: made(TASK), 1)
        return [
            Reading(
                label="parsing the log", value=fastest(lambda: log.parse(session.log_path.read_bytes()), 3)
            ),
            Reading(label="the first pack in a process", value=cold, note="parsing included"),
            Reading(label="a pack", value=fastest(made), note=note),
            Reading(label="the first pack for a task", value=first_task, note="every word is stemmed once"),
            Reading(label="a pack for a task", value=fastest(lambda: made(TASK))),
        ]


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
        began = time.perf_counter()
        found = search_logs(folders, places, "jump demo")
        build = time.perf_counter() - began
        size = sum(each.stat().st_size for each in folders.cache.glob(f"{NAME}*"))
        readings = [
            Reading(
                label="building", value=build, note=f"{size / 1e6:.1f} MB, {found.meta['matched']} found"
            ),
            *(
                Reading(label=f"“{text}”", value=fastest(partial(search_logs, folders, places, text)))
                for text in ("jump demo", "jump", "zebra", "hook intro warm grade")
            ),
        ]
        path.write_bytes(written(51, 10, 199))
        readings.append(
            Reading(
                label="after one log changed", value=fastest(lambda: search_logs(folders, places, "jump"), 1)
            )
        )
        return readings
