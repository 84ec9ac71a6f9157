"""Bring any picture onto the film's clock and canvas: the filters for its frames, its turn, its colours and its size.

Seeking is in the container's own time: a relative seek counts from a zero that depends on the build and on which
streams are mapped. The frames of a range are then counted, never timed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from cutbook.media.ffmpeg import argument
from cutbook.media.probe import Media, Picture
from cutbook.media.tone import FILTER as TONE
from cutbook.render.keyframes import Keyframe
from cutbook.timebase import decimals, rate_text

Step = tuple[str, tuple[Any, ...], dict[str, Any]]
"""A filter: its name, its arguments, its options."""

_HALF = Fraction(1, 2)
_LATE = Fraction(1, 8)
_PREROLL = Fraction(1)
"""Seconds before a range at which a stream without an index is entered at the latest (MPEG-TS, -PS)."""

_LEAD, _REORDERED = Fraction(2, 5), 6
"""Seconds, and frames, before a range at which another file is: indexes count decoding, and frames are reordered."""
_FINE = Fraction(1, 10_000)
_CLEAR = ("yuva", "gbrap", "rgba", "bgra", "argb", "abgr", "ya")
_TRANSFERS = {"HLG": "arib-std-b67", "PQ": "smpte2084"}


@dataclass(frozen=True, slots=True)
class Framing:
    """How a picture is put on a canvas of another shape: whole, or filling it with ``centre`` in its middle.

    ``centre`` is a point of the picture, in shares of its width and height.
    """

    fill: bool = False
    centre: tuple[Fraction, Fraction] = (Fraction(1, 2), Fraction(1, 2))


WHOLE = Framing()


def step(name: str, *args: object, **options: object) -> Step:
    """Give a filter."""
    return name, args, options


def streamed(media: Media) -> bool:
    """Tell whether the container is a transport or program stream, which can be entered at keyframes only."""
    return bool({"mpegts", "mpeg", "mpegtsraw"} & set(media.container.split(",")))


def tabled(media: Media) -> bool:
    """Tell whether a range's keyframe must be looked up, because seeking by time alone may land behind it."""
    return media.picture is not None and (media.picture.variable or streamed(media))


def entry(media: Media, start: Fraction, keyframes: Sequence[Keyframe]) -> Fraction | None:
    """Give the second of container time at which decoding starts for take time ``start``; None: the beginning.

    ``keyframes`` are in the order in which they are shown.
    """
    at = media.origin + start
    if tabled(media):
        margin = _PREROLL if streamed(media) else Fraction(0)
        past = bisect_right(keyframes, at - margin, key=lambda each: each.shown)
        if not past:
            return None
        before = keyframes[past - 1]
        # An index counts decoding, which in a variable rate lies far before showing.
        return before.shown if streamed(media) else min(before.shown, before.decoded)
    wanted = at - max(_LEAD, _REORDERED / media.picture.rate if media.picture else _LEAD)
    return wanted if wanted > media.origin else None


def source(media: Media, seek: Fraction | None, *, threads: int, **options: object) -> Any:
    """Open a file at a second of container time; ``options`` go before its name."""
    import ffmpeg

    chosen: dict[str, Any] = {
        "copyts": None,
        "seek_timestamp": 1,
        "noaccurate_seek": None,
        "noautorotate": None,
    }
    if seek is not None:
        chosen["ss"] = decimals(seek, 6)
    return ffmpeg.input(argument(media.path), **chosen, **options, threads=threads)


def clock(media: Media, start: Fraction, rate: Fraction, *, counted: bool) -> list[Step]:
    """Put the frames from take time ``start`` on on a clock of ``rate``, from 0, one a tick.

    ``counted`` tells that ``start`` lies on the picture's own grid of the same rate: then frame follows frame.
    Else each tick shows the newest frame up to an eighth of a tick after its beginning.
    """
    picture = media.picture
    if picture is None:
        return []
    woven = [step("bwdif", mode="send_frame", deint="interlaced")] if picture.interlaced else []
    tick = rate_text(1 / rate)
    if counted and picture.rate == rate and not picture.variable:
        begin = media.origin + start - _HALF / rate
        return [step("trim", start=decimals(begin, 6)), *woven, step("settb", tick), step("setpts", "N")]
    begin = media.origin + start + _LATE / rate
    # A variable rate may show its last frame for long; a constant one may lack a frame by rounding alone.
    held = -1 if picture.variable else 2
    # Whole milliseconds, which Matroska counts, are too coarse to take a fraction of a frame from.
    finer = [step("settb", "1/1000000")] if picture.time_base > _FINE else []
    return [
        *woven,
        *finer,
        step("setpts", f"PTS-({begin})/TB"),
        step("fps", rate_text(rate), start_time=0, round="up"),
        step("tpad", stop_mode="clone", stop=held),
        step("settb", tick),
        step("setpts", "N"),
    ]


def fitted(picture: Picture, size: tuple[int, int]) -> tuple[int, int]:
    """Give the largest even size of a picture's shape inside a canvas."""
    width, height = size
    share = min(Fraction(width, picture.width), Fraction(height, picture.height))
    inner = (max(2, 2 * round(side * share / 2)) for side in (picture.width, picture.height))
    fit_width, fit_height = inner
    return min(width, fit_width), min(height, fit_height)


def scaled(picture: Picture, size: tuple[int, int], *, scaler: str, form: str = "yuv420p") -> list[Step]:
    """Turn a picture, tone-map it to Rec.709 and scale it to a size, in square pixels of ``form``."""
    steps = _turned(picture)
    scale: dict[str, Any] = {"out_color_matrix": "bt709", "out_range": "tv", "flags": scaler}
    if picture.hdr:
        # Named going out too: older builds know none of a still, and find no way from there.
        primaries = picture.primaries or "bt2020"
        # An alpha that is made up on the way comes out of older builds as 235.
        clear = form.startswith("yuva") and picture.pixel_format.startswith(_CLEAR)
        steps += [
            step(
                "zscale",
                tin=_TRANSFERS[picture.hdr],
                pin=primaries,
                p=primaries,
                min=picture.matrix or "bt2020nc",
                t="linear",
                npl=203,
            ),
            step("format", "gbrapf32le" if clear else "gbrpf32le"),
            step("zscale", p="bt709"),
            step("tonemap", **TONE),
            step("zscale", t="bt709", m="bt709", r="tv"),
            step("format", "yuva420p" if clear else "yuv420p"),
        ]
    elif picture.matrix is None and not picture.pixel_format.startswith(
        ("gbr", "rgb", "bgr", "argb", "abgr", "pal8")
    ):
        scale["in_color_matrix"] = "bt709" if min(picture.coded) >= 720 else "bt601"
    return [*steps, step("scale", *size, **scale), step("setsar", 1), step("format", form)]


def canvassed(
    picture: Picture, size: tuple[int, int], *, scaler: str, framing: Framing = WHOLE
) -> list[Step]:
    """Turn, tone-map and scale a picture onto a canvas: black where its shape leaves room, or cropped to fill it."""
    if framing.fill:
        outer, corner = filled(picture, size, framing.centre)
        *before, aspect, form = scaled(picture, outer, scaler=scaler)
        crop = [] if outer == size else [step("crop", *size, *corner)]
        return [*before, *crop, aspect, form]
    inner = fitted(picture, size)
    *before, aspect, form = scaled(picture, inner, scaler=scaler)
    left, top = middle(inner, size)
    pad = [] if inner == size else [step("pad", *size, left, top)]
    return [*before, *pad, aspect, form]


def filled(
    picture: Picture, size: tuple[int, int], centre: tuple[Fraction, Fraction]
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Give the smallest even size of a picture's shape that covers a canvas, and the even corner of the crop."""
    width, height = size
    share = max(Fraction(width, picture.width), Fraction(height, picture.height))
    outer = (
        max(width, 2 * round(picture.width * share / 2)),
        max(height, 2 * round(picture.height * share / 2)),
    )
    left, top = (
        min(max(0, 2 * round((at * whole - Fraction(part, 2)) / 2)), whole - part)
        for at, whole, part in zip(centre, outer, size, strict=True)
    )
    return outer, (left, top)


def middle(inner: tuple[int, int], outer: tuple[int, int]) -> tuple[int, int]:
    """Give the even place of a size in the middle of another."""
    left, top = (2 * ((whole - part) // 4) for whole, part in zip(outer, inner, strict=True))
    return left, top


def _turned(picture: Picture) -> list[Step]:
    turned = {
        90: [step("transpose", "clock")],
        180: [step("hflip"), step("vflip")],
        270: [step("transpose", "cclock")],
    }.get(picture.rotation % 360, [])
    return [*turned, step("hflip")] if picture.mirrored else turned
