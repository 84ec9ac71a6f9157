from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from cutbook.files import UserFolders, fingerprint
from cutbook.media.probe import Media, probe
from cutbook.transcripts.local import LocalEngine
from cutbook.transcripts.model import Transcript
from cutbook.transcripts.report import Report
from cutbook.transcripts.store import Request, Store
from tests.footage import make_clip, named, run
from tests.scribe_double import Double, scribe_double


@dataclass(frozen=True)
class Heard:
    """What the embedded engine heard in the sample: the report, and the words of each take by its file's name."""

    report: Report
    words: Mapping[str, Transcript]
    edit: Path


@pytest.fixture
def folders(tmp_path: Path) -> UserFolders:
    """Return user folders of the test's own."""
    return UserFolders(tmp_path / "cache", tmp_path / "state", tmp_path / "config")


@pytest.fixture(scope="session")
def session_folders() -> UserFolders:
    """Return the session's user folders, whose cache all tests share."""
    return UserFolders.find(Path(os.environ["CUTBOOK_CACHE_DIR"]))


@pytest.fixture(scope="session")
def heard(
    session_sample: Path, session_folders: UserFolders, tmp_path_factory: pytest.TempPathFactory
) -> Heard:
    """Have every take of the sample heard by the embedded engine, once a session."""
    edit = tmp_path_factory.mktemp("heard") / "edit"
    store = Store(session_folders, edit)
    requests = [
        Request(path.name, probe(path), fingerprint(path, session_folders))
        for path in sorted(session_sample.iterdir())
        if path.is_file()
    ]
    report = store.transcribe(requests, LocalEngine(session_folders))
    words = {}
    for request in requests:
        stored = store.read(request.name, request.media, request.fingerprint)
        if stored is not None:
            words[request.name] = stored.transcript
    return Heard(report, words, edit)


@pytest.fixture
def double() -> Iterator[Double]:
    """Return a stand-in for Scribe that runs while the test does."""
    with scribe_double() as running:
        yield running


@pytest.fixture(scope="session")
def late_clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a clip of two seconds whose sound begins half a second after its picture."""
    return make_clip(tmp_path_factory.mktemp("scribe") / "take.mp4", sound="beeps", late=0.5)


@pytest.fixture(scope="session")
def late_media(late_clip: Path) -> Media:
    """Return what that clip is."""
    return probe(late_clip)


@pytest.fixture(scope="session")
def long_noise(tmp_path_factory: pytest.TempPathFactory) -> Media:
    """Return a sound whose upload is larger than what a line holds before anybody reads it: noise is not packed."""
    path = tmp_path_factory.mktemp("long") / "noise.wav"
    run("-f", "lavfi", "-t", 300, "-i", "anoisesrc=r=16000:a=0.9:seed=1", "-ac", 1, named(path))
    return probe(path)
