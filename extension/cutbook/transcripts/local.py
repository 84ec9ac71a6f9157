"""The embedded engine: Whisper base on this machine, two passes, words placed by forced alignment.

No key and no network: it reaches out only where the user names a model of the hub. Measured on the recipe: read speech
4 % of words wrong, spontaneous speech 9 %; word starts 20 to 32 ms off (median); 0.22 CPU seconds a second of sound.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import threading
from collections.abc import Callable, Mapping
from fractions import Fraction
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from cutbook.errors import EngineMissing, EngineRefused, TranscriptError
from cutbook.files import UserFolders, fingerprint
from cutbook.media.probe import Media
from cutbook.transcripts import passes, weights
from cutbook.transcripts.aligning import Aligner
from cutbook.transcripts.engine import Answer, Progress
from cutbook.transcripts.hearing import RATE, Job, Recogniser
from cutbook.transcripts.passes import Voice
from cutbook.transcripts.writing import THREE_LETTERS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cutbook.transcripts.child import Child

RECYCLE = Fraction(1800)
"""Seconds of sound after which the worker is replaced, since its memory grows."""

SEED = 20
"""Whisper draws at random only where its first answer is poor; the same sound gives the same words."""

_THREADS = 4


class LocalEngine:
    """Transcribe with Whisper on this machine, in a process of its own.

    ``model`` is a folder of a CTranslate2 Whisper model or a name that faster-whisper knows; the packaged base model
    unless given. ``close`` ends the process that is kept between takes.
    """

    name = "local"
    recipe = 1
    price_per_hour: float | None = None
    at_once = 1

    def __init__(self, folders: UserFolders, *, model: str | None = None) -> None:
        self._folders = folders
        self._model = model
        self._child: Child | None = None
        self._heard = Fraction(0)

    def __getstate__(self) -> dict[str, object]:
        """Leave the process behind when sent to another worker."""
        return {"_folders": self._folders, "_model": self._model, "_child": None, "_heard": Fraction(0)}

    @property
    def model_name(self) -> str:
        """Name the model with the start of its weights' sha256 (a model of the hub that is not here yet: its name)."""
        if self._model is None:
            return f"whisper-base-int8@{weights.SHA256[:12]}"
        folder = self._folder(fetch=False)
        if folder is None:
            return f"hub:{self._model}"
        return f"{Path(self._model).name}@{fingerprint(folder / 'model.bin', self._folders).digest[:12]}"

    def options(self, *, language: str | None, speakers: int | None) -> Mapping[str, object]:
        """Give the language asked for and whether words are aligned; this engine does not tell speakers apart."""
        del speakers
        return {"language": _whisper_code(language), "aligned": _installed("pocketsphinx")}

    def prepare(self) -> None:
        """Look whether everything is installed, join the weights, and fetch a model of the hub that the user named.

        Raises:
            EngineMissing: a package is not installed.
            EngineRefused: the model is none, or cannot be had.
        """
        if not _installed("faster_whisper"):
            msg = f"the local engine is not installed; run: {weights.PIP_LINE}"
            raise EngineMissing(msg)
        self._folder(fetch=True)

    def transcribe(
        self,
        media: Media,
        track: int,
        *,
        language: str | None = None,
        speakers: int | None = None,
        sending: Callable[[], None] | None = None,
        progress: Progress | None = None,
        cancel: threading.Event | None = None,
    ) -> Answer:
        """Give the words of one sound track.

        An interrupt, or ``cancel``, ends the process that hears.

        Raises:
            EngineMissing, EngineRefused: as ``prepare``.
            TranscriptError: the process died or was cancelled.
        """
        del speakers, sending
        self.prepare()
        folder = self._folder(fetch=True)
        job = Job(str(folder), media, track, _whisper_code(language), align=_installed("pocketsphinx"))
        # Closed at once also where `progress` raises, so that no worker goes on with a job that nobody wants.
        with contextlib.closing(self._fresh_child().ask(job, cancel)) as messages:
            for message in messages:
                match message:
                    case ("progress", Fraction() as done):
                        if progress is not None:
                            progress(done)
                    case ("answer", bytes() as raw, Mapping() as meta):
                        self._heard += media.duration
                        return Answer(raw, meta)
                    case ("error", BaseException() as error):
                        raise error
        msg = "the local engine gave no answer; run %transcribe again"
        raise TranscriptError(msg)

    def close(self) -> None:
        """End the worker process, if there is one."""
        if self._child is not None:
            self._child.close()
            self._child = None

    def _fresh_child(self) -> Child:
        from cutbook.transcripts.child import Child

        if self._child is not None and (self._heard > RECYCLE or not self._child.alive):
            self.close()
        if self._child is None:
            offline = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
            self._child = Child(offline)
            self._heard = Fraction(0)
        return self._child

    def _folder(self, *, fetch: bool) -> Path | None:
        """Give the model's folder; None for a model of the hub that is not here while ``fetch`` is False."""
        if self._model is None:
            return weights.packaged_model(self._folders)
        folder = Path(self._model).expanduser()
        if folder.is_dir():
            if not (folder / "model.bin").is_file():
                msg = f"{folder} holds no model.bin, so it is no model that faster-whisper reads; set whisper_model"
                raise EngineRefused(msg)
            return folder
        return _hub_folder(self._model, fetch=fetch)


def _hub_folder(name: str, *, fetch: bool) -> Path | None:
    if not _installed("faster_whisper"):
        msg = f"the local engine is not installed; run: {weights.PIP_LINE}"
        raise EngineMissing(msg)
    from faster_whisper.utils import available_models, download_model

    if "/" not in name and name not in available_models():
        msg = f"{name!r} is neither a folder nor a Whisper model that faster-whisper knows; set whisper_model"
        raise EngineRefused(msg)
    try:
        return Path(download_model(name, local_files_only=True))
    except Exception:  # noqa: BLE001 - the hub's client has no narrower base for "not here"
        if not fetch:
            return None
    try:
        return Path(download_model(name))
    except Exception as error:
        msg = f"the model {name!r} cannot be fetched: {type(error).__name__}; look at the network, or set whisper_model"
        raise EngineRefused(msg) from error


def _whisper_code(language: str | None) -> str | None:
    """Read a language as Whisper names it; Scribe's three letters are taken too."""
    if language is None:
        return None
    code = language.strip().lower()
    return next((short for short, long in THREE_LETTERS.items() if long == code), code)


def _installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def load(model: str) -> Recogniser:
    """Load a model from its folder, with everything that hears along; called in the worker process.

    Raises:
        EngineRefused: the folder holds no model that can be loaded.
    """
    import ctranslate2
    from faster_whisper import WhisperModel

    threads = min(_THREADS, os.cpu_count() or 1)
    try:
        whisper = WhisperModel(
            model, device="cpu", compute_type="int8", cpu_threads=threads, local_files_only=True
        )
    except (RuntimeError, ValueError, OSError) as error:
        first = str(error).partition("\n")[0]
        msg = f"the Whisper model in {model} cannot be loaded: {first}; set whisper_model"
        raise EngineRefused(msg) from None
    return Recogniser(
        whisper, voices=_voices, reseed=lambda: ctranslate2.set_random_seed(SEED), aligner=_aligner
    )


def _voices(sound: NDArray[np.float32]) -> list[Voice]:
    from faster_whisper.vad import VadOptions, get_speech_timestamps

    options = VadOptions(
        min_silence_duration_ms=100,
        speech_pad_ms=0,
        max_speech_duration_s=passes.LONGEST_PIECE - 2 * passes.MARGIN,
    )
    return [Voice(s["start"] / RATE, s["end"] / RATE) for s in get_speech_timestamps(sound, options)]


def _aligner() -> Aligner:
    from pocketsphinx import Config, Decoder, get_model_path

    home = Path(get_model_path()) / "en-us"
    config = Config(
        hmm=str(home / "en-us"),
        dict=str(home / "cmudict-en-us.dict"),
        lm=None,
        cmn="batch",
        loglevel="FATAL",
    )
    return Aligner(Decoder(config))


def engine_versions() -> dict[str, str]:
    """Give the versions of what hears, for the transcript's meta file."""
    found = {}
    for package in ("cutbook", "faster-whisper", "ctranslate2", "pocketsphinx"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
