from __future__ import annotations

import json
import struct
import subprocess
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutbook.media.packets import SLACK, Payload, _turned, payload
from cutbook.media.probe import probe
from cutbook.timebase import Span
from tests.edits import edited
from tests.footage import cut_short, make_clip, make_gap, make_sound, make_two_tracks, maker, run

WRAPPINGS: dict[str, tuple[str, ...]] = {
    "mkv": (),
    "mov": (),
    "ts": (),
    "m4a": ("-vn",),
    "aac": ("-vn",),
    "faststart.mp4": ("-movflags", "+faststart"),
    "fragments.mp4": ("-movflags", "+frag_keyframe+empty_moov"),
    "fragments-edited.mp4": ("-movflags", "+frag_keyframe+empty_moov+delay_moov"),
    "tags.mp4": ("-metadata", "title=Another", "-metadata:s:a", "language=deu"),
    "graded.mp4": ("-c:v", "mpeg4", "-vf", "negate"),
}

CARRIERS = {
    "libmp3lame": "mp3 mkv mp4 mov ts avi wav",
    "libopus": "ogg opus webm mkv mp4 ts",
    "libvorbis": "ogg webm mkv mp4",
    "pcm_s16le": "wav mkv mov avi caf w64",
    "pcm_s24le": "wav mkv mov avi caf w64",
    "flac": "flac ogg mkv mp4",
    "alac": "m4a mov mkv caf",
    "ac3": "ac3 mkv mp4 mov ts avi",
    "eac3": "eac3 mkv mp4 ts",
}
NOISE = "anoisesrc=r=48000:a=0.2:seed=7,aformat=channel_layouts=stereo"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for what several tests read."""
    return tmp_path_factory.mktemp("packets")


@pytest.fixture(scope="module")
def clip(folder: Path) -> Path:
    """Return a clip of four seconds with AAC, whose moov stands at the end."""
    return make_clip(folder / "clip.mp4", seconds=4, size=(64, 64))


def held(path: Path, track: int = 0) -> Payload:
    """Return the payload of a track; fail where there is none."""
    found = payload(probe(path), track)
    assert found is not None
    return found


def serve_each_other(one: Payload, other: Payload) -> bool:
    """Tell whether either track's words are the other's, moved by the same time there and back."""
    there, back = one.shift(other), other.shift(one)
    return there is not None and back is not None and there == -back


def wrap(ffmpeg: Path, source: Path, path: Path, *args: str) -> Path:
    """Copy the streams of a file into another container with one of the ffmpeg builds."""
    command: list[str | Path] = [
        ffmpeg,
        "-nostdin",
        "-v",
        "error",
        "-y",
        "-i",
        source,
        "-c",
        "copy",
        "-strict",
        "-2",
        *args,
        path,
    ]
    subprocess.run(command, check=True, capture_output=True, stdin=subprocess.DEVNULL)
    return path


@pytest.mark.parametrize("wrapping", WRAPPINGS)
def test_one_aac_track_is_the_same_in_every_wrapping(
    clip: Path, tmp_path: Path, ffmpeg_exe: Path, wrapping: str
) -> None:
    """Containers, fragments, tags, a new picture and the build that wrote them make no other payload."""
    path = wrap(ffmpeg_exe, clip, tmp_path / f"it.{wrapping}", *WRAPPINGS[wrapping])
    one, other = held(clip), held(path)
    assert other.digest == one.digest
    assert serve_each_other(one, other)
    assert (other.codec, other.rate, other.channels) == ("aac", 48000, 2)


@pytest.mark.parametrize("codec", CARRIERS)
def test_a_codec_is_the_same_wherever_a_container_carries_it(
    folder: Path, ffmpeg_exe: Path, codec: str
) -> None:
    """Each codec keeps its payload in every container that both builds of ffmpeg copy it into."""
    source = folder / f"{codec}.mkv"
    if not source.exists():
        run("-f", "lavfi", "-t", 2, "-i", NOISE, "-c:a", codec, source)
    one = held(source)
    assert one.codec == {"libmp3lame": "mp3", "libopus": "opus", "libvorbis": "vorbis"}.get(codec, codec)
    for suffix in CARRIERS[codec].split():
        path = wrap(ffmpeg_exe, source, folder / f"{codec}-copy.{suffix}", "-metadata", "title=Another")
        other = held(path)
        assert (suffix, other.digest) == (suffix, one.digest)
        assert (suffix, serve_each_other(one, other)) == (suffix, True)


@pytest.mark.parametrize("suffix", ["aac", "ts", "mkv"])
def test_aac_whose_headers_tell_two_rates_is_one_sound(tmp_path: Path, ffmpeg_exe: Path, suffix: str) -> None:
    """HE-AAC is 48 kHz by the description in MP4 and 24 kHz by the headers of ADTS: the payload is the same."""
    path = make_sound(tmp_path / "he.m4a", extra=["-ar", "24000", "-c:a", "aac"])
    data = path.read_bytes()
    plain, told = bytes.fromhex("131056e500"), f"{5:05b}{6:04b}{2:04b}{3:04b}{2:05b}"
    assert data.count(plain) == 1
    path.write_bytes(data.replace(plain, int(told.ljust(40, "0"), 2).to_bytes(5, "big")))
    one, other = held(path), held(wrap(ffmpeg_exe, path, tmp_path / f"copy.{suffix}"))
    assert (one.rate, other.rate) == (48000, 48000 if suffix == "mkv" else 24000)
    assert serve_each_other(one, other)


def test_the_order_of_bytes_in_pcm_is_wrapping(tmp_path: Path) -> None:
    """The same samples in little and in big endian are the same sound: AIFF and WAV."""
    little = make_sound(tmp_path / "a.wav", extra=["-c:a", "pcm_s24le"])
    run("-i", little, "-c:a", "pcm_s24be", tmp_path / "a.aiff")
    assert held(tmp_path / "a.aiff").digest == held(little).digest
    assert held(tmp_path / "a.aiff").codec == "pcm_s24le"


def test_tags_around_an_mp3_are_not_its_sound(tmp_path: Path) -> None:
    """ID3 at either end, cover art and the frame of numbers at the start change nothing."""
    plain = make_sound(tmp_path / "plain.mp3", extra=["-write_xing", "0", "-id3v2_version", "0"])
    tagged = tmp_path / "tagged.mp3"
    run("-i", plain, "-c", "copy", "-write_id3v1", 1, "-metadata", "title=Another", tagged)
    kept = tmp_path / "kept.mkv"
    with av.open(str(plain)) as reading, av.open(str(kept), "w") as writing:
        # Other tools copy the frame of numbers along, as if it were sound.
        stream = reading.streams.audio[0]
        copy = writing.add_stream_from_template(stream)
        packets = [packet for packet in reading.demux(stream) if packet.size]
        numbers = bytearray(bytes(packets[0]))
        numbers[36:40] = b"Info"
        for number, data in enumerate((bytes(numbers), *map(bytes, packets))):
            packet = av.Packet(data)
            packet.stream, packet.time_base = copy, Fraction(1, 48000)
            packet.pts = packet.dts = number * 1152
            packet.duration = 1152
            writing.mux(packet)
    assert held(tagged).digest == held(plain).digest
    assert held(kept).digest == held(plain).digest
    assert held(kept).first - held(plain).first == pytest.approx(1152 / 48000, abs=0.001)


def test_other_sound_is_another_payload(clip: Path, folder: Path, tmp_path: Path) -> None:
    """What was encoded anew, a track that was trimmed, and one that lost packets do not serve; nor does a part."""
    anew = tmp_path / "anew.mp4"
    run("-i", clip, "-c:v", "copy", "-c:a", "aac", "-b:a", "96k", anew)
    shorter = tmp_path / "shorter.mp4"
    run("-i", clip, "-t", 2, "-c", "copy", shorter)
    later = tmp_path / "later.mp4"
    run("-ss", 1.5, "-i", clip, "-c", "copy", later)
    lost = make_gap(clip, tmp_path / "lost.mkv", start=1.0, end=1.5)
    broken = cut_short(wrap(Path(maker()), clip, folder / "whole.mkv"), tmp_path / "broken.mkv")
    one = held(clip)
    for path in (anew, shorter, later, lost, broken):
        other = held(path)
        assert (path.name, one.shift(other), other.shift(one)) == (path.name, None, None)


def test_the_track_asked_for_is_the_one_hashed(tmp_path: Path) -> None:
    """Tracks of one file differ, each is the same in a file of its own, and a track that is not there has none."""
    both = make_two_tracks(tmp_path / "both.mp4")
    second = tmp_path / "second.mkv"
    run("-i", both, "-map", "0:a:1", "-c", "copy", second)
    assert held(both, 1).digest == held(second).digest != held(both, 0).digest
    assert payload(probe(both), 2) is None


@pytest.mark.parametrize("edits", [(1.0, 3.0), (0.0, 2.0), (1.0, 1.5)])
def test_what_an_edit_list_hides_is_hashed_and_not_heard(
    clip: Path, tmp_path: Path, edits: tuple[float, float]
) -> None:
    """A phone's trim keeps the payload and hides a part: the hash is the same, and neither file serves the other."""
    start, seconds = edits
    trimmed = edited(clip, tmp_path / "trimmed.mp4", [edits])
    one, other = held(clip), held(trimmed)
    assert other.digest == one.digest
    assert one.shift(other) is None
    assert other.shift(one) is None
    assert float(other.shown.start) == pytest.approx(start, abs=0.03)
    assert float(other.shown.end) == pytest.approx(start + seconds, abs=0.03)
    # The picture's edit begins at the same place, so take time 0 is `start` of the payload, but for half a frame.
    assert float(other.first) == pytest.approx(-start, abs=0.05)


def test_a_trim_with_new_tags_is_the_same_trim(clip: Path, tmp_path: Path) -> None:
    """What is hidden in both files alike parts them not."""
    trimmed = edited(clip, tmp_path / "trimmed.mp4", [(1.0, 2.0)])
    data = trimmed.read_bytes()
    retagged = tmp_path / "retagged.mp4"
    retagged.write_bytes(data + struct.pack(">I4s", 16, b"free") + b"new tags")
    assert held(trimmed).shift(held(retagged)) == 0


def test_parts_that_an_edit_list_moves_belong_to_the_sound(clip: Path, tmp_path: Path) -> None:
    """A list that takes a piece out of the middle makes another sound, which is the same under the same list."""
    one = edited(clip, tmp_path / "one.mp4", [(0.0, 1.0), (2.5, 1.0)])
    two = edited(clip, tmp_path / "two.mp4", [(0.0, 1.0), (2.5, 1.0)])
    three = edited(clip, tmp_path / "three.mp4", [(0.0, 1.0), (2.0, 1.0)])
    assert held(one).shift(held(two)) == 0
    assert len({held(path).digest for path in (clip, one, three)}) == 3


@pytest.mark.parametrize("suffix", ["mkv", "ts", "mp4"])
def test_a_copy_without_the_packets_that_were_hidden(
    clip: Path, tmp_path: Path, ffmpeg_exe: Path, suffix: str
) -> None:
    """Recorders hide the last packets by an edit list, and a copy leaves them out: it is still the same sound."""
    recorded = edited(clip, tmp_path / "recorded.mp4", [(1024 / 48000, 3.93)])
    path = wrap(ffmpeg_exe, recorded, tmp_path / f"copy.{suffix}")
    one, other = held(recorded), held(path)
    assert other.digest != one.digest
    assert other.digest in one.digests
    assert serve_each_other(one, other)
    assert Payload.read(json.loads(json.dumps(one.plain()))) == one


def test_pcm_under_an_edit_list(tmp_path: Path) -> None:
    """Packets of PCM are cut anew under an edit list; the payload is the same and the hidden part is known."""
    whole = make_clip(tmp_path / "whole.mov", seconds=3, size=(64, 64), extra=["-c:a", "pcm_s16le"])
    trimmed = edited(whole, tmp_path / "trimmed.mov", [(1.0, 1.5)])
    one, other = held(whole), held(trimmed)
    assert other.digest == one.digest
    assert one.shift(other) is None
    assert float(other.shown.start) == pytest.approx(1.0, abs=0.03)
    assert float(other.first) == pytest.approx(-1.0, abs=0.05)


@pytest.mark.parametrize("suffix", ["mkv", "mov", "ts", "mp4"])
def test_a_late_sound_begins_late_in_every_wrapping(tmp_path: Path, ffmpeg_exe: Path, suffix: str) -> None:
    """The place of the first packet follows the picture's clock to within 20 ms, whatever the container's clock."""
    late = make_clip(tmp_path / "late.mp4", seconds=2, size=(64, 64), late=0.8)
    path = wrap(ffmpeg_exe, late, tmp_path / f"copy.{suffix}")
    first, copied = held(late).first, held(path).first
    assert float(first) == pytest.approx(0.8, abs=0.022)
    assert float(copied) == pytest.approx(float(first), abs=0.002)


def test_a_picture_that_ends_sooner_leaves_sound_unheard(clip: Path, tmp_path: Path) -> None:
    """Words of the whole sound serve a take whose picture ends sooner, and not the other way about."""
    brief = tmp_path / "brief.mkv"
    run("-i", clip, "-t", 2, "-i", clip, "-map", "0:a", "-map", "1:v", "-c", "copy", brief)
    one, other = held(clip), held(brief)
    assert float(other.heard.end - other.heard.start) == pytest.approx(2.0, abs=0.05)
    assert one.shift(other) is not None
    assert other.shift(one) is None


times = st.fractions(min_value=-10, max_value=10**5, max_denominator=10**6)


@given(first=times, length=times, start=times, end=times)
def test_what_is_written_is_read_back(
    first: Fraction, length: Fraction, start: Fraction, end: Fraction
) -> None:
    """A payload comes back exactly from JSON."""
    span = Span(min(start, end), max(start, end))
    one = Payload("ab" * 32, "aac", 48000, 2, first, length, span, span)
    assert Payload.read(json.loads(json.dumps(one.plain()))) == one


@pytest.mark.parametrize("plain", [None, {}, [], "x", {"sha256": "a"}])
def test_what_is_no_payload_is_read_as_none(plain: object) -> None:
    """Whatever else stands in a file is passed over."""
    assert Payload.read(plain) is None


@pytest.mark.parametrize("name", ["first", "length", "shown", "heard", "rate"])
@pytest.mark.parametrize("bad", ["1/0", "x", None, [1, 0, 2], ["2", "1"]])
def test_a_damaged_payload_is_read_as_none(name: str, bad: object) -> None:
    """One bad value is enough."""
    span = Span(Fraction(0), Fraction(1))
    one = Payload("ab" * 32, "aac", 48000, 2, Fraction(0), Fraction(1), span, span)
    assert Payload.read({**one.plain(), name: bad}) is None


def test_priming_is_no_hidden_part() -> None:
    """Less than the slack at an edge hides nothing; more does."""
    whole = Span(Fraction(0), Fraction(10))
    one = Payload("ab" * 32, "aac", 48000, 2, Fraction(0), Fraction(10), whole, whole)
    for off, same in ((SLACK, True), (SLACK + Fraction(1, 1000), False)):
        inner = Span(off, Fraction(10))
        assert (one.shift(replace(one, shown=inner, heard=inner)) == 0) is same
        assert (replace(one, shown=inner, heard=inner).shift(one) == 0) is same


def test_a_turned_sample_across_packets() -> None:
    """Big-endian samples that a packet's border cuts in two are turned whole."""
    data = bytes(range(48))
    turn = _turned(3)
    made = b"".join(turn(data[at : at + 7]) for at in range(0, 48, 7))
    assert made == np.frombuffer(data, np.uint8).reshape(-1, 3)[:, ::-1].tobytes()
