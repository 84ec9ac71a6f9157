"""The machine part of an entry: ids, events and tokens inside one HTML comment."""

from __future__ import annotations

import re
import secrets
import string
from dataclasses import dataclass
from typing import Literal, NamedTuple

from cutbook.memory.text import HASH

Kind = Literal["d", "r", "o", "e", "p", "s"]
"""Decision, reasoning, outstanding, event, preference, session."""

VERBS = frozenset({"abandon", "supersede", "flag", "confirm", "done"})
"""What an event can do to the entries that it names."""

WRITTEN = "written:decide"
"""The token of a decision about ranges that a person wrote; one that was drafted has none."""

_ALPHABET = string.digits + string.ascii_lowercase
_OWN = re.compile(r"(?:[droep]-[0-9a-z]{5}|s-[0-9]{1,15})\Z")
_TARGET = re.compile(
    r"((?:[droep]-[0-9a-z]{5}|[dro]-[0-9]{1,15}-[0-9]{1,9})(?:~[0-9]{1,9})?"
    r"|[a-z0-9]+(?:-[a-z0-9]+)*/(?!\S*--)[A-Za-z0-9._~%-]+)(?:=(\S*))?\Z"
)


_TOKEN = re.compile(r"[a-z]+:[!-;=?-~]+\Z")


def sound_token(token: str) -> bool:
    """Tell whether a token may stand in a comment: one key and printable ASCII that cannot end it."""
    return bool(_TOKEN.match(token)) and "--" not in token


def sound_id(name: str) -> bool:
    """Tell whether an id has the form of the log."""
    return bool(_OWN.match(name))


def new_id(kind: Kind) -> str:
    """Make an id: the kind and five random characters of 0-9a-z."""
    return f"{kind}-{''.join(secrets.choice(_ALPHABET) for _ in range(5))}"


@dataclass(frozen=True, slots=True)
class Target:
    """An entry that an event names; ``text`` is the hash of its text, wanted where the id is only a place.

    ``<zip>/<id>`` names what came by import.
    """

    id: str
    text: str | None = None

    def __str__(self) -> str:
        return f"{self.id}={self.text}" if self.text else self.id


class Mark(NamedTuple):
    """What one machine comment says; a named tuple, for the reason that an entry is one.

    ``tokens`` holds every ``key:value`` in order, those not understood too.
    """

    id: str
    verb: str | None = None
    targets: tuple[Target, ...] = ()
    tokens: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """The letter before the id's dash."""
        return self.id[0]

    def values(self, key: str) -> tuple[str, ...]:
        """Give the values of a key's tokens, in order."""
        start = f"{key}:"
        return tuple([token[len(start) :] for token in self.tokens if token.startswith(start)])

    def __str__(self) -> str:
        words = (self.id, *((self.verb, *map(str, self.targets)) if self.verb else ()), *self.tokens)
        return f"<!-- m {' '.join(words)} -->"


def read_mark(body: str) -> Mark | None:
    """Read what stands between ``<!--`` and ``-->``; None when it is no machine comment, or its verb is unknown."""
    words = body.split()
    if len(words) < 2 or words[0] != "m" or not _OWN.match(words[1]):
        return None
    identity, rest = words[1], words[2:]
    if identity[0] != "e":
        return Mark(identity, tokens=tuple(word for word in rest if ":" in word))
    targets = read_targets(rest[1:])
    if not rest or rest[0] not in VERBS or not targets:
        return None
    return Mark(identity, rest[0], targets, tuple(word for word in rest[1:] if ":" in word))


def read_targets(words: list[str]) -> tuple[Target, ...]:
    """Read the entries that an event names; a target whose hash is no hash fits nothing and is left out."""
    found = []
    for word in words:
        match = _TARGET.match(word)
        if match and (match[2] is None or HASH.match(match[2])):
            found.append(Target(match[1], match[2]))
    return tuple(found)


def find_mark(text: str) -> tuple[Mark | None, str]:
    """Find the last machine comment in a list item, and give the text without it.

    Walks with find and rfind: a lazy regular expression is quadratic on hostile text.
    """
    found: tuple[Mark, int, int] | None = None
    position = 0
    while (start := text.find("<!--", position)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        inner = max(start, text.rfind("<!--", start, end))
        mark = read_mark(text[inner + 4 : end])
        if mark:
            found = (mark, inner, end + 3)
        position = end + 3
    if found is None:
        return None, text.strip()
    mark, start, end = found
    return mark, f"{text[:start].rstrip()} {text[end:].lstrip()}".strip()
