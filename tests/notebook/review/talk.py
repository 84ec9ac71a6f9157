"""A view's end of the talk with the kernel: says what a browser says, and keeps what it is told."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from cutbook import Project
from cutbook.notebook.review.exchange import Exchange

PATIENCE = 60.0
Message = dict[str, Any]


class Talk:
    """One review and what it sends; ``views`` are named by whoever speaks."""

    def __init__(self, project: Project, *, version: int | None = None) -> None:
        self._news = threading.Condition()
        self.sent: list[tuple[Message, list[bytes]]] = []
        self.exchange = Exchange(project, self._send, version=version)
        self._count = 0

    def _send(self, content: Message, buffers: Sequence[bytes]) -> None:
        with self._news:
            self.sent.append((content, list(buffers)))
            self._news.notify_all()

    def wait(self, *, after: int = 0, **wanted: Any) -> tuple[Message, list[bytes]]:
        """Return the first message past ``after`` that has these values."""

        def found() -> tuple[Message, list[bytes]] | None:
            return next(
                (
                    each
                    for each in self.sent[after:]
                    if all(each[0].get(key) == value for key, value in wanted.items())
                ),
                None,
            )

        with self._news:
            self._news.wait_for(lambda: found() is not None, PATIENCE)
            message = found()
        assert message is not None, f"no message with {wanted} in {[each[0] for each in self.sent[after:]]}"
        return message

    def hello(self, view: str = "v") -> Message:
        """Open a view and return its board."""
        mark = len(self.sent)
        self.exchange.heard({"type": "hello", "view": view})
        board: Message = self.wait(after=mark, type="board", view=view)[0]["board"]
        return board

    def do(
        self, view: str = "v", *, base: int | None = None, id: int | None = None, **change: Any
    ) -> Message:
        """Ask for a change from the board seen last, and return the acknowledgement."""
        self._count += 1
        number = id if id is not None else 1000 + self._count
        seen = self.board["version"] if base is None else base
        mark = len(self.sent)
        self.exchange.heard({"type": "do", "view": view, "id": number, "base": seen, "change": change})
        return self.wait(after=mark, type="ack", view=view, id=number)[0]

    def ask(self, what: str, view: str = "v", **arguments: Any) -> tuple[Message, list[bytes]]:
        """Ask a question and return the answer with its buffers."""
        self._count += 1
        mark = len(self.sent)
        message = {"type": "ask", "view": view, "id": self._count, "what": what}
        self.exchange.heard(message | arguments)
        return self.wait(after=mark, type="answer", view=view, id=self._count)

    @property
    def board(self) -> Message:
        """The cut list as it was told last."""
        boards = [content["board"] for content, _ in self.sent if "board" in content]
        board: Message = boards[-1]
        return board

    @property
    def ids(self) -> list[str]:
        """The ids of the ranges told last."""
        return [each["id"] for each in self.board["ranges"]]

    def told(self, kind: str) -> list[Message]:
        """Return the messages of a kind."""
        return [content for content, _ in self.sent if content["type"] == kind]
