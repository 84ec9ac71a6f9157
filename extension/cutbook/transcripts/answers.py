"""What Scribe's answers mean: words that hold together, a refusal in its own words, or a reason to ask again.

A response is judged as it came over the line: the SDK's models are not validated, and its errors print headers.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from fractions import Fraction

from cutbook.errors import (
    CutbookError,
    EngineRefused,
    MayBeBilled,
    QuotaUsedUp,
    TranscriptDamaged,
    TranscriptError,
)
from cutbook.transcripts.entries import payload
from cutbook.transcripts.model import read_scribe

UNKNOWN = "look at your usage there, then ask again with --force"
"""What to do where nobody knows whether a request was billed."""

_QUOTA = frozenset({"quota_exceeded"})
_LOCKED_OUT = frozenset({401, 402, 403})
_OVERRUN = frozenset({504, 524})
_LONGEST_WORDS = 300
_LONGEST_PAGE = 8_000
_CODES = ("status", "code", "type")


@dataclass(frozen=True, slots=True)
class Response:
    """One response: ``headers`` by lower-case name, ``whole`` False where the line broke inside the body."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    whole: bool = True


class Again(Exception):
    """Nothing was done and nothing billed: the same request may be sent again, after ``wait`` seconds if it says so.

    ``busy`` tells that Scribe works for others of this account now, which passes by itself.
    """

    def __init__(self, message: str, *, wait: float | None = None, busy: bool = False) -> None:
        super().__init__(message)
        self.wait = wait
        self.busy = busy


def judged(response: Response, *, duration: Fraction, hide: Callable[[str], str] = str) -> bytes:
    """Give the body of a response that holds the words of a take of ``duration`` seconds.

    ``hide`` takes out of a text what must not be shown, for a server may repeat it.

    Raises:
        Again: 408, 429 or 5xx.
        QuotaUsedUp, EngineRefused: no more can be asked with this key.
        MayBeBilled: it was taken, and what came back is no transcript; or a gateway gave up waiting.
        TranscriptError: it was refused.
    """
    status = response.status
    if 200 <= status < 300:
        return _words(response, duration, hide)
    code, words = reason(response.body, hide)
    limits = _limits(response.headers)
    msg = f"Scribe refused ({status}): {words}{limits}"
    if code in _QUOTA:
        raise QuotaUsedUp(f"{msg}; add credit there, then run it again: what is done is kept")
    if status in _LOCKED_OUT:
        raise EngineRefused(f"{msg}; look at the key and what it may do")
    if status in _OVERRUN:
        raise MayBeBilled(
            f"Scribe was not done when its gateway gave up ({status}); it may have been billed: {UNKNOWN}"
        )
    if status in {408, 429} or status >= 500:
        raise Again(msg, wait=_retry_after(response.headers), busy=status == 429)
    if 300 <= status < 400:
        raise TranscriptError(
            f"Scribe points elsewhere ({status}), where the key is not sent; look at scribe_url"
        )
    raise TranscriptError(msg)


def reason(body: bytes, hide: Callable[[str], str] = str) -> tuple[str, str]:
    """Give the code and the server's own words, one line: ``detail`` may be a mapping, a list, a text or missing."""
    try:
        found: object = json.loads(body)
    except (ValueError, RecursionError):
        return "", _line(_prose(hide(body.decode("utf-8", "replace"))))
    detail = found.get("detail", found) if isinstance(found, Mapping) else found
    if isinstance(detail, Mapping):
        code = next((str(detail[name]) for name in _CODES if isinstance(detail.get(name), str)), "")
        said = detail.get("message") or detail.get("msg")
        return code, _line(hide(": ".join(part for part in (code, str(said or "")) if part)))
    if isinstance(detail, list):
        return "", _line(hide("; ".join(_entry(entry) for entry in detail)))
    return "", _line(hide("" if detail is None else str(detail)))


def _entry(entry: object) -> str:
    if not isinstance(entry, Mapping):
        return str(entry)
    place = entry.get("loc")
    where = ".".join(str(part) for part in place) if isinstance(place, list) else ""
    return f"{where} {entry.get('msg') or ''}".strip()


def _prose(text: str) -> str:
    """Take what a person would read out of a web page."""
    if "<" not in text:
        return text
    text = text[:_LONGEST_PAGE]
    title = re.search(r"<title[^>]*>(.*?)</title>", text, re.DOTALL | re.IGNORECASE)
    shown = (
        title[1] if title else re.sub(r"<(script|style).*?</\1>", " ", text, flags=re.DOTALL | re.IGNORECASE)
    )
    return html.unescape(re.sub(r"<[^<>]*>", " ", shown))


def _line(text: str) -> str:
    words = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return words[:_LONGEST_WORDS].rstrip() or "it gave no reason"


def _limits(headers: Mapping[str, str]) -> str:
    now, most = headers.get("current-concurrent-requests"), headers.get("maximum-concurrent-requests")
    return f" ({now} of {most} requests at once)" if now and most and f"{now}{most}".isdigit() else ""


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Read Retry-After, which is seconds or a date."""
    text = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,9}(\.\d+)?", text):
        return float(text)
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return None
    date = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (date - datetime.now(UTC)).total_seconds())


def _words(response: Response, duration: Fraction, hide: Callable[[str], str]) -> bytes:
    wrong = "broke off" if not response.whole else _fault(response.body, duration, hide)
    if wrong:
        raise MayBeBilled(f"Scribe's answer {wrong}; it may have been billed: {UNKNOWN}")
    return response.body


def _fault(raw: bytes, duration: Fraction, hide: Callable[[str], str]) -> str | None:
    """Say what is wrong with an answer, or None: it holds words, and they make up its text."""
    try:
        found = payload(raw)
    except (CutbookError, RecursionError):
        return f"is no JSON object ({reason(raw, hide)[1]:.80})"
    try:
        read_scribe(found, duration=duration)
    except TranscriptDamaged:
        detail = f" ({reason(raw, hide)[1]:.120})" if "detail" in found else ""
        return f"holds no words list{detail}"
    parts = found.get("transcripts")
    channels = parts if isinstance(parts, list) else [found]
    if not all(_makes_up(part) for part in channels if isinstance(part, Mapping)):
        return "holds words that do not make up its text"
    return None


def _makes_up(part: Mapping[str, object]) -> bool:
    words, text = part.get("words"), part.get("text")
    if not isinstance(words, list) or not isinstance(text, str):
        return isinstance(words, list)
    said = "".join(str(word.get("text") or "") for word in words if isinstance(word, Mapping))
    return "".join(said.split()) == "".join(text.split())
