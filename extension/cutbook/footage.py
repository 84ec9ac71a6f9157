"""The takes of a folder: finding them, naming each, and reading a file once."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from natsort import natsort_keygen, ns
from rapidfuzz import process

from cutbook.edit.naming import namesakes, spellings
from cutbook.errors import MediaError, NotAFolder, UnknownTake
from cutbook.files import readable
from cutbook.media.probe import SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from cutbook.edit.take import Take

EDIT = "edit"
"""The folder beside the footage that holds everything cutbook writes."""

_OURS = ("project.md", "edl.json", "takes_packed.md", "session.jsonl", "transcripts", "history")

_NAMED = 8
"""Takes that a message names at most."""

_natural = natsort_keygen(alg=ns.IGNORECASE)


def natural(name: str) -> tuple[object, str]:
    """Give the key that sorts C2 before C10, whatever their case; equal only for the same name."""
    return _natural(name), name


def footage_folder(folder: str | Path) -> Path:
    """Resolve a footage folder.

    Raises:
        NotAFolder: no name at all, nothing there, a file, or a folder that cannot be read.
    """
    if not str(folder).strip():
        msg = "the folder's name is empty; give %project the folder that holds your takes"
        raise NotAFolder(msg)
    path = Path(folder).expanduser()
    try:
        path = path.resolve(strict=True)
        is_folder = path.is_dir()
        if is_folder:
            with os.scandir(path) as entries:
                next(entries, None)
    except (OSError, RuntimeError) as error:
        reason = (
            "there is no such folder"
            if isinstance(error, FileNotFoundError)
            else f"it cannot be read: {error}"
        )
        msg = f"{folder}: {reason}; give %project the folder that holds your takes"
        raise NotAFolder(msg) from None
    if not is_folder:
        msg = f"{folder} is a file, not a folder; give %project the folder that holds it"
        raise NotAFolder(msg)
    return path


def media_files(folder: Path) -> tuple[Path, ...]:
    """Find the media files below a folder, in natural order; dot folders and any project's ``edit/`` are left out.

    A link to a folder is followed once.
    """
    found: list[Path] = []
    seen: set[str] = set()
    for place, folders, files in os.walk(folder, followlinks=True):
        real = os.path.realpath(place)
        if real in seen:
            folders.clear()
            continue
        seen.add(real)
        here = Path(place)
        folders[:] = [
            name
            for name in folders
            if not name.startswith(".")
            and not (name == EDIT and here == folder)
            and not _is_edit(here / name)
        ]
        found += [
            here / name
            for name in files
            if Path(name).suffix.casefold() in SUFFIXES
            and not name.startswith("._")
            and (here / name).is_file()
        ]
    return tuple(sorted(found, key=lambda path: natural(path.relative_to(folder).as_posix())))


def _is_edit(folder: Path) -> bool:
    return folder.name == EDIT and any((folder / name).exists() for name in _OURS)


def take_names(folder: Path, files: tuple[Path, ...], claimed: Mapping[str, Path]) -> dict[str, Path]:
    """Name each file: its stem, or the shortest path that tells it apart where others share the stem.

    ``claimed`` are names that a cut list or a transcript uses already; who has a name keeps it.
    """
    here = {path: PurePosixPath(path.relative_to(folder).as_posix()) for path in files}
    kept = {path: readable(name) for name, path in claimed.items() if path in here}
    taken = set(kept.values())
    uses = Counter(name for each in here.values() for name in set(_choices(each)))
    names = {kept[path]: path for path in here if path in kept}
    for path, each in here.items():
        if path not in kept:
            name = next(name for name in _choices(each) if uses[name] == 1 and name not in taken)
            taken.add(name)
            names[name] = path
    return dict(sorted(names.items(), key=lambda item: natural(item[0])))


def _choices(path: PurePosixPath) -> list[str]:
    """Give the names that a file may have, the shortest first; the last is its alone."""
    tails = [PurePosixPath(*path.parts[-depth:]) for depth in range(1, len(path.parts) + 1)]
    short = [readable(form) for tail in tails for form in (tail.with_suffix("").as_posix(), tail.as_posix())]
    return [*short, readable(f"./{path.as_posix()}")]


class Footage:
    """The takes of one folder, looked at afresh each time; what reading a file cost is kept while the file stays.

    ``claims`` tells the names that cut list and transcripts use already, ``load`` makes a take of a name and a file,
    ``stamp`` gives what changes when a take's words do, ``ours`` the films that cutbook put here.
    """

    def __init__(
        self,
        folder: Path,
        *,
        claims: Callable[[], Mapping[str, Path]],
        load: Callable[[str, Path], Take],
        stamp: Callable[[str], object],
        ours: Callable[[], Collection[Path]] = frozenset,
    ) -> None:
        self.folder = folder
        self._claims = claims
        self._load = load
        self._stamp = stamp
        self._ours = ours
        self._kept: dict[str, tuple[tuple[object, ...], object, Take]] = {}
        self._named: tuple[tuple[Path, ...], dict[str, Path], dict[str, Path]] | None = None

    def files(self) -> dict[str, Path]:
        """Give the files by take name, in natural order; none is opened."""
        ours = self._ours()
        found = media_files(self.folder)
        if ours:
            found = tuple(path for path in found if path.resolve() not in ours)
        claims = self._claims()
        named = self._named
        if named is None or named[:2] != (found, claims):
            named = self._named = found, dict(claims), take_names(self.folder, found, claims)
        return dict(named[2])

    @property
    def named(self) -> Mapping[str, Path]:
        """The files by take name as :meth:`files` gave them last."""
        return self._named[2] if self._named is not None else {}

    def unopened(self) -> dict[str, Take]:
        """Give the takes by name without opening any file; one that cannot be read says so when it is."""
        return {name: self._take(name, path) for name, path in self.files().items()}

    def scan(self) -> tuple[dict[str, Take], dict[str, str]]:
        """Give the takes by name, and why each file that cannot be read cannot."""
        takes: dict[str, Take] = {}
        bad: dict[str, str] = {}
        for name, take in self.unopened().items():
            try:
                take.media  # noqa: B018 - reading is what tells
            except MediaError as error:
                bad[name] = str(error)
            else:
                takes[name] = take
        return takes, bad

    def take(self, name: str) -> Take:
        """Give one take, named as it is, or in any case and with its file's suffix where only one can be meant.

        Raises:
            UnknownTake: no take has that name.
            UnreadableMedia: its file cannot be read.
        """
        files = self.files()
        name = name if name in files else spellings(files, files).get(name.casefold(), name)
        if name not in files and (several := namesakes(name, files)):
            msg = f"no take is named just {name!r}; there are {', '.join(several)}: write one of these"
            raise UnknownTake(msg)
        if name not in files:
            near = process.extractOne(name, list(files), score_cutoff=60)
            more = f" and {len(files) - _NAMED} more" if len(files) > _NAMED else ""
            known = f"{', '.join(list(files)[:_NAMED]) or 'none'}{more}"
            hint = f"did you mean {near[0]!r}?" if near else f"there are {known}"
            msg = f"there is no take {name!r} in {self.folder.name}; {hint}"
            raise UnknownTake(msg)
        take = self._take(name, files[name])
        take.media  # noqa: B018 - an unreadable file is said here
        return take

    def _take(self, name: str, path: Path) -> Take:
        file, words = _file_stamp(path), self._stamp(name)
        known = self._kept.get(name)
        if known is not None and known[:2] == (file, words):
            return known[2]
        take = self._load(name, path)
        if known is not None and known[0] == file:
            kept = known[2].__dict__
            take.__dict__.update({key: kept[key] for key in ("media", "fingerprint") if key in kept})
        self._kept[name] = (file, words, take)
        return take


def _file_stamp(path: Path) -> tuple[object, ...]:
    try:
        found = path.stat()
    except OSError:
        return (path,)
    return (path, found.st_size, found.st_mtime_ns)
