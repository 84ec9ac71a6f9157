"""Pictures of what decisions were about: kept when they are made, found by content, and never a reason to fail."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from cutbook.edit.take import Take
from cutbook.memory.compare import Present, Scene
from cutbook.memory.moments import Moments
from cutbook.memory.verbs import Memory
from tests.launch import tree
from tests.memory.helpers import folders, kept, session
from tests.memory.world import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Return a project of one take."""
    made = World(tmp_path)
    made.film("C0103")
    return made


def look(take: Take, time: Fraction) -> bytes:
    """Make a picture that says what it is of."""
    return f"{take.path.read_text()} at {time}".encode()


def moments(world: World) -> Moments:
    """Give the pictures of the user."""
    return Moments(folders(world.base), look)


def present(world: World) -> Present:
    """Give the project as it is now."""
    return Present(Scene(world.takes, lambda: world.edl.ranges if world.edl else None))


def test_the_first_frame_is_kept_and_found_when_the_file_is_another(world: World) -> None:
    """2.52 s at 25 frames a second is frame 63; the old picture stays, the new file's is made now."""
    tokens = world.memory().decide("Use it", take="C0103", span="2.52-5.36").anchors
    moments(world).keep([tokens], present(world))
    world.film("C0103", "another film")
    assert moments(world).then(tokens) == b"the pictures of C0103 at 63/25"
    assert moments(world).now(tokens, present(world)) == b"another film at 63/25"
    (world.footage / "C0103.mp4").unlink()
    assert moments(world).now(tokens, present(world)) is None
    assert moments(world).then(tokens) is not None


def test_a_range_without_words_is_shown_where_it_begins_and_a_take_at_its_third(world: World) -> None:
    """A cutaway has no span in its anchors: the cut list says where it is. A minute's third is second 20."""
    world.film("S0303", said=None)
    world.cut(kept("r-away1", "S0303", 4, 6))
    section = world.persist()
    (tokens,) = (entry.mark.tokens for entry in section.entries if entry.mark)
    whole = world.memory().decide("Keep it", take="S0303").anchors
    moments(world).keep([tokens, whole], present(world))
    assert moments(world).then(tokens) == b"the pictures of S0303 at 4"
    assert moments(world).then(whole) == b"the pictures of S0303 at 20"


def test_what_cannot_be_pictured_is_decided_all_the_same(world: World) -> None:
    """A picture that fails, in whatever way, fails neither a decision nor a session, and nothing is kept of it."""

    def broken(_take: Take, _time: Fraction) -> bytes:
        msg = "no such decoder"
        raise RuntimeError(msg)

    mind = Memory(session(world.base), takes=world.takes, edl=lambda: None, picture=broken)
    tokens = mind.decide("Use it", take="C0103", span="2.52-5.36").anchors
    assert mind.persist() is not None
    assert moments(world).then(tokens) is None
    assert moments(world).then(("lesson:own",)) is None


def test_looking_writes_nothing_in_the_project(world: World) -> None:
    """Pictures lie in the user's cache alone."""
    tokens = world.memory().decide("Use it", take="C0103").anchors
    before = tree(world.footage)
    moments(world).keep([tokens], present(world))
    moments(world).now(tokens, present(world))
    assert tree(world.footage) == before
