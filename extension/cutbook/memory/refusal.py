"""What is said where a file of the memory cannot be written: which one, why, and what to do."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def refusal(path: Path, error: Exception, then: str) -> str:
    """Give one sentence; an error that names its file already is not told twice."""
    number = error.errno if isinstance(error, OSError) else None
    said = str(error).partition(";")[0]
    if " cannot be written: " in said and not said.startswith(str(path)):
        return f"{said}; {then}"
    return f"{path} cannot be written: {os.strerror(number) if number else said}; {then}"
