"""What is promised of words and bills, through the project's own verb, the real SDK and a server that bills."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from cutbook import Project
from cutbook.errors import TakesFailed
from cutbook.transcripts.report import Report
from tests.footage import make_clip, run
from tests.scribe_double import KEY, Double, scribe_double


@pytest.fixture
def scribe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Double]:
    """Return the stand-in that this test's projects ask, with caches of the test's own."""
    with scribe_double() as double:
        for name, value in {
            "ELEVENLABS_API_KEY": KEY,
            "CUTBOOK_SCRIBE_URL": double.url,
            "CUTBOOK_ENGINE": "scribe",
            "CUTBOOK_CACHE_DIR": str(tmp_path / "cache"),
            "XDG_STATE_HOME": str(tmp_path / "state"),
        }.items():
            monkeypatch.setenv(name, value)
        yield double


@pytest.fixture
def launch(tmp_path: Path) -> Path:
    """Return a project with two takes of unlike sound."""
    folder = tmp_path / "launch"
    make_clip(folder / "C1.mp4", seconds=2, size=(64, 64), sound="beeps")
    make_clip(folder / "C2.mp4", seconds=3, size=(64, 64), sound="beeps", late=0.8)
    return folder


def states(report: Report) -> dict[str, str]:
    """Return the state of each take."""
    return {row.take: row.state for row in report.rows}


def rewrapped(path: Path, target: Path, *args: str) -> None:
    """Put what ffmpeg makes of a file in its place."""
    part = target.with_name(f"part-{target.name}")
    run("-i", path, "-map", "0", "-c", "copy", *args, part)
    path.unlink()
    part.rename(target)


def _move(folder: Path) -> Path:
    other = folder.parent / "other"
    other.mkdir()
    (folder / "C1.mp4").rename(other / "C1.mp4")
    (folder / "C2.mp4").rename(other / "B2.mp4")
    return other


def _renamed(folder: Path) -> Path:
    (folder / "C1.mp4").rename(folder / "Z9.mp4")
    return folder


def _tagged(folder: Path) -> Path:
    rewrapped(folder / "C1.mp4", folder / "C1.mp4", "-metadata", "title=New")
    return folder


def _remuxed(folder: Path) -> Path:
    rewrapped(folder / "C1.mp4", folder / "C1.mkv")
    return folder


def _graded(folder: Path) -> Path:
    rewrapped(folder / "C2.mp4", folder / "C2.mp4", "-c:v", "mpeg4", "-vf", "negate")
    return folder


def _without_edit(folder: Path) -> Path:
    shutil.rmtree(folder / "edit")
    return folder


def _without_cache(folder: Path) -> Path:
    shutil.rmtree(folder.parent / "cache")
    return folder


@pytest.mark.parametrize(
    "change", [lambda folder: folder, _renamed, _move, _tagged, _remuxed, _graded, _without_edit, _without_cache]
)  # fmt: skip
def test_nothing_is_asked_twice(scribe: Double, launch: Path, change: object) -> None:
    """Whatever happens to files, projects and caches, the second run makes no request, dry or not."""
    assert states(Project(launch).transcribe()) == {"C1": "made", "C2": "made"}
    assert (len(scribe.asked), scribe.billed) == (2, 2)
    assert callable(change)
    folder = change(launch)
    assert set(states(Project(folder).transcribe(dry_run=True)).values()) == {"cached"}
    assert set(states(Project(folder).transcribe()).values()) == {"cached"}
    assert (len(scribe.asked), scribe.billed) == (2, 2)


def test_changed_audio_is_asked_once(scribe: Double, launch: Path) -> None:
    """After the sound of one take itself changed, one request is made, and no further one."""
    Project(launch).transcribe()
    rewrapped(launch / "C1.mp4", launch / "C1.mp4", "-c:a", "aac", "-af", "volume=0.5")
    assert states(Project(launch).transcribe()) == {"C1": "made", "C2": "cached"}
    assert set(states(Project(launch).transcribe()).values()) == {"cached"}
    assert (len(scribe.asked), scribe.billed) == (3, 3)


def test_keyterms_are_sent_and_never_paid_for_again(scribe: Double, launch: Path) -> None:
    """Those of corrections.md go along; one that is added later pays nothing unless forced, in any wrapping."""
    terms = launch / "edit" / "corrections.md"
    terms.parent.mkdir()
    terms.write_text("---\nkeyterms: [Feather]\n---\n")
    Project(launch).transcribe("C1")
    assert [value for name, value in scribe.asked[0].fields if name == "keyterms"] == ["Feather"]
    for added in ("Feather, Carrot", ""):
        terms.write_text(f"---\nkeyterms: [{added}]\n---\n")
        assert states(Project(launch).transcribe("C1")) == {"C1": "cached"}
    _without_cache(launch)
    assert states(Project(launch).transcribe("C1")) == {"C1": "cached"}
    _remuxed(launch)
    assert states(Project(launch).transcribe("C1")) == {"C1": "cached"}
    assert len(scribe.asked) == 1
    terms.write_text("---\nkeyterms: [Carrot]\n---\n")
    assert states(Project(launch).transcribe("C1", force=True)) == {"C1": "made"}
    assert [value for name, value in scribe.asked[1].fields if name == "keyterms"] == ["Carrot"]
    assert states(Project(launch).transcribe("C1")) == {"C1": "cached"}
    assert (len(scribe.asked), scribe.billed) == (2, 2)


def test_corrections_outlive_a_new_transcription(scribe: Double, launch: Path) -> None:
    """They are in the packed text and a take's words before and after, never in the raw file; misfits are told."""
    project = Project(launch)
    project.transcribe("C2")
    first, second = project.takes["C2"].words[:2]
    fix = launch / "edit" / "corrections.md"
    fix.write_text(
        "---\nspeakers: {S0: Mara}\n---\n"
        f"C2#1: {first.text} -> Quokka\nC2#2: nobodysaidthis -> x\nwhat is this\n"
    )
    for force in (False, True):
        report = project.transcribe("C2", force=force)
        assert report.rows[0].message.endswith("C2#2 is not 'nobodysaidthis' any more")
        assert any("line 6 is not understood" in note for note in report.notes)
        assert "line 6 is not understood" in repr(report)
        text = project.pack().text
        assert "Quokka" in text
        assert "Mara" in text
        assert "Quokka" in project.takes["C2"].words[0].text
        raw = (launch / "edit" / "transcripts" / "C2.json").read_text("utf-8")
        assert "Quokka" not in raw
        assert second.text in raw
    assert scribe.billed == 2


def test_a_silent_first_track_is_refused_before_any_upload(scribe: Double, tmp_path: Path) -> None:
    """Tracks and levels are named; with the other track it is right, and a third is refused the same way."""
    folder = tmp_path / "screen"
    folder.mkdir()
    speech = make_clip(tmp_path / "speech.mp4", seconds=2, size=(64, 64), sound="beeps")
    run(
        *("-i", speech, "-f", "lavfi", "-t", 2, "-i", "anullsrc=r=48000:cl=stereo"),
        *("-map", "0:v", "-map", "1:a", "-map", "0:a", "-c:v", "copy", "-c:a", "aac", folder / "S.mp4"),
    )
    project = Project(folder)
    row = project.transcribe().rows[0]
    assert row.state == "silent"
    assert "track 0 -" in row.message
    assert "track 1 -" in row.message
    assert "--track" in row.message
    assert scribe.asked == []
    with pytest.raises(TakesFailed, match=r"no sound track 4 \(track 0 -.*track 1 -"):
        project.transcribe("S", track=4)
    assert scribe.asked == []
    assert states(project.transcribe("S", track=1)) == {"S": "made"}
    with pytest.raises(TakesFailed, match=r"no sound track 4"):
        project.transcribe("S", track=4)
    assert states(project.transcribe("S", track=0)) == {"S": "silent"}
    assert (len(scribe.asked), scribe.billed) == (1, 1)
    assert project.takes["S"].track == 1


@pytest.mark.parametrize("suffix", ["mp4", "ts"])
def test_words_lie_on_the_pictures_clock(scribe: Double, tmp_path: Path, suffix: str) -> None:
    """Sound that starts 0.8 s after the picture, and a stream that starts at 1.4 s: what is sent begins in silence."""
    from cutbook.media.probe import probe
    from cutbook.media.sound import samples

    folder = tmp_path / suffix
    make_clip(folder / "late.mp4", seconds=3, size=(64, 64), sound="beeps", late=0.8)
    if suffix == "ts":
        rewrapped(folder / "late.mp4", folder / "late.ts")
    Project(folder).transcribe()
    sent = scribe.asked[0].file
    assert sent is not None
    copy = sent.with_suffix(".flac")
    shutil.copy(sent, copy)

    def beginning(path: Path) -> float:
        wave = np.abs(samples(probe(path), 0, rate=16000))
        return float(np.flatnonzero(wave > 0.2)[0]) / 16000

    assert beginning(copy) == pytest.approx(beginning(next(folder.glob("late.*"))), abs=0.02)
    assert beginning(copy) >= 0.78
