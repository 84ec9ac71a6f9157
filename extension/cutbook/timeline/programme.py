"""The edit on the clock of its film: which range is shown when, and what of its take."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate, pairwise
from pathlib import Path

from cutbook.edit.edl import Edl, Range, named
from cutbook.edit.take import Take
from cutbook.errors import TimeError, UnknownTake
from cutbook.timebase import Span, conformed_length
from cutbook.timeline.gather import AXIS, counter, film_height, length, pace
from cutbook.timeline.loudness import columns, joined
from cutbook.timeline.ruler import Counter
from cutbook.timeline.scene import PAUSE, Bar, Pause, Said, Scene, Shot, Sound, within
from cutbook.transcripts.model import Word

NARROW = 28
"""Pixels below which a range gets no picture."""


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """One range in the film: seen during ``span`` of its clock at ``rate`` frames a second, heard during ``sound``.

    The two differ where a J or an L cut lets its sound, or its neighbour's, reach over the cut.
    """

    range: Range
    take: Take
    span: Span
    sound: Span
    rate: Fraction
    words: tuple[Word, ...]
    """The words that are heard for most of their length."""

    @property
    def shift(self) -> Fraction:
        """Seconds that the film's clock runs ahead of the take's."""
        return self.span.start - self.range.start

    @property
    def view(self) -> Span:
        """The part of the take that is heard."""
        return Span(max(Fraction(0), self.sound.start - self.shift), self.sound.end - self.shift)


def programme(edl: Edl, takes: Mapping[str, Take]) -> tuple[Piece, ...]:
    """Put the ranges that are rendered one after the other, in whole frames of the film.

    Raises:
        TimeError: the edit keeps nothing.
        UnknownTake: a range is of a take that is not there.
    """
    if not edl.kept:
        msg = "the edit keeps no range; make one with %%cut"
        raise TimeError(msg)
    for each in edl.kept:
        if each.source not in takes:
            msg = f"{named(each)} is of a take that is not in this folder; see %takes"
            raise UnknownTake(msg)
    rate = film_rate(edl)
    frame = 0
    pieces: list[tuple[Range, Span]] = []
    for each in edl.kept:
        first, last = each.frames
        following = frame + conformed_length(last - first, each.rate, rate)
        pieces.append((each, Span(frame / rate, following / rate)))
        frame = following
    inner = (_heard_from(one, two, at.start) for (one, _), (two, at) in pairwise(pieces))
    edges = [Fraction(0), *accumulate(inner, max), frame / rate]
    return tuple(
        _piece(each, takes[each.source], span, Span(min(begin, edges[-1]), max(begin, end)), rate)
        for (each, span), begin, end in zip(pieces, edges, edges[1:], strict=False)
    )


def _heard_from(one: Range, two: Range, cut: Fraction) -> Fraction:
    """Give when the second of two ranges is heard first: before the cut by its lead, or after the first one's lag."""
    return cut - two.audio_lead if two.audio_lead else cut + one.audio_lag


def _piece(each: Range, take: Take, span: Span, sound: Span, rate: Fraction) -> Piece:
    piece = Piece(each, take, span, sound, rate, ())
    view = piece.view
    words = tuple(word for word in within(take.words, view) if view.holds((word.start + word.end) / 2))
    return replace(piece, words=words)


def film_rate(edl: Edl) -> Fraction:
    """Give the film's frames a second: as set, or the rate with the most kept time."""
    if edl.rate is not None:
        return edl.rate
    lengths: dict[Fraction, Fraction] = {}
    for each in edl.kept:
        lengths[each.rate] = lengths.get(each.rate, Fraction(0)) + each.end - each.start
    return max(lengths, key=lambda rate: lengths[rate])


def edit_scene(pieces: Sequence[Piece], edl: Edl, *, frames: int, cache: Path) -> Scene:
    """Gather the whole edit; ranges have the numbers that they have in the whole cut list, as people decide by them."""
    view = Span(Fraction(0), pieces[-1].span.end)
    shots, height, notes = _film(pieces, view, frames, cache)
    plain = Scene(
        title="Edit",
        detail=f"{len(pieces)} range{'s' if len(pieces) > 1 else ''}  ·  {length(view.duration)}",
        facts=f"{pace(pieces[0].rate)} fps",
        span=view,
        counter=Counter(pieces[0].rate),
        shots=shots,
        film_height=height,
        sound=_sound(pieces, view),
        notes=notes,
    )
    return told(plain, pieces, edl)


def told(scene: Scene, pieces: Sequence[Piece], edl: Edl) -> Scene:
    """Add to a scene on the film's clock what the edit has there: its ranges, and what is said in them."""
    view = scene.span
    speakers = _speakers(pieces)
    several = len({name for name in speakers if name}) > 1 and len({piece.take.name for piece in pieces}) > 1
    named = {piece.take.name: piece.take for piece in pieces}
    said = (Said.word(word, shift=piece.shift) for piece in pieces for word in piece.words)
    left = len(edl.ranges) - len(edl.kept)
    numbers = {id(each): number for number, each in enumerate(edl.ranges, start=1)}
    missing = [name for name, take in named.items() if take.transcript is None and take.media.sound]
    facts = [
        scene.facts,
        f"{len(named)} take{'s' if len(named) > 1 else ''}",
        *([f"{left} rejected, not shown"] if left else []),
    ]
    return replace(
        scene,
        facts="  ·  ".join(facts),
        said=tuple(word for word in said if word.start < view.end and word.end > view.start),
        speakers=speakers,
        pauses=_pauses(pieces, view) if any(piece.take.words for piece in pieces) else scene.pauses,
        bars=tuple(
            _bar(piece, numbers[id(piece.range)])
            for piece in pieces
            if piece.span.overlaps(view) or piece.sound.overlaps(view)
        ),
        notes=(
            *scene.notes,
            *([f"no transcript yet: {', '.join(missing)}"] if missing else []),
            *(["speakers are named per take"] if several else []),
        ),
        language=next((take.transcript.language for take in named.values() if take.transcript), None),
        edit=True,
    )


def _film(
    pieces: Sequence[Piece], view: Span, frames: int, cache: Path
) -> tuple[tuple[Shot, ...], int, tuple[str, ...]]:
    from cutbook.media.frames import filmstrip

    lengths: dict[int, Fraction] = {}
    for piece in pieces:
        picture = piece.take.media.picture
        if picture is not None:
            height = film_height(picture.width, picture.height, frames)
            lengths[height] = lengths.get(height, Fraction(0)) + piece.span.duration
    if not lengths:
        return (), 0, ("no picture",)
    height = max(lengths, key=lambda each: lengths[each])
    wanted: dict[str, list[tuple[Piece, Span]]] = {}
    for piece, part in _cells(pieces, view, frames):
        if piece.take.media.picture is not None:
            wanted.setdefault(piece.take.name, []).append((piece, part))
    shots = []
    for cells in wanted.values():
        take = cells[0][0].take
        times = [part.middle - piece.shift for piece, part in cells]
        # Exact even for a long film: the nearest keyframe may lie outside the range.
        images = filmstrip(take.media, times, height=height, cache=cache, key=take.fingerprint.short)
        shots += [Shot(part, part.middle, image) for (_, part), image in zip(cells, images, strict=True)]
    return tuple(sorted(shots, key=lambda shot: shot.span.start)), height, ()


def _cells(pieces: Sequence[Piece], view: Span, frames: int) -> Iterator[tuple[Piece, Span]]:
    """Give the stretches that pictures stand over: each range's own, or even ones when most ranges are narrow."""
    wide = [piece for piece in pieces if AXIS * piece.span.duration / view.duration >= NARROW]
    if sum((piece.span.duration for piece in wide), Fraction(0)) * 2 >= view.duration:
        for piece in wide:
            count = max(1, round(piece.span.duration * frames / view.duration))
            part = piece.span.duration / count
            for number in range(count):
                yield piece, Span(piece.span.start + part * number, piece.span.start + part * (number + 1))
        return
    starts = [piece.span.start for piece in pieces]
    for number in range(frames):
        cell = Span(view.duration * number / frames, view.duration * (number + 1) / frames)
        yield pieces[bisect_right(starts, cell.middle) - 1], cell


def _sound(pieces: Sequence[Piece], view: Span) -> Sound | None:
    if all(piece.take.envelope is None for piece in pieces):
        return None
    edges = [round(AXIS * piece.sound.start / view.duration) for piece in pieces] + [AXIS]
    return joined(
        columns(piece.take.envelope, piece.view, right - left)
        for piece, left, right in zip(pieces, edges, edges[1:], strict=False)
        if right > left
    )


def _pauses(pieces: Sequence[Piece], view: Span) -> tuple[Pause, ...]:
    """Give the pauses that are heard in a view: only the part of one that its range keeps, joined over cuts."""
    found: list[Span] = []
    for piece in pieces:
        if piece.take.words:
            gaps = _gaps(piece)
            found += gaps
    merged: list[Span] = []
    for gap in found:
        if merged and gap.start == merged[-1].end:
            merged[-1] = Span(merged[-1].start, gap.end)
        else:
            merged.append(gap)
    return tuple(
        Pause(gap.clamp(view), gap.duration) for gap in merged if gap.duration >= PAUSE and gap.overlaps(view)
    )


def _gaps(piece: Piece) -> list[Span]:
    view, gaps, end = piece.view, [], piece.view.start
    for word in within(piece.take.words, view):
        if word.start > end:
            gaps.append(Span(end + piece.shift, word.start + piece.shift))
        end = max(end, word.end)
    if end < view.end:
        gaps.append(Span(end + piece.shift, view.end + piece.shift))
    return gaps


def _speakers(pieces: Sequence[Piece]) -> tuple[str, ...]:
    names: dict[str, None] = {}
    for piece in pieces:
        if piece.take.transcript is not None:
            names.update(dict.fromkeys(piece.take.transcript.speakers()))
    return tuple(names)


def _bar(piece: Piece, number: int) -> Bar:
    each = piece.range
    code = counter(piece.take.media).at(each.start)
    none = (Fraction(0), Fraction(0))
    return Bar(
        piece.span,
        f"{number} {each.beat}".strip(),
        f"{each.source}  {code}",
        each.beat,
        each.status,
        each.pads or none,
        piece.sound if piece.sound != piece.span else None,
        _dissolve(piece),
    )


def _dissolve(piece: Piece) -> Span | None:
    frames = piece.range.dissolve
    head = frames // 2
    cut = piece.span.start
    return Span(cut - head / piece.rate, cut + (frames - head) / piece.rate) if frames else None
