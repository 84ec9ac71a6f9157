from __future__ import annotations

import json
import math

import pytest

from cutbook.transcripts.passes import Heard
from cutbook.transcripts.writing import scribe_json

WORDS = (Heard("Um,", 0.5, 0.75, 0.25), Heard("hi", 1.0004, 1.5, 1.0))


def test_the_answer_has_scribes_shape() -> None:
    """Words with spacing tokens between them that fill the pause, milliseconds, ``logprob`` = ln p, ``speaker_0``."""
    found = json.loads(scribe_json(WORDS, language="en", probability=0.98, duration=2.0))
    assert found["text"] == "Um, hi"
    assert (found["language_code"], found["audio_duration_secs"]) == ("eng", 2.0)
    assert [(w["text"], w["start"], w["end"], w["type"]) for w in found["words"]] == [
        ("Um,", 0.5, 0.75, "word"),
        (" ", 0.75, 1.0, "spacing"),
        ("hi", 1.0, 1.5, "word"),
    ]
    assert found["words"][0]["logprob"] == pytest.approx(math.log(0.25), abs=1e-4)
    assert {w["speaker_id"] for w in found["words"]} == {"speaker_0"}


def test_chinese_has_no_spacing_tokens() -> None:
    """Languages without spaces have no spacing tokens; a language that is not listed keeps Whisper's code."""
    words = (Heard("我", 0, 0.2, 0.9), Heard("们", 0.2, 0.4, 0.9))
    found = json.loads(scribe_json(words, language="zh", probability=1.0, duration=1.0))
    assert (found["text"], found["language_code"], len(found["words"])) == ("我们", "zho", 2)
    assert json.loads(scribe_json((), language="eu", probability=0.0, duration=1.0))["language_code"] == "eu"
