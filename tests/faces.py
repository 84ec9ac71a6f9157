"""The two faces of a project: the Python call, and the magic in a real shell."""

from __future__ import annotations

import atexit
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from cutbook import Project


@contextmanager
def shell() -> Iterator[InteractiveShell]:
    """Give a shell of its own with the extension loaded, and without a history on disk."""
    config = Config()
    config.HistoryManager.enabled = False
    config.HistoryAccessor.enabled = False
    config.Completer.use_jedi = False
    made: InteractiveShell = InteractiveShell(config=config)  # type: ignore[no-untyped-call] # IPython's own
    made.run_line_magic("load_ext", "cutbook")
    try:
        yield made
    finally:
        made.run_line_magic("unload_ext", "cutbook")
        made.atexit_operations()  # type: ignore[no-untyped-call] # IPython's own
        atexit.unregister(made.atexit_operations)


def run(made: InteractiveShell, cell: str) -> Any:
    """Run one cell as a person does, and give what it shows; its error is raised."""
    done = made.run_cell(cell)  # type: ignore[no-untyped-call] # IPython's own
    done.raise_error()
    return done.result


class ByPython:
    """Each verb as a call."""

    def __init__(self, folder: Path) -> None:
        self.project = Project(folder)

    def do(self, verb: str, *words: object, text: str | None = None, **options: Any) -> Any:
        """Call the method of that name."""
        place, _, name = verb.rpartition(".")
        home = self.project.memory if place == "memory" else self.project
        arguments = words if text is None else (text, *words)
        return getattr(home, name)(*arguments, **options)


class ByMagic:
    """Each verb as a line or cell in a shell."""

    NAMES: ClassVar = {
        "undo": "edl undo",
        "redo": "edl redo",
        "history": "edl history",
        "diff": "edl diff",
        "set": "edl set",
        "accept": "review accept",
        "reject": "review reject",
        "undecided": "review undecided",
    }

    def __init__(self, folder: Path, made: InteractiveShell) -> None:
        self.shell = made
        run(made, f'%project "{folder}";')

    @property
    def project(self) -> Project:
        """The project in use."""
        found: Project = vars(self.shell)["_cutbook_desk"].project
        return found

    def do(self, verb: str, *words: object, text: str | None = None, **options: Any) -> Any:
        """Write the magic as a person would, and run it."""
        name = self.NAMES.get(verb, verb.replace(".", " "))
        line = " ".join([name, *(str(word) for word in words), *self._options(verb, options)])
        if verb == "cut":
            return run(self.shell, f"%%{line}\n{text}")
        return run(self.shell, f"%{line}" if text is None else f"%{name} {text} {line[len(name) :]}")

    @staticmethod
    def _options(verb: str, options: dict[str, Any]) -> list[str]:
        written = []
        for name, value in options.items():
            option = {"span": "range", "rate": "fps"}.get(name, name)
            if verb == "render" and name == "tier":
                written.append(f"--{value}")
            elif value is True:
                written.append(f"--{option}")
            elif value is False:
                written.append(f"--no-{option}")
            elif name == "span":
                written.append(f"--range {float(value[0])}-{float(value[1])}")
            elif isinstance(value, tuple):
                written.append(f"--{option} {','.join(str(each) for each in value)}")
            else:
                written.append(f"--{option} {value}")
        return written


Face = ByPython | ByMagic
