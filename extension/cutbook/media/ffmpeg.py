"""The one place that runs ffmpeg: find the binary, know what it can do, run it and never leave it behind.

A run has a process group of its own, which is ended on any exception, ``KeyboardInterrupt`` and a set ``cancel`` event
included. On Linux the kernel ends it too when Python itself is killed, where util-linux has ``setpriv --pdeathsig``
(a ``preexec_fn`` would do the same, but is not safe in a process that has threads).
"""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import re
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from cutbook.errors import DiskFull, FfmpegFailed, FfmpegMissing, FfmpegStopped

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterator, Sequence

LOG_TAIL = 1 << 20
"""Bytes of a run's log that are kept, from its end."""

PATIENCE = 2.0
"""Seconds between asking ffmpeg to end (it then closes its file) and ending it."""

_TICK = 0.1
_CHUNK = 1 << 16
_NAME = re.compile(r"^ [A-Z.|]{2,6} +([\w-]+) ", re.MULTILINE)
_FRAME = re.compile(rb"^frame=\s*(\d+)\s*$", re.MULTILINE)
_CONTEXT = re.compile(r"^\[(\S+)(?: @ 0x[0-9a-f]+)\]\s*")
_HOLLOW = re.compile(
    r"(\S+: )?(Conversion failed!|Exiting normally|Error opening (in|out)put files?\b|Nothing was written"
    r"|video:\S+ audio:|Error while (opening|processing|filtering)|Error (re)?initializing|Error selecting"
    r"|Last message repeated|Failed to inject|T(ask|erminat)\S* .*error|Error applying options to the filter"
    r"|(Error : )?(Invalid argument|Option not found|Numerical result out of range)$)"
)
_OPENING = re.compile(r"Error opening (?:in|out)put file (.+)\.$", re.MULTILINE)
_NO_ROOM = re.compile(r"(Error|trailer|header|write|clos|open).*No space left on device")
# Builds differ: 5.1 ends with 0 when the last bytes cannot be written, 9.0 when the output exists and -y is not there.
_LIES = re.compile(
    r"(Error (writing trailer|closing file)|av_interleaved_write_frame\(\)|File '.*' already exists)",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Needs:
    """What a job asks of an ffmpeg, by ffmpeg's own names."""

    filters: frozenset[str] = frozenset()
    encoders: frozenset[str] = frozenset()
    decoders: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Done:
    """A run that ended well: what it wrote to its standard output (when captured) and the end of its log."""

    stdout: bytes
    log: str


@dataclass(frozen=True, slots=True)
class Ffmpeg:
    """One ffmpeg binary and what it can do. Plain data, so that it goes into a worker process as it is."""

    path: Path
    version: str
    filters: frozenset[str]
    encoders: frozenset[str]
    decoders: frozenset[str]

    def missing(self, needs: Needs) -> tuple[str, ...]:
        """Name what this binary lacks of ``needs``, in words for people: ``filter zscale``."""
        kinds = (
            ("filter", needs.filters - self.filters),
            ("encoder", needs.encoders - self.encoders),
            ("decoder", needs.decoders - self.decoders),
        )
        return tuple(f"{kind} {name}" for kind, names in kinds for name in sorted(names))

    def run(
        self,
        args: Sequence[str],
        *,
        cwd: Path | None = None,
        on_frame: Callable[[int], None] | None = None,
        cancel: threading.Event | None = None,
        stdin: bytes | IO[bytes] | None = None,
        capture: bool = False,
    ) -> Done:
        """Run to the end with ``args`` (without the binary).

        ``on_frame`` is called with the number of frames written so far, ``stdin`` is what ffmpeg reads as ``pipe:0``
        (bytes, or a file that is really one), ``capture`` keeps what it writes to ``pipe:1``.

        Raises:
            FfmpegFailed: it ended with an error; the message ends with its last log line.
            FfmpegStopped: ``cancel`` was set; ffmpeg is gone.
            DiskFull: no room was left.
            FfmpegMissing: the binary is gone or does not start.
        """
        if cancel is not None and cancel.is_set():
            raise FfmpegStopped("ffmpeg was not started: the work was stopped")
        with contextlib.ExitStack() as stack:
            progress: tuple[int, ...] = ()
            reading: dict[int, Callable[[bytes], None]] = {}
            command = [*_tether(), str(self.path), "-nostdin", "-hide_banner", "-nostats"]
            if on_frame is not None:
                readable, writable = os.pipe()
                stack.callback(os.close, readable)
                progress = (writable,)
                command += ["-stats_period", "0.25", "-progress", f"pipe:{writable}"]
                reading[readable] = _frame_teller(on_frame)
            try:
                process = subprocess.Popen(
                    [*command, *args],
                    cwd=cwd,
                    stdin=_readable(stdin, stack),
                    stdout=subprocess.PIPE if capture else subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    pass_fds=progress,
                    start_new_session=True,
                    env=_environment(),
                )
            except OSError as error:
                msg = f"{self.path} cannot be started: {error.strerror}; set `ffmpeg` to one that can"
                raise FfmpegMissing(msg) from error
            finally:
                for handle in progress:
                    os.close(handle)
            log, out = _Tail(LOG_TAIL), bytearray()
            with _ending(process):
                for pipe, keep in ((process.stderr, log.add), (process.stdout, out.extend)):
                    if pipe is not None:
                        stack.callback(pipe.close)
                        reading[pipe.fileno()] = keep
                _drain(reading, cancel)
                process.wait()
        _judge(process.returncode, log.text)
        return Done(bytes(out), log.text)


def find(setting: Path | None = None, needs: Needs = Needs()) -> Ffmpeg:
    """Find an ffmpeg for a job: the one set, else the one on PATH if it has what is needed, else imageio-ffmpeg's.

    Raises:
        FfmpegMissing: none was found with all that is needed; the message names what is missing.
    """
    reasons = []
    for place, path in _candidates(setting):
        try:
            found = _ask(path)
        except FfmpegMissing as error:
            reasons.append(str(error))
            continue
        lacking = found.missing(needs)
        if not lacking:
            return found
        reasons.append(f"{place} ({path}, version {found.version}) lacks {', '.join(lacking)}")
    cure = "set `ffmpeg` to another one" if setting else "pip install --upgrade imageio-ffmpeg"
    raise FfmpegMissing(f"no ffmpeg that can do this: {'; '.join(reasons) or 'none is installed'}; {cure}")


def argument(path: Path) -> str:
    """Write a file's path as an ffmpeg argument that no name (``-x``, ``a:b``, ``%d``) can make mean something else."""
    return _Argument(f"file:{path.absolute()}")


class _Argument(str):
    """Text whose bytes may be no UTF-8, which ffmpeg-python asks of what it tells arguments apart by."""

    __slots__ = ()

    def __str__(self) -> str:
        return self.encode("utf-8", "backslashreplace").decode()


def _candidates(setting: Path | None) -> Iterator[tuple[str, Path]]:
    if setting is not None:
        yield "the ffmpeg that is set", setting.expanduser()
        return
    if on_path := shutil.which("ffmpeg"):
        yield "ffmpeg on PATH", Path(on_path)
    with contextlib.suppress(ImportError, RuntimeError, OSError):
        import imageio_ffmpeg

        yield "imageio-ffmpeg", Path(imageio_ffmpeg.get_ffmpeg_exe())


def _ask(path: Path) -> Ffmpeg:
    """Ask a binary what it can do; a binary is asked once a process, anew when the file has changed."""
    try:
        found = path.stat()
    except OSError as error:
        raise FfmpegMissing(f"{path} cannot be read: {error.strerror}") from error
    if not path.is_file() or not os.access(path, os.X_OK):
        raise FfmpegMissing(f"{path} is no program")
    return _capabilities(path, found.st_mtime_ns, found.st_size)


@functools.lru_cache(maxsize=16)
def _capabilities(path: Path, _mtime: int, _size: int) -> Ffmpeg:
    def answer(question: str) -> str:
        try:
            done = subprocess.run(
                [path, "-nostdin", "-hide_banner", question],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                env=_environment(),
                timeout=60,
                check=True,
            )
        except (OSError, subprocess.SubprocessError) as error:
            code = (
                f" (exit code {error.returncode})" if isinstance(error, subprocess.CalledProcessError) else ""
            )
            raise FfmpegMissing(f"{path} does not answer {question} as ffmpeg does{code}") from error
        return done.stdout.decode("utf-8", "replace")

    words = answer("-version").split(maxsplit=3)
    if words[:2] != ["ffmpeg", "version"] or len(words) < 3:
        raise FfmpegMissing(f"{path} is no ffmpeg")
    names = [
        frozenset(_NAME.findall(answer(question))) for question in ("-filters", "-encoders", "-decoders")
    ]
    return Ffmpeg(path, words[2], *names)


@functools.cache
def _tether() -> tuple[str, ...]:
    """Give the words before a command that let it die with the thread that started it, where there are such."""
    setpriv = shutil.which("setpriv") if sys.platform == "linux" else None
    if setpriv is None:
        return ()
    tether = (setpriv, "--pdeathsig", "KILL", "--")
    try:
        subprocess.run(
            [*tether, "true"], stdin=subprocess.DEVNULL, capture_output=True, timeout=10, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return ()
    return tether


def _environment() -> dict[str, str]:
    plain = {
        name: value for name, value in os.environ.items() if name not in {"AV_LOG_FORCE_COLOR", "FFREPORT"}
    }
    return plain | {"AV_LOG_FORCE_NOCOLOR": "1"}


def _readable(stdin: bytes | IO[bytes] | None, stack: contextlib.ExitStack) -> int | IO[bytes]:
    if stdin is None:
        return subprocess.DEVNULL
    if not isinstance(stdin, bytes):
        return stdin
    file: IO[bytes] = stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - the stack closes it
    file.write(stdin)
    file.seek(0)
    return file


class _Tail:
    """The end of a stream of bytes."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._bytes = bytearray()

    def add(self, chunk: bytes) -> None:
        self._bytes += chunk
        if len(self._bytes) > 2 * self._most:
            del self._bytes[: -self._most]

    @property
    def text(self) -> str:
        return self._bytes[-self._most :].decode("utf-8", "replace").replace("\r", "\n")


def _frame_teller(on_frame: Callable[[int], None]) -> Callable[[bytes], None]:
    pending, last = b"", 0

    def read(chunk: bytes) -> None:
        nonlocal pending, last
        whole, newline, pending = (pending + chunk).rpartition(b"\n")
        found = _FRAME.findall(whole + newline)
        if found and int(found[-1]) > last:
            last = int(found[-1])
            on_frame(last)

    return read


def _drain(reading: dict[int, Callable[[bytes], None]], cancel: threading.Event | None) -> None:
    """Read every pipe until ffmpeg has closed it."""
    with selectors.DefaultSelector() as selector:
        for handle, keep in reading.items():
            selector.register(handle, selectors.EVENT_READ, keep)
        while selector.get_map():
            for key, _ in selector.select(_TICK if cancel is not None else None):
                if chunk := os.read(key.fd, _CHUNK):
                    key.data(chunk)
                else:
                    selector.unregister(key.fd)
            if cancel is not None and cancel.is_set():
                raise FfmpegStopped("ffmpeg was stopped before it was done")


@contextlib.contextmanager
def _ending(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """End the process with its whole group when the block is left by an exception."""
    try:
        yield
    except BaseException:
        try:
            _signal(process, signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(PATIENCE)
        finally:
            _signal(process, signal.SIGKILL)
            process.wait()
        raise


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    # Once it has been waited for, its number may be another's.
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)


def _judge(code: int, log: str) -> None:
    if code == 0 and not _LIES.search(log):
        return
    if _NO_ROOM.search(log):
        raise _disk_full()
    if code < 0:
        name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
        if name == "SIGXFSZ":
            raise FfmpegFailed(
                "ffmpeg may not write files as large as this (ulimit -f); raise the limit and try again"
            )
        raise FfmpegFailed(f"ffmpeg was ended by {name} from outside, not by cutbook; try again")
    raise FfmpegFailed(f"ffmpeg failed: {_last_line(log)}")


def _disk_full() -> DiskFull:
    error = DiskFull("no room left on the disk; free some and try again")
    error.errno = errno.ENOSPC
    return error


def _last_line(log: str) -> str:
    """Give the last line that says what is wrong; builds differ in what they still say after it."""
    lines = [_CONTEXT.sub(r"\1: ", line.strip()) for line in log.splitlines() if line.strip()]
    telling = [line for line in lines if not _HOLLOW.match(line)]
    last = (telling or lines or ["it said nothing"])[-1]
    opened = _OPENING.search(log)
    return last if opened is None or opened[1] in last else f"{opened[1]}: {last}"
