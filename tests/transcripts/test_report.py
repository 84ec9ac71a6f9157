"""What a person reads after transcribing."""

from __future__ import annotations

from fractions import Fraction

import pytest

from cutbook.transcripts.report import Report, Row


@pytest.mark.parametrize(
    ("price", "said"), [(0.0003, "less than $0.01"), (0.01, "$0.01"), (0.4, "$0.40"), (0.0, "$0.00")]
)
def test_a_price_below_a_cent_is_not_said_to_be_nothing(price: float, said: str) -> None:
    """Three hundredths of a cent are less than one cent, not none."""
    report = Report((Row("a", "made", Fraction(3), price),), "scribe")
    assert report.sentence == f"1 of 1 take transcribed (00:03 by scribe), cost {said}"


def test_a_take_without_sound_has_no_length_of_it() -> None:
    """A dash stands where there are no seconds of sound to be told, in text and in HTML."""
    report = Report((Row("mute", "no sound", Fraction(0)), Row("a", "cached", Fraction(61))), "local")
    assert repr(report).splitlines()[1:] == ["  mute      –  no sound", "  a     01:01  cached"]
    assert "00:00" not in report._repr_html_()
