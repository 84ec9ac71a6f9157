"""What items of a log have in common, in whatever form they stand: field, id, tick, and saying that there is none."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

KINDS = {
    "strategy": "s",
    "decision": "d",
    "decisions": "d",
    "decisions made": "d",
    "reasoning": "r",
    "reasoning log": "r",
    "notes": "r",
    "outstanding": "o",
    "next steps": "o",
    "to do": "o",
    "todo": "o",
}
"""The fields that are known, by their label in lower case, and the kind of what stands in them."""

_NOTHING = frozenset(
    {"none", "n/a", "na", "nothing", "nil", "无", "無", "なし", "없음", "keine", "nothing outstanding"}
)
_TICKED = re.compile(r"\[[xX]\](?:\s|\Z)")


class Names:
    """Hands out ids: the second entry with an id is served as ``id~2``. ``met`` are ids of entries before."""

    def __init__(self, met: Iterable[str] = ()) -> None:
        self._seen = dict(Counter(met))

    def serve(self, name: str) -> str:
        """Give the id under which one more entry of this name is served."""
        self._seen[name] = self._seen.get(name, 0) + 1
        return name if self._seen[name] == 1 else f"{name}~{self._seen[name]}"

    def serve_all(self, names: list[str]) -> list[str]:
        """Give the ids under which entries of these names are served, in their order."""
        new = dict.fromkeys(names, 1)
        if len(new) < len(names) or not self._seen.keys().isdisjoint(new):
            return [self.serve(name) for name in names]
        self._seen |= new
        return names


def nothing(text: str) -> bool:
    """Tell whether the text of an item says that there is none."""
    return text.strip(" \t\n.,;:!()*_~-–—。").casefold() in _NOTHING | {""}


def ticked(text: str) -> bool:
    """Tell whether an item is ticked off or struck through."""
    if text[:1] == "[":
        return bool(_TICKED.match(text))
    return len(text) > 4 and text.startswith("~~") and text.endswith("~~")
