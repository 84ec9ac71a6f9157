from __future__ import annotations

import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from cutbook.errors import CutbookError, DiskFull, FfmpegFailed, FfmpegMissing, FfmpegStopped
from cutbook.media import ffmpeg as module
from cutbook.media.ffmpeg import Ffmpeg, Needs, argument, find
from tests.needs import require

NAMES = (
    "plain",
    "two words",
    'it\'s "quoted"',
    "#1 100%d",
    "a:b;c[d]",
    "back\\slash",
    "-leading",
    "Übung",
    "第一集",
    "🎬",
)
ENDLESS = ("-re", "-f", "lavfi", "-i", "testsrc2=size=64x64:rate=100")


@pytest.fixture
def ffmpeg(ffmpeg_exe: Path) -> Ffmpeg:
    """Return each ffmpeg of this machine in turn."""
    return find(ffmpeg_exe)


def endless(mark: str) -> list[str]:
    """Return arguments of a run that never ends and carries `mark`."""
    return [*ENDLESS, "-metadata", f"comment={mark}", "-f", "null", "-"]


def running(mark: str) -> list[int]:
    """Return the processes of ffmpeg, or of a stand-in, that carry `mark` in their arguments."""
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = place.read_bytes().split(b"\0")
        except OSError:
            continue
        if any(mark.encode() in word for word in words) and not Path(words[0].decode()).name.startswith(
            "python"
        ):
            found.append(int(place.parent.name))
    return found


def until(done: Callable[[], object]) -> bool:
    """Wait for something that another process does; half a minute is given up on."""
    for _ in range(600):
        if done():
            return True
        time.sleep(0.05)
    return False


def script(path: Path, text: str) -> Path:
    """Write a program for the shell."""
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def stand_in(path: Path, text: str) -> Ffmpeg:
    """Return a program for the shell in ffmpeg's place."""
    none: frozenset[str] = frozenset()
    return Ffmpeg(script(path, text), "0", none, none, none)


def test_a_binary_says_what_it_can_do(ffmpeg: Ffmpeg, ffmpeg_exe: Path) -> None:
    """The filters, encoders and decoders of a real binary are read from its own lists, without their legends."""
    assert ffmpeg.path == ffmpeg_exe
    assert {"trim", "overlay", "ebur128", "aresample"} <= ffmpeg.filters
    assert {"libx264", "aac"} <= ffmpeg.encoders
    assert {"h264", "aac", "prores"} <= ffmpeg.decoders
    legend = {"=", "T..", "V.....", "Video", "Filters:", "------"}
    assert not legend & (ffmpeg.filters | ffmpeg.encoders | ffmpeg.decoders)
    assert ffmpeg.version[:1].isalnum()


def test_what_is_missing_is_named(ffmpeg: Ffmpeg) -> None:
    """What a binary lacks is listed by kind and name, in order."""
    needs = Needs(frozenset({"trim", "zzz"}), frozenset({"yyy"}), frozenset({"h264", "xxx"}))
    assert ffmpeg.missing(needs) == ("filter zzz", "encoder yyy", "decoder xxx")
    assert ffmpeg.missing(Needs()) == ()


def test_the_one_that_is_set_is_the_only_one_asked(any_ffmpeg: Path) -> None:
    """A set ffmpeg that lacks something is an error that names it, never passed over for another."""
    with pytest.raises(FfmpegMissing, match=r"lacks filter zzz.*set `ffmpeg` to another"):
        find(any_ffmpeg, Needs(filters=frozenset({"zzz"})))


@pytest.mark.parametrize("text", ["exit 1", "echo hello", "echo ffmpeg"])
def test_a_set_program_that_is_no_ffmpeg_is_refused(tmp_path: Path, text: str) -> None:
    """A program that fails or is something else is refused with its path."""
    with pytest.raises(FfmpegMissing, match="odd"):
        find(script(tmp_path / "odd", text))


def test_a_set_path_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """A path that does not exist, or is a folder, is refused in one line."""
    for path in (tmp_path / "nothing", tmp_path):
        with pytest.raises(FfmpegMissing) as caught:
            find(path)
        assert "\n" not in str(caught.value)
        assert str(path) in str(caught.value)


def test_path_is_passed_over_when_it_cannot_do_the_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An ffmpeg on PATH without what is needed, or a dead one, gives way to imageio-ffmpeg's."""
    import imageio_ffmpeg

    wheel = Path(imageio_ffmpeg.get_ffmpeg_exe())
    poor = script(tmp_path / "ffmpeg", 'case "$*" in *-version*) echo "ffmpeg version 1 by us";; esac')
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert find().path == poor
    assert find(needs=Needs(encoders=frozenset({"libx264"}))).path == wheel
    script(poor, "exit 3")
    assert find().path == wheel


def test_a_run_gives_what_it_wrote(ffmpeg: Ffmpeg) -> None:
    """Captured output is exact: bytes on standard input come back through a copy, a megabyte of them."""
    data = bytes(range(256)) * 4096
    done = ffmpeg.run(
        ["-f", "u8", "-ar", "8000", "-i", "pipe:0", "-f", "u8", "pipe:1"], stdin=data, capture=True
    )
    assert done.stdout == data


def test_a_file_is_given_as_standard_input(ffmpeg: Ffmpeg, tmp_path: Path) -> None:
    """An open file is read from where it stands."""
    file = tmp_path / "raw"
    file.write_bytes(b"skip" + bytes(8000))
    with file.open("rb") as opened:
        os.lseek(opened.fileno(), 4, os.SEEK_SET)
        done = ffmpeg.run(
            ["-f", "u8", "-ar", "8000", "-i", "pipe:0", "-f", "u8", "pipe:1"], stdin=opened, capture=True
        )
    assert done.stdout == bytes(8000)


def test_frames_are_told_up_to_the_last(ffmpeg: Ffmpeg) -> None:
    """Progress only grows and ends at the number of frames written."""
    told: list[int] = []
    ffmpeg.run(
        ["-f", "lavfi", "-t", "4", "-i", "testsrc2=size=64x64:rate=25", "-f", "null", "-"],
        on_frame=told.append,
    )
    assert told[-1] == 100
    assert told == sorted(set(told))


def test_progress_and_output_do_not_mix(ffmpeg: Ffmpeg) -> None:
    """Output is captured whole while progress is told."""
    told: list[int] = []
    source = ["-f", "lavfi", "-t", "1", "-i", "testsrc2=size=64x64:rate=25", "-pix_fmt", "gray"]
    done = ffmpeg.run([*source, "-f", "rawvideo", "pipe:1"], on_frame=told.append, capture=True)
    assert len(done.stdout) == 25 * 64 * 64
    assert told[-1] == 25


def test_a_flood_of_messages_does_not_stop_it(ffmpeg: Ffmpeg) -> None:
    """More on standard error than a pipe holds neither hangs the run nor is kept whole."""
    source = ["-f", "lavfi", "-t", "20", "-i", "testsrc2=size=32x32:rate=100"]
    done = ffmpeg.run([*source, "-vf", "showinfo", "-f", "null", "-"])
    assert 100_000 < len(done.log) <= module.LOG_TAIL


def test_a_question_is_never_waited_for(ffmpeg: Ffmpeg, tmp_path: Path) -> None:
    """An output that exists and no -y is an error at once: ffmpeg would ask, and there is nobody to answer."""
    file = tmp_path / "there.wav"
    file.write_bytes(b"here")
    with pytest.raises(FfmpegFailed, match="exist"):
        ffmpeg.run(["-f", "lavfi", "-t", "1", "-i", "sine", argument(file)])
    assert file.read_bytes() == b"here"


@pytest.mark.parametrize(
    ("args", "cause"),
    [
        (["-i", "nosuch.mp4", "-f", "null", "-"], "nosuch.mp4.*No such file"),
        (["-f", "lavfi", "-i", "testsrc2", "-vf", "nosuch=3", "-f", "null", "-"], "nosuch"),
        (["-f", "lavfi", "-i", "testsrc2", "-c:v", "nosuch", "-f", "null", "-"], "nosuch"),
        (["-f", "lavfi", "-i", "testsrc2", "-filter_complex", "[0:v]nosuch=1", "-f", "null", "-"], "nosuch"),
        (
            ["-f", "lavfi", "-i", "testsrc2", "-filter_complex", "[0:v]eq=cntrst=2", "-f", "null", "-"],
            "cntrst",
        ),
        (
            ["-f", "lavfi", "-i", "testsrc2", "-filter_complex", "[0:v]colorbalance=rs=9", "-f", "null", "-"],
            "rs",
        ),
    ],
)
def test_the_error_names_the_cause(ffmpeg: Ffmpeg, tmp_path: Path, args: list[str], cause: str) -> None:
    """A failed run ends in one line that holds ffmpeg's own last word on the cause, without memory addresses."""
    with pytest.raises(FfmpegFailed, match=cause) as caught:
        ffmpeg.run(args, cwd=tmp_path)
    assert "\n" not in str(caught.value)
    assert "0x" not in str(caught.value)


@pytest.mark.parametrize(("kind", "seconds"), [("matroska", "0.1"), ("matroska", "3"), ("mp4", "3")])
def test_a_full_disk_has_an_error_of_its_own(ffmpeg: Ffmpeg, kind: str, seconds: str) -> None:
    """Running out of room is told apart from other failures, also at the last bytes, where ffmpeg 5.1 ends with 0."""
    require(Path("/dev/full").exists(), "no /dev/full, which is a disk that is always full")
    source = ["-f", "lavfi", "-t", seconds, "-i", "testsrc2=size=320x240"]
    with pytest.raises(DiskFull, match="no room left"):
        ffmpeg.run([*source, "-c:v", "libx264", "-preset", "ultrafast", "-f", kind, "-y", "/dev/full"])


def test_a_log_in_no_encoding_is_read(tmp_path: Path) -> None:
    """Bytes that are no UTF-8 are replaced, in the log and in the error."""
    odd = stand_in(tmp_path / "odd", r"printf 'caf\351\r\n' >&2; exit 1")
    with pytest.raises(FfmpegFailed, match="caf\ufffd"):
        odd.run([])


def test_a_run_in_colour_is_read_without(ffmpeg: Ffmpeg, monkeypatch: pytest.MonkeyPatch) -> None:
    """Colours that a user forces on do not get into the log."""
    monkeypatch.setenv("AV_LOG_FORCE_COLOR", "1")
    done = ffmpeg.run(["-f", "lavfi", "-t", "1", "-i", "testsrc2=size=64x64", "-f", "null", "-"])
    assert "\x1b" not in done.log


@pytest.mark.parametrize("name", NAMES)
def test_any_name_is_a_file(
    ffmpeg: Ffmpeg, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of any name is written and read, by a relative path too."""
    monkeypatch.chdir(tmp_path)
    file = Path(f"{name}.wav")
    ffmpeg.run(["-f", "lavfi", "-t", "0.1", "-i", "sine", argument(file)])
    assert [entry.name for entry in tmp_path.iterdir()] == [f"{name}.wav"]
    assert ffmpeg.run(["-i", argument(file), "-f", "s16le", "pipe:1"], capture=True).stdout


def test_cancelling_ends_it(ffmpeg: Ffmpeg) -> None:
    """A set event stops the run, and no process is left."""
    mark, cancel = uuid.uuid4().hex, threading.Event()
    with pytest.raises(FfmpegStopped):
        ffmpeg.run(endless(mark), on_frame=lambda _: cancel.set(), cancel=cancel)
    assert running(mark) == []


def test_what_is_cancelled_before_does_not_start(tmp_path: Path) -> None:
    """A run whose event is set already starts nothing."""
    cancel = threading.Event()
    cancel.set()
    witness = stand_in(tmp_path / "witness", f"touch '{tmp_path}/started'")
    with pytest.raises(FfmpegStopped):
        witness.run([], cancel=cancel)
    assert not (tmp_path / "started").exists()


def test_an_exception_ends_it(ffmpeg: Ffmpeg) -> None:
    """Whatever the caller's own code raises goes through, and no process is left."""
    mark = uuid.uuid4().hex

    def fail(_frame: int) -> None:
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        ffmpeg.run(endless(mark), on_frame=fail)
    assert running(mark) == []


def test_a_deaf_process_is_killed_with_its_children(tmp_path: Path) -> None:
    """One that does not end when asked is killed, and so is what it started."""
    mark, cancel = uuid.uuid4().hex, threading.Event()
    deaf = stand_in(
        tmp_path / f"deaf-{mark}", f"trap '' TERM\nsh -c 'trap \"\" TERM; sleep 60' {mark} &\nwait"
    )
    threading.Timer(0.3, cancel.set).start()
    with pytest.raises(FfmpegStopped):
        deaf.run([], cancel=cancel)
    assert until(lambda: not running(mark))


ALONE = """
import sys
from pathlib import Path
from cutbook.media.ffmpeg import find
ffmpeg = find(Path(sys.argv[1]))
ffmpeg.run(sys.argv[2:], on_frame=lambda _: print("on", flush=True))
"""


def alone(ffmpeg: Ffmpeg, mark: str) -> subprocess.Popen[str]:
    """Start a Python that runs ffmpeg, and wait until frames come."""
    command = [sys.executable, "-c", ALONE, str(ffmpeg.path), *endless(mark)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "on\n"
    assert running(mark)
    return process


def test_an_interrupt_leaves_no_process(ffmpeg: Ffmpeg) -> None:
    """Ctrl-C in the process that runs ffmpeg ends both."""
    mark = uuid.uuid4().hex
    with alone(ffmpeg, mark) as process:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        assert process.returncode == -signal.SIGINT
        assert running(mark) == []


def test_a_killed_python_takes_ffmpeg_with_it(ffmpeg: Ffmpeg) -> None:
    """Where the kernel can do it, ffmpeg dies with a Python that is killed without a word."""
    require(
        shutil.which("setpriv") and sys.platform == "linux", "no setpriv (on Debian: apt install util-linux)"
    )
    mark = uuid.uuid4().hex
    with alone(ffmpeg, mark) as process:
        process.kill()
        process.communicate(timeout=60)
        assert until(lambda: not running(mark))


def length(ffmpeg: Ffmpeg) -> int:
    """Return how many bytes a second of sound is."""
    return len(
        ffmpeg.run(["-f", "lavfi", "-t", "1", "-i", "sine", "-f", "s16le", "pipe:1"], capture=True).stdout
    )


def test_it_goes_into_a_worker(ffmpeg: Ffmpeg) -> None:
    """An Ffmpeg is plain data: pickled whole, and run in another process."""
    assert pickle.loads(pickle.dumps(ffmpeg)) == ffmpeg  # noqa: S301 - made a moment ago
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(length, ffmpeg).result() == 44100 * 2


def test_a_binary_that_is_gone_is_said(tmp_path: Path) -> None:
    """A binary that was removed after it was found is named."""
    gone = stand_in(tmp_path / "gone", "true")
    gone.path.unlink()
    with pytest.raises(CutbookError, match="gone"):
        gone.run([])


def test_a_run_ended_from_outside_is_an_error(tmp_path: Path) -> None:
    """A process that a signal ended did not do its work, and the error names the signal."""
    killed = stand_in(tmp_path / "killed", "kill -KILL $$")
    with pytest.raises(FfmpegFailed, match="SIGKILL"):
        killed.run([])
