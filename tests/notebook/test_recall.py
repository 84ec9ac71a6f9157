"""What memory reaches beyond its log, through the Python call and through the magic."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from cutbook import Project
from cutbook.errors import InputError, SettingError
from cutbook.files import UserFolders
from tests.faces import Face, run
from tests.launch import copy_launch


@pytest.fixture(autouse=True)
def library() -> Iterator[Path]:
    """Return the user's page of preferences, and leave none behind."""
    page = UserFolders.find().config / "library" / "preferences.md"
    yield page
    page.unlink(missing_ok=True)


def test_a_preference_changes_what_is_done(by: Face) -> None:
    """A pad that is preferred is the pad of the next cut; the call still wins."""
    by.do("memory.prefer", "pad_before_ms=0")
    by.do("memory.prefer", "pad_after_ms=0")
    # C0101 has 30 frames a second and no word around [0.50, 2.20]: frames 15 to 66.
    assert [each.frames for each in by.do("cut", text="C0101 [0.50-2.20]").ranges] == [(15, 66)]
    assert [each.frames for each in by.do("cut", text="C0101 [0.50-2.20]", pad=(100, 0)).ranges] == [(12, 66)]
    settings = by.project.settings()
    assert (settings["pad_before_ms"], settings.origin("pad_before_ms")) == (0, "this session's preference")
    by.do("memory.persist")
    assert Project(by.project.folder).settings().origin("pad_before_ms") == "the project's preference"


def test_a_preference_everywhere_reaches_the_next_project(by: Face, tmp_path: Path) -> None:
    """What is preferred everywhere holds in a project that never heard of it, below its own toml."""
    by.do("memory.prefer", "true_peak_db=-2", everywhere=True)
    other = copy_launch(tmp_path / "other")
    assert Project(other).settings().origin("true_peak_db") == "the user's preference"
    (other / "cutbook.toml").write_text("true_peak_db = -3\n")
    assert Project(other).settings()["true_peak_db"] == -3
    with pytest.raises(SettingError, match="true_peak_db wants"):
        by.do("memory.prefer", "true_peak_db=loud")


def test_config_is_above_a_preference(by: Face) -> None:
    """What this process is configured with wins over what is preferred."""
    by.do("memory.prefer", "captions=natural-sentence")
    settings = Project(by.project.folder, config={"captions": "bold-overlay"}).settings()
    assert (settings["captions"], settings.origin("captions")) == ("bold-overlay", "%config")


def test_what_calls_say_in_three_sessions_is_suggested(by: Face) -> None:
    """The same pad by hand in three sessions: `prefer` names the command, and nothing is set."""
    for end in ("1.20", "2.20", "1.20"):
        assert by.do("memory.prefer").suggestions == ()
        by.do("cut", text=f"C0101 [0.50-{end}]", pad=(100, 0))
        by.do("memory.persist")
    assert by.do("memory.prefer").suggestions == (
        "pad_after_ms was 0 in 3 sessions: `%memory prefer pad_after_ms=0` would keep it",
        "pad_before_ms was 100 in 3 sessions: `%memory prefer pad_before_ms=100` would keep it",
    )
    assert by.project.settings().origin("pad_after_ms") == "default"


def test_the_list_says_where_values_come_from(by: Face) -> None:
    """Without a text every preference stands there with its origin."""
    by.do("memory.prefer", "captions=natural-sentence")
    rows = {row[0]: row[1:] for row in by.do("memory.prefer").rows}
    assert rows["captions"] == ("natural-sentence", "this session's preference")
    assert rows["fillers"] == ("true", "default")


def test_context_search_and_lessons(by: Face) -> None:
    """A lesson and a decision are in the pack and found; a budget too small and an empty search are errors."""
    idea = by.do("memory.decide", text="Jump cuts every three seconds")
    by.do("memory.abandon", str(idea), why="they tire")
    by.do("memory.lesson", text="Jump cuts tire people")
    pack = by.do("memory.context", budget=300, task="add jump cuts")
    assert pack.meta["budget"] == 300
    assert [row["text"] for row in pack.data if row["group"] == "open"] == ["Lesson: Jump cuts tire people"]
    assert "they tire" in next(row["text"] for row in pack.data if row["group"] == "tried")
    assert {each.state for each in by.do("memory.search", "jump")} == {"live", "abandoned"}
    assert by.do("memory.search", "zebra").meta["matched"] == 0
    with pytest.raises(InputError, match="50 tokens"):
        by.do("memory.context", budget=10)
    with pytest.raises(InputError, match="wants a text"):
        by.do("memory.search", "")


def test_a_memory_travels(by: Face, tmp_path: Path) -> None:
    """Exported here, imported there with its pin; again it is nothing new."""
    by.do("memory.decide", text="Warm grade")
    by.do("memory.persist")
    made = by.do("memory.export", tmp_path / "gift.memoryfield.zip")
    other = Project(copy_launch(tmp_path / "other"))
    taken = other.memory.import_field(made.path, sha256=made.sha256)
    assert [each.text for each in taken.entries][:1] == ["Warm grade"]
    assert "“Warm grade” (from “gift.memoryfield.zip”, not checked)" in other.memory.context().text


def test_the_magic_reads_its_options(ipython: InteractiveShell, launch: Path, tmp_path: Path) -> None:
    """`--json` gives JSON, facets may be several, text keeps its quotes, and wrong options are said in a line."""
    run(ipython, f'%project "{launch}";')
    lesson = run(ipython, "%memory lesson Don't rush --applies-to genre=interview --applies-to client=Big Co")
    assert lesson.applies_to == {"genre": ("interview",), "client": ("Big Co",)}
    run(ipython, "%memory prefer Keep {breaths} --why they're calm")
    read = json.loads(repr(run(ipython, "%memory context --json")))
    assert [row["text"] for row in read["data"]] == ["Keep {breaths} (they're calm)"]
    assert json.loads(repr(run(ipython, "%memory search breaths --json")))["meta"]["matched"] == 1
    run(ipython, "%memory persist")
    made = run(ipython, f'%memory export "{tmp_path / "a gift"}"')
    assert made.path.name == "a gift.memoryfield.zip"
    taken = run(ipython, f'%memory import "{made.path}" --sha256 {made.sha256}')
    assert taken.new
    for line in (
        "context --budget lots",
        "context more",
        "lesson x --applies-to genre",
        "lesson",
        "export",
        "import",
        "prefer --everywhere",
    ):
        with pytest.raises(InputError):
            run(ipython, f"%memory {line}")
    for page in (UserFolders.find().config / "library").glob("lesson-*.md"):
        page.unlink()
