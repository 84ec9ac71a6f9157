"""Words of a take under another name than it had when it was heard: found by content, in the project alone."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from cutbook.files import Fingerprint, UserFolders
from cutbook.transcripts.store import Request, Store
from tests.footage import make_sound
from tests.transcripts.making import Parrot, request


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project with the takes A and B, which were heard."""
    folder = tmp_path / "project"
    make_sound(folder / "A.wav", seconds=1.0)
    make_sound(folder / "B.wav", seconds=2.0)
    return folder


@pytest.fixture
def elsewhere(folders: UserFolders, tmp_path: Path) -> UserFolders:
    """Return the folders of somebody who has the project alone: an empty cache."""
    return UserFolders(cache=tmp_path / "cache2", state=tmp_path / "state2", config=folders.config)


def heard(project: Path, folders: UserFolders, *names: str) -> None:
    """Have takes transcribed."""
    takes = [request(project / f"{name}.wav", folders) for name in names]
    assert Store(folders, project / "edit").transcribe(takes, Parrot()).ok


def said(store: Store, take: Request) -> str | None:
    """Return a take's words in one line."""
    stored = store.read(take.name, take.media, take.fingerprint)
    return " ".join(word.text for word in stored.transcript.words) if stored else None


def test_a_renamed_take_has_its_words_without_the_cache(
    project: Path, folders: UserFolders, elsewhere: UserFolders
) -> None:
    """Reading finds them and writes nothing; transcribing asks and pays nobody, and copies them to the new name."""
    heard(project, folders, "A", "B")
    (project / "A.wav").rename(project / "warm.wav")
    store, take, parrot = (
        Store(elsewhere, project / "edit"),
        request(project / "warm.wav", elsewhere),
        Parrot(),
    )
    kept = project / "edit" / "transcripts"
    before = sorted(each.name for each in kept.iterdir())
    assert said(store, take) == "A track0"
    assert sorted(each.name for each in kept.iterdir()) == before
    report = store.transcribe([take], parrot, dry_run=True)
    assert [row.state for row in report.rows] == ["cached"]
    assert [row.state for row in store.transcribe([take], parrot).rows] == ["cached"]
    assert parrot.asked == []
    assert (kept / "warm.json").read_bytes() == (kept / "A.json").read_bytes()
    (kept / "A.json").unlink()
    assert (
        said(Store(UserFolders(project / "c", project / "s", project / "k"), project / "edit"), take)
        == "A track0"
    )


def test_the_projects_own_words_go_before_newer_ones_of_another_project(
    project: Path, folders: UserFolders, tmp_path: Path
) -> None:
    """The cut was made of those: another project's, of another model, are not taken in their place after a rename."""
    heard(project, folders, "A")
    other = tmp_path / "other"
    other.mkdir()
    shutil.copy2(project / "A.wav", other / "else.wav")
    asked = [request(other / "else.wav", folders)]
    assert Store(folders, other / "edit").transcribe(asked, Parrot(model_name="parrot-2"), force=True).ok
    (project / "A.wav").rename(project / "warm.wav")
    assert said(Store(folders, project / "edit"), request(project / "warm.wav", folders)) == "A track0"


def test_words_of_another_content_are_not_found(
    project: Path, folders: UserFolders, elsewhere: UserFolders
) -> None:
    """Another sound under a new name has none yet."""
    heard(project, folders, "A")
    make_sound(project / "warm.wav", seconds=1.0, sound="beeps")
    assert said(Store(elsewhere, project / "edit"), request(project / "warm.wav", elsewhere)) is None


def test_hearing_a_new_file_under_the_old_name_loses_no_words(
    project: Path, folders: UserFolders, elsewhere: UserFolders
) -> None:
    """The old words give place in the project, and are kept for the take that they are of."""
    heard(project, folders, "A")
    (project / "A.wav").rename(project / "warm.wav")
    make_sound(project / "A.wav", seconds=1.5, sound="beeps")
    heard(project, elsewhere, "A")
    store, parrot = Store(elsewhere, project / "edit"), Parrot()
    warm = request(project / "warm.wav", elsewhere)
    assert said(store, warm) == "A track0"
    assert [row.state for row in store.transcribe([warm], parrot).rows] == ["cached"]
    assert parrot.asked == []


def test_corrections_go_with_a_renamed_take(
    project: Path, folders: UserFolders, elsewhere: UserFolders
) -> None:
    """Those of its old name hold for it, and its own go on; a copy beside the take it was copied from has none."""
    heard(project, folders, "A")
    notes = project / "edit" / "corrections.md"
    notes.write_text("---\nspeakers:\n  A: {S0: Ana}\n---\nA#2: track0 -> tracks\n", encoding="utf-8")
    shutil.copy2(project / "A.wav", project / "copy.wav")
    assert said(Store(folders, project / "edit"), request(project / "copy.wav", folders)) == "A track0"
    (project / "copy.wav").unlink()
    (project / "A.wav").rename(project / "warm.wav")
    take = request(project / "warm.wav", elsewhere)
    stored = Store(elsewhere, project / "edit").read(take.name, take.media, take.fingerprint)
    assert stored is not None
    assert [(word.text, word.speaker) for word in stored.transcript.words] == [
        ("A", "Ana"),
        ("tracks", "Ana"),
    ]
    assert stored.misfits == ()
    notes.write_text("A#2: track0 -> tracks\nwarm#1: A -> An\n", encoding="utf-8")
    assert said(Store(elsewhere, project / "edit"), take) == "An tracks"
    make_sound(project / "A.wav", seconds=1.5, sound="beeps")
    assert said(Store(elsewhere, project / "edit"), take) == "An tracks"


def test_words_without_a_note_are_found_by_the_name_that_the_cut_list_knows(
    project: Path, folders: UserFolders
) -> None:
    """A transcript of video-use does not say what it is of; who knows the old name of a content finds it."""
    heard(project, folders, "A")
    (project / "edit" / "transcripts" / "A.meta.json").unlink()
    shutil.rmtree(folders.cache)
    (project / "A.wav").rename(project / "warm.wav")
    take = request(project / "warm.wav", folders)

    def former(content: Fingerprint) -> Iterable[str]:
        return ["A"] if content == take.fingerprint else []

    parrot = Parrot()
    assert said(Store(folders, project / "edit"), take) is None
    store = Store(folders, project / "edit", former=former)
    assert said(store, take) == "A track0"
    assert [row.state for row in store.transcribe([take], parrot).rows] == ["cached"]
    assert parrot.asked == []
