from __future__ import annotations

import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

from cutbook.edit.take import Take
from cutbook.files import UserFolders, fingerprint
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.media.flaws import complained
from cutbook.media.probe import probe
from cutbook.render.check import check
from cutbook.render.film import Film, render
from cutbook.render.findings import Finding
from cutbook.render.plan import Plan, plan
from tests.render.footage import edl, span

CODECS = {
    "h264.mp4": ("-c:v", "libx264", "-g", "50", "-c:a", "aac"),
    "open.mp4": ("-c:v", "libx264", "-g", "50", "-x264-params", "open-gop=1", "-c:a", "aac"),
    "open.ts": ("-c:v", "libx264", "-g", "50", "-x264-params", "open-gop=1", "-an"),
    "program.mpg": ("-c:v", "mpeg2video", "-g", "15", "-bf", "2", "-b:v", "2M", "-an"),
}
RANGES = ((20, 45), (88, 100), (133, 160), (210, 235))
"""The third one lies in what :func:`spoil` damages, the others before and after it."""


def made(place: Path, name: str, ffmpeg: Path, size: str = "320x180") -> Path:
    """Make twelve seconds at 25 frames a second."""
    sources = [f"testsrc2=size={size}:rate=25:duration=12", "sine=frequency=440:duration=12"]
    inputs = [part for each in sources for part in ("-f", "lavfi", "-i", each)]
    command: list[str | Path] = [ffmpeg, "-v", "error", *inputs, *CODECS[name], place / name]
    subprocess.run(command, check=True, timeout=60)
    return place / name


def spoil(file: Path) -> None:
    """Write zeros over every other piece of a sixth of a file, about from second five to seven."""
    data = bytearray(file.read_bytes())
    for at in range(int(len(data) * 0.45), int(len(data) * 0.6), 800):
        data[at : at + 200] = bytes(200)
    file.write_bytes(data)


def planned(file: Path, folders: UserFolders) -> tuple[Plan, dict[str, Take]]:
    """Plan a film of four ranges of a file."""
    take = Take.given("a plain", probe(file), fingerprint(file, folders))
    cut = edl(*(span(f"{n:05d}", take, *each) for n, each in enumerate(RANGES)))
    return plan(cut, {"a plain": take}), {"a plain": take}


def rendered(file: Path, folders: UserFolders, ffmpeg: Ffmpeg, edit: Path, tier: str = "preview") -> Film:
    """Render them."""
    wanted, takes = planned(file, folders)
    return render(
        wanted,
        takes=takes,
        edit=edit,
        output=edit / "film.mp4",
        ffmpeg=ffmpeg,
        tier_name=tier,
        pictures=False,
    )


def warnings(findings: tuple[Finding, ...]) -> list[Finding]:
    """Give the findings about damaged footage."""
    return [each for each in findings if each.kind == "warning" and " is damaged about " in each.what]


@pytest.mark.parametrize("name", sorted(CODECS))
def test_damaged_footage_is_told_with_take_times_and_count(
    name: str, folders: UserFolders, runner: Ffmpeg, any_ffmpeg: Path, tmp_path: Path
) -> None:
    """A whole file is told nothing of; of a damaged one render and check say which take, where, and what helps."""
    file = made(tmp_path, name, any_ffmpeg)
    assert not warnings(rendered(file, folders, runner, tmp_path / "whole").proof.findings)
    spoil(file)
    edit = tmp_path / "edit"
    film = rendered(file, folders, runner, edit)
    told = warnings(film.proof.findings)
    seen = [each for each in told if "in range" in each.what]
    assert any("a plain is damaged about " in each.what and "in range 3: " in each.what for each in seen)
    assert not [each for each in seen if "in range 1" in each.what]
    assert all(each.do == "copy the file again from where it was recorded, or cut around it" for each in told)
    assert [f"{each.what}; {each.do}." for each in told] == [each for each in film.notes if "damaged" in each]
    times = [part for each in seen for part in each.what.partition("about ")[2].split(" s")[0].split("-")]
    assert all(Fraction(4) < Fraction(each) < Fraction(8) for each in times)

    wanted, takes = planned(file, folders)
    shown = wanted.sized(1080)
    proof = check(film.path, shown, takes=takes, edit=edit, ffmpeg=runner, pictures=False)
    assert warnings(proof.findings) == told
    film.path.unlink()
    again = rendered(file, folders, runner, edit)
    assert (again.encoded, warnings(again.proof.findings)) == (0, told)


def test_a_draft_of_damaged_footage_tells_of_it(
    folders: UserFolders, one_runner: Ffmpeg, any_ffmpeg: Path, tmp_path: Path
) -> None:
    """Proxies stand in for whole takes alone: the damage of the others is told by a draft too."""
    file = made(tmp_path, "h264.mp4", any_ffmpeg, "800x450")
    whole = rendered(file, folders, one_runner, tmp_path / "whole", "draft")
    assert "Pictures from the proxies of a plain." in whole.notes
    assert not warnings(whole.proof.findings)
    spoil(file)
    for _ in range(2):
        film = rendered(file, folders, one_runner, tmp_path / "edit", "draft")
        assert any("in range 3: " in each.what for each in warnings(film.proof.findings))
        film.path.unlink()


def test_what_a_healthy_seek_makes_a_decoder_say_is_no_complaint() -> None:
    """Lines of ffmpeg about pictures before a keyframe, and its own report, do not count; those of damage do."""
    harmless = (
        "[h264 @ 0x55] mmco: unref short failure\n"
        "[h264 @ 0x55] number of reference frames (0+4) exceeds max (3; probably corrupt input), discarding one\n"
        "[h264 @ 0x55] decode_slice_header error\n"
        "Input #0, mov,mp4,m4a,3gp,3g2,mj2, from 'file:/an invalid error.mp4':\n"
        "    title           : error, corrupt\n"
        "frame=   25 fps=0.0 q=-1.0 Lsize=      30kB time=00:00:00.96 bitrate= 256.0kbits/s speed=8x\n"
    )
    assert not complained(harmless)
    assert complained(harmless + "[h264 @ 0x55] error while decoding MB 23 12, bytestream -5\n")
    assert complained(
        harmless + "Error while decoding stream #0:0: Invalid data found when processing input\n"
    )
