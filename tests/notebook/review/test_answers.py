"""What a view asks, and the answers with their buffers."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from cutbook import Project
from tests.barcode import make_numbered, number
from tests.launch import hear
from tests.notebook.review.talk import Talk


def picture(data: bytes) -> Image.Image:
    """Return a JPEG as it is."""
    opened = Image.open(BytesIO(data))
    assert opened.format == "JPEG"
    return opened


@pytest.fixture
def numbered(launch: Path) -> Talk:
    """Return a view of a film whose every picture says its number."""
    make_numbered(launch / "N.mp4", seconds=4, sound="beeps")
    hear(launch, "N", (("one", 0.5, 1.0), ("two", 1.5, 2.0)))
    project = Project(launch)
    project.cut("N #1-#2")
    talk = Talk(project)
    talk.hello()
    return talk


def test_words_are_told_as_columns(talk: Talk) -> None:
    """The words of a take come in columns that count from 1."""
    answer, buffers = talk.ask("words", take="C0101")
    assert answer["words"]["text"][:3] == ["Ninety", "percent", "is"]
    assert answer["words"]["number"] == list(range(1, 9))
    assert answer["words"]["start"][0] == 500
    assert list(buffers) == []


def test_peaks_are_a_byte_for_each_hundredth(talk: Talk) -> None:
    """Levels lie on take time: a beep of half of full scale at each second, nothing between; no sound has none."""
    answer, (data,) = talk.ask("peaks", take="C0101")
    assert answer["take"] == "C0101"
    levels = np.frombuffer(data, np.uint8)
    assert abs(len(levels) - 600) <= 5
    # The RMS of a sine of half of full scale is 0.354.
    for second in range(1, 5):
        assert abs(int(levels[100 * second + 5]) - 90) <= 4
        assert int(levels[100 * second + 50]) <= 2
    assert talk.ask("peaks", take="S0303")[1] == [b""]


def test_a_sprite_is_frames_side_by_side(numbered: Talk) -> None:
    """Columns show the middles of equal parts of the frames asked for, in order."""
    answer, (data,) = numbered.ask("sprite", take="N", frames=[20, 60], columns=4, height=90)
    assert (answer["columns"], answer["width"], answer["height"]) == (4, 160, 90)
    strip = np.asarray(picture(data))
    assert strip.shape == (90, 640, 3)
    shown = [number(column) for column in np.split(strip, 4, axis=1)]
    assert all(abs(each - wanted) <= 5 for each, wanted in zip(shown, [25, 35, 45, 55], strict=True))
    numbered.ask("clip", take="N")
    while numbered.exchange.room.clips.making:
        numbered.wait(after=len(numbered.sent) - 1)
    _, (exact,) = numbered.ask("sprite", take="N", frames=[20, 60], columns=4, height=90)
    columns = np.split(np.asarray(picture(exact)), 4, axis=1)
    assert [number(column) for column in columns] == [25, 35, 45, 55]


def test_a_poster_is_the_very_frame(numbered: Talk) -> None:
    """A poster shows the frame asked for, the last one past the end."""
    for frame, shown in ((0, 0), (37, 37), (5000, 119)):
        answer, (data,) = numbered.ask("poster", take="N", frame=frame, height=90)
        assert answer["frame"] == shown
        assert picture(data).size == (160, 90)
        assert number(np.asarray(picture(data))) == shown


def test_other_goes_at_a_sentence_are_offered(talk: Talk, project: Project, launch: Path) -> None:
    """The same words in a take that the cut list does not use are offered, and that take is then on the board."""
    import shutil

    shutil.copy2(launch / "C0101.mp4", launch / "D0404.mp4")
    with (launch / "D0404.mp4").open("ab") as file:
        file.write(b"\0" * 64)
    hear(
        launch,
        "D0404",
        (("Ninety", 1.0, 1.4), ("percent", 1.45, 1.9), ("is", 1.95, 2.1), ("wasted.", 2.15, 2.7)),
    )
    answer, _ = talk.ask("others", range=talk.ids[0])
    assert answer["ok"], answer["error"]
    (first, *_) = answer["others"]
    assert (first["take"], first["words"], first["likeness"], first["used"]) == ("D0404", [1, 4], 100, "")
    assert first["quote"] == "Ninety percent is wasted."
    # A new file in the folder may have been told before.
    told = next(told for told in talk.told("changed") if "D0404" in told["board"]["takes"])
    assert told["board"]["takes"]["D0404"]["words"] == 4
    assert talk.sent.index((told, [])) < talk.sent.index((answer, []))
    assert talk.do(verb="swap", range=talk.ids[0], take="D0404", words=[1, 4])["ok"]
    assert project.edl.ranges[0].source == "D0404"


def test_versions_and_what_changed_since_one(talk: Talk) -> None:
    """Versions are told oldest first with who, why and when; a comparison says what was and what is now."""
    first, second, third = talk.ids
    talk.do(verb="reject", ranges=[second], why="hums")
    talk.do(verb="move", ranges=[third], before=first)
    talk.do(verb="trim", range=first, edge="out", frame=40, exact=True)
    versions = talk.ask("versions")[0]["versions"]
    assert [each["number"] for each in versions] == [1, 2, 3, 4]
    assert [each["current"] for each in versions] == [False, False, False, True]
    assert (versions[1]["by"], versions[1]["why"]) == ("reject", "hums")
    assert [each["what"] for each in versions] == ["", "reject 2", "move 3", "trim 2"]
    assert versions[0]["when"].startswith("20")
    answer, _ = talk.ask("compare", version=1)
    rows: list[dict[str, Any]] = answer["rows"]
    assert {row["what"] for row in rows} <= {"kept", "added", "dropped", "moved", "trimmed", "decided"}
    dropped = next(row for row in rows if row["what"] == "dropped")
    assert (dropped["range"], dropped["now"]) == (second, "")
    assert "We fixed that." in dropped["was"]
    trimmed = next(row for row in rows if row["what"] == "trimmed")
    assert trimmed["range"] == first
    assert "wasted." in trimmed["was"]
    assert any(row["what"] == "moved" and "place" in row["was"] for row in rows)
    assert "hums" in answer["text"]
    assert "no version 99" in talk.ask("compare", version=99)[0]["error"]


def test_slips_are_pointed_at(talk: Talk, project: Project) -> None:
    """Fillers and long pauses of kept ranges are told with their frames."""
    project.cut("C0101 #1-#8")
    talk.hello()
    slips = talk.ask("slips", pauses=0.5)[0]["slips"]
    filler = next(slip for slip in slips if slip["kind"] == "filler")
    assert (filler["range"], filler["frames"], filler["text"]) == (talk.ids[0], [90, 99], "Um,")
    assert {slip["kind"] for slip in slips} == {"filler", "pause"}


@pytest.mark.parametrize(
    ("what", "arguments", "error"),
    [
        ("words", {"take": "C9999"}, "no take 'C9999'"),
        ("words", {}, "take wants a text"),
        ("sprite", {"take": "C0101", "frames": [0, 10], "columns": 0, "height": 50}, "columns"),
        ("sprite", {"take": "C0101", "frames": [9, 3], "columns": 2, "height": 50}, "frames"),
        ("sprite", {"take": "C0101", "frames": [0, 10], "columns": 2, "height": 10**6}, "height"),
        ("poster", {"take": "C0101", "frame": -1, "height": 50}, "frame"),
        ("piece", {"take": "C0101", "part": None, "start": 0, "end": 10}, "no such file"),
        ("piece", {"take": "C0101", "part": "x", "start": 0, "end": 10}, "part"),
        ("others", {"range": "r-zzzzz"}, "r-zzzzz"),
        ("slips", {"pauses": 0}, "pauses"),
        ("compare", {"version": "one"}, "version"),
        ("weather", {}, "'weather' is no question"),
        (None, {}, "no question"),
    ],
)
def test_what_cannot_be_answered_is_said(
    talk: Talk, what: str, arguments: dict[str, Any], error: str
) -> None:
    """A question that has no answer is answered by one line."""
    answer, buffers = talk.ask(what, **arguments)
    assert (answer["ok"], buffers) == (False, [])
    assert error in answer["error"]
    assert "\n" not in answer["error"]
