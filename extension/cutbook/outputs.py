"""Where a film or a picture may go: never over footage, memory or anything else that cutbook did not make."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from cutbook.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

TIERS = ("draft", "preview", "final")


def output_path(output: str | Path) -> Path:
    """Read where a file is to go, from where one works, with every link on the way followed."""
    try:
        return (Path.cwd() / Path(output).expanduser()).resolve()
    except (OSError, RuntimeError, ValueError) as error:
        refuse(output, f"cannot be found out: {error}")


def film_path(
    output: Path, edit: Path, *, footage: Mapping[str, Path], used: Iterable[Path], made: Iterable[Path]
) -> Path:
    """Check where a film goes: an .mp4 that is new, or one that cutbook made (``made``, and a tier's own).

    ``footage`` are the takes' files, there or not; ``used`` what the cut list lays over the film.

    Raises:
        InputError: a film there would overwrite something, or is of another kind.
    """
    _never(output, footage, used)
    if output.suffix.casefold() != ".mp4":
        refuse(output, f"is no name for a film; films are .mp4, like {output.with_suffix('.mp4').name}")
    home = edit.resolve()
    if home in output.parents and output.parent != home:
        refuse(output, f"lies among what cutbook keeps in {edit.name}/; films go to its top or outside")
    _housed(output, home)
    own = {home / f"{tier}.mp4" for tier in TIERS} | {path.resolve() for path in made}
    if output.exists() and output not in own:
        refuse(output, "is a file that cutbook did not make; give another name, or move it away first")
    return output


def picture_path(output: Path, edit: Path, *, footage: Mapping[str, Path], used: Iterable[Path]) -> Path:
    """Check where a picture goes: a .png, inside ``edit/`` at its top or in ``verify/`` alone.

    Raises:
        InputError: a picture there would overwrite something, or is of another kind.
    """
    _never(output, footage, used)
    if output.suffix.casefold() != ".png":
        refuse(output, f"is no name for a picture; pictures are .png, like {output.with_suffix('.png').name}")
    home = edit.resolve()
    if home in output.parents and output.parent not in {home, home / "verify"}:
        refuse(
            output, f"lies among what cutbook keeps in {edit.name}/; pictures go to its verify/ or outside"
        )
    _housed(output, home)
    return output


def _housed(output: Path, home: Path) -> None:
    """Refuse a folder that is a file, or not there: a slip of the pen makes none, but for one inside the project."""
    there = next(each for each in output.parents if each.exists())
    if not there.is_dir():
        refuse(output, f"cannot lie in {there.name}, which is a file; give another name")
    if there != output.parent and home.parent not in output.parents:
        refuse(output, f"has no folder to lie in; make {output.parent} first, or give another name")


def _never(output: Path, footage: Mapping[str, Path], used: Iterable[Path]) -> None:
    if not output.name or output.is_dir():
        refuse(output, "is a folder; give a file in it")
    for name, path in footage.items():
        if _same(output, path):
            refuse(output, f"is the take {name}, and footage is never touched; give another name")
    for path in used:
        if _same(output, path):
            refuse(output, "is laid over the film by the cut list; give another name")


def _same(one: Path, other: Path) -> bool:
    try:
        return one == other.resolve() or one.samefile(other)
    except (OSError, RuntimeError):
        return False


def refuse(output: str | Path, why: str) -> NoReturn:
    """Say why nothing goes there (raises :class:`~cutbook.errors.InputError`)."""
    msg = f"{output} {why}"
    raise InputError(msg)
