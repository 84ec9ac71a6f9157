from __future__ import annotations

import matplotlib as mpl
import pytest

from cutbook.timeline.lettering import BASE, MARK, families, measure, readable


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain $x_2$ ≥ “q”", "plain $x_2$ ≥ “q”"),
        ("a\x07b\nc", "a b c"),
        ("z\u200bero\ufe0f", "zero"),
        ("private \ue123", f"private {MARK}"),
    ],
)
def test_letters_that_no_font_has_are_marked(text: str, expected: str) -> None:
    """What can be drawn stays, controls are spaces, invisible ones go, and what no font has is a mark."""
    assert readable(text) == expected


def test_matplotlibs_own_font_comes_first() -> None:
    """Latin text needs no font but the one that is always there."""
    assert families("Latin, ümlaut, −12") == (BASE,)


def test_widths_grow_with_text_and_size() -> None:
    """A longer text is wider, and so is a larger or bolder one."""
    assert (
        0
        < measure("word", 12)
        < measure("words", 12)
        < measure("words", 15)
        < measure("words", 15, bold=True)
    )


def test_measuring_leaves_matplotlib_as_it_was() -> None:
    """A notebook's own settings of matplotlib are not touched."""
    before = dict(mpl.rcParams)
    measure("something new to measure", 13)
    assert dict(mpl.rcParams) == before
