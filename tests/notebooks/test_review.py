from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.notebooks.executing import execute
from tests.sample import ROOT

NOTEBOOK = ROOT / "notebooks" / "review.ipynb"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@dataclass(frozen=True)
class Run:
    """The executed notebook, its outputs by the source of their cells, and the folder it worked in."""

    notebook: Path
    outputs: list[tuple[str, list[dict[str, Any]]]]
    edit: Path

    def shown(self, source: str, kind: str = "text/plain") -> str:
        """Give all that the first cell that begins so showed in one form."""
        found = next(outputs for cell, outputs in self.outputs if cell.startswith(source))
        return "\n".join(each.get("data", {}).get(kind, "") for each in found)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Execute the notebook headless, as `jupyter execute` would."""
    base = tmp_path_factory.mktemp("review")
    output = base / "executed.ipynb"
    cells = execute(NOTEBOOK, output, CUTBOOK_REVIEW=str(base))
    return Run(output, [(cell.source, cell.outputs) for cell in cells], base / "launch" / "edit")


def test_notebook_is_committed_without_outputs_and_names_its_kernel() -> None:
    """The notebook opens without asking for a kernel, and holds no outputs of somebody's machine."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert notebook.metadata.kernelspec.name == "python3"
    assert [cell for cell in notebook.cells if cell.cell_type == "code" and cell.outputs] == []


def test_review_stands_in_an_executed_notebook_as_a_table_with_pictures(run: Run) -> None:
    """Where no script runs, each of the five cuts has its first and its last frame and its words."""
    page = run.shown("review = %review", "text/html")
    assert page.count("<img") == 10
    assert "percent of what a page loads is never seen" in page
    assert "5 ranges, 00:19 kept" in run.shown("review = %review")


def test_what_was_done_by_line_is_in_the_cut_list(run: Run) -> None:
    """The hook is the other take, the um is out, and the last range is rejected: after undo and redo too."""
    ranges = json.loads((run.edit / "edl.json").read_text("utf-8"))["ranges"]
    assert [(each["source"], each["status"]) for each in ranges] == [
        ("C0103", "undecided"),
        ("C0103", "accepted"),
        ("C0106", "undecided"),
        ("C0106", "undecided"),
        ("C0108", "accepted"),
        ("C0108", "rejected"),
    ]
    assert "um" not in " ".join(each["quote"] for each in ranges[2:4]).split()


def test_session_is_kept_with_its_reasons(run: Run) -> None:
    """Without a browser `%memory persist` writes at once, and the reasons that were typed are in the log."""
    log = (run.edit / "project.md").read_text("utf-8")
    assert log.count("## Session 1") == 1
    for reason in (
        "no um, and she looks into the lens",
        "twice as long says nothing",
        "clean, and to the point",
    ):
        assert reason in log


def test_executed_notebook_turns_into_html_with_the_review_in_it(run: Run, tmp_path: Path) -> None:
    """Nbconvert's page holds words and pictures of every cut, readable without a script of ours."""
    command = [
        sys.executable,
        "-m",
        "nbconvert",
        "--to",
        "html",
        "--output-dir",
        str(tmp_path),
        str(run.notebook),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "executed.html").read_text("utf-8")
    assert "Pages are slow phones run hot and people leave" in page
    assert page.count("data:image/jpeg") >= 10
