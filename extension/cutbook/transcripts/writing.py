"""What the local engine heard, written in the shape of a Scribe answer."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

from cutbook.transcripts.passes import Heard

SPACELESS = frozenset({"zh", "ja", "th", "lo", "my", "yue", "km"})
"""Whisper's codes of languages that are written without spaces between words."""

THREE_LETTERS = {
    "ar": "ara", "cs": "ces", "da": "dan", "de": "deu", "el": "ell", "en": "eng", "es": "spa", "fi": "fin",
    "fr": "fra", "he": "heb", "hi": "hin", "hu": "hun", "id": "ind", "it": "ita", "ja": "jpn", "ko": "kor",
    "nl": "nld", "no": "nor", "pl": "pol", "pt": "por", "ro": "ron", "ru": "rus", "sv": "swe", "th": "tha",
    "tr": "tur", "uk": "ukr", "vi": "vie", "zh": "zho",
}  # fmt: skip
"""ISO 639-3 of the languages that Whisper names by ISO 639-1; others stay as Whisper names them."""


def scribe_json(words: Sequence[Heard], *, language: str, probability: float, duration: float) -> bytes:
    """Write words as Scribe would: spacing tokens between them, ``speaker_0``, ``logprob`` = ln p, no events."""
    tokens: list[dict[str, object]] = []
    for place, word in enumerate(words):
        if place and language not in SPACELESS:
            tokens.append(_token(" ", words[place - 1].end, word.start, "spacing", 0.0))
        logprob = math.log(min(1.0, max(word.probability, 1e-9)))
        tokens.append(_token(word.text, word.start, word.end, "word", round(logprob, 4)))
    answer = {
        "language_code": THREE_LETTERS.get(language, language),
        "language_probability": round(probability, 4),
        "text": "".join(str(token["text"]) for token in tokens),
        "words": tokens,
        "audio_duration_secs": round(duration, 3),
    }
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()


def _token(text: str, start: float, end: float, kind: str, logprob: float) -> dict[str, object]:
    return {
        "text": text,
        "start": round(start, 3),
        "end": round(max(start, end), 3),
        "type": kind,
        "speaker_id": "speaker_0",
        "logprob": logprob + 0.0,
    }
