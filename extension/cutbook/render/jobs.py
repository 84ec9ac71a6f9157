"""What a worker does: one segment's picture or one piece's sound, from plain data, safe to do again anywhere."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cutbook.errors import FfmpegFailed, FfmpegStopped, RenderError
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.render.assemble import count
from cutbook.render.sound import FRAME_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureJob:
    """Encode one segment into ``output``; ``work`` is a directory that holds the fonts, ``where`` names the range."""

    ffmpeg: Ffmpeg
    args: tuple[str, ...]
    frames: int
    work: Path
    captions: str
    output: Path
    where: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundJob:
    """Decode one piece of sound into ``output``, raw."""

    ffmpeg: Ffmpeg
    args: tuple[str, ...]
    samples: int
    work: Path
    output: Path
    where: str


OUTPUT = "made"
"""What a job's arguments call the file they make, in a directory of the job's own."""

CAPTIONS = "cues.ass"
"""What a job's arguments call its captions."""


def make_picture(
    job: PictureJob,
    *,
    on_frame: Callable[[int], None] | None = None,
    cancel: threading.Event | None = None,
) -> Path:
    """Encode a segment; it appears in the cache only when it is whole.

    Raises:
        RenderError: the source gave fewer frames than it says it has.
        FfmpegError, DiskFull: ffmpeg failed.
    """
    place = _bench(job.work)
    if job.captions:
        (place / CAPTIONS).write_text(job.captions, encoding="utf-8")
        (place / "fonts").symlink_to(job.work / "fonts", target_is_directory=True)
    made = place / OUTPUT
    _run(job.ffmpeg, job.args, place, job.where, on_frame=on_frame, cancel=cancel)
    found = count(made)
    if found != job.frames:
        msg = f"{job.where}: {found} of {job.frames} frames could be decoded; the file is damaged there or ends early"
        raise RenderError(msg)
    return _deliver(made, job.output)


def make_sound(job: SoundJob, *, cancel: threading.Event | None = None) -> Path:
    """Decode a piece of sound; it appears in the cache only when it is whole.

    Raises:
        RenderError: it is not as long as asked for.
        FfmpegError, DiskFull: ffmpeg failed.
    """
    place = _bench(job.work)
    made = place / OUTPUT
    _run(job.ffmpeg, job.args, place, job.where, cancel=cancel)
    found = made.stat().st_size // FRAME_BYTES
    if found != job.samples:
        msg = f"{job.where}: {found} of {job.samples} samples of sound could be decoded; the file is damaged there"
        raise RenderError(msg)
    return _deliver(made, job.output)


def _run(
    ffmpeg: Ffmpeg,
    args: tuple[str, ...],
    place: Path,
    where: str,
    *,
    on_frame: Callable[[int], None] | None = None,
    cancel: threading.Event | None = None,
) -> None:
    try:
        ffmpeg.run(args, cwd=place, on_frame=on_frame, cancel=cancel)
    except FfmpegFailed as error:
        raise FfmpegFailed(f"{where}: {error}") from error


def _bench(work: Path) -> Path:
    place = work / uuid.uuid4().hex[:12]
    try:
        place.mkdir()
    except FileNotFoundError:
        raise FfmpegStopped("the render that wanted this is over") from None
    return place


def _deliver(made: Path, output: Path) -> Path:
    output.parent.mkdir(parents=True, exist_ok=True)
    made.replace(output)
    return output
