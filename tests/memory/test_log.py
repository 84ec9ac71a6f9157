from __future__ import annotations

import datetime as dt
from pathlib import Path

import frontmatter
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutbook.errors import MemoryLogError
from cutbook.memory import front, log
from cutbook.memory.marks import Target
from cutbook.memory.served import fold

EXAMPLE = """\
---
schema: cutbook/1
uuid: 0b0e
---

## Session 4 — 2026-11-30

**Strategy:** Tighten the opening, keep the demo first. <!-- m s-4 upto:e-0xw3c -->

**Decisions:**
- Hook is C0103 2.52–5.36: no slip. <!-- m d-k7f2q media:C0103=48210944.9f2c11aa03be odd:thing -->
- No longer: "Jump cuts" (session 3). They tired. <!-- m e-0xw3c abandon d-9m4ta d-1-1=3fd679759e52 -->

**Reasoning log:**
- Room tone from C0101. <!-- m r-3hx0v -->

**Outstanding:**
- End card needs the new logo. <!-- m o-71bqs -->
"""

PIECES = [
    "## Session 1 — 2026-11-28", "### Session 2", "# Session 3 - Nov 30, 2026", "**Strategy:** x", "**Decisions:**",
    "- a",
    "* b <!-- m d-abcde -->", "1. c", "  - deeper", "```", "~~~~", "````py", "---", "title: x", "<!--", "-->",
    "| a | b |",
    "\ufeff", "\u2028", "\x85", "\r", "\x00", "[x] done", "<<<<<<< ours", "**Odd label:** y", "", "   ", "`" * 40,
]  # fmt: skip


def sections(text: str) -> list[tuple[int, dt.date | None]]:
    """Give number and date of each session that is read."""
    return [(each.number, each.date) for each in log.parse(text.encode()).sections]


@given(st.binary() | st.lists(st.sampled_from(PIECES), max_size=30).map("\n".join).map(str.encode))
def test_a_log_gives_back_its_bytes(data: bytes) -> None:
    """Reading any bytes never raises, and writing what was read gives exactly these bytes."""
    assert log.serialise(log.parse(data)) == data


@given(st.lists(st.sampled_from(PIECES), max_size=30), st.sampled_from(["\n", "\r\n"]))
def test_line_ends_do_not_change_what_is_read(pieces: list[str], end: str) -> None:
    """The same text with CRLF is read as with LF."""
    plain = [piece.replace("\r", "") for piece in pieces]
    one = log.parse("\n".join(plain).encode())
    other = log.parse(end.join(plain).encode())
    assert [(e.id, e.text) for e in one.entries] == [(e.id, e.text) for e in other.entries]
    assert [each.number for each in one.sections] == [each.number for each in other.sections]


def test_the_format_is_read_whole() -> None:
    """Every part of a section that follows the format is read."""
    read = log.parse(EXAMPLE.encode())
    (section,) = read.sections
    assert read.front == {"schema": "cutbook/1", "uuid": "0b0e"}
    assert (section.number, section.date) == (4, dt.date(2026, 11, 30))
    assert section.strategy == "Tighten the opening, keep the demo first."
    assert read.upto == {"e-0xw3c"}
    assert [(entry.id, entry.kind) for entry in read.entries] == [
        ("d-k7f2q", "d"), ("e-0xw3c", "e"), ("r-3hx0v", "r"), ("o-71bqs", "o"),
    ]  # fmt: skip
    decision, event, *_ = read.entries
    assert decision.text == "Hook is C0103 2.52–5.36: no slip."
    assert decision.mark is not None
    assert decision.mark.tokens == ("media:C0103=48210944.9f2c11aa03be", "odd:thing")
    assert event.mark is not None
    assert (event.mark.verb, event.mark.targets) == (
        "abandon",
        (Target("d-9m4ta"), Target("d-1-1", "3fd679759e52")),
    )


@pytest.mark.parametrize(
    ("heading", "number", "date"),
    [
        ("## Session 4 — 2026-11-30", 4, (2026, 11, 30)),
        ("## Session 4 – 30.11.2026", 4, (2026, 11, 30)),
        ("# Session 4 - Nov 30, 2026", 4, (2026, 11, 30)),
        ("### Session 12 — November 30, 2026: the opening", 12, (2026, 11, 30)),
        ("## Session 4 — 2026年11月30日", 4, (2026, 11, 30)),
        ("## Session 4 (2026-11-30)", 4, (2026, 11, 30)),
        ("## Session 4 — 2026-11-30 ##", 4, (2026, 11, 30)),
        ("## Session 4", 4, None),
        ("## Session 4: the opening", 4, None),
        ("## Session 4 — 2026-13-45", 4, None),
        ("   ## Session 4", 4, None),
    ],
)
def test_headings_of_sessions(heading: str, number: int, date: tuple[int, int, int] | None) -> None:
    """A heading of level 1 to 3 that begins "Session <number>" is a session, with its date in any usual form."""
    assert sections(f"{heading}\n\n**Strategy:** x\n") == [(number, dt.date(*date) if date else None)]


@pytest.mark.parametrize(
    "line",
    [
        "#### Session 4",
        "Session 4",
        "##Session 4",
        "    ## Session 4",
        "## Sessions 4",
        "## Session 4b",
        "## Session four",
        "## Session 2026-11-30",
        "## The Session 4",
        "> ## Session 4",
        "- ## Session 4",
    ],
)
def test_what_is_no_heading_of_a_session(line: str) -> None:
    """Deeper, indented, quoted or otherwise different headings are text."""
    assert sections(f"{line}\n") == []


def test_a_deeper_heading_is_a_session_only_with_a_date() -> None:
    """Below the level of the file's first session, a heading without a date belongs to the text."""
    text = "## Session 1\n### Session 7 was better\n### Session 2 — 2026-11-30\n# Session 3\n"
    assert [number for number, _ in sections(text)] == [1, 2, 3]


def test_a_closed_fence_hides_headings_and_an_open_one_does_not() -> None:
    """A heading between two fences is text; a fence that never closes is no fence."""
    assert sections("## Session 1\n```\n## Session 2\n```\n## Session 3\n") == [(1, None), (3, None)]
    assert sections("## Session 1\n```\n## Session 2\n") == [(1, None), (2, None)]
    assert sections("## Session 1\n````\n## Session 2\n```\n~~~\n## Session 3\n~~~\n") == [
        (1, None),
        (2, None),
    ]


def test_lines_end_at_lf_only() -> None:
    """U+2028 and U+0085 inside a bullet neither end it nor begin a heading."""
    text = "## Session 1\n**Decisions:**\n- one\u2028## Session 2\x85- two\n"
    assert sections(text) == [(1, None)]
    assert len(log.parse(text.encode()).entries) == 1


@pytest.mark.parametrize(
    "head",
    [
        "",
        "\ufeff",
        "---\ntitle: a\n---\n",
        "\ufeff---\r\ntitle: a\r\n---\r\n",
        "---\n- a\n- b\n---\n",
        '---\ntitle: "a\n---\n',
        "---\n# Session 9\n",
        "A note by hand.\n\n",
        "---\ndate: 2026-99-99\n---\n",
        "---\n? [a, {b}]\n: x\n---\n",
    ],
)
def test_any_head_of_a_file_leaves_the_sections_readable(head: str) -> None:
    """BOM, CRLF, no front matter, a list or broken YAML in its place: the session after it is read."""
    assert sections(f"{head}## Session 2 — 2026-11-30\n")[-1] == (2, dt.date(2026, 11, 30))


def test_front_matter_keeps_its_dates_as_text() -> None:
    """A date that YAML would turn into another type is read, and written quoted, as ISO text; keys keep their order."""
    assert front.split("---\nz: 2026-11-30\na: 1\n---\nbody")[0] == {"z": "2026-11-30", "a": 1}
    written = front.dump({"z": "2026-11-30T10:00:00+01:00", "a": 'x; "No longer:" %y'})
    assert written.startswith("---\nz: '2026-11-30T10:00:00+01:00'\na: ")
    assert frontmatter.loads(written).metadata == {
        "z": "2026-11-30T10:00:00+01:00",
        "a": 'x; "No longer:" %y',
    }


def test_fields_in_any_order_and_shape() -> None:
    """Fields may be missing, unknown, in another order, as headings, bullets, paragraphs or tables."""
    text = (
        "## Session 1\n**Outstanding**: the logo\n\n**Odd:** kept\n### Decisions\n1. first\n\n   more of it\n\n"
        "A paragraph\nof two lines.\n\n| take | why |\n| --- | --- |\n**Strategy:** go\non\n"
    )
    read = log.parse(text.encode())
    assert [(entry.id, entry.text) for entry in read.entries] == [
        ("o-1-1", "the logo"),
        ("d-1-1", "first more of it"),
        ("d-1-2", "A paragraph of two lines."),
        ("d-1-3", "| take | why | | --- | --- |"),
    ]
    assert read.sections[0].strategy == "go on"


def test_a_nested_bullet_belongs_to_its_parent_unless_it_is_an_entry_itself() -> None:
    """Detail bullets stay with the bullet above; one with a comment of its own is an entry of its own."""
    text = "## Session 1\n**Decisions:**\n- a <!-- m d-aaaaa -->\n  - detail\n  - b <!-- m d-bbbbb -->\n- c\n"
    read = log.parse(text.encode())
    assert [(entry.id, entry.text) for entry in read.entries] == [
        ("d-aaaaa", "a - detail"),
        ("d-bbbbb", "b"),
        ("d-1-3", "c"),
    ]


def test_an_id_found_twice_is_served_apart() -> None:
    """The second entry with an id is `id~2`; two sessions of one number keep their entries apart too."""
    text = "## Session 1\n**Decisions:**\n- a <!-- m d-aaaaa -->\n- b\n"
    text += text.replace("- b", "- c")
    assert [entry.id for entry in log.parse(text.encode()).entries] == [
        "d-aaaaa",
        "d-1-2",
        "d-aaaaa~2",
        "d-1-2~2",
    ]


def test_the_last_session_is_the_highest_number_then_the_latest() -> None:
    """Dates never decide which session is the last."""
    text = "## Session 3 — 2020-01-01\na\n## Session 3 — 2019-01-01\n**Strategy:** this\n## Session 2 — 2026-01-01\n"
    last = log.parse(text.encode()).last
    assert last is not None
    assert (last.strategy, log.parse(text.encode()).next_number) == ("this", 4)


@pytest.mark.parametrize("item", ["None", "None.", "n/a", "N/A", "无", "- None", "nothing", "*none*", "—"])
def test_items_that_say_there_is_none_are_no_entries(item: str) -> None:
    """An item that says "None" or the like is no entry, in any field."""
    assert (
        log.parse(f"## Session 1\n**Outstanding:**\n- {item}\n**Decisions:** {item}\n".encode()).entries == ()
    )


def test_what_is_outstanding() -> None:
    """With an id open until done; without one only in the last session; ticked or struck through: not open."""
    text = (
        "## Session 1\n**Outstanding:**\n- old by hand\n- a <!-- m o-aaaaa -->\n- b <!-- m o-bbbbb -->\n"
        "## Session 2\n**Outstanding:**\n- Done. <!-- m e-aaaaa done o-aaaaa -->\n- by hand\n"
        "- [x] ticked\n- ~~struck~~\n- [ ] box\n"
    )
    state = fold(log.parse(text.encode()))
    assert [entry.text for entry in state.outstanding] == ["b", "by hand", "box"]


def test_events_hit_what_they_meant_whatever_is_typed_above() -> None:
    """An event on a bullet without an id carries its text's hash: it follows it, and spares another in its place."""
    read = log.parse(b"## Session 1\n**Decisions:**\n- jump cuts\n")
    hashed = read.entries[0].text_hash
    event = f"## Session 2\n**Decisions:**\n- No longer. <!-- m e-aaaaa abandon d-1-1={hashed} -->\n"
    fits = fold(log.parse(f"## Session 1\n**Decisions:**\n- jump cuts\n{event}".encode()))
    pushed = fold(log.parse(f"## Session 1\n**Decisions:**\n- typed above\n- jump cuts\n{event}".encode()))
    assert fits.ended == {"d-1-1": "abandoned"}
    assert pushed.ended == {"d-1-2": "abandoned"}
    gone = fold(log.parse(f"## Session 1\n**Decisions:**\n- typed over\n{event}".encode()))
    twice = fold(log.parse(f"## Session 1\n**Decisions:**\n- x\n- jump cuts\n- jump cuts\n{event}".encode()))
    assert (gone.ended, twice.ended) == ({}, {})


def test_a_replacement_ends_what_it_names_and_not_itself() -> None:
    """`supersedes:` ends the entry named, an earlier or a later one in the file, and never its own."""
    text = (
        "## Session 2\n**Decisions:**\n- new "
        "<!-- m d-bbbbb supersedes:d-aaaaa supersedes:d-bbbbb supersedes:d-zzzzz -->\n"
        "## Session 1\n**Decisions:**\n- old <!-- m d-aaaaa -->\n"
    )
    assert fold(log.parse(text.encode())).ended == {"d-aaaaa": "superseded"}


def test_hostile_text_is_read_in_one_pass() -> None:
    """Many openings that never close are read like any text (a quadratic reader would not return)."""
    for piece in ("<!-- m d-aaaaa ", "<!--", "- <!-- -->\n", "`" * 3 + "\n~~~\n", "**a", "- x\n  - y\n"):
        data = (f"## Session 1\n**Decisions:**\n- {piece * 50_000}\n").encode()
        assert log.serialise(log.parse(data)) == data


def test_a_folder_in_its_place_is_a_clear_error(tmp_path: Path) -> None:
    """A project.md that cannot be read is an error of one line, and a missing one is None."""
    (tmp_path / "project.md").mkdir()
    with pytest.raises(MemoryLogError, match=r"project\.md cannot be read"):
        log.read(tmp_path / "project.md")
    assert log.read(tmp_path / "nothing.md") is None


# ---- what people and other tools write


def read_as(text: str) -> list[tuple[str, str]]:
    """Give each entry of a section's text by the letter of its kind."""
    data = f"## Session 2 — 2026-12-01\n\n{text}\n".encode()
    read = log.parse(data)
    assert log.serialise(read) == data
    return [(entry.kind, entry.text) for entry in read.entries]


@pytest.mark.parametrize("heading", ["## Notes from the client call", "### Client call", "# Call"])
@pytest.mark.parametrize("before", ["**Outstanding:**\n- Logo.", "### Outstanding\n- Logo."])
def test_what_stands_under_a_heading_of_ones_own_is_a_note(before: str, heading: str) -> None:
    """It is no task, though it stands behind the outstanding ones."""
    found = read_as(f"{before}\n\n{heading}\nThey want it shorter.\nAnd louder.\n\n- By Friday.")
    assert found == [("o", "Logo."), ("r", "They want it shorter. And louder."), ("r", "By Friday.")]


@pytest.mark.parametrize(("label", "deep"), [("**Decisions:**", "###"), ("### Decisions", "####")])
def test_headings_within_a_field_leave_it_what_it_is(label: str, deep: str) -> None:
    """Decisions that are sorted under headings of their own are decisions."""
    assert read_as(f"{label}\n\n{deep} Opening\n- a\n\n{deep} Close\n- b") == [("d", "a"), ("d", "b")]


def test_labels_need_no_bold() -> None:
    """Another tool's plain labels are fields; a line with a colon is not."""
    text = (
        "Strategy: rework the end.\nDecisions made:\n- Hook: C0103\n- No grade\nReasoning: the others hum\n"
        "Outstanding: colour\nNote: this goes on."
    )
    assert read_as(text) == [
        ("d", "Hook: C0103"),
        ("d", "No grade"),
        ("r", "the others hum"),
        ("o", "colour Note: this goes on."),
    ]
    assert log.parse(f"## Session 2\n{text}".encode()).sections[0].strategy == "rework the end."


def test_nul_bytes_of_a_crash_are_no_text() -> None:
    """They stay in the file and are in no entry."""
    assert read_as("**Outstanding:**\n- Logo." + "\0" * 9) == [("o", "Logo.")]


# ---- two strategies in one section

ONE = "**Strategy:** Buyers first. <!-- m s-2 upto:e-aaaaa -->"
TWO = "**Strategy:** Moved 1 range. <!-- m s-2 upto:e-bbbbb uuid:12345678-1234-4321-8765-123456789abc -->"
REST = "\n\n**Reasoning log:**\n- Typed.\n- Hum. <!-- m r-aaaaa -->"


@pytest.mark.parametrize("both", [f"{ONE}\n{TWO}", f"{TWO}\n\n{ONE}", f"{TWO}{REST}\n\n{ONE}"])
def test_a_merge_of_one_section_keeps_what_both_say(both: str) -> None:
    """Both came as far as they say; a person's words are the strategy, the other's a note behind all others."""
    read = log.parse(f"## Session 2 — 2026-12-01\n\n{both}{'' if REST in both else REST}\n".encode())
    assert read.upto == {"e-aaaaa", "e-bbbbb"}
    assert read.uuid == "12345678-1234-4321-8765-123456789abc"
    assert read.sections[0].strategy == "Buyers first."
    assert [(each.id, each.text) for each in read.entries] == [
        ("r-2-1", "Typed."),
        ("r-aaaaa", "Hum."),
        ("r-2-3", "Moved 1 range."),
    ]


def test_the_same_strategy_twice_is_one() -> None:
    """Nothing is noted that stands there already."""
    assert read_as(f"{ONE}\n\n{ONE.replace('aaaaa', 'ccccc')}") == []
