"""The key is in nothing that a person sees, keeps or passes on."""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from cutbook.errors import EngineRefused
from cutbook.files import UserFolders
from cutbook.media.probe import Media
from cutbook.transcripts.key import Key
from cutbook.transcripts.store import Store
from tests.footage import make_clip
from tests.sample import ROOT
from tests.scribe_double import KEY, Double, Turn
from tests.scribe_double.turns import out_of_quota
from tests.transcripts.making import request
from tests.transcripts.scribing import engine

SECRET = "not-a-real-key-5b20c97e41d8"  # noqa: S105 - it opens nothing
ASKED = """
def asked(url=None, **more):
    hearing = ScribeEngine(key=key, url=url or p.settings()["scribe_url"], patience=QUICK)
    return p.transcribe("D", engine=hearing, force=True, **more)
"""
CELLS = [
    "%xmode Verbose",
    "import logging, os, pickle, _thread, threading",
    "logging.basicConfig(level=logging.DEBUG, filename='all.log', force=True)",
    "%load_ext cutbook",
    "%project footage",
    "%transcribe A",
    "%transcribe B",
    "%transcribe C",
    "%config Cutbook",
    "from cutbook import Project",
    "p = Project('footage')",
    "from cutbook.transcripts.key import Key",
    "from cutbook.transcripts.scribe import ScribeEngine",
    "from tests.transcripts.scribing import QUICK",
    "key = Key.find(os.environ)",
    "def boom(*told): raise RuntimeError('boom')",
    ASKED,
    "asked()",
    "asked()",
    "asked()",
    "asked(url='http://127.0.0.1:1')",
    "asked(progress=boom)",
    "p.transcribe('D', progress=boom, force=True)",
    "p._work.engine({})",
    "p._work.engine(None)",
    "Project('nowhere', environ=os.environ)",
    "timer = threading.Timer(1, _thread.interrupt_main)",
    "def halt(done, line): 'listening' in line and not timer.is_alive() and timer.start()",
    "asked(progress=halt)",
    "import time; time.sleep(0.2)",
    "print('left:', [thread.name for thread in threading.enumerate()])",
    "hearing = ScribeEngine(key=key, url='http://127.0.0.1:1', patience=QUICK)",
    "hearing, key, vars(hearing), {'key': key}, f'{hearing} {key!s}'",
    "hearing?",
    "pickle.dump((hearing, key), open('engine.pickle', 'wb'))",
    "hearing.transcribe(None, 0)",
    "key.nothing",
    "key / 0",
    "import elevenlabs\nraise ValueError('the end')",
]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with four takes."""
    for name in "ABCD":
        make_clip(tmp_path / "footage" / f"{name}.mp4", sound="beeps", seconds=1 + ord(name) / 100)
    (tmp_path / "cells.json").write_text(json.dumps(CELLS))
    return tmp_path


def test_the_key_appears_nowhere(double: Double, home: Path) -> None:
    """With every variable of every frame shown and everything logged, no output and no file holds the key."""
    double.key = SECRET
    echo = f"no such key: {SECRET}"
    double.turns = [
        Turn.refusing(401, {"status": "invalid_api_key", "message": echo}),
        Turn(cut="after"),
        Turn.saying(json.dumps({"detail": echo}).encode()),
        *[Turn.refusing(503, echo, headers={"X-Echo": SECRET})] * 4,
        Turn.refusing(422, [{"loc": ["header", "xi-api-key"], "msg": echo, "input": SECRET}]),
        out_of_quota(),
        Turn(delay=30),
    ]
    environ = {
        **{name: value for name, value in os.environ.items() if name != "CUTBOOK_ENGINE"},
        "HOME": str(home),
        "IPYTHONDIR": str(home / "ipython"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_STATE_HOME": str(home / "state"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "CUTBOOK_CACHE_DIR": str(home / "cache" / "cutbook"),
        "CUTBOOK_SCRIBE_URL": double.url,
        "CUTBOOK_ENGINE": "scribe",
        "ELEVENLABS_API_KEY": SECRET,
        "PYTHONPATH": str(ROOT),
    }
    shell = [sys.executable, "-m", "tests.transcripts.key_in_a_shell", str(home / "cells.json")]
    done = subprocess.run(
        shell, cwd=home, env=environ, capture_output=True, text=True, check=False, timeout=150
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    for expected in (
        "invalid_api_key: no such key: …",
        "lost after the upload",
        "no words list (no such key: …)",
        "(503): no such key: …",
        "header.xi-api-key no such key: …",
        "quota_exceeded",
        "cannot be reached",
        "RuntimeError: boom",
        "KeyError: 'engine'",
        "is not subscriptable",
        "there is no such folder",
        "KeyboardInterrupt",
        "Key(…)",
        "ValueError: the end",
    ):
        assert expected in said, f"{expected!r} is not in\n{said}"
    assert "hearing = ScribeEngine" in said, "no frame's variables were shown"
    assert (home / "all.log").stat().st_size > 1000
    assert (home / "engine.pickle").stat().st_size > 100
    left = next(line for line in said.splitlines() if line.startswith("left:"))
    assert "MainThread" in left
    assert "cutbook-scribe" not in left
    assert SECRET not in said
    holding = [path for path in home.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]
    assert holding == []


def test_a_key_set_after_the_import_works(
    double: Double, late_media: Media, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The SDK reads the environment when it is imported; the engine gives it the key that is there now."""
    import elevenlabs  # noqa: F401 - imported before there is a key

    monkeypatch.setenv("ELEVENLABS_API_KEY", KEY)
    engine(double, key=Key.find(os.environ)).transcribe(late_media, 0)
    assert double.billed == 1


def test_a_key_taken_from_the_environment_is_no_longer_used(
    double: Double, late_media: Media, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What stands in the environment is not sent in place of the key that was given."""
    monkeypatch.setenv("ELEVENLABS_API_KEY", KEY)
    with pytest.raises(EngineRefused, match="invalid_api_key"):
        engine(double, key="another").transcribe(late_media, 0)


@pytest.mark.parametrize("key", ["two words", "new\nline", "schlüssel", "tab\t"])
def test_a_key_that_no_header_takes_is_refused_unseen(double: Double, late_media: Media, key: str) -> None:
    """The library's own error about such a key would repeat it."""
    with pytest.raises(EngineRefused, match="the key holds") as caught:
        engine(double, key=f"x{key}x").transcribe(late_media, 0)
    assert key not in str(caught.value)
    assert double.asked == []


def test_a_key_shows_itself_nowhere() -> None:
    """Neither as text, nor within something else, nor in a pickle; its truth says whether there is one."""
    key = Key(SECRET)
    assert SECRET not in f"{key} {key!r} {[key]} {vars(engine(Double(), key=key))}"
    assert SECRET.encode() not in pickle.dumps((key, engine(Double(), key=key)))
    assert key
    assert not Key(None)
    assert not Key("  ")
    assert key.hidden(f"a {SECRET} b") == "a … b"
    assert Key(None).hidden("as it is") == "as it is"


def test_a_pickled_key_is_looked_up_where_it_arrives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker elsewhere finds the key in its environment, or in the .env that it was found in."""
    monkeypatch.delenv("ELEVENLABS_API_KEY", raising=False)
    (tmp_path / ".env").write_text(f"ELEVENLABS_API_KEY={SECRET}\n")
    found = Key.find({}, tmp_path)
    assert pickle.loads(pickle.dumps(found)).reveal() == SECRET  # noqa: S301 - our own
    assert not pickle.loads(pickle.dumps(Key(SECRET)))  # noqa: S301 - our own
    monkeypatch.setenv("ELEVENLABS_API_KEY", "from-here")
    assert copy.deepcopy(Key(SECRET)).reveal() == "from-here"


def test_a_worker_elsewhere_asks_with_its_own_key(
    double: Double, late_clip: Path, folders: UserFolders, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine travels to an executor without its key; the worker has one, or says that it lacks it."""
    take, store = request(late_clip, folders), Store(folders, tmp_path / "edit")
    monkeypatch.delenv("ELEVENLABS_API_KEY", raising=False)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        without = store.transcribe([take], engine(double), executor=pool)
    assert "ELEVENLABS_API_KEY" in without.rows[0].message
    assert double.asked == []
    monkeypatch.setenv("ELEVENLABS_API_KEY", KEY)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert store.transcribe([take], engine(double), executor=pool).rows[0].state == "made"
