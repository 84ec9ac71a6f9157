"""What a job decodes, of which file and from when to when, so that damage can be looked for there."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from cutbook.media.flaws import Reading
from cutbook.media.probe import Media, SoundTrack
from cutbook.render.picture import Shot
from cutbook.render.plan import Piece, Segment
from cutbook.timebase import SAMPLE_RATE


def seen(shot: Shot, segment: Segment, media: Media) -> Iterator[Reading]:
    """Give what is decoded for a segment, of its own take and of what lies over it."""
    stretches = [(media, segment.part.start, segment.part.end, "", shot.seek)]
    stretches += [
        (each.media, each.start, each.start + each.frames / shot.rate, each.media.path.name, each.seek)
        for each in shot.layers
        if not each.still
    ]
    for read, start, end, name, seek in stretches:
        if read.picture is not None:
            yield Reading(
                path=read.path,
                stream=read.picture.index,
                start=read.origin + start,
                end=read.origin + end,
                origin=read.origin,
                name=name,
                seek=seek,
            )


def heard(piece: Piece, media: Media, track: SoundTrack) -> Reading:
    """Give what is decoded for a piece of sound."""
    begin = media.origin + piece.start
    end = begin + Fraction(piece.samples, SAMPLE_RATE)
    return Reading(path=media.path, stream=track.index, start=begin, end=end, origin=media.origin)
