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
    """Names of takes as a cut list has them, found by name, by the path that it gives for them, or by their content.

    ``known`` maps each to the take that it is now; ``renamed`` says of each that another name now has its content.
    """

    def __init__(
        self, takes: Mapping[str, Take], sources: Mapping[str, str], media: Mapping[str, str], edit: Path
    ) -> None:
        self._sources, self._media, self._edit = sources, media, edit
        self.known: dict[str, str] = {name: name for name in takes}
        self.renamed: dict[str, str] = {}
        self._takes = takes
        self._sound: dict[str, Take | None] = {}
        strange = [name for name in dict.fromkeys((*sources, *media)) if name not in takes]
        if strange:
            paths = {os.path.realpath(take.path): name for name, take in takes.items()}
            for name in strange:
                path = os.path.realpath(edit / sources[name]) if name in sources else ""
                if path in paths:
                    self.known[name] = paths[path]
                elif not path or not os.path.lexists(path):
                    self._follow(name)

    def _follow(self, name: str) -> None:
        """Find a take of which nothing is left under its name, where its content lies under another."""
        first, *more = self._free(name) or [""]
        if first:
            self.known[name] = first
            also = f"; {', '.join(more)} {'is' if len(more) == 1 else 'are'} the same file" if more else ""
            self.renamed[name] = f"{name} is now {first}{also}"

    def _free(self, name: str) -> list[str]:
        """Name the takes that hold what was cut under a name, but those that were cut as something else."""
        content = self._media.get(name, "")
        return [each for each in holders(content, self._takes) if self._media.get(each, content) == content]

    def take(self, name: str, place: str) -> tuple[Take | None, str]:
        """Give the take of that name, or why it is not the file that was cut.

        Raises:
            EdlError: no take ever had that name.
        """
        if name in self.known:
            take = self._takes[self.known[name]]
            problem = another_file(take, self._media.get(name, ""))
            return take, self._where_it_is(name, take) or problem if problem else ""
        if name not in self._sources and name not in self._media:
            fail(f"{place}: {unknown(name, self._takes)}")
        path = self._sources.get(name)
        if path is not None and (self._edit / path).exists():
            follow = "".join(
                f", or {_adopt(each)}: {each} is that file, and its ranges follow it"
                for each in self._free(name)[:1]
            )
            return None, f"{name} ({path}) cannot be read; put the file that was cut back{follow}"
        shown = f"{name} ({path})" if path else name
        return None, f"{shown} is no longer there; put it back, or reject its ranges"

    def _where_it_is(self, name: str, take: Take) -> str:
        """Say that another file has a take's name and where the old one is; nothing where that is gone."""
        free, held = self._free(name), holders(self._media.get(name, ""), self._takes)
        here = f"{take.name} is another file now"
        new = f"{_adopt(take.name)} takes the new file"
        if free:
            return f"{here}; the one that was cut is {free[0]}: {_adopt(free[0])} follows it, {new}"
        if held:
            return (
                f"{here}; the one that was cut is {held[0]}, which is another file than when it was cut too: "
                f"give the files their names back, or {new}"
            )
        return ""

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
        f"{take.fingerprint.size} now); look at its ranges, then {_adopt(take.name)}, "
        "or put the old file back"
    )


def holders(content: str, takes: Mapping[str, Take]) -> list[str]:
    """Name the takes, in their order, whose files hold what has a fingerprint; a file of another size is not read.

    The short form has the size and 48 bits of the hash: enough to tell the files of a folder apart.
    """
    if not _CONTENT.fullmatch(content):
        return []
    return [name for name, take in takes.items() if _holds(take, content)]


def _holds(take: Take, content: str) -> bool:
    try:
        return content.startswith(f"{take.path.stat().st_size}.") and take.fingerprint.short == content
    except (OSError, MediaError):
        return False


def _adopt(name: str) -> str:
    return f"%edl adopt {typed(name)}"


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
