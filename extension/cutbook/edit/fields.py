"""One object of a file that people edit, read key by key; a value of the wrong kind is named by place and key."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn

from cutbook.errors import EdlError, TimeError
from cutbook.timebase import parse_rate, seconds

if TYPE_CHECKING:
    from collections.abc import Mapping

_LONGEST = 1e9
"""Seconds, or frames a second, beyond which a number is a mistake."""


@dataclass
class Fields:
    """One object of the file, read key by key; ``place`` says in messages which."""

    values: Mapping[str, Any]
    place: str

    def wrong(self, key: str, what: str) -> NoReturn:
        """Say what is wrong with a key (raises :class:`~cutbook.errors.EdlError`)."""
        fail(f"{self.place}: {key} {what}")

    def has(self, key: str) -> bool:
        """Tell whether a key is there and not null."""
        return self.values.get(key) is not None

    def rest(self, known: frozenset[str]) -> dict[str, Any]:
        """Give the keys that are not among the known ones, in their order."""
        return {key: value for key, value in self.values.items() if key not in known}

    def text(self, key: str, default: Any) -> Any:
        """Read text."""
        value = self.values.get(key)
        if value is None:
            return default
        if not isinstance(value, str):
            self.wrong(key, f"must be text, not {kind(value)}")
        return value

    def whole(self, key: str, default: int) -> int:
        """Read a whole number."""
        value = self.values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value != int(value):
            self.wrong(key, f"must be a whole number, not {value!r}")
        return int(value)

    def needed_time(self, key: str) -> Fraction:
        """Read seconds that must be there."""
        if not self.has(key):
            self.wrong(key, "is missing; write seconds like 2.52")
        return self.time(key, Fraction(0))

    def time(self, key: str, default: Fraction) -> Fraction:
        """Read seconds."""
        value = self.values.get(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            self.wrong(key, f"must be seconds like 2.52, not {value!r}")
        if not abs(value) < _LONGEST:
            self.wrong(key, "is no time that footage has; write seconds like 2.52")
        return seconds(value)

    def number(self, key: str, default: float, *, most: float) -> float:
        """Read a number from ``-most`` to ``most``."""
        value = self.values.get(key)
        if value is None:
            return default
        if type(value) not in {int, float} or not abs(value) <= most:
            self.wrong(key, f"must be a number from {-most:g} to {most:g}, not {value!r}")
        return float(value)

    def pair(self, key: str) -> tuple[int, int] | None:
        """Read two whole numbers."""
        value = self.values.get(key)
        if value is None:
            return None
        whole = isinstance(value, list) and len(value) == 2 and all(type(each) is int for each in value)
        if not whole:
            self.wrong(key, f"must be two whole numbers like [75, 161], not {value!r}")
        return value[0], value[1]

    def shares(self, key: str, count: int) -> tuple[Fraction, ...] | None:
        """Read numbers from 0 to 1."""
        value = self.values.get(key)
        if value is None:
            return None
        good = isinstance(value, list) and len(value) == count
        if not good or not all(type(each) in {int, float} and 0 <= each <= 1 for each in value):
            self.wrong(key, f"must be {count} numbers from 0 to 1, not {value!r}")
        return tuple(seconds(each) for each in value)

    def rate(self, key: str) -> Fraction | None:
        """Read frames a second, as a number or like ``30000/1001``."""
        value = self.values.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, (int, float, str)):
            self.wrong(key, f'must be frames a second like 25 or "30000/1001", not {value!r}')
        try:
            return parse_rate(value if isinstance(value, str) or abs(value) < _LONGEST else 0)
        except TimeError as error:
            self.wrong(key, f"cannot be used: {error}")

    def size(self, key: str) -> tuple[int, int] | None:
        """Read width and height, as a pair or like ``1920x1080``."""
        value = self.values.get(key)
        if value is None:
            return None
        parts = value.lower().split("x") if isinstance(value, str) else value
        try:
            width, height = (int(part) for part in parts)
        except (TypeError, ValueError):
            self.wrong(key, f"must be width and height like [1920, 1080], not {value!r}")
        if min(width, height) < 2:
            self.wrong(key, f"must be at least [2, 2], not {value!r}")
        return width, height

    def mapping(self, key: str) -> dict[str, Any]:
        """Read an object; text alone is its ``style``."""
        value = self.values.get(key)
        if value is None:
            return {}
        if isinstance(value, str):
            return {"style": value}
        if not isinstance(value, dict):
            self.wrong(key, f"must be an object, not {kind(value)}")
        return value

    def texts(self, key: str) -> dict[str, str]:
        """Read an object that holds text alone."""
        value = (
            self.mapping(key)
            if not isinstance(self.values.get(key), str)
            else self.wrong(key, "must be an object")
        )
        for name, each in value.items():
            if not isinstance(each, str):
                self.wrong(f"{key}.{name}", f"must be text, not {kind(each)}")
        return value

    def objects(self, key: str, noun: str) -> list[Fields]:
        """Read a list of objects, each named in messages by ``noun`` and number."""
        value = self.values.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            self.wrong(key, f"must be a list, not {kind(value)}")
        for number, each in enumerate(value, 1):
            if not isinstance(each, dict):
                fail(f"{noun} {number}: must be an object, not {kind(each)}")
        return [Fields(each, f"{noun} {number}") for number, each in enumerate(value, 1)]


def fail(message: str) -> NoReturn:
    """Raise the error that a cut list gives (:class:`~cutbook.errors.EdlError`)."""
    raise EdlError(message)


def kind(value: object) -> str:
    """Name the kind of a JSON value as people would."""
    names = {
        dict: "an object",
        list: "a list",
        str: "text",
        bool: "true or false",
        int: "a number",
        float: "a number",
    }
    return names.get(type(value), "nothing")
