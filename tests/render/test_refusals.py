from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from cutbook.errors import CutbookError, DiskFull, FfmpegStopped, PreflightError
from cutbook.files import UserFolders
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.render.film import Film, render
from cutbook.render.plan import Plan, plan
from tests.needs import require
from tests.render.footage import Clip, edl, film, span
from tests.render.test_cache import words

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def takes(clips: dict[str, Clip], folders: UserFolders) -> dict[str, Any]:
    """Return the takes of three clips, one of them with words."""
    spoken = replace(clips["pal"], words=words(0.2, 1.0, 2.0))
    return {"pal": spoken.take("pal", folders), "ntsc": clips["ntsc"].take("ntsc", folders)}


def short(takes: dict[str, Any], **more: Any) -> Plan:
    """Plan a film of two ranges."""
    return plan(edl(span("00001", takes["pal"], 0, 30), span("00002", takes["ntsc"], 10, 40)), takes, **more)


def make(planned: Plan, takes: dict[str, Any], ffmpeg: Ffmpeg, place: Path, **more: Any) -> Film:
    """Render a plan as a draft into `place`."""
    return render(
        planned,
        takes=takes,
        edit=place,
        output=place / "draft.mp4",
        ffmpeg=ffmpeg,
        tier_name="draft",
        pictures=False,
        **more,
    )


@pytest.mark.parametrize(
    ("grade", "sentence"),
    [
        ("no_such_filter=1", "no filter that ffmpeg can use"),
        ("eq=contrast=high", "no filter that ffmpeg can use"),
        ("fps=10", "changes the frames' number or times"),
        ("setpts=PTS*2", "changes the frames' number or times"),
        ("trim=start_frame=2,setpts=PTS-2", "changes the frames' number or times|no filter"),
    ],
)
def test_a_bad_grade_is_refused_before_anything_runs(
    grade: str, sentence: str, takes: dict[str, Any], runner: Ffmpeg, tmp_path: Path
) -> None:
    """A raw grade that is no filter, or that changes time, is refused and nothing is written."""
    with pytest.raises(PreflightError, match=sentence):
        make(short(takes, grade=grade), takes, runner, tmp_path / "edit")
    assert not (tmp_path / "edit").exists()


def test_every_grade_makes_a_film(takes: dict[str, Any], runner: Ffmpeg, tmp_path: Path) -> None:
    """Each preset, the automatic grade and a raw filter make segments of one film that is proved."""
    grades = (
        "warm_cinematic",
        "neutral_punch",
        "subtle",
        "auto",
        "hue=s=0,eq=contrast=1.2",
        "split[a][b];[a][b]blend",
    )
    ranges = [span(f"{n:05d}", takes["pal"], n, n + 4, grade=grade) for n, grade in enumerate(grades)]
    made = make(plan(edl(*ranges), takes), takes, runner, tmp_path)
    assert (made.encoded, made.proof.ok) == (6, True)


def test_a_glyph_that_no_font_has_is_named(takes: dict[str, Any], one_runner: Ffmpeg, tmp_path: Path) -> None:
    """A caption with a character that no font can draw is refused by name, where captions are burnt in."""
    takes["pal"] = replace_words(takes["pal"], "hello \u0378")
    with pytest.raises(PreflightError, match=r"no font here has the caption glyph .* \(U\+0378"):
        make(short(takes, captions="natural-sentence"), takes, one_runner, tmp_path)
    assert make(short(takes), takes, one_runner, tmp_path).proof.ok


def replace_words(take: Any, text: str) -> Any:
    """Give a take in which the first word is another."""
    first, *rest = take.transcript.words
    spoken = replace(take.transcript, words=(replace(first, text=text), *rest))
    return type(take).given(take.name, take.media, take.fingerprint, transcript=spoken)


def test_a_source_is_never_the_output(takes: dict[str, Any], one_runner: Ffmpeg, tmp_path: Path) -> None:
    """Rendering onto a take is refused."""
    with pytest.raises(PreflightError, match="sources are never overwritten"):
        render(short(takes), takes=takes, edit=tmp_path, output=takes["pal"].path, ffmpeg=one_runner)


def test_a_take_that_is_gone_or_other_is_named(
    clips: dict[str, Clip], folders: UserFolders, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """A take that was removed, or replaced, since it was opened is named before the first frame."""
    copy = tmp_path / "copy.mp4"
    copy.write_bytes(clips["pal"].path.read_bytes())
    takes: dict[str, Any] = {"copy": replace(clips["pal"], path=copy).take("copy", folders)}
    planned = plan(edl(span("00001", takes["copy"], 0, 10)), takes)
    copy.write_bytes(copy.read_bytes() + b"more")
    with pytest.raises(PreflightError, match="the take copy has changed"):
        make(planned, takes, one_runner, tmp_path / "edit")
    copy.unlink()
    with pytest.raises(PreflightError, match="the take copy is gone"):
        make(planned, takes, one_runner, tmp_path / "edit")


def test_a_broken_off_take_is_named_with_its_place(
    any_ffmpeg: Path, folders: UserFolders, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """Frames that cannot be decoded are an error that names the take and the place, and the old film stays."""
    options = {"codec": ("-c:v", "libx264", "-g", "10", "-pix_fmt", "yuv420p", "-movflags", "+faststart")}
    clip = film(tmp_path / "long.mp4", any_ffmpeg, rate=Fraction(25), frames=80, **options)  # type: ignore[arg-type]
    data = clip.path.read_bytes()
    takes: dict[str, Any] = {"long": clip.take("long", folders)}
    made = make(plan(edl(span("00001", takes["long"], 0, 20)), takes), takes, one_runner, tmp_path / "edit")
    whole = made.path.read_bytes()
    clip.path.write_bytes(data[: len(data) // 2] + bytes(len(data) - len(data) // 2))
    with pytest.raises(CutbookError, match=r"long (2\.40-3\.20|from 2\.40 s): "):
        make(plan(edl(span("00001", takes["long"], 60, 80)), takes), takes, one_runner, tmp_path / "edit")
    assert made.path.read_bytes() == whole


def test_a_set_cancel_event_stops_the_render(
    takes: dict[str, Any], one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """A cancel event that is set leaves no film and no work directory."""
    cancel = Event()
    cancel.set()
    with pytest.raises(FfmpegStopped):
        make(short(takes), takes, one_runner, tmp_path, cancel=cancel)
    assert not (tmp_path / "draft.mp4").exists()
    assert not list((tmp_path / "cache").glob("work-*"))


def test_jobs_go_to_an_executor(takes: dict[str, Any], one_runner: Ffmpeg, tmp_path: Path) -> None:
    """Worker processes of an executor make the same film as threads do."""
    here = make(short(takes), takes, one_runner, tmp_path / "here")
    with ProcessPoolExecutor(1) as pool:
        there = make(short(takes), takes, one_runner, tmp_path / "there", executor=pool)
    assert here.path.read_bytes() == there.path.read_bytes()


CHILD = """
    import pickle, sys
    from pathlib import Path
    from cutbook.render.film import render
    planned, media, ffmpeg, place = pickle.loads(Path(sys.argv[1]).read_bytes())
    from cutbook.edit.take import Take
    takes = {name: Take.given(name, *known) for name, known in media.items()}
    tell = lambda share, what: print(share, what, flush=True)
    render(planned, takes=takes, edit=place, output=place / "final.mp4", ffmpeg=ffmpeg, tier_name="final",
           progress=tell)
"""


def test_an_interrupt_leaves_no_ffmpeg_and_the_old_file(
    clips: dict[str, Clip], folders: UserFolders, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """Ctrl-C in the middle of a render ends every ffmpeg, leaves the old film whole and nothing half-made."""
    take = clips["pal"].take("pal", folders)
    ranges = [span(f"{n:05d}", take, n, n + 60) for n in range(12)]
    planned = plan(edl(*ranges), {"pal": take}, size=(1920, 1080))
    order = tmp_path / "order"
    place = tmp_path / "edit"
    place.mkdir()
    (place / "final.mp4").write_bytes(b"the film of last week")
    order.write_bytes(pickle.dumps((planned, {"pal": (take.media, take.fingerprint)}, one_runner, place)))
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(CHILD), str(order)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + 60
        while not descendants(child.pid, "ffmpeg") and time.monotonic() < deadline and child.poll() is None:
            time.sleep(0.02)
        running = descendants(child.pid, "ffmpeg")
        assert running, child.communicate()[1]
        child.send_signal(signal.SIGINT)
        _, complaint = child.communicate(timeout=30)
    finally:
        with contextlib.suppress(ProcessLookupError):
            child.kill()
        child.wait()
    assert child.returncode != 0
    assert "KeyboardInterrupt" in complaint
    assert [pid for pid in running if alive(pid)] == []
    assert (place / "final.mp4").read_bytes() == b"the film of last week"
    assert [file.name for file in place.iterdir() if file.name.startswith(".cutbook")] == []
    assert not list((place / "cache").glob("work-*"))


def descendants(pid: int, name: str) -> list[int]:
    """Give the processes of a name below a process."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                head, _, tail = (folder / "stat").read_text().rpartition(")")
                if int(tail.split()[1]) == pid and name in head:
                    found.append(int(folder.name))
    return found


def alive(pid: int) -> bool:
    """Tell whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@contextlib.contextmanager
def small_disk(megabytes: int) -> Iterator[Path]:
    """Mount a disk of a few megabytes."""
    place = Path(tempfile.mkdtemp())
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", place], capture_output=True, check=False
    )
    try:
        require(done.returncode == 0, "no small disk can be mounted here (needs root)")
        yield place
    finally:
        if done.returncode == 0:
            subprocess.run(["umount", "-l", place], check=False)
        os.rmdir(place)  # noqa: PTH106 - only when it is empty


def test_a_full_disk_in_the_middle_leaves_the_old_film(
    clips: dict[str, Clip], folders: UserFolders, one_runner: Ffmpeg
) -> None:
    """When the disk fills up in the middle of a render, one line says so, and the earlier film is whole."""
    take = clips["ntsc"].take("ntsc", folders)
    takes: dict[str, Any] = {"ntsc": take}
    with small_disk(16) as disk:
        edit = disk / "edit"
        made = make(plan(edl(span("00001", take, 0, 20)), takes), takes, one_runner, edit)
        whole = made.path.read_bytes()
        long = plan(edl(*(span(f"{n:05d}", take, n, 95) for n in range(9))), takes)

        def fill(_share: float, what: str) -> None:
            if what.startswith("Encoding") and not (disk / "ballast").exists():
                free = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
                (disk / "ballast").write_bytes(bytes(free - 300_000))

        with pytest.raises(DiskFull, match="room"):
            make(long, takes, one_runner, edit, progress=fill)
        assert made.path.read_bytes() == whole
        assert not list((edit / "cache").glob("work-*"))


def test_too_small_a_disk_is_refused_at_once(
    clips: dict[str, Clip], folders: UserFolders, one_runner: Ffmpeg
) -> None:
    """A disk that the film cannot fit is named before the first frame."""
    take = clips["ntsc"].take("ntsc", folders)
    takes: dict[str, Any] = {"ntsc": take}
    with small_disk(1) as disk, pytest.raises(DiskFull, match="the render needs about"):
        make(plan(edl(span("00001", take, 0, 90)), takes), takes, one_runner, disk / "edit")
