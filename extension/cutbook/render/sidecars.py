"""The captions beside the film: master.srt, master.vtt and master.ass, on the output's clock."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from cutbook.files import write_atomic
from cutbook.render import ass
from cutbook.render.plan import Plan
from cutbook.timebase import round_half_up

STEM = "master"
"""The sidecars' name without its suffix."""


def texts(plan: Plan) -> dict[str, str]:
    """Give the text of each sidecar by its suffix."""
    import pysubs2

    subtitles = pysubs2.SSAFile()
    for cue in plan.cues:
        subtitles.append(
            pysubs2.SSAEvent(
                start=milliseconds(cue.start, plan.rate),
                end=milliseconds(cue.end, plan.rate),
                text="\\N".join(ass.escaped(line) for line in cue.lines),
            )
        )
    drawn = ass.document(plan.cues, style=plan.style, size=plan.size, rate=plan.rate)
    return {".srt": subtitles.to_string("srt"), ".vtt": subtitles.to_string("vtt"), ".ass": drawn}


def milliseconds(frame: int, rate: Fraction) -> int:
    """Give the whole millisecond nearest to a frame's beginning."""
    return round_half_up(frame / rate * 1000)


def write(plan: Plan, edit: Path) -> tuple[Path, ...]:
    """Write the sidecars into ``edit``; those that would not change are left alone."""
    written = []
    for suffix, text in texts(plan).items():
        path = edit / f"{STEM}{suffix}"
        data = text.encode()
        if not path.is_file() or path.read_bytes() != data:
            write_atomic(path, data)
        written.append(path)
    return tuple(written)
