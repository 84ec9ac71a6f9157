"""The files that a film is made of: what was made while one of them was replaced belongs to neither of the two."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from cutbook.edit.edl import overlay_path
from cutbook.edit.take import Take
from cutbook.errors import RenderError
from cutbook.files import readable
from cutbook.media.stamps import Stamp, changed, stamp
from cutbook.render.plan import Plan


class Sources:
    """Takes, overlays, music, fonts and proxies as they were when they were first looked at."""

    def __init__(self) -> None:
        self._stamps: dict[Path, Stamp] = {}

    @classmethod
    def of(cls, plan: Plan, takes: Mapping[str, Take], edit: Path) -> Sources:
        """Look at what a plan names, before anything is found out of it."""
        made = cls()
        names = [each.part.source for each in plan.segments] + [each.source for each in plan.pieces]
        for name in dict.fromkeys(names):
            made.add(name, takes[name].path)
        for each in (*plan.overlays, *((plan.music,) if plan.music else ())):
            made.add(each.file, overlay_path(each, edit))
        return made

    def add(self, name: str, path: Path) -> None:
        """Look at one more file."""
        self._stamps.setdefault(path.absolute(), stamp(readable(name), path))

    def stamps(self, paths: Iterable[Path]) -> tuple[Stamp, ...]:
        """Give how files were."""
        return tuple(self._stamps[path.absolute()] for path in paths if path.absolute() in self._stamps)

    def check_content(self, takes: Mapping[str, Take]) -> None:
        """Check that takes are what their names in the cache will say.

        Raises:
            RenderError: one was replaced since it was opened.
        """
        for name, take in takes.items():
            if take.path.absolute() in self._stamps and take.load_fingerprint() != take.fingerprint:
                msg = f"{name} was replaced as the render began; render again"
                raise RenderError(msg)

    def hold(self) -> None:
        """Check that no file changed.

        Raises:
            RenderError: one did.
        """
        hold(self._stamps.values())


def hold(stamps: Iterable[Stamp]) -> None:
    """Check that no file changed since it was looked at.

    Raises:
        RenderError: one did.
    """
    name = changed(stamps)
    if name is not None:
        msg = f"{name} changed while it was rendered; render again"
        raise RenderError(msg)
