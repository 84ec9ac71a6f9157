"""The embedded engine: Whisper base on this machine, two passes, words placed by forced alignment.

No key and no network: it reaches out only where the user names a model of the hub. Measured on the recipe: read speech
4 % of words wrong, spontaneous speech 9 %; word starts 20 to 32 ms off (median); 0.22 CPU seconds a second of sound.
"""

from __future__ import annotations

import importlib.util
import math
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutbook.errors import EngineMissing, EngineRefused, TranscriptError
from cutbook.files import UserFolders, fingerprint
from cutbook.media.probe import Media
from cutbook.timebase import Span
from cutbook.transcripts import passes, weights
from cutbook.transcripts.aligning import place_words
from cutbook.transcripts.engine import Answer, Progress
from cutbook.transcripts.passes import Heard, Voice
from cutbook.transcripts.pronounce import pronunciations
from cutbook.transcripts.writing import SPACELESS, scribe_json

if TYPE_CHECKING:
    import numpy as np

    from cutbook.transcripts.child import Child

RATE = 16_000
"""Samples a second that Whisper, the voice detector and the aligner hear."""

BLOCK = 600
"""Seconds of sound in memory at once."""

RECYCLE = Fraction(1800)
"""Seconds of sound after which the worker is replaced, since its memory grows."""

SEED = 20
"""Whisper draws at random only where its first answer is poor; the same sound gives the same words."""

_THREADS = 4
_TOKENS_A_SECOND, _SPARE_TOKENS = 12, 48
_LANGUAGE_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Job:
    """What the worker is asked: the model's folder, and which sound to hear."""

    model: str
    media: Media
    track: int
    language: str | None
    align: bool


class LocalEngine:
    """Transcribe with Whisper on this machine, in a process of its own.

    ``model`` is a folder of a CTranslate2 Whisper model or a name that faster-whisper knows; the packaged base model
    unless given. ``close`` ends the process that is kept between takes.
    """

    name = "local"
    recipe = 1
    price_per_hour: float | None = None

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
        return {"language": language, "aligned": _installed("pocketsphinx")}

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
        progress: Progress | None = None,
        cancel: threading.Event | None = None,
    ) -> Answer:
        """Give the words of one sound track.

        An interrupt, or ``cancel``, ends the process that hears.

        Raises:
            EngineMissing, EngineRefused: as ``prepare``.
            TranscriptError: the process died or was cancelled.
        """
        del speakers
        self.prepare()
        folder = self._folder(fetch=True)
        job = Job(str(folder), media, track, language, align=_installed("pocketsphinx"))
        for message in self._fresh_child().ask(job, cancel):
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


def _installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


class Recogniser:
    """One loaded model; lives in the worker process, which alone loads the heavy packages."""

    def __init__(self, model: str) -> None:
        from faster_whisper import WhisperModel

        self._name = model
        threads = min(_THREADS, os.cpu_count() or 1)
        try:
            self._model = WhisperModel(
                model, device="cpu", compute_type="int8", cpu_threads=threads, local_files_only=True
            )
        except (RuntimeError, ValueError, OSError) as error:
            first = str(error).partition("\n")[0]
            msg = f"the Whisper model in {model} cannot be loaded: {first}; set whisper_model"
            raise EngineRefused(msg) from None

    def transcribe(self, job: Job, progress: Callable[[Fraction], None]) -> Answer:
        """Hear one sound track, piece by piece."""
        language, probability = job.language, 1.0
        words: list[Heard] = []
        for sound, offset, voice, cut in _blocks(job.media, job.track):
            if language is None and cut:
                language, probability = self._language(sound, offset, voice)
            for piece in cut:
                part = sound[round((piece.start - offset) * RATE) : round((piece.end - offset) * RATE)]
                words += self._piece(part, piece, voice, language or "en", align=job.align)
                progress(Fraction(round(piece.end * RATE), RATE))
        progress(job.media.duration)
        raw = scribe_json(
            words,
            language=language or "en",
            probability=probability if words else 0.0,
            duration=float(job.media.duration),
        )
        meta = {"versions": _versions(), "aligned": [bool(word.aligned) for word in words]}
        return Answer(raw, meta)

    def _language(
        self, sound: np.ndarray[Any, Any], offset: float, voice: Sequence[Voice]
    ) -> tuple[str, float]:
        import numpy as np

        parts = [sound[round((v.start - offset) * RATE) : round((v.end - offset) * RATE)] for v in voice]
        said = np.concatenate(parts)[: _LANGUAGE_SECONDS * RATE]
        language, probability, _ = self._model.detect_language(said)
        return str(language), float(probability)

    def _piece(
        self, sound: np.ndarray[Any, Any], piece: Voice, voice: Sequence[Voice], language: str, *, align: bool
    ) -> tuple[Heard, ...]:
        spaced = language not in SPACELESS
        plain = passes.joined(self._pass(sound, piece, language), spaced=spaced)
        primed = passes.joined(
            self._pass(sound, piece, language, initial_prompt=passes.FILLER_PROMPT, temperature=0.0),
            spaced=spaced,
        )
        if passes.loops(" ".join(word.text for word in primed)):
            primed = ()
        words = passes.without_echoes(plain, primed)
        words = passes.without_trailers(passes.merge_fillers(words, primed), voice)
        if language == "en" and align:
            return place_words(
                words, piece, voice, lambda texts, part: self._aligner(texts, part, sound, piece)
            )
        return tuple(replace(word, aligned=False) for word in words)

    def _pass(
        self, sound: np.ndarray[Any, Any], piece: Voice, language: str, **options: object
    ) -> Iterator[Heard]:
        import ctranslate2

        ctranslate2.set_random_seed(SEED)
        segments, _ = self._model.transcribe(
            sound,
            language=language,
            word_timestamps=True,
            condition_on_previous_text=False,
            # A loop fills Whisper's whole window otherwise, at ten times the cost.
            max_new_tokens=_SPARE_TOKENS + math.ceil(_TOKENS_A_SECOND * len(sound) / RATE),
            **options,
        )
        window = 0
        for segment in segments:
            for place, word in enumerate(segment.words or ()):
                yield Heard(
                    word.word,
                    piece.start + float(word.start),
                    piece.start + float(word.end),
                    float(word.probability),
                    seam=place == 0 and segment.seek != window,
                )
            window = segment.seek

    def _aligner(
        self, texts: Sequence[str], part: Voice, sound: np.ndarray[Any, Any], piece: Voice
    ) -> Sequence[tuple[float, float] | None] | None:
        first, last = (round((time - piece.start) * RATE) for time in (part.start, part.end))
        return self._sphinx.align(texts, sound[max(0, first) : last], max(part.start, piece.start))

    @cached_property
    def _sphinx(self) -> Sphinx:
        return Sphinx()


class Sphinx:
    """PocketSphinx's American English model, used to place words that are known already."""

    def __init__(self) -> None:
        from pocketsphinx import Config, Decoder, get_model_path

        home = Path(get_model_path()) / "en-us"
        self._decoder = Decoder(
            Config(
                hmm=str(home / "en-us"),
                dict=str(home / "cmudict-en-us.dict"),
                lm=None,
                cmn="batch",
                loglevel="FATAL",
            )
        )
        self._names: dict[tuple[str, ...], str] = {}

    def align(
        self, texts: Sequence[str], sound: np.ndarray[Any, Any], offset: float
    ) -> list[tuple[float, float] | None] | None:
        """Give start and end of each word in seconds (frames of 10 ms from ``offset``), or None where it refuses."""
        import numpy as np

        said = [self._named(pronunciations(text, self._lookup)) for text in texts]
        names = [name for name in said if name is not None]
        if not names:
            return None
        pcm = (np.clip(sound, -1.0, 1.0) * 32767).astype("<i2").tobytes()
        decoder = self._decoder
        try:
            decoder.set_align_text(" ".join(names))
            decoder.start_utt()
            decoder.process_raw(pcm, full_utt=True)
            decoder.end_utt()
            found = list(decoder.seg() or ()) if decoder.hyp() is not None else []
        except RuntimeError:
            return None
        placed = [entry for entry in found if entry.word.partition("(")[0] in self._known]
        if [entry.word.partition("(")[0] for entry in placed] != names:
            return None
        times = iter([(offset + e.start_frame / 100, offset + (e.end_frame + 1) / 100) for e in placed])
        return [None if name is None else next(times) for name in said]

    @property
    def _known(self) -> frozenset[str]:
        return frozenset(self._names.values())

    def _lookup(self, word: str) -> tuple[str, ...]:
        found: list[str] = []
        while phones := self._decoder.lookup_word(f"{word}({len(found) + 1})" if found else word):
            found.append(str(phones))
        return tuple(found)

    def _named(self, ways: tuple[str, ...]) -> str | None:
        """Give the dictionary's name for these pronunciations, entered when first met."""
        if not ways:
            return None
        if ways not in self._names:
            name = f"said-{len(self._names)}"
            for number, phones in enumerate(ways, start=1):
                self._decoder.add_word(
                    name if number == 1 else f"{name}({number})", phones, number == len(ways)
                )
            self._names[ways] = name
        return self._names[ways]


def _blocks(
    media: Media, track: int
) -> Iterator[tuple[np.ndarray[Any, Any], float, tuple[Voice, ...], tuple[Voice, ...]]]:
    """Give the sound in blocks: samples, the second of the first, stretches of voice, and the pieces to hear.

    The last piece of a block that another follows begins the next one, so that no piece is cut where a block ends.
    """
    from cutbook.media.sound import samples

    at, length = 0, math.floor(media.duration * RATE)
    while at < length:
        until = min(length, at + BLOCK * RATE)
        sound = samples(media, track, rate=RATE, span=Span(Fraction(at, RATE), Fraction(until, RATE)))
        offset = at / RATE
        voice = tuple(Voice(offset + v.start, offset + v.end) for v in _voice(sound))
        cut = passes.pieces(voice, length=until / RATE)
        at = until
        if until < length and cut and cut[-1].end > until / RATE - passes.LONGEST_PIECE:
            at = round(cut[-1].start * RATE)
            cut = cut[:-1]
        yield sound, offset, voice, cut


def _voice(sound: np.ndarray[Any, Any]) -> list[Voice]:
    from faster_whisper.vad import VadOptions, get_speech_timestamps

    options = VadOptions(
        min_silence_duration_ms=100,
        speech_pad_ms=0,
        max_speech_duration_s=passes.LONGEST_PIECE - 2 * passes.MARGIN,
    )
    return [Voice(s["start"] / RATE, s["end"] / RATE) for s in get_speech_timestamps(sound, options)]


def _versions() -> dict[str, str]:
    found = {}
    for package in ("cutbook", "faster-whisper", "ctranslate2", "pocketsphinx"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
