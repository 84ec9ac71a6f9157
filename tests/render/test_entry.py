from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutbook.files import UserFolders
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.render.conform import entry
from cutbook.render.keyframes import Keyframe
from cutbook.render.picture import arguments, shot
from cutbook.render.plan import plan
from cutbook.render.tiers import TIERS
from tests.edit.making import media
from tests.render.footage import edl, film, span

FULL = "in_color_matrix=bt709:out_color_matrix=bt709:out_range=tv"

SOURCE = replace(media(Path("take"), variable=True), container="matroska,webm", origin=Fraction(1, 2))

TIMES = st.integers(0, 400).map(lambda n: Fraction(n, 4))


@given(st.sets(TIMES), TIMES, st.sampled_from(["matroska,webm", "mpegts"]))
def test_decoding_begins_with_the_last_keyframe_that_is_early_enough(
    shown: set[Fraction], start: Fraction, container: str
) -> None:
    """That is the one shown last before the range, or a second before it in a stream without index; else the start."""
    keyframes = [Keyframe(time, time - Fraction(1, 8)) for time in sorted(shown)]
    file = replace(SOURCE, container=container)
    early = Fraction(1, 2) + start - (1 if container == "mpegts" else 0)
    found = None
    for keyframe in keyframes:
        if keyframe.shown <= early:
            found = keyframe.shown if container == "mpegts" else keyframe.decoded
    assert entry(file, start, keyframes) == found


@pytest.mark.parametrize("tagged", [True, False])
def test_a_picture_that_needs_no_scaling_is_the_same_with_and_without(
    tagged: bool,  # noqa: FBT001 - a case of the test
    runner: Ffmpeg,
    any_ffmpeg: Path,
    folders: UserFolders,
    tmp_path: Path,
) -> None:
    """A picture of the film's form is passed on, bit for bit what the scaler makes of it; others are scaled."""
    tags = "setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709"
    filters = tags if tagged else "null"
    clip = film(tmp_path / "clip.mp4", any_ffmpeg, rate=Fraction(25), frames=12, filters=filters)
    take = clip.take("clip", folders)
    assert take.media.picture is not None
    size = (take.media.picture.width, take.media.picture.height)
    planned = plan(edl(span("00001", take, 2, 10)), {"clip": take}, size=size)
    made = shot(
        planned.segments[0],
        take.media,
        rate=planned.rate,
        size=planned.size,
        grade="",
        captions="",
        tier=TIERS["preview"],
    )
    line = arguments(made, take.media, output="kept", captions="", threads=1)
    graph = line.index("-filter_complex") + 1
    # A small picture without tags is one of Rec. 601, and has to be made one of Rec. 709.
    assert ("out_color_matrix" in line[graph]) is not tagged
    if tagged:
        runner.run(line, cwd=tmp_path)
        told = line[graph].replace("accurate_rnd[", f"accurate_rnd:{FULL}[")
        assert told != line[graph]
        runner.run([*line[:graph], told, *line[graph + 1 : -2], "told", "-y"], cwd=tmp_path)
        assert (tmp_path / "kept").read_bytes() == (tmp_path / "told").read_bytes()
