"""How cutbook compares, as ratios side by side: `make bench`, or `python -m benchmarks NAME`.

One module a subject. A module registers functions with `benchmark`; each returns `Reading`s, and the first reading of
a function is what the others are divided by.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Reading:
    """One measured thing: its label, its value in `unit`, and a word on how it came about."""

    label: str
    value: float
    unit: str = "s"
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Benchmark:
    """One registered question and the function that answers it."""

    name: str
    question: str
    measure: Callable[[], Sequence[Reading]]


REGISTERED: dict[str, Benchmark] = {}


def benchmark(question: str) -> Callable[[Callable[[], Sequence[Reading]]], Callable[[], Sequence[Reading]]]:
    """Register the decorated function under `module.function`, to be printed beneath `question`."""

    def register(measure: Callable[[], Sequence[Reading]]) -> Callable[[], Sequence[Reading]]:
        name = f"{measure.__module__.removeprefix('benchmarks.')}.{measure.__name__}"
        REGISTERED[name] = Benchmark(name=name, question=question, measure=measure)
        return measure

    return register
