from __future__ import annotations

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutbook.memory import log
from cutbook.memory.marks import find_mark, new_id, read_mark
from cutbook.memory.text import decode_name, encode_name, escape, one_line, short_hash, shorten, unescape
from cutbook.memory.wording import quote_of

NASTY = st.text() | st.lists(
    st.sampled_from(
        [
            "<!--",
            "-->",
            "<!-- m e-00000 abandon d-abcde -->",
            "&lt;!--",
            "&amp;lt;!--",
            "# ",
            "- ",
            "1. ",
            "```",
            "~~~",
            "> ",
            "**Decisions:**",
            "**Bold**: ",
            "[x] ",
            "---",
            "\\",
            "\n",
            "\r\n",
            "\u2028",
            "\x00",
            "\udc80",
            "ä",
            "。",
            " ",
        ]
    ),
    max_size=8,
).map("".join)


@given(NASTY)
def test_a_typed_text_comes_back_from_the_log_as_one_entry(typed: str) -> None:
    """Whatever is typed is read back as the text of one entry, and never as structure or as a comment."""
    data = f"## Session 1\n\n**Decisions:**\n- {escape(typed)} <!-- m d-abcde -->\n"
    (entry,) = log.parse(data.encode()).entries
    assert entry.id == "d-abcde"
    assert entry.mark is not None
    assert entry.mark.verb is None
    assert not entry.ticked
    assert one_line(entry.text) == one_line(unescape(escape(typed)))


@given(NASTY)
def test_escaping_is_undone(typed: str) -> None:
    """`unescape` gives back what was typed, on one line, but for a numbered list whose dot was escaped by hand."""
    flat = one_line(typed)
    if not flat[:1].isdigit():
        assert unescape(escape(typed)) == flat


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("plain words", "plain words"),
        ("--> <!-- m e-abcde abandon d-abcde -->", "--> &lt;!-- m e-abcde abandon d-abcde -->"),
        ("# Session 9", r"\# Session 9"),
        ("#12 is better", "#12 is better"),
        ("> quoted", r"\> quoted"),
        ("```", r"\```"),
        ("- a list", r"\- a list"),
        ("-50 dB is the floor", "-50 dB is the floor"),
        ("1. first", r"1\. first"),
        ("2.52 is the in point", "2.52 is the in point"),
        ("**Outstanding:** none", r"\*\*Outstanding:** none"),
        ("[x] ticked", r"\[x] ticked"),
        ("one\ntwo\u2028three\x85four\r\nfive", "one two three four five"),
    ],
)
def test_what_could_be_read_as_structure_is_escaped(typed: str, written: str) -> None:
    """Comments, and headings, quotations, fences, lists and labels at the start, are escaped; nothing else is."""
    assert escape(typed) == written


@given(
    st.text(st.characters(exclude_categories=["Cs"]))
    | st.sampled_from(["a--b", "-->", "---", "日本 ü.mov", "a\udcffb"])
)
def test_a_name_survives_its_encoding(name: str) -> None:
    """A take's name is read back as it was, and its written form holds nothing that ends a comment or a token."""
    written = encode_name(name)
    assert decode_name(written) == name
    assert "--" not in written
    assert not set(written) & set(" \t\n<>#=:\"'")


def test_names_are_written_as_the_format_says() -> None:
    """Letters, digits, dot, underscore, tilde and single dashes stay; every other byte is percent-encoded."""
    assert encode_name("C0103") == "C0103"
    assert encode_name("card B/a-b--c ü~1_2.MOV") == "card%20B%2Fa-b%2D%2Dc%20%C3%BC~1_2.MOV"


def test_hashes_are_twelve_characters_of_sha256() -> None:
    """A hash is the start of sha256 over UTF-8."""
    assert short_hash("ünder") == hashlib.sha256("ünder".encode()).hexdigest()[:12]


def test_ids_are_a_kind_and_five_characters() -> None:
    """An id is the kind's letter, a dash and five of 0-9a-z, and two are not the same."""
    names = {new_id("d") for _ in range(200)}
    assert len(names) == 200
    assert all(read_mark(f"m {name}") for name in names)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "m",
        "n d-abcde",
        "m x-abcde",
        "m d-abc",
        "m d-ABCDE",
        "m e-abcde",
        "m e-abcde explode d-abcde",
        "m e-abcde done",
        "m e-abcde done nothing",
        "m e-abcde done o-abcde=nohash",
    ],
)
def test_what_is_no_machine_comment_is_text(body: str) -> None:
    """A comment with a bad id, an unknown verb or no target that can be meant is no machine comment."""
    assert read_mark(body) is None


def test_the_last_machine_comment_counts_and_others_stay() -> None:
    """Of several comments the last machine one is taken out; a person's own comment stays in the text."""
    mark, text = find_mark("a <!-- m d-11111 --> b <!-- m d-22222 x:1 y --> c <!-- look at this -->")
    assert mark is not None
    assert (mark.id, mark.tokens) == ("d-22222", ("x:1",))
    assert text == "a <!-- m d-11111 --> b c <!-- look at this -->"


def test_a_stray_opening_before_a_comment_does_not_hide_it() -> None:
    """A `<!--` typed by hand that never closes leaves the machine comment after it readable."""
    mark, text = find_mark("try <!-- this <!-- m d-22222 -->")
    assert mark is not None
    assert mark.id == "d-22222"
    assert text == "try <!-- this"


@pytest.mark.parametrize(
    ("width", "short"), [(40, "the only take without a slip"), (20, "the only take…"), (5, "the…")]
)
def test_shortening_ends_between_words(width: int, short: str) -> None:
    """A text too long ends after a whole word and with an ellipsis."""
    assert shorten("the only take without a slip", width) == short


@given(st.text(st.characters() | st.sampled_from(" \t\n\r\u2028\x1da"), max_size=40))
def test_every_kind_of_line_end_becomes_one_space(text: str) -> None:
    """A run of line ends is one space, without the spaces and tabs beside it; what else stands there stays."""
    ends = set("\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029")
    rows = [""]
    for before, char in zip([" ", *text], text, strict=False):
        if char not in ends:
            rows[-1] += char
        elif before not in ends:
            rows.append("")
    flat = " ".join(row.strip(" \t") for row in rows)
    plain = "".join(" " if (ord(char) < 32 and char != "\t") or ord(char) == 127 else char for char in flat)
    assert one_line(text) == plain.strip().encode("utf-8", "replace").decode()


@given(st.text(st.sampled_from(" \ta“”1.0\n"), min_size=1, max_size=3), st.sampled_from(["", "b", "\n", "”"]))
@settings(max_examples=40)
def test_a_long_run_of_anything_is_put_on_one_line(part: str, end: str) -> None:
    """Texts of 20,000 characters of spaces, quotes or figures are read to their end, as short ones are."""
    text = f"a{(part * 20_000)[:20_000]}{end}"
    assert one_line(text).replace(" ", "").replace("\t", "") == "".join(text.split())
    assert unescape(escape(text)) == one_line(text)
    assert quote_of(text) == "" or "“" in text
