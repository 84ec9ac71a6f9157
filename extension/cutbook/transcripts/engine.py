"""What every engine can do: the seam at which a test puts one of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from cutbook.media.probe import Media


class Progress(Protocol):
    """Told how many seconds of the take are done, and what is being done where that is worth a line."""

    def __call__(self, seconds: Fraction, line: str = "", /) -> None:
        """Take it in."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What an engine gives: ``raw`` bytes of JSON in Scribe's shape, and what is to be known about them.

    ``meta`` is plain JSON: versions, and ``aligned`` per spoken word where the engine knows.
    """

    raw: bytes
    meta: Mapping[str, object]


class Engine(Protocol):
    """Turns one sound track into words."""

    @property
    def name(self) -> str:
        """``local`` or ``scribe``."""

    @property
    def model_name(self) -> str:
        """The model, so exactly that another one gives another name; part of the cache key."""

    @property
    def recipe(self) -> int:
        """The version of the way in which sound is extracted and heard; part of the cache key."""

    @property
    def price_per_hour(self) -> float | None:
        """Dollars an hour of sound, or None where nothing is ever charged."""

    @property
    def at_once(self) -> int:
        """How many takes it may be asked at the same time, from as many threads."""

    def options(self, *, language: str | None, speakers: int | None) -> Mapping[str, object]:
        """Give every option that changes the answer, as plain JSON; part of the cache key."""

    def prepare(self) -> None:
        """Refuse now, before anything runs, what could never work (raises EngineMissing or EngineRefused)."""

    def transcribe(
        self,
        media: Media,
        track: int,
        *,
        language: str | None = None,
        speakers: int | None = None,
        sending: Callable[[], None] | None = None,
        progress: Progress | None = None,
        cancel: threading.Event | None = None,
    ) -> Answer:
        """Give the words of one sound track on take time; a foreseeable failure is a CutbookError.

        An engine that charges calls ``sending`` right before anything that may be billed.
        """

    def close(self) -> None:
        """Let go of what is kept between takes."""
