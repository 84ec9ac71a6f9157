"""A form with a file in it, read from the line as it comes: the file goes to disk, whatever its size."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

BLOCK = 1 << 16
_NAME = re.compile(r';\s*name="([^"]*)"')
_FILE = re.compile(r';\s*filename="([^"]*)"')


class Incoming(Protocol):
    """What bytes come from."""

    def read(self, size: int, /) -> bytes:
        """Give at most `size` bytes."""

    def readline(self) -> bytes:
        """Give a line with its end."""


class BrokenForm(Exception):
    """Raised when a body is no multipart form, or ends before its last boundary."""


@dataclass
class Form:
    """The fields in order, and the file: its name, type, size, hash and place."""

    fields: list[tuple[str, str]] = field(default_factory=list)
    file: Path | None = None
    file_name: str = ""
    file_type: str = ""
    size: int = 0
    sha256: str = ""


class Body:
    """The bytes of a request, plain or in chunks; `most` bytes at once are in memory."""

    def __init__(self, line: Incoming, *, length: int | None) -> None:
        self._blocks = _plain(line, length) if length is not None else _chunked(line)
        self._held = b""
        self._over = False

    def until(self, mark: bytes) -> Iterator[bytes]:
        """Give what comes before a mark, which is taken away too."""
        while (at := self._held.find(mark)) < 0:
            safe = len(self._held) - len(mark) + 1
            if safe > 0:
                yield self._held[:safe]
                self._held = self._held[safe:]
            if not self._more():
                raise BrokenForm("the body ends too early")
        yield self._held[:at]
        self._held = self._held[at + len(mark) :]

    def drain(self) -> None:
        """Read what is left."""
        while self._more():
            self._held = b""

    def _more(self) -> bool:
        block = next(self._blocks, b"")
        self._held += block
        return bool(block)


def read_form(kind: str, body: Body, folder: Path) -> Form:
    """Read a form; its file is put into `folder`, named by its hash."""
    found = re.fullmatch(r'multipart/form-data;\s*boundary="?([^";]{1,70})"?', kind)
    if not found:
        raise BrokenForm(f"no multipart form: {kind!r}")
    mark = b"\r\n--" + found[1].encode()
    form = Form()
    if b"".join(body.until(mark[2:])):
        raise BrokenForm("there is something before the first boundary")
    while (after := b"".join(body.until(b"\r\n"))) != b"--":
        if after:
            raise BrokenForm("a boundary with something behind it")
        head = _head(b"".join(body.until(b"\r\n\r\n")))
        place = head.get("content-disposition", "")
        name, file = _NAME.search(place), _FILE.search(place)
        if not place.startswith("form-data") or name is None:
            raise BrokenForm("a part without a name")
        if file is None or name[1] != "file":
            form.fields.append((name[1], b"".join(body.until(mark)).decode()))
        else:
            form.file_name, form.file_type = file[1], head.get("content-type", "")
            _keep(form, body.until(mark), folder)
    body.drain()
    return form


def _head(lines: bytes) -> dict[str, str]:
    pairs = (line.partition(":") for line in lines.decode().split("\r\n"))
    return {name.strip().lower(): value.strip() for name, _, value in pairs}


def _keep(form: Form, blocks: Iterator[bytes], folder: Path) -> None:
    digest, part = hashlib.sha256(), folder / f"part-{id(form)}"
    with part.open("wb") as file:
        for block in blocks:
            digest.update(block)
            file.write(block)
        form.size = file.tell()
    form.sha256 = digest.hexdigest()
    form.file = part.rename(folder / form.sha256)


def _plain(line: Incoming, length: int) -> Iterator[bytes]:
    while length > 0:
        block = line.read(min(BLOCK, length))
        if not block:
            raise BrokenForm("the line ended within the body")
        length -= len(block)
        yield block


def _chunked(line: Incoming) -> Iterator[bytes]:
    while size := int(line.readline().split(b";")[0] or b"0", 16):
        yield line.read(size)
        line.readline()
    line.readline()
