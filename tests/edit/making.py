"""Takes made by hand, and ones made up by hypothesis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from cutbook.edit.edl import Range
from cutbook.edit.take import Take
from cutbook.files import Fingerprint, UserFolders
from cutbook.media.probe import Media, Picture
from cutbook.media.sound import Envelope
from cutbook.transcripts.model import Timing, Transcript, Word

NTSC = Fraction(30000, 1001)
RATES = [Fraction(24000, 1001), Fraction(24), Fraction(25), NTSC, Fraction(30), Fraction(50), Fraction(60)]

Number = str | float | Fraction
Said = tuple[str, Number, Number] | tuple[str, Number, Number, Timing]


def exact(value: Number) -> Fraction:
    """Return a number of seconds as it is written."""
    return value if isinstance(value, Fraction) else Fraction(str(value))


def media(
    path: Path,
    *,
    rate: Fraction = Fraction(30),
    frames: int = 1290,
    timecode: str | None = None,
    sound_only: bool = False,
    variable: bool = False,
) -> Media:
    """Return what a file of `frames` frames would be."""
    length = frames / rate
    picture = Picture(
        index=0,
        codec="h264",
        width=1280,
        height=720,
        coded=(1280, 720),
        rotation=0,
        sample_aspect=Fraction(1),
        rate=rate,
        average_rate=rate,
        variable=variable,
        time_base=Fraction(1, 90000),
        start=Fraction(0),
        duration=length,
        frames=frames,
        pixel_format="yuv420p",
        bit_depth=8,
        interlaced=False,
        full_range=False,
        timecode=timecode,
    )
    return Media(path, "mov", 1000, Fraction(0), length, None if sound_only else picture, ())


def words(*said: Said) -> Transcript:
    """Return a transcript of (text, start, end[, timing]); a text in parentheses is an event."""
    made = []
    for number, (text, start, end, *timing) in enumerate(said, 1):
        kind = "event" if text.startswith("(") else "word"
        made.append(
            Word(number, text, exact(start), exact(end), kind, timing=timing[0] if timing else Timing.TIMED)
        )
    return Transcript(tuple(made), "en", "test", "hand")


def take(
    name: str,
    *said: Said,
    rate: Fraction = Fraction(30),
    frames: int = 1290,
    timecode: str | None = None,
    folder: Path = Path("footage"),
    envelope: Envelope | None = None,
    digest: str = "0" * 64,
) -> Take:
    """Return a take of 43 s at 30 frames a second, unless told otherwise, in which the words are said."""
    return Take.given(
        name,
        media(folder / f"{name}.mp4", rate=rate, frames=frames, timecode=timecode),
        Fingerprint(1000, digest),
        transcript=words(*said) if said else None,
        envelope=envelope,
    )


def c0103(
    *, envelope: Envelope | None = None, folder: Path = Path("footage"), digest: str = "0" * 64
) -> Take:
    """Return the take of the design's example: two phrases, 0.72 s of silence between them."""
    return take(
        "C0103",
        ("Ninety", "2.52", "2.9"),
        ("percent", "2.9", "3.3"),
        ("is", "3.36", "3.5"),
        ("wasted.", "3.5", "5.36"),
        ("We", "6.08", "6.2"),
        ("fixed", "6.2", "6.5"),
        ("this.", "6.5", "6.74"),
        ("We", "20.0", "20.2"),
        ("fixed", "20.2", "20.5"),
        ("that.", "20.5", "20.9"),
        envelope=envelope,
        folder=folder,
        digest=digest,
    )


def piece(source: Take, frames: tuple[int, int], *, id: str = "r-aaaaa", **values: Any) -> Range:
    """Return a range of a take."""
    return Range(id=id, source=source.name, frames=frames, rate=source.rate, **values)


def folders(place: Path) -> UserFolders:
    """Return the user's folders within a test's own."""
    return UserFolders(cache=place / "cache", state=place / "state", config=place / "config")


@st.composite
def spoken_takes(
    draw: st.DrawFn,
    *,
    shortest: Fraction = Fraction(1, 10),
    texts: Sequence[str] = ("one", "two", "um", "uh", "five"),
) -> Take:
    """Return a take with one to twelve words in order, touching or apart, at one of the usual rates."""
    rate = draw(st.sampled_from(RATES))
    time = Fraction(draw(st.integers(0, 1500)), 1000)
    said: list[Said] = []
    for _ in range(draw(st.integers(1, 12))):
        length = shortest + Fraction(draw(st.integers(0, 600)), 1000)
        said.append((draw(st.sampled_from(list(texts))), time, time + length))
        time += length + Fraction(draw(st.sampled_from([0, 0, 0, 3, 17, 40, 90, 200, 700, 1400])), 1000)
    rest = draw(st.integers(0, 40))
    return take("C0103", *said, rate=rate, frames=int(time * rate) + 1 + rest)


@st.composite
def odd_takes(draw: st.DrawFn) -> Take:
    """Return a take as engines give them at their worst: zero lengths, overlaps, stuck runs, marks, events."""
    rate = draw(st.sampled_from(RATES))
    texts = st.sampled_from(["one", "two", "um", "uh,", "，", "-", "(", "(laughs)", "好"])
    timings = st.sampled_from([*[Timing.TIMED] * 6, Timing.STUCK, Timing.STRETCHED, Timing.UNTIMED])
    time = Fraction(0)
    said: list[Said] = []
    for _ in range(draw(st.integers(1, 14))):
        time += Fraction(draw(st.sampled_from([0, 0, 0, 1, 20, 300, 1500])), 1000)
        length = Fraction(draw(st.sampled_from([0, 0, 8, 20, 35, 60, 250, 900, 4000])), 1000)
        said.append((draw(texts), time, time + length, draw(timings)))
        time += draw(st.sampled_from([length, length, length, length / 2, Fraction(0)]))
    heard = words(*said)
    turns = tuple(replace(word, speaker=draw(st.sampled_from(["a", "b", None]))) for word in heard.words)
    made = take("C0103", rate=rate, frames=max(int(time * rate) + draw(st.integers(-20, 20)), 1))
    return Take.given("C0103", made.media, made.fingerprint, transcript=replace(heard, words=turns))
