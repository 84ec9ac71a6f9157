from __future__ import annotations

import socket
import threading
import traceback
from fractions import Fraction
from pathlib import Path

import pytest

from cutbook.errors import EngineRefused, MayBeBilled, QuotaUsedUp, TranscriptError
from cutbook.files import UserFolders
from cutbook.media.probe import Media, probe
from cutbook.transcripts.answers import Again
from cutbook.transcripts.asking import Patience, ask
from cutbook.transcripts.scribe import ScribeEngine
from cutbook.transcripts.store import Store
from tests.footage import make_sound
from tests.scribe_double import KEY, Double, Turn
from tests.scribe_double.turns import busy, out_of_quota
from tests.transcripts.making import request
from tests.transcripts.scribing import QUICK, engine


@pytest.mark.parametrize(
    "turn",
    [busy(4, 4), Turn.refusing(408), Turn.refusing(500, "oops"), Turn.refusing(502), Turn.refusing(503)],
    ids=["429", "408", "500", "502", "503"],
)
def test_a_request_that_was_not_taken_is_sent_again_whole(
    double: Double, late_media: Media, turn: Turn
) -> None:
    """The second request carries every field and the same file, and one is billed."""
    double.turns = [turn]
    engine(double, keyterms=("Feather",)).transcribe(late_media, 0, language="en", speakers=2)
    first, second = double.asked
    assert first.fields == second.fields
    assert ("model_id", "scribe_v2") in second.fields
    assert (first.sha256, first.size) == (second.sha256, second.size)
    assert second.size > 1000
    assert double.billed == 1


def test_a_server_that_stays_down_is_one_clear_line(double: Double, late_media: Media) -> None:
    """After four attempts there is one line, and nothing is given."""
    double.turns = [Turn.refusing(503, {"message": "maintenance"})] * 5
    with pytest.raises(TranscriptError) as caught:
        engine(double).transcribe(late_media, 0)
    assert str(caught.value) == (
        "Scribe refused (503): maintenance; asked 4 times, no words came; try again later"
    )
    assert not isinstance(caught.value, MayBeBilled)
    assert (len(double.asked), double.billed) == (4, 0)


def test_a_busy_server_is_waited_for_longer(double: Double, late_media: Media) -> None:
    """Having no room passes by itself, so it is tried more often than a failing server; the limits are told."""
    double.turns = [busy(4, 4)] * 6
    told: list[str] = []
    engine(double).transcribe(late_media, 0, progress=lambda _, line="": told.append(line))
    assert (len(double.asked), double.billed) == (7, 1)
    assert any("(4 of 4 requests at once)" in line and "asked again in" in line for line in told)


def test_retry_after_is_kept_to(double: Double, late_media: Media) -> None:
    """A server that names a time is not asked before it."""
    double.turns = [busy(4, 4, wait=1)]
    engine(double).transcribe(late_media, 0)
    assert double.asked[1].at - double.asked[0].at >= 1


def test_a_retry_after_without_end_is_not_waited_for(double: Double, late_media: Media) -> None:
    """A time beyond what one waits for ends it at once, with the time in the message."""
    double.turns = [Turn.refusing(503, headers={"Retry-After": "86400"})]
    with pytest.raises(TranscriptError, match=r"asked once.*try again in 86400 s"):
        engine(double).transcribe(late_media, 0)
    assert len(double.asked) == 1


def test_nobody_there_is_not_billed(late_media: Media) -> None:
    """A server that cannot be reached was asked nothing, and is tried four times."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        nobody = ScribeEngine(key=KEY, url=f"http://127.0.0.1:{taken.getsockname()[1]}", patience=QUICK)
        with pytest.raises(
            TranscriptError, match=r"cannot be reached .*nothing was billed; asked 4"
        ) as caught:
            nobody.transcribe(late_media, 0)
    assert not isinstance(caught.value, MayBeBilled)


def test_the_sdks_own_failure_is_one_line(late_media: Media) -> None:
    """What the SDK cannot do at all is told once, with its frames kept for %tb and none of their variables."""
    lost = ScribeEngine(key=KEY, url="http://127.0.0.1:none", patience=QUICK)
    with pytest.raises(TranscriptError, match=r"SDK failed before the upload \(InvalidURL\)") as caught:
        lost.transcribe(late_media, 0)
    shown = "".join(traceback.format_exception(caught.value))
    assert "speech_to_text" in shown
    assert KEY not in shown


def test_a_server_on_this_machine_is_asked_past_any_proxy(
    double: Double, late_media: Media, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key does not travel in the clear to a proxy elsewhere."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    engine(double).transcribe(late_media, 0)
    assert double.billed == 1


def test_a_line_lost_within_the_upload_is_tried_again(double: Double, long_noise: Media) -> None:
    """What did not arrive as a whole was not worked on."""
    double.turns = [Turn(cut="before")]
    engine(double).transcribe(long_noise, 0)
    assert [asked.whole for asked in double.asked] == [False, True]
    assert double.billed == 1


@pytest.mark.parametrize(
    ("turn", "words"),
    [
        (Turn(cut="after"), "lost after the upload"),
        (Turn(cut="body"), "broke off"),
        (Turn(delay=20), "ReadTimeout"),
        (Turn.saying(b"{}"), "holds no words list"),
        (Turn.saying(b'{"detail": "queued for later"}'), r"no words list \(queued for later\)"),
        (Turn.saying(b'{"text": null, "words": null}'), "holds no words list"),
        (Turn.saying(b"[]"), "no JSON object"),
        (Turn.saying(b'{"text": "cut", "words": [{"te'), "no JSON object"),
        (Turn.saying(b"<html><title>Busy &amp; sorry</title></html>", kind="text/html"), "Busy & sorry"),
        (Turn.saying(b'{"text": "All of it.", "words": [{"text": "All"}]}'), "do not make up its text"),
        (Turn.saying(b""), "no JSON object"),
        (Turn.refusing(504), r"gateway gave up \(504\)"),
        (Turn.refusing(524), r"gateway gave up \(524\)"),
    ],
)
def test_an_unknown_outcome_is_never_tried_again(
    double: Double, late_clip: Path, folders: UserFolders, turn: Turn, words: str
) -> None:
    """Whatever came back after the upload but no transcript may have been billed: one request, nothing kept."""
    double.turns = [turn]
    asking = engine(double, patience=Patience(read=0.6, tick=0.05))
    with pytest.raises(MayBeBilled, match=words) as caught:
        asking.transcribe(probe(late_clip), 0)
    assert str(caught.value).endswith("ask again with --force")
    assert len(str(caught.value).splitlines()) == 1
    assert len(double.asked) == 1
    double.turns = [turn]
    edit = folders.cache.parent / "edit"
    report = Store(folders, edit).transcribe([request(late_clip, folders)], asking)
    assert (report.rows[0].state, len(double.asked)) == ("failed", 2)
    assert not [path for place in (edit, folders.cache) for path in place.rglob("*.json")]


@pytest.mark.parametrize("listening", [True, False], ids=["while it listens", "between two attempts"])
def test_a_stop_is_heard_at_once(double: Double, late_media: Media, *, listening: bool) -> None:
    """A stop ends the wait; only after the upload may it have been billed."""
    double.turns = [Turn(delay=30)] if listening else [busy(4, 4, wait=4)]
    stop = threading.Event()

    def tell(_: Fraction, line: str = "", /) -> None:
        if ("listening" if listening else "asked again in") in line:
            stop.set()

    with pytest.raises(TranscriptError, match="stopped") as caught:
        engine(double).transcribe(late_media, 0, progress=tell, cancel=stop)
    assert isinstance(caught.value, MayBeBilled) is listening
    assert len(double.asked) == 1
    assert not [thread for thread in threading.enumerate() if thread.name == "cutbook-scribe"]


def test_a_stop_within_the_upload_bills_nothing(double: Double, long_noise: Media) -> None:
    """A half upload is no request."""
    double.turns = [Turn(pause=30)]
    stop = threading.Event()

    def tell(_: Fraction, line: str = "", /) -> None:
        if "uploading" in line:
            stop.set()

    with pytest.raises(TranscriptError, match="nothing was billed") as caught:
        engine(double).transcribe(long_noise, 0, progress=tell, cancel=stop)
    assert not isinstance(caught.value, MayBeBilled)
    assert double.billed == 0


def test_an_upload_that_gets_stuck_is_tried_again(double: Double, long_noise: Media) -> None:
    """A server that does not read for longer than one waits has not taken the request."""
    double.turns = [Turn(pause=30)]
    quick = Patience(write=0.5, first=0.01, jitter=0.01, tick=0.02)
    engine(double, patience=quick).transcribe(long_noise, 0)
    assert double.billed == 1


def test_quota_stops_the_batch_and_keeps_what_is_done(
    double: Double, folders: UserFolders, tmp_path: Path
) -> None:
    """Of five takes two are paid for: two are kept, no take is begun after a refusal, three wait and say why."""
    double.credits = 2
    takes = [request(make_sound(tmp_path / f"T{n}.wav", seconds=1 + n / 10), folders) for n in range(5)]
    store = Store(folders, tmp_path / "edit")
    report = store.transcribe(takes, engine(double))
    assert [row.state for row in report.rows] == ["made", "made", "pending", "pending", "pending"]
    assert all("quota_exceeded" in row.message for row in report.rows[2:])
    assert "3 not begun" in report.sentence
    assert len(double.asked) in {3, 4}
    assert double.billed == 2
    double.credits, double.asked = 100, []
    assert store.transcribe(takes, engine(double)).ok
    assert len(double.asked) == 3


@pytest.mark.parametrize(
    ("turn", "kind"),
    [
        (out_of_quota(), QuotaUsedUp),
        (Turn.refusing(429, {"status": "quota_exceeded", "message": "no credits"}), QuotaUsedUp),
        (Turn.refusing(402, {"message": "pay first"}), EngineRefused),
        (Turn.refusing(403, "not with this key"), EngineRefused),
        (Turn.refusing(401, {"status": "invalid_api_key"}), EngineRefused),
    ],
)
def test_what_ends_a_batch(double: Double, late_media: Media, turn: Turn, kind: type[EngineRefused]) -> None:
    """A key that is not let in, and one whose credit is used up, are told apart and not tried again."""
    double.turns = [turn]
    with pytest.raises(EngineRefused) as caught:
        engine(double).transcribe(late_media, 0)
    assert type(caught.value) is kind
    assert len(double.asked) == 1


def test_a_server_without_room_is_waited_for(double: Double, late_media: Media) -> None:
    """While another's take has the only place one is refused, and waits until it is free; one is billed."""
    double.at_once = double.places = 1

    def tell(_: Fraction, line: str = "", /) -> None:
        if "(1 of 1 requests at once); asked again in" in line:
            double.places = 0

    engine(double).transcribe(late_media, 0, progress=tell)
    assert (len(double.asked), double.billed) == (2, 1)


def test_the_pauses_grow_and_are_bounded() -> None:
    """Without a word from the server the pauses double up to the longest; a named time is taken as it is."""
    patience = Patience(first=0.002, longest=0.005, jitter=0, attempts=5, retry_after=5, tick=0.001)
    waits: list[float | None] = [None, None, None, 0.001]
    told: list[str] = []

    def once() -> str:
        if waits:
            raise Again("busy", wait=waits.pop(0))
        return "done"

    assert ask(once, patience=patience, say=told.append) == "done"
    assert waits == []
    assert all(line.startswith("busy; asked again in 0 s") for line in told)


def test_another_error_is_not_caught() -> None:
    """What is no reason to ask again ends it at once."""
    asked = []

    def once() -> None:
        asked.append(1)
        raise EngineRefused("no")

    with pytest.raises(EngineRefused, match="no"):
        ask(once, patience=QUICK, say=lambda _: None)
    assert asked == [1]
