"""The captions beside the film: master.srt, master.vtt and master.ass, on the output's clock."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
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
    drawn = ass.document(plan.cues, style=plan.style, size=plan.size, rate=plan.rate)
    return {".srt": _written("srt", plan, _plain), ".vtt": _written("vtt", plan, _marked), ".ass": drawn}


def _written(form: str, plan: Plan, text: Callable[[str], str]) -> str:
    import pysubs2

    subtitles = pysubs2.SSAFile()
    for cue in plan.cues:
        start, end = milliseconds(cue.start, plan.rate), milliseconds(cue.end, plan.rate)
        lines = "\\N".join(text(line) for line in cue.lines)
        subtitles.append(pysubs2.SSAEvent(start=start, end=end, text=lines))
    # Without this option whatever stands in braces is taken for a tag and left out.
    return subtitles.to_string(form, keep_ssa_tags=True)


def _plain(line: str) -> str:
    """Write a line so that no backslash of it is read as a line end."""
    return re.sub(r"\\(?=[Nnh])", "\\\\\u2060", " ".join(line.split()))


def _marked(line: str) -> str:
    return _plain(html.escape(line, quote=False))


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
