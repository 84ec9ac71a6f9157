"""Encode frames and sound into a file, on one clock, and turn a phone's picture on its side."""

from __future__ import annotations

import struct
import subprocess
import tempfile
import wave
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from studio.picture import Frame
from studio.script import Take
from studio.sound import Track

VIDEO = (
    "-c:v",
    "libx264",
    "-preset",
    "medium",
    "-crf",
    "18",
    "-tune",
    "animation",
    "-pix_fmt",
    "yuv420p",
    "-threads",
    "2",
)
COLOUR = ("-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv")
KEYFRAMES_S = 2


def write(path: Path, *, take: Take, pictures: Iterable[Frame], track: Track | None) -> None:
    """Encode a take to H.264 and AAC, bit-exact headers. Raises ``RuntimeError`` where ffmpeg fails."""
    wide, tall = take.size[::-1] if take.quarter_turn else take.size
    with tempfile.TemporaryDirectory() as folder:
        sound: tuple[str, ...] = ()
        audio: tuple[str, ...] = ("-an",)
        if track:
            dry = Path(folder, "sound.wav")
            save_wave(dry, track, channels=take.channels)
            sound = ("-i", str(dry))
            audio = ("-c:a", "aac", "-b:a", "80k" if take.channels == 1 else "128k")
        command = (
            "ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{wide}x{tall}",
            "-r", str(take.rate), "-i", "-", *sound,
            "-vf", "scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int",
            *VIDEO, *COLOUR, "-g", str(round(take.rate) * KEYFRAMES_S), *audio,
            "-movflags", "+faststart", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact",
            "-map_metadata", "-1", str(path),
        )  # fmt: skip
        encoder = subprocess.Popen(command, stdin=subprocess.PIPE)
        if encoder.stdin is None:
            msg = "ffmpeg takes no input"
            raise RuntimeError(msg)
        for picture in pictures:
            stored = np.rot90(picture) if take.quarter_turn else picture
            encoder.stdin.write(np.ascontiguousarray(stored).tobytes())
        encoder.stdin.close()
        if encoder.wait():
            msg = f"ffmpeg could not write {path.name}"
            raise RuntimeError(msg)
    if take.quarter_turn:
        turn_clockwise(path, height=tall)


def save_wave(path: Path, track: Track, *, channels: int) -> None:
    """Write the sound as 16-bit PCM, the same in each channel."""
    samples = np.repeat(np.round(track.samples * 32767).astype("<i2")[:, None], channels, axis=1)
    with wave.open(str(path), "wb") as writer:
        writer.setnchannels(channels)
        writer.setsampwidth(2)
        writer.setframerate(track.rate)
        writer.writeframes(samples.tobytes())


def turn_clockwise(path: Path, *, height: int) -> None:
    """Write a display matrix of a quarter turn to the right into the video track's header.

    ``height`` is that of the stored picture. Done by hand, because the option for it differs between
    versions of ffmpeg. Raises ``ValueError`` where the file has no video track.
    """
    data = bytearray(path.read_bytes())
    at = data.find(b"tkhd")
    while at >= 0:
        version = data[at + 4]
        matrix = at + 4 + (52 if version else 40)
        width = struct.unpack(">I", data[matrix + 36 : matrix + 40])[0]
        if width:
            data[matrix : matrix + 36] = struct.pack(
                ">9i", 0, 1 << 16, 0, -(1 << 16), 0, 0, height << 16, 0, 1 << 30
            )
            path.write_bytes(data)
            return
        at = data.find(b"tkhd", at + 4)
    msg = f"no video track in {path.name}"
    raise ValueError(msg)
