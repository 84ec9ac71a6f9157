"""Overlays: their files looked at before the render, and the part of each that lies over a segment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from cutbook.edit.edl import Overlay, overlay_path
from cutbook.errors import PreflightError, UnreadableMedia
from cutbook.media.probe import Media, Picture, probe
from cutbook.media.streams import opened
from cutbook.render.cache import content
from cutbook.render.conform import fitted, middle
from cutbook.render.layers import Layer, sought
from cutbook.render.plan import Plan, Segment
from cutbook.timebase import decimals, round_half_up

_ALPHA = {"vp8": "libvpx", "vp9": "libvpx-vp9"}
"""Decoders that give the alpha of a codec; ffmpeg's own leave it out without a word."""

_STILLS = {
    "png": "png_pipe",
    "mjpeg": "jpeg_pipe",
    "webp": "webp_pipe",
    "bmp": "bmp_pipe",
    "tiff": "tiff_pipe",
}
"""Demuxers of single pictures, by their codecs: named by what the file is, not by how it is called.

Another single picture, such as AVIF, keeps the demuxer that it was looked at with.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Graphic:
    """An overlay that was looked at: it lies over the film's frames [``first``, ``end``)."""

    overlay: Overlay
    first: int
    end: int
    media: Media
    digest: str
    still: str
    decoder: str


def load(plan: Plan, edit: Path) -> tuple[Graphic, ...]:
    """Look at every overlay's file, in list order.

    Raises:
        PreflightError: a file is missing, is no picture, or is shorter than its window; the overlay is named.
    """
    return tuple(_loaded(number, each, plan, edit) for number, each in enumerate(plan.overlays, start=1))


def cut_short(graphics: Sequence[Graphic], plan: Plan) -> tuple[str, ...]:
    """Say which overlays would last longer than the film does."""
    lengths = ((each.overlay, each.overlay.start_in_output + each.overlay.duration) for each in graphics)
    return tuple(
        f"The overlay {overlay.file} ends with the film, {decimals(end - plan.duration)} s before its time."
        for overlay, end in lengths
        if end - plan.duration > 1 / plan.rate
    )


def _loaded(number: int, overlay: Overlay, plan: Plan, edit: Path) -> Graphic:
    place = f"overlay {number} ({overlay.file}, from {decimals(overlay.start_in_output)} s)"
    path = overlay_path(overlay, edit)
    if not path.is_file():
        msg = f"{place}: there is no such file; bring it back or take it out of `overlays` (paths count from edit/)"
        raise PreflightError(msg)
    try:
        media, digest, alpha = probe(path), content(path), _has_alpha(path)
    except UnreadableMedia as error:
        msg = f"{place}: {error}"
        raise PreflightError(msg) from error
    picture = media.picture
    if picture is None:
        msg = f"{place}: it holds no picture; name a video or a still"
        raise PreflightError(msg)
    first = round_half_up(overlay.start_in_output * plan.rate)
    end = round_half_up((overlay.start_in_output + overlay.duration) * plan.rate)
    end = min(max(end, first + 1), plan.frames)
    if first >= end:
        msg = f"{place}: it begins at the film's end, {decimals(plan.duration)} s; move or remove it"
        raise PreflightError(msg)
    still = _STILLS.get(picture.codec, media.container) if media.frames <= 1 else ""
    shown = round_half_up(media.duration * plan.rate)
    if not still and shown < end - first:
        msg = (
            f"{place}: it is shown for {decimals(overlay.duration)} s, but lasts {decimals(media.duration)} s; "
            f"set its duration to {decimals(Fraction(shown) / plan.rate, 3)} or make it longer"
        )
        raise PreflightError(msg)
    return Graphic(
        overlay=overlay,
        first=first,
        end=end,
        media=media,
        digest=digest,
        still=still,
        decoder=_ALPHA.get(picture.codec, "") if alpha else "",
    )


def _has_alpha(path: Path) -> bool:
    with opened(path) as file:
        return any(stream.metadata.get("alpha_mode") == "1" for stream in file.streams.video)


def layers(
    graphics: Sequence[Graphic], segment: Segment, *, rate: Fraction, size: tuple[int, int]
) -> tuple[Layer, ...]:
    """Give the parts of overlays that lie over a segment, each from its right frame on."""
    return tuple(_layers(graphics, segment, rate, size))


def _layers(
    graphics: Sequence[Graphic], segment: Segment, rate: Fraction, size: tuple[int, int]
) -> Iterator[Layer]:
    for each in graphics:
        low, high = max(segment.first, each.first), min(segment.end, each.end)
        picture = each.media.picture
        if low >= high or picture is None:
            continue
        start = Fraction(0) if each.still else (low - each.first) / rate
        yield Layer(
            media=each.media,
            digest=each.digest,
            box=_box(each.overlay, picture, size),
            at=low - segment.first,
            frames=high - low,
            start=start,
            counted=picture.rate == rate,
            seek=None if each.still else sought(each.media, start),
            still=each.still,
            decoder=each.decoder,
        )


def _box(overlay: Overlay, picture: Picture, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """Give left, top, width and height: as large as the overlay's box (the canvas, unless set) holds, in its middle."""
    width, height = size
    shares = overlay.box or (Fraction(0), Fraction(0), Fraction(1), Fraction(1))
    left, top = (2 * round_half_up(share * side / 2) for share, side in zip(shares[:2], size, strict=True))
    room = max(2, round_half_up(shares[2] * width)), max(2, round_half_up(shares[3] * height))
    inner = fitted(picture, room)
    inset = middle(inner, room)
    return left + inset[0], top + inset[1], *inner
