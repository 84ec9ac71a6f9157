from __future__ import annotations

import math
import struct
import subprocess
import zlib
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from cutbook.edit.edl import Edl, Overlay
from cutbook.edit.take import Take
from cutbook.errors import PreflightError
from cutbook.files import UserFolders
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.render.film import Film, render
from cutbook.render.plan import plan
from cutbook.transcripts.model import Word
from tests.footage import run
from tests.render.footage import Clip, Gray, bars, edl, film, number, pictures, span

PAL, NTSC = Fraction(25), Fraction(30000, 1001)
LOWER = "format=yuva420p,geq=lum='p(X,Y)':cb=128:cr=128:a='255*gte(Y,H/2)'"
"""Makes the upper half of a picture clear."""

ALPHA = {
    "qtrle": ("-c:v", "qtrle", "-pix_fmt", "argb"),
    "vp9": ("-c:v", "libvpx-vp9", "-pix_fmt", "yuva420p", "-b:v", "2M", "-deadline", "realtime"),
    "vp8": ("-c:v", "libvpx", "-pix_fmt", "yuva420p", "-auto-alt-ref", "0", "-b:v", "2M", "-g", "10"),
}


def shown(picture: Gray) -> tuple[int, int]:
    """Read the numbers in the upper and in the lower half of a picture."""
    return number(picture, (0, 0, 160, 60)), number(picture, (0, 40, 160, 60))


def still(path: Path, ffmpeg: Path, value: int) -> Path:
    """Write a number as a PNG whose upper half is clear."""
    command = ["-f", "rawvideo", "-pix_fmt", "gray", "-s", "160x90", "-i", "-", "-vf", f"{LOWER},format=rgba"]
    subprocess.run(
        [ffmpeg, "-v", "error", "-y", *command, "-c:v", "png", "-f", "image2pipe", path],
        input=bars(value, (160, 90)).tobytes(),
        check=True,
        timeout=30,
    )
    return path


def over(file: str, first: int, end: int, rate: Fraction = PAL, **more: object) -> Overlay:
    """Lay a file over the film's frames [first, end)."""
    return Overlay(file=file, start_in_output=first / rate, duration=(end - first) / rate, **more)  # type: ignore[arg-type]


def make(cut: Edl, takes: dict[str, Take], ffmpeg: Ffmpeg, place: Path, **more: object) -> Film:
    """Render a cut list."""
    return render(
        plan(cut, takes, size=(160, 90), **more),  # type: ignore[arg-type]
        takes=takes,
        edit=place,
        output=place / "film.mp4",
        ffmpeg=ffmpeg,
        pictures=False,
    )


@pytest.fixture
def pal(clips: dict[str, Clip], folders: UserFolders) -> dict[str, Take]:
    """Return a take of 100 frames at 25 a second."""
    return {"pal": clips["pal"].take("pal", folders)}


def three(takes: dict[str, Take], *overlays: Overlay) -> Edl:
    """Cut the take into 80 frames with cuts at 30 and 60, and lay overlays over it."""
    take = takes["pal"]
    ranges = (span("1", take, 0, 30), span("2", take, 40, 70), span("3", take, 10, 30))
    return edl(*ranges, overlays=overlays)


BASE = [*range(30), *range(40, 70), *range(10, 30)]


def test_an_overlay_goes_on_over_a_cut_at_its_right_frame(
    pal: dict[str, Take], any_ffmpeg: Path, runner: Ffmpeg, tmp_path: Path
) -> None:
    """Alpha video of the film's rate and of another, and a still: each shows its frame k, and is clear above."""
    film(
        tmp_path / "same.mov", any_ffmpeg, rate=PAL, frames=40, seed=None, filters=LOWER, codec=ALPHA["qtrle"]
    )
    film(
        tmp_path / "other.webm",
        any_ffmpeg,
        rate=NTSC,
        frames=40,
        seed=None,
        filters=LOWER,
        codec=ALPHA["vp9"],
    )
    still(tmp_path / "100% %d 'card'.png", any_ffmpeg, 777)
    cut = three(pal, over("same.mov", 20, 50), over("other.webm", 55, 72), over("100% %d 'card'.png", 74, 79))
    made = make(cut, pal, runner, tmp_path)
    found = [shown(each) for each in pictures(made.path)]
    lower = list(BASE)
    lower[20:50] = range(30)
    lower[55:72] = [math.floor((k + Fraction(1, 8)) / PAL * NTSC) for k in range(17)]
    lower[74:79] = [777] * 5
    assert [upper for upper, _ in found] == BASE
    assert [below for _, below in found] == lower


@pytest.mark.parametrize("rate", [Fraction(24000, 1001), Fraction(50), Fraction(60000, 1001)])
def test_an_overlay_is_exact_at_any_rate_of_the_film(
    rate: Fraction, pal: dict[str, Take], any_ffmpeg: Path, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """At each rate of the film an overlay of 25 a second, entered in its middle by a cut, shows the newest frame."""
    film(
        tmp_path / "card.webm", any_ffmpeg, rate=PAL, frames=100, seed=None, filters=LOWER, codec=ALPHA["vp8"]
    )
    cut = three(pal, Overlay(file="card.webm", start_in_output=Fraction("0.3"), duration=Fraction("2.5")))
    made = make(cut, pal, one_runner, tmp_path, rate=rate)
    found = [shown(each)[1] for each in pictures(made.path)]
    first, end = round(Fraction("0.3") * rate), round(Fraction("2.8") * rate)
    expected = [math.floor((k + Fraction(1, 8)) / rate * PAL) for k in range(end - first)]
    assert found[first:end] == expected
    assert found[first - 1] != 0
    assert shown(pictures(made.path)[end])[0] == found[end]


def test_overlays_lie_in_list_order_and_in_their_boxes(
    pal: dict[str, Take], any_ffmpeg: Path, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """The later of two overlays lies on top, and a box says where on the canvas one is shown."""
    film(tmp_path / "a.mov", any_ffmpeg, rate=PAL, frames=40, seed=None)
    small = (Fraction(0), Fraction(1, 2), Fraction(1), Fraction(1, 2))
    wide = film(tmp_path / "b.mov", any_ffmpeg, rate=PAL, frames=40, seed=None, size=(160, 44))
    assert wide.frames == 40
    twice = make(three(pal, over("a.mov", 5, 25), over("a.mov", 5, 25)), pal, one_runner, tmp_path)
    assert shown(pictures(twice.path)[24]) == (19, 19)
    both = make(three(pal, over("a.mov", 5, 45), over("b.mov", 10, 20, box=small)), pal, one_runner, tmp_path)
    found = [shown(each) for each in pictures(both.path)]
    assert found[9:12] == [(4, 4), (5, 0), (6, 1)]
    assert found[19:21] == [(14, 9), (15, 15)]
    turned = make(
        three(pal, over("b.mov", 10, 20, box=small), over("a.mov", 5, 45)), pal, one_runner, tmp_path
    )
    assert [shown(each) for each in pictures(turned.path)][10] == (5, 5)


def held(upright: Gray, orientation: int) -> Gray:
    """Store a picture as a camera held in that way does: by the sides at which its first row and column are shown."""
    down, across = upright[::-1], upright[:, ::-1]
    stored = {
        1: upright,  # top, left
        2: across,  # top, right
        3: down[:, ::-1],  # bottom, right
        4: down,  # bottom, left
        5: upright.T,  # left, top
        6: across.T,  # right, top
        7: down[:, ::-1].T,  # right, bottom
        8: down.T,  # left, bottom
    }
    return stored[orientation]


def test_a_photograph_stands_as_its_camera_was_held(
    pal: dict[str, Take], runner: Ffmpeg, tmp_path: Path
) -> None:
    """JPEG, PNG, WebP and TIFF of each EXIF orientation are shown upright and not mirrored."""
    upright = bars(0b1001110001, (160, 90))
    upright[:45] = 16
    overlays = []
    for turn in range(1, 9):
        name = f"{turn}.{('jpg', 'png', 'webp', 'tiff')[turn % 4]}"
        exif = Image.Exif()
        exif[0x0112] = turn
        Image.fromarray(held(upright, turn)).convert("RGB").save(tmp_path / name, exif=exif, quality=95)
        overlays.append(over(name, 10 * turn - 10, 10 * turn))
    made = make(three(pal, *overlays), pal, runner, tmp_path)
    found = pictures(made.path)
    apart = [np.abs(found[10 * turn - 5].astype(int) - upright).mean() for turn in range(1, 9)]
    assert [turn for turn, each in enumerate(apart, 1) if each > 6] == []


def test_one_picture_of_any_kind_is_held(
    pal: dict[str, Take], any_ffmpeg: Path, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """A film of a single frame is a still, and stands as long as it is asked to."""
    one = film(tmp_path / "one.mov", any_ffmpeg, rate=PAL, frames=1, seed=None)
    assert one.frames == 1
    made = make(three(pal, over("one.mov", 20, 50)), pal, one_runner, tmp_path)
    found = [shown(each)[0] for each in pictures(made.path)]
    assert (found[19], found[20:50], found[50]) == (19, [0] * 30, BASE[50])


# Diffuse white, 203 nits (ITU-R BT.2408): 75 % of HLG's signal, 58.06 % of PQ's, in the 876 steps of ten bits.
WHITE = {"arib-std-b67": 64 + round(0.75 * 876), "smpte2084": 64 + round(0.5806 * 876)}


# Möbius' curve that is the light itself up to 0.3 of diffuse white and 1 at 1000 nits, at diffuse white: solved for
# (x + a)·c/(x + b) through (0.3, 0.3) with slope 1 and (1000/203, 1).
BENT = 0.6786


@pytest.mark.parametrize("transfer", WHITE)
def test_high_dynamic_range_over_a_film_is_conformed(
    transfer: str, pal: dict[str, Take], any_ffmpeg: Path, runner: Ffmpeg, tmp_path: Path
) -> None:
    """HLG and PQ with alpha come out as a take does, diffuse white at the curve's level, and clear above."""
    tags = f"setparams=color_primaries=bt2020:color_trc={transfer}:colorspace=bt2020nc:range=tv"
    white = f"geq=lum={WHITE[transfer]}:cb=512:cr=512:a='1023*gte(Y,H/2)',{tags}"
    colours = ("-color_primaries", "bt2020", "-color_trc", transfer, "-colorspace", "bt2020nc")
    film(
        tmp_path / "card.mov",
        any_ffmpeg,
        rate=PAL,
        frames=20,
        seed=None,
        filters=f"format=yuva444p10le,{white}",
        codec=("-c:v", "prores_ks", "-profile:v", "4444", "-pix_fmt", "yuva444p10le", *colours),
    )
    made = make(three(pal, over("card.mov", 0, 20)), pal, runner, tmp_path)
    picture = pictures(made.path)[10]
    assert number(picture, (0, 0, 160, 60)) == 10
    expected = 255 * BENT ** (1 / 2.4)
    assert float(picture[50:85].mean()) == pytest.approx(expected, abs=3)


def test_a_high_dynamic_range_still_is_conformed(
    pal: dict[str, Take], runner: Ffmpeg, tmp_path: Path
) -> None:
    """A PNG that says that it is PQ (its cICP chunk) is tone-mapped too, whichever ffmpeg renders."""
    value = round(0.5806 * 65535)
    run(
        *("-f", "lavfi", "-i", "color=black:s=160x90", "-frames:v", 1),
        *("-vf", f"format=rgb48be,geq=r={value}:g={value}:b={value},format=rgb48be"),
        *("-color_primaries", "bt2020", "-color_trc", "smpte2084", tmp_path / "plain.png"),
    )
    data = (tmp_path / "plain.png").read_bytes()
    told = b"cICP" + bytes([9, 16, 0, 1])
    chunk = struct.pack(">I", 4) + told + struct.pack(">I", zlib.crc32(told))
    if b"cICP" not in data:
        data = data[:33] + chunk + data[33:]
    (tmp_path / "card.png").write_bytes(data)
    made = make(three(pal, over("card.png", 0, 20)), pal, runner, tmp_path)
    expected = 255 * BENT ** (1 / 2.4)
    assert float(pictures(made.path)[10].mean()) == pytest.approx(expected, abs=3)


def test_captions_lie_over_overlays(
    clips: dict[str, Clip], folders: UserFolders, any_ffmpeg: Path, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """A caption is seen on top of an overlay that fills the canvas."""
    said = (Word(1, "WWWW", Fraction(0), Fraction(1)),)
    takes = {"pal": replace(clips["pal"], words=said).take("pal", folders)}
    film(tmp_path / "black.mov", any_ffmpeg, rate=PAL, frames=40, seed=None, filters="lutyuv=y=16")
    cut = edl(span("1", takes["pal"], 0, 25, words=(1, 1)), overlays=(over("black.mov", 0, 25),))
    looks = {"size": 0.3, "style": "bold-overlay"}
    lit = make(replace(cut, captions=looks), takes, one_runner, tmp_path)
    assert pictures(lit.path)[10].max() > 200
    assert lit.proof.ok


def test_a_changed_overlay_makes_the_segments_under_it_anew(
    pal: dict[str, Take], any_ffmpeg: Path, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """Another content under the same name, or another window, encodes the segments it lies over and no other."""
    card = still(tmp_path / "card.png", any_ffmpeg, 1)
    cut = three(pal, over("card.png", 20, 40))
    assert make(cut, pal, one_runner, tmp_path).encoded == 3
    assert make(cut, pal, one_runner, tmp_path).encoded == 0
    still(card, any_ffmpeg, 2)
    assert make(cut, pal, one_runner, tmp_path).encoded == 2
    assert make(three(pal, over("card.png", 20, 30)), pal, one_runner, tmp_path).encoded == 1
    card.rename(tmp_path / "renamed.png")
    assert make(three(pal, over("renamed.png", 20, 30)), pal, one_runner, tmp_path).encoded == 0


@pytest.mark.parametrize(
    ("overlays", "sentence"),
    [
        ((over("gone.mov", 0, 10),), r"overlay 1 \(gone.mov, from 0.00 s\): there is no such file"),
        (
            (over("card.png", 0, 10), over("short.mov", 5, 30)),
            r"overlay 2 \(short.mov.*lasts 0.40 s.*to 0.400",
        ),
        ((over("text.mov", 0, 10),), "overlay 1.*text.mov is no media file"),
        ((over("sound.wav", 0, 10),), "overlay 1.*holds no picture"),
        ((over("card.png", 80, 90),), r"overlay 1.*begins at the film's end, 3.20 s"),
    ],
)
def test_an_overlay_that_cannot_be_shown_is_named_before_the_render(  # noqa: PLR0917 - fixtures
    overlays: Sequence[Overlay],
    sentence: str,
    pal: dict[str, Take],
    any_ffmpeg: Path,
    one_runner: Ffmpeg,
    tmp_path: Path,
) -> None:
    """A file that is missing, broken, silent of pictures or too short, or a window behind the end: one clear line."""
    still(tmp_path / "card.png", any_ffmpeg, 1)
    film(tmp_path / "short.mov", any_ffmpeg, rate=PAL, frames=10, seed=None)
    (tmp_path / "text.mov").write_text("no film")
    tone = ("-f", "lavfi", "-i", "sine=d=1")
    subprocess.run([any_ffmpeg, "-v", "error", *tone, tmp_path / "sound.wav"], check=True, timeout=30)
    with pytest.raises(PreflightError, match=sentence):
        make(three(pal, *overlays), pal, one_runner, tmp_path)
    assert not (tmp_path / "cache").exists()


def test_an_ffmpeg_that_would_lose_the_alpha_is_refused(
    pal: dict[str, Take], any_ffmpeg: Path, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """VP9 with alpha needs libvpx's decoder: an ffmpeg without it is named, and not used without a word."""
    film(tmp_path / "a.webm", any_ffmpeg, rate=PAL, frames=20, seed=None, filters=LOWER, codec=ALPHA["vp9"])
    poor = replace(one_runner, decoders=one_runner.decoders - {"libvpx-vp9"})
    with pytest.raises(PreflightError, match="lacks decoder libvpx-vp9"):
        make(three(pal, over("a.webm", 0, 10)), pal, poor, tmp_path)
