"""Answers in Scribe's shape, made up by hypothesis: tidy ones, and ones with every oddity that real ones have."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

LATIN = st.sampled_from(
    ["Um,", "we", "fix", "pages", "don't", "90%", "$43,000.", "hahaha", "é", "co-op", "—"]
)
HAN = st.sampled_from(["我", "们", "。", "，", "ページ", "PGS"])
TEXTS = st.one_of(LATIN, HAN)
SPEAKERS = st.one_of(st.none(), st.sampled_from(["speaker_0", "speaker_1", "speaker_88"]))
ODD_TIMES = st.one_of(
    st.none(),
    st.just(float("nan")),
    st.floats(min_value=-1, max_value=400, allow_nan=False).map(lambda value: round(value, 3)),
)


@st.composite
def tidy_answers(draw: st.DrawFn) -> dict[str, Any]:
    """Return an answer whose words follow each other, in milliseconds, with spacing tokens between them."""
    words: list[dict[str, Any]] = []
    at = draw(st.integers(0, 2000))
    for number in range(draw(st.integers(0, 20))):
        if number:
            pause = draw(st.integers(0, 1500))
            words.append({"text": " ", "start": at / 1000, "end": (at + pause) / 1000, "type": "spacing"})
            at += pause
        length = draw(st.integers(30, 900))
        words.append(
            {
                "text": draw(LATIN),
                "start": at / 1000,
                "end": (at + length) / 1000,
                "type": "word",
                "speaker_id": draw(SPEAKERS),
                "logprob": -0.25,
            }
        )
        at += length
    return {"language_code": "eng", "text": "".join(word["text"] for word in words), "words": words}


@st.composite
def odd_answers(draw: st.DrawFn) -> dict[str, Any]:
    """Return an answer with times missing, running backwards, stuck and stretched, and kinds nobody has heard of."""
    tokens = st.fixed_dictionaries(
        {
            "text": st.one_of(TEXTS, st.just(" "), st.just(""), st.just("[suspiro]")),
            "type": st.sampled_from(["word", "word", "word", "spacing", "audio_event", "unheard_of"]),
        },
        optional={
            "start": ODD_TIMES,
            "end": ODD_TIMES,
            "speaker_id": SPEAKERS,
            "logprob": st.one_of(st.none(), st.just(0.0), st.floats(-5, 0)),
            "characters": st.none(),
        },
    )
    words = draw(st.lists(tokens, max_size=25))
    if draw(st.booleans()):
        time = draw(st.integers(0, 30))
        stuck: dict[str, Any] = {"text": "so", "start": time, "end": time, "type": "word", "speaker_id": None}
        words += [stuck.copy() for _ in range(draw(st.integers(2, 8)))]
    return {"language_code": draw(st.sampled_from(["eng", "zho", None])), "words": words}
