from __future__ import annotations

import json
import re
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cutbook.errors import EngineRefused, MayBeBilled, TranscriptError
from cutbook.files import UserFolders
from cutbook.transcripts.report import Report
from cutbook.transcripts.store import Request, Store, Stored
from tests.footage import make_clip, make_sound, make_two_tracks
from tests.transcripts.making import Parrot, answer, failing, request


@pytest.fixture(scope="session")
def tones(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of short sounds: A and B differ, and `quiet` is silent."""
    folder = tmp_path_factory.mktemp("tones")
    make_sound(folder / "A.wav", seconds=1.0)
    make_sound(folder / "B.wav", seconds=2.0)
    make_sound(folder / "quiet.wav", sound="silence", seconds=1.0)
    return folder


@pytest.fixture
def project(tones: Path, tmp_path: Path) -> Path:
    """Return a project of one's own with the takes A and B."""
    folder = tmp_path / "project"
    folder.mkdir()
    for name in ("A.wav", "B.wav"):
        shutil.copy(tones / name, folder / name)
    return folder


def asked(project: Path, folders: UserFolders, *names: str, track: int | None = None) -> list[Request]:
    """Ask for takes of a project."""
    return [request(project / f"{name}.wav", folders, track=track) for name in names or ("A", "B")]


def states(report: Report) -> dict[str, str]:
    """Return each take's state."""
    return {row.take: row.state for row in report.rows}


def read(store: Store, request: Request) -> Stored | None:
    """Read a take's words."""
    return store.read(request.name, request.media, request.fingerprint)


def said(store: Store, request: Request) -> str | None:
    """Return a take's words in one line."""
    stored = read(store, request)
    return " ".join(word.text for word in stored.transcript.words) if stored else None


def test_a_take_is_heard_once(project: Path, folders: UserFolders) -> None:
    """The second call asks nobody, and both see the words."""
    store, parrot = Store(folders, project / "edit"), Parrot()
    takes = asked(project, folders)
    assert states(store.transcribe(takes, parrot)) == {"A": "made", "B": "made"}
    assert states(store.transcribe(takes, parrot)) == {"A": "cached", "B": "cached"}
    assert [file for file, *_ in parrot.asked] == ["A.wav", "B.wav"]
    assert said(store, takes[0]) == "A track0"
    assert (parrot.prepared, parrot.closed) == (1, 1)


def test_the_project_holds_the_bytes_that_came(project: Path, folders: UserFolders) -> None:
    """The raw answer lies under the take's name, byte for byte, and a meta file beside it says what it is."""
    store = Store(folders, project / "edit")
    store.transcribe(asked(project, folders, "A"), Parrot())
    kept = project / "edit" / "transcripts"
    assert (kept / "A.json").read_bytes() == answer("A", "track0")
    meta = json.loads((kept / "A.meta.json").read_bytes())
    assert (meta["engine"], meta["model"], meta["track"], meta["source"]) == (
        "parrot",
        "parrot-1",
        0,
        "A.wav",
    )


def test_reading_and_dry_runs_write_nothing(project: Path, folders: UserFolders) -> None:
    """Looking at a project, and asking what transcribing would cost, make no edit folder and start no engine."""
    store, parrot = Store(folders, project / "edit"), Parrot(price_per_hour=3600.0)
    takes = asked(project, folders)
    report = store.transcribe(takes, parrot, dry_run=True)
    assert read(store, takes[0]) is None
    assert states(report) == {"A": "pending", "B": "pending"}
    assert report.ok
    assert report.price == pytest.approx(3.0)  # three seconds at a dollar each
    assert (parrot.asked, parrot.prepared, (project / "edit").exists()) == ([], 0, False)


def test_the_same_sound_under_another_name_or_in_another_project_is_known(
    project: Path, folders: UserFolders, tmp_path: Path
) -> None:
    """A renamed file, and a copy in another project, cost nothing; the copy reads it without being asked."""
    parrot = Parrot()
    Store(folders, project / "edit").transcribe(asked(project, folders, "A"), parrot)
    other = tmp_path / "other"
    other.mkdir()
    shutil.copy(project / "A.wav", other / "renamed.wav")
    take = request(other / "renamed.wav", folders)
    store = Store(folders, other / "edit")
    assert said(store, take) == "A track0"
    assert not (other / "edit").exists()
    assert states(store.transcribe([take], parrot)) == {"renamed": "cached"}
    assert (other / "edit" / "transcripts" / "renamed.json").is_file()
    assert len(parrot.asked) == 1


def test_another_file_under_the_same_name_is_another_take(project: Path, folders: UserFolders) -> None:
    """When a take's file is replaced, its old words are not served for the new sound."""
    store, parrot = Store(folders, project / "edit"), Parrot()
    store.transcribe(asked(project, folders, "A"), parrot)
    make_sound(project / "A.wav", sound="beeps", seconds=1.5)
    take = request(project / "A.wav", folders)
    assert read(store, take) is None
    assert states(store.transcribe([take], parrot)) == {"A": "made"}


@pytest.mark.parametrize("change", ["language", "speakers", "model", "recipe", "engine"])
def test_whatever_changes_the_answer_is_in_the_key(project: Path, folders: UserFolders, change: str) -> None:
    """Another language, number of speakers, model, recipe or engine is another transcript; each is kept."""
    store = Store(folders, project / "edit")
    takes = asked(project, folders, "A")
    store.transcribe(takes, Parrot())
    again = Parrot(
        name="crow" if change == "engine" else "parrot",
        model_name="parrot-2" if change == "model" else "parrot-1",
        recipe=2 if change == "recipe" else 1,
    )
    language, speakers = ("de" if change == "language" else None), (2 if change == "speakers" else None)
    assert states(store.transcribe(takes, again, language=language, speakers=speakers)) == {"A": "made"}
    assert states(store.transcribe(takes, again)) == {"A": "cached"}
    assert len(again.asked) == 1


def test_what_was_asked_before_holds(project: Path, folders: UserFolders) -> None:
    """After ``--language de`` a plain call keeps to it, and asks nobody."""
    store, parrot = Store(folders, project / "edit"), Parrot()
    takes = asked(project, folders, "A")
    store.transcribe(takes, parrot, language="de", speakers=2)
    assert states(store.transcribe(takes, parrot)) == {"A": "cached"}
    store.transcribe(takes, parrot, force=True)
    assert parrot.asked == [("A.wav", 0, "de", 2), ("A.wav", 0, "de", 2)]


def test_the_project_is_restored_from_the_store_and_the_store_from_the_project(
    project: Path, folders: UserFolders
) -> None:
    """Whichever is deleted comes back from the other, and nobody is asked."""
    store, parrot = Store(folders, project / "edit"), Parrot()
    takes = asked(project, folders)
    store.transcribe(takes, parrot)
    shutil.rmtree(project / "edit")
    assert said(store, takes[0]) == "A track0"
    assert store.transcribe(takes, parrot).count("cached") == 2
    shutil.rmtree(folders.cache)
    assert store.transcribe(takes, parrot).count("cached") == 2
    shutil.rmtree(project / "edit")
    assert store.transcribe(takes, parrot).count("cached") == 2
    assert len(parrot.asked) == 2


@pytest.mark.parametrize("broken", [b'{"text": "A", "wor', b"", b"[]", b"\xff\xfe", answer("A", "changed")])
def test_a_damaged_copy_is_set_aside_and_restored(project: Path, folders: UserFolders, broken: bytes) -> None:
    """Half-written or changed bytes are kept under another name, said, and made whole from the store."""
    store, parrot = Store(folders, project / "edit"), Parrot(price_per_hour=0.4)
    takes = asked(project, folders, "A")
    store.transcribe(takes, parrot)
    copy = project / "edit" / "transcripts" / "A.json"
    copy.write_bytes(broken)
    assert said(store, takes[0]) == "A track0"
    report = store.transcribe(takes, parrot)
    assert states(report) == {"A": "cached"}
    assert "A.json is damaged" in report.rows[0].message
    assert copy.read_bytes() == answer("A", "track0")
    assert copy.with_name("A.json.damaged").read_bytes() == broken
    assert len(parrot.asked) == 1


def test_what_is_damaged_twice_is_not_paid_for_silently(project: Path, folders: UserFolders) -> None:
    """Where both are damaged, an engine that costs is asked only when told to; a free one is asked again."""
    store, dear, free = Store(folders, project / "edit"), Parrot(price_per_hour=0.4), Parrot(name="free")
    takes = asked(project, folders, "A")
    for parrot in (dear, free):
        store.transcribe(takes, parrot)
        for path in (*project.glob("edit/transcripts/A.json"), *folders.cache.glob("transcripts/*/*/*.json")):
            if not path.name.endswith(".meta.json"):
                path.write_bytes(b"{")
        report = store.transcribe(takes, parrot)
        assert states(report) == {"A": "failed" if parrot is dear else "made"}
        assert "damaged" in report.rows[0].message
    assert (len(dear.asked), len(free.asked)) == (1, 2)


def test_a_folder_of_video_use_is_read_as_it_is(project: Path, folders: UserFolders) -> None:
    """A transcript without a meta file is the take's, counts as done and is not rewritten."""
    copy = project / "edit" / "transcripts" / "A.json"
    copy.parent.mkdir(parents=True)
    copy.write_bytes(b"\xef\xbb\xbf" + answer("by", "hand"))
    store, parrot = Store(folders, project / "edit"), Parrot()
    takes = asked(project, folders, "A")
    assert said(store, takes[0]) == "by hand"
    assert states(store.transcribe(takes, parrot)) == {"A": "cached"}
    assert sorted(path.name for path in copy.parent.iterdir()) == ["A.json"]
    assert states(store.transcribe(takes, parrot, force=True)) == {"A": "made"}


def test_a_failed_take_does_not_stop_the_others(project: Path, folders: UserFolders) -> None:
    """The row says why, the other take is made, and the report is not ok."""
    store = Store(folders, project / "edit")
    parrot = Parrot(fail=failing("A.wav", TranscriptError("the sound is all hum")))
    report = store.transcribe(asked(project, folders), parrot)
    assert [(row.state, row.message) for row in report.rows] == [
        ("failed", "the sound is all hum"),
        ("made", ""),
    ]
    assert not report.ok


def test_an_engine_that_refuses_ends_the_batch(project: Path, folders: UserFolders) -> None:
    """After a refused key the rest is not begun; what was done stays done."""
    store = Store(folders, project / "edit")
    parrot = Parrot(fail=failing("A.wav", EngineRefused("no such key")))
    report = store.transcribe(asked(project, folders), parrot)
    assert states(report) == {"A": "failed", "B": "pending"}
    assert len(parrot.asked) == 1
    assert not report.ok


def test_an_interrupt_keeps_what_is_done(project: Path, folders: UserFolders) -> None:
    """The interrupt goes on to the caller, the engine is let go, and the next run asks only for the rest."""

    def interrupt(file: str) -> None:
        if file == "B.wav":
            raise KeyboardInterrupt

    store, parrot = Store(folders, project / "edit"), Parrot(fail=interrupt)
    takes = asked(project, folders)
    with pytest.raises(KeyboardInterrupt):
        store.transcribe(takes, parrot)
    assert parrot.closed == 1
    assert states(store.transcribe(takes, Parrot())) == {"A": "cached", "B": "made"}


@pytest.mark.parametrize("outcome", [KeyboardInterrupt(), MayBeBilled("the line went dead")])
def test_an_unknown_outcome_is_not_paid_for_again_unasked(
    project: Path, folders: UserFolders, outcome: BaseException
) -> None:
    """After a cut-off request the next run says that it may have been billed, until it is told to ask."""

    def cut_off(_: str) -> None:
        raise outcome

    store, takes = Store(folders, project / "edit"), asked(project, folders, "A")
    if isinstance(outcome, KeyboardInterrupt):
        with pytest.raises(KeyboardInterrupt):
            store.transcribe(takes, Parrot(price_per_hour=0.4, fail=cut_off))
    else:
        store.transcribe(takes, Parrot(price_per_hour=0.4, fail=cut_off))
    shutil.rmtree(folders.cache)
    parrot = Parrot(price_per_hour=0.4)
    report = store.transcribe(takes, parrot)
    assert states(report) == {"A": "failed"}
    assert "may have been billed; ask again with --force" in report.rows[0].message
    assert parrot.asked == []
    assert states(store.transcribe(takes, parrot, force=True)) == {"A": "made"}
    assert states(store.transcribe(takes, parrot, force=True)) == {"A": "made"}


def test_a_known_failure_may_be_tried_again(project: Path, folders: UserFolders) -> None:
    """A request that was refused was not billed: the next run asks."""
    store, takes = Store(folders, project / "edit"), asked(project, folders, "A")
    store.transcribe(takes, Parrot(price_per_hour=0.4, fail=failing("A.wav", TranscriptError("busy"))))
    assert states(store.transcribe(takes, Parrot(price_per_hour=0.4))) == {"A": "made"}


def test_two_at_once_make_one_request(project: Path, folders: UserFolders) -> None:
    """Of two notebooks that want the same words, one asks and the other waits for the answer."""
    begun, go = threading.Event(), threading.Event()

    def wait(_: str) -> None:
        begun.set()
        assert go.wait(30)

    slow, second = Parrot(fail=wait), Parrot()
    takes = asked(project, folders, "A")
    waiting = threading.Event()
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(Store(folders, project / "edit").transcribe, takes, slow)
        assert begun.wait(30)
        other = pool.submit(
            Store(folders, project / "edit").transcribe,
            takes,
            second,
            progress=lambda _, line: waiting.set() if "waiting" in line else None,
        )
        assert waiting.wait(30)
        go.set()
        assert states(first.result()) == {"A": "made"}
        assert states(other.result()) == {"A": "cached"}
    assert second.asked == []


def test_an_executor_hears_the_takes(project: Path, folders: UserFolders) -> None:
    """With an executor the rows stand in the order asked, failures included."""
    parrot = Parrot(fail=failing("B.wav", TranscriptError("hum")))
    with ThreadPoolExecutor(2) as pool:
        report = Store(folders, project / "edit").transcribe(asked(project, folders), parrot, executor=pool)
    assert [(row.take, row.state) for row in report.rows] == [("A", "made"), ("B", "failed")]


def test_a_silent_track_is_refused_with_the_levels_of_all(tmp_path: Path, folders: UserFolders) -> None:
    """A screen recording whose first track is silent asks for the other; that choice then holds."""
    clip = make_two_tracks(tmp_path / "screen.mp4", seconds=1.2)
    store, parrot = Store(folders, tmp_path / "edit"), Parrot()
    report = store.transcribe([request(clip, folders)], parrot)
    assert states(report) == {"screen": "silent"}
    assert not report.ok
    assert "track 0 is silent" in report.rows[0].message
    assert "choose one with --track" in report.rows[0].message
    assert parrot.asked == []
    assert states(store.transcribe([request(clip, folders, track=1)], parrot)) == {"screen": "made"}
    assert states(store.transcribe([request(clip, folders)], parrot)) == {"screen": "cached"}
    stored = read(store, request(clip, folders))
    assert stored is not None
    assert stored.transcript.track == 1


def test_a_take_without_sound_is_done(tmp_path: Path, folders: UserFolders) -> None:
    """A silent film has nothing to be heard, which is no failure."""
    clip = make_clip(tmp_path / "mute.mp4", sound="none", seconds=0.5)
    parrot = Parrot()
    report = Store(folders, tmp_path / "edit").transcribe([request(clip, folders)], parrot)
    assert (states(report), report.ok, parrot.prepared) == ({"mute": "no sound"}, True, 0)


def test_a_track_that_is_not_there_is_named(project: Path, folders: UserFolders) -> None:
    """Asking for track 7 names those that there are, with their levels, whatever is cached of the take."""
    report = Store(folders, project / "edit").transcribe(asked(project, folders, "A", track=7), Parrot())
    assert re.fullmatch(
        r"there is no sound track 7 \(track 0 -\d+ dB\); choose one with --track", report.rows[0].message
    )


def test_corrections_are_in_what_is_read_and_not_in_what_is_kept(project: Path, folders: UserFolders) -> None:
    """Reading gives the corrected words, the raw answer stays, and a new transcription keeps the correction."""
    store, takes = Store(folders, project / "edit"), asked(project, folders, "A")
    store.transcribe(takes, Parrot())
    (project / "edit" / "corrections.md").write_text("A#2: track0 -> tracks\n", encoding="utf-8")
    assert said(store, takes[0]) == "A tracks"
    store.transcribe(takes, Parrot(), force=True)
    assert said(store, takes[0]) == "A tracks"
    assert (project / "edit" / "transcripts" / "A.json").read_bytes() == answer("A", "track0")


@pytest.mark.parametrize("name", ["cardB/C0103", ".hidden", "a:b?*|", "Ümläut 我们", "-dash %41"])
def test_names_of_any_kind_have_a_file(project: Path, folders: UserFolders, name: str) -> None:
    """Whatever a take is called, its words are kept in one file in the transcripts folder, and claimed by it."""
    store = Store(folders, project / "edit")
    take = request(project / "A.wav", folders, name=name)
    assert store.transcribe([take], Parrot()).ok
    assert said(store, take) == "A track0"
    assert len(list((project / "edit" / "transcripts").iterdir())) == 2
    assert store.claims(project) == {name: project / "A.wav"}


def test_the_stamp_changes_with_the_words(project: Path, folders: UserFolders) -> None:
    """Whoever keeps a take's words can see that new ones were kept."""
    store, takes = Store(folders, project / "edit"), asked(project, folders, "A")
    before = store.stamp("A")
    store.transcribe(takes, Parrot())
    after = store.stamp("A")
    assert before != after
    assert store.stamp("A") == after


def test_progress_runs_to_the_end(project: Path, folders: UserFolders) -> None:
    """Progress is a share of all seconds: half of A (1 s of 3), half of B (2 s of 3), all."""
    told: list[float] = []
    Store(folders, project / "edit").transcribe(
        asked(project, folders), Parrot(), progress=lambda share, _: told.append(round(share, 3))
    )
    assert told == [0.167, 0.667, 1.0]


def test_a_report_reads_like_a_table(project: Path, folders: UserFolders) -> None:
    """The sentence counts takes, minutes and money, and every take has a line."""
    store, dear = Store(folders, project / "edit"), Parrot(price_per_hour=3600.0)
    report = store.transcribe(asked(project, folders, "B"), dear)
    assert report.sentence == "1 of 1 take transcribed (00:02 by parrot), cost $2.00"
    dry = store.transcribe(asked(project, folders), dear, dry_run=True)
    assert dry.sentence == "1 of 2 takes to be transcribed (00:01 by parrot), 1 cached, would cost $1.00"
    assert repr(dry).splitlines()[1:] == ["  A  00:01  pending", "  B  00:02  cached"]


def test_an_executor_hears_the_same_sound_once(project: Path, folders: UserFolders) -> None:
    """Two takes of one sound are one request, and both have the words."""
    shutil.copy(project / "A.wav", project / "twin.wav")
    store, parrot, takes = Store(folders, project / "edit"), Parrot(), asked(project, folders, "A", "twin")
    with ThreadPoolExecutor(2) as pool:
        report = store.transcribe(takes, parrot, executor=pool)
    assert states(report) == {"A": "made", "twin": "cached"}
    assert len(parrot.asked) == 1
    assert said(store, takes[1]) == "A track0"


def test_a_place_that_cannot_be_written_loses_no_answer(project: Path, folders: UserFolders) -> None:
    """Where the project cannot hold an answer that was paid for, the store does, and nobody is asked again."""
    blocked = project / "edit"
    blocked.write_bytes(b"a file where a folder should be")
    store, parrot = Store(folders, blocked), Parrot(price_per_hour=0.4)
    takes = asked(project, folders, "A")
    report = store.transcribe(takes, parrot)
    assert states(report) == {"A": "failed"}
    assert "cannot be written" in report.rows[0].message
    blocked.unlink()
    assert states(store.transcribe(takes, parrot)) == {"A": "cached"}
    assert len(parrot.asked) == 1
