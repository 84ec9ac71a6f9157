from __future__ import annotations

import json
import socket
import threading
import traceback
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import av
import pytest

from cutbook.errors import EngineRefused, MayBeBilled, TranscriptError
from cutbook.files import UserFolders
from cutbook.media.probe import Media, probe
from cutbook.transcripts.model import read_scribe
from cutbook.transcripts.scribe import ScribeEngine
from cutbook.transcripts.store import Store
from tests.footage import make_clip
from tests.scribe_double import ANSWER, KEY, Double, scribe_double
from tests.transcripts.making import request


@pytest.fixture
def double() -> Iterator[Double]:
    """Return a stand-in for Scribe that runs while the test does."""
    with scribe_double() as running:
        yield running


@pytest.fixture(scope="session")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a clip of two seconds whose sound begins half a second after its picture."""
    return make_clip(tmp_path_factory.mktemp("scribe") / "take.mp4", sound="beeps", late=0.5)


@pytest.fixture(scope="session")
def media(clip: Path) -> Media:
    """Return what the clip is."""
    return probe(clip)


def engine(double: Double, *, key: str | None = KEY, keyterms: tuple[str, ...] = ()) -> ScribeEngine:
    """Return the engine, pointed at the stand-in."""
    return ScribeEngine(key=key, url=double.url, keyterms=keyterms)


def test_the_answer_is_kept_byte_for_byte(double: Double, media: Media) -> None:
    """What the server sent is what is given, and it reads as words."""
    double.body = json.dumps(ANSWER, indent=3).encode()
    answer = engine(double).transcribe(media, 0)
    assert answer.raw == double.body
    words = read_scribe(json.loads(answer.raw), duration=media.duration).words
    assert [(word.text, word.speaker) for word in words] == [
        ("We", "speaker_0"),
        ("fixed", "speaker_0"),
        ("this.", "speaker_1"),
    ]


def test_every_option_is_sent(double: Double, media: Media) -> None:
    """Nothing is left to the server's defaults; ``no_verbatim`` is never true; keyterms come one by one."""
    engine(double, keyterms=("Feather", "light site")).transcribe(media, 0, language="en", speakers=2)
    sent = dict(double.asked[0].fields)
    assert double.asked[0].path == "/v1/speech-to-text"
    expected = {
        "model_id": "scribe_v2",
        "diarize": "true",
        "tag_audio_events": "true",
        "timestamps_granularity": "word",
        "no_verbatim": "false",
        "language_code": "en",
        "num_speakers": "2",
    }
    assert {name: sent.get(name) for name in expected} == expected
    assert [value for name, value in double.asked[0].fields if name == "keyterms"] == [
        "Feather",
        "light site",
    ]


def test_the_upload_is_mono_flac_on_take_time(double: Double, media: Media, tmp_path: Path) -> None:
    """Uploaded is 16 kHz mono FLAC as long as the take, silent until the late sound begins."""
    engine(double).transcribe(media, 0)
    asked = double.asked[0]
    assert (asked.file_name, asked.file_type, asked.file[:4]) == ("take.flac", "audio/flac", b"fLaC")
    (tmp_path / "take.flac").write_bytes(asked.file)
    with av.open(str(tmp_path / "take.flac")) as sound:
        stream = sound.streams.audio[0]
        assert (stream.rate, stream.layout.name) == (16000, "mono")
        levels = [abs(int(value)) for frame in sound.decode(stream) for value in frame.to_ndarray().ravel()]
    assert abs(Fraction(len(levels), 16000) - media.duration) < Fraction(1, 1000)
    first = next(place for place, level in enumerate(levels) if level > 3000)
    assert first / 16000 == pytest.approx(0.5, abs=0.03)


def test_without_a_key_nothing_is_asked(double: Double, media: Media) -> None:
    """No key is one clear line with the way out."""
    with pytest.raises(EngineRefused, match=r"ELEVENLABS_API_KEY.*--engine local"):
        engine(double, key=None).transcribe(media, 0)
    assert double.asked == []


def test_a_refused_key_is_in_no_message_and_no_traceback(double: Double, media: Media) -> None:
    """Even where the server repeats the key, neither the error nor its traceback holds it."""
    wrong = "wrong-key-5b20"
    with pytest.raises(EngineRefused, match=r"401.*invalid_api_key") as caught:
        engine(double, key=wrong).transcribe(media, 0)
    assert wrong not in "".join(traceback.format_exception(caught.value))
    assert wrong not in repr(engine(double, key=wrong))
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (
            422,
            {"detail": [{"loc": ["body", "model_id"], "msg": "Field required"}]},
            "body.model_id Field required",
        ),
        (400, {"detail": {"code": "bad_audio", "message": "no\nsound"}}, "bad_audio: no sound"),
        (429, {"detail": "slow down"}, "slow down"),
        (500, {}, "it gave no reason"),
    ],
)
def test_a_refusal_is_the_servers_own_words(
    double: Double, media: Media, status: int, body: dict[str, object], words: str
) -> None:
    """Whatever form the server's reason has, it is one line; there is one request, never a second try by the SDK."""
    double.status, double.body = status, json.dumps(body).encode()
    with pytest.raises(TranscriptError) as caught:
        engine(double).transcribe(media, 0)
    assert str(caught.value) == f"Scribe refused ({status}): {words}"
    assert len(double.asked) == 1


@pytest.mark.parametrize("body", [b'{"detail": "queued"}', b'{"words": null, "text": null}', b"[]"])
def test_an_answer_without_words_is_no_transcript(double: Double, media: Media, body: bytes) -> None:
    """A 200 without a words list may have been billed, and is not taken for silence."""
    double.body = body
    with pytest.raises(MayBeBilled, match="no words list"):
        engine(double).transcribe(media, 0)


def test_a_line_that_breaks_after_the_upload_may_be_billed(double: Double, media: Media) -> None:
    """No answer after the upload is an unknown outcome."""
    double.cut_off = True
    with pytest.raises(MayBeBilled, match="ask again with --force"):
        engine(double).transcribe(media, 0)


def test_nobody_there_is_not_billed(media: Media) -> None:
    """A server that cannot be reached was asked nothing."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        nobody = ScribeEngine(key=KEY, url=f"http://127.0.0.1:{taken.getsockname()[1]}")
        with pytest.raises(TranscriptError, match="nothing was billed") as caught:
            nobody.transcribe(media, 0)
    assert not isinstance(caught.value, MayBeBilled)


def test_a_redirect_does_not_carry_the_key_away(double: Double, media: Media) -> None:
    """A server that points elsewhere is refused; the other one is asked nothing."""
    with scribe_double() as elsewhere:
        double.status, double.headers = 307, {"Location": f"{elsewhere.url}/v1/speech-to-text"}
        with pytest.raises(TranscriptError):
            engine(double).transcribe(media, 0)
        assert elsewhere.asked == []


def test_a_stopped_take_is_not_uploaded(double: Double, media: Media) -> None:
    """What is stopped before the upload is not asked."""
    stop = threading.Event()
    stop.set()
    with pytest.raises(Exception, match="stopped"):
        engine(double).transcribe(media, 0, cancel=stop)
    assert double.asked == []


def test_the_store_pays_once(double: Double, clip: Path, folders: UserFolders, tmp_path: Path) -> None:
    """Through the store the price is told before, the request is made once, and no file holds the key."""
    store, take = Store(folders, tmp_path / "edit"), request(clip, folders)
    dry = store.transcribe([take], engine(double), dry_run=True)
    assert dry.price == pytest.approx(2 / 3600 * 0.4, rel=0.05)
    assert store.transcribe([take], engine(double)).rows[0].state == "made"
    assert store.transcribe([take], engine(double)).rows[0].state == "cached"
    assert len(double.asked) == 1
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert written
    assert all(KEY.encode() not in path.read_bytes() for path in written)
