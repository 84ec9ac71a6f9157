"""Say a phrase with a free synthesiser and take the time of every word from the synthesiser itself.

Three are used: festival (voice slt, HTS), flite (voices slt and rms) and espeak-ng. Each gives mono
samples and word times that come from the sounds it has just put together, so nothing is estimated.
"""

from __future__ import annotations

import ctypes
import json
import subprocess
import tempfile
import wave
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Word:
    """One spoken word; ``start`` and ``end`` in seconds from the phrase's first sample."""

    text: str
    start: float
    end: float


@dataclass(frozen=True, kw_only=True)
class Phrase:
    """Mono samples at ``rate`` Hz, cut to the first and last word, and the words in them."""

    samples: Samples
    rate: int
    words: tuple[Word, ...]


def say(*, voice: str, text: str, stretch: float = 1.0) -> Phrase:
    """Say a phrase.

    ``voice`` is ``engine:name``; ``stretch`` above 1 is slower. Words come back in the order that they are
    said, lower case. Raises ``ValueError`` for an engine that is not known.
    """
    engine, _, name = voice.partition(":")
    if engine == "festival":
        return _trimmed(_festival(text, stretch=stretch))
    if engine == "flite":
        return _trimmed(_flite(text, name=name, stretch=stretch))
    if engine == "espeak":
        return _trimmed(_espeak(text, name=name, stretch=stretch))
    msg = f"no such engine: {engine}"
    raise ValueError(msg)


def _trimmed(phrase: Phrase) -> Phrase:
    """Cut a phrase to its first and last word, the edges faded over 4 ms."""
    first, last = phrase.words[0].start, phrase.words[-1].end
    head, tail = round(first * phrase.rate), round(last * phrase.rate)
    samples = phrase.samples[head:tail].copy()
    ramp = np.linspace(0.0, 1.0, round(0.004 * phrase.rate), dtype=np.float32)
    samples[: ramp.size] *= ramp
    samples[-ramp.size :] *= ramp[::-1]
    shift = head / phrase.rate
    words = tuple(Word(text=w.text, start=w.start - shift, end=w.end - shift) for w in phrase.words)
    return Phrase(samples=samples, rate=phrase.rate, words=words)


_FESTIVAL = """
(voice_cmu_us_slt_arctic_hts)
(Parameter.set 'Duration_Stretch {stretch})
(lex.add.entry '("um" uh (((ah m) 1))))
(lex.add.entry '("uh" uh (((ah) 1))))
(set! utt (SynthText {text}))
(mapcar (lambda (word) (format t "%s\\t%f\\t%f\\n"
    (item.name word) (item.feat word "word_start") (item.feat word "word_end")))
  (utt.relation.items utt 'Word))
(utt.save.wave utt {wave} 'riff)
"""


def _festival(text: str, *, stretch: float) -> Phrase:
    with tempfile.TemporaryDirectory() as folder:
        sound, program = Path(folder, "phrase.wav"), Path(folder, "phrase.scm")
        program.write_text(
            _FESTIVAL.format(stretch=stretch, text=json.dumps(text), wave=json.dumps(str(sound))),
            encoding="ascii",
        )
        run = subprocess.run(["festival", "-b", str(program)], check=True, capture_output=True, text=True)
        with wave.open(str(sound)) as reader:
            rate = reader.getframerate()
            samples = np.frombuffer(reader.readframes(reader.getnframes()), dtype="<i2")
    rows = [line.split("\t") for line in run.stdout.splitlines() if "\t" in line]
    words = tuple(Word(text=name.lower(), start=float(start), end=float(end)) for name, start, end in rows)
    return Phrase(samples=samples.astype(np.float32) / np.float32(32768), rate=rate, words=words)


class _FliteWave(ctypes.Structure):
    _fields_ = (
        ("type", ctypes.c_char_p),
        ("rate", ctypes.c_int),
        ("length", ctypes.c_int),
        ("channels", ctypes.c_int),
        ("samples", ctypes.POINTER(ctypes.c_short)),
    )


class _FliteVoice(ctypes.Structure):
    _fields_ = (("name", ctypes.c_char_p), ("features", ctypes.c_void_p))


@cache
def _flite_library() -> Any:
    library = ctypes.CDLL("libflite.so.1", mode=ctypes.RTLD_GLOBAL)
    for name in ("usenglish", "cmulex"):
        ctypes.CDLL(f"libflite_{name}.so.1", mode=ctypes.RTLD_GLOBAL)
    pointer, text = ctypes.c_void_p, ctypes.c_char_p
    signatures: dict[str, tuple[Any, tuple[Any, ...]]] = {
        "flite_synth_text": (pointer, (text, pointer)),
        "utt_wave": (ctypes.POINTER(_FliteWave), (pointer,)),
        "utt_relation": (pointer, (pointer, text)),
        "relation_head": (pointer, (pointer,)),
        "item_next": (pointer, (pointer,)),
        "ffeature_float": (ctypes.c_float, (pointer, text)),
        "ffeature_string": (text, (pointer, text)),
        "feat_set_float": (None, (pointer, text, ctypes.c_float)),
        "delete_utterance": (None, (pointer,)),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    library.flite_init()
    return library


@cache
def _flite_voice(name: str) -> int:
    library = ctypes.CDLL(f"libflite_cmu_us_{name}.so.1", mode=ctypes.RTLD_GLOBAL)
    register = getattr(library, f"register_cmu_us_{name}")
    register.restype, register.argtypes = ctypes.c_void_p, (ctypes.c_void_p,)
    return int(register(None))


def _flite(text: str, *, name: str, stretch: float) -> Phrase:
    library = _flite_library()
    voice = _flite_voice(name)
    features = ctypes.cast(voice, ctypes.POINTER(_FliteVoice)).contents.features
    library.feat_set_float(features, b"duration_stretch", stretch)
    utterance = library.flite_synth_text(text.encode("ascii"), voice)
    sound = library.utt_wave(utterance).contents
    samples = np.ctypeslib.as_array(sound.samples, shape=(sound.length,)).astype(np.float32) / np.float32(
        32768
    )
    rate = int(sound.rate)
    words = []
    item = library.relation_head(library.utt_relation(utterance, b"Word"))
    while item:
        first = b"R:SylStructure.daughter1.daughter1.R:Segment.p.end"
        last = b"R:SylStructure.daughtern.daughtern.R:Segment.end"
        words.append(
            Word(
                text=library.ffeature_string(item, b"name").decode("ascii").lower(),
                start=float(library.ffeature_float(item, first)),
                end=float(library.ffeature_float(item, last)),
            )
        )
        item = library.item_next(item)
    library.delete_utterance(utterance)
    return Phrase(samples=samples, rate=rate, words=tuple(words))


class _EspeakEvent(ctypes.Structure):
    _fields_ = (
        ("type", ctypes.c_int),
        ("identifier", ctypes.c_uint),
        ("text_position", ctypes.c_int),
        ("length", ctypes.c_int),
        ("audio_position", ctypes.c_int),
        ("sample", ctypes.c_int),
        ("user_data", ctypes.c_void_p),
        ("name", ctypes.c_char * 8),
    )


_ESPEAK_WORD, _ESPEAK_PHONEME, _ESPEAK_ASCII = 1, 7, 1
_ESPEAK_RETRIEVAL, _ESPEAK_PHONEME_EVENTS = 1, 1
_ESPEAK_WORDS_A_MINUTE = 150
_Callback = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(_EspeakEvent)
)


@cache
def _espeak_library() -> tuple[Any, int]:
    library = ctypes.CDLL("libespeak-ng.so.1")
    rate = int(library.espeak_Initialize(_ESPEAK_RETRIEVAL, 0, None, _ESPEAK_PHONEME_EVENTS))
    return library, rate


def _espeak(text: str, *, name: str, stretch: float) -> Phrase:
    library, rate = _espeak_library()
    library.espeak_SetVoiceByName(name.encode("ascii"))
    library.espeak_SetParameter(1, round(_ESPEAK_WORDS_A_MINUTE / stretch), 0)
    chunks: list[Samples] = []
    starts: list[tuple[int, int, int]] = []
    sounds: list[tuple[int, str]] = []

    def collect(data: Any, count: int, events: Any) -> int:
        if count and data:
            chunks.append(np.ctypeslib.as_array(data, shape=(count,)).astype(np.float32) / np.float32(32768))
        index = 0
        while events[index].type:
            event = events[index]
            if event.type == _ESPEAK_WORD and event.length:
                starts.append((event.sample, event.text_position - 1, event.length))
            elif event.type == _ESPEAK_PHONEME:
                sounds.append((event.sample, event.name.decode("utf-8", "replace")))
            index += 1
        return 0

    callback = _Callback(collect)
    library.espeak_SetSynthCallback(callback)
    line = text.encode("ascii")
    library.espeak_Synth(line, len(line) + 1, 0, 1, 0, _ESPEAK_ASCII, None, None)
    library.espeak_Synchronize()
    samples = np.concatenate(chunks)
    pauses = [at for at, sound in sounds if sound.startswith("_")] + [samples.size]
    words = []
    for index, (at, position, length) in enumerate(starts):
        following = starts[index + 1][0] if index + 1 < len(starts) else samples.size
        until = min(following, next(pause for pause in pauses if pause > at))
        spoken = text[position : position + length].lower()
        words.append(Word(text=spoken, start=at / rate, end=until / rate))
    return Phrase(samples=samples, rate=rate, words=tuple(words))
