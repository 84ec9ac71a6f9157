from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from cutbook.edit.edl import Edl, Music, Overlay
from cutbook.errors import InputError, MediaError, RenderError
from cutbook.files import UserFolders
from cutbook.media import proxy
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.media.probe import probe
from tests.render.footage import Clip, number, pictures
from tests.render.test_cache import Bench, bench


class Surprised(Executor):
    """Threads that find something done to the files as the first job comes in."""

    def __init__(self, what: Callable[[], object]) -> None:
        self._what: Callable[[], object] | None = what
        self._pool = ThreadPoolExecutor(2)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        """Do what is done, once, and take the job."""
        what, self._what = self._what, None
        if what is not None:
            what()
        return self._pool.submit(fn, *args, **options)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002 - as it is
        """End the threads."""
        self._pool.shutdown(wait=wait, cancel_futures=cancel_futures)


@contextmanager
def away(path: Path, other: Path) -> Iterator[Surprised]:
    """Put another file in a file's place as the first job comes, and the first one back afterwards."""
    kept, found = path.read_bytes(), path.stat()

    def swap() -> None:
        part = path.with_suffix(".part")
        shutil.copy(other, part)
        if part.stat().st_size == found.st_size:
            os.utime(part, ns=(found.st_atime_ns, found.st_mtime_ns))
        part.replace(path)

    try:
        with Surprised(swap) as workers:
            yield workers
    finally:
        path.write_bytes(kept)
        os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))


@pytest.fixture
def work(clips: dict[str, Clip], folders: UserFolders, one_runner: Ffmpeg, tmp_path: Path) -> Bench:
    """Return a bench whose take `pal` is a file of its own, in a folder with spaces."""
    made = bench(clips, folders, one_runner, tmp_path / "edit")
    own = tmp_path / "a plain.mp4"
    shutil.copy(clips["pal"].path, own)
    made.takes["pal"] = replace(clips["pal"], path=own).take("pal", folders)
    (tmp_path / "edit").mkdir()
    for name in ("over.mp4", "bed.mp4"):
        shutil.copy(clips["ntsc"].path, tmp_path / "edit" / name)
    return made


def laid(work: Bench) -> Edl:
    """Give a cut list of two ranges of `pal`, with an overlay and music."""
    cut = work.cut(("pal", 0, 15), ("pal", 20, 35))
    box = (Fraction(1, 2), Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
    over = Overlay(file="over.mp4", start_in_output=Fraction(1, 5), duration=Fraction(1, 2), box=box)
    return replace(cut, overlays=(over,), music=Music(file="bed.mp4"))


@pytest.mark.parametrize("kind", ["take", "take of the same size", "overlay", "music"])
def test_what_is_replaced_while_it_is_rendered_poisons_nothing(
    kind: str, work: Bench, clips: dict[str, Clip], tmp_path: Path
) -> None:
    """A file that becomes another during the render ends it by name; put back, the film is of the file that was."""
    path, name = {
        "overlay": (work.edit / "over.mp4", "over.mp4"),
        "music": (work.edit / "bed.mp4", "bed.mp4"),
    }.get(kind, (tmp_path / "a plain.mp4", "pal"))
    other = clips["cinema" if name == "pal" else "pal"].path
    if kind.endswith("size"):
        other = tmp_path / "other.mp4"
        data = bytearray(path.read_bytes())
        data[-1] ^= 1
        other.write_bytes(data)
    cut = laid(work)
    expected = f"{name} changed while it was rendered; render again"
    with away(path, other) as workers, pytest.raises(RenderError, match=f"^{expected}$"):
        work.render(cut, executor=workers)
    assert not work.output.exists()
    made = work.render(cut)
    assert made.proof.ok
    shown = [number(each, (0, 0, *_size(each))) for each in pictures(made.path)[:5]]
    assert shown == [0, 1, 2, 3, 4]


def _size(picture: Any) -> tuple[int, int]:
    return picture.shape[1], picture.shape[0]


def test_a_proxy_of_a_take_that_was_replaced_meanwhile_is_none(
    clips: dict[str, Clip], one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """What was made of a file that became another while it was read is not kept under the first one's name."""
    path = tmp_path / "take.mp4"
    shutil.copy(clips["pal"].path, path)
    media = probe(path)

    def swap(_share: float) -> None:
        shutil.copy(clips["ntsc"].path, tmp_path / "part.mp4")
        (tmp_path / "part.mp4").replace(path)

    with pytest.raises(MediaError, match=r"take\.mp4 changed while its proxy was made; try again"):
        proxy.proxy(media, folder=tmp_path / "p", name="take", content="1", ffmpeg=one_runner, progress=swap)
    assert proxy.known(tmp_path / "p", "take", content="1") is None


def test_an_executor_that_is_none_or_is_shut_is_told_in_one_line(work: Bench) -> None:
    """What takes no jobs is refused before anything is looked at; a pool that was shut is told, and kills nothing."""
    cut = work.cut(("pal", 0, 5))
    with pytest.raises(InputError, match=r"executor='pool' takes no jobs; give a concurrent\.futures"):
        work.render(cut, executor="pool")
    with ThreadPoolExecutor(1) as shut:
        pass
    with pytest.raises(
        RenderError, match=r"^the executor failed \(cannot schedule new futures after shutdown\); give"
    ):
        work.render(cut, executor=shut)
    assert work.render(cut).proof.ok


def test_a_killed_worker_is_told_in_one_line(work: Bench) -> None:
    """A pool whose worker was killed is of no more use: that is said, and the next render does without."""
    cut = work.cut(("pal", 0, 5))
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        pool.submit(os._exit, 1).exception()
        with pytest.raises(
            RenderError, match=r"^the executor lost a worker \(.*\); give a new one, or render without"
        ):
            work.render(cut, executor=pool)
    assert work.render(cut).proof.ok
