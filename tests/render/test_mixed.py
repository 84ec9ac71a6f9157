"""One film out of sources of every kind: each frame and each sample in its place."""

from __future__ import annotations

import math
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from cutbook.edit.take import Take
from cutbook.files import UserFolders
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.render.film import render
from cutbook.render.plan import plan
from tests.render.footage import RATE, Clip, edl, film, lag, number, pictures, sound, span
from tests.render.test_picture import MP2, X264, high_range

OUTPUT = Fraction(30000, 1001)
SECONDS = 3
PLAIN = ("-pix_fmt", "yuv420p")
OPEN = ("-bf", "3", "-x264-params", "open-gop=1:keyint=20:min-keyint=20:scenecut=0")
H265 = "open-gop=1:keyint=20:min-keyint=20:bframes=3:scenecut=0:log-level=none"
VP9 = ("-c:v", "libvpx-vp9", "-b:v", "1M", "-deadline", "realtime", "-cpu-used", "8", "-g", "30")
LEFT_OUT = "lt(n,20)+gt(n,30)*not(mod(n,3))"
WHOLE, UPRIGHT = (0, 0, 160, 90), (55, 0, 50, 90)


@dataclass(frozen=True)
class Source:
    """How a source is made, and what of it is not as usual.

    ``first`` is the number of the frame at its second 0, ``late`` by how many seconds its sound starts later, ``box``
    where its picture stands on the canvas, ``shift`` by how many samples its container puts the sound off.
    """

    suffix: str
    rate: str
    options: dict[str, Any]
    first: int = 0
    late: Fraction = Fraction(0)
    box: tuple[int, int, int, int] = WHOLE
    shift: int = 0


SOURCES = {
    "H.264 with open groups": Source(".mp4", "25", {"codec": (*X264[:4], "-crf", "18", *OPEN, *PLAIN)}),
    "H.265 with open groups": Source(
        ".mp4",
        "24000/1001",
        {"codec": ("-c:v", "libx265", "-preset", "ultrafast", "-x265-params", H265, *PLAIN)},
    ),
    "edit list": Source(".mp4", "25", {}, first=15),
    "sound 0.8 s late": Source(".mp4", "25", {}, late=Fraction(4, 5)),
    "transport stream": Source(".ts", "25", {"codec": (*X264, "-bf", "2", *PLAIN), "sound_codec": MP2}),
    # The muxer writes opus earlier by its 312 samples of pre-skip: this is the file's own offset, and is kept.
    "VP9 and Opus": Source(
        ".webm", "50", {"codec": VP9, "sound_codec": ("-c:a", "libopus", "-b:a", "160k")}, shift=-312
    ),
    "variable rate": Source(
        ".mp4", "30", {"codec": (*X264, *PLAIN, "-fps_mode", "vfr"), "filters": f"select='{LEFT_OUT}'"}
    ),
    "turned to the right": Source(".mp4", "30000/1001", {"size": (90, 160), "rotation": 90}, box=UPRIGHT),
    "turned to the left": Source(".mov", "60", {"size": (90, 160), "rotation": 270}, box=UPRIGHT),
    "HLG in ten bits": Source(".mov", "25", high_range("arib-std-b67")),
    "PQ in ten bits": Source(".mp4", "24", high_range("smpte2084")),
    "interlaced": Source(
        ".mp4",
        "25",
        {
            "codec": (*X264, "-flags", "+ilme+ildct", "-x264-params", "tff=1", *PLAIN),
            "filters": "setfield=tff",
            "size": (160, 96),
        },
        box=(4, 0, 150, 90),
    ),
    "5.1": Source(".mov", "25", {"sound_codec": ("-af", "pan=5.1|FC=c0", "-c:a", "pcm_s16le")}),
    "mono at 44.1 kHz": Source(
        ".mp4", "30000/1001", {"sound_codec": ("-ar", "44100", "-c:a", "aac", "-b:a", "160k")}
    ),
    "no sound": Source(".mkv", "30000/1001", {"seed": None}),
}
"""The kinds that are named wherever mixed footage goes wrong."""

PARTS = (("0.9", "1.6"), ("2.2", "2.2"), ("0.4", "0.9"), ("1.9", "2.0"))
"""Seconds from which and to which each source is shown; of the second, one frame."""


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory, any_ffmpeg: Path) -> dict[str, Clip]:
    """Return a clip of each kind."""
    place, made = tmp_path_factory.mktemp("mixed"), {}
    for count, (kind, each) in enumerate(SOURCES.items()):
        path, frames = place / f"s{count:02d}{each.suffix}", SECONDS * math.ceil(Fraction(each.rate))
        options = {"seed": count + 10, **each.options}
        clip = film(path, any_ffmpeg, rate=Fraction(each.rate), frames=frames, **options)
        if kind == "edit list":
            path = rewritten(any_ffmpeg, path, ["-ss", "0.6", "-i", path])
        if each.late:
            path = rewritten(
                any_ffmpeg,
                path,
                [
                    "-i",
                    path,
                    "-itsoffset",
                    str(float(each.late)),
                    "-i",
                    path,
                    "-map",
                    "0:v",
                    "-map",
                    "1:a",
                    "-t",
                    "3",
                ],
            )
        made[kind] = Clip(path, clip.rate, clip.frames, clip.sound)
    return made


def rewritten(ffmpeg: Path, path: Path, inputs: Sequence[str | Path]) -> Path:
    """Copy a clip's packets into another file."""
    other = path.with_stem(f"{path.stem}again")
    subprocess.run([ffmpeg, "-v", "error", "-y", *inputs, "-c", "copy", other], check=True, timeout=30)
    return other


def parts(takes: dict[str, Take]) -> list[tuple[str, int, int]]:
    """Give the ranges: each kind's first, then each kind's second, so that every cut is between two kinds."""
    return [
        (
            kind,
            low := math.floor(Fraction(since) * take.rate),
            max(low + 1, math.floor(Fraction(until) * take.rate)),
        )
        for since, until in PARTS
        for kind, take in takes.items()
    ]


def newest(source: Source, low: int, k: int) -> int:
    """Give the number that frame ``k`` of a range from frame ``low`` on must say: the newest by an eighth of a tick."""
    rate = Fraction(source.rate)
    frame = math.floor(low + (k + Fraction(1, 8)) / OUTPUT * rate)
    if "filters" in source.options and "select" in source.options["filters"]:
        frame = max(n for n in range(frame + 1) if n < 20 or (n > 30 and n % 3 == 0))
    return source.first + frame


def test_one_film_of_every_kind_of_source_is_true_frame_by_frame_and_sample_by_sample(
    mixed: dict[str, Clip], folders: UserFolders, runner: Ffmpeg, tmp_path: Path
) -> None:
    """Each frame is the one asked for, at k/rate; each sound lies within a millisecond; lengths are the plan's."""
    takes = {kind: clip.take(kind, folders) for kind, clip in mixed.items()}
    cuts = parts(takes)
    cut = edl(*(span(f"{n:05d}", takes[kind], low, high) for n, (kind, low, high) in enumerate(cuts)))
    made = render(
        plan(cut, takes, size=(160, 90), rate=OUTPUT),
        takes=takes,
        edit=tmp_path / "edit",
        output=tmp_path / "film.mp4",
        ffmpeg=runner,
        pictures=False,
    )
    assert made.proof.ok
    counts = [
        max(1, math.floor((high - low) / takes[kind].rate * OUTPUT + Fraction(1, 2)))
        for kind, low, high in cuts
    ]
    shown, heard, first, compared = pictures(made.path), sound(made.path), 0, set()
    for (kind, low, high), count in zip(cuts, counts, strict=True):
        source, clip = SOURCES[kind], mixed[kind]
        found = [number(each, source.box) for each in shown[first : first + count]]
        assert (kind, low, found) == (kind, low, [newest(source, low, k) for k in range(count)])
        begin, end = (round(at / OUTPUT * RATE) for at in (first, first + count))
        first += count
        if high - low < 8:
            continue
        part = heard[begin + 1500 : end - 1500]
        start = round((low / clip.rate + source.first / clip.rate - source.late) * RATE)
        compared.add(kind)
        if clip.sound is None or start + end - begin < 0:
            assert (kind, float(np.abs(part).max()) < 0.001) == (kind, True)
            continue
        known = clip.sound[max(0, start + 1500) : start + end - begin - 1500]
        part = part[len(part) - len(known) :]
        late, likeness = lag(part, known)
        assert (kind, low, likeness > 0.85) == (kind, low, True)
        assert (kind, low, abs(late - source.shift) <= RATE // 1000) == (kind, low, True)
    assert compared == set(SOURCES)
    assert (first, len(shown)) == (sum(counts), sum(counts))
    with av.open(str(made.path)) as file:
        times = sorted(p.pts * p.time_base for p in file.demux(video=0) if p.pts is not None and p.size)
        assert times == [k / OUTPUT for k in range(first)]
        heard_for = file.streams.audio[0]
        assert heard_for.duration is not None
        assert heard_for.time_base == Fraction(1, RATE)
        assert heard_for.duration == round(first / OUTPUT * RATE)
