"""A real Jupyter server on loopback that knows nothing of the machine's own settings."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

SETTINGS = {
    "@jupyterlab/apputils-extension/notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
        "doNotDisturbMode": True,
    },
    # Every cell is in the page, also those out of sight.
    "@jupyterlab/notebook-extension/tracker": {"windowingMode": "none"},
    "@jupyterlab/apputils-extension/themes": {"theme": "JupyterLab Light"},
}
START_SECONDS = 60.0
STOP_SECONDS = 15.0


def free_port() -> int:
    """Return a TCP port of loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class JupyterServer:
    """JupyterLab 4 and Notebook 7 on `root`, with folders of their own beneath `home`; a context manager."""

    def __init__(self, root: Path, home: Path) -> None:
        self.root = root
        self.home = home
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = home / "server.log"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        settings = self.home / "settings"
        for name, values in SETTINGS.items():
            file = settings / f"{name}.jupyterlab-settings"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(values), encoding="utf-8")
        environment = dict(os.environ)
        for name in ("CONFIG", "DATA", "RUNTIME"):
            environment[f"JUPYTER_{name}_DIR"] = str(self.home / name.lower())
        environment["IPYTHONDIR"] = str(self.home / "ipython")
        command = [
            sys.executable,
            "-m",
            "jupyterlab",
            "--no-browser",
            "--allow-root",
            "--ServerApp.ip=127.0.0.1",
            f"--ServerApp.port={self.port}",
            "--ServerApp.port_retries=0",
            f"--ServerApp.root_dir={self.root}",
            "--ServerApp.terminals_enabled=False",
            "--IdentityProvider.token=",
            "--PasswordIdentityProvider.hashed_password=",
            f"--LabApp.user_settings_dir={settings}",
            f"--LabApp.workspaces_dir={self.home / 'workspaces'}",
            "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        ]
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                command,
                cwd=self.root,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            self._wait()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _wait(self) -> None:
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            if self._process is None or self._process.poll() is not None:
                break
            try:
                self.api("status")
            except OSError:
                time.sleep(0.1)
            else:
                return
        tail = self.log.read_text(encoding="utf-8", errors="replace")[-2000:]
        message = f"Jupyter did not start on {self.url}:\n{tail}"
        raise RuntimeError(message)

    def api(self, path: str) -> Any:
        """Return the server's answer to GET /api/`path`, parsed; an OSError where it does not answer."""
        with urllib.request.urlopen(f"{self.url}/api/{path}", timeout=10) as answer:  # noqa: S310 - loopback
            return json.loads(answer.read())

    def page(self, notebook: Path, *, frontend: str = "lab") -> str:
        """Return the address at which `frontend`, lab or notebook, opens `notebook`, which lies under the root."""
        place = quote(notebook.relative_to(self.root).as_posix())
        return f"{self.url}/lab/tree/{place}?reset" if frontend == "lab" else f"{self.url}/notebooks/{place}"

    def close(self) -> None:
        """Ask the server to stop, with its kernels, and end what is left of its process group."""
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(timeout=STOP_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
