"""Strategies: which a person gave, and which of them stands.

A session without one is summed up in its place by a sentence of cutbook's, which is the session's and no strategy. The
section's comment says so: ``auto:`` holds the hash of that sentence, so that words put there by hand are a strategy
again. Where no comment tells, the sentence is known by its wording.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cutbook.memory.text import escape, short_hash, unescape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutbook.memory.entries import Log, Section
    from cutbook.memory.marks import Mark
    from cutbook.memory.session import Event

KEY = "auto"
NOT_SAVED = "not saved yet"
_LONGEST = 2_000
_PARTS = re.compile(r", (?!which )| and ")
_DONE = re.compile(
    r"transcribed \d+ takes?|cut \d+ ranges? from \d+ takes?|tightened the cut|took out \d+ (?:filler|pause)s?"
    r"|(?:changed|removed|merged|rejected|accepted|moved) \d+ ranges?|exported \S.*"
    r"|rendered \S.*, which (?:passed|fails) its check|(?:confirmed|flagged|abandoned|superseded|settled) \d+"
    r"|wrote down \d+ (?:decision|note|task|preference)s?"
)
_BEGINNINGS = frozenset(
    "Transcribed Cut Tightened Took Changed Removed Merged Rejected Accepted Moved Exported Rendered Confirmed Flagged "
    "Abandoned Superseded Settled Wrote".split()
)
_MORE = re.compile(r"\d+ (?:pause|note|task|preference)s?")


def summed_up(text: str) -> str:
    """Give the token that tells a sentence of cutbook's own from a strategy."""
    return f"{KEY}:{short_hash(unescape(' '.join(escape(text).split())))}"


def given(text: str, mark: Mark | None) -> bool:
    """Tell whether a person gave this strategy."""
    if not text or (mark is not None and short_hash(text) in mark.values(KEY)):
        return False
    if len(text) > _LONGEST or not text.endswith(".") or text.partition(" ")[0] not in _BEGINNINGS:
        return True
    first, *more = _PARTS.split(text[0].lower() + text[1:-1])
    own = bool(_DONE.fullmatch(first)) and all(
        _DONE.fullmatch(each) or _MORE.fullmatch(each) for each in more
    )
    return not own


def standing_section(log: Log) -> Section | None:
    """Give the session whose strategy stands: the last by its number that has one of a person's."""
    told = [each for each in log.sections if given(each.strategy, each.mark)]
    return max(reversed(told), key=lambda each: each.number, default=None)


def unsaved(events: Sequence[Event]) -> str:
    """Give the strategy that was stated last and is not saved yet; empty where none was."""
    return next((event.text("text") for event in reversed(events) if event.kind == "strategy"), "")


def earlier(log: Log, events: Sequence[Event] = ()) -> tuple[str, str]:
    """Give the strategy that stands, and where it was stated; empty where it is the last session's own."""
    told = unsaved(events)
    if told:
        return told, NOT_SAVED
    section = standing_section(log)
    if section is None or section is log.last:
        return "", ""
    return section.strategy, f"session {section.number}"
