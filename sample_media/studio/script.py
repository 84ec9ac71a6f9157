"""The script: what is said in each take, by whom, and how the take was shot.

Lines are plain sentences. ``<0.6>`` is a pause of 0.6 seconds. ``um`` and ``uh`` are fillers, said on their
own and held. A full stop or a question mark is followed by a pause of 0.45 seconds unless one is given.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, kw_only=True)
class Speaker:
    """A person (or a robot) in the film, and the voice that speaks for them."""

    name: str
    voice: str
    stretch: float = 1.0
    filler_stretch: float = 1.5


@dataclass(frozen=True, kw_only=True)
class Take:
    """One file: its lines, its rate in frames a second, its size as shown, and its sound.

    ``quarter_turn`` stores the picture on its side with a rotation in the container, as a phone does.
    ``sound_rate`` is 0 for a take without an audio stream; ``silent_s`` is the length of such a take.
    """

    name: str
    suffix: str = ".mp4"
    rate: Fraction
    lines: tuple[tuple[str, str], ...] = ()
    size: tuple[int, int] = (1280, 720)
    sound_rate: int = 48000
    channels: int = 2
    quarter_turn: bool = False
    silent_s: float = 0.0
    about: str = ""


CAST = {
    "mara": Speaker(name="Mara", voice="festival:slt", stretch=1.04),
    "theo": Speaker(name="Theo", voice="flite:rms"),
    "lily": Speaker(name="Lily", voice="flite:slt"),
    "pip": Speaker(name="Pip", voice="espeak:en-us"),
}

HOOK = "ninety percent of what a page loads is never seen."

TAKES = (
    Take(
        name="C0101",
        rate=Fraction(30000, 1001),
        lines=(
            ("mara", "Ninety percent of what a web <0.4> sorry. <0.9>"),
            ("mara", f"{HOOK.capitalize()} <2.0> Um <0.3> was that too fast?"),
        ),
        about="the hook with a slip, a restart and a pause of two seconds",
    ),
    Take(
        name="C0103",
        rate=Fraction(30),
        lines=(
            ("mara", f"{HOOK.capitalize()} <0.7> Pages are slow, phones run hot, and people leave. <0.7>"),
            ("mara", "On a slow phone, you wait for all of it. <0.6> We wanted to fix that."),
        ),
        about="the hook and the problem, clean",
    ),
    Take(
        name="C0104",
        suffix=".mov",
        rate=Fraction(24),
        lines=(
            ("mara", f"So <0.2> um <0.3> {HOOK} <0.6>"),
            ("mara", "And then <0.2> uh <0.3> people just leave. <0.6>"),
            ("mara", "We <0.15> um <0.4> we wanted to fix that."),
        ),
        about="the hook again, with fillers",
    ),
    Take(
        name="C0106",
        rate=Fraction(25),
        lines=(
            ("theo", "This is Feather. <0.6> It reads a page before you do <0.2> um <0.3>"),
            ("theo", "and it sends only the parts that you need. <0.8>"),
            ("theo", "There is <0.2> uh <0.3> nothing to install. <0.6>"),
            ("theo", "You add one line, and your pages are light."),
        ),
        about="the solution",
    ),
    Take(
        name="C0107",
        rate=Fraction(30),
        lines=(
            ("theo", "So we made Feather. <0.5> It reads a page before you do, <0.25>"),
            ("theo", "and it sends only the parts that you need. <0.6>"),
            ("theo", "The rest comes later, if you ask for it."),
        ),
        about="the solution again, shorter and clean",
    ),
    Take(
        name="C0108",
        rate=Fraction(30),
        lines=(
            ("mara", "How do you know that it works? <0.6>"),
            ("theo", "Um <0.3> we tried it on our own site first. <0.5>"),
            ("theo", "The front page went from six seconds to one. <0.7>"),
            ("mara", "And what did <0.2> uh <0.3> what did people say? <0.6>"),
            ("theo", "They said nothing. <0.5> They just stayed <0.2> um <0.3> twice as long. <0.6>"),
            ("mara", "That is a good answer."),
        ),
        about="the proof: an interview, both speakers in the picture",
    ),
    Take(
        name="IMG_0412",
        rate=Fraction(30),
        lines=(
            ("lily", "Hello from our bakery. <0.5>"),
            ("lily", "My page used to take <0.2> uh <0.3> nine seconds to open on a phone. <0.6>"),
            ("lily", "Now it <0.2> um <0.3> opens at once. <0.6>"),
            ("lily", "People wait less, and they buy more bread."),
        ),
        size=(720, 1280),
        sound_rate=44100,
        channels=1,
        quarter_turn=True,
        about="a customer's phone clip, upright, stored on its side",
    ),
    Take(
        name="C0110",
        rate=Fraction(24),
        silent_s=6.0,
        sound_rate=0,
        channels=0,
        about="a cutaway without sound: the page loading, before and after",
    ),
    Take(
        name="C0111",
        rate=Fraction(24),
        lines=(
            ("mara", "Feather is free for small sites. <0.5> Try it today. <0.5>"),
            ("mara", "Um <0.3> and thank you for watching."),
        ),
        about="the end",
    ),
    Take(
        name="C0112",
        rate=Fraction(30),
        lines=(
            ("pip", "Feather is free for small sites. <0.5>"),
            ("pip", "Try it today, and send only what people need."),
        ),
        about="the end, read by a robot: a voice that recognition finds hard",
    ),
)
