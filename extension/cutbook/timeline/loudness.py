"""Levels for drawing: columns of a stretch of sound, in dBFS, never fitted to the view."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from cutbook.timebase import Span
from cutbook.timeline.scene import PAUSE, Pause, Sound

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from cutbook.media.sound import Envelope

FLOOR = -60.0
"""dBFS at the foot of the lane."""

HUSH = -50.0
"""dBFS below which a sound without words counts as silent."""


def columns(envelope: Envelope | None, span: Span, count: int) -> Sound:
    """Give the highest and the mean level of each of ``count`` equal columns of a span; 0 outside the sound."""
    edges = np.linspace(float(span.start), float(span.end), count + 1) / float(
        envelope.step if envelope else 1
    )
    peaks, means = np.zeros(count), np.zeros(count)
    if envelope is None or not len(envelope.levels):
        return Sound(peaks, means)
    total = len(envelope.levels)
    # Nudged, so that a column that begins on a step begins with it.
    first = np.floor(edges[:-1] + 1e-6).astype(int)
    last = np.maximum(first + 1, np.ceil(edges[1:] - 1e-6).astype(int))
    within = (first >= 0) & (first < total)
    for column in np.flatnonzero(within):
        part = envelope.levels[first[column] : last[column]]
        peaks[column] = part.max()
        means[column] = np.sqrt(np.dot(part, part) / len(part))
    return Sound(peaks, means)


def joined(parts: Iterable[Sound]) -> Sound:
    """Lay the columns of several sounds end to end."""
    sounds = list(parts)
    return Sound(
        np.concatenate([each.peaks for each in sounds]), np.concatenate([each.means for each in sounds])
    )


def heights(levels: NDArray[np.float64], height: int) -> NDArray[np.int64]:
    """Give how many of ``height`` pixels each level fills: none at -60 dBFS and below, all at 0."""
    decibels = 20 * np.log10(np.maximum(levels, 1e-9))
    return np.rint(np.clip((decibels - FLOOR) / -FLOOR, 0, 1) * height).astype(np.int64)


def silences(envelope: Envelope, view: Span) -> tuple[Pause, ...]:
    """Give the stretches in view that stay below -50 dBFS for at least 400 ms (means of 20 ms)."""
    width = max(1, round(Fraction(1, 50) / envelope.step))
    if not len(envelope.levels):
        return ()
    blocks = np.add.reduceat(envelope.levels**2, np.arange(0, len(envelope.levels), width)) / width
    quiet = np.concatenate(([False], blocks < 10 ** (HUSH / 10), [False]))
    turns = np.flatnonzero(quiet[1:] != quiet[:-1])
    found = []
    for start, stop in zip(turns[::2], turns[1::2], strict=True):
        gap = Span(
            int(start) * width * envelope.step,
            min(int(stop) * width * envelope.step, len(envelope.levels) * envelope.step),
        )
        if gap.duration >= PAUSE and gap.overlaps(view):
            found.append(Pause(gap.clamp(view), gap.duration))
    return tuple(found)
