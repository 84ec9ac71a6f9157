"""A stand-in for Scribe: a real HTTP server on loopback that takes real uploads, refuses and bills as the service."""

from __future__ import annotations

from tests.scribe_double.answers import ANSWER, multichannel
from tests.scribe_double.server import KEY, Asked, Double, scribe_double
from tests.scribe_double.turns import Turn

__all__ = ["ANSWER", "KEY", "Asked", "Double", "Turn", "multichannel", "scribe_double"]
