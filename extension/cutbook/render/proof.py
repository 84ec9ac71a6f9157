"""What the file says against what the edit says: what must hold, and what is measured and shown."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

from cutbook.edit.take import Take
from cutbook.errors import FfmpegFailed
from cutbook.media.ffmpeg import Ffmpeg, argument
from cutbook.media.probe import probe
from cutbook.media.sound import Loudness, measure
from cutbook.render import measures
from cutbook.render.findings import Finding, Proof
from cutbook.render.plan import Plan
from cutbook.render.tiers import TIERS
from cutbook.timebase import SAMPLE_RATE, rate_text

APART = Fraction(1, 1000)
"""Seconds that sound and picture may lie apart."""

_COMPLAINT = re.compile(
    r"\b(error|invalid|corrupt|missing|non[- ]monoton|concealing|overread)", re.IGNORECASE
)
_HDR = {14: "bt2020-10", 15: "bt2020-12", 16: "PQ (smpte2084)", 18: "HLG (arib-std-b67)"}
"""Transfers of high dynamic range, by their numbers in ISO/IEC 23091-2."""


@dataclass(frozen=True, slots=True)
class Streams:
    """What a film's packets say; times in seconds from the film's zero."""

    pictures: tuple[Fraction, ...]
    picture_start: Fraction
    picture_length: Fraction
    sound_start: Fraction | None
    sound_length: Fraction
    sound_ends: tuple[Fraction, ...]
    sound_rate: int
    size: tuple[int, int]
    form: str
    transfers: frozenset[int]
    others: int


def prove(
    file: Path,
    plan: Plan,
    *,
    takes: Mapping[str, Take],
    ffmpeg: Ffmpeg,
    loudness: float | None = None,
    true_peak: float = -1.0,
    level: Loudness | None = None,
    cancel: threading.Event | None = None,
) -> Proof:
    """Check a rendered film against its plan. Writes nothing.

    ``loudness`` (LUFS) and ``true_peak`` (dBTP) are what was wanted; ``level`` is what its encoded sound was measured
    at, where that was done already. A film of the plan at any tier's size will do.

    Raises:
        FfmpegStopped: ``cancel`` was set.
    """
    findings: list[Finding] = []
    try:
        streams = read(file)
    except Exception as error:  # noqa: BLE001 - whatever a broken file does to a demuxer, it is one finding
        findings.append(Finding(kind="error", what=f"the file cannot be read ({error})", do="render again"))
        return Proof(file=file, findings=tuple(findings))
    findings += hard(streams, plan)
    log, findings_decoding = decoded(file, ffmpeg, rate=plan.rate, cancel=cancel)
    findings.append(findings_decoding)
    if all(finding.kind != "error" for finding in findings):
        findings += _measured(
            file,
            replace(plan, size=streams.size),
            takes,
            ffmpeg=ffmpeg,
            log=log,
            wanted=loudness,
            true_peak=true_peak,
            level=level,
        )
    return Proof(file=file, findings=tuple(findings))


def _measured(
    file: Path,
    plan: Plan,
    takes: Mapping[str, Take],
    *,
    ffmpeg: Ffmpeg,
    log: str,
    wanted: float | None,
    true_peak: float,
    level: Loudness | None,
) -> Iterator[Finding]:
    film = probe(file)
    if film.sound:
        heard = measures.listener(film)
        yield from measures.in_step(heard, plan, takes)
        yield from measures.loudness(level or measure(ffmpeg, file), target=wanted, true_peak=true_peak)
        yield from measures.joins(heard, plan)
    yield from measures.burnt(film, plan, ffmpeg)
    yield from measures.dark_and_still(log, plan, takes)
    yield Finding(kind="skipped", what="words: the film was not transcribed back")


def read(file: Path) -> Streams:
    """Read what the packets of a film say."""
    import av

    with av.open(str(file)) as film:
        picture = film.streams.video[0]
        sound = film.streams.audio[0] if film.streams.audio else None
        shown: list[Fraction] = []
        heard: list[tuple[Fraction, Fraction]] = []
        for packet in film.demux([each for each in (picture, sound) if each is not None]):
            if packet.pts is None or not packet.size or packet.time_base is None:
                continue
            at = packet.pts * packet.time_base
            if packet.stream is picture:
                shown.append(at)
            else:
                heard.append((at, at + (packet.duration or 0) * packet.time_base))
        context = picture.codec_context
        jumps = tuple(two[0] - one[1] for one, two in pairwise(heard))
        return Streams(
            pictures=tuple(sorted(shown)),
            picture_start=_start(picture),
            picture_length=_length(picture),
            sound_start=None if sound is None else _start(sound),
            sound_length=Fraction(0) if sound is None else _length(sound),
            sound_ends=jumps,
            sound_rate=0 if sound is None else sound.codec_context.sample_rate,
            size=(context.width, context.height),
            form=f"{context.name} {context.pix_fmt}",
            transfers=frozenset({int(context.color_trc), _first_transfer(file)}),
            others=len(film.streams) - 1 - (sound is not None),
        )


def _first_transfer(file: Path) -> int:
    """Give the transfer that the first picture itself is tagged with: the container may say another."""
    import av

    with av.open(str(file)) as film:
        return next((int(frame.color_trc) for frame in film.decode(video=0)), 0)


def _start(stream: object) -> Fraction:
    start, base = getattr(stream, "start_time", None), getattr(stream, "time_base", None)
    return (start or 0) * (base or Fraction(1))


def _length(stream: object) -> Fraction:
    length, base = getattr(stream, "duration", None), getattr(stream, "time_base", None)
    return (length or 0) * (base or Fraction(1))


def hard(streams: Streams, plan: Plan) -> Iterator[Finding]:
    """Check what must hold for any film of a plan."""
    again = "render again; if it happens twice, delete edit/cache first"
    found = len(streams.pictures)
    yield _judged(found == plan.frames, f"{found} frames of {plan.frames} planned", again)
    late = next((k for k, at in enumerate(streams.pictures) if at != k / plan.rate), None)
    yield _judged(
        late is None,
        f"every frame k is shown at k/({rate_text(plan.rate)})"
        if late is None
        else f"frame {late} is shown at {float(streams.pictures[late]):.6f} s, planned {float(late / plan.rate):.6f}",
        again,
        None if late is None else late / plan.rate,
    )
    length = streams.picture_length
    yield _judged(
        length == plan.duration,
        f"the picture lasts {float(length):.6f} s of {float(plan.duration):.6f}",
        again,
    )
    sizes = {plan.size} | {plan.sized(tier.short).size for tier in TIERS.values()}
    width, height = streams.size
    yield _judged(streams.size in sizes, f"one size, {width}×{height}, and one form, {streams.form}", again)
    hdr = ", ".join(_HDR[number] for number in sorted(streams.transfers) if number in _HDR)
    yield _judged(not hdr, f"tagged HDR: {hdr}" if hdr else "tagged as standard range", again)
    yield _judged(streams.others == 0, f"{streams.others} streams beside picture and sound", again)
    yield from _heard(streams, plan, again)


def _heard(streams: Streams, plan: Plan, again: str) -> Iterator[Finding]:
    if streams.sound_start is None:
        yield Finding(kind="skipped", what="sound: the film has none")
        return
    planned = Fraction(plan.samples, SAMPLE_RATE)
    yield _judged(
        streams.sound_length == planned,
        f"the sound lasts {float(streams.sound_length):.6f} s of {float(planned):.6f}",
        again,
    )
    yield _judged(streams.sound_rate == SAMPLE_RATE, f"sound at {streams.sound_rate} Hz", again)
    jump = max((abs(each) for each in streams.sound_ends), default=Fraction(0))
    yield _judged(jump == 0, f"largest jump in the sound's timestamps {float(jump) * 1000:.3f} ms", again)
    apart = max(
        abs(streams.sound_start - streams.picture_start),
        abs(streams.sound_start + streams.sound_length - streams.picture_start - streams.picture_length),
    )
    yield _judged(apart <= APART, f"sound and picture lie {float(apart) * 1000:.3f} ms apart at most", again)


def _judged(good: bool, what: str, do: str, time: Fraction | None = None) -> Finding:  # noqa: FBT001 - reads as a sentence
    return Finding(
        kind="passed" if good else "error", what=what, do="" if good else do, time=None if good else time
    )


def decoded(
    file: Path, ffmpeg: Ffmpeg, *, rate: Fraction, cancel: threading.Event | None = None
) -> tuple[str, Finding]:
    """Decode the whole film: any complaint is an error. Gives the log too, with black and frozen stretches."""
    # Looking at some frames a second is enough, and costs a fifth.
    looks = f"framestep={max(1, round(rate / 6))},blackdetect=d=0.3:pix_th=0.06,freezedetect=n=-60dB:d=2"
    args = ["-v", "info", "-i", argument(file), "-map", "0", "-vf", looks, "-f", "null", "-"]
    try:
        log = ffmpeg.run(args, cancel=cancel).log
        complaints = [line for line in log.splitlines() if _COMPLAINT.search(line)]
    except FfmpegFailed as error:
        log, complaints = "", [str(error)]
    good = not complaints
    return log, _judged(
        good, "decodes without error" if good else f"decoding: {complaints[0].strip()}", "render again"
    )
