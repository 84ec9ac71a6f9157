"""What a worker does: segments' pictures or pieces' sound, from plain data, safe to do again anywhere."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cutbook.errors import FfmpegFailed, FfmpegStopped, RenderError
from cutbook.files import folder
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.media.flaws import Flaw, Reading, complained, look
from cutbook.media.stamps import Stamp
from cutbook.render.assemble import packed
from cutbook.render.batches import together
from cutbook.render.labels import print_of_raw, write_flaws, write_label
from cutbook.render.sound import FRAME_BYTES
from cutbook.render.sources import hold


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureJob:
    """Encode one segment into ``output``; ``work`` is a directory that holds the fonts, ``where`` names the range.

    ``args`` make the file called ``made`` and find the captions in the one called ``cues``. ``held`` is how many
    bytes its decoder and encoder hold. ``label`` is where it is written down what was made, ``sources`` are the files
    that it is made of: nothing is kept of files that changed. ``readings`` are looked at for damage where
    ffmpeg complained.
    """

    ffmpeg: Ffmpeg
    args: tuple[str, ...]
    frames: int
    work: Path
    captions: str
    output: Path
    where: str
    made: str = "made"
    cues: str = "cues.ass"
    held: int = 0
    label: Path | None = None
    sources: tuple[Stamp, ...] = ()
    readings: tuple[Reading, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundJob:
    """Decode one piece of sound into ``output``, raw; the fields are those of a :class:`PictureJob`."""

    ffmpeg: Ffmpeg
    args: tuple[str, ...]
    samples: int
    work: Path
    output: Path
    where: str
    made: str = "made"
    held: int = 0
    label: Path | None = None
    sources: tuple[Stamp, ...] = ()
    readings: tuple[Reading, ...] = ()


OUTPUT = "made"
"""What a job's arguments call the file they make, in a directory of the job's own."""

CAPTIONS = "cues.ass"
"""What a job's arguments call its captions."""


def make_pictures(
    jobs: Sequence[PictureJob],
    *,
    on_frame: Callable[[int], None] | None = None,
    cancel: threading.Event | None = None,
) -> tuple[Path, ...]:
    """Encode segments in one process; each appears in the cache only when it is whole.

    ``on_frame`` is called with how many frames of all of them are done, as far as that can be told.

    Raises:
        RenderError: a source gave fewer frames than it says it has, or changed meanwhile.
        FfmpegError, DiskFull: ffmpeg failed.
    """
    first, total = jobs[0].frames, sum(job.frames for job in jobs)

    def tell(frames: int) -> None:
        # ffmpeg counts the first file's alone; all of them are under way at once.
        if on_frame is not None:
            on_frame(min(total, frames * total // first))

    place = _bench(jobs[0].work)
    for job in jobs:
        if job.captions:
            (place / job.cues).write_text(job.captions, encoding="utf-8")
            if not (place / "fonts").is_symlink():
                (place / "fonts").symlink_to(job.work / "fonts", target_is_directory=True)
    log = _run(jobs, place, on_frame=tell, cancel=cancel)
    if log is None:
        return tuple(each for job in jobs for each in make_pictures([job], cancel=cancel))
    return tuple(_picture(job, place / job.made, _flaws(job, log, cancel)) for job in jobs)


def _flaws(job: PictureJob | SoundJob, log: str, cancel: threading.Event | None) -> list[Flaw]:
    """Look for damage in what a job read, where ffmpeg complained while it did that job, or others with it."""
    if not complained(log):
        return []
    return [flaw for reading in job.readings if (flaw := look(reading, cancel)) is not None]


def _picture(job: PictureJob, made: Path, flaws: Sequence[Flaw]) -> Path:
    hold(job.sources)
    found, print_ = packed(made)
    if found != job.frames:
        msg = f"{job.where}: {found} of {job.frames} frames could be decoded; the file is damaged there or ends early"
        raise RenderError(msg)
    return _deliver(made, job, print_, flaws)


def make_sounds(jobs: Sequence[SoundJob], *, cancel: threading.Event | None = None) -> tuple[Path, ...]:
    """Decode pieces of sound in one process; each appears in the cache only when it is whole.

    Raises:
        RenderError: one is not as long as asked for, or its source changed meanwhile.
        FfmpegError, DiskFull: ffmpeg failed.
    """
    place = _bench(jobs[0].work)
    log = _run(jobs, place, cancel=cancel)
    if log is None:
        return tuple(each for job in jobs for each in make_sounds([job], cancel=cancel))
    return tuple(_sound(job, place / job.made, _flaws(job, log, cancel)) for job in jobs)


def _sound(job: SoundJob, made: Path, flaws: Sequence[Flaw]) -> Path:
    hold(job.sources)
    found = made.stat().st_size // FRAME_BYTES
    if found != job.samples:
        msg = f"{job.where}: {found} of {job.samples} samples of sound could be decoded; the file is damaged there"
        raise RenderError(msg)
    return _deliver(made, job, print_of_raw(made), flaws)


def _run(
    jobs: Sequence[PictureJob] | Sequence[SoundJob],
    place: Path,
    *,
    on_frame: Callable[[int], None] | None = None,
    cancel: threading.Event | None = None,
) -> str | None:
    """Run all jobs at once; gives the log, None when that failed for one of several, and each must be tried alone."""
    args = jobs[0].args if len(jobs) == 1 else together([job.args for job in jobs])
    try:
        return jobs[0].ffmpeg.run(args, cwd=place, on_frame=on_frame, cancel=cancel).log
    except FfmpegFailed as error:
        hold(stamp for job in jobs for stamp in job.sources)
        if len(jobs) > 1:
            return None
        raise FfmpegFailed(f"{jobs[0].where}: {error}") from error


def _bench(work: Path) -> Path:
    place = work / uuid.uuid4().hex[:12]
    try:
        place.mkdir()
    except FileNotFoundError:
        raise FfmpegStopped("the render that wanted this is over") from None
    return place


def _deliver(made: Path, job: PictureJob | SoundJob, print_: str, flaws: Sequence[Flaw]) -> Path:
    """Put what was made into the cache, its label first: what was there before was labelled as something else."""
    if job.label is not None:
        write_flaws(job.label.parent, print_, flaws)
        write_label(job.label, print_)
    folder(job.output.parent)
    made.replace(job.output)
    return job.output
