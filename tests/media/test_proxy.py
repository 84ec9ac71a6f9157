from __future__ import annotations

import json
import threading
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cutbook.errors import FfmpegStopped, MediaError
from cutbook.media.ffmpeg import find
from cutbook.media.frames import frames_at
from cutbook.media.probe import Media, probe
from cutbook.media.proxy import known, proxy
from cutbook.media.sound import samples
from tests.barcode import make_numbered, number
from tests.footage import make_clip, make_sound, make_variable


def made(source: Path, ffmpeg: Path, place: Path) -> tuple[Media, Media]:
    """Return a take and its proxy."""
    take = probe(source)
    return take, proxy(take, folder=place / "proxies", name=source.stem, content="c", ffmpeg=find(ffmpeg))


def beep(media: Media) -> Fraction:
    """Return the second at which the first beep begins."""
    heard = np.abs(samples(media, 0, rate=48_000))
    return Fraction(int(np.flatnonzero(heard > 0.1)[0]), 48_000)


@pytest.mark.parametrize("name", ["plain.mp4", "stream.ts", "odd.mov"])
def test_each_frame_is_the_takes(name: str, ffmpeg_exe: Path, tmp_path: Path) -> None:
    """Frame n of a proxy shows frame n of the take, whatever the container; there is a keyframe each half second."""
    import av

    rate = "30000/1001" if name == "odd.mov" else "30"
    source = make_numbered(tmp_path / name, seconds=2, rate=rate, sound="beeps")
    take, small = made(source, ffmpeg_exe, tmp_path)
    times = [(k + Fraction(1, 2)) / take.rate for k in range(take.frames)]
    shown = [number(image) for image in frames_at(small, times, height=90)]
    assert shown == list(range(take.frames))
    assert small.rate == take.rate
    assert abs(beep(small) - beep(take)) < Fraction(1, 1000)
    with av.open(str(small.path)) as file:
        assert file.streams.audio[0].codec_context.name == "mp3float"
        keys = [p.pts * p.time_base for p in file.demux(video=0) if p.is_keyframe and p.pts is not None]
    half = round(take.rate / 2) / take.rate
    assert sorted(keys) == [k * half for k in range(len(keys))]
    head = small.path.read_bytes()
    assert head.index(b"moov") < head.index(b"mdat")


def test_late_sound_variable_rates_and_turned_pictures_stay_in_step(any_ffmpeg: Path, tmp_path: Path) -> None:
    """A late sound is as late, a variable rate shows the same at the same time, a turned picture is upright."""
    late, small = made(make_clip(tmp_path / "late.mp4", sound="beeps", late=0.8), any_ffmpeg, tmp_path)
    assert abs(beep(small) - beep(late)) < Fraction(1, 1000)
    assert beep(small) > Fraction(3, 4)

    turned, small = made(
        make_clip(tmp_path / "turned.mp4", rotate=90, size=(1280, 720)), any_ffmpeg, tmp_path
    )
    assert turned.picture is not None
    assert small.picture is not None
    assert (turned.picture.width, turned.picture.height) == (720, 1280)
    assert (small.picture.width, small.picture.height, small.picture.rotation) == (640, 1138, 0)
    one, two = (frames_at(each, [Fraction(1)], height=160)[0].astype(int) for each in (turned, small))
    assert np.abs(one - two).mean() < 12

    uneven, small = made(make_variable(tmp_path / "uneven.mp4"), any_ffmpeg, tmp_path)
    times = [Fraction(n, 7) + Fraction(1, 100) for n in range(1, 18)]
    pairs = zip(*(frames_at(each, times, height=90) for each in (uneven, small)), strict=True)
    assert max(float(np.abs(a.astype(int) - b.astype(int)).mean()) for a, b in pairs) < 12


def test_hdr_and_silent_takes_have_proxies(any_ffmpeg: Path, tmp_path: Path) -> None:
    """A proxy of HDR is tagged as standard range; one of a take without sound has none; sound alone has no proxy."""
    bright = make_clip(tmp_path / "bright.mp4", transfer="hlg", seconds=0.5, sound="none")
    _, small = made(bright, any_ffmpeg, tmp_path)
    assert small.picture is not None
    assert (small.picture.hdr, small.sound) == (None, ())
    with pytest.raises(MediaError, match="has no picture"):
        made(make_sound(tmp_path / "voice.wav"), any_ffmpeg, tmp_path)


def test_a_proxy_is_made_once_for_a_content(any_ffmpeg: Path, tmp_path: Path) -> None:
    """A second call makes nothing; another content, or a file that was changed, is made anew; a stop leaves nothing."""
    take = probe(make_clip(tmp_path / "take.mp4"))
    folder, ffmpeg = tmp_path / "proxies", find(any_ffmpeg)
    shares: list[float] = []
    first = proxy(take, folder=folder, name="a/b", content="x", ffmpeg=ffmpeg, progress=shares.append)
    assert shares
    assert shares[-1] == 1.0
    stamp = first.path.stat().st_mtime_ns
    assert first.path.name == "a%2Fb.mp4"
    again = proxy(take, folder=folder, name="a/b", content="x", ffmpeg=ffmpeg)
    assert again.path.stat().st_mtime_ns == stamp
    assert known(folder, "a/b", content="y") is None
    assert json.loads((folder / "a%2Fb.json").read_text("utf-8"))["content"] == "x"
    first.path.write_bytes(b"")
    assert known(folder, "a/b", content="x") is None
    stop = threading.Event()
    stop.set()
    with pytest.raises(FfmpegStopped):
        proxy(take, folder=folder, name="c", content="x", ffmpeg=ffmpeg, cancel=stop)
    assert {file.name for file in folder.iterdir()} == {"a%2Fb.mp4", "a%2Fb.json"}
