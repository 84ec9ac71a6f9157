from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cutbook.errors import EngineRefused, MayBeBilled, TranscriptError
from cutbook.files import UserFolders
from cutbook.media.probe import Media
from cutbook.transcripts.model import read_scribe
from cutbook.transcripts.scribe import ScribeEngine
from cutbook.transcripts.store import Store
from tests.scribe_double import ANSWER, KEY, Double, Turn, multichannel, scribe_double
from tests.transcripts.making import request
from tests.transcripts.scribing import engine


def test_the_answer_is_kept_byte_for_byte(double: Double, late_media: Media) -> None:
    """What the server sent is what is given, and it reads as words."""
    double.answer = json.dumps(ANSWER, indent=3).encode()
    answer = engine(double).transcribe(late_media, 0)
    assert answer.raw == double.answer
    words = read_scribe(json.loads(answer.raw), duration=late_media.duration).words
    assert [(word.text, word.speaker) for word in words] == [
        ("We", "speaker_0"),
        ("fixed", "speaker_0"),
        ("this.", "speaker_1"),
    ]


def test_an_answer_is_known_by_the_bytes_that_were_sent(double: Double, late_media: Media) -> None:
    """The same take gives the same upload, byte for byte, so that an answer can be kept for it."""
    engine(double).transcribe(late_media, 0)
    double.answers[double.asked[0].sha256] = json.dumps(
        {"text": "Known.", "words": [{"text": "Known."}]}
    ).encode()
    assert json.loads(engine(double).transcribe(late_media, 0).raw)["text"] == "Known."


def test_every_option_is_sent(double: Double, late_media: Media) -> None:
    """Nothing is left to the server's defaults; ``no_verbatim`` is never true; keyterms come one by one."""
    engine(double, keyterms=("Feather", "light  site")).transcribe(late_media, 0, language="en", speakers=2)
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
    terms = [value for name, value in double.asked[0].fields if name == "keyterms"]
    assert terms == ["Feather", "light site"]


def test_what_is_sent_is_what_the_key_of_the_words_holds(double: Double, late_media: Media) -> None:
    """Every field that is sent, the model and the file apart, is among the options that make the cache key."""
    asking = engine(double, keyterms=("Feather",))
    asking.transcribe(late_media, 0, language="de", speakers=3)
    sent = {name for name, _ in double.asked[0].fields} - {"model_id"}
    assert {name for name in sent if not name.startswith("entity") and name != "webhook_metadata"} == set(
        asking.options(language="de", speakers=3)
    )


@pytest.mark.parametrize(
    ("form", "sent"),
    [("flac", ("take.flac", "audio/flac", b"fLaC")), ("opus", ("take.ogg", "audio/ogg", b"OggS"))],
)
def test_the_form_of_the_upload(
    double: Double, late_media: Media, form: str, sent: tuple[str, str, bytes]
) -> None:
    """FLAC unless told; Opus for slow lines; each under its own name and type."""
    engine(double, upload=form).transcribe(late_media, 0)
    asked = double.asked[0]
    assert asked.file is not None
    assert (asked.file_name, asked.file_type, asked.file.read_bytes()[:4]) == sent


def test_meta_says_what_was_sent(double: Double, late_media: Media) -> None:
    """Beside the words lies what they were made from: form, bytes and seconds, and the versions."""
    meta = engine(double).transcribe(late_media, 0).meta
    size = double.asked[0].size
    assert meta["upload"] == {"form": "flac", "bytes": size, "seconds": pytest.approx(2.0, abs=0.001)}
    assert set(meta) == {"versions", "upload"}


def test_keyterms_cost_a_fifth_more() -> None:
    """The price that is told before is the one with keyterms, where there are some."""
    assert ScribeEngine(key=KEY, price_per_hour=0.5).price_per_hour == pytest.approx(0.5)
    dear = ScribeEngine(key=KEY, price_per_hour=0.5, keyterms=("Feather",))
    assert dear.price_per_hour == pytest.approx(0.6)


@pytest.mark.parametrize(
    "term", ["x" * 51, "one two three four five six", "a<b", "back\\slash", "[music]", "   "]
)
def test_a_keyterm_that_scribe_refuses_is_refused_first(double: Double, late_media: Media, term: str) -> None:
    """Nothing is uploaded to learn that a keyterm is too long or holds a sign that is not taken."""
    with pytest.raises(EngineRefused, match="keyterm"):
        engine(double, keyterms=("Feather", term)).transcribe(late_media, 0)
    assert double.asked == []


@pytest.mark.parametrize("speakers", [0, -1, 33])
def test_a_number_of_speakers_that_scribe_refuses_is_refused_first(
    double: Double, late_media: Media, speakers: int
) -> None:
    """Scribe tells up to 32 speakers apart."""
    with pytest.raises(TranscriptError, match="1 to 32 speakers"):
        engine(double).transcribe(late_media, 0, speakers=speakers)
    assert double.asked == []


def test_without_a_key_nothing_is_asked(double: Double, late_media: Media) -> None:
    """No key is one clear line with the way out."""
    with pytest.raises(EngineRefused, match=r"ELEVENLABS_API_KEY.*--engine local"):
        engine(double, key=None).transcribe(late_media, 0)
    assert double.asked == []


@pytest.mark.parametrize(
    ("status", "detail", "words"),
    [
        (
            422,
            [{"loc": ["body", "model_id"], "msg": "Field required"}],
            "body.model_id Field required",
        ),
        (400, {"code": "bad_audio", "message": "no\nsound"}, "bad_audio: no sound"),
        (404, "Not Found", "Not Found"),
        (413, {"status": "file_too_large", "message": "3.0GB at most"}, "file_too_large: 3.0GB at most"),
        (409, None, "it gave no reason"),
    ],
)
def test_a_refusal_is_the_servers_own_words(
    double: Double, late_media: Media, status: int, detail: object, words: str
) -> None:
    """Whatever form the server's reason has, it is one line; there is one request and nothing more is tried."""
    double.turns = [Turn.refusing(status, detail)]
    with pytest.raises(TranscriptError) as caught:
        engine(double).transcribe(late_media, 0)
    assert str(caught.value) == f"Scribe refused ({status}): {words}"
    assert (len(double.asked), double.billed) == (1, 0)


def test_a_real_refusal_of_a_field(double: Double, late_media: Media) -> None:
    """A model that the service does not have comes back in its own words."""
    with pytest.raises(TranscriptError, match=r"400.*invalid_model_id.*'scribe_v9'"):
        engine(double, model="scribe_v9").transcribe(late_media, 0)


def test_a_redirect_does_not_carry_the_key_away(double: Double, late_media: Media) -> None:
    """A server that points elsewhere is refused; the other one is asked nothing."""
    with scribe_double() as elsewhere:
        double.turns = [Turn(307, b"", {"Location": f"{elsewhere.url}/v1/speech-to-text"})]
        with pytest.raises(TranscriptError, match="points elsewhere"):
            engine(double).transcribe(late_media, 0)
        assert elsewhere.asked == []


def test_a_stopped_take_is_not_uploaded(double: Double, late_media: Media) -> None:
    """What is stopped before the upload is not asked."""
    stop = threading.Event()
    stop.set()
    with pytest.raises(Exception, match="stopped"):
        engine(double).transcribe(late_media, 0, cancel=stop)
    assert double.asked == []


def test_an_answer_a_channel_is_taken(double: Double, late_media: Media) -> None:
    """The shape of several channels passes, each checked for itself."""
    double.answer = json.dumps(multichannel(ANSWER, ANSWER)).encode()
    raw = engine(double).transcribe(late_media, 0).raw
    assert len(read_scribe(json.loads(raw), duration=late_media.duration).words) == 6
    double.answer = json.dumps(multichannel(ANSWER, {**ANSWER, "text": "Something else."})).encode()
    with pytest.raises(MayBeBilled, match="do not make up its text"):
        engine(double).transcribe(late_media, 0)


def test_silence_is_an_answer(double: Double, late_media: Media) -> None:
    """No words at all, said as such, is a transcript."""
    double.answer = json.dumps({"language_code": "eng", "text": "", "words": []}).encode()
    assert engine(double).transcribe(late_media, 0).raw == double.answer


def test_one_engine_is_asked_from_several_threads(double: Double, late_media: Media) -> None:
    """Two takes at a time share an engine."""
    double.turns = [Turn(delay=0.2), Turn(delay=0.2)]
    asking = engine(double)
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda _: asking.transcribe(late_media, 0).raw, range(2)))
    assert answers[0] == answers[1]
    assert (len(double.asked), double.billed) == (2, 2)


def test_progress_tells_what_is_being_done(double: Double, late_media: Media) -> None:
    """A person sees the sound being extracted and uploaded, and how long Scribe has been listening."""
    double.turns = [Turn(delay=1.2)]
    told: list[str] = []
    engine(double).transcribe(late_media, 0, progress=lambda _, line="": told.append(line))
    assert told[0] == "extracting the sound"
    assert "Scribe is listening, 0:00 so far" in told
    assert "Scribe is listening, 0:01 so far" in told
    assert told[-1] == ""


def test_the_store_pays_once(double: Double, late_clip: Path, folders: UserFolders, tmp_path: Path) -> None:
    """Through the store the price is told before, the request is made once, and no file holds the key."""
    store, take = Store(folders, tmp_path / "edit"), request(late_clip, folders)
    dry = store.transcribe([take], engine(double), dry_run=True)
    assert dry.price == pytest.approx(2 / 3600 * 0.4, rel=0.05)
    assert store.transcribe([take], engine(double)).rows[0].state == "made"
    assert store.transcribe([take], engine(double)).rows[0].state == "cached"
    assert (len(double.asked), double.billed) == (1, 1)
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert written
    assert all(KEY.encode() not in path.read_bytes() for path in written)
