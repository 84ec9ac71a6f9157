"""Render a planned film: what is in the cache stays, the rest is encoded, and nothing replaces a good file unproved."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from cutbook.edit.take import Take
from cutbook.errors import ProofError
from cutbook.files import write_atomic
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.media.probe import Media, SoundTrack
from cutbook.render import ass, picture, sidecars, sound
from cutbook.render.assemble import join, mux
from cutbook.render.cache import Cache, key
from cutbook.render.crew import Crew
from cutbook.render.findings import Proof
from cutbook.render.fonts import Fonts
from cutbook.render.grade import chain
from cutbook.render.jobs import CAPTIONS, OUTPUT, PictureJob, SoundJob
from cutbook.render.keyframes import keyframes
from cutbook.render.plan import Piece, Plan, Segment
from cutbook.render.preflight import preflight
from cutbook.render.proof import prove
from cutbook.render.report import publish
from cutbook.render.sound import Levelled
from cutbook.render.tiers import Tier, tier
from cutbook.timebase import clock

Progress = Callable[[float, str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Film:
    """A rendered film. ``encoded`` and ``cached`` count segments, ``seconds`` is how long the render took.

    ``fresh`` tells that the file was written now; it is False when it was already what the edit says.
    """

    path: Path
    tier: str
    duration: Fraction
    encoded: int
    cached: int
    seconds: float
    proof: Proof
    level: Levelled
    fresh: bool
    notes: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """What was done, in one sentence."""
        total = self.encoded + self.cached
        if not self.fresh:
            return f"{self.path.name} ({clock(self.duration)}) is up to date: {total} of {total} segments from cache."
        return (
            f"Rendered {clock(self.duration)} in {self.seconds:.0f} s, "
            f"{self.cached} of {total} segments from cache ({self.tier}, {self.path.name})."
        )


def render(
    plan: Plan,
    *,
    takes: Mapping[str, Take],
    edit: Path,
    output: Path,
    ffmpeg: Ffmpeg,
    tier_name: str = "preview",
    loudness: float = -14.0,
    true_peak: float = -1.0,
    jobs: int | None = None,
    progress: Progress | None = None,
    cancel: threading.Event | None = None,
    executor: Executor | None = None,
    pictures: bool = True,
) -> Film:
    """Render a plan into ``output`` and prove it; captions are written beside the cut list in ``edit``.

    ``jobs`` segments are made at once, as many as there are cores unless set. ``progress`` is called with the share
    done (0 to 1) and a sentence. ``executor`` takes the jobs instead of threads of this process; its workers must see
    the same files. ``pictures`` draws every cut for the report in ``edit/verify``.

    Raises:
        PreflightError, DiskFull: something is missing; nothing was started.
        FfmpegError, RenderError: a segment could not be made; the old file stays.
        FfmpegStopped: ``cancel`` was set; the old file stays.
        ProofError: the film made is not what the edit says; the old file stays.
    """
    begun = time.monotonic()
    tell = progress or (lambda _share, _sentence: None)
    made = tier(tier_name)
    plan = plan.sized(made.short)
    cache = Cache(edit / "cache")
    tell(0.0, "Looking at what the render needs")
    fonts = preflight(plan, takes=takes, ffmpeg=ffmpeg, output=output, cache=cache.folder)
    with cache.workshop() as work:
        _lay_fonts(fonts, work)
        shots = _shots(plan, takes, fonts, made)
        names = [_shot_key(shot, segment, takes, fonts, ffmpeg) for shot, segment in zip(shots, plan.segments, strict=True)]
        sounds = [_sound_key(piece, takes, ffmpeg) for piece in plan.pieces]
        level_name = key(sound.RECIPE, ffmpeg.version, sounds, plan.pieces, plan.samples, loudness, true_peak)
        film_name = key(names, level_name, plan.frames, plan.rate, str(ffmpeg.version))
        record = cache.record(key("film", output.name))
        crew = Crew(jobs=jobs, executor=executor, cancel=cancel, tell=tell)
        missing = _picture_jobs(plan, takes, shots, names, cache, ffmpeg, work, crew)
        known = _levelled(cache, level_name)
        fresh = not (_unchanged(record, film_name, output) and known is not None)
        if fresh:
            crew.work([*missing, *([] if known else _sound_jobs(plan, takes, sounds, cache, ffmpeg, work))])
            tell(0.88, "Setting the loudness")
            if known is None:
                known = _level(plan, takes, sounds, level_name, cache, ffmpeg, work, crew, loudness, true_peak)
            tell(0.93, "Joining")
            files = [(cache.segment(name), segment.frames) for name, segment in zip(names, plan.segments, strict=True)]
            join(files, work / "picture.mp4", rate=plan.rate)
            film = _beside(output)
            try:
                mux(ffmpeg, work / "picture.mp4", cache.sound(level_name, ".m4a"), film, rate=plan.rate, cancel=cancel)
                tell(0.95, "Checking")
                proof = _proved(film, output, plan, takes, ffmpeg, loudness, true_peak, cancel)
                film.replace(output)
            finally:
                with contextlib.suppress(OSError):
                    film.unlink()
            _remember(record, film_name, output)
        else:
            tell(0.95, "Checking")
            proof = _proved(output, output, plan, takes, ffmpeg, loudness, true_peak, cancel)
    assert known is not None  # noqa: S101 - set on both ways above
    sidecars.write(plan, edit)
    proof = publish(proof, plan, edit=edit, pictures=pictures)
    cache.prune([*(cache.segment(name) for name in names), cache.sound(level_name, ".m4a")])
    notes = (*plan.notes, known.sentence)
    encoded = len(missing) if fresh else 0
    result = Film(
        path=output,
        tier=made.name,
        duration=plan.duration,
        encoded=encoded,
        cached=len(plan.segments) - encoded,
        seconds=time.monotonic() - begun,
        proof=proof,
        level=known,
        fresh=fresh,
        notes=notes,
    )
    tell(1.0, result.sentence)
    return result


def _proved(
    film: Path,
    output: Path,
    plan: Plan,
    takes: Mapping[str, Take],
    ffmpeg: Ffmpeg,
    loudness: float,
    true_peak: float,
    cancel: threading.Event | None,
) -> Proof:
    proof = prove(film, plan, takes=takes, ffmpeg=ffmpeg, loudness=loudness, true_peak=true_peak, cancel=cancel)
    if not proof.ok:
        stays = "; the earlier file stays" if output.exists() else ""
        msg = f"the film made is not what the edit says: {proof.errors[0].what}; {proof.errors[0].do}{stays}"
        raise ProofError(msg)
    return replace(proof, file=output)


def _beside(output: Path) -> Path:
    output.parent.mkdir(parents=True, exist_ok=True)
    return output.with_name(f".cutbook-{os.getpid()}-{threading.get_ident()}.mp4")


def _lay_fonts(fonts: Fonts, work: Path) -> None:
    place = work / picture.FONTS
    place.mkdir()
    for number, font in enumerate(fonts.fonts):
        shutil.copyfile(font.file, place / f"{number}{font.file.suffix}")


def _shots(plan: Plan, takes: Mapping[str, Take], fonts: Fonts, made: Tier) -> list[picture.Shot]:
    shots = []
    for segment in plan.segments:
        media = takes[segment.part.source].media
        drawn = ""
        if plan.burn and segment.cues:
            drawn = ass.document(
                segment.cues,
                style=plan.style,
                size=plan.size,
                rate=plan.rate,
                first=segment.first,
                slow=ass.slowness(plan.rate),
                font=fonts.family,
            )
        shots.append(
            picture.shot(
                segment,
                media,
                rate=plan.rate,
                size=plan.size,
                grade=chain(segment.grade),
                captions=drawn,
                tier=made,
                keyframes=keyframes(media) if picture.streamed(media) else (),
            )
        )
    return shots


def _shot_key(
    shot: picture.Shot, segment: Segment, takes: Mapping[str, Take], fonts: Fonts, ffmpeg: Ffmpeg
) -> str:
    take = takes[segment.part.source]
    line = picture.arguments(shot, _nameless(take.media), output=OUTPUT, captions=CAPTIONS, threads=1)
    drawn = (shot.captions, [_font_digest(font.file) for font in fonts.fonts]) if shot.captions else ()
    return key(picture.RECIPE, ffmpeg.version, take.fingerprint.digest, line, drawn)


def _font_digest(file: Path) -> str:
    found = file.stat()
    return f"{file.name} {found.st_size}"


def _nameless(media: Media) -> Media:
    return replace(media, path=Path("/source"))


def _sound_key(piece: Piece, takes: Mapping[str, Take], ffmpeg: Ffmpeg) -> str | None:
    take = takes[piece.source]
    track = track_of(take)
    if track is None:
        return None
    moved = replace(piece, first=0, fade_in=0, fade_out=0, crossed_in=False, crossed_out=False)
    line = sound.piece_arguments(moved, _nameless(take.media), track, OUTPUT)
    return key(sound.RECIPE, ffmpeg.version, take.fingerprint.digest, line)


def track_of(take: Take) -> SoundTrack | None:
    """Give the sound track of a take that is heard in the film; None where it has none."""
    tracks = take.media.sound
    return next((track for track in tracks if track.track == take.track), tracks[0] if tracks else None)


def _where(segment: Segment) -> str:
    return f"{segment.part.source} {float(segment.part.start):.2f}-{float(segment.part.end):.2f}"


def _picture_jobs(
    plan: Plan,
    takes: Mapping[str, Take],
    shots: list[picture.Shot],
    names: list[str],
    cache: Cache,
    ffmpeg: Ffmpeg,
    work: Path,
    crew: Crew,
) -> list[PictureJob]:
    wanted: dict[str, tuple[picture.Shot, Segment]] = {}
    for name, shot, segment in zip(names, shots, plan.segments, strict=True):
        if not cache.used(cache.segment(name)):
            wanted.setdefault(name, (shot, segment))
    threads = crew.threads(len(wanted))
    return [
        PictureJob(
            ffmpeg=ffmpeg,
            args=tuple(
                picture.arguments(
                    shot, takes[segment.part.source].media, output=OUTPUT, captions=CAPTIONS, threads=threads
                )
            ),
            frames=segment.frames,
            work=work.absolute(),
            captions=shot.captions,
            output=cache.segment(name).absolute(),
            where=_where(segment),
        )
        for name, (shot, segment) in wanted.items()
    ]


def _sound_jobs(
    plan: Plan, takes: Mapping[str, Take], names: list[str | None], cache: Cache, ffmpeg: Ffmpeg, work: Path
) -> list[SoundJob]:
    wanted: dict[str, Piece] = {}
    for name, piece in zip(names, plan.pieces, strict=True):
        if name is not None and not cache.used(cache.sound(name, ".f32")):
            wanted.setdefault(name, piece)
    made = []
    for name, piece in wanted.items():
        take = takes[piece.source]
        track = track_of(take)
        if track is not None:
            args = sound.piece_arguments(piece, take.media, track, OUTPUT)
            made.append(
                SoundJob(
                    ffmpeg=ffmpeg,
                    args=tuple(args),
                    samples=piece.samples,
                    work=work.absolute(),
                    output=cache.sound(name, ".f32").absolute(),
                    where=f"{piece.source} from {float(piece.start):.2f} s",
                )
            )
    return made


def _level(
    plan: Plan,
    takes: Mapping[str, Take],
    names: list[str | None],
    level_name: str,
    cache: Cache,
    ffmpeg: Ffmpeg,
    work: Path,
    crew: Crew,
    loudness: float,
    true_peak: float,
) -> Levelled:
    track, encoded = work / "film.au", work / "film.m4a"
    files = [None if name is None else cache.sound(name, ".f32") for name in names]
    sound.lay(list(zip(plan.pieces, files, strict=True)), plan.samples, track)
    done = sound.level(ffmpeg, track, encoded, loudness=loudness, true_peak=true_peak, cancel=crew.cancel)
    target = cache.sound(level_name, ".m4a")
    target.parent.mkdir(parents=True, exist_ok=True)
    encoded.replace(target)
    write_atomic(cache.record(level_name), json.dumps(done.as_dict()))
    return done


def _levelled(cache: Cache, name: str) -> Levelled | None:
    if not cache.used(cache.sound(name, ".m4a")):
        return None
    try:
        return Levelled.from_dict(json.loads(cache.record(name).read_text("utf-8")))
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _unchanged(record: Path, name: str, output: Path) -> bool:
    try:
        known = json.loads(record.read_text("utf-8"))
        found = output.stat()
    except (OSError, ValueError):
        return False
    return bool(known == {"film": name, "size": found.st_size, "mtime": found.st_mtime_ns})


def _remember(record: Path, name: str, output: Path) -> None:
    found = output.stat()
    write_atomic(record, json.dumps({"film": name, "size": found.st_size, "mtime": found.st_mtime_ns}))
