"""The clips that the render room's tests share, made once a session."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from cutbook.files import UserFolders
from cutbook.media.ffmpeg import Ffmpeg, find
from tests.render.footage import Clip, film

NTSC30 = Fraction(30000, 1001)
NTSC24 = Fraction(24000, 1001)


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> UserFolders:
    """Return a user's folders."""
    place = tmp_path_factory.mktemp("user")
    return UserFolders(place / "cache", place / "state", place / "config")


@pytest.fixture(scope="session")
def runner(ffmpeg_exe: Path) -> Ffmpeg:
    """Return each ffmpeg of this machine in turn."""
    return find(ffmpeg_exe)


@pytest.fixture(scope="session")
def one_runner(any_ffmpeg: Path) -> Ffmpeg:
    """Return one ffmpeg."""
    return find(any_ffmpeg)


@pytest.fixture(scope="session")
def clips(tmp_path_factory: pytest.TempPathFactory, any_ffmpeg: Path) -> dict[str, Clip]:
    """Return clips at 25, 30000/1001 and 24000/1001, one portrait with a rotation tag, one silent."""
    place = tmp_path_factory.mktemp("clips")
    return {
        "pal": film(place / "pal.mp4", any_ffmpeg, rate=Fraction(25), frames=100),
        "ntsc": film(place / "ntsc.mp4", any_ffmpeg, rate=NTSC30, frames=100, seed=2),
        "cinema": film(
            place / "cinema.mov",
            any_ffmpeg,
            rate=NTSC24,
            frames=80,
            seed=3,
            sound_codec=("-c:a", "pcm_s16le"),
        ),
        "phone": film(
            place / "phone.mp4", any_ffmpeg, rate=NTSC30, frames=90, size=(90, 160), seed=4, rotation=90
        ),
        "mute": film(place / "mute.mp4", any_ffmpeg, rate=Fraction(25), frames=75, seed=None),
    }
