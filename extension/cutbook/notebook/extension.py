"""What ``%load_ext cutbook`` does to the shell, and how it is taken back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from cutbook.notebook.completing import MATCHER, matcher
from cutbook.notebook.desk import Desk
from cutbook.notebook.magics import NAMES, all_magics

if TYPE_CHECKING:
    from collections.abc import Callable

    from IPython.core.interactiveshell import InteractiveShell

_HOME = "_cutbook_desk"
_LOADING = "_cutbook_loading"
_SILENCED = re.compile(rf"\A(\s*(?:[\w.]+\s*=\s*)?%(?:{'|'.join(NAMES)}));(?=\s*(?:#.*)?\Z)", re.DOTALL)
_ASSIGNED = re.compile(rf"\A(\s*[\w.]+\s*=\s*%(?:{'|'.join(NAMES)})\b.*?)\s*;(?=\s*\Z)", re.DOTALL)


def load(shell: InteractiveShell) -> None:
    """Register the magics, their completion and ``%config Cutbook``; loading twice changes nothing."""
    if getattr(shell, _HOME, None) is not None:
        return
    desk = Desk(shell)
    setattr(shell, _HOME, desk)
    shell.configurables.append(desk.config)  # type: ignore[arg-type] # any configurable, whatever the stub says
    shell.input_transformers_cleanup.append(spaced)
    shell.Completer.custom_matchers.append(matcher(desk))
    silenced = shell.magics_manager.magics["line"]
    for magic in all_magics():
        for kind, function in magic.bind(desk).items():
            shell.register_magic_function(function, kind, magic.name)  # type: ignore[arg-type] # the stub misses the descriptor
            if kind == "line":
                silenced[f"{magic.name};"] = _silent(function)

    # The cell that loads was read before `spaced` was there to part `%pack;`: the names last as long as it.
    def forget(_result: object = None) -> None:
        shell.events.unregister("post_run_cell", forget)
        delattr(shell, _LOADING)
        for name in NAMES:
            silenced.pop(f"{name};", None)

    shell.events.register("post_run_cell", forget)
    setattr(shell, _LOADING, forget)


def unload(shell: InteractiveShell) -> None:
    """Take everything out again that :func:`load` put in."""
    desk = getattr(shell, _HOME, None)
    if desk is None:
        return
    delattr(shell, _HOME)
    if forget := getattr(shell, _LOADING, None):
        forget()
    shell.configurables.remove(desk.config)
    shell.input_transformers_cleanup.remove(spaced)
    matchers = shell.Completer.custom_matchers
    matchers[:] = [each for each in matchers if getattr(each, "matcher_identifier", "") != MATCHER]
    for magic in all_magics():
        for kind in magic.kinds:
            shell.magics_manager.magics[kind].pop(magic.name, None)


def _silent(function: Callable[..., Any]) -> Callable[..., None]:
    def silent(line: str) -> None:
        function(line)

    return silent


def spaced(lines: list[str]) -> list[str]:
    """Part ``%pack;`` into name and ``;``, which IPython takes for one name; a value that is assigned is no output."""
    return [_ASSIGNED.sub(r"\1", _SILENCED.sub(r"\1 ;", line)) for line in lines]
