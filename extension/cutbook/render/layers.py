"""What is laid over a segment's frames: by data, frame for frame, never by a filter's own clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from cutbook.media.probe import Media
from cutbook.render.conform import Framing, Step, canvassed, clock, entry, scaled, source, step, tabled
from cutbook.render.keyframes import keyframes
from cutbook.timebase import rate_text

_QUEUE = 16
_RAW = "cutbooklayer{}grade"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ramp:
    """Frame k of a layer covers (``first`` + k) / ``steps`` of what lies under it, or one less that when not rising."""

    steps: int
    first: int
    rising: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """A picture over a segment's frames [``at``, ``at + frames``).

    ``start`` is the layer's own time (seconds) at its first frame here, ``seek`` the second of container time at
    which decoding starts. ``box`` is left, top, width and height on the canvas, in pixels. ``counted`` tells that it
    goes frame by frame with the film. A ``still`` names the demuxer of a single picture, ``decoder`` the decoder
    where the usual one would lose the alpha. ``digest`` is the file's content. A ``framing`` puts the picture on the
    whole box, ``grade`` is a filter chain or "", ``ramp`` lets it come or go.
    """

    media: Media
    digest: str
    box: tuple[int, int, int, int]
    at: int
    frames: int
    start: Fraction
    counted: bool
    seek: Fraction | None
    framing: Framing | None = None
    grade: str = ""
    ramp: Ramp | None = None
    still: str = ""
    decoder: str = ""

    def nameless(self) -> Layer:
        """Give the layer without its file's name and times, for a key."""
        return replace(self, media=replace(self.media, path=Path("/layer")))


def sought(media: Media, start: Fraction) -> Fraction | None:
    """Give the second of container time at which decoding starts for ``start``; None: the file's beginning."""
    return entry(media, start, keyframes(media) if tabled(media) else ())


def laid(stream: Any, layers: Sequence[Layer], *, rate: Fraction, scaler: str, threads: int) -> Any:
    """Lay layers over a stream of frames on the film's clock, the first one lowest."""
    for number, layer in enumerate(layers, start=1):
        over = _opened(layer, number, threads)
        for name, args, options in _placed(layer, number, rate=rate, scaler=scaler):
            over = over.filter(name, *args, **options)
        left, top, _, _ = layer.box
        stream = stream.overlay(over, x=left, y=top, eof_action="pass", format="yuv420")
    return stream


def graded(part: str, layers: Sequence[Layer]) -> str:
    """Put the layers' grades into an argument that :func:`laid` had a part in: raw filters are not to be escaped."""
    for number, layer in enumerate(layers, start=1):
        part = part.replace(_RAW.format(number), layer.grade)
    return part


def _ramped(ramp: Ramp | None) -> list[Step]:
    """Let frames come or go: the fade counts from its own first frame, so copies go before and are taken out again."""
    if ramp is None:
        return []
    kind = "in" if ramp.rising else "out"
    return [
        step("tpad", start_mode="clone", start=ramp.first),
        step("fade", type=kind, start_frame=0, nb_frames=ramp.steps, alpha=1),
        step("trim", start_frame=ramp.first),
    ]


def _opened(layer: Layer, number: int, threads: int) -> Any:
    # ffmpeg-python takes inputs with the same options for one: a queue of a length of its own keeps them apart.
    options: dict[str, Any] = {"thread_queue_size": _QUEUE + number}
    if layer.still:
        options["f"] = layer.still
        if layer.still == "image2":
            options["pattern_type"] = "none"
    if layer.decoder:
        options["vcodec"] = layer.decoder
    index = layer.media.picture.index if layer.media.picture else 0
    return source(layer.media, layer.seek, threads=threads, **options)[str(index)]


def _placed(layer: Layer, number: int, *, rate: Fraction, scaler: str) -> list[Step]:
    picture = layer.media.picture
    if picture is None:
        return []
    _, _, width, height = layer.box
    if layer.framing is None:
        drawn = scaled(picture, (width, height), scaler=scaler, form="yuva420p")
    else:
        drawn = canvassed(picture, (width, height), scaler=scaler, framing=layer.framing)
        if layer.grade:
            back = step("scale", width, height, out_color_matrix="bt709", out_range="tv")
            drawn += [step(_RAW.format(number)), back, step("setsar", 1)]
        drawn += [step("format", "yuva420p"), *_ramped(layer.ramp)]
    place = [step("settb", rate_text(1 / rate)), step("setpts", f"N+{layer.at}")]
    if layer.still:
        held = [step("tpad", stop_mode="clone", stop=layer.frames - 1)] if layer.frames > 1 else []
        return [*drawn, *held, *place]
    timed = clock(layer.media, layer.start, rate, counted=layer.counted)
    return [*timed, step("trim", end_frame=layer.frames), *drawn, *place]
