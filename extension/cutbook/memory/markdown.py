"""The little of markdown that project.md is read by: lines, fences, session headings, labels and list items."""

from __future__ import annotations

import contextlib
import datetime as dt
import re
from dataclasses import dataclass

from cutbook.memory.text import readable

_FENCE = re.compile(r"( {0,3})(`{3,}|~{3,})(.*)\Z")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*\Z")
_SESSION = re.compile(r"session[ \t\u00a0]+([0-9]{1,15})(?!\w|\.\d|-\d{1,2}-\d)[ \t\u00a0]*", re.IGNORECASE)
_WRITTEN = re.compile(r"## Session (\d{1,15}) — (\d{4})-(\d\d)-(\d\d)\n?\Z", re.ASCII)
_SEPARATOR = re.compile(r"[—–:,(\-]*[ \t\u00a0]*")
_MONTHS = {
    name: n for n, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), start=1)
}
_DATES = (
    re.compile(r"(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})(?!\d)"),
    re.compile(r"(?P<d>\d{1,2})\.[ ]?(?P<m>\d{1,2})\.[ ]?(?P<y>\d{4})(?!\d)"),
    re.compile(r"(?P<m>[A-Za-z]{3,9})\.?[ ](?P<d>\d{1,2})(?:st|nd|rd|th)?,?[ ](?P<y>\d{4})(?!\d)"),
    re.compile(r"(?P<d>\d{1,2})\.?[ ](?P<m>[A-Za-z]{3,9})\.?,?[ ](?P<y>\d{4})(?!\d)"),
    re.compile(r"(?P<y>\d{4})[ ]?年[ ]?(?P<m>\d{1,2})[ ]?月[ ]?(?P<d>\d{1,2})[ ]?日"),
)
_LABEL = re.compile(
    r" {0,3}(?:\*\*|__)([^*_:：\n][^*:：\n]{0,60}?)[ \t]*(?:[:：](?:\*\*|__)|(?:\*\*|__)[ \t]*[:：])[ \t]*(.*)\Z"
)
_BARE = re.compile(r"([A-Z][A-Za-z]+(?: [a-z]+)?)[ \t]*[:：](?:[ \t]+|\Z)(.*)\Z")
_BULLET = re.compile(r"([ \t]*)(?:[-+*]|\d{1,9}[.)])(?:[ \t]+|\Z)(.*)\Z")


@dataclass(frozen=True, slots=True)
class Heading:
    """A session's heading; ``date`` is None where it has none or one that does not exist."""

    level: int
    number: int
    date: dt.date | None
    title: str


def split_lines(text: str) -> list[str]:
    """Split at LF alone, each line with its end; never at U+2028, U+0085 and their like."""
    *lines, rest = text.split("\n")
    return [f"{line}\n" for line in lines] + ([rest] if rest else [])


def hidden_lines(lines: list[str]) -> tuple[list[bool], str | None]:
    """Tell which lines lie in a closed fence, and what closes one that is still open at the end of the text.

    A fence that never closes hides nothing.
    """
    fences = [_FENCE.match(line.rstrip("\r\n")) if "```" in line or "~~~" in line else None for line in lines]
    hidden = [False] * len(lines)
    never = {"`": 10**9, "~": 10**9}
    still_open: str | None = None
    number = 0
    while number < len(lines):
        match = fences[number]
        number += 1
        if match is None or (match[2][0] == "`" and "`" in match[3]):
            continue
        mark, width = match[2][0], len(match[2])
        if width >= never[mark]:
            continue
        close = next((n for n in range(number, len(lines)) if _closes(fences[n], mark, width)), None)
        if close is None:
            never[mark] = width
            if still_open is None and not _in_list(lines, number - 1, len(match[1])):
                still_open = match[2]
        else:
            hidden[number - 1 : close + 1] = [True] * (close + 2 - number)
            number = close + 1
    return hidden, still_open


def _closes(match: re.Match[str] | None, mark: str, width: int) -> bool:
    return match is not None and match[2][0] == mark and len(match[2]) >= width and not match[3].strip()


def _in_list(lines: list[str], number: int, indent: int) -> bool:
    """Tell whether an indented fence belongs to a list item, and so ends with it."""
    while indent and (number := number - 1) >= 0:
        line = lines[number]
        if line.strip() and len(line) - len(line.lstrip(" ")) < indent:
            return _BULLET.match(line.rstrip("\r\n")) is not None
    return False


def heading_level(line: str) -> int:
    """Give the level of a heading line, 0 for any other."""
    match = _HEADING.match(line.rstrip("\r\n")) if "#" in line[:10] else None
    return len(match[1]) if match else 0


def session_heading(line: str) -> Heading | None:
    """Read a heading of level 1–3 that begins "Session <number>"."""
    if own := _WRITTEN.match(line):  # as cutbook writes it
        with contextlib.suppress(ValueError):
            return Heading(2, int(own[1]), dt.date(int(own[2]), int(own[3]), int(own[4])), "")
    match = _HEADING.match(line.rstrip("\r\n")) if "#" in line[:6] else None
    if match is None or len(match[1]) > 3:
        return None
    named = _SESSION.match(match[2])
    if named is None:
        return None
    rest = match[2][named.end() :]
    rest = rest[_separator(rest) :]
    date, length = _read_date(rest)
    tail = rest[length:].lstrip(")").strip()
    return Heading(len(match[1]), int(named[1]), date, readable(tail[_separator(tail) :].strip()))


def _separator(text: str) -> int:
    match = _SEPARATOR.match(text)
    return match.end() if match else 0


def _read_date(text: str) -> tuple[dt.date | None, int]:
    for pattern in _DATES:
        if match := pattern.match(text):
            month = match["m"] if match["m"].isdigit() else _MONTHS.get(match["m"][:3].lower(), 0)
            try:
                return dt.date(int(match["y"]), int(month), int(match["d"])), match.end()
            except ValueError:
                return None, 0
    return None, 0


def field_label(line: str) -> tuple[str, str] | None:
    """Read ``**Label:** rest`` at the start of a line."""
    if "**" not in line[:5] and "__" not in line[:5]:
        return None
    match = _LABEL.match(line.rstrip("\r\n"))
    return (match[1].strip(), match[2]) if match else None


def bare_label(line: str) -> tuple[str, str] | None:
    """Read ``Label: rest`` at the very start of a line; whether it is a label, its words must tell."""
    if not "A" <= line[:1] <= "Z":
        return None
    match = _BARE.match(line.rstrip("\r\n"))
    return (match[1], match[2]) if match else None


def heading_text(line: str) -> str:
    """Give the words of a heading line."""
    match = _HEADING.match(line.rstrip("\r\n"))
    return match[2].strip().rstrip(":：").strip() if match else ""


def list_items(lines: list[str], hidden: list[bool]) -> list[tuple[str, bool]]:
    """Split the body of a field into items, each with whether it is a bullet; paragraphs and tables are items too.

    A bullet deeper than its list belongs to the bullet above, unless it has a comment of its own.
    """
    items: list[tuple[list[str], bool]] = []
    depth = 0
    blank = True
    for line, veiled in zip(lines, hidden, strict=True):
        text = line.rstrip("\r\n")
        if not veiled and text[:2] == "- " and text[2:3] not in {"", " ", "\t"} and not depth:
            items.append(([text[2:]], True))  # as cutbook writes them
            blank = False
            continue
        bullet = None if veiled else _BULLET.match(text)
        indent = len(text.expandtabs(4)) - len(text.expandtabs(4).lstrip(" "))
        if not text.strip():
            blank = True
            continue
        inside = bool(items) and items[-1][1] and indent > depth
        if bullet and (not inside or "<!-- m " in text):
            depth = depth if inside else indent
            items.append(([bullet[2]], True))
        elif items and (not blank or inside or (veiled and items[-1][1])):
            items[-1][0].append(text.strip())
        else:
            items.append(([text.strip()], False))
        blank = False
    return [("\n".join(parts).strip(), bullet) for parts, bullet in items]
