"""What ten pictures of a Full HD film cost: in one opening, from the cache, and by ten starts of ffmpeg."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path

from benchmarks import Reading, benchmark
from cutbook.media.ffmpeg import find
from cutbook.media.frames import filmstrip, frames_at
from cutbook.media.probe import Media, probe

HEIGHT = 86
GROUPS = {"camera": 60, "x264": 250}
TURNS = 3
"""How often each way is gone, in turn with the others: their means are compared."""

VIEWS = {"6 s": (Fraction(3), Fraction(9)), "40 s": (Fraction(0), Fraction(40))}


def made(path: Path, group: int) -> Media:
    """Make 40 s of Full HD H.264 with B-frames and a keyframe every `group` pictures."""
    source = "testsrc2=size=1920x1080:rate=30:duration=40,noise=alls=6:allf=t"
    coding = [
        "-c:v",
        "libx264",
        "-preset",
        "veryfast",
        "-crf",
        "23",
        "-bf",
        "2",
        "-g",
        str(group),
        "-pix_fmt",
        "yuv420p",
    ]
    find().run(["-f", "lavfi", "-i", source, *coding, str(path)])
    return probe(path)


def processor(work: Callable[[], object]) -> tuple[float, float]:
    """Return the processor seconds, own and of processes started, and the wall seconds that `work` takes."""
    before, began = os.times(), time.perf_counter()
    work()
    wall, after = time.perf_counter() - began, os.times()
    return sum(after[:4]) - sum(before[:4]), wall


def ten_starts(media: Media, times: Sequence[Fraction]) -> None:
    """Ask ffmpeg ten times for one picture, the usual way."""
    ffmpeg = str(find().path)
    for at in times:
        asked = [
            "-ss",
            f"{float(at):.6f}",
            "-i",
            str(media.path),
            "-frames:v",
            "1",
            "-vf",
            f"scale=-2:{HEIGHT}",
        ]
        subprocess.run(
            [ffmpeg, "-nostdin", "-v", "error", *asked, "-f", "image2pipe", "-c:v", "png", "-"],
            check=True,
            capture_output=True,
        )


def ways(media: Media, times: Sequence[Fraction], cache: Path) -> dict[str, Callable[[], object]]:
    """Return the ways to ten pictures, by name; the last one finds what the one before it kept."""
    return {
        "ten starts of ffmpeg": partial(ten_starts, media, times),
        "one opening": partial(frames_at, media, times, height=HEIGHT),
        "one opening, keyframes": partial(frames_at, media, times, height=HEIGHT, exact=False),
        "into the cache": partial(filmstrip, media, times, height=HEIGHT, cache=cache, key="film"),
        "from the cache": partial(filmstrip, media, times, height=HEIGHT, cache=cache, key="film"),
    }


def compared(group: int, view: str) -> Sequence[Reading]:
    """Return what each way costs, in processor seconds."""
    start, end = VIEWS[view]
    times = [start + (end - start) * (2 * n + 1) / 20 for n in range(10)]
    with tempfile.TemporaryDirectory() as folder:
        media = made(Path(folder) / "film.mp4", group)
        spent: dict[str, list[tuple[float, float]]] = {}
        for turn in range(TURNS):
            for way, work in ways(media, times, Path(folder) / f"cache {turn}").items():
                spent.setdefault(way, []).append(processor(work))
    return [
        Reading(
            label=way,
            value=sum(seconds for seconds, _ in each) / TURNS,
            note=f"{sum(wall for _, wall in each) / TURNS:.3f} s on the clock",
        )
        for way, each in spent.items()
    ]


@benchmark(
    "Ten pictures of 6 s of a Full HD film, a keyframe every 8.3 s: processor seconds (bars: ×0.2, cached ×0.05)"
)
def close_by() -> Sequence[Reading]:
    """Compare pictures close together, in a film with the keyframes that x264 chooses."""
    return compared(GROUPS["x264"], "6 s")


@benchmark(
    "Ten pictures of 6 s of a Full HD film, a keyframe every 2 s: processor seconds (bars: ×0.2, cached ×0.05)"
)
def close_by_in_a_camera_file() -> Sequence[Reading]:
    """Compare pictures close together, in a film with many keyframes, which suits ten starts best."""
    return compared(GROUPS["camera"], "6 s")


@benchmark("Ten pictures of 40 s of a Full HD film, a keyframe every 2 s: processor seconds")
def far_apart() -> Sequence[Reading]:
    """Compare pictures far apart, where keyframes will do."""
    return compared(GROUPS["camera"], "40 s")
