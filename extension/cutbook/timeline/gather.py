"""What a stretch of a take or of a file shows, read from its pictures, its sound and its words."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from cutbook.edit.edl import Range
from cutbook.edit.take import Take
from cutbook.files import readable
from cutbook.timebase import Span, clock, decimals
from cutbook.timeline.loudness import columns, silences
from cutbook.timeline.palette import LEFT, RIGHT
from cutbook.timeline.ruler import Counter
from cutbook.timeline.scene import Bar, Pause, Said, Scene, Shot, Sound, pauses, within

if TYPE_CHECKING:
    from cutbook.media.probe import Media
    from cutbook.media.sound import Envelope

AXIS = RIGHT - LEFT

LOW, HIGH = 72, 216
"""Fewest and most pixels of a filmstrip's height."""

LONG = 600
"""Seconds of a view from which its ends are told without hundredths."""

COARSE = Fraction(4)
"""Seconds a picture from which the nearest keyframe will do."""


def take_scene(take: Take, view: Span, *, frames: int, cuts: Sequence[Range], cache: Path) -> Scene:
    """Gather a stretch of a take with the ranges that an edit keeps of it."""
    media, transcript = take.media, take.transcript
    kept = [
        (each.start - each.audio_lead, each.end + each.audio_lag)
        for each in cuts
        if each.status != "rejected"
    ]
    said = tuple(
        Said.word(
            word, kept=not cuts or any(start <= (word.start + word.end) / 2 < end for start, end in kept)
        )
        for word in within(take.words, view)
    )
    notes = [] if transcript or not media.sound else ["no transcript yet"]
    return _scene(
        media,
        take.envelope,
        view,
        frames=frames,
        cache=cache,
        key=take.fingerprint.short,
        title=take.name,
        said=said,
        speakers=transcript.speakers() if transcript else (),
        language=transcript.language if transcript else None,
        gaps=pauses(take.words, media.duration, view) if take.words else None,
        bars=tuple(
            _bar(each)
            for each in cuts
            if each.start - each.audio_lead < view.end and each.end + each.audio_lag > view.start
        ),
        notes=notes,
    )


def file_scene(media: Media, content: str, view: Span, *, frames: int, cache: Path) -> Scene:
    """Gather a stretch of a file that is no take; ``content`` names what is in it."""
    from cutbook.media.sound import envelope

    heard = envelope(media, 0, cache=cache, key=content) if media.sound else None
    return _scene(
        media, heard, view, frames=frames, cache=cache, key=content, title=readable(media.path.name)
    )


def _scene(
    media: Media,
    heard: Envelope | None,
    view: Span,
    *,
    frames: int,
    cache: Path,
    key: str,
    title: str,
    said: tuple[Said, ...] = (),
    speakers: tuple[str, ...] = (),
    language: str | None = None,
    gaps: tuple[Pause, ...] | None = None,
    bars: tuple[Bar, ...] = (),
    notes: Sequence[str] = (),
) -> Scene:
    shots, height, more = strip(media, view, frames, cache=cache, key=key)
    sound: Sound | None = None
    if heard is not None:
        sound = columns(heard, view, AXIS)
        gaps = silences(heard, view) if gaps is None else gaps
    return Scene(
        title=title,
        detail=f"{_ends(view)}  ·  {length(view.duration)} of {length(media.duration)}",
        facts=facts(media),
        span=view,
        counter=counter(media),
        shots=shots,
        film_height=height,
        sound=sound,
        said=said,
        speakers=speakers,
        pauses=gaps or (),
        bars=bars,
        notes=(*more, *([] if heard is not None else ["no sound"]), *notes),
        language=language,
    )


def strip(
    media: Media, view: Span, frames: int, *, cache: Path, key: str
) -> tuple[tuple[Shot, ...], int, tuple[str, ...]]:
    """Give ``frames`` pictures, each of the middle of its part of the view; their height; and what to say of them."""
    from cutbook.media.frames import filmstrip

    if media.picture is None:
        return (), 0, ("no picture",)
    height = film_height(media.picture.width, media.picture.height, frames)
    parts = [
        Span(view.start + view.duration * number / frames, view.start + view.duration * (number + 1) / frames)
        for number in range(frames)
    ]
    exact = view.duration / frames < COARSE
    images = filmstrip(
        media, [part.middle for part in parts], height=height, cache=cache, key=key, exact=exact
    )
    shots = tuple(Shot(part, part.middle, image) for part, image in zip(parts, images, strict=True))
    return shots, height, () if exact else ("pictures are the keyframes before their times",)


def film_height(width: int, height: int, frames: int) -> int:
    """Give the height at which ``frames`` pictures of a size fill the axis, within what a panel bears."""
    return min(HIGH, max(LOW, ceil(Fraction(AXIS * height, frames * width))))


def counter(media: Media) -> Counter:
    """Give the timecode of a file's frames."""
    return Counter.starting(media.picture.timecode if media.picture else None, media.rate)


def facts(media: Media) -> str:
    """Say a file's size, rate and sound in a few words."""
    said = []
    if media.picture:
        said += [f"{media.picture.width}×{media.picture.height}", f"{pace(media.rate)} fps"]
        said += ["variable rate"] if media.picture.variable else []
        said += [media.picture.hdr] if media.picture.hdr else []
    if media.sound:
        track = media.sound[0]
        channels = {1: "mono", 2: "stereo"}.get(track.channels, track.layout)
        said.append(f"{pace(Fraction(track.sample_rate, 1000))} kHz {channels}")
        said += [f"{len(media.sound)} tracks"] if len(media.sound) > 1 else []
    return "  ·  ".join(said)


def _ends(view: Span) -> str:
    if view.duration < LONG:
        return f"{decimals(view.start)}–{decimals(view.end)} s"
    return f"{clock(view.start)}–{clock(view.end)}"


def length(duration: Fraction) -> str:
    """Write a length for people: seconds up to two minutes, then 12:34."""
    return f"{decimals(duration)} s" if duration < 120 else clock(duration)


def pace(rate: Fraction) -> str:
    """Write a rate for people: 25, 29.97, 44.1."""
    return f"{float(rate):.3f}".rstrip("0").rstrip(".")


def _bar(each: Range) -> Bar:
    none = (Fraction(0), Fraction(0))
    split = each.audio_lead or each.audio_lag
    heard = Span(max(Fraction(0), each.start - each.audio_lead), each.end + each.audio_lag) if split else None
    return Bar(
        Span(each.start, each.end), each.beat, each.id, each.beat, each.status, each.pads or none, heard
    )
