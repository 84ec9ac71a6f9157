"""Which project is in use: none after one could not be opened, and no money for one that nobody named."""

from __future__ import annotations

from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from cutbook.errors import InputError, NotAFolder
from tests.faces import run


def test_after_a_folder_that_cannot_be_opened_none_is_in_use(ipython: InteractiveShell, launch: Path) -> None:
    """A mistyped folder leaves no project in use, and the next verb says so until one is opened."""
    run(ipython, f"%project {launch}")
    with pytest.raises(NotAFolder):
        run(ipython, f"%project {launch}-typo")
    for verb in ("%edl", "%transcribe --dry-run", "%project"):
        with pytest.raises(InputError, match=r"no project is in use, because .*-typo could not be opened"):
            run(ipython, verb)
    run(ipython, f"%project {launch}")
    run(ipython, "%transcribe --dry-run")


def test_nothing_is_spent_on_a_folder_that_nobody_named(
    ipython: InteractiveShell, launch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A verb may open the current folder and count, but Scribe is asked once the folder was named alone."""
    monkeypatch.chdir(launch)
    run(ipython, "%transcribe --engine scribe --dry-run")
    with pytest.raises(InputError, match="Scribe costs money; run %project DIR first"):
        run(ipython, "%transcribe S0303 --engine scribe")
    run(ipython, "%project")
    assert run(ipython, "%transcribe C0101 --engine scribe").ok
