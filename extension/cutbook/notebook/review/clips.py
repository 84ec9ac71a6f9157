"""How a browser can have the picture of a take: its proxy, made once in the background, and where it lies."""

from __future__ import annotations

import atexit
import contextlib
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING
from weakref import WeakSet

from cutbook.errors import CutbookError, FfmpegStopped, InputError, MediaError, UnreadableMedia
from cutbook.files import safe_name
from cutbook.media.ffmpeg import find
from cutbook.media.frames import poster
from cutbook.media.proxy import known, needs, proxy
from cutbook.notebook.review import parts
from cutbook.notebook.review.lanes import Lane
from cutbook.notebook.review.serving import server

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cutbook.edit.edl import Range
    from cutbook.edit.take import Take
    from cutbook.media.probe import Media
    from cutbook.notebook.review.board import Document
    from cutbook.project import Project

PIECE = 4 * 1024 * 1024
"""Most bytes of a file that go into one message."""

PICTURE = 144
"""Lines of the picture at a cut."""

FOLDER = "proxies"
_STEP = 0.01
_PARTS = 3
_KEPT = 256
_seen: OrderedDict[tuple[object, ...], Media] = OrderedDict()
_looked = threading.Lock()
_maker = Lane("cutbook-proxies")
"""Makes proxies, whatever the project: one ffmpeg at a time."""


@dataclass(slots=True)
class _Making:
    """A proxy on its way."""

    cancel: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)
    share: float = 0.0


class Clips:
    """The proxies of one project's takes; ``tell`` is called, on any thread, when more is known of one.

    Proxies above ``whole`` bytes are had in parts of about ``length`` seconds; without them, as :mod:`.parts` says.
    """

    def __init__(
        self, tell: Callable[[Document], None], *, whole: int | None = None, length: int | None = None
    ) -> None:
        self._tell = tell
        self._whole = whole
        self._length = length
        self._lock = threading.Lock()
        self._making: dict[str, _Making] = {}
        self._waiting: list[tuple[Project, Take, _Making]] = []
        self._parts: OrderedDict[tuple[str, int, int], bytes] = OrderedDict()
        _all.add(self)

    @property
    def making(self) -> frozenset[str]:
        """The takes whose proxies are being made or wait for it."""
        return frozenset(self._making)

    def clip(self, project: Project, take: Take, *, make: bool, first: bool = False) -> Document:
        """Say how the picture of a take can be had, and begin to make its proxy where there is none and ``make``.

        Proxies are made in the order in which they were asked for, one asked for as the ``first`` before those that
        wait.
        """
        if take.media.picture is None:
            return _none(take, f"{take.name} has no picture")
        small = _known(project, take)
        if small is not None:
            return self._ready(take, small)
        if not make:
            return _none(take, f"{take.name} is not in the cut list, so no copy to play is made of it")
        with self._lock:
            making = self._making.get(take.name)
            if making is None or making.cancel.is_set():
                making = self._making[take.name] = _Making()
                self._waiting.append((project, take, making))
                _maker.add(self._make_next)
            if first:
                self._waiting.sort(key=lambda waits: waits[1].name != take.name)
        return _clip(take, "making", progress=making.share)

    def piece(
        self, project: Project, take: Take, number: int | None, start: int, end: int
    ) -> tuple[int, bytes]:
        """Give bytes of a take's proxy, or of one of its parts, at most 4 MiB, and how many there are in all.

        Raises:
            UnreadableMedia: there is no such file.
            InputError: there is no such part.
        """
        small = _known(project, take)
        if small is None:
            msg = f"no such file: there is no copy of {take.name} to play; run %review again, and it is made"
            raise UnreadableMedia(msg)
        end = min(end, start + PIECE)
        if number is not None:
            data = self._part(take, small, number)
            return len(data), data[start:end]
        try:
            with small.path.open("rb") as file:
                file.seek(start)
                return small.size, file.read(max(0, end - start))
        except OSError as error:
            msg = f"no such file: {small.path.name} cannot be read; run %review again"
            raise UnreadableMedia(msg) from error

    def stop(self, patience: float = 0.0) -> None:
        """Make nothing more; wait up to ``patience`` seconds until what was begun is gone."""
        with self._lock:
            stopped = list(self._making.values())
            for making in stopped:
                making.cancel.set()
        for making in stopped:
            making.ended.wait(patience)

    def _ready(self, take: Take, small: Media) -> Document:
        found = server()
        return _clip(
            take,
            "ready",
            progress=1.0,
            url=found.url(small.path) if found is not None else "",
            size=small.size,
            seconds=float(small.duration),
            parts=[float(begin) for begin in self._begins(small)],
        )

    def _begins(self, small: Media) -> tuple[Fraction, ...]:
        whole = parts.WHOLE if self._whole is None else self._whole
        length = parts.LENGTH if self._length is None else self._length
        return parts.begins(small, length=length) if small.size > whole else ()

    def _part(self, take: Take, small: Media, number: int) -> bytes:
        places = self._begins(small)
        if not 0 <= number < len(places):
            msg = f"the copy of {take.name} has no part {number}"
            raise InputError(msg)
        key = (take.name, small.path.stat().st_mtime_ns, number)
        with self._lock:
            found = self._parts.get(key)
        if found is None:
            end = places[number + 1] + parts.OVERLAP if number + 1 < len(places) else None
            found = parts.part(small.path, places[number], end)
        with self._lock:
            self._parts[key] = found
            self._parts.move_to_end(key)
            while len(self._parts) > _PARTS:
                self._parts.popitem(last=False)
        return found

    def _make_next(self) -> None:
        with self._lock:
            project, take, making = self._waiting.pop(0)
        self._make(project, take, making)

    def _make(self, project: Project, take: Take, making: _Making) -> None:
        told = 0.0

        def progress(share: float) -> None:
            nonlocal told
            making.share = share
            if share - told >= _STEP:
                told = share
                self._tell(_clip(take, "making", progress=share))

        result = None
        try:
            if not making.cancel.is_set():
                result = self._ready(take, _made(project, take, progress, making.cancel))
        except FfmpegStopped:
            pass
        except CutbookError as error:
            result = _none(take, str(error))
        except Exception as error:  # noqa: BLE001 - said to the views, since nobody waits for this thread
            result = _none(take, f"{type(error).__name__}: {error}")
        with self._lock:
            if self._making.get(take.name) is making:
                del self._making[take.name]
        making.ended.set()
        if result is not None:
            self._tell(result)


def seen(project: Project, take: Take) -> tuple[Media, str]:
    """Give the file that a take's pictures are quickest had from, and the key of its content."""
    digest = take.fingerprint.digest
    small = _known(project, take)
    return (small, f"{digest} proxy {small.size}") if small is not None else (take.media, digest)


def cut_picture(project: Project, takes: Mapping[str, Take], piece: Range, edge: str) -> bytes | None:
    """Give the picture at a range's ``in`` or ``out`` as JPEG, or None where there is no picture to be had."""
    take = takes.get(piece.source)
    if take is None or piece.problem or take.media.picture is None:
        return None
    frame = piece.frames[0] if edge == "in" else piece.frames[1] - 1
    media, key = seen(project, take)
    with contextlib.suppress(MediaError):
        return poster(media, middle(frame, take), height=PICTURE, cache=project.folders.cache, key=key)
    return None


def middle(frame: int, take: Take) -> Fraction:
    """Give the middle of a frame in seconds, so that no rounding of a file's times shows its neighbour."""
    return (frame + Fraction(1, 2)) / take.rate


_all: WeakSet[Clips] = WeakSet()


@atexit.register
def _stop() -> None:
    """Leave no ffmpeg and no half file behind when the kernel ends."""
    for each in tuple(_all):
        each.stop(patience=3.0)


def _known(project: Project, take: Take) -> Media | None:
    """Give the proxy of a take, where there is one; a file that has not changed is not looked into again."""
    folder, digest, track = project.edit / FOLDER, take.fingerprint.digest, take.track
    file = folder / f"{safe_name(take.name)}.mp4"
    try:
        found = file.stat()
    except OSError:
        return None
    key = (file, found.st_mtime_ns, found.st_size, digest, track)
    with _looked:
        small = _seen.get(key)
    if small is None:
        small = known(folder, take.name, content=digest, track=track)
        with _looked:
            if small is not None:
                _seen[key] = small
            while len(_seen) > _KEPT:
                _seen.popitem(last=False)
    return small


def _made(project: Project, take: Take, progress: Callable[[float], None], cancel: threading.Event) -> Media:
    ffmpeg = find(project.settings()["ffmpeg"], needs(take.media))
    return proxy(
        take.media,
        folder=project.edit / FOLDER,
        name=take.name,
        content=take.fingerprint.digest,
        ffmpeg=ffmpeg,
        track=take.track,
        progress=progress,
        cancel=cancel,
    )


def _clip(take: Take, state: str, **more: object) -> Document:
    clip = {"take": take.name, "state": state, "progress": 0.0, "problem": "", "url": "", "size": 0}
    return clip | {"seconds": float(take.duration), "parts": []} | more


def _none(take: Take, problem: str) -> Document:
    return _clip(take, "none", problem=problem)
