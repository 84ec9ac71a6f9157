"""Several takes at a time: one display, nobody stops another, and what is done is kept."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import pytest

from cutbook.errors import QuotaUsedUp, TranscriptError
from cutbook.files import UserFolders
from cutbook.media.probe import Media
from cutbook.transcripts.engine import Answer
from cutbook.transcripts.report import Report
from cutbook.transcripts.store import Request, Store
from tests.footage import make_sound
from tests.scribe_double import Double
from tests.transcripts.making import Parrot, failing, request
from tests.transcripts.scribing import engine

NAMES = "ABCDE"


@dataclass
class Meeting(Parrot):
    """An engine whose takes wait for each other, two by two, and which tells who was asked together."""

    at_once: int = 2
    most: int = 0
    busy: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def transcribe(self, media: Media, track: int, **asked: object) -> Answer:
        """Wait a moment for another."""
        with self.lock:
            self.busy += 1
            self.most = max(self.most, self.busy)
            met = self.busy > 1
        progress = asked.get("progress")
        if callable(progress):
            progress(Fraction(0), "listening")
        try:
            if not met:
                threading.Event().wait(0.3)
            return super().transcribe(media, track, **asked)  # type: ignore[arg-type] # passed on as they are
        finally:
            with self.lock:
                self.busy -= 1


@pytest.fixture
def takes(tmp_path: Path, folders: UserFolders) -> list[Request]:
    """Return five takes of unlike sound."""
    return [
        request(make_sound(tmp_path / f"{name}.wav", seconds=1 + n / 10), folders)
        for n, name in enumerate(NAMES)
    ]


def states(report: Report) -> str:
    """Return the rows' states, by their first letters."""
    return "".join(row.state[0] for row in report.rows)


def test_two_at_a_time_and_one_display(takes: list[Request], folders: UserFolders, tmp_path: Path) -> None:
    """Two are under way together and never three; progress is told in the caller's thread, and grows to the end."""
    told: list[tuple[int, float, str]] = []
    meeting = Meeting()
    report = Store(folders, tmp_path / "edit").transcribe(
        takes, meeting, progress=lambda part, line: told.append((threading.get_ident(), part, line))
    )
    assert states(report) == "mmmmm"
    assert [row.take for row in report.rows] == list(NAMES)
    assert meeting.most == 2
    assert {thread for thread, *_ in told} == {threading.get_ident()}
    assert any(" · " in line for *_, line in told)
    assert told[-1][1] == 1
    assert all(0 <= part <= 1 for _, part, _ in told)


def test_a_failed_take_stops_no_other(takes: list[Request], folders: UserFolders, tmp_path: Path) -> None:
    """Its row says why; the four others are made and kept."""
    store = Store(folders, tmp_path / "edit")
    report = store.transcribe(takes, Meeting(fail=failing("B.wav", TranscriptError("hum"))))
    assert states(report) == "mfmmm"
    assert report.rows[1].message == "hum"
    assert states(store.transcribe(takes, Meeting(), dry_run=True)) == "cpccc"


@pytest.mark.parametrize("by", ["threads of its own", "an executor"])
def test_used_up_credit_begins_nothing_more(
    takes: list[Request], folders: UserFolders, tmp_path: Path, by: str
) -> None:
    """What was begun ends; the rest waits, says why, and leaves no note of a possible bill."""
    asked: list[str] = []

    def fail(file: str) -> None:
        asked.append(file)
        if len(asked) == 1:
            raise QuotaUsedUp("no credit")
        threading.Event().wait(0.3)

    store, meeting = Store(folders, tmp_path / "edit"), Parrot(at_once=2, price_per_hour=0.4, fail=fail)
    if by == "an executor":
        with ThreadPoolExecutor(1) as pool:
            report = store.transcribe(takes, meeting, executor=pool)
    else:
        report = store.transcribe(takes, meeting)
    assert report.count("pending") >= 3
    assert report.count("failed") == 0
    assert all("no credit" in row.message for row in report.rows if row.state == "pending")
    assert list((folders.state / "in-flight").glob("*.json")) == []
    assert states(store.transcribe(takes, Parrot(at_once=2, price_per_hour=0.4))).count("f") == 0


def test_an_interrupt_stops_both_and_keeps_what_is_done(
    takes: list[Request], folders: UserFolders, tmp_path: Path
) -> None:
    """Who is under way is told to stop, nothing more is begun, and no thread is left."""
    stopped: list[str] = []

    @dataclass
    class Slow(Parrot):
        at_once: int = 2

        def transcribe(self, media: Media, track: int, **asked: object) -> Answer:
            cancel = asked["cancel"]
            assert isinstance(cancel, threading.Event)
            if media.path.name != "A.wav":
                assert cancel.wait(30)
                stopped.append(media.path.name)
                raise TranscriptError("stopped")
            return super().transcribe(media, track, **asked)  # type: ignore[arg-type] # passed on as they are

    def interrupt(part: float, _: str) -> None:
        if part > 0.16:
            raise KeyboardInterrupt

    store, slow = Store(folders, tmp_path / "edit"), Slow()
    with pytest.raises(KeyboardInterrupt):
        store.transcribe(takes, slow, progress=interrupt)
    assert 1 <= len(stopped) <= 2
    assert slow.closed == 1
    assert [thread.name for thread in threading.enumerate() if thread.name.startswith("cutbook-take")] == []
    assert states(store.transcribe(takes, Parrot(), dry_run=True)) == "cpppp"


def test_a_cancelled_batch_says_what_was_not_begun(
    takes: list[Request], folders: UserFolders, tmp_path: Path
) -> None:
    """A stop that came before is no failure: nothing is asked, everything waits."""
    cancel = threading.Event()
    cancel.set()
    for at_once in (1, 2):
        parrot = Parrot(at_once=at_once)
        report = Store(folders, tmp_path / "edit").transcribe(takes, parrot, cancel=cancel)
        assert states(report) == "ppppp"
        assert report.rows[0].message == "not begun: stopped"
        assert parrot.asked == []


def test_one_sound_under_two_names_is_asked_once(folders: UserFolders, tmp_path: Path) -> None:
    """Two takes of one key share a request, and a failure is told of each."""
    for name in "AB":
        make_sound(tmp_path / f"{name}.wav", seconds=1)
    pair = [request(tmp_path / f"{name}.wav", folders) for name in "AB"]
    store = Store(folders, tmp_path / "edit")
    broken = store.transcribe(pair, Meeting(fail=failing("A.wav", TranscriptError("hum"))))
    assert [(row.take, row.state) for row in broken.rows] == [("A", "failed"), ("B", "failed")]
    meeting = Meeting()
    report = store.transcribe(pair, meeting)
    assert [(row.take, row.state) for row in report.rows] == [("A", "made"), ("B", "cached")]
    assert len(meeting.asked) == 1


@pytest.mark.parametrize("count", [1, 2])
def test_an_interrupt_before_the_upload_is_no_possible_bill(
    double: Double, takes: list[Request], folders: UserFolders, tmp_path: Path, count: int
) -> None:
    """While the sound is extracted nothing can be billed: no note is left, and the next run asks as if nothing was."""

    def interrupt(_: float, line: str) -> None:
        if "extracting" in line:
            raise KeyboardInterrupt

    store, some = Store(folders, tmp_path / "edit"), takes[:count]
    with pytest.raises(KeyboardInterrupt):
        store.transcribe(some, engine(double), progress=interrupt)
    uploaded = len([asked for asked in double.asked if asked.whole])
    if count == 1:
        assert uploaded == 0
        assert list((folders.state / "in-flight").glob("*.json")) == []
        assert store.transcribe(some, engine(double)).ok


def test_the_note_lies_there_while_scribe_is_asked(
    double: Double, takes: list[Request], folders: UserFolders, tmp_path: Path
) -> None:
    """Before the first byte is sent it is written; with the answer it goes."""
    seen: dict[str, bool] = {}

    def look(_: float, line: str) -> None:
        seen[line.partition(" ")[2]] = any((folders.state / "in-flight").glob("*.json"))

    Store(folders, tmp_path / "edit").transcribe(takes[:1], engine(double), progress=look)
    assert seen["extracting the sound"] is False
    assert not any((folders.state / "in-flight").glob("*.json"))
    assert double.billed == 1
