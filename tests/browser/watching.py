"""What a review's player showed and sounded, picture by picture, as the browser tells it."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Page

# Each picture of either video: when it is on the screen, its frame by the browser's clock, the number that the film
# itself shows, and whether its video is the one on top. The videos' sound is listened to on its way out.
WATCH = """rate => {
    window.cbSeen = [];
    window.cbHeard = [];
    const paper = new OffscreenCanvas(10, 1).getContext("2d", {willReadFrequently: true});
    const videos = [...document.querySelectorAll(".cb-deck video")];
    videos.forEach((video, deck) => {
        if (video.cbWatched) return;
        video.cbWatched = true;
        const look = (now, {mediaTime, expectedDisplayTime}) => {
            paper.drawImage(video, 0, video.videoHeight / 2, video.videoWidth, 1, 0, 0, 10, 1);
            const row = paper.getImageData(0, 0, 10, 1).data;
            let number = 0;
            for (let bit = 0; bit < 10; bit++) if (row[bit * 4] > 127) number += 1 << bit;
            const top = video.parentElement.classList.contains("cb-on");
            const src = video.currentSrc;
            const frame = Math.round(mediaTime * rate);
            window.cbSeen.push({deck, at: expectedDisplayTime, frame, number, top, src, paused: video.paused});
            video.requestVideoFrameCallback(look);
        };
        video.requestVideoFrameCallback(look);
    });
    if (window.cbTapped) return;
    window.cbTapped = true;
    const code = `registerProcessor("ear", class extends AudioWorkletProcessor {
        process(inputs) {
            let most = 0;
            for (const value of inputs[0][0] ?? []) most = Math.max(most, Math.abs(value));
            this.port.postMessage(most);
            return true;
        }
    })`;
    const url = URL.createObjectURL(new Blob([code], {type: "text/javascript"}));
    const connect = AudioNode.prototype.connect;
    const ears = new Map();
    const ear = async context => {
        await context.audioWorklet.addModule(url);
        const node = new AudioWorkletNode(context, "ear");
        node.port.onmessage = ({data}) => window.cbHeard.push(data);
        connect.call(node, context.destination);
        return node;
    };
    AudioNode.prototype.connect = function (to, ...rest) {
        const {context} = this;
        if (to === context.destination) {
            if (!ears.has(context)) ears.set(context, ear(context));
            ears.get(context).then(node => connect.call(this, node));
        }
        return connect.call(this, to, ...rest);
    };
}"""

QUANTUM = 128 / 48
"""Milliseconds of sound that are listened to at a time, where the device runs at 48 kHz."""


@dataclass(frozen=True)
class Shown:
    """What one video showed while it was on top: frames in order, and when each was on the screen in milliseconds."""

    src: str
    frames: tuple[int, ...]
    numbers: tuple[int, ...]
    at: tuple[float, ...]


def watch(page: Page, *, rate: float = 30) -> None:
    """Begin to write down what the players on a page show; all takes have the same rate."""
    page.evaluate(WATCH, rate)


def shown(page: Page) -> list[Shown]:
    """Return what was on top, video by video, since `watch`; a video that only stood still is left out."""
    seen: list[dict[str, Any]] = [
        one for one in page.evaluate("window.cbSeen") if one["top"] and not one["paused"]
    ]
    groups: list[list[dict[str, Any]]] = []
    for one in seen:
        if groups and groups[-1][-1]["deck"] == one["deck"] and groups[-1][-1]["src"] == one["src"]:
            groups[-1].append(one)
        else:
            groups.append([one])
    return [
        Shown(
            src=group[0]["src"],
            frames=tuple(one["frame"] for one in group),
            numbers=tuple(one["number"] for one in group),
            at=tuple(one["at"] for one in group),
        )
        for group in groups
        if len({one["frame"] for one in group}) > 2
    ]


def frames_of(play: Shown) -> tuple[int, ...]:
    """Return the numbers that the pictures said, each once, in order."""
    return tuple(dict.fromkeys(play.numbers))


def holds(plays: Sequence[Shown], ranges: Sequence[tuple[int, int]]) -> list[float]:
    """Return for each cut the milliseconds by which the next range ran late: pictures that stood too long.

    The last picture before the cut and the first moving one after it lie a known number of frames apart; what the
    clock says beyond that is the hold.
    """
    late = []
    for before, after, (_, end), (first, _) in zip(plays, plays[1:], ranges, ranges[1:], strict=False):
        place = next((place for place, frame in enumerate(after.frames) if frame > first), 0)
        frames = (end - before.frames[-1]) + (after.frames[place] - first)
        late.append(after.at[place] - before.at[-1] - frames * 1000 / 30)
    return late


def overshoots(plays: Sequence[Shown], ranges: Sequence[tuple[int, int]]) -> list[int]:
    """Return by how many frames each range was shown beyond its last one."""
    return [max(play.frames) - (end - 1) for play, (_, end) in zip(plays, ranges, strict=False)]


def silences(page: Page, *, least: float = 0.3) -> list[float]:
    """Return the milliseconds of each silence between the first and the last sound since `watch`."""
    heard: list[float] = page.evaluate("window.cbHeard")
    loud = max(heard, default=0.0) * least
    places = [place for place, value in enumerate(heard) if value > loud]
    found, run = [], 0
    for value in heard[places[0] : places[-1]] if places else []:
        if value <= loud:
            run += 1
        elif run:
            found.append(run * QUANTUM)
            run = 0
    return found


def nine_of_ten(values: Sequence[float]) -> float:
    """Return the value that nine of ten do not exceed."""
    return sorted(values)[max(0, -(-len(values) * 9 // 10) - 1)]


def middle(values: Sequence[float]) -> float:
    """Return the median."""
    return statistics.median(values)
