"""The bed of music: as long as the film, quieter while somebody speaks, gone at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from cutbook.edit.edl import overlay_path
from cutbook.errors import PreflightError, UnreadableMedia
from cutbook.media.probe import Media, SoundTrack, probe
from cutbook.render.cache import content
from cutbook.render.plan import Piece, Plan
from cutbook.timebase import SAMPLE_RATE, decimals

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DOWN, UP = SAMPLE_RATE * 3 // 10, SAMPLE_RATE * 6 // 10
"""Samples over which the music goes down before a word and comes up after one."""

_CROSS = SAMPLE_RATE
_OUT = 3 * SAMPLE_RATE
_IN = SAMPLE_RATE // 50
_SHORTEST = Fraction(1, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tune:
    """The music's file, looked at, and its decoded part of ``samples``; ``digest`` is the file's content."""

    media: Media
    track: SoundTrack
    digest: str
    samples: int

    @property
    def whole(self) -> Piece:
        """What is decoded of it."""
        return Piece(source="music", first=0, samples=self.samples, start=Fraction(0), fade_in=0, fade_out=0)

    def pieces(self, samples: int) -> Iterator[Piece]:
        """Lay it end to end, crossing over, until ``samples`` are full; the last one fades out with the film."""
        cross = min(_CROSS, self.samples // 4)
        out = min(_OUT, samples // 4)
        first = 0
        while True:
            last = first + self.samples >= samples
            yield Piece(
                source="music",
                first=first,
                samples=samples - first if last else self.samples,
                start=Fraction(0),
                fade_in=min(cross if first else _IN, samples - first),
                fade_out=min(out, samples - first) if last else cross,
                crossed_in=bool(first),
                crossed_out=not last,
            )
            if last:
                return
            first += self.samples - cross


def load(plan: Plan, edit: Path) -> Tune | None:
    """Look at the music's file.

    Raises:
        PreflightError: it is missing, cannot be read, or is no half second of sound.
    """
    if plan.music is None:
        return None
    place = f"music ({plan.music.file})"
    path = overlay_path(plan.music, edit)
    if not path.is_file():
        msg = (
            f"{place}: there is no such file; bring it back or take `music` out (its path counts from edit/)"
        )
        raise PreflightError(msg)
    try:
        media = probe(path)
    except UnreadableMedia as error:
        msg = f"{place}: {error}"
        raise PreflightError(msg) from error
    if not media.sound:
        msg = f"{place}: it has no sound; name a file that has"
        raise PreflightError(msg)
    track = media.sound[0]
    length = track.start + track.duration - media.origin
    if length < _SHORTEST:
        msg = f"{place}: it lasts {decimals(length)} s, too short for a bed; name a longer one"
        raise PreflightError(msg)
    samples = min(int(length * SAMPLE_RATE), plan.samples)
    return Tune(media=media, track=track, digest=content(path), samples=samples)


def ducked(
    speech: Sequence[tuple[int, int]], *, gain_db: float, duck_db: float, low: int, high: int
) -> NDArray[np.float32]:
    """Give the music's gain at each of the film's samples [low, high).

    Straight lines in decibels: down before each stretch of ``speech``, up after it.
    """
    import numpy as np

    places = [place for start, end in speech for place in (start - DOWN, start, end, end + UP)] or [0]
    shares = [0.0, 1.0, 1.0, 0.0] * len(speech) or [0.0]
    share = np.interp(np.arange(low, high), places, shares)
    return np.asarray(10 ** ((gain_db - duck_db * share) / 20), np.float32)
