"""Ranges named by number, run or id, and reasons in free text, through the magics."""

from __future__ import annotations

from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from cutbook.errors import EdlError, InputError
from cutbook.notebook.line import Parser
from cutbook.notebook.ranges import ranges
from tests.faces import run


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["3"], [3]),
        (["3-5"], [3, 4, 5]),
        (["1,3"], [1, 3]),
        (["1,", "3–4"], [1, 3, 4]),
        (["2", "1-3"], [2, 1, 3]),
        (["r-k7f2q", "4"], ["r-k7f2q", 4]),
        (["r-k7f2q,2"], ["r-k7f2q", 2]),
    ],
)
def test_ranges_are_named_in_every_form(words: list[str], found: list[int | str]) -> None:
    """Numbers, runs, lists and ids, mixed and each once."""
    assert ranges(words, Parser("%try", "Try.")) == found


@pytest.mark.parametrize("word", ["5-3", "one", "1..3", "-2", "3-", "1-9999999"])
def test_what_names_no_range_is_refused(word: str) -> None:
    """A word of another form is named, with the forms that there are."""
    with pytest.raises(InputError, match=r"names no range; write numbers .* like 3, 3-5 or 1,3, or ids"):
        ranges([word], Parser("%try", "Try."))


def test_decisions_and_tightening_take_every_form(ipython: InteractiveShell, launch: Path) -> None:
    """Runs and ids reach the cut list; one that is not there is refused and nothing is decided."""
    run(ipython, f'%project "{launch}";')
    edl = run(ipython, "%%cut\nC0101 #1-#2\nB0202 #1-#2\nS0303 0.5-1.5")
    run(ipython, "%review accept 1-2")
    review = run(ipython, f"%review reject {edl.ranges[2].id}")
    assert [each.status for each in review.edl.ranges] == ["accepted", "accepted", "rejected"]
    run(ipython, "%review undecided 1,3")
    assert [each.status for each in review.edl.ranges] == ["undecided", "accepted", "undecided"]
    with pytest.raises(EdlError, match="no range is 4"):
        run(ipython, "%review accept 3-4")
    assert [each.status for each in review.edl.ranges] == ["undecided", "accepted", "undecided"]
    run(ipython, f"%tighten 1-2 {edl.ranges[2].id}")


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("--why one -- two", "one -- two"),
        ("--why she doesn't look --closely", "she doesn't look --closely"),
        ("--why \"she said: 'no'\"", "she said: 'no'"),
        ('--why "a" or "b"', '"a" or "b"'),
        ("--why=-1 dB", "-1 dB"),
    ],
)
def test_reason_is_all_the_rest_of_the_line(
    ipython: InteractiveShell, launch: Path, typed: str, why: str
) -> None:
    """What stands behind --why is kept as it was written, dashes and quotes included."""
    run(ipython, f'%project "{launch}";')
    run(ipython, "%%cut\nC0101 #1-#2")
    assert run(ipython, f"%review reject 1 {typed}").edl.ranges[0].extra["why"] == why
