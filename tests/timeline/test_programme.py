from __future__ import annotations

import io
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from cutbook.edit.edl import Edl, Range
from cutbook.edit.take import Take
from cutbook.errors import InputError, TimeError, UnknownTake
from cutbook.timebase import Span
from cutbook.timeline.composite import compose_edit, compose_file
from cutbook.timeline.gather import file_scene
from cutbook.timeline.layout import Lane, arrange
from cutbook.timeline.palette import ACCENT
from cutbook.timeline.programme import edit_scene, film_rate, programme, told
from tests.barcode import number
from tests.timeline.conftest import Films, take

LEFT, RIGHT = 64, 1580


def piece(source: str, start: int, end: int, rate: int, **more: Any) -> Range:
    """Give a range by its frames."""
    return Range(id=f"r-{start:05d}", source=source, frames=(start, end), rate=Fraction(rate), **more)


@pytest.fixture
def takes(films: Films) -> dict[str, Take]:
    """Return both takes by name."""
    return {"C0103": take("C0103", films.first), "C0104": take("C0104", films.second)}


@pytest.fixture
def edl() -> Edl:
    """Return an edit of 60 and 25 frames at 30 and 25 a second, with a rejected range between."""
    return Edl(
        ranges=(
            piece("C0103", 30, 90, 30, beat="HOOK"),
            piece("C0103", 90, 100, 30, status="rejected"),
            piece("C0104", 50, 75, 25, beat="PROBLEM"),
        )
    )


def test_ranges_follow_each_other_in_whole_frames_of_the_film(edl: Edl, takes: dict[str, Take]) -> None:
    """60 frames of 30 are 2 s, 25 frames of 25 become 30 of 30: 1 s; a rejected range takes no time."""
    pieces = programme(edl, takes)
    assert [each.span for each in pieces] == [Span(Fraction(0), Fraction(2)), Span(Fraction(2), Fraction(3))]
    assert pieces[1].shift == 0


def test_rate_of_the_film_is_set_or_that_of_most(edl: Edl) -> None:
    """The film runs at the rate with the most kept time, unless the edit sets one."""
    assert film_rate(edl) == 30
    assert film_rate(Edl(ranges=edl.ranges, rate=Fraction(24))) == 24


def test_pictures_and_boundaries_stand_on_the_films_clock(
    edl: Edl, takes: dict[str, Take], tmp_path: Path
) -> None:
    """Over each time of the film stands the frame shown then, of the right take, and the cut lies where it is."""
    drawn = compose_edit(edl, takes, frames=6, cache=tmp_path)
    scene = edit_scene(programme(edl, takes), edl, frames=6, cache=tmp_path)
    lane = arrange(scene).film
    assert lane is not None
    with Image.open(io.BytesIO(drawn.png)) as picture:
        image = np.asarray(picture.convert("RGB"))
    for middle, expected in (
        (0.25, 37),
        (0.75, 52),
        (1.25, 67),
        (1.75, 82),
        (2.25, 500 + 56),
        (2.75, 500 + 68),
    ):
        x = round(LEFT + middle / 3 * (RIGHT - LEFT))
        half = min(1516 // 6, round(lane.height * 16 / 9)) // 2 - 1
        assert number(image[lane.top : lane.bottom, x - half : x + half]) == expected
    assert [shot.span.start for shot in scene.shots] == [Fraction(n, 2) for n in range(6)]


def test_words_stand_on_the_films_clock(edl: Edl, takes: dict[str, Take], tmp_path: Path) -> None:
    """A word is shown when the film says it; words that are cut away are not there."""
    scene = edit_scene(programme(edl, takes), edl, frames=2, cache=tmp_path)
    assert [(word.text, word.start) for word in scene.said] == [
        ("two", Fraction(0)),
        ("three", Fraction("1.4")),
        ("three", Fraction("2.4")),
    ]


@pytest.mark.parametrize(
    ("split", "edge", "said"),
    [
        # Cut at 1 s of the film, 2.88 s of the second take: its "three" of 2.4 s is heard from 0.52 s of the film on.
        (("0.5", "0"), "0.5", [("two", "0"), ("three", "0.52"), ("four", "1.02")]),
        # Of the second take, "four" is heard for most of its length behind 1.3 s of the film all the same.
        (("0", "0.3"), "1.3", [("two", "0"), ("four", "1.02")]),
    ],
)
def test_split_sound_is_drawn_where_it_is_cut(
    split: tuple[str, str], edge: str, said: list[tuple[str, str]], takes: dict[str, Take], tmp_path: Path
) -> None:
    """A J or L cut's words are those heard; in the sound's lane its line stands at the sound's cut alone."""
    edl = Edl(
        ranges=(
            piece("C0103", 30, 60, 30, audio_lag=Fraction(split[1])),
            piece("C0104", 72, 100, 25, audio_lead=Fraction(split[0])),
        )
    )
    pieces = programme(edl, takes)
    scene = edit_scene(pieces, edl, frames=2, cache=tmp_path)
    assert [(word.text, word.start) for word in scene.said] == [(text, Fraction(at)) for text, at in said]
    drawn = compose_edit(edl, takes, frames=2, cache=tmp_path)
    with Image.open(io.BytesIO(drawn.png)) as picture:
        image = np.asarray(picture.convert("RGB"))
    layout = arrange(scene)

    def lines(lane: Lane | None) -> list[int]:
        assert lane is not None
        rows = image[lane.top + 20 : lane.bottom]
        found: list[int] = np.flatnonzero((rows == np.array(ACCENT)).all(axis=(0, 2))).tolist()
        return found

    seen, heard = (round(LEFT + float(at) / 2.12 * (RIGHT - LEFT)) for at in (Fraction(1), Fraction(edge)))
    assert lines(layout.film) == [LEFT, seen, RIGHT - 1]
    assert lines(layout.sound) == [LEFT, heard, heard + 1, RIGHT - 1]


def test_a_dissolve_is_drawn_over_its_frames(takes: dict[str, Take], tmp_path: Path) -> None:
    """Of 13 frames at 30 a second, six lie before the cut at 1 s: 0.80 s to 1.23 s are marked on the pictures."""
    edl = Edl(
        ranges=(piece("C0103", 30, 60, 30), piece("C0104", 25, 50, 25, dissolve=13)),
        rate=Fraction(30),
    )
    scene = edit_scene(programme(edl, takes), edl, frames=2, cache=tmp_path)
    assert [bar.dissolve for bar in scene.bars] == [None, Span(Fraction(24, 30), Fraction(37, 30))]
    drawn = compose_edit(edl, takes, frames=2, cache=tmp_path)
    with Image.open(io.BytesIO(drawn.png)) as picture:
        image = np.asarray(picture.convert("RGB"))
    lane = arrange(scene).film
    assert lane is not None
    row = np.flatnonzero((image[lane.top + 1] == np.array(ACCENT)).all(axis=1))
    scale = (RIGHT - LEFT) / 2
    assert (row[row > LEFT].min(), row[row < RIGHT - 1].max()) == (
        round(LEFT + 0.8 * scale),
        round(LEFT + 37 / 30 * scale) - 1,
    )


def test_a_film_s_own_picture_has_the_words_that_are_in_it(
    edl: Edl, takes: dict[str, Take], films: Films, tmp_path: Path
) -> None:
    """A file that is told what it was rendered from shows ranges and words, those in view; another shows none."""
    pieces = programme(edl, takes)
    file = file_scene(films.first, "content", Span(Fraction(1), Fraction(3)), frames=2, cache=tmp_path)
    assert (file.said, file.bars) == ((), ())
    scene = told(file, pieces, edl)
    assert [(word.text, word.start) for word in scene.said] == [
        ("three", Fraction("1.4")),
        ("three", Fraction("2.4")),
    ]
    assert [bar.name for bar in scene.bars] == ["1 HOOK", "3 PROBLEM"]
    assert [pause.span for pause in scene.pauses] == [
        Span(Fraction(1), Fraction("1.4")),
        Span(Fraction(2), Fraction("2.4")),  # until 2 s the first range's "four" is heard in part
    ]
    plain = compose_file(films.first.path, frames=2, cache=tmp_path)
    ours = compose_file(films.first.path, frames=2, edl=edl, takes=takes, cache=tmp_path)
    assert ours.height > plain.height


def test_pauses_are_those_that_are_heard(takes: dict[str, Take], tmp_path: Path) -> None:
    """Two ends of pauses that a cut brings together are one pause, as long as it is heard."""
    edl = Edl(ranges=(piece("C0103", 30, 54, 30), piece("C0103", 57, 90, 30)))
    scene = edit_scene(programme(edl, takes), edl, frames=2, cache=tmp_path)
    assert [(pause.span, pause.length) for pause in scene.pauses] == [
        (Span(Fraction("0.4"), Fraction("1.3")), Fraction("0.9"))
    ]


def test_ranges_have_the_numbers_of_the_whole_list(edl: Edl, takes: dict[str, Take], tmp_path: Path) -> None:
    """The range behind a rejected second one is number 3, as it is where people decide."""
    scene = edit_scene(programme(edl, takes), edl, frames=2, cache=tmp_path)
    assert [bar.name for bar in scene.bars] == ["1 HOOK", "3 PROBLEM"]


def test_rejected_ranges_are_told(edl: Edl, takes: dict[str, Take], tmp_path: Path) -> None:
    """The head says how many ranges there are and that one is rejected."""
    scene = edit_scene(programme(edl, takes), edl, frames=2, cache=tmp_path)
    assert scene.detail.startswith("2 ranges")
    assert "1 rejected, not shown" in scene.facts


def test_dense_edit_keeps_its_pictures_and_counts_names(takes: dict[str, Take], tmp_path: Path) -> None:
    """Hundreds of ranges, too narrow for their own pictures, still have a filmstrip, and a name for a run of a beat."""
    ranges = tuple(
        piece("C0103", n % 100, n % 100 + 3, 30, beat="HOOK" if n < 150 else "END") for n in range(300)
    )
    edl = Edl(ranges=ranges)
    scene = edit_scene(programme(edl, takes), edl, frames=10, cache=tmp_path)
    assert len(scene.shots) == 10
    for shot in scene.shots:
        assert number(shot.image) == int(shot.time * 10) % 100 + int(shot.time % Fraction(1, 10) * 30)
    assert compose_edit(edl, takes, cache=tmp_path).width == 1600


def test_takes_without_sound_or_picture_have_their_gaps(
    takes: dict[str, Take], films: Films, tmp_path: Path
) -> None:
    """A take without sound is silence in between, and no words are missed in it."""
    mute = Take.given("C0105", films.second, takes["C0104"].fingerprint)
    edl = Edl(ranges=(piece("C0103", 30, 60, 30), piece("C0105", 0, 25, 25)))
    scene = edit_scene(programme(edl, {**takes, "C0105": mute}), edl, frames=2, cache=tmp_path)
    assert scene.sound is not None
    assert scene.sound.peaks[:758].max() > 0
    assert not scene.sound.peaks[758:].any()
    assert not [note for note in scene.notes if "no transcript" in note]  # there is no sound to transcribe


def test_edit_that_keeps_nothing_is_refused(takes: dict[str, Take], tmp_path: Path) -> None:
    """An empty edit, or one with all rejected, is refused with what to do."""
    for edl in (Edl(), Edl(ranges=(piece("C0103", 0, 30, 30, status="rejected"),))):
        with pytest.raises(TimeError, match="keeps no range"):
            compose_edit(edl, takes, cache=tmp_path)


def test_range_of_a_missing_take_is_named(edl: Edl, takes: dict[str, Take], tmp_path: Path) -> None:
    """A range whose take is gone is named with the take."""
    del takes["C0104"]
    with pytest.raises(UnknownTake, match=r"C0104 2\.00-3\.00 \(r-00050\) is of a take"):
        compose_edit(edl, takes, cache=tmp_path)


def test_bad_number_of_pictures_is_refused(edl: Edl, takes: dict[str, Take], tmp_path: Path) -> None:
    """The whole edit, too, has 1 to 60 pictures."""
    with pytest.raises(InputError, match="1 to 60"):
        compose_edit(edl, takes, frames=0, cache=tmp_path)


def test_decision_about_a_range_is_drawn_anew(edl: Edl, takes: dict[str, Take], tmp_path: Path) -> None:
    """An accepted range does not come from the cache of the undecided one; the same edit does."""
    once = compose_edit(edl, takes, cache=tmp_path)
    accepted = Edl(ranges=(piece("C0103", 30, 90, 30, beat="HOOK", status="accepted"), *edl.ranges[1:]))
    assert compose_edit(accepted, takes, cache=tmp_path).png != once.png
    assert compose_edit(edl, takes, cache=tmp_path).png == once.png
