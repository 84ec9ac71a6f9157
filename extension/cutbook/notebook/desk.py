"""What a notebook has on its desk: the shell, the settings made with ``%config``, and the project in use."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from traitlets import Any as AnyTrait
from traitlets import TraitError, validate
from traitlets.config import Configurable

from cutbook.errors import InputError, SettingError
from cutbook.settings import SETTINGS, read_setting

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from cutbook.project import Project


def _checked(self: Configurable, proposal: dict[str, Any]) -> object:  # noqa: ARG001 - traitlets' signature
    if proposal["value"] is None:
        return None
    name = proposal["trait"].name
    try:
        read_setting(name, proposal["value"], "%config")
    except SettingError as error:
        raise TraitError(str(error)) from None
    return proposal["value"]


Cutbook = type(
    "Cutbook",
    (Configurable,),
    {
        "__doc__": "Settings of cutbook for this kernel; None leaves a setting to the next rung of the ladder.",
        "__module__": __name__,
        **{
            name: AnyTrait(None, allow_none=True, help=s.what).tag(config=True)
            for name, s in SETTINGS.items()
        },
        "_checked": validate(*SETTINGS)(_checked),
    },
)
"""The configurable behind ``%config Cutbook``."""


class _Chosen(Mapping[str, object]):
    """What ``%config Cutbook`` holds now, without what is unset."""

    def __init__(self, config: Configurable) -> None:
        self._config = config

    def __getitem__(self, name: str) -> object:
        if name not in SETTINGS or getattr(self._config, name) is None:
            raise KeyError(name)
        return getattr(self._config, name)

    def __iter__(self) -> Iterator[str]:
        return (name for name in SETTINGS if getattr(self._config, name) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class Desk:
    """One a kernel: opens projects, and remembers the one in use.

    ``named`` tells that a person said which folder it is, as against a verb that opened the current one.
    """

    def __init__(self, shell: InteractiveShell) -> None:
        self.shell = shell
        _drop_unusable(shell)
        self.config: Configurable = Cutbook(parent=shell)
        self._project: Project | None = None
        self._failed = ""
        self.named = False

    @property
    def in_use(self) -> Project | None:
        """The project in use, or None before any verb opened one."""
        return self._project

    def open(self, folder: str | Path) -> Project:
        """Open a footage folder and use it from now on; where that fails, none is in use."""
        from cutbook.project import Project

        self._project, self._failed, self.named = None, str(folder), False
        self._project = Project(folder, config=_Chosen(self.config), notebook=notebook_name())
        self._failed, self.named = "", True
        return self._project

    @property
    def project(self) -> Project:
        """The project in use; the current folder is opened, and said, when none was asked for yet.

        Raises:
            InputError: the folder that was asked for last could not be opened.
        """
        if self._failed:
            msg = f"no project is in use, because {self._failed} could not be opened; run %project DIR first"
            raise InputError(msg)
        if self._project is None:
            try:
                opened = self.open(Path.cwd())
            finally:
                self._failed, self.named = "", False
            print(f"Opened {opened.folder} (the current folder); %project DIR opens another.")  # noqa: T201
            return opened
        return self._project


def _drop_unusable(shell: InteractiveShell) -> None:
    """Take values that cannot be out of the shell's configuration, and say which: what was refused stays there."""
    section = shell.config.get("Cutbook", {})
    for name, value in list(section.items()):
        try:
            if value is not None:
                read_setting(name, value, "%config")
        except SettingError as error:
            del section[name]
            print(f"left out: {error}")  # noqa: T201


def notebook_name() -> str:
    """Name the notebook that this kernel runs for: its file where the server says it, else the kind of shell."""
    path = os.environ.get("JPY_SESSION_NAME", "")
    return Path(path).name if path else "ipython"
