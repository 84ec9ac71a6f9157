"""What `%load_ext cutbook` costs a notebook that starts."""

from __future__ import annotations

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


def seconds(code: str) -> float:
    """Return the wall seconds that a fresh Python takes to run `code`."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    return time.perf_counter() - began


@benchmark("How long until a shell is ready, with the extension and without it?")
def load_ext() -> Sequence[Reading]:
    """Compare a bare IPython with ipywidgets to the same with `%load_ext cutbook`, run turn about."""
    programs = {"IPython with ipywidgets": BARE, "the same with cutbook loaded": LOADED}
    for code in programs.values():
        seconds(code)
    runs: dict[str, list[float]] = {label: [] for label in programs}
    for _ in range(ROUNDS):
        for label, code in programs.items():
            runs[label].append(seconds(code))
    note = f"median of {ROUNDS}, fresh processes"
    return [Reading(label=label, value=statistics.median(times), note=note) for label, times in runs.items()]
