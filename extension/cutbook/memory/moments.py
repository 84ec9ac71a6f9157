"""Pictures of what decisions were about, kept when they are made: what is gone later can still be looked at.

They lie in the user's cache. Without them the page of memory has words alone.
"""

from __future__ import annotations

import hashlib
import time
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from cutbook.errors import CutbookError
from cutbook.files import write_atomic
from cutbook.memory.anchors import ranges_of, read_anchor
from cutbook.memory.wording import read_span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from cutbook.edit.take import Take
    from cutbook.files import UserFolders
    from cutbook.memory.anchors import Anchor
    from cutbook.memory.compare import Present

    Picture = Callable[[Take, Fraction], bytes | None]
    """Gives the picture of a take at a time (seconds of take time) as JPEG; None where there is none."""

PATIENCE = 3.0
"""Seconds that keeping pictures may take at once; those that are left are kept another time, or never."""


@dataclass(frozen=True, slots=True)
class _Moment:
    """A file, and where in it: a span's start, a range of the cut, or neither."""

    media: Anchor
    start: Fraction | None
    range: str

    @property
    def name(self) -> str:
        where = self.range if self.start is None else str(self.start)
        return hashlib.sha256(f"moment 1 {self.media.value} {where}".encode()).hexdigest()[:32]

    def time(self, take: Take, present: Present) -> Fraction:
        """Give the time of the picture: the first frame of the span or the range, else a third of the take."""
        if self.start is not None:
            return Fraction(round(self.start * take.rate)) / take.rate
        piece = next((each for each in present.ranges or () if each.id == self.range), None)
        return piece.frames[0] / piece.rate if piece and piece.source == take.name else take.duration / 3


def _moment(tokens: tuple[str, ...]) -> _Moment | None:
    anchors = [anchor for token in tokens if (anchor := read_anchor(token))]
    media = next((each for each in anchors if each.kind == "media" and each.value), None)
    if media is None:
        return None
    spans = (each.span for each in anchors if each.kind == "words" and each.name == media.name)
    typed = (read_span(token.partition("#")[2]) for token in tokens if token.startswith("span:"))
    span = next((each for each in (*spans, *typed) if each), None)
    return _Moment(media, span.start if span else None, next(iter(ranges_of(tokens)), ""))


class Moments:
    """The pictures of one user; ``picture`` makes one."""

    def __init__(self, folders: UserFolders, picture: Picture) -> None:
        self._folder = folders.cache / "moments"
        self._picture = picture

    def _path(self, moment: _Moment) -> Path:
        return self._folder / f"{moment.name}.jpg"

    def keep(self, entries: Iterable[tuple[str, ...]], present: Present) -> None:
        """Keep a picture of what each entry, given by its tokens, is about; fails quietly."""
        until = time.monotonic() + PATIENCE
        for tokens in entries:
            moment = _moment(tokens)
            if moment is None or self._path(moment).exists() or time.monotonic() > until:
                continue
            # A decision is kept whatever becomes of its picture.
            with suppress(Exception):
                take = present.file(moment.media)[1]
                data = self._picture(take, moment.time(take, present)) if take else None
                if data:
                    write_atomic(self._path(moment), data)

    def then(self, tokens: tuple[str, ...]) -> bytes | None:
        """Give the picture that was kept of what an entry is about."""
        moment = _moment(tokens)
        try:
            return self._path(moment).read_bytes() if moment else None
        except OSError:
            return None

    def now(self, tokens: tuple[str, ...], present: Present) -> bytes | None:
        """Give the picture that is at the same place now, under the same name."""
        moment = _moment(tokens)
        take = present.takes.get(moment.media.name) if moment else None
        if moment is None or take is None:
            return None
        try:
            where = moment.time(take, present)
            return self._picture(take, where) if where < take.duration else None
        except CutbookError:
            return None
