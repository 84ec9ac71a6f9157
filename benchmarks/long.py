"""What five hundred cuts of a three-hour take cost: the plan, the memory, what is left behind, and a draft of all."""

from __future__ import annotations

import multiprocessing
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from pathlib import Path

from benchmarks import Reading, benchmark
from cutbook.edit.edl import Edl, Range
from cutbook.edit.take import Take
from cutbook.files import UserFolders, fingerprint
from cutbook.media.ffmpeg import find
from cutbook.media.probe import probe
from cutbook.render.cache import LIMIT
from cutbook.render.film import render
from cutbook.render.plan import plan
from cutbook.transcripts.model import Transcript, Word

HOURS = 3
CUTS = 500
RATE = Fraction(30)
LENGTH = 30
EVERY = HOURS * 3600 * 30 // CUTS


def footage(path: Path) -> None:
    """Make a minute of small pictures with sound, and copy it until it lasts three hours."""
    minute = path.with_name("minute.mp4")
    shown = f"testsrc2=size=320x180:rate={RATE}:duration=60,noise=alls=4:allf=t"
    coding = ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "28", "-g", "60", "-pix_fmt", "yuv420p"]
    heard = ["-f", "lavfi", "-i", "anoisesrc=d=60:a=0.1:seed=3:r=48000", "-c:a", "aac", "-b:a", "96k"]
    find().run(["-f", "lavfi", "-i", shown, *heard, *coding, str(minute)])
    find().run(["-stream_loop", str(60 * HOURS - 1), "-i", str(minute), "-c", "copy", str(path)])
    minute.unlink()


def words() -> tuple[Word, ...]:
    """Give a word each half second of three hours."""
    half = Fraction(1, 2)
    return tuple(Word(n, f"word{n}", n * half, (n + 1) * half) for n in range(HOURS * 7200))


def clocked(work: Callable[[], object]) -> tuple[float, float]:
    """Give the seconds on the clock, and those of the processor, that `work` takes with its processes."""
    began, before = time.perf_counter(), os.times()
    work()
    after = os.times()
    return time.perf_counter() - began, sum(after[:4]) - sum(before[:4])


def memory() -> float:
    """Give the most memory that this process ever held, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (
        1 << (20 if sys.platform == "darwin" else 10)
    )


def left(place: Path) -> int:
    """Count the temporary files and work directories in a folder."""
    return sum(each.name.startswith((".cutbook-", "cutbook-", "work-")) for each in place.rglob("*"))


def measured(place: Path) -> list[Reading]:
    """Plan and draft in a process that did nothing else."""
    temporary = place / "temporary"
    temporary.mkdir()
    tempfile.tempdir = str(temporary)
    source, edit = place / "source.mp4", place / "edit"
    folders = UserFolders(place / "cache", place / "state", place / "config")
    spoken = Transcript(words(), "en", "bench", "none")
    take = Take.given("source", probe(source), fingerprint(source, folders), transcript=spoken)
    starts = [n * EVERY + n % 7 for n in range(CUTS)]
    cut = Edl(
        ranges=tuple(
            Range(id=f"r-{n:05d}", source="source", frames=(at, at + LENGTH), rate=RATE)
            for n, at in enumerate(starts)
        )
    )
    before = memory()
    planning = clocked(lambda: plan(cut, {"source": take}))

    def draft() -> None:
        render(
            plan(cut, {"source": take}),
            takes={"source": take},
            edit=edit,
            output=place / "draft.mp4",
            ffmpeg=find(),
            tier_name="draft",
            pictures=False,
        )

    first, again = clocked(draft), clocked(draft)
    held = sum(each.stat().st_size for each in (edit / "cache").rglob("*") if each.is_file())
    return [
        Reading(label="plan", value=planning[1], unit="s CPU", note=f"{planning[0]:.2f} s; bar: 1 s"),
        Reading(
            label="draft of all cuts", value=first[1], unit="s CPU", note=f"{first[0]:.0f} s on the clock"
        ),
        Reading(label="draft, nothing changed", value=again[1], unit="s CPU", note=f"{again[0]:.1f} s"),
        Reading(label="memory before", value=before, unit="MB", note="modules, words and the take"),
        Reading(label="memory at most", value=memory(), unit="MB", note="bar: 500 MB"),
        Reading(label="the cache", value=held / 1e6, unit="MB", note=f"bound: {LIMIT / 1e6:.0f} MB"),
        Reading(label="left behind", value=left(place), unit="files", note="bar: none"),
    ]


@benchmark("What do 500 cuts of a three-hour take cost?")
def cuts() -> Sequence[Reading]:
    """Make the take, and have another process plan and draft it."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        footage(place / "source.mp4")
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
            return pool.submit(measured, place).result()
