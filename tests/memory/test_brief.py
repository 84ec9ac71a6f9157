from __future__ import annotations

import os
from pathlib import Path

import pytest

from cutbook.memory.brief import first_sentence, resume
from cutbook.memory.draft import persist
from tests.memory.helpers import session

LOG = """\
## Session 3 — 2026-11-27

**Strategy:** Cut at 2.52 s. Then music.

**Decisions:**
- Hook is C0103. <!-- m d-aaaaa -->
- Old one. <!-- m d-bbbbb -->
- New one. <!-- m d-ccccc supersedes:d-bbbbb -->
- No longer: "Jump cuts". <!-- m e-aaaaa abandon d-ddddd -->
- Jump cuts. <!-- m d-ddddd -->

**Outstanding:**
- End card needs the new logo. <!-- m o-aaaaa -->
- None
"""


def test_without_a_log_it_says_so_and_makes_nothing(tmp_path: Path) -> None:
    """In a folder without memory, resume says that there is none and creates nothing."""
    answer = resume(session(tmp_path))
    assert answer.sentence.startswith("There is no project.md yet")
    assert answer.text() == answer.sentence
    assert (answer.needs_review, answer.outstanding, answer.unsaved) == ((), (), ())
    assert not (tmp_path / "launch").exists()


def test_the_brief_reads_in_one_breath(tmp_path: Path) -> None:
    """Number, date and first sentence; counts; what is outstanding; what is unsaved; the question."""
    work = session(tmp_path, "next.ipynb")
    work.edit.mkdir(parents=True)
    work.log_path.write_text(LOG)
    work.note("todo", entry="o-bbbbb", text="Music")
    work.note("note", entry="r-aaaaa", text="The fan was on.")
    answer = resume(work)
    assert answer.text() == (
        "Session 3 (2026-11-27): Cut at 2.52 s.\n"
        "2 decisions, 1 superseded and 1 abandoned in the log.\n"
        "Outstanding (2):\n"
        "- End card needs the new logo. (o-aaaaa, session 3)\n"
        "- Music (o-bbbbb, not saved yet)\n"
        "Unsaved since 2026-11-30 12:00 in next.ipynb: 1 note; 1 task (`%memory persist` writes it)\n"
        "Go on from here?"
    )
    assert repr(answer) == answer.text() == resume(work).text()


def test_reading_changes_no_file(tmp_path: Path) -> None:
    """Resuming any number of times leaves every byte and time of the project as it was."""
    work = session(tmp_path)
    work.note("note", entry="r-aaaaa", text="x")
    persist(work)
    before = {each.name: (each.read_bytes(), each.stat().st_mtime_ns) for each in work.edit.iterdir()}
    for _ in range(3):
        resume(session(tmp_path))
    assert before == {each.name: (each.read_bytes(), each.stat().st_mtime_ns) for each in work.edit.iterdir()}
    assert before.keys() == {"project.md", "session.jsonl"}


def test_what_is_done_counts_at_once(tmp_path: Path) -> None:
    """An item that is done in the open session, of the log or of itself, is no longer outstanding."""
    work = session(tmp_path)
    work.edit.mkdir(parents=True)
    work.log_path.write_text(LOG)
    work.note("todo", entry="o-bbbbb", text="Music")
    work.note("done", target="o-aaaaa")
    work.note("done", target="o-bbbbb")
    assert resume(work).outstanding == ()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("## Session 2\n\n**Strategy:** Go on\n", "Session 2: Go on."),
        ("## Session 2 — 2026-11-30: Music\n", "Session 2 (2026-11-30): Music."),
        ("## Session 2 — 2026-11-30\n", "Session 2 (2026-11-30): no strategy was written down."),
        ("A note by hand.\n", "project.md holds no session yet."),
    ],
)
def test_logs_of_other_shapes(tmp_path: Path, text: str, sentence: str) -> None:
    """A log that another tool or a person wrote is resumed from as it is."""
    work = session(tmp_path)
    work.edit.mkdir(parents=True)
    work.log_path.write_text(text)
    assert resume(work).sentence == sentence


def test_utf16_and_merges_are_named(tmp_path: Path) -> None:
    """A file in UTF-16 cannot be resumed from and says so; conflict markers are a note."""
    work = session(tmp_path)
    work.edit.mkdir(parents=True)
    work.log_path.write_text("## Session 1\n", encoding="utf-16")
    assert "UTF-16" in resume(work).sentence
    work.log_path.write_text("## Session 1\n<<<<<<< ours\n")
    assert "conflict markers" in resume(work).text()


def test_a_long_list_is_cut_short(tmp_path: Path) -> None:
    """Of many outstanding items the first dozen are shown, and the rest counted."""
    work = session(tmp_path)
    for number in range(15):
        work.note("todo", entry=f"o-{number:05d}", text=f"Task {number}")
    persist(work)
    answer = resume(work)
    assert len(answer.outstanding) == 15
    assert "- … and 3 more (`%memory show --all`)" in answer.text()


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("One. Two.", "One."),
        ("At 2.52 s we cut", "At 2.52 s we cut."),
        ("収録した。次へ。", "収録した。"),
        ("Why? So.", "Why?"),
        ("", ""),
    ],
)
def test_the_first_sentence(text: str, first: str) -> None:
    """A sentence ends at a stop followed by a space, or at a full-width stop; a decimal point ends none."""
    assert first_sentence(text) == first


def test_a_folder_that_cannot_be_written_is_resumed_from(tmp_path: Path) -> None:
    """Where nothing may be written, resume still answers (as root everything may be, which proves less)."""
    work = session(tmp_path)
    work.note("note", entry="r-aaaaa", text="x")
    persist(work)
    mode = work.edit.stat().st_mode
    work.edit.chmod(0o555)
    try:
        assert resume(session(tmp_path)).sentence.startswith("Session 1")
    finally:
        work.edit.chmod(mode)
    assert os.access(work.edit, os.W_OK)


def test_everything_that_would_be_kept_is_offered(tmp_path: Path) -> None:
    """Preferences, lessons and imports alone make an unsaved session too, in words."""
    for number, (kind, said) in enumerate(
        (("prefer", "1 preference"), ("lesson", "1 lesson"), ("imported", "1 import"))
    ):
        work = session(tmp_path / str(number))
        work.note(
            kind, entry="p-aaaaa" if kind == "prefer" else "r-aaaaa", text="Keep the breaths (2026-11-30)"
        )
        (unsaved,) = resume(work).unsaved
        assert (unsaved.summary, unsaved.here) == (said, True)
