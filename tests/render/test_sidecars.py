from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pysubs2
import pytest

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


RLE, LRE, PDF = "\u202b", "\u202a", "\u202c"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("שלום עולם.", f"{RLE}שלום עולם.{PDF}"),
        ("YouTube أول فيلم في!", f"{RLE}YouTube أول فيلم في!{PDF}"),
        ("שלום means peace.", f"{LRE}שלום means peace.{PDF}"),
        ("Peace is שלום.", "Peace is שלום."),
        ("1, 2, 3.", "1, 2, 3."),
    ],
)
def test_lines_carry_their_direction_where_players_cannot_see_it(said: str, shown: str) -> None:
    """Right-to-left lines are embedded as such in SRT and WebVTT, and so are others whose first letter misleads."""
    texts = sidecars.texts(planned(said))
    assert texts[".srt"].splitlines()[2] == shown
    assert texts[".vtt"].splitlines()[4] == shown
    assert ("\\fe-1" in texts[".ass"]) == (shown[0] == RLE)


def test_each_line_of_a_cue_is_embedded_by_itself() -> None:
    """A player takes each line for a paragraph: both lines of a long Hebrew cue are marked, and each mark is closed."""
    long = "זה משפט ארוך מאוד שנשבר לשתי שורות כדי שיהיה קריא."
    lines = sidecars.texts(planned(long))[".srt"].splitlines()[2:4]
    assert [line[0] + line[-1] for line in lines] == [RLE + PDF] * 2


def test_sidecars_that_would_not_change_are_left_alone(tmp_path: Path) -> None:
    """Written again with the same cues, the files stay as they are; without words they are there and empty."""
    sidecars.write(planned("a."), tmp_path)
    before = (tmp_path / "master.srt").stat()
    sidecars.write(planned("a."), tmp_path)
    assert (tmp_path / "master.srt").stat().st_ino == before.st_ino
    sidecars.write(planned(), tmp_path)
    assert (tmp_path / "master.srt").read_text("utf-8").strip() == ""
