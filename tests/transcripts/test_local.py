from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
import wave
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cutbook.errors import EngineRefused, TranscriptError
from cutbook.files import UserFolders
from cutbook.media.probe import Media, probe
from cutbook.media.sound import samples
from cutbook.timebase import Span
from cutbook.transcripts.local import LocalEngine
from cutbook.transcripts.model import Transcript, read_scribe
from tests.footage import Sound, make_sound
from tests.transcripts.conftest import Heard

# The first test of a session that asks for them waits for all takes to be heard.
pytestmark = pytest.mark.timeout(900)

SCRIPT = """
import sys
from pathlib import Path
from cutbook.files import UserFolders
from cutbook.media.probe import probe
from cutbook.transcripts.local import LocalEngine
engine = LocalEngine(UserFolders.find(Path(sys.argv[2])))
media = probe(Path(sys.argv[1]))
try:
    print(engine._fresh_child()._process.pid, flush=True)
    engine.transcribe(media, 0)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
"""Run without a main guard, as a person's own script would be."""


def write_wav(path: Path, sound: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> Path:
    """Write mono sound of 16 kHz."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16000)
        file.writeframes((np.clip(sound, -1, 1) * 32767).astype("<i2").tobytes())
    return path


def until(true: Callable[[], object]) -> None:
    """Wait until something is so."""
    for _ in range(600):
        if true():
            return
        time.sleep(0.05)
    pytest.fail("it never became so", pytrace=True)


def alive(pid: int) -> bool:
    """Tell whether a process runs; a dead one that nobody has collected does not."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except ProcessLookupError:
        return False
    except OSError:
        return True


def worker(engine: LocalEngine) -> int:
    """Return the process that hears for an engine, started where there is none yet."""
    return engine._fresh_child()._process.pid


@pytest.fixture(scope="session")
def ending(session_sample: Path) -> Media:
    """Return the sample's last take, of seven seconds."""
    return probe(session_sample / "C0111.mp4")


@pytest.fixture(scope="session")
def lonely(session_sample: Path, heard: Heard, tmp_path_factory: pytest.TempPathFactory) -> Media:
    """Return a take whose last four words are said again after 22 seconds of digital silence, and then nothing."""
    source = probe(session_sample / "C0111.mp4")
    first, *_, last = heard.words["C0111.mp4"].said()[-4:]
    sound = samples(source, 0, rate=16000)
    word = samples(
        source, 0, rate=16000, span=Span(first.start - Fraction(1, 20), last.end + Fraction(1, 20))
    )
    gap, tail = np.zeros(22 * 16000, np.float32), np.zeros(2 * 16000, np.float32)
    path = tmp_path_factory.mktemp("lonely") / "lonely.wav"
    return probe(write_wav(path, np.concatenate([sound, gap, word, tail]).astype(np.float32)))


def hear(engine: LocalEngine, media: Media, *, language: str | None = None) -> tuple[bytes, Transcript]:
    """Hear one take; return the raw answer and the words."""
    answer = engine.transcribe(media, 0, language=language)
    return answer.raw, read_scribe(json.loads(answer.raw), duration=media.duration, meta=answer.meta)


def test_the_same_sound_gives_the_same_bytes_and_invents_nothing_in_silence(
    session_folders: UserFolders, ending: Media, lonely: Media, heard: Heard
) -> None:
    """Heard again, a take gives the same bytes; words far behind a silence are heard in their place, and no more."""
    engine = LocalEngine(session_folders)
    try:
        raw, _ = hear(engine, ending, language="en")
        again, words = hear(engine, lonely, language="eng")
    finally:
        engine.close()
    kept = json.loads((heard.edit / "transcripts" / "C0111.mp4.json").read_bytes())
    assert json.loads(raw)["words"] == kept["words"]
    assert again != raw
    before = [word.bare for word in heard.words["C0111.mp4"].said()]
    assert [word.bare for word in words.said()][: len(before)] == before
    late = [word for word in words.said() if word.start > ending.duration + 1]
    assert [word.bare for word in late] == before[-4:]
    assert abs(late[0].start - ending.duration - 22 - Fraction(1, 20)) < Fraction(1, 10)


def test_silence_is_no_words(session_folders: UserFolders, tmp_path: Path) -> None:
    """Digital silence and a tone give an answer without words, in Scribe's shape."""
    engine = LocalEngine(session_folders)
    try:
        kinds: tuple[Sound, ...] = ("silence", "tone")
        for kind in kinds:
            media = probe(make_sound(tmp_path / f"{kind}.wav", sound=kind, seconds=3.0))
            raw, words = hear(engine, media)
            assert words.words == ()
            assert json.loads(raw)["text"] == ""
    finally:
        engine.close()


def test_a_language_that_nobody_speaks_is_refused(session_folders: UserFolders, ending: Media) -> None:
    """An unknown language code is one line, and the worker lives on for the next take."""
    engine = LocalEngine(session_folders)
    try:
        process = worker(engine)
        with pytest.raises(EngineRefused, match="'klingon' is no language that Whisper knows"):
            engine.transcribe(ending, 0, language="klingon")
        assert alive(process)
        assert worker(engine) == process
    finally:
        engine.close()
    assert not alive(process)


def test_a_folder_that_is_no_model_is_refused(
    session_folders: UserFolders, tmp_path: Path, ending: Media
) -> None:
    """A folder without weights, one with broken weights, and a name that is no model, say so."""
    with pytest.raises(EngineRefused, match=r"holds no model\.bin"):
        LocalEngine(session_folders, model=str(tmp_path)).prepare()
    with pytest.raises(EngineRefused, match="neither a folder nor a Whisper model"):
        LocalEngine(session_folders, model="no-such-model").prepare()
    (tmp_path / "model.bin").write_bytes(b"not weights")
    engine = LocalEngine(session_folders, model=str(tmp_path))
    try:
        with pytest.raises(EngineRefused, match="cannot be loaded"):
            engine.transcribe(ending, 0)
    finally:
        engine.close()


def test_a_cancelled_take_ends_the_worker(session_folders: UserFolders, ending: Media) -> None:
    """Cancelling ends the process that hears, and the engine can be used again."""
    engine = LocalEngine(session_folders)
    process = worker(engine)
    stop = threading.Event()
    stop.set()
    with pytest.raises(TranscriptError, match="stopped"):
        engine.transcribe(ending, 0, cancel=stop)
    assert not alive(process)
    assert worker(engine) != process
    engine.close()


def test_a_worker_that_dies_is_said(session_folders: UserFolders, ending: Media) -> None:
    """When the worker is killed from outside, the take fails with one line."""
    engine = LocalEngine(session_folders)
    process = worker(engine)
    killer = threading.Timer(0.3, os.kill, (process, signal.SIGKILL))
    killer.start()
    with pytest.raises(TranscriptError, match="ended unexpectedly"):
        engine.transcribe(ending, 0)
    killer.join()
    engine.close()


@pytest.mark.skipif(sys.platform == "win32", reason="NOT TESTED HERE: Windows has no such signals")
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_no_worker_outlives_its_parent(
    end: signal.Signals, session_folders: UserFolders, session_sample: Path
) -> None:
    """An interrupt, or the death of the notebook, leaves no process behind; a script needs no main guard."""
    command = [sys.executable, "-c", SCRIPT, str(session_sample / "C0108.mp4"), str(session_folders.cache)]
    parent = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    process = int(parent.stdout.readline())
    assert alive(process)
    parent.send_signal(end)
    said, _ = parent.communicate(timeout=60)
    if end == signal.SIGINT:
        assert said.splitlines()[-1:] == ["interrupted"]
    until(lambda: not alive(process))


def test_a_failing_progress_ends_the_worker(session_folders: UserFolders, ending: Media) -> None:
    """When whoever shows the progress fails, nothing goes on behind their back."""
    engine = LocalEngine(session_folders)
    process = worker(engine)

    def broken(_: Fraction, _line: str = "", /) -> None:
        msg = "the screen is gone"
        raise RuntimeError(msg)

    with pytest.raises(RuntimeError, match="the screen is gone"):
        engine.transcribe(ending, 0, progress=broken)
    assert not alive(process)
