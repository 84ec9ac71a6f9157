from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pysubs2

from cutbook.edit.edl import Edl, Range
from cutbook.edit.take import Take
from cutbook.files import Fingerprint
from cutbook.render import sidecars
from cutbook.render.plan import Plan, plan
from cutbook.transcripts.model import Transcript, Word
from tests.render.test_plan import NTSC, take


def planned(*texts: str, frames: int = 90) -> Plan:
    """Plan a film in which each text is said for half a second, one a second."""
    words = tuple(
        Word(n + 1, text, Fraction(n), Fraction(n) + Fraction(1, 2)) for n, text in enumerate(texts)
    )
    base = take("A", NTSC)
    spoken = Take.given(
        "A", base.media, Fingerprint(1, "0"), transcript=Transcript(words, "en", "test", "none")
    )
    return plan(Edl(ranges=(Range(id="r-1", source="A", frames=(0, frames), rate=NTSC),)), {"A": spoken})


def test_sidecars_say_what_is_said_when_it_is_said(tmp_path: Path) -> None:
    """SRT, VTT and ASS hold every cue at its frames, whatever signs stand in the words."""
    made = planned("a{b}c.", "<i>x</i>.", "C:\\New.", frames=120)
    assert sidecars.write(made, tmp_path) == tuple(tmp_path / f"master{s}" for s in (".srt", ".vtt", ".ass"))
    srt, vtt, drawn = ((tmp_path / f"master{s}").read_text("utf-8") for s in (".srt", ".vtt", ".ass"))
    assert "a{b}c.\n" in srt
    assert "<i>x</i>.\n" in srt
    assert "C:\\\u2060New.\n" in srt
    assert "&lt;i&gt;x&lt;/i&gt;.\n" in vtt
    assert vtt.startswith("WEBVTT\n")
    assert "a\\{b\\}c." in drawn
    starts = [event.start for event in pysubs2.SSAFile.from_string(srt)]
    frames = [0, int(1 * NTSC), int(2 * NTSC)]
    assert starts == [round(frame / NTSC * 1000) for frame in frames]
    assert len(pysubs2.SSAFile.from_string(drawn)) == 3


def test_sidecars_that_would_not_change_are_left_alone(tmp_path: Path) -> None:
    """Written again with the same cues, the files stay as they are; without words they are there and empty."""
    sidecars.write(planned("a."), tmp_path)
    before = (tmp_path / "master.srt").stat()
    sidecars.write(planned("a."), tmp_path)
    assert (tmp_path / "master.srt").stat().st_ino == before.st_ino
    sidecars.write(planned(), tmp_path)
    assert (tmp_path / "master.srt").read_text("utf-8").strip() == ""
