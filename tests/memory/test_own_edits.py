"""Own edits of every kind, session after session, ask for nothing: on real takes, through the project."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from cutbook import Project
from cutbook.edit import decide
from cutbook.errors import CutbookError
from tests.launch import copy_launch

LINES = (
    "HOOK C0101 #1-#4 -- calm",
    "FIX B0202 #1-#3",
    "MID C0101 #6-#8 -- late",
    "AWAY S0303 0.2-1.6",
    "HOOK C0101 #1-#8 -- whole",
    "C0101 #2-#3",
    "FIX B0202 #2-#3 -- short",
)


def edit(project: Project, chance: random.Random) -> None:
    """Do any one thing that a person may do to the cut, or decide something about it."""
    place = chance.randint(1, 4)
    verbs: dict[str, Callable[[], object]] = {
        "cut": lambda: project.cut("\n".join(chance.sample(LINES, chance.randint(1, 4)))),
        "append": lambda: project.cut(chance.choice(LINES), append=True),
        "tighten": lambda: project.tighten(pauses=chance.choice([None, 0.3])),
        "accept": lambda: project.accept(place, why=chance.choice(["", "calm", "dry"])),
        "reject": lambda: project.reject(place, why=chance.choice(["", "slow", "dull"])),
        "undecided": lambda: project.undecided(place),
        "undo": project.undo,
        "redo": project.redo,
        "trim": lambda: trim(project, place, chance.choice([1, 3, 5])),
        "decide": lambda: project.memory.decide(f"idea {chance.random():.4f}", beat="HOOK"),
    }
    verbs[chance.choice(list(verbs))]()


def trim(project: Project, place: int, tenths: int) -> None:
    """Take some tenths of a second off a range's end, as the review does."""
    end = decide.find(project.edl, place).end - Fraction(tenths, 10)
    project._cutting.change(
        "trim", lambda old: decide.trim(old, place, project.takes, end=end, exact=True, by="review"), why=""
    )


@pytest.mark.parametrize("seed", [11, 125, 136])
def test_own_edits_in_any_order_ask_for_nothing(tmp_path: Path, seed: int) -> None:
    """Ten sessions of cuts, trims, verdicts, undo and decisions: nothing needs review, before persist or after."""
    folder = copy_launch(tmp_path / "launch")
    chance = random.Random(seed)  # noqa: S311 - the same choices each time
    for _ in range(10):
        project = Project(folder)
        for _ in range(chance.randint(1, 6)):
            try:
                edit(project, chance)
            except CutbookError:
                continue
            assert project.memory.resume().needs_review == ()
        project.memory.persist()
        assert Project(folder).memory.resume().needs_review == ()
        assert project.memory.doctor().ok
