"""A cut list whose takes have corrections: it shows the words as they were put right, whenever that was."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutbook import Project
from cutbook.notebook.review.plain import text_review
from tests.launch import copy_launch


@pytest.fixture
def launch(tmp_path: Path) -> Path:
    """Return a folder whose cut list has a range of C0101."""
    folder = copy_launch(tmp_path / "launch")
    Project(folder).cut("HOOK C0101 #1-#4 -- clean")
    return folder


def correct(folder: Path, *lines: str) -> None:
    """Write the corrections of a folder."""
    (folder / "edit" / "corrections.md").write_text("\n".join(lines), encoding="utf-8")


def test_words_put_right_after_the_cut_are_shown_right(launch: Path) -> None:
    """In the list, the review and the answer of an open project; the file is written with the next change alone."""
    project = Project(launch)
    text = (launch / "edit" / "edl.json").read_bytes()
    assert project.edl.ranges[0].quote == "Ninety percent is wasted."
    correct(launch, "C0101#4: wasted -> lost", "ninety -> 90 (everywhere)")
    assert project.edl.ranges[0].quote == "90 percent is lost."
    assert "90 percent is lost." in repr(project.edl)
    assert "90 percent is lost." in text_review(project.edl)
    assert (launch / "edit" / "edl.json").read_bytes() == text
    assert '"quote": "90 percent is lost."' not in text.decode()
    project.accept(1)
    assert '"quote": "90 percent is lost."' in (launch / "edit" / "edl.json").read_text(encoding="utf-8")


def test_a_correction_of_a_corrected_word_is_from_what_was_heard(launch: Path) -> None:
    """Two lines for one word: the last holds, and the list knows its words again."""
    correct(launch, "wasted -> lost (everywhere)", "lost -> gone (everywhere)")
    assert Project(launch).edl.ranges[0].quote == "Ninety percent is gone."


def test_a_correction_taken_back_shows_what_was_heard(launch: Path) -> None:
    """While the list was not written with it."""
    project = Project(launch)
    correct(launch, "C0101#4: wasted -> lost")
    assert project.edl.ranges[0].quote == "Ninety percent is lost."
    (launch / "edit" / "corrections.md").unlink()
    assert project.edl.ranges[0].quote == "Ninety percent is wasted."


def test_a_quote_of_ones_own_stays(launch: Path) -> None:
    """What somebody else wrote there is no word of the take to be put right."""
    path = launch / "edit" / "edl.json"
    path.write_text(
        path.read_text(encoding="utf-8").replace("Ninety percent is wasted.", "90 % … wasted"), "utf-8"
    )
    correct(launch, "C0101#4: wasted -> lost")
    assert Project(launch).edl.ranges[0].quote == "90 % … wasted"
