"""Trims that would change nothing: said in one line that tells what moves the edge, and nothing is half done."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutbook import Project
from cutbook.errors import EdlError
from tests.launch import copy_launch


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Return a project whose range 1 is 0.50-2.20 of C0101: its first four words, without air."""
    project = Project(copy_launch(tmp_path / "launch"))
    project.cut("HOOK C0101 #1-#4 -- clean", pad=(0, 0))
    for name, value in (("pad_before_ms", "0"), ("pad_after_ms", "0")):
        project.memory.prefer(f"{name}={value}")
    return project


def refused(project: Project, **how: object) -> str:
    """Return why a trim is refused, which writes nothing."""
    before = (project.edit / "edl.json").read_bytes(), len(project.session.events())
    with pytest.raises(EdlError) as error:
        project.trim(1, **how)  # type: ignore[arg-type]
    assert ((project.edit / "edl.json").read_bytes(), len(project.session.events())) == before
    assert "\n" not in str(error.value)
    return str(error.value)


def test_an_edge_that_snaps_back_says_so(project: Project) -> None:
    """Where it would have been, the word that it goes through, where it snapped to, and --exact; a reason or not."""
    id_ = project.edl.ranges[0].id
    # 0.7 s and 1.9 s are frames 21 and 57 of 30 a second; “Ninety” is 0.5-0.9, “wasted.” 1.65-2.2
    told = f"range 1 ({id_}): nothing changes: 0.70 goes through “Ninety” and snaps to 0.50, where its in point is; "
    assert refused(project, start=0.7, why="a tighter start") == f"{told}--exact puts it at 0.70"
    assert refused(project, start=0.7) == f"{told}--exact puts it at 0.70"
    assert refused(project, end=1.9).endswith(
        "1.90 goes through “wasted.” and snaps to 2.20, where its out point is; --exact puts it at 1.90"
    )
    assert refused(project, start=0.7, end=1.9).startswith(told)
    assert refused(project, edge="in", frame=21, why="tight").startswith(told)
    assert project.trim(1, start=0.7, exact=True, why="a tighter start").ranges[0].frames == (21, 66)


def test_one_edge_that_moves_is_a_change(project: Project) -> None:
    """The other may stay where it is."""
    assert project.trim(1, start=0.7, end=1.5).ranges[0].frames == (15, 48)


def test_an_edge_that_lies_there_already_is_no_error(project: Project) -> None:
    """A cell may be run again; but a reason that would be lost is refused, with the verb that keeps it."""
    assert project.trim(1, start=0.5).ranges[0].frames == (15, 66)
    assert refused(project, start=0.5, why="calm").endswith(
        "its in point lies there already; %edl reason 1 --why TEXT keeps a reason"
    )
    assert refused(project, start=0.5, end=2.2, exact=True, why="calm").endswith(
        "its edges lie there already; %edl reason 1 --why TEXT keeps a reason"
    )


@pytest.mark.parametrize("exact", [False, True])
def test_the_same_trim_twice_is_the_change_that_is_there(project: Project, exact: bool) -> None:  # noqa: FBT001
    """With the same reason, straight after the first: one version, no error."""
    first = project.trim(1, end=1.5, exact=exact, why="shorter; calm")
    assert project.trim(1, end=1.5, exact=exact, why="shorter; calm") == first
    assert [each.why for each in project.history().versions[1:]] == ["shorter; calm"]


def test_an_edge_that_is_dragged_back_is_seen(project: Project) -> None:
    """A view asks by frame and without a reason, and shows the edge where it was."""
    assert project.trim(1, edge="in", frame=21).ranges[0].frames == (15, 66)
