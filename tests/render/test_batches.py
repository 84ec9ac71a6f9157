from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cutbook.errors import CutbookError
from cutbook.files import UserFolders
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.render.batches import MOST, MOST_HELD, gathered, together
from cutbook.render.film import render
from cutbook.render.jobs import PictureJob, SoundJob, make_sounds
from cutbook.render.plan import plan
from tests.render.footage import Clip, edl, number, pictures, span


def sound_job(ffmpeg: Ffmpeg, place: Path, count: int, *, held: int = 0) -> SoundJob:
    """Give a job that makes a tenth of a second of silence."""
    line = [
        "-f",
        "lavfi",
        "-i",
        "anullsrc=r=48000:d=0.1",
        "-filter_complex",
        "[0:0]anull[s0]",
        "-map",
        "[s0]",
    ]
    line += ["-c:a", "pcm_f32le", "-f", "f32le", f"made{count}", "-y"]
    return SoundJob(
        ffmpeg=ffmpeg,
        args=tuple(line),
        samples=4800,
        work=place,
        output=place / "kept" / f"{count}.f32",
        where=f"take from {count} s",
        made=f"made{count}",
        held=held,
    )


def picture_job(ffmpeg: Ffmpeg, place: Path) -> PictureJob:
    """Give a job for a picture, never to be run."""
    return PictureJob(
        ffmpeg=ffmpeg, args=(), frames=1, work=place, captions="", output=place / "p", where="take"
    )


def test_small_jobs_share_a_process_and_large_ones_do_not(one_runner: Ffmpeg, tmp_path: Path) -> None:
    """As many together as leave no worker idle, eight at most; those that hold much stay alone; kinds never mix."""
    small = [sound_job(one_runner, tmp_path, n) for n in range(20)]
    large = [sound_job(one_runner, tmp_path, n, held=MOST_HELD * 2 // 3) for n in range(3)]
    assert [len(batch) for batch in gathered(small, 2)] == [MOST, MOST, 4]
    assert [len(batch) for batch in gathered(small[:6], 2)] == [3, 3]
    assert [len(batch) for batch in gathered(small[:3], 8)] == [1, 1, 1]
    assert [len(batch) for batch in gathered(large, 1)] == [1, 1, 1]
    mixed = gathered([*small[:2], picture_job(one_runner, tmp_path)], 1)
    assert [len(batch) for batch in mixed] == [2, 1]


def test_commands_are_put_together_with_their_inputs_counted_on() -> None:
    """Inputs come first, each graph finds its own, and each output takes what its graph gives."""
    one = ["-ss", "1", "-i", "a", "-i", "b", "-filter_complex", "[0:0]x[s0];[s0][1:3]y[s1]", "-map", "[s1]"]
    two = ["-i", "c", "-filter_complex", "[0:1]z[s0]", "-map", "[s0]"]
    assert together([[*one, "-an", "made0", "-y"], [*two, "made1", "-y"]]) == [
        *("-ss", "1", "-i", "a", "-i", "b", "-i", "c"),
        *("-filter_complex", "[0:0]x[s0];[s0][1:3]y[out0]", "-filter_complex", "[2:1]z[out1]"),
        *("-map", "[out0]", "-an", "made0", "-map", "[out1]", "made1", "-y"),
    ]


def test_one_bad_job_of_several_is_named_and_the_others_are_kept(runner: Ffmpeg, tmp_path: Path) -> None:
    """When a process fails for one of its jobs, each is tried alone: those before are kept, and the error names it."""
    jobs = [sound_job(runner, tmp_path, n) for n in range(3)]
    jobs[2] = replace(jobs[2], args=tuple(part.replace("anull[", "nofilter[") for part in jobs[2].args))
    with pytest.raises(CutbookError, match="take from 2 s"):
        make_sounds(jobs)
    assert sorted(each.name for each in (tmp_path / "kept").iterdir()) == ["0.f32", "1.f32"]


def test_segments_made_together_are_those_made_alone(
    clips: dict[str, Clip], folders: UserFolders, runner: Ffmpeg, tmp_path: Path
) -> None:
    """One process at a time or one each: the same sound, byte for byte, and the same frames under the same names."""
    takes = {name: clips[name].take(name, folders) for name in ("pal", "mute", "phone")}
    parts = [("pal", 0, 9), ("mute", 5, 20), ("pal", 20, 21), ("phone", 7, 30), ("pal", 70, 90)]
    grades = ("none", "eq=gamma=0.95", "split[a][b];[a][b]blend=all_mode=average", "none", "subtle")
    cut = edl(
        *(span(f"{n}", takes[name], low, high, grade=grades[n]) for n, (name, low, high) in enumerate(parts))
    )
    sounds: list[dict[str, bytes]] = []
    names: list[set[str]] = []
    films: list[list[int]] = []
    for jobs in (1, 20):
        edit = tmp_path / f"{jobs}"
        film = render(
            plan(cut, takes, size=(160, 90)),
            takes=takes,
            edit=edit,
            output=edit / "film.mp4",
            ffmpeg=runner,
            jobs=jobs,
            pictures=False,
        )
        assert film.proof.ok
        films.append([number(each, (0, 0, 160, 90)) for each in pictures(film.path)])
        names.append({each.name for each in (edit / "cache" / "segments").iterdir()})
        sounds.append({each.name: each.read_bytes() for each in (edit / "cache" / "sound").glob("*.f32")})
    assert films[0] == films[1]
    assert films[0][:25] + films[0][-20:] == [*range(9), *range(5, 20), 20, *range(70, 90)]
    assert names[0] == names[1]
    assert sounds[0] == sounds[1]
