from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from cutbook.errors import CutbookError, EngineMissing, TranscriptError
from cutbook.files import UserFolders
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.media.probe import Media
from cutbook.render.check import check
from cutbook.render.film import render
from cutbook.render.plan import plan
from cutbook.render.words import Spoken, compared, kept
from cutbook.transcripts.engine import Answer, Progress
from cutbook.transcripts.model import Word
from tests.render.footage import Clip, edl, span


class Ear:
    """An engine that hears what it is told."""

    name = "ear"
    model_name = "none"
    recipe = 1
    price_per_hour: float | None = None
    at_once = 1

    def __init__(self, *words: tuple[str, float], missing: bool = False) -> None:
        self.words, self.missing, self.times = words, missing, 0

    def options(self, *, language: str | None, speakers: int | None) -> Mapping[str, object]:
        """Give none that count."""
        return {"language": language, "speakers": speakers}

    def prepare(self) -> None:
        """Refuse where it is missing."""
        if self.missing:
            raise EngineMissing("the ear is not installed; run: pip install ear")

    def transcribe(
        self,
        media: Media,
        track: int,
        *,
        language: str | None = None,
        speakers: int | None = None,
        sending: Callable[[], None] | None = None,
        progress: Progress | None = None,
        cancel: threading.Event | None = None,
    ) -> Answer:
        """Give the words, and count how often it listened."""
        del track, language, speakers, sending, cancel
        self.times += 1
        if progress is not None:
            progress(media.duration)
        words = [{"text": t, "start": s, "end": s + 0.2, "type": "word"} for t, s in self.words]
        return Answer(json.dumps({"language_code": "en", "words": words}).encode(), {})

    def close(self) -> None:
        """Keep nothing."""


def spoken(*words: tuple[str, float]) -> list[Spoken]:
    """Give words with their seconds."""
    return [Spoken(text, Fraction(str(start))) for text, start in words]


def test_differences_are_listed_with_times() -> None:
    """A word that is missing, one too many and a run of others are told with their times; spelling is no difference."""
    wanted = spoken(
        ("We", 0), ("made", 0.5), ("Feather.", 1), ("It", 2), ("reads", 2.5), ("a", 3), ("page", 3.5)
    )
    found = spoken(
        ("we", 0), ("feather", 1), ("it", 2), ("leads", 2.5), ("eight", 3), ("dogs", 3.4), ("x", 4)
    )
    listed = list(compared(wanted, found))
    assert [(finding.kind, finding.what, finding.time) for finding in listed] == [
        ("measured", "words: 3 of 7 kept are heard in the film", None),
        ("measured", "words: “made” is kept and not heard", Fraction(1, 2)),
        ("warning", "words: “reads a page” is kept, “leads eight dogs x” is heard", Fraction(5, 2)),
    ]
    same = spoken(
        ("we", 0), ("made", 0.5), ("feathers", 1), ("it", 2), ("reads", 2.5), ("a", 3), ("page!", 3.5)
    )
    assert [(each.kind, each.what) for each in compared(wanted, same)] == [
        ("passed", "words: 7 of 7 kept are heard in the film")
    ]


def test_a_film_is_listened_to_once(
    clips: dict[str, Clip], folders: UserFolders, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """A check with words lists what differs in the report, listens once to the same sound, and says what is missing."""
    times = [("um", 0.2), ("one", 0.5), ("two", 1.0), ("three", 1.5), ("four", 3.0)]
    said = tuple(
        Word(n, text, Fraction(str(at)), Fraction(str(at)) + Fraction(1, 5))
        for n, (text, at) in enumerate(times, 1)
    )
    takes = {"pal": replace(clips["pal"], words=said).take("pal", folders)}
    planned = plan(edl(span("00001", takes["pal"], 0, 30), span("00002", takes["pal"], 70, 90)), takes)
    film = render(
        planned, takes=takes, edit=tmp_path, output=tmp_path / "film.mp4", ffmpeg=one_runner, pictures=False
    )
    assert kept(planned, takes) == tuple(spoken(("one", 0.5), ("two", 1.0), ("four", 1.4)))

    def checked(ear: Ear) -> list[str]:
        proof = check(
            film.path, planned, takes=takes, edit=tmp_path, ffmpeg=one_runner, pictures=False, listener=ear
        )
        assert proof.ok
        return [finding.what for finding in proof.findings if finding.what.startswith("words:")]

    ear = Ear(("one", 0.5), ("four", 1.4))
    expected = ["words: 2 of 3 kept are heard in the film", "words: “two” is kept and not heard"]
    assert checked(ear) == expected
    assert checked(ear) == expected
    assert ear.times == 1
    assert "1.00 s: words: “two” is kept and not heard" in (tmp_path / "verify" / "check.md").read_text(
        "utf-8"
    )
    assert checked(Ear(missing=True)) == ["words: the ear is not installed; run: pip install ear"]


class Patient(Ear):
    """An engine that listens until it is told to stop."""

    stopped = False

    def transcribe(
        self, media: Media, track: int, *, cancel: threading.Event | None = None, **_: object
    ) -> Answer:
        """Wait, a minute at most."""
        del media, track
        self.stopped = cancel is not None and cancel.wait(60)
        raise TranscriptError("stopped")


def test_listening_goes_on_beside_the_proof_and_ends_with_one_that_fails(
    clips: dict[str, Clip], folders: UserFolders, one_runner: Ffmpeg, tmp_path: Path
) -> None:
    """The engine listens while the film is proved; where that fails it is stopped, and nothing is said of words."""
    said = (Word(1, "one", Fraction(1, 2), Fraction(7, 10)),)
    takes = {"pal": replace(clips["pal"], words=said).take("pal", folders)}
    made, longer = (plan(edl(span("00001", takes["pal"], 0, end)), takes) for end in (30, 31))
    film = render(
        made, takes=takes, edit=tmp_path, output=tmp_path / "film.mp4", ffmpeg=one_runner, pictures=False
    )
    ear = Patient()
    proof = check(film.path, longer, takes=takes, edit=tmp_path, ffmpeg=one_runner, listener=ear)
    assert not proof.ok
    assert ear.stopped
    assert not [finding for finding in proof.findings if finding.what.startswith("words:")]
    stop = threading.Event()
    timer = threading.Timer(3, stop.set)
    timer.start()
    with pytest.raises(CutbookError, match="stopped"):
        check(film.path, made, takes=takes, edit=tmp_path, ffmpeg=one_runner, listener=ear, cancel=stop)
    timer.join()
