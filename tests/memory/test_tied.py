"""A decision on ranges of the cut, and what is said back of what a decision is tied to."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutbook.errors import EdlError, InputError
from cutbook.memory.tied import runs
from tests.memory.helpers import kept
from tests.memory.world import World


def cut(base: Path) -> World:
    """Make a cut of three ranges from two takes."""
    world = World(base)
    world.film("C0103")
    world.film("C0106", said=None)
    world.cut(
        kept("r-aaaaa", "C0103", 2.52, 4.28, beat="HOOK"),
        kept("r-bbbbb", "C0106", 8, 9),
        kept("r-ccccc", "C0103", 2.52, 3.44, beat="DEMO", status="rejected"),
    )
    return world


@pytest.mark.parametrize(
    ("named", "tied"),
    [
        ({"take": "C0103"}, "the file C0103"),
        # "Ninety" ends at 2.90 and "wasted." begins at 3.70, so that the middles of three words lie before 3.65.
        ({"take": "C0103", "span": "2.52-3.65"}, "C0103 2.52-3.65, 3 words"),
        ({"take": "C0106", "span": (1, 3)}, "C0106 1.00-3.00, which has no words yet"),
        ({"beat": "hook"}, "range 1 (HOOK)"),
        ({"ranges": [1, 2]}, "ranges 1-2 (HOOK)"),
        ({"ranges": ["r-ccccc", 1]}, "ranges 1,3 (HOOK, DEMO)"),
        ({"ranges": [3], "take": "C0103"}, "range 3 (DEMO)"),
        ({}, ""),
    ],
)
def test_a_decision_says_what_it_is_tied_to(tmp_path: Path, named: dict[str, object], tied: str) -> None:
    """The answer names takes with their words, or ranges by the numbers of the table; said again it says so again."""
    world = cut(tmp_path)
    for _ in range(2):
        told = world.memory().decide("Keep this", **named)  # type: ignore[arg-type]
        assert told.tied == tied
        assert (f"\n  tied to {tied}" in repr(told)) is bool(tied)
        assert (f"Tied to {tied}" in told._repr_html_()) is bool(tied)


def test_ranges_are_anchored_as_they_are_in_the_cut(tmp_path: Path) -> None:
    """Each gives its file, words and place in the cut; one that is left out of the film has no place in it."""
    world = cut(tmp_path)
    tokens = world.memory().decide("Keep this", ranges=[1, 3]).anchors
    assert [each.partition("=")[0] for each in tokens] == [
        "media:C0103",
        "words:C0103#2.52-4.28",
        "edl:HOOK",
        "range:r-aaaaa",
        "words:C0103#2.52-3.44",
        "range:r-ccccc",
        "written:decide",
    ]


def test_a_range_that_is_not_there_or_of_another_take_is_an_error(tmp_path: Path) -> None:
    """Nothing is written, and the message says how seconds are told from ranges."""
    world = cut(tmp_path)
    before = (world.edit / "session.jsonl").read_bytes()
    with pytest.raises(EdlError, match="no range is 7"):
        world.memory().decide("x", ranges=[7])
    with pytest.raises(
        InputError, match=r"range 2 is cut from C0106, not from C0103; seconds .* like 1\.0-3\.5"
    ):
        world.memory().decide("x", take="C0103", ranges=[2])
    assert (world.edit / "session.jsonl").read_bytes() == before


def test_numbers_are_written_as_runs() -> None:
    """As people type them."""
    assert [runs(each) for each in ([1], [1, 2, 3], [1, 3, 4, 7], [])] == ["1", "1-3", "1,3-4,7", ""]
