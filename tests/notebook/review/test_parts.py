"""Parts of a proxy are files of their own, true to the frame and in step with its sound."""

from __future__ import annotations

import threading
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cutbook.errors import UnreadableMedia
from cutbook.media.ffmpeg import find
from cutbook.media.frames import frames_at
from cutbook.media.probe import Media, probe
from cutbook.media.proxy import proxy
from cutbook.media.sound import samples
from cutbook.notebook.review.parts import begins, part
from tests.barcode import make_numbered, number


def made(folder: Path, rate: str, ffmpeg: Path) -> Media:
    """Return the proxy of a numbered film of four seconds with a beep at each."""
    take = probe(make_numbered(folder / "take.mp4", seconds=4, rate=rate, sound="beeps"))
    return proxy(take, folder=folder / "proxies", name="take", content="c", ffmpeg=find(ffmpeg))


@pytest.mark.parametrize("rate", ["30", "25", "30000/1001"])
def test_a_part_is_true_to_frame_and_sound(rate: str, any_ffmpeg: Path, tmp_path: Path) -> None:
    """A part shows the frames from its keyframe on, under times from 0, and its beeps lie where the proxy's do."""
    small = made(tmp_path, rate, any_ffmpeg)
    places = begins(small, length=1)
    every = round(small.rate / 2)
    count = round(1 * small.rate / every) * every
    assert places == tuple(Fraction(n * count) / small.rate for n in range(len(places)))
    assert len(places) == 4
    file = tmp_path / "part.mp4"
    file.write_bytes(part(small.path, places[1], places[3]))
    piece = probe(file)
    first = round(places[1] * small.rate)
    assert piece.picture is not None
    assert (piece.rate, piece.picture.frames) == (small.rate, 2 * count)
    times = [(n + Fraction(1, 2)) / piece.rate for n in range(2 * count)]
    assert [number(image) for image in frames_at(piece, times, height=90)] == [
        first + n for n in range(2 * count)
    ]
    whole = np.abs(samples(small, 0, rate=48_000))
    heard = np.abs(samples(piece, 0, rate=48_000))
    # From a little way in: an MP3 frame leans on those before it, which a part begins without.
    late = round(float(places[1]) * 48_000)
    start = 48_000 // 8
    beeps = np.flatnonzero(whole[late + start :] > 0.1)
    same = np.flatnonzero(heard[start:] > 0.1)
    assert abs(int(beeps[0]) - int(same[0])) < 48


def test_the_last_part_goes_to_the_end(any_ffmpeg: Path, tmp_path: Path) -> None:
    """Without an end a part holds the rest; with an end between two keyframes it goes on to the next one."""
    small = made(tmp_path, "30", any_ffmpeg)
    file = tmp_path / "part.mp4"
    file.write_bytes(part(small.path, Fraction(3), None))
    rest = probe(file).picture
    assert rest is not None
    assert rest.frames == small.frames - 90
    file.write_bytes(part(small.path, Fraction(0), Fraction(7, 10)))
    first = probe(file).picture
    assert first is not None
    assert first.frames == 30


def test_parts_of_three_hours_are_a_minute_each(any_ffmpeg: Path, tmp_path: Path) -> None:
    """A part begins at the keyframe that is nearest to each minute."""
    small = made(tmp_path, "30000/1001", any_ffmpeg)
    assert small.picture is not None
    long = replace(small, picture=replace(small.picture, frames=round(3 * 3600 * small.rate)))
    places = begins(long)
    assert len(places) == 180
    assert places[1] == Fraction(1800 * 1001, 30000)
    assert begins(small) == (Fraction(0),)


def test_a_film_without_sound_has_parts_too(any_ffmpeg: Path, tmp_path: Path) -> None:
    """Where there is no sound a part holds the picture alone."""
    take = probe(make_numbered(tmp_path / "take.mp4", seconds=2))
    small = proxy(take, folder=tmp_path, name="p", content="c", ffmpeg=find(any_ffmpeg))
    file = tmp_path / "part.mp4"
    file.write_bytes(part(small.path, Fraction(1), None))
    assert probe(file).sound == ()


def test_a_proxy_that_went_or_broke_is_said(tmp_path: Path) -> None:
    """A file that is gone, or is no film, is one line."""
    with pytest.raises(UnreadableMedia, match=r"gone\.mp4"):
        part(tmp_path / "gone.mp4", Fraction(0), None)
    (tmp_path / "bad.mp4").write_bytes(b"x" * 1000)
    with pytest.raises(UnreadableMedia, match=r"bad\.mp4"):
        part(tmp_path / "bad.mp4", Fraction(0), None)


def test_two_who_want_one_proxy_make_it_once(any_ffmpeg: Path, tmp_path: Path) -> None:
    """Whoever comes second waits and is given what the first made; nothing half-made is left beside it."""
    take = probe(make_numbered(tmp_path / "take.mp4", seconds=4))
    folder, runs = tmp_path / "proxies", list[float]()
    ffmpeg = find(any_ffmpeg)
    first = threading.Event()
    found: list[int] = []

    def make(shares: list[float], told: threading.Event | None) -> None:
        def progress(share: float) -> None:
            shares.append(share)
            if told is not None:
                told.set()

        made_ = proxy(take, folder=folder, name="t", content="c", ffmpeg=ffmpeg, progress=progress)
        found.append(made_.path.stat().st_mtime_ns)

    one = threading.Thread(target=make, args=([], first))
    one.start()
    first.wait(30)
    two = threading.Thread(target=make, args=(runs, None))
    two.start()
    one.join(60)
    two.join(60)
    assert len(found) == 2
    assert runs == []
    assert found[0] == found[1]
    assert sorted(file.name for file in folder.iterdir()) == ["t.json", "t.mp4"]
