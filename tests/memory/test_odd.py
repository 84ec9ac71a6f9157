"""Every log that somebody might have written: read without an exception, kept to the byte, and appended to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cutbook.memory import log
from tests.launch import tree
from tests.memory.helpers import folders
from tests.memory.odd import ODD, Odd
from tests.memory.test_preferences import memory

CASES = pytest.mark.parametrize("odd", [pytest.param(each, id=name) for name, each in ODD.items()])


def test_there_are_fifty_odd_of_them() -> None:
    """Dashes, missing fields, tables, code blocks, HTML, CRLF, BOM, Chinese, two megabytes: fifty at least."""
    assert len(ODD) > 50
    assert sum(len(each.data) > 1_900_000 for each in ODD.values()) == 2
    assert len({each.data for each in ODD.values()}) == len(ODD)


@CASES
def test_it_gives_back_its_bytes_and_its_sessions(odd: Odd) -> None:
    """The same bytes come back, with the sessions and as many entries as a person counts."""
    read = log.parse(odd.data)
    assert log.serialise(read) == odd.data
    assert tuple(each.number for each in read.sections) == odd.sessions
    assert len(read.entries) == odd.entries


@CASES
def test_a_session_goes_on_behind_it(odd: Odd, tmp_path: Path) -> None:
    """What is appended stands behind every byte that was there, one number on, and is read."""
    path = tmp_path / "project.md"
    path.write_bytes(odd.data)
    section = log.append(
        path,
        lambda read: f"## Session {read.next_number} — 2026-05-01\n\n**Decisions:**\n- Mine.\n",
        folders(tmp_path),
    )
    assert section is not None
    after = path.read_bytes()
    assert after.startswith(odd.data)
    read = log.parse(after)
    assert read.sections[-1].number == max(odd.sessions, default=0) + 1
    assert [each.text for each in read.sections[-1].entries] == ["Mine."]


@CASES
def test_it_is_resumed_from_shown_and_searched_and_stays(odd: Odd, tmp_path: Path) -> None:
    """Reading it in every way raises nothing, and neither bytes nor times change."""
    mind = memory(tmp_path)
    mind.session.edit.mkdir(parents=True)
    mind.session.log_path.write_bytes(odd.data)
    before = tree(tmp_path / "launch")
    last = max(odd.sessions, default=0)
    assert mind.resume().sentence.startswith(f"Session {last}" if last else "")
    told: list[Any] = [mind.doctor(), mind.context(budget=500)]
    if len(odd.data) < 1_000_000:
        told += [mind.resume(), mind.show(), mind.tidy()]
    found = mind.search("calm grade")
    assert found.meta["returned"] <= min(20, odd.entries)
    # What cannot be written as UTF-8 would break the notebook that shows it.
    assert all(repr(each).encode() and each._repr_html_().encode() for each in (*told, found))
    assert tree(tmp_path / "launch") == before
