"""Text that goes into project.md: made harmless on the way in, given back as it was typed on the way out."""

from __future__ import annotations

import hashlib
import os
import re
from urllib.parse import unquote_to_bytes

HASH = re.compile(r"[0-9a-f]{12}\Z")
"""What a hash in the log looks like."""

_ENDS = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1b\x1f\x7f]")
_BYTES = re.compile("[\ud800-\udfff]+")
_COMMENT = re.compile(r"&((?:amp;)*)lt;!--")
_LEADING = re.compile(
    r"""(?P<number>\d{1,9})(?P<dot>[.)])(?=\s|\Z)      # an ordered list
      | (?P<bold>\*\*|__)(?=[^*_\n]{1,80}(?:[:：](?:\*\*|__)|(?:\*\*|__)\s*[:：]))   # a bold label
      | (?P<mark>\#{1,6}(?=\s|\Z)                      # a heading
               | >                                     # a quotation
               | `{3,} | ~~                            # a fence, a struck text
               | [-+*](?=\s|\Z)                        # a list
               | (?P<rule>[-*_])(?=(?:[ \t]*(?P=rule)){2,}[ \t]*\Z)
               | \[(?=[ xX]\](?:\s|\Z))                # a tick box
               | \\(?=[!-/:-@\[-`{-~]))                # an escape of the writer's own
    """,
    re.VERBOSE,
)
_ESCAPED_NUMBER = re.compile(r"(\d{1,9})\\([.)])(?=\s|\Z)")
_NAME = re.compile(rb"-{2,}|[^A-Za-z0-9._~-]")


def short_hash(data: str | bytes) -> str:
    """Give the first 12 hex characters of sha256, text as UTF-8: every hash of the log."""
    return hashlib.sha256(
        data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    ).hexdigest()[:12]


def one_line(text: str) -> str:
    """Put a text on one line: every kind of line end becomes a space, controls and lone surrogates go."""
    rows = _ENDS.split(text.strip())
    whole = " ".join(row.strip(" \t") for row in rows) if len(rows) > 1 else rows[0]
    flat = _CONTROLS.sub(" ", whole).strip()
    return flat.encode("utf-8", "replace").decode()


def readable(text: str) -> str:
    """Give a text that can be shown: what stands for bytes that are no text becomes ``\ufffd``."""
    return text if text.isascii() else _BYTES.sub("\ufffd", text)


def escape(text: str) -> str:
    """Make a typed text harmless at the start of a list item: no comment, heading, fence, list, label or tick box."""
    flat = _COMMENT.sub(r"&amp;\1lt;!--", one_line(text)).replace("<!--", "&lt;!--")
    match = _LEADING.match(flat)
    if match is None:
        return flat
    if match["number"]:
        return f"{match['number']}\\{flat[match.start('dot') :]}"
    if match["bold"]:
        return f"\\{flat[0]}\\{flat[1:]}"
    return f"\\{flat}"


def unescape(text: str) -> str:
    """Give back what :func:`escape` was given, but for the line ends; bytes that are no text become ``\ufffd``."""
    text = readable(text)
    if re.match(r"\\\*\\\*|\\_\\_", text):
        text = text[1] + text[3:]
    elif re.match(r"\\[!-/:-@\[-`{-~]", text):
        text = text[1:]
    else:
        text = _ESCAPED_NUMBER.sub(r"\1\2", text) if _ESCAPED_NUMBER.match(text) else text
    return _COMMENT.sub(lambda hit: f"&{hit[1][4:]}lt;!--" if hit[1] else "<!--", text)


def encode_name(name: str) -> str:
    """Write a take's name or a beat for a machine comment.

    Every byte but letters, digits, ``.``, ``_``, ``~`` and a single ``-`` is percent-encoded, so that no name can end
    the comment or be read as a second token.
    """
    try:
        raw = os.fsencode(name)
    except UnicodeEncodeError:
        raw = name.encode("utf-8", "surrogatepass")
    return _NAME.sub(lambda hit: b"".join(b"%%%02X" % byte for byte in hit[0]), raw).decode("ascii")


def decode_name(text: str) -> str:
    """Read a name back from :func:`encode_name`."""
    return os.fsdecode(unquote_to_bytes(text)) if "%" in text else text


def quotation(text: str) -> str:
    """Put somebody's words in curly quotes, from which nothing within them can break out."""
    return f"“{one_line(text).replace('“', '‘').replace('”', '’')}”"


def shorten(text: str, width: int) -> str:
    """Shorten a text to at most ``width`` characters, between words, with an ellipsis."""
    if len(text) <= width:
        return text
    head = text[: width - 1]
    cut = head.rfind(" ")
    return f"{head[:cut] if cut > width // 2 else head}…".replace(" …", "…")
