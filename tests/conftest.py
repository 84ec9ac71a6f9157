"""A session's own home, and the parts that every room's tests share."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.needs import ffmpegs, require
from tests.sample import SAMPLE, copy_takes

HOMES = {
    "HOME": "",
    "XDG_CONFIG_HOME": "config",
    "XDG_CACHE_HOME": "cache",
    "XDG_DATA_HOME": "data",
    "XDG_STATE_HOME": "state",
    "CUTBOOK_CACHE_DIR": "cutbook",
    "IPYTHONDIR": "ipython",
    "JUPYTER_CONFIG_DIR": "jupyter/config",
    "JUPYTER_DATA_DIR": "jupyter/data",
    "JUPYTER_RUNTIME_DIR": "jupyter/runtime",
}
FOREIGN = (
    "ELEVENLABS_API_KEY",
    "XI_API_KEY",
    "CUTBOOK_SCRIBE_URL",
    "CUTBOOK_FFMPEG",
    "CUTBOOK_FOOTAGE",
    "MPLBACKEND",
)

settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")


MAIN = sys.modules["__main__"]


@pytest.fixture(autouse=True)
def _main_module() -> None:
    """Put this process's own main module back: a shell made by an earlier test leaves its own, without a spec."""
    sys.modules["__main__"] = MAIN


def pytest_configure(config: pytest.Config) -> None:
    """Give the session a home of its own, before anything of cutbook is imported; workers share their chief's."""
    if os.environ.get("CUTBOOK_TEST_HOME") and os.environ.get("PYTEST_XDIST_WORKER"):
        return
    home = Path(tempfile.mkdtemp(prefix="cutbook-tests-"))
    config.add_cleanup(lambda: shutil.rmtree(home, ignore_errors=True))
    os.environ["CUTBOOK_TEST_HOME"] = str(home)
    for name, place in HOMES.items():
        folder = home / place
        folder.mkdir(parents=True, exist_ok=True)
        os.environ[name] = str(folder)
    for name in FOREIGN:
        os.environ.pop(name, None)
    os.environ["CUTBOOK_ENGINE"] = "local"
    # Fonts are listed once a checkout, not once a session: that takes matplotlib several seconds.
    kept = config.cache.mkdir("matplotlib") if hasattr(config, "cache") else home / "matplotlib"
    os.environ["MPLCONFIGDIR"] = str(kept)


@pytest.fixture(scope="session")
def home() -> Path:
    """Return the session's home, where the user's settings and caches would be."""
    return Path(os.environ["HOME"])


@pytest.fixture(scope="session")
def script() -> dict[str, Any]:
    """Return sample_media/script.json: what is said in each take, and when."""
    loaded: dict[str, Any] = json.loads((SAMPLE / "script.json").read_text(encoding="utf-8"))
    return loaded


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """Return a folder of its own with a copy of the sample's takes, and no edit yet."""
    return copy_takes(tmp_path / "launch")


@pytest.fixture(scope="session")
def session_sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the sample's takes in a folder that the whole session shares: to read, not to edit."""
    return copy_takes(tmp_path_factory.mktemp("shared") / "launch")


@pytest.fixture(scope="session", params=["system", "wheel"])
def ffmpeg_exe(request: pytest.FixtureRequest) -> Path:
    """Return each ffmpeg of this machine in turn: the system's, then the one that comes as a wheel."""
    found = ffmpegs()
    require(request.param in found, f"no {request.param} ffmpeg (on Debian: apt install ffmpeg)")
    return found[request.param]


@pytest.fixture(scope="session")
def any_ffmpeg() -> Path:
    """Return one ffmpeg, for making test material: the system's where there is one."""
    found = ffmpegs()
    return found.get("system", found["wheel"])
