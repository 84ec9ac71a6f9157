from __future__ import annotations

import io
import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from cutbook.edit.edl import Range
from cutbook.edit.take import Take
from cutbook.errors import CutbookError, InputError, TimeError, UnreadableMedia
from cutbook.media.probe import probe
from cutbook.timebase import Span
from cutbook.timeline.composite import Composite, compose, compose_file
from cutbook.timeline.gather import take_scene
from cutbook.timeline.layout import Lane, Layout, arrange
from cutbook.timeline.palette import ACCENT, PAUSE, REJECTED, voice
from cutbook.timeline.passages import Passages
from cutbook.transcripts.model import Timing, Word
from tests.barcode import make_numbered, number
from tests.footage import make_sound
from tests.timeline.conftest import Films, take, words

LEFT, RIGHT = 64, 1580
"""Pixels between which the axis lies."""


def pixels(composite: Composite) -> NDArray[np.uint8]:
    """Give the picture as rows of RGB."""
    with Image.open(io.BytesIO(composite.png)) as picture:
        return np.asarray(picture.convert("RGB"))


def column(time: float, start: float, end: float) -> int:
    """Give the pixel of a time on an axis from start to end."""
    return round(LEFT + (time - start) / (end - start) * (RIGHT - LEFT))


def lanes(
    subject: Take, start: Fraction, end: Fraction, cuts: tuple[Range, ...] = (), *, cache: Path
) -> Layout:
    """Give where the lanes of a composite lie."""
    return arrange(take_scene(subject, Span(start, end), frames=10, cuts=cuts, cache=cache))


def there(lane: Lane | None) -> Lane:
    """Give a lane that must be there."""
    assert lane is not None
    return lane


def cut(start: int, end: int, **more: Any) -> Range:
    """Give a range of the first take by its frames."""
    return Range(id="r-aaaaa", source="C0103", frames=(start, end), rate=Fraction(30), **more)


@pytest.mark.parametrize(
    ("start", "end", "frames"), [("0", "4", 10), ("1", "2", 10), ("0.5", "3.5", 6), ("3", "4", 1)]
)
def test_picture_over_a_time_is_of_that_time(
    first: Take, cache: Path, start: str, end: str, frames: int
) -> None:
    """The pixels over the middle of each cell are the frame that the take shows at that time."""
    drawn = compose(first, start, end, frames=frames, cache=cache)
    lane = there(lanes(first, Fraction(start), Fraction(end), cache=cache).film)
    image = pixels(drawn)
    begin, length = Fraction(start), (Fraction(end) - Fraction(start)) / frames
    height = round(1516 / frames * 9 / 16) if frames > 3 else 216
    for cell in range(frames):
        middle = begin + length * cell + length / 2
        x = column(float(middle), float(begin), float(end))
        half = min(round(1516 / frames), round(height * 16 / 9)) // 2
        piece = image[lane.top + 2 : lane.top + 60, x - half : x + half]
        assert number(piece) == int(middle * 30)


def test_pauses_are_shaded_where_they_are(first: Take, cache: Path) -> None:
    """Stretches of 400 ms or more without a word are shaded from edge to edge, and nothing else is."""
    drawn = compose(first, 0, 4, cache=cache)
    lane = there(lanes(first, Fraction(0), Fraction(4), cache=cache).sound)
    row = pixels(drawn)[lane.top + 1, LEFT:RIGHT]
    shaded = (row == np.array(PAUSE)).all(axis=1)
    expected = np.zeros(RIGHT - LEFT, bool)
    for start, end in ((0, 0.5), (1.4, 2.4), (3.5, 4)):
        expected[column(start, 0, 4) - LEFT : column(end, 0, 4) - LEFT] = True
    assert (shaded == expected).all()


def test_sound_is_drawn_in_the_speakers_colour_at_its_level(first: Take, cache: Path) -> None:
    """-20 dBFS fills two thirds of the lane, in the colour of who speaks, over the time of the word."""
    drawn = compose(first, 0, 4, cache=cache)
    lane = there(lanes(first, Fraction(0), Fraction(4), cache=cache).sound)
    image = pixels(drawn)
    for time, speaker in ((1.2, "A"), (3.2, "B")):
        stripe = image[lane.top : lane.bottom, column(time, 0, 4)]
        filled = (stripe == np.array(voice(speaker, ("A", "B")))).all(axis=1)
        assert filled.sum() == round(lane.height * 2 / 3)
        assert filled[-1]


def test_cuts_stand_at_their_times(first: Take, cache: Path) -> None:
    """A range's in and out are lines through the film; those of a rejected one are dashed, in their own colour."""
    cuts = (cut(15, 45, beat="HOOK"), cut(60, 90, beat="B", status="rejected"))
    drawn = compose(first, 0, 4, cuts=cuts, cache=cache)
    lane = there(lanes(first, Fraction(0), Fraction(4), cuts, cache=cache).film)
    rows = pixels(drawn)[lane.top : lane.bottom]
    blue = np.flatnonzero((rows == np.array(ACCENT)).all(axis=(0, 2)))
    red = np.flatnonzero((rows == np.array(REJECTED)).all(axis=2).any(axis=0))
    assert blue.tolist() == [column(0.5, 0, 4), column(1.5, 0, 4) - 1]
    assert red.tolist() == [column(2, 0, 4), column(3, 0, 4) - 1]


def test_pads_are_hatched_at_the_ends_of_their_range(first: Take, cache: Path) -> None:
    """The air before the first and after the last word is hatched over its own length, and only there."""
    plain = cut(15, 105)
    padded = replace(plain, pads=(Fraction(1, 4), Fraction(1, 2)))
    lane = there(lanes(first, Fraction(0), Fraction(4), (plain,), cache=cache).bars)
    rows = slice(lane.top + 3, lane.bottom)
    one = pixels(compose(first, 0, 4, cuts=[plain], cache=cache))[rows]
    two = pixels(compose(first, 0, 4, cuts=[padded], cache=cache))[rows]
    changed = np.flatnonzero((one != two).any(axis=(0, 2)))
    changed = changed[changed < column(1.5, 0, 4)].tolist() + changed[changed > column(2.5, 0, 4)].tolist()
    left = [x for x in changed if x < column(0.75, 0, 4)]
    right = [x for x in changed if x > column(2.5, 0, 4)]
    assert (min(left), max(left)) == (column(0.5, 0, 4) + 1, column(0.75, 0, 4) - 1)
    assert (min(right), max(right)) == (column(3, 0, 4), column(3.5, 0, 4) - 2)


def test_what_no_range_keeps_is_paled(first: Take, cache: Path) -> None:
    """Film outside the kept ranges is lighter than the same film without cuts; inside it is untouched."""
    lane = there(lanes(first, Fraction(0), Fraction(4), (cut(30, 60),), cache=cache).film)
    plain_lane = there(lanes(first, Fraction(0), Fraction(4), cache=cache).film)
    kept = pixels(compose(first, 0, 4, cuts=[cut(30, 60)], cache=cache))[lane.top : lane.bottom]
    plain = pixels(compose(first, 0, 4, cache=cache))[plain_lane.top : plain_lane.bottom]
    inside = slice(column(1, 0, 4) + 2, column(2, 0, 4) - 2)
    outside = slice(column(2, 0, 4) + 2, column(4, 0, 4))
    assert (kept[:, inside] == plain[:, inside]).all()
    assert kept[:, outside].mean() > plain[:, outside].mean() + 60


def test_ranges_of_other_takes_are_passed_over(first: Take, cache: Path) -> None:
    """A range of another take changes nothing."""
    other = replace(cut(30, 60), source="C0104")
    assert compose(first, 0, 4, cuts=[other], cache=cache).png == compose(first, 0, 4, cache=cache).png


def test_range_that_ends_with_the_clip_works(first: Take, cache: Path) -> None:
    """The end may be the clip's end, or past it by rounding to hundredths."""
    exact = compose(first, 3, first.duration, cache=cache)
    rounded = compose(first, 3, "4.01", cache=cache)
    assert exact.png == rounded.png


@pytest.mark.parametrize(("start", "end"), [(2, 2), (3, 1), (-1, 2), (4, 5), (1, "4.1"), (9, 10)])
def test_times_that_do_not_fit_are_refused_with_the_length(
    first: Take, cache: Path, start: int, end: Any
) -> None:
    """An empty, turned or outside range is refused in one line that says how long the take is."""
    with pytest.raises(TimeError, match=r"C0103 is 4\.00 s long"):
        compose(first, start, end, cache=cache)


@pytest.mark.parametrize("frames", [0, -3, 61, 2.5, True, "10", None])
def test_bad_numbers_of_pictures_are_refused(first: Take, cache: Path, frames: Any) -> None:
    """Anything but a whole number from 1 to 60 is refused, naming it."""
    with pytest.raises(InputError, match="ask for 1 to 60"):
        compose(first, 0, 1, frames=frames, cache=cache)


def test_size_and_path_are_told(first: Take, cache: Path, tmp_path: Path) -> None:
    """The PNG lies where it was asked for; its size is what is told, and never wider than 1600 pixels."""
    output = tmp_path / "new folder" / "look.png"
    drawn = compose(first, 0, 4, output=output, cache=cache)
    assert drawn.path == output
    assert output.read_bytes() == drawn.png
    with Image.open(output) as picture:
        assert picture.size == (drawn.width, drawn.height)
        assert not picture.info
    assert drawn.width <= 1600


def test_second_drawing_comes_from_the_cache(films: Films, cache: Path, tmp_path: Path) -> None:
    """What was drawn once is given again without its film."""
    there_ = take("C0103", films.first)
    once = compose(there_, 0, 4, cache=cache)
    gone = take("C0103", replace(films.first, path=tmp_path / "gone" / "first.mp4"))
    assert compose(gone, 0, 4, cache=cache).png == once.png
    assert once.path.is_relative_to(cache)


def test_changed_words_are_drawn_anew(films: Films, cache: Path) -> None:
    """A corrected word is not served from the cache of the old one."""
    old = take("C0103", films.first, words(("teh", "1", "2", None)))
    new = take("C0103", films.first, words(("the", "1", "2", None)))
    assert compose(old, 0, 4, cache=cache).png != compose(new, 0, 4, cache=cache).png


def test_cache_that_cannot_be_written_only_costs_time(first: Take, tmp_path: Path) -> None:
    """A file where the cache's folder should be does not hinder the drawing."""
    blocked = tmp_path / "blocked"
    blocked.write_text("", encoding="utf-8")
    assert compose(first, 0, 4, output=tmp_path / "out.png", cache=blocked).path == tmp_path / "out.png"


SCRIPT = """
import sys
from pathlib import Path
import matplotlib as mpl
from cutbook.media.probe import probe
from cutbook.timeline.composite import compose_file
mpl.rcParams["font.size"] = 23
print(compose_file(Path(sys.argv[1]), 0, 2, cache=Path(sys.argv[2])).png.hex())
print("pyplot" if "matplotlib.pyplot" in sys.modules else "")
"""


def test_bytes_are_the_same_in_another_process(films: Films, cache: Path, tmp_path: Path) -> None:
    """Another process with other settings of matplotlib draws the same bytes, and pyplot is never loaded."""
    drawn = compose_file(films.first.path, 0, 2, cache=cache)
    command = [sys.executable, "-c", SCRIPT, str(films.first.path), str(tmp_path / "other")]
    answer = subprocess.run(command, capture_output=True, text=True, check=True, env=dict(os.environ))
    png, pyplot, *_ = [*answer.stdout.split("\n"), ""]
    assert bytes.fromhex(png) == drawn.png
    assert not pyplot


def test_settings_of_the_notebook_are_left_alone(first: Take, cache: Path) -> None:
    """Drawing neither follows nor changes the notebook's own settings of matplotlib."""
    plain = compose(first, 0, 4, cache=cache / "one").png
    with mpl.rc_context(
        {"text.usetex": True, "font.family": "serif", "figure.autolayout": True, "text.color": "red"}
    ):
        before = dict(mpl.rcParams)
        assert compose(first, 0, 4, cache=cache / "two").png == plain
        assert dict(mpl.rcParams) == before


def test_letters_of_the_world_draw_without_a_warning(films: Films, cache: Path) -> None:
    """Words in many scripts, formulas, and letters that no font has are drawn in silence (warnings are errors here)."""
    texts = ("你好", "こんにちは", "안녕", "שלום", "नमस्ते", "$x_{2}$", "\ue123", "🎬", "a\tb", "\x1b[0m")
    rows = [(text, str(n * 0.35 + 0.1), str(n * 0.35 + 0.4), None) for n, text in enumerate(texts)]
    for language in ("zh", "ja", "ko", "en"):
        assert (
            compose(take("世界 $\\frac$", films.first, words(*rows), language), 0, 4, cache=cache).width
            == 1600
        )


def test_thinned_words_are_marked_and_told(films: Films, cache: Path) -> None:
    """Too many words for the view are counted by +n marks; none is lost."""
    many = words(*((f"word{n}", str(Fraction(n, 500)), str(Fraction(n + 1, 500)), None) for n in range(2000)))
    placed: Passages = lanes(take("C0103", films.first, many), Fraction(0), Fraction(4), cache=cache).passages
    assert placed.hidden > 0
    assert placed.hidden + sum(len(run.words) for run in placed.runs) == 2000
    assert placed.more


def test_unsure_times_and_events_are_drawn(films: Films, cache: Path) -> None:
    """A word whose time is unsure, and an event, look different from plain words."""
    plain = words(("One", "1", "2", None))
    stuck = (replace(plain[0], timing=Timing.STUCK),)
    event = (replace(plain[0], kind="event"),)
    drawings = {
        compose(take("C0103", films.first, each), 0, 4, cache=cache).png for each in (plain, stuck, event)
    }
    assert len(drawings) == 3


def test_take_without_words_shows_its_silences(films: Films, cache: Path) -> None:
    """Without a transcript silences are those of the sound itself."""
    spoken = take("C0103", films.first)
    silent = Take.given("C0103", films.first, spoken.fingerprint, envelope=spoken.envelope)
    scene = take_scene(silent, Span(Fraction(0), Fraction(4)), frames=4, cuts=(), cache=cache)
    assert [pause.length for pause in scene.pauses] == [Fraction(1, 2), Fraction(1), Fraction(1, 2)]
    assert scene.notes == ()  # nothing to hear, so no words to come


def test_take_without_sound_has_no_sound_lane(films: Films, cache: Path) -> None:
    """A silent take shows its film, and says that there is no sound."""
    mute = Take.given("C0103", films.first, take("C0103", films.first).fingerprint)
    layout = lanes(mute, Fraction(0), Fraction(4), cache=cache)
    assert layout.sound is None
    assert layout.film is not None
    assert compose(mute, 0, 4, cache=cache).height < 260


def test_sound_alone_has_no_film_lane(tmp_path: Path, cache: Path) -> None:
    """A recording without a picture shows its sound."""
    drawn = compose_file(make_sound(tmp_path / "voice.wav", sound="beeps", seconds=2.5), cache=cache)
    assert drawn.height < 260


def test_upright_take_has_upright_pictures(tmp_path: Path, cache: Path) -> None:
    """A film turned by 90° stands upright in its cells, whole."""
    media = probe(make_numbered(tmp_path / "phone.mp4", seconds=1, rotate=90))
    subject = take("phone", media, ())
    lane = there(lanes(subject, Fraction(0), Fraction(1), cache=cache).film)
    image = pixels(compose(subject, 0, 1, cache=cache))
    x = column(0.05, 0, 1)
    half = round(lane.height * 9 / 16) // 2 - 1
    piece = image[lane.top : lane.bottom, x - half : x + half]
    assert number(np.rot90(piece)) == 1


def test_rendered_file_is_drawn_whole_by_default(films: Films, cache: Path) -> None:
    """Without times a file is shown from its first to its last frame."""
    whole = compose_file(films.first.path, cache=cache)
    assert whole.png == compose_file(films.first.path, 0, 4, cache=cache).png


def test_file_that_is_no_media_is_named(tmp_path: Path, cache: Path) -> None:
    """A file that is no film is refused by name."""
    (tmp_path / "notes.txt").write_text("no film", encoding="utf-8")
    with pytest.raises(UnreadableMedia, match=r"notes\.txt"):
        compose_file(tmp_path / "notes.txt", cache=cache)
    with pytest.raises(CutbookError, match=r"gone\.mp4"):
        compose_file(tmp_path / "gone.mp4", cache=cache)


def test_hours_are_drawn_from_keyframes_and_beginnings(films: Films, cache: Path) -> None:
    """Zoomed out to three hours there are pictures, words are beginnings with counts, and speakers are bars."""
    spoken = tuple(
        Word(n + 1, f"word{n}", Fraction(n * 2, 5), Fraction(n * 2 + 1, 5), speaker="AB"[n // 500 % 2])
        for n in range(27000)
    )
    long = replace(films.first, duration=Fraction(10800))
    subject = take("lecture", long, spoken)
    layout = lanes(subject, Fraction(0), Fraction(10800), cache=cache)
    assert layout.passages.kind == "beginnings"
    assert layout.passages.hidden + sum(len(run.words) for run in layout.passages.runs) == 27000
    assert there(layout.speech).height == 14
    assert compose(subject, 0, 10800, cache=cache).width == 1600
