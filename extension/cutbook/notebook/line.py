"""A magic's line: what the front end leaves on it, split into words, and read by an argument parser of its own."""

from __future__ import annotations

import argparse
import re
import textwrap
from typing import TYPE_CHECKING, NoReturn

from cutbook.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_QUOTES = "\"'"
_KEPT = "\0"
_FEW = 8
"""Choices that a form still lists."""

_NEAR = 70
"""Likeness of a word, of 100, from which on it may be another one with a slip in it."""


def tidy(line: str) -> tuple[str, bool]:
    """Take a trailing `` # comment`` and ``;`` off a line; tell whether the ``;`` asked for silence.

    A ``#`` inside quotes, or inside a word (``TAKE#12``), is no comment.
    """
    text = _uncommented(line).rstrip()
    silent = text.endswith(";")
    return (text[:-1].rstrip() if silent else text), silent


def words(text: str) -> list[str]:
    """Split a line at spaces outside quotes; an apostrophe or a backslash inside a word is a letter."""
    return [word for word, _ in _split(text)]


def free_text(text: str, name: str) -> tuple[str, str | None]:
    """Part a line at ``--name``: what stands before it, and the sentence behind it as it was written (None: no such).

    A sentence wholly in quotes loses them, whatever is quoted within.
    """
    hit = re.search(rf"(?:\A|\s)--{name}(?:=|\s+|\Z)", text)
    if hit is None:
        return text, None
    return text[: hit.start()], unquoted(text[hit.end() :].strip())


def unquoted(text: str) -> str:
    """Take the quotes off a sentence that stands in them; what is quoted within stays quoted.

    ``"a" and "b"`` begins and ends with one, and stands in none: within it a quote ends that did not begin there.
    """
    if len(text) < 2 or text[0] not in _QUOTES or text[-1] != text[0]:
        return text
    inner, deep = text[1:-1], 0
    for hit in re.finditer(re.escape(text[0]), inner):
        before, after = inner[: hit.start()][-1:], inner[hit.end() :][:1]
        if not before.isalnum() and after and not after.isspace():
            deep += 1
        elif not after.isalnum():
            deep -= 1
        if deep < 0:
            return text
    return inner


def quotes(text: str) -> list[tuple[int, int]]:
    """Give where quotes open that hold words together, and where they end."""
    found: list[tuple[int, int]] = []
    place = 0
    while place < len(text):
        end = _closing(text, place)
        if end:
            found.append((place, end))
        place = max(place, end) + 1
    return found


def nearest(word: str, known: Iterable[str]) -> str:
    """Give the word of those known that somebody may have meant; empty where none is near."""
    from rapidfuzz import fuzz, process

    found = process.extractOne(word.casefold(), list(known), scorer=fuzz.ratio, score_cutoff=_NEAR)
    return str(found[0]) if found else ""


def _split(text: str) -> list[tuple[str, bool]]:
    """Split a line, and tell of each word whether it began with a quote."""
    found: list[tuple[str, bool]] = []
    word: str | None = None
    quoted = False
    place = 0
    while place < len(text):
        end = _closing(text, place)
        if end:
            quoted = quoted or word is None
            word = (word or "") + text[place + 1 : end]
            place = end
        elif not text[place].isspace():
            word = (word or "") + text[place]
        elif word is not None:
            found.append((word, quoted))
            word, quoted = None, False
        place += 1
    return found if word is None else [*found, (word, quoted)]


def _uncommented(line: str) -> str:
    place = 0
    while place < len(line):
        begins = place == 0 or line[place - 1].isspace()
        if begins and line[place] == "#" and line[place + 1 : place + 2] in {"", " "}:
            return line[:place]
        place = max(place, _closing(line, place)) + 1
    return line


def _closing(text: str, place: int) -> int:
    """Give where the quotes end that open here, 0 where none do: they begin and end with a word, or follow ``=``."""
    if text[place] not in _QUOTES or (place and not (text[place - 1].isspace() or text[place - 1] == "=")):
        return 0
    end = text.find(text[place], place + 1)
    while end > 0 and end + 1 < len(text) and not (text[end + 1].isspace() or text[end + 1] == ";"):
        end = text.find(text[place], end + 1)
    return max(end, 0)


class Parser(argparse.ArgumentParser):
    """An argument parser that raises instead of leaving the process, and whose help is the magic's help."""

    def __init__(self, prog: str, description: str, epilog: str | None = None) -> None:
        super().__init__(
            prog=prog,
            description=description,
            epilog=epilog,
            add_help=False,
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    def error(self, message: str) -> NoReturn:
        """Raise the error as one line (IPython's UsageError would leave no reason in an executed notebook).

        Raises:
            InputError: always.
        """
        end = "" if message.endswith("?") else "."
        msg = f"{self.prog}: {message}{end} Write it like: {self.form()}; {self.prog}? says more"
        raise InputError(msg)

    def _check_value(self, action: argparse.Action, value: object) -> None:
        """Ask for what is near where a word is none of those that there are."""
        known = [str(each) for each in action.choices or ()]
        near = nearest(str(value), known) if known and str(value) not in known else ""
        if near:
            what = action.option_strings[0] if action.option_strings else str(action.metavar or action.dest)
            self.error(f"there is no {what} {value!r}: did you mean {near}?")
        super()._check_value(action, value)

    def read_reason(self, text: str) -> argparse.Namespace:
        """Parse a line whose ``--why`` takes all that follows it, as it was written; ``why`` is empty without one."""
        line, why = free_text(text, "why")
        if why == "":
            self.error("--why wants a reason")
        found = self.read(line)
        found.why = why or ""
        return found

    def form(self) -> str:
        """Give how a line is written, as people write such a form: ``%tighten [RANGE…] [--keep S]``."""
        places = [_place(action) for action in self._actions if not action.option_strings]
        options = [_option(action) for action in self._actions if action.option_strings]
        return " ".join([self.prog, *places, *options])

    def format_help(self) -> str:
        """Give the help, with that form in it."""
        form = textwrap.wrap(self.form(), 96, break_long_words=False, break_on_hyphens=False)
        self.usage = "\n  ".join(form).replace("%", "%%")
        return super().format_help()

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """Raise instead of ending the kernel.

        Raises:
            InputError: always.
        """
        raise InputError(message or f"{self.prog} ended with {status}")

    def read(self, text: str) -> argparse.Namespace:
        """Parse a tidied line; a word in quotes is never an option."""
        marked = [_KEPT + word if quoted and word.startswith("-") else word for word, quoted in _split(text)]
        found = self.parse_args(marked)
        for name, value in vars(found).items():
            setattr(found, name, _unmarked(value))
        return found

    def options(self) -> Sequence[str]:
        """Give every option, for completion."""
        return [name for action in self._actions for name in action.option_strings]

    def values(self, option: str) -> list[str]:
        """Give the values that an option may have, for completion; none where they are free."""
        return [
            str(c)
            for action in self._actions
            if option in action.option_strings
            for c in action.choices or ()
        ]

    def choices(self) -> list[str]:
        """Give the words that a positional may be, for completion."""
        return [str(c) for action in self._actions if not action.option_strings for c in action.choices or ()]


def _place(action: argparse.Action) -> str:
    names = [str(choice) for choice in action.choices or ()]
    shown = str(action.metavar or action.dest.upper())
    name = "|".join(names) if 0 < len(names) <= _FEW else shown
    if action.nargs in {"*", "+"}:
        name += "…" if " " not in name else ""
    return f"[{name}]" if action.nargs in {"*", "?"} else name


def _option(action: argparse.Action) -> str:
    names = "|".join(action.option_strings) if isinstance(action, Flag) else action.option_strings[0]
    if action.nargs == 0:
        return f"[{names}]"
    choices = "|".join(str(choice) for choice in action.choices or ())
    return f"[{names} {choices or action.metavar or action.dest.upper()}]"


def _unmarked(value: object) -> object:
    if isinstance(value, list):
        return [_unmarked(each) for each in value]
    return value.removeprefix(_KEPT) if isinstance(value, str) else value


class Flag(argparse.BooleanOptionalAction):
    """``--name`` and ``--no-name``; left alone the setting decides (None)."""
