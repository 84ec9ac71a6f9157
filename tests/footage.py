"""Small real files of footage for tests, made by ffmpeg's own test sources.

Every maker writes one file and returns its path. Pictures are `testsrc2` unless a test needs to know a frame by its
content; sounds are tones, or beeps whose places are known to the sample.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Literal

Sound = Literal["tone", "beeps", "silence", "mono", "5.1", "none"]

BEEP = 0.1
"""Seconds that a beep lasts; beeps begin at each whole second of the sound stream: 1 kHz, half of full scale."""

_BEEPS = f"0.5*sin(2*PI*1000*t)*lt(mod(t\\,1)\\,{BEEP})"

SOUNDS = {
    "tone": "sine=frequency=440:sample_rate=48000,aformat=channel_layouts=stereo",
    "beeps": f"aevalsrc=exprs='{_BEEPS}|{_BEEPS}':s=48000:c=stereo",
    "silence": "anullsrc=r=48000:cl=stereo",
    "mono": "sine=frequency=440:sample_rate=44100",
    "5.1": "aevalsrc=exprs='0|0|0.4*sin(880*PI*t)|0|0|0':s=48000:c=5.1",
}

TRANSFERS = {"hlg": "arib-std-b67", "pq": "smpte2084"}


@cache
def maker() -> str:
    """Return the ffmpeg that comes as a wheel, which is there on every machine."""
    import imageio_ffmpeg

    return str(imageio_ffmpeg.get_ffmpeg_exe())


def run(*args: object, cwd: Path | None = None) -> None:
    """Run the maker's ffmpeg with `args`; fail with its log."""
    command = [maker(), "-nostdin", "-v", "error", "-y", *(str(arg) for arg in args)]
    done = subprocess.run(command, capture_output=True, cwd=cwd, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")


def named(path: Path) -> str:
    """Return a path as ffmpeg reads it whatever its name is made of."""
    return f"file:{path}"


def make_clip(
    path: Path,
    *,
    rate: str = "30",
    size: tuple[int, int] = (320, 180),
    seconds: float = 2.0,
    rotate: int = 0,
    sound: Sound = "tone",
    late: float = 0.0,
    transfer: Literal["hlg", "pq"] | None = None,
    picture: str | None = None,
    keyframes: int = 15,
    extra: Sequence[str] = (),
) -> Path:
    """Make a clip of H.264 and AAC (VP8 and Opus in .webm) at `path`, whose suffix says the container.

    `rotate` is clockwise degrees that a player turns the picture; `late` is seconds that the sound starts after the
    picture; `picture` is a filter source of your own in place of the test picture; `extra` goes before the output.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    source = picture or f"testsrc2=size={size[0]}x{size[1]}:rate={rate}"
    inputs: list[object] = ["-f", "lavfi", "-t", seconds, "-i", source]
    if sound != "none":
        inputs += ["-itsoffset", late, "-f", "lavfi", "-t", seconds, "-i", SOUNDS[sound]]
    webm = path.suffix == ".webm"
    codec = (
        ["-c:v", "libvpx", "-deadline", "realtime", "-b:v", "500k"]
        if webm
        else ["-c:v", "libx264", "-preset", "ultrafast"]
    )
    codec += ["-pix_fmt", "yuv420p", "-g", str(keyframes), "-c:a", "libopus" if webm else "aac"]
    if transfer:
        codec = [
            "-c:v",
            "libx265",
            "-preset",
            "ultrafast",
            "-x265-params",
            "log-level=none",
            "-pix_fmt",
            "yuv420p10le",
        ]
        codec += [
            "-vf",
            f"setparams=color_primaries=bt2020:color_trc={TRANSFERS[transfer]}:colorspace=bt2020nc:range=tv",
        ]
        codec += ["-tag:v", "hvc1", "-c:a", "aac"]
    if not rotate:
        run(*inputs, *codec, *extra, named(path))
        return path
    upright = path.with_name(f"upright-{path.name}")
    run(*inputs, *codec, *extra, named(upright))
    run("-display_rotation", -rotate, "-i", named(upright), "-map", "0", "-c", "copy", named(path))
    upright.unlink()
    return path


def make_variable(path: Path, *, seconds: float = 3.0) -> Path:
    """Make a clip whose frames do not come at even times: of 30 a second, some are left out."""
    drop = "select='not(mod(n\\,7)*lt(mod(n\\,30)\\,12))+eq(n\\,0)'"
    return make_clip(path, seconds=seconds, extra=["-vf", drop, "-fps_mode", "vfr"])


def make_sound(path: Path, *, sound: Sound = "tone", seconds: float = 2.0, extra: Sequence[str] = ()) -> Path:
    """Make a file of sound alone; the suffix says its kind."""
    path.parent.mkdir(parents=True, exist_ok=True)
    run("-f", "lavfi", "-t", seconds, "-i", SOUNDS[sound], *extra, named(path))
    return path


def make_cover_mp3(path: Path, *, seconds: float = 2.0) -> Path:
    """Make an MP3 (or what the suffix says) with cover art."""
    cover = path.with_suffix(".png")
    run("-f", "lavfi", "-i", "testsrc2=size=200x200:rate=1", "-frames:v", 1, named(cover))
    inputs = ["-f", "lavfi", "-t", seconds, "-i", SOUNDS["tone"], "-i", named(cover)]
    run(*inputs, "-map", "0:a", "-map", "1:v", "-c:v", "copy", "-disposition:v", "attached_pic", named(path))
    cover.unlink()
    return path


def make_stream_webm(path: Path, *, seconds: float = 2.0) -> Path:
    """Make a WebM as a browser's MediaRecorder writes it: live, without a duration and without an index."""
    return make_clip(path, seconds=seconds, extra=["-f", "webm", "-live", "1"])


def make_two_tracks(path: Path, *, seconds: float = 2.0) -> Path:
    """Make a screen recording whose first sound track is silent and whose second carries the beeps."""
    inputs: list[object] = ["-f", "lavfi", "-t", seconds, "-i", "testsrc2=size=320x180:rate=30"]
    for name in ("silence", "beeps"):
        inputs += ["-f", "lavfi", "-t", seconds, "-i", SOUNDS[name]]
    maps = [
        "-map",
        "0:v",
        "-map",
        "1:a",
        "-map",
        "2:a",
        "-c:v",
        "libx264",
        "-preset",
        "ultrafast",
        "-pix_fmt",
        "yuv420p",
    ]
    run(
        *inputs,
        *maps,
        "-c:a",
        "aac",
        "-metadata:s:a:1",
        "title=Microphone",
        "-metadata:s:a:1",
        "language=eng",
        named(path),
    )
    return path


def cut_short(source: Path, path: Path, *, share: float = 0.6) -> Path:
    """Write the first `share` of a file's bytes to `path`: a copy that broke off."""
    data = source.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    return path


def make_undecodable(source: Path, path: Path) -> Path:
    """Copy a two-track clip with its last sound track renamed to a codec that nobody decodes, as phones add one."""
    data = source.read_bytes()
    head, mark, tail = data.rpartition(b"mp4a")
    assert mark
    # The description inside names the codec once more, as object type 0x40.
    place = tail.index(b"esds")
    kind = tail.index(b"\x40\x15", place)
    path.write_bytes(head + b"apac" + tail[:kind] + b"\xfe" + tail[kind + 1 :])
    return path


def make_gap(source: Path, path: Path, *, start: float, end: float) -> Path:
    """Copy a clip without the packets of its first sound track that begin in [start, end) seconds: lost on the way."""
    return _copied(source, path, lambda time: None if start <= time < end else time)


def make_stray(source: Path, path: Path, *, at: float, shift: float) -> Path:
    """Copy a clip whose sound packet at `at` seconds claims to be heard `shift` seconds later."""
    return _copied(source, path, lambda time: time + shift if at <= time < at + 0.02 else time)


def _copied(source: Path, path: Path, moved: Callable[[float], float | None]) -> Path:
    import av

    with av.open(str(source)) as reading, av.open(str(path), "w") as writing:
        copies = {stream.index: writing.add_stream_from_template(stream) for stream in reading.streams}
        sound = reading.streams.audio[0].index
        for packet in reading.demux():
            if packet.dts is None or packet.pts is None:
                continue
            if packet.stream_index == sound:
                told = float(packet.pts * packet.time_base)
                time = moved(told)
                if time is None:
                    continue
                packet.pts += round((time - told) / packet.time_base)
            packet.stream = copies[packet.stream_index]
            writing.mux(packet)
    return path
