"""Anchors: what footage, words and cut a decision was about, as three kinds of hash.

All hashes are the first 12 hex characters of sha256. What goes in is settled, since it lies in users' files:

``media:TAKE=<size>.<12 hex>``
    The file's size in bytes and its content fingerprint, :attr:`cutbook.files.Fingerprint.short`.
``words:TAKE#A-B=<hash>``
    The spoken words (no events) whose middle, (start + end) / 2, lies in [A, B): A and B are seconds of take time with
    two decimals, as they stand in the token. Corrections are applied. Each word is normalised: NFC, casefold, NFC;
    then every character of the Unicode categories P, S, Z and C is taken out. The words are joined without anything
    between, so that another engine's "web-agent" for "web agent", or one token for two Chinese characters, is no
    change. UTF-8. No times, speakers or probabilities.
``edl:LABEL=<hash>``
    ``Fingerprint.short`` of the source, a line end (LF), and the words kept: those of the range's span from in to out,
    written and normalised as above. LABEL is the beat, or the range's id where there is none; it is for people.

``heard:TAKE#A-B=<hash>`` stands beside a ``words:`` of which corrections.md had made other words: the hash of what the
engine had heard. ``at:TAKE=<folder>`` says in which folder of the footage a take lay. ``range:<id>`` stands beside an
``edl:`` and names the range in edl.json, by which later changes of it are known; where there is a ``range:`` and no
``edl:``, the range was left out of the film.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from cutbook.edit.decide import find
from cutbook.edit.edl import Edl
from cutbook.edit.layout import laid_out
from cutbook.errors import EdlError, InputError, TimeError, UnknownTake
from cutbook.memory.text import HASH, decode_name, encode_name, short_hash
from cutbook.timebase import Span, decimals, seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping, Sequence
    from pathlib import Path

    from cutbook.edit.decide import Which
    from cutbook.edit.edl import Range
    from cutbook.edit.take import Take
    from cutbook.transcripts.model import Word

    Plain = Callable[[Take], Sequence[Word] | None]
    """Gives a take's words without corrections; None where they are not known."""

_TOKEN = re.compile(r"(media|words|edl):([^=#]+)(?:#(\d+\.\d\d)-(\d+\.\d\d))?=(\S+)\Z")
_MEDIA = re.compile(r"\d+\.[0-9a-f]{12}\Z")


Spanned = Span | str | tuple[object, object]
"""A span of a take as people give it: ``2.52-5.36``, two times in seconds, or a :class:`Span`."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """One anchor; ``span`` belongs to ``words`` alone. ``value`` None is a hash that is none: unanchored."""

    kind: str
    name: str
    value: str | None
    span: Span | None = None

    @property
    def token(self) -> str:
        """The anchor as it stands in a machine comment."""
        where = f"#{span_text(self.span)}" if self.span else ""
        return f"{self.kind}:{encode_name(self.name)}{where}={self.value}"


@lru_cache(maxsize=1 << 16)
def read_anchor(token: str) -> Anchor | None:
    """Read a token of a machine comment; None when it is no anchor."""
    match = _TOKEN.match(token)
    if match is None or (match[1] == "words") != (match[3] is not None):
        return None
    span = None
    if match[3]:
        start, end = (Fraction(int(text.replace(".", "")), 100) for text in (match[3], match[4]))
        if end < start:
            return None
        span = Span(start, end)
    good = _MEDIA if match[1] == "media" else HASH
    return Anchor(match[1], decode_name(match[2]), match[5] if good.match(match[5]) else None, span)


def places(tokens: Iterable[str]) -> frozenset[str]:
    """Name what tokens anchor, whatever its hashes are: ``media:C0103``, ``words:C0103#2.52-5.36``, ``edl:HOOK``."""
    return frozenset(token.rpartition("=")[0] for token in tokens if read_anchor(token))


def ranges_of(tokens: Iterable[str]) -> tuple[str, ...]:
    """Give the ids of the ranges that tokens name."""
    return tuple(decode_name(token[6:]) for token in tokens if token.startswith("range:"))


def without(tokens: Sequence[str], ranges: Container[str]) -> tuple[str, ...]:
    """Leave out of an entry's tokens what they say of some ranges; each has its ``edl:`` and ``words:`` in order."""
    own = [token for token in tokens if token.startswith("range:")]
    gone = [name in ranges for name in ranges_of(tokens)]
    drop = {token for token, out in zip(own, gone, strict=True) if out}
    for key in ("edl:", "words:"):
        found = [token for token in tokens if token.startswith(key)]
        if len(found) == len(own):
            stay = {token for token, out in zip(found, gone, strict=True) if not out}
            drop |= set(found) - stay
    said = {f"heard:{token[6:].rpartition('=')[0]}" for token in drop if token.startswith("words:")}
    left = [token for token in tokens if token not in drop and token.rpartition("=")[0] not in said]
    spoken, still = (
        {anchor.name for token in each if (anchor := read_anchor(token)) and anchor.kind == "words"}
        for each in (tokens, left)
    )
    silent = spoken - still
    return tuple(
        t
        for t in left
        if not ((anchor := read_anchor(t)) and anchor.kind == "media" and anchor.name in silent)
    )


def in_order(tokens: Iterable[str]) -> tuple[str, ...]:
    """Give the tokens of ranges, each once, by what they are about: file, words, cut, range."""
    order = ("media", "words", "heard", "edl", "range")
    known = [token for token in dict.fromkeys(tokens) if token.partition(":")[0] in order]
    return tuple(sorted(known, key=lambda token: order.index(token.partition(":")[0])))


def span_text(span: Span, dash: str = "-") -> str:
    """Write a span as it stands in the log: seconds with two decimals."""
    return f"{decimals(span.start)}{dash}{decimals(span.end)}"


def written(span: Span) -> Span:
    """Give the span as its two decimals say it."""
    return Span(seconds(decimals(span.start)), seconds(decimals(span.end)))


@lru_cache(maxsize=1 << 15)
def letters(text: str) -> str:
    """Normalise a word for hashing: casefolded, without punctuation, symbols and spaces anywhere in it."""
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    return "".join(char for char in folded if unicodedata.category(char)[0] not in "PSZC")


def words_in(words: Iterable[Word], span: Span) -> str:
    """Give the normalised words whose middle lies in the span as written."""
    exact = written(span)
    return "".join(
        letters(word.text)
        for word in words
        if word.kind == "word" and exact.holds((word.start + word.end) / 2)
    )


def _near(take: Take, span: Span) -> Sequence[Word]:
    """Leave out what lies far from a span, where the words were arranged for cutting already."""
    plan = laid_out(take)
    exact = written(span)
    return (
        take.words
        if plan is None
        else plan.near(Span(min(span.start, exact.start), max(span.end, exact.end)))
    )


def media_anchor(take: Take) -> Anchor:
    """Anchor a take's file."""
    return Anchor("media", take.name, take.fingerprint.short)


def words_anchor(take: Take, span: Span) -> Anchor:
    """Anchor what is said in a span of a take (seconds of take time)."""
    return Anchor("words", take.name, short_hash(words_in(_near(take, span), span)), written(span))


def edl_anchor(take: Take, kept: Range) -> Anchor:
    """Anchor one range of the cut list."""
    span = Span(kept.start, kept.end)
    said = words_in(_near(take, span), span)
    return Anchor("edl", kept.beat or kept.id, edl_value(take.fingerprint.short, said))


def edl_value(content: str, said: str) -> str:
    """Hash what a range keeps: its file's :attr:`~cutbook.files.Fingerprint.short` and its normalised words."""
    return short_hash(f"{content}\n{said}")


def words_tokens(take: Take, span: Span, plain: Plain | None = None) -> tuple[str, ...]:
    """Give the tokens of what is said in a span: as it is shown, and as it was heard where corrections changed it."""
    shown = words_anchor(take, span)
    words = plain(take) if plain is not None else None
    value = short_hash(words_in(words, span)) if words is not None else shown.value
    if value == shown.value:
        return (shown.token,)
    return shown.token, f"heard:{encode_name(take.name)}#{span_text(written(span))}={value}"


def heard_of(tokens: Iterable[str]) -> dict[str, str]:
    """Give what was heard where corrections made other words of it: the hash by take and span, as tokens write them."""
    rows = (token[6:].rpartition("=") for token in tokens if token.startswith("heard:"))
    return {place: value for place, _, value in rows}


def range_tokens(take: Take, kept: Range, plain: Plain | None = None) -> tuple[str, ...]:
    """Give the tokens of a decision about one range: media, words where there is a transcript, edl, the range's id."""
    found = [media_anchor(take).token]
    if take.transcript is not None:
        found += words_tokens(take, Span(kept.start, kept.end), plain)
    return (*found, edl_anchor(take, kept).token, f"range:{encode_name(kept.id)}")


def capture(
    *,
    takes: Mapping[str, Take],
    take: str | None = None,
    span: Spanned | None = None,
    beat: str | None = None,
    edl: Edl | None = None,
    plain: Plain | None = None,
    home: Path | None = None,
    ranges: Iterable[Which] = (),
) -> tuple[str, ...]:
    """Give the tokens of what a decision names: a take, a span of it (seconds), a beat or ranges of the cut list.

    ``home`` is the footage folder: of a take in a folder of it, that folder is told too.

    Raises:
        UnknownTake: no take has the name.
        TimeError: the span is empty, turned round or goes past the take's end.
        EdlError: no range of the cut list has the beat, or is the one that is named.
        InputError: a span without a take, or a range that is cut from another one.
    """
    found: list[str] = []
    if span is not None and take is None:
        msg = "a span needs the take that it lies in: say take= (--take) too"
        raise InputError(msg)
    if take is not None:
        named = takes.get(take)
        if named is None:
            msg = f"there is no take {take!r}; there are {_some(takes)}"
            raise UnknownTake(msg)
        found += [media_anchor(named).token, *_lies(named, home)]
        if span is not None:
            exact = _checked(named, span)
            if named.transcript is not None:
                found += words_tokens(named, exact, plain)
            else:
                found.append(f"span:{encode_name(named.name)}#{span_text(exact)}")
    if beat is not None:
        found += _of_beat(beat, takes, edl, plain)
    found += [token for which in ranges for token in _of_range(which, take, takes, edl or Edl(), plain)]
    return tuple(dict.fromkeys(found))


def _of_beat(beat: str, takes: Mapping[str, Take], edl: Edl | None, plain: Plain | None) -> list[str]:
    found: list[str] = []
    ranges = [each for each in (edl.kept if edl else ()) if each.beat.casefold() == beat.casefold()]
    if not ranges:
        beats = dict.fromkeys(each.beat for each in (edl.kept if edl else ()) if each.beat)
        msg = f"the cut list has no beat {beat!r}; it has {_some(beats)}"
        raise EdlError(msg)
    for kept in ranges:
        source = takes.get(kept.source)
        if source is None:
            msg = f"beat {beat!r} is cut from {kept.source}, which is not in the project now"
            raise UnknownTake(msg)
        found += range_tokens(source, kept, plain)
    return found


def _of_range(
    which: Which, take: str | None, takes: Mapping[str, Take], edl: Edl, plain: Plain | None
) -> list[str]:
    kept = find(edl, which)
    if take is not None and kept.source != take:
        msg = f"range {which} is cut from {kept.source}, not from {take}; seconds of a take are written like 1.0-3.5"
        raise InputError(msg)
    source = takes.get(kept.source)
    if source is None:
        msg = f"range {which} is cut from {kept.source}, which is not in the project now"
        raise UnknownTake(msg)
    # Without an edl: token the range is one that was left out of the film.
    out = kept.status == "rejected"
    return [each for each in range_tokens(source, kept, plain) if not (out and each.startswith("edl:"))]


def _lies(take: Take, home: Path | None) -> tuple[str, ...]:
    if home is None or take.path.parent == home or home not in take.path.parents:
        return ()
    return (f"at:{encode_name(take.name)}={encode_name(take.path.parent.relative_to(home).as_posix())}",)


def _checked(take: Take, span: Spanned) -> Span:
    if isinstance(span, str):
        first, _, last = span.strip().strip("[]").replace("–", "-").partition("-")
        span = (first, last)
    start, end = (span.start, span.end) if isinstance(span, Span) else (_time(span[0]), _time(span[1]))
    if not 0 <= start < end:
        msg = f"{decimals(start)}-{decimals(end)} is no span: it must start at 0 or later and end after it starts"
        raise TimeError(msg)
    if end > take.duration + Fraction(1, 100):
        msg = (
            f"{decimals(start)}-{decimals(end)} goes past the end of {take.name} at {decimals(take.duration)}"
        )
        raise TimeError(msg)
    return Span(start, end)


def _time(value: object) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, str | int | float | Fraction) or value == "":
        msg = f"{value!r} is no time in seconds; write it like 12.34"
        raise TimeError(msg)
    return seconds(value)


def _some(names: Iterable[str]) -> str:
    listed = list(names)
    shown = ", ".join(listed[:8]) or "none"
    return f"{shown}, …" if len(listed) > 8 else shown
