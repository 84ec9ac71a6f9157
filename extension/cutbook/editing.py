"""The verbs with which a person changes single ranges of the cut list, as methods of a project."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cutbook.edit import changes, decide, reshape, strike, unmoved, versions
from cutbook.edit import others as elsewhere
from cutbook.edit import slips as slipping
from cutbook.edit import swap as swapping
from cutbook.edit.wordspan import word_numbers
from cutbook.errors import InputError, TimeError
from cutbook.timebase import parse_timecode, round_half_up, seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager
    from fractions import Fraction
    from pathlib import Path

    from cutbook.cutting import Cutting
    from cutbook.edit.decide import Which
    from cutbook.edit.edl import Edl
    from cutbook.edit.others import Others
    from cutbook.edit.slips import Slips
    from cutbook.edit.take import Take
    from cutbook.settings import Settings
    from cutbook.timebase import Time

_COMMA = re.compile(r"(?:\d+:){0,2}\d+,\d+")


class Editing:
    """Ranges decided on, trimmed, parted, joined, moved, cut by words and swapped.

    A range is named by its number in the list, counted from 1, or by its id. Each change is written at once, is a
    version of its own, and is noted in the open session with its ``why``; undo takes it back to the byte. They may be
    made from any thread.
    """

    _cutting: Cutting
    edit: Path

    if TYPE_CHECKING:

        def take(self, name: str) -> Take:
            """Give one take."""

        def settings(self, **call: object) -> Settings:
            """Resolve every setting."""

    # ---- decisions

    def accept(self, *which: Which, why: str = "") -> Edl:
        """Keep ranges, by number from 1 or id.

        Raises:
            EdlError: no such range.
        """
        return self._decided("accept", decide.accept, *which, why=why)

    def reject(self, *which: Which, why: str = "") -> Edl:
        """Leave ranges out of the film; they stay in the list.

        Raises:
            EdlError: no such range.
        """
        return self._decided("reject", decide.reject, *which, why=why)

    def undecided(self, *which: Which, why: str = "") -> Edl:
        """Take the decision on ranges back.

        Raises:
            EdlError: no such range.
        """
        return self._decided("review", decide.undecide, *which, why=why)

    def reason(self, which: Which, why: str) -> Edl:
        """Say afterwards why a range was decided on as it is; empty takes the reason away.

        Raises:
            EdlError: no such range.
        """
        return self._cutting.change(
            "review", lambda old: decide.reason(old, which, why), why=why, by="reason"
        )

    # ---- edges

    def trim(
        self,
        which: Which,
        *,
        start: Time | None = None,
        end: Time | None = None,
        edge: str | None = None,
        frame: int | None = None,
        exact: bool = False,
        why: str = "",
    ) -> Edl:
        """Move the edges of a range to ``start`` and ``end``, seconds of its take, snapped to whole words.

        Or one ``edge``, ``in`` or ``out``, to a ``frame`` of the take, counted from 0 (out: the one behind the last).
        ``exact`` snaps to frames alone, through a word where it must be.

        Raises:
            EdlError: no such range, or the edge cannot lie there, or snapped to words no edge moves.
            InputError: neither a time nor an edge and its frame is given, or both are.
        """
        if (edge is None) != (frame is None) or (frame is None) == (start is None and end is None):
            msg = "trim wants start or end in seconds, or edge and frame"
            raise InputError(msg)
        if edge not in {None, "in", "out"}:
            msg = f"{edge!r} is no edge of a range; there are in and out"
            raise InputError(msg)
        pads = self._pads()

        def how(old: Edl) -> Edl:
            rate = decide.find(old, which).rate
            first, last = (None if each is None else _time(each, rate) for each in (start, end))
            if frame is not None:
                first, last = (frame / rate, None) if edge == "in" else (None, frame / rate)
            new = decide.trim(old, which, self._takes(), start=first, end=last, pads=pads, exact=exact)
            index, piece, take = decide.at_hand(old, which, self._takes())
            # In a view an edge is seen to come back; a cell that is run again makes the change that is there.
            seen = frame is not None and not why
            if new.ranges[index].frames == piece.frames and not seen and not self._just_made("trim", why):
                unmoved.refuse(index + 1, piece, take, start=first, end=last, why=why)
            return new

        return self._cutting.change("trim", how, why=why)

    def _just_made(self, by: str, why: str) -> bool:
        """Tell whether the version in force was made by a verb with this reason."""
        now = versions.current(self.edit)
        made = (each for each in versions.history(self.edit) if each.number == now)
        return bool(why) and any(each.by == by and f"{each.why}; ".startswith(f"{why}; ") for each in made)

    # ---- the same material in other ranges

    def split(
        self,
        which: Which,
        *,
        at: Time | None = None,
        frame: int | None = None,
        exact: bool = False,
        why: str = "",
    ) -> Edl:
        """Make two ranges of one, ``at`` seconds or at a ``frame`` of its take; the first keeps the id.

        A place within a word gives way to the nearest between two words, unless ``exact``.

        Raises:
            EdlError: no such range, or no place to split it at.
            InputError: neither ``at`` nor ``frame`` is given, or both are.
        """
        if (at is None) == (frame is None):
            msg = "split wants at, in seconds, or frame"
            raise InputError(msg)

        def how(old: Edl) -> Edl:
            rate = decide.find(old, which).rate
            place = round_half_up(_time(at, rate) * rate) if at is not None else frame or 0
            return reshape.split(old, which, self._takes(), frame=place, exact=exact)

        return self._cutting.change("split", how, why=why)

    def merge(self, which: Which, *, why: str = "") -> Edl:
        """Join a range to the next one in the film, of the same take; what lies between them comes back.

        Raises:
            EdlError: no such range, or the next is of another take or earlier in it.
        """
        return self._cutting.change("merge", lambda old: reshape.merge(old, which, self._takes()), why=why)

    def move(self, *which: Which, before: Which | None = None, why: str = "") -> Edl:
        """Put ranges, in the order in which they are named, before another one; None: at the end.

        Raises:
            EdlError: no such range, or one that is to come before itself.
        """
        return self._cutting.change("move", lambda old: reshape.move(old, *which, before=before), why=why)

    # ---- words

    def cut_words(self, which: Which, first: int | str, last: int | None = None, *, why: str = "") -> Edl:
        """Take words out of a range: it is shortened or becomes two.

        ``first`` and ``last`` are their numbers; or ``first`` is a span as a cut list has it, or the words themselves.
        A range of nothing but these words is rejected, and stays in the list.

        Raises:
            EdlError: no such range, or it does not keep the words.
        """
        pads = self._pads()

        def how(old: Edl) -> Edl:
            takes = self._takes()
            _, piece, take = decide.at_hand(old, which, takes)
            words = _words(first, last, take, takes, within=piece.words)
            if isinstance(first, str):
                strike.refuse_elsewhere(old, which, first, words)
            return strike.cut_words(old, which, words, takes, pads=pads, why=why)

        return self._cutting.change("strike", how, why=why, by="cut words")

    def restore_words(self, take: str, first: int | str, last: int | None = None, *, why: str = "") -> Edl:
        """Put words of a take into the film: at the ranges that they touch, or as a range of their own.

        The words are named as for :meth:`cut_words`.

        Raises:
            UnknownTake: no take has that name.
            EdlError: no such words, or they are in the film already.
        """
        pads = self._pads()

        def how(old: Edl) -> Edl:
            takes = self._takes()
            found = self.take(take)
            words = _words(first, last, found, takes)
            return strike.restore_words(old, found.name, words, takes, pads=pads, why=why, by="restore")

        return self._cutting.change("restore", how, why=why)

    def swap(
        self, which: Which, take: str, first: int | str, last: int | None = None, *, why: str = ""
    ) -> Edl:
        """Put words of a take, named as for :meth:`cut_words`, in a range's place; it is undecided then.

        Raises:
            UnknownTake: no take has that name.
            EdlError: no such range or words.
        """
        pads = self._pads()

        def how(old: Edl) -> Edl:
            takes = self._takes()
            found = self.take(take)
            words = _words(first, last, found, takes)
            return swapping.swap(old, which, found.name, words, takes, pads=pads, why=why, by="swap")

        return self._cutting.change("swap", how, why=why)

    def others(self, which: Which) -> Others:
        """Find where else the words of a range are said, the most alike first.

        Raises:
            EdlError: no such range, or its take is not there.
        """
        with self._cutting.turn() as takes:
            return elsewhere.others(self._cutting.edl, which, takes, pads=self._pads())

    def slips(self, pauses: float | None = None) -> Slips:
        """Find the fillers, and the pauses longer than ``pauses`` seconds, in the kept ranges; they stay.

        Raises:
            EdlError: there is no cut list, or it is not valid.
            InputError: ``pauses`` is not above 0.
        """
        longest = None if pauses is None else seconds(pauses)
        with self._cutting.turn() as takes:
            return slipping.slips(self._cutting.edl, takes, pauses=longest)

    # ---- changes

    @property
    def changes(self) -> int:
        """How often the cut list was changed ever, undo, redo and hand edits that were seen included.

        It only grows, whichever process made the change, and costs a look at a file's size and time.
        """
        return self._cutting.changes

    def look(self) -> int:
        """Take a hand edit of ``edl.json`` in, where there is one, and give :attr:`changes`.

        Raises:
            FileBusy: another process is writing the cut list.
        """
        self._cutting.see_hand_edit()
        return self.changes

    @property
    def can_undo(self) -> bool:
        """Whether there is something to undo."""
        return versions.steps(self.edit)[0]

    @property
    def can_redo(self) -> bool:
        """Whether there is something to redo."""
        return versions.steps(self.edit)[1]

    @staticmethod
    def viewing(view: str, base: int) -> AbstractContextManager[None]:
        """Make changes in a block, on this thread, in the name of a view that last saw ``base`` :attr:`changes`.

        A change in it raises :class:`~cutbook.errors.StaleView` where a later one came from anybody else.
        """
        return changes.viewing(view, base)

    # ---- within

    def _decided(self, kind: str, how: Callable[..., Edl], *which: Which, why: str) -> Edl:
        return self._cutting.change(kind, lambda old: how(old, *which, why=why, by="review"), why=why)

    def _takes(self) -> Mapping[str, Take]:
        with self._cutting.turn() as takes:
            return takes

    def _pads(self) -> tuple[Fraction, Fraction]:
        found = self.settings()
        return seconds(found["pad_before_ms"]) / 1000, seconds(found["pad_after_ms"]) / 1000


def _time(value: Time, rate: Fraction) -> Fraction:
    """Read a time; text may be a timecode too (raises :class:`~cutbook.errors.TimeError`)."""
    text = str(value).strip()
    if text.count(":") + text.count(";") == 3:
        return parse_timecode(text, rate) / rate
    try:
        return seconds(value)
    except TimeError as error:
        if _COMMA.fullmatch(text):
            msg = f"{text!r} is no time: decimals have a point; write {text.replace(',', '.')}"
        elif "no time in seconds" in str(error):
            msg = f"{text!r} is no time; write seconds (12.34), minutes (1:02.5) or timecode (00:00:12:10)"
        else:
            raise
        raise TimeError(msg) from error


def _words(
    first: int | str,
    last: int | None,
    take: Take,
    takes: Mapping[str, Take],
    *,
    within: tuple[int, int] | None = None,
) -> tuple[int, int]:
    """Give the numbers of the words that are meant (raises :class:`~cutbook.errors.EdlError`)."""
    if isinstance(first, str):
        return word_numbers(first, take, takes, within=within)
    return first, first if last is None else last
