"""What made a version, in few words."""

from __future__ import annotations

from cutbook import Project
from cutbook.notebook.review.deeds import deed


def deeds(project: Project) -> list[str]:
    """Return what made each version."""
    return [deed(project.edit, each.number) for each in project.history().versions]


def test_a_version_is_told_by_its_verb_and_the_numbers_from_before(project: Project) -> None:
    """Ranges have the numbers that they had then; new lists, values of the film and hand edits are not told so."""
    project.accept(1, 2, 3)
    project.reject(1, 3, why="hums")
    project.move(1, before=None)
    project.move(2, before=1)
    project.trim(2, edge="out", frame=project.edl.ranges[1].frames[1] - 1, exact=True)
    first = project.edl.ranges[0]
    project.split(1, frame=first.frames[0] + 15)
    project.reason(4, "warmer")
    project.accept(4)
    project.cut_words(4, 4, 4)
    project.swap(4, "C0101", 6, 8)
    project.set("grade", "warm_cinematic")
    assert deeds(project) == [
        "",
        "accept 1-3",
        "reject 1, 3",
        "move 1",
        "move 2",
        "trim 2",
        "split 1",
        "reason 4",
        "accept 4",
        "cut words 4",
        "swap 4",
        "",
    ]


def test_what_is_not_known_is_not_told(project: Project) -> None:
    """Without its note, or of a number that there is not, nothing is said; of many scattered ranges, how many."""
    project.cut("\n".join(["HOOK C0101 #1-#2", "FIX B0202 #1-#2"] * 6))
    project.reject(1, 3, 5, 7, 9, 11)
    assert deeds(project) == ["", "", "reject 6 ranges"]
    (project.edit / "history" / "0003.meta.json").write_text("[]", "utf-8")
    assert (deed(project.edit, 3), deed(project.edit, 99)) == ("", "")
