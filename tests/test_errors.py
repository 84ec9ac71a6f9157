from __future__ import annotations

import re

import pytest

from cutbook import errors
from cutbook.errors import (
    CutbookError,
    CutListError,
    DiskFull,
    EngineMissing,
    FfmpegMissing,
    FileBusy,
    UnknownTake,
)

CLASSES = {
    name: value
    for name, value in vars(errors).items()
    if isinstance(value, type) and issubclass(value, CutbookError)
}


def test_the_tree_in_the_docstring_is_the_tree() -> None:
    """Every class stands in the drawing, under the class that it derives from, and nothing else does."""
    drawn: dict[str, str] = {}
    path: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        match = re.match(r"((?:[│├└─ ]{4})*)([A-Z]\w+)(?: |\Z)", line)
        if match and (match[1] or match[2] == "CutbookError"):
            depth = len(match[1]) // 4
            path = [*path[:depth], match[2]]
            drawn[match[2]] = path[depth - 1] if depth else ""
    parents = {
        name: next((base.__name__ for base in value.__bases__ if issubclass(base, CutbookError)), "")
        for name, value in CLASSES.items()
    }
    assert drawn == parents


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_every_class_says_when_it_is_raised(name: str) -> None:
    """A class's docstring begins with one sentence that says when."""
    first = (CLASSES[name].__doc__ or "").splitlines()[0]
    assert first.endswith(".")
    assert name == "CutbookError" or first.startswith("Raised when ")


@pytest.mark.parametrize(
    ("kind", "builtin"),
    [
        (errors.InputError, ValueError),
        (errors.TimeError, ValueError),
        (UnknownTake, LookupError),
        (FfmpegMissing, FileNotFoundError),
        (EngineMissing, ImportError),
        (DiskFull, OSError),
        (FileBusy, TimeoutError),
        (errors.Interrupted, KeyboardInterrupt),
        (errors.NotAFolder, NotADirectoryError),
    ],
)
def test_the_right_built_in_catches_it(kind: type[CutbookError], builtin: type[Exception]) -> None:
    """Whoever knows only Python's own errors catches ours, and the message is the sentence alone."""
    with pytest.raises(builtin) as caught:
        raise kind("clip.mp4 is no clip; name another")
    assert isinstance(caught.value, CutbookError)
    assert str(caught.value) == "clip.mp4 is no clip; name another"


def test_a_notebook_shows_one_line_and_then_all() -> None:
    """IPython gets one line first and, when a person asks again with %tb, the whole traceback."""
    with pytest.raises(UnknownTake) as raised:
        raise UnknownTake("no take is called C9; there are C1, C2")
    caught = raised.value
    assert caught._render_traceback_(type(caught), caught, None) == [
        "UnknownTake: no take is called C9; there are C1, C2"
    ]
    again = caught._render_traceback_()
    assert again[0].startswith("Traceback")
    assert any("test_errors.py" in line for line in again)


def test_a_line_of_the_cut_list_knows_its_place() -> None:
    """Line and column stand in the message and on the error."""
    error = CutListError("no such take", line=3, column=7)
    assert str(error) == "line 3, column 7: no such take"
    assert (error.line, error.column) == (3, 7)
