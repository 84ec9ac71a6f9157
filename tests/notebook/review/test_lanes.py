"""Threads that answer in turn, and are there only while there is something to do."""

from __future__ import annotations

import logging
import threading

import pytest

from cutbook.notebook.review.lanes import Lane


def test_one_thing_is_done_after_the_other() -> None:
    """What is added from many threads is done on one, in order."""
    lane, done, end = Lane("test"), list[tuple[int, str]](), threading.Event()
    for number in range(20):
        lane.add(lambda number=number: done.append((number, threading.current_thread().name)))  # type: ignore[misc]
    lane.add(end.set)
    assert end.wait(30)
    assert done == [(number, "test") for number in range(20)]


def test_what_goes_wrong_stops_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """An error is logged, and what waits behind it is done."""
    lane, end = Lane("test"), threading.Event()

    def fail() -> None:
        raise RuntimeError("the floor is wet")

    with caplog.at_level(logging.ERROR):
        lane.add(fail)
        lane.add(end.set)
        assert end.wait(30)
    assert "the floor is wet" in caplog.text
