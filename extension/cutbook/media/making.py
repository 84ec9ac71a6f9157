"""Making a file that takes a while: one process at a time, and under another name until it is whole."""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
from collections.abc import Iterator
from pathlib import Path

from cutbook.errors import FfmpegStopped, FileBusy
from cutbook.files import UserFolders, folder, locked

_TURN = 0.5
"""Seconds between two looks for a stop, while another process makes the same file."""


@contextlib.contextmanager
def alone(file: Path, cancel: threading.Event | None) -> Iterator[None]:
    """Make a file while no other process makes the same.

    Raises:
        FfmpegStopped: ``cancel`` was set while another one did.
        CannotWrite: the user's state folder, where the locks are, cannot be written.
    """
    with contextlib.ExitStack() as stack:
        while True:
            try:
                stack.enter_context(locked(file, UserFolders.find(), timeout=_TURN))
                break
            except FileBusy:
                if cancel is not None and cancel.is_set():
                    msg = f"{file.name} was not made: the work was stopped"
                    raise FfmpegStopped(msg) from None
        yield


@contextlib.contextmanager
def beside(file: Path) -> Iterator[Path]:
    """Give the name under which an MP4 is made, the same each time: what a crash left there is written over.

    Only who is :func:`alone` with the file may use it. What is left there in the end is removed.

    Raises:
        CannotWrite: its folder cannot be made.
    """
    folder(file.parent)
    part = file.with_name(f".cutbook-{hashlib.sha256(os.fsencode(file.name)).hexdigest()[:16]}.mp4")
    try:
        yield part
    finally:
        part.unlink(missing_ok=True)
