"""The last strategy that a person gave stands, whatever sessions without one come after it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutbook.memory.log import parse, read
from cutbook.memory.strategy import given, standing_section, summed_up
from tests.memory.helpers import kept
from tests.memory.world import World

WHY = "Price first because the buyers are shops"


def two_sessions(base: Path) -> World:
    """Make a project whose strategy was given in the first of two sessions."""
    world = World(base)
    world.film("C0103")
    world.cut(kept("r-aaaaa", "C0103", 2.52, 4.28, beat="HOOK"), kept("r-bbbbb", "C0103", 8, 9, beat="DEMO"))
    world.memory().strategy(WHY)
    world.persist()
    world.cut(
        kept("r-bbbbb", "C0103", 8, 9, beat="DEMO"),
        kept("r-aaaaa", "C0103", 2.52, 4.28, beat="HOOK"),
        by="move",
    )
    world.persist()
    return world


def test_a_session_without_one_leaves_the_strategy_standing(tmp_path: Path) -> None:
    """Brief and pack serve it with its session, beside what the last session did; search finds it."""
    world = two_sessions(tmp_path)
    brief = world.memory().resume()
    assert brief.sentence.startswith("Session 2 (2026-11-30): Moved ")
    assert brief.text().splitlines()[1] == f"Strategy (session 1): {WHY}"
    assert brief.strategy in brief.json()
    assert brief.strategy in brief._repr_html_()
    pack = world.memory().context()
    assert f"- Strategy (session 1): {WHY}\n- Session 2 (2026-11-30): Moved " in pack.text
    assert [(each.id, each.kind) for each in world.memory().search("buyers")] == [("s-1", "strategy")]


def test_another_one_takes_its_place_at_once(tmp_path: Path) -> None:
    """What is stated stands before it is saved, and once it is saved the session's sentence says it."""
    world = two_sessions(tmp_path)
    world.memory().strategy("Lead with the demo")
    assert world.memory().resume().strategy == "Strategy (not saved yet): Lead with the demo"
    pack = world.memory().context().text
    assert "- Strategy: Lead with the demo" in pack
    assert WHY not in pack
    world.persist()
    brief = world.memory().resume()
    assert (brief.sentence, brief.strategy) == ("Session 3 (2026-11-30): Lead with the demo.", "")


def test_the_log_tells_a_strategy_from_what_stands_in_its_place(tmp_path: Path) -> None:
    """The comment of a session that cutbook summed up names the sentence; words put there by hand are a strategy."""
    world = two_sessions(tmp_path)
    path = world.edit / "project.md"
    log = read(path)
    assert log is not None
    one, two = log.sections
    assert one.mark is not None
    assert two.mark is not None
    assert (one.mark.values("auto"), len(two.mark.values("auto"))) == ((), 1)
    assert standing_section(log) is one
    assert given(two.strategy, None) is False
    path.write_text(path.read_text("utf-8").replace(two.strategy, "Shorter, by hand."), "utf-8")
    changed = read(path)
    assert changed is not None
    assert standing_section(changed) is changed.sections[1]


def test_a_sentence_changed_in_the_form_is_a_strategy(tmp_path: Path) -> None:
    """What a person writes over the draft's sentence carries no mark of cutbook's."""
    world = World(tmp_path)
    world.memory().decide("Keep it short")
    section = world.memory().persist(
        revise=lambda draft: setattr(draft, "strategy", "Moved 1 range, as asked.")
    )
    assert section is not None
    assert given(section.strategy, section.mark)


@pytest.mark.parametrize(
    "text",
    [
        "Moved 1 range.",
        "Transcribed 4 takes and cut 3 ranges from 2 takes.",
        "Changed 1 range, took out 1 filler and 2 pauses, rejected 1 range and accepted 2 ranges.",
        "Tightened the cut and rendered preview.mp4 (0:12.40), which passed its check.",
        "Rendered preview.mp4, which fails its check and exported timeline.fcpxml.",
        "Wrote down 1 decision, 2 notes and 1 task, confirmed 2, settled 1.",
        "Abandoned 1.",
    ],
)
def test_sentences_without_a_mark_are_known_by_their_wording(text: str) -> None:
    """Logs of before hold cutbook's sentences without a mark."""
    assert not given(text, None)


@pytest.mark.parametrize(
    "text",
    [
        WHY,
        "Moved 1 range to the front.",
        "Moved 1 range",
        "2 notes.",
        "Cut 1 range from 1 take, then stop.",
        "M.",
    ],
)
def test_what_people_write_is_theirs(text: str) -> None:
    """Only the whole wording is cutbook's."""
    assert given(text, None)


def test_the_token_names_the_sentence_as_it_is_read_back() -> None:
    """A sentence that had to be made harmless in the file has its hash all the same."""
    text = "# 3 &lt;!-- odd"
    token = summed_up(text)
    section = parse(
        f"## Session 1\n\n**Strategy:** \\# 3 &amp;lt;!-- odd <!-- m s-1 {token} -->\n".encode()
    ).sections[0]
    assert section.strategy == text
    assert not given(section.strategy, section.mark)
