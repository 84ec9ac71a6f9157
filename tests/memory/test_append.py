from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import frontmatter
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutbook.errors import LogChanged, MemoryLogError
from cutbook.memory import log
from cutbook.memory.draft import persist
from cutbook.memory.log import Log, append, parse
from cutbook.memory.session import kernel
from tests.launch import tree
from tests.memory.crowd import at_once, killed, processes
from tests.memory.helpers import folders, session

SECTION = "## Session {number} — 2026-11-30\n\n**Strategy:** Next. <!-- m s-{number} -->\n"


def build(read: Log) -> str:
    """Make the shortest section."""
    return SECTION.format(number=read.next_number)


def appended(path: Path, before: bytes, base: Path) -> bytes:
    """Append to a file that holds `before`, and give what was added."""
    path.write_bytes(before)
    append(path, build, folders(base))
    after = path.read_bytes()
    assert after.startswith(before)
    return after[len(before) :]


@pytest.mark.parametrize(
    ("before", "gap"),
    [
        (b"x\n", "\n"),
        (b"x\n\n", ""),
        (b"x", "\n\n"),
        (b"\xef\xbb\xbfx\n", "\n"),
        (b"x\n## Session 1\n", "\n"),
    ],
)
def test_a_section_stands_after_one_empty_line(tmp_path: Path, before: bytes, gap: str) -> None:
    """The bytes that were there stay, and one empty line parts them from the new section, numbered on."""
    number = 2 if b"Session" in before else 1
    assert (
        appended(tmp_path / "project.md", before, tmp_path) == (gap + SECTION.format(number=number)).encode()
    )


def test_the_files_own_line_ends_are_used(tmp_path: Path) -> None:
    """A file with CRLF gets a section with CRLF."""
    added = appended(tmp_path / "project.md", b"# Launch\r\n\r\n## Session 7\r\n", tmp_path)
    assert added == b"\r\n" + SECTION.format(number=8).encode().replace(b"\n", b"\r\n")


def test_an_open_fence_is_closed_first(tmp_path: Path) -> None:
    """A fence that is open at the end is closed, so that the section is no code for any reader."""
    assert appended(tmp_path / "project.md", b"## Session 1\n````sh\nls", tmp_path).startswith(
        b"\n````\n\n## Session 2"
    )
    assert appended(tmp_path / "project.md", b"## Session 1\n~~~\nls\n", tmp_path).startswith(
        b"~~~\n\n## Session 2"
    )


def test_a_fence_is_not_closed_over_sections(tmp_path: Path) -> None:
    """Where closing an open fence would hide sessions that are read today, it is left alone."""
    added = appended(tmp_path / "project.md", b"## Session 1\n```\n## Session 2\n", tmp_path)
    assert added.startswith(b"\n## Session 3")


def test_a_fence_inside_a_list_item_ends_with_it(tmp_path: Path) -> None:
    """An open fence that belongs to a bullet needs no closing."""
    assert appended(tmp_path / "project.md", b"- a\n  ```\n  ls\n", tmp_path).startswith(b"\n## Session 1")


def test_a_symlink_and_the_mode_stay(tmp_path: Path) -> None:
    """The file behind a link is written; link and mode stay."""
    real = tmp_path / "elsewhere" / "memory.md"
    real.parent.mkdir()
    real.write_bytes(b"## Session 1\n")
    real.chmod(0o640)
    path = tmp_path / "project.md"
    path.symlink_to(real)
    append(path, build, folders(tmp_path))
    assert path.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640
    assert b"Session 2" in real.read_bytes()
    assert list(real.parent.iterdir()) == [real]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_utf16_is_refused(tmp_path: Path, encoding: str) -> None:
    """Nothing is appended to UTF-16, and the file stays as it is."""
    path = tmp_path / "project.md"
    bom = b"\xfe\xff" if encoding == "utf-16-be" else b""
    path.write_bytes(bom + "## Session 1\n".encode(encoding))
    before = path.read_bytes()
    with pytest.raises(MemoryLogError, match="UTF-16"):
        append(path, build, folders(tmp_path))
    assert path.read_bytes() == before


def test_conflict_markers_get_a_warning(tmp_path: Path) -> None:
    """A half-done merge is appended to and warned about; both sides' sections are read."""
    path = tmp_path / "project.md"
    path.write_bytes(b"<<<<<<< ours\n## Session 2\n=======\n## Session 2\n>>>>>>> theirs\n")
    append(path, build, folders(tmp_path))
    read = parse(path.read_bytes())
    assert [each.number for each in read.sections] == [2, 2, 3]
    assert "conflict markers" in read.warnings[0]


def test_nothing_is_written_when_there_is_nothing_to_say(tmp_path: Path) -> None:
    """Where no section is made, no file is made and none is touched."""
    path = tmp_path / "edit" / "project.md"
    assert append(path, lambda _: None, folders(tmp_path)) is None
    assert not path.parent.exists()


TAILS = [
    "## Session 1", "# Session 7 — 2026-11-30", "### Session 2", "```", "~~~~", "  ```sh", "- a", "  - b", "<!--",
    "---", "title: x", "**Strategy:** x", "**Decisions:**", "| a |", "\ufeff", "\r", "\x00", "\udc80",
    "", "    ## Session 3",
]  # fmt: skip


@given(st.lists(st.sampled_from(TAILS), max_size=12).map("\n".join), st.booleans())
def test_a_section_is_readable_after_any_file(text: str, ended: bool) -> None:  # noqa: FBT001
    """Whatever stands in a file, a section appended to it is read, and so is every one that was read before."""
    before = f"{text}{chr(10) * ended}".encode("utf-8", "surrogateescape")
    old = parse(before)
    after = log._joined(before, old, build(old), {"schema": "cutbook/1"})
    new = parse(after)
    assert after.startswith(before)
    assert [each.number for each in new.sections] == [
        *(each.number for each in old.sections),
        old.next_number,
    ]
    assert new.sections[-1].strategy == "Next."
    assert [entry.id for entry in new.entries] == [entry.id for entry in old.entries]


def test_what_another_program_appends_meanwhile_is_kept(tmp_path: Path) -> None:
    """Bytes appended without the lock while a section is made stand before it, and it is numbered after them."""
    path = tmp_path / "project.md"
    path.write_bytes(b"## Session 1\n")
    calls: list[int] = []

    def slow(read: Log) -> str:
        if not calls:
            with path.open("ab") as file:
                file.write(b"\n## Session 2\nby hand\n")
        calls.append(read.next_number)
        return build(read)

    append(path, slow, folders(tmp_path))
    assert calls == [2, 3]
    assert [each.number for each in parse(path.read_bytes()).sections] == [1, 2, 3]


def test_a_file_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    """When the bytes read are no longer a prefix of the file, nothing is written."""
    path = tmp_path / "project.md"
    path.write_bytes(b"## Session 1\n")

    def rude(read: Log) -> str:
        path.write_bytes(b"## Session one, edited by hand\n")
        return build(read)

    with pytest.raises(LogChanged, match="changed by another program"):
        append(path, rude, folders(tmp_path))
    assert path.read_bytes() == b"## Session one, edited by hand\n"
    assert list(tmp_path.glob(".project*")) == []


def test_a_new_file_has_front_matter_once(tmp_path: Path) -> None:
    """The file is made with a front matter that python-frontmatter reads; a second section leaves it alone."""
    work = session(tmp_path)
    work.note("note", entry="r-aaaaa", text="one")
    persist(work, title="Launch")
    first = frontmatter.load(str(work.log_path))
    assert list(first.metadata) == ["schema", "title", "uuid", "created", "read"]
    assert (first["schema"], first["title"], first["created"]) == (
        "cutbook/1",
        "Launch",
        "2026-11-30T12:00:00+00:00",
    )
    assert "created: '2026-11-30T12:00:00+00:00'" in work.log_path.read_text()
    work.note("note", entry="r-bbbbb", text="two")
    persist(work)
    assert frontmatter.load(str(work.log_path)).metadata == first.metadata
    assert work.log_path.read_text().count("---\n") == 2


def test_a_file_without_front_matter_carries_its_uuid_in_the_strategy(tmp_path: Path) -> None:
    """Where another tool made the file, its head stays, and every section names the same uuid."""
    work = session(tmp_path)
    work.edit.mkdir(parents=True)
    work.log_path.write_text("## Session 1 — 2026-11-01\n\n**Strategy:** By another tool.\n")
    for name in ("r-aaaaa", "r-bbbbb"):
        work.note("note", entry=name, text=name)
        persist(work)
    text = work.log_path.read_text()
    found = re.findall(r"uuid:(\S+) -->", text)
    assert len(found) == 2
    assert len(set(found)) == 1
    assert parse(text.encode()).uuid == found[0]


CHILD = """
    import sys
    from pathlib import Path
    from tests.memory.helpers import session
    from cutbook.memory.draft import persist
    work = session(Path(sys.argv[1]))
"""


def child(code: str, *args: object) -> subprocess.CompletedProcess[str]:
    """Run code in a process of its own, with `work` as the open session of the folder given first."""
    script = textwrap.dedent(CHILD) + textwrap.dedent(code)
    path = os.pathsep.join(entry for entry in sys.path if entry)
    command = [sys.executable, "-c", script, *map(str, args)]
    return subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path}, check=False
    )


def test_forty_processes_persist_at_once(tmp_path: Path) -> None:
    """Forty processes that note and persist at once leave forty whole sections, numbered 1 to 40."""
    context = processes()
    gate, numbers = context.Barrier(40), context.Queue()
    crowd = [context.Process(target=at_once, args=(tmp_path, number, gate, numbers)) for number in range(40)]
    for each in crowd:
        each.start()
    told = sorted(numbers.get(timeout=120) for _ in crowd)
    for each in crowd:
        each.join()
    numbers.close()
    read = parse((tmp_path / "launch/edit/project.md").read_bytes())
    assert told == list(range(1, 41))
    assert [each.number for each in read.sections] == list(range(1, 41))
    assert sorted(entry.text for entry in read.entries) == sorted(f"I am number {n}." for n in range(40))
    assert not list((tmp_path / "launch/edit").glob(".project*"))


def test_a_kill_at_any_step_leaves_one_section(tmp_path: Path) -> None:
    """Killed at any step of writing, the log is the old one or the new one; persisting again gives one section."""
    old = b"## Session 1\n\n**Strategy:** Old.\n"
    outcomes = set()
    for step in range(1, 60):
        base = tmp_path / str(step)
        work = session(base)
        work.edit.mkdir(parents=True)
        work.log_path.write_bytes(old)
        work.note("note", entry="r-aaaaa", text="Only once.")
        # This process is alive, and only what a dead one noted is taken over by another.
        work.path.write_text(work.path.read_text().replace(kernel(work.folders), "gone"))
        process = processes().Process(target=killed, args=(base, step))
        process.start()
        process.join()
        after = work.log_path.read_bytes()
        if after != old:
            assert [each.number for each in parse(after).sections] == [1, 2]
        outcomes.add((process.exitcode, after != old))
        assert b"Only once." in work.path.read_bytes()
        persist(session(base))
        assert work.log_path.read_bytes().count(b"Only once.") == 1
        assert not list(work.edit.glob(".project*"))
        if process.exitcode == 0:
            break
    assert outcomes == {(-9, False), (-9, True), (0, True)}


def test_a_full_disk_is_one_clear_line_and_loses_nothing(tmp_path: Path) -> None:
    """When the new file does not fit, the error says so, the old file is whole and the session is kept."""
    work = session(tmp_path)
    work.edit.mkdir(parents=True)
    work.log_path.write_bytes(b"## Session 1\n" + b"x" * 200_000 + b"\n")
    before = work.log_path.read_bytes()
    code = """
        import resource, signal
        work.note("note", entry="r-aaaaa", text="kept")
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        try:
            persist(work)
        except Exception as error:
            print(type(error).__name__, error)
    """
    process = child(code, tmp_path)
    assert process.stdout.startswith("MemoryLogError "), process.stderr
    assert "the old file is whole and the open session is kept" in process.stdout
    assert work.log_path.read_bytes() == before
    assert sorted(each.name for each in work.edit.iterdir()) == ["project.md", "session.jsonl"]
    assert persist(work) is not None


def test_a_place_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    """Where `edit` is no folder, noting and persisting say so in one line."""
    work = session(tmp_path)
    work.edit.parent.mkdir()
    work.edit.write_text("a file")
    with pytest.raises(MemoryLogError, match=r"session\.jsonl cannot be (read|written)"):
        work.note("note", entry="r-aaaaa", text="x")
    with pytest.raises(MemoryLogError, match=r"project\.md"):
        append(work.log_path, build, folders(tmp_path))
    assert log.parse(b"").sections == ()


def test_a_folder_without_permission_is_read_and_refuses_in_one_line() -> None:
    """Another user's folder: resume, show, search and context work; noting and persisting say what is wrong."""
    base = Path(tempfile.mkdtemp(prefix="cutbook-"))
    try:
        work = session(base)
        work.note("note", entry="r-aaaaa", text="kept")
        persist(work)
        work.note("todo", entry="o-aaaaa", text="unsaved")
        for path in (base, base / "launch", work.edit):
            path.chmod(0o555)
        for path in work.edit.iterdir():
            path.chmod(0o444)
        before = tree(base / "launch")
        code = """
            import os
            from cutbook.memory.verbs import Memory
            from cutbook.memory.session import Session
            from cutbook.files import UserFolders
            home = Path(sys.argv[2])
            theirs = UserFolders(home / "cache", home / "state", home / "config")
            import frontmatter.default_handlers, sqlite3
            if os.geteuid() == 0:
                os.seteuid(65534)
            work = Session(Path(sys.argv[1]) / "launch" / "edit", theirs)
            mind = Memory(work, takes=dict, edl=lambda: None)
            print(mind.resume().sentence, len(mind.show()), len(mind.search("kept")), mind.context().meta["returned"])
            for act in (lambda: mind.note("x"), mind.persist):
                try:
                    act()
                except Exception as error:
                    print(type(error).__name__, error)
        """
        home = base.with_name(f"{base.name}-home")
        home.mkdir()
        home.chmod(0o777)
        process = child(code, base, home)
        said = process.stdout.splitlines()
        assert process.returncode == 0, process.stderr
        assert said[0].startswith("Session 1 (2026-11-30): Wrote down 1 note. 2 1 ")
        assert said[1].startswith("MemoryLogError ")
        assert "session.jsonl cannot be written: Permission denied" in said[1]
        assert said[2].startswith("MemoryLogError ")
        assert "Permission denied; the old file is whole and the open session is kept" in said[2]
        assert len(said) == 3
        assert tree(base / "launch") == before
    finally:
        for path in (base, base / "launch", base / "launch" / "edit"):
            path.chmod(0o755)
        shutil.rmtree(base)
        shutil.rmtree(base.with_name(f"{base.name}-home"), ignore_errors=True)


def test_what_is_typed_in_between_stays(tmp_path: Path) -> None:
    """A person edits the log between two persists: every byte of it stays, the numbers go on, the draft is kept."""
    work = session(tmp_path)
    work.note("note", entry="r-aaaaa", text="One.")
    persist(work)
    work.note("note", entry="r-bbbbb", text="Two.")
    typed = work.log_path.read_bytes().replace(b"One.", b"One, said better.") + b"\n## Session 7\n\n- mine\n"
    work.log_path.write_bytes(typed)
    section = persist(session(tmp_path))
    assert section is not None
    after = work.log_path.read_bytes()
    assert after.startswith(typed)
    assert [each.number for each in parse(after).sections] == [1, 7, 8]
    assert after.count(b"Two.") == 1


@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf"])
def test_an_empty_file_is_begun_like_a_new_one(tmp_path: Path, before: bytes) -> None:
    """An empty file, or one with nothing but a BOM, gets its front matter."""
    path = tmp_path / "project.md"
    path.write_bytes(before)
    append(path, build, folders(tmp_path), front_matter={"schema": "cutbook/1"})
    assert path.read_bytes().startswith(before + b"---\nschema: cutbook/1\n---\n\n## Session 1")
    assert parse(path.read_bytes()).front == {"schema": "cutbook/1"}


def test_a_process_that_ends_leaves_no_lock_of_its_own(tmp_path: Path) -> None:
    """What tells that a notebook is running goes with it."""
    process = child('work.note("note", entry="r-aaaaa", text="x")', tmp_path)
    assert process.returncode == 0, process.stderr
    assert list((folders(tmp_path).state / "kernels").iterdir()) == []
    assert len(session(tmp_path).mine(Log())) == 1
