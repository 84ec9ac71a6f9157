"""Inputs that other tools are reported to get wrong, made small, with the right answer of each."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from cutbook.edit.reading import loads
from cutbook.edit.take import Take
from cutbook.errors import PreflightError
from cutbook.files import Fingerprint, UserFolders, fingerprint
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.media.probe import probe
from cutbook.render import sidecars
from cutbook.render.film import Film, render
from cutbook.render.plan import plan
from cutbook.transcripts.model import Transcript, Word
from tests.footage import (
    make_clip,
    make_cover_mp3,
    make_gap,
    make_sound,
    make_two_tracks,
    make_undecodable,
    named,
    run,
)
from tests.launch import hear
from tests.render.footage import RATE, Clip, edl, pictures, sound, span
from tests.render.test_plan import take as bare_take


def given(path: Path, folders: UserFolders, *, track: int = 0) -> Take:
    """Give a file as a take, heard on a track."""
    heard = Transcript((), None, "test", "none", track=track)
    return Take.given(path.stem, probe(path), fingerprint(path, folders), transcript=heard)


def made(ranges: list[tuple[Take, int, int]], ffmpeg: Ffmpeg, place: Path, **more: Any) -> Film:
    """Render ranges of takes as a draft."""
    cut = edl(*(span(f"{n:05d}", take, low, high) for n, (take, low, high) in enumerate(ranges)))
    takes = {take.name: take for take, _, _ in ranges}
    film = render(
        plan(cut, takes, **more),
        takes=takes,
        edit=place / "edit",
        output=place / "film.mp4",
        ffmpeg=ffmpeg,
        tier_name="preview",
        pictures=False,
    )
    assert film.proof.ok
    return film


def beeps(heard: np.ndarray[Any, Any]) -> list[float]:
    """Give the seconds at which beeps begin, to a millisecond."""
    blocks = np.abs(heard[: len(heard) // 48 * 48]).reshape(-1, 48).max(axis=1)
    loud = blocks > 0.2 * blocks.max()
    starts = np.flatnonzero(loud[1:] & ~loud[:-1]) + 1
    return [float(each) / 1000 for each in ([0, *starts] if loud[0] else starts)]


@pytest.mark.parametrize("rate", [Fraction(24000, 1001), Fraction(30000, 1001)])
def test_captions_do_not_drift_over_many_ranges(rate: Fraction) -> None:
    """Of thirty ranges each one's caption begins where frames before it end, and not where rounded seconds would."""
    words = tuple(
        Word(n + 1, f"w{n}.", Fraction(n) + Fraction(1, 5), Fraction(n) + Fraction(1, 2)) for n in range(30)
    )
    plain = bare_take("A", rate, frames=1000)
    spoken = Take.given(
        "A", plain.media, Fingerprint(1, "0"), transcript=Transcript(words, "en", "test", "none")
    )
    # Seventeen frames each, from the frame at each whole second on.
    ranges = [(-(-n * rate.numerator // rate.denominator), 17) for n in range(30)]
    cut = edl(*(span(f"{n:05d}", spoken, low, low + length) for n, (low, length) in enumerate(ranges)))
    texts = sidecars.texts(plan(cut, {"A": spoken}))[".srt"]
    times = re.findall(r"^(\d\d):(\d\d):(\d\d),(\d{3}) -->", texts, re.MULTILINE)
    expected = []
    for n, (low, _) in enumerate(ranges):
        into = int((n + Fraction(1, 5) - low / rate) * rate)
        expected.append(int((17 * n + into) / rate * 1000 + Fraction(1, 2)))
    assert [((int(h) * 60 + int(m)) * 60 + int(s)) * 1000 + int(ms) for h, m, s, ms in times] == expected


def test_hundreds_of_cuts_written_in_milliseconds_do_not_drift(tmp_path: Path) -> None:
    """400 ranges with three decimals at 30 a second: every boundary is a frame, its sound at that frame's sample."""
    plain = bare_take("A", Fraction(30), frames=40_000)
    written = [
        {"source": "A", "start": round(3 * n + 0.333, 3), "end": round(3 * n + 1.667, 3)} for n in range(400)
    ]
    path = tmp_path / "A.mp4"
    path.touch()
    data = json.dumps({"version": 1, "sources": {"A": str(path)}, "ranges": written}).encode()
    planned = plan(loads(data, tmp_path, {"A": plain}), {"A": plain})
    # 0.333 s is frame 9.99 and 1.667 s is frame 50.01: outward to the grid, and half a thousandth is rounding.
    assert [segment.frames for segment in planned.segments] == [40] * 400
    assert [segment.first for segment in planned.segments] == [40 * n for n in range(400)]
    assert [piece.first for piece in planned.pieces] == [64_000 * n for n in range(400)]


def test_a_silent_take_at_the_start_silences_itself_alone(
    clips: dict[str, Clip], folders: UserFolders, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """The first range has no sound: it is silent and said to be; the second is heard."""
    takes = [clips[name].take(name, folders) for name in ("mute", "pal")]
    film = made([(takes[0], 0, 25), (takes[1], 0, 25)], one_runner, tmp_path)
    heard = sound(film.path)
    assert np.abs(heard[: RATE - 100]).max() < 0.001
    assert np.abs(heard[RATE + 3000 : 2 * RATE - 3000]).max() > 0.1
    assert any("mute" in note and "no sound" in note for note in film.notes)


def test_an_ffmpeg_without_libass_is_refused_for_captions_alone(
    clips: dict[str, Clip], folders: UserFolders, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """Where captions are burnt in, the missing filter is named before anything runs; else it is not asked for."""
    said = (Word(1, "words", Fraction(0), Fraction(1, 4)),)
    take = replace(clips["pal"], words=said).take("pal", folders)
    poor = replace(one_runner, filters=one_runner.filters - {"ass", "subtitles"})
    with pytest.raises(PreflightError, match="lacks filter ass"):
        made([(take, 0, 10)], poor, tmp_path, captions="karaoke")
    assert not (tmp_path / "edit" / "cache").exists()
    assert made([(take, 0, 10)], poor, tmp_path).proof.ok


@pytest.mark.parametrize("transfer", ["hlg", "pq"])
def test_a_film_of_hdr_is_tagged_as_what_it_is(
    transfer: Any, folders: UserFolders, runner: Ffmpeg, tmp_path: Path
) -> None:
    """Tone-mapped to Rec. 709, and tagged so in the stream: 1, 1, 1 (ITU-T H.273), limited range, eight bits."""
    path = make_clip(tmp_path / "hdr.mp4", seconds=1, size=(160, 90), transfer=transfer)
    film = made([(given(path, folders), 0, 20)], runner, tmp_path)
    with av.open(str(film.path)) as file:
        frame = next(file.decode(video=0))
        told = file.streams.video[0].codec_context
        assert (told.color_trc, told.color_primaries, told.colorspace, told.color_range) == (1, 1, 1, 1)
        assert (frame.format.name, int(frame.color_trc), int(frame.color_primaries)) == ("yuv420p", 1, 1)


def test_the_track_that_was_transcribed_is_heard(
    folders: UserFolders, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """Of a screen recording with a silent first track, the film has the second one's beeps where words came from it."""
    path = make_two_tracks(tmp_path / "screen.mp4", seconds=2)
    film = made([(given(path, folders, track=1), 0, 60)], one_runner, tmp_path / "one")
    assert beeps(sound(film.path))[1:] == pytest.approx([1], abs=0.001)
    silent = made([(given(path, folders, track=0), 0, 60)], one_runner, tmp_path / "two")
    assert np.abs(sound(silent.path)).max() < 0.001


def test_a_phone_s_undecodable_track_is_passed_over(
    folders: UserFolders, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """A file whose second track nobody decodes is rendered with its first: here silence, and no failure."""
    plain = make_two_tracks(tmp_path / "plain.mp4", seconds=1)
    path = make_undecodable(plain, tmp_path / "phone.mp4")
    assert len(pictures(made([(given(path, folders), 0, 20)], one_runner, tmp_path).path)) == 20


def test_a_gap_in_the_sound_moves_nothing(folders: UserFolders, runner: Ffmpeg, tmp_path: Path) -> None:
    """Where half a second of packets was lost, later beeps still stand at their seconds in the film."""
    whole = make_clip(tmp_path / "whole.mp4", seconds=4, size=(160, 90), sound="beeps")
    path = make_gap(whole, tmp_path / "gap.mkv", start=1.3, end=1.8)
    film = made([(given(path, folders), 0, 119)], runner, tmp_path)
    assert beeps(sound(film.path))[1:] == pytest.approx([1, 2, 3], abs=0.001)


@pytest.mark.parametrize("frames", [1, 3])
def test_a_film_of_a_moment_has_its_sound(
    frames: int, folders: UserFolders, runner: Ffmpeg, tmp_path: Path
) -> None:
    """Too short for its loudness to be measured, it is left as loud as it is, at 48 kHz and as long as its picture."""
    path = make_clip(tmp_path / "short.mp4", seconds=1, size=(160, 90), rate="25")
    film = made([(given(path, folders), 10, 10 + frames)], runner, tmp_path)
    with av.open(str(film.path)) as file:
        heard = file.streams.audio[0]
        assert (heard.codec_context.sample_rate, heard.duration) == (48_000, 1920 * frames)
    assert len(pictures(film.path)) == frames


def test_chapters_and_names_of_the_source_stay_there(
    folders: UserFolders, runner: Ffmpeg, tmp_path: Path
) -> None:
    """Chapters, title and place of a source are not in the film."""
    plain = make_clip(tmp_path / "plain.mp4", seconds=2, size=(160, 90))
    marks = "".join(f"[CHAPTER]\nTIMEBASE=1/1\nSTART={n}\nEND={n + 1}\ntitle=part {n}\n" for n in range(2))
    (tmp_path / "marks.txt").write_text(
        f";FFMETADATA1\ntitle=secret\nlocation=+1+2/\n{marks}", encoding="utf-8"
    )
    path = tmp_path / "chaptered.mp4"
    run(
        "-i", named(plain), "-i", named(tmp_path / "marks.txt"), "-map_metadata", 1, "-c", "copy", named(path)
    )
    with av.open(str(path)) as file:
        assert (len(file.chapters()), file.metadata["title"]) == (2, "secret")
    film = made([(given(path, folders), 5, 40)], runner, tmp_path)
    with av.open(str(film.path)) as file:
        assert (len(file.chapters()), set(file.metadata) & {"title", "location", "creation_time"}) == (
            0,
            set(),
        )


def test_cover_art_is_never_the_picture(folders: UserFolders, one_runner: Ffmpeg, tmp_path: Path) -> None:
    """A song with a cover is sound over black."""
    path = make_cover_mp3(tmp_path / "song.mp3")
    film = made([(given(path, folders), 0, 30)], one_runner, tmp_path, size=(160, 90))
    assert max(int(each.max()) for each in pictures(film.path)) <= 1
    assert np.abs(sound(film.path)).max() > 0.05


def test_a_bare_stream_of_sound_has_its_measured_length(
    folders: UserFolders, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """Raw ADTS says no length: it is measured, to a packet of 1024 samples, and the beeps stand where they are."""
    path = make_sound(tmp_path / "bare.aac", sound="beeps", seconds=3)
    take = given(path, folders)
    assert float(take.duration) == pytest.approx(3, abs=2 * 1024 / 48_000)
    film = made([(take, 0, 85)], one_runner, tmp_path, size=(160, 90))
    # An encoder's 1024 samples of priming stand at the start of a stream that cannot say so.
    assert beeps(sound(film.path)) == pytest.approx([0.021, 1.021, 2.021], abs=0.001)


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        ("テイク", {"LC_ALL": "C"}),
        ("take", {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}),
    ],
)
def test_a_plain_c_locale_is_enough(name: str, bare: dict[str, str], tmp_path: Path) -> None:
    """In a C locale, even where Python's own texts are ASCII then, words of any script are cut and rendered."""
    folder = tmp_path / "footage"
    make_clip(folder / f"{name}.mp4", seconds=1.5, size=(160, 90), sound="beeps")
    hear(folder, name, (("Größe", 0.2, 0.5), ("日本語。", 0.6, 1.0)))
    script = (
        "from cutbook import Project; p = Project('.'); p.pack(); p.cut(next(iter(p.takes)) + ' #1-#2');"
        "f = p.render('draft'); assert f.proof.ok; p.timeline_edl(frames=2); p.memory.persist()"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(
        command, cwd=folder, env=os.environ | bare, capture_output=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    edit = folder / "edit"
    for file in ("takes_packed.md", "master.srt", "edl.json"):
        assert "日本語" in (edit / file).read_text(encoding="utf-8")
    assert name in (edit / "project.md").read_text(encoding="utf-8")
