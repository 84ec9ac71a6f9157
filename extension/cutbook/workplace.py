"""Where a project works: its folders, settings and takes, and the engine, ffmpeg and store that they call for."""

from __future__ import annotations

import json
import os
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from cutbook.edit.take import Take
from cutbook.errors import MediaError
from cutbook.files import UserFolders, fingerprint, safe_name, shortened
from cutbook.footage import EDIT, Footage, footage_folder
from cutbook.made import EDIT as EDITED
from cutbook.made import Made
from cutbook.media.known import known
from cutbook.memory.preferences import Preferences
from cutbook.memory.session import Session
from cutbook.outputs import film_path, output_path, picture_path
from cutbook.settings import CALL, Environment, Rung, Settings, environment_rung, toml_rung
from cutbook.transcripts import corrections
from cutbook.transcripts.entries import payload
from cutbook.transcripts.key import Key
from cutbook.transcripts.model import read_scribe
from cutbook.transcripts.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from fractions import Fraction

    from cutbook.files import Fingerprint
    from cutbook.media.ffmpeg import Ffmpeg
    from cutbook.media.sound import Envelope
    from cutbook.transcripts.engine import Engine
    from cutbook.transcripts.model import Transcript, Word

T = TypeVar("T")


class Workplace:
    """The footage folder and its ``edit/``; making one reads the folder and writes nothing.

    Raises:
        NotAFolder: there is no such folder, or it cannot be read.
    """

    def __init__(
        self, folder: str | Path, *, config: Mapping[str, object], environ: Mapping[str, str]
    ) -> None:
        self._environ = environ = Environment.of(environ)
        self.folder = footage_folder(folder)
        self.edit = self.folder / EDIT
        self._config = config
        self._copies = Store(UserFolders.find(), self.edit)
        self._preferences = Preferences(Session(self.edit, UserFolders.find()))
        self._scanning: UserFolders | None = None
        self._cut: tuple[tuple[int, int, int], dict[str, object]] | None = None
        self.overrides: dict[str, object] = {}
        self.made = Made(self.edit / "verify" / "made.json")
        self.footage = Footage(
            self.folder, claims=self.claims, load=self._load, stamp=self._stamp, ours=self.ours
        )

    @property
    def takes(self) -> Mapping[str, Take]:
        """The takes that can be read, by name."""
        return self.footage.scan()[0]

    def settings(self, **call: object) -> Settings:
        """Resolve every setting; ``call`` is the highest rung (raises :class:`~cutbook.errors.SettingError`).

        What a call says otherwise is kept in ``overrides``.
        """
        found = self.resolved(call)
        self.overrides.update((name, found[name]) for name, value in call.items() if value is not None)
        return found

    def resolved(self, call: Mapping[str, object]) -> Settings:
        """Resolve every setting as :meth:`settings` does, for what nobody said just now."""
        session, project, user = self._preferences.rungs()
        return self._ladder(Rung(CALL, call), below=(session, project), user=(user,))

    def _ladder(self, call: Rung, *, below: tuple[Rung, ...] = (), user: tuple[Rung, ...] = ()) -> Settings:
        return Settings(
            call,
            Rung("%config", self._config),
            environment_rung(self._environ),
            *below,
            toml_rung(self.folder / "cutbook.toml"),
            *user,
            toml_rung(UserFolders.find().config / "cutbook.toml"),
        )

    @property
    def folders(self) -> UserFolders:
        """The user's folders, with the cache where it is set to be, which no preference is about."""
        return UserFolders.find(self._ladder(Rung(CALL, {}))["cache_dir"])

    def store(self) -> Store:
        """Give the transcripts of this project and user."""
        return Store(self.folders, self.edit, former=self._former)

    def _former(self, content: Fingerprint) -> list[str]:
        """Name the takes that were cut as a content, and are no takes any more."""
        try:
            found = (self.edit / "edl.json").stat()
            stamp = found.st_ino, found.st_size, found.st_mtime_ns
        except OSError:
            return []
        if self._cut is None or self._cut[0] != stamp:
            media = _document(self.edit).get("media")
            self._cut = stamp, media if isinstance(media, dict) else {}
        named = self.footage.named
        return [name for name, each in self._cut[1].items() if each == content.short and name not in named]

    def engine_name(self, settings: Settings) -> str:
        """Name the engine that is set, or that goes with there being a key."""
        return str(settings["engine"] or ("scribe" if self._key() else "local"))

    def engine(self, settings: Settings) -> Engine:
        """Make the engine that is set."""
        if self.engine_name(settings) == "local":
            from cutbook.transcripts.local import LocalEngine

            return LocalEngine(self.folders, model=settings["whisper_model"])
        from cutbook.transcripts.scribe import ScribeEngine

        return ScribeEngine(
            key=self._key(),
            url=settings["scribe_url"],
            model=settings["scribe_model"],
            price_per_hour=settings["price_per_hour"],
            keyterms=corrections.load(self.edit).keyterms,
            ffmpeg=self.ffmpeg(),
        )

    def ffmpeg(self) -> Ffmpeg:
        """Find ffmpeg (raises :class:`~cutbook.errors.FfmpegMissing`)."""
        from cutbook.media.ffmpeg import find

        return find(self.settings()["ffmpeg"])

    def picture(self, take: Take, time: Fraction, *, height: int) -> bytes | None:
        """Give the picture of a take at a time as JPEG; None where there is none to be had."""
        from cutbook.media.frames import poster

        if take.media.picture is None:
            return None
        try:
            return poster(
                take.media, time, height=height, cache=self.folders.cache, key=take.fingerprint.digest
            )
        except MediaError:
            return None

    def drawing(self, output: str | Path | None, title: str) -> Path:
        """Give the file of a drawing: what is asked for, else one in ``edit/verify/`` named by its title."""
        if not output:
            return self.edit / "verify" / f"{safe_name(title)}.png"
        return picture_path(output_path(output), self.edit, footage=self._footage(), used=self._laid_over())

    def film(self, output: str | Path | None, tier: str) -> Path:
        """Give the file of a film: what is asked for, else the tier's own in ``edit/``.

        Raises:
            InputError: a film there would overwrite footage, memory or anything that cutbook did not make.
        """
        path = output_path(output) if output else self.edit / f"{tier}.mp4"
        if not output and not path.is_symlink():
            return path
        made = [self.edit / name for name in self.made.names()]
        return film_path(
            path.resolve(), self.edit, footage=self._footage(), used=self._laid_over(), made=made
        )

    def ours(self) -> frozenset[Path]:
        """Give the films beside the footage that cutbook made and nobody changed: they are no takes."""
        home = self.edit.resolve()
        found = {(self.edit / name).resolve(): content for name, content in self.made.contents().items()}
        beside = {path: content for path, content in found.items() if home not in path.parents}
        return frozenset(path for path, content in beside.items() if self._holds(path, content))

    def content(self, path: Path) -> str:
        """Give the short fingerprint of a file (raises :class:`~cutbook.errors.UnreadableMedia`)."""
        return fingerprint(path, self.folders).short

    def _holds(self, path: Path, content: str) -> bool:
        try:
            size = path.stat().st_size
            return content.startswith(f"{size}.") and self.content(path) == content
        except (OSError, MediaError):
            return False

    def made_from(self, path: Path) -> str | None:
        """Give what a film was made from (see :func:`cutbook.made.film_of`); None where it is not ours, or changed."""
        name = self.name(path)
        found, content = self.made.get(name), self.made.contents().get(name)
        return found.get(EDITED) if content and self._holds(path, content) else None

    def _footage(self) -> dict[str, Path]:
        ours = self.ours()
        known = self.claims() | self.footage.files()
        return {name: path for name, path in known.items() if path.resolve() not in ours}

    def _laid_over(self) -> list[Path]:
        """Give the files that the cut list lays over or under the film, whatever else is wrong with it."""
        data = _document(self.edit)
        listed = data.get("overlays")
        each = [*(listed if isinstance(listed, list) else ()), data.get("music")]
        names = [one.get("file") if isinstance(one, dict) else one for one in each]
        return [place / name for name in names if isinstance(name, str) for place in (self.edit, self.folder)]

    def file(self, file: str | Path) -> Path:
        """Find a file named from where one works, or from the footage or its ``edit/``."""
        path = Path(file).expanduser()
        places = [Path.cwd() / path, self.folder / path, self.edit / path]
        return next((place for place in places if place.is_file()), places[0])

    def name(self, path: Path) -> str:
        """Name a file from ``edit/`` where it lies in the footage folder, else with its whole path."""
        try:
            found = path.resolve()
            if found.parent == self.folder or self.folder in found.parents:
                return Path(os.path.relpath(found, self.edit.resolve())).as_posix()
            return found.relative_to(self.edit.resolve()).as_posix()
        except ValueError:
            return str(path)

    def _key(self) -> Key:
        return Key.find(self._environ, self.folder, self.folders.config)

    def plain_words(self, take: Take) -> tuple[Word, ...] | None:
        """Give a take's words as they were heard, without corrections; None where there are none."""
        stored = self.store().read(take.name, take.media, take.fingerprint)
        if stored is None:
            return None
        return read_scribe(payload(stored.raw), duration=take.media.duration, meta=stored.meta).words

    def answered(self, name: str) -> object:
        """Give what changes when an engine's answer for a take is kept."""
        return self._copies.stamp(name)

    def _stamp(self, name: str) -> tuple[object, ...]:
        """Give what changes when a take's words do: the engine's answer, or a person's corrections of it."""
        words = (*self._copies.stamp(name), self._copies.around(name))
        try:
            found = (self.edit / corrections.FILE).stat()
        except OSError:
            return words
        return (*words, found.st_mtime_ns, found.st_size)

    def claims(self) -> dict[str, Path]:
        """Give the names that cut list and transcripts use already, and where each take was last."""
        # Every scan begins here: the settings are read once for all its takes.
        self._scanning = self.folders
        told = self.store().claims(self.folder)
        return {name: path for name, path in told.items() if not shortened(name)} | _sources(self.edit)

    def _load(self, name: str, path: Path) -> Take:
        folders = self._scanning or self.folders
        media = _once(partial(known, path, folders))
        content = _once(partial(fingerprint, path, folders))

        def words() -> Transcript | None:
            stored = self.store().read(name, media(), content())
            return stored.transcript if stored else None

        heard = _once(words)

        def levels() -> Envelope | None:
            from cutbook.media.sound import envelope

            if not media().sound:
                return None
            transcript = heard()
            track = transcript.track if transcript else 0
            return envelope(media(), track, cache=folders.cache / "envelopes", key=content().digest)

        return Take(name, path, media, content, heard, levels)


def _sources(edit: Path) -> dict[str, Path]:
    """Give the take names that the cut list uses and their files, whatever else is wrong with it."""
    listed = _document(edit).get("sources")
    try:
        found = listed if isinstance(listed, dict) else {}
        return {str(name): (edit / str(path)).resolve() for name, path in found.items()}
    except (OSError, ValueError, RuntimeError):
        return {}


def _document(edit: Path) -> dict[str, object]:
    """Give what the cut list's file says, and nothing where it cannot be read."""
    try:
        found = json.loads((edit / "edl.json").read_text("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _once(load: Callable[[], T]) -> Callable[[], T]:
    return lru_cache(maxsize=1)(load)
