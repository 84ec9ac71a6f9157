from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cutbook.edit.edl import Edl
from cutbook.edit.take import Take
from cutbook.errors import FfmpegStopped
from cutbook.files import UserFolders
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.render.cache import Cache
from cutbook.render.film import Film, render
from cutbook.render.plan import plan
from cutbook.transcripts.model import Word
from tests.render.footage import Clip, edl, span


def words(*starts: float) -> tuple[Word, ...]:
    """Give a word of 0.4 s at each start."""
    times = [Fraction(str(start)) for start in starts]
    return tuple(Word(n, f"word{n}", at, at + Fraction(2, 5)) for n, at in enumerate(times, start=1))


class Bench:
    """One cut list of two takes, rendered again and again."""

    def __init__(self, clips: dict[str, Clip], folders: UserFolders, ffmpeg: Ffmpeg, place: Path) -> None:
        spoken = replace(clips["pal"], words=words(0.2, 1.0, 3.0))
        self.takes = {"pal": spoken.take("pal", folders), "mute": clips["mute"].take("mute", folders)}
        self.ffmpeg, self.edit, self.output = ffmpeg, place, place / "draft.mp4"

    def cut(self, *ranges: tuple[str, int, int]) -> Edl:
        """Give a cut list of (take, first, last)."""
        return edl(*(span(f"{n:05d}", self.takes[name], a, b) for n, (name, a, b) in enumerate(ranges)))

    def render(
        self, cut: Edl, *, captions: str | None = None, grade: str | None = None, **options: Any
    ) -> Film:
        """Render as a draft; `options` are the render's own."""
        planned = plan(cut, self.takes, captions=captions, grade=grade)
        return render(
            planned,
            takes=self.takes,
            edit=self.edit,
            output=self.output,
            ffmpeg=self.ffmpeg,
            tier_name="draft",
            pictures=False,
            **options,
        )


def bench(clips: dict[str, Clip], folders: UserFolders, ffmpeg: Ffmpeg, place: Path) -> Bench:
    """Give a bench in `place`."""
    return Bench(clips, folders, ffmpeg, place)


def test_only_what_changed_is_encoded(
    clips: dict[str, Clip], folders: UserFolders, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """Unchanged: same file; one range changed: one segment; moved: none; captions: those with words."""
    work = bench(clips, folders, one_runner, tmp_path)
    ranges = [("pal", 0, 15), ("mute", 5, 20), ("pal", 20, 40), ("pal", 45, 60), ("pal", 70, 90)]
    first = work.render(work.cut(*ranges))
    assert (first.encoded, first.cached, first.fresh) == (5, 0, True)
    stamp = work.output.stat()

    again = work.render(work.cut(*ranges))
    assert (again.encoded, again.cached, again.fresh) == (0, 5, False)
    assert again.sentence == "draft.mp4 (00:03) is up to date: 5 of 5 segments from cache."
    assert (work.output.stat().st_ino, work.output.stat().st_mtime_ns) == (stamp.st_ino, stamp.st_mtime_ns)

    ranges[2] = ("pal", 20, 43)
    changed = work.render(work.cut(*ranges))
    assert (changed.encoded, changed.cached, changed.fresh) == (1, 4, True)

    ranges = [*reversed(ranges), ranges[0]]
    moved = work.render(work.cut(*ranges))
    assert (moved.encoded, moved.cached, moved.fresh) == (0, 6, True)

    drawn = work.render(work.cut(*ranges), captions="bold-overlay")
    assert (drawn.encoded, drawn.cached) == (3, 3)
    assert "master.srt" in {file.name for file in tmp_path.iterdir()}

    work.output.write_bytes(b"not a film")
    mended = work.render(work.cut(*ranges), captions="bold-overlay")
    assert (mended.encoded, mended.fresh, mended.proof.ok) == (0, True, True)
    assert not list((tmp_path / "cache").glob("work-*"))


def test_of_twenty_ranges_the_one_that_changed_is_encoded(
    clips: dict[str, Clip], folders: UserFolders, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """One range of twenty longer, or one word of a caption corrected: one segment. Nothing: none, and no new file."""
    heard = words(*(0.2 * n for n in range(20)))
    work = bench(clips, folders, one_runner, tmp_path)
    work.takes["pal"] = replace(clips["pal"], words=heard).take("pal", folders)
    ranges = [("pal", 5 * n, 5 * n + 4) for n in range(20)]

    def made(text: str) -> tuple[int, int, int]:
        spoken = tuple(replace(word, text=text) if word.number == 8 else word for word in heard)
        work.takes["pal"] = replace(clips["pal"], words=spoken).take("pal", folders)
        film = work.render(work.cut(*ranges), captions="bold-overlay")
        assert film.proof.ok
        return (
            film.encoded,
            film.cached,
            sum(each.frames for each in plan(work.cut(*ranges), work.takes).segments),
        )

    def files() -> dict[Path, int]:
        """Give each file's own number: one that is written anew has another. The report says when it was made."""
        found = (each for each in tmp_path.rglob("*") if each.is_file() and each.parent.name != "verify")
        return {each: each.stat().st_ino for each in found}

    assert made("wrod") == (20, 0, 80)
    assert made("word") == (1, 19, 80)
    ranges[12] = ("pal", 60, 65)
    assert made("word") == (1, 19, 81)
    before = files()
    assert made("word") == (0, 20, 81)
    assert files() == before


@pytest.mark.parametrize("lost", ["segments", "sound", "records", ""])
def test_deleting_any_part_of_the_cache_costs_only_time(
    lost: str, clips: dict[str, Clip], folders: UserFolders, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """Without a folder of the cache, or without the cache, a render makes what is missing, in one go."""
    work = bench(clips, folders, one_runner, tmp_path)
    cut = work.cut(("pal", 0, 10), ("pal", 20, 30), ("mute", 0, 9))
    work.render(cut)
    shutil.rmtree(tmp_path / "cache" / lost)
    work.output.unlink()
    made = work.render(cut)
    assert (made.encoded, made.proof.ok) == (0 if lost in {"sound", "records"} else 3, True)


def test_a_segment_made_anew_by_a_render_that_was_stopped_is_believed(
    clips: dict[str, Clip], folders: UserFolders, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """What was made anew, by other threads, and never proved because the render ended before, is no damage."""
    work = bench(clips, folders, one_runner, tmp_path)
    # Of five processes with eight segments each, one or two more are done before the stop is seen.
    cut = work.cut(*(("pal", 2 * n, 2 * n + 2) for n in range(40)))
    work.render(cut, jobs=2)
    shutil.rmtree(tmp_path / "cache" / "segments")
    work.output.unlink()
    stop = threading.Event()

    def made_some(_share: float, what: str) -> None:
        if what.startswith("Encoding: ") and not what.startswith("Encoding: 0"):
            stop.set()

    with pytest.raises(FfmpegStopped):
        work.render(cut, jobs=1, progress=made_some, cancel=stop)
    kept = len(list((tmp_path / "cache" / "segments").iterdir()))
    assert 0 < kept < 40
    made = work.render(cut)
    assert (made.encoded, made.cached, made.proof.ok) == (40 - kept, kept, True)


def test_oldest_files_are_dropped_first(tmp_path: Path) -> None:
    """The cache drops what was used longest ago until it fits, and never what is in use."""
    cache = Cache(tmp_path)
    (tmp_path / "segments").mkdir()
    for age, name in enumerate(["new", "middle", "old", "older"]):
        file = cache.segment(name)
        file.write_bytes(b"x" * 100)
        os.utime(file, (1_000_000 - age, 1_000_000 - age))
    assert cache.prune([cache.segment("older")], limit=250) == 2
    assert sorted(file.stem for file in (tmp_path / "segments").iterdir()) == ["new", "older"]


WORKING = """
import sys, time
from pathlib import Path
from cutbook.render.cache import Cache
with Cache(Path(sys.argv[1])).workshop() as place:
    print(place.name, flush=True)
    time.sleep(60)
"""


def test_the_work_of_a_killed_render_is_removed_by_the_next(tmp_path: Path) -> None:
    """What a killed process left goes as the next render begins; what a living one works in stays."""
    command = [sys.executable, "-c", WORKING, str(tmp_path)]
    names = []
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as killed,
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as alive,
    ):
        try:
            for process in (killed, alive):
                assert process.stdout is not None
                names.append(process.stdout.readline().strip())
            killed.kill()
            killed.wait()
            with Cache(tmp_path).workshop() as mine:
                assert {each.name for each in tmp_path.glob("work-*")} == {names[1], mine.name}
        finally:
            killed.kill()
            alive.kill()
    with Cache(tmp_path).workshop() as mine:
        assert list(tmp_path.glob("work-*")) == [mine]
    assert not list(tmp_path.glob("work-*"))


def test_records_are_bounded(tmp_path: Path) -> None:
    """Of more small records than may be held the newest half stays."""
    cache = Cache(tmp_path)
    (tmp_path / "records").mkdir()
    for age in range(11):
        file = cache.record(f"r{age:02d}")
        file.write_text("{}", encoding="utf-8")
        os.utime(file, (1_000_000 - age, 1_000_000 - age))
    cache.prune([], records=11)
    assert len(list((tmp_path / "records").iterdir())) == 11
    cache.prune([], records=10)
    assert sorted(file.stem for file in (tmp_path / "records").iterdir()) == [
        f"r{age:02d}" for age in range(5)
    ]


def test_a_take_is_known_by_its_content(
    clips: dict[str, Clip], folders: UserFolders, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """A take that was renamed, even to an awkward name, is not encoded again."""
    work = bench(clips, folders, one_runner, tmp_path / "edit")
    work.render(work.cut(("pal", 0, 10)))
    odd = tmp_path / 'it\'s [a] "b"; #1 %d: C:\\x, 试 😀.mp4'
    odd.write_bytes(clips["pal"].path.read_bytes())
    renamed: Take = replace(clips["pal"], path=odd).take("pal", folders)
    work.takes["pal"] = renamed
    assert work.render(work.cut(("pal", 0, 10))).encoded == 0
    assert work.render(work.cut(("pal", 5, 15))).encoded == 1
