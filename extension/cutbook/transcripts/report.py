"""What came of transcribing: a row a take, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from cutbook.html import paragraph, table
from cutbook.timebase import clock

DONE = frozenset({"cached", "made", "no sound"})


@dataclass(frozen=True, slots=True)
class Row:
    """One take: ``state`` is cached, made, pending, silent, no sound or failed; ``seconds`` of sound.

    ``price`` in dollars is what this take costs or would cost now, None where nothing is charged.
    """

    take: str
    state: str
    seconds: Fraction
    price: float | None = None
    message: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """Every take that was asked for, in order; ``dry`` tells that nothing was run.

    ``notes`` are lines about all takes: what is wrong with the project's corrections.
    """

    rows: tuple[Row, ...]
    engine: str
    dry: bool = False
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Tell whether every take has its words, or has nothing to be heard (in a dry run: would have)."""
        return all(row.state in DONE or (self.dry and row.state == "pending") for row in self.rows)

    @property
    def price(self) -> float:
        """Dollars that this run cost, or would cost."""
        return sum(row.price or 0.0 for row in self.rows)

    def count(self, state: str) -> int:
        """Count the takes in one state."""
        return sum(row.state == state for row in self.rows)

    @property
    def sentence(self) -> str:
        """Say in one line what was done."""
        new = [row for row in self.rows if row.state == ("pending" if self.dry else "made")]
        length = clock(sum((row.seconds for row in new), start=Fraction(0)))
        parts = [
            f"{len(new)} of {_takes(len(self.rows))} {'to be transcribed' if self.dry else 'transcribed'}"
        ]
        if new:
            parts[0] += f" ({length} by {self.engine})"
        names = {"cached": "cached", "no sound": "without sound", "silent": "silent", "failed": "failed"}
        parts += [f"{count} {name}" for state, name in names.items() if (count := self.count(state))]
        if not self.dry and (waiting := self.count("pending")):
            parts.append(f"{waiting} not begun")
        if any(row.price is not None for row in self.rows):
            parts.append(f"{'would cost' if self.dry else 'cost'} {_dollars(self.price)}")
        return ", ".join(parts)

    def __repr__(self) -> str:
        """Write the report as text, a line a take."""
        width = max((len(row.take) for row in self.rows), default=0)
        lines = [
            f"  {row.take:<{width}}  {_length(row):>5}  {row.state}{': ' + row.message if row.message else ''}"
            for row in self.rows
        ]
        return "\n".join([self.sentence, *lines, *self.notes])

    def _repr_html_(self) -> str:
        rows = [(row.take, _length(row), row.state, row.message) for row in self.rows]
        notes = "".join(paragraph(note, dim=True) for note in self.notes)
        return table(("take", "length", "state", ""), rows, numbers=(1,)) + notes


def _takes(count: int) -> str:
    return f"{count} take" if count == 1 else f"{count} takes"


def _length(row: Row) -> str:
    return clock(row.seconds) if row.seconds else "–"


def _dollars(price: float) -> str:
    """Write a price in cents; what is charged and less than one is not nothing."""
    return f"${price:.2f}" if price >= 0.01 or not price else "less than $0.01"
