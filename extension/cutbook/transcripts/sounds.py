"""The same sound in another file: which entries of the user's store were heard in it, and how their words move.

The index (payload's digest → entries) lies beside the store in the user's cache. It is made from the entries' own meta
files where it is missing or damaged, so that nothing depends on it.
"""

from __future__ import annotations

import contextlib
import functools
import json
import sqlite3
from collections.abc import Iterator, Mapping
from itertools import islice, pairwise
from pathlib import Path

from cutbook.errors import CutbookError, TranscriptDamaged
from cutbook.files import Fingerprint, UserFolders
from cutbook.media.packets import SLACK, Payload, payload
from cutbook.media.probe import Media
from cutbook.transcripts import entries
from cutbook.transcripts.batch import Task
from cutbook.transcripts.engine import Engine
from cutbook.transcripts.entries import Entry
from cutbook.transcripts.shift import shift

_VERSION = 1
_ENOUGH = 8
"""Entries of one sound among which the newest is looked for; there are more only where one was asked by force."""
_TABLE = "create table if not exists heard (sound text, entry text, primary key (sound, entry)) without rowid"


def wanted(engine: Engine, *, language: str | None, speakers: int | None) -> Mapping[str, object]:
    """Give what the meta of an entry must say, for its words to be those that an engine would give."""
    options = engine.options(language=language, speakers=speakers)
    return {
        "engine": engine.name,
        "model": engine.model_name,
        "recipe": engine.recipe,
        "options": json.loads(json.dumps(dict(options))),
    }


class Sounds:
    """Entries by what was heard: in the user's store, and in ``copies``, the project's folder of transcripts."""

    def __init__(self, folders: UserFolders, copies: Path) -> None:
        self._shelves = folders.cache / "transcripts"
        self._copies = copies
        self._payloads: dict[tuple[Fingerprint, int], Payload | None] = {}

    def payload(self, media: Media, fingerprint: Fingerprint, track: int) -> Payload | None:
        """Hash a track once; None where it cannot be."""
        known = (fingerprint, track)
        if known not in self._payloads:
            try:
                self._payloads[known] = payload(media, track)
            except CutbookError:
                self._payloads[known] = None
        return self._payloads[known]

    def find(
        self, media: Media, fingerprint: Fingerprint, track: int, asked: Mapping[str, object]
    ) -> Entry | None:
        """Give the newest entry whose words are a track's, as they stand in its file; ``asked`` is what its meta says.

        Nothing is read while nothing was heard yet.
        """
        if not (self._copied or self._ask("select 1 from heard limit 1")):
            return None
        sound = self.payload(media, fingerprint, track)
        if sound is None:
            return None
        served = (_served(path, sound, asked) for path in self._places(sound))
        some = islice((entry for entry in served if entry is not None), _ENOUGH)
        return max(some, key=lambda entry: str(entry.meta.get("made")), default=None)

    def _places(self, sound: Payload) -> Iterator[Path]:
        for digest in sound.digests:
            yield from self._copied.get(digest, ())
            for (name,) in self._ask("select entry from heard where sound = ?", digest):
                yield self._shelves / name

    def twins(self, tasks: Mapping[int, Task]) -> dict[int, int]:
        """Give the places of tasks that ask for the sound of an earlier one in other wrapping, with its place."""
        firsts: list[tuple[int, Payload]] = []
        twins: dict[int, int] = {}
        for place in _alike_in_length(tasks):
            task = tasks[place]
            sound = self.payload(task.media, task.fingerprint, task.track)
            if sound is None:
                continue
            alike = (n for n, other in firsts if other.shift(sound) is not None)
            first = next((n for n in alike if tasks[n].asked == task.asked), None)
            if first is None:
                firsts.append((place, sound))
            elif tasks[first].key != task.key:
                twins[place] = first
        return twins

    def add(self, entry: Entry, place: Path) -> None:
        """Note what an entry of the store was heard in."""
        for digest in _digests(entry.meta):
            with contextlib.suppress(OSError):
                self._shelves.mkdir(parents=True, exist_ok=True)
            self._ask("insert or replace into heard values (?, ?)", digest, self._name(place))

    def _name(self, place: Path) -> str:
        return place.relative_to(self._shelves).as_posix()

    def _ask(self, question: str, *values: str) -> list[tuple[str, ...]]:
        for _ in range(2):
            try:
                with contextlib.closing(self._index()) as index, index:
                    return index.execute(question, values).fetchall()
            except sqlite3.OperationalError:
                return []
            except sqlite3.DatabaseError:
                with contextlib.suppress(OSError):
                    self._place.unlink()
            except OSError:
                return []
        return []

    @property
    def _place(self) -> Path:
        return self._shelves / "sounds.sqlite3"

    def _index(self) -> sqlite3.Connection:
        if not self._shelves.is_dir():
            index = sqlite3.connect(":memory:")
            index.execute(_TABLE)
            return index
        index = sqlite3.connect(self._place, timeout=10)
        try:
            if index.execute("pragma user_version").fetchone()[0] != _VERSION:
                index.execute("begin immediate")
                with index:
                    index.execute("drop table if exists heard")
                    index.execute(_TABLE)
                    metas = ((_heard_in(path), path) for path in self._shelves.glob("*/*/*.meta.json"))
                    rows = ((digest, self._name(_raw(path))) for found, path in metas for digest in found)
                    index.executemany("insert or replace into heard values (?, ?)", rows)
                    index.execute(f"pragma user_version = {_VERSION}")
        except BaseException:
            index.close()
            raise
        return index

    @functools.cached_property
    def _copied(self) -> Mapping[str, tuple[Path, ...]]:
        """The project's own copies by what they were heard in, as they were at first; later ones are in the index."""
        found: dict[str, list[Path]] = {}
        for path in sorted(self._copies.glob("*.meta.json")):
            for digest in _heard_in(path):
                found.setdefault(digest, []).append(_raw(path))
        return {digest: tuple(paths) for digest, paths in found.items()}


def _alike_in_length(tasks: Mapping[int, Task]) -> list[int]:
    """Give the places of tasks whose sound is as long as another's, so that no other is hashed for nothing."""
    lengths = sorted(
        (track.duration, place)
        for place, task in tasks.items()
        for track in task.media.sound
        if track.track == task.track
    )
    alike: set[int] = set()
    for (shorter, one), (longer, other) in pairwise(lengths):
        if longer - shorter <= 4 * SLACK:
            alike |= {one, other}
    return sorted(alike)


def _raw(meta: Path) -> Path:
    return meta.with_name(meta.name.removesuffix(".meta.json") + ".json")


def _heard_in(meta: Path) -> frozenset[str]:
    try:
        found = json.loads(meta.read_bytes())
    except (OSError, ValueError):
        return frozenset()
    return _digests(found) if isinstance(found, dict) else frozenset()


def _digests(meta: Mapping[str, object]) -> frozenset[str]:
    heard = Payload.read(meta.get("sound"))
    return frozenset() if heard is None else frozenset(heard.digests)


def _served(place: Path, sound: Payload, asked: Mapping[str, object]) -> Entry | None:
    """Give an entry as of another track that it serves, or None: the words move with the payload, the raw bytes stay.

    Its ``shift`` is counted from the raw times, whatever file they were heard in.
    """
    try:
        entry = entries.load(place)
    except TranscriptDamaged:
        return None
    heard = None if entry is None else Payload.read(entry.meta.get("sound"))
    further = None if heard is None else heard.shift(sound)
    if entry is None or further is None or not entries.alike(entry.meta, asked):
        return None
    return Entry(entry.raw, {**entry.meta, "sound": sound.plain(), "shift": str(shift(entry.meta) + further)})
