"""One segment's picture in one ffmpeg command: conform, grade, layers, captions last, each frame encoded once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from cutbook.media.probe import Media, Picture
from cutbook.render.ass import slowness
from cutbook.render.conform import WHOLE, Framing, Step, canvassed, clock, entry, source, step
from cutbook.render.keyframes import Keyframe
from cutbook.render.layers import Layer, graded, laid
from cutbook.render.plan import Segment
from cutbook.render.tiers import Tier
from cutbook.timebase import rate_text

RECIPE = "1"
"""Counts changes to the commands made here, so that older segments are not taken from the cache."""

FONTS = "fonts"
"""The folder of a work directory that the captions' fonts lie in."""

_ALONE = 1 << 40
_REFERENCES, _INDEX = 6, 3072
"""Pictures that a decoder keeps, and bytes that a container's index takes for a second."""
_RAW = "cutbookgrade"
_COLOURS = "range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """All that decides what a segment's picture looks like, but for the source's name.

    ``seek`` (seconds of container time) is where decoding starts, None for the file's beginning. ``grade`` is a
    filter chain or "". ``captions`` is an ASS script in the segment's own time or "". ``layers`` lie over the graded
    picture and under the captions, the first one lowest.
    """

    frames: int
    start: int
    source_rate: Fraction
    rate: Fraction
    size: tuple[int, int]
    grade: str
    captions: str
    seek: Fraction | None
    tier: Tier
    layers: tuple[Layer, ...] = ()
    framing: Framing = WHOLE


def shot(
    segment: Segment,
    media: Media,
    *,
    rate: Fraction,
    size: tuple[int, int],
    grade: str,
    captions: str,
    tier: Tier,
    keyframes: Sequence[Keyframe] = (),
    layers: tuple[Layer, ...] = (),
) -> Shot:
    """Describe how a segment is made; ``keyframes`` are needed where :func:`tabled` says so."""
    return Shot(
        frames=segment.frames,
        start=segment.part.frames[0],
        source_rate=segment.part.rate,
        rate=rate,
        size=size,
        grade=grade,
        captions=captions,
        seek=entry(media, segment.part.start, keyframes),
        tier=tier,
        layers=layers,
        framing=segment.framing,
    )


def arguments(made: Shot, media: Media, *, output: str, captions: str, threads: int) -> list[str]:
    """Give ffmpeg's arguments; ``output`` and ``captions`` are safe file names in the directory it runs in."""
    stream = _decoded(made, media, threads)
    for name, args, options in [*_clock(made, media), *_conform(made, media.picture), *_grade(made)]:
        stream = stream.filter(name, *args, **options)
    stream = laid(stream, made.layers, rate=made.rate, scaler=made.tier.scaler, threads=threads)
    for name, args, options in _tail(made, captions):
        stream = stream.filter(name, *args, **options)
    target = stream.output(output, **_encoder(made, threads))
    line: list[str] = target.overwrite_output().get_args()
    return [graded(part.replace(_RAW, made.grade), made.layers) for part in line]


def held(made: Shot, media: Media) -> int:
    """Give about how many bytes making a segment holds; more than any bound where a raw grade may name its inputs."""
    if "[" in made.grade or any("[" in layer.grade for layer in made.layers):
        return _ALONE
    canvas = made.size[0] * made.size[1] * 3 // 2
    sources = [media, *(layer.media for layer in made.layers)]
    return sum(map(_decoding, sources)) + canvas * min(made.frames, made.tier.held)


def _decoding(media: Media) -> int:
    width, height = media.picture.coded if media.picture else (0, 0)
    return width * height * 3 // 2 * _REFERENCES + int(media.duration * _INDEX)


def nameless(made: Shot) -> Shot:
    """Give a shot without the names of the files laid over it, for a key."""
    return replace(made, layers=tuple(layer.nameless() for layer in made.layers))


def pattern(made: Shot) -> Shot:
    """Give what the commands of many segments have in common: a shot at one place, of one length, with one caption.

    Beside it, a segment's name holds its frames, its start, its seek and its captions. A shot with layers, whose
    commands hold more that differs, is its own pattern.
    """
    if made.layers:
        return made
    seek = None if made.seek is None else Fraction(1)
    return replace(made, frames=1, start=1, seek=seek, captions=made.captions and "captions")


def _decoded(made: Shot, media: Media, threads: int) -> Any:
    import ffmpeg

    if media.picture is None:
        width, height = made.size
        return ffmpeg.input(f"color=black:size={width}x{height}:rate={rate_text(made.rate)}", format="lavfi")
    rough = {"skip_loop_filter": "noref"} if made.tier.rough else {}
    return source(media, made.seek, threads=threads, **rough)[str(media.picture.index)]


def _clock(made: Shot, media: Media) -> list[Step]:
    counted = made.rate == made.source_rate
    timed = clock(media, made.start / made.source_rate, made.rate, counted=counted)
    # A last frame that is held for ever would keep a process busy that still has other files to fill.
    endless = media.picture is not None and media.picture.variable
    return [*timed, step("trim", end_frame=made.frames)] if endless else timed


def _conform(made: Shot, picture: Picture | None) -> list[Step]:
    if picture is None:
        return [step("setsar", 1), step("format", "yuv420p")]
    steps = canvassed(picture, made.size, scaler=made.tier.scaler, framing=made.framing)
    return _kept(steps, made.size) if _fits(picture, made.size) else steps


def _fits(picture: Picture, size: tuple[int, int]) -> bool:
    """Tell whether a picture is what the film's are already, so that no filter need touch it."""
    high = min(picture.coded) >= 720
    return (
        size == picture.coded == (picture.width, picture.height)
        and picture.pixel_format == "yuv420p"
        and not (picture.full_range or picture.hdr)
        and (picture.matrix == "bt709" or (picture.matrix is None and high))
    )


def _kept(steps: Sequence[Step], size: tuple[int, int]) -> list[Step]:
    """Let a scaler that has nothing to do pass pictures on; told what to make, it copies each of them.

    It stays, for a picture that changes its size half-way.
    """
    told = step("setparams", range="tv", colorspace="bt709")
    return [
        each
        for one in steps
        for each in ([step("scale", *size, flags=one[2]["flags"]), told] if one[0] == "scale" else [one])
    ]


def _grade(made: Shot) -> list[Step]:
    if not made.grade:
        return []
    width, height = made.size
    back = step("scale", width, height, out_color_matrix="bt709", out_range="tv")
    return [step(_RAW), back, step("setsar", 1), step("format", "yuv420p")]


def _tail(made: Shot, captions: str) -> list[Step]:
    steps: list[Step] = []
    if made.captions:
        slow = slowness(made.rate)
        around = (
            (
                [step("setpts", f"PTS*{slow}")],
                [step("setpts", f"PTS/{slow}")],
            )
            if slow > 1
            else ([], [])
        )
        steps = [*around[0], step("ass", captions, fontsdir=FONTS), *around[1]]
    return [
        *steps,
        step("format", "yuv420p"),
        step("setfield", "prog"),
        ("setparams", (), _pairs(_COLOURS)),
    ]


def _pairs(text: str) -> dict[str, Any]:
    return dict(pair.split("=", 1) for pair in text.split(":"))


def time_scale(rate: Fraction) -> int:
    """Give the ticks a second in which every frame of a rate begins at a whole tick."""
    return rate.numerator * (1000 if rate.denominator == 1 else 1)


def _encoder(made: Shot, threads: int) -> dict[str, Any]:
    return {
        "an": None,
        "sn": None,
        "dn": None,
        "map_chapters": -1,
        "map_metadata": -1,
        "frames:v": made.frames,
        "r": rate_text(made.rate),
        "c:v": "libx264",
        "preset": made.tier.preset,
        "crf": made.tier.crf,
        "pix_fmt": "yuv420p",
        "color_range": "tv",
        "colorspace": "bt709",
        "color_primaries": "bt709",
        "color_trc": "bt709",
        "chroma_sample_location": "left",
        "a53cc": 0,
        "x264-params": "stitchable=1:open-gop=0",
        "threads": threads,
        "video_track_timescale": time_scale(made.rate),
        "bitexact": None,
        "format": "mp4",
    }
