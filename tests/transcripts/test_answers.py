from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutbook.errors import MayBeBilled, TranscriptError
from cutbook.transcripts.answers import Again, Response, judged, reason
from tests.scribe_double import ANSWER

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
NAMED = st.dictionaries(
    st.sampled_from(["detail", "status", "code", "message", "msg", "loc", "words", "text", "transcripts"]),
    JSON,
)
LENGTH = Fraction(10)


def judge(status: int, body: bytes, **headers: str) -> bytes:
    """Judge a response to a take of ten seconds."""
    return judged(Response(status, headers, body), duration=LENGTH)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b'{"detail": {"status": "a_b", "message": "Said."}}', ("a_b", "a_b: Said.")),
        (b'{"detail": {"code": "a_b", "message": "Said."}}', ("a_b", "a_b: Said.")),
        (b'{"detail": {"type": "t", "code": 7, "message": "Said."}}', ("t", "t: Said.")),
        (b'{"detail": {"message": "Said."}}', ("", "Said.")),
        (
            b'{"detail": [{"loc": ["body", "file", 0], "msg": "Needed"}, {"msg": "Too"}]}',
            ("", "body.file.0 Needed; Too"),
        ),
        (b'{"detail": ["one", "two"]}', ("", "one; two")),
        (b'{"detail": "in a word"}', ("", "in a word")),
        (b'{"detail": null}', ("", "it gave no reason")),
        (b"{}", ("", "it gave no reason")),
        (b"", ("", "it gave no reason")),
        (b'{"status": "bare", "message": "no detail"}', ("bare", "bare: no detail")),
        (b'"text"', ("", "text")),
        (b"plain\r\ntext\x1b[31m", ("", "plain text [31m")),
        (b"<html><head><title>502 Bad\nGateway</title></head><body>x</body></html>", ("", "502 Bad Gateway")),
        (b"<p>Try <b>later</b> &mdash; thanks</p><script>x()</script>", ("", "Try later — thanks")),
        ('{"detail": "später"}'.encode(), ("", "später")),
        (b"\xff\xfe not utf-8", ("", "\ufffd\ufffd not utf-8")),
    ],
)
def test_a_reason_is_read_in_every_shape(body: bytes, expected: tuple[str, str]) -> None:
    """A mapping, a list, a text, a page or nothing: one line of plain words, and the code where there is one."""
    assert reason(body) == expected


@given(body=st.binary(max_size=200) | (JSON | NAMED).map(lambda value: json.dumps(value).encode()))
def test_a_reason_is_always_one_short_line(body: bytes) -> None:
    """Whatever comes, there is one printable line that fits a cell."""
    code, words = reason(body)
    assert words
    assert len(words) <= 300
    assert words.isprintable()
    assert isinstance(code, str)


@given(
    status=st.integers(200, 599),
    body=st.binary(max_size=200) | (JSON | NAMED).map(lambda value: json.dumps(value).encode()),
)
def test_every_response_is_words_or_an_error_of_ours(status: int, body: bytes) -> None:
    """No answer of any status and body gets through by an exception that nobody foresaw."""
    said = ""
    try:
        raw = judge(status, body)
    except (TranscriptError, Again) as error:
        said = str(error)
    else:
        assert raw == body
        assert status < 300
    assert len(said.splitlines()) <= 1


@given(cut=st.integers(0, len(json.dumps(ANSWER)) - 1))
def test_no_part_of_an_answer_passes_for_the_whole(cut: int) -> None:
    """Cut anywhere, it may have been billed and is no transcript."""
    with pytest.raises(MayBeBilled):
        judge(200, json.dumps(ANSWER).encode()[:cut])


@given(place=st.integers(0, len(ANSWER["words"]) - 1))
def test_no_word_may_be_missing(place: int) -> None:
    """The words make up the text, blanks apart."""
    words = [word for number, word in enumerate(ANSWER["words"]) if number != place]
    body = json.dumps({**ANSWER, "words": words}).encode()
    if ANSWER["words"][place]["type"] == "spacing":
        assert judge(200, body) == body
    else:
        with pytest.raises(MayBeBilled, match="do not make up"):
            judge(200, body)


@pytest.mark.parametrize("status", [200, 400])
def test_an_answer_nested_without_end_is_none(status: int) -> None:
    """A body made to exhaust the reader is refused like any other nonsense."""
    with pytest.raises(TranscriptError):
        judge(status, b"[" * 200_000)


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [("7", 7, 7), ("0", 0, 0), ("2.5", 2.5, 2.5), ("Wed, 21 Oct 2015 07:28:00 GMT", 0, 0)],
)
def test_retry_after_is_seconds_or_a_date(text: str, least: float, most: float) -> None:
    """Both forms are read; a time that is past is now."""
    with pytest.raises(Again) as caught:
        judge(503, b"", **{"retry-after": text})
    assert caught.value.wait is not None
    assert least <= caught.value.wait <= most


def test_a_date_to_come_is_waited_for() -> None:
    """A minute from now is a minute at most."""
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    with pytest.raises(Again) as caught:
        judge(429, b"", **{"retry-after": date})
    assert caught.value.wait is not None
    assert 30 < caught.value.wait <= 60


@pytest.mark.parametrize("text", ["soon", "-5", "", "nan", "1e9", "Wed, 99 Foo 2015"])
def test_a_retry_after_that_says_nothing_is_none(text: str) -> None:
    """One falls back on one's own pauses."""
    with pytest.raises(Again) as caught:
        judge(503, b"", **{"retry-after": text})
    assert caught.value.wait is None


def test_a_part_of_a_long_reason_hides_all_of_a_secret() -> None:
    """What must not be shown is taken out before the reason is cut to length."""
    body: dict[str, Any] = {"detail": "x" * 295 + "secret-key"}
    _, words = reason(json.dumps(body).encode(), lambda text: text.replace("secret-key", "…"))
    assert words == "x" * 295 + "…"
