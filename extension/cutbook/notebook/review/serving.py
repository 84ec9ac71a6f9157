"""Where the Jupyter server that started this kernel has a file, for a browser to read it from there."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Mapping

PARENT = "JPY_PARENT_PID"
"""The variable in which a kernel is told the process of the server that started it."""


@dataclass(frozen=True, slots=True)
class Server:
    """The folder that a server serves, and the path that its addresses begin with (``/``, ``/user/ann/``)."""

    root: Path
    base: str

    def url(self, file: Path) -> str:
        """Give the address of a file from the server's root, percent-encoded; empty where it serves none of it.

        It serves nothing outside its folder, and no hidden file or folder.
        """
        try:
            inside = file.resolve().relative_to(self.root)
        except (OSError, RuntimeError, ValueError):
            return ""
        if not inside.parts or any(part.startswith(".") for part in inside.parts):
            return ""
        return f"{self.base}files/{'/'.join(quote(os.fsencode(part), safe='') for part in inside.parts)}"


def server(environ: Mapping[str, str] | None = None, runtime: Path | None = None) -> Server | None:
    """Find the server by the record that it keeps while it runs; None where no server started this kernel.

    ``runtime`` is the folder of the records; Jupyter's own unless given.
    """
    pid = (os.environ if environ is None else environ).get(PARENT, "")
    if not pid.isascii() or not pid.isdecimal():
        return None
    try:
        folder = _runtime() if runtime is None else runtime
        record = json.loads((folder / f"jpserver-{pid}.json").read_text("utf-8"))
        root, base = record["root_dir"], record.get("base_url") or "/"
        if not isinstance(root, str) or not root or not isinstance(base, str):
            return None
        return Server(Path(root).expanduser().resolve(), f"/{base.strip('/')}/" if base.strip("/") else "/")
    except (ImportError, OSError, RuntimeError, ValueError, KeyError, TypeError, AttributeError):
        return None


def before_a_browser() -> bool:
    """Tell whether a person sits before this kernel: a Jupyter server started it, and not a run without one."""
    from IPython.core.getipython import get_ipython

    return getattr(get_ipython(), "kernel", None) is not None and server() is not None


def _runtime() -> Path:
    from jupyter_core.paths import jupyter_runtime_dir

    return Path(jupyter_runtime_dir())
