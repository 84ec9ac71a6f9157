"""Entries of logs in SQLite FTS5 (``porter unicode61``), with pairs of characters where a script has no spaces.

The index lies in the user's cache, keyed by each log's hash; deleting it costs time alone.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cutbook.memory.log import parse
from cutbook.memory.preferences import UNSET, read_line
from cutbook.memory.quick import Row, quick, rows
from cutbook.memory.ranking import spaced

if TYPE_CHECKING:
    from cutbook.files import UserFolders

NAME = "memory-2.sqlite3"
_PATIENCE = 2
"""Seconds to wait for another process that writes the index, before one is made in memory."""

_TICK = 2_000_000_000
_LOG, _ROW = 20, 20
_TABLES = """
create table if not exists logs (id integer primary key, path text unique, size int, mtime int, hash text, client text);
create table if not exists rows (id integer primary key, entry text, kind text, state text, session int, origin text,
    text text);
create virtual table if not exists words using fts5(text, content='', columnsize=0, tokenize='porter unicode61');
"""


class Index:
    """Entries of logs in SQLite; ``path`` None: in memory.

    An entry's number holds date, log and place, so that the numbers in descending order are the latest first.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._base = self._open()

    def _open(self) -> sqlite3.Connection:
        if self._path is None:
            base = sqlite3.connect(":memory:")
        else:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            base = sqlite3.connect(self._path, timeout=_PATIENCE)
        try:
            base.executescript("pragma synchronous=off; pragma journal_mode=wal;" if self._path else "")
            base.executescript(_TABLES)
        except sqlite3.Error:
            base.close()
            raise
        return base

    def close(self) -> None:
        """Let go of the file."""
        self._base.close()

    def logs(self) -> dict[str, tuple[int, int, int, str, str]]:
        """Give what is known of each log by its path: number, size, mtime, hash, client."""
        rows = self._base.execute("select path, id, size, mtime, hash, client from logs")
        return {
            path: (number, size, mtime, digest, client) for path, number, size, mtime, digest, client in rows
        }

    def stamp(self, path: str, size: int, mtime: int) -> None:
        """Note that a log with this size and time is the one that is known."""
        self._base.execute("update logs set size=?, mtime=? where path=?", (size, mtime, path))

    def commit(self) -> None:
        """Keep what was put."""
        self._base.commit()

    def put(
        self,
        path: str,
        rows: Sequence[Row],
        *,
        size: int = 0,
        mtime: int = 0,
        digest: str = "",
        client: str = "",
    ) -> int:
        """Take the entries of a log in, in place of those that it had, and give the log's number; see `commit`."""
        known = self._base.execute("select id from logs where path=?", (path,)).fetchone()
        if known:
            self._drop(int(known[0]))
        made = self._base.execute(
            "insert or replace into logs values (?, ?, ?, ?, ?, ?)",
            (known[0] if known else None, path, size, mtime, digest, client),
        )
        number = int(made.lastrowid or 0)
        numbers = [
            (each.date.toordinal() if each.date else 0) << (_LOG + _ROW) | number << _ROW | place
            for place, each in enumerate(rows[: 1 << _ROW])
        ]
        self._base.executemany(
            "insert into rows values (?, ?, ?, ?, ?, ?, ?)",
            (
                (n, each.id, each.kind, each.state, each.session, each.origin, each.text)
                for n, each in zip(numbers, rows, strict=False)
            ),
        )
        self._base.executemany(
            "insert into words (rowid, text) values (?, ?)",
            (
                (n, each.text if each.text.isascii() else spaced(each.text, ends=True))
                for n, each in zip(numbers, rows, strict=False)
            ),
        )
        return number

    def _drop(self, log: int) -> None:
        old = self._base.execute(
            f"select id, text from rows where (id >> {_ROW}) & {(1 << _LOG) - 1} = ?",  # noqa: S608 - own numbers
            (log,),
        ).fetchall()
        self._base.executemany(
            "insert into words (words, rowid, text) values ('delete', ?, ?)",
            ((number, text if text.isascii() else spaced(text, ends=True)) for number, text in old),
        )
        self._base.executemany("delete from rows where id=?", ((number,) for number, _ in old))

    def find(self, words: str, logs: Iterable[int], limit: int) -> tuple[int, list[tuple[int, Row]]]:
        """Count the entries of these logs that an expression finds, and give the latest with their log's number."""
        listed = ",".join(str(int(each)) for each in logs)
        where = f"words match ? and (rowid >> {_ROW}) & {(1 << _LOG) - 1} in ({listed})"
        count = self._base.execute(f"select count(*) from words where {where}", (words,)).fetchone()[0]  # noqa: S608
        rows = self._base.execute(
            "select r.id, entry, kind, r.text, state, session, origin from rows r join "  # noqa: S608 - own numbers
            f"(select rowid as hit from words where {where} order by rowid desc limit ?) on r.id = hit "
            "order by r.id desc",
            (words, limit),
        ).fetchall()
        return int(count), _rows(rows)

    def named(self, name: str, logs: Iterable[int], limit: int) -> tuple[int, list[tuple[int, Row]]]:
        """Count the entries of these logs that have an id, and give the latest with their log's number."""
        listed = ",".join(str(int(each)) for each in logs)
        rows = self._base.execute(
            "select id, entry, kind, text, state, session, origin from rows "  # noqa: S608 - own numbers
            f"where entry = ? and (id >> {_ROW}) & {(1 << _LOG) - 1} in ({listed}) order by id desc",
            (name,),
        ).fetchall()
        return len(rows), _rows(rows[:limit])


def _rows(rows: Iterable[tuple[int, str, str, str, str, int | None, str]]) -> list[tuple[int, Row]]:
    return [
        ((number >> _ROW) & ((1 << _LOG) - 1), Row(name, kind, text, state, session, None, origin))
        for number, name, kind, text, state, session, origin in rows
    ]


def log_rows(data: bytes) -> tuple[list[Row], str]:
    """Read what can be found in a log, and the client that it is for."""
    found = quick(data)
    found = found if found is not None else rows(parse(data))
    client = ""
    for each in found:
        read = read_line(each.text, "") if each.kind == "preference" and each.state == "live" else None
        if read is not None and read.key == "client":
            client = "" if read.value == UNSET else read.value
    return found, client


@contextlib.contextmanager
def opened(folders: UserFolders) -> Iterator[Index]:
    """Open the kept index; where it is damaged, held or cannot be kept, give one in memory."""
    path = folders.cache / NAME
    try:
        index = Index(path)
    except (sqlite3.Error, OSError) as error:
        index = Index(None)
        # One that another process holds is whole.
        if not isinstance(error, sqlite3.OperationalError):
            forget(folders)
    try:
        yield index
    finally:
        index.close()


def forget(folders: UserFolders) -> None:
    """Remove the kept index."""
    for name in (NAME, f"{NAME}-wal", f"{NAME}-shm"):
        with contextlib.suppress(OSError):
            (folders.cache / name).unlink()


def refresh(index: Index, paths: Iterable[Path]) -> dict[str, tuple[int, str, str]]:
    """Bring the index up to date for these logs, and give number, hash and client of each that there is."""
    known = index.logs()
    found: dict[str, tuple[int, str, str]] = {}
    for path in paths:
        key = str(path)
        try:
            stat = path.stat()
            size, mtime = stat.st_size, stat.st_mtime_ns
            number, *stamp, digest, client = known.get(key, (0, -1, -1, "", ""))
            if stamp != [size, mtime]:
                data = path.read_bytes()
                now = hashlib.sha256(data).hexdigest()
                # A file written a moment ago may change again within one tick of its clock.
                mtime = mtime if not 0 <= time.time_ns() - mtime < _TICK else -1
                if now != digest:
                    rows, client = log_rows(data)
                    digest = now
                    number = index.put(key, rows, size=size, mtime=mtime, digest=digest, client=client)
                elif mtime >= 0:
                    index.stamp(key, size, mtime)
        except OSError:
            continue
        found[key] = (number, digest, client)
    index.commit()
    return found
