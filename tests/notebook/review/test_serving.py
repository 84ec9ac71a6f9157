"""The address at which the server that started a kernel has a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cutbook.notebook.review.serving import Server, server

PID = {"JPY_PARENT_PID": "4711"}


def record(folder: Path, **values: object) -> Path:
    """Write a server's record and return the folder that holds it."""
    folder.mkdir(exist_ok=True)
    known = {"pid": 4711, "root_dir": str(folder / "root"), "base_url": "/"}
    (folder / "jpserver-4711.json").write_text(json.dumps(known | values), "utf-8")
    return folder


@pytest.mark.parametrize(
    ("base", "url"),
    [
        ("/", "/files/a/b.mp4"),
        ("/user/ann/", "/user/ann/files/a/b.mp4"),
        ("/jupyter", "/jupyter/files/a/b.mp4"),
        ("", "/files/a/b.mp4"),
    ],
)
def test_the_address_begins_with_the_servers_own_path(tmp_path: Path, base: str, url: str) -> None:
    """The base URL of the record stands before `files`, whether or not it ends with a slash."""
    found = server(PID, record(tmp_path, base_url=base))
    assert found is not None
    assert found.url(tmp_path / "root" / "a" / "b.mp4") == url


def test_names_are_percent_encoded(tmp_path: Path) -> None:
    """Spaces, marks, percent signs and letters of any script are encoded, slashes between folders are not."""
    found = Server(tmp_path, "/")
    assert found.url(tmp_path / "a b" / "50% #1?ü.mp4") == "/files/a%20b/50%25%20%231%3F%C3%BC.mp4"


@pytest.mark.parametrize(
    "file", ["../out.mp4", ".hidden/a.mp4", "a/.b/c.mp4", "a/.c.mp4", ".", "a/../../x.mp4"]
)
def test_what_the_server_does_not_serve_has_no_address(tmp_path: Path, file: str) -> None:
    """Files outside its folder and hidden ones have none."""
    assert Server(tmp_path / "root", "/").url(tmp_path / "root" / file) == ""


def test_links_are_followed(tmp_path: Path) -> None:
    """A file is where it really is: a link out of the folder has no address, one to within has."""
    root = tmp_path / "root"
    (root / "a").mkdir(parents=True)
    (tmp_path / "out").mkdir()
    (root / "out").symlink_to(tmp_path / "out")
    (root / "in").symlink_to(root / "a")
    found = Server(root, "/")
    assert found.url(root / "out" / "x.mp4") == ""
    assert found.url(root / "in" / "x.mp4") == "/files/a/x.mp4"


@pytest.mark.parametrize("pid", ["", "x", "-1", "٣", "12"])
def test_no_server_is_found_by_a_strange_parent(tmp_path: Path, pid: str) -> None:
    """Without the variable, with one that is no number, or without a record there is no server."""
    assert server({"JPY_PARENT_PID": pid}, record(tmp_path)) is None
    assert server({}, record(tmp_path)) is None


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"root_dir": 3}', '{"root_dir": ""}', '{"root_dir": "/", "base_url": 3}']
)
def test_a_record_that_says_nothing_is_no_server(tmp_path: Path, text: str) -> None:
    """A record that is broken or lacks the folder is passed over."""
    (tmp_path / "jpserver-4711.json").write_text(text, "utf-8")
    assert server(PID, tmp_path) is None
