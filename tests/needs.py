"""What a test needs of the machine: skipped loudly where it lacks, failed where the caller said that it must not."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


def require(there: object, reason: str, *, variable: str = "CUTBOOK_REQUIRE_ALL") -> None:
    """Skip the running test with `reason` unless `there` is true; fail it where `variable` or the like is set."""
    if there:
        return
    if os.environ.get("CUTBOOK_REQUIRE_ALL") or os.environ.get(variable):
        pytest.fail(f"this machine must have it, and has not: {reason}", pytrace=False)
    pytest.skip(f"NOT TESTED HERE: {reason}")


def chromium() -> Path:
    """Return the machine's Chromium; without one skip, or fail under CUTBOOK_REQUIRE_BROWSER."""
    found = next((place for name in CHROMIUM_NAMES if (place := shutil.which(name))), None)
    require(found, "no Chromium (on Debian: apt install chromium)", variable="CUTBOOK_REQUIRE_BROWSER")
    return Path(str(found))


def ffmpegs() -> dict[str, Path]:
    """Return the ffmpeg binaries of this machine: `system` on PATH, `wheel` of imageio-ffmpeg."""
    import imageio_ffmpeg

    found = {"wheel": Path(imageio_ffmpeg.get_ffmpeg_exe())}
    if system := shutil.which("ffmpeg"):
        found["system"] = Path(system)
    return found
