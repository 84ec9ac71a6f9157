"""The takes of a cut list: found by name or path, and whether they are still the files that were cut."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from cutbook.edit.fields import fail
from cutbook.edit.naming import typed
from cutbook.errors import MediaError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cutbook.edit.take import Take


class Names:
    """Names of takes as a cut list has them, found by name or by the path that it gives for them."""

    def __init__(
        self, takes: Mapping[str, Take], sources: Mapping[str, str], media: Mapping[str, str], edit: Path
    ) -> None:
        self._sources, self._media, self._edit = sources, media, edit
        self.known: dict[str, str] = {name: name for name in takes}
        self._takes = takes
        self._sound: dict[str, Take | None] = {}
        strange = [name for name in sources if name not in takes]
        if strange:
            paths = {os.path.realpath(take.path): name for name, take in takes.items()}
            for name in strange:
                path = os.path.realpath(edit / sources[name])
                if path in paths:
                    self.known[name] = paths[path]

    def take(self, name: str, place: str) -> tuple[Take | None, str]:
        """Give the take of that name, or why it is not the file that was cut.

        Raises:
            EdlError: no take ever had that name.
        """
        if name in self.known:
            take = self._takes[self.known[name]]
            return take, another_file(take, self._media.get(name, ""))
        if name not in self._sources and name not in self._media:
            fail(f"{place}: {unknown(name, self._takes)}")
        path = self._sources.get(name)
        if path is not None and (self._edit / path).exists():
            return None, f"{name} ({path}) cannot be read; put the file that was cut back"
        shown = f"{name} ({path})" if path else name
        return None, f"{shown} is no longer there; put it back, or reject its ranges"

    def sound(self, name: str) -> Take | None:
        """Give the take of that name where it is the file that was cut; asked once a name."""
        if name not in self._sound:
            take = self._takes[self.known[name]] if name in self.known else None
            whole = take is not None and not another_file(take, self._media.get(name, ""))
            self._sound[name] = take if whole else None
        return self._sound[name]


_NAMED = 8
_CONTENT = re.compile(r"\d+\.[0-9a-f]{12}")


def another_file(take: Take, recorded: str) -> str:
    """Say that a take is not the file that was cut, of which ``recorded`` is the fingerprint; nothing where it is."""
    if not _CONTENT.fullmatch(recorded):
        return ""
    try:
        if take.fingerprint.short == recorded:
            return ""
    except MediaError as error:
        return str(error)
    return (
        f"{take.name} is another file than when it was cut ({recorded.partition('.')[0]} bytes then, "
        f"{take.fingerprint.size} now); look at its ranges, then %edl adopt {typed(take.name)}, "
        "or put the old file back"
    )


def unknown(name: str, takes: Mapping[str, Take]) -> str:
    """Say that no take has a name, and which is the nearest."""
    from rapidfuzz import fuzz, process, utils

    close = process.extractOne(
        name, list(takes), scorer=fuzz.ratio, processor=utils.default_process, score_cutoff=50
    )
    more = f" and {len(takes) - _NAMED} more" if len(takes) > _NAMED else ""
    known = ", ".join(sorted(takes)[:_NAMED]) or "none"
    hint = f"the nearest is {close[0]}" if close else f"the takes are {known}{more}"
    return f"no take is named {name!r}; {hint}"
