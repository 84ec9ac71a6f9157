"""Anchors against the project as it is now: what an entry was about is still there, has moved, or is another thing.

Nothing is stored: what comes back is fresh again. Files are told apart by size first; only a file of the size that an
anchor names is read. Words and ranges find their take through the file, so that a rename carries them along.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from cutbook.edit.naming import typed
from cutbook.errors import CutbookError
from cutbook.memory.anchors import Anchor, edl_value, heard_of, ranges_of, read_anchor, span_text
from cutbook.memory.content import holder, holds
from cutbook.memory.heard import Heard, heard, hundredths
from cutbook.memory.text import decode_name
from cutbook.timebase import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from cutbook.edit.edl import Range
    from cutbook.edit.take import Take
    from cutbook.transcripts.model import Word


class Freshness(StrEnum):
    """What became of what an entry is about."""

    FRESH = "fresh"
    MOVED = "moved"
    CHANGED = "changed"
    MISSING = "missing"
    OFFLINE = "offline"
    UNANCHORED = "unanchored"


_WORDS = re.compile(r"words:([^=#]+)#(\d+\.\d\d)-(\d+\.\d\d)=([0-9a-f]{12})\Z", re.ASCII)
REVIEW = frozenset({Freshness.CHANGED, Freshness.MISSING})


@dataclass(frozen=True, slots=True)
class Verdict:
    """What comparing an entry's anchors gave.

    ``reason`` says it in words, with take and span; ``cause`` is what happened, the same for every entry
    that it touched, ``kind`` the anchor's. ``before`` and ``now`` are the words then and now, where they are known.
    """

    freshness: Freshness
    reason: str = ""
    cause: str = ""
    kind: str = ""
    before: str = ""
    now: str = ""

    @property
    def review(self) -> bool:
        """Tell whether a person should look at the entry again."""
        return self.freshness in REVIEW


FRESH = Verdict(Freshness.FRESH)
UNANCHORED = Verdict(Freshness.UNANCHORED)


@dataclass(slots=True)
class Scene:
    """What anchors are compared with.

    ``takes`` gives the takes by name, none opened yet, ``ranges`` the cut list's (None: none there), ``places`` where
    missing takes were last, ``plain`` a take's words without corrections (None: not known).
    """

    takes: Callable[[], Mapping[str, Take]] = dict
    ranges: Callable[[], Sequence[Range] | None] = field(default=lambda: None)
    places: Callable[[], Mapping[str, Path]] = dict
    plain: Callable[[Take], Sequence[Word] | None] = field(default=lambda _take: None)


class Present:
    """The project as it is while one answer is made; each file is looked at once, when an anchor asks for it."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._said: dict[tuple[str, bool], Heard] = {}
        self._by_token: dict[str, Heard | None] = {}
        self._known: dict[tuple[str, str], tuple[Verdict, Take | None]] = {}

    @cached_property
    def takes(self) -> Mapping[str, Take]:
        """The takes by name."""
        return self._scene.takes()

    @cached_property
    def ranges(self) -> Sequence[Range] | None:
        """The ranges of the cut list, rejected ones too; None where there is none."""
        return self._scene.ranges()

    # ---- files

    def file(self, anchor: Anchor) -> tuple[Verdict, Take | None]:
        """Compare a ``media`` anchor, and give the take that holds its content now."""
        key = anchor.name, anchor.value or ""
        if key not in self._known:
            self._known[key] = self._file(*key)
        return self._known[key]

    def _file(self, name: str, value: str) -> tuple[Verdict, Take | None]:
        here = self.takes.get(name)
        if here is not None and holds(here, value):
            return FRESH, here
        other = holder(self.takes, value)
        if here is not None:
            tail = f"; the old one is {other.name}" if other else ""
            text = f"{name} is another file now{tail}"
            return Verdict(Freshness.CHANGED, text, text, "media"), other
        if other is not None:
            text = f"{name} is {other.name} now"
            return Verdict(Freshness.MOVED, text, text), other
        if self._away(name):
            text = f"{name} is offline"
            return Verdict(Freshness.OFFLINE, text, text), None
        text = f"{name} is gone"
        return Verdict(Freshness.MISSING, text, text, "media"), None

    def _away(self, name: str) -> bool:
        """Tell whether a take went with its folder: that is gone, or no footage is left in it."""
        if not self.takes:
            return True
        place = self._places.get(name)
        folders = {os.path.realpath(take.path.parent) for take in self.takes.values()}
        return place is not None and os.path.realpath(place.parent) not in folders

    @cached_property
    def _places(self) -> Mapping[str, Path]:
        return self._scene.places()

    # ---- words

    def words(self, take: Take, anchor: Anchor, before: str | None = None) -> Verdict:
        """Compare a ``words`` anchor with what is said in a take now; ``before`` is the hash of what was heard then."""
        span = anchor.span
        if span is None:
            return UNANCHORED
        said = self._heard(take)
        if said is None:
            more = (
                f"%transcribe {typed(take.name)} brings them back" if take.media.sound else "it has no sound"
            )
            text = f"{take.name} has no words now; {more}"
            return Verdict(Freshness.MISSING, f"{text} ({anchor.name} {span_text(span, '–')})", text, "words")
        edges = hundredths(span.start), hundredths(span.end)
        if said.value(*edges) == anchor.value:
            return FRESH
        plain = self._heard(take, plain=True)
        where = f"{take.name} {span_text(span, '–')}"
        now = said.text(span)
        if plain is not None and plain.value(*edges) == anchor.value:
            before = plain.text(span)
            cause = f"words of {take.name} were put right in corrections.md"
            reason = f"words of {where} were put right in corrections.md"
            return Verdict(Freshness.CHANGED, reason, cause, "words", before, now)
        if plain is not None and before is not None and plain.value(*edges) == before:
            how = "taken out of" if said.value(*edges) == before else "changed in"
            cause = f"corrections of {take.name} were {how} corrections.md"
            reason = f"corrections of {where} were {how} corrections.md"
            return Verdict(Freshness.CHANGED, reason, cause, "words", "", now)
        cause = f"transcript of {take.name} was made again"
        return Verdict(Freshness.CHANGED, f"words of {where} are other now", cause, "words", "", now)

    def _heard_of(self, name: str) -> Heard | None:
        """Give the words of the take that a token names."""
        if name not in self._by_token:
            take = self.takes.get(decode_name(name))
            self._by_token[name] = None if take is None else self._heard(take)
        return self._by_token[name]

    def _heard(self, take: Take, *, plain: bool = False) -> Heard | None:
        key = take.name, plain
        if key not in self._said:
            try:
                words = self._scene.plain(take) if plain else _words(take)
            except CutbookError:
                words = None
            if words is None:
                return None
            self._said[key] = heard(tuple(words))
        return self._said[key]

    # ---- the cut

    def cut(self, anchor: Anchor, ranges: Iterable[str]) -> Verdict:
        """Compare an ``edl`` anchor: any range that is not rejected may hold what it names."""
        if anchor.value in self._kept:
            return FRESH
        label = anchor.name
        if self.ranges is None:
            text = "the cut list is gone or cannot be read"
            return Verdict(Freshness.MISSING, f"{text}, and {label} with it", text, "edl")
        cause = "the cut list was changed outside cutbook"
        found = self.named(label, ranges)
        kept = [each for each in found if each.status != "rejected"]
        if kept:
            places = ", ".join(f"{each.source} {_seconds(each)}" for each in kept)
            return Verdict(Freshness.CHANGED, f"{label} is cut otherwise now: {places}", cause, "edl")
        what = "is rejected in the cut list" if found else "is not in the cut list now"
        return Verdict(Freshness.MISSING, f"{label} {what}", cause, "edl")

    def named(self, label: str, ranges: Iterable[str]) -> list[Range]:
        """Find ranges by their ids, else by the beat, rejected ones too."""
        names = set(ranges)
        return [each for each in self.ranges or () if each.id in names] or [
            each for each in self.ranges or () if each.beat and each.beat.casefold() == label.casefold()
        ]

    @cached_property
    def _kept(self) -> frozenset[str]:
        """The hashes of everything that the cut keeps; of its files without words too, for cuts made before these."""
        found: set[str] = set()
        for each in self.ranges or ():
            take = self.takes.get(each.source)
            if take is None or each.status == "rejected":
                continue
            try:
                content = take.fingerprint.short
            except CutbookError:
                continue
            said = self._heard(take)
            found.add(edl_value(content, said.letters(_span(each)) if said else ""))
            found.add(edl_value(content, ""))
        return frozenset(found)

    # ---- an entry

    def verdicts(self, entries: Iterable[tuple[str, ...]]) -> list[Verdict]:
        """Compare the anchors of many entries: those of which each anchor is as it was, then one by one."""
        known: dict[str, bool | None] = {}
        found = []
        for tokens in entries:
            sure = False
            for token in tokens:
                told = known[token] if token in known else self._as_it_was(token, known)
                if told is False:
                    sure = False
                    break
                sure = sure or told is True
            found.append(FRESH if sure else self.verdict(tokens))
        return found

    def _as_it_was(self, token: str, known: dict[str, bool | None]) -> bool | None:
        """Tell whether an anchor is plainly as it was; None for what is no anchor."""
        words = _WORDS.match(token)
        if words is not None:
            name, start, end, value = words.groups()
            said = self._by_token[name] if name in self._by_token else self._heard_of(name)
            first, last = int(start.replace(".", "")), int(end.replace(".", ""))
            return said is not None and first <= last and said.value(first, last) == value
        anchor = read_anchor(token)
        told = known[token] = None if anchor is None else self._is_good(anchor)
        return told

    def _is_good(self, anchor: Anchor) -> bool:
        if anchor.kind == "media":
            return anchor.value is not None and self.file(anchor)[0] is FRESH
        return anchor.kind == "edl" and anchor.value in self._kept

    def verdict(self, tokens: Iterable[str]) -> Verdict:
        """Compare all anchors of one entry and give one reason: its files before its words before the cut.

        That a range is left out of the film holds as well where its file or its words are gone.
        """
        about = _about(tuple(tokens))
        if about is None:
            return UNANCHORED
        held: dict[str, Take | None] = {}
        found = []
        for anchor in about.media:
            verdict, held[anchor.name] = self.file(anchor)
            if verdict is not FRESH and not (about.out and verdict.freshness is Freshness.MISSING):
                found.append(verdict)
        bad = next((each for each in found if each.review), None)
        bad = bad or next((each for each in found if each.freshness is Freshness.OFFLINE), None)
        if bad is not None:
            return bad
        for anchor in about.words:
            take = held.get(anchor.name) or self.takes.get(anchor.name)
            heard_then = about.heard.get(anchor.token[6:].rpartition("=")[0])
            verdict = self.words(take, anchor, heard_then) if take else self.file(anchor)[0]
            if verdict is not FRESH and not (about.out and verdict.freshness is Freshness.MISSING):
                return verdict
        for anchor in about.edl:
            verdict = self.cut(anchor, about.ranges)
            if verdict is not FRESH:
                return verdict
        return found[0] if found else FRESH


@dataclass(frozen=True, slots=True)
class _About:
    """The anchors of an entry by kind."""

    media: tuple[Anchor, ...]
    words: tuple[Anchor, ...]
    edl: tuple[Anchor, ...]
    ranges: tuple[str, ...]
    heard: Mapping[str, str]

    @property
    def out(self) -> bool:
        """Tell whether the entry says that ranges are left out of the film."""
        return bool(self.ranges) and not self.edl


@lru_cache(maxsize=1 << 15)
def _about(tokens: tuple[str, ...]) -> _About | None:
    """Sort an entry's anchors; None where it has none, or one whose hash is none."""
    anchors = [anchor for token in tokens if (anchor := read_anchor(token))]
    if not anchors or any(anchor.value is None for anchor in anchors):
        return None
    media, words, edl = (tuple(a for a in anchors if a.kind == kind) for kind in ("media", "words", "edl"))
    return _About(media, words, edl, ranges_of(tokens), heard_of(tokens))


def _span(piece: Range) -> Span:
    return Span(piece.start, piece.end)


def _seconds(piece: Range) -> str:
    return span_text(_span(piece), "–")


def _words(take: Take) -> Sequence[Word] | None:
    transcript = take.transcript
    return transcript.words if transcript is not None else None
