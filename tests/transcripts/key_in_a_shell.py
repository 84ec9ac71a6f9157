"""Run cells in a real IPython that shows the variables of every frame, and say all that it says; started by a test.

The key comes by the environment alone. Each cell that fails is followed by ``%tb``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from IPython.core.interactiveshell import InteractiveShell


def main() -> None:
    """Run the cells of the file named."""
    shell = InteractiveShell.instance(colors="NoColor")
    for cell in json.loads(Path(sys.argv[1]).read_text("utf-8")):
        print(f">>> {cell}", flush=True)  # noqa: T201 - what a person would see
        done = shell.run_cell(cell, store_history=True)  # type: ignore[no-untyped-call] # IPython's own
        if done.error_in_exec is not None:
            print(">>> %tb", flush=True)  # noqa: T201
            shell.run_line_magic("tb", "")


if __name__ == "__main__":
    main()
