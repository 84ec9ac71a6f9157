"""Turn a cut list into what is made: which frames, samples and cues, where in the film. Pure: reads and runs nothing.

Everything follows from whole numbers of output frames. A piece of sound is placed by the film's frame that it
starts at, never by adding up lengths.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeVar

from cutbook.edit.edl import Edl, Music, Overlay, Range, named
from cutbook.edit.take import Take
from cutbook.errors import EdlError
from cutbook.media.probe import Picture
from cutbook.render import dissolves
from cutbook.render.captions import Cue, cues, hurried, kept_words
from cutbook.render.conform import WHOLE, Framing
from cutbook.render.splits import check_gap
from cutbook.render.spoken import Spoken
from cutbook.render.styles import Style, fitted, style
from cutbook.timebase import SAMPLE_RATE, conformed_length, round_half_up, sample_at

T = TypeVar("T", bound=Hashable)

LONGEST_FADE = Fraction(30, 1000)
"""Seconds over which sound comes and goes at a cut with room for it."""

SHORTEST_FADE = Fraction(5, 1000)
"""Seconds over which sound comes and goes at a cut without any room."""

_NO_PICTURE = (1280, 720)


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """The picture of one range: ``frames`` output frames from output frame ``first`` on, with its cues.

    ``number`` counts from 1. ``grade`` is ``none``, ``auto``, a preset or a raw filter.
    """

    number: int
    part: Range
    first: int
    frames: int
    grade: str
    cues: tuple[Cue, ...] = ()
    framing: Framing = WHOLE

    @property
    def dissolve(self) -> int:
        """How many frames its picture takes to come out of the one before, half of them before the cut."""
        return self.part.dissolve

    @property
    def end(self) -> int:
        """The output frame after the last one."""
        return self.first + self.frames


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """The sound of one stretch of a take: ``samples`` at 48 kHz from the film's sample ``first`` on.

    ``start`` is the take time, in seconds, of the first sample; fades are in samples. ``crossed_in`` and
    ``crossed_out`` tell that the fade overlaps the neighbour's (a crossfade). ``source`` is the take's name.
    """

    source: str
    first: int
    samples: int
    start: Fraction
    fade_in: int
    fade_out: int
    crossed_in: bool = False
    crossed_out: bool = False

    @property
    def end(self) -> int:
        """The film's sample after the last one."""
        return self.first + self.samples


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A film to be made. ``burn`` tells whether the cues are drawn into the picture too.

    ``speech`` are the stretches, in the film's samples, in which somebody speaks.
    """

    rate: Fraction
    size: tuple[int, int]
    segments: tuple[Segment, ...]
    pieces: tuple[Piece, ...]
    style: Style
    burn: bool
    overlays: tuple[Overlay, ...] = ()
    music: Music | None = None
    speech: tuple[tuple[int, int], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def frames(self) -> int:
        """How many frames the film has."""
        return self.segments[-1].end

    @property
    def samples(self) -> int:
        """How many samples at 48 kHz the film's sound has."""
        return sample_at(self.frames, self.rate)

    @property
    def duration(self) -> Fraction:
        """How long the film is, in seconds."""
        return self.frames / self.rate

    @property
    def cues(self) -> tuple[Cue, ...]:
        """Every cue in order."""
        return tuple(cue for segment in self.segments for cue in segment.cues)

    @property
    def cuts(self) -> tuple[int, ...]:
        """The output frames at which a segment begins, but for the first."""
        return tuple(segment.first for segment in self.segments[1:])

    def sized(self, short: int | None) -> Plan:
        """Give the plan for a canvas whose shorter side is at most ``short`` pixels (None: as it is)."""
        if short is None or min(self.size) <= short:
            return self
        share = Fraction(short, min(self.size))
        width, height = (max(2, 2 * round_half_up(side * share / 2)) for side in self.size)
        return replace(self, size=(width, height))


def plan(
    edl: Edl,
    takes: Mapping[str, Take],
    *,
    size: tuple[int, int] | None = None,
    fit: str | None = None,
    rate: Fraction | None = None,
    captions: str | None = None,
    grade: str | None = None,
) -> Plan:
    """Plan the film of the ranges that are not rejected.

    What is None is taken from the cut list, and where that says nothing from what most of the kept time has.

    Raises:
        EdlError: nothing is kept, a take is unknown or a range or its sound reaches outside its take.
    """
    kept = edl.kept
    if not kept:
        msg = "the cut list keeps no range, so there is nothing to render; cut something or take back a rejection"
        raise EdlError(msg)
    for part in kept:
        _check(part, takes)
    rate = rate or edl.rate or _most(kept, takes, lambda shown: shown.rate) or takes[kept[0].source].rate
    shown = _most(kept, takes, lambda shown: (shown.width, shown.height))
    size = _even(size or edl.size or shown or _NO_PICTURE)
    chosen = captions if captions is not None else edl.captions.get("style")
    looks = fitted(style(chosen, edl.captions), size)
    said = {name: Spoken(takes[name].words) for name in dict.fromkeys(part.source for part in kept)}
    segments: list[Segment] = []
    for number, part in enumerate(kept, start=1):
        first = segments[-1].end if segments else 0
        frames = conformed_length(part.frames[1] - part.frames[0], part.rate, rate)
        segments.append(
            Segment(
                number=number,
                part=part,
                first=first,
                frames=frames,
                framing=_framing(part, fit or edl.fit),
                grade=part.grade or grade or edl.grade or "none",
                cues=cues(
                    part, said[part.source].of(part), style=looks, rate=rate, first=first, frames=frames
                ),
            )
        )
    dissolves.check(segments, takes, rate)
    return Plan(
        rate=rate,
        size=size,
        segments=tuple(segments),
        pieces=tuple(_pieces(segments, rate, said)),
        style=looks,
        burn=chosen not in (None, "", "none"),
        overlays=edl.overlays,
        music=edl.music,
        speech=tuple(_speech(segments, takes, said, rate)) if edl.music else (),
        notes=(*_notes(kept, takes), *_hurry(segments, looks, rate)),
    )


def _framing(part: Range, fit: str) -> Framing:
    fill = (part.fit or fit) == "fill"
    return Framing(fill, part.centre) if part.centre else Framing(fill)


def _check(part: Range, takes: Mapping[str, Take]) -> None:
    take = takes.get(part.source)
    if take is None:
        msg = f"{named(part)}: no take is named {part.source!r}; there are {', '.join(takes) or 'none'}"
        raise EdlError(msg)
    low, high = part.frames
    length = take.media.frames / take.rate
    if low < 0 or high <= low or Fraction(high - 1, 1) / part.rate >= max(length, take.duration):
        msg = (
            f"{named(part)} does not lie in its take, "
            f"which is {float(take.duration):.3f} s long; set its start and end inside"
        )
        raise EdlError(msg)


def _most(kept: Sequence[Range], takes: Mapping[str, Take], what: Callable[[Picture], T]) -> T | None:
    """Give the value of the pictures that most of the kept time has, whichever takes share it."""
    times: defaultdict[T, Fraction] = defaultdict(Fraction)
    for part in kept:
        picture = takes[part.source].media.picture
        if picture is not None:
            times[what(picture)] += part.end - part.start
    return max(times, key=lambda value: times[value]) if times else None


def _even(size: tuple[int, int]) -> tuple[int, int]:
    width, height = (max(2, side + side % 2) for side in size)
    return width, height


def _hurry(segments: Sequence[Segment], looks: Style, rate: Fraction) -> Iterator[str]:
    shown = [cue for segment in segments for cue in segment.cues]
    count = hurried(shown, looks, rate)
    if count:
        yield f"{count} of {len(shown)} captions go by faster than {looks.speed:g} characters a second"


def _notes(kept: Sequence[Range], takes: Mapping[str, Take]) -> Iterator[str]:
    for name in dict.fromkeys(part.source for part in kept):
        if not takes[name].media.sound:
            yield f"{name} has no sound: its ranges are silent"
        if takes[name].media.picture is None:
            yield f"{name} has no picture: its ranges are black"


_BREATH = SAMPLE_RATE
"""Samples of silence up to which speech goes on."""


def _speech(
    segments: Sequence[Segment], takes: Mapping[str, Take], words: Mapping[str, Spoken], rate: Fraction
) -> Iterator[tuple[int, int]]:
    """Give where words are said; the whole range where a take's words are not known."""
    start = end = -1
    for segment in segments:
        take, part = takes[segment.part.source], segment.part
        at, until = sample_at(segment.first, rate), sample_at(segment.end, rate)
        said = [(part.start, part.end)] if take.media.sound and not take.words else []
        said += [(word.start, word.end) for word in kept_words(part, words[part.source].of(part))]
        for one, two in said:
            low = max(at, at + round_half_up((one - part.start) * SAMPLE_RATE))
            high = min(until, at + round_half_up((two - part.start) * SAMPLE_RATE))
            if low >= high:
                continue
            if end >= 0 and low - end > _BREATH:
                yield start, end
                start = end = -1
            start = low if end < 0 else start
            end = max(end, high)
    if end >= 0:
        yield start, end


def _fade(pad: Fraction | None) -> int:
    length = LONGEST_FADE if pad is None else min(LONGEST_FADE, max(SHORTEST_FADE, pad))
    return round_half_up(length * SAMPLE_RATE)


def _seamless(one: Segment, two: Segment, rate: Fraction) -> bool:
    """Tell whether two ranges are one stretch of a take, so that its sound goes on untouched."""
    return (
        one.part.source == two.part.source
        and one.part.rate == two.part.rate == rate
        and one.part.frames[1] == two.part.frames[0]
        and not one.part.audio_lag
        and not two.part.audio_lead
    )


def _half(before: Range, after: Range, said: Mapping[str, Spoken], rate: Fraction) -> int:
    """Give half a crossfade in samples: of a dissolve as long as it, unless words that are not kept would be heard."""
    shortest = LONGEST_FADE / 2
    if not after.dissolve:
        return round_half_up(shortest * SAMPLE_RATE)
    most = after.dissolve / rate / 2
    later = said[before.source].between(before.end, before.end + most)
    earlier = said[after.source].between(after.start - most, after.start)
    heads = [word.start - before.end for word in later if word.end > before.end]
    tails = [after.start - word.end for word in earlier if word.start < after.start]
    room = min([most, after.start, *heads, *tails])
    return round_half_up(max(shortest, room) * SAMPLE_RATE)


def _pieces(segments: Sequence[Segment], rate: Fraction, said: Mapping[str, Spoken]) -> Iterator[Piece]:
    groups: list[list[Segment]] = []
    for segment in segments:
        if groups and _seamless(groups[-1][-1], segment, rate):
            groups[-1].append(segment)
        else:
            groups.append([segment])
    for place, group in enumerate(groups):
        before = groups[place - 1][-1].part if place else None
        after = groups[place + 1][0].part if place + 1 < len(groups) else None
        head, tail = group[0].part, group[-1].part
        _check_split(head, tail, before, after)
        if before:
            check_gap(before, head, said)
        at, until = sample_at(group[0].first, rate), sample_at(group[-1].end, rate)
        begin, crossed_in = _edge(at, head.audio_lead, before.audio_lag if before else Fraction(0))
        end, crossed_out = _edge(until, -tail.audio_lag, -after.audio_lead if after else Fraction(0))
        crossed_in = crossed_in or bool(before and head.dissolve)
        crossed_out = crossed_out or bool(after and after.dissolve)
        cross_in = _half(before, head, said, rate) if before and crossed_in else 0
        cross_out = _half(tail, after, said, rate) if after and crossed_out else 0
        begin -= cross_in
        end += cross_out
        room = (end - begin) // 2
        pads = head.pads[0] if head.pads else None, tail.pads[1] if tail.pads else None
        yield _inside(
            Piece(
                source=head.source,
                first=begin,
                samples=end - begin,
                start=head.start + Fraction(begin - at, SAMPLE_RATE),
                fade_in=min(room, 2 * cross_in if crossed_in else _fade(pads[0])),
                fade_out=min(room, 2 * cross_out if crossed_out else _fade(pads[1])),
                crossed_in=crossed_in,
                crossed_out=crossed_out,
            ),
            head,
        )


def _edge(at: int, own: Fraction, other: Fraction) -> tuple[int, bool]:
    """Give the sample of a sound's edge: its own lead or lag counts, else the one that the neighbour takes from it."""
    if own:
        return at - round_half_up(own * SAMPLE_RATE), True
    return at + round_half_up(other * SAMPLE_RATE), bool(other)


def _check_split(head: Range, tail: Range, before: Range | None, after: Range | None) -> None:
    if head.audio_lead < 0 or tail.audio_lag < 0:
        msg = f"{named(head)}: audio_lead and audio_lag are seconds from 0 up; set them so"
        raise EdlError(msg)
    if before is None and head.audio_lead:
        msg = f"{named(head)}: the first range's sound cannot lead its picture; set its audio_lead to 0"
        raise EdlError(msg)
    if after is None and tail.audio_lag:
        msg = f"{named(tail)}: the last range's sound cannot outlast its picture; set its audio_lag to 0"
        raise EdlError(msg)
    if head.audio_lead > head.start:
        msg = f"{named(head)}: its sound would begin before {head.source} does; lower its audio_lead"
        raise EdlError(msg)


def _inside(piece: Piece, head: Range) -> Piece:
    if piece.samples <= 0 or piece.first < 0:
        msg = f"{named(head)}: the neighbours' audio_lead and audio_lag leave it no sound; lower them"
        raise EdlError(msg)
    return piece
