from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cutbook.media.probe import probe
from cutbook.transcripts.aligning import Aligner
from cutbook.transcripts.hearing import BLOCK, RATE, Job, Recogniser
from cutbook.transcripts.passes import Voice
from tests.footage import make_sound


class Listener:
    """A model that hears one word a pass, and counts the pieces and the encodings."""

    supported_languages = ("en", "de")

    def __init__(self) -> None:
        self.feature_extractor = SimpleNamespace(nb_max_frames=3000)
        self.lengths: list[float] = []

    def encode(self, features: NDArray[np.float32]) -> object:
        """Never needed here."""
        return features

    def transcribe(self, sound: NDArray[np.float32], **options: Any) -> tuple[list[Any], None]:
        """Hear one word of half a second."""
        if "initial_prompt" not in options:
            self.lengths.append(len(sound) / RATE)
        word = SimpleNamespace(word=" word", start=0.25, end=0.75, probability=0.5)
        return [SimpleNamespace(words=[word], seek=0)], None


def no_aligner() -> Aligner:
    """Say that nothing is to be aligned here."""
    raise AssertionError


def test_a_long_take_is_heard_in_blocks_that_cut_no_piece(tmp_path: Path) -> None:
    """A stretch of voice over the edge of two blocks is one piece, and every stretch is heard once."""
    assert BLOCK == 600
    truth = [(100.0, 110.0), (590.0, 605.0), (612.0, 614.0)]
    media = probe(make_sound(tmp_path / "long.wav", sound="silence", seconds=620.0, extra=("-ar", "8000")))
    starts: list[int] = []

    def voices(sound: NDArray[np.float32]) -> list[Voice]:
        # The first block begins at 0; a second one where the piece that met its edge began.
        begin = starts[-1] if starts else 0
        end = begin + len(sound) / RATE
        found = [Voice(max(a, begin) - begin, min(b, end) - begin) for a, b in truth if a < end and b > begin]
        starts.append(round(590 - 0.2) if end == BLOCK else 0)
        return found

    listener = Listener()
    told: list[Fraction] = []
    recogniser = Recogniser(listener, voices=voices, reseed=lambda: None, aligner=no_aligner)
    raw, aligned = recogniser.hear(Job("", media, 0, "en", align=False), told.append)
    assert len(listener.lengths) == 3
    assert raw.count(b'"word"') > 0
    assert aligned == [False, False, False]
    assert told == sorted(told)
    assert told[-1] == media.duration
