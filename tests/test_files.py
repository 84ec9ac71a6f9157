from __future__ import annotations

import hashlib
import json
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutbook.errors import CannotWrite, FileBusy, UnreadableMedia
from cutbook.files import (
    BLOCK,
    BLOCKS,
    UserFolders,
    fingerprint,
    locked,
    readable,
    safe_name,
    shortened,
    unsafe_name,
    write_atomic,
)

NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@pytest.fixture
def folders(tmp_path: Path) -> UserFolders:
    """Return a user's folders that nobody has used yet."""
    return UserFolders(tmp_path / "cache", tmp_path / "state", tmp_path / "config")


def aged(path: Path) -> Path:
    """Make a file look as if it had been written an hour ago."""
    past = time.time() - 3600
    os.utime(path, (past, past))
    return path


def parts(folder: Path) -> list[str]:
    """Return what is left of half-written files."""
    return [entry.name for entry in folder.rglob("*") if entry.name.endswith(".part")]


@given(NAMES)
def test_a_safe_name_is_read_back(name: str) -> None:
    """Every take's name survives as a file name: nothing that a file system takes for its own is left in it."""
    safe = safe_name(name)
    assert unsafe_name(safe) == name
    assert not set(safe) & set('/\\:*?"<>|\x00\n')
    assert not safe.startswith(".")


@given(NAMES, NAMES)
def test_safe_names_differ_as_names_do(one: str, other: str) -> None:
    """Two names never share a file."""
    assert (safe_name(one) == safe_name(other)) == (one == other)


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("C0103", "C0103"),
        ("day 1/C0103", "day 1%2FC0103"),
        ("100%", "100%25"),
        (".hidden", "%2Ehidden"),
        ("a%2Fb", "a%252Fb"),
        ("第一集", "第一集"),
    ],
)
def test_safe_names_stay_readable(name: str, safe: str) -> None:
    """Only what must be is encoded."""
    assert safe_name(name) == safe


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("C0103 'quoted' 100% 第一集", "C0103 'quoted' 100% 第一集"),
        ("two\nlines\ttab", "two%0Alines%09tab"),
        ("line\u2028separator", "line%E2%80%A8separator"),
        (os.fsdecode(b"caf\xe9"), "caf%E9"),
    ],
)
def test_a_name_is_shown_on_one_line(name: str, shown: str) -> None:
    """Control characters, line separators and bytes that are no text are percent-encoded, nothing else is."""
    assert readable(name) == shown


@pytest.mark.parametrize("data", [b"", b"\x00\xff" * 5000, "Ümläut\r\n第一\n"])
def test_a_file_is_written_whole(tmp_path: Path, data: bytes | str) -> None:
    """Bytes are written as they are, text as UTF-8 with its line ends, and folders are made on the way."""
    path = tmp_path / "new" / "deep" / "file"
    write_atomic(path, data)
    assert path.read_bytes() == (data if isinstance(data, bytes) else data.encode())
    assert parts(tmp_path) == []


MASKED = """
import os, sys
from pathlib import Path
from cutbook.files import write_atomic
os.umask(int(sys.argv[2]))
write_atomic(Path(sys.argv[1]), "x")
"""


def test_a_new_file_has_the_mode_that_the_user_wants(tmp_path: Path) -> None:
    """The umask rules a new file's mode, and a replaced file keeps its own."""
    for mask, mode in ((0o022, 0o644), (0o077, 0o600), (0o002, 0o664)):
        path = tmp_path / f"{mode:o}"
        subprocess.run([sys.executable, "-c", MASKED, str(path), str(mask)], check=True)
        assert stat.S_IMODE(path.stat().st_mode) == mode
    path.chmod(0o640)
    write_atomic(path, "y")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_symlink_is_written_through(tmp_path: Path) -> None:
    """The link stays a link, and what it points to is replaced."""
    real, link = tmp_path / "real", tmp_path / "elsewhere" / "link"
    real.write_text("old", encoding="utf-8")
    link.parent.mkdir()
    link.symlink_to(real)
    write_atomic(link, "new")
    assert link.is_symlink()
    assert real.read_text(encoding="utf-8") == "new"


def test_a_failure_leaves_the_old_file(tmp_path: Path) -> None:
    """What cannot be put in place leaves nothing behind, and what was there is whole."""
    target = tmp_path / "target"
    target.mkdir()
    (target / "inside").write_text("old", encoding="utf-8")
    with pytest.raises(OSError, match="target"):
        write_atomic(target, "new")
    assert (target / "inside").read_text(encoding="utf-8") == "old"
    assert parts(tmp_path) == []


def test_bytes_that_are_no_text_are_written_as_json_has_them(tmp_path: Path) -> None:
    """A file name that is no UTF-8 goes into a JSON file and comes back; the file is UTF-8 all the same."""
    write_atomic(tmp_path / "file", json.dumps({"name": "bad\udcffé"}, ensure_ascii=False))
    assert json.loads((tmp_path / "file").read_text(encoding="utf-8")) == {"name": "bad\udcffé"}


def test_a_long_name_gives_way_to_a_hash(tmp_path: Path) -> None:
    """Names of 248 characters that differ at the end alone become file names with room for suffixes, and differ."""
    one, other = (safe_name("ü" * 120 + end) for end in ("12345678", "12345679"))
    assert one != other
    assert one == safe_name("ü" * 120 + "12345678")
    (tmp_path / f"{one}.meta.json").write_bytes(b"")
    assert shortened(one)
    assert not shortened(safe_name("C0101"))


WRITER = """
import sys
from pathlib import Path
from cutbook.files import write_atomic
path, letter = Path(sys.argv[1]), sys.argv[2]
print("on", flush=True)
while True:
    write_atomic(path, letter * 300_000)
"""


def test_a_reader_never_sees_a_half(tmp_path: Path) -> None:
    """While two processes write, and one is killed, every reading is one writer's whole file."""
    path = tmp_path / "shared"
    write_atomic(path, "a" * 300_000)
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path), letter], stdout=subprocess.PIPE)
        for letter in "ab"
    ]
    try:
        for writer in writers:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"on\n"
        for number in range(60):
            text = path.read_text(encoding="utf-8")
            assert text in {"a" * 300_000, "b" * 300_000}
            if number == 30:
                writers[0].kill()
    finally:
        for writer in writers:
            writer.kill()
            writer.communicate()
    assert path.read_text(encoding="utf-8") in {"a" * 300_000, "b" * 300_000}


COUNTER = """
import sys
from pathlib import Path
from cutbook.files import UserFolders, locked, write_atomic
base = Path(sys.argv[1])
folders = UserFolders(base / "cache", base / "state", base / "config")
counter = base / "counter"
for _ in range(25):
    with locked(counter, folders):
        write_atomic(counter, str(int(counter.read_text()) + 1))
"""

HOLDER = """
import sys, time
from pathlib import Path
from cutbook.files import UserFolders, locked
base = Path(sys.argv[1])
with locked(base / "edit" / ".." / "counter", UserFolders(base / "cache", base / "state", base / "config")):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_lock_keeps_processes_apart(tmp_path: Path) -> None:
    """Four processes add 25 each under the lock, and none is lost."""
    (tmp_path / "counter").write_text("0", encoding="utf-8")
    workers = [subprocess.Popen([sys.executable, "-c", COUNTER, str(tmp_path)]) for _ in range(4)]
    assert [worker.wait(60) for worker in workers] == [0] * 4
    assert (tmp_path / "counter").read_text(encoding="utf-8") == "100"


def test_a_held_lock_is_an_error_and_dies_with_its_holder(tmp_path: Path, folders: UserFolders) -> None:
    """A lock that another process holds is named after its time; when that process is killed the lock is free.

    The same file by another spelling is the same lock, and no lock file lies beside the footage.
    """
    (tmp_path / "edit").mkdir()
    counter = tmp_path / "counter"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(FileBusy, match="counter"), locked(counter, folders, timeout=0.1):
            pytest.fail("got a lock that another process holds")
        with locked(tmp_path / "other", folders, timeout=0.1):
            pass
        holder.kill()
    with locked(counter, folders, timeout=5):
        pass
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["edit", "state"]


def test_an_exception_gives_the_lock_back(tmp_path: Path, folders: UserFolders) -> None:
    """Whatever goes wrong inside, the next one gets the lock."""
    with pytest.raises(KeyError), locked(tmp_path / "file", folders):
        raise KeyError
    with locked(tmp_path / "file", folders, timeout=0.1):
        pass


@pytest.mark.parametrize("size", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 7])
def test_a_small_file_is_hashed_whole(tmp_path: Path, folders: UserFolders, size: int) -> None:
    """Up to 64 MiB the digest is sha256 over the size, a line end and all the bytes."""
    data = (b"abc\x00" * (size // 4 + 1))[:size]
    path = tmp_path / "file"
    path.write_bytes(data)
    found = fingerprint(path, folders)
    assert found.size == size
    assert found.digest == hashlib.sha256(f"{size}\n".encode() + data).hexdigest()
    assert found.short == f"{size}.{found.digest[:12]}"


def test_a_large_file_is_sampled(tmp_path: Path, folders: UserFolders) -> None:
    """Over 64 MiB there are 64 blocks of a mebibyte, evenly spaced from the first byte to the last."""
    size = BLOCK * BLOCKS * 3 + 12_345
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(size)
        for place in (0, size // 2, size - 1):
            file.seek(place)
            file.write(b"x")
    digest = hashlib.sha256(f"{size}\n".encode())
    with path.open("rb") as file:
        for number in range(64):
            file.seek(number * (size - BLOCK) // 63)
            digest.update(file.read(BLOCK))
    before = fingerprint(path, folders)
    assert before.digest == digest.hexdigest()
    for place in (0, size - 1):
        with path.open("r+b") as file:
            file.seek(place)
            file.write(b"y")
        assert fingerprint(path, folders) != before


def test_content_is_what_counts(tmp_path: Path, folders: UserFolders) -> None:
    """A copy by another name has the same fingerprint, and a changed byte another one."""
    one, other = tmp_path / "C0103.mp4", tmp_path / "Übung 1.mp4"
    one.write_bytes(b"footage")
    other.write_bytes(b"footage")
    assert fingerprint(one, folders) == fingerprint(other, folders)
    other.write_bytes(b"Footage")
    assert fingerprint(one, folders) != fingerprint(other, folders)


def test_an_unchanged_file_is_read_once(tmp_path: Path, folders: UserFolders) -> None:
    """While size and mtime stay, the content is not read again: a change behind their back is not seen."""
    path = tmp_path / "file"
    path.write_bytes(b"footage")
    times = aged(path).stat()
    first = fingerprint(path, folders)
    path.write_bytes(b"FOOTAGE")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert fingerprint(path, folders) == first
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns + 1))
    assert fingerprint(path, folders) != first


def test_a_file_written_a_moment_ago_is_read_again(tmp_path: Path, folders: UserFolders) -> None:
    """A clock ticks too slowly to tell two writings within a moment apart, so a fresh file is not remembered."""
    path = tmp_path / "file"
    path.write_bytes(b"footage")
    times = path.stat()
    first = fingerprint(path, folders)
    path.write_bytes(b"FOOTAGE")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert fingerprint(path, folders) != first


def test_the_cache_may_be_lost_or_damaged(tmp_path: Path, folders: UserFolders) -> None:
    """A cache that is deleted, damaged, or cannot be made changes no answer."""
    path = tmp_path / "file"
    path.write_bytes(b"footage")
    aged(path)
    first = fingerprint(path, folders)
    (place,) = folders.cache.iterdir()
    place.write_bytes(b"no database at all" * 100)
    assert fingerprint(path, folders) == first
    place.unlink()
    assert fingerprint(path, folders) == first
    blocked = UserFolders(path, folders.state, folders.config)
    assert fingerprint(path, blocked) == first


@pytest.mark.parametrize("kind", ["gone", "folder"])
def test_what_cannot_be_read_is_named(tmp_path: Path, folders: UserFolders, kind: str) -> None:
    """A missing file and a folder are errors with their names."""
    if kind == "folder":
        (tmp_path / kind).mkdir()
    with pytest.raises(UnreadableMedia, match=kind):
        fingerprint(tmp_path / kind, folders)


READER = """
import sys
from pathlib import Path
from cutbook.files import UserFolders, fingerprint
base = Path(sys.argv[1])
folders = UserFolders(base / "cache", base / "state", base / "config")
for path in sorted((base / "takes").iterdir()):
    print(fingerprint(path, folders).short)
"""


def test_many_processes_share_the_cache(tmp_path: Path) -> None:
    """Processes that fingerprint the same files at once all give the same answers."""
    takes = tmp_path / "takes"
    takes.mkdir()
    for number in range(20):
        (takes / f"C{number}").write_bytes(bytes([number]) * 1000)
        aged(takes / f"C{number}")
    command = [sys.executable, "-c", READER, str(tmp_path)]
    workers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    answers = {worker.communicate(timeout=60)[0] for worker in workers}
    assert len(answers) == 1
    assert len(answers.pop().split()) == 20


def test_folders_of_a_user_are_found_and_not_made(tmp_path: Path) -> None:
    """Looking for the user's folders makes none of them, and the cache can be put elsewhere."""
    found = UserFolders.find(tmp_path / "mine")
    assert found.cache == tmp_path / "mine"
    assert not found.cache.exists()
    assert len({found.cache, found.state, found.config, UserFolders.find().cache}) == 4


def test_a_lock_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    """A state folder that cannot be written is said with its path."""
    (tmp_path / "state").write_bytes(b"")
    folders = UserFolders(cache=tmp_path / "cache", state=tmp_path / "state", config=tmp_path / "config")
    with pytest.raises(CannotWrite, match="locks cannot be written"), locked(tmp_path / "x", folders):
        pass


def test_file_that_can_be_made_anew_is_whole_too(tmp_path: Path) -> None:
    """Without waiting for the disk it is replaced in one go all the same, and nothing is left beside it."""
    target = tmp_path / "new" / "head.json"
    write_atomic(target, "one\n", sync=False)
    write_atomic(target, "two\n", sync=False)
    assert target.read_text(encoding="utf-8") == "two\n"
    assert [path.name for path in target.parent.iterdir()] == ["head.json"]
