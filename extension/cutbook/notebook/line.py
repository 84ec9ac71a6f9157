"""A magic's line: what the front end leaves on it, split into words, and read by an argument parser of its own."""

from __future__ import annotations

import argparse
import shlex
from typing import TYPE_CHECKING, NoReturn

from cutbook.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

_QUOTES = "\"'"


def tidy(line: str) -> tuple[str, bool]:
    """Take a trailing `` # comment`` and ``;`` off a line; tell whether the ``;`` asked for silence.

    A ``#`` inside quotes, or inside a word (``TAKE#12``), is no comment.
    """
    text = _uncommented(line).rstrip()
    silent = text.endswith(";")
    return (text[:-1].rstrip() if silent else text), silent


def _uncommented(line: str) -> str:
    quote = ""
    for place, char in enumerate(line):
        before = line[place - 1] if place else " "
        if quote:
            quote = "" if char == quote else quote
        elif char in _QUOTES and before.isspace() and char in line[place + 1 :]:
            quote = char
        elif char == "#" and before.isspace() and line[place + 1 : place + 2] in {"", " "}:
            return line[:place]
    return line


def words(text: str) -> list[str]:
    """Split a line at spaces outside quotes; an apostrophe without a partner is a letter."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.commenters = ""
    lexer.escape = ""
    try:
        return list(lexer)
    except ValueError:
        return text.split()


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
        usage = " ".join(self.format_usage().split()).removeprefix("usage: ")
        msg = f"{self.prog}: {message}. Write it like: {usage}"
        raise InputError(msg)

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """Raise instead of ending the kernel.

        Raises:
            InputError: always.
        """
        raise InputError(message or f"{self.prog} ended with {status}")

    def read(self, text: str) -> argparse.Namespace:
        """Parse a tidied line."""
        return self.parse_args(words(text))

    def options(self) -> Sequence[str]:
        """Give every option, for completion."""
        return [name for action in self._actions for name in action.option_strings]

    def choices(self) -> list[str]:
        """Give the words that a positional may be, for completion."""
        return [str(c) for action in self._actions if not action.option_strings for c in action.choices or ()]


class Flag(argparse.BooleanOptionalAction):
    """``--name`` and ``--no-name``; left alone the setting decides (None)."""
