"""The projects of this user that remember something, so that one can be recalled in another."""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cutbook import files
from cutbook.errors import FileBusy

if TYPE_CHECKING:
    from cutbook.files import UserFolders

NAME = "projects.json"


@dataclass(frozen=True, slots=True)
class Registered:
    """One project: its ``edit`` folder, its uuid and its title."""

    edit: Path
    uuid: str
    title: str


def register(folders: UserFolders, edit: Path, *, uuid: str, title: str) -> None:
    """Note where a project is. A project that cannot be noted is not found from elsewhere, which is no error here."""
    path = folders.state / NAME
    key = str(edit.resolve())
    row = {"uuid": uuid, "title": title}
    if _read(path).get(key) == row:
        return
    with contextlib.suppress(OSError, FileBusy), files.locked(path, folders):
        known = _read(path)
        known[key] = row
        files.write_atomic(path, json.dumps(known, ensure_ascii=False, indent=1, sort_keys=True) + "\n")


def registered(folders: UserFolders) -> tuple[Registered, ...]:
    """Give every project that was noted, whether it is there or not, by its folder."""
    return tuple(
        Registered(Path(edit), row["uuid"], row["title"])
        for edit, row in sorted(_read(folders.state / NAME).items())
    )


def _read(path: Path) -> dict[str, dict[str, str]]:
    try:
        rows = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(rows, dict):
        return {}
    return {
        edit: {"uuid": row["uuid"], "title": row["title"]}
        for edit, row in rows.items()
        if isinstance(row, dict) and isinstance(row.get("uuid"), str) and isinstance(row.get("title"), str)
    }
