from __future__ import annotations

import io
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from cutbook import Project
from cutbook.errors import InputError, PreflightError
from cutbook.files import UserFolders
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.render.film import render
from cutbook.render.looks import MOST, draw, looks
from cutbook.render.plan import plan
from tests.footage import make_clip
from tests.render.footage import Clip, edl, pictures, span


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Return a project of one red and one grey take, a range of each."""
    folder = tmp_path_factory.mktemp("looks")
    for name, colour in (("red", "0xb04040"), ("grey", "0x808080")):
        make_clip(
            folder / f"{name}.mp4", size=(320, 180), seconds=1, picture=f"color={colour}:s=320x180:r=25"
        )
    made = Project(folder)
    made.cut("HOOK red 0-1\ngrey 0-0.5")
    return made


def test_each_range_is_seen_before_and_after_its_grade(project: Project) -> None:
    """Left of each pair is the take's picture, right what the grade makes of it: without saturation, grey."""
    drawn = project.timeline_grade("hue=s=0")
    assert (drawn.path.name, drawn.path.is_file(), drawn.path.read_bytes() == drawn.png) == (
        "grade.png",
        True,
        True,
    )
    with Image.open(io.BytesIO(drawn.png)) as picture:
        image = np.asarray(picture.convert("RGB")).astype(int)
    assert image.shape[:2] == (drawn.height, drawn.width)
    row = image[100]
    shown = [row[x].tolist() for x in (150, 150 + 388, 6 + 400 * 2 + 150, 6 + 400 * 2 + 150 + 388)]
    # Rec. 709 makes 0.2126·176 + 0.7874·64 = 88 of the red's light, as it is coded.
    for found, expected in zip(shown, ((176, 64, 64), (88, 88, 88), (128,) * 3, (128,) * 3), strict=True):
        assert np.abs(np.array(found) - expected).max() <= 6


def test_after_is_what_a_render_makes(
    clips: dict[str, Clip], folders: UserFolders, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """The picture after the grade is the film's own, to what coding costs."""
    takes = {"pal": clips["pal"].take("pal", folders)}
    cut = edl(span("1", takes["pal"], 10, 31, grade="eq=gamma=1.4:contrast=0.7"))
    planned = plan(cut, takes)
    film = render(
        planned,
        takes=takes,
        edit=tmp_path,
        output=tmp_path / "film.mp4",
        ffmpeg=one_runner,
        tier_name="final",
    )
    (look,) = looks(planned, takes, one_runner)
    with Image.fromarray(look.after) as after:
        small = np.asarray(after.convert("L").resize((160, 90))).astype(int)
    # The middle of frames 10 to 31 is in frame 20, the eleventh of the film.
    assert np.abs(small - pictures(film.path)[10].astype(int)).mean() < 6
    assert np.abs(small - np.asarray(Image.fromarray(look.before).convert("L").resize((160, 90)))).mean() > 20


def test_what_cannot_be_shown_is_said(project: Project) -> None:
    """No grade, one that is no filter, and one that drops frames are refused in a line."""
    with pytest.raises(InputError, match="no range with a picture has a grade; name one, like auto"):
        project.timeline_grade()
    with pytest.raises(PreflightError, match=r"'nosuch=1' is no filter that ffmpeg can use .*nosuch"):
        project.timeline_grade("nosuch=1")
    with pytest.raises(PreflightError, match="changes the frames' number or times"):
        project.timeline_grade("fps=5")


def test_of_many_ranges_some_are_shown(
    clips: dict[str, Clip], folders: UserFolders, one_runner: Ffmpeg
) -> None:
    """Of more than a dozen ranges a dozen are shown, from the first on, evenly spread; auto says what it did."""
    takes = {"pal": clips["pal"].take("pal", folders)}
    cut = edl(*(span(str(n), takes["pal"], n, n + 2, beat=f"B{n}") for n in range(2 * MOST)), grade="auto")
    found = looks(plan(cut, takes), takes, one_runner)
    assert [look.label for look in found] == [
        f"B{n} pal {float(Fraction(n + 1, 25)):.2f} s" for n in range(0, 24, 2)
    ]
    assert all(look.grade.startswith("auto: ") for look in found)
    assert draw(found)[1] <= 1600
