"""The cut list of a project under change: hand edits seen, versions kept, the open session told."""

from __future__ import annotations

import contextlib
import threading
from functools import lru_cache
from typing import TYPE_CHECKING

from cutbook.edit import changes, versions
from cutbook.edit.edl import NAME, Edl
from cutbook.edit.reading import load
from cutbook.errors import EdlError
from cutbook.memory import wording
from cutbook.memory.changes import range_changes
from cutbook.memory.session import OUTSIDE
from cutbook.memory.written import endings
from cutbook.results import Edited
from cutbook.transcripts import corrections

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from cutbook.edit.take import Take
    from cutbook.memory.session import Session
    from cutbook.workplace import Workplace


class Cutting:
    """What every verb that changes the cut list goes through, one at a time, from whatever thread it comes."""

    def __init__(self, work: Workplace, session: Callable[[], Session]) -> None:
        self._work = work
        self._session = session
        self._lock = threading.RLock()
        self._scanned: Mapping[str, Take] | None = None

    @contextlib.contextmanager
    def turn(self) -> Iterator[Mapping[str, Take]]:
        """Have the cut list to oneself among the threads of this process; gives the takes as they are now."""
        with self._lock:
            outer = self._scanned
            self._scanned = takes = self._work.takes if outer is None else outer
            try:
                yield takes
            finally:
                self._scanned = outer

    @property
    def edl(self) -> Edl:
        """The cut list as ``edit/edl.json`` has it now.

        Raises:
            EdlError: there is none yet, or it is not valid.
        """
        with self.turn() as takes:
            return self._read(takes)

    def edl_or_none(self) -> Edl | None:
        """Give the cut list, or None where there is none that can be read."""
        try:
            return self.edl
        except EdlError:
            return None

    @property
    def changes(self) -> int:
        """How often the cut list was changed ever; cheap to ask for."""
        return changes.count(self._work.edit)

    def begin(self, kind: str, how: Callable[[Edl], Edl], *, why: str) -> Edl:
        """Write a new cut list, whatever state the file is in; ``how`` gets the old one, empty where there is none."""
        with self.turn() as takes:
            self._see_hand_edit(takes)
            before = self._or_none(takes)
            if before is not None:
                return self._change(kind, how, before, takes, why=why)
            work = self._work
            before = versions.in_force(work.edit, takes)
            versions.save(how(Edl()), work.edit, takes=takes, folders=work.folders, by=kind, why=why)
            return self._told(kind, before, takes, why=why)

    def change(
        self,
        kind: str,
        how: Callable[[Edl], Edl],
        *,
        why: str,
        by: str = "",
        told: Callable[[], Mapping[str, object]] = dict,
    ) -> Edl:
        """Change the cut list by ``how``; ``told`` gives what more the session is to know.

        ``kind`` is what the open session calls the act, ``by`` what the history does where that is another word.

        Raises:
            EdlError: there is no cut list, or it would not be a valid one; nothing is written.
            StaleView: it is changed for a view that has not seen what somebody else did.
        """
        with self.turn() as takes:
            self._see_hand_edit(takes)
            return self._change(kind, how, self._read(takes), takes, why=why, by=by, told=told)

    def step(self, kind: str, step: Callable[..., Edl]) -> Edl:
        """Go to another version (raises :class:`~cutbook.errors.NothingToUndo`)."""
        with self.turn() as takes:
            self._see_hand_edit(takes)
            before = self._or_none(takes) or versions.in_force(self._work.edit, takes)
            step(self._work.edit, takes=takes, folders=self._work.folders)
            return self._told(kind, before, takes)

    def see_hand_edit(self) -> None:
        """Keep a hand edit of the file as a version, and note what it changed."""
        with self.turn() as takes:
            self._see_hand_edit(takes)

    def _see_hand_edit(self, takes: Mapping[str, Take]) -> None:
        work = self._work
        found = versions.adopt_hand_edit(work.edit, takes=takes, folders=work.folders)
        if found is None or not found.valid:
            return
        before = versions.previous(work.edit)
        if before:
            self._told(OUTSIDE, versions.version(work.edit, before, takes), takes)

    def _change(
        self,
        kind: str,
        how: Callable[[Edl], Edl],
        before: Edl,
        takes: Mapping[str, Take],
        *,
        why: str,
        by: str = "",
        told: Callable[[], Mapping[str, object]] = dict,
    ) -> Edl:
        work = self._work
        versions.change(work.edit, how, takes=takes, folders=work.folders, by=by or kind, why=why)
        return self._told(kind, before, takes, why=why, **told())

    def _read(self, takes: Mapping[str, Take]) -> Edl:
        edit = self._work.edit
        if not (edit / NAME).exists():
            undo = versions.undo_brings(edit)
            msg = "there is no cut list yet; write one with %%cut (any lines copied out of takes_packed.md)"
            raise EdlError(f"{NAME} is gone; {undo}" if undo else msg)
        try:
            return load(edit, takes)
        except EdlError as error:
            undo = versions.undo_brings(edit)
            if not undo:
                raise
            msg = f"{error}; {undo}"
            raise EdlError(msg) from error

    def _or_none(self, takes: Mapping[str, Take]) -> Edl | None:
        try:
            return self._read(takes)
        except EdlError:
            return None

    def _told(self, kind: str, before: Edl | None, takes: Mapping[str, Take], **facts: object) -> Edl:
        after = self._read(takes)
        plain = self._work.plain_words if (self._work.edit / corrections.FILE).exists() else None
        changes = range_changes(before, after, takes, plain=plain and lru_cache(maxsize=None)(plain))
        event = self._session().note(kind, changes=changes, **facts)
        if event is None or kind == OUTSIDE:
            return after
        ends = endings(self._session(), event, before.ranges if before else (), after.ranges)
        return Edited.of(after, wording.endings(ends)) if ends else after
