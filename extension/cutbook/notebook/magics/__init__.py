"""One module a magic: parse, call Project, show."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cutbook.notebook.magic import Magic

NAMES = (
    "cutbook",
    "project",
    "transcribe",
    "pack",
    "takes",
    "timeline",
    "cut",
    "tighten",
    "edl",
    "review",
    "render",
    "check",
    "memory",
)
"""Every magic, in the order in which a session uses them; each is a module of this package."""


def all_magics() -> tuple[Magic, ...]:
    """Give every magic."""
    return tuple(import_module(f"{__name__}.{name}").MAGIC for name in NAMES)
