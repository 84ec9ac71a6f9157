"""How each film was asked for, so that its proof later is against the same wishes."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from cutbook.edit.edl import dump
from cutbook.files import write_atomic

if TYPE_CHECKING:
    from pathlib import Path

    from cutbook.edit.edl import Edl


CONTENT = "content"
"""The key of what the file held when it was made; not a wish."""

EDIT = "edit"
"""The key of the cut list that it was made from; not a wish."""

_NAMINGS = 64
"""Ways to give renamed takes their earlier names that are tried, at most."""


def film_of(edl: Edl) -> str:
    """Give 12 hex characters that are the same for cut lists of the same film, whoever said what about its ranges."""
    plain = [
        replace(each, id="", beat="", quote="", reason="", status="undecided", by="", words=None, extra={})
        for each in edl.kept
    ]
    text = dump(replace(edl, ranges=tuple(plain), sources={}, media={}, extra={}))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def same_film(film: object, edl: Edl) -> bool:
    """Tell whether a film was made of a cut list, be it when takes of it had other names."""
    used = {each.source for each in edl.kept}
    before = [
        [(name, old) for old in edl.media if old == name or (old not in used and edl.media[old] == content)]
        for name, content in edl.media.items()
        if name in used
    ]
    for names in islice(product(*before), _NAMINGS):
        known = dict(names)
        ranges = tuple(replace(each, source=known.get(each.source, each.source)) for each in edl.ranges)
        if film == film_of(replace(edl, ranges=ranges)):
            return True
    return False


class Made:
    """The wishes of the last render of each file: a JSON object of objects, by the file's name; None is left out."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def get(self, name: str) -> dict[str, Any]:
        """Give the wishes of one file; none where it, or the record, is not there."""
        found = self._read().get(name)
        return dict(found) if isinstance(found, dict) else {}

    def keep(self, name: str, **wishes: object) -> None:
        """Keep the wishes of one file; what is the same already is not written again."""
        known = self._read()
        new = known | {name: {key: _plain(value) for key, value in wishes.items() if value is not None}}
        if new != known:
            write_atomic(self._path, json.dumps(new, indent=1, sort_keys=True, ensure_ascii=False) + "\n")

    def names(self) -> tuple[str, ...]:
        """Give the names of the files made."""
        return tuple(self._read())

    def contents(self) -> dict[str, str]:
        """Give the fingerprint of each file made, by its name; one that is not known is left out."""
        found = {
            name: wishes.get(CONTENT) for name, wishes in self._read().items() if isinstance(wishes, dict)
        }
        return {name: str(content) for name, content in found.items() if content}

    def _read(self) -> dict[str, Any]:
        try:
            found = json.loads(self._path.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}


def _plain(value: object) -> object:
    return "x".join(map(str, value)) if isinstance(value, tuple) else str(value)
