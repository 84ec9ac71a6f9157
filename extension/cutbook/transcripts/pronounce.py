"""How an English word sounds, in the 39 phones of the CMU dictionary, where the dictionary does not say.

Numbers, signs and abbreviations are put into words; what is no word of the dictionary is spelled by rule.
The rules are coarse on purpose: an aligner needs to know about how long a word is and how it begins and ends.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from itertools import product

Lookup = Callable[[str], tuple[str, ...]]
"""Gives the ways to say a word of the dictionary, phones parted by spaces; none where it has no such word."""

ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
TENS = "zero ten twenty thirty forty fifty sixty seventy eighty ninety".split()
SCALES = ((10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred"))
ORDINALS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip
SIGNS = {"%": "percent", "&": "and", "+": "plus", "=": "equals", "@": "at", "#": "number", "°": "degrees"}
MONEY = {"$": "dollars", "€": "euros", "£": "pounds"}
LETTERS = {
    "a": "EY", "b": "B IY", "c": "S IY", "d": "D IY", "e": "IY", "f": "EH F", "g": "JH IY", "h": "EY CH", "i": "AY",
    "j": "JH EY", "k": "K EY", "l": "EH L", "m": "EH M", "n": "EH N", "o": "OW", "p": "P IY", "q": "K Y UW",
    "r": "AA R", "s": "EH S", "t": "T IY", "u": "Y UW", "v": "V IY", "w": "D AH B AH L Y UW", "x": "EH K S",
    "y": "W AY", "z": "Z IY",
}  # fmt: skip
RULES = (
    ("tion", "SH AH N"), ("sion", "ZH AH N"), ("ough", "AO"), ("augh", "AO"), ("eigh", "EY"), ("ture", "CH ER"),
    ("igh", "AY"), ("tch", "CH"), ("dge", "JH"), ("sch", "S K"), ("air", "EH R"), ("ear", "IH R"), ("eer", "IH R"),
    ("our", "AO R"), ("oor", "AO R"), ("que", "K"), ("ing", "IH NG"),
    ("ch", "CH"), ("sh", "SH"), ("th", "TH"), ("ph", "F"), ("wh", "W"), ("ck", "K"), ("ng", "NG"), ("nk", "NG K"),
    ("qu", "K W"), ("gh", "G"), ("kn", "N"), ("wr", "R"), ("ee", "IY"), ("ea", "IY"), ("oo", "UW"), ("ou", "AW"),
    ("ow", "OW"), ("oa", "OW"), ("oi", "OY"), ("oy", "OY"), ("ai", "EY"), ("ay", "EY"), ("au", "AO"), ("aw", "AO"),
    ("ei", "EY"), ("ey", "IY"), ("ie", "IY"), ("ew", "UW"), ("ue", "UW"), ("ar", "AA R"), ("er", "ER"), ("ir", "ER"),
    ("or", "AO R"), ("ur", "ER"), ("ce", "S EH"), ("ci", "S IH"), ("cy", "S IY"), ("ge", "JH EH"), ("gi", "JH IH"),
    ("a", "AE"), ("b", "B"), ("c", "K"), ("d", "D"), ("e", "EH"), ("f", "F"), ("g", "G"), ("h", "HH"), ("i", "IH"),
    ("j", "JH"), ("k", "K"), ("l", "L"), ("m", "M"), ("n", "N"), ("o", "AA"), ("p", "P"), ("q", "K"), ("r", "R"),
    ("s", "S"), ("t", "T"), ("u", "AH"), ("v", "V"), ("w", "W"), ("x", "K S"), ("y", "IY"), ("z", "Z"),
)  # fmt: skip
MAGIC_E = {"a": "EY", "e": "IY", "i": "AY", "o": "OW", "u": "UW"}
FILLERS = {
    "um": ("AH M",), "umm": ("AH M",), "uhm": ("AH M",), "uh": ("AH",), "uhh": ("AH",), "er": ("ER", "AH"),
    "err": ("ER",), "erm": ("ER M",), "hm": ("HH M", "M"), "hmm": ("HH M", "M"), "mm": ("M",), "mhm": ("M HH M",),
}  # fmt: skip
_PART = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?(?:st|nd|rd|th)?|[a-z]+(?:'[a-z]+)*|[%&+=@#°$€£]")
_EDGES = '.,?!:;"()[]-'
_MOST = 4


def pronunciations(text: str, lookup: Lookup) -> tuple[str, ...]:
    """Give the ways (at most four) to say one written word, phones parted by spaces; none where nothing is said."""
    folded = unicodedata.normalize("NFKD", text.replace("’", "'").replace("ß", "ss")).casefold()
    plain = "".join(letter for letter in folded if not unicodedata.combining(letter))
    if "'" in plain and (whole := lookup(plain.strip(_EDGES))):
        return whole[:_MOST]
    parts = _PART.findall(plain)
    ways = [_part(part, text, lookup) for part in parts]
    for place in range(len(parts) - 1):
        if parts[place] in MONEY:
            ways[place], ways[place + 1] = ways[place + 1], ways[place]
    said = [way for way in ways if way]
    if not said:
        return ()
    return tuple(dict.fromkeys(" ".join(choice) for choice in product(*said)))[:_MOST]


def _part(part: str, text: str, lookup: Lookup) -> tuple[str, ...]:
    if part in FILLERS:
        return FILLERS[part]
    if sign := SIGNS.get(part) or MONEY.get(part):
        return (_words([sign], lookup),)
    if part[0].isdigit():
        return tuple(dict.fromkeys(_words(spoken, lookup) for spoken in _number(part)))
    if ways := lookup(part):
        return ways
    spelled = " ".join(LETTERS[letter] for letter in part if letter in LETTERS)
    return (spelled, _rules(part)) if 1 < len(part) <= 5 and part.upper() in text else (_rules(part),)


def _words(words: list[str], lookup: Lookup) -> str:
    return " ".join((lookup(word) or (_rules(word),))[0] for word in words)


def _number(part: str) -> list[list[str]]:
    ordinal = part[-2:] in {"st", "nd", "rd", "th"}
    whole, _, decimals = part.removesuffix(part[-2:] if ordinal else "").replace(",", "").partition(".")
    if len(whole) > 9:
        return [[ONES[int(digit)] for digit in whole]]
    value = int(whole)
    words = _cardinal(value)
    if decimals:
        return [[*words, "point", *(ONES[int(digit)] for digit in decimals)]]
    if ordinal:
        last = words[-1]
        words[-1] = ORDINALS.get(last) or (
            last.removesuffix("y") + "ieth" if last.endswith("y") else last + "th"
        )
        return [words]
    ways = [words]
    if 1100 <= value < 2100 and "," not in part and value % 1000 >= 10:
        low = _cardinal(value % 100) if value % 100 else ["hundred"]
        ways.insert(0, _cardinal(value // 100) + (["oh"] if 0 < value % 100 < 10 else []) + low)
    return ways


def _cardinal(value: int) -> list[str]:
    if value < len(ONES):
        return [ONES[value]]
    if value < 100:
        return [TENS[value // 10], *([ONES[value % 10]] if value % 10 else [])]
    scale, name = next(entry for entry in SCALES if value >= entry[0])
    return [*_cardinal(value // scale), name, *(_cardinal(value % scale) if value % scale else [])]


def _rules(word: str) -> str:
    letters = word.replace("'", "")
    phones: list[str] = []
    place = 0
    while place < len(letters):
        if place == len(letters) - 1 and letters[place] == "e" and phones:
            break
        vowel = letters[place]
        if vowel in MAGIC_E and re.fullmatch(r"[aeiou][bcdfgklmnpstvz]e", letters[place:]):
            phones.append(MAGIC_E[vowel])
            place += 1
            continue
        rule, sound = next((entry for entry in RULES if letters.startswith(entry[0], place)), ("?", ""))
        if sound and not (len(rule) == 1 and place and letters[place - 1] == rule and rule not in MAGIC_E):
            phones.append(sound)
        place += len(rule)
    return " ".join(phones) or "AH"
