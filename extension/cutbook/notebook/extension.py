"""What ``%load_ext cutbook`` does to the shell, and how it is taken back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from cutbook.notebook.desk import Desk
from cutbook.notebook.line import quote
from cutbook.notebook.magics import NAMES, all_magics

if TYPE_CHECKING:
    from collections.abc import Callable

    from IPython.core.interactiveshell import InteractiveShell

    from cutbook.notebook.magic import Magic

_HOME = "_cutbook_desk"
_SILENCED = re.compile(rf"\A(\s*(?:[\w.]+\s*=\s*)?%(?:{'|'.join(NAMES)}));(?=\s*(?:#.*)?\Z)", re.DOTALL)
_ASSIGNED = re.compile(rf"\A(\s*[\w.]+\s*=\s*%(?:{'|'.join(NAMES)})\b.*?)\s*;(?=\s*\Z)", re.DOTALL)
_NAMES_TAKES = {"transcribe", "timeline", "cut"}


def load(shell: InteractiveShell) -> None:
    """Register the magics, their completion and ``%config Cutbook``; loading twice changes nothing."""
    if getattr(shell, _HOME, None) is not None:
        return
    desk = Desk(shell)
    setattr(shell, _HOME, desk)
    shell.configurables.append(desk.config)  # type: ignore[arg-type] # any configurable, whatever the stub says
    shell.input_transformers_cleanup.append(spaced)
    for magic in all_magics():
        for kind, function in magic.bind(desk).items():
            shell.register_magic_function(function, kind, magic.name)  # type: ignore[arg-type] # the stub misses the descriptor
        for prefix in ("%", "%%"):
            shell.set_hook(  # type: ignore[no-untyped-call] # IPython's own
                "complete_command", _completer(desk, magic), str_key=f"{prefix}{magic.name}"
            )


def unload(shell: InteractiveShell) -> None:
    """Take everything out again that :func:`load` put in."""
    desk = getattr(shell, _HOME, None)
    if desk is None:
        return
    delattr(shell, _HOME)
    shell.configurables.remove(desk.config)
    shell.input_transformers_cleanup.remove(spaced)
    for magic in all_magics():
        for kind in magic.kinds:
            shell.magics_manager.magics[kind].pop(magic.name, None)
        for prefix in ("%", "%%"):
            shell.strdispatchers["complete_command"].strs.pop(f"{prefix}{magic.name}", None)


def spaced(lines: list[str]) -> list[str]:
    """Part ``%pack;`` into name and ``;``, which IPython takes for one name; a value that is assigned is no output."""
    return [_ASSIGNED.sub(r"\1", _SILENCED.sub(r"\1 ;", line)) for line in lines]


def _completer(desk: Desk, magic: Magic) -> Callable[..., list[str]]:
    def complete(_shell: object, event: Any) -> list[str]:
        symbol = event.symbol
        if symbol.startswith("-"):
            return [option for option in magic.parser.options() if option.startswith(symbol)]
        found = magic.parser.choices()
        if magic.name in _NAMES_TAKES and desk.in_use is not None:
            found += [quote(name) for name in desk.in_use.names()]
        return [name for name in found if name.startswith(symbol)]

    return complete
