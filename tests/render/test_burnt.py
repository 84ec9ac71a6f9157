from __future__ import annotations

import math
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

from cutbook.edit.take import Take
from cutbook.files import UserFolders, fingerprint
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.media.probe import probe
from cutbook.render.film import render
from cutbook.render.plan import plan
from cutbook.transcripts.model import Transcript, Word
from tests.render.footage import edl, pictures, span

SAID = ((0.213, 0.402), (0.402, 0.611), (0.95, 1.134), (1.377, 1.5))


@pytest.mark.parametrize("rate", [Fraction(24000, 1001), Fraction(120)])
def test_a_burnt_in_caption_stands_from_its_first_frame_to_its_last(
    rate: Fraction, any_ffmpeg: Path, folders: UserFolders, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """Each cue is in the pixels of exactly its frames, at any rate, and none is seen across a cut."""
    file = tmp_path / "dark.mp4"
    source = f"color=0x303030:size=320x180:rate={rate}:duration=2"
    coding = ("-c:v", "libx264", "-pix_fmt", "yuv420p")
    subprocess.run(
        [any_ffmpeg, "-v", "error", "-f", "lavfi", "-i", source, *coding, file], check=True, timeout=30
    )
    said = tuple(
        Word(n, f"W{n}.", Fraction(str(start)), Fraction(str(end)))
        for n, (start, end) in enumerate(SAID, start=1)
    )
    take = Take.given(
        "dark", probe(file), fingerprint(file, folders), transcript=Transcript(said, "en", "test", "none")
    )
    cut_at, begin = math.floor(Fraction("0.5") * rate), math.floor(Fraction("0.9") * rate)
    end = math.floor(Fraction("1.45") * rate)
    cut = edl(span("1", take, 0, cut_at, words=(1, 2)), span("2", take, begin, end, words=(3, 4)))
    planned = plan(cut, {"dark": take}, captions="bold-overlay")
    film = render(
        planned,
        takes={"dark": take},
        edit=tmp_path,
        output=tmp_path / "film.mp4",
        ffmpeg=one_runner,
        pictures=False,
    )
    lit = [k for k, picture in enumerate(pictures(film.path)) if (picture > 150).sum() > 20]
    shown: set[int] = set()
    for offset, low, high, words in ((0, 0, cut_at, SAID[:2]), (cut_at - begin, begin, end, SAID[2:])):
        for start, stop in words:
            first, last = math.floor(Fraction(str(start)) * rate), math.ceil(Fraction(str(stop)) * rate)
            shown |= {k + offset for k in range(max(first, low), min(last, high))}
    # Cues are held for their readers and bridged over short gaps: never shorter, never across a cut.
    assert shown <= set(lit)
    held = {k for cue in planned.cues for k in range(cue.start, cue.end)}
    assert lit == sorted(held)
    first_cues = [cue for cue in planned.cues if cue.start < cut_at]
    assert all(cue.end <= cut_at for cue in first_cues)
    assert planned.cues[0].start == math.floor(Fraction("0.213") * rate)
    assert [cue.text for cue in planned.cues] == ["W1.", "W2.", "W3.", "W4."]
