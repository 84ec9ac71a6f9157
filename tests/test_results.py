"""What the take table says of odd footage, each kind made for the test."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutbook import Project
from cutbook.results import TakeTable
from tests.footage import (
    make_clip,
    make_cover_mp3,
    make_stream_webm,
    make_two_tracks,
    make_undecodable,
    make_variable,
    named,
    run,
)

SMALL = (160, 90)
FIELDS = ["-flags", "+ilme+ildct", "-x264-params", "tff=1", "-vf", "setfield=tff"]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> TakeTable:
    """Return the table of a folder with one file of each kind."""
    folder = tmp_path_factory.mktemp("odd")
    make_clip(folder / "plain.mp4", size=SMALL, seconds=1)
    make_clip(folder / "turned.mp4", size=SMALL, seconds=1, rotate=90)
    make_clip(folder / "hlg.mp4", size=SMALL, seconds=1, transfer="hlg")
    make_clip(folder / "pq.mp4", size=SMALL, seconds=1, transfer="pq")
    make_clip(folder / "silent.mp4", size=SMALL, seconds=1, sound="none")
    make_clip(folder / "late.mp4", size=SMALL, seconds=2, late=0.8)
    make_clip(folder / "coded.mov", size=SMALL, seconds=1, rate="25", extra=["-timecode", "09:58:30:00"])
    make_clip(folder / "zero.mov", size=SMALL, seconds=1, rate="25", extra=["-timecode", "00:00:00:00"])
    make_clip(folder / "fields.mp4", size=(160, 96), seconds=1, rate="25", extra=FIELDS)
    make_clip(folder / "wide.mp4", size=SMALL, seconds=1, extra=["-vf", "setsar=2"])
    make_clip(folder / "many.mp4", size=SMALL, seconds=1, sound="5.1")
    make_variable(folder / "screen.mp4")
    make_stream_webm(folder / "browser.webm")
    make_cover_mp3(folder / "song.mp3")
    tracks = make_two_tracks(folder / "tracks.mp4")
    make_undecodable(tracks, folder / "spatial.mp4")
    run("-i", named(folder / "plain.mp4"), "-c", "copy", "-t", "0.5", named(folder / "again.mkv"))
    return Project(folder).table()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("plain", ""),
        ("again", ""),
        ("turned", "rotated by 90°"),
        ("hlg", "HDR (HLG)"),
        ("pq", "HDR (PQ)"),
        ("silent", "no sound"),
        # An encoder's 1024 samples before the first one are no sound: 0.8 s less 21 ms.
        ("late", "sound starts 0.78 s late; sound ends 0.80 s after the picture"),
        ("coded", "timecode starts at 09:58:30:00"),
        ("zero", ""),
        ("fields", "interlaced"),
        ("wide", "pixels are not square (2:1)"),
        ("many", ""),
        ("browser", ""),
        ("song", "cover art in stream 1 is no picture"),
        ("tracks", ""),
        ("spatial", "sound track in stream 2 cannot be decoded and is ignored"),
    ],
)
def test_what_is_odd_about_a_file_is_said_in_plain_words(table: TakeTable, name: str, said: str) -> None:
    """Each oddity stands in the row of its file, in words, and nothing stands where nothing is odd."""
    (row,) = [each for each in table.rows if each.name == name]
    assert row.cells[-1] == said


def test_a_variable_rate_is_said_with_both_rates(table: TakeTable) -> None:
    """A screen recording's row names its rate on average and the grid that it is cut on."""
    (row,) = [each for each in table.rows if each.name == "screen"]
    assert row.cells[-1].startswith("variable frame rate: ")
    assert row.cells[-1].endswith("on average, cut on a grid of 30")


@pytest.mark.parametrize(
    ("name", "rate", "size", "sound"),
    [
        ("plain", "30", "160×90", "stereo 48 kHz"),
        ("turned", "30", "90×160", "stereo 48 kHz"),
        ("wide", "30", "320×90", "stereo 48 kHz"),
        ("silent", "30", "160×90", "none"),
        ("many", "30", "160×90", "5.1 48 kHz"),
        ("song", "", "", "stereo 48 kHz"),
        ("tracks", "30", "320×180", "stereo 48 kHz (track 0 of 2)"),
        ("coded", "25", "160×90", "stereo 48 kHz"),
    ],
)
def test_rate_size_and_sound_are_as_they_are_shown_and_heard(
    table: TakeTable, name: str, rate: str, size: str, sound: str
) -> None:
    """The size is that on the screen, the sound that of the track in use, with how many there are."""
    (row,) = [each for each in table.rows if each.name == name]
    assert row.cells[2:5] == (rate, size, sound)


def test_text_and_page_say_the_same(table: TakeTable) -> None:
    """What a cell says stands in the table as text and in the notebook's page."""
    for row in table.rows:
        for cell in row.cells:
            assert cell in repr(table)
            assert cell in table._repr_html_()


def test_takes_that_cannot_be_read_say_why(tmp_path: Path) -> None:
    """A file that is no film stands among the takes, with the reason, and is counted apart."""
    make_clip(tmp_path / "good.mp4", size=SMALL, seconds=1)
    (tmp_path / "bad.mp4").write_bytes(b"")
    found = Project(tmp_path).table()
    assert found.sentence.endswith("1 take, 00:01; 1 file cannot be read")
    assert [row.cells[-1] for row in found.rows if row.take is None] == [
        "bad.mp4 is empty (0 bytes); copy it again from the camera or the recorder, or repair it"
    ]
