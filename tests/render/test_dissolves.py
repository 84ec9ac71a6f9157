from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cutbook.edit.edl import Range
from cutbook.edit.take import Take
from cutbook.errors import EdlError
from cutbook.files import UserFolders
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.render.film import Film, render
from cutbook.render.plan import plan
from cutbook.transcripts.model import Word
from tests.render.footage import Clip, edl, film, number, pictures, span

PAL = Fraction(25)


@pytest.fixture
def takes(clips: dict[str, Clip], folders: UserFolders) -> dict[str, Take]:
    """Return takes of 100 frames at 25 and at 30000/1001 a second."""
    return {name: clips[name].take(name, folders) for name in ("pal", "ntsc")}


def make(ranges: list[Range], takes: dict[str, Take], ffmpeg: Ffmpeg, place: Path) -> Film:
    """Render ranges as a preview at 25 a second."""
    return render(
        plan(edl(*ranges), takes, size=(160, 90), rate=PAL),
        takes=takes,
        edit=place,
        output=place / "film.mp4",
        ffmpeg=ffmpeg,
        pictures=False,
    )


def test_a_dissolve_mixes_frame_by_frame_across_its_cut(
    any_ffmpeg: Path, folders: UserFolders, runner: Ffmpeg, tmp_path: Path
) -> None:
    """Between a dark and a light take each of the dissolve's frames is their mix in its own share."""
    shades = {"dark": "lutyuv=y=40", "light": "lutyuv=y=200"}
    takes = {}
    for name, filters in shades.items():
        made = film(tmp_path / f"{name}.mp4", any_ffmpeg, rate=PAL, frames=60, seed=None, filters=filters)
        takes[name] = made.take(name, folders)
    ranges = [span("1", takes["dark"], 0, 20), span("2", takes["light"], 20, 50, dissolve=9)]
    done = make([*ranges, span("3", takes["dark"], 10, 30, dissolve=4)], takes, runner, tmp_path)
    found = [float(each.mean()) for each in pictures(done.path)]
    shares = (
        [0.0] * 16
        + [k / 10 for k in range(1, 10)]
        + [1.0] * 23
        + [1 - k / 5 for k in range(1, 5)]
        + [0.0] * 18
    )
    low, high = found[0], found[30]
    assert high - low > 100
    assert [(level - low) / (high - low) for level in found] == pytest.approx(shares, abs=0.012)
    assert done.proof.ok
    again = make(ranges, takes, runner, tmp_path)
    assert (again.encoded, again.cached) == (1, 1)


def test_a_dissolve_shows_the_right_frames_of_both(
    takes: dict[str, Take], one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """The stronger of the two pictures can be read in the dissolve, and the neighbours' handles follow their clocks."""
    ranges = [span("1", takes["pal"], 10, 40), span("2", takes["pal"], 64, 90, dissolve=10)]
    found = [
        number(each, (0, 0, 160, 90)) for each in pictures(make(ranges, takes, one_runner, tmp_path).path)
    ]
    # The stronger picture is the one that the cut alone would show: 30 frames of the first, 26 of the second.
    assert found == [*range(10, 40), *range(64, 90)]
    both = pictures(tmp_path / "film.mp4")[26].astype(int)
    bits = [[(n >> bit) & 1 for bit in range(10)] for n in (36, 60)]
    shares = [1 - 2 / 11, 2 / 11]
    mixed = [16 + 219 * sum(s * b[bit] for s, b in zip(shares, bits, strict=True)) for bit in range(10)]
    levels = [
        float(np.mean(both[20:60, int((bit + 0.5) * 16) - 2 : int((bit + 0.5) * 16) + 2]))
        for bit in range(10)
    ]
    assert levels == pytest.approx(mixed, abs=8)


def test_takes_of_two_rates_dissolve_and_keep_their_counts(
    takes: dict[str, Take], one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """A dissolve between 25 and 30000/1001 a second, captions and grades or not, is as long as its ranges say."""
    ranges = [
        span("1", takes["pal"], 10, 40, grade="eq=contrast=1.1,eq=gamma=1.02"),
        span("2", takes["ntsc"], 30, 60, dissolve=7, grade="subtle"),
        span("3", takes["pal"], 50, 60, dissolve=1),
    ]
    made = make(ranges, takes, one_runner, tmp_path)
    assert len(pictures(made.path)) == 30 + 25 + 10
    assert made.proof.ok


def test_sound_crosses_over_as_long_as_the_dissolve_but_for_words_that_are_not_kept(
    clips: dict[str, Clip], folders: UserFolders
) -> None:
    """Half of the crossfade lies on either side of the cut; a word beyond an edge shortens it, down to 30 ms."""
    silent = clips["pal"].take("pal", folders)
    ranges = [span("1", silent, 0, 40), span("2", silent, 60, 100, dissolve=10)]
    one, two = plan(edl(*ranges), {"pal": silent}).pieces
    cut = 40 * 1920
    assert (one.end - cut, cut - two.first, one.fade_out, two.fade_in) == (9600, 9600, 19_200, 19_200)
    assert (one.crossed_out, two.crossed_in) == (True, True)
    for start, half in ((Fraction("1.7"), 4800), (Fraction("1.59"), 720)):
        said = replace(clips["pal"], words=(Word(1, "um", start, start + Fraction("0.1")),))
        takes = {"pal": said.take("pal", folders)}
        one, two = plan(edl(*ranges), takes).pieces
        assert (one.end - cut, cut - two.first) == (half, half)


@pytest.mark.parametrize(
    ("first", "second", "sentence"),
    [
        (
            (0, 20),
            (30, 50, 50),
            r"\(r-2\): its dissolve of 50 frames does not fit into ranges of 20 and 20",
        ),
        (
            (0, 98),
            (30, 60, 10),
            r"needs 5 frames of pal after the cut and 5 of pal before it; there are 0.08 s and",
        ),
        ((0, 20), (2, 60, 10), r"there are 3.20 s and 0.08 s: make it shorter or trim the ranges"),
    ],
)
def test_a_dissolve_without_room_is_refused(
    first: tuple[int, int], second: tuple[int, int, int], sentence: str, takes: dict[str, Take]
) -> None:
    """Ranges that are too short, or takes that have no frames beyond the cut: one line that says how many there are."""
    ranges = [
        span("1", takes["pal"], *first),
        span("2", takes["pal"], second[0], second[1], dissolve=second[2]),
    ]
    with pytest.raises(EdlError, match=sentence):
        plan(edl(*ranges), takes)
    with pytest.raises(EdlError, match="has no range before it"):
        plan(edl(replace(ranges[0], dissolve=4)), takes)
