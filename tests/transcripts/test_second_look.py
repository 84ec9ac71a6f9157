from __future__ import annotations

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutbook import Project
from cutbook.files import UserFolders
from cutbook.media.probe import Media, probe
from cutbook.media.sound import samples
from cutbook.transcripts.engine import Answer
from cutbook.transcripts.entries import Entry
from cutbook.transcripts.shift import shifted
from cutbook.transcripts.store import Store
from tests.edits import edited
from tests.footage import make_clip, run
from tests.scribe_double import KEY, scribe_double
from tests.transcripts.making import Parrot, answer, request

RATE = 16_000


@dataclass
class Listener(Parrot):
    """An engine that hears where each beep begins, and says so; it counts what it was asked as a parrot does."""

    name: str = "listener"

    def transcribe(self, media: Media, track: int, **asked: object) -> Answer:
        """Give a word of a tenth of a second for each beep."""
        super().transcribe(media, track)
        del asked
        words = [
            {"text": f"beep{n}", "start": at, "end": at + 0.1, "type": "word", "speaker_id": None}
            for n, at in enumerate(beeps(media, track), start=1)
        ]
        text = "".join(str(word["text"]) for word in words)
        return Answer(json.dumps({"language_code": "eng", "text": text, "words": words}).encode(), {})


def beeps(media: Media, track: int = 0) -> list[float]:
    """Return where beeps begin in take time: 1 kHz after quiet."""
    wave = np.abs(samples(media, track, rate=RATE))
    loud = np.flatnonzero(wave > 0.2)
    begins = loud[np.flatnonzero(np.diff(loud, prepend=-RATE) > RATE // 4)]
    return [float(at) / RATE for at in begins]


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a clip of beeps, one whose sound starts 0.8 s late, and one of noise."""
    folder = tmp_path_factory.mktemp("clips")
    make_clip(folder / "take.mp4", seconds=4, size=(64, 64), sound="beeps")
    make_clip(folder / "late.mp4", seconds=3, size=(64, 64), sound="beeps", late=0.8)
    make_clip(folder / "other.mp4", seconds=4, size=(64, 64), sound="mono")
    return folder


@pytest.fixture
def project(clips: Path, tmp_path: Path) -> Path:
    """Return a project of one's own with one take."""
    folder = tmp_path / "project"
    folder.mkdir()
    shutil.copy(clips / "take.mp4", folder / "take.mp4")
    return folder


def transcribe(path: Path, folders: UserFolders, engine: Parrot, *, dry_run: bool = False) -> str:
    """Have one file of a project transcribed, and return the state of its row."""
    report = Store(folders, path.parent / "edit").transcribe(
        [request(path, folders)], engine, dry_run=dry_run
    )
    return report.rows[0].state


def starts(path: Path, folders: UserFolders) -> list[float]:
    """Return where the words of a take begin, as a new store reads them."""
    asked = request(path, folders)
    stored = Store(folders, path.parent / "edit").read(asked.name, asked.media, asked.fingerprint)
    assert stored is not None
    return [float(word.start) for word in stored.transcript.words]


def copied(path: Path, target: Path, *args: str) -> Path:
    """Put what ffmpeg copies out of a file in its place, under another name."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f"part-{target.name}")
    run("-i", path, "-map", "0", "-c", "copy", *args, part)
    path.unlink()
    return part.rename(target)


WRAPPINGS = {
    "tagged anew": ("take.mp4", "-metadata", "title=Another"),
    "index first": ("take.mp4", "-movflags", "+faststart"),
    "in fragments": ("take.mp4", "-movflags", "+frag_keyframe+empty_moov"),
    "wrapped as mkv": ("take.mkv",),
    "wrapped as mov elsewhere": ("../other/a.mov",),
    "wrapped as ts": ("take.ts",),
    "graded": ("take.mp4", "-c:v", "mpeg4", "-vf", "negate"),
}
LOSSES = ("", "edit deleted", "cache deleted", "index deleted", "index damaged")


def lose(what: str, project: Path, folders: UserFolders) -> None:
    """Take away a part of what is kept."""
    index = folders.cache / "transcripts" / "sounds.sqlite3"
    if what == "cache deleted":
        shutil.rmtree(folders.cache)
    elif what:
        shutil.rmtree(project / "edit")
    if what == "index deleted":
        index.unlink()
    elif what == "index damaged":
        index.write_bytes(b"no index" * 1000)


def check_known(path: Path, folders: UserFolders, engine: Listener) -> None:
    """Check that nobody is asked again, and that the words stand where they are heard."""
    assert transcribe(path, folders, engine, dry_run=True) == "cached"
    assert transcribe(path, folders, engine) == "cached"
    assert starts(path, folders) == pytest.approx(beeps(probe(path)), abs=0.02)
    assert transcribe(path, folders, engine) == "cached"
    assert len(engine.asked) == 1


@pytest.mark.parametrize("wrapping", WRAPPINGS)
def test_the_same_sound_in_other_wrapping_is_asked_once(
    project: Path, folders: UserFolders, wrapping: str
) -> None:
    """Whatever is done around a sound, its words are there, on the new picture's clock."""
    engine, take = Listener(price_per_hour=0.4), project / "take.mp4"
    assert transcribe(take, folders, engine) == "made"
    name, *args = WRAPPINGS[wrapping]
    check_known(copied(take, project / name, *args), folders, engine)


@pytest.mark.parametrize(
    ("target", "loss"),
    [
        (target, loss)
        for target in ("take.mp4", "renamed.mp4", "../other/take.mp4", "take.mkv")
        for loss in LOSSES
        # What was heard in a project that is left behind is in the cache alone.
        if not (target.startswith("..") and loss == "cache deleted")
    ],
)
def test_either_side_is_enough(project: Path, folders: UserFolders, target: str, loss: str) -> None:
    """A take that was renamed, moved or wrapped anew is known when the cache or the edit folder is gone."""
    engine, take = Listener(price_per_hour=0.4), project / "take.mp4"
    transcribe(take, folders, engine)
    lose(loss, project, folders)
    path = project / target
    if path.suffix == ".mkv":
        copied(take, path)
    else:
        path.parent.mkdir(exist_ok=True)
        take.rename(path)
    check_known(path, folders, engine)


@pytest.mark.parametrize("change", ["encoded anew", "trimmed", "hidden in part", "another sound"])
def test_another_sound_is_asked_for(clips: Path, project: Path, folders: UserFolders, change: str) -> None:
    """A sound that was changed, cut or hidden in part is not the one that was heard: one request, not more."""
    engine, take = Listener(), project / "take.mp4"
    transcribe(take, folders, engine)
    path = project / "changed.mp4"
    if change == "encoded anew":
        run("-i", take, "-c:v", "copy", "-c:a", "aac", "-b:a", "96k", path)
    elif change == "trimmed":
        run("-i", take, "-t", 2, "-c", "copy", path)
    elif change == "hidden in part":
        edited(take, path, [(1.5, 2.0)])
    else:
        run("-i", take, "-i", clips / "other.mp4", "-map", "0:v", "-map", "1:a", "-c", "copy", path)
    assert transcribe(path, folders, engine) == "made"
    assert transcribe(path, folders, engine) == "cached"
    assert len(engine.asked) == 2


def test_what_was_heard_of_a_trimmed_file_does_not_serve_the_whole(
    clips: Path, project: Path, folders: UserFolders
) -> None:
    """A phone's trim that was transcribed first leaves the rest of the sound unheard: the whole is asked for."""
    engine = Listener()
    trimmed = edited(clips / "take.mp4", project / "trimmed.mp4", [(1.5, 2.0)])
    transcribe(trimmed, folders, engine)
    assert starts(trimmed, folders) == pytest.approx([0.5, 1.5], abs=0.05)
    assert transcribe(project / "take.mp4", folders, engine) == "made"
    assert len(engine.asked) == 2


@pytest.mark.parametrize("suffix", ["mkv", "mov", "ts"])
def test_a_late_sound_keeps_its_place_on_the_picture(
    clips: Path, tmp_path: Path, folders: UserFolders, suffix: str
) -> None:
    """Audio that starts 0.8 s late, wrapped anew: words stand within 20 ms of where they are heard."""
    engine = Listener()
    late = tmp_path / "one" / "late.mp4"
    late.parent.mkdir()
    shutil.copy(clips / "late.mp4", late)
    transcribe(late, folders, engine)
    assert starts(late, folders) == pytest.approx([0.8, 1.8, 2.8], abs=0.02)
    path = copied(late, tmp_path / "two" / f"late.{suffix}")
    assert transcribe(path, folders, engine) == "cached"
    assert starts(path, folders) == pytest.approx([0.8, 1.8, 2.8], abs=0.02)
    assert starts(path, folders) == pytest.approx(beeps(probe(path)), abs=0.02)


def test_the_raw_bytes_stay_and_the_shift_adds_up(clips: Path, tmp_path: Path, folders: UserFolders) -> None:
    """A copy of a copy has the bytes that came, its own key and content, and the sum of both shifts."""
    engine = Listener()
    sound = tmp_path / "one" / "sound.m4a"
    sound.parent.mkdir()
    run("-i", clips / "late.mp4", "-vn", "-c", "copy", sound)
    transcribe(sound, folders, engine)
    raw = (sound.parent / "edit/transcripts/sound.json").read_bytes()
    first, second = tmp_path / "two" / "late.mp4", tmp_path / "three" / "late.mkv"
    for path in (first, second):
        path.parent.mkdir()
        run("-i", clips / "late.mp4", "-c", "copy", path)
        assert transcribe(path, folders, engine) == "cached"
        kept = path.parent / "edit/transcripts"
        assert (kept / "late.json").read_bytes() == raw
        meta = json.loads((kept / "late.meta.json").read_bytes())
        assert meta["content"] == request(path, folders).fingerprint.digest
        assert starts(path, folders) == pytest.approx([0.8, 1.8, 2.8], abs=0.02)
    assert len(engine.asked) == 1


def test_words_after_the_end_of_a_shorter_picture_are_not_its_words(
    clips: Path, tmp_path: Path, folders: UserFolders
) -> None:
    """The whole sound with a picture that ends sooner: the words that are heard, and none heaped up at its end."""
    engine = Listener()
    one, two = tmp_path / "one" / "take.m4a", tmp_path / "two" / "take.mkv"
    for path in (one, two):
        path.parent.mkdir()
    run("-i", clips / "take.mp4", "-vn", "-c", "copy", one)
    run(
        "-i",
        clips / "take.mp4",
        "-t",
        2.5,
        "-i",
        clips / "take.mp4",
        "-map",
        "0:a",
        "-map",
        "1:v",
        "-c",
        "copy",
        two,
    )
    transcribe(one, folders, engine)
    assert transcribe(two, folders, engine) == "cached"
    assert starts(two, folders) == pytest.approx([0.0, 1.0, 2.0], abs=0.03)


@pytest.mark.parametrize(
    "other", [Listener(model_name="listener-2"), Listener(name="another"), Listener(recipe=2)]
)
def test_another_engine_hears_for_itself(project: Path, folders: UserFolders, other: Listener) -> None:
    """Words of another engine, model or recipe are not served for a copy in another container."""
    engine, take = Listener(), project / "take.mp4"
    transcribe(take, folders, engine)
    path = copied(take, project.parent / "two" / "take.mkv")
    assert transcribe(path, folders, other) == "made"
    assert len(other.asked) == 1


@pytest.mark.parametrize("workers", [0, 2])
def test_one_sound_in_two_containers_is_one_request_of_a_batch(
    project: Path, folders: UserFolders, workers: int
) -> None:
    """A camera's file and its copy as MKV in one folder are heard once, with an executor too."""
    run("-i", project / "take.mp4", "-c", "copy", project / "copy.mkv")
    engine = Listener(price_per_hour=0.4)
    asked = [request(project / name, folders) for name in ("take.mp4", "copy.mkv")]
    with ThreadPoolExecutor(2) as executor:
        report = Store(folders, project / "edit").transcribe(
            asked, engine, executor=executor if workers else None
        )
    assert [row.state for row in report.rows] == ["made", "cached"]
    assert len(engine.asked) == 1
    for name in ("take.mp4", "copy.mkv"):
        assert starts(project / name, folders) == pytest.approx(beeps(probe(project / name)), abs=0.02)


def test_a_track_is_known_by_its_sound_not_its_number(
    clips: Path, project: Path, folders: UserFolders
) -> None:
    """The second track of a recording serves a file in which it is the only one."""
    engine, both = Listener(), project / "both.mkv"
    run(
        *("-i", clips / "other.mp4", "-i", clips / "take.mp4"),
        *("-map", "0:v", "-map", "0:a", "-map", "1:a", "-c", "copy", both),
    )
    store = Store(folders, project / "edit")
    store.transcribe([request(both, folders, track=1)], engine)
    report = store.transcribe([request(project / "take.mp4", folders)], engine)
    assert report.rows[0].state == "cached"
    meta = json.loads((project / "edit/transcripts/take.meta.json").read_bytes())
    assert meta["track"] == 0
    assert starts(project / "take.mp4", folders) == pytest.approx(
        beeps(probe(project / "take.mp4")), abs=0.02
    )


def test_force_asks_again(project: Path, folders: UserFolders) -> None:
    """Whoever asks by force gets new words for a copy, too."""
    engine, take = Listener(), project / "take.mp4"
    transcribe(take, folders, engine)
    path = copied(take, project / "take.mkv")
    report = Store(folders, project / "edit").transcribe([request(path, folders)], engine, force=True)
    assert report.rows[0].state == "made"
    assert len(engine.asked) == 2


def test_aligned_flags_stay_with_their_words() -> None:
    """Where words are left out, what is known of the others stays with them."""
    raw = answer("zero", "one", "two", "three")
    meta = {"shift": "-3/2", "aligned": [False, True, False, True]}
    words = Entry(raw, meta).transcript(Fraction(1)).words
    # 0.5 s each at 0, 1, 2, 3 s; a second and a half earlier only 2 s lies in a take of one second.
    assert [(word.text, float(word.start), word.aligned) for word in words] == [("two", 0.5, False)]


def test_what_was_asked_for_a_sound_holds_in_other_wrapping(project: Path, folders: UserFolders) -> None:
    """A language that was given once is that of the sound: a copy as MKV is not asked for in another."""
    engine, take = Listener(), project / "take.mp4"
    store = Store(folders, project / "edit")
    store.transcribe([request(take, folders)], engine, language="de")
    path = copied(take, project.parent / "other" / "take.mkv")
    assert transcribe(path, folders, engine) == "cached"
    renamed = path.rename(path.with_name("renamed.mkv"))
    assert transcribe(renamed, folders, engine) == "cached"
    assert len(engine.asked) == 1


def test_the_track_that_was_chosen_holds_after_new_tags(
    clips: Path, project: Path, folders: UserFolders
) -> None:
    """Who chose the second track need not choose it again when the file is tagged anew."""
    engine, both = Listener(), project / "both.mkv"
    run(
        *("-i", clips / "other.mp4", "-i", clips / "take.mp4"),
        *("-map", "0:v", "-map", "0:a", "-map", "1:a", "-c", "copy", both),
    )
    Store(folders, project / "edit").transcribe([request(both, folders, track=1)], engine)
    copied(both, both, "-metadata", "title=Another")
    assert transcribe(both, folders, engine) == "cached"
    assert starts(both, folders) == pytest.approx(beeps(probe(both), 1), abs=0.02)


def test_a_recorder_that_hides_its_last_packets(project: Path, folders: UserFolders) -> None:
    """A file whose edit list hides the last packets is known by a copy without them, and the other way about."""
    take, engine = project / "take.mp4", Listener(price_per_hour=0.4)
    recorded = edited(take, project / "recorded.mp4", [(1024 / 48000, 3.93)])
    take.unlink()
    transcribe(recorded, folders, engine)
    copy = project / "copy.mkv"
    run("-i", recorded, "-c", "copy", copy)
    check_known(copy, folders, engine)
    shutil.rmtree(project / "edit" / "transcripts")
    check_known(recorded, folders, engine)


@given(
    st.lists(
        st.tuples(st.floats(0, 60), st.floats(0, 2), st.sampled_from(["word", "spacing", "audio_event"]))
    ),
    st.fractions(-60, 60, max_denominator=48000),
    st.fractions(0, 60, max_denominator=30),
)
def test_words_move_together_and_flags_with_them(
    rows: list[tuple[float, float, str]], by: Fraction, duration: Fraction
) -> None:
    """Each token that is heard in the take is moved by the same time and in its order; each flag is its own word's."""
    tokens = [
        {
            "text": " " * (n + 1) if kind == "spacing" else f"w{n}",
            "start": start,
            "end": start + length,
            "type": kind,
        }
        for n, (start, length, kind) in enumerate(rows)
    ]
    flags = [n % 3 == 0 for n, (_, _, kind) in enumerate(rows) if kind == "word"]
    spoken = [token["text"] for token in tokens if token["type"] == "word"]
    answer, meta = shifted({"words": tokens}, {"aligned": flags}, by=by, duration=duration)
    words = answer["words"]
    assert isinstance(words, list)
    heard = [
        token
        for token, (start, length, _) in zip(tokens, rows, strict=True)
        if start + length + float(by) > 0 and start + float(by) <= float(duration)
    ]
    texts = [word["text"] for word in words]
    assert [text for text in texts if text in {token["text"] for token in heard}] == [
        token["text"] for token in heard
    ]
    kept = [word["text"] for word in words if word["type"] == "word"]
    assert meta["aligned"] == [flags[spoken.index(text)] for text in kept]
    known = {f"w{n}": start for n, (start, *_) in enumerate(rows)}
    for word in words:
        if word["type"] != "spacing":
            assert word["start"] - known[word["text"]] == pytest.approx(float(by))


def test_a_bill_is_paid_once_through_the_notebook_verb(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By `Project.transcribe`, the SDK and a server that bills: a new picture in another project costs nothing."""
    monkeypatch.setenv("CUTBOOK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("ELEVENLABS_API_KEY", KEY)
    with scribe_double() as double:
        monkeypatch.setenv("CUTBOOK_SCRIBE_URL", double.url)
        first = Project(project).transcribe(engine="scribe")
        path = copied(project / "take.mp4", tmp_path / "other" / "graded.mkv", *WRAPPINGS["graded"][1:])
        second = Project(path.parent)
        report = second.transcribe(engine="scribe")
        assert [row.state for row in (*first.rows, *report.rows)] == ["made", "cached"]
        assert (len(double.asked), double.billed) == (1, 1)
        assert second.takes["graded"].transcript is not None


@dataclass
class Leaver(Listener):
    """An engine whose file is taken away while it answers."""

    def transcribe(self, media: Media, track: int, **asked: object) -> Answer:
        """Hear, and move the file away."""
        found = super().transcribe(media, track, **asked)
        media.path.rename(media.path.with_suffix(".gone"))
        return found


def test_an_answer_is_kept_when_its_file_is_gone_by_then(project: Path, folders: UserFolders) -> None:
    """The sound is hashed before it is sent, so that a paid answer is kept, and known again, whatever comes."""
    engine, take = Leaver(price_per_hour=0.4), project / "take.mp4"
    assert transcribe(take, folders, engine) == "made"
    path = copied(take.with_suffix(".gone"), project / "copy.mkv")
    assert transcribe(path, folders, engine) == "cached"
    assert len(engine.asked) == 1
