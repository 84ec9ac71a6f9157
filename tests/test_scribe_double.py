"""The stand-in for Scribe refuses what the service refuses, reads what is really sent, and knows the sample's words."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutbook.media.probe import probe
from cutbook.transcripts.scribe import ScribeEngine
from tests.footage import make_sound
from tests.sample import ROOT
from tests.scribe_double import KEY, Double, Turn, scribe_double
from tests.scribe_double.multipart import Body, BrokenForm, read_form
from tests.scribe_double.rules import LARGEST, too_large

FIELDS = {"model_id": "scribe_v2"}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return a second of sound, as a file."""
    return make_sound(tmp_path_factory.mktemp("sound") / "a.flac", seconds=1).read_bytes()


@pytest.fixture
def double() -> Iterator[Double]:
    """Return a stand-in that runs while the test does."""
    with scribe_double() as running:
        yield running


def post(double: Double, fields: dict[str, Any], file: bytes | None, key: str | None = KEY) -> httpx.Response:
    """Send a form as any client would."""
    files = (
        {"file": ("a.flac", file, "audio/flac")} if file is not None else {"none": ("", b"", "text/plain")}
    )
    headers = {"xi-api-key": key} if key is not None else {}
    with httpx.Client(trust_env=False) as client:
        return client.post(f"{double.url}/v1/speech-to-text", data=fields, files=files, headers=headers)


@given(
    fields=st.lists(
        st.tuples(st.sampled_from(["model_id", "keyterms", "x"]), st.text(st.characters(codec="utf-8"))),
        max_size=5,
    ),
    file=st.binary(max_size=300) | st.binary(max_size=20).map(lambda part: (b"\r\n--" + part) * 4000),
    chunked=st.booleans(),
)
def test_a_form_is_read_as_it_was_written(
    fields: list[tuple[str, str]], file: bytes, *, chunked: bool
) -> None:
    """What another's encoder writes is read back: fields in order, repeated ones too, and the file's bytes."""
    grouped: dict[str, list[str]] = {}
    for name, value in fields:
        grouped.setdefault(name, []).append(value)
    written = httpx.Request("POST", "http://x", data=grouped, files={"file": ("a.flac", file, "audio/flac")})
    sent = written.read()
    line = b"".join(
        b"%x\r\n%s\r\n" % (len(sent[at : at + 999]), sent[at : at + 999]) for at in range(0, len(sent), 999)
    )
    with tempfile.TemporaryDirectory() as folder:
        body = Body(
            io.BytesIO(line + b"0\r\n\r\n" if chunked else sent), length=None if chunked else len(sent)
        )
        form = read_form(written.headers["Content-Type"], body, Path(folder))
        assert form.file is not None
        assert form.file.read_bytes() == file
    assert form.fields == [(name, value) for name, values in grouped.items() for value in values]
    assert (form.file_name, form.file_type, form.size) == ("a.flac", "audio/flac", len(file))
    assert form.sha256 == hashlib.sha256(file).hexdigest()


@given(cut=st.integers(0, 200))
def test_a_form_that_ends_early_is_broken(cut: int) -> None:
    """No part of a form passes for the whole."""
    written = httpx.Request("POST", "http://x", data=FIELDS, files={"file": ("a", b"bytes", "audio/flac")})
    sent = written.read()
    with tempfile.TemporaryDirectory() as folder, pytest.raises(BrokenForm):
        read_form(
            written.headers["Content-Type"], Body(io.BytesIO(sent[:cut]), length=len(sent)), Path(folder)
        )


@pytest.mark.parametrize(
    ("fields", "status", "said"),
    [
        ({}, 422, ["body", "model_id"]),
        ({"model_id": "scribe_v2", "diarize": "perhaps"}, 422, ["body", "diarize"]),
        ({"model_id": "scribe_v2", "num_speakers": "many"}, 422, ["body", "num_speakers"]),
        ({"model_id": "scribe_v2", "num_speakers": "33"}, 422, ["body", "num_speakers"]),
        (
            {"model_id": "scribe_v2", "timestamps_granularity": "line"},
            422,
            ["body", "timestamps_granularity"],
        ),
        ({"model_id": "scribe_v2", "keyterms": ["fine", "x" * 51]}, 422, ["body", "keyterms"]),
        ({"model_id": "scribe_v9"}, 400, "invalid_model_id"),
        ({"model_id": "scribe_v2", "language_code": "English"}, 400, "invalid_language_code"),
    ],
)
def test_bad_fields_are_refused(
    double: Double, sound: bytes, fields: dict[str, Any], status: int, said: str | list[str]
) -> None:
    """A field that is missing or of the wrong kind is a list under 422, an unknown value a mapping under 400."""
    answer = post(double, fields, sound)
    detail = answer.json()["detail"]
    assert answer.status_code == status
    assert (detail[0]["loc"] if isinstance(detail, list) else detail["status"]) == said
    assert double.billed == 0


@pytest.mark.parametrize(
    ("file", "status"),
    [(None, "invalid_request"), (b"", "empty_file"), (b"no sound at all", "invalid_audio")],
)
def test_bad_files_are_refused(double: Double, file: bytes | None, status: str) -> None:
    """No file, an empty one and one without sound are refused and not billed."""
    answer = post(double, FIELDS, file)
    assert (answer.status_code, answer.json()["detail"]["status"]) == (400, status)
    assert double.billed == 0


def test_a_file_too_large_is_refused_by_its_length() -> None:
    """Over three gigabytes are refused before they are read."""
    assert too_large(LARGEST) is None
    refused = too_large(LARGEST + 1)
    assert refused is not None
    assert refused.status == 413


def test_keys_and_credit(double: Double, sound: bytes) -> None:
    """No key, a wrong one and one without credit are all 401, each with a status of its own."""
    statuses = [post(double, FIELDS, sound, key).json()["detail"]["status"] for key in (None, "wrong")]
    double.credits = 1
    assert post(double, FIELDS, sound).status_code == 200
    spent = post(double, FIELDS, sound)
    assert statuses == ["needs_authorization", "invalid_api_key"]
    assert (spent.status_code, spent.json()["detail"]["status"]) == (401, "quota_exceeded")
    assert double.billed == 1


def test_no_room_says_how_much_there_is(double: Double, sound: bytes) -> None:
    """The limit on requests at once is told in headers."""
    double.at_once = 0
    answer = post(double, FIELDS, sound)
    assert (answer.status_code, answer.headers["maximum-concurrent-requests"]) == (429, "0")


def test_a_channel_each(double: Double, sound: bytes) -> None:
    """Asked for several channels, it answers with a transcript a channel."""
    answer = post(double, {**FIELDS, "use_multi_channel": "true"}, sound).json()
    assert [part["channel_index"] for part in answer["transcripts"]] == [0]


def test_what_is_billed(double: Double, sound: bytes) -> None:
    """Work that was done is billed, whatever became of the answer; a refusal is not."""
    double.turns = [Turn.refusing(503), Turn(cut="after"), Turn(cut="body"), Turn.saying(b"{}")]
    for _ in range(5):
        with contextlib.suppress(httpx.TransportError):
            post(double, FIELDS, sound)
    assert (len(double.asked), double.billed) == (5, 4)
    assert double.seconds == pytest.approx(4, abs=0.05)


def test_it_runs_by_hand_and_knows_the_sample(session_sample: Path, script: dict[str, Any]) -> None:
    """Started by hand it says what to set, lets any key in, and gives the words of the takes in sample_media/."""
    command = [sys.executable, "-m", "tests.scribe_double"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            url = (
                next(line for line in process.stdout if "CUTBOOK_SCRIBE_URL=" in line)
                .strip()
                .partition("=")[2]
            )
            hearing = ScribeEngine(key="any", url=url)
            raw = hearing.transcribe(probe(session_sample / "C0107.mp4"), 0).raw
        finally:
            process.terminate()
    assert json.loads(raw)["text"] == script["takes"]["C0107"]["said"]
