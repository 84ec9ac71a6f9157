"""How patiently Scribe is asked: which failures are tried again, how often, and after how long.

The SDK's own retries are off, since its second attempt sends no form field. What may have been billed is never tried
again here.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import tenacity

from cutbook.errors import TranscriptError
from cutbook.transcripts.answers import Again

T = TypeVar("T")
Say = Callable[[str], None]
"""Told a line for people about a request that is under way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long one waits, in seconds: Scribe is silent while it works, so ``read`` is long.

    ``attempts`` in all where the server fails, ``busy_attempts`` where it has no room yet. The first pause is
    ``first`` and doubles up to ``longest``, with up to ``jitter`` on top; a Retry-After is kept to unless it is over
    ``retry_after``. The line for people is renewed every ``tick``.
    """

    connect: float = 60.0
    read: float = 1800.0
    write: float = 300.0
    attempts: int = 4
    busy_attempts: int = 8
    first: float = 2.0
    longest: float = 60.0
    jitter: float = 1.0
    retry_after: float = 300.0
    tick: float = 0.5


PATIENT = Patience()
"""The patience that a real service wants."""


def ask(
    request: Callable[[], T], *, patience: Patience, say: Say, cancel: threading.Event | None = None
) -> T:
    """Send a request until it is answered, refused, or ``patience`` is at its end.

    Raises:
        TranscriptError: no attempt got through, or ``cancel`` was set between two; nothing was billed.
    """

    def enough(state: tenacity.RetryCallState) -> bool:
        error = _reason(state)
        most = patience.busy_attempts if error.busy else patience.attempts
        return state.attempt_number >= most or (error.wait or 0.0) > patience.retry_after

    growing = tenacity.wait_exponential(multiplier=patience.first, max=patience.longest)
    random = tenacity.wait_random(0, patience.jitter)

    def pause(state: tenacity.RetryCallState) -> float:
        told = _reason(state).wait
        return (growing(state) if told is None else told) + random(state)

    why = ""

    def note(state: tenacity.RetryCallState) -> None:
        nonlocal why
        why = str(_reason(state))

    def sleep(seconds: float) -> None:
        _rest(seconds, f"{why}; asked again in", patience, say, cancel)

    try:
        for attempt in tenacity.Retrying(
            retry=tenacity.retry_if_exception_type(Again),
            stop=enough,
            wait=pause,
            before_sleep=note,
            sleep=sleep,
            reraise=True,
        ):
            with attempt:
                found = request()
    except Again as error:
        msg = _given_up(error, attempt.retry_state.attempt_number)
        raise TranscriptError(msg) from None
    return found


def _reason(state: tenacity.RetryCallState) -> Again:
    error = state.outcome.exception() if state.outcome else None
    return error if isinstance(error, Again) else Again("")


def _given_up(error: Again, attempts: int) -> str:
    later = f"in {error.wait:.0f} s, as it says" if error.wait else "later"
    times = "once" if attempts == 1 else f"{attempts} times"
    return f"{error}; asked {times}, no words came; try again {later}"


def _rest(seconds: float, line: str, patience: Patience, say: Say, cancel: threading.Event | None) -> None:
    """Wait, telling how long it still is; stop at once when told to."""
    waiting = cancel or threading.Event()
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        say(f"{line} {left:.0f} s")
        if waiting.wait(min(left, patience.tick)):
            msg = "stopped before Scribe took the request; nothing was billed"
            raise TranscriptError(msg)
