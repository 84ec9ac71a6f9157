"""One segment's picture in one ffmpeg command: decode, conform, grade, captions last, each frame encoded once.

Seeking is in the container's own time: a relative seek counts from a zero that depends on the build and on which
streams are mapped. The frames of a range are then counted, never timed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from cutbook.media.ffmpeg import argument
from cutbook.media.probe import Media, Picture
from cutbook.render.ass import slowness
from cutbook.render.keyframes import Keyframe
from cutbook.render.plan import Segment
from cutbook.render.tiers import Tier
from cutbook.timebase import decimals, rate_text

RECIPE = "1"
"""Counts changes to the commands made here, so that older segments are not taken from the cache."""

FONTS = "fonts"
"""The folder of a work directory that the captions' fonts lie in."""

_RAW = "cutbookgrade"
_HALF = Fraction(1, 2)
_LATE = Fraction(1, 8)
_PREROLL = Fraction(1)
"""Seconds before a range at which a stream without an index is entered at the latest (MPEG-TS, -PS)."""

_LEAD, _REORDERED = Fraction(2, 5), 6
"""Seconds, and frames, before a range at which another file is: indexes count decoding, and frames are reordered."""
_COLOURS = "range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709"
_TRANSFERS = {"HLG": "arib-std-b67", "PQ": "smpte2084"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """All that decides what a segment's picture looks like, but for the source's name.

    ``seek`` (seconds of container time) is where decoding starts, None for the file's beginning. ``grade`` is a
    filter chain or "". ``captions`` is an ASS script in the segment's own time or "".
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
        seek=_seek(media, segment.part.start, keyframes),
        tier=tier,
    )


def streamed(media: Media) -> bool:
    """Tell whether the container is a transport or program stream, which can be entered at keyframes only."""
    return bool({"mpegts", "mpeg", "mpegtsraw"} & set(media.container.split(",")))


def tabled(media: Media) -> bool:
    """Tell whether a range's keyframe must be looked up, because seeking by time alone may land behind it."""
    return media.picture is not None and (media.picture.variable or streamed(media))


def _seek(media: Media, start: Fraction, keyframes: Sequence[Keyframe]) -> Fraction | None:
    at = media.origin + start
    if tabled(media):
        margin = _PREROLL if streamed(media) else Fraction(0)
        before = [each for each in keyframes if each.shown <= at - margin]
        if not before:
            return None
        # An index counts decoding, which in a variable rate lies far before showing.
        return before[-1].shown if streamed(media) else min(before[-1].shown, before[-1].decoded)
    wanted = at - max(_LEAD, _REORDERED / media.picture.rate if media.picture else _LEAD)
    return wanted if wanted > media.origin else None


def arguments(made: Shot, media: Media, *, output: str, captions: str, threads: int) -> list[str]:
    """Give ffmpeg's arguments; ``output`` and ``captions`` are safe file names in the directory it runs in."""
    source = _source(made, media, threads)
    stream = source[str(media.picture.index)] if media.picture else source
    for name, args, options in [*_clock(made, media), *_conform(made, media.picture), *_grade(made)]:
        stream = stream.filter(name, *args, **options)
    for name, args, options in _tail(made, captions):
        stream = stream.filter(name, *args, **options)
    target = stream.output(output, **_encoder(made, threads))
    line: list[str] = target.overwrite_output().get_args()
    return [part.replace(_RAW, made.grade) for part in line]


Step = tuple[str, tuple[Any, ...], dict[str, Any]]


def _step(name: str, *args: object, **options: object) -> Step:
    return name, args, options


def _source(made: Shot, media: Media, threads: int) -> Any:
    import ffmpeg

    if media.picture is None:
        width, height = made.size
        return ffmpeg.input(f"color=black:size={width}x{height}:rate={rate_text(made.rate)}", format="lavfi")
    options: dict[str, Any] = {
        "copyts": None,
        "seek_timestamp": 1,
        "noaccurate_seek": None,
        "noautorotate": None,
    }
    if made.seek is not None:
        options["ss"] = decimals(made.seek, 6)
    if made.tier.rough:
        options["skip_loop_filter"] = "noref"
    return ffmpeg.input(argument(media.path), **options, threads=threads)


def _clock(made: Shot, media: Media) -> list[Step]:
    """Put the range's frames on the film's clock, from 0, one a tick."""
    if media.picture is None:
        return []
    picture = media.picture
    woven = [_step("bwdif", mode="send_frame", deint="interlaced")] if picture.interlaced else []
    tick = rate_text(1 / made.rate)
    if picture.rate == made.rate == made.source_rate and not picture.variable:
        begin = media.origin + (made.start - _HALF) / made.rate
        return [_step("trim", start=decimals(begin, 6)), *woven, _step("settb", tick), _step("setpts", "N")]
    begin = media.origin + made.start / made.source_rate + _LATE / made.rate
    # A variable rate may show its last frame for long; a constant one may lack a frame by rounding alone.
    held = -1 if picture.variable else 2
    return [
        *woven,
        _step("setpts", f"PTS-({begin})/TB"),
        _step("fps", rate_text(made.rate), start_time=0, round="up"),
        _step("tpad", stop_mode="clone", stop=held),
        _step("settb", tick),
        _step("setpts", "N"),
    ]


def fitted(picture: Picture, size: tuple[int, int]) -> tuple[int, int]:
    """Give the largest even size of a picture's shape inside a canvas."""
    width, height = size
    share = min(Fraction(width, picture.width), Fraction(height, picture.height))
    inner = (max(2, 2 * round(side * share / 2)) for side in (picture.width, picture.height))
    fit_width, fit_height = inner
    return min(width, fit_width), min(height, fit_height)


def _turn(picture: Picture) -> list[Step]:
    turned = {
        90: [_step("transpose", "clock")],
        180: [_step("hflip"), _step("vflip")],
        270: [_step("transpose", "cclock")],
    }.get(picture.rotation % 360, [])
    return [*turned, _step("hflip")] if picture.mirrored else turned


def _conform(made: Shot, picture: Picture | None) -> list[Step]:
    """Turn, tone-map and scale to the canvas."""
    width, height = made.size
    if picture is None:
        return [_step("setsar", 1), _step("format", "yuv420p")]
    steps = _turn(picture)
    scale: dict[str, Any] = {"out_color_matrix": "bt709", "out_range": "tv", "flags": made.tier.scaler}
    if picture.hdr:
        steps += [
            _step(
                "zscale",
                tin=_TRANSFERS[picture.hdr],
                pin=picture.primaries or "bt2020",
                min=picture.matrix or "bt2020nc",
                t="linear",
                npl=203,
            ),
            _step("format", "gbrpf32le"),
            _step("zscale", p="bt709"),
            _step("tonemap", "hable", desat=0),
            _step("zscale", t="bt709", m="bt709", r="tv"),
            _step("format", "yuv420p"),
        ]
    elif picture.matrix is None and not picture.pixel_format.startswith(
        ("gbr", "rgb", "bgr", "argb", "abgr", "pal8")
    ):
        scale["in_color_matrix"] = "bt709" if min(picture.coded) >= 720 else "bt601"
    inner = fitted(picture, made.size)
    left, top = (2 * ((outer - side) // 4) for outer, side in zip(made.size, inner, strict=True))
    steps.append(_step("scale", *inner, **scale))
    if inner != made.size:
        steps.append(_step("pad", width, height, left, top))
    return [*steps, _step("setsar", 1), _step("format", "yuv420p")]


def _grade(made: Shot) -> list[Step]:
    if not made.grade:
        return []
    width, height = made.size
    back = _step("scale", width, height, out_color_matrix="bt709", out_range="tv")
    return [_step(_RAW), back, _step("setsar", 1), _step("format", "yuv420p")]


def _tail(made: Shot, captions: str) -> list[Step]:
    steps: list[Step] = []
    if made.captions:
        slow = slowness(made.rate)
        around = (
            (
                [_step("setpts", f"PTS*{slow}")],
                [_step("setpts", f"PTS/{slow}")],
            )
            if slow > 1
            else ([], [])
        )
        steps = [*around[0], _step("ass", captions, fontsdir=FONTS), *around[1]]
    return [
        *steps,
        _step("format", "yuv420p"),
        _step("setfield", "prog"),
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
