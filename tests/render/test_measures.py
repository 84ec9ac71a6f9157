from __future__ import annotations

import subprocess
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cutbook.edit.take import Take
from cutbook.files import UserFolders
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.render import measures
from cutbook.render.film import render
from cutbook.render.findings import Finding
from cutbook.render.plan import plan
from cutbook.render.proof import prove
from cutbook.transcripts.model import Word
from tests.render.footage import RATE, Clip, edl, film, span

PAL = Fraction(25)


@pytest.fixture
def moving(folders: UserFolders, any_ffmpeg: Path, tmp_path: Path) -> dict[str, Take]:
    """Return a take in which each frame differs, but for a second of black and three that stand still."""
    # Of 300 frames 50 to 74 are black, and 100 to 174 show the frame before them.
    black = "geq=lum='if(between(N,50,74),16,p(X,Y))':cb=128:cr=128"
    still = "select='not(between(n,100,174))',fps=25:start_time=0"
    clip = film(
        tmp_path / "moving.mp4",
        any_ffmpeg,
        rate=PAL,
        frames=300,
        filters=f"noise=alls=20:allf=t,{black},{still}",
    )
    return {"moving": replace(clip, frames=300).take("moving", folders)}


def sounding(sound: np.ndarray[Any, Any]) -> measures.Heard:
    """Give samples as a listener hears them."""
    return lambda low, high: np.asarray(sound[max(0, low) : max(0, high)], np.float32)


def found(proof: tuple[Finding, ...], word: str) -> list[Finding]:
    """Give the findings that speak of a thing."""
    return [each for each in proof if word in each.what]


def test_a_click_at_a_join_is_found_with_its_range(clips: dict[str, Clip], folders: UserFolders) -> None:
    """A jump of half of full scale where the third range begins is a warning there; a steady tone has none."""
    takes = {"pal": clips["pal"].take("pal", folders)}
    planned = plan(edl(*(span(str(n), takes["pal"], 25 * n, 25 * n + 20) for n in range(4))), takes)
    tone = 0.3 * np.sin(2 * np.pi * 200 * np.arange(planned.samples) / RATE)
    (calm,) = measures.joins(sounding(tone), planned)
    assert (calm.kind, calm.what[:21]) == ("measured", "no click at 3 joins (")
    at = 40 * RATE // 25
    tone[at:] = -tone[at:] + 0.5
    (click,) = measures.joins(sounding(tone), planned)
    assert (click.kind, click.time) == ("warning", Fraction(40, 25))
    assert click.what.startswith("a click where the film's range 3 (pal) begins: the sound jumps by 0.5")
    assert click.do == "listen to the cut, and give it more pad"


def test_black_and_still_pictures_of_the_source_are_told_and_are_no_fault(
    moving: dict[str, Take], one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """Where the take is black or stands still, the film says so with time and range, and nothing is wrong."""
    planned = plan(edl(span("1", moving["moving"], 10, 90), span("2", moving["moving"], 90, 200)), moving)
    made = render(
        planned, takes=moving, edit=tmp_path, output=tmp_path / "film.mp4", ffmpeg=one_runner, pictures=False
    )
    (dark,) = found(made.proof.findings, "black for")
    assert dark.kind == "measured"
    assert float(dark.time or 0) == pytest.approx(40 / 25, abs=0.15)
    assert dark.what.endswith(" s in the film's range 1 (moving), like the source")
    # Frame 99 stands from 99 to 174, three seconds; the second range begins with frame 90.
    (frozen,) = found(made.proof.findings, "frozen for")
    assert frozen.kind == "measured"
    assert float(frozen.time or 0) == pytest.approx((80 + 9) / 25, abs=0.15)
    assert frozen.what.endswith(" s in the film's range 2 (moving), like the source")
    for each, length in ((dark, 1), (frozen, 3)):
        assert float(each.what.split()[2]) == pytest.approx(length, abs=0.3)


@pytest.mark.parametrize(
    ("fault", "word"),
    [
        ("drawbox=c=black:t=fill:enable='between(n,20,50)'", "black"),
        ("select='not(between(n,21,90))',fps=25:start_time=0", "frozen"),
    ],
)
def test_black_and_frozen_pictures_that_the_source_has_not_are_warned_of(
    fault: str, word: str, folders: UserFolders, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """A film that is black or stands still where its take moves is to be looked at, from the right second on."""
    noisy = film(
        tmp_path / "noisy.mp4", one_runner.path, rate=PAL, frames=100, filters="noise=alls=30:allf=t"
    )
    takes = {"noisy": noisy.take("noisy", folders)}
    planned = plan(edl(span("1", takes["noisy"], 0, 100), span("2", takes["noisy"], 50, 90)), takes)
    made = render(
        planned, takes=takes, edit=tmp_path, output=tmp_path / "film.mp4", ffmpeg=one_runner, pictures=False
    )
    assert [each.what for each in found(made.proof.findings, "no black")] == [
        "no black and no frozen picture"
    ]
    wrong = tmp_path / "wrong.mp4"
    coding = ["-c:v", "libx264", "-crf", "4", "-pix_fmt", "yuv420p", "-frames:v", "140", "-c:a", "copy"]
    command: list[str | Path] = [
        one_runner.path,
        "-v",
        "error",
        "-i",
        made.path,
        "-vf",
        fault,
        *coding,
        wrong,
    ]
    subprocess.run(command, check=True, timeout=60)
    proof = prove(wrong, planned, takes=takes, ffmpeg=one_runner)
    assert found(proof.warnings, f"{word} for"), proof.findings
    (first, *_) = found(proof.warnings, f"{word} for")
    assert first.what.endswith("in the film's range 1 (noisy), unlike the source")
    assert float(first.time or 0) == pytest.approx(20 / 25, abs=0.15)
    assert first.do == "look at it, and render again"


@pytest.mark.parametrize(
    ("changes", "warned"),
    [({}, False), ({"tall_margin": 0.05}, True), ({"tall_side": 0.0, "columns": 60}, True)],
)
def test_captions_under_a_vertical_player_s_buttons_are_warned_of(  # noqa: PLR0917 - fixtures
    changes: dict[str, Any],
    warned: bool,  # noqa: FBT001 - a case of the test
    clips: dict[str, Clip],
    folders: UserFolders,
    one_runner: Ffmpeg,
    tmp_path: Path,
) -> None:
    """On a vertical canvas the styles' own places are clear; lower or wider ones are named with what to change."""
    said = (Word(1, "Wider words than buttons allow", Fraction(0), Fraction(1)),)
    takes = {"pal": replace(clips["pal"], words=said).take("pal", folders)}
    cut = edl(span("1", takes["pal"], 0, 30), captions={"style": "natural-sentence", "size": 0.06, **changes})
    made = render(
        plan(cut, takes, size=(270, 480)),
        takes=takes,
        edit=tmp_path,
        output=tmp_path / "film.mp4",
        ffmpeg=one_runner,
        pictures=False,
    )
    assert bool(found(made.proof.warnings, "has its own texts and buttons")) == warned
    assert made.proof.ok
