"""What a check found, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from cutbook.files import readable
from cutbook.timebase import decimals

Kind = Literal["error", "warning", "passed", "measured", "skipped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was checked.

    ``time`` is seconds of the film, None for the whole of it. ``do`` says what helps, "" where nothing is wrong.
    """

    kind: Kind
    what: str
    time: Fraction | None = None
    do: str = ""

    def __str__(self) -> str:
        at = f" at {decimals(self.time)} s" if self.time is not None else ""
        return f"{self.kind}{at}: {self.what}" + (f"; {self.do}" if self.do else "")

    def as_dict(self) -> dict[str, Any]:
        """Give plain data."""
        time = None if self.time is None else float(self.time)
        return {"kind": self.kind, "what": self.what, "time": time, "do": self.do}

    def exact(self) -> dict[str, Any]:
        """Give plain data from which :meth:`from_dict` makes the same finding."""
        return self.as_dict() | {"time": None if self.time is None else str(self.time)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Finding:
        """Read what :meth:`exact` gave."""
        time = data["time"]
        return cls(**{**data, "time": None if time is None else Fraction(time)})


@dataclass(frozen=True, slots=True, kw_only=True)
class CutPicture:
    """A picture of one cut: the film second, what meets there, and the file."""

    time: Fraction
    label: str
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Proof:
    """What a file says against what the edit says. ``report`` is the markdown file, where one was written."""

    file: Path
    findings: tuple[Finding, ...]
    cuts: tuple[CutPicture, ...] = ()
    report: Path | None = None

    @property
    def ok(self) -> bool:
        """Tell whether the film is what the edit says: no finding is an error."""
        return not any(finding.kind == "error" for finding in self.findings)

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that make the film wrong."""
        return tuple(finding for finding in self.findings if finding.kind == "error")

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """The findings that a person should look at."""
        return tuple(finding for finding in self.findings if finding.kind == "warning")

    @property
    def sentence(self) -> str:
        """The result in a sentence."""
        name = readable(self.file.name)
        if not self.ok:
            return f"{name} is wrong{str(self.errors[0]).removeprefix('error')}"
        passed = sum(finding.kind == "passed" for finding in self.findings)
        look = f", {len(self.warnings)} to look at" if self.warnings else ""
        return f"{name} is what the edit says ({passed} checks passed{look})."

    def _repr_html_(self) -> str:
        """Show the proof in a notebook."""
        from cutbook.render.report import page

        return page(self)

    def __repr__(self) -> str:
        """List what was found."""
        return "\n".join([self.sentence, *(f"  {finding}" for finding in self.findings)])

    def as_dict(self) -> dict[str, Any]:
        """Give plain data."""
        return {
            "file": readable(self.file),
            "ok": self.ok,
            "findings": [finding.as_dict() for finding in self.findings],
            "cuts": [
                {"time": float(cut.time), "label": cut.label, "path": readable(cut.path)} for cut in self.cuts
            ],
        }


def overtaken(proof: Proof) -> Proof:
    """Put first that the edit changed since the film was made; what else is wrong follows from that, without advice."""
    first = Finding(kind="error", what="the edit changed since this render", do="render again")
    plain = (replace(each, do="") if each.kind == "error" else each for each in proof.findings)
    return replace(proof, findings=(first, *plain))
