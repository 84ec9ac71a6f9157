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
    from pathlib import Path

    from cutbook.notebook.review.board import Document

_log = logging.getLogger(__name__)

EVERY = 0.4
"""Seconds between two looks for a change that somebody else made."""

_PATIENT = 2
"""Looks at a cut list that is still being written before views are told that it cannot be used."""

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

    def look(self) -> bool:
        """Take in what was changed by hand, so that it counts as a change; False while it is still being written."""

    def settled(self) -> tuple[Document, object]:
        """Write the cut list as it is now, and give the sign that goes with it."""

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
        self._waited = 0
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

    def note(self, seat: Seat, sign: object) -> None:
        """Remember what a view is about to be told; the others are told what they missed of it."""
        with self.lock:
            if sign is not None and self._seen is not None and sign != self._seen:
                self.changed(seat, by="", sign=sign)
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

    def changed(
        self, seat: Seat | None, *, by: str, board: Document | None = None, sign: object = None
    ) -> None:
        """Tell all reviews but ``seat`` that the cut list is now as ``board`` says, and remember its ``sign``."""
        with self.lock:
            following = [each for each in tuple(self._seats) if each.sign() is not None]
            if board is None and following:
                board, sign = following[0].settled()
            self._seen = sign if sign is not None else self._seen
            for each in following:
                if each is seat:
                    continue
                if each.views and board is not None:
                    each.send({"type": "changed", "board": board, "by": by})
                else:
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
            settled = True
            with contextlib.suppress(CutbookError, OSError):
                settled = seat.look()
            self._waited = 0 if settled else self._waited + 1
            if settled:
                self.changed(None, by="")
            elif self._waited == _PATIENT:
                # Still half a file: it is said why, and looked at again until it is a file or old.
                self.changed(None, by="", board=seat.settled()[0])


def room(folder: Path) -> Room:
    """Give the room of a footage folder, the same one as long as anybody is in it."""
    place = folder.resolve()
    with _registry:
        found = _rooms.get(place)
        if found is None:
            found = _rooms[place] = Room()
        return found
