"""The proof for people: a picture of every cut, a markdown file and a page."""

from __future__ import annotations

import base64
import html
import shutil
import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from cutbook.edit.take import Take
from cutbook.files import write_atomic
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.media.frames import frames_at
from cutbook.media.probe import Media, probe
from cutbook.render import measures
from cutbook.render.findings import CutPicture, Finding, Proof
from cutbook.render.plan import Plan
from cutbook.render.proof import prove
from cutbook.timebase import SAMPLE_RATE, clock, decimals

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL import Image as Pillow

AROUND = Fraction(3, 2)
"""Seconds shown before and after a cut."""

_HEIGHT = 90
_WAVE = 36
_MARKS = {"error": "✗", "warning": "!", "passed": "✓", "measured": "·", "skipped": "–"}


def check(
    file: Path,
    plan: Plan,
    *,
    takes: Mapping[str, Take],
    edit: Path,
    ffmpeg: Ffmpeg,
    loudness: float | None = None,
    true_peak: float = -1.0,
    pictures: bool = True,
    cancel: threading.Event | None = None,
) -> Proof:
    """Prove a film and write ``edit/verify/check.md`` and ``check.html``, with a picture of every cut.

    Raises:
        FfmpegStopped: ``cancel`` was set.
    """
    proof = prove(
        file, plan, takes=takes, ffmpeg=ffmpeg, loudness=loudness, true_peak=true_peak, cancel=cancel
    )
    return publish(proof, plan, edit=edit, pictures=pictures)


def publish(proof: Proof, plan: Plan, *, edit: Path, pictures: bool = True) -> Proof:
    """Write a proof's report into ``edit/verify``; gives the proof with the places of what was written."""
    place = edit / "verify"
    readable = proof.ok and pictures
    cuts = tuple(draw_cuts(proof.file, plan, place / "cuts")) if readable else ()
    proof = replace(proof, cuts=cuts, report=place / "check.md")
    write_atomic(place / "check.md", markdown(proof))
    write_atomic(place / "check.html", f"<!doctype html><meta charset=utf-8><title>{html.escape(proof.file.name)}</title>{page(proof)}")
    return proof


def markdown(proof: Proof) -> str:
    """Write a proof as markdown; pictures are linked relative to ``edit/verify``."""
    lines = [f"# Check of {proof.file.name}", "", proof.sentence, ""]
    for title, kinds in _GROUPS:
        found = [finding for finding in proof.findings if finding.kind in kinds]
        if found:
            lines += [f"## {title}", "", *(f"- {_line(finding)}" for finding in found), ""]
    if proof.cuts:
        lines += [f"## Cuts ({decimals(AROUND, 1)} s on either side)", ""]
        for cut in proof.cuts:
            lines += [f"{clock(cut.time)} ({decimals(cut.time)} s) {cut.label}", "", f"![cut](cuts/{cut.path.name})", ""]
    return "\n".join(lines)


_GROUPS = (
    ("Wrong", ("error",)),
    ("To look at", ("warning",)),
    ("Holds", ("passed",)),
    ("Measured", ("measured",)),
    ("Skipped", ("skipped",)),
)


def _line(finding: Finding) -> str:
    at = f"{decimals(finding.time)} s: " if finding.time is not None else ""
    return f"{at}{finding.what}" + (f" ({finding.do})" if finding.do else "")


def page(proof: Proof) -> str:
    """Write a proof as HTML that stands alone, its pictures inside."""
    colour = "#2e7d32" if proof.ok else "#c62828"
    rows = "".join(
        f"<tr><td>{_MARKS[finding.kind]}</td><td>{finding.kind}</td>"
        f"<td style='text-align:left'>{html.escape(_line(finding))}</td></tr>"
        for title, kinds in _GROUPS
        for finding in proof.findings
        if finding.kind in kinds
    )
    cuts = "".join(_figure(cut) for cut in proof.cuts)
    shown = f"<details><summary>{len(proof.cuts)} cuts</summary>{cuts}</details>" if proof.cuts else ""
    return (
        f"<div class='cutbook-proof'><p style='color:{colour}'><b>{html.escape(proof.sentence)}</b></p>"
        f"<table>{rows}</table>{shown}</div>"
    )


def _figure(cut: CutPicture) -> str:
    try:
        data = base64.b64encode(cut.path.read_bytes()).decode()
    except OSError:
        return ""
    text = f"{decimals(cut.time)} s {cut.label}"
    return (
        f"<figure style='margin:6px 0'><img style='max-width:100%' src='data:image/jpeg;base64,{data}' "
        f"alt='{html.escape(text, quote=True)}'><figcaption>{html.escape(text)}</figcaption></figure>"
    )


def draw_cuts(file: Path, plan: Plan, place: Path) -> Iterator[CutPicture]:
    """Draw the film around each cut into ``place``: pictures before and after it, and the sound's waveform."""
    if place.is_dir():
        shutil.rmtree(place, ignore_errors=True)
    if len(plan.segments) < 2:  # noqa: PLR2004 - one segment has no cut
        return
    place.mkdir(parents=True, exist_ok=True)
    film = probe(file)
    heard = measures.listener(film) if film.sound else None
    moments = [_moments(frame, plan) for frame in plan.cuts]
    shown = frames_at(film, [time for each in moments for time in each], height=_HEIGHT)
    each = len(moments[0])
    for number, (frame, two) in enumerate(zip(plan.cuts, plan.segments[1:], strict=True), start=1):
        one = plan.segments[number - 1]
        time = frame / plan.rate
        strip = _strip(shown[(number - 1) * each : number * each])
        image = _with_wave(strip, heard, time, film)
        path = place / f"cut_{number:03d}.jpg"
        image.save(path, "JPEG", quality=80)
        label = f"{one.part.source} → {two.part.source}" + (f" ({two.part.beat})" if two.part.beat else "")
        yield CutPicture(time=time, label=label, path=path)


def _moments(frame: int, plan: Plan) -> list[Fraction]:
    """Give six times around a cut, the middle two on its last and its first frame."""
    at = frame / plan.rate
    tick = 1 / plan.rate
    wanted = (at - AROUND, at - AROUND / 2, at - tick, at, at + AROUND / 2, at + AROUND)
    return [min(max(Fraction(0), time), plan.duration - tick) for time in wanted]


def _strip(images: list[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    import numpy as np

    gap = np.full((images[0].shape[0], 2, 3), 255, np.uint8)
    red = np.full((images[0].shape[0], 4, 3), (220, 30, 30), np.uint8)
    half = len(images) // 2
    parts = [part for image in images[:half] for part in (image, gap)][:-1] + [red]
    parts += [part for image in images[half:] for part in (image, gap)][:-1]
    return np.concatenate(parts, axis=1)


def _with_wave(
    strip: NDArray[np.uint8], heard: measures.Heard | None, time: Fraction, film: Media
) -> Pillow.Image:
    import numpy as np
    from PIL import Image

    height, width = strip.shape[:2]
    wave = np.full((_WAVE, width, 3), 250, np.uint8)
    if heard is not None:
        low = round((time - AROUND) * SAMPLE_RATE)
        high = min(round((time + AROUND) * SAMPLE_RATE), round(film.duration * SAMPLE_RATE))
        found = heard(max(0, low), high)
        whole = np.zeros(round(2 * AROUND * SAMPLE_RATE), np.float32)
        begin = max(0, -low)
        whole[begin : begin + len(found)] = found[: len(whole) - begin]
        edges = np.linspace(0, len(whole), width + 1).astype(int)
        for column in range(width):
            peak = float(np.abs(whole[edges[column] : edges[column + 1]]).max(initial=0))
            half = round(peak * (_WAVE // 2 - 1))
            wave[_WAVE // 2 - half : _WAVE // 2 + half + 1, column] = (70, 90, 120)
    wave[:, width // 2 - 1 : width // 2 + 1] = (220, 30, 30)
    return Image.fromarray(np.concatenate((strip, wave), axis=0))
