"""Front matter through python-frontmatter, without the places where it bites.

Its own ``load`` strips the body, loses a list, is blinded by a BOM and raises on broken YAML; its ``dumps`` writes
dates that come back as other types. A block that is no mapping is left untouched here and counts as text.
"""

from __future__ import annotations

import datetime as dt
import functools
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from frontmatter.default_handlers import YAMLHandler

_LINE = re.compile(
    r"""([A-Za-z][A-Za-z0-9_-]{0,60}):[ ]+(?:'([^'\n]*)'|"([^"\\\n]*)"
    |([A-Za-z][^\n]*|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}))[ ]*\n""",
    re.VERBOSE,
)
_NO_TEXT = frozenset("y n yes no true false on off null".split())
"""Words that YAML takes for other things than text."""


def split(text: str) -> tuple[dict[str, Any], int]:
    """Read the front matter of a text without BOM: its values, and where the body begins.

    ``({}, 0)`` where there is none, it does not close, or it is no mapping in YAML.
    """
    first = text.find("\n")
    if first < 0 or text[:first].rstrip() != "---":
        return {}, 0
    position = first + 1
    while position < len(text):
        end = text.find("\n", position)
        end = len(text) if end < 0 else end
        if text[position:end].rstrip() == "---":
            values = _load(text[first + 1 : position])
            return (values, min(end + 1, len(text))) if values is not None else ({}, 0)
        position = end + 1
    return {}, 0


def _load(block: str) -> dict[str, Any] | None:
    plain = _texts(block)
    if plain is not None:
        return plain
    try:
        loaded = handler().load(block)
    except Exception:  # noqa: BLE001 - YAML written by hand fails in many ways, and each means "no front matter"
        return None
    return {str(key): _plain(value) for key, value in loaded.items()} if isinstance(loaded, dict) else None


def _texts(block: str) -> dict[str, Any] | None:
    """Read a block that is a text a line, as cutbook writes it, without YAML; None for any other."""
    found: dict[str, Any] = {}
    at = 0
    while at < len(block):
        line = _LINE.match(block, at)
        if line is None or line[1].lower() in _NO_TEXT or not line[0][:-1].isprintable():
            return None
        value = line[2] or line[3] or ""
        if line[4]:
            value = line[4].rstrip(" ")
            if value.lower() in _NO_TEXT or ": " in value or " #" in value or value.endswith(":"):
                return None
        found[line[1]] = value
        at = line.end()
    return found or None


@functools.cache
def handler() -> YAMLHandler:
    """Load python-frontmatter's YAML; a writer does so before it takes its lock."""
    from frontmatter.default_handlers import YAMLHandler

    return YAMLHandler()


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, dt.date | dt.datetime) else value


def dump(values: Mapping[str, Any]) -> str:
    """Write a block with its fences and a final line end; keys keep their order, dates are quoted strings."""
    block = handler().export(
        {key: _plain(value) for key, value in values.items()},
        sort_keys=False,
        allow_unicode=True,
        width=10_000,
    )
    return f"---\n{block.strip()}\n---\n"
