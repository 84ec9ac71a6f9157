from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from av.video.frame import PictureType
from av.video.reformatter import Colorspace, Interpolation
from hypothesis import given
from hypothesis import strategies as st

from cutbook.media.frames import frames_at
from cutbook.media.groups import gathered
from cutbook.media.leaning import Stream, UntoldError
from cutbook.media.probe import probe
from tests.barcode import make_numbered, number
from tests.footage import make_clip, named, run

NOISE = "testsrc2=size={size}:rate=30,noise=alls=24:allf=t"
CLEAN = "testsrc2=size={size}:rate=30"

Pixels = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Coding:
    name: str
    settings: str
    pixels: str = "yuv420p"
    suffix: str = "mp4"
    size: str = "160x90"


CODINGS = (
    Coding("one-reference", "ref=1:bframes=2:b-pyramid=normal"),
    Coding("many-references", "ref=8:bframes=8:b-pyramid=normal:b-adapt=0:weightp=2"),
    Coding("strict-pyramid-slices", "ref=3:bframes=5:b-pyramid=strict:b-adapt=0:slices=4:direct=temporal"),
    Coding("variable-length-codes", "ref=2:bframes=3:b-pyramid=normal:b-adapt=0:cabac=0"),
    Coding("matroska", "ref=2:bframes=3:b-pyramid=normal:b-adapt=0:keyint=20", suffix="mkv"),
    Coding("ten-bits", "ref=3:bframes=3:b-pyramid=normal:b-adapt=0:aud=1", "yuv420p10le"),
    Coding("no-b-frames", "ref=4:bframes=0:keyint=30"),
    Coding("open-groups", "ref=3:bframes=4:open-gop=1:keyint=20:min-keyint=20", suffix="mkv"),
    Coding("made-anew-bit-by-bit", "ref=1:bframes=0:intra-refresh=1:keyint=30"),
    Coding("interlaced", "ref=3:bframes=3:tff=1:keyint=30", size="160x96"),
)


def make_coded(path: Path, coding: Coding, *, source: str = NOISE, preset: str = "fast") -> Path:
    """Make 4 s of H.264 coded in some way."""
    settings = f"{coding.settings}:scenecut=0:threads=1"
    extra = ("-preset", preset, "-x264-params", settings, "-pix_fmt", coding.pixels)
    picture = source.format(size=coding.size)
    return make_clip(path, seconds=4, sound="none", picture=picture, keyframes=250, extra=extra)


def decoded(path: Path, width: int, height: int, matrix: Colorspace = Colorspace.ITU601) -> list[Pixels]:
    """Decode every picture wholly, from the first to the last, at a size."""
    fine = Interpolation.AREA | Interpolation.ACCURATE_RND | Interpolation.FULL_CHR_H_INT
    with av.open(str(path)) as container:
        return [
            frame.reformat(width, height, "rgb24", matrix, interpolation=fine).to_ndarray().astype(int)
            for frame in container.decode(video=0)
        ]


def off(image: Pixels, other: Pixels) -> float:
    """Return the mean difference of two pictures, in levels of 255."""
    return float(np.abs(image.astype(int) - other).mean())


@pytest.mark.parametrize("coding", CODINGS, ids=lambda coding: coding.name)
def test_pictures_are_whole_however_they_lean_on_each_other(tmp_path: Path, coding: Coding) -> None:
    """Each picture is that of a decoding of all, to the pixel, though those that it does not lean on are left out."""
    path = make_coded(tmp_path / f"film.{coding.suffix}", coding)
    every = decoded(path, 150 if coding.name == "interlaced" else 160, 90)
    assert len(every) == 120
    for numbers in ([5, 6, 7, 33, 51, 52, 80, 118], [97], list(range(40, 70))):
        times = [Fraction(2 * each + 1, 60) for each in numbers]
        for each, image in zip(numbers, frames_at(probe(path), times, height=90), strict=True):
            assert np.array_equal(image, every[each]), each


@pytest.mark.parametrize(
    ("source", "settings", "level"),
    [(NOISE, "keyint=60", 2.0), (CLEAN, "keyint=250", 1.0)],
    ids=["noise", "clean"],
)
def test_small_pictures_are_those_of_a_whole_decoding(
    tmp_path: Path, source: str, settings: str, level: float
) -> None:
    """What is left out for small pictures makes little difference, and never shows another frame."""
    coding = Coding("film", f"ref=1:bframes=2:b-pyramid=normal:{settings}", size="1280x720")
    path = make_coded(tmp_path / "film.mp4", coding, source=source, preset="veryfast")
    every = decoded(path, 153, 86, Colorspace.ITU709)
    numbers = [3, 22, 41, 59, 77, 98, 119]
    times = [Fraction(2 * each + 1, 60) for each in numbers]
    for each, image in zip(numbers, frames_at(probe(path), times, height=86), strict=True):
        differences = [off(image, other) for other in every]
        assert differences[each] < level
        assert int(np.argmin(differences)) == each


def test_only_what_is_leant_on_is_decoded(tmp_path: Path) -> None:
    """For a picture whose chain is P on P, B-pictures are not decoded, those that others lean on neither."""
    path = make_coded(tmp_path / "film.mp4", Coding("film", "ref=1:bframes=3:b-pyramid=normal:b-adapt=0"))
    with av.open(str(path)) as container:
        frames = [(_at(frame.pts), PictureType(frame.pict_type).name) for frame in container.decode(video=0)]
    limit = [pts for pts, kind in frames[:100] if kind == "P"][-1]
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        group = gathered(container.demux(stream), [limit], setup=stream.codec_context.extradata)
        assert group is not None
        sizes = {_at(packet.pts): packet.size for packet in group.packets}
        given = [(_at(packet.pts), packet.size) for packet in group.needed()]
    whole = {pts for pts, size in given if size == sizes[pts]}
    assert whole == {pts for pts, kind in frames if kind != "B" and pts <= limit}
    shells = [size for pts, size in given if pts not in whole]
    assert len(shells) >= 20
    assert max(shells) < 100


def _at(pts: int | None) -> int:
    assert pts is not None
    return pts


def test_group_too_long_to_keep_is_read_all_the_same(tmp_path: Path) -> None:
    """A film of 1500 pictures with one keyframe gives the right ones, early and late."""
    extra = ("-preset", "ultrafast", "-x264-params", "keyint=9999:scenecut=0:ref=1")
    path = make_numbered(tmp_path / "long.mp4", seconds=33, keyframes=9999, extra=extra)
    asked = [Fraction(1), Fraction(20), Fraction(33)]
    assert [number(image) for image in frames_at(probe(path), asked, height=90)] == [30, 600, 989]


def test_lost_picture_is_not_guessed_over(tmp_path: Path) -> None:
    """A stream in which a picture is missing that others may lean on is refused."""
    path = make_coded(tmp_path / "film.mp4", Coding("film", "ref=4:bframes=0"))
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        packets = [bytes(packet) for packet in container.demux(stream) if packet.size]
        setup = stream.codec_context.extradata or b""
    whole = Stream(setup)
    assert [whole.add(packet).begins for packet in packets[:4]] == [True, False, False, False]
    holed = Stream(setup)
    holed.add(packets[0])
    with pytest.raises(UntoldError):
        holed.add(packets[2])


def test_keyframe_inside_is_no_end_of_leaning(tmp_path: Path) -> None:
    """A file cut without encoding, in the middle of its groups, gives the pictures after the cut."""
    path = make_numbered(
        tmp_path / "film.mp4", extra=("-preset", "medium", "-x264-params", "bframes=3:b-pyramid=normal")
    )
    cut = tmp_path / "cut.mkv"
    run("-ss", "1.2", "-i", named(path), "-c", "copy", named(cut))
    media = probe(cut)
    first = number(frames_at(media, [Fraction(0)], height=90)[0])
    found = frames_at(media, [Fraction(1), Fraction(3, 2), Fraction(2)], height=90)
    assert [number(image) for image in found] == [first + 30, first + 45, first + 60]


@given(setup=st.binary(max_size=60), data=st.binary(max_size=60))
def test_any_bytes_are_refused_in_one_way(setup: bytes, data: bytes) -> None:
    """Bytes that are no stream raise nothing but the one error."""
    with pytest.raises(UntoldError):
        Stream(b"\1" + setup).add(data)
