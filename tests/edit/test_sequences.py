"""Any changes one after another, on any takes: refused in a line, or a valid cut list on the grid."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from cutbook.edit.checking import validate
from cutbook.edit.decide import decide, trim
from cutbook.edit.edl import STATUSES, Edl, Status, dump
from cutbook.edit.layout import grid_length
from cutbook.edit.others import others
from cutbook.edit.ranges import make_range
from cutbook.edit.reading import loads
from cutbook.edit.reshape import merge, move, split
from cutbook.edit.slips import slips
from cutbook.edit.snap import snap_words
from cutbook.edit.strike import cut_words, restore_words
from cutbook.edit.swap import swap
from cutbook.edit.take import Take
from cutbook.errors import CutbookError
from tests.edit.making import odd_takes, spoken_takes

FOLDER = Path("footage")


def named(source: Take, name: str) -> Take:
    """Return a take under another name."""
    return Take.given(name, source.media, source.fingerprint, transcript=source.transcript)


@dataclass(frozen=True)
class Drawn:
    """What a change may be about; not every change uses all of it."""

    which: int
    before: int | None
    name: str
    words: tuple[int, int]
    frame: int
    exact: bool
    late: bool
    status: Status


def _trimmed(edl: Edl, takes: dict[str, Take], drawn: Drawn) -> Edl:
    time = drawn.frame / takes[edl.ranges[drawn.which - 1].source].rate
    start, end = (None, time) if drawn.late else (time, None)
    return trim(edl, drawn.which, takes, start=start, end=end, exact=drawn.exact)


CHANGES: list[Callable[[Edl, dict[str, Take], Drawn], Edl]] = [
    _trimmed,
    lambda edl, takes, drawn: split(edl, drawn.which, takes, frame=drawn.frame, exact=drawn.exact),
    lambda edl, takes, drawn: merge(edl, drawn.which, takes),
    lambda edl, _takes, drawn: move(edl, drawn.which, before=drawn.before),
    lambda edl, takes, drawn: cut_words(edl, drawn.which, drawn.words, takes),
    lambda edl, takes, drawn: restore_words(edl, drawn.name, drawn.words, takes),
    lambda edl, takes, drawn: swap(edl, drawn.which, drawn.name, drawn.words, takes),
    lambda edl, _takes, drawn: decide(edl, drawn.which, status=drawn.status),
]
drawn = st.builds(
    Drawn,
    which=st.integers(1, 5),
    before=st.none() | st.integers(1, 5),
    name=st.sampled_from(["A", "B"]),
    words=st.tuples(st.integers(1, 12), st.integers(1, 12)).map(lambda pair: (min(pair), max(pair))),
    frame=st.integers(0, 300),
    exact=st.booleans(),
    late=st.booleans(),
    status=st.sampled_from(STATUSES),
)


def begun(takes: dict[str, Take]) -> Edl:
    """Return a cut list with all words of each take that can be cut so."""
    made = []
    for name, take in takes.items():
        with contextlib.suppress(CutbookError):
            made.append(make_range(take, snap_words(take, 1, len(take.words)), id=f"r-{name}"))
    return Edl(ranges=tuple(made))


def check(edl: Edl, takes: dict[str, Take]) -> None:
    """Check that a cut list is valid, with every range in its take and on its grid, and every id its own."""
    validate(edl, takes, FOLDER)
    for each in edl.ranges:
        assert 0 <= each.frames[0] < each.frames[1] <= grid_length(takes[each.source])
        assert each.rate == takes[each.source].rate
    assert len({each.id for each in edl.ranges}) == len(edl.ranges)


@given(
    first=st.one_of(spoken_takes(), spoken_takes(), odd_takes()),
    second=st.one_of(spoken_takes(), odd_takes()),
    steps=st.lists(st.tuples(st.sampled_from(CHANGES), drawn), min_size=1, max_size=8),
)
def test_any_changes_leave_a_valid_cut_list(
    first: Take, second: Take, steps: list[tuple[Callable[[Edl, dict[str, Take], Drawn], Edl], Drawn]]
) -> None:
    """Frames lie within the take, no range is empty, ids are each one's own, and the file reads back the same."""
    takes = {"A": named(first, "A"), "B": named(second, "B")}
    edl = begun(takes)
    for change, about in steps:
        if about.which > len(edl.ranges):
            continue
        try:
            edl = change(edl, takes, about)
        except CutbookError as error:
            said = str(error)
        else:
            said = ""
        assert "\n" not in said
        check(edl, takes)
    sources = {name: str(take.path) for name, take in takes.items()}
    again = loads(dump(replace(edl, sources=sources)).encode(), FOLDER, takes)
    assert [(each.id, each.frames, each.status) for each in again.ranges] == [
        (each.id, each.frames, each.status) for each in edl.ranges
    ]
    check_questions(edl, takes)


def check_questions(edl: Edl, takes: dict[str, Take]) -> None:
    """Check that no range is another of itself, and that slips lie in their ranges."""
    for number, each in enumerate(edl.ranges, 1):
        for other in others(edl, number, takes):
            assert other.take != each.source or each.words is None or not _meet(other.words, each.words)
            assert 0 <= other.likeness <= 100
    for slip in slips(edl, takes, pauses=Fraction(1, 5)):
        holder = next(each for each in edl.ranges if each.id == slip.range)
        assert holder.frames[0] <= slip.frames[0] < slip.frames[1] <= holder.frames[1]


def _meet(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]
