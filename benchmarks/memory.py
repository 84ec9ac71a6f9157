"""What it costs to pick a project up again, when it has been worked on a thousand times."""

from __future__ import annotations

import datetime as dt
import random
import statistics
import string
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from benchmarks import Reading, benchmark
from cutbook.edit.take import Take
from cutbook.files import Fingerprint, UserFolders
from cutbook.media.probe import Media, Picture
from cutbook.memory.anchors import media_anchor, words_anchor
from cutbook.memory.session import Session
from cutbook.memory.verbs import Memory
from cutbook.timebase import Span
from cutbook.transcripts.model import Transcript, Word

SESSIONS, ENTRIES, TAKES, ROUNDS = 1_000, 10_000, 20, 5
_FRESH = """
import sys, time
from pathlib import Path
from benchmarks.memory import memory
mind = memory(Path(sys.argv[1]))
began = time.perf_counter()
mind.resume()
print(time.perf_counter() - began)
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


_WORDS = (
    "hook slip warm grade harbour drone title whoosh demo phone quote music silence cutaway portrait caption price "
    "logo bakery website vignette grain split screen background accent lower third opening ending breath pause"
).split()


def _resume(base: Path) -> tuple[float, float]:
    """Give the seconds of the first resume of a fresh process, and of one after that (medians)."""
    first = []
    for _ in range(ROUNDS):
        done = subprocess.run(
            [sys.executable, "-c", _FRESH, str(base)], check=True, capture_output=True, text=True
        )
        first.append(float(done.stdout))
    mind = memory(base)
    mind.resume()
    again = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        mind.resume()
        again.append(time.perf_counter() - began)
    return statistics.median(first), statistics.median(again)


@benchmark("How long does %memory resume take, every anchor compared?")
def resume() -> Sequence[Reading]:
    """Compare a project of ten sessions with one of a thousand, in a fresh process and again in the same one."""
    found = []
    for sessions in (10, SESSIONS):
        with tempfile.TemporaryDirectory() as place:
            size = write(Path(place), sessions)
            first, again = _resume(Path(place))
        note = f"project.md of {size / 1000:,.0f} kB; medians of {ROUNDS}"
        found.append(Reading(label=f"{sessions:,} sessions, first", value=first, note=note))
        found.append(
            Reading(label=f"{sessions:,} sessions, again", value=again, note=f"{sessions * 10:,} entries")
        )
    return found
