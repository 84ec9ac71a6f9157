"""Sentences that name a command between backticks, as HTML."""

from __future__ import annotations

import re

from cutbook.html import Markup, escape

_CODE = re.compile(r"`([^`]+)`")


def marked(text: str) -> str | Markup:
    """Show what stands between backticks as code; a text without any stays as it is."""
    if not _CODE.search(text):
        return text
    parts = _CODE.split(text)
    pieces = [
        f"<code>{escape(each)}</code>" if place % 2 else escape(each) for place, each in enumerate(parts)
    ]
    return Markup("".join(pieces))
