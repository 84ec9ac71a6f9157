"""What Tab offers on a line of ours: verbs, takes, options and their values, and nothing else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from IPython.core.completer import SimpleCompletion, context_matcher

from cutbook.edit.naming import typed
from cutbook.errors import CutbookError
from cutbook.notebook.line import words
from cutbook.notebook.magics import NAMES, all_magics
from cutbook.notebook.magics.edl import OPTIONS as EDL_OPTIONS
from cutbook.notebook.magics.memory import OPTIONS as MEMORY_OPTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cutbook.notebook.desk import Desk
    from cutbook.notebook.line import Parser

MATCHER = "cutbook"
"""The name of our matcher among the completer's."""

_LINE = re.compile(rf"\s*(?:[\w.]+\s*=\s*)?%%?({'|'.join(NAMES)})\s+(.*)\Z", re.DOTALL)
_CELL = re.compile(r"\s*%%cut\b")
_TYPED = re.compile(r"""(?:"[^"]*|'[^']*|[^\s=]*)\Z""")
_NAMES_TAKES = {"transcribe", "timeline"}
_OF_ENTRIES = {"done", "confirm", "reaffirm", "flag", "abandon", "supersede", "show"}


def matcher(desk: Desk) -> Any:
    """Make the matcher to put among the completer's; on lines of ours it keeps all others from answering."""
    parsers = {magic.name: magic.parser for magic in all_magics()}

    @context_matcher(identifier=MATCHER, priority=1000)  # type: ignore[untyped-decorator] # IPython's own
    def cutbook_matcher(context: Any) -> Any:
        before = context.text_until_cursor
        typed = _TYPED.search(before)
        fragment = typed[0] if typed else ""
        if line := _LINE.match(before):
            said = words(line[2][: len(line[2]) - len(fragment)].replace("=", " "))
            offered = _offered(desk, line[1], parsers[line[1]], said, fragment)
        elif context.cursor_line and _CELL.match(context.full_text):
            offered = _takes(desk)
        else:
            offered = []
        bare = fragment.lstrip("\"'").casefold()
        found = [each for each in offered if each.lstrip("\"'").casefold().startswith(bare)]
        return {
            "completions": [SimpleCompletion(text=text, type="magic") for text in found],
            "matched_fragment": fragment,
            "ordered": True,
            "suppress": bool(found),
        }

    return cutbook_matcher


def _offered(desk: Desk, name: str, parser: Parser, said: Sequence[str], fragment: str) -> list[str]:
    """Give what may stand where the cursor is, after the words ``said``."""
    last = said[-1] if said else ""
    values = _values(desk, parser, last) if last.startswith("-") else []
    if values and not fragment.startswith("-"):
        return values
    options = [each for each in parser.options() if each not in said]
    if name == "edl" and said:
        options = [each for each in EDL_OPTIONS.get(said[0], ()) if each not in said]
    if name == "memory":
        options = list(MEMORY_OPTIONS.get(said[0], ())) if said else []
    if fragment.startswith("-"):
        return options
    return [*_places(desk, name, parser, said), *options]


def _places(desk: Desk, name: str, parser: Parser, said: Sequence[str]) -> list[str]:
    if name in _NAMES_TAKES:
        return _takes(desk) if name == "transcribe" or not said else []
    if not said:
        return parser.choices()
    if name == "memory" and said[0] in _OF_ENTRIES:
        return _entries(desk, todo=said[0] == "done")
    return _of_cut_list(desk, parser, said) if name == "edl" else []


def _of_cut_list(desk: Desk, parser: Parser, said: Sequence[str]) -> list[str]:
    """Give what may follow a verb of the cut list: a take, a key of the film or its values."""
    if said[0] == "set":
        keys = ("rate", "size", "fit", "grade", "captions")
        return list(keys) if len(said) == 1 else _values(desk, parser, f"--{said[1]}")
    takes_at = {"adopt": 1, "restore": 1, "swap": 2}
    return _takes(desk) if takes_at.get(said[0]) == len(said) else []


def _values(desk: Desk, parser: Parser, option: str) -> list[str]:
    """Give the values that an option may have; none where they are free."""
    from cutbook.render.grade import AUTO, PRESETS
    from cutbook.render.styles import STYLES

    known = {
        "--captions": ("none", *STYLES),
        "--grade": ("none", AUTO, *PRESETS),
        "--fit": ("fit", "fill"),
    }
    if option == "--take":
        return _takes(desk)
    return list(known.get(option, ())) or parser.values(option)


def _takes(desk: Desk) -> list[str]:
    return [typed(name) for name in desk.in_use.names()] if desk.in_use is not None else []


def _entries(desk: Desk, *, todo: bool) -> list[str]:
    if desk.in_use is None:
        return []
    try:
        ids: Iterable[str] = (entry.id for entry in desk.in_use.memory.entries())
        return [each for each in ids if each.startswith("o-") or not todo]
    except CutbookError:
        return []
