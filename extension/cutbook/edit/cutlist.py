"""The text form of a cut list: what people and agents write, and any piece of takes_packed.md.

::

    line    = [ beat ] take span [ text ] [ " -- " reason ]
    span    = "[" t "-" t "]" | t "-" t | "#" n "-" n | '"' words '"'
    t       = seconds (12.34) | [h:]m:s (0:12.34) | timecode (00:00:12:10)
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cutbook.edit.naming import namesakes, spellings
from cutbook.edit.ranges import joined, make_range, new_id
from cutbook.edit.snap import PADS
from cutbook.edit.spans import Malformed, SpanText, read_span
from cutbook.errors import CutListError, TimeError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from fractions import Fraction

    from cutbook.edit.edl import Range
    from cutbook.edit.take import Take

_HEADING = re.compile(r"##\s+(?P<name>.+?)\s*\Z")
_LENGTH = re.compile(r"\s+\((?:duration|no |not )[^()]*(?:\([^()]*\)[^()]*)*\)\s*\Z")
_PREAMBLE = re.compile(r"Phrase-level, grouped on silences|Use `\[start-end\]` ranges|```")
_NUMBERED = re.compile(r"#\d+\s*[-–—−]\s*#?\d+(?:\s|\Z)")
_SILENT = re.compile(r"[_*(]*(?:no speech|no words|no transcript|not transcribed|no sound)\b", re.IGNORECASE)
_REASON = re.compile(r"(?:\A|(?<=\s))--(?:\s|\Z)")
_DASH = re.compile(r"(?:\A|(?<=\s))[–—](?:\s|\Z)")
_SPEAKER = re.compile(r"\s*\S+\s+")
_BEAT = re.compile(r'"((?:[^"\\]|\\.)+)"(?=\s)|(\S+)(?=\s)')
_BULLETS = frozenset("-*•")
_TYPED_NAME = re.compile(r'"((?:[^"\\]|\\.)+)"|“([^”]+)”')
_SPAN_BEGINS = re.compile(r'\[|(?<=\s)["“#]|(?<=\s)[\d.:;]+\s*[-–—−]\s*[\d.:;]+(?=\s|\Z)')


@dataclass(frozen=True, slots=True)
class _Found:
    """A line taken apart: whose span, where it is said, and the rest of the line."""

    take: str
    beat: str
    span: SpanText
    span_at: int
    rest: str
    rest_at: int
    free_text: bool


def parse(
    text: str,
    takes: Mapping[str, Take],
    *,
    pads: tuple[Fraction, Fraction] = PADS,
    by: str = "",
    problems: Mapping[str, str] | None = None,
) -> tuple[Range, ...]:
    """Read a cut list; each range is snapped to words, padded by ``pads`` (seconds before, after) and on its grid.

    ``problems`` says why files that cannot be read cannot, by the names that they would have.

    Raises:
        CutListError: a line cannot be used (the first such is named, with its column), or there is no range at all.
    """
    reader = _Reader(takes, problems or {})
    made: list[Range] = []
    ids: set[str] = set()
    for number, line in _lines(text):
        found = reader.read(number, line)
        if found is None:
            continue
        take = takes[found.take]
        try:
            snapped = found.span.find(take, pads, takes)
        except TimeError as error:
            raise CutListError(str(error), line=number, column=found.span_at + 1) from error
        said = (
            joined(word.text for word in take.words[snapped.words[0] - 1 : snapped.words[1]])
            if snapped.words
            else ""
        )
        reason = reader.reason(number, found, said)
        ids.add(id_ := new_id(ids))
        made.append(make_range(take, snapped, id=id_, beat=found.beat, reason=reason, by=by))
    if not made:
        msg = "the cut list names no range; write lines like: HOOK C0103 [2.52-5.36] -- why"
        raise CutListError(msg, line=1, column=1)
    return tuple(made)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        yield number, unicodedata.normalize("NFC", line.rstrip())


class _Reader:
    """Reads line after line, remembering whose words a line without a take continues."""

    def __init__(self, takes: Mapping[str, Take], problems: Mapping[str, str]) -> None:
        composed = {unicodedata.normalize("NFC", name): name for name in takes}
        self._names = dict(sorted(composed.items(), key=lambda item: -len(item[0])))
        files = {composed: takes[name].path for composed, name in self._names.items()}
        self._spellings = spellings(self._names, files)
        self._problems = problems
        self._current: str | None = None
        self._strange: str | None = None

    def read(self, number: int, line: str) -> _Found | None:
        """Take a line apart; None for a heading, a comment and what else is no range."""
        at = len(line) - len(line.lstrip())
        body = line[at:]
        if not body or _PREAMBLE.match(body):
            return None
        if hit := _HEADING.match(body):
            self._heading(number, hit["name"], at + hit.start("name"))
            return None
        found = self._with_take(number, line, at)
        if found is None and (not body.startswith("#") or self._continues_by_number(body)):
            found = self._continued(number, line, at)
        if found is None:
            if body.startswith("#") or _SILENT.match(body):
                return None
            raise self._unknown(number, line, at)
        self._current, self._strange = found.take, None
        return found

    def reason(self, number: int, found: _Found, said: str) -> str:
        """Give what stands after the first `` -- ``; between the span and it only a timed span may have text.

        Where there is none, a dash with spaces around it does, which keyboards make of ``--``. A dash in words that
        are ``said`` in the range, as in a pasted phrase, is speech.
        """
        hit = _REASON.search(found.rest) or _DASH.search(found.rest)
        if hit and found.rest[: hit.start()].strip() and _is_said(found.rest, said):
            hit = None
        words = found.rest[: hit.start()] if hit else found.rest
        if words.strip() and not found.free_text:
            column = found.rest_at + len(words) - len(words.lstrip()) + 1
            msg = f"“{words.strip()}” after the quoted words is neither a span nor a reason; a reason begins with --"
            raise CutListError(msg, line=number, column=column)
        return found.rest[hit.end() :].strip() if hit else ""

    def _heading(self, number: int, name: str, at: int) -> None:
        length = _LENGTH.search(name)
        for candidate in (name, name[: length.start()].rstrip() if length else name):
            if known := self._known(candidate):
                self._current, self._strange = self._names[known], None
                return
        if length:
            raise CutListError(self._no_take(name[: length.start()].rstrip()), line=number, column=at + 1)
        # An ordinary "## Opening" is a comment, but what stands below it is not the last take's for sure.
        self._current, self._strange = None, name

    def _continues_by_number(self, body: str) -> bool:
        """Tell a line like ``#12-#18``, which goes on with the last take, from a comment."""
        return self._current is not None and _NUMBERED.match(body) is not None

    def _with_take(self, number: int, line: str, at: int) -> _Found | None:
        best: tuple[int, _Found] | None = None
        trouble: tuple[int, Malformed] | None = None
        for begin, beat in self._beginnings(line, at):
            for name, end in self._takes_at(line, begin):
                span_at = end + len(line[end:]) - len(line[end:].lstrip())
                try:
                    read = read_span(line, span_at)
                except Malformed as error:
                    trouble = max(trouble or (0, error), (len(name), error), key=lambda pair: pair[0])
                    continue
                if read is None or (best and best[0] >= len(name)):
                    continue
                span, rest_at, free = read
                take = self._names[name]
                best = len(name), _Found(take, beat, span, span_at, line[rest_at:], rest_at, free)
        if best:
            return best[1]
        if trouble and not line.startswith("#", at):
            raise CutListError(str(trouble[1]), line=number, column=trouble[1].offset + 1)
        return None

    def _beginnings(self, line: str, at: int) -> Iterator[tuple[int, str]]:
        yield at, ""
        hit = _BEAT.match(line, at)
        if hit is None:
            return
        try:
            if hit[2] and read_span(line, at) is not None:
                return
        except Malformed:
            pass
        after = hit.end() + len(line[hit.end() :]) - len(line[hit.end() :].lstrip())
        beat = _unescaped(hit[1]) if hit[1] else hit[2]
        yield after, "" if beat in _BULLETS else beat

    def _takes_at(self, line: str, at: int) -> Iterator[tuple[str, int]]:
        for name in self._names:
            if line.startswith(name, at) and _ends_name(line, at + len(name)):
                yield name, at + len(name)
        if hit := _TYPED_NAME.match(line, at):
            name = _unescaped(hit[1]) if hit[1] else hit[2]
            if known := self._known(name):
                yield known, hit.end()
        for form, take in self._spellings.items():
            end = at + len(form)
            if line[at:end].casefold() == form and _ends_name(line, end):
                yield take, end

    def _known(self, name: str) -> str | None:
        """Give the take's name (composed) for a name as typed."""
        if name in self._names:
            return name
        return self._spellings.get(name.casefold())

    def _continued(self, number: int, line: str, at: int) -> _Found | None:
        try:
            read = read_span(line, at)
        except Malformed as error:
            raise CutListError(str(error), line=number, column=error.offset + 1) from error
        if read is None:
            return None
        if self._current is None:
            above = (
                f"the heading “{self._strange}” above it is none"
                if self._strange
                else "there is no take above it"
            )
            msg = f"the line begins with a span, but {above}; write the take before the span"
            raise CutListError(msg, line=number, column=at + 1)
        span, rest_at, free = read
        return _Found(self._current, "", span, at, line[rest_at:], rest_at, free)

    def _unknown(self, number: int, line: str, at: int) -> CutListError:
        """Say what is wrong with a line in which no take is followed by a span."""
        for begin, _ in self._beginnings(line, at):
            for name, end in self._takes_at(line, begin):
                column = end + len(line[end:]) - len(line[end:].lstrip()) + 1
                msg = (
                    f'after {name} a span is missing; write it like {name} [2.52-5.36] or {name} "the words"'
                )
                return CutListError(msg, line=number, column=column)
        hit = _SPAN_BEGINS.search(line, at)
        if hit is None:
            msg = (
                "no take and span here; write a line like: HOOK C0103 [2.52-5.36] -- why, "
                "or begin it with # for a comment"
            )
            return CutListError(msg, line=number, column=at + 1)
        words = line[at : hit.start()].rstrip()
        options = [(at, words)]
        if " " in words:
            first = words.split(maxsplit=1)
            options.append((at + words.index(first[1], len(first[0])), first[1]))
        column, asked = max(options, key=lambda option: (self._likeness(option[1]), option[0]))
        return CutListError(self._no_take(asked), line=number, column=column + 1)

    def _likeness(self, asked: str) -> float:
        from rapidfuzz import fuzz

        if namesakes(asked, self._names):
            return 100.0
        names = (*self._names, *self._problems)
        return max((fuzz.ratio(asked.casefold(), name.casefold()) for name in names), default=0.0)

    def _no_take(self, asked: str) -> str:
        from rapidfuzz import fuzz, process, utils

        names = list(self._names)
        if several := namesakes(asked, names):
            return f"no take is named just {asked!r}; there are {', '.join(several)}: write one of these"
        for name, why in self._problems.items():
            if name.casefold() == asked.casefold():
                return f"the take {name} cannot be cut, for its file cannot be read: {why}"
        close = process.extractOne(
            asked, names, scorer=fuzz.ratio, processor=utils.default_process, score_cutoff=50
        )
        if close:
            return f"no take is named {asked!r}; the nearest is {close[0]}"
        known = ", ".join(sorted(names)[:8]) + (", …" if len(names) > 8 else "")
        return f"no take is named {asked!r}; the takes are {known or 'none'}"


def _ends_name(line: str, end: int) -> bool:
    return end == len(line) or line[end].isspace() or line[end] in '[#"“'


def _is_said(rest: str, said: str) -> bool:
    """Tell whether the whole of a text, a speaker's name before it or not, is what is said."""
    words = " ".join(rest.split())
    return bool(words) and (words in said or _SPEAKER.sub("", words, count=1) in said)


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
