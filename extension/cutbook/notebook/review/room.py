"""What all reviews of one project in this kernel share: a lock, who is to be told of a change, and who looks for one.

Views speak from whatever thread the front end's messages come on, also while a cell runs: whoever reads or changes
the cut list for a view holds the room's lock, and tells while holding it, so that boards reach views in their order.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from typing import TYPE_CHECKING, Protocol
from weakref import WeakSet, WeakValueDictionary

from cutbook.errors import CutbookError
from cutbook.notebook.review.clips import Clips

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cutbook.notebook.review.board import Document

_log = logging.getLogger(__name__)

EVERY = 0.4
"""Seconds between two looks for a change that somebody else made."""

LINGER = 8.0
"""Seconds without a view after which nobody is looked out for and nothing is made any more: a page is loaded anew
in less."""

_rooms: WeakValueDictionary[Path, Room] = WeakValueDictionary()
_registry = threading.Lock()


class Seat(Protocol):
    """One review with its views."""

    @property
    def views(self) -> frozenset[str]:
        """The views that are open."""

    def sign(self) -> object:
        """Give what changes when the cut list does, quickly; None where this review does not follow it."""

    def look(self) -> None:
        """Take in what was changed by hand, so that it counts as a change."""

    def board(self) -> Document:
        """Write the cut list as it is now."""

    def send(self, content: Document) -> None:
        """Tell every view something."""

    def follow(self) -> None:
        """Hear that the cut list changed, views or none."""


class Room:
    """The reviews of one footage folder."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.named: set[str] = set()
        self.used: tuple[str, ...] = ()
        self.linger = LINGER
        self.clips = Clips(lambda clip: self.tell({"type": "clip", "clip": clip}))
        self._seats: WeakSet[Seat] = WeakSet()
        self._seen: object = None
        self._watch: threading.Thread | None = None
        self._wake = threading.Event()

    def enter(self, seat: Seat) -> None:
        """Follow what happens here."""
        with self.lock:
            self._seats.add(seat)

    def leave(self, seat: Seat) -> None:
        """Follow no longer."""
        with self.lock:
            self._seats.discard(seat)
        self.stir()

    def stir(self) -> None:
        """Look at once whether anybody is still here."""
        self._wake.set()

    def note(self, seat: Seat) -> None:
        """Remember how the cut list is now, which a view is about to be told; the others are told what they missed."""
        with self.lock:
            sign = seat.sign()
            if sign is not None and self._seen is not None and sign != self._seen:
                self.changed(seat, by="")
            elif sign is not None:
                self._seen = sign

    @property
    def occupied(self) -> bool:
        """Tell whether any view is open."""
        return any(seat.views for seat in tuple(self._seats))

    @property
    def watching(self) -> threading.Thread | None:
        """The thread that looks for changes of others, None where no view needs it."""
        return self._watch

    def tell(self, content: Document) -> None:
        """Tell every view of every review something."""
        with self.lock:
            for seat in tuple(self._seats):
                if seat.views:
                    seat.send(content)

    def changed(self, seat: Seat | None, *, by: str, board: Document | None = None) -> None:
        """Tell all reviews but ``seat`` that the cut list is now as ``board`` says, and remember that they know."""
        with self.lock:
            for each in tuple(self._seats):
                sign = each.sign()
                if sign is None:
                    continue
                self._seen = sign
                if each is not seat and each.views:
                    board = board or each.board()
                    each.send({"type": "changed", "board": board, "by": by})
                elif each is not seat:
                    each.follow()

    def watch(self) -> None:
        """Look for changes of others from now on, as long as a view is open."""
        with self.lock:
            if self._watch is None or not self._watch.is_alive():
                self._watch = threading.Thread(target=self._look, name="cutbook-review", daemon=True)
                self._watch.start()

    def _look(self) -> None:
        empty: float | None = None
        while True:
            self._wake.wait(EVERY)
            self._wake.clear()
            with self.lock:
                if self.occupied:
                    empty = None
                    self._try_to_compare()
                elif empty is None:
                    empty = time.monotonic()
                if empty is not None and time.monotonic() - empty >= self.linger:
                    self._watch = None
                    self.clips.stop()
                    return

    def _try_to_compare(self) -> None:
        try:
            self._compare()
        except (CutbookError, OSError):
            return  # said by whatever a person does next
        except Exception:  # noqa: BLE001 - the next change is told all the same
            _log.exception("a change of the cut list could not be told to the review")

    def _compare(self) -> None:
        signs = ((seat, seat.sign()) for seat in tuple(self._seats) if seat.views)
        seat, now = next(((seat, sign) for seat, sign in signs if sign is not None), (None, None))
        if seat is not None and now != self._seen:
            with contextlib.suppress(CutbookError, OSError):
                seat.look()
            self.changed(None, by="")


def room(folder: Path) -> Room:
    """Give the room of a footage folder, the same one as long as anybody is in it."""
    place = folder.resolve()
    with _registry:
        found = _rooms.get(place)
        if found is None:
            found = _rooms[place] = Room()
        return found


def rooms() -> Iterator[Room]:
    """Give every room that anybody is in."""
    with _registry:
        yield from tuple(_rooms.values())
