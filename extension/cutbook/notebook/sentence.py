"""A sentence with options in it: the text stays as it was written, and no option becomes text by mistake."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from cutbook.notebook.line import nearest, quotes, unquoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_OPTION = re.compile(r"(?<!\S)--([A-Za-z][\w-]*)(?=[\s=]|\Z)")
_END = re.compile(r"(?<!\S)--(?!\S)")
LITERAL = "in quotes, or behind a -- of its own, it is text"


@dataclass(frozen=True, slots=True)
class Sentence:
    """What a line says: its text, each option that has a value with it, and the options that are there or not."""

    text: str
    values: tuple[tuple[str, str], ...] = ()
    switches: frozenset[str] = frozenset()

    def get(self, name: str) -> str | None:
        """Give the value of an option, the last one where it is repeated; None where it is not there."""
        return dict(self.values).get(name)

    def all(self, name: str) -> list[str]:
        """Give every value of an option that may be repeated."""
        return [value for key, value in self.values if key == name]


def sentence(
    line: str,
    known: Iterable[str] = (),
    switches: Iterable[str] = (),
    *,
    fail: Callable[[str], NoReturn],
) -> Sentence:
    """Read a line with the options ``known``, whose value runs to the next option, and ``switches``, which have none.

    What stands in quotes, or behind `` -- `` where an option is behind it, is text. A text or value that stands wholly
    in quotes loses them. ``fail`` is told of an option that there is not, and of one that lacks its value.
    """
    listed, bare = list(known), list(switches)
    hidden = quotes(line)
    seen = [hit for hit in _OPTION.finditer(line) if not _within(hit.start(), hidden)]
    ends = [hit for hit in _END.finditer(line) if not _within(hit.start(), hidden)]
    end = next((hit for hit in ends if any(each.start() > hit.end() for each in seen)), None)
    literal = ""
    if end is not None:
        seen = [each for each in seen if each.start() < end.start()]
        line, literal = line[: end.start()], line[end.end() :].strip()
    pieces: list[tuple[str, list[str]]] = [("", [line[: seen[0].start() if seen else len(line)]])]
    found = set[str]()
    for place, hit in enumerate(seen):
        said = line[hit.end() : seen[place + 1].start() if place + 1 < len(seen) else len(line)]
        if hit[1] in listed:
            pieces.append((hit[1], [said.removeprefix("=")]))
        elif hit[1] in bare:
            found.add(hit[1])
            pieces[-1][1].append(said)
        else:
            fail(_unknown(hit[1], [*listed, *bare]))
    pieces[-1][1].append(literal)
    told = [(name, unquoted(" ".join(filter(None, map(str.strip, said))))) for name, said in pieces]
    for name, value in told[1:]:
        if not value:
            fail(f"--{name} wants {'a reason' if name == 'why' else 'a value'}; {LITERAL}")
    return Sentence(told[0][1], tuple(told[1:]), frozenset(found))


def _within(place: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)


def _unknown(name: str, known: Sequence[str]) -> str:
    near = nearest(name, known)
    hint = f"did you mean --{near}? {LITERAL[0].upper()}{LITERAL[1:]}" if near else LITERAL
    return f"there is no --{name} here{': ' if near else '; '}{hint}"
