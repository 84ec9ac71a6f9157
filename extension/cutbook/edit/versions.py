"""Every version of the cut list, kept: who, why and when, undo and redo across restarts and notebooks.

``history/0007.json`` holds the bytes of ``edl.json`` as they were, ``history/0007.meta.json`` who, why and when.
``history/head.json`` holds the order in which versions were in force, which of them is, and its bytes' hash: what does
not have that hash was edited by hand. It is rebuilt from the numbered files when it is lost.
"""

from __future__ import annotations

import json
import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from cutbook.edit import changes
from cutbook.edit.checking import validate
from cutbook.edit.edl import NAME, Edl, dump, settle, write
from cutbook.edit.reading import load, loads
from cutbook.edit.shelf import (
    Head,
    Version,
    as_data,
    digest_of,
    note_of,
    numbers,
    path_of,
    pushed,
    read_head,
    sameness,
    versions,
    write_head,
)
from cutbook.errors import EdlError, NothingToUndo
from cutbook.files import locked, write_atomic

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from cutbook.edit.take import Take
    from cutbook.files import UserFolders

BY_HAND = "hand"
"""Who made a version that was found in ``edl.json`` and not written by cutbook."""

YOUNG = 2.0
"""Seconds since its last change within which a file that is no cut list may still be being written."""

WAIT = 0.5
"""Seconds that a verb gives a file that is no cut list to become one."""

_AGAIN = 0.05


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
    wanted = sameness(dump(settle(edl, takes, edit)).encode())
    return any(each.valid and each.same == wanted for each in versions(edit))


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
    head = read_head(edit)
    return head.at > 0 or (head.at == 0 and not _in_place(edit, head)), head.at + 1 < len(head.stack)


def history(edit: Path) -> tuple[Version, ...]:
    """List all versions, oldest first; writes nothing, so a hand edit shows once something is saved."""
    head = read_head(edit)
    return tuple(replace(each, current=each.number == head.number) for each in versions(edit))


def current(edit: Path) -> int:
    """Give the number of the version in force, 0 where there is none."""
    return read_head(edit).number


def previous(edit: Path) -> int:
    """Give the number of the version that undo would put back, 0 where there is none."""
    head = read_head(edit)
    return head.stack[head.at - 1] if head.at > 0 else 0


def version(edit: Path, number: int, takes: Mapping[str, Take]) -> Edl:
    """Read one version.

    Raises:
        EdlError: there is none of that number, or it does not fit the takes any more.
    """
    path = path_of(edit, number)
    if not path.is_file():
        found = numbers(edit)
        known = f"there are {found[0]} to {found[-1]}" if found else "nothing was saved yet"
        msg = f"the cut list has no version {number}; {known}"
        raise EdlError(msg)
    return loads(path.read_bytes(), edit, takes)


def in_force(edit: Path, takes: Mapping[str, Take]) -> Edl | None:
    """Read the version in force, whatever lies in ``edl.json``; None where there is none that fits the takes."""
    number = current(edit)
    try:
        return version(edit, number, takes) if number else None
    except EdlError:
        return None


def undo_brings(edit: Path) -> str:
    """Say what undo does where ``edl.json`` is gone or is not as cutbook left it; nothing where it is."""
    head = read_head(edit)
    return "" if not head.number or _in_place(edit, head) else f"%edl undo brings version {head.number} back"


def unsettled(edit: Path, takes: Mapping[str, Take]) -> bool:
    """Tell whether ``edl.json`` is no cut list, and so young that somebody may still be writing it."""
    try:
        data = (edit / NAME).read_bytes()
    except OSError:
        return False
    if digest_of(data) == read_head(edit).digest:
        return False
    try:
        loads(data, edit, takes)
    except EdlError:
        return _young(edit / NAME)
    return False


def adopt_hand_edit(edit: Path, *, takes: Mapping[str, Take], folders: UserFolders) -> Version | None:
    """Keep ``edl.json`` as a version of its own where it is not as cutbook left it; None where it is.

    What is no cut list any more is kept too, marked, and never put back; first it gets :data:`WAIT` seconds to become
    one, where it may still be being written.
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
    head = read_head(edit)
    known = {each.number: each for each in versions(edit)}
    if base is not None and base != head.number:
        now = known.get(head.number)
        who = f" (by {now.by or 'someone'}: {now.why or 'no reason given'})" if now else ""
        msg = (
            f"the cut list is at version {head.number}{who}, and this change began from {base}; "
            "read it again and repeat"
        )
        raise EdlError(msg)
    wanted = sameness(data)
    for number in sorted(known, key=lambda number: (number != head.number, -number)):
        if not known[number].valid or known[number].same != wanted:
            continue
        kept = path_of(edit, number).read_bytes()
        if number != head.number:
            _put(edit, kept, pushed(head, number, kept))
            changes.add(edit, by, number)
        elif not (edit / NAME).is_file():
            _put(edit, kept, replace(head, digest=digest_of(kept)))
        return replace(known[number], current=True)
    why = "; ".join(filter(None, (why, *edl.renamed)))
    made = _append(edit, data, head, by=by, why=why, when=_now(), same=wanted)
    changes.add(edit, by, made.number)
    return made


def _append(
    edit: Path,
    data: bytes,
    head: Head,
    *,
    by: str,
    why: str,
    when: str,
    same: str = "",
    valid: bool = True,
    put: bool = True,
) -> Version:
    number = max(numbers(edit), default=0) + 1
    made = Version(
        number,
        path_of(edit, number),
        by=by,
        why=why,
        when=when,
        digest=digest_of(data),
        same=same or sameness(data),
        valid=valid,
        current=valid,
        new=True,
    )
    meta: dict[str, Any] = {"number": number, "by": by, "why": why, "when": when, "after": head.number}
    meta |= {"sha256": made.digest, "same": made.same} | ({} if valid else {"valid": False})
    write_atomic(made.path, data)
    write_atomic(note_of(edit, number), json.dumps(meta, ensure_ascii=False, indent=2) + "\n")
    if valid:
        after = pushed(head, number, data)
        if put:
            _put(edit, data, after)
        else:
            write_head(edit, after)
    return made


class _HalfWritten(Exception):
    """Raised for a file that is no cut list and may still be being written."""


def _adopt(edit: Path, takes: Mapping[str, Take]) -> Version | None:
    until = time.monotonic() + WAIT
    while True:
        try:
            return _adopt_now(edit, takes, patient=time.monotonic() < until)
        except _HalfWritten:
            time.sleep(_AGAIN)


def _adopt_now(edit: Path, takes: Mapping[str, Take], *, patient: bool) -> Version | None:
    path = edit / NAME
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    head = read_head(edit)
    if digest_of(data) == head.digest:
        return None
    for each in reversed(versions(edit)):
        if each.digest == digest_of(data):
            # Written by a process that ended before it could say so, or copied back by hand.
            if each.valid and each.number != head.number:
                write_head(edit, pushed(head, each.number, data))
                changes.add(edit, BY_HAND, each.number, view="")
            return None
    if head.stack and as_data(data) == as_data(path_of(edit, head.number).read_bytes()):
        write_head(edit, replace(head, digest=digest_of(data)))  # laid out anew, nothing else
        return None
    when = datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(timespec="seconds")
    try:
        loads(data, edit, takes)
        valid, why = True, "edl.json was edited by hand" if head.stack else "edl.json as it was found"
    except EdlError as error:
        if patient and _young(path):
            raise _HalfWritten from error
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
        head = read_head(edit)
        # What lies there and is not in force, adopted or not, is no cut list: the one in force is the one before it,
        # as it is where nothing lies there.
        at = head.at + (0 if step < 0 and not _in_place(edit, head) else step)
        if not 0 <= at < len(head.stack):
            msg = (
                "no version lies before this one; %edl history lists them"
                if step < 0
                else "nothing was undone since the last change, so nothing can be redone"
            )
            raise NothingToUndo(msg)
        data = path_of(edit, head.stack[at]).read_bytes()
        edl = loads(data, edit, takes)
        _put(edit, data, Head(head.stack, at, digest_of(data)))
        changes.add(edit, "undo" if step < 0 else "redo", head.stack[at])
        return edl


def _in_place(edit: Path, head: Head) -> bool:
    try:
        return digest_of((edit / NAME).read_bytes()) == head.digest
    except OSError:
        return False


def _young(path: Path) -> bool:
    try:
        return abs(time.time() - path.stat().st_mtime) < YOUNG
    except OSError:
        return True


def _put(edit: Path, data: bytes, head: Head) -> None:
    write(data, edit)
    write_head(edit, head)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
