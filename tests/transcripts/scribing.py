"""How the tests ask Scribe: the real engine and SDK, pointed at the stand-in, with pauses too short to notice."""

from __future__ import annotations

from typing import Any

from cutbook.transcripts.asking import Patience
from cutbook.transcripts.scribe import ScribeEngine
from tests.scribe_double import KEY, Double

QUICK = Patience(
    connect=2, read=5, write=5, first=0.005, longest=0.02, jitter=0.005, retry_after=5, tick=0.02
)


def engine(double: Double, **options: Any) -> ScribeEngine:
    """Return the engine, pointed at the stand-in."""
    given: dict[str, Any] = {"key": KEY, "url": double.url, "patience": QUICK, **options}
    return ScribeEngine(**given)
