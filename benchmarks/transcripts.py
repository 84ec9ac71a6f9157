"""What words cost: heard by the embedded engine, found again, and packed for a folder of a thousand takes."""

from __future__ import annotations

import os
import tempfile
import time
import wave
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

from benchmarks import Reading, benchmark
from cutbook import Project
from cutbook.files import UserFolders, fingerprint
from cutbook.media.probe import probe
from cutbook.transcripts.engine import Answer
from cutbook.transcripts.local import LocalEngine
from cutbook.transcripts.model import Transcript, Word
from cutbook.transcripts.pack import pack
from cutbook.transcripts.store import Request, Store

SAMPLE = Path(__file__).resolve().parents[1] / "sample_media"
TAKES, WORDS = 1000, 500


def processor(work: Callable[[], object]) -> tuple[float, float]:
    """Return the processor seconds, those of ended children included, and the wall seconds that `work` takes."""
    before, began = os.times(), time.perf_counter()
    work()
    wall, after = time.perf_counter() - began, os.times()
    return sum(after[:4]) - sum(before[:4]), wall


@benchmark("The sample's takes: processor seconds a second of sound (the engine's aim: 0.22 over long takes)")
def hearing() -> Sequence[Reading]:
    """Compare hearing every take of the sample with finding the words again."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        folders = UserFolders(place / "cache", place / "state", place / "config")
        store, engine = Store(folders, place / "edit"), LocalEngine(folders)
        files = [path for path in sorted(SAMPLE.iterdir()) if path.suffix in {".mp4", ".mov"}]
        takes = [Request(path.stem, probe(path), fingerprint(path, folders)) for path in files]
        engine.prepare()
        readings = []
        for label in ("heard", "found again"):
            spent, wall = processor(lambda: store.transcribe(takes, engine))
            length = float(
                sum((take.media.duration for take in takes if take.media.sound), start=Fraction(0))
            )
            note = f"{wall:.2f} s on the clock for {length:.0f} s of sound"
            readings.append(Reading(label=label, value=spent / length, note=note))
        return readings


@benchmark(
    "A thousand takes of five hundred words: seconds to pack them, a fifth (100,000 words; aim: 1 s), and ten"
)
def packing() -> Sequence[Reading]:
    """Compare packing a thousand takes with packing fewer."""
    words = tuple(
        Word(
            number=n + 1,
            text="word",
            start=Fraction(n),
            end=Fraction(3 * n + 1 + n % 3, 3),
            speaker="speaker_0",
        )
        for n in range(WORDS)
    )
    transcript = Transcript(words, "eng", "local", "base")
    readings = []
    for count in (TAKES, TAKES // 5, TAKES // 100):
        takes = {f"C{n:04d}": (transcript, Fraction(WORDS)) for n in range(count)}
        began = time.perf_counter()
        size = len(pack(takes))
        spent = time.perf_counter() - began
        readings.append(Reading(label=f"{count} takes", value=spent, note=f"{size / 1e6:.2f} MB of text"))
    return readings


@benchmark("A thousand takes that have their words: seconds to check them, no file opened (aim: 1 s warm)")
def checking() -> Sequence[Reading]:
    """Check a folder as a new notebook does, and once more in the same one."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        environ = {"CUTBOOK_CACHE_DIR": str(place / "cache"), "CUTBOOK_ENGINE": "local"}
        for number in range(TAKES):
            _hum(place / "footage" / f"C{number:04d}.wav", number)
        readings = []
        Project(place / "footage", environ=environ).transcribe(engine=_Hummer())
        again = Project(place / "footage", environ=environ)
        for label in ("new notebook", "same notebook"):
            began = time.perf_counter()
            report = again.transcribe(engine=_Hummer())
            spent = time.perf_counter() - began
            readings.append(Reading(label=label, value=spent, note=report.sentence))
        return readings


def _hum(path: Path, number: int) -> None:
    path.parent.mkdir(exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(
            b"".join((n * number % 20000 - 10000).to_bytes(2, "little", signed=True) for n in range(800))
        )
    os.utime(path, (1_600_000_000, 1_600_000_000))


class _Hummer:
    """An engine that hears a word in whatever it is given."""

    name, model_name, recipe, at_once = "hummer", "1", 1, 1
    price_per_hour: float | None = None

    def options(self, **_: object) -> dict[str, object]:
        return {}

    def prepare(self) -> None:
        """Be ready."""

    def transcribe(self, *_: object, **__: object) -> Answer:
        return Answer(
            b'{"text": "hum", "words": [{"text": "hum", "start": 0, "end": 0.1, "type": "word"}]}', {}
        )

    def close(self) -> None:
        """Let go of nothing."""
