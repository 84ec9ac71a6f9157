from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from cutbook.edit.edl import Edl, Range
from cutbook.errors import EdlError
from cutbook.html import columns
from cutbook.render.ass import document
from cutbook.render.captions import Cue, broken, cues, hurried, right_to_left
from cutbook.render.fonts import choose
from cutbook.render.plan import plan
from cutbook.render.styles import STYLES, Style, fitted, style
from cutbook.transcripts.model import Transcript, Word
from tests.render.test_captions import part, said
from tests.render.test_plan import TAKES

RATE = Fraction(30)
LIT = "{\\1c&H004AD8FF}"
INK = "{\\1c&H00FFFFFF}"
KARAOKE = STYLES["karaoke"]


def drawn(
    shown: tuple[Cue, ...], looks: Style, size: tuple[int, int], ffmpeg: Path, place: Path, *, pace: int = 30
) -> NDArray[np.uint8]:
    """Draw `pace` frames a second up to the last cue's end on blue, as RGB."""
    place.mkdir(exist_ok=True)
    (place / "fonts").mkdir(exist_ok=True)
    fonts = choose([cue.text for cue in shown], looks)
    for number, font in enumerate(fonts.fonts):
        shutil.copyfile(font.file, place / "fonts" / f"{number}{font.file.suffix}")
    text = document(shown, style=looks, size=size, rate=RATE, font=fonts.family)
    (place / "c.ass").write_text(text, encoding="utf-8")
    width, height = size
    source = ("-f", "lavfi", "-i", f"color=0x203060:size={width}x{height}:rate={pace}")
    filters = ("-vf", "format=rgb24,ass=c.ass:fontsdir=fonts,format=rgb24")
    few = ("-frames:v", str(shown[-1].end * pace // 30), "-f", "rawvideo", "-")
    done = subprocess.run(
        [ffmpeg, "-v", "error", *source, *filters, *few],
        cwd=place,
        check=True,
        capture_output=True,
        timeout=60,
    )
    return np.frombuffer(done.stdout, np.uint8).reshape(-1, height, width, 3)


def made(text: str, looks: Style, *, each: str = "0.4") -> tuple[Cue, ...]:
    """Give the cues of a text."""
    words = said(text, each=each)
    frames = int(words[-1].end * 30) + 30
    return cues(part(frames), words, style=looks, rate=RATE, first=0, frames=frames)


def test_karaoke_lights_each_word_from_the_frame_it_is_said(any_ffmpeg: Path, tmp_path: Path) -> None:
    """Of one cue the words are lit one after the other, each from its own frame on, and exactly one at any frame."""
    times = (("0", "0.31"), ("0.31", "0.7"), ("0.7", "0.74"), ("0.9", "1.2"))
    words = tuple(Word(n, "WWW", Fraction(a), Fraction(b)) for n, (a, b) in enumerate(times, start=1))
    looks = fitted(KARAOKE, (640, 360))
    (cue,) = cues(part(36), words, style=looks, rate=RATE, first=0, frames=36)
    frames = drawn((cue,), looks, (640, 360), any_ffmpeg, tmp_path).astype(int)
    yellow = (frames[..., 0] > 200) & (frames[..., 2] < 140) & (frames[..., 1] > 150)
    places = [float(np.flatnonzero(each.any(axis=0)).mean()) for each in yellow]
    changes = [k for k in range(1, len(places)) if abs(places[k] - places[k - 1]) > 20]
    assert changes == [9, 21, 27]
    assert places == sorted(places)


def test_karaoke_marks_words_however_the_lines_are_broken() -> None:
    """Each state of a cue holds the whole text with one word in another colour: spaced, upper case or unspaced."""
    spaced = Cue(0, 30, ("one two", "three"), said=((0, "one"), (10, "two"), (20, "three")))
    text = document([spaced], style=KARAOKE, size=(1920, 1080), rate=RATE)
    shown = [line.split(",,")[-1] for line in text.splitlines() if line.startswith("Dialogue")]
    assert shown == [
        f"{LIT}one{INK} two\\Nthree",
        f"one {LIT}two{INK}\\Nthree",
        f"one two\\N{LIT}three{INK}",
    ]
    unspaced = Cue(0, 30, ("我们今", "天好。"), said=((0, "我们"), (5, "今天"), (5, "好。")))
    text = document([unspaced], style=KARAOKE, size=(1920, 1080), rate=RATE)
    shown = [line.split(",,")[-1] for line in text.splitlines() if line.startswith("Dialogue")]
    assert shown == [f"{LIT}我们{INK}今\\N天好。", f"我们今\\N天{LIT}好。{INK}"]


@given(
    times=st.lists(st.tuples(st.integers(0, 900), st.integers(0, 900)), min_size=1, max_size=30),
    frames=st.integers(1, 120),
)
def test_karaoke_states_fill_their_cue(times: list[tuple[int, int]], frames: int) -> None:
    """Whatever the words' times, a cue's states follow each other from its first frame to its last."""
    at, words = 0, []
    for number, (gap, length) in enumerate(times, start=1):
        at += gap
        words.append(Word(number, f"w{number}", Fraction(at, 1000), Fraction(at + length, 1000)))
    kept = Range(id="r-1", source="A", frames=(0, frames), rate=RATE, words=(1, len(words)))
    for cue in cues(kept, words, style=KARAOKE, rate=RATE, first=0, frames=frames):
        text = document([cue], style=KARAOKE, size=(1920, 1080), rate=RATE)
        events = [line.split(",")[1:3] for line in text.splitlines() if line.startswith("Dialogue")]
        whole = document([replace(cue, said=())], style=KARAOKE, size=(1920, 1080), rate=RATE)
        (only,) = [line.split(",")[1:3] for line in whole.splitlines() if line.startswith("Dialogue")]
        assert [events[0][0], events[-1][1]] == only
        assert all(one[1] == two[0] for one, two in pairwise(events))


ARABIC = "هذا هو أول فيلم نصنعه معا، وقد استغرق 3 أيام من العمل."
HEBREW = "זה הסרט הראשון שאנחנו עושים ביחד."
LONG = {
    "English": "We fixed this after a very long day of work, because nobody else would have done it.",
    "Chinese": "我们今天修好了这个问题，现在它可以工作了，而且非常快。",
    "Arabic": ARABIC,
    "Hebrew": HEBREW,
    "one word": "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
}


@pytest.mark.parametrize("name", STYLES)
def test_captions_of_a_vertical_film_stay_clear_of_the_player_s_own(
    name: str, any_ffmpeg: Path, tmp_path: Path
) -> None:
    """In 9:16 nothing is drawn in the lower fifth, where titles stand, nor in the right eighth, where buttons are."""
    size = (360, 640)
    looks = fitted(STYLES[name], size)
    for number, text in enumerate(LONG.values()):
        frames = drawn(
            made(text, looks, each="0.15"), looks, size, any_ffmpeg, tmp_path / str(number), pace=3
        ).astype(int)
        ink = (np.abs(frames - np.array([0x20, 0x30, 0x60])) > 24).any(axis=(0, 3))
        assert ink.any()
        rows, across = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
        assert rows[-1] < 0.8 * 640
        assert across[0] >= 0.1 * 360
        assert across[-1] <= 0.88 * 360


def test_right_to_left_text_ends_at_its_left(any_ffmpeg: Path, tmp_path: Path) -> None:
    """The full stop of a Hebrew or Arabic sentence stands left of its words, that of an English one right of them."""
    looks = fitted(STYLES["natural-sentence"], (640, 360))
    for number, (text, left) in enumerate(((HEBREW[:-1], True), (ARABIC[:26], True), ("We made it", False))):
        ends = []
        for end in ("", " . . . . ."):
            words = (Word(1, text + end, Fraction(0), Fraction(1)),)
            shown = cues(part(30), words, style=looks, rate=RATE, first=0, frames=30)
            frames = drawn(shown, looks, (640, 360), any_ffmpeg, tmp_path / f"{number}{len(end)}").astype(int)
            white = np.flatnonzero((frames[5] > 180).all(axis=2).any(axis=0))
            ends.append((int(white[0]), int(white[-1])))
        bare, dotted = ends
        assert dotted[1] - dotted[0] > bare[1] - bare[0] + 10
        line = (drawn(shown, looks, (640, 360), any_ffmpeg, tmp_path / f"{number}").astype(int)[5] > 180).all(
            axis=2
        )
        # Points have little ink: the outer tenth that holds them is nearly empty.
        tenth = (dotted[1] - dotted[0]) // 10
        outer = line[:, dotted[0] : dotted[0] + tenth].sum(), line[:, dotted[1] - tenth : dotted[1] + 1].sum()
        assert (outer[0] < outer[1] / 2) == left
        assert (outer[1] < outer[0] / 2) == (not left)


def test_a_text_s_direction_is_that_of_most_of_its_letters() -> None:
    """Arabic with a name in Latin letters runs from right to left; English with a Hebrew word does not."""
    assert right_to_left("أول فيلم في YouTube من العمل")
    assert not right_to_left("The word שלום means peace")
    assert not right_to_left("3, 4!")


@given(lengths=st.lists(st.integers(1, 12), min_size=1, max_size=30), pace=st.integers(10, 900))
def test_a_cue_stands_long_enough_to_be_read_where_there_is_room(lengths: list[int], pace: int) -> None:
    """A cue goes by faster than 20 characters a second only where the next one, or the range's end, leaves no room."""
    looks = STYLES["natural-sentence"]
    words = said(" ".join("x" * n + ("." if n % 5 == 0 else "") for n in lengths), each=str(pace / 1000))
    frames = int(words[-1].end * 30) + 20
    shown = cues(part(frames), words, style=looks, rate=RATE, first=0, frames=frames)
    fast = 0
    for cue, later in zip(shown, [*(each.start for each in shown[1:]), frames], strict=True):
        if len(cue.text) / ((cue.end - cue.start) / RATE) > 20:
            fast += 1
            assert cue.end == later
        assert all(columns(line) <= 42 for line in cue.lines)
        assert len(cue.lines) <= 2
    assert hurried(shown, looks, RATE) == fast


def test_a_plan_says_that_captions_cannot_be_read() -> None:
    """Captions that go by too fast are counted in the film's notes."""
    take = TAKES["A"]
    words = said("Unbelievably extraordinary characteristics.", each="0.2")
    spoken = type(take).given(
        "A", take.media, take.fingerprint, transcript=Transcript(words, "en", "test", "none")
    )
    kept = Range(id="r-1", source="A", frames=(0, 18), rate=take.rate, words=(1, 3))
    assert plan(Edl(ranges=(kept,)), {"A": spoken}).notes == (
        "1 of 1 captions go by faster than 20 characters a second",
    )


def test_chinese_is_broken_behind_a_mark_and_never_before_one() -> None:
    """A line of Chinese breaks at a comma near its middle, and no line begins with a mark."""
    looks = replace(STYLES["natural-sentence"], columns=20)
    assert broken("现在它可以工作了，而且非常快。", looks) == ("现在它可以工作了，", "而且非常快。")
    narrow = replace(looks, columns=8)
    assert (
        broken("他们来了。好", narrow) == ("他们来了。", "好") or broken("他们来了。好", narrow)[1][0] != "。"
    )


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"lit": "yellow"}, "'yellow' is no colour"),
        ({"side": 0.5}, "shares of the canvas's width from 0 to 0.4"),
    ],
)
def test_colours_and_sides_are_checked(changes: dict[str, object], sentence: str) -> None:
    """A colour is written in sixteens, and the sides leave room for letters."""
    with pytest.raises(EdlError, match=sentence):
        style("karaoke", changes)
