from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from cutbook.errors import UnreadableMedia
from cutbook.media.probe import Media, Picture, probe
from cutbook.media.streams import RATES, Times, nearest, pace
from tests.footage import (
    cut_short,
    make_clip,
    make_cover_mp3,
    make_sound,
    make_stream_webm,
    make_two_tracks,
    make_undecodable,
    make_variable,
    named,
    run,
)

PICTURES = (
    "24000/1001.mp4",
    "24000/1001.mkv",
    "24.ts",
    "25.mov",
    "25.avi",
    "30000/1001.ts",
    "30000/1001.webm",
    "30.mp4",
    "50.mkv",
    "60000/1001.mkv",
    "60.mp4",
    "12.5.mp4",
)
NAMES = (
    "two words.mp4",
    'it\'s "q".mp4',
    "#1 100%d.mp4",
    "a:b;c[d].mp4",
    "back\\slash.mp4",
    "-lead.mp4",
    "Übung.mp4",
    "第一集.mp4",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for what several tests read."""
    return tmp_path_factory.mktemp("probed")


@pytest.fixture(scope="module")
def plain(folder: Path) -> Path:
    """Return a clip with nothing odd about it."""
    return make_clip(folder / "plain.mp4")


@pytest.fixture(scope="module")
def live(folder: Path) -> Path:
    """Return what a browser recorded."""
    return make_stream_webm(folder / "live.webm", seconds=0.5)


@pytest.fixture(scope="module")
def coded(folder: Path) -> Path:
    """Return a clip with B-frames and few keyframes, as cameras write it."""
    source = "testsrc2=size=320x180:rate=30"
    return make_clip(
        folder / "coded.mp4", picture=source, seconds=4, keyframes=60, extra=["-preset", "veryfast"]
    )


def picture_of(path: Path) -> Picture:
    """Return what the picture of a file is; fail where it has none."""
    picture = probe(path).picture
    assert picture is not None
    return picture


def shown(path: Path, index: int = 0) -> list[Fraction]:
    """Return the times at which a decoder shows the frames of a stream, as far as the file goes."""
    import av

    times: list[Fraction | None] = []
    with av.open(str(path)) as container, suppress(av.FFmpegError):
        frames = container.decode(container.streams.video[index])
        times.extend(
            frame.pts * frame.time_base if frame.pts is not None and frame.time_base else None
            for frame in frames
        )
    return [time for time in times if time is not None]


@pytest.mark.parametrize("case", PICTURES)
def test_the_rate_is_exact(tmp_path: Path, case: str) -> None:
    """Each rate is the exact one in every container, constant, with all its frames, each where n/rate says."""
    rate, _, suffix = case.rpartition(".")
    expected = Fraction(rate)
    path = make_clip(tmp_path / f"clip.{suffix}", rate=rate, size=(64, 64), seconds=2)
    picture = picture_of(path)
    assert (picture.rate, picture.variable) == (expected, False)
    times = shown(path)
    assert picture.frames == len(times)
    assert picture.duration == len(times) / expected
    assert picture.start == times[0]
    assert max(abs(time - times[0] - n / expected) for n, time in enumerate(times)) <= Fraction(1, 1000)


def test_a_picture_that_comes_unevenly_is_variable(tmp_path: Path) -> None:
    """A variable picture says so, keeps its length, and is cut on the grid of its usual rate."""
    path = make_variable(tmp_path / "screen.mp4")
    media = probe(path)
    assert media.picture is not None
    times = shown(path)
    assert media.picture.variable
    assert media.picture.rate == 30
    assert media.picture.frames == len(times)
    assert media.picture.average_rate == len(times) / media.duration
    assert abs(media.duration - 3) <= Fraction(1, 15)
    assert media.frames == int(media.duration * 30)
    assert any(note.startswith("variable frame rate") for note in media.notes)


@pytest.mark.parametrize("suffix", ["mp4", "mkv"])
def test_a_last_picture_that_is_held_counts(tmp_path: Path, plain: Path, suffix: str) -> None:
    """Where the last of 60 pictures at 30 a second stands for two seconds, the clip is nearly four seconds long."""
    path = tmp_path / f"screen.{suffix}"
    held = "setts=duration=if(eq(N\\,59)\\,2/TB\\,DURATION)"
    run("-i", named(plain), "-an", "-c", "copy", "-bsf:v", held, named(path))
    media = probe(path)
    assert abs(media.duration - (Fraction(59, 30) + 2)) < Fraction(1, 500)
    assert media.rate == 30
    assert media.frames == int(media.duration * 30)


@pytest.mark.parametrize("suffix", ["mp4", "mov", "mkv"])
@pytest.mark.parametrize("turn", [90, -90, 180])
def test_a_turned_picture_has_the_size_that_is_shown(tmp_path: Path, turn: int, suffix: str) -> None:
    """Both signs of the display matrix turn the picture clockwise by what they say, and swap its sides."""
    picture = picture_of(make_clip(tmp_path / f"phone.{suffix}", rotate=turn, seconds=0.5))
    assert picture.rotation == turn % 360
    assert (picture.width, picture.height) == ((320, 180) if turn == 180 else (180, 320))
    assert picture.coded == (320, 180)
    assert not picture.mirrored


def test_the_old_tag_turns_too(tmp_path: Path, plain: Path) -> None:
    """A `rotate` tag without a display matrix is clockwise degrees."""
    path = tmp_path / "old.mkv"
    run("-i", named(plain), "-c", "copy", "-metadata:s:v", "rotate=90", named(path))
    picture = picture_of(path)
    assert (picture.rotation, picture.width, picture.height) == (90, 180, 320)


@pytest.mark.parametrize(("orientation", "turn"), [(1, 0), (6, 90), (8, 270)])
def test_exif_in_each_picture_is_read(tmp_path: Path, orientation: int, turn: int) -> None:
    """A camera's Motion JPEG, whose every picture has EXIF of its own, is read and turned as that says."""
    exif, data = Image.Exif(), b""
    exif[0x0112] = orientation
    for shade in range(0, 250, 50):
        Image.new("RGB", (160, 96), (shade, 0, 0)).save(tmp_path / "one.jpg", exif=exif)
        data += (tmp_path / "one.jpg").read_bytes()
    (tmp_path / "all.mjpeg").write_bytes(data)
    run("-f", "mjpeg", "-r", 25, "-i", tmp_path / "all.mjpeg", "-c", "copy", tmp_path / "camera.avi")
    picture = picture_of(tmp_path / "camera.avi")
    size = (96, 160) if turn else (160, 96)
    assert (picture.rotation, picture.width, picture.height) == (turn, *size)


@pytest.mark.parametrize(("flip", "turn"), [("-display_hflip", 0), ("-display_vflip", 180)])
def test_a_mirrored_picture_says_so(tmp_path: Path, plain: Path, flip: str, turn: int) -> None:
    """A selfie camera's mirroring is a turn and then a swap of left and right: upside down is 180° and mirrored."""
    path = tmp_path / "selfie.mp4"
    run(flip, "-i", named(plain), "-c", "copy", named(path))
    picture = picture_of(path)
    assert (picture.rotation, picture.mirrored) == (turn, True)


@pytest.mark.parametrize(
    ("transfer", "name", "hdr"), [("hlg", "arib-std-b67", "HLG"), ("pq", "smpte2084", "PQ")]
)
def test_high_dynamic_range_is_seen(tmp_path: Path, transfer: str, name: str, hdr: str) -> None:
    """HLG and PQ, ten bits and wide colour are read from a phone's kind of file."""
    kind = "hlg" if transfer == "hlg" else "pq"
    media = probe(make_clip(tmp_path / "phone.mov", transfer=kind, seconds=0.5))  # type: ignore[arg-type]
    picture = media.picture
    assert picture is not None
    assert (picture.hdr, picture.transfer, picture.primaries, picture.matrix) == (
        hdr,
        name,
        "bt2020",
        "bt2020nc",
    )
    assert (picture.bit_depth, picture.full_range) == (10, False)
    assert f"HDR ({hdr})" in media.notes


def test_full_range_pixels_and_aspect_are_read(tmp_path: Path) -> None:
    """Full range is told from limited, and an anamorphic picture is as wide as it is shown."""
    source = "testsrc2=size=720x576:rate=25"
    media = probe(make_clip(tmp_path / "dv.mp4", picture=source, seconds=0.5, extra=["-vf", "setsar=16/11"]))
    assert media.picture is not None
    assert (media.picture.width, media.picture.height) == (1047, 576)
    assert media.picture.sample_aspect == Fraction(16, 11)
    assert not media.picture.full_range
    full = probe(make_clip(tmp_path / "full.mp4", seconds=0.5, extra=["-pix_fmt", "yuvj420p"])).picture
    assert full is not None
    assert full.full_range


def test_interlaced_pictures_are_seen(tmp_path: Path) -> None:
    """A field-coded picture is interlaced, a progressive one is not."""
    fields = ["-vf", "interlace", "-flags", "+ildct+ilme"]
    assert picture_of(make_clip(tmp_path / "fields.mp4", rate="50", seconds=1, extra=fields)).interlaced
    assert not picture_of(make_clip(tmp_path / "frames.mp4", rate="50", seconds=1)).interlaced


@pytest.mark.parametrize("start", ["0.5", "1.5", "2.9"])
@pytest.mark.parametrize("how", ["edit list", "no edit list"])
def test_an_edit_list_hides_what_it_hides(tmp_path: Path, coded: Path, start: str, how: str) -> None:
    """A clip that begins inside a group of pictures has the frames that a decoder shows, counted from the first."""
    path = tmp_path / "trimmed.mp4"
    extra = ["-use_editlist", "0", "-avoid_negative_ts", "make_zero"] if how == "no edit list" else []
    run("-ss", start, "-i", named(coded), "-c", "copy", *extra, named(path))
    picture = picture_of(path)
    times = shown(path)
    assert picture.frames == len(times)
    assert picture.start == times[0]
    assert picture.rate == 30


@pytest.mark.parametrize("suffix", ["mp4", "mkv", "ts"])
def test_late_sound_starts_late(tmp_path: Path, suffix: str) -> None:
    """Sound that begins 0.8 s after the picture is put there on the container's clock, and noted."""
    media = probe(make_clip(tmp_path / f"late.{suffix}", late=0.8))
    # An encoder's priming may stand before the first sample that was recorded.
    assert (
        Fraction(8, 10) - Fraction(1025, 48000) <= media.sound[0].start - media.origin <= Fraction(801, 1000)
    )
    assert any("starts 0.7" in note or "starts 0.8" in note for note in media.notes)


def test_a_transport_stream_starts_where_it_starts(folder: Path, coded: Path) -> None:
    """Take time begins at the first shown frame, which in a transport stream lies a second or two into its clock."""
    path = folder / "camera.ts"
    run("-i", named(coded), "-c", "copy", named(path))
    media = probe(path)
    assert media.origin == shown(path)[0] > 1
    assert media.frames == 120


def test_a_recording_that_begins_between_keyframes(folder: Path, coded: Path, tmp_path: Path) -> None:
    """Frames before the first keyframe cannot be shown and are not counted."""
    whole = folder / "cut.ts"
    run("-i", named(coded), "-c", "copy", named(whole))
    path = tmp_path / "tail.ts"
    data = whole.read_bytes()
    path.write_bytes(data[len(data) // 3 // 188 * 188 :])
    times = shown(path)
    assert 0 < len(times) < 120
    assert (probe(path).frames, probe(path).origin) == (len(times), times[0])


@pytest.mark.parametrize("kind", ["live", "fragments"])
def test_a_stream_without_a_duration_is_measured(tmp_path: Path, plain: Path, kind: str) -> None:
    """What a browser records has no duration and no index; both lengths are measured."""
    if kind == "live":
        path = make_stream_webm(tmp_path / "live.webm")
    else:
        path = tmp_path / "live.mp4"
        run("-i", named(plain), "-c", "copy", "-movflags", "frag_keyframe+delay_moov", named(path))
    media = probe(path)
    assert (media.frames, media.duration, media.rate) == (60, Fraction(2), Fraction(30))
    assert abs(media.sound[0].duration - 2) < Fraction(1, 10)


@pytest.mark.parametrize("suffix", ["aac", "mp3", "wav", "flac", "ogg", "opus", "m4a"])
def test_sound_alone_has_a_length_and_a_grid(tmp_path: Path, suffix: str) -> None:
    """A file of sound has no picture, its own length within a codec's block, and a grid of 30."""
    media = probe(make_sound(tmp_path / f"sound.{suffix}"))
    assert media.picture is None
    assert abs(media.duration - 2) < Fraction(1, 20)
    assert media.rate == 30
    assert media.frames == int(media.duration * 30)
    assert (media.sound[0].channels, media.sound[0].track) == (2, 0)


@pytest.mark.parametrize("suffix", ["mp3", "m4a", "flac"])
def test_cover_art_is_no_picture(tmp_path: Path, suffix: str) -> None:
    """A song with a cover is sound alone, as long as the song."""
    media = probe(make_cover_mp3(tmp_path / f"song.{suffix}"))
    assert media.picture is None
    assert abs(media.duration - 2) < Fraction(1, 10)
    assert any("cover art" in note for note in media.notes)


def test_an_avi_with_b_frames_is_not_trusted(tmp_path: Path, coded: Path) -> None:
    """AVI holds no times of showing, so that B-frames in it are noted."""
    path = tmp_path / "old.avi"
    run("-i", named(coded), "-c:v", "copy", "-c:a", "libmp3lame", named(path))
    media = probe(path)
    assert media.frames == 120
    assert any(note.startswith("AVI does not say") for note in media.notes)


def test_of_two_pictures_the_larger_is_used(tmp_path: Path) -> None:
    """With two pictures neither of which is marked, the larger is taken, and that is noted."""
    path = tmp_path / "two.mkv"
    small, large = ("testsrc2=size=64x64:rate=30", "testsrc2=size=320x180:rate=30")
    sources = ["-f", "lavfi", "-t", 1, "-i", small, "-f", "lavfi", "-t", 1, "-i", large]
    run(
        *sources,
        "-map",
        0,
        "-map",
        1,
        "-c:v",
        "mpeg4",
        "-disposition:v",
        0,
        "-default_mode",
        "passthrough",
        named(path),
    )
    media = probe(path)
    assert media.picture is not None
    assert (media.picture.index, media.picture.width) == (1, 320)
    assert any(note.startswith("2 pictures") for note in media.notes)


def test_tracks_are_numbered_over_all_of_them(tmp_path: Path) -> None:
    """Two sound tracks have numbers, layout, language and title."""
    media = probe(make_two_tracks(tmp_path / "screen.mp4"))
    assert [(track.track, track.index, track.layout) for track in media.sound] == [
        (0, 1, "stereo"),
        (1, 2, "stereo"),
    ]
    assert (media.sound[1].language, media.sound[1].title) == ("eng", "Microphone")
    assert media.sound[0].language is None


def test_surround_has_its_layout(tmp_path: Path) -> None:
    """5.1 is six channels of that name."""
    track = probe(make_clip(tmp_path / "film.mp4", sound="5.1", seconds=0.5)).sound[0]
    assert (track.channels, track.layout) == (6, "5.1")


def test_an_undecodable_track_is_ignored(tmp_path: Path) -> None:
    """A track whose codec nobody knows (a phone's spatial sound) is left out with a note; the other is used."""
    two = make_two_tracks(tmp_path / "two.mp4")
    media = probe(make_undecodable(two, tmp_path / "phone.mp4"))
    assert [track.track for track in media.sound] == [0]
    assert any("cannot be decoded" in note for note in media.notes)
    assert media.frames == 60


def test_subtitles_and_attachments_are_left_aside(tmp_path: Path, plain: Path) -> None:
    """Subtitles and attached files are not used, and that is noted."""
    words = tmp_path / "words.srt"
    words.write_text("1\n00:00:00,000 --> 00:00:01,000\nhi\n", encoding="utf-8")
    path = tmp_path / "extras.mkv"
    extras = ["-c", "copy", "-c:s", "srt", "-attach", words, "-metadata:s:t", "mimetype=text/plain"]
    run("-i", named(plain), "-i", named(words), "-map", 0, "-map", 1, *extras, named(path))
    media = probe(path)
    assert (media.frames, len(media.sound)) == (60, 1)
    assert {"subtitles inside are not used", "attachments inside are not used"} <= set(media.notes)


@pytest.mark.parametrize(
    ("name", "rate", "timecode"),
    [
        ("tmcd.mov", "25", "01:00:00:00"),
        ("drop.mov", "30000/1001", "10:00:00;02"),
        ("tag.mkv", "25", "02:03:04:05"),
    ],
)
def test_the_embedded_timecode_is_read(tmp_path: Path, name: str, rate: str, timecode: str) -> None:
    """The start timecode is read from a timecode track and from a tag, drop-frame with its semicolon."""
    path = make_clip(tmp_path / name, rate=rate, seconds=0.5, extra=["-timecode", timecode])
    assert picture_of(path).timecode == timecode


def test_a_silent_film_says_so(tmp_path: Path) -> None:
    """A clip without a sound track has none, and says so."""
    media = probe(make_clip(tmp_path / "silent.mp4", sound="none", seconds=0.5))
    assert media.sound == ()
    assert "no sound" in media.notes


@pytest.mark.parametrize("name", NAMES)
def test_any_name_is_read(plain: Path, tmp_path: Path, name: str) -> None:
    """A file of any name is read, by its relative path too."""
    path = tmp_path / name
    path.write_bytes(plain.read_bytes())
    assert probe(path).frames == 60


def test_tags_in_no_encoding_are_read(tmp_path: Path, plain: Path) -> None:
    """Camera tags that are no UTF-8 do not stand in the way."""
    path = tmp_path / "camera.mp4"
    run("-i", named(plain), "-c", "copy", "-metadata", "title=Sendlinger", named(path))
    data = path.read_bytes()
    assert data.count(b"Sendlinger") == 1
    path.write_bytes(data.replace(b"Sendlinger", b"S\xfcndlinge\xdf"))
    assert probe(path).frames == 60


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("empty.mp4", lambda _plain: b""),
        ("text.mp4", lambda _plain: b"no film at all\n" * 200),
        ("noise.mkv", lambda _plain: np.random.default_rng(7).bytes(20_000)),
        ("headless.mp4", lambda plain: plain[: int(len(plain) * 0.6)]),
        ("head.mp4", lambda plain: plain[:200]),
    ],
)
def test_what_is_no_media_is_one_line(
    tmp_path: Path, plain: Path, name: str, write: Callable[[bytes], bytes]
) -> None:
    """An empty, foreign or broken-off file is refused in one line with its name and what to do."""
    path = tmp_path / name
    path.write_bytes(write(plain.read_bytes()))
    with pytest.raises(UnreadableMedia) as caught:
        probe(path)
    message = str(caught.value)
    assert message.startswith(name)
    assert "copy it again" in message
    assert "\n" not in message


def test_what_is_not_there_is_one_line(tmp_path: Path) -> None:
    """A missing file and a folder are refused with their names."""
    (tmp_path / "folder.mp4").mkdir()
    for name in ("gone.mp4", "folder.mp4"):
        with pytest.raises(UnreadableMedia, match=name):
            probe(tmp_path / name)


@pytest.mark.parametrize("kind", ["mkv", "faststart"])
def test_a_file_that_breaks_off_is_read_so_far(tmp_path: Path, coded: Path, kind: str) -> None:
    """What is there of a broken-off file is used: the frames that can be read, and a note that says where it ends."""
    whole = tmp_path / ("whole.mkv" if kind == "mkv" else "whole.mp4")
    run(
        "-i",
        named(coded),
        "-c",
        "copy",
        *([] if kind == "mkv" else ["-movflags", "+faststart"]),
        named(whole),
    )
    path = cut_short(whole, tmp_path / f"broken{whole.suffix}", share=0.7)
    media = probe(path)
    there = shown(path)
    # Decoders of several threads lose what they hold when the file ends in the middle of a packet.
    assert abs(media.frames - len(there)) <= 16
    assert 0.5 < media.frames / 120 < 0.9
    assert any("breaks off" in note for note in media.notes)


def test_a_whole_file_is_not_said_to_break_off(plain: Path, coded: Path) -> None:
    """No whole file carries that note."""
    assert not [
        note for media in (probe(plain), probe(coded)) for note in media.notes if "breaks off" in note
    ]


def test_a_still_of_one_frame_lasts_a_frame(tmp_path: Path) -> None:
    """A clip of one frame has one frame of its rate."""
    path = make_clip(tmp_path / "one.mp4", sound="none", seconds=1, extra=["-frames:v", "1"])
    assert (probe(path).frames, probe(path).duration) == (1, Fraction(1, 30))


def test_a_media_is_plain_data(plain: Path) -> None:
    """What probe gives can be hashed and compared, and two readings are equal."""
    assert probe(plain) == probe(plain)
    assert isinstance(hash(probe(plain)), int)
    assert isinstance(probe(plain), Media)


@given(
    rate=st.sampled_from(RATES),
    base=st.sampled_from((Fraction(1, 1000), Fraction(1, 90_000), Fraction(1, 15_360), Fraction(1, 600))),
    count=st.integers(30, 3000),
    start=st.integers(-5000, 5_000_000),
)
def test_rounded_times_are_a_constant_rate(rate: Fraction, base: Fraction, count: int, start: int) -> None:
    """Times that are n/rate, rounded to any time base, are constant at exactly that rate."""
    ticks = [start + round(n / rate / base) for n in range(count)]
    found = pace(Times(pts=ticks), base, None)
    assert (found.variable, found.frames) == (False, count)
    # Short clips on a coarse clock cannot tell 30 from 29.97; where they can, they do.
    if count / rate * Fraction(1, 1001) > 3 * max(base, Fraction(1, 2000)):
        assert found.rate == rate
    assert abs(found.duration - count / rate) <= count / rate / 1000


@given(
    rate=st.sampled_from((Fraction(24), Fraction(25), Fraction(30000, 1001), Fraction(60))),
    lost=st.sets(st.integers(1, 298), min_size=1, max_size=60),
)
def test_lost_frames_make_it_variable(rate: Fraction, lost: set[int]) -> None:
    """A picture that misses frames is variable on its own rate's grid, as long as the whole."""
    base = Fraction(1, 90_000)
    ticks = [round(n / rate / base) for n in range(300) if n not in lost]
    found = pace(Times(pts=ticks), base, None)
    assert found.variable
    assert found.rate == rate
    assert found.frames == 300 - len(lost)
    assert abs(found.duration - 300 / rate) < Fraction(1, 1000)


@given(
    lengths=st.lists(st.integers(1, 200), min_size=2, max_size=4, unique=True),
    hours=st.integers(2, 1000),
)
def test_a_clock_that_jumps_keeps_its_longest_stretch(lengths: list[int], hours: int) -> None:
    """Of stretches that lie hours apart, the one with most frames is kept, and the others are counted."""
    base = Fraction(1, 90_000)
    times = Times()
    for number, length in enumerate(lengths):
        for frame in range(length):
            times.add(number * hours * 3600 * 90_000 + frame * 3000, 3000)
    times.settle(base)
    longest = lengths.index(max(lengths))
    begin = longest * hours * 3600 * 90_000
    assert times.pts == [begin + frame * 3000 for frame in range(max(lengths))]
    assert times.strays == sum(lengths) - max(lengths)
    assert pace(times, base, Fraction(30)).duration == Fraction(max(lengths), 30)


@pytest.mark.parametrize("seed", range(24))
def test_damage_is_refused_or_read_and_never_a_traceback(
    plain: Path, live: Path, tmp_path: Path, seed: int
) -> None:
    """A file with bytes overwritten at random is read as far as it goes, or refused in one line."""
    dice = np.random.default_rng(seed)
    path = plain if seed % 2 else live
    data = bytearray(path.read_bytes())
    for place in dice.integers(0, len(data) if seed % 4 else 3000, 60):
        data[place] = int(dice.integers(256))
    hurt = tmp_path / f"hurt{path.suffix}"
    hurt.write_bytes(data)
    said = ""
    try:
        assert probe(hurt).duration > 0
    except UnreadableMedia as error:
        said = str(error)
    assert said.startswith(hurt.name) or not said
    assert "\n" not in said


@given(st.sampled_from(RATES), st.fractions(-1, 1))
def test_a_measured_rate_is_taken_to_one_in_use(rate: Fraction, off: Fraction) -> None:
    """A rate within a five-thousandth of one in use is that one; 30 and 29.97 are never mixed up."""
    measured = rate * (1 + off / 10_000)
    assert nearest(measured) == rate
