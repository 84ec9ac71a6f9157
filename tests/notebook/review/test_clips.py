"""How a view comes by a take's video: proxies made once, their address, and their bytes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cutbook import Project
from cutbook.media.probe import probe
from cutbook.notebook.review.clips import PIECE, Clips
from tests.footage import make_clip
from tests.notebook.review.talk import PATIENCE, Talk


class Told:
    """Clips with what they told."""

    def __init__(self, **options: int) -> None:
        self.said: list[dict[str, Any]] = []
        self._news = threading.Condition()
        self.clips = Clips(self._tell, **options)

    def _tell(self, clip: dict[str, Any]) -> None:
        with self._news:
            self.said.append(clip)
            self._news.notify_all()

    def until(self, state: str, take: str = "C0101") -> dict[str, Any]:
        """Return the first clip told in that state."""

        def found() -> dict[str, Any] | None:
            return next((c for c in self.said if (c["take"], c["state"]) == (take, state)), None)

        with self._news:
            assert self._news.wait_for(lambda: found() is not None, PATIENCE), self.said
        clip = found()
        assert clip is not None
        return clip


def idle(clips: Clips) -> None:
    """Wait until nothing is made."""
    end = time.monotonic() + PATIENCE
    while clips.making and time.monotonic() < end:
        time.sleep(0.02)
    assert not clips.making


@contextmanager
def served(root: Path, runtime: Path) -> Iterator[None]:
    """Have this process be one that a Jupyter server on `root` started."""
    runtime.mkdir(exist_ok=True)
    record = {"root_dir": str(root), "base_url": "/lab-7/"}
    (runtime / "jpserver-4711.json").write_text(json.dumps(record), "utf-8")
    before = {name: os.environ.get(name) for name in ("JPY_PARENT_PID", "JUPYTER_RUNTIME_DIR")}
    os.environ |= {"JPY_PARENT_PID": "4711", "JUPYTER_RUNTIME_DIR": str(runtime)}
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name)
            else:
                os.environ[name] = value


def test_a_proxy_is_made_in_the_background_once(project: Project, tmp_path: Path) -> None:
    """The first question begins it, progress is told, then it is ready, with its address; a second makes nothing."""
    told = Told()
    take = project.take("C0101")
    with served(project.folder.parent, tmp_path / "runtime"):
        first = told.clips.clip(project, take, make=True)
        assert (first["state"], first["url"], first["problem"]) == ("making", "", "")
        ready = told.until("ready")
        name = project.folder.name
        assert ready["url"] == f"/lab-7/files/{name}/edit/proxies/C0101.mp4"
    file = project.edit / "proxies" / "C0101.mp4"
    assert (ready["size"], ready["parts"], ready["progress"]) == (file.stat().st_size, [], 1.0)
    assert abs(ready["seconds"] - 6) < 0.1
    assert all(0 <= clip["progress"] <= 1 for clip in told.said)
    stamp = file.stat().st_mtime_ns
    idle(told.clips)
    again = Told().clips.clip(Project(project.folder), Project(project.folder).take("C0101"), make=True)
    assert (again["state"], again["url"]) == ("ready", "")
    assert file.stat().st_mtime_ns == stamp


def test_the_take_that_is_needed_first_is_made_before_those_that_wait(project: Project, launch: Path) -> None:
    """Proxies are made in the order in which they were asked for, but one can be had before what waits already."""
    make_clip(launch / "long.mp4", size=(640, 360), seconds=20)
    for name in ("one", "two"):
        make_clip(launch / f"{name}.mp4", size=(160, 90), seconds=1)
    told = Told()
    for name in ("long", "one", "two"):
        told.clips.clip(project, project.take(name), make=True)
    told.clips.clip(project, project.take("two"), make=True, first=True)
    idle(told.clips)
    done = [clip["take"] for clip in told.said if clip["state"] == "ready"]
    assert done in (["long", "two", "one"], ["two", "long", "one"])


def test_only_takes_of_the_cut_list_have_proxies(project: Project, launch: Path) -> None:
    """A take that no range uses and no sentence was offered from has none made, and it is said why."""
    make_clip(launch / "spare.mp4", size=(160, 90), seconds=1)
    talk = Talk(project)
    talk.hello()
    answer, _ = talk.ask("clip", take="spare")
    assert (answer["ok"], answer["clip"]["state"]) == (True, "none")
    assert "not in the cut list" in answer["clip"]["problem"]
    talk.exchange.mention(["spare"])
    assert talk.told("changed")[-1]["board"]["takes"]["spare"]["rate"] == [30, 1]
    answer, _ = talk.ask("clip", take="spare")
    assert answer["clip"]["state"] == "making"
    ready = talk.wait(type="clip")[0]
    assert ready["clip"]["take"] == "spare"
    idle(talk.exchange.room.clips)
    talk.exchange.close()


def test_a_take_without_a_picture_has_no_clip(project: Project, launch: Path, tmp_path: Path) -> None:
    """Sound alone, and an ffmpeg that cannot, are said in a sentence."""
    from tests.footage import make_sound

    make_sound(launch / "voice.wav")
    told = Told()
    clip = told.clips.clip(project, project.take("voice"), make=True)
    assert (clip["state"], clip["problem"]) == ("none", "voice has no picture")
    poor = Project(launch, config={"ffmpeg": tmp_path / "nothing"})
    assert told.clips.clip(poor, poor.take("C0101"), make=True)["state"] == "making"
    failed = told.until("none", "C0101")
    assert "nothing" in failed["problem"]
    idle(told.clips)


def test_what_is_made_is_stopped_cleanly(project: Project, launch: Path) -> None:
    """Stopping ends ffmpeg, leaves no half file, and what was stopped can be made afterwards."""
    make_clip(launch / "long.mp4", size=(640, 360), seconds=40)
    told = Told()
    take = project.take("long")
    told.clips.clip(project, take, make=True)
    told.until("making", "long")
    told.clips.stop(patience=PATIENCE)
    idle(told.clips)
    assert [clip for clip in told.said if clip["state"] != "making"] == []
    assert list((project.edit / "proxies").iterdir()) == []
    assert told.clips.clip(project, take, make=True)["state"] == "making"
    told.clips.stop(patience=PATIENCE)


def test_the_last_view_that_leaves_stops_what_is_made(project: Project, launch: Path) -> None:
    """Once no view is open, nobody waits for a proxy, and none is made."""
    make_clip(launch / "long.mp4", size=(640, 360), seconds=40)
    talk = Talk(project)
    talk.hello()
    talk.exchange.mention(["long"])
    talk.ask("clip", take="long")
    talk.exchange.room.linger = 0
    talk.exchange.heard({"type": "bye", "view": "v"})
    idle(talk.exchange.room.clips)
    assert not (project.edit / "proxies" / "long.mp4").exists()
    talk.exchange.close()


def test_pieces_put_together_are_the_file(talk: Talk, project: Project) -> None:
    """A view gets any bytes of a proxy, at most 4 MiB at once, and how many there are."""
    talk.ask("clip", take="C0101")
    idle(talk.exchange.room.clips)
    data = (project.edit / "proxies" / "C0101.mp4").read_bytes()
    pieces, have, size = list[bytes](), 0, 1
    while have < size:
        answer, (piece,) = talk.ask("piece", take="C0101", part=None, start=have, end=have + 30_000)
        size = answer["size"]
        pieces.append(piece)
        have += len(piece)
    assert b"".join(pieces) == data
    answer, (rest,) = talk.ask("piece", take="C0101", part=None, start=size, end=size + 10)
    assert (answer["ok"], rest) == (True, b"")
    (project.edit / "proxies" / "C0101.mp4").unlink()
    answer, buffers = talk.ask("piece", take="C0101", part=None, start=0, end=10)
    assert (answer["ok"], list(buffers)) == (False, [])
    assert "no such file" in answer["error"]
    assert PIECE == 4 * 1024 * 1024


def test_a_large_proxy_comes_in_parts(project: Project, tmp_path: Path) -> None:
    """Above the limit a clip names where its parts begin; each is a film of its own, had piece by piece."""
    told = Told(whole=0, length=2)
    take = project.take("C0101")
    told.clips.clip(project, take, make=True)
    ready = told.until("ready")
    assert ready["parts"] == [0.0, 2.0, 4.0]
    size, head = told.clips.piece(project, take, 1, 0, 1000)
    assert len(head) == 1000
    _, rest = told.clips.piece(project, take, 1, 1000, size)
    file = tmp_path / "part.mp4"
    file.write_bytes(head + rest)
    assert probe(file).frames == 90
    with pytest.raises(Exception, match="no part 3"):
        told.clips.piece(project, take, 3, 0, 10)
    idle(told.clips)


ENDING = """
import sys, threading
from cutbook import Project
from cutbook.notebook.review.clips import Clips
begun = threading.Event()
project = Project({folder!r})
clips = Clips(lambda clip: begun.set())
clips.clip(project, project.take("long"), make=True)
assert begun.wait(60)
"""


def test_a_kernel_that_ends_leaves_nothing_half_made(project: Project, launch: Path) -> None:
    """When Python ends while a proxy is made, ffmpeg ends with it and its file is gone."""
    make_clip(launch / "long.mp4", size=(640, 360), seconds=60)
    code = ENDING.format(folder=str(project.folder))
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert list((project.edit / "proxies").iterdir()) == []


def test_what_a_crash_left_is_written_over(project: Project) -> None:
    """A half file of a kernel that was killed has the name that the next one uses, and is gone after it."""
    told = Told()
    take = project.take("C0101")
    told.clips.clip(project, take, make=True)
    told.until("making")
    (half,) = [file.name for file in (project.edit / "proxies").iterdir() if file.suffix == ".mp4"]
    told.clips.stop(patience=PATIENCE)
    if half.startswith("."):
        (project.edit / "proxies" / half).write_bytes(b"half a film")
    again = Told()
    again.clips.clip(project, take, make=True)
    again.until("ready")
    idle(again.clips)
    assert sorted(file.name for file in (project.edit / "proxies").iterdir()) == ["C0101.json", "C0101.mp4"]
