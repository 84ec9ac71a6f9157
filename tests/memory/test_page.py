from __future__ import annotations

from pathlib import Path

import pytest

from cutbook.memory.page import Page
from tests.memory.helpers import HOOK, Said, kept
from tests.memory.world import World

OTHER: Said = (("<Eighty>", "2.60", "2.90"), *HOOK[1:])


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Return a project of two kept sessions, one word changed, one decision unsaved."""
    made = World(tmp_path)
    made.film("C0103")
    made.cut(kept("r-hook1", "C0103", 2.52, 5.36, beat="HOOK", quote="Ninety percent is wasted."))
    made.persist()
    made.memory().strategy("Warmer.")
    made.memory().decide("Warm <b>grade</b>", why="green light")
    made.persist()
    made.memory().todo("Logo")
    made.said["C0103"] = OTHER
    return made


def test_the_page_has_what_needs_review_on_top_then_the_sessions(world: World) -> None:
    """Causes with the words then and now, what is not saved, then each session, the latest first; all escaped."""
    page = world.memory().show()
    assert isinstance(page, Page)
    html = page._repr_html_()
    places = [
        "Needs review",
        "transcript of C0103 was made again, 1 decision",
        "%memory confirm --cause 1",
        "Ninety percent is wasted.",
        "&lt;Eighty&gt; percent is wasted.",
        "Not saved yet",
        "Logo",
        "Session 2 — 2026-11-30",
        "Warm &lt;b&gt;grade&lt;/b&gt;: green light.",
        "Session 1 — 2026-11-30",
        "HOOK is C0103",
        "the file C0103, the words of C0103 2.52–5.36 and HOOK in the cut",
    ]
    at = [html.find(place) for place in places]
    assert -1 not in at
    assert at[:8] == sorted(at[:8])
    assert "<b>grade" not in html
    assert "<Eighty>" not in html


def test_the_page_as_text_says_the_same(world: World) -> None:
    """Headless, each entry is a line with its state and reason."""
    lines = repr(world.memory().show()).splitlines()
    assert len(lines) == 4
    assert lines[0].endswith("(decision, session 1, needs review: words of C0103 2.52–5.36 are other now)")
    assert lines[-1].endswith("  Logo  (outstanding, not saved yet)")


def test_one_entry_tells_its_history(world: World) -> None:
    """`show ID` has the entry's anchors in words, why it needs review, and what was done to it."""
    name = world.memory().entries()[0].id
    world.memory().flag(name, why="ask the client")
    world.memory().confirm(name, why="fine")
    world.persist()
    text = repr(world.memory().show(name))
    assert "  about: the file C0103, the words of C0103 2.52–5.36 and HOOK in the cut (fresh)" in text
    history = [line.split(":")[1].strip() for line in text.splitlines()[2:]]
    assert history == ["ask the client", "fine"]
    assert "session 3" in text
    html = world.memory().show(name)._repr_html_()
    assert "ask the client" in html


def test_an_empty_memory_has_an_empty_page(tmp_path: Path) -> None:
    """Nothing remembered is said in a sentence, and makes nothing."""
    page = World(tmp_path).memory().show()
    assert "nothing is remembered here yet" in page._repr_html_()


def test_all_shows_what_ended_too(world: World) -> None:
    """`show --all` keeps what was given up, with its state."""
    name = world.memory().entries()[0].id
    world.memory().abandon(name, why="no")
    assert name not in {each.id for each in world.memory().entries()}
    page = world.memory().show("--all")
    assert isinstance(page, Page)
    assert [each.state for each in page if each.id == name] == ["abandoned"]
    assert "abandoned" in page._repr_html_()


def test_commands_are_shown_as_code_and_never_with_their_backticks(world: World) -> None:
    """In HTML what stands between backticks is code, in each value that a person meets; words stay escaped."""
    mind = world.memory()
    mind.note("Use `ffmpeg <b>` with care")
    world.said["C0103"] = OTHER
    for _ in range(2):
        mind.decide("Pad of 50 ms")
        mind.decide("Pad of 30 ms")
    pages = [mind.resume(), mind.show(), mind.tidy(), mind.decide("Pad of 20 ms"), mind.entries()]
    html = "".join(each._repr_html_() for each in pages)
    assert "`" not in html
    assert "<code>%memory persist</code> writes it" in html
    assert "<code>%memory tidy</code>" in html
    assert "<code>%memory confirm --cause 1</code>" in html
    assert "Use <code>ffmpeg &lt;b&gt;</code> with care" in html
    world.persist()
    again = world.memory().resume()._repr_html_()
    assert "1 of 1 range is undecided: HOOK (<code>%review</code>)." in again
