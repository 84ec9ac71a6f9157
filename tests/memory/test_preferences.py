"""Preferences, lessons, and what memory reaches beyond its own log."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import frontmatter
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutbook.errors import InputError, SettingError
from cutbook.memory.library import Library, facet, read_lesson
from cutbook.memory.log import parse
from cutbook.memory.preferences import (
    KEYS,
    PROJECT,
    SESSION,
    USER,
    Preference,
    Preferences,
    asked,
    override_tokens,
    read_line,
    suggestions,
    write_line,
)
from cutbook.memory.verbs import Memory
from cutbook.settings import SETTINGS, Settings
from tests.launch import tree
from tests.memory.helpers import edl, folders, kept, session, take

DAY = "2026-11-30"
TAKES = {"C0103": take("C0103"), "C0104": take("C0104", digest="1" * 64)}
CUT = edl(kept("r-hook1", "C0103", 2.52, 5.36, beat="HOOK", status="accepted"))


def memory(base: Path, name: str = "launch") -> Memory:
    """Give the memory of one of a user's projects."""
    mind = session(base)
    mind.edit = base / name / "edit"
    mind.path, mind.log_path = mind.edit / "session.jsonl", mind.edit / "project.md"
    own = Preferences(mind)
    return Memory(
        mind, takes=lambda: TAKES, edl=lambda: CUT, title=name, settings=lambda: Settings(*own.rungs())
    )


def held(mind: Memory) -> dict[str, tuple[str, str]]:
    """Return the value and origin of each key that somebody preferred."""
    return {each.key: (each.value, each.where) for each in mind.preferences.holding()}


# ---- lines


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("[captions] bold-overlay (it is loud, 2026-11-30)", ("captions", "bold-overlay", "it is loud")),
        ("[grade] geq=lum='p(X,Y)' (2026-11-30)", ("grade", "geq=lum='p(X,Y)'", "")),
        ("[pad_before_ms] 70", ("pad_before_ms", "70", "")),
        ("[genre] interview", ("genre", "interview", "")),
        ("Keep breaths (they calm, 2026-11-30)", ("", "Keep breaths", "they calm")),
        ("Keep (some) breaths", ("", "Keep (some) breaths", "")),
        ("[captions] loud (2026-11-30)", None),
        ("[ffmpeg] /bin/sh", None),
        ("[scribe_url] https://example.org", None),
        ("[pad_before_ms]", None),
        ("", None),
    ],
)
def test_a_line_is_read_with_its_reason(line: str, expected: tuple[str, str, str] | None) -> None:
    """Key, value and reason are told apart; a value that its key cannot have, or no such key, is no preference."""
    found = read_line(line, "x")
    assert (None if found is None else (found.key, found.value, found.why)) == expected


TEXT = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), min_size=1, max_size=30)


@given(value=TEXT, why=st.one_of(st.just(""), TEXT))
def test_what_is_written_is_read(value: str, why: str) -> None:
    """Any value comes back as it was, whatever its reason; brackets in a reason become square ones."""
    found = read_line(write_line("client", value, why, DAY), "x")
    assert found == Preference("client", value, "x", "", why.replace("(", "[").replace(")", "]"))


def test_nothing_that_costs_or_runs_may_be_preferred() -> None:
    """Keys of preferences are settings, without engine, price, address, model or program."""
    assert set(KEYS) < set(SETTINGS)
    assert not {
        "engine",
        "scribe_url",
        "scribe_model",
        "price_per_hour",
        "cache_dir",
        "ffmpeg",
        "whisper_model",
    } & {*KEYS}


def test_a_bad_preference_is_refused_with_nothing_written(tmp_path: Path) -> None:
    """An unknown key lists those that there are, a wrong value says what is wanted."""
    mind = memory(tmp_path)
    with pytest.raises(SettingError, match=r"pad_befor_ms.*is no preference; there are captions, client"):
        mind.prefer("pad_befor_ms=70")
    with pytest.raises(SettingError, match="captions wants one of"):
        mind.prefer(captions="loud", everywhere=True)
    with pytest.raises(InputError):
        mind.prefer("  ")
    assert list(tmp_path.iterdir()) == []


def test_a_sentence_with_an_equals_sign_is_text() -> None:
    """Only `word=` at the beginning makes a key."""
    assert asked("Let a = b stand") == ("", "Let a = b stand")
    assert asked("captions = none") == ("captions", "none")
    assert asked("captions=") == ("captions", "unset")


# ---- the ladder


def test_a_preference_counts_at_once_and_belongs_to_the_project_once_kept(tmp_path: Path) -> None:
    """In the open session it is this session's, after persist the project's; a later one wins, the older stays."""
    mind = memory(tmp_path)
    mind.prefer(pad_before_ms=70, why="the room echoes")
    assert held(mind) == {"pad_before_ms": ("70", SESSION)}
    assert mind.persist() is not None
    later = memory(tmp_path)
    assert held(later) == {"pad_before_ms": ("70", PROJECT)}
    later.prefer("pad_before_ms=90")
    later.prefer("pad_before_ms=80")
    assert held(later) == {"pad_before_ms": ("80", SESSION)}
    later.persist()
    assert held(memory(tmp_path)) == {"pad_before_ms": ("80", PROJECT)}
    log = later.session.log_path.read_text()
    assert re.findall(r"- \[pad_before_ms\] (.*?) <!-- m p-\w{5}", log) == [
        "70 (the room echoes, 2026-11-30)",
        "80 (2026-11-30)",
    ]
    states = {
        each.text: each.state for each in memory(tmp_path).entries(all=True) if each.kind == "preference"
    }
    assert states == {
        "[pad_before_ms] 70 (the room echoes, 2026-11-30)": "superseded",
        "[pad_before_ms] 80 (2026-11-30)": "live",
    }


def test_the_same_again_is_not_written_again(tmp_path: Path) -> None:
    """A preference that holds already is no news, in the session, in the log and everywhere."""
    mind = memory(tmp_path)
    for _ in range(2):
        mind.prefer("captions=none")
        mind.prefer("Keep breaths")
        mind.prefer("fillers=false", everywhere=True)
    assert [event.kind for event in mind.session.events()] == ["prefer", "prefer"]
    mind.persist()
    later = memory(tmp_path)
    later.prefer("Keep breaths")
    assert later.persist() is None
    page = (tmp_path / "user" / "config" / "library" / "preferences.md").read_text()
    assert page.count("[fillers]") == 1


def test_everywhere_is_below_the_project_and_reaches_every_project(tmp_path: Path) -> None:
    """The user's page counts in each project, below what the project itself says; the last line of a key wins."""
    one, two = memory(tmp_path), memory(tmp_path, "other")
    one.prefer("pad_after_ms=100", everywhere=True)
    one.prefer("pad_after_ms=120", everywhere=True, why="calmer")
    one.prefer("pad_after_ms=90")
    assert held(one) == {"pad_after_ms": ("90", SESSION)}
    assert held(two) == {"pad_after_ms": ("120", USER)}
    assert not two.session.edit.exists()
    page = (tmp_path / "user" / "config" / "library" / "preferences.md").read_text()
    assert page.endswith(
        "---\n\n- [pad_after_ms] 100 (2026-11-30)\n- [pad_after_ms] 120 (calmer, 2026-11-30)\n"
    )
    values = frontmatter.loads(page).metadata
    assert [type(values[key]) for key in ("title", "uuid", "summary", "created", "updated")] == [str] * 5


def test_unset_gives_a_key_back_to_what_is_below(tmp_path: Path) -> None:
    """`KEY=` in the project uncovers the user's value, also once it is kept."""
    mind = memory(tmp_path)
    mind.prefer("pad_after_ms=120", everywhere=True)
    mind.prefer("pad_after_ms=90")
    mind.persist()
    later = memory(tmp_path)
    later.prefer("pad_after_ms=")
    assert held(later) == {"pad_after_ms": ("120", USER)}
    later.persist()
    last = memory(tmp_path)
    assert held(last) == {"pad_after_ms": ("120", USER)}
    assert [dict(rung.values) for rung in last.preferences.rungs()] == [{}, {}, {"pad_after_ms": "120"}]


def test_a_preference_that_is_given_up_is_gone(tmp_path: Path) -> None:
    """Abandoned before or after it is kept, it holds no more, and does not bring the one before it back."""
    mind = memory(tmp_path)
    mind.prefer("pad_after_ms=90")
    mind.persist()
    later = memory(tmp_path)
    found = later.prefer("pad_after_ms=100")
    later.persist()
    last = memory(tmp_path)
    last.abandon(found.id, why="too long")  # type: ignore[union-attr] # with a text it is the preference
    assert held(last) == {}
    last.persist()
    assert held(memory(tmp_path)) == {}


def test_without_arguments_it_shows_where_each_value_comes_from(tmp_path: Path) -> None:
    """Every key stands there with its value and its rung, then the facets and free lines."""
    mind = memory(tmp_path)
    mind.prefer(size="1280x720", everywhere=True)
    mind.prefer("genre=interview")
    mind.prefer("Keep breaths")
    before = tree(tmp_path)
    shown = mind.prefer()
    rows = {row[0] or row[1]: row for row in shown.rows}  # type: ignore[union-attr] # without a text it is the list
    assert rows["size"] == ("size", "1280x720", USER)
    assert rows["true_peak_db"] == ("true_peak_db", "-1", "default")
    assert rows["genre"] == ("genre", "interview", SESSION)
    assert rows["Keep breaths"] == ("", "Keep breaths", SESSION)
    assert "the user's preference" in repr(shown)
    assert tree(tmp_path) == before


def test_a_hand_edit_of_either_file_counts_and_a_wrong_one_is_passed_over(tmp_path: Path) -> None:
    """A line typed into the page, and a value changed in project.md, hold; one that makes no sense does not."""
    mind = memory(tmp_path)
    mind.prefer("pad_before_ms=70")
    mind.persist()
    log = mind.session.log_path
    log.write_text(log.read_text().replace("[pad_before_ms] 70", "[pad_before_ms] 75"))
    page = tmp_path / "user" / "config" / "library" / "preferences.md"
    page.parent.mkdir(parents=True)
    page.write_text("- [fillers] no\n- [fillers] perhaps\n```\n- [fillers] yes\n```\n- [rate] 25\n")
    assert held(memory(tmp_path)) == {
        "fillers": ("no", USER),
        "rate": ("25", USER),
        "pad_before_ms": ("75", PROJECT),
    }


def test_an_override_in_three_sessions_is_suggested_and_never_set(tmp_path: Path) -> None:
    """Twice is chance; the third time the command is named, and what holds stays as it was."""
    for number in range(1, 4):
        mind = memory(tmp_path)
        mind._overrides.update(
            captions="bold-overlay", size=(1280, 720) if number < 3 else (640, 360), jobs=4
        )
        mind.note(f"Session {number}")
        assert "would keep it" not in repr(mind.prefer())
        mind.persist()
    shown = memory(tmp_path).prefer()
    assert shown.suggestions == (  # type: ignore[union-attr] # without a text it is the list
        "captions was bold-overlay in 3 sessions: `%memory prefer captions=bold-overlay` would keep it",
    )
    assert held(memory(tmp_path)) == {}
    mind = memory(tmp_path)
    mind.prefer("captions=bold-overlay")
    assert memory(tmp_path).prefer().suggestions == ()  # type: ignore[union-attr] # without a text it is the list


def test_overrides_are_tokens_of_a_section() -> None:
    """Values are written as people type them, and read back from the log."""
    tokens = override_tokens(
        {"size": (1920, 1080), "fillers": False, "rate": Fraction(30000, 1001), "engine": "x"}
    )
    assert tokens == ("override:fillers=false", "override:rate=30000%2F1001", "override:size=1920x1080")
    log = parse(
        "".join(
            f"## Session {n}\n\n**Strategy:** x <!-- m s-{n} {' '.join(tokens)} -->\n\n" for n in (1, 2, 3)
        ).encode()
    )
    assert len(suggestions(log.sections, {"size": "1920x1080"})) == 2


# ---- lessons


def test_a_lesson_is_served_only_where_every_facet_fits(tmp_path: Path) -> None:
    """A lesson for interviews of one client: not for a tutorial, not for another client, not where nothing is said."""
    mind = memory(tmp_path)
    lesson = mind.lesson("Jump cuts tire people.", genre="Interview", client="ACME")
    assert re.fullmatch(r"lesson-jump-cuts-tire-people-[0-9a-f]{8}\.md", lesson.name)
    cases = [
        ({"genre": "interview", "client": "acme", "language": "de"}, True),
        ({"genre": "interview"}, False),
        ({"genre": "tutorial", "client": "ACME"}, False),
        ({}, False),
    ]
    for number, (facets, fits) in enumerate(cases):
        other = memory(tmp_path, f"project{number}")
        for key, value in facets.items():
            other.prefer(f"{key}={value}")
        assert [row["text"] for row in other.context().data if row["kind"] == "lesson"] == (
            ["Jump cuts tire people. (genre: Interview, client: ACME)"] if fits else []
        )


def test_a_lesson_without_facets_belongs_to_its_project(tmp_path: Path) -> None:
    """It is an entry of the log, once, and no other project sees it."""
    mind = memory(tmp_path)
    decision = mind.decide("Three-second jump cuts")
    first, again = (mind.lesson("Jump cuts tire people.", source=decision.id) for _ in range(2))
    assert first.id == again.id
    mind.persist()
    mind.persist()
    line = f"- Lesson: Jump cuts tire people. <!-- m {first.id} lesson:{decision.id} -->"
    assert mind.session.log_path.read_text().count(line) == 1
    served = [row["text"] for row in memory(tmp_path).context().data if row["kind"] == "lesson"]
    assert served == ["Jump cuts tire people."]
    assert memory(tmp_path, "other").context().data == ()


def test_a_lesson_wants_a_text_an_entry_and_a_facet_that_exists(tmp_path: Path) -> None:
    """Wrong lessons are errors and write nothing."""
    mind = memory(tmp_path)
    for call in (
        lambda: mind.lesson(" "),
        lambda: mind.lesson("x", source="d-zzzzz"),
        lambda: mind.lesson("x", mood="good"),
        lambda: mind.lesson("x" * 9000, genre="interview"),
        lambda: facet("genre"),
    ):
        with pytest.raises(InputError):
            call()
    assert not (tmp_path / "launch").exists()
    assert Library(folders(tmp_path)).lessons() == ()


def test_lessons_are_pages_that_people_may_write(tmp_path: Path) -> None:
    """A page by hand, with a list of values, is a lesson; one that is no text is passed over."""
    folder = tmp_path / "user" / "config" / "library"
    folder.mkdir(parents=True)
    (folder / "lesson-hand.md").write_text("---\napplies_to:\n  genre: [interview, podcast]\n---\nBreathe.\n")
    (folder / "lesson-bad.md").write_bytes(b"\xff\xff")
    library = Library(folders(tmp_path))
    assert [each.text for each in library.fitting({"genre": "Podcast"})] == ["Breathe."]
    assert library.fitting({"genre": "lecture"}) == ()
    assert read_lesson("x.md", "---\ntitle: x\n---\n") is None
