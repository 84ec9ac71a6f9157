"""The proof for people, as markdown and as a page."""

from __future__ import annotations

import base64
import html
from typing import TYPE_CHECKING

from cutbook.files import readable
from cutbook.timebase import clock, decimals

if TYPE_CHECKING:
    from cutbook.render.findings import CutPicture, Finding, Proof

_MARKS = {"error": "✗", "warning": "!", "passed": "✓", "measured": "·", "skipped": "–"}


def markdown(proof: Proof) -> str:
    """Write a proof as markdown; pictures are linked relative to ``edit/verify``."""
    lines = [f"# Check of {readable(proof.file.name)}", "", proof.sentence, ""]
    for title, kinds in _GROUPS:
        found = [finding for finding in proof.findings if finding.kind in kinds]
        if found:
            lines += [f"## {title}", "", *(f"- {_line(finding)}" for finding in found), ""]
    if proof.cuts:
        lines += ["## Cuts", ""]
        for cut in proof.cuts:
            lines += [
                f"{clock(cut.time)} ({decimals(cut.time)} s) {cut.label}",
                "",
                f"![cut](cuts/{cut.path.name})",
                "",
            ]
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
    open_rows = _rows(proof, {"error", "warning", "skipped"})
    folded = _rows(proof, {"passed", "measured"})
    cuts = "".join(_figure(cut) for cut in proof.cuts)
    many = f"{len(proof.cuts)} cut{'s' if len(proof.cuts) > 1 else ''}"
    shown = f"<details><summary>{many}</summary>{cuts}</details>" if proof.cuts else ""
    return (
        f"<div class='cutbook-proof'><p style='color:{colour}'><b>{html.escape(proof.sentence)}</b></p>"
        f"<table>{open_rows}</table>"
        f"<details><summary>what was checked and measured</summary><table>{folded}</table></details>{shown}</div>"
    )


def _rows(proof: Proof, wanted: set[str]) -> str:
    left = "style='text-align:left'"
    return "".join(
        f"<tr><td>{_MARKS[finding.kind]}</td><td {left}>{finding.kind}</td>"
        f"<td {left}>{html.escape(_line(finding))}</td></tr>"
        for _, kinds in _GROUPS
        for finding in proof.findings
        if finding.kind in kinds and finding.kind in wanted
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
