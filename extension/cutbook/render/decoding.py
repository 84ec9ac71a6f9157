"""Decode a film and look at it: complaints, black and frozen stretches. The same packets are decoded once, ever."""

from __future__ import annotations

import contextlib
import json
import re
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from cutbook.errors import CannotWrite, FfmpegFailed
from cutbook.files import write_atomic
from cutbook.media.ffmpeg import Ffmpeg, argument
from cutbook.media.flaws import Flaw
from cutbook.render.cache import Cache, key
from cutbook.render.findings import Finding
from cutbook.render.labels import flaws
from cutbook.render.picture import time_scale
from cutbook.render.prints import Prints
from cutbook.timebase import Span

RECIPE = "1"
"""Counts changes to what is looked for here, so that older looks are not believed."""

_COMPLAINT = re.compile(
    r"\b(error|invalid|corrupt|missing|non[- ]monoton|concealing|overread)", re.IGNORECASE
)
_BLACK = re.compile(r"black_start:([\d.]+) black_end:([\d.]+)")
_FROZEN = re.compile(r"freeze_start: ([\d.]+)(?:.*?freeze_end: ([\d.]+))?", re.DOTALL)
_EVERY = Fraction(1, 6)
"""Seconds between looks: a few a second are enough, and cost a fifth of looking at all."""
_ROWS = "field,field"
"""Every fourth row is looked at, which costs a quarter: a picture is taken to be black, or still, when these are."""
_LONG = {"black": Fraction(3, 10), "frozen": Fraction(2)}
_REORDER = 3

Stretches = tuple[tuple[str, Span], ...]
"""What is ``black`` or ``frozen``, and when, in seconds."""


class Seen:
    """What was found when packets were decoded, by their print. Without a cache, nothing is known and nothing kept.

    ``hold`` is called before something is kept, and raises where that would not be true.
    """

    def __init__(self, cache: Cache | None = None, *, hold: Callable[[], None] = lambda: None) -> None:
        self._cache = cache
        self._hold = hold

    def look(self, name: str) -> Stretches | None:
        """Give what was seen in packets that decoded without a complaint; None where they were not decoded before."""
        found = self._read("look", name)
        try:
            return None if found is None else tuple((what, _span(low, high)) for what, low, high in found)
        except (TypeError, ValueError):
            return None

    def findings(self, name: str) -> tuple[Finding, ...] | None:
        """Give what a proof found; None where there was none of that name."""
        found = self._read("proof", name)
        try:
            return None if found is None else tuple(Finding.from_dict(each) for each in found)
        except (TypeError, ValueError, KeyError):
            return None

    def made(self, name: str, found: Prints | None) -> Prints | None:
        """Give what was encoded for the film of a name, unless what was ``found`` there shares nothing with it."""
        try:
            place = None if self._cache is None else self._cache.record(key("film", name))
            known = {} if place is None else json.loads(place.read_text("utf-8"))
            made = Prints(tuple(known["picture"]), known["sound"])
        except (OSError, ValueError, TypeError, KeyError):
            return None
        if found is None or len(found.picture) != len(made.picture):
            return None
        alike = set(found.picture) & set(made.picture) or (made.sound and found.sound == made.sound)
        return made if alike else None

    def flaws(self, name: str | None) -> tuple[Flaw, ...]:
        """Give what was damaged in the footage that packets were made of."""
        return () if self._cache is None or name is None else flaws(self._cache.record(name).parent, name)

    def keep_look(self, name: str, seen: Stretches) -> None:
        """Keep what was seen in packets that decoded well."""
        self._write("look", name, [(what, str(span.start), str(span.end)) for what, span in seen])

    def keep_findings(self, name: str, findings: Sequence[Finding]) -> None:
        """Keep what a proof found."""
        self._write("proof", name, [finding.exact() for finding in findings])

    def _place(self, kind: str, name: str) -> Path | None:
        return None if self._cache is None else self._cache.record(key(kind, RECIPE, name))

    def _read(self, kind: str, name: str) -> list[Any] | None:
        place = self._place(kind, name)
        try:
            found = None if place is None else json.loads(place.read_text("utf-8"))
        except (OSError, ValueError):
            return None
        return found if isinstance(found, list) else None

    def _write(self, kind: str, name: str, facts: object) -> None:
        place = self._place(kind, name)
        if place is not None:
            self._hold()
            # What cannot be kept is looked at again.
            with contextlib.suppress(CannotWrite):
                write_atomic(place, json.dumps(facts))


@dataclass(frozen=True, slots=True)
class Decoded:
    """What decoding a film gave: complaints (where, and what), and what is black or frozen for long."""

    complaints: tuple[tuple[Fraction | None, str], ...]
    stretches: Stretches


def decode(
    file: Path,
    ffmpeg: Ffmpeg,
    *,
    rate: Fraction,
    lengths: Sequence[int],
    prints: Prints | None,
    seen: Seen,
    cancel: threading.Event | None = None,
) -> Decoded:
    """Decode what was not decoded before; ``lengths`` are the frames of the film's segments.

    Without ``prints`` the film is none of such segments, and is decoded as a whole.
    """
    frames = sum(lengths)
    if prints is None:
        complaints, found = _run(["-i", argument(file), "-map", "0"], ffmpeg, rate, None, cancel)
        return Decoded(tuple((None, what) for what in complaints), _long(found))
    looks = [seen.look(name) for name in prints.picture]
    new: dict[str, int] = {}
    for number, name in enumerate(prints.picture):
        if looks[number] is None:
            new.setdefault(name, number)
    heard = prints.sound is None or seen.look(prints.sound) is not None
    if not new and heard:
        return Decoded((), _joined(looks, lengths, rate))
    wanted = sorted(new.values())
    counted = sum(lengths[number] for number in wanted)
    with tempfile.TemporaryDirectory(prefix="cutbook-") as name:
        part = Path(name) / "part.mp4"
        if 0 < counted < frames:
            excerpt(file, part, rate=rate, lengths=lengths, wanted=wanted)
        else:
            part = file
        args = ["-i", argument(part), *(() if part == file else ("-i", argument(file)))]
        args += [*(("-map", "0:v") if wanted else ())]
        args += [*(() if heard else ("-map", f"{int(part != file)}:a"))]
        complaints, found = _run(args, ffmpeg, rate, counted or None, cancel)
    if complaints:
        first = sum(lengths[: wanted[0]]) / rate if len(wanted) == 1 else None
        return Decoded(tuple((first, what) for what in complaints), ())
    begin = Fraction(0)
    for number in wanted:
        whole = Span(begin, begin + lengths[number] / rate)
        seen_here = tuple(
            (what, _shift(cut, -begin)) for what, span in found if (cut := _shared(span, whole))
        )
        seen.keep_look(prints.picture[number], seen_here)
        looks = [
            seen_here if name == prints.picture[number] else look
            for name, look in zip(prints.picture, looks, strict=True)
        ]
        begin = whole.end
    if prints.sound is not None:
        seen.keep_look(prints.sound, ())
    return Decoded((), _joined(looks, lengths, rate))


def _run(
    inputs: Sequence[str],
    ffmpeg: Ffmpeg,
    rate: Fraction,
    frames: int | None,
    cancel: threading.Event | None,
) -> tuple[list[str], Stretches]:
    """Decode; ``frames`` is how many pictures there must be, None where that is not known."""
    shown = 0

    def count(number: int) -> None:
        nonlocal shown
        shown = number

    step = max(1, round(rate * _EVERY))
    looks = f"framestep={step},{_ROWS},blackdetect=d=0.1:pix_th=0.06,freezedetect=n=-60dB:d=0.4"
    filters = ["-vf", f"split[all][some];[some]{looks},nullsink;[all]null"]
    try:
        log = ffmpeg.run(
            # Smoothing of blocks neither finds nor hides a fault, and is a tenth of the work.
            [
                "-v",
                "info",
                "-skip_loop_filter",
                "all",
                *inputs,
                *filters,
                "-fps_mode",
                "passthrough",
                "-f",
                "null",
                "-",
            ],
            on_frame=count,
            cancel=cancel,
        ).log
    except FfmpegFailed as error:
        return [str(error)], ()
    complaints = [line.strip() for line in log.splitlines() if _COMPLAINT.search(line)]
    if not complaints and frames is not None and shown != frames:
        complaints = [f"{shown} of {frames} pictures came out"]
    return complaints, tuple(
        (what, Span(Fraction(hit[1]), max(Fraction(hit[1]), Fraction(hit[2] or 10**9))))
        for what, mark in (("frozen", _FROZEN), ("black", _BLACK))
        for hit in mark.finditer(log)
    )


def excerpt(
    file: Path, output: Path, *, rate: Fraction, lengths: Sequence[int], wanted: Sequence[int]
) -> None:
    """Copy the packets of some segments of a film into a file of their own."""
    import av

    owner = [number for number, length in enumerate(lengths) for _ in range(length)]
    firsts = {number: sum(lengths[:number]) for number in wanted}
    begins: dict[int, int] = {}
    total = 0
    for number in wanted:
        begins[number] = total
        total += lengths[number]
    options = {"video_track_timescale": str(time_scale(rate))}
    with av.open(str(file)) as film, av.open(str(output), "w", format="mp4", options=options) as part:
        source = film.streams.video[0]
        target = part.add_stream_from_template(source)
        target.time_base = 1 / rate
        place = decoded = 0
        for packet in film.demux(source):
            if not packet.size or packet.pts is None or packet.time_base is None:
                continue
            number = owner[place]
            place += 1
            if number not in begins:
                continue
            frame = round(packet.pts * packet.time_base * rate)
            packet.stream = target
            packet.time_base = 1 / rate
            packet.pts, packet.dts = frame - firsts[number] + begins[number], decoded - _REORDER
            packet.duration = 1
            part.mux(packet)
            decoded += 1


def _shared(one: Span, two: Span) -> Span | None:
    low, high = max(one.start, two.start), min(one.end, two.end)
    return Span(low, high) if high > low else None


def _shift(span: Span, by: Fraction) -> Span:
    return Span(span.start + by, span.end + by)


def _span(low: str, high: str) -> Span:
    return Span(Fraction(low), Fraction(high))


def _joined(looks: Sequence[Stretches | None], lengths: Sequence[int], rate: Fraction) -> Stretches:
    """Put segments' stretches on the film's clock; black that goes on over a cut is one stretch."""
    laid: list[tuple[str, Span]] = []
    begin = Fraction(0)
    for look, length in zip(looks, lengths, strict=True):
        for what, span in look or ():
            here, last = _shift(span, begin), laid[-1] if laid else None
            # Looks are not at the cuts, so a stretch may seem to end a look before one.
            over = last is not None and here.start - begin <= _EVERY and begin - last[1].end <= _EVERY
            if last is not None and over and what == last[0] == "black" and last[1].start < begin:
                laid[-1] = (what, Span(last[1].start, here.end))
            else:
                laid.append((what, here))
        begin += length / rate
    return _long(tuple(laid))


def _long(stretches: Stretches) -> Stretches:
    return tuple((what, span) for what, span in stretches if span.duration >= _LONG[what])
