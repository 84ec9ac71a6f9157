"""Scripts that are written without spaces between words: Chinese, Japanese, Thai, Lao, Khmer and Burmese.

What people read (packed text, captions, quotes of the cut list) is joined by it, and what is searched is split by it.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

HAN = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f"
"""Chinese and Japanese letters as a class of a regular expression: those of which a pair carries a meaning.

Marks are none of them, and neither is Thai, whose pairs of letters are no syllables.
"""

_NAMES = (
    "CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "HALFWIDTH KATAKANA", "HALFWIDTH IDEOGRAPHIC", "FULLWIDTH",
    "BOPOMOFO", "THAI", "LAO", "KHMER", "MYANMAR",
)  # fmt: skip
"""How Unicode's names begin for letters and marks of these scripts."""


@lru_cache(maxsize=20_000)
def spaceless(letter: str, *, marks: bool = False) -> bool:
    """Tell whether no space stands beside a character of such a script; nothing but a character is none.

    ``marks``: beside its wide brackets and quotation marks, which have names of their own, as well.
    """
    if not letter:
        return False
    if unicodedata.name(letter, "").startswith(_NAMES):
        return True
    return marks and unicodedata.east_asian_width(letter) in "WF" and unicodedata.category(letter)[0] == "P"
