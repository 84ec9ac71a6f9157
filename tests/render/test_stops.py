from __future__ import annotations

import contextlib
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from fractions import Fraction
from multiprocessing import get_context
from pathlib import Path

import pytest

from cutbook.errors import FfmpegStopped
from cutbook.files import UserFolders
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.render.film import Film, render
from cutbook.render.plan import plan
from tests.needs import require
from tests.render.footage import Clip, edl, film, number, pictures, span
from tests.render.rendering import film as finish

ROOT = Path(__file__).parents[2]


def running(place: Path) -> list[str]:
    """Give the command lines of processes that work in a folder, but for Python's own."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = file.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            here = str(file.parent.joinpath("cwd").readlink())
        except OSError:
            continue
        if "ffmpeg" in line.split(" ")[0] and (str(place) in line or here.startswith(str(place))):
            found.append(line)
    return found


def gone(place: Path) -> bool:
    """Tell whether such processes end within some seconds."""
    for _ in range(50):
        if not running(place):
            return True
        time.sleep(0.1)
    return False


def segments(place: Path) -> list[Path]:
    """Give the segments that are kept under their final names."""
    return sorted((place / "edit" / "cache" / "segments").glob("[!.]*.mp4"))


@pytest.mark.timeout(600)
@pytest.mark.parametrize("rounds", [3, pytest.param(20, marks=pytest.mark.matrix)])
def test_an_interrupt_or_a_kill_leaves_nothing_half(rounds: int, any_ffmpeg: Path, tmp_path: Path) -> None:
    """Stopped at any point: no process is left, no half film; the next render takes up what was done."""
    require(Path("/proc").is_dir() and shutil.which("setpriv"), "no /proc, or no setpriv of util-linux")
    film(tmp_path / "take.mp4", any_ffmpeg, rate=Fraction(25), frames=200, size=(320, 180))
    output = tmp_path / "film.mp4"
    chance = random.Random(7)  # noqa: S311 - nothing is kept secret
    command = [sys.executable, "-m", "tests.render.rendering", str(tmp_path), str(any_ffmpeg)]
    for turn in range(rounds):
        process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL, start_new_session=True)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.5 + chance.random() * 2.5)
        process.send_signal(signal.SIGKILL if turn % 2 else signal.SIGINT)
        process.wait(30)
        assert gone(tmp_path)
        if output.exists():
            assert len(pictures(output)) == 160
        assert {len(pictures(each)) for each in segments(tmp_path)} <= {20}
        if chance.random() < 0.3:
            shutil.rmtree(tmp_path / "edit" / "cache", ignore_errors=True)
            output.unlink(missing_ok=True)
    kept = len(segments(tmp_path))
    made = finish(tmp_path, any_ffmpeg)
    assert made.proof.ok
    assert made.cached == kept
    assert not [each for each in tmp_path.rglob("*") if each.name.startswith((".cutbook-", "work-"))]
    shown = [number(each, (0, 0, 320, 180)) for each in pictures(output)]
    assert shown == [24 * n + k for n in range(8) for k in range(20)]


@contextmanager
def executor(kind: str) -> Iterator[Executor]:
    """Give two worker processes."""
    if kind == "processes":
        with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
            yield pool
        return
    import warnings

    distributed = pytest.importorskip("distributed", reason="NOT TESTED HERE: Dask is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cluster = distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True
        )
        try:
            with distributed.Client(cluster) as client:
                yield client.get_executor(pure=False)
        finally:
            cluster.close()


@pytest.mark.parametrize("kind", ["processes", "dask"])
def test_any_executor_takes_the_jobs_and_a_stop_ends_them(
    kind: str, clips: dict[str, Clip], folders: UserFolders, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """Workers in other processes make the same film; a stop ends their ffmpeg and leaves no work directory."""
    takes = {"pal": clips["pal"].take("pal", folders)}
    cut = edl(*(span(f"{n:05d}", takes["pal"], 20 * n, 20 * n + 15) for n in range(4)))
    with executor(kind) as workers:

        def make(*, size: tuple[int, int], cancel: threading.Event | None = None) -> Film:
            return render(
                plan(cut, takes, size=size),
                takes=takes,
                edit=tmp_path / "edit",
                output=tmp_path / "film.mp4",
                ffmpeg=one_runner,
                tier_name="final",
                executor=workers,
                pictures=False,
                cancel=cancel,
            )

        made = make(size=(160, 90))
        assert made.proof.ok
        shown = [number(each, (0, 0, 160, 90)) for each in pictures(made.path)]
        assert shown == [20 * n + k for n in range(4) for k in range(15)]
        stop = threading.Event()
        timer = threading.Timer(0.7, stop.set)
        timer.start()
        with pytest.raises(FfmpegStopped):
            make(size=(3840, 2160), cancel=stop)
        timer.join()
        assert gone(tmp_path)
        assert not list((tmp_path / "edit" / "cache").glob("work-*"))
        assert len(pictures(made.path)) == 60
