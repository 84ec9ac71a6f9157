"""Which take is meant by a name that somebody typed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

_PLAIN = re.compile(r"\w[\w./+-]*")


def typed(name: str) -> str:
    """Write a name as a person types it after a magic: in quotes where it would be read as something else."""
    if _PLAIN.fullmatch(name):
        return name
    mark = "'" if '"' in name else '"'
    return f"{mark}{name}{mark}"


def spellings(names: Iterable[str], files: Mapping[str, Path]) -> dict[str, str]:
    """Give what each take may be called, besides its name: in any case, and with its file's suffix.

    Keys are casefolded. A spelling that would fit two takes is none; ``files`` gives the takes' files.
    """
    result: dict[str, str] = {}
    for forms in (
        [(name.casefold(), name) for name in names],
        [(_with_suffix(name, files[name]).casefold(), name) for name in names if name in files],
    ):
        meant: dict[str, set[str]] = {}
        for form, name in forms:
            meant.setdefault(form, set()).add(name)
        for form, found in meant.items():
            if len(found) == 1:
                result.setdefault(form, next(iter(found)))
            else:
                result.setdefault(form, "")
    return {form: name for form, name in result.items() if name}


def namesakes(asked: str, names: Iterable[str]) -> tuple[str, ...]:
    """Give the takes whose last part is the name that was asked for: files of one name in several folders."""
    wanted = asked.casefold()
    return tuple(
        name
        for name in names
        if "/" in name
        and wanted in {tail.casefold() for tail in (_last(name), _last(name).rpartition(".")[0])}
    )


def _last(name: str) -> str:
    return name.rpartition("/")[2]


def _with_suffix(name: str, path: Path) -> str:
    return name if name.casefold().endswith(path.suffix.casefold()) else name + path.suffix
