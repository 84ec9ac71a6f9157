from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from numpy.typing import NDArray

FOLDER = Path(__file__).resolve().parents[2] / "sample_media"
TAKES: dict[str, dict[str, Any]] = json.loads((FOLDER / "script.json").read_text(encoding="utf-8"))["takes"]
SPOKEN = [name for name, take in TAKES.items() if take["words"]]
FILLERS = {"um", "uh"}


@cache
def sound(name: str) -> tuple[NDArray[np.float64], int]:
    """Decode a take's sound to mono, placed by its timestamps: sample 0 is the picture's time 0."""
    chunks: list[tuple[float, NDArray[np.float64]]] = []
    with av.open(str(FOLDER / TAKES[name]["file"])) as container:
        rate = container.streams.audio[0].rate
        for frame in container.decode(audio=0):
            assert frame.time is not None
            chunks.append((frame.time, frame.to_ndarray().astype(np.float64).mean(axis=0)))
    total = round(chunks[-1][0] * rate) + chunks[-1][1].size
    samples = np.zeros(total)
    for time, data in chunks:
        start = round(time * rate)
        samples[max(start, 0) : start + data.size] = data[max(-start, 0) :]
    return samples, rate


def decibels(name: str, start: float, end: float) -> float:
    """Return the level between two times, in dBFS."""
    samples, rate = sound(name)
    part = samples[max(0, round(start * rate)) : round(end * rate)]
    return float(10 * np.log10(np.mean(part**2) + 1e-12))


def pauses(name: str, shortest: float) -> list[tuple[float, float]]:
    """Return the gaps between words that are at least so long, the ends of the take included."""
    words = TAKES[name]["words"]
    starts = [word["start"] for word in words] + [TAKES[name]["duration_s"]]
    ends = [0.0] + [word["end"] for word in words]
    return [(end, start) for end, start in zip(ends, starts, strict=True) if start - end >= shortest]


def test_every_take_is_there_and_nothing_else() -> None:
    """The films in the folder are those that the script lists."""
    films = {file.name for file in FOLDER.iterdir() if file.suffix.lower() in {".mp4", ".mov"}}
    assert films == {take["file"] for take in TAKES.values()}
    assert len(films) >= 6


def test_footage_stays_small() -> None:
    """All takes together are under 10 MB and, where people speak, under 150 seconds."""
    assert sum((FOLDER / take["file"]).stat().st_size for take in TAKES.values()) < 10_000_000
    assert sum(TAKES[name]["duration_s"] for name in SPOKEN) <= 150


@pytest.mark.parametrize("name", TAKES)
def test_picture_is_as_documented(name: str) -> None:
    """Rate, size, count of frames and times of the decoded picture are those of the script."""
    take = TAKES[name]
    with av.open(str(FOLDER / take["file"])) as container:
        stream = container.streams.video[0]
        assert stream.average_rate == Fraction(take["rate"])
        assert [stream.width, stream.height] == take["stored_size"]
        frames = list(container.decode(video=0))
    assert len(frames) == take["frames"]
    assert frames[0].time == 0
    last = frames[-1].time
    assert last is not None
    assert last == pytest.approx((len(frames) - 1) / Fraction(take["rate"]), abs=1e-3)
    assert take["duration_s"] == pytest.approx(float(len(frames) / Fraction(take["rate"])), abs=1e-3)


@pytest.mark.parametrize("name", TAKES)
def test_rotation_is_as_documented(name: str) -> None:
    """Only the phone's clip is stored on its side, to be turned a quarter to the right."""
    take = TAKES[name]
    with av.open(str(FOLDER / take["file"])) as container:
        frame = next(container.decode(video=0))
    assert -frame.rotation % 360 == take["rotation_clockwise"]
    turned = take["stored_size"][::-1] if take["rotation_clockwise"] in {90, 270} else take["stored_size"]
    assert turned == take["shown_size"]


@pytest.mark.parametrize("name", TAKES)
def test_sound_is_as_documented(name: str) -> None:
    """Rate and channels are those of the script, and the cutaway has no audio stream."""
    take = TAKES[name]
    with av.open(str(FOLDER / take["file"])) as container:
        streams = container.streams.audio
        if take["audio"] is None:
            assert not streams
            return
        assert len(streams) == 1
        assert {"rate": streams[0].rate, "channels": streams[0].channels} == take["audio"]
    samples, rate = sound(name)
    assert samples.size / rate == pytest.approx(take["duration_s"], abs=0.05)
    assert np.abs(samples).max() < 0.99


def test_kinds_of_footage_that_the_sample_promises() -> None:
    """One take each at 29.97, at 25, at 44.1 kHz mono, upright, and without sound; one has two speakers."""
    takes = list(TAKES.values())
    rates = [take["rate"] for take in takes]
    assert rates.count("30000/1001") == 1
    assert rates.count("25/1") == 1
    assert {"30000/1001", "25/1", "30/1", "24/1"} == set(rates)
    assert [take["audio"]["rate"] for take in takes if take["audio"]].count(44100) == 1
    assert [take["rotation_clockwise"] for take in takes].count(90) == 1
    assert [take["audio"] for take in takes].count(None) == 1
    assert [len(take["speakers"]) for take in takes].count(2) == 1


def test_what_is_said_holds_what_editors_cut() -> None:
    """A dozen fillers, a sentence said in three takes, a slip with a restart, a pause of two seconds."""
    fillers = [word for name in SPOKEN for word in TAKES[name]["words"] if word["filler"]]
    assert len(fillers) >= 12
    assert {word["spoken"] for word in fillers} == FILLERS
    sentence = "ninety percent of what a page loads is never seen"
    said = {name: " ".join(word["spoken"] for word in TAKES[name]["words"]) for name in SPOKEN}
    assert sum(sentence in text for text in said.values()) == 3
    assert said["C0101"].startswith("ninety percent of what a web sorry ninety percent of what a page")
    assert any(end - start == pytest.approx(2.0, abs=0.01) for start, end in pauses("C0101", 1.0))


@pytest.mark.parametrize("name", SPOKEN)
def test_words_run_forward_inside_the_take(name: str) -> None:
    """Words start in order, have a length, do not overlap, and lie inside the take."""
    words = TAKES[name]["words"]
    for word, following in pairwise(words):
        assert 0 < word["end"] - word["start"] < 2
        assert word["end"] <= following["start"] + 1e-3
    assert words[0]["start"] > 0
    assert words[-1]["end"] < TAKES[name]["duration_s"]
    assert {word["speaker"] for word in words} == {f"S{n}" for n in range(len(TAKES[name]["speakers"]))}
    assert all(word["filler"] == (word["spoken"] in FILLERS) for word in words)


@pytest.mark.parametrize("name", SPOKEN)
def test_words_are_where_the_sound_is(name: str) -> None:
    """Every word is at least 15 dB louder than every pause, and pauses are quiet but never digital silence."""
    words = [decibels(name, word["start"], word["end"]) for word in TAKES[name]["words"]]
    gaps = [decibels(name, start + 0.03, end - 0.03) for start, end in pauses(name, 0.15)]
    assert min(words) > max(gaps) + 15
    assert max(gaps) < -50
    assert min(gaps) > -90


@pytest.mark.parametrize("name", SPOKEN)
def test_words_start_when_the_script_says(name: str) -> None:
    """After a pause the sound rises by 10 dB within 120 ms of the word's start, and not before it."""
    for pause, start in pauses(name, 0.2)[:-1]:
        before = decibels(name, max(pause + 0.03, start - 0.15), start - 0.01)
        after = max(decibels(name, start + 0.01 * n, start + 0.01 * n + 0.02) for n in range(11))
        assert after > before + 10, f"at {start}"
