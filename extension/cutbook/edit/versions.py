"""Every version of the cut list, kept: who, why and when, undo and redo across restarts and notebooks.

``history/0007.json`` holds the bytes of ``edl.json`` as they were, ``history/0007.meta.json`` who, why and when.
``history/head.json`` holds the order in which versions were in force, which of them is, and its bytes' hash: what does
not have that hash was edited by hand. It is rebuilt from the numbered files when it is lost.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from cutbook.edit import changes
from cutbook.edit.edl import NAME, Edl, dump, load, loads, settle, validate, write
from cutbook.errors import EdlError, NothingToUndo
from cutbook.files import locked, write_atomic

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from cutbook.edit.take import Take
    from cutbook.files import UserFolders

_NUMBERED = re.compile(r"(\d{4,})\.json\Z")
BY_HAND = "hand"
"""Who made a version that was found in ``edl.json`` and not written by cutbook."""


@dataclass(frozen=True, slots=True)
class Version:
    """One version of the cut list. ``when`` is ISO 8601 in UTC; ``current`` tells the one in force.

    ``digest`` is the sha256 of its bytes, ``same`` that of what it says, however it is written and whatever its ids.
    ``valid`` is False for a hand edit that was no cut list: it is kept and never put back by undo.
    ``new`` tells, of what saving returns, that it made this version.
    """

    number: int
    path: Path
    by: str = ""
    why: str = ""
    when: str = ""
    digest: str = ""
    same: str = ""
    valid: bool = True
    current: bool = False
    new: bool = False


@dataclass(frozen=True, slots=True)
class _Head:
    """Numbers in the order in which they came into force, the index of the one that is, and its bytes' hash."""

    stack: tuple[int, ...] = ()
    at: int = -1
    digest: str = ""

    @property
    def number(self) -> int:
        return self.stack[self.at] if 0 <= self.at < len(self.stack) else 0


def save(
    edl: Edl,
    edit: Path,
    *,
    takes: Mapping[str, Take],
    folders: UserFolders,
    by: str,
    why: str,
    base: int | None = None,
) -> Version:
    """Check a cut list, write it and keep it as a version; one equal to the version in force makes none.

    A cut list equal to an earlier version puts that one in force again instead of a new one (ids do not count).
    ``base`` is the number of the version that the change began from.

    Raises:
        EdlError: it is no valid cut list, or another version than ``base`` is in force by now. Nothing is written.
        FileBusy: another process is writing it.
    """
    with locked(edit / NAME, folders):
        _adopt(edit, takes)
        changes.check(edit)
        return _save(edl, edit, takes, by=by, why=why, base=base)


def seen(edl: Edl, edit: Path, *, takes: Mapping[str, Take]) -> bool:
    """Tell whether a cut list equals a version that is kept (ids do not count). Writes nothing.

    Raises:
        EdlError: it is no valid cut list.
    """
    wanted = _sameness(dump(settle(edl, takes, edit)).encode())
    return any(each.valid and each.same == wanted for each in _versions(edit))


def change(
    edit: Path,
    how: Callable[[Edl], Edl],
    *,
    takes: Mapping[str, Take],
    folders: UserFolders,
    by: str,
    why: str,
) -> Version:
    """Read the cut list, change it and save it while nobody else can: no change between is lost.

    Raises:
        EdlError: the cut list, as it is or as changed, is not valid. Nothing is written.
        StaleView: it is changed for a view that has not seen what somebody else did.
        FileBusy: another process is writing it.
    """
    with locked(edit / NAME, folders):
        _adopt(edit, takes)
        changes.check(edit)
        return _save(how(load(edit, takes)), edit, takes, by=by, why=why, base=None)


def undo(edit: Path, *, takes: Mapping[str, Take], folders: UserFolders) -> Edl:
    """Put the version before the one in force back in place. A hand edit is kept as a version first, then undone.

    Raises:
        NothingToUndo: there is none.
        EdlError: that version does not fit the takes any more.
        StaleView: it is for a view that has not seen what somebody else did.
    """
    return _step(edit, -1, takes, folders)


def redo(edit: Path, *, takes: Mapping[str, Take], folders: UserFolders) -> Edl:
    """Put the version that was undone last back in place.

    Raises:
        NothingToUndo: nothing was undone, or something was saved since.
        EdlError: that version does not fit the takes any more.
        StaleView: it is for a view that has not seen what somebody else did.
    """
    return _step(edit, +1, takes, folders)


def steps(edit: Path) -> tuple[bool, bool]:
    """Tell whether there is something to undo, an unseen hand edit included, and something to redo."""
    head = _head(edit)
    return head.at > 0 or (head.at == 0 and not _in_place(edit, head)), head.at + 1 < len(head.stack)


def history(edit: Path) -> tuple[Version, ...]:
    """List all versions, oldest first; writes nothing, so a hand edit shows once something is saved."""
    head = _head(edit)
    return tuple(replace(each, current=each.number == head.number) for each in _versions(edit))


def current(edit: Path) -> int:
    """Give the number of the version in force, 0 where there is none."""
    return _head(edit).number


def previous(edit: Path) -> int:
    """Give the number of the version that undo would put back, 0 where there is none."""
    head = _head(edit)
    return head.stack[head.at - 1] if head.at > 0 else 0


def version(edit: Path, number: int, takes: Mapping[str, Take]) -> Edl:
    """Read one version.

    Raises:
        EdlError: there is none of that number, or it does not fit the takes any more.
    """
    path = _path(edit, number)
    if not path.is_file():
        numbers = [each.number for each in _versions(edit)]
        known = f"there are {numbers[0]} to {numbers[-1]}" if numbers else "nothing was saved yet"
        msg = f"the cut list has no version {number}; {known}"
        raise EdlError(msg)
    return loads(path.read_bytes(), edit, takes)


def adopt_hand_edit(edit: Path, *, takes: Mapping[str, Take], folders: UserFolders) -> Version | None:
    """Keep ``edl.json`` as a version of its own where it is not as cutbook left it; None where it is.

    What is no cut list any more is kept too, marked, and never put back.
    """
    if not (edit / NAME).is_file():
        return None
    with locked(edit / NAME, folders):
        return _adopt(edit, takes)


def _save(edl: Edl, edit: Path, takes: Mapping[str, Take], *, by: str, why: str, base: int | None) -> Version:
    validate(edl, takes, edit)
    settled = settle(edl, takes, edit)
    data = dump(settled).encode()
    loads(data, edit, takes)  # what is written must read back
    head = _head(edit)
    known = {each.number: each for each in _versions(edit)}
    if base is not None and base != head.number:
        now = known.get(head.number)
        who = f" (by {now.by or 'someone'}: {now.why or 'no reason given'})" if now else ""
        msg = (
            f"the cut list is at version {head.number}{who}, and this change began from {base}; "
            "read it again and repeat"
        )
        raise EdlError(msg)
    wanted = _sameness(data)
    for number in sorted(known, key=lambda number: (number != head.number, -number)):
        if not known[number].valid or known[number].same != wanted:
            continue
        kept = _path(edit, number).read_bytes()
        if number != head.number:
            _put(edit, kept, _pushed(head, number, kept))
            changes.add(edit, by, number)
        elif not (edit / NAME).is_file():
            _put(edit, kept, replace(head, digest=_digest(kept)))
        return replace(known[number], current=True)
    made = _append(edit, data, head, by=by, why=why, when=_now(), same=wanted)
    changes.add(edit, by, made.number)
    return made


def _append(
    edit: Path,
    data: bytes,
    head: _Head,
    *,
    by: str,
    why: str,
    when: str,
    same: str = "",
    valid: bool = True,
    put: bool = True,
) -> Version:
    number = max(_numbers(edit), default=0) + 1
    made = Version(
        number,
        _path(edit, number),
        by=by,
        why=why,
        when=when,
        digest=_digest(data),
        same=same or _sameness(data),
        valid=valid,
        current=valid,
        new=True,
    )
    meta: dict[str, Any] = {"number": number, "by": by, "why": why, "when": when, "after": head.number}
    meta |= {"sha256": made.digest, "same": made.same} | ({} if valid else {"valid": False})
    write_atomic(made.path, data)
    write_atomic(_meta(edit, number), json.dumps(meta, ensure_ascii=False, indent=2) + "\n")
    if valid:
        pushed = _pushed(head, number, data)
        if put:
            _put(edit, data, pushed)
        else:
            _write_head(edit, pushed)
    return made


def _adopt(edit: Path, takes: Mapping[str, Take]) -> Version | None:
    path = edit / NAME
    if not path.is_file():
        return None
    data = path.read_bytes()
    head = _head(edit)
    if _digest(data) == head.digest:
        return None
    for each in reversed(_versions(edit)):
        if each.digest == _digest(data):
            # Written by a process that ended before it could say so, or copied back by hand.
            if each.valid and each.number != head.number:
                _write_head(edit, _pushed(head, each.number, data))
                changes.add(edit, BY_HAND, each.number, view="")
            return None
    if head.stack and _as_data(data) == _as_data(_path(edit, head.number).read_bytes()):
        _write_head(edit, replace(head, digest=_digest(data)))  # laid out anew, nothing else
        return None
    when = datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(timespec="seconds")
    try:
        loads(data, edit, takes)
        valid, why = True, "edl.json was edited by hand" if head.stack else "edl.json as it was found"
    except EdlError as error:
        valid, why = False, f"edl.json was edited by hand and cannot be used: {error}"
    made = _append(edit, data, head, by=BY_HAND, why=why, when=when, valid=valid, put=False)
    changes.add(edit, BY_HAND, made.number, view="")
    return made


def _step(edit: Path, step: int, takes: Mapping[str, Take], folders: UserFolders) -> Edl:
    if not edit.is_dir():
        msg = "there is no cut list yet, so nothing can be undone or redone"
        raise NothingToUndo(msg)
    with locked(edit / NAME, folders):
        _adopt(edit, takes)
        changes.check(edit)
        head = _head(edit)
        # What lies there and is not in force, adopted or not, is no cut list: the one in force is the one before it.
        at = head.at + (0 if step < 0 and not _in_place(edit, head) else step)
        if not 0 <= at < len(head.stack):
            msg = (
                "no version lies before this one; %edl history lists them"
                if step < 0
                else "nothing was undone since the last change, so nothing can be redone"
            )
            raise NothingToUndo(msg)
        data = _path(edit, head.stack[at]).read_bytes()
        edl = loads(data, edit, takes)
        _put(edit, data, _Head(head.stack, at, _digest(data)))
        changes.add(edit, "undo" if step < 0 else "redo", head.stack[at])
        return edl


def _in_place(edit: Path, head: _Head) -> bool:
    path = edit / NAME
    return not path.is_file() or _digest(path.read_bytes()) == head.digest


def _put(edit: Path, data: bytes, head: _Head) -> None:
    write(data, edit)
    _write_head(edit, head)


def _pushed(head: _Head, number: int, data: bytes) -> _Head:
    stack = (*head.stack[: head.at + 1], number)
    return _Head(stack, len(stack) - 1, _digest(data))


def _head(edit: Path) -> _Head:
    try:
        found = json.loads((edit / "history" / "head.json").read_text(encoding="utf-8"))
        head = _Head(tuple(map(int, found["stack"])), int(found["at"]), str(found["sha256"]))
        if set(head.stack) <= set(_numbers(edit)) and 0 <= head.at < len(head.stack):
            return head
    except FileNotFoundError:
        pass
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return _rebuilt(edit)


def _rebuilt(edit: Path) -> _Head:
    """Make the pointer anew: all versions in order, the one in force is the newest whose bytes lie in place."""
    found = [each for each in _versions(edit) if each.valid]
    if not found:
        return _Head()
    try:
        here = _digest((edit / NAME).read_bytes())
    except OSError:
        here = ""
    at = next((at for at in reversed(range(len(found))) if found[at].digest == here), len(found) - 1)
    return _Head(tuple(each.number for each in found), at, found[at].digest)


def _write_head(edit: Path, head: _Head) -> None:
    text = json.dumps({"stack": list(head.stack), "at": head.at, "sha256": head.digest})
    write_atomic(edit / "history" / "head.json", text + "\n")


def _numbers(edit: Path) -> list[int]:
    try:
        names = [path.name for path in (edit / "history").iterdir()]
    except OSError:
        return []
    return sorted(int(hit[1]) for name in names if (hit := _NUMBERED.match(name)))


_known: dict[Path, tuple[tuple[int, int, int], Version]] = {}
"""Versions as their notes had them, and how the files of the notes looked then: a version does not change."""


def _versions(edit: Path) -> list[Version]:
    return [_version(edit, number) for number in _numbers(edit)]


def _version(edit: Path, number: int) -> Version:
    path, note = _path(edit, number), _meta(edit, number)
    try:
        found = note.stat()
    except OSError:
        return _read_version(path, note, number)
    stamp = (found.st_ino, found.st_size, found.st_mtime_ns)
    kept = _known.get(note)
    if kept is None or kept[0] != stamp:
        kept = _known[note] = stamp, _read_version(path, note, number)
    return kept[1]


def _read_version(path: Path, note: Path, number: int) -> Version:
    try:
        meta = json.loads(note.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        meta = {}
    if not isinstance(meta, dict):
        meta = {}
    return Version(
        number,
        path,
        same=str(meta.get("same") or _sameness(path.read_bytes())),
        by=str(meta.get("by", "")),
        why=str(meta.get("why", "")),
        when=str(meta.get("when", "")),
        digest=str(meta.get("sha256") or _digest(path.read_bytes())),
        valid=meta.get("valid", True) is not False,
    )


def _sameness(data: bytes) -> str:
    """Give what makes two versions the same cut list: everything but ids and how the text is laid out."""
    document = _as_data(data)
    if isinstance(document, dict):
        ranges = document.get("ranges")
        for each in ranges if isinstance(ranges, list) else ():
            if isinstance(each, dict):
                each.pop("id", None)
    return _digest(json.dumps(document, sort_keys=True).encode())


def _as_data(data: bytes) -> Any:
    """Give what a file says, or its bytes where it is no JSON."""
    try:
        return json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return data.hex()


def _path(edit: Path, number: int) -> Path:
    return edit / "history" / f"{number:04d}.json"


def _meta(edit: Path, number: int) -> Path:
    return edit / "history" / f"{number:04d}.meta.json"


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
