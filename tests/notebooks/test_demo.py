from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tests.sample import ROOT

ENVIRONMENT = """
import json, os, sys
from pathlib import Path
seen = {name: os.environ.get(name) for name in ("CUTBOOK_ENGINE", "ELEVENLABS_API_KEY", "IPYTHONDIR")}
Path("seen.json").write_text(json.dumps({**seen, "prefix": sys.prefix}))
"""
RESULTS = """
edit = Path(os.environ["CUTBOOK_FOOTAGE"]) / "edit"
(edit / "verify").mkdir(parents=True)
for name in ("preview.mp4", "verify/cut.png", "takes_packed.md", "edl.json", "project.md"):
    (edit / name).write_text("there")
"""


def demo(folder: Path, *cells: str) -> subprocess.CompletedProcess[str]:
    """Run the demo on a notebook of these cells, in an environment that holds a key and asks for Scribe."""
    footage = folder / "some takes"
    footage.mkdir()
    notebook = folder / "a notebook.ipynb"
    nbformat.write(new_notebook(cells=[new_markdown_cell("# Words"), *map(new_code_cell, cells)]), notebook)
    return subprocess.run(
        [sys.executable, ROOT / "tools" / "demo.py", "--notebook", notebook, "--footage", footage],
        env=os.environ
        | {"ELEVENLABS_API_KEY": "no-key", "CUTBOOK_ENGINE": "scribe", "PYTHONPATH": "elsewhere"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_demo_says_where_each_result_is(tmp_path: Path) -> None:
    """A notebook that leaves every result ends with exit code 0 and the place of each."""
    done = demo(tmp_path, ENVIRONMENT, RESULTS)
    assert (done.returncode, done.stderr) == (0, "")
    edit = tmp_path / "some takes" / "edit"
    places = (
        "preview.mp4",
        "verify/cut.png",
        "takes_packed.md",
        "edl.json",
        "project.md",
        "a notebook.executed.ipynb",
    )
    listed = [line[line.index(str(edit)) :] for line in done.stdout.splitlines() if str(edit) in line]
    assert listed == [str(edit / place) for place in places]


def test_demo_hides_the_key_and_uses_this_python(tmp_path: Path) -> None:
    """The kernel has no key, the embedded engine, no settings of the person's, and the demo's own Python."""
    demo(tmp_path, ENVIRONMENT, RESULTS)
    seen = json.loads((tmp_path / "seen.json").read_text(encoding="utf-8"))
    assert (seen["ELEVENLABS_API_KEY"], seen["CUTBOOK_ENGINE"], seen["prefix"]) == (None, "local", sys.prefix)
    assert seen["IPYTHONDIR"] != os.environ["IPYTHONDIR"]
    assert not Path(seen["IPYTHONDIR"]).exists()


@pytest.mark.parametrize(
    ("cell", "line"),
    [
        ("raise ValueError('a line\\nand more')", "demo: cell 1: raise ValueError"),
        ("import os\nos.kill(os.getpid(), 9)", "demo: cell 1: os.kill(os.getpid(), 9) ended its kernel"),
        ("1 + 1", "demo: the notebook ran, but left no video"),
    ],
)
def test_demo_fails_in_one_line(tmp_path: Path, cell: str, line: str) -> None:
    """A cell that fails, a kernel that dies and a result that is missing each end with exit code 1 and one line."""
    done = demo(tmp_path, cell)
    assert done.returncode == 1
    (said,) = [text for text in done.stderr.splitlines() if text]
    assert said.startswith(line)
