"""What is measured of a finished film: loudness, clicks, black and frozen pictures, captions in the pixels."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from cutbook.edit.take import Take
from cutbook.errors import CutbookError
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.media.frames import frames_at
from cutbook.media.probe import Media
from cutbook.media.sound import Loudness, samples
from cutbook.render import ass
from cutbook.render.captions import Cue
from cutbook.render.decoding import Stretches
from cutbook.render.findings import Finding
from cutbook.render.fonts import choose
from cutbook.render.plan import Piece, Plan, Segment
from cutbook.render.styles import BUTTONS_BELOW, BUTTONS_BESIDE
from cutbook.timebase import SAMPLE_RATE, Span, decimals, sample_at

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Mono = NDArray[np.float32]

Heard = Callable[[int, int], "Mono"]
"""Gives the film's samples [low, high) at 48 kHz, both sides as one."""

_NEAR = SAMPLE_RATE // 500
_AROUND = SAMPLE_RATE // 20
_CLICK = 4.0
_AUDIBLE = 0.05
_LISTENED = 24
_REACH = SAMPLE_RATE // 100
_ALIKE = 0.7
_SHORT = 600
_LEGIBLE, _FAINT = 0.7, 0.4
_TINY = 12
_SLIDES = Fraction(10)
"""Pictures a second at which cues are drawn to be looked for, one a picture."""


def loudness(found: Loudness, *, target: float | None, true_peak: float) -> Iterator[Finding]:
    """Say how loud the film is, and how high its peaks are."""
    if found.integrated_lufs <= -69.0:
        yield Finding(kind="measured", what="the sound is silent")
        return
    aim = "" if target is None else f" (wanted {target:.1f})"
    yield Finding(
        kind="measured", what=f"loudness {found.integrated_lufs:.1f} LUFS{aim}, range {found.range_lu:.1f} LU"
    )
    over = found.true_peak_db > true_peak
    yield Finding(
        kind="warning" if over else "measured",
        what=f"true peak {found.true_peak_db:.1f} dBTP (limit {true_peak:.1f})",
        do="lower loudness_lufs" if over else "",
    )


def listener(film: Media) -> Heard:
    """Open a film's sound for looking at parts of it; a film up to ten minutes is decoded once."""
    if film.duration <= _SHORT:
        whole = samples(film, 0, rate=SAMPLE_RATE)
        return lambda low, high: whole[max(0, low) : max(0, high)]
    return lambda low, high: samples(
        film,
        0,
        rate=SAMPLE_RATE,
        span=Span(Fraction(max(0, low), SAMPLE_RATE), Fraction(max(0, high), SAMPLE_RATE)),
    )


def joins(heard: Heard, plan: Plan) -> Iterator[Finding]:
    """Look for clicks: at a join, a jump in the waveform that its surroundings do not have."""
    import numpy as np

    worst = 0.0
    clicks = 0
    for frame, segment in zip(plan.cuts, plan.segments[1:], strict=True):
        at = sample_at(frame, plan.rate)
        first = max(0, at - _AROUND)
        steps = np.abs(np.diff(heard(first, at + _AROUND)))
        low, high = max(0, at - _NEAR - first), at + _NEAR - first
        near, around = steps[low:high], np.concatenate((steps[:low], steps[high:]))
        if not len(near) or not len(around):
            continue
        jump, usual = float(near.max()), float(around.max())
        worst = max(worst, jump)
        if jump > _AUDIBLE and jump > _CLICK * usual:
            clicks += 1
            yield Finding(
                kind="warning",
                what=f"a click where {_range(segment)} begins: the sound jumps by {jump:.2f} of full scale",
                time=frame / plan.rate,
                do="listen to the cut, and give it more pad",
            )
    if not clicks and plan.cuts:
        where = f"{len(plan.cuts)} join{'s' if len(plan.cuts) > 1 else ''}"
        yield Finding(kind="measured", what=f"no click at {where} (largest jump {worst:.3f} of full scale)")


def in_step(heard: Heard, plan: Plan, takes: Mapping[str, Take]) -> Iterator[Finding]:
    """Compare the film's sound with the sources', decoded another way: they must lie within a millisecond."""
    apart: list[Fraction] = []
    for piece in _spread([each for each in plan.pieces if takes[each.source].media.sound]):
        late = lateness(heard, piece, takes[piece.source])
        if late is None:
            continue
        apart.append(late)
        if abs(late) > Fraction(1, 1000):
            yield Finding(
                kind="error",
                what=f"the sound of {piece.source} is {float(late) * 1000:+.2f} ms late",
                time=Fraction(piece.first, SAMPLE_RATE),
                do="render again; if it happens twice, say so with the source's details",
            )
    if not apart:
        yield Finding(kind="skipped", what="sound against the sources: too quiet or too even to be compared")
    elif all(abs(late) <= Fraction(1, 1000) for late in apart):
        worst = max(abs(late) for late in apart)
        where = f"{len(apart)} place{'s' if len(apart) > 1 else ''}"
        yield Finding(
            kind="passed",
            what=f"sound in step with the sources at {where}, {float(worst) * 1000:.2f} ms apart at most",
        )


def lateness(heard: Heard, piece: Piece, take: Take) -> Fraction | None:
    """Give by how much the film's sound of a piece is late, in seconds; None where that cannot be told."""
    import numpy as np

    length = min(piece.samples - piece.fade_in - piece.fade_out, SAMPLE_RATE)
    if length < SAMPLE_RATE // 10:
        return None
    begin = piece.fade_in + (piece.samples - piece.fade_in - piece.fade_out - length) // 2
    part = heard(piece.first + begin, piece.first + begin + length)
    start = piece.start + Fraction(begin - _REACH, SAMPLE_RATE)
    if start < 0 or len(part) < length:
        return None
    end = start + Fraction(length + 2 * _REACH, SAMPLE_RATE)
    known = samples(take.media, take.track, rate=SAMPLE_RATE, span=Span(start, end)).astype(np.float64)
    if len(known) < length + 2 * _REACH or not part.any():
        return None
    # What wraps around lies beyond the shifts that are looked at.
    size = 1 << (len(known) - 1).bit_length()
    cross = np.fft.irfft(np.fft.rfft(known, size) * np.conj(np.fft.rfft(part.astype(np.float64), size)), size)
    sums = np.concatenate(([0.0], np.cumsum(known**2)))
    power = np.sqrt(
        np.maximum(sums[length:] - sums[:-length], 1e-12) * float((part.astype(np.float64) ** 2).sum())
    )
    likeness = cross[: 2 * _REACH + 1] / power[: 2 * _REACH + 1]
    best = int(likeness.argmax())
    # An even tone is like itself a period later: only a single clear peak tells a place.
    rivals = np.delete(likeness, slice(max(0, best - 48), best + 49))
    if likeness[best] < _ALIKE or (len(rivals) and rivals.max() > 0.9 * likeness[best]):
        return None
    return Fraction(_REACH - best, SAMPLE_RATE)


def _range(segment: Segment) -> str:
    """Name a range by its place among those kept."""
    return f"the film's range {segment.number} ({segment.part.source})"


def _spread(pieces: Sequence[Piece]) -> list[Piece]:
    step = max(1, -(-len(pieces) // _LISTENED))
    return list(pieces[::step])


def dark_and_still(stretches: Stretches, plan: Plan, takes: Mapping[str, Take]) -> Iterator[Finding]:
    """Say where the film is black or frozen, and whether the source is so too."""
    seen = 0
    for what, span in stretches:
        end = min(span.end, plan.duration)
        segment = next(
            (s for s in plan.segments if s.first <= (span.start + end) / 2 * plan.rate < s.end), None
        )
        if segment is None:
            continue
        seen += 1
        low = max(span.start, segment.first / plan.rate)
        high = min(end, segment.end / plan.rate)
        covered = any(
            each.start_in_output < high and each.start_in_output + each.duration > low
            for each in plan.overlays
        )
        own = covered or _source_is(
            what, segment, Span(low, max(low, high)), plan, takes[segment.part.source]
        )
        like = "under an overlay" if covered else "like the source" if own else "unlike the source"
        yield Finding(
            kind="measured" if own else "warning",
            what=f"{what} for {decimals(end - span.start)} s in {_range(segment)}, {like}",
            time=span.start,
            do="" if own else "look at it, and render again",
        )
    if not seen:
        yield Finding(kind="measured", what="no black and no frozen picture")


def _source_is(what: str, segment: Segment, span: Span, plan: Plan, take: Take) -> bool:
    import numpy as np

    if take.media.picture is None:
        return True
    begin = segment.part.start - segment.first / plan.rate
    # The stretch is known to a few frames alone: not all of the film is looked at.
    inset = min(span.duration / 4, Fraction(3, 10))
    times = [span.start + begin + inset, span.middle + begin, span.end + begin - inset]
    shown = [np.asarray(each, np.float64) for each in frames_at(take.media, times, height=90)]
    if what == "black":
        return bool(np.mean([each.mean() for each in shown]) < 40)
    return bool(max(np.abs(one - two).mean() for one, two in pairwise(shown)) < 2)


def burnt(film: Media, plan: Plan, ffmpeg: Ffmpeg) -> Iterator[Finding]:
    """Look for the captions in the film's pixels: the first, the last and the longest cue, and inside the canvas."""
    if not plan.burn or not plan.cues:
        yield Finding(kind="skipped", what="captions in the pixels: none are burnt in")
        return
    cues = plan.cues
    chosen = sorted({cues[0], cues[-1], max(cues, key=lambda cue: len(cue.text))}, key=lambda cue: cue.start)
    try:
        drawn = _drawn(chosen, plan, ffmpeg)
    except CutbookError as error:
        yield Finding(kind="skipped", what=f"captions in the pixels: {error}")
        return
    times = [(cue.start + cue.end - 1) // 2 / plan.rate for cue in chosen]
    shown = frames_at(film, times, height=plan.size[1])
    for cue, mask, picture in zip(chosen, drawn, shown, strict=True):
        yield _compared(cue, mask, picture, plan)


def _compared(cue: Cue, mask: NDArray[np.uint8], picture: NDArray[np.uint8], plan: Plan) -> Finding:
    import numpy as np

    time = cue.start / plan.rate
    ink = np.abs(mask.astype(np.int16) - 128) > 60
    if not ink.any():
        return Finding(
            kind="error", what=f"the caption “{cue.text}” draws nothing", time=time, do="choose another font"
        )
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    where = _misplaced(rows, columns, mask.shape)
    if where:
        return Finding(kind="warning", what=f"the caption “{cue.text}” {where[0]}", time=time, do=where[1])
    luma = picture[:, : mask.shape[1]].astype(np.float64) @ np.array([0.2126, 0.7152, 0.0722])
    even = not (luma[ink].std() > 0 and mask[ink].std() > 0)
    likeness = 0.0 if even else float(np.corrcoef(luma[ink], mask[ink])[0, 1])
    if likeness >= _LEGIBLE:
        return Finding(kind="passed", what=f"the caption “{cue.text}” is in the pixels", time=time)
    if plan.style.size * min(plan.size) < _TINY:
        return Finding(
            kind="skipped", what=f"the caption “{cue.text}” is too small to be looked for", time=time
        )
    what, wrong = (f"the caption “{cue.text}” is {how} in the pixels" for how in ("faint", "not"))
    if likeness >= _FAINT:
        return Finding(
            kind="warning", what=what, time=time, do="look at it, and choose another size or grade"
        )
    return Finding(kind="error", what=wrong, time=time, do="render again")


def _misplaced(
    rows: NDArray[np.intp], columns: NDArray[np.intp], shape: tuple[int, ...]
) -> tuple[str, str] | None:
    """Say where letters lie that should not, and what helps; None where they lie well."""
    height, width = shape
    if rows[0] == 0 or columns[0] == 0 or rows[-1] == height - 1 or columns[-1] == width - 1:
        return "touches the picture's edge", "make `size` smaller"
    below, beside = height * (1 - BUTTONS_BELOW), width * (1 - BUTTONS_BESIDE)
    if height > width and (rows[-1] >= below or columns[-1] >= beside or columns[0] < width - beside):
        what = "lies where a vertical player has its own texts and buttons"
        return what, "make `tall_margin` or `tall_side` larger"
    return None


def _drawn(cues: Sequence[Cue], plan: Plan, ffmpeg: Ffmpeg) -> list[NDArray[np.uint8]]:
    """Draw cues on gray, each alone on a picture of its own."""
    import numpy as np

    width, height = plan.size
    fonts = choose([cue.text for cue in cues], plan.style)
    apart = [Cue(number, number + 1, cue.lines) for number, cue in enumerate(cues)]
    with tempfile.TemporaryDirectory(prefix="cutbook-") as name:
        place = Path(name)
        (place / "fonts").mkdir()
        for number, font in enumerate(fonts.fonts):
            shutil.copyfile(font.file, place / "fonts" / f"{number}{font.file.suffix}")
        text = ass.document(apart, style=plan.style, size=plan.size, rate=_SLIDES, font=fonts.family)
        (place / "c.ass").write_text(text, encoding="utf-8")
        source = f"color=0x808080:size={width}x{height}:rate={_SLIDES}"
        filters = "format=gray,ass=c.ass:fontsdir=fonts,format=gray"
        done = ffmpeg.run(
            [
                *("-f", "lavfi", "-i", source, "-vf", filters),
                *("-frames:v", str(len(cues)), "-f", "rawvideo", "-"),
            ],
            cwd=place,
            capture=True,
        )
    return list(np.frombuffer(done.stdout, np.uint8).reshape(len(cues), height, width))
