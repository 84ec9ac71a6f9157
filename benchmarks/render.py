"""What a film costs: made, made again after one change, made at each tier, and by one ffmpeg process alone."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import Reading, benchmark
from cutbook.edit.edl import Edl, Overlay, Range
from cutbook.edit.take import Take
from cutbook.files import UserFolders, fingerprint
from cutbook.media.ffmpeg import Done, Ffmpeg, find
from cutbook.media.probe import probe
from cutbook.media.proxy import proxy
from cutbook.render import ass
from cutbook.render.crew import cores
from cutbook.render.film import Film, render
from cutbook.render.plan import Plan, plan
from cutbook.render.proof import prove
from cutbook.transcripts.model import Transcript, Word

RANGES = 20
RATE = Fraction(30)
LENGTH = 45
ROUNDS = 3
SIZE = (1280, 720)

_TALLY = re.compile(r"frame [IPB]:(\d+) ")


def footage(path: Path) -> None:
    """Make a minute of 720p with sound, a keyframe every two seconds."""
    shown = f"testsrc2=size=1280x720:rate={RATE}:duration=60,noise=alls=4:allf=t"
    heard = "anoisesrc=d=60:a=0.1:seed=3"
    coding = ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "20", "-g", "60", "-pix_fmt", "yuv420p"]
    find().run(["-f", "lavfi", "-i", shown, "-f", "lavfi", "-i", heard, *coding, "-c:a", "aac", str(path)])


def graphics(place: Path) -> tuple[Overlay, Overlay]:
    """Make a moving picture that lies over the film's first cut, and a still over its fifth range."""
    moving, still = place / "moving.mp4", place / "still.png"
    coding = ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "20", "-pix_fmt", "yuv420p"]
    find().run(
        ["-f", "lavfi", "-i", f"testsrc2=size=320x180:rate={RATE}:duration=1", *coding, "-y", str(moving)]
    )
    find().run(["-f", "lavfi", "-i", "smptebars=size=320x180", "-frames:v", "1", "-y", str(still)])
    high, low, side = Fraction(1, 20), Fraction(3, 5), Fraction(1, 4)
    cut = LENGTH / RATE
    return (
        Overlay(
            file=str(moving),
            start_in_output=cut - Fraction(1, 2),
            duration=Fraction(1),
            box=(high, high, side, side),
        ),
        Overlay(
            file=str(still),
            start_in_output=4 * cut + Fraction(1, 5),
            duration=Fraction(1),
            box=(low, high, side, side),
        ),
    )


def spent(work: Callable[[], object]) -> float:
    """Give the processor seconds that `work` takes, its processes included."""
    before = os.times()
    work()
    after = os.times()
    return sum(after[:4]) - sum(before[:4])


def one_process(source: Path, starts: Sequence[int], output: Path, drawn: Plan | None = None) -> None:
    """Make the same film with one ffmpeg alone: seek to each range, join, level the sound, encode.

    It has the cores' number of threads, preset, CRF, canvas, pixel format, colour tags and bit rate of sound that
    ours has, and the overlays and captions of what is ``drawn``. Its sound is levelled in one pass (``loudnorm``),
    as one process can; ours is measured, raised or limited, and measured again. It fades nothing at the joins and
    proves nothing, and no scaler touches its pictures, which have the canvas's size already.
    """
    threads = ["-threads", str(cores())]
    inputs: list[str] = []
    for start in starts:
        began, lasts = (f"{float(frames / RATE):.6f}" for frames in (start, LENGTH))
        inputs += [*threads, "-ss", began, "-t", lasts, "-i", str(source)]
    pads = "".join(f"[{n}:v][{n}:a]" for n in range(len(starts)))
    levelled = "loudnorm=I=-14:TP=-1,aresample=48000,aformat=channel_layouts=stereo"
    graph = f"{pads}concat=n={len(starts)}:v=1:a=1[v][a];[a]{levelled}[s]"
    last, more, chain = "v", "", ""
    if drawn is not None:
        more, chain, last = _laid(drawn, len(starts), output.with_suffix(".ass"))
    colours = "range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709"
    graph += f"{chain};[{last}]setsar=1,format=yuv420p,setfield=prog,setparams={colours}[p]"
    coding = ["-c:v", "libx264", "-preset", "fast", "-crf", "20", "-pix_fmt", "yuv420p", *threads]
    sound = ["-c:a", "aac", "-b:a", "192k"]
    maps = ["-map", "[p]", "-map", "[s]"]
    find().run(
        [
            *inputs,
            *more.split(),
            "-filter_complex",
            graph,
            *maps,
            *coding,
            *sound,
            "-movflags",
            "+faststart",
            "-y",
            output.name,
        ],
        cwd=output.parent,
    )


def _laid(drawn: Plan, inputs: int, script: Path) -> tuple[str, str, str]:
    """Give the inputs of overlays, the filters that lay them and the captions over ``[v]``, and what these give."""
    script.write_text(
        ass.document(drawn.cues, style=drawn.style, size=drawn.size, rate=drawn.rate), encoding="utf-8"
    )
    more, chain, last = "", "", "v"
    for number, each in enumerate(drawn.overlays):
        still = f"-loop 1 -framerate {RATE} " if each.file.endswith(".png") else ""
        more += f"{still}-t {float(each.duration)} -i {Path(each.file).name} "
        left, top = (
            2 * round(share * side / 2) for share, side in zip((each.box or ())[:2], SIZE, strict=True)
        )
        begin = f"setpts=PTS-STARTPTS+{float(each.start_in_output)}/TB"
        chain += f";[{inputs + number}:v]{begin}[l{number}]"
        chain += f";[{last}][l{number}]overlay={left}:{top}:eof_action=pass[o{number}]"
        last = f"o{number}"
    return more, f"{chain};[{last}]ass={script.name}[drawn]", "drawn"


class Tallied(Ffmpeg):
    """An ffmpeg whose x264 tells, in each run's log, how many pictures it encoded; ``encoded`` is one entry a run."""

    __slots__ = ("encoded",)
    encoded: list[int]

    @classmethod
    def found(cls) -> Tallied:
        """Take the ffmpeg that is found."""
        known = find()
        made = cls(known.path, known.version, known.filters, known.encoders, known.decoders)
        object.__setattr__(made, "encoded", [])
        return made

    def run(self, args: Sequence[str], **options: Any) -> Done:
        """Run, and count."""
        done = Ffmpeg.run(self, args, **options)
        self.encoded.append(sum(map(int, _TALLY.findall(done.log))))
        return done


@dataclass(frozen=True, kw_only=True)
class Stage:
    """A source, its cut list and the folder in which films of it are made."""

    place: Path
    take: Take
    starts: Sequence[int]
    overlays: tuple[Overlay, ...] = ()
    captions: str | None = None
    ffmpeg: Ffmpeg = field(default_factory=find)

    @property
    def parts(self) -> list[Range]:
        """The ranges."""
        return [
            Range(id=f"r-{n:05d}", source="source", frames=(n, n + LENGTH), rate=RATE) for n in self.starts
        ]

    def planned(self, parts: Sequence[Range]) -> Plan:
        """Plan a film."""
        cut = Edl(ranges=tuple(parts), overlays=self.overlays)
        return plan(cut, {"source": self.take}, captions=self.captions)

    def make(self, parts: Sequence[Range], tier: str) -> Film:
        """Render a film."""
        return render(
            self.planned(parts),
            takes={"source": self.take},
            edit=self.place / "edit",
            output=self.place / f"{tier}.mp4",
            ffmpeg=self.ffmpeg,
            tier_name=tier,
            pictures=False,
        )

    def proof(self, tier: str) -> None:
        """Prove a film that was made, as if nothing of it were known."""
        prove(
            self.place / f"{tier}.mp4",
            self.planned(self.parts),
            takes={"source": self.take},
            ffmpeg=self.ffmpeg,
        )

    def forget(self) -> None:
        """Remove all that renders keep."""
        shutil.rmtree(self.place / "edit", ignore_errors=True)

    def alone(self) -> float:
        """Give what one process takes for the film."""
        drawn = self.planned(self.parts) if self.captions else None
        return spent(lambda: one_process(self.take.media.path, self.starts, self.place / "alone.mp4", drawn))

    def against(self, rounds: int = ROUNDS) -> tuple[float, float, float]:
        """Give the medians of what one process and a final render take, one after the other, and of their ratios."""
        pairs = []
        for _ in range(rounds):
            self.forget()
            pairs.append((self.alone(), spent(lambda: self.make(self.parts, "final"))))
        one, ours = (median(each) for each in zip(*pairs, strict=True))
        return one, ours, median(made / alone for alone, made in pairs)

    def changed(self, number: int) -> float:
        """Give what a final render takes after one range became longer."""
        parts = self.parts
        first, last = parts[number].frames
        parts[number] = replace(parts[number], frames=(first, last + 5))
        return spent(lambda: self.make(parts, "final"))


def staged(place: Path, ranges: int, **options: Any) -> Stage:
    """Make the footage and give the stage on which films are made of it; half a second a word is said."""
    source = place / "source.mp4"
    footage(source)
    half = Fraction(1, 2)
    said = tuple(Word(n, f"word{n}", n * half, (n + 1) * half) for n in range(118))
    folders = UserFolders(place / "cache", place / "state", place / "config")
    spoken = Transcript(said, "en", "bench", "none")
    take = Take.given("source", probe(source), fingerprint(source, folders), transcript=spoken)
    return Stage(place=place, take=take, starts=[n * 85 + 10 for n in range(ranges)], **options)


@benchmark("What does a film of 20 ranges cost, against one ffmpeg process that makes the same?")
def film() -> list[Reading]:
    """Time one process, a final render, one change, no change, a preview and its proof, a proxy and a draft."""
    with tempfile.TemporaryDirectory() as name:
        stage = staged(Path(name), RANGES)
        alone, final, ratio = stage.against()
        proved = spent(lambda: stage.proof("final"))
        once = median(stage.changed(number) for number in (7, 3, 12))
        stage.make(stage.parts, "final")
        never = spent(lambda: stage.make(stage.parts, "final"))
        preview = spent(lambda: stage.make(stage.parts, "preview"))
        proof = spent(lambda: stage.proof("preview"))
        small = spent(
            lambda: proxy(
                stage.take.media,
                folder=stage.place / "edit" / "proxies",
                name="source",
                content=stage.take.fingerprint.digest,
                ffmpeg=find(),
            )
        )
        draft = spent(lambda: stage.make(stage.parts, "draft"))
    return [
        seconds("one ffmpeg process", alone, f"median of {ROUNDS}, each before a final"),
        seconds("final", final, f"its proof is in it; bar: ×1.1 of one process; median ratio ×{ratio:.2f}"),
        seconds(
            "final, less a proof", final - proved, "a proof that knows nothing, its film's loudness neither"
        ),
        seconds("final, one range changed", once, f"median of 3; bar: 1/8 of final; is 1/{final / once:.1f}"),
        seconds("final, nothing changed", never, f"is 1/{final / never:.0f} of final; every packet is read"),
        seconds("preview", preview, "its sound is in the cache"),
        seconds("proof of the preview", proof, f"bar: 1/4 of preview; is 1/{preview / proof:.1f}"),
        seconds("proxy of the whole take", small, "once a take"),
        seconds("draft, from the proxy", draft, f"bar: 1/5 of preview; is 1/{preview / draft:.1f}"),
    ]


@benchmark("What does a film with burnt captions and two overlays cost, and is each frame encoded once?")
def drawn() -> list[Reading]:
    """Time one process that draws the same and a final render, and count the pictures that x264 encoded."""
    ranges = RANGES // 2
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        ffmpeg = Tallied.found()
        stage = staged(place, ranges, overlays=graphics(place), captions="natural-sentence", ffmpeg=ffmpeg)
        alone, final, _ = stage.against(1)
        frames = stage.planned(stage.parts).frames
        encoded = sum(ffmpeg.encoded)
        kept = len(list((place / "edit" / "cache" / "segments").iterdir()))
    return [
        seconds("one ffmpeg process", alone, "with `ass` and `overlay` in its graph"),
        seconds("final", final, "its proof is in it, which looks for the captions too"),
        Reading(
            label="frames encoded",
            value=encoded,
            unit="frames",
            note=f"bar: each once; the film has {frames}",
        ),
        Reading(label="segments", value=kept, unit="files", note=f"the film has {ranges} ranges"),
    ]


def seconds(label: str, value: float, note: str = "") -> Reading:
    """Give processor seconds as a reading."""
    return Reading(label=label, value=value, unit="s CPU", note=note)
