"""What one review and its views say to one another, whatever carries the messages.

The messages are those of ``extension/review/src/types.ts``. Every change is acknowledged by ``view`` and ``id``, also
one that failed and one that was sent twice: the second time it is only acknowledged again.
"""

from __future__ import annotations

import contextlib
import os
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from cutbook.edit import changes, versions
from cutbook.edit.edl import NAME, Edl
from cutbook.errors import CutbookError, EdlError, InputError, StaleView
from cutbook.files import safe_name
from cutbook.notebook.review import answers
from cutbook.notebook.review.acts import act
from cutbook.notebook.review.board import board, offered
from cutbook.notebook.review.lanes import LANES, Lane
from cutbook.notebook.review.room import room
from cutbook.transcripts import corrections

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from cutbook.edit.take import Take
    from cutbook.notebook.review.board import Document
    from cutbook.project import Project

    Send = Callable[[Document, Sequence[bytes]], None]

_REMEMBERED = 256
"""Acknowledged messages of each review that are known again when they come twice."""

_MOST_VIEWS = 64
_TRIES = 3


class Exchange:
    """One review's side of the talk; ``send`` takes a message and its buffers to all views of the review.

    ``version`` looks at an earlier cut list, on which nothing can be changed.
    """

    def __init__(self, project: Project, send: Send, *, version: int | None = None) -> None:
        self.project = project
        self.version = version
        self.room = room(project.folder)
        self._send = send
        self._views: OrderedDict[str, None] = OrderedDict()
        self._done: OrderedDict[tuple[str, int], tuple[bool, str, bool, str]] = OrderedDict()
        self._last: Document | None = None
        self._unread: tuple[Take, ...] = ()
        self.then: Callable[[], None] | None = None
        self._lanes = {name: Lane(f"cutbook-review-{name}") for name in LANES}
        self.room.enter(self)

    # ---- what the room asks

    @property
    def views(self) -> frozenset[str]:
        """The views that are open."""
        return frozenset(self._views)

    def sign(self) -> object:
        """Give what changes when the cut list, the words or the files of the takes do."""
        if self.version is not None:
            return None
        edit = self.project.edit
        heard = edit / "transcripts"
        words = (heard / f"{safe_name(name)}.json" for name in self.room.used)
        files = (edit / corrections.FILE, self.project.folder, heard, *words)
        return self._counted(), *map(_stat, files)

    def _counted(self) -> tuple[int, object]:
        """Give the number of changes, and what tells that the file was changed by hand since."""
        return self.project.changes, _stat(self.project.edit / NAME)

    def settled(self, edl: Edl | None = None) -> tuple[Document, object]:
        """Write the cut list, and give the :meth:`sign` that goes with it: what comes later has another one."""
        for _ in range(_TRIES):
            counted = self._counted()
            board = self.board(edl, counted=counted[0])
            sign = self.sign()
            if counted == self._counted():
                break
            edl = None
        return board, sign

    def follow(self) -> None:
        """Do what is to be done after each change."""
        if self.then is not None:
            self.then()

    def send(self, content: Document, buffers: Sequence[bytes] = ()) -> None:
        """Tell every view something; a front end that has gone hears nothing."""
        if content["type"] == "changed" or (content["type"] == "ack" and content["ok"]):
            self.follow()
        with contextlib.suppress(OSError, RuntimeError):
            self._send(content, buffers)
        if "board" in content and self._unread and self._views:
            unread, self._unread = self._unread, ()
            self._lanes["offers"].add(lambda: self._offer(unread))

    def _offer(self, takes: Sequence[Take]) -> None:
        """Read the words of takes that are not in the film, and tell views which can be offered."""
        for take in takes:
            if not self._views:
                return
            take.worked_out(offered)
        with self.room.lock:
            shown = self._last["takes"] if self._last else {}
            if any(take.known(offered) and take.name not in shown for take in takes):
                self.send({"type": "changed", "board": self.board(), "by": ""})

    def mention(self, takes: Iterable[str]) -> None:
        """Tell views what they need to show takes that the cut list does not use."""
        with self.room.lock:
            new = set(takes) - self.room.named
            self.room.named |= new
            used = self._last["takes"] if self._last else {}
            if not new <= set(used):
                self.send({"type": "changed", "board": self.board(), "by": ""})

    def close(self) -> None:
        """Leave: no view is open any more."""
        self._views.clear()
        self.room.leave(self)

    # ---- what views ask

    def heard(self, content: object) -> None:
        """Take a message of a view, on whatever thread it comes; raises nothing but an interrupt."""
        message: Mapping[str, Any] = content if isinstance(content, dict) else {}
        view, kind = message.get("view"), message.get("type")
        if not isinstance(view, str) or not view:
            return
        if kind == "hello":
            self._hello(view)
        elif kind == "do":
            self._open(view)
            self._do(view, _number(message.get("id")), _number(message.get("base")), message.get("change"))
        elif kind == "ask":
            self._open(view)
            self._ask(view, _number(message.get("id")), message)
        elif kind == "bye":
            self._views.pop(view, None)
            self.room.stir()

    def _open(self, view: str) -> None:
        known = view in self._views
        self._views[view] = None
        self._views.move_to_end(view)
        while len(self._views) > _MOST_VIEWS:
            self._views.popitem(last=False)
        if not known:
            self.room.watch()

    def _hello(self, view: str) -> None:
        self._open(view)
        with self.room.lock:
            board, sign = self.settled()
            self.room.note(self, sign)
            self.send({"type": "board", "view": view, "board": board})

    def _do(self, view: str, number: int, base: int, change: object) -> None:
        with self.room.lock:
            key = (view, number)
            new = key not in self._done
            edl: Edl | None = None
            if new:
                edl, self._done[key] = self._try(view, base, change)
                while len(self._done) > _REMEMBERED:
                    self._done.popitem(last=False)
            ok, error, stale, said = self._done[key]
            now, sign = self.settled(edl if self._newest(view) else None)
            ack = {"type": "ack", "view": view, "id": number, "ok": ok, "error": error, "stale": stale}
            self.send(ack | {"board": now, "said": said})
            if new and ok:
                if len(self._views) > 1:
                    self.send({"type": "changed", "board": now, "by": view})
                self.room.changed(self, by=view, board=now, sign=sign)

    def _newest(self, view: str) -> bool:
        """Tell whether the last change of all is a view's: another process may have made one right after it."""
        made = changes.log(self.project.edit)
        return bool(made) and made[-1].view == view

    def _try(self, view: str, base: int, change: object) -> tuple[Edl | None, tuple[bool, str, bool, str]]:
        """Do a change; give the cut list as it then is, and whether it was done, else why not, and what to say."""
        if self.version is not None:
            return None, (False, locked(self.version), False, "")
        try:
            with self.project.viewing(view, self._since(base, change)):
                edl, said = act(self.project, change)
        except CutbookError as error:
            return None, (False, str(error), isinstance(error, StaleView), "")
        except Exception as error:  # noqa: BLE001 - a view is told of whatever went wrong
            return None, (False, f"{type(error).__name__}: {error}", False, "")
        return edl, (True, "", False, said)

    def _since(self, base: int, change: object) -> int:
        """Give what a change begins from: undo of a cut list that cannot be read goes back from whatever lies there."""
        if not isinstance(change, dict) or change.get("verb") != "undo":
            return base
        try:
            self.edl  # noqa: B018 - whether it can be read
        except EdlError:
            return self.project.look()
        return base

    def _ask(self, view: str, number: int, message: Mapping[str, Any]) -> None:
        what = message.get("what")
        question = answers.QUESTIONS.get(what if isinstance(what, str) else "")
        reply = {"type": "answer", "view": view, "id": number}

        def answer() -> None:
            # What is also told unasked is answered under the lock, so that the last word reaches a view last.
            with self.room.lock if question is not None and question.told else contextlib.nullcontext():
                say()

        def say() -> None:
            try:
                if question is None:
                    msg = f"{what!r} is no question; run %review again"
                    raise InputError(msg)  # noqa: TRY301 - said as every other error is
                found, buffers = question.answer(self, message)
            except CutbookError as error:
                self.send(reply | {"ok": False, "error": str(error)})
            except Exception as error:  # noqa: BLE001 - a view is told of whatever went wrong
                self.send(reply | {"ok": False, "error": f"{type(error).__name__}: {error}"})
            else:
                self.send(reply | {"ok": True, "error": ""} | found, buffers)

        if question is None:
            answer()
        else:
            self._lanes[question.lane].add(answer)

    # ---- the cut list

    def uses(self, take: str) -> bool:
        """Tell whether a take is in the cut list, or was offered in the place of one."""
        with self.room.lock:
            board = self._last or self.board()
            found: bool = take in board["takes"]
            return found

    @property
    def edl(self) -> Edl:
        """The cut list under review, as it is now."""
        return self.project.edl if self.version is None else self.project.version(self.version)

    def look(self) -> bool:
        """Take in what was changed by hand, so that it counts as a change; False while it is still being written."""
        if self.version is not None:
            return True
        if versions.unsettled(self.project.edit, self.project.takes):
            return False
        self.project.look()
        return True

    def board(self, edl: Edl | None = None, *, counted: int | None = None) -> Document:
        """Write the cut list as it is now, which ``edl`` is where somebody has just read it, after so many changes.

        Where it cannot be read, the version in force stands there, and nothing can be done but undo, which puts it
        back in place.
        """
        with self.room.lock:
            project = self.project
            counted = project.changes if counted is None else counted
            try:
                found = self.edl if edl is None else edl
                reason = "" if self.version is None else locked(self.version)
                self._last = self._drawn(found, counted, reason)
            except (CutbookError, OSError) as error:
                with contextlib.suppress(CutbookError, OSError):
                    good = (
                        None if self.version is not None else versions.in_force(project.edit, project.takes)
                    )
                    if good is not None:
                        self._last = self._drawn(good, counted, str(error))
                empty = board(Edl(), {}, version=counted, number=0, title=project.folder.name)
                return (self._last or empty) | {"version": counted, "locked": str(error)}
            if self.version is None:
                self.room.used = tuple({*(each["take"] for each in self._last["ranges"]), *self.room.named})
            return self._last

    def _drawn(self, edl: Edl, counted: int, reason: str) -> Document:
        project, version = self.project, self.version
        title, takes, named = project.folder.name, project.takes, self.room.named
        self._unread = tuple(take for take in takes.values() if take.known(offered) is None)
        return board(
            edl,
            takes,
            version=counted,
            number=versions.current(project.edit) if version is None else version,
            title=title if version is None else f"{title}, version {version}",
            undo=version is None and project.can_undo,
            redo=version is None and project.can_redo,
            locked=reason,
            more=[name for name, take in takes.items() if name in named or take.known(offered)],
        )


def locked(version: int) -> str:
    """Say why nothing can be decided on an earlier version."""
    return f"this is version {version} of the cut list; decide on the one in force, with %review alone"


def _stat(path: os.PathLike[str]) -> tuple[int, int]:
    try:
        found = os.stat(path)  # noqa: PTH116 - as quick as it can be
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def _number(value: object) -> int:
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0
