from __future__ import annotations

import subprocess
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cutbook.edit.edl import Edl, Music
from cutbook.edit.take import Take
from cutbook.errors import PreflightError
from cutbook.files import UserFolders
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.render.film import Film, render
from cutbook.render.music import ducked
from cutbook.render.plan import plan
from cutbook.transcripts.model import Word
from tests.render.footage import RATE, Clip, edl, film, sound, span


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory, any_ffmpeg: Path) -> Clip:
    """Return ten seconds of picture with a tone of 300 Hz, in which one word is said from 4 s to 5 s."""
    place = tmp_path_factory.mktemp("quiet") / "talk.mp4"
    clip = film(place, any_ffmpeg, rate=Fraction(25), frames=250, seed=None)
    heard = place.with_name("heard.mp4")
    tone = ("-f", "lavfi", "-i", "sine=f=300:r=48000:d=10,volume=-6dB")
    copy = ("-c:v", "copy", "-c:a", "aac", "-b:a", "160k")
    subprocess.run(
        [any_ffmpeg, "-v", "error", "-y", "-i", place, *tone, *copy, heard], check=True, timeout=30
    )
    return replace(clip, path=heard, words=(Word(1, "Now", Fraction(4), Fraction(5)),))


@pytest.fixture
def talk(quiet: Clip, folders: UserFolders) -> dict[str, Take]:
    """Return the clip as a take."""
    return {"talk": quiet.take("talk", folders)}


def tune(path: Path, ffmpeg: Path, seconds: float) -> Path:
    """Make music: a tone of 3000 Hz."""
    made = ("-f", "lavfi", "-i", f"sine=f=3000:r=44100:d={seconds},volume=6dB", "-ac", "2")
    subprocess.run([ffmpeg, "-v", "error", "-y", *made, path], check=True, timeout=30)
    return path


def make(cut: Edl, takes: dict[str, Take], ffmpeg: Ffmpeg, place: Path) -> Film:
    """Render a cut list as a draft."""
    return render(
        plan(cut, takes, size=(160, 90)),
        takes=takes,
        edit=place,
        output=place / "film.mp4",
        ffmpeg=ffmpeg,
        tier_name="draft",
        pictures=False,
    )


def tone(heard: np.ndarray, pitch: int, second: float) -> float:
    """Give the level of a tone, in decibels, in the tenth of a second from `second` on."""
    part = heard[int(second * RATE) : int(second * RATE) + RATE // 10].astype(np.float64)
    turn = np.exp(-2j * np.pi * pitch * np.arange(len(part)) / RATE)
    return float(20 * np.log10(abs((part * turn).mean()) + 1e-9))


def test_music_is_as_long_as_the_film_and_ducked_under_words(
    talk: dict[str, Take], any_ffmpeg: Path, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """Music of 4 s under a film of 10 s: there throughout, 15 dB less under the word, gone at the end."""
    tune(tmp_path / "bed's %d.wav", any_ffmpeg, 4)
    cut = edl(
        span("1", talk["talk"], 0, 250, words=(1, 1)),
        music=Music(file="bed's %d.wav", gain_db=-8, duck_db=15),
    )
    made = make(cut, talk, one_runner, tmp_path)
    heard = sound(made.path)
    usual = tone(heard, 3000, 1.0)
    # From 3 s to 4 s and from 6 s to 7 s two copies of the tune cross.
    levels = {at: tone(heard, 3000, at) - usual for at in (0.1, 2.0, 4.1, 4.8, 5.7, 7.1)}
    assert levels == pytest.approx({0.1: 0, 2.0: 0, 4.1: -15, 4.8: -15, 5.7: 0, 7.1: 0}, abs=0.5)
    assert tone(heard, 3000, 9.85) - usual < -20
    speech = [tone(heard, 300, at) for at in (1.0, 4.5, 8.0, 9.5)]
    assert max(speech) - min(speech) < 0.5
    assert made.proof.ok
    assert len(heard) >= 10 * RATE


def test_long_music_is_cut_to_the_film_and_kept_in_the_cache(
    talk: dict[str, Take], any_ffmpeg: Path, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """Music longer than the film ends with it; another gain encodes no picture and decodes nothing again."""
    tune(tmp_path / "bed.wav", any_ffmpeg, 12)
    cut = edl(span("1", talk["talk"], 0, 50), music=Music(file="bed.wav"))
    first = make(cut, talk, one_runner, tmp_path)
    raw = sorted((tmp_path / "cache" / "sound").glob("*.f32"))
    louder = make(replace(cut, music=Music(file="bed.wav", gain_db=0)), talk, one_runner, tmp_path)
    assert sorted((tmp_path / "cache" / "sound").glob("*.f32")) == raw
    assert (first.encoded, louder.encoded, louder.fresh) == (1, 0, True)
    heard = sound(louder.path)
    assert [tone(heard, 3000, 1.0) > -30, tone(heard, 3000, 1.9) < tone(heard, 3000, 1.0) - 6] == [True, True]
    assert make(replace(cut, music=None), talk, one_runner, tmp_path).fresh
    assert tone(sound(louder.path), 3000, 1.0) < -100


def test_gain_goes_down_before_speech_and_up_after_it() -> None:
    """The bed lies at its gain, `duck_db` less during speech, on straight lines in decibels between."""
    bed = 20 * np.log10(ducked([(96_000, 144_000)], gain_db=-6, duck_db=12, low=0, high=240_000))
    places = (
        0,
        96_000 - 14_400,
        96_000 - 7_200,
        96_000,
        143_999,
        144_000 + 14_400,
        144_000 + 28_800,
        239_999,
    )
    assert [float(bed[at]) for at in places] == pytest.approx([-6, -6, -12, -18, -18, -12, -6, -6], abs=0.01)
    assert np.concatenate(
        [
            ducked([], gain_db=0, duck_db=9, low=0, high=10),
            ducked([(0, 5)], gain_db=0, duck_db=20, low=0, high=5),
        ]
    ) == pytest.approx([1.0] * 10 + [0.1] * 5)


def test_speech_is_where_words_are_said_on_the_film_s_clock(quiet: Clip, folders: UserFolders) -> None:
    """Words less than a second apart are one stretch; a take whose words are unknown counts as speech throughout."""
    said = tuple(
        Word(n, "a", Fraction(at), Fraction(at) + Fraction(1, 2)) for n, at in enumerate((1, 2, 5), start=1)
    )
    takes = {
        "known": replace(quiet, words=said).take("known", folders),
        "unknown": replace(quiet, words=()).take("unknown", folders),
    }
    cut = edl(
        span("1", takes["known"], 25, 150, words=(1, 3)),
        span("2", takes["known"], 200, 225),
        span("3", takes["unknown"], 0, 25),
        music=Music(file="bed.wav"),
    )
    assert plan(cut, takes).speech == ((0, 72_000), (192_000, 216_000), (288_000, 336_000))


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        ("gone.wav", "music .*there is no such file"),
        ("text.wav", "music .*is no media file"),
        ("mute.mp4", "music .*has no sound"),
        ("blip.wav", "music .*too short for a bed"),
    ],
)
def test_music_that_cannot_be_heard_is_named_before_the_render(  # noqa: PLR0917 - fixtures
    file: str,
    sentence: str,
    talk: dict[str, Take],
    any_ffmpeg: Path,
    clips: dict[str, Clip],
    one_runner: Ffmpeg,
    tmp_path: Path,
) -> None:
    """A missing, broken, silent or very short file: one clear line, and nothing is written."""
    (tmp_path / "text.wav").write_text("no music")
    (tmp_path / "mute.mp4").write_bytes(clips["mute"].path.read_bytes())
    tune(tmp_path / "blip.wav", any_ffmpeg, 0.2)
    with pytest.raises(PreflightError, match=sentence):
        make(edl(span("1", talk["talk"], 0, 50), music=Music(file=file)), talk, one_runner, tmp_path)
    assert not (tmp_path / "cache").exists()
