"""The repository's notebooks, executed without a browser."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import nbformat

EXECUTE = """
import sys
import nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], as_version=4)
place = {"metadata": {"path": sys.argv[3]}}
NotebookClient(notebook, kernel_name="python3", timeout=120, resources=place).execute()
nbformat.write(notebook, sys.argv[2])
"""


def execute(notebook: Path, output: Path, **environment: str) -> list[nbformat.NotebookNode]:
    """Run a notebook where it lies, as `jupyter execute` would, write it to `output`, and return its code cells."""
    command = [sys.executable, "-c", EXECUTE, str(notebook), str(output), str(notebook.parent)]
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return [cell for cell in nbformat.read(output, as_version=4).cells if cell.cell_type == "code"]
