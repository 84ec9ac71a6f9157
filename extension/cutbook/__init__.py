"""cutbook: cut talking-head footage in a notebook, and remember why."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from cutbook.errors import CutbookError
    from cutbook.project import Project

__all__ = ["CutbookError", "Project", "__version__", "load_ipython_extension", "unload_ipython_extension"]

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Load a public name when it is first asked for, so that ``import cutbook`` stays cheap."""
    if name == "Project":
        from cutbook.project import Project

        return Project
    if name == "CutbookError":
        from cutbook.errors import CutbookError

        return CutbookError
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Register the magics; called by ``%load_ext cutbook``."""
    from cutbook.notebook.extension import load

    load(shell)


def unload_ipython_extension(shell: InteractiveShell) -> None:
    """Take the magics out again; called by ``%unload_ext cutbook``."""
    from cutbook.notebook.extension import unload

    unload(shell)
