"""Everything that one render makes, under names that say what is in it, and what of it is there already."""

from __future__ import annotations

import functools
import json
import shutil
import threading
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from cutbook.edit.take import Take
from cutbook.files import folder, write_atomic
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.media.flaws import Flaw
from cutbook.media.probe import Media, SoundTrack
from cutbook.render import ass, conform, dissolves, grade, music, overlays, picture, readings, sound
from cutbook.render.assemble import Part, join, mux, print_of_sound, sound_as_made
from cutbook.render.cache import Cache, key
from cutbook.render.fonts import Fonts
from cutbook.render.jobs import CAPTIONS, OUTPUT, PictureJob, SoundJob
from cutbook.render.keyframes import keyframes
from cutbook.render.labels import flaws, label, print_of_raw, write_flaws, write_label
from cutbook.render.layers import Layer
from cutbook.render.plan import Piece, Plan, Segment
from cutbook.render.prints import Prints
from cutbook.render.sound import Levelled
from cutbook.render.sources import Sources, hold
from cutbook.render.tiers import Tier


@dataclass(frozen=True, kw_only=True)
class Studio:
    """One plan in the hands of one ffmpeg; ``work`` is a directory that is gone afterwards."""

    plan: Plan
    takes: Mapping[str, Take]
    fonts: Fonts
    tier: Tier
    ffmpeg: Ffmpeg
    cache: Cache
    work: Path
    loudness: float
    true_peak: float
    small: Mapping[str, Take] = field(default_factory=dict)
    graphics: tuple[overlays.Graphic, ...] = ()
    tune: music.Tune | None = None
    sources: Sources = field(default_factory=Sources)

    @cached_property
    def shown(self) -> Mapping[str, Take]:
        """The takes that pictures come from: ``small`` ones stand in for those of their names."""
        return {**self.takes, **self.small}

    @cached_property
    def shots(self) -> tuple[picture.Shot, ...]:
        """How each segment's picture is made."""
        return tuple(self._shot(segment) for segment in self.plan.segments)

    @cached_property
    def segment_names(self) -> tuple[str, ...]:
        """The name of each segment's picture: of the source, the frames, the looks, the captions and the encoder."""
        return tuple(map(self._segment_name, self.shots, self.plan.segments))

    @cached_property
    def sound_names(self) -> tuple[str | None, ...]:
        """The name of each piece of sound, None for silence."""
        return tuple(map(self._sound_name, self.plan.pieces))

    @cached_property
    def music_name(self) -> str | None:
        """The name of the music's raw sound, None where there is none."""
        if self.tune is None:
            return None
        media, track = _nameless(self.tune.media), self.tune.track
        line = sound.piece_arguments(self.tune.whole, media, track, OUTPUT)
        return key(sound.RECIPE, self.ffmpeg.version, self.tune.digest, line)

    @cached_property
    def level_name(self) -> str:
        """The name of the film's whole sound."""
        wanted = self.loudness, self.true_peak
        bed = (self.music_name, self.plan.music, self.plan.speech) if self.tune else ()
        return key(
            sound.RECIPE,
            self.ffmpeg.version,
            self.sound_names,
            self.plan.pieces,
            self.plan.samples,
            wanted,
            bed,
        )

    @cached_property
    def film_name(self) -> str:
        """The name of the film: of all that is in it, in order."""
        frames = [segment.frames for segment in self.plan.segments]
        return key(self.segment_names, frames, self.level_name, self.plan.rate)

    def missing(self) -> dict[str, tuple[picture.Shot, Segment]]:
        """Give the segments that are not in the cache, each once, by their names."""
        wanted: dict[str, tuple[picture.Shot, Segment]] = {}
        for name, shot, segment in zip(self.segment_names, self.shots, self.plan.segments, strict=True):
            if not self.cache.used(self.cache.segment(name)):
                wanted.setdefault(name, (shot, segment))
        return wanted

    def _shot(self, segment: Segment) -> picture.Shot:
        plan, media = self.plan, self.shown[segment.part.source].media
        drawn = ""
        if plan.burn and segment.cues:
            drawn = ass.document(
                segment.cues,
                style=plan.style,
                size=plan.size,
                rate=plan.rate,
                first=segment.first,
                slow=ass.slowness(plan.rate),
                font=self.fonts.family,
            )
        return picture.shot(
            segment,
            media,
            rate=plan.rate,
            size=plan.size,
            grade=self._graded(segment),
            captions=drawn,
            tier=self.tier,
            keyframes=keyframes(media) if conform.tabled(media) else (),
            layers=self._layers(segment),
        )

    def _layers(self, segment: Segment) -> tuple[Layer, ...]:
        plan = self.plan
        beside = dissolves.layers(
            segment, plan.segments, self.shown, grade=self._graded, rate=plan.rate, size=plan.size
        )
        return beside + overlays.layers(self.graphics, segment, rate=plan.rate, size=plan.size)

    def _graded(self, segment: Segment) -> str:
        if segment.grade.strip() != grade.AUTO:
            return grade.chain(segment.grade)
        take = self.takes[segment.part.source]
        record = self.cache.record(
            key("auto", grade.RECIPE, take.fingerprint.digest, segment.part.frames, segment.part.rate)
        )
        try:
            return str(json.loads(record.read_text("utf-8"))["chain"])
        except (OSError, ValueError, TypeError, KeyError):
            chain = grade.auto(take.media, segment.part.start, segment.part.end)
            self.sources.hold()
            write_atomic(record, json.dumps({"chain": chain}))
            return chain

    def _segment_name(self, shot: picture.Shot, segment: Segment) -> str:
        take = self.shown[segment.part.source]
        # Writing a line costs more than all else that names a segment, and most lines differ in numbers alone.
        line = _picture_line(picture.pattern(picture.nameless(shot)), _nameless(take.media))
        numbers = (shot.frames, shot.start, shot.seek)
        drawn = (shot.captions, self.fonts.names) if shot.captions else ()
        laid = [layer.digest for layer in shot.layers]
        return key(picture.RECIPE, self.ffmpeg.version, take.fingerprint.digest, line, numbers, drawn, laid)

    def _sound_name(self, piece: Piece) -> str | None:
        take = self.takes[piece.source]
        track = track_of(take)
        if track is None:
            return None
        made = _longer(piece)
        line = _sound_line(sound.pattern(made), _nameless(take.media), track)
        return key(sound.RECIPE, self.ffmpeg.version, take.fingerprint.digest, line, made.start, made.samples)

    def lay_fonts(self) -> None:
        """Put the captions' fonts where the jobs find them."""
        place = self.work / picture.FONTS
        place.mkdir()
        for number, font in enumerate(self.fonts.fonts):
            shutil.copyfile(font.file, place / f"{number}{font.file.suffix}")
        hold(self.sources.stamps(font.file for font in self.fonts.fonts))

    def picture_jobs(
        self, wanted: Mapping[str, tuple[picture.Shot, Segment]], threads: int
    ) -> list[PictureJob]:
        """Give a job for each segment that is ``wanted``."""
        return [
            PictureJob(
                ffmpeg=self.ffmpeg,
                args=tuple(
                    picture.arguments(
                        shot,
                        self.shown[segment.part.source].media,
                        output=f"{OUTPUT}{number}",
                        captions=f"{number}{CAPTIONS}",
                        threads=threads,
                    )
                ),
                made=f"{OUTPUT}{number}",
                cues=f"{number}{CAPTIONS}",
                held=picture.held(shot, self.shown[segment.part.source].media),
                frames=segment.frames,
                work=self.work.absolute(),
                captions=shot.captions,
                output=self.cache.segment(name).absolute(),
                label=self._label(name).absolute(),
                sources=self.sources.stamps(
                    [
                        self.shown[segment.part.source].media.path,
                        *(each.media.path for each in shot.layers),
                    ]
                ),
                readings=tuple(readings.seen(shot, segment, self.shown[segment.part.source].media)),
                where=f"{segment.part.source} {float(segment.part.start):.2f}-{float(segment.part.end):.2f}",
            )
            for number, (name, (shot, segment)) in enumerate(wanted.items())
        ]

    def sound_jobs(self) -> list[SoundJob]:
        """Give a job for each piece of sound that is not in the cache as it was made."""
        wanted: dict[str, Piece] = {}
        for name, piece in zip(self.sound_names, self.plan.pieces, strict=True):
            if name is not None and name not in wanted and not self._heard(name):
                wanted.setdefault(name, piece)
        made = []
        for number, (name, piece) in enumerate(wanted.items()):
            take = self.takes[piece.source]
            track = track_of(take)
            if track is not None:
                made.append(
                    SoundJob(
                        ffmpeg=self.ffmpeg,
                        args=tuple(
                            sound.piece_arguments(_longer(piece), take.media, track, f"{OUTPUT}{number}")
                        ),
                        made=f"{OUTPUT}{number}",
                        held=sound.held(take.media),
                        samples=_longer(piece).samples,
                        work=self.work.absolute(),
                        output=self.cache.sound(name, ".f32").absolute(),
                        label=self._label(name).absolute(),
                        sources=self.sources.stamps([take.media.path]),
                        readings=(readings.heard(piece, take.media, track),),
                        where=f"{piece.source} from {float(piece.start):.2f} s",
                    )
                )
        return [*made, *self._music_jobs()]

    def _music_jobs(self) -> Iterator[SoundJob]:
        if self.tune is None or self.music_name is None:
            return
        raw = self.cache.sound(self.music_name, ".f32")
        if not self._heard(self.music_name):
            args = sound.piece_arguments(self.tune.whole, self.tune.media, self.tune.track, OUTPUT)
            yield SoundJob(
                ffmpeg=self.ffmpeg,
                args=tuple(args),
                samples=self.tune.samples,
                work=self.work.absolute(),
                output=raw.absolute(),
                label=self._label(self.music_name).absolute(),
                sources=self.sources.stamps([self.tune.media.path]),
                readings=(readings.heard(self.tune.whole, self.tune.media, self.tune.track),),
                where="the music",
                held=sound.held(self.tune.media),
            )

    def _add_music(self, track: Path) -> None:
        bed = self.plan.music
        if self.tune is None or self.music_name is None or bed is None:
            return
        sound.add_music(
            list(self.tune.pieces(self.plan.samples)),
            self.cache.sound(self.music_name, ".f32"),
            track,
            shape=lambda low, high: music.ducked(
                self.plan.speech, gain_db=bed.gain_db, duck_db=bed.duck_db, low=low, high=high
            ),
        )

    def levelled(self) -> Levelled | None:
        """Tell what was done to the film's sound, where it is in the cache."""
        if not self.cache.used(self.cache.sound(self.level_name, ".m4a")):
            return None
        try:
            return Levelled.from_dict(json.loads(self.cache.record(self.level_name).read_text("utf-8")))
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def level(self, cancel: threading.Event | None) -> Levelled:
        """Lay the pieces into one track, set its loudness, encode it and keep it in the cache."""
        track, encoded = self.work / "film.au", self.work / "film.m4a"
        files = [None if name is None else self.cache.sound(name, ".f32") for name in self.sound_names]
        sound.lay(list(zip(self.plan.pieces, files, strict=True)), self.plan.samples, track)
        self._add_music(track)
        done = sound.level(
            self.ffmpeg, track, encoded, loudness=self.loudness, true_peak=self.true_peak, cancel=cancel
        )
        track.unlink()
        target = self.cache.sound(self.level_name, ".m4a")
        folder(target.parent)
        write_atomic(self.cache.record(self.level_name), json.dumps(done.as_dict()))
        made = str(print_of_sound(encoded))
        records = self._label(self.level_name).parent
        write_flaws(records, made, list(self._sound_flaws(records)))
        write_label(self._label(self.level_name), made)
        encoded.replace(target)
        return done

    def _sound_flaws(self, records: Path) -> Iterator[Flaw]:
        names = dict(zip(self.sound_names, (piece.source for piece in self.plan.pieces), strict=True))
        for name, source in (names | {self.music_name: "the music"}).items():
            if name is not None:
                yield from (replace(each, name=source) for each in flaws(records, self._known_print(name)))

    def _label(self, name: str) -> Path:
        return self.cache.record(key("label", name))

    def _known_print(self, name: str) -> str | None:
        return label(self._label(name))

    def _heard(self, name: str) -> bool:
        """Tell whether a piece of raw sound is in the cache as it was made."""
        raw = self.cache.sound(name, ".f32")
        try:
            return self.cache.used(raw) and print_of_raw(raw) == self._known_print(name)
        except OSError:
            return False

    def keep_prints(self, prints: Prints) -> None:
        """Label each proved segment whose label was lost: one that is another later was damaged in the cache."""
        for name, made in dict(zip(self.segment_names, prints.picture, strict=True)).items():
            if self._known_print(name) is None:
                write_label(self._label(name), made)

    def assemble(self, output: Path, new: Collection[str], cancel: threading.Event | None) -> Prints:
        """Join the segments and lay the sound beside them; gives what the film is made of.

        ``new`` are the names of the segments that were encoded just now.

        Raises:
            Damaged: something in the cache is not what was made; all of it is removed.
        """
        whole = self.work / "picture.mp4"
        heard = self.cache.sound(self.level_name, ".m4a")
        parts = [
            Part(
                file=self.cache.segment(name),
                frames=segment.frames,
                known=self._known_print(name),
                new=name in new,
            )
            for name, segment in zip(self.segment_names, self.plan.segments, strict=True)
        ]
        pictures = join(parts, whole, rate=self.plan.rate)
        prints = Prints(pictures, sound_as_made(heard, self._known_print(self.level_name)))
        mux(
            self.ffmpeg,
            whole,
            heard,
            output,
            rate=self.plan.rate,
            cancel=cancel,
        )
        whole.unlink()
        return prints

    def prune(self) -> None:
        """Keep the cache within its bounds; what this film is made of stays."""
        pieces = [self.cache.sound(name, ".f32") for name in (*self.sound_names, self.music_name) if name]
        segments = [self.cache.segment(name) for name in self.segment_names]
        self.cache.prune([*segments, *pieces, self.cache.sound(self.level_name, ".m4a")])


def _longer(piece: Piece) -> Piece:
    """Give a piece of whole hundredths: its place in the film decides on a sample more or less, its sound does not."""
    step = 480
    return replace(piece, samples=-(-piece.samples // step) * step)


@functools.lru_cache(maxsize=256)
def _picture_line(shot: picture.Shot, media: Media) -> tuple[str, ...]:
    return tuple(picture.arguments(shot, media, output=OUTPUT, captions=CAPTIONS, threads=1))


@functools.lru_cache(maxsize=256)
def _sound_line(piece: Piece, media: Media, track: SoundTrack) -> tuple[str, ...]:
    return tuple(sound.piece_arguments(piece, media, track, OUTPUT))


def _nameless(media: Media) -> Media:
    return replace(media, path=Path("/source"))


def track_of(take: Take) -> SoundTrack | None:
    """Give the sound track of a take that is heard in the film; None where it has none."""
    tracks = take.media.sound
    return next((track for track in tracks if track.track == take.track), tracks[0] if tracks else None)
