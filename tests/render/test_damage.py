from __future__ import annotations

import os
from pathlib import Path

import pytest

from cutbook.edit.edl import Edl
from cutbook.files import UserFolders
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.render.check import check
from cutbook.render.findings import Proof
from cutbook.render.plan import plan
from tests.render.footage import Clip
from tests.render.test_cache import Bench, bench

RANGES = (("pal", 0, 15), ("mute", 5, 20), ("pal", 20, 40), ("pal", 45, 60))


def flip(file: Path, *, packet: int, sound: bool = False) -> None:
    """Turn one byte in the middle of a packet around, and leave the file's time as it was."""
    import av

    with av.open(str(file)) as opened:
        stream = opened.streams.audio[0] if sound else opened.streams.video[0]
        packets = [each for each in opened.demux(stream) if each.size]
        place, size = packets[packet].pos, packets[packet].size
    assert place is not None
    found = file.stat()
    data = bytearray(file.read_bytes())
    data[place + size // 2] ^= 0xFF
    file.write_bytes(data)
    os.utime(file, ns=(found.st_atime_ns, found.st_mtime_ns))


def checked(work: Bench, cut: Edl) -> Proof:
    """Check the bench's film."""
    planned = plan(cut, work.takes).sized(360)
    return check(work.output, planned, takes=work.takes, edit=work.edit, ffmpeg=work.ffmpeg, pictures=False)


@pytest.mark.parametrize("sound", [False, True])
def test_a_flipped_byte_in_the_film_is_found(
    sound: bool,  # noqa: FBT001 - a case of the test
    clips: dict[str, Clip],
    folders: UserFolders,
    one_runner: Ffmpeg,
    tmp_path: Path,
) -> None:
    """One byte of picture or sound that changed on disk is an error of the check, and the next render mends it."""
    work = bench(clips, folders, one_runner, tmp_path)
    cut = work.cut(*RANGES)
    good = work.render(cut)
    assert "every packet is what was encoded" in [finding.what for finding in good.proof.findings]
    assert checked(work, cut).ok
    whole = work.output.read_bytes()

    flip(work.output, packet=35, sound=sound)
    proof = checked(work, cut)
    assert not proof.ok
    expected = (
        "the sound is not what was encoded"
        if sound
        else "the picture of range 3 (pal) is not what was encoded"
    )
    assert proof.errors[0].what == expected
    assert proof.errors[0].time == (None if sound else 30 / work.takes["pal"].rate)

    mended = work.render(cut)
    assert (mended.encoded, mended.fresh, mended.proof.ok) == (0, True, True)
    assert work.output.read_bytes() == whole


@pytest.mark.parametrize("case", [("flipped", 1), ("flipped", 3), ("cut", 2), ("no film", 4)])
def test_whatever_is_damaged_in_the_cache_is_made_anew_within_the_render(
    case: tuple[str, int], clips: dict[str, Clip], folders: UserFolders, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """Segments that changed in the cache, however many and however, get into no film and cost only time."""
    how, count = case
    work = bench(clips, folders, one_runner, tmp_path)
    work.render(work.cut(*RANGES))
    for segment in sorted((tmp_path / "cache" / "segments").iterdir())[:count]:
        if how == "flipped":
            flip(segment, packet=5)
        else:
            segment.write_bytes(segment.read_bytes()[:-3000] if how == "cut" else b"not a film")
    work.output.unlink()
    made = work.render(work.cut(*reversed(RANGES)))
    assert (made.encoded, made.cached, made.proof.ok) == (count, 4 - count, True)
    again = work.render(work.cut(*RANGES))
    assert (again.encoded, again.proof.ok) == (0, True)


@pytest.mark.parametrize("case", [("m4a", "cut"), ("m4a", "zeroed"), ("f32", "cut"), ("f32", "zeroed")])
def test_damaged_sound_in_the_cache_is_made_anew_within_the_render(
    case: tuple[str, str], clips: dict[str, Clip], folders: UserFolders, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """Sound that was cut off or zeroed in the cache is heard in no film: it is read again at once."""
    kind, how = case
    work = bench(clips, folders, one_runner, tmp_path)
    cut = work.cut(*RANGES)
    level = work.render(cut).level
    work.output.unlink()
    for file in (tmp_path / "cache" / "sound").iterdir():
        if file.suffix == f".{kind}":
            data = file.read_bytes()
            file.write_bytes(data[:1000] if how == "cut" else bytes(len(data)))
        elif kind == "f32":
            file.unlink()
    made = work.render(cut)
    assert (made.encoded, made.proof.ok, made.level) == (0, True, level)


def test_another_film_is_decoded_as_a_whole(
    clips: dict[str, Clip], folders: UserFolders, one_runner: Ffmpeg, any_ffmpeg: Path, tmp_path: Path
) -> None:
    """A film encoded again by someone else is no damage, and a broken picture in it is found by decoding."""
    import subprocess

    work = bench(clips, folders, one_runner, tmp_path)
    cut = work.cut(*RANGES)
    work.render(cut)
    other = tmp_path / "other.mp4"
    coding = ["-c:v", "libx264", "-g", "1000", "-c:a", "copy", "-movie_timescale", "240000"]
    timing = ["-video_track_timescale", "25000"]
    command: list[str | Path] = [any_ffmpeg, "-v", "error", "-i", work.output, *coding, *timing, other]
    subprocess.run(command, check=True, timeout=60)
    other.replace(work.output)
    good = checked(work, cut)
    assert "decodes without error" in [finding.what for finding in good.findings]
    assert "every packet is what was encoded" not in [finding.what for finding in good.findings]
    for packet in range(10, 20):
        flip(work.output, packet=packet)
    assert any(finding.what.startswith("decoding: ") for finding in checked(work, cut).errors)
