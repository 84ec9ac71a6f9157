"""The committed sample footage, and copies of it to work on."""

from __future__ import annotations

import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "sample_media"
NO_TAKES = {".py", ".json", ".md", ".txt", ".toml"}


def takes() -> list[Path]:
    """Return the sample's takes, by name."""
    files = [file for file in sorted(SAMPLE.iterdir()) if file.is_file() and not file.name.startswith(".")]
    return [file for file in files if file.suffix.lower() not in NO_TAKES]


def copy_takes(folder: Path) -> Path:
    """Copy the sample's takes into `folder`, which is made, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in takes():
        shutil.copy2(file, folder / file.name)
    return folder
