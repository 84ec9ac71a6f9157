"""Memory that came from others: kept whole in ``edit/imported/``, read in place, provisional and never one's own words.

One entry of the log names each zip and its hash; abandoning that entry takes the import back. What the zip's own events
do they do inside it alone.
"""

from __future__ import annotations

import hashlib
import io
import re
import stat
import unicodedata
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutbook import files
from cutbook.errors import InputError, MemoryLogError
from cutbook.html import paragraph, table
from cutbook.memory import front
from cutbook.memory.archive import SUFFIX, outward
from cutbook.memory.commands import marked
from cutbook.memory.library import read_lesson
from cutbook.memory.log import parse
from cutbook.memory.markdown import split_lines
from cutbook.memory.marks import new_id
from cutbook.memory.preferences import UNSET, read_line, read_page
from cutbook.memory.refusal import refusal
from cutbook.memory.served import fold
from cutbook.memory.text import decode_name, encode_name, one_line, quotation, shorten
from cutbook.memory.wording import count

if TYPE_CHECKING:
    from cutbook.memory.log import Entry
    from cutbook.memory.served import State
    from cutbook.memory.session import Session

FOLDER = "imported"
LARGEST = 64 << 20
"""Bytes of a zip, and of all that is in it."""

RATIO = 100
"""Most times that a file in it may grow."""

_KINDS = {"d": "decision", "r": "reasoning", "o": "outstanding", "p": "preference"}
_SHOWN = 40
_FRONT = 1 << 16


@dataclass(frozen=True, slots=True)
class Foreign:
    """One thing that an import says: ``id`` is ``<zip>/<id>``, ``checked`` that somebody confirmed it."""

    id: str
    kind: str
    text: str
    session: int | None = None
    checked: bool = False

    @property
    def origin(self) -> str:
        """Name where its words come from, and what they are worth."""
        name = f"{self.id.partition('/')[0]}{SUFFIX}"
        return f"from “{name}”, {'confirmed' if self.checked else 'not checked'}"

    @property
    def address(self) -> str:
        """The id as a machine comment names it."""
        name, _, page = self.id.partition("/")
        return f"{name}/{encode_name(page)}"


@dataclass(frozen=True, slots=True)
class Imported:
    """One import as it is served. ``entry`` is the id of the log's entry, ``new`` that it came just now."""

    entry: str
    name: str
    sha256: str
    entries: tuple[Foreign, ...]
    new: bool = False

    @property
    def counted(self) -> str:
        """Say how much of it there is, and how much of that nobody has checked."""
        left = sum(not each.checked for each in self.entries)
        number = count(len(self.entries), "entry").replace("entrys", "entries")
        some = f"{left} not checked" if left < len(self.entries) else "not checked"
        return f"{number}, {some if left else 'all confirmed'}"

    @property
    def sentence(self) -> str:
        """Say in one line what this is."""
        if not self.new:
            return f"{self.name} is imported already ({self.entry}); nothing new."
        return (
            f"Imported {self.name} ({self.entry}): {self.counted}, quoted below as they came. "
            f"`%memory confirm ID --why …` vouches for one, `%memory abandon {self.entry} --why …` takes them all back."
        )

    def __repr__(self) -> str:
        rows = [self.sentence, f"sha256 {self.sha256}"]
        rows += [
            f"{each.id}  {quotation(shorten(each.text, 200))}  ({each.kind})"
            for each in self.entries[:_SHOWN]
        ]
        more = len(self.entries) - _SHOWN
        return "\n".join([*rows, *([f"… and {more} more"] if more > 0 else [])])

    def _repr_html_(self) -> str:
        rows = [(each.id, each.kind, quotation(shorten(each.text, 400))) for each in self.entries]
        return paragraph(marked(self.sentence), bold=True) + (
            table(("id", "kind", "quoted"), rows) if rows else ""
        )


def bring_in(session: Session, state: State, file: Path, *, sha256: str | None = None) -> Imported:
    """Keep a memoryfield's zip and note it; the same zip twice is nothing new.

    Raises:
        InputError: it is no zip of flat pages, or not the one that is pinned; nothing is written.
        MemoryLogError: it cannot be kept.
    """
    data = _data(file)
    digest = hashlib.sha256(data).hexdigest()
    if sha256 is not None and sha256.strip().casefold() != digest:
        msg = f"{file.name} has the sha256 {digest}, not the one that is wanted; ask for it again"
        raise InputError(msg)
    known = next((each for each in imports(session.edit, state) if each.sha256 == digest), None)
    if known is not None:
        return known
    pages = unpack(data, file.name)
    name = _free_name(session.edit / FOLDER, file.name, data)
    found = read_pages(pages, name.removesuffix(SUFFIX))
    path = session.edit / FOLDER / name
    try:
        if not path.exists():
            files.write_atomic(path, data)
    except OSError as error:
        msg = refusal(path, error, "nothing is imported: let the project's folder be written to")
        raise MemoryLogError(msg) from error
    entry = new_id("r")
    said = f"Imported {name}: {count(len(found), 'record')} of somebody else, not checked."
    session.note("imported", entry=entry, text=said, anchors=[f"import:{encode_name(name)}={digest}"])
    return Imported(entry, name, digest, found, new=True)


def imports(edit: Path, state: State) -> tuple[Imported, ...]:
    """Give what was imported and not taken back; a zip that is gone or is another one now is left out."""
    found = []
    for entry in state.of("r"):
        token = next(iter(entry.mark.values("import") if entry.mark else ()), None)
        if token is None:
            continue
        name, _, digest = token.rpartition("=")
        path = edit / FOLDER / Path(decode_name(name)).name
        try:
            stamp = path.stat()
            read = _read(path, stamp.st_size, stamp.st_mtime_ns, digest)
        except OSError:
            continue
        if read is not None:
            whole = any(act.verb == "confirm" for act in state.acts.get(entry.id, ()))
            found.append(Imported(entry.id, path.name, digest, tuple(_settled(read, state, whole=whole))))
    return tuple(found)


def _settled(entries: tuple[Foreign, ...], state: State, *, whole: bool) -> Iterator[Foreign]:
    """Give what nobody has given up, and tell what somebody has confirmed."""
    for each in entries:
        verb = state.foreign.get(each.address, "") if state.foreign else ""
        if verb != "abandon":
            yield replace(each, checked=True) if whole or verb else each


def find(edit: Path, state: State, name: str) -> Foreign | None:
    """Find what came by import by its id, if nobody has given it up."""
    if "/" not in name:
        return None
    return next((each for one in imports(edit, state) for each in one.entries if each.id == name), None)


@lru_cache(maxsize=32)
def _read(path: Path, _size: int, _mtime: int, digest: str) -> tuple[Foreign, ...] | None:
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != digest:
        return None
    try:
        return read_pages(unpack(data, path.name), path.name.removesuffix(SUFFIX))
    except InputError:
        return None


def _data(file: Path) -> bytes:
    try:
        if not file.is_file():
            msg = f"there is no file {file}"
            raise InputError(msg)
        if file.stat().st_size > LARGEST:
            msg = f"{file.name} has more than {LARGEST >> 20} MB; a memory has kilobytes"
            raise InputError(msg)
        return file.read_bytes()
    except OSError as error:
        msg = f"{file} cannot be read: {error.strerror or error}"
        raise InputError(msg) from error


def unpack(data: bytes, name: str) -> dict[str, str]:
    """Read the pages of a zip, after every check that can be made before anything of it is used.

    Raises:
        InputError: it is damaged, too large, or holds a name, a file or a text that a memoryfield cannot have.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()
            _checked(infos, name)
            pages = {}
            for info in infos:
                content = archive.read(info)
                if info.filename.endswith(".md"):
                    pages[info.filename] = _text(content, info.filename, name)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        msg = f"{name} is no zip that can be read: {error}; nothing is imported"
        raise InputError(msg) from error
    except Exception as error:  # each compressor has errors of its own
        msg = f"{name} is no zip that can be read: {error}; nothing is imported"
        raise InputError(msg) from error
    if not pages:
        msg = f"{name} holds no page (*.md); nothing is imported"
        raise InputError(msg)
    return pages


def _checked(infos: list[zipfile.ZipInfo], name: str) -> None:
    seen: set[str] = set()
    for info in infos:
        why = _wrong(info)
        same = unicodedata.normalize("NFC", info.filename).casefold()
        if same in seen:
            why = "is there twice"
        seen.add(same)
        if why:
            msg = f"{name}: {one_line(info.orig_filename)[:80]!r} {why}; nothing is imported"
            raise InputError(msg)
    if sum(info.file_size for info in infos) > LARGEST:
        msg = f"{name} holds more than {LARGEST >> 20} MB; nothing is imported"
        raise InputError(msg)


def _wrong(info: zipfile.ZipInfo) -> str:
    raw = info.orig_filename
    flat = raw and raw == info.filename and ".." not in raw and not any(char in raw for char in "/\\:")
    kind = stat.S_IFMT(info.external_attr >> 16)
    faults = {
        "is no name of a file in a flat folder": not flat,
        "has a name with control characters": any(unicodedata.category(char)[0] == "C" for char in raw),
        "is no plain file": kind not in {0, stat.S_IFREG} or info.is_dir(),
        "is encrypted": info.flag_bits & 0x1,
        f"has more than {LARGEST >> 20} MB": info.file_size > LARGEST,
        f"grows more than {RATIO} times": info.file_size > RATIO * max(info.compress_size, 1),
    }
    return next((fault for fault, there in faults.items() if there), "")


def _text(content: bytes, page: str, name: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        msg = f"{name}: {page} is not UTF-8 at byte {error.start}; nothing is imported"
        raise InputError(msg) from error


def _free_name(folder: Path, name: str, data: bytes) -> str:
    stem = re.sub(r"(\.memoryfield)?\.zip\Z", "", name, flags=re.IGNORECASE)
    plain = "-".join(re.findall(r"[a-z0-9]+", stem.casefold()))[:60] or "memory"
    number = 1
    while True:
        found = f"{plain}-{number}{SUFFIX}" if number > 1 else f"{plain}{SUFFIX}"
        path = folder / found
        if not path.exists() or path.read_bytes() == data:
            return found
        number += 1


def read_pages(pages: Mapping[str, str], zip_name: str) -> tuple[Foreign, ...]:
    """Read what pages say now: sessions as one log, so that its own events act on its own entries."""
    sessions: list[tuple[tuple[int, int], dict[str, Any], str]] = []
    rest: list[Foreign] = []
    preferred: list[str] = []
    for page, text in sorted(pages.items()):
        if page == "index.md":
            continue
        values, start = front.split(text[:_FRONT])
        body = outward(text[start:]).replace("\r\n", "\n")
        if page == "preferences.md":
            preferred += [each.line for each in read_page(text, "imported") if each.value != UNSET]
        elif (
            values
            and not page.startswith("lesson-")
            and ("session" in values or parse(body.encode()).sections)
        ):
            key = (_whole(values.get("place"), len(sessions)), _whole(values.get("part"), 1))
            sessions.append((key, values, body.removeprefix("\n")))
        else:
            rest += _page(page, text, body, lesson=not values or page.startswith("lesson-"))
    found = list(_log_entries(_joined(sessions)))
    same = {each.text for each in found}
    found += [Foreign("preferences", "preference", line) for line in preferred if line not in same]
    return tuple(
        Foreign(f"{zip_name}/{each.id}", each.kind, each.text, each.session)
        for each in (*found, *rest)
        if each.text
    )


def _page(page: str, text: str, body: str, *, lesson: bool) -> Iterator[Foreign]:
    read = read_lesson(page, text) if lesson else None
    said = read.text if read else one_line(" ".join(body.split()))
    where = f" (for {read.where})" if read and read.where else ""
    if said:
        yield Foreign(page.removesuffix(".md"), "lesson" if lesson else "note", f"{outward(said)}{where}")


def _joined(sessions: list[tuple[tuple[int, int], dict[str, Any], str]]) -> str:
    pieces: list[str] = []
    for (_, part), values, body in sorted(sessions, key=lambda each: each[0]):
        later = part > 1 and bool(pieces)
        if later and values.get("joint") == "text":
            pieces[-1] = pieces[-1].removesuffix("\n")
        elif pieces and not pieces[-1].endswith("\n"):
            pieces.append("\n")
        pieces.append("".join(split_lines(body)[_whole(values.get("top"), 0) :]) if later else body)
    return "".join(pieces)


def _log_entries(text: str) -> Iterator[Foreign]:
    log = parse(text.encode("utf-8", "replace"))
    state = fold(log)
    still = {each.id for each in state.outstanding}
    for entry in state.live:
        if (entry.kind != "o" or entry.id in still) and not _nested(entry):
            read = read_line(entry.text, "imported") if entry.kind == "p" else None
            if read is not None and read.value == UNSET:
                continue
            text = read.line if read else one_line(entry.text)
            yield Foreign(entry.id, _KINDS.get(entry.kind, "note"), text, entry.session)


def _nested(entry: Entry) -> bool:
    """Tell whether an entry only says that something was imported there, which is not in this zip."""
    return bool(entry.mark and entry.mark.values("import"))


def _whole(value: object, default: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9 else default
