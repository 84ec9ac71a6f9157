"""A log read the quick way is read as by the grammar, whatever stands in it and wherever a hand was at it."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from cutbook.files import UserFolders
from cutbook.memory import front, shelf
from cutbook.memory.log import Entry, parse, read, serialise
from cutbook.memory.marks import Mark

LINES = st.sampled_from(
    [
        "- Keep it. <!-- m d-aaaaa media:C0103=48210944.9f2c11aa03be words:C0103#1.00-2.00=77ab90cc12de -->",
        "- Keep this too. <!-- m d-bbbbb supersedes:d-aaaaa -->",
        "- <!-- m d-ccccc -->",
        "- No comment follows.<!-- m d-ddddd -->",
        "- Two spaces in it. <!-- m d-eeeee  media:C0103=1.000000000000 -->",
        "- A word in it. <!-- m d-fffff word -->",
        "- Its end is not the line's. <!-- m d-ggggg --> more",
        "- Space at the end. <!-- m d-hhhhh --> ",
        "- a < b <!-- m d-iiiii -->",
        "- <b>bold</b> <!-- m d-jjjjj -->",
        "- two <!-- m d-kkkkk --> comments <!-- m d-lllll -->",
        "- No longer: “Keep it.” (session 1). It tired. <!-- m e-mmmmm abandon d-aaaaa -->",
        "- not closed <!-- m d-nnnnn",
        "- odd <!-- m d-toolong1 -->",
        "- odd <!-- m x-aaaaa -->",
        "- strategy's <!-- m s-1 upto:e-0xw3c -->",
        "- [x] Logo <!-- m o-ooooo -->",
        "- ~~gone~~ <!-- m o-ppppp -->",
        "- [x]",
        "- typed by hand",
        "- None.",
        "-  two spaces",
        "-\ttab",
        "- ",
        "-",
        "- - bullet in it",
        "- 1. number in it",
        "- # heading in it",
        "- **Label:** in it",
        "- `code` and ~~struck~~",
        "* star <!-- m d-qqqqq -->",
        "1. number",
        "  - nested <!-- m d-rrrrr -->",
        "  continued",
        "- \\# escaped, &lt;!-- m d-zzzzz -->",
        "- 观众喜欢 <!-- m d-sssss -->",
        "- \u3000wide\u2028line \x0b\x1c",
        "- ended \r",
        "text",
        "",
        " ",
        "```",
        "~~~~ md",
        "| a | b |",
        "> quoted",
        "---",
        "## Session 2 — 2026-12-01",
        "## Session 2 — 2026-13-41",
        "## Session 3",
        "### Session 4 - Dec 2, 2026: title",
        "### Session 5",
        "# Other",
        "### Decisions",
        "**Decisions:**",
        "**Decisions:** on the line",
        "**Decisions**:",
        "**Decision:**",
        "**Reasoning log:**",
        "**reasoning log:**",
        "**Outstanding:**",
        "**Strategy:** Cut. <!-- m s-2 upto:e-0xw3c -->",
        "**Strategy:** two words",
        "**Strategy:**",
        "**Strategy:** - bullet",
        "**Strategy:** \\*\\*bold",
        "**Else:**",
        "**bold** text",
        "__Decisions:__",
        " **Decisions:**",
        "Strategy: plain",
        "Decisions made:",
        "Outstanding: Logo",
        "Note: this is none",
        "## Notes from the client call",
        "#### Deeper <!-- m d-ttttt -->",
        "- ended \0\0",
        "**Strategy:** Moved 1 range. <!-- m s-2 upto:e-bbbbb auto:0123456789ab -->",
    ]
)
HEADS = st.sampled_from(
    ["", "---\ntitle: x\n---\n", "---\ntitle: [\n---\n", "notes\n", "\ufeff---\na: 1\n---\n"]
)


@given(
    lines=st.lists(LINES | st.text(max_size=12), max_size=24),
    head=HEADS,
    end=st.sampled_from(["\n", "\r\n"]),
    first=st.booleans(),
)
@example(lines=["**Decisions:**", "- a <!-- m d-aaaaa -->"] * 2, head="", end="\n", first=True)
def test_the_quick_way_and_the_grammar_agree(lines: list[str], head: str, end: str, *, first: bool) -> None:
    """Any lines give the same sections, fields, entries and ids in both ways, and the same bytes back."""
    rows = [*(["## Session 1 — 2026-11-30"] if first else []), *lines]
    data = (head + end.join(rows)).encode("utf-8", "surrogatepass")
    quick, whole = parse(data), parse(data, quick=False)
    assert quick == whole
    assert [list(each.fields) for each in quick.sections] == [list(each.fields) for each in whole.sections]
    assert serialise(quick) == data


def written(sessions: int) -> str:
    """Write a log of so many sessions as cutbook does."""
    return "---\nschema: cutbook/1\n---\n" + "".join(
        f"\n## Session {n} — 2026-11-{n:02}\n\n**Strategy:** Part {n}. <!-- m s-{n} upto:e-0xw3c -->\n\n"
        f"**Decisions:**\n- Keep {n}. <!-- m d-aaa{n:02} media:C0103=48210944.9f2c11aa03be -->\n- Typed.\n"
        f"\n**Outstanding:**\n- [x] Logo. <!-- m o-bbb{n:02} -->\n"
        for n in range(1, sessions + 1)
    )


@given(at=st.integers(min_value=0, max_value=900), cut=st.integers(0, 40), put=LINES | st.text(max_size=9))
def test_a_hand_in_the_middle_is_read_alike(at: int, cut: int, put: str) -> None:
    """Bytes taken out and put in anywhere in a log of cutbook's own are read in both ways alike."""
    text = written(5)
    data = f"{text[:at]}{put}{text[at + cut :]}".encode("utf-8", "surrogatepass")
    assert parse(data) == parse(data, quick=False)
    assert serialise(parse(data)) == data


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    before=st.lists(LINES, max_size=20),
    after=st.lists(LINES, max_size=8),
    own=st.integers(0, 3),
    hand=st.none() | st.tuples(st.integers(min_value=0, max_value=900), LINES),
)
def test_what_was_kept_of_a_log_changes_nothing_that_is_read(
    tmp_path: Path, before: list[str], after: list[str], own: int, hand: tuple[int, str] | None
) -> None:
    """Whatever is appended to a log, and wherever a hand was at it since, it is read as if nothing had been kept."""
    place = UserFolders(*(tmp_path / name for name in ("cache", "state", "config")))
    old = f"{written(own)}\n" + "\n".join(before) + "\n"
    data = old.encode("utf-8", "surrogatepass")
    shelf.keep(data, parse(data), tmp_path / "project.md", place)
    text = f"{old[: hand[0]]}{hand[1]}{old[hand[0] :]}" if hand else old
    new = (text + "\n".join(after)).encode("utf-8", "surrogatepass")
    known = shelf.recall(new, tmp_path / "project.md", place)
    assert parse(new, known=known) == parse(new, quick=False)


def test_a_long_log_is_kept_in_the_cache_and_read_on_from_there(tmp_path: Path) -> None:
    """Another process reads the end alone; what is damaged, old or of other bytes is passed over."""
    place = UserFolders(*(tmp_path / name for name in ("cache", "state", "config")))
    path = tmp_path / "edit" / "project.md"
    path.parent.mkdir()
    data = written(20).encode()
    head, _, rest = data.partition(b"\n## ")
    data = head + b"\n" + b"A note.\n" * (shelf.LARGE // 8) + b"\n## " + rest
    path.write_bytes(data)
    whole = parse(data, quick=False)
    assert read(path, place) == whole
    (kept,) = (place.cache / "logs").iterdir()
    known = shelf.recall(data, path, place)
    assert known is not None
    assert (known.sections, known.level) == (whole.sections[:-1], 2)
    assert parse(data, known=known) == whole
    more = data + b"\n## Session 21 \xe2\x80\x94 2026-12-24\n\n**Decisions:**\n- New. <!-- m d-ccc21 -->\n"
    assert shelf.recall(more, path, place) == known
    assert shelf.recall(data.replace(b"Keep 2.", b"Keep 9."), path, place) is None
    assert shelf.recall(data[: known.end], path, place) is None
    good = kept.read_bytes()
    other = json.dumps({**json.loads(good.partition(b"\n")[2]), "form": "0"}).encode()
    kept.write_bytes(hashlib.sha256(other).hexdigest().encode() + b"\n" + other)
    assert shelf.recall(data, path, place) is None
    for bad in (b"", good[:-9], good.replace(b"Keep 2.", b"Keep 9."), b"[]", b"\n{}"):
        kept.write_bytes(bad)
        assert shelf.recall(data, path, place) is None
    assert [each.name for each in path.parent.iterdir()] == ["project.md"]


def test_a_place_without_a_cache_reads_as_well(tmp_path: Path) -> None:
    """Where nothing can be kept the log is read whole, without a word."""
    (tmp_path / "file").write_text("no folder")
    place = UserFolders(*(tmp_path / "file" / name for name in ("cache", "state", "config")))
    data = written(3).encode()
    shelf.keep(data, parse(data), tmp_path / "project.md", place)
    assert shelf.recall(data, tmp_path / "project.md", place) is None


def test_what_cutbook_writes_is_read() -> None:
    """The quick way gives the values that stand in the text."""
    section = parse(written(3).encode()).sections[1]
    assert (section.number, section.date, section.title) == (2, dt.date(2026, 11, 2), "")
    assert (section.strategy, section.mark) == ("Part 2.", Mark("s-2", tokens=("upto:e-0xw3c",)))
    assert section.fields == {
        "": (),
        "Decisions": (
            Entry(
                "d-aaa02", "d", 2, "Keep 2.", Mark("d-aaa02", tokens=("media:C0103=48210944.9f2c11aa03be",))
            ),
            Entry("d-2-2", "d", 2, "Typed."),
        ),
        "Outstanding": (Entry("o-bbb02", "o", 2, "[x] Logo.", Mark("o-bbb02"), ticked=True),),
    }


KEYS = st.sampled_from(["schema", "title", "on", "Null", "a-b", "1", "?", "'q'", "k" * 70])
VALUES = st.sampled_from(
    [
        "cutbook/1",
        "Yes",
        "off",
        "null",
        "a: b",
        "a:b",
        "a:",
        "a #b",
        "a#b",
        "'it''s'",
        "'2026-11-30T12:00:00+00:00'",
        "2026-11-30",
        '"No longer:" ends',
        '"a\\tb"',
        "'a' b",
        "610d38dd-1007-4e1f-855e-1810526a4719",
        "12345678-1234-1234-1234-123456789012",
        "[a, b]",
        "a, b]",
        "*a",
        "a | b",
        "",
        "观众",
        "a\u3000",
        "a \u2028b",
        "a\tb",
    ]
)
LETTERS = st.text("ab:#'\" \\-1[]{}&*!|>%@`,~=.\t\x85\u2028\ufeffé观", max_size=12)


@given(
    st.lists(
        st.tuples(
            KEYS, st.sampled_from([":", ": ", ":  "]), VALUES | LETTERS, st.sampled_from(["", " ", " #c"])
        ).map("".join),
        max_size=4,
    )
)
def test_front_matter_is_read_as_yaml_reads_it(lines: list[str]) -> None:
    """The block that cutbook writes, and any other, has the values that YAML gives it, or none where YAML fails."""
    block = "".join(f"{line}\n" for line in lines)
    try:
        loaded = front.handler().load(block)
    except Exception:  # noqa: BLE001 - whatever YAML raises
        loaded = None
    expected = (
        {
            str(key): value.isoformat() if isinstance(value, dt.date) else value
            for key, value in loaded.items()
        }
        if isinstance(loaded, dict)
        else {}
    )
    assert front.split(f"---\n{block}---\n")[0] == expected
