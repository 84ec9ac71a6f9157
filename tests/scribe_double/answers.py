"""What the stand-in says: an answer given for the very bytes, the sample's own words, or a short sentence."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.sample import SAMPLE

STEP = 0.01
"""Seconds of one level when a sound is compared to when words are said."""


def _word(
    text: str, start: float, end: float, speaker: str = "speaker_0", kind: str = "word"
) -> dict[str, Any]:
    return {
        "text": text,
        "start": round(start, 3),
        "end": round(end, 3),
        "type": kind,
        "speaker_id": speaker,
        "logprob": -0.01 if kind == "word" else 0.0,
    }


def in_scribes_shape(words: Sequence[tuple[str, float, float, str]]) -> dict[str, Any]:
    """Write words (text, start, end, speaker) as an answer, with spacing between them."""
    tokens: list[dict[str, Any]] = []
    for text, start, end, speaker in words:
        if tokens:
            last = tokens[-1]
            tokens.append(_word(" ", last["end"], max(start, last["end"]), last["speaker_id"], "spacing"))
        tokens.append(_word(text, start, end, speaker))
    return {
        "language_code": "eng",
        "language_probability": 0.98,
        "text": "".join(token["text"] for token in tokens),
        "words": tokens,
        "transcription_id": "double",
    }


ANSWER = in_scribes_shape(
    [
        ("We", 0.1, 0.3, "speaker_0"),
        ("fixed", 0.35, 0.6, "speaker_0"),
        ("this.", 0.7, 0.9, "speaker_1"),
    ]
)
"""What is said about a sound that nobody knows."""


def multichannel(*answers: Mapping[str, Any]) -> dict[str, Any]:
    """Put an answer a channel together, as the service does for `use_multi_channel`."""
    return {"transcripts": [{**answer, "channel_index": number} for number, answer in enumerate(answers)]}


class Sample:
    """The words of sample_media/: an upload is known by its length and by when it is loud."""

    def __init__(self, folder: Path = SAMPLE) -> None:
        script = json.loads((folder / "script.json").read_text("utf-8"))
        self._takes = {name: take for name, take in script["takes"].items() if take["words"]}

    def answer(self, levels: NDArray[np.float64]) -> dict[str, Any] | None:
        """Give the words of the take that a sound is, by its level every 10 ms, or None."""
        best = max(self._takes, key=lambda name: _likeness(self._takes[name], levels))
        if _likeness(self._takes[best], levels) < 0.4:
            return None
        take = self._takes[best]
        texts = take["said"].split()
        return in_scribes_shape(
            [
                (text, word["start"], word["end"], f"speaker_{word['speaker'][1:]}")
                for text, word in zip(texts, take["words"], strict=True)
            ]
        )


def _likeness(take: Mapping[str, Any], levels: NDArray[np.float64]) -> float:
    """Correlate how loud a sound is with whether a take's words are being said; −1 where the lengths differ."""
    if abs(len(levels) * STEP - take["duration_s"]) > 0.25:
        return -1.0
    said = np.zeros(len(levels))
    for word in take["words"]:
        said[int(word["start"] / STEP) : int(word["end"] / STEP)] = 1
    if not levels.std() or not said.std():
        return -1.0
    return float(np.corrcoef(said, levels)[0, 1])


def loudness(file: Path) -> NDArray[np.float64]:
    """Decode an upload and give its level (dB over a room's noise) every 10 ms; raises for what is no sound."""
    import av

    parts: list[NDArray[np.float64]] = []
    with av.open(str(file)) as container:
        stream = container.streams.audio[0]
        resampler = av.AudioResampler(format="flt", layout="mono", rate=16_000)
        for frame in container.decode(stream):
            parts += [part.to_ndarray().ravel().astype(np.float64) for part in resampler.resample(frame)]
        parts += [part.to_ndarray().ravel().astype(np.float64) for part in resampler.resample(None)]
    wave = np.concatenate(parts) if parts else np.zeros(0)
    size = int(16_000 * STEP)
    power = np.square(wave[: len(wave) // size * size]).reshape(-1, size).mean(axis=1)
    return np.asarray(10 * np.log10(np.maximum(power, 1e-6)) + 60)
