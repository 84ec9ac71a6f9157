from __future__ import annotations

import datetime as dt
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutbook.errors import InputError
from cutbook.memory.index import NAME, Index, log_rows, opened, refresh
from cutbook.memory.log import parse
from cutbook.memory.quick import Row, quick, rows
from cutbook.memory.ranking import named, scores, spaced, stem, terms
from cutbook.memory.registry import Registered, register, registered
from cutbook.memory.search import Found, Place, search, search_logs
from tests.memory.helpers import folders

ROWS = (
    Row("d-aaaaa", "decision", "Three-second jump cuts in the demo", "abandoned", 3, dt.date(2026, 11, 1)),
    Row("d-bbbbb", "decision", "Keep the breath before the hook", "live", 4, dt.date(2026, 11, 8)),
    Row("r-ccccc", "reasoning", "观众喜欢快剪，开头太长", "live", 5, dt.date(2026, 11, 15)),
    Row("d-ddddd", "decision", "Jumping is fine in the outro", "live", None, dt.date(2026, 11, 30)),
)


def log(title: str, *bullets: str, session: int = 1, date: str = "2026-11-30") -> bytes:
    """Write a log of one session as cutbook does."""
    head = f"---\nschema: cutbook/1\ntitle: {title}\n---\n\n## Session {session} — {date}\n\n"
    rows = "".join(f"- {each}\n" for each in bullets)
    summed = f"**Strategy:** Moved 1 range. <!-- m s-{session} upto:e-0xw3c -->"
    return f"{head}{summed}\n\n**Decisions:**\n{rows}".encode()


def ids(found: Found) -> list[str]:
    """Return the ids that were found."""
    return [each.id for each in found]


def test_words_are_found_by_their_stem_the_latest_first() -> None:
    """`jump` finds jump and jumping; what ended is found too, and says so."""
    found = search(ROWS, "jump")
    assert ids(found) == ["d-ddddd", "d-aaaaa"]
    assert [each.state for each in found] == ["live", "abandoned"]
    assert found.sentence == "2 of 2 found"
    assert "abandoned" in repr(found)
    assert "d-aaaaa" in found._repr_html_()


def test_chinese_is_found_by_pairs_of_characters() -> None:
    """A word of two characters, one of them, and a longer stretch find the sentence; a pair not in it does not."""
    assert [ids(search(ROWS, text)) for text in ("快剪", "剪，", "喜欢快剪", "众喜")] == [["r-ccccc"]] * 4
    assert ids(search(ROWS, "开")) == ["r-ccccc"]
    assert ids(search(ROWS, "快长")) == []


def test_what_has_every_word_comes_alone_and_else_what_has_one() -> None:
    """All words win; where nothing has all of them, one is enough."""
    assert ids(search(ROWS, "jump demo")) == ["d-aaaaa"]
    assert ids(search(ROWS, "breath outro")) == ["d-ddddd", "d-bbbbb"]


@pytest.mark.parametrize("text", ["", "  ", "\n\t"])
def test_an_empty_query_is_an_error(text: str) -> None:
    """Nothing to search for is said."""
    with pytest.raises(InputError, match="wants a text"):
        search(ROWS, text)


@pytest.mark.parametrize(
    "text",
    [
        'a-b: "c" (d) NOT *',
        "***",
        '"',
        "jump AND",
        "NEAR(",
        "col:jump",
        "^",
        "{x}",
        "-",
        "'; drop table words; --",
    ],
)
def test_an_odd_query_is_text(text: str) -> None:
    """Whatever a query looks like, it is words; one that nothing has gives zero counts."""
    found = search(ROWS, text)
    assert found.meta["matched"] == len(found) == found.meta["returned"]
    assert found.meta["omitted"] == {}


def test_no_match_gives_zero_counts() -> None:
    """A word that nobody wrote: nothing, and no crash."""
    found = search(ROWS, "zebra")
    assert (found, found.meta) == ((), {"matched": 0, "returned": 0, "omitted": {}})
    assert search((), "jump").meta["matched"] == 0


@given(text=st.text(min_size=1, max_size=80))
def test_no_query_is_an_expression(text: str) -> None:
    """Any text at all either finds rows or finds none."""
    try:
        found = search(ROWS, text)
    except InputError:
        return
    assert set(ids(found)) <= {row.id for row in ROWS}


def test_more_than_the_limit_is_counted() -> None:
    """Twenty-five matches and a limit of twenty: the latest twenty, five left out."""
    many = [Row(f"d-{n:05}", "decision", "Cut here", "live", n, dt.date(2026, 1, 1)) for n in range(25)]
    found = search(many, "cut")
    assert (len(found), found.meta["matched"], found.meta["omitted"]) == (20, 25, {"for the limit": 5})
    assert found[0].id == "d-00024"


def test_another_clients_projects_are_skipped(tmp_path: Path) -> None:
    """Everywhere means every project but those of another client; a project's own entries say no project."""
    mine, theirs, free = (tmp_path / name / "edit" / "project.md" for name in ("mine", "theirs", "free"))
    for path, data in (
        (mine, log("Mine", "Jump cuts <!-- m d-aaaaa -->", "[client] ACME (2026-11-30) <!-- m p-aaaaa -->")),
        (
            theirs,
            log("Theirs", "Jump zooms <!-- m d-bbbbb -->", "[client] Other (2026-11-30) <!-- m p-bbbbb -->"),
        ),
        (free, log("Free", "Jump scares <!-- m d-ccccc -->", date="2026-11-29")),
    ):
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
    places = [Place(mine, "Mine", here=True), Place(theirs, "Theirs"), Place(free, "Free")]
    user = folders(tmp_path)
    found = search_logs(user, places, "jump", client="acme")
    assert [(each.id, each.project) for each in found] == [("d-aaaaa", ""), ("d-ccccc", "Free")]
    assert found.meta["omitted"] == {"projects of another client": 1}
    # Without a client of one's own, nobody else's is looked into either.
    assert ids(search_logs(user, places[1:], "jump")) == ["d-ccccc"]
    assert ids(search_logs(user, places[1:], "jump", client="Other")) == ["d-bbbbb", "d-ccccc"]


def test_the_index_follows_the_logs_and_may_be_deleted_or_damaged(tmp_path: Path) -> None:
    """A changed log is read anew; without the index, or with rubbish in it, the answer stays the same."""
    path = tmp_path / "project.md"
    user = folders(tmp_path)
    places = [Place(path, "One")]
    path.write_bytes(log("One", "Jump cuts <!-- m d-aaaaa -->"))
    assert ids(search_logs(user, places, "jump")) == ["d-aaaaa"]
    path.write_bytes(
        log("One", "Jump zooms <!-- m d-bbbbb -->", "No longer. <!-- m e-aaaaa abandon d-bbbbb -->")
    )
    found = search_logs(user, places, "jump")
    assert [(each.id, each.state) for each in found] == [("d-bbbbb", "abandoned")]
    assert ids(search_logs(user, places, "cuts")) == []
    (user.cache / NAME).unlink()
    assert ids(search_logs(user, places, "jump")) == ["d-bbbbb"]
    for each in user.cache.glob(f"{NAME}*"):
        each.write_bytes(b"rubbish" * 1000)
    assert ids(search_logs(user, places, "jump")) == ["d-bbbbb"]
    path.unlink()
    assert ids(search_logs(user, places, "jump")) == []


def test_an_old_log_is_not_read_again(tmp_path: Path) -> None:
    """Size and time say that a log is the one that the index knows."""
    path = tmp_path / "project.md"
    path.write_bytes(log("One", "Jump cuts <!-- m d-aaaaa -->"))
    os.utime(path, (1_700_000_000, 1_700_000_000))
    with opened(folders(tmp_path)) as index:
        first = refresh(index, [path])
        path.write_bytes(log("One", "Jump CUTS <!-- m d-aaaaa -->"))
        os.utime(path, (1_700_000_000, 1_700_000_000))
        assert refresh(index, [path]) == first
        os.utime(path, (1_700_000_001, 1_700_000_001))
        assert refresh(index, [path]) != first


def test_a_place_without_a_cache_is_searched_in_memory(tmp_path: Path) -> None:
    """Where no index can be kept, it is made in memory."""
    user = folders(tmp_path)
    user.cache.parent.mkdir(parents=True)
    user.cache.write_text("a file where the folder would be")
    path = tmp_path / "project.md"
    path.write_bytes(log("One", "Jump cuts <!-- m d-aaaaa -->"))
    assert ids(search_logs(user, [Place(path, "One")], "jump")) == ["d-aaaaa"]


def test_an_index_that_another_process_holds_is_not_waited_for(tmp_path: Path) -> None:
    """While another process writes the index, the answer is the same, and the index stays."""
    path = tmp_path / "project.md"
    path.write_bytes(log("One", "Jump cuts <!-- m d-aaaaa -->"))
    user = folders(tmp_path)
    with opened(user) as index:
        index.put("x", ROWS)
        assert ids(search_logs(user, [Place(path, "One")], "jump")) == ["d-aaaaa"]
        index.commit()
        assert "x" in index.logs()


def test_what_is_not_saved_yet_comes_first_and_states_are_those_of_now(tmp_path: Path) -> None:
    """The open session's entries and acts count before they are in the log."""
    path = tmp_path / "project.md"
    path.write_bytes(log("One", "Jump cuts <!-- m d-aaaaa -->"))
    found = search_logs(
        folders(tmp_path),
        [Place(path, "One", here=True)],
        "jump",
        states={"d-aaaaa": "abandoned"},
        extra=[Row("d-new00", "decision", "Jump less")],
    )
    assert [(each.id, each.state) for each in found] == [("d-new00", "live"), ("d-aaaaa", "abandoned")]


def test_an_index_takes_a_log_in_again_in_place_of_the_old_one() -> None:
    """The same log twice leaves nothing of the first behind."""
    index = Index(None)
    number = index.put("a", ROWS)
    assert index.put("a", ROWS[:1]) == number
    assert index.find('"jump"', [number], 9)[0] == 1
    assert index.find('"快剪"', [number], 9)[0] == 0
    index.close()


def test_projects_are_known_by_their_folder(tmp_path: Path) -> None:
    """A project registers once; another title replaces its row, and a broken registry is begun anew."""
    user = folders(tmp_path)
    assert registered(user) == ()
    register(user, tmp_path / "a" / "edit", uuid="u-1", title="A")
    register(user, tmp_path / "b" / "edit", uuid="u-2", title="B")
    register(user, tmp_path / "a" / "edit", uuid="u-1", title="Ä")
    assert registered(user) == (
        Registered((tmp_path / "a" / "edit").resolve(), "u-1", "Ä"),
        Registered((tmp_path / "b" / "edit").resolve(), "u-2", "B"),
    )
    (user.state / "projects.json").write_text("[")
    assert registered(user) == ()


# ---- the quick way to read a log gives what the grammar gives


BULLETS = st.sampled_from(
    [
        "- Keep it. <!-- m d-aaaaa media:C0103=48210944.9f2c11aa03be -->",
        "- Keep this too. <!-- m d-bbbbb supersedes:d-aaaaa -->",
        "- No longer: “Keep it.” <!-- m e-ccccc abandon d-aaaaa -->",
        "- Room tone. <!-- m r-ddddd -->",
        "- [x] Logo <!-- m o-eeeee -->",
        "- Done: “Logo”. <!-- m e-fffff done o-eeeee -->",
        "- typed by hand",
        "- None.",
        "- [x] ticked by hand",
        "- \\# escaped, &lt;!-- m d-zzzzz -->",
        "- two <!-- m d-ggggg --> comments <!-- m d-hhhhh -->",
        "- odd <!-- m d-toolong1 -->",
        "- odd <!-- m x-aaaaa -->",
        "-  two spaces",
        "- ",
        "  - nested",
        "  continued",
        "text",
        "",
        "```",
        "| a | b |",
        "## Session 2 — 2026-12-01",
        "## Session 3",
        "### Session 4 — 2026-12-02",
        "# Other",
        "**Decisions:**",
        "**Reasoning log:**",
        "**Outstanding:**",
        "**Strategy:** Cut. <!-- m s-2 upto:e-0xw3c -->",
        "**Strategy:** two words",
        "**Strategy:** Moved 1 range.",
        "**Strategy:** Keep it &lt;!-- short. <!-- m s-3 auto:0123456789ab -->",
        "**Else:**",
    ]
)


@given(lines=st.lists(BULLETS, max_size=14), head=st.sampled_from(["", "---\ntitle: x\n---\n", "notes\n"]))
def test_quick_and_grammar_agree(lines: list[str], head: str) -> None:
    """Where the quick way answers at all, it gives the entries, dates and states that parsing and folding give."""
    data = (head + "## Session 1 — 2026-11-30\n\n" + "\n".join(lines) + "\n").encode()
    found = quick(data)
    if found is not None:
        assert found == rows(parse(data))


def test_the_quick_way_reads_what_cutbook_writes() -> None:
    """A log in cutbook's own form is read the quick way; one with a table is parsed, to the same rows."""
    own = log(
        "One", "Keep <!-- m d-aaaaa -->", "Drop <!-- m d-bbbbb -->", "x <!-- m e-ccccc abandon d-bbbbb -->"
    )
    assert quick(own) is not None
    assert quick(own + b"\n| a | b |\n") is None
    found, client = log_rows(own)
    assert [(row.id, row.state, row.kind) for row in found] == [
        ("d-aaaaa", "live", "decision"),
        ("d-bbbbb", "abandoned", "decision"),
        ("e-ccccc", "live", "event"),
    ]
    assert client == ""


def test_an_entry_is_found_by_its_id() -> None:
    """The id alone finds its entry, however it is typed; words that look like one are words."""
    assert ids(search(ROWS, "d-bbbbb")) == ["d-bbbbb"]
    assert ids(search(ROWS, " R-CCCCC ")) == ["r-ccccc"]
    assert ids(search(ROWS, "d-zzzzz")) == []
    assert ids(search(ROWS, "three-second")) == ["d-aaaaa"]


def test_it_says_what_it_found_nothing_for_and_where_words_are_missing(tmp_path: Path) -> None:
    """An empty answer names the query; one that has only some of the words says so, in words and in JSON."""
    assert search(ROWS, "no such thing").sentence == "0 of 0 found for “no such thing”"
    partly = search(ROWS, "breath outro")
    assert partly.sentence == "2 of 2 found; nothing has all of these words, these have some"
    assert '"partly": true' in partly.json()
    (tmp_path / "project.md").write_bytes(log("One", "Jump cuts <!-- m d-aaaaa -->"))
    places = [Place(tmp_path / "project.md", "One")]
    assert search_logs(folders(tmp_path), places, "jump zoom").meta["partly"] is True
    assert ids(search_logs(folders(tmp_path), places, "d-aaaaa")) == ["d-aaaaa"]


def test_projects_of_one_title_are_told_apart_and_copies_found_once(tmp_path: Path) -> None:
    """A project that was copied with its memory gives each entry once, and two of one title say their folders."""
    places = []
    for name, bullet in (
        ("a", "Jump cuts <!-- m d-aaaaa -->"),
        ("b", "Jump cuts <!-- m d-aaaaa -->"),
        ("c", "Jump zooms <!-- m d-ccccc -->"),
    ):
        place = tmp_path / name / "edit" / "project.md"
        place.parent.mkdir(parents=True)
        place.write_bytes(log(f"{name}", bullet))
        places.append(Place(place, "" if name == "a" else "launch", here=name == "a"))
    found = search_logs(folders(tmp_path), places, "jump")
    assert {each.id: each.project for each in found} == {
        "d-aaaaa": "",
        "d-ccccc": f"launch ({tmp_path / 'c'})",
    }
    assert found.sentence == "2 of 3 found (1 in copies of projects)"


# ---- strategies


def test_strategies_are_found_by_their_words() -> None:
    """The one that stands is live, an older one is not; a sentence of cutbook's own is none."""
    text = "".join(
        f"## Session {n} — 2026-11-{n:02}\n\n**Strategy:** {said} <!-- m s-{n} upto:e-0xw3c -->\n\n"
        for n, said in enumerate(
            ("Buyers first.", "Buyers are shops.", "Moved 1 range, rejected 2 ranges and wrote down 1 note."),
            1,
        )
    )
    data = text.encode()
    assert quick(data) == rows(parse(data))
    found = search(rows(parse(data)), "buyers")
    assert [(each.id, each.kind, each.state, each.session) for each in found] == [
        ("s-2", "strategy", "live", 2),
        ("s-1", "strategy", "superseded", 1),
    ]
    assert ids(search(rows(parse(data)), "s-1")) == ["s-1"]
    assert ids(search(rows(parse(data)), "moved")) == []


# ---- words against words


def test_stems_and_pairs() -> None:
    """Endings go, common words too; Chinese and Japanese are pairs of characters."""
    assert [
        stem(word) for word in ("cuts", "cutting", "stopped", "carries", "tired", "tire", "pass", "is")
    ] == [
        "cut",
        "cut",
        "stop",
        "carry",
        "tir",
        "tir",
        "pass",
        "is",
    ]
    assert terms("The jump-cuts, and 快剪!") == ["jump", "cut", "快剪"]
    assert terms("快剪辑") == ["快剪", "剪辑"]
    assert spaced("a快剪辑b") == "a 快剪 剪辑 b"


def test_bm25_prefers_rare_words_and_short_texts() -> None:
    """A word that few texts have weighs more; what shares none scores nothing."""
    texts = [
        "cut the demo",
        "cut the hook",
        "cut the hook and everything else that is said in the long intro",
        "music",
    ]
    first, second, third, none = scores("demo hook cut", texts)
    assert first > second > third > none == 0.0
    assert scores("the", texts) == [0.0] * 4


def test_takes_are_named_as_words_of_their_own() -> None:
    """`C01` is not in `C0103`, and case does not matter."""
    assert named("use c0103, please", ["C01", "C0103", "C02"]) == {"C0103"}
