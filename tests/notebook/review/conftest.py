"""A project with a cut list, and a view of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cutbook import Project
from tests.notebook.review.talk import Talk

CUT = "HOOK C0101 #1-#4 -- calm\nFIX B0202 #1-#3\nHOOK C0101 #6-#8"


@pytest.fixture
def project(launch: Path) -> Project:
    """Return a project with a cut list of three ranges of two takes."""
    project = Project(launch)
    project.cut(CUT, pad=(0, 0))
    return project


@pytest.fixture
def talk(project: Project) -> Iterator[Talk]:
    """Return a review of it with one view, which is left at the end."""
    made = Talk(project)
    made.hello()
    yield made
    made.exchange.close()
