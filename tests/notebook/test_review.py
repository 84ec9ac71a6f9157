"""The static review: a picture at each cut, every decision, and nothing that people say as markup."""

from __future__ import annotations

import base64
import re
from dataclasses import replace
from fractions import Fraction
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from cutbook import Project
from cutbook.edit.edl import Edl, Music, Overlay, Range
from cutbook.errors import EdlError
from cutbook.notebook.review.plain import html_review, text_review
from cutbook.notebook.review.session import Review
from tests.test_html import HOSTILE, Reader


def piece(number: int, status: str = "undecided", **more: object) -> Range:
    """Return a range of a second."""
    values = {"beat": "HOOK", "quote": "we fixed it", "reason": "calm"} | more
    return Range(
        id=f"r-aaaa{number}",
        source=str(values.pop("source", "C0101")),
        frames=(30 * number, 30 * number + 30),
        rate=Fraction(30),
        status=status,  # type: ignore[arg-type]
        **values,  # type: ignore[arg-type]
    )


def test_summary_counts_what_is_decided() -> None:
    """The first line says how many ranges there are, how long the kept ones last, and what is decided."""
    edl = Edl(ranges=(piece(1, "accepted"), piece(2, "rejected"), piece(3), piece(4)))
    assert text_review(edl).splitlines()[0] == ("4 ranges, 00:03 kept: 1 accepted, 1 rejected, 2 undecided")


def test_one_range_is_no_ranges() -> None:
    """A single range is counted as one."""
    assert text_review(Edl(ranges=(piece(1),))).startswith("1 range, 00:01 kept")


def test_text_has_a_row_a_range() -> None:
    """Mark, number, beat, take, range, words and why stand in a row."""
    rows = text_review(Edl(ranges=(piece(1, "accepted"), piece(2, "rejected")))).splitlines()[2:]
    assert [re.split(r"\s{2,}", row) for row in rows] == [
        ["✓", "1", "HOOK", "C0101", "1.00-2.00", "we fixed it", "calm"],
        ["✗", "2", "HOOK", "C0101", "2.00-3.00", "we fixed it", "calm"],
    ]


def test_reason_of_a_decision_is_shown() -> None:
    """Why a range was rejected stands beside why it was cut, once where both are the same."""
    edl = Edl(
        ranges=(
            piece(1, "rejected", extra={"why": "she looks away"}),
            piece(2, "rejected", reason="", extra={"why": "noise"}),
            piece(3, "accepted", extra={"why": "calm"}),
        )
    )
    rows = text_review(edl).splitlines()[2:]
    assert [re.split(r"\s{2,}", row)[-1] for row in rows] == ["calm; she looks away", "noise", "calm"]
    assert "calm; she looks away" in html_review(edl, lambda *_: None)


def test_hostile_text_makes_no_tag() -> None:
    """Words, beats, reasons and names of takes are text in the page, whatever they hold."""
    part = piece(1, beat=HOSTILE, quote=HOSTILE, reason=HOSTILE, source=HOSTILE)
    for status in ("undecided", "rejected"):
        page = html_review(Edl(ranges=(piece(2), part, piece(3, status))), lambda *_: None)
        read = Reader(page)
        assert {"script", "img"} & set(read.tags) == set()
        assert read.cells.count(HOSTILE) == 4


def test_transitions_overlays_and_music_are_shown() -> None:
    """What a range does besides being cut hard, what lies over the film and plays under it, as text and as a page."""
    edl = Edl(
        ranges=(piece(1), replace(piece(2), dissolve=8, audio_lead=Fraction(1, 5))),
        overlays=(Overlay(file="logo.png", start_in_output=Fraction(0), duration=Fraction(1)),),
        music=Music(file="bed.mp3"),
    )
    how = "dissolves in over 8 frames, heard 0.20 s before it is seen (J cut)"
    first, head, _, second, _, _, over = text_review(edl).splitlines()
    assert first.endswith("2 undecided, 1 overlay, music bed.mp3 at −12 dB, 10 dB less under speech")
    assert head.split()[-3:] == ["words", "how", "why"]
    assert how in second
    assert over.split() == ["logo.png", "0.00", "1.00", "the", "whole", "picture"]
    page = html_review(edl, lambda *_: None)
    assert [page.count(each) for each in (how, "logo.png", "bed.mp3", "<table")] == [1, 1, 1, 2]


def test_rejected_words_are_struck_through() -> None:
    """Rejected words are struck through, others are not."""
    page = html_review(Edl(ranges=(piece(1, "rejected"), piece(2, quote="kept"))), lambda *_: None)
    assert "<s>we fixed it</s>" in page
    assert "<s>kept" not in page


def test_an_empty_cut_list_is_shown() -> None:
    """A cut list without ranges has its line and no row."""
    assert text_review(Edl()).splitlines()[0].startswith("0 ranges, 00:00 kept")
    assert "<td" not in html_review(Edl(), lambda *_: None)


def test_pictures_at_each_cut(launch: Path) -> None:
    """Each range shows its first and its last frame; a decision is seen at the next look."""
    project = Project(launch)
    project.cut("C0101 #1-#4\nB0202 #1-#3", pad=(0, 0))
    review = Review(project)
    page = review._repr_html_()
    codes = re.findall(r'<img src="data:image/jpeg;base64,([^"]+)" alt="([^"]+)"', page)
    assert [alt for _, alt in codes] == ["range 1, in", "range 1, out", "range 2, in", "range 2, out"]
    sizes = {Image.open(BytesIO(base64.b64decode(code))).size for code, _ in codes}
    assert {round(Fraction(width, height), 2) for width, height in sizes} == {round(Fraction(16, 9), 2)}
    assert len({code for code, _ in codes}) == 4
    review.reject(2, why="hums")
    assert "1 rejected" in repr(review)
    assert "hums" in review._repr_html_()


def test_an_earlier_version_is_looked_at(launch: Path) -> None:
    """A version shows the ranges that it had; one that is not there is refused at once."""
    project = Project(launch)
    project.cut("C0101 #1-#4")
    project.cut("B0202 #1-#3")
    assert "Ninety percent is wasted." in repr(Review(project, version=1))
    assert "We fixed that." in repr(Review(project))
    with pytest.raises(EdlError, match="9"):
        Review(project, version=9)
    with pytest.raises(EdlError, match="version 1"):
        Review(project, version=1).reject(1)
    assert [each.status for each in project.edl.ranges] == ["undecided"]
