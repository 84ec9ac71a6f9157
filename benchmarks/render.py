"""What a film costs: made, made again after one change, made at each tier, and by one ffmpeg process alone."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from benchmarks import Reading, benchmark
from cutbook.edit.edl import Edl, Range
from cutbook.edit.take import Take
from cutbook.files import UserFolders, fingerprint
from cutbook.media.ffmpeg import find
from cutbook.media.probe import probe
from cutbook.media.proxy import proxy
from cutbook.render.crew import cores
from cutbook.render.film import Film, render
from cutbook.render.plan import plan
from cutbook.render.proof import prove

RANGES = 20
RATE = Fraction(30)
LENGTH = 45


def footage(path: Path) -> None:
    """Make a minute of 720p with sound, a keyframe every two seconds."""
    shown = f"testsrc2=size=1280x720:rate={RATE}:duration=60,noise=alls=4:allf=t"
    heard = "anoisesrc=d=60:a=0.1:seed=3"
    coding = ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "20", "-g", "60", "-pix_fmt", "yuv420p"]
    find().run(["-f", "lavfi", "-i", shown, "-f", "lavfi", "-i", heard, *coding, "-c:a", "aac", str(path)])


def spent(work: Callable[[], object]) -> float:
    """Give the processor seconds that `work` takes, its processes included."""
    before = os.times()
    work()
    after = os.times()
    return sum(after[:4]) - sum(before[:4])


def one_process(source: Path, starts: Sequence[int], output: Path) -> None:
    """Cut and encode the same ranges at the same settings with one ffmpeg alone."""
    inputs: list[str] = []
    for start in starts:
        inputs += [
            "-ss",
            f"{float(start / RATE):.6f}",
            "-t",
            f"{float(LENGTH / RATE):.6f}",
            "-i",
            str(source),
        ]
    pads = "".join(f"[{n}:v][{n}:a]" for n in range(len(starts)))
    levelled = "loudnorm=I=-14:TP=-1,aresample=48000,aformat=channel_layouts=stereo"
    graph = f"{pads}concat=n={len(starts)}:v=1:a=1[v][a];[a]{levelled}[s]"
    coding = [
        "-c:v",
        "libx264",
        "-preset",
        "fast",
        "-crf",
        "20",
        "-pix_fmt",
        "yuv420p",
        "-threads",
        str(cores()),
    ]
    find().run(
        [*inputs, "-filter_complex", graph, "-map", "[v]", "-map", "[s]", *coding, "-c:a", "aac", str(output)]
    )


@benchmark("What does a film of 20 ranges cost, against one ffmpeg process that makes the same?")
def film() -> list[Reading]:
    """Time one process, a final render, one change, no change, a preview and its proof, a proxy and a draft."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        source = place / "source.mp4"
        footage(source)
        folders = UserFolders(place / "cache", place / "state", place / "config")
        take = Take.given("source", probe(source), fingerprint(source, folders))
        starts = [n * 85 + 10 for n in range(RANGES)]
        parts = [Range(id=f"r-{n:05d}", source="source", frames=(n, n + LENGTH), rate=RATE) for n in starts]

        def make(ranges: Sequence[Range], tier: str) -> Film:
            return render(
                plan(Edl(ranges=tuple(ranges)), {"source": take}),
                takes={"source": take},
                edit=place / "edit",
                output=place / f"{tier}.mp4",
                ffmpeg=find(),
                tier_name=tier,
                pictures=False,
            )

        changed = [
            *parts[:7],
            replace(parts[7], frames=(parts[7].frames[0], parts[7].frames[1] + 5)),
            *parts[8:],
        ]
        alone = spent(lambda: one_process(source, starts, place / "alone.mp4"))
        final = spent(lambda: make(parts, "final"))
        planned = plan(Edl(ranges=tuple(parts)), {"source": take})
        proved = spent(lambda: prove(place / "final.mp4", planned, takes={"source": take}, ffmpeg=find()))
        again = spent(lambda: one_process(source, starts, place / "again.mp4"))
        once = spent(lambda: make(changed, "final"))
        never = spent(lambda: make(changed, "final"))
        preview = spent(lambda: make(parts, "preview"))
        proof = spent(lambda: prove(place / "preview.mp4", planned, takes={"source": take}, ffmpeg=find()))
        small = spent(
            lambda: proxy(
                take.media,
                folder=place / "edit" / "proxies",
                name="source",
                content=take.fingerprint.digest,
                ffmpeg=find(),
            )
        )
        draft = spent(lambda: make(parts, "draft"))
    alone = (alone + again) / 2
    return [
        seconds("one ffmpeg process", alone, "before and after the final"),
        seconds("final", final, "the proof is in it"),
        seconds("final, without its proof", final - proved, "bar: ×1.1 of one process"),
        seconds("final, one range changed", once, f"bar: 1/8 of final; is 1/{final / once:.1f}"),
        seconds("final, nothing changed", never, f"is 1/{final / never:.0f} of final; every packet is read"),
        seconds("preview", preview, "its sound is in the cache"),
        seconds("proof of the preview", proof, f"bar: 1/4 of preview; is 1/{preview / proof:.1f}"),
        seconds("proxy of the whole take", small, "once a take"),
        seconds("draft, from the proxy", draft, f"bar: 1/5 of preview; is 1/{preview / draft:.1f}"),
    ]


def seconds(label: str, value: float, note: str = "") -> Reading:
    """Give processor seconds as a reading."""
    return Reading(label=label, value=value, unit="s CPU", note=note)
