from __future__ import annotations

import datetime as dt
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cutbook.memory import log
from cutbook.memory.changes import range_changes
from cutbook.memory.draft import persist
from cutbook.memory.session import Session
from cutbook.timebase import Span
from tests.memory.helpers import edl, folders, kept, session, take

CUT = range_changes(None, edl(kept("r-aaaaa", "C0103", 2, 4)), {"C0103": take("C0103")})


def read(work: Session) -> log.Log:
    """Give the log as it is."""
    return log.read(work.log_path) or log.Log()


def as_of_a_dead_kernel(work: Session) -> None:
    """Make the open session look as if its process had died."""
    rows = [json.loads(line) | {"kernel": "0123456789ab"} for line in work.path.read_text().splitlines()]
    work.path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_making_one_and_reading_it_writes_nothing(tmp_path: Path) -> None:
    """A session makes no folder and no file until something is noted."""
    work = session(tmp_path)
    assert work.events() == ()
    assert work.mine(read(work)) == ()
    assert not work.edit.exists()


def test_an_event_is_one_line_of_json(tmp_path: Path) -> None:
    """A note is on the disk when it returns, one line with id, time, notebook and its facts as plain data."""
    work = session(tmp_path, "first.ipynb")
    event = work.note(
        "export", file=Path("some/launch.otio"), at=Fraction(1, 3), n=Fraction(4), span=Span(Fraction(1), Fraction(2)),
        when=dt.date(2026, 1, 2), x=float("nan"), text="zwei\nZeilen\u2028ü",
    )  # fmt: skip
    assert event is not None
    (line,) = work.path.read_bytes().splitlines()
    row = json.loads(line)
    assert list(row) == ["id", "time", "notebook", "kernel", "kind", "facts"]
    assert (row["id"], row["time"], row["notebook"]) == (event.id, "2026-11-30T12:00:00+00:00", "first.ipynb")
    assert row["facts"] == {
        "file": "launch.otio", "at": "1/3", "n": 4, "span": "1.00-2.00", "when": "2026-01-02", "x": None,
        "text": "zwei\nZeilen\u2028ü",
    }  # fmt: skip
    assert work.events() == (event,)


@pytest.mark.parametrize(
    "torn", [b'{"id": "e-aaaaa", "ti', b"<<<<<<< ours\n", b"[1]\n", b"{}\n", b'{"facts": {}}\n', b"\xff\n"]
)
def test_a_torn_or_foreign_line_is_passed_over(tmp_path: Path, torn: bytes) -> None:
    """A line that a crash tore stands alone; what is noted after it is read."""
    work = session(tmp_path)
    work.note("note", entry="r-aaaaa", text="one")
    with work.path.open("ab") as file:
        file.write(torn)
    work.note("note", entry="r-bbbbb", text="two")
    assert [event.facts["text"] for event in work.events()] == ["one", "two"]


RIGHT: dict[str, Any] = {"file": "preview.mp4", "ok": True, "findings": []}
WRONG: dict[str, Any] = {"file": "preview.mp4", "ok": False, "findings": ["late"]}


@pytest.mark.parametrize(
    ("kind", "facts", "worth"),
    [
        ("cut", {"changes": ()}, False),
        ("cut", {"changes": CUT}, True),
        ("undo", {"changes": []}, False),
        ("tighten", {}, False),
        ("transcribe", {"takes": []}, False),
        ("transcribe", {"takes": ["C0103"]}, True),
        ("render", {**RIGHT, "encoded": 0, "cached": 4}, False),
        ("render", {**RIGHT, "encoded": 0, "changed": True}, True),
        ("render", {**RIGHT, "encoded": 1}, True),
        ("render", {**WRONG, "encoded": 0}, True),
        ("check", RIGHT, False),
        ("check", WRONG, True),
        ("note", {"text": "x"}, True),
    ],
)
def test_only_what_changed_something_is_noted(
    tmp_path: Path, kind: str, facts: dict[str, Any], *, worth: bool
) -> None:
    """An edit without changes, a render from the cache and a check that is right for the first time are no events."""
    work = session(tmp_path)
    assert (work.note(kind, **facts) is not None) is worth
    assert work.path.exists() is worth


def test_a_check_is_noted_when_it_says_something_new(tmp_path: Path) -> None:
    """The same finding twice is one event; that it is right now is another."""
    work = session(tmp_path)
    said = [WRONG, WRONG, RIGHT, RIGHT, WRONG]
    assert [work.note("check", **facts) is not None for facts in said] == [True, False, True, False, True]


def test_saved_lines_go_at_the_next_start_and_not_before(tmp_path: Path) -> None:
    """Persist deletes nothing; the first note of the next start drops what the log holds, under the lock."""
    work = session(tmp_path)
    work.note("note", entry="r-aaaaa", text="one")
    persist(work)
    assert len(work.events()) == 1
    assert work.unsaved(read(work)) == ()
    work.note("note", entry="r-bbbbb", text="two")
    assert len(work.events()) == 2
    after = session(tmp_path)
    assert len(after.events()) == 2
    after.note("note", entry="r-ccccc", text="three")
    assert [event.facts["text"] for event in after.events()] == ["two", "three"]
    assert [event.facts["text"] for event in after.unsaved(read(after))] == ["two", "three"]


def test_nothing_goes_when_the_log_no_longer_holds_it(tmp_path: Path) -> None:
    """When an older project.md comes back, what it does not hold is unsaved again."""
    work = session(tmp_path)
    work.note("note", entry="r-aaaaa", text="one")
    persist(work)
    work.log_path.unlink()
    again = session(tmp_path)
    assert len(again.unsaved(read(again))) == 1
    again.note("note", entry="r-bbbbb", text="two")
    section = persist(again)
    assert section is not None
    assert [entry.text for entry in section.entries] == ["one", "two"]


def test_a_running_notebook_persists_its_own(tmp_path: Path) -> None:
    """What another notebook notes while it runs is unsaved for all and persisted by it alone."""
    one, two = session(tmp_path, "one.ipynb"), session(tmp_path, "two.ipynb")
    one.note("note", entry="r-aaaaa", text="from one")
    two.note("note", entry="r-bbbbb", text="from two")
    one.note("note", entry="r-ccccc", text="from one again")
    assert len(two.unsaved(read(two))) == 3
    first = persist(one)
    second = persist(two)
    assert first is not None
    assert second is not None
    assert [entry.text for entry in first.entries] == ["from one", "from one again"]
    assert [entry.text for entry in second.entries] == ["from two"]


def test_what_a_dead_kernel_noted_is_taken_over(tmp_path: Path) -> None:
    """After a crash, any notebook persists what was left, together with its own, once."""
    crashed = session(tmp_path, "one.ipynb")
    crashed.note("note", entry="r-aaaaa", text="before the crash")
    as_of_a_dead_kernel(crashed)
    work = session(tmp_path, "two.ipynb")
    work.note("note", entry="r-bbbbb", text="after it")
    section = persist(work)
    assert section is not None
    assert [entry.text for entry in section.entries] == ["before the crash", "after it"]
    assert section.mark is not None
    assert len(section.mark.values("upto")) == 2
    assert persist(session(tmp_path, "three.ipynb")) is None


def test_a_home_without_room_for_locks_still_resumes(tmp_path: Path) -> None:
    """Where the user's state folder cannot be made, reading works."""
    (tmp_path / "user").write_text("a file")
    work = Session(tmp_path / "launch" / "edit", folders(tmp_path))
    assert work.mine(log.Log()) == ()


def test_events_of_other_shapes_do_no_harm(tmp_path: Path) -> None:
    """Facts that a later version might write are read and drafted without a crash."""
    work = session(tmp_path)
    work.edit.mkdir(parents=True)
    rows: list[tuple[str, dict[str, Any]]] = [
        ("cut", {"changes": [1, {"id": 5}, {"id": "r-a", "before": 3, "after": "x"}, {"id": "r-b", "after": {}}]}),
        ("cut", {"changes": None}), ("note", {"text": None}), ("todo", {}), ("done", {"target": 3}), ("strategy", {}),
        ("render", {"file": None, "seconds": "long", "encoded": 1}), ("odd", {}), ("transcribe", {"takes": 3}),
        ("tighten", {"changes": [{"id": "r-b"}], "removed": [1]}), ("check", {"ok": 1}),
    ]  # fmt: skip
    for number, (kind, facts) in enumerate(rows):
        row = {
            "id": f"e-{number:05d}",
            "time": "2026",
            "notebook": "",
            "kernel": "",
            "kind": kind,
            "facts": facts,
        }
        with work.path.open("a") as file:
            file.write(json.dumps(row) + "\n")
    persist(work)
    assert persist(work) is None
