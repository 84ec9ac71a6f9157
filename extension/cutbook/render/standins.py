"""Proxies in place of takes, for drafts: the same frames under the same numbers, at a fraction of the decoding."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from cutbook.edit.take import Take
from cutbook.errors import MediaError
from cutbook.files import Fingerprint
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.media.probe import Media
from cutbook.media.proxy import RECIPE, WIDTH, faulty, known, needs, proxy
from cutbook.render.cache import key
from cutbook.render.plan import Plan

WORTH = Fraction(1, 10)
"""Share of a take that must be kept for a proxy to be made of it; of three hours, one minute is rather read itself."""


def stand_ins(
    plan: Plan,
    takes: Mapping[str, Take],
    *,
    folder: Path,
    ffmpeg: Ffmpeg,
    tell: Callable[[float, str], None],
    cancel: threading.Event | None = None,
) -> dict[str, Take]:
    """Give the takes that a proxy stands in for, by name; proxies in ``folder`` are made where they are worth it.

    Raises:
        FfmpegError, DiskFull: a proxy could not be made.
        FfmpegStopped: ``cancel`` was set.
    """
    kept: dict[str, Fraction] = {}
    for segment in plan.segments:
        part = segment.part
        kept[part.source] = kept.get(part.source, Fraction(0)) + part.end - part.start
    found: dict[str, Take] = {}
    for name, length in kept.items():
        take = takes[name]
        media = take.media
        if media.picture is None or media.picture.width <= WIDTH or ffmpeg.missing(needs(media)):
            continue
        content = take.fingerprint.digest
        small = known(folder, name, content=content, track=take.track)
        if small is None and length < media.duration * WORTH:
            continue

        def say(share: float, name: str = name) -> None:
            tell(0.0, f"Making a proxy of {name}: {share:.0%}")

        try:
            small = small or proxy(
                media,
                folder=folder,
                name=name,
                content=content,
                ffmpeg=ffmpeg,
                track=take.track,
                progress=say,
                cancel=cancel,
            )
        except MediaError:
            continue
        if faulty(folder, name):
            # The take itself is read, so that its damage is found, and told, where the film shows it.
            continue
        found[name] = _stood_in(take, small)
    return found


def _stood_in(take: Take, small: Media) -> Take:
    made = Fingerprint(small.size, key("proxy", RECIPE, take.fingerprint.digest))
    media = replace(small, sound=())
    return replace(take, path=small.path, load_media=lambda: media, load_fingerprint=lambda: made)
