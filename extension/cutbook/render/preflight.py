"""What a render needs, looked for before the first frame, so that nothing is found missing at the end."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from cutbook.edit.take import Take
from cutbook.errors import CutbookError, DiskFull, PreflightError
from cutbook.media.ffmpeg import Ffmpeg, Needs
from cutbook.render.fonts import Fonts, choose
from cutbook.render.grade import AUTO, chain
from cutbook.render.overlays import Graphic
from cutbook.render.plan import Plan
from cutbook.timebase import rate_text

NEEDS = Needs(
    filters=frozenset(
        "aformat alimiter apad aresample asetpts atrim ebur128 format fps pad scale setfield setparams setpts setsar "
        "settb tpad trim volume".split()
    ),
    encoders=frozenset({"libx264", "aac"}),
)
"""What every render asks of ffmpeg."""

_TEST_FRAMES = 5
_SHOWN = re.compile(r"showinfo.*\bn: *\d+ pts: *(-?\d+) ")


def needs(plan: Plan, takes: Mapping[str, Take], graphics: Sequence[Graphic] = ()) -> Needs:
    """Give what this film asks of ffmpeg."""
    more: set[str] = {"overlay"} if graphics else set()
    if plan.burn and plan.cues:
        more.add("ass")
    if any(segment.dissolve for segment in plan.segments):
        more |= {"fade", "overlay"}
    if any(segment.framing.fill for segment in plan.segments):
        more.add("crop")
    shown = [takes[segment.part.source].media.picture for segment in plan.segments]
    for picture in [*shown, *(graphic.media.picture for graphic in graphics)]:
        if picture is None:
            continue
        if picture.hdr:
            more |= {"zscale", "tonemap"}
        if picture.interlaced:
            more.add("bwdif")
        if picture.rotation or picture.mirrored:
            more |= {"transpose", "hflip", "vflip"}
    decoders = frozenset(graphic.decoder for graphic in graphics if graphic.decoder)
    return Needs(filters=NEEDS.filters | more, encoders=NEEDS.encoders, decoders=decoders)


def preflight(
    plan: Plan,
    *,
    takes: Mapping[str, Take],
    ffmpeg: Ffmpeg,
    output: Path,
    cache: Path,
    graphics: Sequence[Graphic] = (),
) -> Fonts:
    """Look for everything that the render needs; gives the captions' fonts.

    Raises:
        PreflightError: something is missing; the message names it.
        DiskFull: there is too little room.
    """
    lacking = ffmpeg.missing(needs(plan, takes, graphics))
    if lacking:
        msg = f"{ffmpeg.path} (version {ffmpeg.version}) lacks {', '.join(lacking)}; set `ffmpeg` to one that has it"
        raise PreflightError(msg)
    _sources(plan, takes)
    if output.exists() and not output.is_file():
        msg = f"{output} is no file that a film could be written to; name another with -o"
        raise PreflightError(msg)
    for name in dict.fromkeys(segment.part.source for segment in plan.segments):
        if takes[name].path.resolve() == output.resolve():
            msg = f"{output.name} is the take {name}; sources are never overwritten, so name another output with -o"
            raise PreflightError(msg)
    _room(plan, output, cache)
    try_grades(plan, ffmpeg)
    return choose((cue.text for cue in plan.cues), plan.style) if plan.burn else Fonts(())


def _sources(plan: Plan, takes: Mapping[str, Take]) -> None:
    for name in dict.fromkeys(segment.part.source for segment in plan.segments):
        take = takes[name]
        try:
            found = take.path.stat()
        except OSError as error:
            msg = f"the take {name} is gone: {take.path} ({error.strerror}); bring the file back or cut without it"
            raise PreflightError(msg) from error
        if found.st_size != take.fingerprint.size:
            msg = f"the take {name} has changed since it was opened ({take.path}); run %project again"
            raise PreflightError(msg)


def _room(plan: Plan, output: Path, cache: Path) -> None:
    """Ask for about what the film will take: raw sound, picture twice (segments and film) at 0.12 bits a pixel."""
    width, height = plan.size
    picture = plan.frames * width * height * 0.12 / 8
    wanted = round(plan.samples * 8 * 2 + picture * 2.5) + (1 << 20)
    for place in (cache, output.parent):
        free = shutil.disk_usage(_existing(place)).free
        if free < wanted:
            msg = f"the render needs about {wanted / 1e6:.0f} MB in {place}, {free / 1e6:.0f} MB are free; make room"
            raise DiskFull(msg)


def _existing(place: Path) -> Path:
    place = place.absolute()
    while not place.exists():
        place = place.parent
    return place


def try_grades(plan: Plan, ffmpeg: Ffmpeg) -> None:
    """Try each grade on a few frames: it must be a filter, and must keep every frame and its time."""
    width, height = plan.size
    rate = rate_text(plan.rate)
    source = ("-f", "lavfi", "-i", f"color=gray:size={width}x{height}:rate={rate}")
    look = f"settb=expr=1/({rate}),showinfo[v]"
    with tempfile.TemporaryDirectory(prefix="cutbook-") as place:
        for grade in dict.fromkeys(segment.grade for segment in plan.segments):
            filters = "eq=gamma=1.01" if grade.strip() == AUTO else chain(grade)
            if not filters:
                continue
            graph = (
                "-filter_complex",
                f"[0:v]trim=end_frame={_TEST_FRAMES},format=yuv420p,{filters},{look}",
                "-map",
                "[v]",
            )
            few = ("-frames:v", str(2 * _TEST_FRAMES), "-f", "null", "-")
            try:
                log = ffmpeg.run([*source, *graph, *few], cwd=Path(place)).log
            except CutbookError as error:
                msg = f"the grade {grade!r} is no filter that ffmpeg can use ({error}); mend it or set grade to none"
                raise PreflightError(msg) from error
            times = [int(time) for time in _SHOWN.findall(log)]
            if times != list(range(_TEST_FRAMES)):
                msg = f"the grade {grade!r} changes the frames' number or times; a grade may only change how they look"
                raise PreflightError(msg)
