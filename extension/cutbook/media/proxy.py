"""A small stand-in for a take, for drafts and for browsers: 640 wide, H.264, a keyframe every half second, MP3 sound.

Frame k of a proxy is what the take shows at k/rate of take time, and its sound lies where the take's does, so that
whatever is true of the one is true of the other. MP3, because some browsers' editors decode no AAC.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

from cutbook.errors import MediaError, UnreadableMedia
from cutbook.files import safe_name, write_atomic
from cutbook.media.ffmpeg import Ffmpeg, Needs, argument
from cutbook.media.flaws import complained
from cutbook.media.making import alone, beside
from cutbook.media.probe import Media, Picture, probe
from cutbook.media.sound import sound_track
from cutbook.media.stamps import stamp
from cutbook.media.tone import FILTER
from cutbook.media.upright import upright
from cutbook.timebase import rate_text

RECIPE = 3
"""Counts changes to how proxies are made, so that older ones are made anew."""

WIDTH = 640
"""Pixels of a proxy's width, as shown; a narrower take keeps its own."""

_LATE = Fraction(1, 8)
_TRANSFERS = {"HLG": "arib-std-b67", "PQ": "smpte2084"}
_TONE = "tonemap=" + ":".join(f"{key}={value}" for key, value in FILTER.items())
_COLOURS = "range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709"


def needs(media: Media) -> Needs:
    """Give what making a proxy asks of ffmpeg."""
    filters = {"fps", "scale", "tpad", "aresample", "asetpts"}
    if media.picture and media.picture.hdr:
        filters |= {"zscale", "tonemap"}
    if media.picture and media.picture.interlaced:
        filters.add("bwdif")
    return Needs(filters=frozenset(filters), encoders=frozenset({"libx264", "libmp3lame"}))


def known(folder: Path, name: str, *, content: str, track: int = 0) -> Media | None:
    """Give the proxy of a take, where there is one of this very content; ``folder`` is ``edit/proxies``."""
    file, record = _places(folder, name)
    try:
        facts = json.loads(record.read_text("utf-8"))
        if facts | {"complained": False} == _facts(content, track, file.stat().st_size, complained=False):
            return probe(file)
    except (OSError, ValueError, TypeError, UnreadableMedia):
        pass
    return None


def faulty(folder: Path, name: str) -> bool:
    """Tell whether ffmpeg complained while a take's proxy was made, which decodes whole whatever the take does."""
    try:
        return bool(json.loads(_places(folder, name)[1].read_text("utf-8"))["complained"])
    except (OSError, ValueError, TypeError, KeyError):
        return False


def proxy(
    media: Media,
    *,
    folder: Path,
    name: str,
    content: str,
    ffmpeg: Ffmpeg,
    track: int = 0,
    progress: Callable[[float], None] | None = None,
    cancel: threading.Event | None = None,
) -> Media:
    """Make the proxy of a take with a picture, or give the one that is there.

    ``content`` is the digest of the take's fingerprint, ``progress`` is called with the share done (0 to 1).

    Raises:
        MediaError: the take has no picture, or changed meanwhile, or its proxy would not be in step with it.
        FfmpegError, DiskFull: it could not be made.
        FfmpegStopped: ``cancel`` was set.
    """
    found = known(folder, name, content=content, track=track)
    if found is not None:
        return found
    picture = media.picture
    if picture is None:
        msg = f"{media.path.name} has no picture, so there is no proxy of it"
        raise MediaError(msg)
    file, record = _places(folder, name)
    total = max(1, round(media.duration * media.rate))
    with alone(file, cancel):
        # Another process may have made it while this one waited.
        found = known(folder, name, content=content, track=track)
        if found is not None:
            return found
        before = stamp(media.path.name, media.path)
        with beside(file) as part:
            done = ffmpeg.run(
                [*arguments(media, picture, track), "-y", argument(part)],
                on_frame=lambda frame: progress(min(1.0, frame / total)) if progress else None,
                cancel=cancel,
            )
            upright(part)
            made = probe(part)
            if made.picture is None or made.picture.variable or made.rate != media.rate or made.origin:
                msg = f"the proxy of {media.path.name} is not in step with it; the file may be damaged"
                raise MediaError(msg)
            if not before.holds:
                msg = f"{media.path.name} changed while its proxy was made; try again"
                raise MediaError(msg)
            size = part.stat().st_size
            part.replace(file)
        write_atomic(record, json.dumps(_facts(content, track, size, complained=complained(done.log))))
    return probe(file)


def arguments(media: Media, picture: Picture, track: int) -> list[str]:
    """Give ffmpeg's arguments, but for the output file."""
    video = ["-map", f"0:{picture.index}", "-filter:v", ",".join(_steps(media, picture))]
    every = str(max(1, round(media.rate / 2)))
    coding = [
        "-c:v",
        "libx264",
        "-preset",
        "veryfast",
        "-tune",
        "fastdecode",
        "-crf",
        "26",
        "-pix_fmt",
        "yuv420p",
    ]
    coding += ["-g", every, "-keyint_min", every, "-sc_threshold", "0"]
    heard: list[str] = []
    if media.sound:
        # A late sound begins with silence, so that it needs no start of its own.
        chain = f"asetpts=PTS-({media.origin})/TB,aresample=48000:async=1:first_pts=0,aformat=channel_layouts=stereo"
        heard = ["-map", f"0:{sound_track(media, track).index}", "-filter:a", chain]
        heard += ["-c:a", "libmp3lame", "-b:a", "128k"]
    scale = media.rate.numerator * (1000 if media.rate.denominator == 1 else 1)
    return [
        *("-copyts", "-noautorotate", "-i", argument(media.path)),
        *video,
        *heard,
        *("-sn", "-dn", "-map_metadata", "-1", "-map_chapters", "-1", *coding),
        *("-r", rate_text(media.rate), "-video_track_timescale", str(scale)),
        *("-movflags", "+faststart", "-f", "mp4"),
    ]


def _steps(media: Media, picture: Picture) -> Iterator[str]:
    if picture.interlaced:
        yield "bwdif=mode=send_frame:deint=interlaced"
    begin = media.origin + _LATE / media.rate
    # One frame more than the take has, since a last frame may be lost by rounding alone.
    yield f"setpts=PTS-({begin})/TB"
    yield f"fps={rate_text(media.rate)}:start_time=0:round=up"
    yield "tpad=stop_mode=clone:stop=1"
    turns = {90: ["transpose=clock"], 180: ["hflip", "vflip"], 270: ["transpose=cclock"]}
    yield from turns.get(picture.rotation % 360, [])
    if picture.mirrored:
        yield "hflip"
    guess = ""
    if picture.hdr:
        space = f"pin={picture.primaries or 'bt2020'}:min={picture.matrix or 'bt2020nc'}"
        yield f"zscale=tin={_TRANSFERS[picture.hdr]}:{space}:t=linear:npl=203"
        yield from ("format=gbrpf32le", "zscale=p=bt709", _TONE)
        yield from ("zscale=t=bt709:m=bt709:r=tv", "format=yuv420p")
    elif picture.matrix is None and not picture.pixel_format.startswith(("gbr", "rgb", "bgr", "pal8")):
        guess = f":in_color_matrix={'bt709' if min(picture.coded) >= 720 else 'bt601'}"
    width = 2 * (min(WIDTH, max(2, picture.width)) // 2)
    height = max(2, 2 * round(Fraction(width * picture.height, 2 * picture.width)))
    yield f"scale={width}:{height}{guess}:out_color_matrix=bt709:out_range=tv:flags=bicubic"
    yield from ("setsar=1", "format=yuv420p", "setfield=prog", f"setparams={_COLOURS}")


def _places(folder: Path, name: str) -> tuple[Path, Path]:
    safe = safe_name(name)
    return folder / f"{safe}.mp4", folder / f"{safe}.json"


def _facts(content: str, track: int, size: int, *, complained: bool) -> dict[str, object]:
    facts = {"recipe": RECIPE, "content": content, "track": track, "size": size}
    return facts | {"complained": complained}
