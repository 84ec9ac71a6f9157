from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutbook.edit.edl import Edl, Range
from cutbook.edit.take import Take
from cutbook.errors import EdlError
from cutbook.files import Fingerprint
from cutbook.media.probe import Media, Picture, SoundTrack
from cutbook.render.plan import plan

NTSC = Fraction(30000, 1001)


def take(
    name: str, rate: Fraction, *, size: tuple[int, int] = (1920, 1080), heard: bool = True, frames: int = 3000
) -> Take:
    """Give a take that no file stands behind."""
    shown = Picture(
        index=0,
        codec="h264",
        width=size[0],
        height=size[1],
        coded=size,
        rotation=0,
        sample_aspect=Fraction(1),
        rate=rate,
        average_rate=rate,
        variable=False,
        time_base=1 / rate,
        start=Fraction(0),
        duration=frames / rate,
        frames=frames,
        pixel_format="yuv420p",
        bit_depth=8,
        interlaced=False,
        full_range=False,
    )
    track = SoundTrack(1, 0, "aac", 48_000, 2, "stereo", Fraction(0), frames / rate)
    media = Media(Path(f"{name}.mp4"), "mov", 1, Fraction(0), frames / rate, shown, (track,) if heard else ())
    return Take.given(name, media, Fingerprint(1, "0" * 64))


TAKES = {
    "A": take("A", NTSC),
    "B": take("B", Fraction(25), size=(1080, 1920)),
    "C": take("C", Fraction(24), heard=False, size=(641, 361)),
}


def part(source: str, first: int, last: int, **more: object) -> Range:
    """Give a range of a take."""
    made = Range(id=f"r-{source}{first:04d}", source=source, frames=(first, last), rate=TAKES[source].rate)
    return replace(made, **more)  # type: ignore[arg-type]


def test_rate_and_canvas_come_from_the_source_kept_longest() -> None:
    """The film has the exact rate and the even size of the take with the most kept time, unless they are set."""
    cut = Edl(ranges=(part("A", 0, 100), part("C", 0, 50), part("C", 100, 140)))
    made = plan(cut, TAKES)
    assert (made.rate, made.size) == (Fraction(24), (642, 362))
    chosen = plan(replace(cut, rate=NTSC, size=(1280, 720)), TAKES, rate=Fraction(25))
    assert (chosen.rate, chosen.size) == (Fraction(25), (1280, 720))


def test_rejected_ranges_are_left_out_and_undecided_ones_kept() -> None:
    """A rejected range is not rendered, an undecided one is."""
    cut = Edl(
        ranges=(part("A", 0, 10), part("A", 20, 40, status="rejected"), part("A", 50, 57, status="accepted"))
    )
    made = plan(cut, TAKES)
    assert [(each.first, each.frames) for each in made.segments] == [(0, 10), (10, 7)]


@pytest.mark.parametrize(
    ("ranges", "sentence"),
    [
        ((), "keeps no range"),
        ((part("A", 0, 10, status="rejected"),), "keeps no range"),
        ((replace(part("A", 0, 10), source="Z"),), "no take is named 'Z'; there are A, B, C"),
        ((part("A", 2999, 3001),), "does not lie in its take"),
        ((part("A", 10, 10),), "does not lie in its take"),
        ((part("A", -1, 10),), "does not lie in its take"),
        ((part("A", 0, 10, audio_lead=Fraction(1, 10)),), "cannot lead its picture"),
        ((part("A", 0, 10, audio_lag=Fraction(1, 10)),), "cannot outlast its picture"),
        (
            (part("A", 0, 900), part("A", 200, 209, audio_lead=Fraction(9))),
            "before A does; lower its audio_lead",
        ),
        ((part("A", 0, 9), part("A", 200, 290, audio_lead=Fraction(1))), "leave it no sound"),
        ((part("A", 0, 90), part("A", 200, 290, audio_lead=Fraction(-1))), "seconds from 0 up"),
    ],
)
def test_what_cannot_be_rendered_is_refused(ranges: tuple[Range, ...], sentence: str) -> None:
    """An empty cut list, an unknown take, a range or a sound outside its take: one clear line each."""
    with pytest.raises(EdlError, match=sentence):
        plan(Edl(ranges=ranges), TAKES)


@given(
    st.lists(
        st.tuples(st.sampled_from("ABC"), st.integers(0, 2000), st.integers(1, 500)), min_size=1, max_size=60
    ),
    st.sampled_from([NTSC, Fraction(25), Fraction(24000, 1001), Fraction(60)]),
)
def test_nothing_accumulates(cuts: list[tuple[str, int, int]], rate: Fraction) -> None:
    """After any number of ranges each starts where the frames before it end, and its sound at that frame's sample."""
    made = plan(
        Edl(ranges=tuple(part(name, low, low + count) for name, low, count in cuts)), TAKES, rate=rate
    )
    first = 0
    begins = []
    for (name, _, count), segment in zip(cuts, made.segments, strict=True):
        assert segment.first == first
        begins.append(first)
        ideal = count / TAKES[name].rate * rate
        assert abs(segment.frames - ideal) <= max(Fraction(1, 2), 1 - ideal)
        first += segment.frames
    assert made.frames == first
    assert made.pieces[0].first == 0
    assert made.pieces[-1].end == made.samples
    assert all(one.end == two.first for one, two in zip(made.pieces, made.pieces[1:], strict=False))
    for piece in made.pieces:
        assert min(abs(piece.first - begin / rate * 48_000) for begin in begins) <= Fraction(1, 2)


def test_fades_follow_the_pads() -> None:
    """A fade is as long as the pad that is left, from 5 to 30 ms, and 30 ms without words; half a piece at most."""
    pads = (Fraction(12, 1000), Fraction(80, 1000))
    ranges = (
        part("B", 0, 50, pads=pads),
        part("B", 100, 150),
        part("B", 300, 301, pads=(Fraction(0), Fraction(0))),
    )
    made = plan(Edl(ranges=ranges), TAKES)
    assert [(p.fade_in, p.fade_out) for p in made.pieces] == [(576, 1440), (1440, 1440), (240, 240)]


def test_one_stretch_of_a_take_is_one_piece_of_sound() -> None:
    """Ranges that follow each other in their take are not faded at the seam."""
    made = plan(Edl(ranges=(part("B", 0, 50), part("B", 50, 80), part("B", 81, 90))), TAKES)
    assert [(p.first, p.samples) for p in made.pieces] == [(0, 80 * 1920), (80 * 1920, 9 * 1920)]


def test_a_lead_moves_the_sound_s_edge_and_crosses_there() -> None:
    """A J cut's sound begins before its picture, and the sound before it makes room, over a crossfade."""
    ranges = (part("B", 0, 50), part("B", 100, 150, audio_lead=Fraction(1, 5)))
    made = plan(Edl(ranges=ranges), TAKES)
    one, two = made.pieces
    edge = 50 * 1920 - 9600
    assert (one.end, two.first) == (edge + 720, edge - 720)
    assert two.start == Fraction(4) - Fraction(1, 5) - Fraction(720, 48_000)
    assert one.crossed_out
    assert two.crossed_in
    assert made.pieces[-1].end == made.samples


def test_silent_and_blind_takes_are_named() -> None:
    """The plan says which takes bring no sound."""
    made = plan(Edl(ranges=(part("C", 0, 50), part("A", 0, 50))), TAKES)
    assert made.notes == ("C has no sound: its ranges are silent",)


def test_smaller_canvas_keeps_its_shape() -> None:
    """A tier's limit holds the shorter side, and both sides stay even."""
    made = plan(Edl(ranges=(part("B", 0, 50),)), TAKES)
    assert made.sized(360).size == (360, 640)
    assert made.sized(2000).size == (1080, 1920)
    assert made.sized(None).size == (1080, 1920)
