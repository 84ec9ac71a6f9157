from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cutbook.edit.edl import Edl, dump
from cutbook.edit.reading import load
from cutbook.edit.take import Take
from cutbook.errors import EdlError
from cutbook.files import UserFolders
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.media.probe import Picture
from cutbook.render.conform import filled
from cutbook.render.film import render
from cutbook.render.plan import plan
from tests.render.footage import BITS, Clip, Gray, edl, pictures, span


def bits(picture: Gray, first: int, last: int) -> list[int]:
    """Read the bars [first, last) that fill a picture."""
    width = picture.shape[1] / (last - first)
    rows = picture[picture.shape[0] // 4 : picture.shape[0] // 2]
    return [int(rows[:, int((n + 0.5) * width)].mean() > 126) for n in range(last - first)]


def of(number: int, first: int, last: int) -> list[int]:
    """Give the bits [first, last) of a number, the lowest first."""
    return [(number >> bit) & 1 for bit in range(first, last)]


def test_each_range_is_cropped_about_its_own_centre(
    clips: dict[str, Clip], folders: UserFolders, runner: Ffmpeg, tmp_path: Path
) -> None:
    """Landscape on an upright canvas: filled about the left, the right and an edge, or whole."""
    takes = {"pal": clips["pal"].take("pal", folders), "phone": clips["phone"].take("phone", folders)}
    half = Fraction(1, 2)
    cut: Edl = edl(
        span("1", takes["pal"], 10, 20, centre=(Fraction(1, 4), half)),
        span("2", takes["pal"], 30, 40, centre=(Fraction(3, 4), half)),
        span("3", takes["pal"], 50, 60, centre=(Fraction(1), Fraction(0))),
        span("4", takes["pal"], 70, 80, fit="fit"),
        span("5", takes["phone"], 12, 24),
        fit="fill",
    )
    made = render(
        plan(cut, takes, size=(80, 90), rate=Fraction(25)),
        takes=takes,
        edit=tmp_path,
        output=tmp_path / "film.mp4",
        ffmpeg=runner,
        pictures=False,
    )
    shown = pictures(made.path)
    assert {each.shape for each in shown} == {(90, 80)}
    assert [bits(each, 0, 5) for each in shown[:10]] == [of(n, 0, 5) for n in range(10, 20)]
    assert [bits(each, 5, 10) for each in shown[10:20]] == [of(n, 5, 10) for n in range(30, 40)]
    assert [bits(each, 5, 10) for each in shown[20:30]] == [of(n, 5, 10) for n in range(50, 60)]
    middle = [each[24:66] for each in shown[30:40]]
    assert [bits(each, 0, BITS) for each in middle] == [of(n, 0, BITS) for n in range(70, 80)]
    assert max(int(np.concatenate((each[:20], each[70:])).max()) for each in shown[30:40]) < 40
    # The phone's 90×160 fills 80×90 as 80×142: all of its width.
    assert [bits(each, 0, BITS) for each in shown[40:50]] == [
        of(int(12 + (k + 0.125) / 25 * 30000 / 1001), 0, BITS) for k in range(10)
    ]
    assert made.proof.ok


@pytest.mark.parametrize(
    ("shape", "size", "centre", "expected"),
    [
        ((1920, 1080), (1080, 1920), ("0.5", "0.5"), ((3414, 1920), (1168, 0))),
        ((1920, 1080), (1080, 1920), ("0", "0"), ((3414, 1920), (0, 0))),
        ((1920, 1080), (1080, 1920), ("1", "1"), ((3414, 1920), (2334, 0))),
        ((1080, 1920), (1080, 1080), ("0.5", "0.25"), ((1080, 1920), (0, 0))),
        ((640, 480), (640, 480), ("0.9", "0.9"), ((640, 480), (0, 0))),
    ],
)
def test_a_crop_covers_its_canvas_and_stays_inside(  # noqa: PLR0917 - fixtures
    shape: tuple[int, int],
    size: tuple[int, int],
    centre: tuple[str, str],
    expected: tuple[tuple[int, int], tuple[int, int]],
    clips: dict[str, Clip],
    folders: UserFolders,
) -> None:
    """The picture is scaled to cover, and cropped about the centre as far as it has picture there; all even."""
    picture = clips["pal"].take("pal", folders).media.picture
    assert isinstance(picture, Picture)
    shown = replace(picture, width=shape[0], height=shape[1])
    assert filled(shown, size, (Fraction(centre[0]), Fraction(centre[1]))) == expected


def test_fit_of_the_call_is_before_the_film_s_and_behind_the_range_s(
    clips: dict[str, Clip], folders: UserFolders
) -> None:
    """A range's own fit holds; else the call's, else the cut list's."""
    takes = {"pal": clips["pal"].take("pal", folders)}
    cut: Edl = edl(span("1", takes["pal"], 0, 9), span("2", takes["pal"], 10, 19, fit="fit"))
    assert [each.framing.fill for each in plan(cut, takes).segments] == [False, False]
    assert [each.framing.fill for each in plan(cut, takes, fit="fill").segments] == [True, False]
    filling = replace(cut, fit="fill")
    assert [each.framing.fill for each in plan(filling, takes).segments] == [True, False]
    assert [each.framing.fill for each in plan(filling, takes, fit="fit").segments] == [False, False]


def test_transition_fit_and_centre_are_read_written_and_checked(
    clips: dict[str, Clip], folders: UserFolders, tmp_path: Path
) -> None:
    """They come back from the file as they were written; what they cannot be is named by range and key."""
    takes: dict[str, Take] = {"pal": clips["pal"].take("pal", folders)}
    one = {"source": "pal", "start": 1, "end": 2, "id": "r-a"}

    def read(**more: object) -> Edl:
        whole = {"version": 2, "sources": {}, "ranges": [one | more], "fit": "fill"}
        (tmp_path / "edl.json").write_text(json.dumps(whole))
        return load(tmp_path, takes)

    edl = read(transition={"kind": "dissolve", "frames": 12}, fit="fit", centre=[0.3, 0.5])
    (tmp_path / "edl.json").write_text(dump(edl))
    back = load(tmp_path, takes)
    piece = back.ranges[0]
    assert (piece.dissolve, piece.fit, piece.centre) == (12, "fit", (Fraction(3, 10), Fraction(1, 2)))
    assert (back.fit, json.loads(dump(back))["ranges"][0]["transition"]) == (
        "fill",
        {"kind": "dissolve", "frames": 12},
    )
    wrong: list[tuple[dict[str, object], str]] = [
        ({"transition": "dissolve"}, "range 1 .r-a.: transition must be like"),
        ({"transition": {"kind": "wipe", "frames": 3}}, "kind is 'wipe'; there is dissolve alone"),
        ({"transition": {"kind": "dissolve", "frames": 0}}, "frames must be frames of the film from 1"),
        ({"transition": {"frames": 3, "curve": 1}}, "curve is no key of a transition"),
        ({"fit": "stretch"}, "fit is 'stretch'; it is one of fit, fill"),
        ({"centre": [0.5, 1.5]}, "centre must be 2 numbers from 0 to 1"),
    ]
    for keys, sentence in wrong:
        with pytest.raises(EdlError, match=sentence):
            read(**keys)
