from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutbook.memory.log import Log, parse
from cutbook.memory.served import fold
from cutbook.memory.tried import gist, names, tried_before
from cutbook.memory.verbs import Memory
from tests.memory.helpers import session
from tests.memory.world import World

IDEAS = {
    "Three-second jump cuts in the demo": "they tired the test audience",
    "Open on the drone shot of the harbour": "nobody knew where we are",
    "Whoosh sound on every title card": "reads as a toy",
    "Vignette and film grain on interviews": "the client thought it was dirt",
    "Split screen of old and new website": "unreadable on a phone",
    "Background music under the customer quotes": "masks her accent",
}
REPEATS = {
    "Add jump cuts to speed the demo up": "Three-second jump cuts in the demo",
    "What about opening with drone shots of the harbour?": "Open on the drone shot of the harbour",
    "A whoosh for title cards": "Whoosh sound on every title card",
    "Try film grain with a vignette": "Vignette and film grain on interviews",
    "Show the website as a split screen": "Split screen of old and new website",
    "Quiet music in the background of customer quotes": "Background music under the customer quotes",
}
NEW = (
    "Keep the demo first",
    "End card needs the new logo",
    "Warm grade on the interviews",
    "Cut the harbour line from C0108",
    "Captions in sentence case",
    "Use the second take of the hook: no slip",
    "Title in the lower third",
    "Testimonials before the price",
    "Phone in portrait for the last shot",
    "Music from the client's library at the end",
)


def mind(base: Path) -> Memory:
    """Give the memory of a project without footage."""
    return Memory(session(base), takes=dict, edl=lambda: None)


@pytest.fixture
def series(tmp_path: Path) -> Path:
    """Return the base of a project of ten sessions in which six ideas were dropped."""
    for number, new in enumerate(NEW):
        mind(tmp_path).decide(new)
        if number < len(IDEAS):
            idea, why = list(IDEAS.items())[number]
            mind(tmp_path).abandon(mind(tmp_path).decide(idea), why=why)
        mind(tmp_path).persist()
    return tmp_path


@pytest.mark.parametrize(("text", "idea"), REPEATS.items())
def test_each_repeat_of_a_dropped_idea_is_warned_of(series: Path, text: str, idea: str) -> None:
    """A decision that repeats an abandoned one says so, with the reason, and of no other."""
    (warning,) = mind(series).decide(text).warnings
    assert warning.startswith(f"tried before: “{idea}” (d-")
    assert warning.endswith(f"given up because: {IDEAS[idea]}")
    assert warning in repr(mind(series).decide(f"{text} again"))


def test_nothing_else_is_warned_of(series: Path) -> None:
    """What was decided in the ten sessions, and what stands beside the ideas, repeats none of them."""
    state = mind(series).standing().state
    assert [each for each in NEW if tried_before(each, state)] == []


def test_numbers_and_takes_that_differ_are_named(tmp_path: Path) -> None:
    """The same idea with another number or take is said to be so, since that may be the difference that counts."""
    mind(tmp_path).abandon(mind(tmp_path).decide("Jump cuts every 3 s in C0103"), why="tiring")
    (warning,) = mind(tmp_path).decide("Jump cuts every 5 s in C0108").warnings
    assert warning.endswith("given up because: tiring (only one of the two names 3, 5, c0103, c0108)")


def log(*entries: str) -> Log:
    """Make a log of decisions whose first one was abandoned."""
    bullets = "".join(f"- {text} <!-- m d-{n:05d} -->\n" for n, text in enumerate(entries))
    ended = "- No longer: “…” (session 1): 太快了 <!-- m e-aaaaa abandon d-00000 -->\n"
    text = f"## Session 1\n**Decisions:**\n{bullets}## Session 2\n**Decisions:**\n{ended}"
    return parse(text.encode())


@pytest.mark.parametrize(
    ("entries", "text", "found"),
    [
        (("三秒跳切演示",), "加一些跳切", True),
        (("三秒跳切演示",), "保留开头", False),
        # Three entries hold the pair, so that it names no idea.
        (("跳切太快", "跳切很好", "不要跳切"), "加一些跳切", False),
        (("デモのジャンプカット",), "ジャンプを増やす", True),
    ],
)
def test_chinese_and_japanese_share_a_rare_pair(entries: tuple[str, ...], text: str, found: bool) -> None:  # noqa: FBT001
    """One shared pair of characters that at most two entries hold is enough, a common one is not."""
    assert bool(tried_before(text, fold(log(*entries)))) is found


def test_the_reason_is_read_from_the_event(tmp_path: Path) -> None:
    """Why it was given up stands in the event, after what it quotes."""
    del tmp_path
    (found,) = tried_before("跳切", fold(log("三秒跳切演示")))
    assert (found.why, found.session) == ("太快了", 1)


def test_one_shared_stem_or_less_than_half_is_no_repeat() -> None:
    """Two stems at least, and half of the shorter text."""
    state = fold(log("Jump cuts between drone shots of harbour bridge market"))
    assert tried_before("Jump over the pause", state) == ()
    assert len(tried_before("jumping cut", state)) == 1
    assert tried_before("Jump cuts while speaker holds laptop near window curtain", state) == ()


def test_a_gist_leaves_out_what_a_take_says() -> None:
    """Stems, names and a no are of the decision's own words; a quotation is the take's."""
    found = gist("Don't use C0103 at 2.52: “we never jump”")
    assert (found.stems, found.named) == (frozenset(), frozenset({"c0103", "2.52"}))
    assert found.negated


def test_numbers_make_a_possible_replacement_and_the_same_words_do_not(tmp_path: Path) -> None:
    """Case 18: the same text is one entry; 50 ms, then 30 ms: two, the first shown as possibly replaced."""
    first = mind(tmp_path).decide("Pad 50 ms before each cut")
    assert mind(tmp_path).decide("Pad 50 ms before each cut") == first
    mind(tmp_path).persist()
    again = mind(tmp_path).decide("Pad 50 ms before each cut")
    assert (again.id, again.warnings, mind(tmp_path).persist()) == (first.id, (), None)
    second = mind(tmp_path).decide("Pad 30 ms before each cut")
    settle = f"`%memory supersede {first.id} --by {second.id} --why …`"
    assert second.warnings == (f"may replace “Pad 50 ms before each cut” ({first.id}, session 1): {settle}",)
    mind(tmp_path).persist()
    assert [each.id for each in mind(tmp_path).entries() if each.kind == "decision"] == [first.id, second.id]
    (proposal,) = mind(tmp_path).tidy()
    assert proposal.command == f"%memory supersede {first.id} --by {second.id} --why …"
    assert "1 proposal to tidy up: `%memory tidy`." in mind(tmp_path).resume().text()
    mind(tmp_path).supersede(first, by=second, why="tighter")
    assert repr(mind(tmp_path).tidy()) == "nothing to tidy up"


def test_a_no_makes_a_possible_replacement(tmp_path: Path) -> None:
    """Yes and no on the same thing are two entries, and one may replace the other; other things are neither."""
    mind(tmp_path).decide("Use the warm grade")
    assert len(mind(tmp_path).decide("Do not use the warm grade").warnings) == 1
    assert mind(tmp_path).decide("Warm welcome from the client").warnings == ()


def test_a_pair_that_was_confirmed_is_settled(tmp_path: Path) -> None:
    """Confirming one of two near entries says that both are meant."""
    mind(tmp_path).decide("Pad 50 ms")
    second = mind(tmp_path).decide("Pad 30 ms")
    mind(tmp_path).persist()
    assert len(mind(tmp_path).tidy()) == 1
    mind(tmp_path).confirm(second, why="one is for dialogue, one for music")
    assert mind(tmp_path).tidy() == ()


def test_the_same_words_about_other_places_are_no_pair(tmp_path: Path) -> None:
    """Two decisions tied to different spans or files are about different things, however alike they read."""
    world = World(tmp_path)
    world.film("C0103")
    world.memory().decide("Use this line 1", take="C0103", span="2.52-5.36")
    assert world.memory().decide("Use this line 2", take="C0103", span="6.00-7.00").warnings == ()
    world.film("C0108")
    world.memory().decide("Warm grade on C0103", take="C0103")
    assert world.memory().decide("Warm grade on C0108", take="C0108").warnings == ()
    assert world.memory().tidy() == ()
    assert len(world.memory().decide("No warm grade on C0108", take="C0108").warnings) == 1


def test_many_texts_that_are_alike_are_one_proposal(tmp_path: Path) -> None:
    """It says how many there are, shows a few, and settles the first by the last; what is unlike stays alone."""
    told = [mind(tmp_path).decide(f"Pad every cut by {n} ms") for n in range(20, 45)]
    mind(tmp_path).decide("Warm grade for the evening")
    (proposal,) = mind(tmp_path).tidy()
    assert proposal.ids == tuple(each.id for each in told)
    assert proposal.what == (
        f"25 entries: “Pad every cut by 20 ms” ({told[0].id}), “Pad every cut by 21 ms” ({told[1].id}), "
        f"“Pad every cut by 22 ms” ({told[2].id}), 21 more and “Pad every cut by 44 ms” ({told[-1].id}) "
        "may replace each other"
    )
    assert proposal.command == f"%memory supersede {told[0].id} --by {told[-1].id} --why …"
    mind(tmp_path).supersede(told[0], by=told[-1], why="older")
    assert len(mind(tmp_path).tidy()[0].ids) == 24
    mind(tmp_path).confirm(*told[1:], why="one a scene")
    assert mind(tmp_path).tidy() == ()


def test_what_nothing_touched_for_ten_sessions_is_proposed(tmp_path: Path) -> None:
    """An entry that no anchor can check and no event named is worth a look after ten sessions."""
    old = mind(tmp_path).decide("Keep the demo first")
    mind(tmp_path).persist()
    for word in "lamp desk fan rain door cable clap dog bell train".split():
        assert mind(tmp_path).tidy() == ()
        mind(tmp_path).note(f"Heard a {word}")
        mind(tmp_path).persist()
    (proposal,) = mind(tmp_path).tidy()
    assert proposal.command == f"%memory confirm {old.id} --why …"
    mind(tmp_path).confirm(old, why="still the plan")
    assert mind(tmp_path).tidy() == ()
    mind(tmp_path).persist()
    assert mind(tmp_path).tidy() == ()


def named_one_by_one(text: str) -> list[str]:
    """Name takes, numbers and times by walking through the characters, each looked at a few times."""
    found, at = [], 0
    while at < len(text):
        first = text[at]
        if first.isdecimal():
            end = stretch(text, at, str.isdecimal)
            while text[end : end + 1] in set(".:") and text[end + 1 : end + 2].isdecimal():
                end = stretch(text, end + 1, str.isdecimal)
            found.append(text[at:end])
            at = end
        elif in_name(first):
            start = stretch(text, at, lambda each: each in "-_")
            if text[start : start + 1].isdecimal():
                at = start
                continue
            whole = stretch(text, start, lambda each: in_name(each) or each.isdecimal())
            last = max((place for place in range(start, whole) if text[place].isdecimal()), default=0)
            if not last:
                at = whole
                continue
            end = stretch(text, last, lambda each: each != "-" and (in_name(each) or each.isdecimal()))
            found.append(text[start:end])
            at = end
            if text[at : at + 1] == "-":
                at = whole
        else:
            at += 1
    return found


def in_name(char: str) -> bool:
    """Tell whether a character that is no digit may stand in a take's name."""
    return char == "-" or (bool(re.match(r"\w", char)) and not char.isdecimal())


def stretch(text: str, at: int, holds: Callable[[str], bool]) -> int:
    """Give the place behind the characters from here on that hold."""
    while at < len(text) and holds(text[at]):
        at += 1
    return at


@given(
    st.text(st.sampled_from("aZé中_-0٣1.: \n’“”!"), max_size=30)
    | st.text(max_size=20).map(lambda text: f"x{text}")
)
def test_names_are_those_that_a_walk_through_the_text_finds(text: str) -> None:
    """Takes, numbers and times are found wherever they stand, as one finds them character by character."""
    assert names(text) == named_one_by_one(text)


@given(
    st.text(st.characters() | st.sampled_from("a中-_1 .:\n“"), min_size=1, max_size=3), st.text(max_size=2)
)
@settings(max_examples=20)
def test_a_long_text_of_any_letters_is_read_to_its_end(part: str, end: str) -> None:
    """A text of 20,000 characters of any alphabet is read as a short one: no start is tried over and over."""
    text = (part * 20_000)[: 20_000 - len(end)] + end
    assert names(text) == named_one_by_one(text)
    about = gist(text)
    assert about.named == {name.casefold() for name in named_one_by_one(own(text[:4_000]))}
    assert tried_before(text, fold(Log())) == ()


def own(text: str) -> str:
    """Leave out what stands in curly quotes, and behind what an entry says that it ends."""
    text = text.partition(" Replaces “")[0].partition(" For the rest “")[0]
    first, *rest = text.split("“")
    return first + "".join(f" {each.partition('”')[2]}" if "”" in each else f"“{each}" for each in rest)


@pytest.mark.parametrize("text", ["x" * 9_000, "字幕用简体中文不要繁体" * 71, "a-" * 9_000, "1:" * 9_000])
def test_a_decision_of_one_long_word_is_written_down_and_served(tmp_path: Path, text: str) -> None:
    """A text without spaces is decided, kept and served in a new notebook as any other."""
    mind(tmp_path).abandon(mind(tmp_path).decide("Jump cuts every 3 s"), why="tiring")
    entry = mind(tmp_path).decide(text)
    mind(tmp_path).persist()
    assert mind(tmp_path).show(entry.id).text == text  # type: ignore[union-attr]
    assert mind(tmp_path).resume().sentence
    assert mind(tmp_path).context().text
