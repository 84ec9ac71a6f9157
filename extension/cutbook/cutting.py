"""The cut list of a project under change: hand edits seen, versions kept, the open session told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutbook.edit import edl as cutlists
from cutbook.edit import versions
from cutbook.edit.edl import Edl
from cutbook.errors import EdlError
from cutbook.memory.changes import range_changes
from cutbook.memory.session import OUTSIDE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cutbook.memory.session import Session
    from cutbook.workplace import Workplace


class Cutting:
    """What every verb that changes the cut list goes through."""

    def __init__(self, work: Workplace, session: Callable[[], Session]) -> None:
        self._work = work
        self._session = session

    @property
    def edl(self) -> Edl:
        """The cut list as ``edit/edl.json`` has it now.

        Raises:
            EdlError: there is none yet, or it is not valid.
        """
        if not (self._work.edit / cutlists.NAME).exists():
            msg = "there is no cut list yet; write one with %%cut (any lines copied out of takes_packed.md)"
            raise EdlError(msg)
        return cutlists.load(self._work.edit, self._work.takes)

    def edl_or_none(self) -> Edl | None:
        """Give the cut list, or None where there is none that can be read."""
        try:
            return self.edl
        except EdlError:
            return None

    def begin(self, kind: str, how: Callable[[Edl], Edl], *, why: str) -> Edl:
        """Write a new cut list, whatever state the file is in; ``how`` gets the old one, empty where there is none."""
        self.see_hand_edit()
        before = self.edl_or_none()
        if before is not None:
            return self.change(kind, how, why=why)
        work = self._work
        versions.save(how(Edl()), work.edit, takes=work.takes, folders=work.folders, by=kind, why=why)
        return self._told(kind, None, why=why)

    def change(
        self,
        kind: str,
        how: Callable[[Edl], Edl],
        *,
        why: str,
        told: Callable[[], Mapping[str, object]] = dict,
    ) -> Edl:
        """Change the cut list by ``how``; ``told`` gives what more the session is to know.

        Raises:
            EdlError: there is no cut list, or it would not be a valid one; nothing is written.
        """
        self.see_hand_edit()
        before = self.edl
        work = self._work
        versions.change(work.edit, how, takes=work.takes, folders=work.folders, by=kind, why=why)
        return self._told(kind, before, why=why, **told())

    def step(self, kind: str, step: Callable[..., Edl]) -> Edl:
        """Go to another version (raises :class:`~cutbook.errors.NothingToUndo`)."""
        self.see_hand_edit()
        before = self.edl_or_none()
        step(self._work.edit, takes=self._work.takes, folders=self._work.folders)
        return self._told(kind, before)

    def see_hand_edit(self) -> None:
        """Keep a hand edit of the file as a version, and note what it changed."""
        work = self._work
        number = versions.current(work.edit)
        found = versions.adopt_hand_edit(work.edit, takes=work.takes, folders=work.folders)
        if found is None or not found.valid or not number:
            return
        self._told(OUTSIDE, versions.version(work.edit, number, work.takes))

    def _told(self, kind: str, before: Edl | None, **facts: object) -> Edl:
        after = self.edl
        self._session().note(kind, changes=range_changes(before, after, self._work.takes), **facts)
        return after
