from __future__ import annotations

import datetime as dt
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest

from tests.sample import ROOT, SAMPLE, copy_takes, takes

NOTEBOOK = ROOT / "notebooks" / "first_cut.ipynb"
FIELDS = ("Strategy", "Decisions", "Reasoning log", "Outstanding")

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


@dataclass(frozen=True, kw_only=True)
class Run:
    """What one execution printed, and the texts, transcripts, versions and encoded parts that then were there."""

    output: str
    texts: dict[str, bytes]
    inodes: dict[str, int]
    days: set[str]


def demo(footage: Path) -> Run:
    """Do what `make demo` does, with a key in the environment and Scribe out of reach."""
    environment = os.environ | {"ELEVENLABS_API_KEY": "no-key", "CUTBOOK_SCRIBE_URL": "http://127.0.0.1:9"}
    days = {dt.date.today().isoformat()}  # noqa: DTZ011 - the day that the person's clock shows
    command: list[str | Path] = [sys.executable, ROOT / "tools" / "demo.py"]
    command += ["--notebook", NOTEBOOK, "--footage", footage]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    edit = footage / "edit"
    texts = ["project.md", "edl.json", "takes_packed.md"]
    made = [
        *edit.glob("transcripts/*"),
        *edit.glob("history/[0-9]*"),
        *edit.glob("cache/segments/*"),
        *edit.glob("cache/sound/*"),
        *Path(os.environ["CUTBOOK_CACHE_DIR"]).glob("transcripts/**/*.json"),
    ]
    return Run(
        output=done.stdout,
        texts={name: (edit / name).read_bytes() for name in texts},
        inodes={str(file): file.stat().st_ino for file in made},
        days=days | {dt.date.today().isoformat()},  # noqa: DTZ011
    )


@pytest.fixture(scope="module")
def footage(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of takes whose name needs quoting."""
    return copy_takes(tmp_path_factory.mktemp("first cut") / "launch film")


@pytest.fixture(scope="module")
def first(footage: Path) -> Run:
    """Execute the notebook for the first time."""
    return demo(footage)


@pytest.fixture(scope="module")
def second(footage: Path, first: Run) -> Run:  # noqa: ARG001 - it comes after the first
    """Execute the notebook once more on what the first run left."""
    return demo(footage)


def test_notebook_is_committed_without_outputs_and_names_its_kernel() -> None:
    """The notebook opens without asking for a kernel, and holds no outputs of somebody's machine."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert notebook.metadata.kernelspec.name == "python3"
    assert [cell for cell in notebook.cells if cell.cell_type == "code" and cell.outputs] == []


def test_first_run_says_where_everything_is(footage: Path, first: Run) -> None:
    """The demo's closing lines are absolute paths of files that are there."""
    edit = footage / "edit"
    paths = [
        Path(place) for place in re.findall(rf"{re.escape(str(edit))}.*$", first.output, flags=re.MULTILINE)
    ]
    assert [path for path in paths if not path.is_file()] == []
    suffixes = {path.suffix for path in paths}
    names = {path.name for path in paths}
    assert {".mp4", ".png", ".ipynb"} <= suffixes
    assert {"takes_packed.md", "edl.json", "project.md", "first_cut.executed.ipynb"} <= names


def test_packed_text_names_every_take(first: Run) -> None:
    """takes_packed.md has a heading for every take of the folder."""
    packed = first.texts["takes_packed.md"].decode()
    headings = set(re.findall(r"^## (\S+)  \(", packed, flags=re.MULTILINE))
    assert headings == {take.stem for take in takes()}


def test_every_take_with_speech_has_words(first: Run) -> None:
    """No take whose script has words stands in takes_packed.md without a phrase."""
    script = json.loads((SAMPLE / "script.json").read_text(encoding="utf-8"))["takes"]
    packed = first.texts["takes_packed.md"].decode()
    phrases = dict(re.findall(r"^## (\S+)  \(duration: [^,]+, (\d+) phrases?\)", packed, flags=re.MULTILINE))
    spoken = [Path(name).stem for name, take in script.items() if take["words"]]
    assert spoken
    assert [name for name in spoken if int(phrases.get(name, 0)) == 0] == []


def test_cut_list_is_version_2_and_keeps_some_ranges(first: Run) -> None:
    """edl.json holds ranges of known takes, none of them empty."""
    edl = json.loads(first.texts["edl.json"])
    assert edl["version"] == 2
    assert len(edl["ranges"]) >= 3
    assert all(one["end"] > one["start"] and one["source"] in edl["sources"] for one in edl["ranges"])


def test_video_decodes_to_its_last_frame(footage: Path, first: Run) -> None:  # noqa: ARG001
    """Each rendered video has picture and sound of the same length, and decodes whole."""
    import av

    videos = sorted((footage / "edit").glob("*.mp4"))
    assert videos
    for path in videos:
        with av.open(str(path)) as video:
            picture, sound = video.streams.video[0], video.streams.audio[0]
            rate = picture.average_rate
            assert rate is not None
            frames = sum(1 for _ in video.decode(picture))
            assert frames == picture.frames
            assert sound.duration is not None
            assert sound.time_base is not None
            # One AAC frame of 1024 samples may be added at the end.
            assert abs(float(frames / rate) - float(sound.duration * sound.time_base)) < 0.025


def test_memory_holds_one_session_with_its_four_fields(first: Run) -> None:
    """project.md has Session 1 of today, each field filled from what was done."""
    text = first.texts["project.md"].decode()
    sections = re.findall(r"^## Session (\d+) — (\S+)", text, flags=re.MULTILINE)
    assert [number for number, _ in sections] == ["1"]
    assert sections[0][1] in first.days
    for field in FIELDS:
        found = re.search(rf"^\*\*{field}:\*\*\s*(\S.*?)(?=^\*\*|\Z)", text, flags=re.MULTILINE | re.DOTALL)
        assert found is not None, field
        assert re.sub(r"<!--.*?-->", "", found[1]).strip(" -\n"), field


def test_executed_notebook_shows_pictures_and_no_error(footage: Path, first: Run) -> None:  # noqa: ARG001
    """The executed notebook is kept, with its pictures inside and no error in it."""
    notebook = nbformat.read(footage / "edit" / "first_cut.executed.ipynb", as_version=4)
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert [output for output in outputs if output.output_type == "error"] == []
    shown = [kind for output in outputs for kind in output.get("data", {})]
    assert "image/png" in shown or any("<img" in str(output.get("data", {})) for output in outputs)


def test_second_run_makes_no_new_version_and_no_second_session(first: Run, second: Run) -> None:
    """The same notebook run again leaves cut list, packed text and memory as they are, byte for byte."""
    assert second.texts == first.texts


def test_second_run_transcribes_and_encodes_nothing(first: Run, second: Run) -> None:
    """No transcript, no segment, no version is written again, and none is added."""
    added = sorted(set(second.inodes) - set(first.inodes))
    rewritten = sorted(
        file for file, inode in first.inodes.items() if second.inodes.get(file, inode) != inode
    )
    assert (added, rewritten) == ([], [])
