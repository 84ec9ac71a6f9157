"""What can be set, and where each value came from.

One ladder, highest first: call argument › ``%config Cutbook`` › environment › this session's preference › the project's
› ``cutbook.toml`` beside the footage › the user's ``cutbook.toml`` › default.
"""

from __future__ import annotations

import ipaddress
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from cutbook.errors import SettingError, TimeError
from cutbook.timebase import parse_rate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

KEY_VARIABLE = "ELEVENLABS_API_KEY"
"""The environment variable of the Scribe key; the key is never a setting, so that it is never shown or written."""


class Environment(Mapping[str, str]):
    """Environment variables that no repr shows: the key is one of them, and tracebacks can show every variable."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = values

    @classmethod
    def of(cls, values: Mapping[str, str] | None = None) -> Environment:
        """Give an environment as it is from now on; this process's unless given."""
        return values if isinstance(values, Environment) else cls(os.environ if values is None else values)

    def __getitem__(self, name: str) -> str:
        """Give one variable."""
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        """Give the names."""
        return iter(self._values)

    def __len__(self) -> int:
        """Count the variables."""
        return len(self._values)

    def __repr__(self) -> str:
        """Show nothing."""
        return "Environment(…)"


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        msg = "wants a text"
        raise ValueError(msg)
    return value.strip()


def _path(value: object) -> Path:
    if not isinstance(value, str | Path) or not str(value).strip():
        msg = "wants a path"
        raise ValueError(msg)
    return Path(value).expanduser()


def _number(low: float, high: float) -> Callable[[object], float]:
    def read(value: object) -> float:
        wanted = f"wants a number from {low:g} to {high:g}"
        if isinstance(value, bool) or not isinstance(value, str | int | float | Fraction):
            raise ValueError(wanted)  # noqa: TRY004 - one kind of error for every bad value
        try:
            number = float(value)
        except ValueError:
            raise ValueError(wanted) from None
        if not low <= number <= high:
            raise ValueError(wanted)
        return number

    return read


def _whole(low: int, high: int) -> Callable[[object], int]:
    read = _number(low, high)

    def whole(value: object) -> int:
        number = read(value)
        if number != int(number):
            msg = f"wants a whole number from {low} to {high}"
            raise ValueError(msg)
        return int(number)

    return whole


def _choice(*names: str) -> Callable[[object], str]:
    def read(value: object) -> str:
        if value not in names:
            msg = f"wants one of {', '.join(names)}"
            raise ValueError(msg)
        return str(value)

    return read


def _flag(value: object) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.casefold() in {"true", "yes", "on", "1", "false", "no", "off", "0"}:
        return value.casefold() in {"true", "yes", "on", "1"}
    msg = "wants true or false"
    raise ValueError(msg)


def _size(value: object) -> tuple[int, int]:
    parts = (
        value.lower().split("x")
        if isinstance(value, str)
        else list(value)
        if isinstance(value, list | tuple)
        else []
    )
    try:
        width, height = (int(part) for part in parts)
    except (TypeError, ValueError):
        msg = "wants a size like 1920x1080"
        raise ValueError(msg) from None
    if not (16 <= width <= 8192 and 16 <= height <= 8192) or width % 2 or height % 2:
        msg = "wants an even size from 16x16 to 8192x8192"
        raise ValueError(msg)
    return width, height


def _url(value: object) -> str:
    text = _text(value).rstrip("/")
    parts = urlsplit(text)
    host = parts.hostname or ""
    try:
        local = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        local = False
    if not host or (parts.scheme != "https" and not (parts.scheme == "http" and local)):
        msg = "wants an https address (http only on this machine), so that the key never travels in the clear"
        raise ValueError(msg)
    return text


def _rate(value: object) -> Fraction:
    try:
        return parse_rate(value if isinstance(value, int | float | Fraction) else _text(value))
    except (TimeError, ValueError):
        msg = "wants a frame rate from 1 to 1000 like 25 or 30000/1001"
        raise ValueError(msg) from None


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing that can be set: its kind is what ``read`` accepts, ``default`` None means "decided when needed"."""

    read: Callable[[object], Any]
    default: Any
    what: str
    variable: str = ""


SETTINGS: Mapping[str, Setting] = {
    "engine": Setting(_choice("scribe", "local"), None, "scribe when a key is set, else local", "CUTBOOK_ENGINE"),
    "scribe_url": Setting(_url, "https://api.elevenlabs.io", "where Scribe is asked", "CUTBOOK_SCRIBE_URL"),
    "scribe_model": Setting(_text, "scribe_v2", "Scribe's model"),
    "price_per_hour": Setting(_number(0, 1000), 0.40, "dollars an hour of sound that Scribe costs (list price, 2026)"),
    "cache_dir": Setting(_path, None, "the user's cache folder; the platform's own unless set", "CUTBOOK_CACHE_DIR"),
    "ffmpeg": Setting(_path, None, "the ffmpeg to use; found unless set", "CUTBOOK_FFMPEG"),
    "whisper_model": Setting(
        _text, None, "a Whisper model's folder or name; the packaged one unless set", "CUTBOOK_WHISPER_MODEL"
    ),
    "language": Setting(_text, None, "the language spoken (en, de, …); found by the engine unless set"),
    "pad_before_ms": Setting(_number(0, 2000), 50, "milliseconds of air kept before a word"),
    "pad_after_ms": Setting(_number(0, 2000), 80, "milliseconds of air kept after a word"),
    "fillers": Setting(_flag, default=True, what="whether %tighten removes ums and uhs"),
    "max_pause_s": Setting(_number(0.1, 60), None, "seconds; longer pauses are shortened by %tighten when set"),
    "captions": Setting(
        _choice("none", "natural-sentence", "bold-overlay", "karaoke"), "none", "style of burnt-in captions"
    ),
    "grade": Setting(_text, None, "none, auto, a preset or a raw ffmpeg filter; the cut list's unless set"),
    "size": Setting(_size, None, "the film's size; the one that most of its time has unless set"),
    "fit": Setting(_choice("fit", "fill"), "fit", "pictures of another shape: fit (whole) or fill (cropped)"),
    "rate": Setting(_rate, None, "the film's rate; the one that most of its time has unless set"),
    "loudness_lufs": Setting(_number(-40, -5), -14, "loudness of the film (EBU R128, LUFS)"),
    "true_peak_db": Setting(_number(-20, 0), -1, "highest true peak of the film (dBTP)"),
    "jobs": Setting(_whole(1, 64), None, "segments made at once; as fits the cores unless set", "CUTBOOK_JOBS"),
}  # fmt: skip


CALL = "call"
"""The highest rung: what a call or a magic's own option says."""


@dataclass(frozen=True, slots=True)
class Value:
    """One resolved value and the name of the rung that it came from."""

    value: Any
    origin: str


@dataclass(frozen=True, slots=True)
class Rung:
    """One place that settings come from, by the name that people are shown."""

    name: str
    values: Mapping[str, object]


class Settings:
    """Resolve settings over the rungs of the ladder, highest first.

    Raises:
        SettingError: a rung has a name that is no setting, or a value of the wrong kind.
    """

    def __init__(self, *rungs: Rung) -> None:
        self._resolved = {name: Value(setting.default, "default") for name, setting in SETTINGS.items()}
        for rung in reversed(rungs):
            for name, raw in rung.values.items():
                if raw is not None:
                    self._resolved[name] = Value(read_setting(name, raw, rung.name), rung.name)

    def __getitem__(self, name: str) -> Any:
        """Give one value."""
        return self._resolved[name].value

    def origin(self, name: str) -> str:
        """Name the rung that a value came from."""
        return self._resolved[name].origin

    def items(self) -> Mapping[str, Value]:
        """Give every setting with its value and origin."""
        return dict(self._resolved)


def read_setting(name: str, raw: object, origin: str) -> Any:
    """Check one value.

    Raises:
        SettingError: unknown name or a value of the wrong kind; names the place it came from.
    """
    setting = SETTINGS.get(name)
    place = "" if origin == CALL else f"{origin}: "
    if setting is None:
        msg = f"{place}{name!r} is no setting; there are {', '.join(sorted(SETTINGS))}"
        raise SettingError(msg)
    try:
        return setting.read(raw)
    except ValueError as error:
        msg = f"{place}{name} {error}, not {raw!r}"
        raise SettingError(msg) from None


def environment_rung(environ: Mapping[str, str]) -> Rung:
    """Read the settings that have an environment variable."""
    found = {name: environ.get(s.variable) or None for name, s in SETTINGS.items() if s.variable}
    return Rung("environment", {name: value for name, value in found.items() if value})


def toml_rung(path: Path) -> Rung:
    """Read the top-level keys of a ``cutbook.toml``; a file that is not there sets nothing.

    Raises:
        SettingError: the file is not TOML in UTF-8.
    """
    try:
        values = tomllib.loads(path.read_text("utf-8-sig"))
    except (FileNotFoundError, NotADirectoryError):
        return Rung(str(path), {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        msg = f"{path} cannot be read: {error}; mend or remove it"
        raise SettingError(msg) from None
    return Rung(str(path), values)


def scribe_key(environ: Mapping[str, str], *folders: Path) -> str | None:
    """Find the Scribe key: the environment, then ``.env`` in each folder. The caller must never show or write it.

    Raises:
        SettingError: a ``.env`` that cannot be read; names the file alone.
    """
    if key := environ.get(KEY_VARIABLE, "").strip():
        return key
    from dotenv import dotenv_values

    for folder in folders:
        file = folder / ".env"
        if file.is_file():
            try:
                key = (dotenv_values(file, interpolate=False).get(KEY_VARIABLE) or "").strip()
            except (OSError, UnicodeDecodeError):
                msg = (
                    f"{file} cannot be read as UTF-8; save it anew, or set {KEY_VARIABLE} in the environment"
                )
                raise SettingError(msg) from None
            if key:
                return key
    return None
