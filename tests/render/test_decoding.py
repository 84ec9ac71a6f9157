from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from cutbook.media.ffmpeg import Ffmpeg
from cutbook.render.decoding import Decoded, Seen, decode

FRAMES = 30


@pytest.fixture(scope="module")
def encoded(tmp_path_factory: pytest.TempPathFactory, one_runner: Ffmpeg) -> Path:
    """Return a second of grain, encoded as films are."""
    film = tmp_path_factory.mktemp("decoding") / "film.mp4"
    grain = f"testsrc2=size=320x180:rate={FRAMES}:duration=1,noise=alls=20:allf=t"
    coding = ["-c:v", "libx264", "-preset", "fast", "-crf", "20", "-pix_fmt", "yuv420p"]
    one_runner.run(["-f", "lavfi", "-i", grain, *coding, str(film)])
    return film


def looked(film: Path, ffmpeg: Ffmpeg) -> Decoded:
    """Decode a film of which nothing is known."""
    return decode(film, ffmpeg, rate=Fraction(FRAMES), lengths=[FRAMES], prints=None, seen=Seen())


def spoiled(film: Path, place: Path, packet: int, share: Fraction) -> Path:
    """Copy a film with zeros over a packet, from a share of its length on."""
    import av

    with av.open(str(film)) as opened:
        found = [each for each in opened.demux(video=0) if each.size][packet]
        begin, size = found.pos, found.size
    assert begin is not None
    data = bytearray(film.read_bytes())
    first = int(size * share)
    data[begin + first : begin + size] = bytes(size - first)
    place.write_bytes(data)
    return place


@pytest.mark.parametrize("share", [Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)])
@pytest.mark.parametrize("packet", [0, 7, 20])
def test_zeros_in_a_packet_do_not_decode(
    packet: int, share: Fraction, encoded: Path, runner: Ffmpeg, tmp_path: Path
) -> None:
    """A packet whose rest was lost is found by decoding, without smoothing as with it, whatever the picture's kind."""
    assert looked(encoded, runner).complaints == ()
    assert looked(spoiled(encoded, tmp_path / "spoiled.mp4", packet, share), runner).complaints


def test_a_film_that_breaks_off_does_not_decode(encoded: Path, one_runner: Ffmpeg, tmp_path: Path) -> None:
    """Bytes that are missing at the end of the film's pictures are found by decoding."""
    short = tmp_path / "short.mp4"
    moved = tmp_path / "moved.mp4"
    one_runner.run(["-i", str(encoded), "-c", "copy", "-movflags", "+faststart", str(moved)])
    data = moved.read_bytes()
    short.write_bytes(data[: len(data) * 3 // 4])
    assert looked(short, one_runner).complaints


def test_black_and_still_stretches_are_found_where_they_are(one_runner: Ffmpeg, tmp_path: Path) -> None:
    """Every fourth row of some pictures a second tells a second of black and three of one picture."""
    film = tmp_path / "film.mp4"
    grain = "testsrc2=size=320x180:rate=30"
    graph = (
        f"{grain}:duration=1[a];color=black:size=320x180:rate=30:duration=1[b];"
        f"smptebars=size=320x180:rate=30:duration=3[c];{grain}:duration=1[d];[a][b][c][d]concat=n=4"
    )
    coding = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"]
    one_runner.run(["-filter_complex", graph, *coding, str(film)])
    found = decode(film, one_runner, rate=Fraction(30), lengths=[180], prints=None, seen=Seen())
    assert found.complaints == ()
    seen = dict(found.stretches)
    assert set(seen) == {"black", "frozen"}
    near = Fraction(1, 5)
    assert abs(seen["black"].start - 1) <= near
    assert abs(seen["black"].end - 2) <= near
    assert abs(seen["frozen"].start - 2) <= near
    assert abs(seen["frozen"].end - 5) <= near
