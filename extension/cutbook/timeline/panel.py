"""Drawing a scene: the lanes, one after the other, on a sheet."""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby, zip_longest
from math import ceil

import numpy as np

from cutbook.timeline import edges, lettering
from cutbook.timeline.layout import ROW, SPEECH, Lane, Layout, arrange
from cutbook.timeline.loudness import FLOOR, heights
from cutbook.timeline.palette import (
    ACCENT,
    DIM,
    DOUBT,
    FAINT,
    HAIR,
    INK,
    LANE,
    LEFT,
    PAPER,
    PAUSE,
    PLAIN,
    QUIET,
    RIGHT,
    SMALL,
    SOFT,
    STAGE,
    STATUS,
    TEXT,
    TITLE,
    VOICES,
    Colour,
    mix,
    voice,
)
from cutbook.timeline.ruler import ticks
from cutbook.timeline.scene import PAUSE as JOIN
from cutbook.timeline.scene import Bar, Scene, Shot
from cutbook.timeline.sheet import Sheet

LEGEND = 900
"""Pixel from which on the legend only counts what it leaves out, to leave room for notes."""

PADDED = 24
"""Pixels below which a range shows no pads."""

NAMED = 36
"""Pixels below which a range shows no name."""

GUTTER = LEFT - 10
"""Where the names of the lanes end."""


def draw(scene: Scene) -> Sheet:
    """Draw a scene."""
    layout = arrange(scene)
    sheet = Sheet(layout.width, layout.height, scene.language)
    _title(sheet, scene)
    _ruler(sheet, scene, layout)
    _film(sheet, scene, layout)
    _sound(sheet, scene, layout)
    _speech(sheet, scene, layout)
    _words(sheet, scene, layout)
    _bars(sheet, scene, layout)
    _foot(sheet, scene, layout)
    return sheet


def _title(sheet: Sheet, scene: Scene) -> None:
    facts = lettering.measure(lettering.readable(scene.facts), SMALL)
    title = _shortened(scene.title, TITLE, RIGHT - LEFT - facts - 320, bold=True)
    x = LEFT + sheet.text(LEFT, 26, title, size=TITLE, bold=True) + 14
    sheet.text(x, 26, scene.detail, colour=SOFT)
    sheet.text(RIGHT, 26, scene.facts, size=SMALL, colour=SOFT, align="right")


def _ruler(sheet: Sheet, scene: Scene, layout: Layout) -> None:
    lane = layout.ruler
    sheet.box((LEFT, lane.bottom - 1, RIGHT, lane.bottom), HAIR)
    sheet.text(GUTTER, lane.top + 12, "TC", size=SMALL, colour=DIM, align="right")
    sheet.text(GUTTER, lane.top + 26, "time", size=SMALL, colour=DIM, align="right")
    for tick in ticks(scene.span, RIGHT - LEFT):
        x = layout.at(tick.time)
        sheet.rule(
            x, lane.top + 2 if tick.label else lane.bottom - 5, lane.bottom, HAIR if tick.label else FAINT
        )
        code = scene.counter.at(tick.time)
        if tick.label and x + 5 + lettering.measure(code, SMALL) <= RIGHT:
            sheet.text(x + 5, lane.top + 12, code, size=SMALL, colour=INK)
            sheet.text(x + 5, lane.top + 26, tick.label, size=SMALL, colour=SOFT)


def _film(sheet: Sheet, scene: Scene, layout: Layout) -> None:
    if layout.film is None:
        return
    lane = layout.film
    sheet.box((LEFT, lane.top, RIGHT, lane.bottom), STAGE)
    _name(sheet, lane, "picture")
    for shot in scene.shots:
        left, right = round(layout.at(shot.span.start)), round(layout.at(shot.span.end))
        image = _fitted(shot, right - left)
        sheet.paste(image, left + (right - left - image.shape[1]) // 2, lane.top)
    for shot in scene.shots[1:]:
        sheet.rule(round(layout.at(shot.span.start)), lane.top, lane.bottom, STAGE)


def _fitted(shot: Shot, room: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Give the middle of a picture that is wider than its room."""
    extra = max(0, shot.image.shape[1] - room)
    return shot.image[:, extra // 2 : shot.image.shape[1] - (extra - extra // 2)]


def _sound(sheet: Sheet, scene: Scene, layout: Layout) -> None:
    if layout.sound is None or scene.sound is None:
        return
    lane = layout.sound
    sheet.box((LEFT, lane.top, RIGHT, lane.bottom), LANE)
    below = layout.words if layout.passages.kind == "words" else None
    seen = [pause for pause in scene.pauses if pause.length >= _least(scene)]
    for pause in seen:
        left, right = layout.at(pause.span.start), layout.at(pause.span.end)
        sheet.box((left, lane.top, right, lane.bottom), PAUSE)
        if below is not None:
            sheet.box((left, lane.bottom, right, below.bottom), PAUSE, alpha=0.45)
    for level in (-12, -24, -36, -48):
        y = lane.bottom - round(lane.height * (level - FLOOR) / -FLOOR)
        sheet.box((LEFT, y, RIGHT, y + 1), HAIR, alpha=0.7)
        sheet.text(GUTTER, y + 4, f"−{-level}", size=SMALL, colour=DIM, align="right")
    sheet.text(GUTTER, lane.top + 8, "dBFS", size=SMALL, colour=DIM, align="right")
    tints = _tints(scene, layout)
    count = len(scene.sound.peaks)
    peaks, means = heights(scene.sound.peaks, lane.height), heights(scene.sound.means, lane.height)
    rows = np.arange(lane.height, 0, -1)[:, None]
    area = sheet.pixels[lane.top : lane.bottom, LEFT : LEFT + count]
    pale = np.rint(tints * 0.45 + 0.55 * np.array(PAPER)).astype(np.uint8)
    area[:] = np.where((rows <= peaks)[..., None], pale, area)
    area[:] = np.where((rows <= means)[..., None], tints, area)
    for pause in seen:
        label = f"{float(pause.length):.2f} s" if pause.length < 10 else f"{float(pause.length):.1f} s"
        left, right = layout.at(pause.span.start), layout.at(pause.span.end)
        if lettering.measure(label, SMALL) + 6 <= right - left:
            sheet.text((left + right) / 2, lane.top + 12, label, size=SMALL, colour=SOFT, align="center")


def _tints(scene: Scene, layout: Layout) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Give the colour of each column of sound: its speaker's, or grey where nobody speaks."""
    tints = np.empty((RIGHT - LEFT, 3), np.uint8)
    tints[:] = QUIET
    if not scene.said or layout.passages.kind == "beginnings":
        tints[:] = PLAIN
        return tints
    spoken = [word for word in scene.said if not word.event]
    for word, following in zip_longest(spoken, spoken[1:]):
        goes_on = (
            following is not None and word.speaker == following.speaker and following.start - word.end < JOIN
        )
        end = following.start if following is not None and goes_on else word.end
        left, right = round(layout.at(word.start)) - LEFT, round(layout.at(end)) - LEFT
        tints[max(0, left) : max(0, right, left + 1)] = voice(word.speaker, scene.speakers)
    return tints


def _speech(sheet: Sheet, scene: Scene, layout: Layout) -> None:
    if layout.speech is None:
        return
    _name(sheet, layout.speech, "speech")
    rows = {
        speaker: row
        for row, speaker in enumerate(dict.fromkeys(each.speaker for each in layout.passages.blocks))
    }
    for block in layout.passages.blocks:
        top = layout.speech.top + rows[block.speaker] % len(VOICES) * SPEECH
        sheet.box((block.left, top, block.right, top + SPEECH - 2), voice(block.speaker, scene.speakers))


def _words(sheet: Sheet, scene: Scene, layout: Layout) -> None:
    lane, passages = layout.words, layout.passages
    if lane is None:
        return
    _name(sheet, lane, "words")
    single = passages.kind == "words"
    pitch = ROW + (4 if single else 0)
    if passages.kind == "passages":
        for block in passages.blocks:
            sheet.box((block.left, lane.top, block.right, lane.top + 2), voice(block.speaker, scene.speakers))
    for run in passages.runs:
        base = lane.top + 16 + run.row * pitch
        word = run.words[0]
        colour = _ink(scene, run.words[0].kept, word.speaker)
        width = sheet.text(run.x, base, f"{run.text}", colour=DOUBT if word.event and word.kept else colour)
        if not word.sure:
            for dot in range(round(run.x), round(run.x + width), 4):
                sheet.box((dot, base + 3, dot + 2, base + 4), DOUBT)
        if single:
            left, right = max(LEFT, layout.at(word.start)), min(RIGHT, layout.at(word.end))
            line = mix(voice(word.speaker, scene.speakers), PAPER, 0 if word.kept else 0.6)
            sheet.box((left, base + 4, max(right - 1, left + 2), base + 6), line)
            sheet.rule(left, base + 1, base + 6, line)
        if not word.kept:
            sheet.box((run.x, base - 4, run.x + width, base - 3), DIM)
    for more in passages.more:
        base = lane.top + 16 + more.row * pitch
        sheet.text(more.x, base, f"+{more.count}", colour=ACCENT)


def _ink(scene: Scene, kept: bool, speaker: str | None) -> Colour:  # noqa: FBT001
    if not kept:
        return DIM
    return mix(voice(speaker, scene.speakers), INK, 0.45) if len(scene.speakers) > 1 else INK


def _bars(sheet: Sheet, scene: Scene, layout: Layout) -> None:
    lane = layout.bars
    if lane is None:
        return
    _name(sheet, lane, "edit" if scene.edit else "cuts")
    bottom = max(each.bottom for each in (layout.film, layout.sound, lane) if each is not None)
    seen = max(each.bottom for each in (layout.film, lane) if each is not None)
    if not scene.edit:
        _veil(sheet, scene, layout)
    if scene.edit and _typical_width(scene, layout) < NAMED:
        bottom = lane.bottom
    for number, bar in enumerate(scene.bars):
        _bar(sheet, bar, layout, shade=0.80 if number % 2 or not scene.edit else 0.88, tall=scene.edit)
        colour = STATUS.get(bar.status, ACCENT)
        ends = [(bar.span.start, bar.sound.start, 0), (bar.span.end, bar.sound.end, -1)]
        for time, heard, inner in ends[:1] if scene.edit and bar is not scene.bars[-1] else ends:
            if scene.span.start <= time <= scene.span.end:
                x = min(RIGHT - 1, round(layout.at(time)) + inner)
                end = min(seen, bottom) if heard != time else bottom
                sheet.rule(x, lane.top, end, colour, dashes=0 if bar.status != "rejected" else 4)
            if heard != time:
                edges.split(sheet, layout, time, heard, colour, early=(heard < time))
        if bar.dissolve:
            edges.dissolve(sheet, layout, bar.dissolve, colour)
    if scene.edit:
        _beats(sheet, scene, layout, lane)


def _typical_width(scene: Scene, layout: Layout) -> float:
    return sorted(_width(bar, layout) for bar in scene.bars)[len(scene.bars) // 2]


def _beats(sheet: Sheet, scene: Scene, layout: Layout, lane: Lane) -> None:
    """Name a run of ranges of one beat that are too narrow to be named one by one."""
    for bars in _runs(scene, layout):
        room = layout.at(bars[-1].span.end) - layout.at(bars[0].span.start)
        name = _shortened(bars[0].beat, TEXT, room - 10, bold=True)
        x = layout.at(bars[0].span.start) + 5
        sheet.box(
            (x - 2, lane.top + 4, x + lettering.measure(name, TEXT, bold=True) + 2, lane.top + 21),
            PAPER,
            alpha=0.85,
        )
        sheet.text(x, lane.top + 16, name, colour=mix(ACCENT, INK, 0.35), bold=True)


def _runs(scene: Scene, layout: Layout) -> list[list[Bar]]:
    """Give the runs of ranges of one beat that are named together."""
    found = []
    for beat, run in groupby(scene.bars if scene.edit else (), key=lambda bar: bar.beat):
        bars = list(run)
        room = layout.at(bars[-1].span.end) - layout.at(bars[0].span.start)
        if beat and len(bars) > 1 and room >= NAMED and all(_width(bar, layout) < NAMED for bar in bars):
            found.append(bars)
    return found


def _bar(sheet: Sheet, bar: Bar, layout: Layout, *, shade: float, tall: bool) -> None:
    lane = layout.bars
    view = bar.span.clamp(layout.span)
    if lane is None or not view.duration:
        return
    colour = STATUS.get(bar.status, ACCENT)
    left, right = layout.at(view.start), layout.at(view.end)
    sheet.box((left, lane.top, right, lane.bottom), mix(colour, PAPER, shade))
    for start, end in (
        (bar.span.start, bar.span.start + bar.pads[0]),
        (bar.span.end - bar.pads[1], bar.span.end),
    ):
        if end > start and right - left >= PADDED and start < layout.span.end and end > layout.span.start:
            a, b = layout.at(max(start, layout.span.start)), layout.at(min(end, layout.span.end))
            sheet.hatch((a, lane.top, b, lane.bottom), mix(colour, PAPER, 0.45))
    sheet.box((left, lane.top, right, lane.top + 2), colour)
    lead = layout.at(min(view.end, max(view.start, bar.span.start + bar.pads[0]))) - left
    lead = lead if lead < (right - left) / 2 else 0.0
    x, room = left + 7 + lead, right - left - 12 - lead
    name = _shortened(bar.name, TEXT, room, bold=True) if right - left >= NAMED else ""
    used = sheet.text(x, lane.top + 16, name, colour=mix(colour, INK, 0.35), bold=True) if name else 0.0
    if tall:
        sheet.text(x, lane.top + 32, _shortened(bar.note, SMALL, room), size=SMALL, colour=SOFT)
    elif bar.note and used + 10 + lettering.measure(lettering.readable(bar.note), SMALL) <= room:
        sheet.text(x + used + (10 if used else 0), lane.top + 16, bar.note, size=SMALL, colour=SOFT)


def _veil(sheet: Sheet, scene: Scene, layout: Layout) -> None:
    """Pale what no range keeps."""
    kept = [bar for bar in scene.bars if bar.status != "rejected"]
    for lane, spans in (
        (layout.film, [bar.span for bar in kept]),
        (layout.sound, [bar.sound for bar in kept]),
    ):
        done = scene.span.start
        ends = [(scene.span.end, scene.span.end)]
        for start, end in [*sorted((span.start, span.end) for span in spans), *ends]:
            if lane is not None and min(start, scene.span.end) > done:
                edges = layout.at(done), layout.at(min(start, scene.span.end))
                sheet.box((edges[0], lane.top, edges[1], lane.bottom), PAPER, alpha=0.62)
            done = max(done, end)


def _foot(sheet: Sheet, scene: Scene, layout: Layout) -> None:
    base = layout.height - 12
    x = float(LEFT)
    entries = _legend(scene)
    for number, (name, colour) in enumerate(entries):
        if x > LEGEND:
            x += sheet.text(x, base, f"+{len(entries) - number} more", size=SMALL, colour=SOFT) + 18
            break
        sheet.box((x, base - 8, x + 10, base + 1), colour)
        x += 15 + sheet.text(x + 15, base, name, size=SMALL, colour=SOFT) + 18
    if any(not word.sure for word in scene.said):
        for dot in (0, 4, 8):
            sheet.box((x + dot, base, x + dot + 2, base + 1), DOUBT)
        x += 15 + sheet.text(x + 15, base, "time unsure", size=SMALL, colour=SOFT) + 18
    if any(any(bar.pads) and _width(bar, layout) >= PADDED for bar in scene.bars):
        sheet.hatch((x, base - 8, x + 10, base + 1), mix(ACCENT, PAPER, 0.45))
        x += 15 + sheet.text(x + 15, base, "pad", size=SMALL, colour=SOFT) + 18
    notes = list(scene.notes)
    narrow = sum(1 for bar in scene.bars if bar.name and _width(bar, layout) < NAMED)
    if unnamed := narrow - sum(len(run) for run in _runs(scene, layout)):
        many = f"{unnamed} ranges are" if unnamed > 1 else "one range is"
        notes.insert(0, f"{many} too narrow to be named")
    if hidden := layout.passages.hidden:
        notes.insert(
            0, f"{hidden} {'words are' if hidden > 1 else 'word is'} behind +n: look at a shorter range"
        )
    sheet.text(
        RIGHT, base, _shortened(" · ".join(notes), SMALL, RIGHT - x), size=SMALL, colour=SOFT, align="right"
    )


def _width(bar: Bar, layout: Layout) -> float:
    view = bar.span.clamp(layout.span)
    return layout.at(view.end) - layout.at(view.start)


def _legend(scene: Scene) -> list[tuple[str, Colour]]:
    entries: list[tuple[str, Colour]] = []
    heard = {word.speaker for word in scene.said}
    if len(scene.speakers) > 1:
        entries += [(name, voice(name, scene.speakers)) for name in scene.speakers if name in heard]
    if scene.sound is not None:
        least = _least(scene)
        length = f"{float(least):.2f}" if least < 1 else str(least)
        entries.append((f"{'pause' if scene.said else 'silence'} ≥ {length} s", PAUSE))
    return entries


def _least(scene: Scene) -> Fraction:
    """Give the shortest pause that is shaded: 400 ms, or what is two pixels wide where that is longer."""
    pixels = ceil(2 * scene.span.duration / (RIGHT - LEFT))
    return max(JOIN, Fraction(pixels) if pixels > 1 else JOIN)


def _name(sheet: Sheet, lane: Lane, name: str) -> None:
    sheet.text(
        GUTTER, lane.top + min(16, (lane.height + 8) // 2), name, size=SMALL, colour=DIM, align="right"
    )


def _shortened(text: str, size: int, room: float, *, bold: bool = False) -> str:
    """Give a text, or its beginning with an ellipsis where it is wider than ``room``."""
    shown = lettering.readable(text)
    if lettering.measure(shown, size, bold=bold) <= room:
        return shown
    while shown and lettering.measure(f"{shown}…", size, bold=bold) > room:
        shown = shown[:-1]
    return f"{shown.rstrip()}…" if shown.strip() else ""
