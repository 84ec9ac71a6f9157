"""A project's own copies of transcripts, found by a take's name or by content, and the corrections that go with them.

A note beside each says of which file and content it is; it is read once while it stays.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from cutbook.errors import TranscriptDamaged, UnreadableMedia
from cutbook.files import Fingerprint, UserFolders, safe_name, unsafe_name
from cutbook.files import fingerprint as content_of
from cutbook.transcripts import corrections, entries
from cutbook.transcripts.entries import Entry

_END = ".meta.json"


@dataclass(frozen=True, slots=True)
class Note:
    """One transcript's: the file that it was given to, and that file's content and size; None where it is not said."""

    path: Path
    source: str | None = None
    content: str | None = None
    size: int | None = None

    @property
    def name(self) -> str:
        """The take's name."""
        return unsafe_name(self.path.name.removesuffix(".json"))


_known: dict[str, tuple[tuple[int, int, int], Note]] = {}


def note(transcript: Path) -> Note | None:
    """Give the note of a transcript; None where there is none that can be read."""
    path = transcript.with_name(transcript.name.removesuffix(".json") + _END)
    try:
        return _noted(str(path), path.stat())
    except OSError:
        return None


def _noted(path: str, found: os.stat_result) -> Note | None:
    stamp = found.st_ino, found.st_size, found.st_mtime_ns
    kept = _known.get(path)
    if kept is None or kept[0] != stamp:
        place = Path(path)
        try:
            read = _read(place, place.with_name(place.name.removesuffix(_END) + ".json"))
        except (OSError, ValueError, AttributeError, RecursionError):
            return None
        kept = _known[path] = stamp, read
    return kept[1]


def _read(path: Path, transcript: Path) -> Note:
    said = json.loads(path.read_bytes())
    source, content, size = said.get("source"), said.get("content"), said.get("size")
    return Note(
        transcript,
        source if isinstance(source, str) else None,
        content if isinstance(content, str) else None,
        size if isinstance(size, int) else None,
    )


def notes(folder: Path) -> list[Note]:
    """Give the notes of a folder of transcripts, by name."""
    try:
        with os.scandir(folder) as found:
            there = sorted((each for each in found if each.name.endswith(_END)), key=lambda each: each.name)
    except OSError:
        return []
    result = []
    for each in there:
        with contextlib.suppress(OSError):
            result.append(_noted(each.path, each.stat()))
    return [each for each in result if each is not None]


def listing(folder: Path) -> int:
    """Give what changes when a transcript comes into a folder, goes or is written anew; 0 where there is no folder."""
    with contextlib.suppress(OSError):
        return folder.stat().st_mtime_ns
    return 0


def whole(path: Path) -> Entry | None:
    """Read an entry; None where there is none that holds together."""
    try:
        return entries.load(path)
    except TranscriptDamaged:
        return None


class Copies:
    """The transcripts in an edit folder; ``former`` gives the names that a content had before, where anybody knows."""

    def __init__(
        self, folders: UserFolders, edit: Path, former: Callable[[Fingerprint], Iterable[str]] | None
    ) -> None:
        self._folders = folders
        self._edit = edit
        self._place = edit / "transcripts"
        self._former = former

    def place(self, name: str) -> Path:
        """Give the place of a take's transcript."""
        return self._place / f"{safe_name(name)}.json"

    def own(self, name: str, fingerprint: Fingerprint) -> Entry | None:
        """Give what lies under a take's name, where it is of this content."""
        entry = whole(self.place(name))
        return entry if entry is not None and entry.of(fingerprint) else None

    def stamp(self, name: str) -> tuple[object, ...]:
        """Give what changes when the project's copy of a take's words does."""
        found: list[object] = []
        for path in (self.place(name), entries.meta_path(self.place(name))):
            try:
                stat = path.stat()
            except OSError:
                found.append(None)
            else:
                found.append((stat.st_mtime_ns, stat.st_size))
        return tuple(found)

    def around(self, name: str) -> int:
        """Give what changes, of a take without a copy of its own, when one under another name may be its."""
        return 0 if self.place(name).is_file() else listing(self._place)

    def claims(self, folder: Path) -> dict[str, Path]:
        """Give the take names that transcripts hold already, each with the file that it was given to."""
        found = notes(self._place)
        return {each.name: folder / each.source for each in found if each.source is not None}

    def elsewhere(self, fingerprint: Fingerprint) -> Iterator[Entry]:
        """Give what the project has of a content under any name, the newest first; then what has no note of it."""
        known: list[Entry] = []
        unknown: list[Entry] = []
        for each in notes(self._place):
            if each.content == fingerprint.digest:
                known += filter(None, [whole(each.path)])
        for name in self._former(fingerprint) if self._former is not None else ():
            entry = whole(self.place(name))
            if entry is not None and not entry.meta:
                unknown.append(entry)
        yield from sorted(known, key=lambda entry: str(entry.meta.get("made")), reverse=True)
        yield from unknown

    def fixes(self, name: str, fingerprint: Fingerprint) -> corrections.Corrections:
        """Give the corrections, with those of a take that is this one now as this one's."""
        found = corrections.load(self._edit)
        others = {fix.take for fix in found.fixes if fix.take} | set(found.by_take or ())
        if others <= {name}:
            return found
        former = set(self._former(fingerprint)) if self._former is not None else set()
        old = {each for each in others - {name} if each in former or self._gone(each, fingerprint)}
        if not old:
            return found
        fixes = (replace(fix, take=name) if fix.take in old else fix for fix in found.fixes)
        named = found.by_take or {}
        speakers = {key: each for take in (*old, name) for key, each in named.get(take, {}).items()}
        return replace(found, fixes=tuple(fixes), by_take={**named, name: speakers})

    def _gone(self, name: str, fingerprint: Fingerprint) -> bool:
        """Tell whether a take held a content when it was heard, and its file does not any more."""
        found = note(self.place(name))
        if found is None or found.source is None or found.content != fingerprint.digest:
            return False
        path = self._edit.parent / found.source
        try:
            same = path.stat().st_size == fingerprint.size
            return not (same and content_of(path, self._folders) == fingerprint)
        except (OSError, UnreadableMedia):
            return True
