from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from cutbook.errors import NoSound, UnreadableMedia
from cutbook.media.ffmpeg import find
from cutbook.media.probe import Media, probe
from cutbook.media.sound import STEP, Envelope, Loudness, envelope, levels, measure, samples, sound_track
from cutbook.timebase import Span
from tests.footage import (
    BEEP,
    SOUNDS,
    Sound,
    make_clip,
    make_gap,
    make_sound,
    make_stray,
    make_two_tracks,
    named,
    run,
)

SECOND = Fraction(1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for what several tests read."""
    return tmp_path_factory.mktemp("heard")


@pytest.fixture(scope="module")
def beeps(folder: Path) -> Media:
    """Return a clip of four seconds with a beep at each whole second."""
    return probe(make_clip(folder / "beeps.mp4", sound="beeps", seconds=4))


@pytest.fixture(scope="module")
def two(folder: Path) -> Media:
    """Return a clip whose first track is silent and whose second has the beeps."""
    return probe(make_two_tracks(folder / "two.mp4"))


def onsets(wave: NDArray[np.float32], rate: int) -> list[float]:
    """Return the seconds at which it gets loud after a third of a second of quiet."""
    loud = np.flatnonzero(np.abs(wave) > 0.05)
    begins = [at for n, at in enumerate(loud) if n == 0 or at - loud[n - 1] > rate / 3]
    return [float(at) / rate for at in begins]


def span(start: float, end: float) -> Span:
    """Return a span of seconds."""
    return Span(Fraction(start), Fraction(end))


def wave_of(values: list[float]) -> Envelope:
    """Return an envelope of levels as given."""
    return Envelope(STEP, np.array(values, dtype=np.float32))


@pytest.mark.parametrize("suffix", ["mp4", "mov", "mkv", "webm", "ts", "avi"])
def test_beeps_lie_where_they_were_put(tmp_path: Path, suffix: str) -> None:
    """In every container and at any sample rate a beep is heard within a millisecond of its second."""
    extra = ["-c:v", "mpeg4", "-c:a", "pcm_s16le"] if suffix == "avi" else []
    path = make_clip(tmp_path / f"beeps.{suffix}", sound="beeps", size=(64, 64), seconds=3, extra=extra)
    media = probe(path)
    for rate in (8000, 16_000, 44_100, 48_000):
        wave = samples(media, rate=rate)
        assert len(wave) == 3 * rate
        assert wave.dtype == np.float32
        assert onsets(wave, rate) == pytest.approx([0, 1, 2], abs=0.001)


@pytest.mark.parametrize("suffix", ["wav", "mp3", "flac", "ogg", "opus", "m4a"])
def test_sound_alone_lies_where_it_was_put(tmp_path: Path, suffix: str) -> None:
    """What an encoder puts before the first sample is gone wherever the file tells of it."""
    media = probe(make_sound(tmp_path / f"beeps.{suffix}", sound="beeps", seconds=3))
    assert onsets(samples(media), 16_000)[:3] == pytest.approx([0, 1, 2], abs=0.001)


@pytest.mark.parametrize("suffix", ["mp4", "mkv", "ts"])
def test_late_sound_begins_with_silence(tmp_path: Path, suffix: str) -> None:
    """Sound that starts 0.8 s after the picture is heard 0.8 s later, and nothing is before it."""
    media = probe(make_clip(tmp_path / f"late.{suffix}", sound="beeps", late=0.8, seconds=3))
    wave = samples(media, rate=48_000)
    assert onsets(wave, 48_000) == pytest.approx([0.8, 1.8, 2.8], abs=0.001)
    assert np.abs(wave[: int(0.77 * 48_000)]).max() < 1e-3


def test_a_late_picture_cuts_the_sound_before_it(tmp_path: Path) -> None:
    """Take time begins with the picture: sound before its first frame is not in the take."""
    path = tmp_path / "late.mp4"
    sources = ["-itsoffset", 0.7, "-f", "lavfi", "-t", 3, "-i", "testsrc2=size=64x64:rate=30"]
    sources += ["-f", "lavfi", "-t", 4, "-i", SOUNDS["beeps"]]
    run(*sources, "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", named(path))
    assert onsets(samples(probe(path)), 16_000) == pytest.approx([0.3, 1.3, 2.3], abs=0.001)


@pytest.mark.parametrize("start", ["0.5", "1.3"])
def test_an_edit_list_moves_the_sound_along(tmp_path: Path, beeps: Media, start: str) -> None:
    """A clip trimmed without encoding keeps sound and picture together."""
    path = tmp_path / "trimmed.mp4"
    run("-ss", start, "-i", named(beeps.path), "-c", "copy", named(path))
    expected = [second - float(start) for second in (1, 2, 3) if second > float(start)]
    assert onsets(samples(probe(path)), 16_000) == pytest.approx(expected, abs=0.001)


def test_a_gap_is_silence_and_nothing_moves(tmp_path: Path, beeps: Media) -> None:
    """Packets that are lost leave a hole as long as they were; what comes after stays in its place."""
    media = probe(make_gap(beeps.path, tmp_path / "gap.mkv", start=0.5, end=1.5))
    wave = samples(media, rate=48_000)
    assert onsets(wave, 48_000) == pytest.approx([0, 2, 3], abs=0.001)
    assert len(wave) == 4 * 48_000


@pytest.mark.parametrize("shift", [0.4, 2.0])
def test_a_stray_time_moves_nothing(tmp_path: Path, beeps: Media, shift: float) -> None:
    """One packet that claims another time stays where it is, and so does all that follows it."""
    media = probe(make_stray(beeps.path, tmp_path / "stray.mkv", at=1.5, shift=shift))
    wave = samples(media, rate=48_000)
    assert onsets(wave, 48_000) == pytest.approx([0, 1, 2, 3], abs=0.001)


def test_broken_packets_are_silence(tmp_path: Path, beeps: Media) -> None:
    """A stretch of the file that is overwritten is passed over, and the beeps after it stay in their place."""
    data = bytearray(beeps.path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 3000] = bytes(3000)
    path = tmp_path / "broken.mp4"
    path.write_bytes(data)
    heard = onsets(samples(probe(path)), 16_000)
    assert heard[0] == pytest.approx(0, abs=0.001)
    assert heard[-1] == pytest.approx(3, abs=0.001)


@pytest.mark.parametrize("suffix", ["mp4", "mkv", "ts", "flac", "mp3"])
@pytest.mark.parametrize("start", [Fraction(0), Fraction(3, 2), Fraction(59, 20)])
def test_a_span_is_a_part_of_the_whole(folder: Path, suffix: str, start: Fraction) -> None:
    """A span read by itself, after a seek, is what lies there in the whole."""
    path = folder / f"part.{suffix}"
    if not path.exists():
        sound: Sound = "beeps"
        if suffix in {"flac", "mp3"}:
            make_sound(path, sound=sound, seconds=4)
        else:
            make_clip(path, sound=sound, seconds=4)
    media = probe(path)
    rate = 48_000
    whole = samples(media, rate=rate)
    part = samples(media, rate=rate, span=Span(start, start + SECOND))
    assert len(part) == rate
    there = whole[int(start * rate) :][:rate]
    # Containers that count milliseconds may place a packet half of one off after a seek.
    shift = min(
        range(-30, 31), key=lambda n: float(np.abs(np.roll(part, n)[100:-100] - there[100:-100]).max())
    )
    assert abs(shift) <= (0 if suffix in {"mp4", "flac"} else 25)
    assert np.allclose(np.roll(part, shift)[100:-100], there[100:-100], atol=0.03)


def test_a_span_past_the_end_is_silence(beeps: Media) -> None:
    """Before the take and after it there is nothing to hear."""
    assert not samples(beeps, span=span(10, 11)).any()
    assert len(samples(beeps, span=span(10, 11))) == 16_000
    assert len(samples(beeps, span=span(1, 1))) == 0
    early = samples(beeps, span=span(-1, 1))
    assert onsets(early, 16_000) == pytest.approx([1], abs=0.001)


@pytest.mark.parametrize(
    ("codec", "suffix"),
    [("pcm_u8", "wav"), ("pcm_s24le", "wav"), ("pcm_f32le", "wav"), ("pcm_s16be", "aiff")],
)
def test_every_sample_format_has_the_same_scale(tmp_path: Path, codec: str, suffix: str) -> None:
    """A beep of half full scale is ±0.5 in every format of samples."""
    media = probe(make_sound(tmp_path / f"beeps.{suffix}", sound="beeps", extra=["-c:a", codec]))
    wave = samples(media, rate=48_000)
    assert float(wave.max()) == pytest.approx(0.5, abs=0.01)
    assert float(wave.min()) == pytest.approx(-0.5, abs=0.01)


def test_surround_keeps_its_voice(tmp_path: Path) -> None:
    """A voice in the centre of 5.1 (peak 0.4) is heard at 0.4·√½, not thinned out over six channels."""
    media = probe(make_clip(tmp_path / "film.mp4", sound="5.1", seconds=1))
    assert float(np.abs(samples(media, rate=48_000)[4800:-4800]).max()) == pytest.approx(
        0.4 * math.sqrt(0.5), rel=0.05
    )


def test_mono_and_stereo_are_as_loud(tmp_path: Path) -> None:
    """One channel is heard as it is, and two equal channels as either of them."""
    wave = "0.4*sin(880*PI*t)"
    for name, channels in (("mono", wave), ("stereo", f"{wave}|{wave}")):
        path = tmp_path / f"{name}.wav"
        run("-f", "lavfi", "-t", 1, "-i", f"aevalsrc=exprs='{channels}':s=48000", named(path))
        assert float(samples(probe(path), rate=48_000).max()) == pytest.approx(0.4, abs=0.001)


def test_levels_find_the_track_with_the_voice(two: Media) -> None:
    """A silent first track reads −100 dBFS; beeps of 0.5 for a tenth of the time read −22 dBFS."""
    silent, voice = levels(two)
    assert silent == -100
    expected = 10 * math.log10(0.5**2 / 2 * BEEP)
    assert voice == pytest.approx(expected, abs=0.1)


def test_levels_of_a_film_without_sound_are_none(tmp_path: Path) -> None:
    """Where there is no track there is no level."""
    assert levels(probe(make_clip(tmp_path / "silent.mp4", sound="none", seconds=0.5))) == ()


def test_a_track_that_is_not_there_is_named(two: Media) -> None:
    """Asking for a track that does not exist names those that do."""
    with pytest.raises(NoSound, match=r"two\.mp4 has no sound track 2; it has 0, 1"):
        samples(two, 2)
    assert sound_track(two, 1).title == "Microphone"


def test_an_envelope_is_the_level_of_each_millisecond(beeps: Media, tmp_path: Path) -> None:
    """Within a beep each millisecond reads 0.5/√2, between them nothing, one level for each millisecond."""
    found = envelope(beeps, cache=tmp_path, key="k")
    assert found is not None
    assert (len(found.levels), found.step, found.duration) == (4000, Fraction(1, 1000), Fraction(4))
    assert float(np.median(found.levels[1010:1090])) == pytest.approx(0.5 / math.sqrt(2), rel=0.02)
    assert found.level(span(1.01, 1.09)) == pytest.approx(0.5 / math.sqrt(2), rel=0.02)
    assert found.level(span(1.2, 1.9)) < 1e-3


def test_an_envelope_is_made_once(tmp_path: Path) -> None:
    """The second reading comes from the cache, even where the footage is away; a damaged cache is made anew."""
    media = probe(make_clip(tmp_path / "clip.mp4", sound="beeps", seconds=1))
    cache = tmp_path / "cache"
    first = envelope(media, cache=cache, key="1.abc")
    assert first is not None
    media.path.rename(tmp_path / "away.mp4")
    second = envelope(media, cache=cache, key="1.abc")
    assert second is not None
    assert np.array_equal(first.levels, second.levels)
    with pytest.raises(UnreadableMedia):
        envelope(media, cache=cache, key="2.def")
    (tmp_path / "away.mp4").rename(media.path)
    for file in cache.iterdir():
        file.write_bytes(file.read_bytes()[:50])
    third = envelope(media, cache=cache, key="1.abc")
    assert third is not None
    assert np.array_equal(first.levels, third.levels)


def test_tracks_have_envelopes_of_their_own(two: Media, tmp_path: Path) -> None:
    """The cache keeps tracks apart."""
    silent, voice = (envelope(two, track, cache=tmp_path, key="k") for track in (0, 1))
    assert silent is not None
    assert voice is not None
    assert float(silent.levels.max()) == 0
    assert float(voice.levels.max()) > 0.3


def test_a_film_without_sound_has_no_envelope(tmp_path: Path) -> None:
    """No sound is no error, and nothing is written."""
    media = probe(make_clip(tmp_path / "silent.mp4", sound="none", seconds=0.5))
    assert envelope(media, cache=tmp_path / "cache", key="k") is None
    assert not (tmp_path / "cache").exists()


def test_a_cache_that_cannot_be_written_only_costs_time(beeps: Media, tmp_path: Path) -> None:
    """Where the cache folder is a file, the envelope is given all the same."""
    (tmp_path / "cache").write_text("in the way", encoding="utf-8")
    found = envelope(beeps, cache=tmp_path / "cache", key="k")
    assert found is not None
    assert len(found.levels) == 4000


def test_silences_lie_between_the_beeps(beeps: Media, tmp_path: Path) -> None:
    """Of beeps a tenth of a second long, the rests between are silences."""
    found = envelope(beeps, cache=tmp_path, key="k")
    assert found is not None
    silences = found.silences()
    assert [float(silence.start) for silence in silences] == pytest.approx([0.1, 1.1, 2.1, 3.1], abs=0.02)
    assert [float(silence.end) for silence in silences] == pytest.approx([1, 2, 3, 4], abs=0.02)
    assert found.silences(span(0.5, 1.2)) == (Span(Fraction(1, 2), silences[0].end),)
    assert found.silences(at_least=Fraction(1)) == ()


@given(
    values=st.lists(st.sampled_from([0.0, 0.001, 0.1, 0.5, 1.0]), min_size=1, max_size=60),
    start=st.integers(-10, 70),
    length=st.integers(0, 50),
)
def test_the_quietest_place_is_the_quietest(values: list[float], start: int, length: int) -> None:
    """No window of ten milliseconds in the span is quieter, and of equals none is nearer to the span's middle."""
    found = wave_of(values)
    where = Span(start * STEP, (start + length) * STEP)
    got = found.quietest(where)
    there = dict(enumerate(values))

    def power(first: int) -> float:
        return sum(there.get(n, 0.0) ** 2 for n in range(first, first + 10))

    places = range(start, start + length - 9)
    if not places:
        assert got == where.middle
        return
    least = min(power(first) for first in places)
    nearest = min(
        (abs((first + 5) * STEP - where.middle) for first in places if power(first) <= least + 1e-9),
        default=None,
    )
    first = int(got / STEP) - 5
    assert first in places
    assert power(first) <= least + 1e-9
    assert abs(got - where.middle) == nearest


@given(st.lists(st.floats(0, 1, width=32), min_size=1, max_size=50), st.integers(0, 49), st.integers(1, 50))
def test_a_level_is_the_root_of_the_mean_square(values: list[float], start: int, length: int) -> None:
    """The level of a span is the RMS of its milliseconds, and nothing lies outside the sound."""
    part = values[start : start + length]
    expected = math.sqrt(sum(value**2 for value in part) / len(part)) if part else 0.0
    got = wave_of(values).level(Span(start * STEP, (start + length) * STEP))
    assert got == pytest.approx(expected, abs=1e-6)


@given(st.lists(st.floats(0, 1, width=32), min_size=1, max_size=200), st.integers(1, 300))
def test_no_peak_is_lost_in_drawing(values: list[float], columns: int) -> None:
    """However few the columns, the highest of them is the highest level."""
    found = wave_of(values).peaks(Span(Fraction(0), len(values) * STEP), columns)
    assert len(found) == columns
    assert float(found.max()) == pytest.approx(max(values))


def test_loudness_is_the_standard_s(ffmpeg_exe: Path, tmp_path: Path) -> None:
    """EBU Tech 3341's first case: a stereo sine of 1 kHz with peaks of −23 dBFS for 20 s reads −23.0 ±0.1 LUFS."""
    path = tmp_path / "sine.wav"
    amplitude = 10 ** (-23 / 20)
    run(
        "-f",
        "lavfi",
        "-t",
        20,
        "-i",
        f"aevalsrc=exprs='{amplitude}*sin(2000*PI*t)|{amplitude}*sin(2000*PI*t)':s=48000",
        named(path),
    )
    found = measure(find(ffmpeg_exe), path)
    assert found.integrated_lufs == pytest.approx(-23.0, abs=0.1)
    assert found.true_peak_db == pytest.approx(-23.0, abs=0.2)
    assert found.range_lu == pytest.approx(0, abs=0.1)


def test_silence_has_a_loudness(ffmpeg_exe: Path, tmp_path: Path) -> None:
    """Silence reads −70 LUFS and −100 dBTP instead of infinity."""
    found = measure(find(ffmpeg_exe), make_sound(tmp_path / "silence.m4a", sound="silence"))
    assert found == Loudness(-70.0, -100.0, 0.0)


def test_a_film_without_sound_has_no_loudness(ffmpeg_exe: Path, tmp_path: Path) -> None:
    """No sound is told apart from silence."""
    path = make_clip(tmp_path / "-silent film.mp4", sound="none", seconds=0.5)
    with pytest.raises(NoSound, match="silent film"):
        measure(find(ffmpeg_exe), path)
