"""What `%load_ext cutbook` costs a notebook that starts."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence

from benchmarks import Reading, benchmark

ROUNDS = 7
BARE = """
from IPython.core.interactiveshell import InteractiveShell
import ipywidgets
shell = InteractiveShell.instance()
"""
LOADED = BARE + "shell.run_line_magic('load_ext', 'cutbook')\n"


def seconds(code: str) -> tuple[float, float]:
    """Return the wall seconds and the processor seconds that a fresh Python takes to run `code`."""
    before, began = os.times(), time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    wall, after = time.perf_counter() - began, os.times()
    user, system = (
        (after.children_user - before.children_user),
        (after.children_system - before.children_system),
    )
    return wall, user + system


@benchmark("How long until a shell is ready, with the extension and without it?")
def load_ext() -> Sequence[Reading]:
    """Compare a bare IPython with ipywidgets to the same with `%load_ext cutbook`, run turn about."""
    programs = {"IPython with ipywidgets": BARE, "the same with cutbook loaded": LOADED}
    for code in programs.values():
        seconds(code)
    runs: dict[str, list[tuple[float, float]]] = {label: [] for label in programs}
    for _ in range(ROUNDS):
        for label, code in programs.items():
            runs[label].append(seconds(code))
    return [
        Reading(
            label=label,
            value=statistics.median(wall for wall, _ in times),
            note=f"{statistics.median(cpu for _, cpu in times):.3f} s of processor; medians of {ROUNDS} processes",
        )
        for label, times in runs.items()
    ]
