from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cutbook.memory.doctor import examine
from tests.launch import tree
from tests.memory.helpers import session
from tests.memory.world import World

HEAD = b"---\nschema: cutbook/1\nuuid: 12345678-1234-4321-8765-123456789abc\n---\n"
BODY = b"## Session 1\n**Decisions:**\n- a <!-- m d-aaaaa -->\n"


def test_without_a_log_there_is_nothing_to_check(tmp_path: Path) -> None:
    """It says so, and makes nothing."""
    found = examine(session(tmp_path))
    assert (found.sentence, found.ok) == ("There is no project.md yet: nothing to check.", True)
    assert list(tmp_path.iterdir()) == []


def test_a_log_of_our_own_is_in_order(tmp_path: Path) -> None:
    """Sessions, decisions and events as cutbook writes them give no finding."""
    world = World(tmp_path)
    world.film("C0103")
    one = world.memory().decide("Use this line", take="C0103", span="2.52-5.36")
    world.persist()
    world.memory().confirm(one, why="still")
    world.persist()
    assert repr(world.memory().doctor()) == "project.md: 2 sessions, 2 items; all in order."


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        (
            HEAD + BODY + b"\n**Mood:** tired\nand cold\n",
            (
                "2 lines of session 1 are read as nothing "
                "(lines 9-10: “**Mood:** tired”); under **Reasoning log:** notes are read"
            ),
        ),
        (
            HEAD + b"## Session 1\nCut the intro.\n" + BODY.partition(b"\n")[2],
            (
                "1 line of session 1 is read as nothing "
                "(line 6: “Cut the intro.”); under **Reasoning log:** notes are read"
            ),
        ),
        (
            HEAD + BODY + b"\n## Session 99999999999999999999\n- b\n",
            "line 9 begins no session, its number is too long: ## Session 99999999999999999999",
        ),
        (
            HEAD + BODY + b"\0" * 4096,
            "4096 NUL bytes stand in the sessions, as a crash leaves them; they are passed over",
        ),
        (
            HEAD + BODY + b"**Strategy:** Buyers first.\n\n**Strategy:** Shorter.\n",
            "session 1 has more than one Strategy (a merge?); this one is kept as the note r-1-1: “Shorter.”",
        ),
        (HEAD + BODY + BODY, "session 1 is there 2 times (a merge?); new sessions go on from the highest"),
        (
            HEAD + BODY + b"## Session 3\n## Session 2\n",
            "sessions do not stand in the order of their numbers; the highest is the last",
        ),
        (HEAD + BODY + b"## Session 4\n", "no session has the number 2 and 3"),
        (
            HEAD + BODY + b"- b <!-- m d-aaaaa -->\n",
            "d-aaaaa is the id of more than one entry; the later is served as d-aaaaa~2, and no event can name either",
        ),
        (
            HEAD + BODY + b"- No longer. <!-- m e-bbbbb abandon d-zzzzz -->\n",
            "event e-bbbbb (session 1) is about d-zzzzz, which is not there",
        ),
        (
            HEAD
            + b"## Session 1\n**Decisions:**\n- a\n- No longer. <!-- m e-bbbbb abandon d-1-1=0123456789ab -->\n",
            "event e-bbbbb (session 1) does not fit the words of d-1-1 any more",
        ),
        (
            HEAD + BODY + b"- b <!-- m d-bbbbb media:C1=unknown -->\n",
            "d-bbbbb (session 1) has an anchor whose hash is none: media:C1=unknown",
        ),
        (
            b"\xef\xbb\xbf" + HEAD + BODY,
            "the file begins with a byte order mark; some readers miss its front matter for it",
        ),
        (HEAD + BODY + b"```\ncode\n", "a code fence (```) is opened and never closed"),
        (BODY, "there is no front matter that can be read (title, uuid, created)"),
        (HEAD + BODY + b"\xff\n", "project.md is not UTF-8 at byte 120; the bytes are kept as they are"),
    ],
)
def test_what_is_odd_is_said_and_left_alone(tmp_path: Path, text: bytes, finding: str) -> None:
    """Numbering, ids, events, anchors, encoding: each has its line, and not a byte is repaired."""
    work = session(tmp_path)
    work.edit.mkdir(parents=True)
    work.log_path.write_bytes(text)
    before = tree(tmp_path)
    found = examine(work)
    assert finding in found.findings
    assert not found.ok
    assert tree(tmp_path) == before


def test_a_copied_folder_is_found(tmp_path: Path) -> None:
    """Two folders side by side with one uuid are named."""
    work = session(tmp_path)
    work.edit.mkdir(parents=True)
    work.log_path.write_bytes(HEAD + BODY)
    assert examine(work).ok
    shutil.copytree(work.edit.parent, tmp_path / "launch (copy)")
    (finding,) = examine(work).findings
    assert finding == "launch (copy) beside this folder has the same uuid: one is a copy of the other"


def test_torn_lines_of_the_open_session_are_counted(tmp_path: Path) -> None:
    """A line that a crash tore is passed over, and said here."""
    work = session(tmp_path)
    work.note("note", entry="r-aaaaa", text="x")
    work.log_path.write_bytes(HEAD + BODY)
    with work.path.open("ab") as file:
        file.write(b'{"id": "e-1')
    assert examine(work).findings == ("1 line of session.jsonl cannot be read and is passed over",)
