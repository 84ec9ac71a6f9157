"""A real kernel, spoken to as a front end does: cells, widgets' messages, and a second thread for them."""

from __future__ import annotations

import queue
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

PATIENCE = 60.0
Message = dict[str, Any]


class Front:
    """A front end: what it heard, and ways to say something."""

    def __init__(self, client: BlockingKernelClient) -> None:
        self.client = client
        self.heard: list[Message] = []
        self.subshell: str | None = None

    def _listen(self, seconds: float) -> None:
        try:
            self.heard.append(self.client.get_iopub_msg(timeout=seconds))
        except queue.Empty:
            return

    def until(self, wanted: Any, *, after: int = 0) -> Message:
        """Return the first message past `after` for which `wanted` is true."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for message in self.heard[after:]:
                if wanted(message):
                    return message
            self._listen(0.2)
        raise TimeoutError([message["msg_type"] for message in self.heard[after:]])

    def run(self, cell: str, *, wait: bool = True) -> list[Message]:
        """Run a cell and return what it put out; an error is raised."""
        mark = len(self.heard)
        name = self.client.execute(cell)
        if not wait:
            self.until(lambda m: m["msg_type"] == "execute_input" and parent(m) == name, after=mark)
            return []
        self.until(lambda m: idle(m) and parent(m) == name, after=mark)
        mine = [message for message in self.heard[mark:] if parent(message) == name]
        errors = [message["content"] for message in mine if message["msg_type"] == "error"]
        assert errors == []
        return [message for message in mine if message["msg_type"] in {"display_data", "execute_result"}]

    def open_subshell(self) -> None:
        """Have messages of widgets handled on a thread of their own, as JupyterLab does."""
        message = self.client.session.msg("create_subshell_request", {})
        self.client.control_channel.send(message)
        reply = self.client.get_control_msg(timeout=PATIENCE)
        self.subshell = reply["content"]["subshell_id"]

    def say(self, comm: str, content: Message) -> None:
        """Send a custom message to a widget."""
        data = {"method": "custom", "content": content}
        message = self.client.session.msg("comm_msg", {"comm_id": comm, "data": data})
        message["header"]["subshell_id"] = self.subshell
        self.client.shell_channel.send(message)

    def reply(self, comm: str, *, after: int = 0, **wanted: Any) -> Message:
        """Return the content of the first custom message of a widget that has these values."""

        def fits(message: Message) -> bool:
            if message["msg_type"] != "comm_msg" or message["content"]["comm_id"] != comm:
                return False
            content = message["content"]["data"].get("content") or {}
            return all(content.get(key) == value for key, value in wanted.items())

        found: Message = self.until(fits, after=after)["content"]["data"]["content"]
        return found


def parent(message: Message) -> str:
    """Return the id of the request that a message belongs to."""
    return str(message["parent_header"].get("msg_id"))


def idle(message: Message) -> bool:
    """Tell that a request was done."""
    return (message["msg_type"], message["content"].get("execution_state")) == ("status", "idle")


@contextmanager
def front() -> Iterator[Front]:
    """Start a kernel and give a front end of it."""
    manager, client = start_new_kernel(startup_timeout=60)
    try:
        yield Front(client)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
