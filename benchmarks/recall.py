"""What a memory of years costs: the context pack of 10,000 entries, and search in 200 projects with 100,000."""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from benchmarks import Reading, benchmark, memory
from cutbook.files import UserFolders
from cutbook.memory.index import NAME
from cutbook.memory.search import Found, Place, search_logs

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


_ASKED = """
import sys
from functools import partial
from pathlib import Path
from benchmarks.memory import spent
from benchmarks.recall import asked
print(*(number for text in sys.argv[2:] for number in spent(partial(asked, Path(sys.argv[1]), text))))
"""


def asked(base: Path, text: str) -> Found:
    """Search in every project under ``base``."""
    folders = UserFolders(base / "cache", base / "state", base / "config")
    places = (Place(path, path.parent.parent.name) for path in sorted(base.glob("p*/edit/project.md")))
    return search_logs(folders, places, text)


@benchmark("The context pack of 1,000 sessions for a task, in one process (bar: 0.2 s of processor)")
def pack() -> Sequence[Reading]:
    """Time packs of 2,000 tokens, of no task and of one, all in a process that knows the log."""
    with place() as (base, _):
        memory.write(base, memory.SESSIONS)
        mind = memory.memory(base)
        mind.context()
        found = []
        for label, task in (
            ("a pack", None),
            ("a pack for a task, first", TASK),
            ("a pack for a task", TASK),
        ):
            numbers = memory.spent(partial(mind.context, task=task))
            meta = mind.context(task=task).meta
            note = f"{meta['tokens']} tokens, {meta['returned']} of {meta['matched']} entries"
            found.append(memory.reading(label, numbers, note))
        return found


@benchmark(
    "Search in 200 projects with 100,000 entries: seconds of processor (bars: 0.05 s warm, 2 s to build)"
)
def everywhere() -> Sequence[Reading]:
    """Time building the index, asking it in a fresh process and again, and asking it after one log changed."""
    with place() as (base, folders):
        for number in range(200):
            path = base / f"p{number}" / "edit" / "project.md"
            path.parent.mkdir(parents=True)
            path.write_bytes(written(50, 10, number))
            os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))
        (built,) = memory.fresh(_ASKED, str(base), "jump demo", rounds=1)
        size = sum(each.stat().st_size for each in folders.cache.glob(f"{NAME}*"))
        readings = [memory.reading("building", built, f"an index of {size / 1e6:.1f} MB")]
        texts = ("jump demo", "jump demo", "jump", "zebra", "hook intro warm grade")
        for at, (text, numbers) in enumerate(
            zip(texts, memory.fresh(_ASKED, str(base), *texts), strict=True)
        ):
            note = f"{asked(base, text).meta['matched']} found"
            label = f"“{text}”, first of a process" if at == 0 else f"“{text}”"
            readings.append(memory.reading(label, numbers, note))
        path.write_bytes(written(51, 10, 199))
        (changed,) = memory.fresh(_ASKED, str(base), "jump", rounds=1)
        readings.append(memory.reading("after one log changed", changed))
        return readings
