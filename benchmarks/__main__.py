"""Run every benchmark, or those whose names hold one of the words given, and print ratios side by side."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks import REGISTERED, Reading


def table(readings: Sequence[Reading]) -> str:
    """Return the readings as aligned lines: label, value, difference and ratio to the first, note."""
    base = readings[0]
    width = max(len(reading.label) for reading in readings)
    lines = []
    for reading in readings:
        line = f"  {reading.label:<{width}}  {reading.value:>10.3f} {reading.unit:<6}"
        if reading is not base and reading.unit == base.unit and base.value:
            line += f"  {reading.value - base.value:>+10.3f}  ×{reading.value / base.value:<8.2f}"
        else:
            line += " " * 23
        lines.append(f"{line}  {reading.note}".rstrip())
    return "\n".join(lines)


def main(words: Sequence[str]) -> int:
    """Run what is asked for: 0 when each benchmark answered, 1 when one failed or none matched."""
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        if not module.name.startswith("_"):
            importlib.import_module(f"benchmarks.{module.name}")
    chosen = [
        one for name, one in sorted(REGISTERED.items()) if not words or any(word in name for word in words)
    ]
    if not chosen:
        print(
            f"no benchmark is named like {' '.join(words)}: there are {', '.join(REGISTERED)}",
            file=sys.stderr,
        )
        return 1
    failed = 0
    for one in chosen:
        print(f"{one.question}  ({one.name})", flush=True)
        try:
            print(table(one.measure()), end="\n\n", flush=True)
        except Exception as error:  # noqa: BLE001 - one subject's trouble must not hide the others' numbers
            failed = 1
            print(f"  failed: {type(error).__name__}: {error}\n", file=sys.stderr, flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
