"""What the second look at a track costs: hashing its payload against reading its file."""

from __future__ import annotations

import hashlib
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from benchmarks import Reading, benchmark
from cutbook.media.packets import payload
from cutbook.media.probe import probe
from tests.footage import run

SECONDS = 60
ROUNDS = 3


def best(act: Callable[[], object]) -> float:
    """Return the least wall seconds of some runs."""
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        act()
        times.append(time.perf_counter() - began)
    return min(times)


def whole(path: Path) -> str:
    """Read a file and hash it."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def make(folder: Path) -> dict[str, Path]:
    """Make a camera's minute (50 Mbit/s, AAC) in two containers, and as a stream; and an hour of sound alone."""
    clip = folder / "camera.mp4"
    picture = "testsrc2=size=640x360:rate=30,noise=alls=100:allf=t"
    sound = "anoisesrc=r=48000:a=0.2,aformat=channel_layouts=stereo"
    codec = ["-c:v", "libx264", "-preset", "ultrafast", "-b:v", "50M", "-minrate", "50M", "-bufsize", "50M"]
    inputs = [
        "-f",
        "lavfi",
        "-t",
        SECONDS // 6,
        "-i",
        picture,
        "-f",
        "lavfi",
        "-t",
        SECONDS // 6,
        "-i",
        sound,
    ]
    part = folder / "part.mp4"
    run(*inputs, *codec, "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "192k", part)
    run("-stream_loop", 5, "-i", part, "-c", "copy", clip)
    files = {"MP4, a camera's": clip}
    for label, suffix in (("the same in MKV", "mkv"), ("the same in TS", "ts")):
        files[label] = folder / f"camera.{suffix}"
        run("-i", clip, "-c", "copy", files[label])
    for label, name in (("an hour of AAC in M4A", "hour.m4a"), ("an hour of WAV", "hour.wav")):
        files[label] = folder / name
        run("-f", "lavfi", "-t", 3600, "-i", "anoisesrc=r=48000:a=0.2", "-b:a", "128k", files[label])
    return files


@benchmark("What does hashing a track's payload cost against reading and hashing the whole file?")
def packets() -> Sequence[Reading]:
    """Compare `payload` with sha256 over the file, in seconds a gigabyte of file, from the system's cache."""
    readings = []
    with tempfile.TemporaryDirectory() as folder:
        for label, path in make(Path(folder)).items():
            media, size = probe(path), path.stat().st_size / 1e9
            reading, hashing = best(partial(whole, path)), best(partial(payload, media, 0))
            note = f"{hashing / reading:.2f} of sha256 over the file; {hashing:.3f} s for {size:.2f} GB"
            readings.append(Reading(label=label, value=hashing / size, unit="s/GB", note=note))
    return readings
