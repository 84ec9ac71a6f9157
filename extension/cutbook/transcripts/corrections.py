"""``edit/corrections.md``: word fixes, speakers' names and keyterms that people write down once.

They are bound to words, so they survive a new transcription; the raw transcript is never changed. The front matter may
hold ``keyterms`` (a list) and ``speakers`` (a mapping of S0, S1… to names; two with one name, or ``S2: S0``, are one
person; a take's name may hold a mapping of its own, which goes before that of all takes). Each other line is one of

    C0103#14: Cairrot -> Carrot
    wet site -> website (everywhere)
    Most High (everywhere)

The last form spells words so wherever they are said in another case.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from cutbook.transcripts.model import Transcript, Word, bare

FILE = "corrections.md"
NEAR = 8
"""Word numbers may shift by so much in a new transcription before a correction no longer fits."""

_PLACE = re.compile(r"#(\d++)\s*+:")
_ARROW = re.compile(r"->|→")
_EVERYWHERE = "(everywhere)"


@dataclass(frozen=True, slots=True)
class Fix:
    """One line: ``take`` and ``number`` are None where it holds everywhere."""

    line: int
    wrong: tuple[str, ...]
    right: tuple[str, ...]
    take: str | None = None
    number: int | None = None


@dataclass(frozen=True)
class Corrections:
    """What the file says; ``problems`` names the lines that say nothing that is understood."""

    fixes: tuple[Fix, ...] = ()
    speakers: Mapping[str, str] | None = None
    by_take: Mapping[str, Mapping[str, str]] | None = None
    keyterms: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    @cached_property
    def empty(self) -> bool:
        """Tell whether nothing would be changed."""
        return not self.fixes and not self.speakers and not self.by_take

    def of(self, take: str) -> Corrections:
        """Give the fixes of single words of one take alone."""
        return Corrections(tuple(fix for fix in self.fixes if fix.take == take))

    def applied(self, transcript: Transcript, take: str) -> tuple[Transcript, tuple[str, ...]]:
        """Give the corrected words of a take, and what does not fit it (or is not understood at all)."""
        if self.empty:
            return transcript, self.problems
        words = list(transcript.words)
        misfits = list(self.problems)
        for fix in self.fixes:
            if fix.take is None:
                _everywhere(words, fix)
            elif fix.take == take and not _once(words, fix):
                misfits.append(
                    f"{FILE}, line {fix.line}: {take}#{fix.number} is not {' '.join(fix.wrong)!r} any more"
                )
        names = _names({**(self.speakers or {}), **(self.by_take or {}).get(take, {})})
        words = [replace(word, speaker=names.get(word.speaker or "", word.speaker)) for word in words]
        return replace(transcript, words=tuple(words)), tuple(misfits)


def load(edit: Path) -> Corrections:
    """Read the corrections of a project; a file that is not there corrects nothing."""
    try:
        text = (edit / FILE).read_text("utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return Corrections()
    except (OSError, UnicodeDecodeError) as error:
        return Corrections(problems=(f"{FILE} cannot be read: {error}",))
    return parse(text)


def _fix(line: str, number: int) -> Fix | None:
    """Read one line in time that grows as the line does; None where it is not understood."""
    if line[-len(_EVERYWHERE) :].lower() == _EVERYWHERE:
        body = line[: -len(_EVERYWHERE)].rstrip()
        arrow = _ARROW.search(body, 1)
        wrong, right = (body[: arrow.start()], body[arrow.end() :]) if arrow else (body, body)
        return Fix(number, tuple(wrong.split()), tuple(right.split())) if body else None
    last = max(line.rfind("->"), line.rfind("→"))
    places = [place for place in _PLACE.finditer(line) if place.start() and place.end() < last]
    for place in reversed(places):
        arrow = _ARROW.search(line, place.end() + 1)
        wrong, right = (line[place.end() : arrow.start()], line[arrow.end() :]) if arrow else ("", "")
        if wrong.strip() and right.strip():
            take = line[: place.start()].strip()
            return Fix(number, tuple(wrong.split()), tuple(right.split()), take, int(place[1]))
    return None


def parse(text: str) -> Corrections:
    """Read corrections; what is not understood is kept as a problem, never an error."""
    front, body, offset = _parted(text)
    fixes: list[Fix] = []
    problems: list[str] = []
    keyterms, speakers, by_take = _front(front, problems)
    for number, raw in enumerate(body, start=offset):
        line = re.sub(r"\A\s*[-*]\s+", "", raw).strip().strip("`")
        if not line or line.startswith(("#", "<!--")):
            continue
        fix = _fix(line, number)
        if fix is None:
            problems.append(
                f"{FILE}, line {number} is not understood; write it like C0103#14: wrong -> right"
            )
            continue
        if len(fix.right) < len(fix.wrong):
            problems.append(f"{FILE}, line {number}: fewer words than were said; correct them one by one")
            continue
        fixes.append(fix)
    return Corrections(tuple(fixes), speakers, by_take, keyterms, tuple(problems))


def _parted(text: str) -> tuple[str, list[str], int]:
    lines = text.splitlines()
    if lines and lines[0].strip() == "---":
        for place, line in enumerate(lines[1:], start=1):
            if line.strip() == "---":
                return "\n".join(lines[1:place]), lines[place + 1 :], place + 2
    return "", lines, 1


_Front = tuple[tuple[str, ...], dict[str, str], dict[str, dict[str, str]]]


def _front(text: str, problems: list[str]) -> _Front:
    if not text:
        return (), {}, {}
    from frontmatter.default_handlers import YAMLHandler

    try:
        found = YAMLHandler().load(text)
    except Exception:  # noqa: BLE001 - whatever a person's YAML makes the parser raise
        found = None
    if not isinstance(found, dict):
        problems.append(
            f"{FILE}: its front matter is not understood; write keyterms: [..] and speakers: {{S0: Name}}"
        )
        return (), {}, {}
    terms, names = found.get("keyterms"), found.get("speakers")
    keyterms = tuple(str(term) for term in terms) if isinstance(terms, list) else ()
    names = names if isinstance(names, dict) else {}
    everywhere = {str(key): str(value) for key, value in names.items() if not isinstance(value, dict)}
    by_take = {
        str(take): {str(key): str(value) for key, value in own.items()}
        for take, own in names.items()
        if isinstance(own, dict)
    }
    return keyterms, everywhere, by_take


def _speaker_id(key: str) -> str:
    """Read ``S0``, as the packed text has it, as Scribe's ``speaker_0``."""
    return f"speaker_{key[1:]}" if re.fullmatch(r"S\d+", key) else key


def _names(said: Mapping[str, str]) -> dict[str, str]:
    """Give the name of each speaker that has one; who is another has that one's name."""
    own = {_speaker_id(key): _speaker_id(name) for key, name in said.items()}
    found = {}
    for key, other in own.items():
        name, seen = other, {key}
        while name in own and name not in seen:
            seen.add(name)
            name = own[name]
        found[key] = name
    return found


def _matches(words: Sequence[Word], place: int, wrong: Sequence[str]) -> bool:
    said = words[place : place + len(wrong)]
    return len(said) == len(wrong) and all(
        word.kind == "word" and bare(word.text) == bare(text) for word, text in zip(said, wrong, strict=True)
    )


def _once(words: list[Word], fix: Fix) -> bool:
    wanted = (fix.number or 1) - 1
    for distance in range(NEAR + 1):
        for place in dict.fromkeys((wanted - distance, wanted + distance)):
            if place >= 0 and _matches(words, place, fix.wrong):
                _put(words, place, fix)
                return True
            if distance == 0 and place >= 0 and _matches(words, place, fix.right[: len(fix.wrong)]):
                return True
    return _alone(words, fix) or any(
        _matches(words, place, fix.right[: len(fix.wrong)])
        for place in range(max(0, wanted - NEAR), wanted + NEAR + 1)
    )


def _alone(words: list[Word], fix: Fix) -> bool:
    """Put right what is said once in the take, wherever a new transcript has it."""
    places = [place for place in range(len(words)) if _matches(words, place, fix.wrong)]
    if len(places) == 1:
        _put(words, places[0], fix)
    return len(places) == 1


def _everywhere(words: list[Word], fix: Fix) -> None:
    for place in range(len(words)):
        if _matches(words, place, fix.wrong):
            _put(words, place, fix)


def _put(words: list[Word], place: int, fix: Fix) -> None:
    """Write the right words over the wrong ones; numbers stay, so the last takes what there is more of."""
    count = len(fix.wrong)
    parts = [*fix.right[: count - 1], " ".join(fix.right[count - 1 :])]
    for step, part in enumerate(parts):
        word = words[place + step]
        heard = word.text if word.heard is None else word.heard
        words[place + step] = replace(word, text=_dressed(word.text, part), heard=heard)


def _dressed(old: str, new: str) -> str:
    """Give the new word in the old one's punctuation."""
    core = bare(old)
    at = old.casefold().find(core) if core else -1
    return old[:at] + new + old[at + len(core) :] if at >= 0 else new
