from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cutbook.errors import UnreadableMedia
from cutbook.files import UserFolders
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.media.probe import probe
from cutbook.render.check import check
from cutbook.render.film import Film, render
from cutbook.render.plan import Plan, plan
from cutbook.render.proof import prove
from tests.render.footage import Clip, _tag, edl, span
from tests.render.test_cache import words


@pytest.fixture(scope="module")
def made(
    clips: dict[str, Clip], folders: UserFolders, one_runner: Ffmpeg, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Film, Plan, dict[str, Any]]:
    """Return a film with captions, its plan and its takes."""
    spoken = replace(clips["pal"], words=words(0.2, 1.0, 2.0))
    takes: dict[str, Any] = {"pal": spoken.take("pal", folders), "ntsc": clips["ntsc"].take("ntsc", folders)}
    cut = edl(span("00001", takes["pal"], 0, 40, beat="HOOK"), span("00002", takes["ntsc"], 10, 30))
    planned = plan(cut, takes, size=(320, 180), captions="bold-overlay")
    place = tmp_path_factory.mktemp("proof")
    film = render(planned, takes=takes, edit=place, output=place / "film.mp4", ffmpeg=one_runner)
    return film, planned, takes


def test_a_good_film_is_proved_with_a_picture_of_every_cut(made: tuple[Film, Plan, dict[str, Any]]) -> None:
    """The proof of a good film has no error, is data, markdown and a page, and shows each cut."""
    from PIL import Image

    film, _, _ = made
    proof = film.proof
    assert proof.ok
    assert {"passed", "measured", "skipped"} <= {finding.kind for finding in proof.findings}
    seen = [finding.what for finding in proof.findings if "in the pixels" in finding.what]
    assert seen[0] == "the caption “WORD1” is in the pixels"
    assert any(
        finding.what.startswith("sound in step with the sources at 2 places") for finding in proof.findings
    )
    assert [(cut.time, cut.label) for cut in proof.cuts] == [(Fraction(40, 25), "pal → ntsc")]
    with Image.open(proof.cuts[0].path) as picture:
        assert picture.size[0] > 6 * 100
    assert proof.report is not None
    text = proof.report.read_text("utf-8")
    assert text.startswith("# Check of film.mp4")
    assert "![cut](cuts/cut_001.jpg)" in text
    assert "data:image/jpeg;base64," in proof._repr_html_()
    assert proof.as_dict()["ok"] is True
    assert (proof.report.parent / "check.html").is_file()


DOCTORED = {
    "a frame too few": (("-frames:v", "50", "-c", "copy"), "50 frames of 57 planned"),
    "sound 20 ms late": (("-c", "copy"), "sound and picture lie 20"),
    "another rate": (("-r", "24", "-c:a", "copy"), "frames of 57 planned|is shown at"),
    "sound cut short": (("-c", "copy", "-af", "atrim=end=1", "-c:a", "aac"), "the sound lasts 1"),
    "another size": (("-s", "160x120", "-c:a", "copy"), "160×120"),
    "tagged as HDR": (
        ("-c", "copy", "-bsf:v", "h264_metadata=transfer_characteristics=18:colour_primaries=9"),
        "tagged HDR: .*arib",
    ),
    "a stream too much": (("-map", "0", "-map", "0:a", "-c", "copy"), "1 streams beside picture and sound"),
}


@pytest.mark.parametrize("fault", DOCTORED)
def test_a_wrong_film_is_an_error(
    fault: str, made: tuple[Film, Plan, dict[str, Any]], one_runner: Ffmpeg, any_ffmpeg: Path, tmp_path: Path
) -> None:
    """A film with a fault that the plan does not have is not ok, and the fault is named."""
    film, planned, takes = made
    options, sentence = DOCTORED[fault]
    inputs: list[str | Path] = ["-i", film.path]
    if fault == "sound 20 ms late":
        inputs = ["-i", film.path, "-itsoffset", "0.02", "-i", film.path, "-map", "0:v", "-map", "1:a"]
    doctored = tmp_path / "doctored.mp4"
    subprocess.run([any_ffmpeg, "-v", "error", *inputs, *options, doctored], check=True, timeout=60)
    proof = prove(doctored, planned, takes=takes, ffmpeg=one_runner)
    assert not proof.ok
    assert any(re.search(sentence, finding.what) for finding in proof.errors), proof.errors


def test_a_film_of_a_turned_take_is_upright(
    clips: dict[str, Clip], folders: UserFolders, runner: Ffmpeg, tmp_path: Path
) -> None:
    """A film that begins with a take held upright is not tagged to be turned again, and one that is so is wrong."""
    takes: dict[str, Any] = {"phone": clips["phone"].take("phone", folders)}
    planned = plan(edl(span("00001", takes["phone"], 0, 20)), takes)
    film = render(
        planned, takes=takes, edit=tmp_path, output=tmp_path / "film.mp4", ffmpeg=runner, pictures=False
    )
    shown = probe(film.path).picture
    assert shown is not None
    assert (shown.width, shown.height, shown.rotation) == (90, 160, 0)
    _tag(film.path, 90)
    proof = prove(film.path, planned, takes=takes, ffmpeg=runner)
    assert "tagged to be turned by" in proof.errors[0].what


def test_broken_bytes_and_no_file_are_told_apart(
    made: tuple[Film, Plan, dict[str, Any]], one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """A file of rubbish is an error of the proof; a file that is not there cannot be checked."""
    _, planned, takes = made
    rubbish = tmp_path / "rubbish.mp4"
    rubbish.write_bytes(b"no film" * 100)
    proof = check(rubbish, planned, takes=takes, edit=tmp_path, ffmpeg=one_runner)
    assert "cannot be read" in proof.errors[0].what
    assert "is wrong" in (tmp_path / "verify" / "check.md").read_text("utf-8")
    one_runner.run(["-f", "lavfi", "-i", "sine=d=1", str(tmp_path / "heard.m4a")])
    proof = check(tmp_path / "heard.m4a", planned, takes=takes, edit=tmp_path, ffmpeg=one_runner)
    assert [str(each) for each in proof.errors] == [
        "error: the file cannot be read (it holds no picture); render again"
    ]
    with pytest.raises(UnreadableMedia, match="nothing to check"):
        check(tmp_path / "none.mp4", planned, takes=takes, edit=tmp_path, ffmpeg=one_runner)


def test_captions_that_are_not_in_the_pixels_are_an_error(
    made: tuple[Film, Plan, dict[str, Any]], one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """A film without the captions that the plan burns in is not ok."""
    _, planned, takes = made
    bare = render(
        replace(planned, burn=False),
        takes=takes,
        edit=tmp_path,
        output=tmp_path / "bare.mp4",
        ffmpeg=one_runner,
    )
    proof = prove(bare.path, planned, takes=takes, ffmpeg=one_runner)
    assert next(finding.what for finding in proof.errors) == "the caption “WORD1” is not in the pixels"


def test_a_silent_film_is_skipped_and_not_failed(
    clips: dict[str, Clip], folders: UserFolders, one_runner: Ffmpeg, any_ffmpeg: Path, tmp_path: Path
) -> None:
    """A film of takes without sound is ok, with or without a silent track; what cannot be checked is skipped."""
    takes: dict[str, Any] = {"mute": clips["mute"].take("mute", folders)}
    planned = plan(edl(span("00001", takes["mute"], 0, 20), span("00002", takes["mute"], 30, 50)), takes)
    film = render(
        planned, takes=takes, edit=tmp_path, output=tmp_path / "film.mp4", ffmpeg=one_runner, pictures=False
    )
    assert film.proof.ok
    assert film.notes == (
        "mute has no sound: its ranges are silent",
        "The sound is silent, so it was left alone.",
    )
    bare = tmp_path / "bare.mp4"
    copying: list[str | Path] = [any_ffmpeg, "-v", "error", "-i", film.path, "-an", "-c", "copy", bare]
    subprocess.run(copying, check=True, timeout=30)
    proof = prove(bare, planned, takes=takes, ffmpeg=one_runner)
    assert proof.ok
    assert "sound: the film has none" in [
        finding.what for finding in proof.findings if finding.kind == "skipped"
    ]
