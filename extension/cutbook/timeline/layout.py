"""Where the lanes of a composite lie, in pixels."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from cutbook.timebase import Span
from cutbook.timeline import lettering
from cutbook.timeline.palette import LEFT, RIGHT, TEXT, VOICES, WIDTH
from cutbook.timeline.passages import Passages, place
from cutbook.timeline.scene import Scene

HEAD = 40
RULER = 34
BARS, EDIT_BARS = 22, 40
SOUND = 96
ROW = 17
SPEECH = 7
FOOT = 30
GAP = 6


@dataclass(frozen=True, slots=True)
class Lane:
    """The rows of pixels from ``top`` to before ``bottom``."""

    top: int
    bottom: int

    @property
    def height(self) -> int:
        """Pixels from edge to edge."""
        return self.bottom - self.top


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The lanes of one composite; those that it does not have are None."""

    span: Span
    ruler: Lane
    bars: Lane | None
    film: Lane | None
    sound: Lane | None
    words: Lane | None
    speech: Lane | None
    passages: Passages
    width: int
    height: int

    def at(self, time: Fraction) -> float:
        """Give the pixel column of a time."""
        return LEFT + (float(time) - float(self.span.start)) / float(self.span.duration) * (RIGHT - LEFT)


def arrange(scene: Scene) -> Layout:
    """Lay out a scene's lanes from top to bottom."""
    start, scale = float(scene.span.start), (RIGHT - LEFT) / float(scene.span.duration)
    passages = place(
        scene.said,
        lambda time: LEFT + (float(time) - start) * scale,
        left=LEFT,
        right=RIGHT,
        measure=lambda text: lettering.measure(lettering.readable(text), TEXT),
    )
    top = HEAD + RULER + GAP
    lanes: dict[str, Lane | None] = {}
    voices = len({block.speaker for block in passages.blocks}) if passages.kind == "beginnings" else 0
    for name, height in (
        ("bars", (EDIT_BARS if scene.edit else BARS) if scene.bars else 0),
        ("film", scene.film_height if scene.shots else 0),
        ("sound", SOUND if scene.sound is not None else 0),
        ("speech", min(voices, len(VOICES)) * SPEECH),
        ("words", _words_height(passages)),
    ):
        lanes[name] = Lane(top, top + height) if height else None
        top += height + GAP if height else 0
    return Layout(
        span=scene.span,
        ruler=Lane(HEAD, HEAD + RULER),
        passages=passages,
        width=WIDTH,
        height=top + FOOT,
        **lanes,
    )


def _words_height(passages: Passages) -> int:
    if not passages.rows:
        return 0
    marks = max((each.row for each in passages.more), default=0) + 1 if passages.more else 0
    return max(passages.rows, marks) * (ROW + (4 if passages.kind == "words" else 0)) + 8
