from __future__ import annotations

import io
import math
import random
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from PIL import Image

from cutbook.errors import InputError, UnreadableMedia
from cutbook.media.frames import filmstrip, frames_at, poster
from cutbook.media.probe import Media, probe
from tests.barcode import make_numbered, number
from tests.footage import make_clip, make_sound, named, run

X264 = ("-preset", "medium", "-bf", "3", "-threads", "1", "-sc_threshold", "0")
OPEN = (*X264, "-x264-params", "open-gop=1:keyint=20:min-keyint=20:scenecut=0:b-adapt=0:bframes=4")
KEPT = [n for n in range(120) if n % 7 == 0 or n % 50 < 10]


@dataclass(frozen=True)
class Kind:
    name: str
    extra: tuple[str, ...] = X264
    rate: str = "30"


KINDS = (
    Kind("b-frames.mp4"),
    Kind("one-group.mp4", (*X264, "-g", "9999")),
    Kind("open-group.mp4", OPEN),
    Kind("open-group.ts", OPEN),
    Kind("b-frames.ts"),
    Kind("b-frames.mkv"),
    Kind("ntsc.mov", X264, "30000/1001"),
    Kind("vp8.webm", ()),
    Kind("mpeg2.mpg", ("-c:v", "mpeg2video", "-g", "15", "-bf", "2", "-q:v", "3")),
    Kind("mpeg4.avi", ("-c:v", "mpeg4", "-bf", "2", "-q:v", "3")),
)


@pytest.fixture(scope="session")
def films(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the films that these tests share."""
    return tmp_path_factory.mktemp("films")


def film(films: Path, kind: Kind) -> Media:
    """Make a film of a kind once, and look at it."""
    path = films / kind.name
    if not path.exists():
        make_numbered(path, rate=kind.rate, extra=kind.extra)
    return probe(path)


def numbers(media: Media, times: list[Fraction], *, exact: bool = True) -> list[int]:
    """Read the numbers of the pictures at some times."""
    return [number(image) for image in frames_at(media, times, height=90, exact=exact)]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_picture_is_the_newest_at_each_time(films: Path, kind: Kind) -> None:
    """Whatever the container and however pictures are reordered, each time gives the picture shown then."""
    media = film(films, kind)
    rate = Fraction(kind.rate)
    chance = random.Random(kind.name)  # noqa: S311 - any times will do, the same each run
    sparse = [Fraction(chance.randrange(0, 3900), 1000) for _ in range(7)]
    dense = [Fraction(1) + Fraction(n, 47) for n in range(20)]
    edges = [n / rate for n in chance.sample(range(110), 6)]
    for times in (sparse, dense, edges):
        assert numbers(media, times) == [math.floor(time * rate) for time in times]


@pytest.mark.parametrize("kind", KINDS[:4], ids=lambda kind: kind.name)
def test_times_outside_give_the_first_and_the_last(films: Path, kind: Kind) -> None:
    """Before the start the first picture is given, at the end and past it the last one."""
    media = film(films, kind)
    last = media.picture.frames - 1 if media.picture else -1
    asked = [Fraction(-3), Fraction(0), media.duration - Fraction(1, 1000), media.duration, Fraction(60)]
    assert numbers(media, asked) == [0, 0, last, last, last]


def test_order_and_repeats_of_times_are_kept(films: Path) -> None:
    """Pictures come in the order of the times, and a time asked twice is answered twice."""
    media = film(films, KINDS[0])
    asked = [Fraction(3), Fraction(1), Fraction(3), Fraction(2)]
    assert numbers(media, asked) == [90, 30, 90, 60]


def test_no_times_give_no_pictures(films: Path) -> None:
    """Nothing asked is nothing given."""
    assert frames_at(film(films, KINDS[0]), [], height=90) == []


def test_variable_rate_holds_a_picture_until_the_next(tmp_path: Path) -> None:
    """Where pictures are missing, the newest one stands."""
    drop = ("-vf", "select='not(mod(n\\,7))+lt(mod(n\\,50)\\,10)'", "-fps_mode", "vfr")
    media = probe(make_numbered(tmp_path / "vfr.mp4", extra=(*X264, *drop)))
    asked = [Fraction(n, 60) for n in range(0, 230, 3)]
    assert numbers(media, asked) == [max(n for n in KEPT if n <= time * 30) for time in asked]


def test_edit_list_hides_what_lies_before_it(films: Path, tmp_path: Path) -> None:
    """A film cut without encoding shows from the cut on, though it holds the pictures before it."""
    source = film(films, KINDS[0]).path
    cut = tmp_path / "cut.mp4"
    run("-ss", "1.2", "-i", named(source), "-c", "copy", "-avoid_negative_ts", "disabled", named(cut))
    media = probe(cut)
    first = numbers(media, [Fraction(0)])[0]
    assert first == 36
    assert numbers(media, [Fraction(1, 2), Fraction(2), Fraction(1)]) == [first + 15, first + 60, first + 30]


@pytest.mark.parametrize("rotate", [90, 180, 270])
def test_turned_pictures_stand_upright(tmp_path: Path, rotate: int) -> None:
    """A film that a player turns by so many degrees clockwise is given as the player shows it."""
    media = probe(make_numbered(tmp_path / "turned.mp4", seconds=1, rotate=rotate))
    image = frames_at(media, [Fraction(1, 2)], height=media.picture.height if media.picture else 0)[0]
    assert image.shape == ((90, 160, 3) if rotate == 180 else (160, 90, 3))
    assert number(np.rot90(image, rotate // 90)) == 15


def test_pixels_that_are_not_square_are_stretched(tmp_path: Path) -> None:
    """A stored picture of 160×90 with pixels twice as wide is shown 320×90."""
    media = probe(make_numbered(tmp_path / "wide.mp4", seconds=1, extra=("-vf", "setsar=2/1")))
    image = frames_at(media, [Fraction(1, 3)], height=90)[0]
    assert image.shape == (90, 320, 3)
    assert number(image) == 10


def test_colours_are_those_of_the_source(tmp_path: Path) -> None:
    """Red is red, whether the file says Rec. 601 or Rec. 709 (within what 4:2:0 and coding cost)."""
    for matrix in ("bt709", "smpte170m"):
        way = (
            "-vf",
            f"scale=out_color_matrix={matrix}:out_range=tv",
            "-colorspace",
            matrix,
            "-color_range",
            "tv",
        )
        path = make_clip(
            tmp_path / f"{matrix}.mp4",
            seconds=1,
            sound="none",
            picture="color=0xC81E28:size=160x90:rate=30",
            extra=way,
        )
        image = frames_at(probe(path), [Fraction(1, 2)], height=45)[0]
        assert np.abs(image.mean(axis=(0, 1)) - (0xC8, 0x1E, 0x28)).max() < 5


@pytest.mark.parametrize("transfer", ["hlg", "pq"])
@pytest.mark.parametrize("colour", ["0x9A7B6C", "0x40485A", "0xC0C0C0"])
def test_high_dynamic_range_looks_as_in_a_render(
    tmp_path: Path, transfer: Literal["hlg", "pq"], colour: str
) -> None:
    """An HLG or PQ film is shown as ffmpeg's own tone mapping to Rec. 709 shows it."""
    source = f"color={colour}:size=320x180:rate=30"
    media = probe(
        make_clip(tmp_path / "bright.mp4", seconds=0.2, sound="none", transfer=transfer, picture=source)
    )
    image = frames_at(media, [Fraction(0)], height=180)[0]
    chain = (
        "zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709,tonemap=mobius:param=0.3:peak=4.926:desat=0,"
        "zscale=t=bt709:m=bt709:r=tv,format=yuv420p,scale=in_color_matrix=bt709:in_range=tv,format=rgb24"
    )
    run("-i", named(media.path), "-frames:v", "1", "-vf", chain, named(tmp_path / "expected.png"))
    with Image.open(tmp_path / "expected.png") as picture:
        expected = np.asarray(picture.convert("RGB")).astype(int)
    assert np.abs(image.mean(axis=(0, 1)) - expected.mean(axis=(0, 1))).max() < 4


def test_keyframes_when_exact_is_off(films: Path) -> None:
    """With times far apart, keyframes near them are given: every 25th picture here."""
    media = film(films, KINDS[0])
    asked = [Fraction(1, 2), Fraction(2), Fraction(7, 2)]
    found = numbers(media, asked, exact=False)
    assert found == [0, 50, 100]


def test_keyframe_that_is_too_far_is_not_given(films: Path) -> None:
    """Where the only keyframe is further than half the gap between the times, the picture is exact."""
    media = film(films, KINDS[1])
    assert numbers(media, [Fraction(1), Fraction(2), Fraction(3)], exact=False) == [30, 60, 90]


def test_sound_alone_has_no_pictures(tmp_path: Path) -> None:
    """A file of sound is refused in one line that names it."""
    media = probe(make_sound(tmp_path / "voice.wav"))
    with pytest.raises(UnreadableMedia, match=r"voice\.wav has no picture"):
        frames_at(media, [Fraction(0)], height=90)


def test_height_below_one_is_refused(films: Path) -> None:
    """A picture of no height is refused."""
    with pytest.raises(InputError, match="0 pixels"):
        frames_at(film(films, KINDS[0]), [Fraction(0)], height=0)


def test_file_that_is_gone_is_named(films: Path, tmp_path: Path) -> None:
    """A file that was moved since it was probed is named in the error."""
    path = tmp_path / "gone.mp4"
    path.write_bytes(film(films, KINDS[0]).path.read_bytes())
    media = probe(path)
    path.unlink()
    with pytest.raises(UnreadableMedia, match=r"gone\.mp4"):
        frames_at(media, [Fraction(0)], height=90)


def test_broken_stretch_keeps_the_pictures_around_it(films: Path, tmp_path: Path) -> None:
    """Bytes damaged in the middle do not hinder the pictures of other groups."""
    data = bytearray(film(films, KINDS[4]).path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 2000] = bytes(2000)
    path = tmp_path / "damaged.ts"
    path.write_bytes(data)
    media = probe(film(films, KINDS[4]).path)
    found = frames_at(replace(media, path=path), [Fraction(1, 3), Fraction(2), Fraction(7, 2)], height=90)
    assert [number(found[0]), number(found[2])] == [10, 105]


def test_filmstrip_is_kept(films: Path, tmp_path: Path) -> None:
    """A second filmstrip of the same content and times needs no film any more and is the same to the pixel."""
    media = film(films, KINDS[0])
    times = [Fraction(n, 2) for n in range(6)]
    first = filmstrip(media, times, height=48, cache=tmp_path, key="content")
    lost = replace(media, path=tmp_path / "nowhere.mp4")
    again = filmstrip(lost, times, height=48, cache=tmp_path, key="content")
    assert [number(image) for image in first] == [15 * n for n in range(6)]
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    with pytest.raises(UnreadableMedia):
        filmstrip(lost, times, height=48, cache=tmp_path, key="other content")


def test_damaged_cache_is_made_again(films: Path, tmp_path: Path) -> None:
    """A cached strip that is cut off is made again."""
    media = film(films, KINDS[0])
    filmstrip(media, [Fraction(1)], height=48, cache=tmp_path, key="content")
    kept = next(tmp_path.rglob("*.png"))
    kept.write_bytes(kept.read_bytes()[:100])
    assert number(filmstrip(media, [Fraction(1)], height=48, cache=tmp_path, key="content")[0]) == 30


def test_poster_is_a_jpeg_of_its_time_and_kept(films: Path, tmp_path: Path) -> None:
    """A poster is a JPEG of the height asked, the same bytes again from the cache."""
    media = film(films, KINDS[0])
    data = poster(media, Fraction(2), height=72, cache=tmp_path, key="content")
    picture = Image.open(io.BytesIO(data))
    assert (picture.format, picture.size) == ("JPEG", (128, 72))
    assert number(np.asarray(picture)) == 60
    lost = replace(media, path=tmp_path / "nowhere.mp4")
    assert poster(lost, Fraction(2), height=72, cache=tmp_path, key="content") == data
