from __future__ import annotations

import math
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from cutbook.files import UserFolders
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.render.film import render
from cutbook.render.plan import plan
from tests.render.footage import RATE, Clip, edl, film, lag, number, pictures, sound, span

X264 = ("-c:v", "libx264", "-preset", "veryfast", "-crf", "18", "-g", "30")
MP2 = ("-c:a", "mp2", "-b:a", "384k")
TEN_BITS = (
    "-pix_fmt",
    "yuv420p10le",
    "-color_primaries",
    "bt2020",
    "-colorspace",
    "bt2020nc",
    "-color_range",
    "tv",
)


def high_range(transfer: str) -> dict[str, Any]:
    """Give the options of a clip in ten bits with a transfer of high dynamic range."""
    tags = f"color_primaries=bt2020:color_trc={transfer}:colorspace=bt2020nc:range=tv"
    return {
        "codec": (*X264, *TEN_BITS, "-color_trc", transfer),
        "filters": f"format=yuv420p10le,setparams={tags}",
    }


ODD: dict[str, tuple[str, int | str, dict[str, Any]]] = {
    "vp8 in webm": (
        ".webm",
        25,
        {
            "codec": ("-c:v", "libvpx", "-b:v", "1M", "-deadline", "realtime"),
            "sound_codec": ("-c:a", "libopus", "-b:a", "160k"),
        },
    ),
    "h264 in matroska": (".mkv", "30000/1001", {}),
    "transport stream": (
        ".ts",
        25,
        {"codec": (*X264, "-pix_fmt", "yuv420p", "-muxdelay", "0.5"), "sound_codec": MP2},
    ),
    "program stream": (
        ".mpg",
        25,
        {
            "codec": ("-c:v", "mpeg2video", "-q:v", "2", "-g", "12", "-bf", "2"),
            "sound_codec": MP2,
            "filters": "noise=alls=30:allf=t",
        },
    ),
    "interlaced": (
        ".mp4",
        25,
        {
            "codec": (*X264, "-flags", "+ilme+ildct", "-x264-params", "tff=1", "-pix_fmt", "yuv420p"),
            "filters": "setfield=tff",
            "size": (160, 96),
        },
    ),
    "hlg in ten bits": (".mov", 25, high_range("arib-std-b67")),
    "pq in ten bits": (".mov", 24, high_range("smpte2084")),
    "sixty a second": (".mp4", 60, {}),
    "a hundred and twenty a second": (".mp4", 120, {}),
    "turned the other way": (".mp4", 25, {"rotation": 270}),
    "upside down": (".mp4", 25, {"rotation": 180}),
    "narrow pixels": (".mp4", 25, {"filters": "setsar=1/2"}),
    "full range": (".mp4", 25, {"codec": (*X264, "-pix_fmt", "yuvj420p")}),
    "rgb": (
        ".mov",
        25,
        {"codec": ("-c:v", "png", "-pix_fmt", "rgb24"), "sound_codec": ("-c:a", "pcm_s16le")},
    ),
}

# Where the picture stands on a canvas of 160×90: the taller ones have bars at their sides.
BOXES = {"narrow pixels": (40, 0, 80, 90), "interlaced": (4, 0, 150, 90)}

# The muxer writes opus earlier by its 312 samples of pre-skip: this is the file's own offset, and is kept.
SHIFTED = {"vp8 in webm": -312}
OUTPUT = Fraction(25)
SPANS = ((Fraction("1.92"), Fraction("2.44")), (Fraction("0.8"), Fraction("0.96")))


def test_odd_footage_is_conformed_frame_by_frame(
    folders: UserFolders, one_runner: Ffmpeg, any_ffmpeg: Path, tmp_path: Path
) -> None:
    """Containers, fields, colours, turns and pixel shapes of every sort give the frames and sound asked for."""
    clips, takes, parts = {}, {}, []
    for count, (kind, (suffix, rate, options)) in enumerate(ODD.items()):
        frames = int(3 * Fraction(rate))
        clips[kind] = film(
            tmp_path / f"a{count}{suffix}", any_ffmpeg, rate=Fraction(rate), frames=frames, **options
        )
        takes[kind] = clips[kind].take(kind, folders)
        for since, until in SPANS:
            parts.append((kind, math.floor(since * Fraction(rate)), math.floor(until * Fraction(rate))))
    cut = edl(*(span(f"{n:05d}", takes[kind], low, high) for n, (kind, low, high) in enumerate(parts)))
    made = render(
        plan(cut, takes, size=(160, 90), rate=OUTPUT),
        takes=takes,
        edit=tmp_path / "edit",
        output=tmp_path / "film.mp4",
        ffmpeg=one_runner,
        pictures=False,
    )
    shown, heard, first = pictures(made.path), sound(made.path), 0
    for kind, low, high in parts:
        clip = clips[kind]
        count = max(1, math.floor((high - low) / clip.rate * OUTPUT + Fraction(1, 2)))
        expected = [math.floor(low + (k + Fraction(1, 8)) / OUTPUT * clip.rate) for k in range(count)]
        part = shown[first : first + count]
        assert (kind, [number(each, BOXES.get(kind, (0, 0, 160, 90))) for each in part]) == (kind, expected)
        if "ten bits" not in kind and kind != "program stream":
            assert (kind, min(each.min() for each in part) <= 24) == (kind, True)
            assert (kind, max(each.max() for each in part) >= 225) == (kind, True)
        begin, start = round(first / OUTPUT * RATE), round(low / clip.rate * RATE)
        end = start + round(count / OUTPUT * RATE)
        assert clip.sound is not None
        if end - start > 10_000:
            known = clip.sound[start + 1500 : end - 1500]
            late, likeness = lag(heard[begin + 1500 : begin + end - start - 1500], known)
            assert (kind, likeness > 0.85) == (kind, True)
            assert (kind, abs(late - SHIFTED.get(kind, 0)) <= 48) == (kind, True)
        first += count


def test_variable_rate_shows_the_newest_frame(
    folders: UserFolders, one_runner: Ffmpeg, any_ffmpeg: Path, tmp_path: Path
) -> None:
    """A variable rate becomes a constant one: each film frame shows the newest source frame, however long it stood."""
    kept = [n for n in range(120) if n < 20 or n == 95 or (n > 60 and n % 3 == 0)]
    chosen = "lt(n,20)+eq(n,95)+gt(n,60)*not(mod(n,3))"
    clip = film(
        tmp_path / "screen.mp4",
        any_ffmpeg,
        rate=Fraction(30),
        frames=120,
        filters=f"select='{chosen}'",
        codec=(*X264, "-pix_fmt", "yuv420p", "-fps_mode", "vfr"),
    )
    take = clip.take("screen", folders)
    cut = edl(span("00001", take, 10, 90), span("00002", take, 40, 70), span("00003", take, 93, 114))
    made = render(
        plan(cut, {"screen": take}, rate=Fraction(30), size=(160, 90)),
        takes={"screen": take},
        edit=tmp_path / "edit",
        output=tmp_path / "film.mp4",
        ffmpeg=one_runner,
    )
    assert take.media.picture is not None
    assert take.media.picture.variable
    assert take.rate == 30
    expected = [
        max(n for n in kept if n <= low + k)
        for low, high in ((10, 90), (40, 70), (93, 114))
        for k in range(high - low)
    ]
    assert [number(each, (0, 0, 160, 90)) for each in pictures(made.path)] == expected


def test_sound_that_starts_late_stays_late(
    folders: UserFolders, one_runner: Ffmpeg, any_ffmpeg: Path, tmp_path: Path
) -> None:
    """Where a file's sound starts 0.8 s after its picture, the film is silent until then and in step afterwards."""
    clip = film(tmp_path / "plain.mp4", any_ffmpeg, rate=Fraction(25), frames=100)
    late = tmp_path / "late.mp4"
    source: list[str | Path] = ["-i", clip.path, "-itsoffset", "0.8", "-i", clip.path]
    subprocess.run(
        [
            any_ffmpeg,
            "-v",
            "error",
            "-y",
            *source,
            "-map",
            "0:v",
            "-map",
            "1:a",
            "-c",
            "copy",
            "-t",
            "4",
            late,
        ],
        check=True,
        timeout=30,
    )
    assert clip.sound is not None
    take = Clip(late, clip.rate, 100, clip.sound).take("late", folders)
    cut = edl(span("00001", take, 0, 50), span("00002", take, 60, 90))
    made = render(
        plan(cut, {"late": take}),
        takes={"late": take},
        edit=tmp_path / "edit",
        output=tmp_path / "film.mp4",
        ffmpeg=one_runner,
    )
    heard = sound(made.path)
    assert np.abs(heard[: int(0.77 * RATE)]).max() < 0.002
    shift = int(0.8 * RATE)
    for begin, start, end in ((50_000, 50_000, 94_000), (98_000, 117_200, 160_000)):
        lateness, likeness = lag(heard[begin : begin + end - start], clip.sound[start - shift : end - shift])
        assert likeness > 0.9
        assert abs(lateness) <= 48
