from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutbook.errors import SettingError
from cutbook.settings import (
    KEY_VARIABLE,
    SETTINGS,
    Rung,
    Settings,
    environment_rung,
    read_setting,
    scribe_key,
    toml_rung,
)


def test_defaults_are_the_ones_that_are_promised() -> None:
    """Without any rung each setting has its documented default, and says so."""
    found = Settings()
    promised = {
        "engine": None,
        "scribe_url": "https://api.elevenlabs.io",
        "scribe_model": "scribe_v2",
        "pad_before_ms": 50,
        "pad_after_ms": 80,
        "captions": "none",
        "loudness_lufs": -14,
        "true_peak_db": -1,
        "jobs": None,
        "cache_dir": None,
        "ffmpeg": None,
        "whisper_model": None,
    }
    assert {name: found[name] for name in promised} == promised
    assert {found.origin(name) for name in SETTINGS} == {"default"}


def test_the_higher_rung_wins() -> None:
    """The first rung that sets a value has it, and its name is shown; None sets nothing."""
    found = Settings(
        Rung("call", {"jobs": None, "captions": "bold-overlay"}),
        Rung("environment", {"jobs": "2"}),
        Rung("cutbook.toml", {"jobs": 4, "pad_before_ms": 70}),
    )
    assert (found["jobs"], found.origin("jobs")) == (2, "environment")
    assert (found["captions"], found.origin("captions")) == ("bold-overlay", "call")
    assert (found["pad_before_ms"], found.origin("pad_before_ms")) == (70, "cutbook.toml")
    assert found.items()["pad_after_ms"].value == 80


@given(st.lists(st.one_of(st.none(), st.integers(1, 64)), max_size=6))
def test_the_ladder_is_climbed_from_above(values: list[int | None]) -> None:
    """Of any rungs the first that is not None is taken."""
    found = Settings(*(Rung(f"rung {n}", {"jobs": value}) for n, value in enumerate(values)))
    first = next(
        ((value, f"rung {n}") for n, value in enumerate(values) if value is not None), (None, "default")
    )
    assert (found["jobs"], found.origin("jobs")) == first


@pytest.mark.parametrize(
    ("name", "raw", "value"),
    [
        ("engine", "local", "local"),
        ("scribe_url", "https://example.org/v1/", "https://example.org/v1"),
        ("scribe_url", "http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("scribe_url", "http://[::1]:8000", "http://[::1]:8000"),
        ("scribe_url", "http://localhost", "http://localhost"),
        ("pad_before_ms", "12.5", 12.5),
        ("jobs", "3", 3),
        ("jobs", 4.0, 4),
        ("fillers", "off", False),
        ("fillers", True, True),
        ("size", "1920x1080", (1920, 1080)),
        ("size", [1080, 1920], (1080, 1920)),
        ("rate", "29.97", Fraction(30000, 1001)),
        ("rate", 25, Fraction(25)),
        ("loudness_lufs", -16, -16.0),
        ("ffmpeg", "~/bin/ffmpeg", Path("~/bin/ffmpeg").expanduser()),
        ("language", " de ", "de"),
    ],
)
def test_values_are_read(name: str, raw: object, value: object) -> None:
    """What people write in a file, a variable or a cell is read as its kind."""
    assert read_setting(name, raw, "call") == value


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("engine", "google"),
        ("engine", ["local"]),
        ("scribe_url", "http://example.org"),
        ("scribe_url", "http://127.0.0.1.example.org"),
        ("scribe_url", "ftp://127.0.0.1"),
        ("scribe_url", "https://"),
        ("scribe_url", "https://[bad"),
        ("scribe_url", ""),
        ("pad_before_ms", -1),
        ("pad_before_ms", "nan"),
        ("pad_before_ms", True),
        ("pad_before_ms", "soon"),
        ("jobs", 0),
        ("jobs", 1.5),
        ("jobs", float("inf")),
        ("fillers", "maybe"),
        ("fillers", 2),
        ("size", "1921x1080"),
        ("size", "1920"),
        ("size", "8x8"),
        ("size", [1, 2, 3]),
        ("rate", "0"),
        ("rate", "fast"),
        ("rate", None),
        ("rate", [25]),
        ("true_peak_db", 3),
        ("ffmpeg", "  "),
        ("ffmpeg", 7),
        ("language", 7),
    ],
)
def test_bad_values_name_their_place(name: str, raw: object) -> None:
    """A value of the wrong kind is one line with the place, the setting and the value."""
    with pytest.raises(SettingError) as caught:
        read_setting(name, raw, "cutbook.toml")
    message = str(caught.value)
    assert message.startswith(f"cutbook.toml: {name} ")
    assert repr(raw) in message
    assert "\n" not in message


def test_an_unknown_name_lists_those_that_are() -> None:
    """A setting that does not exist is an error wherever it stands, and the message lists what there is."""
    with pytest.raises(SettingError, match=r"footage/cutbook\.toml: 'job' is no setting.*jobs"):
        Settings(Rung("footage/cutbook.toml", {"job": 2}))


def test_the_key_is_no_setting() -> None:
    """The key of the service can neither be set nor listed."""
    assert not [name for name in SETTINGS if "key" in name]
    assert not [setting for setting in SETTINGS.values() if setting.variable == KEY_VARIABLE]


def test_the_environment_is_read() -> None:
    """Each variable sets its setting; an empty one sets nothing."""
    rung = environment_rung(
        {"CUTBOOK_ENGINE": "local", "CUTBOOK_FFMPEG": "", "CUTBOOK_CACHE_DIR": "/c", "HOME": "/h"}
    )
    assert rung.values == {"engine": "local", "cache_dir": "/c"}
    assert Settings(rung)["cache_dir"] == Path("/c")


def test_a_file_is_read_with_a_byte_order_mark(tmp_path: Path) -> None:
    """A file of an editor that puts a mark in front is read like any other; its path is its name."""
    path = tmp_path / "cutbook.toml"
    path.write_bytes(b'\xef\xbb\xbfcaptions = "bold-overlay"\nsize = "1080x1920"\n')
    rung = toml_rung(path)
    assert rung == Rung(str(path), {"captions": "bold-overlay", "size": "1080x1920"})


def test_a_file_that_is_not_there_sets_nothing(tmp_path: Path) -> None:
    """No file, or a folder that is a file, is no error."""
    assert toml_rung(tmp_path / "cutbook.toml").values == {}
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert toml_rung(tmp_path / "file" / "cutbook.toml").values == {}


@pytest.mark.parametrize("data", [b"captions = ", b"\xff\xfe", b"jobs = 1\njobs = 2\n"])
def test_a_damaged_file_is_named(tmp_path: Path, data: bytes) -> None:
    """A file that is no TOML in UTF-8 is one line with its path."""
    path = tmp_path / "cutbook.toml"
    path.write_bytes(data)
    with pytest.raises(SettingError) as caught:
        toml_rung(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_key_is_found_beside_the_footage(tmp_path: Path) -> None:
    """The environment comes first, then `.env` of each folder in order; nothing is expanded in it."""
    footage, user = tmp_path / "footage", tmp_path / "user"
    for folder, value in ((footage, "'a$HOME'"), (user, "b")):
        folder.mkdir()
        (folder / ".env").write_text(f"OTHER=1\nexport {KEY_VARIABLE}={value}\n", encoding="utf-8")
    assert scribe_key({KEY_VARIABLE: " e "}, footage, user) == "e"
    assert scribe_key({KEY_VARIABLE: ""}, footage, user) == "a$HOME"
    assert scribe_key({}, tmp_path, user) == "b"
    assert scribe_key({}, tmp_path) is None


def test_a_damaged_key_file_is_named_without_its_content(tmp_path: Path) -> None:
    """A `.env` in another encoding is an error that names the file and shows nothing of it."""
    (tmp_path / ".env").write_bytes(f"{KEY_VARIABLE}=secr\xe9t\n".encode("latin-1"))
    with pytest.raises(SettingError, match=r"\.env") as caught:
        scribe_key({}, tmp_path)
    assert "secr" not in str(caught.value)
    assert caught.value.__suppress_context__


def test_every_setting_says_what_it_is() -> None:
    """Each has words for people, and its default is a value of its own kind."""
    for name, setting in SETTINGS.items():
        assert setting.what
        if setting.default is not None:
            assert read_setting(name, setting.default, "default") == setting.default
