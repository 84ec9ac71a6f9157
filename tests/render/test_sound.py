from __future__ import annotations

import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cutbook.edit.take import Take
from cutbook.errors import RenderError
from cutbook.files import UserFolders, fingerprint
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.media.probe import probe
from cutbook.media.sound import measure
from cutbook.render.film import Film, render
from cutbook.render.plan import Piece, plan
from cutbook.render.sound import gains, lay
from tests.render.footage import RATE, edl, sound, span


def voice(
    path: Path, ffmpeg: Path, source: str, *, folders: UserFolders, options: tuple[str, ...] = ()
) -> Take:
    """Make a take of sound from ffmpeg's own source."""
    command: list[str | Path] = [ffmpeg, "-v", "error", "-y", "-f", "lavfi", "-i", source, *options, path]
    subprocess.run(command, check=True, timeout=30)
    return Take.given(path.stem, probe(path), fingerprint(path, folders))


def cut(take: Take, ranges: list[tuple[int, int]], ffmpeg: Ffmpeg, place: Path, **more: Any) -> Film:
    """Render ranges of one take."""
    parts = [span(f"{n:05d}", take, low, high) for n, (low, high) in enumerate(ranges)]
    planned = plan(edl(*parts), {take.name: take}, size=(160, 90))
    return render(
        planned,
        takes={take.name: take},
        edit=place,
        output=place / "film.mp4",
        ffmpeg=ffmpeg,
        tier_name="draft",
        pictures=False,
        **more,
    )


def test_a_tone_cut_in_25_has_no_hole_and_no_click(
    any_ffmpeg: Path, one_runner: Ffmpeg, folders: UserFolders, tmp_path: Path
) -> None:
    """A steady tone cut into 25 ranges that follow each other stays one tone: no dip at any join, no jump."""
    take = voice(tmp_path / "tone.wav", any_ffmpeg, "sine=f=440:r=48000:d=5,volume=4dB", folders=folders)
    made = cut(take, [(n * 6, n * 6 + 6) for n in range(25)], one_runner, tmp_path / "edit")
    heard = sound(made.path)
    blocks = np.abs(heard[2400 : 5 * RATE - 2400]).reshape(-1, 240).max(axis=1)
    assert blocks.min() > 0.9 * blocks.max()
    steps = np.abs(np.diff(heard[2400 : 5 * RATE - 2400]))
    assert steps.max() < 1.02 * blocks.max() * 2 * np.pi * 440 / RATE


def test_joins_of_unlike_places_fade_and_do_not_click(
    any_ffmpeg: Path, one_runner: Ffmpeg, folders: UserFolders, tmp_path: Path
) -> None:
    """Ranges that do not follow each other are faded over 30 ms: quiet at the join only, and no jump there."""
    take = voice(tmp_path / "tone.wav", any_ffmpeg, "sine=f=440:r=48000:d=5,volume=4dB", folders=folders)
    made = cut(take, [(100, 130), (11, 40), (70, 101)], one_runner, tmp_path / "edit")
    heard = sound(made.path)
    full = np.abs(heard[RATE // 4 : RATE // 2]).max()
    for join in (RATE, RATE * 59 // 30):
        assert np.abs(heard[join - 24 : join + 24]).max() < 0.05 * full
        assert np.abs(heard[join - 1700 : join - 1500]).max() > 0.95 * full
        assert np.abs(np.diff(heard[join - 960 : join + 960])).max() < 1.1 * full * 2 * np.pi * 440 / RATE
    assert not made.proof.warnings


LOUD: dict[str, tuple[str, tuple[str, ...]]] = {
    "quiet": ("sine=f=440:d=4,volume=-15dB", ()),
    "hot": ("anoisesrc=d=4:a=0.02:seed=1,volume='if(lt(mod(t,1),0.02),30,1)':eval=frame", ()),
    "mono": ("sine=f=440:r=22050:d=4", ("-ac", "1", "-ar", "22050")),
    "5.1": ("sine=f=440:r=48000:d=4,pan=5.1|FC=c0", ()),
}


@pytest.mark.parametrize("kind", LOUD)
def test_sound_comes_out_at_its_loudness_and_below_its_peak(
    kind: str, any_ffmpeg: Path, one_runner: Ffmpeg, folders: UserFolders, tmp_path: Path
) -> None:
    """Quiet, hot, mono and 5.1 sound: 48 kHz stereo at −14 LUFS, its true peak at most −1 dBTP in the film itself."""
    source, options = LOUD[kind]
    take = voice(tmp_path / "voice.wav", any_ffmpeg, source, folders=folders, options=options)
    made = cut(take, [(0, 60), (60, 110)], one_runner, tmp_path / "edit")
    found = measure(one_runner, made.path)
    assert found.true_peak_db <= -1.0
    assert made.level.limited == (kind == "hot")
    if kind != "hot":
        assert found.integrated_lufs == pytest.approx(-14, abs=0.5)
    track = probe(made.path).sound[0]
    assert (track.sample_rate, track.channels, track.layout) == (48_000, 2, "stereo")


def test_silence_is_left_alone(
    any_ffmpeg: Path, one_runner: Ffmpeg, folders: UserFolders, tmp_path: Path
) -> None:
    """Digital silence is not raised, and its film is right."""
    take = voice(tmp_path / "none.wav", any_ffmpeg, "anullsrc=r=48000:d=2", folders=folders)
    made = cut(take, [(0, 30)], one_runner, tmp_path / "edit")
    assert made.level.gain == 0
    assert not sound(made.path).any()


def test_an_early_sound_crosses_over_before_its_picture(
    any_ffmpeg: Path, one_runner: Ffmpeg, folders: UserFolders, tmp_path: Path
) -> None:
    """With a lead of 0.4 s the second take is heard 0.4 s before it is seen, and the first one until then."""
    low = voice(tmp_path / "low.wav", any_ffmpeg, "sine=f=300:r=48000:d=4", folders=folders)
    high = voice(tmp_path / "high.wav", any_ffmpeg, "sine=f=3000:r=48000:d=4", folders=folders)
    takes = {"low": low, "high": high}
    parts = edl(span("00001", low, 0, 60), span("00002", high, 30, 90, audio_lead=Fraction(2, 5)))
    made = render(
        plan(parts, takes, size=(160, 90)),
        takes=takes,
        edit=tmp_path / "edit",
        output=tmp_path / "film.mp4",
        ffmpeg=one_runner,
        tier_name="draft",
        pictures=False,
    )
    heard = sound(made.path)

    def pitch(second: float) -> float:
        part = heard[int(second * RATE) : int(second * RATE) + 2400]
        return float(np.argmax(np.abs(np.fft.rfft(part * np.hanning(2400)))) * RATE / 2400)

    assert [pitch(1.0), pitch(1.5), pitch(1.65), pitch(2.5)] == pytest.approx([300, 300, 3000, 3000], abs=40)
    level = np.abs(heard[int(1.55 * RATE) : int(1.65 * RATE)]).reshape(-1, 480).max(axis=1)
    assert level.min() > 0.6 * level.max()


def test_fades_meet_and_crossfades_keep_power() -> None:
    """A fade starts and ends near nothing and is whole outside; the squares of two crossing fades add up to one."""
    plain = Piece(source="A", first=0, samples=1000, start=Fraction(0), fade_in=100, fade_out=200)
    whole = gains(plain, 0, 1000)
    assert whole[0] < 0.001
    assert whole[-1] < 0.001
    assert (whole[100:800] == 1).all()
    assert (np.concatenate((gains(plain, 0, 333), gains(plain, 333, 1000))) == whole).all()
    crossing = {"source": "A", "first": 0, "samples": 300, "start": Fraction(0)}
    out = gains(Piece(**crossing, fade_in=0, fade_out=100, crossed_out=True), 200, 300)  # type: ignore[arg-type]
    into = gains(Piece(**crossing, fade_in=100, fade_out=0, crossed_in=True), 0, 100)  # type: ignore[arg-type]
    assert out**2 + into**2 == pytest.approx(np.ones(100), abs=1e-5)


def test_sound_that_is_too_short_is_refused(tmp_path: Path) -> None:
    """A raw piece with fewer samples than planned is never padded in silence."""
    raw = tmp_path / "piece.f32"
    raw.write_bytes(bytes(8 * 50))
    piece = Piece(source="A", first=0, samples=60, start=Fraction(0), fade_in=0, fade_out=0)
    with pytest.raises(RenderError, match="has 50 of 60 samples"):
        lay([(piece, raw)], 60, tmp_path / "film.au")
