"""Render a planned film: what is in the cache stays, the rest is encoded, and nothing replaces a good file unproved."""

from __future__ import annotations

import base64
import contextlib
import errno
import html
import json
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from pathlib import Path

from cutbook.edit.take import Take
from cutbook.errors import CutbookError, DiskFull, ProofError
from cutbook.files import cannot_write, readable, write_atomic
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.media.making import alone, beside
from cutbook.render import music, overlays, sidecars
from cutbook.render.assemble import Damaged
from cutbook.render.cache import Cache, key
from cutbook.render.check import publish
from cutbook.render.crew import Crew, able
from cutbook.render.decoding import Seen
from cutbook.render.findings import Proof
from cutbook.render.plan import Plan
from cutbook.render.preflight import preflight
from cutbook.render.prints import Prints
from cutbook.render.proof import ANEW, prove
from cutbook.render.report import page
from cutbook.render.sound import Levelled
from cutbook.render.sources import Sources
from cutbook.render.standins import stand_ins
from cutbook.render.studio import Studio
from cutbook.render.tiers import tier
from cutbook.timebase import clock

Progress = Callable[[float, str], None]

MOST_DRAWN = 100
"""Cuts up to which a render draws a picture of each; ``check`` draws them all."""

TURNS = 3
"""How often one render makes what it finds damaged in the cache: all that is found in a turn at once."""

_SHOWN = 8_000_000


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Film:
    """A rendered film. ``encoded`` and ``cached`` count segments, ``seconds`` is how long the render took.

    ``fresh`` tells that the file was written now; it is False when it was already what the edit says. ``edit`` is the
    folder whose films are told by their names alone.
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
    edit: Path | None = None
    notes: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """What was done, in one sentence."""
        total = self.encoded + self.cached
        name = readable(self.path.name if self.path.parent == self.edit else self.path)
        if not self.fresh:
            return f"{name} ({clock(self.duration)}) is up to date: {total} of {total} segments from cache."
        return (
            f"Rendered {clock(self.duration)} in {self.seconds:.0f} s, "
            f"{self.cached} of {total} segments from cache ({self.tier}, {name})."
        )

    def __repr__(self) -> str:
        """Say what was done and what the proof found."""
        return "\n".join([self.sentence, *self.notes, repr(self.proof)])

    def _repr_html_(self) -> str:
        """Show a small playable video with what was done."""
        words = "".join(f"<p>{html.escape(line)}</p>" for line in (self.sentence, *self.notes))
        player = "<video controls preload=metadata style='max-width:480px;max-height:360px' src='{}'></video>"
        try:
            small = self.path.stat().st_size <= _SHOWN
            data = base64.b64encode(self.path.read_bytes()).decode() if small else ""
        except OSError:
            small, data = False, ""
        shown = (
            player.format(f"data:video/mp4;base64,{data}")
            if small
            else f"<p>{html.escape(readable(self.path))}</p>"
        )
        return f"<div class='cutbook-film'>{words}{shown}</div>{page(self.proof)}"


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
    the same files. ``pictures`` draws every cut (of at most 100) for the report in ``edit/verify``.

    Raises:
        InputError: ``executor`` is none.
        PreflightError, DiskFull: something is missing; nothing was started.
        FfmpegError, RenderError: a segment could not be made; the old file stays.
        FfmpegStopped: ``cancel`` was set; the old file stays.
        ProofError: the film made is not what the edit says; the old file stays.
    """
    begun = time.monotonic()
    able(executor)
    tell = progress or (lambda _share, _sentence: None)
    made = tier(tier_name)
    plan = plan.sized(made.short)
    cache = Cache(edit / "cache")
    record = cache.record(key("film", output.name))
    tell(0.0, "Looking at what the render needs")
    sources = Sources.of(plan, takes, edit)
    graphics = overlays.load(plan, edit)
    tune = music.load(plan, edit)
    fonts = preflight(plan, takes=takes, ffmpeg=ffmpeg, output=output, cache=cache.folder, graphics=graphics)
    sources.check_content(takes)
    for font in fonts.fonts:
        sources.add(font.file.name, font.file)

    def proved(file: Path, level: Levelled, made: Prints) -> Proof:
        tell(0.95, "Checking")
        sources.hold()
        found = prove(
            file,
            plan,
            takes=takes,
            ffmpeg=ffmpeg,
            loudness=loudness,
            true_peak=true_peak,
            level=level.after,
            made=made,
            seen=Seen(cache, hold=sources.hold),
            cancel=cancel,
        )
        sources.hold()
        return replace(found, file=output)

    with _written(edit), cache.workshop() as work:
        small = (
            stand_ins(plan, takes, folder=edit / "proxies", ffmpeg=ffmpeg, tell=tell, cancel=cancel)
            if made.rough
            else {}
        )
        for name, take in small.items():
            sources.add(f"the proxy of {name}", take.media.path)
        studio = Studio(
            plan=plan,
            takes=takes,
            small=small,
            fonts=fonts,
            tier=made,
            ffmpeg=ffmpeg,
            cache=cache,
            work=work,
            loudness=loudness,
            true_peak=true_peak,
            graphics=graphics,
            tune=tune,
            sources=sources,
        )
        level = studio.levelled()
        known = _unchanged(record, studio.film_name, output)
        proof = proved(output, level, known) if level and known else None
        fresh = level is None or proof is None or not proof.ok
        new: set[str] = set()
        if level is None or proof is None or not proof.ok:
            studio.lay_fonts()
            level, prints, proof = _made(
                studio,
                output,
                new=new,
                crew=lambda: Crew(jobs=jobs, executor=executor, cancel=cancel, tell=tell),
                proved=proved,
            )
            studio.keep_prints(prints)
            _remember(record, studio.film_name, prints, output)
        studio.prune()
    sidecars.write(plan, edit)
    result = Film(
        path=output,
        tier=made.name,
        duration=plan.duration,
        encoded=len(new),
        cached=len(plan.segments) - len(new),
        seconds=time.monotonic() - begun,
        proof=publish(proof, plan, edit=edit, pictures=pictures and len(plan.cuts) <= MOST_DRAWN),
        level=level,
        fresh=fresh,
        edit=edit,
        notes=(
            *plan.notes,
            *overlays.cut_short(graphics, plan),
            level.sentence,
            *_small(small),
            *_damaged(proof),
        ),
    )
    tell(1.0, result.sentence)
    return result


def _made(
    studio: Studio,
    output: Path,
    *,
    new: set[str],
    crew: Callable[[], Crew],
    proved: Callable[[Path, Levelled, Prints], Proof],
) -> tuple[Levelled, Prints, Proof]:
    """Make the film: what is not in the cache, and what is found damaged there. The names of segments go to ``new``."""
    turn = 0
    while True:
        turn += 1
        wanted = studio.missing()
        new.update(wanted)
        workers = crew()
        sounds = [] if studio.levelled() else studio.sound_jobs()
        workers.work([*studio.picture_jobs(wanted, workers.threads(len(wanted))), *sounds])
        workers.tell(0.88, "Setting the loudness")
        level = studio.levelled() or studio.level(workers.cancel)
        workers.tell(0.93, "Joining")
        try:
            with alone(output, workers.cancel), beside(output) as film:
                prints = studio.assemble(film, new, workers.cancel)
                proof = proved(film, level, prints)
                _refuse(proof, output)
                film.replace(output)
        except Damaged:
            if turn == TURNS:
                raise
        else:
            return level, prints, proof


def _small(small: Mapping[str, Take]) -> tuple[str, ...]:
    return (f"Pictures from the proxies of {', '.join(small)}.",) if small else ()


def _damaged(proof: Proof) -> Iterator[str]:
    return (f"{each.what}; {each.do}." for each in proof.warnings if each.do == ANEW)


def _refuse(proof: Proof, output: Path) -> None:
    if not proof.ok:
        first = proof.errors[0]
        stays = "; the earlier file stays" if output.exists() else ""
        msg = f"the film made is not what the edit says: {first.what}; {first.do}{stays}"
        raise ProofError(msg)


@contextlib.contextmanager
def _written(edit: Path) -> Iterator[None]:
    """Say in one line why something in ``edit`` cannot be written."""
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOSPC and not isinstance(error, DiskFull):
            msg = "no room was left for the render; free some and render again (an earlier file stays)"
            raise DiskFull(msg) from error
        named = None if error.filename is None else Path(os.fsdecode(error.filename))
        if isinstance(error, CutbookError) or named is None or not named.is_relative_to(edit):
            raise
        raise cannot_write(named, error) from error


def _unchanged(record: Path, name: str, output: Path) -> Prints | None:
    """Give what a film is made of, where it is the one that was made under this name."""
    try:
        known = json.loads(record.read_text("utf-8"))
        found = output.stat()
        if (known["film"], known["size"], known["mtime"]) == (name, found.st_size, found.st_mtime_ns):
            return Prints(tuple(known["picture"]), known["sound"])
    except (OSError, ValueError, TypeError, KeyError):
        pass
    return None


def _remember(record: Path, name: str, prints: Prints, output: Path) -> None:
    found = output.stat()
    facts = {"film": name, "size": found.st_size, "mtime": found.st_mtime_ns} | asdict(prints)
    write_atomic(record, json.dumps(facts))
