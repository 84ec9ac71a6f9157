from __future__ import annotations

import threading
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from numpy.typing import NDArray

from cutbook.errors import FfmpegStopped, NoSound, TranscriptError
from cutbook.media.ffmpeg import find
from cutbook.media.probe import Media, probe
from cutbook.media.sound import samples
from cutbook.transcripts.upload import Handle, Upload, extract
from tests.footage import make_clip, make_sound, named, run

RATE = 16_000


def heard(upload: Upload) -> NDArray[np.float32]:
    """Decode an upload, which must be 16 kHz mono."""
    parts: list[NDArray[Any]] = []
    with av.open(str(upload.path)) as container:
        stream = container.streams.audio[0]
        assert (stream.rate, stream.layout.name) == (
            RATE if upload.path.suffix == ".flac" else 48_000,
            "mono",
        )
        resampler = av.AudioResampler(format="flt", layout="mono", rate=RATE)
        for frame in container.decode(stream):
            parts += [part.to_ndarray().ravel() for part in resampler.resample(frame)]
        parts += [part.to_ndarray().ravel() for part in resampler.resample(None)]
    return np.concatenate(parts).astype(np.float32)


def onsets(wave: NDArray[np.float32]) -> list[float]:
    """Give the seconds at which a beep begins after a tenth of a second of silence."""
    loud = np.flatnonzero(np.abs(wave) > 0.1)
    return [float(at) / RATE for at in loud[np.concatenate(([True], np.diff(loud) > RATE // 10))]]


@pytest.mark.parametrize(
    ("name", "late"),
    [
        ("late.mp4", 0.8),
        ("late.mkv", 0.8),
        ("late.mov", 0.8),
        ("late.webm", 0.8),
        ("late.ts", 0.8),
        ("early.mp4", -0.5),
        ("early.mkv", -0.5),
        ("early.ts", -0.7),
        ("even.ts", 0.0),
    ],
)
def test_the_upload_runs_on_the_pictures_clock(
    tmp_path: Path, ffmpeg_exe: Path, name: str, late: float
) -> None:
    """Sound that starts late or early lies where the picture has it, within 20 ms, by every ffmpeg and container."""
    media = probe(make_clip(tmp_path / name, sound="beeps", seconds=4, late=late))
    found = onsets(heard(extract(media, 0, tmp_path, ffmpeg=find(ffmpeg_exe))))
    expected = [late + second for second in range(4) if 0 <= late + second < 3.95]
    assert found == pytest.approx(expected, abs=0.02)


def test_it_is_what_everything_else_hears(session_sample: Path, tmp_path: Path) -> None:
    """Sample for sample the upload is the sound that pauses are found in and the embedded engine hears."""
    media = probe(session_sample / "C0104.mov")
    upload, other = heard(extract(media, 0, tmp_path)), samples(media, 0, rate=RATE)
    count = min(len(upload), len(other))
    assert abs(len(upload) - len(other)) < RATE // 100
    assert float(np.abs(upload[:count] - other[:count]).max()) < 0.01


def test_flac_is_much_smaller_than_the_samples(session_sample: Path, tmp_path: Path) -> None:
    """Sixteen bits a sample, packed: speech takes well under the size of a WAV."""
    media = probe(session_sample / "C0103.mp4")
    size = extract(media, 0, tmp_path).path.stat().st_size
    assert size < 0.65 * float(media.duration) * RATE * 2


def test_opus_lies_on_the_same_clock(late_media: Media, tmp_path: Path) -> None:
    """For slow lines there is a smaller form, with the words in the same places."""
    found = onsets(heard(extract(late_media, 0, tmp_path, form="opus")))
    assert found[:2] == pytest.approx([0.5, 1.5], abs=0.02)


def test_a_hole_in_the_sound_stays_a_hole(tmp_path: Path) -> None:
    """Packets that are missing are silence: what comes after them stays in its place, and nothing is amiss."""
    whole = make_clip(tmp_path / "whole.mkv", sound="beeps", seconds=5, extra=["-c:a", "pcm_s16le"])
    holed = tmp_path / "holed.mkv"
    hole = "aselect='not(between(t,1.5,2.2))'"
    run("-i", named(whole), "-c:v", "copy", "-c:a", "pcm_s16le", "-af", hole, named(holed))
    upload = extract(probe(holed), 0, tmp_path)
    assert onsets(heard(upload)) == pytest.approx([0, 1, 3, 4], abs=0.02)
    assert upload.warnings == ()


def test_the_track_that_is_asked_for_is_sent(tmp_path: Path) -> None:
    """Of two tracks the second is taken when it is asked for; a third is none."""
    clip = make_clip(tmp_path / "a.mp4", sound="beeps", seconds=2)
    both = tmp_path / "both.mkv"
    silence = ["-f", "lavfi", "-t", 2, "-i", "anullsrc=r=48000"]
    run("-i", named(clip), *silence, "-map", "0:v", "-map", "1:a", "-map", "0:a", "-c:v", "copy", named(both))
    media = probe(both)
    assert not np.abs(heard(extract(media, 0, tmp_path))).any()
    assert onsets(heard(extract(media, 1, tmp_path))) == pytest.approx([0, 1], abs=0.02)
    with pytest.raises(NoSound, match="no sound track 2"):
        extract(media, 2, tmp_path)


def test_it_is_no_longer_than_the_picture(tmp_path: Path) -> None:
    """Sound that goes on after the picture is not paid for."""
    long = make_sound(tmp_path / "long.wav", sound="beeps", seconds=6)
    clip = make_clip(tmp_path / "short.mp4", sound="none", seconds=2)
    both = tmp_path / "both.mp4"
    run("-i", named(clip), "-i", named(long), "-map", "0:v", "-map", "1:a", "-c:v", "copy", named(both))
    assert extract(probe(both), 0, tmp_path).seconds == Fraction(2)


def test_a_sound_that_breaks_off_is_told(tmp_path: Path) -> None:
    """Where less is heard than the file says there is, words may lie elsewhere, and a person is told."""
    whole = make_sound(tmp_path / "whole.wav", seconds=5)
    media = probe(whole)
    whole.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    upload = extract(media, 0, tmp_path)
    assert len(upload.warnings) == 1
    assert "2.50 s shorter than the file says" in upload.warnings[0]


@pytest.mark.parametrize("duration", [Fraction(0), Fraction(36_001)])
def test_a_length_that_scribe_does_not_take_is_refused(
    late_media: Media, tmp_path: Path, duration: Fraction
) -> None:
    """No length, and over ten hours, are told before anything is extracted."""
    with pytest.raises(TranscriptError, match="up to 10 hours"):
        extract(replace(late_media, duration=duration), 0, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_stop_ends_the_extraction(late_media: Media, tmp_path: Path) -> None:
    """A stop is heard by ffmpeg too."""
    stop = threading.Event()
    stop.set()
    with pytest.raises(FfmpegStopped):
        extract(late_media, 0, tmp_path, cancel=stop)


def test_a_handle_tells_how_far_it_is(tmp_path: Path) -> None:
    """What was read is told as a part of the whole, and the end once it is reached."""
    path = tmp_path / "file"
    path.write_bytes(b"x" * 10)
    told: list[tuple[float, bool]] = []
    stop = threading.Event()
    with Handle(path, stop=stop, tell=lambda part, ended: told.append((part, ended))) as handle:
        assert handle.read(4) == b"xxxx"
        assert handle.read(10) == b"x" * 6
        assert handle.read(10) == b""
        assert told == [(0.4, False), (1.0, False), (1.0, True)]
        stop.set()
        with pytest.raises(InterruptedError):
            handle.read(1)
