"""The captions beside the film: master.srt, master.vtt and master.ass, on the output's clock."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

from cutbook.files import write_atomic
from cutbook.render import ass
from cutbook.render.captions import misleading, right_to_left
from cutbook.render.plan import Plan
from cutbook.timebase import round_half_up

_RIGHT_TO_LEFT, _LEFT_TO_RIGHT, _POPPED = "\u202b", "\u202a", "\u202c"

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
        before, after = _embedding(cue.text)
        lines = "\\N".join(f"{before}{text(line)}{after}" for line in cue.lines)
        subtitles.append(pysubs2.SSAEvent(start=start, end=end, text=lines))
    # Without this option whatever stands in braces is taken for a tag and left out.
    return subtitles.to_string(form, keep_ssa_tags=True)


def _embedding(text: str) -> tuple[str, str]:
    """Give the marks around each line whose direction a player would not see by itself.

    Some players lay every line from left to right, others by its first letter; an embedding (UAX #9, X2 to X7) holds in
    both. WebVTT goes by the first letter, SRT says nothing of it.
    """
    if right_to_left(text):
        return _RIGHT_TO_LEFT, _POPPED
    return (_LEFT_TO_RIGHT, _POPPED) if misleading(text) else ("", "")


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
