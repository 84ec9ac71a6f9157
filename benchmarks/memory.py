"""What it costs to pick a project up again, when it has been worked on a thousand times."""

from __future__ import annotations

import datetime as dt
import random
import resource as system
import statistics
import string
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path

from benchmarks import Reading, benchmark
from cutbook.edit.edl import Edl, Range
from cutbook.edit.take import Take
from cutbook.files import Fingerprint, UserFolders
from cutbook.media.probe import Media, Picture
from cutbook.memory.anchors import media_anchor, words_anchor
from cutbook.memory.changes import range_changes
from cutbook.memory.session import Session
from cutbook.memory.text import one_line
from cutbook.memory.tried import gist, names
from cutbook.memory.verbs import Memory
from cutbook.memory.wording import quote_of
from cutbook.memory.written import endings
from cutbook.timebase import Span
from cutbook.transcripts.model import Transcript, Word

SESSIONS, TAKES, ROUNDS = 1_000, 20, 5
_FRESH = """
import shutil, sys
from pathlib import Path
from benchmarks.memory import memory, spent
mind = memory(Path(sys.argv[1]))
if sys.argv[3:] == ["bare"]:
    shutil.rmtree(Path(sys.argv[1]) / "cache", ignore_errors=True)
print(*spent(getattr(mind, sys.argv[2])), *spent(getattr(mind, sys.argv[2])))
"""


def take(number: int) -> Take:
    """Make a take of ten minutes with two words a second."""
    rate, length = Fraction(25), Fraction(600)
    picture = Picture(
        index=0, codec="h264", width=64, height=36, coded=(64, 36), rotation=0, sample_aspect=Fraction(1), rate=rate,
        average_rate=rate, variable=False, time_base=Fraction(1, 12800), start=Fraction(0), duration=length,
        frames=15_000, pixel_format="yuv420p", bit_depth=8, interlaced=False, full_range=False,
    )  # fmt: skip
    name = f"C{number:04d}"
    media = Media(Path(f"{name}.mp4"), "mp4", 1000 + number, Fraction(0), length, picture, ())
    words = tuple(
        Word(n + 1, f"word{n * 7 % 501}", Fraction(n, 2), Fraction(n, 2) + Fraction(2, 5))
        for n in range(1200)
    )
    print_ = Fingerprint(1000 + number, f"{number:064x}")
    return Take.given(name, media, print_, transcript=Transcript(words, "en", "local", "base"))


def memory(base: Path) -> Memory:
    """Give the memory of the project in ``base``; its takes are known, so that the memory alone is timed."""
    folders = UserFolders(base / "cache", base / "state", base / "config")
    takes = {one.name: one for one in map(take, range(TAKES))}
    return Memory(Session(base / "edit", folders), takes=lambda: takes, edl=lambda: None)


def write(base: Path, sessions: int) -> int:
    """Write a project.md of so many sessions, ten entries each, every decision anchored; give its bytes."""
    draw = random.Random(1)  # noqa: S311 - the same log each time
    takes = [take(number) for number in range(TAKES)]

    def name(kind: str) -> str:
        return f"{kind}-{''.join(draw.choices(string.ascii_lowercase + string.digits, k=5))}"

    parts = ["---\nschema: cutbook/1\ntitle: bench\n---\n"]
    for session in range(1, sessions + 1):
        day = dt.date(2020, 1, 1) + dt.timedelta(days=session)
        parts.append(
            f"\n## Session {session} — {day}\n\n**Strategy:** Tighten part {session}.\n\n**Decisions:**\n"
        )
        for _ in range(8):
            one = draw.choice(takes)
            start = Fraction(draw.randrange(0, 50_000), 100)
            span = Span(start, start + 4)
            tokens = f"{media_anchor(one).token} {words_anchor(one, span).token}"
            words = " ".join(draw.choices(_WORDS, k=8))
            parts.append(f"- {words}. <!-- m {name('d')} {tokens} -->\n")
        parts.append(
            f"\n**Reasoning log:**\n- {' '.join(draw.choices(_WORDS, k=8))}. <!-- m {name('r')} -->\n"
        )
        parts.append(f"\n**Outstanding:**\n- [x] Task {session}. <!-- m {name('o')} -->\n")
    path = base / "edit" / "project.md"
    path.parent.mkdir(parents=True)
    path.write_text("".join(parts), encoding="utf-8")
    return path.stat().st_size


def ranges(number: int) -> list[Range]:
    """Make a cut of so many ranges of four seconds, out of all takes in turn."""
    found = []
    for place in range(number):
        start = 100 + place // TAKES * 110
        found.append(
            Range(
                id=f"r-{place:05d}",
                source=f"C{place % TAKES:04d}",
                frames=(start, start + 100),
                rate=Fraction(25),
            )
        )
    return found


@benchmark("what an edit of one of 500 ranges costs to tell which written decisions end (bar: 0.02 s)")
def told_at_an_edit() -> Sequence[Reading]:
    """Trim range after range in a project of a thousand sessions, each with eight written decisions on spans."""
    with tempfile.TemporaryDirectory() as place:
        size = write(Path(place), SESSIONS)
        mind = memory(Path(place))
        takes = {one.name: one for one in map(take, range(TAKES))}
        cut = ranges(500)
        mind.session.note("cut", changes=range_changes(None, Edl(ranges=tuple(cut)), takes))
        costs, said = [], 0
        for at in range(1, 12):
            before = tuple(cut)
            cut[at] = replace(cut[at], frames=(cut[at].frames[0] + 10, cut[at].frames[1]))
            changes = range_changes(Edl(ranges=before), Edl(ranges=tuple(cut)), takes)
            event = mind.session.note("trim", changes=changes)
            if event is None:
                continue
            ended = partial(endings, mind.session, event, before, tuple(cut))
            costs.append(spent(ended))
            said += bool(ended())
    rest = costs[1:]
    middle = tuple(statistics.median(column) for column in zip(*rest, strict=True))
    worst = max(rest)
    note = f"{SESSIONS * 10:,} entries, project.md of {size / 1000:,.0f} kB; {said} of {len(costs)} edits ended any"
    return [
        reading("first in its process", costs[0], note),
        reading("median of the others", (middle[0], middle[1], middle[2])),
        reading("worst of the others", worst),
    ]


_WORDS = (
    "hook slip warm grade harbour drone title whoosh demo phone quote music silence cutaway portrait caption price "
    "logo bakery website vignette grain split screen background accent lower third opening ending breath pause"
).split()


def spent(work: Callable[[], object]) -> tuple[float, float, float]:
    """Give the seconds of processor and clock that some work took, and the most memory of this process in MB."""
    began, before = time.perf_counter(), time.process_time()
    work()
    clock, processor = time.perf_counter() - began, time.process_time() - before
    return processor, clock, peak()


def peak() -> float:
    """Give the most memory that this process has held, in MB."""
    status = Path("/proc/self/status")
    if status.exists():  # what getrusage says here starts at the size of the process that forked this one
        rows = (line.split() for line in status.read_text("utf-8").splitlines())
        return next(int(row[1]) / 1024 for row in rows if row[0] == "VmHWM:")
    return system.getrusage(system.RUSAGE_SELF).ru_maxrss / (1024**2 if sys.platform == "darwin" else 1024)


def fresh(script: str, *words: str, rounds: int = ROUNDS) -> list[tuple[float, float, float]]:
    """Run a script in processes of its own, and give the medians of each three numbers of :func:`spent` it prints."""
    lines = []
    for _ in range(rounds):
        done = subprocess.run(
            [sys.executable, "-c", script, *words], check=True, capture_output=True, text=True
        )
        lines.append([float(word) for word in done.stdout.split()])
    middle = [statistics.median(column) for column in zip(*lines, strict=True)]
    return [(middle[at], middle[at + 1], middle[at + 2]) for at in range(0, len(middle), 3)]


def reading(label: str, numbers: tuple[float, float, float], note: str = "") -> Reading:
    """Read the seconds of processor, and note those of the clock and the memory."""
    processor, clock, memory_mb = numbers
    said = f"{clock:.3f} s of clock, at most {memory_mb:.0f} MB"
    return Reading(label=label, value=processor, note=f"{said}; {note}" if note else said)


def answers(verb: str) -> Sequence[Reading]:
    """Time a verb in projects of ten and of a thousand sessions, first in its process and again."""
    found = []
    for sessions in (10, SESSIONS):
        with tempfile.TemporaryDirectory() as place:
            size = write(Path(place), sessions)
            bare, _ = fresh(_FRESH, place, verb, "bare")
            first, again = fresh(_FRESH, place, verb)
        note = f"{sessions * 10:,} entries, project.md of {size / 1000:,.0f} kB"
        found += [
            reading(f"{sessions:,} sessions, first, with an empty cache", bare, note),
            reading(f"{sessions:,} sessions, first", first),
            reading(f"{sessions:,} sessions, again", again),
        ]
    return found


@benchmark("%memory resume, every anchor compared: seconds of processor (bar: 0.1 s at 1,000 sessions)")
def resume() -> Sequence[Reading]:
    """Pick a project up in a fresh process, and again in the same one; medians of five processes."""
    return answers("resume")


@benchmark("%memory context, every anchor compared: seconds of processor (bar: 0.2 s at 1,000 sessions)")
def context() -> Sequence[Reading]:
    """Ask for the pack of 2,000 tokens in a fresh process, and again in the same one; medians of five processes."""
    return answers("context")


@benchmark("a text of 20,000 characters against what was given up: seconds of processor (bar: 0.05 s)")
def long_texts() -> Sequence[Reading]:
    """Read long texts of one kind of character each, as a new decision is read."""
    found = []
    for label, part in {
        "letters": "x",
        "Chinese": "字幕用简体",
        "figures": "1:",
        "spaces": " ",
        "quotes": "“",
    }.items():
        text = f"a{part * (20_000 // len(part))}b"
        numbers = spent(partial(_read, text))
        found.append(reading(f"20,000 characters: {label}", numbers))
    return found


def _read(text: str) -> None:
    gist.__wrapped__(text)
    names(text)
    quote_of(one_line(text))
