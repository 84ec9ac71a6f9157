from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from cutbook.media.sound import Envelope
from cutbook.timebase import Span
from cutbook.timeline.loudness import columns, heights, silences

STEP = Fraction(1, 1000)


def envelope(*parts: tuple[float, float]) -> Envelope:
    """Make an envelope of (seconds, level) one after the other."""
    return Envelope(STEP, np.concatenate([np.full(round(s * 1000), level, np.float32) for s, level in parts]))


@pytest.mark.parametrize(
    ("level", "share"), [(1.0, 1.0), (10 ** (-12 / 20), 0.8), (10 ** (-30 / 20), 0.5), (0.0, 0.0)]
)
def test_height_is_decibels_below_full_scale(level: float, share: float) -> None:
    """0 dBFS fills the lane, -60 none of it, in proportion between, whatever else is in view."""
    assert heights(np.array([level]), 100).tolist() == [round(100 * share)]


def test_quiet_take_stays_quiet() -> None:
    """A view of a quiet stretch alone draws it as low as among loud ones."""
    sound = envelope((1, 0.5), (1, 0.01), (1, 0.5))
    alone = columns(sound, Span(Fraction("1.2"), Fraction("1.8")), 60)
    among = columns(sound, Span(Fraction(0), Fraction(3)), 300)
    assert heights(alone.peaks, 100).max() == heights(among.peaks, 100)[150] == 33


def test_columns_hold_highest_and_mean() -> None:
    """A column's peak is its loudest millisecond, its mean that of power."""
    levels = np.zeros(100, np.float32)
    levels[10], levels[50:60] = 1.0, 0.5
    found = columns(Envelope(STEP, levels), Span(Fraction(0), Fraction(1, 10)), 10)
    assert found.peaks == pytest.approx([0, 1, 0, 0, 0, 0.5, 0, 0, 0, 0])
    assert found.means == pytest.approx([0, np.sqrt(0.1), 0, 0, 0, 0.5, 0, 0, 0, 0])


def test_sound_that_ends_early_is_silent_after() -> None:
    """Columns past the end of the sound are empty, and so are those of no sound at all."""
    found = columns(envelope((1, 0.5)), Span(Fraction(0), Fraction(2)), 4)
    assert found.peaks == pytest.approx([0.5, 0.5, 0, 0])
    assert not columns(None, Span(Fraction(0), Fraction(2)), 4).peaks.any()


def test_columns_narrower_than_a_millisecond_repeat_it() -> None:
    """Zoomed in below the envelope's step each column still has its level."""
    found = columns(envelope((1, 0.5)), Span(Fraction("0.5"), Fraction("0.51")), 100)
    assert found.peaks == pytest.approx([0.5] * 100)


def test_silences_have_their_whole_length() -> None:
    """A silence that reaches out of the view is cut to it, but its length is all of it; short ones are none."""
    sound = envelope((1, 0.5), (2, 0.0001), (1, 0.5), (0.3, 0.0), (1, 0.5))
    found = silences(sound, Span(Fraction(2), Fraction(5)))
    assert [(pause.span, pause.length) for pause in found] == [(Span(Fraction(2), Fraction(3)), Fraction(2))]
