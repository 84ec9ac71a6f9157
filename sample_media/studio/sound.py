"""Put a take's phrases and pauses on one clock, at one level, over a low room tone."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from studio.script import CAST, Take
from studio.voices import Phrase, Samples, say

LEAD_S = 0.7
TAIL_S = 0.7
STOP_S = 0.45
SPEECH_DBFS = {1: -18.0, 2: -21.0}
PEAK_DBFS = -2.0
ROOM_DBFS = -66.0
FILLERS = frozenset({"um", "uh"})
WRITTEN = {"ninety": "90"}


@dataclass(frozen=True, kw_only=True)
class SpokenWord:
    """A word of the script; ``start`` and ``end`` in seconds on the picture's clock."""

    spoken: str
    written: str
    start: float
    end: float
    speaker: str
    filler: bool


@dataclass(frozen=True, kw_only=True)
class Track:
    """A take's sound before encoding: mono samples, its words, who is heard, and the plain text."""

    samples: Samples
    rate: int
    words: tuple[SpokenWord, ...]
    speakers: tuple[str, ...]
    said: str


def pieces(line: str) -> list[str | float]:
    """Split a line into phrases (text) and pauses (seconds), each filler a phrase of its own."""
    found: list[str | float] = []
    for part in re.split(r"(<[0-9.]+>)", line):
        if part.startswith("<"):
            if found and isinstance(found[-1], float):
                found[-1] = float(part[1:-1])
            else:
                found.append(float(part[1:-1]))
            continue
        for sentence in re.findall(r"[^.?!]+[.?!]?", part):
            text = sentence.strip()
            if not text:
                continue
            found.append(text)
            if text[-1] in ".?!":
                found.append(STOP_S)
    return found


def record(take: Take) -> Track:
    """Speak a take: its words' times are in seconds from the first sample, which is the first frame."""
    rate = take.sound_rate
    parts: list[Samples] = []
    words: list[SpokenWord] = []
    speakers: list[str] = []
    said: list[str] = []
    position = round(LEAD_S * rate)
    parts.append(np.zeros(position, dtype=np.float32))
    for speaker, line in take.lines:
        if speaker not in speakers:
            speakers.append(speaker)
        label = f"S{speakers.index(speaker)}"
        for piece in pieces(line):
            if isinstance(piece, float):
                parts.append(np.zeros(round(piece * rate), dtype=np.float32))
                position += parts[-1].size
                continue
            said.append(piece if piece[-1] in ".,?!" else f"{piece},")
            cast = CAST[speaker]
            filler = piece.lower() in FILLERS
            stretch = cast.filler_stretch if filler else cast.stretch
            phrase = say(voice=cast.voice, text=piece, stretch=stretch)
            words += placed(phrase, text=piece, offset=position / rate, speaker=label, filler=filler)
            sound = resampled(phrase.samples, old=phrase.rate, new=rate)
            parts.append(levelled(sound, dbfs=SPEECH_DBFS[take.channels]))
            position += sound.size
    parts.append(np.zeros(round(TAIL_S * rate), dtype=np.float32))
    dry = np.concatenate(parts)
    frames = int(np.ceil(dry.size / rate * take.rate))
    samples = room_tone(round(frames / take.rate * rate), rate=rate, seed=sum(take.name.encode()))
    samples[: dry.size] += dry[: samples.size]
    return Track(
        samples=samples, rate=rate, words=tuple(words), speakers=tuple(speakers), said=" ".join(said)
    )


def placed(phrase: Phrase, *, text: str, offset: float, speaker: str, filler: bool) -> list[SpokenWord]:
    """Put a phrase's words on the take's clock.

    Raises ``ValueError`` where the voice has read other words than those of the text, as it does with digits.
    """
    written = [token.strip(".,?!") for token in text.split()]
    if [token.lower() for token in written] != [word.text for word in phrase.words]:
        msg = f"the voice read {[word.text for word in phrase.words]} for {text!r}: write the words out"
        raise ValueError(msg)
    return [
        SpokenWord(
            spoken=word.text,
            written=WRITTEN.get(word.text, token),
            start=round(offset + word.start, 4),
            end=round(offset + word.end, 4),
            speaker=speaker,
            filler=filler,
        )
        for word, token in zip(phrase.words, written, strict=True)
    ]


def resampled(samples: Samples, *, old: int, new: int) -> Samples:
    """Change the rate by way of the spectrum, without moving anything in time."""
    block = old // int(np.gcd(old, new))
    padding = 4 * block
    total = -(-(samples.size + 2 * padding) // block) * block
    padded = np.zeros(total, dtype=np.float64)
    padded[padding : padding + samples.size] = samples
    length = total // block * (new // int(np.gcd(old, new)))
    spectrum = np.fft.rfft(padded)
    wanted = np.zeros(length // 2 + 1, dtype=np.complex128)
    kept = min(spectrum.size, wanted.size)
    wanted[:kept] = spectrum[:kept]
    result = np.fft.irfft(wanted, length) * (new / old)
    start = padding * new // old
    until = start + round(samples.size * new / old)
    return np.asarray(result[start:until], dtype=np.float32)


def levelled(samples: Samples, *, dbfs: float) -> Samples:
    """Bring a phrase to the speaking level, measured where it is loud, and never above the peak."""
    size = 960
    blocks = (
        samples[: samples.size // size * size].reshape(-1, size) if samples.size > size else samples[None]
    )
    power = np.mean(blocks.astype(np.float64) ** 2, axis=1)
    loud = power[power > power.max() / 100]
    gain = 10 ** (dbfs / 20) / np.sqrt(loud.mean())
    peak = float(np.abs(samples).max())
    return np.asarray(samples * min(gain, 10 ** (PEAK_DBFS / 20) / peak), dtype=np.float32)


def room_tone(length: int, *, rate: int, seed: int) -> Samples:
    """Make a soft, low noise, the same each time, so that pauses are quiet but not digital silence."""
    white = np.random.default_rng(seed).standard_normal(length)
    spectrum = np.fft.rfft(white)
    frequency = np.fft.rfftfreq(length, 1 / rate)
    spectrum /= np.sqrt(1 + (frequency / 400) ** 2)
    noise = np.fft.irfft(spectrum, length)
    return np.asarray(noise * 10 ** (ROOM_DBFS / 20) / noise.std(), dtype=np.float32)
