"""A launch folder of its own for each test, and the two faces of a project."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from tests.faces import ByMagic, ByPython, Face, shell
from tests.launch import copy_launch


@pytest.fixture
def launch(tmp_path: Path) -> Path:
    """Return a launch folder of the test's own."""
    return copy_launch(tmp_path / "launch")


@pytest.fixture
def ipython() -> Iterator[InteractiveShell]:
    """Return a shell with the extension loaded."""
    with shell() as made:
        yield made


@pytest.fixture(params=["python", "magic"])
def by(request: pytest.FixtureRequest, launch: Path) -> Iterator[Face]:
    """Return each face of a project on the launch folder in turn."""
    if request.param == "python":
        yield ByPython(launch)
        return
    with shell() as made:
        yield ByMagic(launch, made)
