"""How one sound track becomes words: pieces of sound, two passes of Whisper over each, words placed in the sound.

What hears, finds voice and aligns is handed in, so that nothing here knows which packages do it.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from cutbook.errors import EngineRefused
from cutbook.media.probe import Media
from cutbook.timebase import Span
from cutbook.transcripts import passes
from cutbook.transcripts.aligning import Aligner, place_words
from cutbook.transcripts.passes import Heard, Voice
from cutbook.transcripts.writing import SPACELESS, scribe_json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Sound = NDArray[np.float32]
    AlignSound = Callable[[Sequence[str], Sound, float], list[tuple[float, float] | None] | None]

RATE = 16_000
"""Samples a second that Whisper, the voice detector and the aligner hear."""

BLOCK = 600
"""Seconds of sound in memory at once."""

_TOKENS_A_SECOND, _SPARE_TOKENS = 12, 48


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be heard: ``model`` is a folder, ``language`` a code of Whisper's or None to find it."""

    model: str
    media: Media
    track: int
    language: str | None
    align: bool


class Recogniser:
    """One loaded model and its helpers.

    ``whisper`` is faster-whisper's model, ``voices`` finds stretches of voice in a sound (seconds from its start, none
    over a piece long), ``reseed`` begins Whisper's random draws anew, ``aligner`` makes a new aligner.
    """

    def __init__(
        self,
        whisper: Any,
        *,
        voices: Callable[[Sound], Sequence[Voice]],
        reseed: Callable[[], None],
        aligner: Callable[[], Aligner],
    ) -> None:
        self._whisper = whisper
        self._voices = voices
        self._reseed = reseed
        self._new_aligner = aligner
        self._encoded: dict[bytes, object] = {}
        self._whisper.encode = _remembering(self._whisper.encode, self._encoded)

    def hear(self, job: Job, progress: Callable[[Fraction], None]) -> tuple[bytes, list[bool]]:
        """Hear one sound track, piece by piece; give JSON in Scribe's shape and whether each word was aligned.

        Raises:
            EngineRefused: Whisper does not know the language.
        """
        language, probability = job.language, 1.0
        if language is not None and language not in self._whisper.supported_languages:
            msg = f"{language!r} is no language that Whisper knows; write a code like en, de or zh"
            raise EngineRefused(msg)
        # A decoder remembers what it aligned before: a new one gives each take the same times whatever came before it.
        align = self._new_aligner().align if job.align else None
        words: list[Heard] = []
        for sound, offset, voice, cut in self._blocks(job.media, job.track):
            for piece in cut:
                part = sound[round((piece.start - offset) * RATE) : round((piece.end - offset) * RATE)]
                self._encoded.clear()
                if language is None:
                    language, probability = self._language(part)
                words += self._piece(part, piece, voice, language, align)
                progress(Fraction(round(piece.end * RATE), RATE))
        progress(job.media.duration)
        raw = scribe_json(
            words,
            language=language or "en",
            probability=probability if words else 0.0,
            duration=float(job.media.duration),
        )
        return raw, [bool(word.aligned) for word in words]

    def _language(self, sound: Sound) -> tuple[str, float]:
        """Find the language from the very window that the passes hear first, so that it is encoded once."""
        import numpy as np

        features = self._whisper.feature_extractor(sound)
        most = self._whisper.feature_extractor.nb_max_frames
        # The passes leave the last frame out.
        heard = features[:, : min(most, features.shape[1] - 1)]
        window = np.pad(heard, ((0, 0), (0, most - heard.shape[1])))
        token, probability = self._whisper.model.detect_language(self._whisper.encode(window))[0][0]
        return token.strip("<|>"), float(probability)

    def _piece(
        self, sound: Sound, piece: Voice, voice: Sequence[Voice], language: str, align: AlignSound | None
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
        if language != "en" or align is None:
            return tuple(replace(word, aligned=False) for word in words)

        def place(texts: Sequence[str], part: Voice) -> Sequence[tuple[float, float] | None] | None:
            first, last = (max(0, round((time - piece.start) * RATE)) for time in (part.start, part.end))
            return align(texts, sound[first:last], max(part.start, piece.start))

        return place_words(words, piece, voice, place)

    def _pass(self, sound: Sound, piece: Voice, language: str, **options: object) -> Iterator[Heard]:
        self._reseed()
        segments, _ = self._whisper.transcribe(
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

    def _blocks(
        self, media: Media, track: int
    ) -> Iterator[tuple[Sound, float, tuple[Voice, ...], tuple[Voice, ...]]]:
        """Give the sound in blocks: samples, the second of the first, stretches of voice, and the pieces to hear.

        The last piece of a block that another follows begins the next one, so that no piece is cut where a block ends.
        """
        from cutbook.media.sound import samples

        at, length = 0, math.floor(media.duration * RATE)
        while at < length:
            until = min(length, at + BLOCK * RATE)
            sound = samples(media, track, rate=RATE, span=Span(Fraction(at, RATE), Fraction(until, RATE)))
            offset = at / RATE
            voice = tuple(Voice(offset + v.start, offset + v.end) for v in self._voices(sound))
            cut = passes.pieces(voice, length=until / RATE)
            at = until
            if until < length and cut and cut[-1].end > until / RATE - passes.LONGEST_PIECE:
                at = round(cut[-1].start * RATE)
                cut = cut[:-1]
            yield sound, offset, voice, cut


def _remembering(
    encode: Callable[[NDArray[np.float32]], object], known: dict[bytes, object]
) -> Callable[[NDArray[np.float32]], object]:
    """Wrap Whisper's encoder, half of the work, so that all passes over one piece share what it gave."""

    def remembered(features: NDArray[np.float32]) -> object:
        key = hashlib.sha256(features.tobytes()).digest()
        if key not in known:
            known[key] = encode(features)
        return known[key]

    return remembered
