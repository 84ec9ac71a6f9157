"""Several small jobs in one ffmpeg process: starting one costs as much as encoding a second of a draft."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

MOST = 8
"""Jobs that one process does at most, so that a stop loses little."""

MOST_HELD = 160 << 20
"""Bytes that the jobs of one process may hold together: all of them are under way at once.

Two segments of 720p are no more than the one of 1080p that a process must bear anyhow.
"""

_OPENED = re.compile(r"\[(\d+):(\d+)\]")


def gathered(jobs: Sequence[Any], workers: int) -> list[list[Any]]:
    """Put jobs of one kind together, in order; none waits for another while a worker has nothing to do."""
    made: list[list[Any]] = []
    for _, alike in groupby(jobs, key=type):
        made += _filled(list(alike), workers)
    return made


def _filled(jobs: Sequence[Any], workers: int) -> Iterator[list[Any]]:
    most = min(MOST, -(-len(jobs) // max(1, workers)))
    batch: list[Any] = []
    held = 0
    for job in jobs:
        if batch and (len(batch) >= most or held + job.held > MOST_HELD):
            yield batch
            batch, held = [], 0
        batch.append(job)
        held += job.held
    if batch:
        yield batch


def together(lines: Sequence[Sequence[str]]) -> list[str]:
    """Give one command from several, each of one graph and one output: inputs, then graphs, then outputs."""
    inputs: list[str] = []
    graphs: list[str] = []
    outputs: list[str] = []
    opened = 0
    for number, line in enumerate(lines):
        at = line.index("-filter_complex")
        graph, last = line[at + 1], line[at + 3]
        graph = _OPENED.sub(lambda hit, first=opened: f"[{first + int(hit[1])}:{hit[2]}]", graph)  # type: ignore[misc]
        out = f"[out{number}]"
        inputs += line[:at]
        graphs += ["-filter_complex", graph.removesuffix(last) + out]
        outputs += ["-map", out, *(part for part in line[at + 4 :] if part != "-y")]
        opened += sum(part == "-i" for part in line[:at])
    return [*inputs, *graphs, *outputs, "-y"]
