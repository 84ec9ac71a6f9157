from __future__ import annotations

import json
import multiprocessing
import os
import threading
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from cutbook.edit import versions
from cutbook.edit.cutlist import parse
from cutbook.edit.decide import accept
from cutbook.edit.edl import Edl
from cutbook.edit.reading import load
from cutbook.edit.shelf import Version
from cutbook.edit.tighten import tighten
from cutbook.errors import EdlError, NothingToUndo
from tests.edit.making import c0103, folders, piece, take


class Desk:
    """A project's edit folder with one take, and the calls that a notebook makes on it."""

    def __init__(self, place: Path) -> None:
        self.edit = place / "edit"
        self.folders = folders(place)
        self.takes = {
            "C0103": c0103(folder=place),
            "U": take("U", ("So", 1, 2), ("um", 3, 4), ("yes", 5, 6), folder=place),
        }

    def cut(self, text: str, *, base: int | None = None) -> Version:
        """Save the cut list of a text."""
        made = replace(load(self.edit, self.takes), ranges=parse(text, self.takes, by="cut"))
        return self.save(made, base=base)

    def save(self, edl: Edl, *, why: str = "", base: int | None = None) -> Version:
        """Save a cut list."""
        return versions.save(
            edl, self.edit, takes=self.takes, folders=self.folders, by="me", why=why, base=base
        )

    def undo(self) -> Edl:
        """Go back a version."""
        return versions.undo(self.edit, takes=self.takes, folders=self.folders)

    def redo(self) -> Edl:
        """Go forth a version."""
        return versions.redo(self.edit, takes=self.takes, folders=self.folders)

    def adopt(self) -> Version | None:
        """See a hand edit."""
        return versions.adopt_hand_edit(self.edit, takes=self.takes, folders=self.folders)

    @property
    def text(self) -> str:
        """Return edl.json."""
        return (self.edit / "edl.json").read_text(encoding="utf-8")

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Return the frames of the ranges in force."""
        return [each.frames for each in load(self.edit, self.takes).ranges]

    @property
    def kept(self) -> list[str]:
        """Return the names in the history folder."""
        return sorted(path.name for path in (self.edit / "history").iterdir())

    def edit_by_hand(self, **keys: object) -> None:
        """Change the first range as a person with a text editor would."""
        document = json.loads(self.text)
        document["ranges"][0] |= keys
        (self.edit / "edl.json").write_text(json.dumps(document), encoding="utf-8")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """Return a desk in a folder of its own."""
    return Desk(tmp_path)


def test_version_is_kept_with_who_why_and_when(desk: Desk) -> None:
    """history/0001.json is edl.json to the byte; its meta says the rest."""
    made = desk.save(Edl(ranges=parse("C0103 #1-#4", desk.takes)), why="first cut")
    assert (made.number, made.by, made.why, made.new) == (1, "me", "first cut", True)
    assert made.path.read_text(encoding="utf-8") == desk.text
    assert desk.kept == ["0001.json", "0001.meta.json", "changes.jsonl", "head.json"]
    (listed,) = versions.history(desk.edit)
    assert (listed.by, listed.why, listed.current) == ("me", "first cut", True)
    assert listed.when.endswith("+00:00")


def test_nothing_changed_is_no_version(desk: Desk) -> None:
    """The same ranges under new ids are the same cut list, and the ids that were there stay."""
    desk.cut("C0103 #1-#4 -- why")
    was = desk.text
    again = desk.cut("C0103 #1-#4 -- why")
    assert (again.number, again.new) == (1, False)
    assert desk.text == was


def test_invalid_list_is_refused_and_nothing_is_written(desk: Desk) -> None:
    """Neither edl.json nor a version, and no folder either."""
    with pytest.raises(EdlError, match="ends past the take"):
        desk.save(Edl(ranges=(piece(desk.takes["C0103"], (0, 5000)),)))
    assert not desk.edit.exists()


def test_undo_and_redo_walk_the_versions(desk: Desk) -> None:
    """Also with a new reader each time, as after a restarted kernel."""
    for text in ("C0103 #1-#4", "C0103 #5-#7", "C0103 #8-#10"):
        desk.cut(text)
    first, second, third = ([(74, 164)], [(180, 205)], [(598, 630)])
    assert desk.spans == third
    assert [each.frames for each in desk.undo().ranges] == second
    assert desk.spans == second
    assert [each.frames for each in desk.undo().ranges] == first
    with pytest.raises(NothingToUndo, match="no version lies before"):
        desk.undo()
    assert desk.spans == first
    desk.redo()
    desk.redo()
    assert desk.spans == third
    with pytest.raises(NothingToUndo, match="nothing can be redone"):
        desk.redo()
    assert [each.current for each in versions.history(desk.edit)] == [False, False, True]


def test_save_after_undo_ends_redo_and_keeps_the_files(desk: Desk) -> None:
    """Version 2 is not in the way any more, but can still be read."""
    for text in ("C0103 #1-#4", "C0103 #5-#7"):
        desk.cut(text)
    desk.undo()
    assert desk.cut("C0103 #8-#10").number == 3
    with pytest.raises(NothingToUndo):
        desk.redo()
    desk.undo()
    assert desk.spans == [(74, 164)]
    assert [each.frames for each in versions.version(desk.edit, 2, desk.takes).ranges] == [(180, 205)]


def test_notebook_run_again_makes_no_versions(desk: Desk) -> None:
    """Cut and tighten, twice: the versions of the first run come into force again, and undo still goes step by step."""

    def run() -> None:
        desk.cut("U #1-#3 -- all")
        desk.save(tighten(load(desk.edit, desk.takes), desk.takes)[0])

    run()
    was, kept = desk.text, desk.kept
    run()
    assert desk.text == was
    assert desk.kept == kept
    assert (versions.current(desk.edit), versions.previous(desk.edit)) == (2, 1)
    assert [len(desk.undo().ranges) for _ in range(3)] == [1, 2, 1]


def test_hand_edit_becomes_a_version_of_its_own(desk: Desk) -> None:
    """Seen at the next save, so that undo goes back to it and then to what was before."""
    desk.cut("C0103 #1-#4")
    desk.edit_by_hand(end=6.8)
    by_hand = desk.text
    assert desk.cut("C0103 #8-#10").number == 3
    assert [each.by for each in versions.history(desk.edit)] == ["me", "hand", "me"]
    desk.undo()
    assert desk.text == by_hand
    desk.undo()
    assert desk.spans == [(74, 164)]


def test_undo_right_after_a_hand_edit_takes_the_hand_edit_back(desk: Desk) -> None:
    """It was the last change; redo brings it again."""
    desk.cut("C0103 #1-#4")
    desk.edit_by_hand(end=6.8)
    desk.undo()
    assert desk.spans == [(74, 164)]
    desk.redo()
    assert desk.spans == [(74, 204)]


def test_hand_edit_into_nonsense_is_kept_and_undone(desk: Desk) -> None:
    """Its bytes are a version that undo never puts back."""
    desk.cut("C0103 #1-#4")
    desk.cut("C0103 #5-#7")
    (desk.edit / "edl.json").write_text("{broken", encoding="utf-8")
    assert [each.frames for each in desk.undo().ranges] == [(180, 205)]
    broken = versions.history(desk.edit)[2]
    assert (broken.valid, broken.path.read_text(encoding="utf-8")) == (False, "{broken")
    assert "cannot be used" in broken.why
    desk.undo()
    assert desk.spans == [(74, 164)]


def test_layout_alone_is_no_hand_edit(desk: Desk) -> None:
    """An editor that indents anew changes nothing that counts."""
    desk.cut("C0103 #1-#4")
    desk.edit_by_hand()
    assert desk.adopt() is None
    assert desk.kept == ["0001.json", "0001.meta.json", "changes.jsonl", "head.json"]


def test_list_found_in_the_folder_is_the_first_version(desk: Desk) -> None:
    """What video-use left can be come back to."""
    desk.edit.mkdir()
    found = json.dumps({"version": 1, "ranges": [{"source": "C0103", "start": 1, "end": 2}]})
    (desk.edit / "edl.json").write_text(found, encoding="utf-8")
    assert desk.cut("C0103 #1-#4").number == 2
    desk.undo()
    assert desk.text == found


def test_reading_writes_nothing(desk: Desk) -> None:
    """Listing versions of a folder that has none makes no folder."""
    assert versions.history(desk.edit) == ()
    assert (versions.current(desk.edit), versions.previous(desk.edit)) == (0, 0)
    assert desk.adopt() is None
    with pytest.raises(NothingToUndo):
        desk.undo()
    assert not desk.edit.exists()


@pytest.mark.parametrize(
    "head", [None, "", "{}", '{"stack": [7], "at": 0, "sha256": ""}', '{"stack": [1], "at": 5, "sha256": ""}']
)
def test_lost_pointer_is_made_anew(desk: Desk, head: str | None) -> None:
    """Deleted, emptied or pointing nowhere: the version whose bytes are in place is the one in force."""
    for text in ("C0103 #1-#4", "C0103 #5-#7", "C0103 #8-#10"):
        desk.cut(text)
    desk.undo()
    pointer = desk.edit / "history" / "head.json"
    pointer.unlink() if head is None else pointer.write_text(head, encoding="utf-8")
    assert versions.current(desk.edit) == 2
    desk.undo()
    assert desk.spans == [(74, 164)]


def test_crash_between_list_and_pointer_makes_no_second_version(desk: Desk) -> None:
    """edl.json and its version were written, the pointer not: the version is in force."""
    desk.cut("C0103 #1-#4")
    pointer = (desk.edit / "history" / "head.json").read_bytes()
    desk.cut("C0103 #5-#7")
    (desk.edit / "history" / "head.json").write_bytes(pointer)
    assert desk.adopt() is None
    assert versions.current(desk.edit) == 2
    assert len(versions.history(desk.edit)) == 2


def test_change_from_an_old_version_is_refused(desk: Desk) -> None:
    """Another notebook saved in between; the message says which version, by whom and why."""
    base = desk.cut("C0103 #1-#4").number
    desk.save(accept(load(desk.edit, desk.takes), 1), why="looks right", base=base)
    with pytest.raises(
        EdlError, match=r"at version 2 \(by me: looks right\), and this change began from 1; read it again"
    ):
        desk.cut("C0103 #5-#7", base=base)
    assert load(desk.edit, desk.takes).ranges[0].status == "accepted"


def test_list_deleted_by_hand_is_written_again(desk: Desk) -> None:
    """The same cut list is no new version, but it is a file again; undo brings back the one that was in force."""
    desk.cut("C0103 #1-#4")
    desk.cut("C0103 #5-#7")
    (desk.edit / "edl.json").unlink()
    assert desk.save(Edl(ranges=parse("C0103 #5-#7", desk.takes, by="cut"))).new is False
    assert desk.spans == [(180, 205)]
    (desk.edit / "edl.json").unlink()
    assert versions.steps(desk.edit) == (True, False)
    desk.undo()
    assert desk.spans == [(180, 205)]
    desk.undo()
    assert desk.spans == [(74, 164)]


def test_only_version_is_brought_back_where_the_list_is_gone(desk: Desk) -> None:
    """Deleted, also after it had been broken and the broken one was kept."""
    desk.cut("C0103 #1-#4")
    path = desk.edit / "edl.json"
    path.unlink()
    assert versions.undo_brings(desk.edit) == "%edl undo brings version 1 back"
    desk.undo()
    assert (desk.spans, versions.undo_brings(desk.edit)) == ([(74, 164)], "")
    path.write_text("{broken", encoding="utf-8")
    made = desk.adopt()
    assert made is not None
    assert (made.number, made.valid) == (2, False)
    path.unlink()
    assert versions.steps(desk.edit) == (True, False)
    desk.undo()
    assert desk.spans == [(74, 164)]
    with pytest.raises(NothingToUndo):
        desk.undo()


@pytest.mark.parametrize("half", ["", "{\n"])
def test_hand_edit_that_is_half_written_is_waited_for(desk: Desk, half: str) -> None:
    """An editor empties the file and writes it: a verb that comes between finds the whole of it, one version."""
    desk.cut("C0103 #1-#4")
    path = desk.edit / "edl.json"
    whole = path.read_text(encoding="utf-8").replace('"beat": ""', '"beat": "HOOK"')
    path.write_text(half, encoding="utf-8")
    assert versions.unsettled(desk.edit, desk.takes)
    writer = threading.Timer(0.15, path.write_text, [whole], {"encoding": "utf-8"})
    writer.start()
    made = desk.adopt()
    writer.join()
    assert made is not None
    assert (made.number, made.valid) == (2, True)
    assert not versions.unsettled(desk.edit, desk.takes)
    assert load(desk.edit, desk.takes).ranges[0].beat == "HOOK"


def test_broken_list_that_is_old_is_not_waited_for(desk: Desk) -> None:
    """Nobody writes it any more."""
    desk.cut("C0103 #1-#4")
    path = desk.edit / "edl.json"
    path.write_text("{broken", encoding="utf-8")
    os.utime(path, (1_700_000_000, 1_700_000_000))
    assert not versions.unsettled(desk.edit, desk.takes)
    made = desk.adopt()
    assert made is not None
    assert not made.valid


def test_version_that_is_not_there_is_named(desk: Desk) -> None:
    """With the ones that are."""
    with pytest.raises(EdlError, match="no version 1; nothing was saved yet"):
        versions.version(desk.edit, 1, desk.takes)
    desk.cut("C0103 #1-#4")
    with pytest.raises(EdlError, match="no version 9; there are 1 to 1"):
        versions.version(desk.edit, 9, desk.takes)


def _append(place: Path, number: int) -> int:
    desk = Desk(place)

    def more(edl: Edl) -> Edl:
        return replace(
            edl, ranges=(*edl.ranges, piece(desk.takes["C0103"], (number, number + 30), id=f"r-{number:05d}"))
        )

    made = versions.change(desk.edit, more, takes=desk.takes, folders=desk.folders, by="me", why=str(number))
    return made.number


def test_two_notebooks_lose_no_change(tmp_path: Path) -> None:
    """Two processes append ten ranges between them, each reading and writing under the lock: ten versions, all in."""
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        numbers = list(pool.map(_append, [tmp_path] * 10, range(10)))
    assert sorted(numbers) == list(range(1, 11))
    desk = Desk(tmp_path)
    assert sorted(desk.spans) == [(number, number + 30) for number in range(10)]
    assert len(versions.history(desk.edit)) == 10
