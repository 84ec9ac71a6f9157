"""What the file says against what the edit says: what must hold, and what is measured and shown."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

from cutbook.edit.take import Take
from cutbook.errors import UnreadableMedia
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.media.flaws import Flaw
from cutbook.media.probe import probe
from cutbook.media.sound import Loudness, measure
from cutbook.render import measures
from cutbook.render.cache import key
from cutbook.render.decoding import Decoded, Seen, Stretches, decode
from cutbook.render.findings import Finding, Proof
from cutbook.render.plan import Plan
from cutbook.render.prints import Packet, Prints, digest, runs, summed
from cutbook.render.tiers import TIERS
from cutbook.timebase import SAMPLE_RATE, decimals, rate_text

APART = Fraction(1, 1000)
"""Seconds that sound and picture may lie apart."""

ANEW = "copy the file again from where it was recorded, or cut around it"
"""What helps against damaged footage."""

RECIPE = "3"
"""Counts changes to what is checked, so that an older proof is not taken for a newer one."""

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
    turn: int
    packets: tuple[Packet, ...] = ()
    picture_form: bytes | None = None
    sound_print: str | None = None

    def prints(self, plan: Plan) -> Prints | None:
        """Give what the film is made of; None where it is not made of the plan's segments."""
        lengths = [segment.frames for segment in plan.segments]
        picture = runs(self.packets, lengths, rate=plan.rate, form=self.picture_form)
        return None if picture is None else Prints(picture, self.sound_print)


def prove(
    file: Path,
    plan: Plan,
    *,
    takes: Mapping[str, Take],
    ffmpeg: Ffmpeg,
    loudness: float | None = None,
    true_peak: float = -1.0,
    level: Loudness | None = None,
    made: Prints | None = None,
    seen: Seen | None = None,
    cancel: threading.Event | None = None,
) -> Proof:
    """Check a rendered film against its plan.

    ``loudness`` (LUFS) and ``true_peak`` (dBTP) are what was wanted; ``level`` is what its encoded sound was measured
    at, where that was done already. A film of the plan at any tier's size will do.

    Every packet is read. ``made`` is what the film was made of: then each must be what it was. What ``seen`` knows of
    the same packets is not decoded, and not measured, again.

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
    prints = streams.prints(plan)
    seen = seen or Seen()
    made = made or seen.made(file.name, prints)
    if made is not None:
        findings += as_made(prints, made, plan)
    good = all(finding.kind != "error" for finding in findings)
    findings += footage(prints, plan, seen)
    about = [(take.fingerprint.digest, take.track) for take in _used(plan, takes)]
    name = key(RECIPE, prints, str(plan), about, loudness, true_peak)
    known = seen.findings(name) if good and prints is not None else None
    if known is not None:
        return Proof(file=file, findings=(*findings, *known))
    lengths = [segment.frames for segment in plan.segments]
    found = decode(file, ffmpeg, rate=plan.rate, lengths=lengths, prints=prints, seen=seen, cancel=cancel)
    rest = [decoding(found)]
    if good and not found.complaints:
        rest += _measured(
            file,
            replace(plan, size=streams.size),
            takes,
            ffmpeg=ffmpeg,
            stretches=found.stretches,
            wanted=loudness,
            true_peak=true_peak,
            level=level,
        )
        if prints is not None:
            seen.keep_findings(name, rest)
    return Proof(file=file, findings=(*findings, *rest))


def _used(plan: Plan, takes: Mapping[str, Take]) -> list[Take]:
    names = [segment.part.source for segment in plan.segments] + [piece.source for piece in plan.pieces]
    return [takes[name] for name in dict.fromkeys(names)]


def footage(prints: Prints | None, plan: Plan, seen: Seen) -> Iterator[Finding]:
    """Tell what of the footage in the film did not decode whole when its segments and its sound were made."""
    if prints is None:
        return
    for segment, name in zip(plan.segments, prints.picture, strict=True):
        for flaw in seen.flaws(name):
            what = f"{flaw.name or segment.part.source} is damaged about {_about(flaw)}, seen in range {segment.number}"
            yield Finding(
                kind="warning",
                what=f"{what}: {_counted(flaw.count, 'picture')} not decode whole",
                do=ANEW,
                time=segment.first / plan.rate,
            )
    for flaw in seen.flaws(prints.sound):
        what = f"the sound of {flaw.name} is damaged about {_about(flaw)}: {_counted(flaw.count, 'packet')} not decode"
        yield Finding(kind="warning", what=what, do=ANEW)


def _counted(count: int, what: str) -> str:
    return f"1 {what} does" if count == 1 else f"{count} {what}s do"


def _about(flaw: Flaw) -> str:
    return f"{decimals(flaw.first, 2)}-{decimals(flaw.last, 2)} s"


def as_made(prints: Prints | None, made: Prints, plan: Plan) -> Iterator[Finding]:
    """Check that a film holds, byte for byte, what was encoded and decoded for it."""
    again = "the file was damaged or changed after it was made; render again"
    if prints is None or len(prints.picture) != len(made.picture):
        yield _judged(False, "the picture is not made of the segments that were encoded for it", again)  # noqa: FBT003
        return
    pairs = zip(plan.segments, prints.picture, made.picture, strict=True)
    odd = [segment for segment, one, two in pairs if one != two]
    for segment in odd:
        what = f"the picture of range {segment.number} ({segment.part.source}) is not what was encoded"
        yield _judged(False, what, again, segment.first / plan.rate)  # noqa: FBT003
    if prints.sound != made.sound:
        yield _judged(False, "the sound is not what was encoded", again)  # noqa: FBT003
    elif not odd:
        yield _judged(True, "every packet is what was encoded", again)  # noqa: FBT003


def _measured(
    file: Path,
    plan: Plan,
    takes: Mapping[str, Take],
    *,
    ffmpeg: Ffmpeg,
    stretches: Stretches,
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
    yield from measures.dark_and_still(stretches, plan, takes)
    yield Finding(kind="skipped", what="words: the film was not transcribed back; %check --words does")


def read(file: Path) -> Streams:
    """Read what the packets of a film say.

    Raises:
        UnreadableMedia: there is no picture in it. What is no film at all raises whatever the demuxer does.
    """
    import av

    with av.open(str(file)) as film:
        if not film.streams.video:
            raise UnreadableMedia("it holds no picture")
        picture = film.streams.video[0]
        sound = film.streams.audio[0] if film.streams.audio else None
        shown: list[Fraction] = []
        heard: list[tuple[Fraction, Fraction]] = []
        packets: list[Packet] = []
        heard_digests: list[bytes] = []
        for packet in film.demux([each for each in (picture, sound) if each is not None]):
            if packet.pts is None or not packet.size or packet.time_base is None:
                continue
            at = packet.pts * packet.time_base
            if packet.stream is picture:
                shown.append(at)
                packets.append(Packet(at, packet.is_keyframe, digest(bytes(packet))))
            else:
                heard_digests.append(digest(bytes(packet)))
                heard.append((at, at + (packet.duration or 0) * packet.time_base))
        context = picture.codec_context
        transfer, turn = _first_picture(file)
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
            transfers=frozenset({int(context.color_trc), transfer}),
            others=len(film.streams) - 1 - (sound is not None),
            turn=turn % 360,
            packets=tuple(packets),
            picture_form=context.extradata,
            sound_print=None if sound is None else summed(sound.codec_context.extradata, heard_digests),
        )


def _first_picture(file: Path) -> tuple[int, int]:
    """Give the transfer that the first picture itself is tagged with (the container may say another), and its turn."""
    import av

    with av.open(str(file)) as film:
        return next(((int(frame.color_trc), frame.rotation) for frame in film.decode(video=0)), (0, 0))


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
    yield _judged(
        not streams.turn, f"tagged to be turned by {streams.turn}°" if streams.turn else "upright", again
    )
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


def decoding(found: Decoded) -> Finding:
    """Say whether a film was decoded without a complaint."""
    if not found.complaints:
        return _judged(True, "decodes without error", "")  # noqa: FBT003
    time, what = found.complaints[0]
    return _judged(False, f"decoding: {what}", "render again", time)  # noqa: FBT003
