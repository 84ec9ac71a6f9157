from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from cutbook.files import UserFolders, fingerprint
from cutbook.media.probe import probe
from cutbook.transcripts.local import LocalEngine
from cutbook.transcripts.model import Transcript
from cutbook.transcripts.report import Report
from cutbook.transcripts.store import Request, Store


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
