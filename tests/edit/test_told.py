from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from cutbook.edit.edl import Edl, Music, Overlay, Range

PLAIN = Range(id="r-1", source="A", frames=(0, 50), rate=Fraction(25), quote="one two", reason="clean")


def lines(edl: Edl) -> list[list[str]]:
    """Give the columns of each line of a cut list as text."""
    return [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in repr(edl).splitlines()]


def test_a_plain_cut_list_has_no_column_more() -> None:
    """Where every range is cut hard, with its own sound, nothing is said of it."""
    assert lines(Edl(ranges=(PLAIN,))) == [
        ["1 range, 00:02"],
        ["#", "beat", "take", "range", "seconds", "words", "why"],
        ["·", "1", "A", "0.00-2.00", "2.00", "one two", "clean"],
    ]


def test_transitions_and_early_and_late_sound_are_said() -> None:
    """A dissolve, a J cut, an L cut, a crop and a range's own grade stand in words beside the range's words."""
    second = replace(
        PLAIN,
        id="r-2",
        dissolve=12,
        audio_lead=Fraction("0.4"),
        audio_lag=Fraction(1, 4),
        grade="warm_cinematic",
    )
    third = replace(PLAIN, id="r-3", fit="fill", centre=(Fraction(3, 10), Fraction(1, 3)), dissolve=1)
    told = lines(Edl(ranges=(PLAIN, second, third)))
    assert told[1] == ["#", "beat", "take", "range", "seconds", "words", "how", "why"]
    assert [line[-2] for line in told[2:]] == [
        "one two",
        (
            "dissolves in over 12 frames, heard 0.40 s before it is seen (J cut), "
            "heard 0.25 s longer than it is seen (L cut), grade warm_cinematic"
        ),
        "dissolves in over 1 frame, cropped to fill the picture, around 30 % across, 33.3 % down",
    ]
    shown = Edl(ranges=(PLAIN, second))._repr_html_()
    assert "dissolves in over 12 frames" in shown


def test_overlays_and_music_are_said() -> None:
    """Overlays have a table of their own, on the film's clock; music stands in the film's line."""
    box = (Fraction(7, 10), Fraction(1, 20), Fraction(1, 4), Fraction(1, 4))
    edl = Edl(
        ranges=(PLAIN,),
        overlays=(
            Overlay(file="title.mov", start_in_output=Fraction(0), duration=Fraction("1.5")),
            Overlay(file="<logo>.png", start_in_output=Fraction(1, 2), duration=Fraction(1), box=box),
        ),
        music=Music(file="bed.mp3", gain_db=-12, duck_db=10),
    )
    told = lines(edl)
    assert told[0] == ["1 range, 00:02, 2 overlays, music bed.mp3 at −12 dB, 10 dB less under speech"]
    assert told[3:] == [
        [],
        ["over the film", "from", "to", "where"],
        ["title.mov", "0.00", "1.50", "the whole picture"],
        ["<logo>.png", "0.50", "1.50", "70 % from the left, 5 % from the top, 25 % wide, 25 % high"],
    ]
    shown = edl._repr_html_()
    assert shown.count("<table") == 2
    assert "&lt;logo&gt;.png" in shown
    plain = replace(edl, overlays=edl.overlays[:1], music=Music(file="bed.mp3", gain_db=3, duck_db=0))
    assert plain.sentence == "1 range, 00:02, 1 overlay, music bed.mp3 at 3 dB"


def test_the_reason_of_a_decision_is_said() -> None:
    """After the range's own, unless it is the same."""
    decided = replace(PLAIN, id="r-2", status="accepted", extra={"why": "calm"})
    same = replace(PLAIN, id="r-3", extra={"why": "clean"})
    assert [line[-1] for line in lines(Edl(ranges=(PLAIN, decided, same)))[2:]] == [
        "clean",
        "clean; calm",
        "clean",
    ]
