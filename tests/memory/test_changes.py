from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from cutbook.edit.edl import Range
from cutbook.memory.changes import range_changes
from cutbook.memory.net import net_changes
from cutbook.memory.session import Event
from tests.memory.helpers import edl, kept, take

TAKES = {"C0103": take("C0103")}
A, B, C = (kept(f"r-{name * 5}", "C0103", start, start + 2) for name, start in (("a", 1), ("b", 5), ("c", 9)))

RANGES = st.lists(
    st.builds(
        kept,
        st.sampled_from(["r-aaaaa", "r-bbbbb", "r-ccccc", "r-ddddd"]),
        st.just("C0103"),
        st.sampled_from([1, 2, 3]),
        st.sampled_from([4, 5]),
        status=st.sampled_from(["undecided", "rejected"]),
        reason=st.sampled_from(["", "why"]),
    ),
    max_size=4,
    unique_by=lambda each: each.id,
)


def actions(before: list[Range], after: list[Range]) -> list[tuple[str, str]]:
    """Give id and action of each change."""
    return [(change["id"], change["action"]) for change in range_changes(edl(*before), edl(*after), TAKES)]


def test_each_kind_of_change_is_named() -> None:
    """Added, changed, accepted, reopened, dropped and moved ranges are told apart, in the film's order."""
    longer = replace(B, frames=(125, 200))
    accepted = replace(C, status="accepted")
    assert actions([A, B, C], [A, B, C]) == []
    assert actions([], [A]) == [(A.id, "added")]
    assert actions([A, B, C], [longer, accepted]) == [
        (B.id, "changed"),
        (C.id, "accepted"),
        (A.id, "dropped"),
    ]
    assert actions([accepted], [C]) == [(C.id, "reopened")]
    assert actions([A, B, C], [C, A, B]) == [(C.id, "moved")]
    assert actions([A, B], [replace(A, status="rejected"), B]) == [(A.id, "changed")]


def test_the_same_content_under_a_new_id_is_no_change() -> None:
    """A cut list written again with fresh ids changes nothing but these."""
    (change,) = range_changes(edl(A, B), edl(replace(A, id="r-zzzzz"), B), TAKES)
    assert (change["action"], change["id"], change["was"]) == ("renamed", "r-zzzzz", A.id)
    assert net_changes([Event("e-aaaaa", "", "", "", "cut", {"changes": [change]})]) == ()


def test_pieces_know_the_range_that_they_were_cut_from() -> None:
    """A new range inside one that changed or went was split from it; one inside an unchanged range was not."""
    first, second = replace(A, frames=(25, 40)), replace(A, id="r-part2", frames=(50, 75))
    added = range_changes(edl(A, B), edl(first, second, B), TAKES)[1]
    assert (added["action"], added["parent"]) == ("added", A.id)
    (again,) = range_changes(edl(A, B), edl(A, B, second), TAKES)
    assert "parent" not in again


def test_a_change_holds_both_states_and_the_anchors_after_it() -> None:
    """Each change carries what the range was and is, with the span as the log writes it."""
    (change,) = range_changes(edl(A), edl(replace(A, frames=(30, 75))), TAKES)
    assert (change["before"]["span"], change["after"]["span"]) == ("1.00-3.00", "1.20-3.00")
    assert [token.partition("=")[0] for token in change["anchors"]] == [
        "media:C0103", "words:C0103#1.20-3.00", "edl:r-aaaaa", "range:r-aaaaa",
    ]  # fmt: skip


def test_a_take_that_is_away_leaves_its_change_without_anchors() -> None:
    """A range of a take that the project does not have is noted all the same."""
    (change,) = range_changes(None, edl(A), {})
    assert change["anchors"] == []


@given(RANGES, RANGES, RANGES)
def test_going_somewhere_and_back_is_no_change(
    start: list[Range], middle: list[Range], end: list[Range]
) -> None:
    """Whatever happened between, the net of edits that end where they began is empty but for their order."""
    steps = [start, middle, end, middle, start]
    events = [
        Event(str(number), "", "", "", "cut", {"changes": list(range_changes(edl(*one), edl(*two), TAKES))})
        for number, (one, two) in enumerate(itertools.pairwise(steps))
    ]
    assert [net for net in net_changes(events) if net.content[0] != net.content[1]] == []


def test_rates_are_part_of_what_a_range_is() -> None:
    """The same frame numbers at another rate are another range."""
    assert actions([A], [replace(A, rate=Fraction(50))]) == [(A.id, "changed")]
