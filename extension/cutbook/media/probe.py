"""What a file is: its picture stream, its sound tracks, and what is odd about it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

SUFFIXES = frozenset(
    ".mp4 .mov .m4v .mkv .webm .avi .mts .m2ts .ts .mpg .mpeg .mxf .3gp .wmv .flv "
    ".wav .mp3 .m4a .aac .flac .ogg .opus .aif .aiff".split()
)
"""Suffixes (lower case) that are looked at when takes are searched for."""


@dataclass(frozen=True, slots=True)
class Picture:
    """The picture stream that is shown (never cover art).

    ``width`` and ``height`` are the displayed size in square pixels after rotation and sample aspect;
    ``coded`` is the stored size. ``rate`` is the nominal rate (r_frame_rate), ``average_rate`` frames over time;
    ``variable`` tells that they differ. ``start`` is the first shown frame's pts on the container's clock, in seconds;
    ``frames`` and ``duration`` (seconds) count from there. ``rotation`` is clockwise degrees (0, 90, 180, 270) that a
    player turns the stored picture. ``transfer``, ``primaries``, ``matrix`` are ffmpeg's names or None;
    ``full_range`` tells pc from tv range. ``timecode`` is the embedded start timecode.
    """

    index: int
    codec: str
    width: int
    height: int
    coded: tuple[int, int]
    rotation: int
    sample_aspect: Fraction
    rate: Fraction
    average_rate: Fraction
    variable: bool
    time_base: Fraction
    start: Fraction
    duration: Fraction
    frames: int
    pixel_format: str
    bit_depth: int
    interlaced: bool
    full_range: bool
    transfer: str | None = None
    primaries: str | None = None
    matrix: str | None = None
    timecode: str | None = None

    @property
    def hdr(self) -> str | None:
        """``HLG`` or ``PQ`` for a high dynamic range picture, else None."""
        return {"arib-std-b67": "HLG", "smpte2084": "PQ"}.get(self.transfer or "")


@dataclass(frozen=True, slots=True)
class SoundTrack:
    """One decodable sound track; ``track`` counts sound tracks from 0 (ffmpeg's ``0:a:N`` over all of them).

    ``index`` is the stream's number in the file, ``start`` (seconds) lies on the container's clock.
    """

    index: int
    track: int
    codec: str
    sample_rate: int
    channels: int
    layout: str
    start: Fraction
    duration: Fraction
    language: str | None = None
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Media:
    """A file of footage.

    Take time: second 0 is the first shown picture frame (the first sample where there is no picture), so that
    frame n of a constant-rate picture begins at n/rate. ``origin`` is that point on the container's clock.
    ``duration`` is the length in take time. ``notes`` says what is odd, in plain words
    (variable frame rate, HDR, rotated, no sound, sound starts 0.8 s late, undecodable track ignored…).
    """

    path: Path
    container: str
    size: int
    origin: Fraction
    duration: Fraction
    picture: Picture | None
    sound: tuple[SoundTrack, ...]
    notes: tuple[str, ...] = ()

    @property
    def rate(self) -> Fraction:
        """Frames a second of the grid on which ranges of this file lie: the picture's, or 30 for sound alone."""
        return self.picture.rate if self.picture else Fraction(30)

    @property
    def frames(self) -> int:
        """Whole frames of the grid that the file covers."""
        return self.picture.frames if self.picture else int(self.duration * self.rate)
