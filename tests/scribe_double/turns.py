"""What the stand-in does with one request, when it is not to do what the service would."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Cut = Literal["", "before", "after", "body"]
"""Where the line is cut: before the upload arrived, after it arrived, or within the answer."""


@dataclass(frozen=True)
class Turn:
    """One request's fate: `delay` seconds of silence, a `cut` line, an answer of one's own; else what is right.

    `pause` is seconds before the upload is read at all.

    A `status` of 200 with a `body`, a cut after the upload and a cut answer are billed, as work that was done is.
    """

    status: int = 200
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    cut: Cut = ""
    pause: float = 0.0

    @classmethod
    def refusing(
        cls, status: int, detail: Any = None, *, delay: float = 0.0, headers: Mapping[str, str] | None = None
    ) -> Turn:
        """Refuse with a status and a detail of any shape; none at all without one."""
        body = {} if detail is None else {"detail": detail}
        return cls(status, json.dumps(body).encode(), headers or {}, delay)

    @classmethod
    def saying(cls, body: bytes, *, kind: str = "application/json") -> Turn:
        """Answer 200 with a body of one's own."""
        return cls(200, body, {"Content-Type": kind})


def busy(current: int, most: int, *, wait: float | None = None) -> Turn:
    """Refuse for want of room, as the service does, with its headers."""
    headers = {"current-concurrent-requests": str(current), "maximum-concurrent-requests": str(most)}
    if wait is not None:
        headers["Retry-After"] = f"{wait:g}"
    detail = {
        "status": "too_many_concurrent_requests",
        "message": f"Too many concurrent requests. Your current subscription allows {most} at once.",
    }
    return Turn.refusing(429, detail, headers=headers)


def out_of_quota() -> Turn:
    """Refuse because the credit is used up: the service says so under 401."""
    detail = {
        "status": "quota_exceeded",
        "message": "This request exceeds your quota. You have 12 credits remaining, while 90 are required.",
    }
    return Turn.refusing(401, detail)
