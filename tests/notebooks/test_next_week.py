from __future__ import annotations

import re
from dataclasses import dataclass

import nbformat
import pytest

from tests.notebooks.executing import execute
from tests.sample import ROOT

NOTEBOOK = ROOT / "notebooks" / "next_week.ipynb"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@dataclass(frozen=True)
class Run:
    """What the cells showed as text, by their source, in the order of the notebook, and project.md after."""

    shown: list[tuple[str, str]]
    pages: list[str]
    log: str

    def said(self, source: str) -> list[str]:
        """Give what each cell that begins so showed."""
        return [text for cell, text in self.shown if cell.startswith(source)]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Execute the notebook headless, as a person's Jupyter would."""
    base = tmp_path_factory.mktemp("next week")
    cells = execute(NOTEBOOK, base / "executed.ipynb", CUTBOOK_NEXT_WEEK=str(base))
    shown, pages = [], []
    for cell in cells:
        data = [each.get("data", {}) for each in cell.outputs]
        shown.append((cell.source, "".join(each.get("text/plain", "") for each in data)))
        pages += (
            ["".join(each.get("text/html", "") for each in data)] if "%memory show" in cell.source else []
        )
    return Run(shown, pages, (base / "launch" / "edit" / "project.md").read_text(encoding="utf-8"))


def reviews(text: str) -> list[str]:
    """Give the causes that a brief names."""
    return re.findall(r"^Needs review: (.*)$", text, re.MULTILINE)


def test_notebook_is_committed_without_outputs() -> None:
    """The notebook names its kernel and holds no outputs of somebody's machine."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert notebook.metadata.kernelspec.name == "python3"
    assert [cell for cell in notebook.cells if cell.cell_type == "code" and cell.outputs] == []


def test_resume_says_exactly_what_needs_review(run: Run) -> None:
    """The replaced take and the corrected word ask for a decision each; the renamed one for none."""
    first, settled, last = run.said("%memory resume")
    assert reviews(first) == [
        "C0103 is another file now, 1 decision: `%memory confirm --cause 1`",
        "words of C0108 were put right in corrections.md, 1 decision: `%memory confirm --cause 2`",
    ]
    assert re.findall(r"^- d-\w{5}  (\w+) ", first, re.MULTILINE) == ["HOOK", "PROOF"]
    assert reviews(settled) == reviews(last) == []


def test_the_page_shows_pictures_and_words_then_and_now(run: Run) -> None:
    """On top stands what needs review with pictures or words, below the session with the renamed take as moved."""
    (page,) = run.pages
    assert page.index("Needs review") < page.index("on our own sight first") < page.index("Session 1 — ")
    assert "on our own site first" in page
    then, now = re.findall(r"data:image/jpeg;base64,([^\"]+)", page)
    assert page.index("C0103 is another file now") < page.index(then) < page.index("Session 1 — ")
    assert then != now
    assert re.search(r"Keep C0107 in reserve.*?moved", page)


def test_a_dropped_idea_is_warned_of(run: Run) -> None:
    """The idea that comes again is said to have been tried, and why it was given up."""
    (told,) = run.said("%memory decide")
    assert "tried before: “Jump cuts of three seconds in the proof”" in told
    assert "they tired the test audience" in told


def test_the_log_tells_both_weeks(run: Run) -> None:
    """The second section confirms one decision with a new hash, ends one with its reason, and holds the new one."""
    assert re.findall(r"^## Session (\d+)", run.log, re.MULTILINE) == ["1", "2"]
    second = run.log.partition("## Session 2")[2]
    confirmed = re.search(
        r"^- Still right: “PROOF .*<!-- m e-\w{5} confirm (d-\w{5}) .*words:(\S+) ", second, re.MULTILINE
    )
    assert confirmed is not None
    assert f"<!-- m {confirmed[1]} " in run.log.partition("## Session 2")[0]
    assert f"words:{confirmed[2]}" not in run.log.partition("## Session 2")[0]
    ended = r"^- No longer: “HOOK .*” \(session 1\): the take was replaced by a longer one\. <!-- m e-\w{5} abandon "
    assert re.search(ended, second, re.MULTILINE)
    assert re.search(r"^- HOOK is C0103 .*after the slip\. ", second, re.MULTILINE)
    assert "is out" not in second
