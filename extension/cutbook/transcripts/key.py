"""The key that Scribe is asked with: sent to Scribe, shown nowhere, and in no pickle."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from cutbook.settings import Environment, scribe_key


class Key:
    """A key that no repr, traceback or pickle holds; a copy in another process looks it up there again.

    ``folders`` are where a ``.env`` may hold it (after the environment). False where there is none.
    """

    __slots__ = ("_folders", "_value")

    def __init__(self, value: str | None, *, folders: tuple[Path, ...] = ()) -> None:
        self._value = (value or "").strip()
        self._folders = folders

    @classmethod
    def find(cls, environ: Mapping[str, str], *folders: Path) -> Key:
        """Look the key up in the environment, then in the ``.env`` of each folder.

        Raises:
            SettingError: a ``.env`` that cannot be read; names the file alone.
        """
        environ = Environment.of(environ)
        return cls(scribe_key(environ, *folders), folders=folders)

    def __bool__(self) -> bool:
        return bool(self._value)

    def __repr__(self) -> str:
        return "Key(…)" if self else "Key()"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle where to look, never what was found."""
        return _found_here, self._folders

    @property
    def sendable(self) -> bool:
        """Tell whether it can stand in a header: an error about one that cannot would repeat it."""
        return self._value.isascii() and self._value.isprintable() and " " not in self._value

    def reveal(self) -> str:
        """Give the key itself, for the one call that sends it."""
        return self._value

    def hidden(self, text: str) -> str:
        """Give a text without the key, whoever wrote it in."""
        return text.replace(self._value, "…") if self else text


def _found_here(*folders: Path) -> Key:
    return Key.find(Environment.of(), *folders)
