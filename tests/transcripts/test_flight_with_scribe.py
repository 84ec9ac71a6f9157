"""Two processes, and one that is killed: no sound is paid for twice."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from cutbook.files import UserFolders
from cutbook.transcripts.store import Store
from tests.sample import ROOT
from tests.scribe_double import Double, Turn
from tests.transcripts.making import request
from tests.transcripts.scribing import engine

ELSEWHERE = """
import sys
from pathlib import Path
from cutbook.files import UserFolders
from cutbook.transcripts.scribe import ScribeEngine
from cutbook.transcripts.store import Store
from tests.scribe_double import KEY
from tests.transcripts.making import request
from tests.transcripts.scribing import QUICK
clip, home, url = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
folders = UserFolders(home / "cache", home / "state", home / "config")
hearing = ScribeEngine(key=KEY, url=url, patience=QUICK)
print(Store(folders, home / sys.argv[4]).transcribe([request(clip, folders)], hearing).rows[0].state)
"""


def elsewhere(clip: Path, home: Path, double: Double, edit: str) -> subprocess.Popen[str]:
    """Ask for a clip in a process of its own, for the project of `edit`."""
    command = [sys.executable, "-c", ELSEWHERE, str(clip), str(home), double.url, edit]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def until_asked(double: Double, process: subprocess.Popen[str]) -> None:
    """Wait until the stand-in listens to what the process sent."""
    while not double.places:
        assert process.poll() is None
        time.sleep(0.02)


def test_a_process_killed_while_scribe_listens(
    double: Double, late_clip: Path, folders: UserFolders, tmp_path: Path
) -> None:
    """The next run says what may have been billed and asks nothing; told to, it asks once."""
    double.turns = [Turn(delay=30)]
    with elsewhere(late_clip, tmp_path, double, "edit") as process:
        until_asked(double, process)
        process.kill()
    store, take = Store(folders, tmp_path / "edit"), request(late_clip, folders)
    row = store.transcribe([take], engine(double)).rows[0]
    assert row.state == "failed"
    assert "may have been billed" in row.message
    assert "--force" in row.message
    assert (len(double.asked), double.billed) == (1, 1)
    assert store.transcribe([take], engine(double), force=True).rows[0].state == "made"
    assert store.transcribe([take], engine(double)).rows[0].state == "cached"
    assert (len(double.asked), double.billed) == (2, 2)


def test_two_kernels_make_one_request(
    double: Double, late_clip: Path, folders: UserFolders, tmp_path: Path
) -> None:
    """While another process has the take heard, one waits, and then has its words without asking."""
    double.turns = [Turn(delay=0.5)]
    with elsewhere(late_clip, tmp_path, double, "other") as process:
        until_asked(double, process)
        told: list[str] = []
        store = Store(folders, tmp_path / "edit")
        report = store.transcribe(
            [request(late_clip, folders)], engine(double), progress=lambda _, line: told.append(line)
        )
        assert process.communicate(timeout=60)[0].strip() == "made"
    assert report.rows[0].state == "cached"
    assert (len(double.asked), double.billed) == (1, 1)
