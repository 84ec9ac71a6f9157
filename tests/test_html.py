"""The small pieces of HTML: nothing that people say becomes markup."""

from __future__ import annotations

import base64
import re
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from cutbook.html import Markup, escape, paragraph, picture, plain_table, table

HOSTILE = """<script>alert("x")</script> & 'q' <img src=x onerror=y>"""


class Reader(HTMLParser):
    """Gather tags and text as a browser would read them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.cells: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        """Note a tag; a cell begins empty."""
        self.tags.append(tag)
        if tag in {"td", "th", "p"}:
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        """Add to the cell."""
        if self.cells:
            self.cells[-1] += data


def test_hostile_text_stays_text() -> None:
    """Whatever a cell, a head or a paragraph says is read back as it was, and makes no tag."""
    read = Reader(table((HOSTILE, "b"), [(HOSTILE, 7)]) + paragraph(HOSTILE, bold=True, dim=True))
    assert read.cells == [HOSTILE, "b", HOSTILE, "7", HOSTILE]
    assert set(read.tags) == {"table", "thead", "tbody", "tr", "th", "td", "p"}


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_any_text_is_read_back(text: str) -> None:
    """Escaped text has no markup, and says what it said."""
    assert Reader(f"<p>{escape(text)}</p>").cells == [text]


def test_markup_passes() -> None:
    """Only what is marked as markup stays as it is."""
    assert escape(Markup("<b>x</b>")) == "<b>x</b>"
    assert escape("<b>") == "&lt;b&gt;"


def test_picture_is_in_the_page_at_its_height() -> None:
    """The bytes stand in the page; the height is a style, which a notebook's own cannot undo."""
    made = picture(b"\xff\xd8jpeg", alt='a "shot" <b>', height=72).text
    found = re.search(r'src="data:image/jpeg;base64,([^"]+)"', made)
    assert found is not None
    assert base64.b64decode(found[1]) == b"\xff\xd8jpeg"
    assert 'style="height:72px;width:auto;max-width:none' in made
    assert Reader(made).tags == ["img"]
    assert 'alt="a &quot;shot&quot; &lt;b&gt;"' in made


def test_plain_table_lines_up() -> None:
    """Columns are as wide as their widest word, numbers stand right, no line ends in spaces."""
    assert plain_table(("take", "#", "why"), [("C1", 7, ""), ("C0103", 10, "x")], numbers=(1,)) == (
        "take    #  why\nC1      7\nC0103  10  x"
    )


def test_a_table_without_rows() -> None:
    """An empty table has its head."""
    assert plain_table(("a", "b"), []) == "a  b"
    assert Reader(table(("a", "b"), [])).cells == ["a", "b"]


def test_short_cells_stay_in_one_line() -> None:
    """A range or a name is not broken at its dash; a sentence may break."""
    page = table(("range", "words"), [("0.63-3.73", "Pages are slow, phones run hot, and people leave.")])
    cells = re.findall(r'<td style="([^"]*)">', page)
    assert ["nowrap" in style for style in cells] == [True, False]
