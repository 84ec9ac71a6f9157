"""The life of an entry through the Python call and through the magic, on real footage and real transcripts."""

from __future__ import annotations

import base64
import json
import re
import shutil
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from PIL import Image

from cutbook.errors import EdlError, InputError
from tests.faces import Face, run
from tests.footage import make_clip
from tests.launch import FIX, HOOK, hear, tree


def reviews(by: Face) -> dict[str, str]:
    """Give the reason of each entry that resume lists, by its id."""
    found = by.do("memory.resume").needs_review
    return {each.id: each.reason for cause in found for each in cause.entries}


def middle(jpeg: str) -> dict[str, int]:
    """Give the colour in the middle of a picture."""
    image = Image.open(BytesIO(base64.b64decode(jpeg))).convert("RGB")
    pixel = image.getpixel((image.width // 2, image.height // 2))
    assert isinstance(pixel, tuple)
    return dict(zip(("red", "green", "blue"), pixel, strict=True))


def decided(by: Face) -> Any:
    """Decide on the first line of C0101 and keep the session."""
    found = by.do("memory.decide", text="Open on the number", take="C0101", span=(0.4, 2.3), why="calm")
    by.do("memory.persist")
    return found


def test_a_new_transcript_is_reviewed_and_confirmed(by: Face, launch: Path) -> None:
    """A word heard otherwise asks for review by cause; confirming the cause settles it, kept or not."""
    name = decided(by).id
    hear(launch, "C0101", (("Nineteen", 0.5, 0.9), *HOOK[1:]))
    before = tree(launch)
    (cause,) = by.do("memory.resume").needs_review
    assert str(cause) == "transcript of C0101 was made again, 1 decision: `%memory confirm --cause 1`"
    assert reviews(by) == {name: "words of C0101 0.40–2.30 are other now"}
    assert tree(launch) == before
    by.do("memory.confirm", cause=1)
    assert reviews(by) == {}
    by.do("memory.persist")
    assert reviews(by) == {}
    hear(launch, "C0101", HOOK)
    assert list(reviews(by)) == [name]
    by.do("memory.reaffirm", name, why="heard as before")
    assert reviews(by) == {}


def test_a_corrected_word_is_seen_in_the_same_notebook(by: Face, launch: Path) -> None:
    """corrections.md, written while the project is open, counts at once, and says what was heard."""
    name = decided(by).id
    path = launch / "edit" / "corrections.md"
    path.write_text("Ninety -> Nineteen (everywhere)\n", encoding="utf-8")
    (cause,) = by.do("memory.resume").needs_review
    assert cause.what == "words of C0101 were put right in corrections.md"
    assert [(e.id, e.before, e.now) for e in cause.entries] == [
        (name, "Ninety percent is wasted.", "Nineteen percent is wasted.")
    ]
    path.unlink()
    assert reviews(by) == {}


def test_a_correction_that_is_taken_back_is_no_new_transcript(by: Face, launch: Path) -> None:
    """What was decided with a corrected word says that it went, or is another; the engine heard the same."""
    path = launch / "edit" / "corrections.md"
    path.write_text("Ninety -> Nineteen (everywhere)\n", encoding="utf-8")
    by.do("cut", text="HOOK C0101 #1-#4")
    decided(by)
    assert reviews(by) == {}
    path.unlink()
    (cause,) = by.do("memory.resume").needs_review
    assert cause.what == "corrections of C0101 were taken out of corrections.md"
    assert [each.now for each in cause.entries] == ["Ninety percent is wasted."] * 2
    path.write_text("Ninety -> Eighty (everywhere)\n", encoding="utf-8")
    (cause,) = by.do("memory.resume").needs_review
    assert cause.what == "corrections of C0101 were changed in corrections.md"
    by.do("memory.confirm", cause=1)
    by.do("memory.persist")
    assert reviews(by) == {}
    path.unlink()
    (cause,) = by.do("memory.resume").needs_review
    assert cause.what == "corrections of C0101 were taken out of corrections.md"
    hear(launch, "C0101", (("Seventy", 0.5, 0.9), *HOOK[1:]))
    (cause,) = by.do("memory.resume").needs_review
    assert cause.what == "transcript of C0101 was made again"


def test_a_take_on_a_card_that_is_not_there_is_offline(by: Face, launch: Path) -> None:
    """A take in a folder of its own that nobody cut or transcribed: away with its folder, gone when it alone went."""
    card = launch / "card B"
    card.mkdir()
    (launch / "S0303.mp4").rename(card / "S0303.mp4")
    make_clip(card / "S0404.mp4", seconds=1, size=(160, 90), sound="none")
    name = by.do("memory.decide", text="Cutaway for the middle", take="S0303").id
    by.do("memory.persist")
    card.rename(launch.parent / "taken out")
    assert reviews(by) == {}
    assert [each.freshness for each in by.do("memory.show") if each.id == name] == ["offline"]
    (launch.parent / "taken out").rename(card)
    assert [each.freshness for each in by.do("memory.show") if each.id == name] == ["fresh"]
    (card / "S0303.mp4").unlink()
    assert reviews(by) == {name: "S0303 is gone"}


def test_a_replaced_and_a_renamed_file(by: Face, launch: Path) -> None:
    """Another file under the name needs review and names where the old one is; a rename alone does not."""
    name = decided(by).id
    (launch / "C0101.mp4").rename(launch / "opening.mp4")
    hear(launch, "opening", HOOK)
    assert reviews(by) == {}
    make_clip(launch / "C0101.mp4", seconds=1, size=(160, 90), sound="none")
    assert reviews(by) == {name: "C0101 is another file now; the old one is opening"}
    (launch / "opening.mp4").unlink()
    assert reviews(by) == {name: "C0101 is another file now"}
    (launch / "C0101.mp4").unlink()
    assert reviews(by) == {name: "C0101 is gone"}


def test_the_page_shows_the_pictures_then_and_now(by: Face, launch: Path) -> None:
    """A replaced take stands there as it was and as it is; one that is gone as it was; a cutaway too."""
    by.do("cut", text="FIX B0202 #1-#3\nAWAY S0303 0.5-1.5")
    decided(by)
    for name, colour in (("C0101.mp4", "blue"), ("S0303.mp4", "red")):
        make_clip(launch / name, seconds=5, sound="none", picture=f"color={colour}:size=160x90:rate=30")
    (launch / "B0202.mov").unlink()
    html = by.do("memory.show")._repr_html_()
    causes = html.partition("Not saved yet")[0].partition("Session 1")[0].split("<table")[1:]
    pictures = [re.findall(r"data:image/jpeg;base64,([^\"]+)", each) for each in causes]
    assert [len(each) for each in pictures] == [2, 1, 2]
    seen = [[middle(each) for each in row] for row in pictures]
    hook, _, away = seen
    assert hook[1]["blue"] > hook[1]["red"] + 150
    assert away[1]["red"] > away[1]["blue"] + 150
    assert (hook[0] == hook[1], away[0] == away[1]) == (False, False)
    assert "Ninety percent is wasted." in causes[0]


def test_a_hand_edit_of_the_cut_is_reviewed_and_an_own_one_is_not(by: Face, launch: Path) -> None:
    """Case 21 on a real project: rejected in the file by hand, or by `%review reject`."""
    by.do("cut", text="HOOK C0101 #1-#4\nFIX B0202 #1-#3")
    by.do("memory.persist")
    path = launch / "edit" / "edl.json"
    kept = path.read_text(encoding="utf-8")
    path.write_text(kept.replace('"undecided"', '"rejected"', 1), encoding="utf-8")
    assert list(reviews(by).values()) == ["HOOK is rejected in the cut list"]
    path.write_text(kept, encoding="utf-8")
    assert reviews(by) == {}
    by.do("reject", 1, why="tired")
    assert reviews(by) == {}
    by.do("memory.persist")
    assert reviews(by) == {}


def test_a_renamed_file_keeps_its_range(by: Face, launch: Path) -> None:
    """The cut list still has the old name; its decision is carried along by the content."""
    by.do("cut", text="FIX B0202 #1-#3")
    by.do("memory.persist")
    (launch / "B0202.mov").rename(launch / "fixed.mov")
    hear(launch, "fixed", FIX)
    assert reviews(by) == {}
    found = [each for each in by.do("memory.show") if each.kind == "decision"]
    assert [each.freshness for each in found] == ["moved"]


def test_flag_abandon_and_supersede(by: Face) -> None:
    """Each verb counts at once, wants a reason, and stands in the log with what it ends."""
    old, vignette = decided(by).id, by.do("memory.decide", text="Vignette and grain on it").id
    new = by.do("memory.decide", text="Open on the laugh", why="warmer").id
    by.do("memory.flag", new, why="ask the client")
    assert reviews(by) == {new: "flagged: ask the client"}
    by.do("memory.confirm", new, why="she likes it")
    by.do("memory.supersede", old, by=new, why="warmer")
    by.do("memory.abandon", vignette, why="looks like dirt")
    for verb, words in (("flag", {}), ("abandon", {}), ("supersede", {"by": old})):
        with pytest.raises(InputError):
            by.do(f"memory.{verb}", new, **words)
    again = by.do("memory.decide", text="Grain and a vignette")
    assert "tried before: “Vignette and grain on it”" in repr(again)
    by.do("memory.persist")
    states = {each.id: each.state for each in by.do("memory.show", "--all")}
    assert [states[each] for each in (old, vignette, new)] == ["superseded", "abandoned", "live"]
    assert "looks like dirt" in repr(by.do("memory.show", vignette))
    assert by.do("memory.doctor").ok
    assert by.do("memory.tidy") == ()


def test_reading_an_open_project_writes_nothing(by: Face, launch: Path) -> None:
    """No read changes a byte or a time; without edit/cache, and without the user's cache, the answers are the same."""
    by.do("cut", text="HOOK C0101 #1-#4")
    name = decided(by).id
    by.do("memory.todo", text="Logo")
    (launch / "edit" / "cache").mkdir(exist_ok=True)
    (launch / "edit" / "cache" / "segment").write_bytes(b"x")
    hear(launch, "C0101", (("Nineteen", 0.5, 0.9), *HOOK[1:]))
    before = tree(launch)

    def answers() -> list[str]:
        verbs = [
            ("resume",),
            ("show",),
            ("show", "--all"),
            ("show", name),
            ("tidy",),
            ("doctor",),
            ("prefer",),
        ]
        found = [by.do(f"memory.{verb}", *words) for verb, *words in verbs]
        found += [by.do("memory.search", "number"), by.do("memory.context")]
        found += [by.do("memory.context", budget=90, task="open on the number")]
        return [*map(repr, found), *(each._repr_html_() for each in found)]

    said = answers()
    assert tree(launch) == before
    assert "needs review: words of C0101" in said[1]
    shutil.rmtree(launch / "edit" / "cache")
    assert answers() == said
    cache = by.project.folders.cache
    cache.rename(cache.with_name("aside"))
    try:
        assert answers() == said
    finally:
        if cache.exists():
            cache.rename(cache.with_name(f"since {launch.parent.name}"))
        cache.with_name("aside").rename(cache)


def test_the_magic_says_how_it_is_written(launch: Path, ipython: InteractiveShell) -> None:
    """A wrong number of ids, or a cause that is no number, is one line with what was wanted."""
    run(ipython, f'%project "{launch}";')
    for line, message in (
        ("abandon", "abandon wants one id"),
        ("flag a b --why x", "flag wants one id, not 'a b'"),
        ("confirm --cause one", "--cause wants the number that resume gives"),
        ("confirm", "confirm wants an id, a take or a cause"),
        ("tidy up", "tidy takes nothing more, not 'up'. Write it like: %memory tidy; "),
        (
            "decide",
            "decide wants a text. Write it like: %memory decide TEXT [--take T] [--range RANGE|A-B] [--beat B] ",
        ),
    ):
        with pytest.raises(InputError, match=re.escape(message)):
            run(ipython, f"%memory {line}")


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ('"calm"', "calm"),
        ("it's calm", "it's calm"),
        ('"it "breathes" well"', 'it "breathes" well'),
        ('"she said "go""', 'she said "go"'),
        ('"yes" and "no"', '"yes" and "no"'),
        ("'don't'", "don't"),
        ("'it's 'fine' here'", "it's 'fine' here"),
    ],
)
def test_a_reason_loses_the_quotes_that_it_stands_in(
    launch: Path, ipython: InteractiveShell, typed: str, why: str
) -> None:
    """Quotes around the whole reason go, those within it stay, for a decision as for a range."""
    run(ipython, f'%project "{launch}";')
    assert run(ipython, f"%memory decide Open on it --why {typed}").text == f"Open on it: {why}."
    run(ipython, "%%cut\nFIX B0202 #1-#3")
    run(ipython, f"%review accept 1 --why {typed}")
    edl = vars(ipython)["_cutbook_desk"].project.edl
    assert edl.ranges[0].extra["why"] == why


def test_resume_is_json_for_an_agent(launch: Path, ipython: InteractiveShell) -> None:
    """`--json` gives what needs review with its command, and what is outstanding, as data."""
    run(ipython, f'%project "{launch}";')
    run(ipython, "%memory decide Open on the number --take C0101 --range 0.4-2.3 --why calm")
    task = run(ipython, "%memory todo Logo").id
    run(ipython, "%memory persist")
    hear(launch, "C0101", (("Nineteen", 0.5, 0.9), *HOOK[1:]))
    read = json.loads(repr(run(ipython, "%memory resume --json")))
    (cause,) = read["needs_review"]
    assert cause["what"] == "transcript of C0101 was made again"
    assert cause["command"] == "%memory confirm --cause 1"
    assert [each["now"] for each in cause["entries"]] == ["Nineteen percent is wasted."]
    assert [(each["id"], each["session"]) for each in read["outstanding"]] == [(task, 1)]
    assert (read["unsaved"], read["warnings"]) == ([], [])


def test_ranges_and_seconds_are_told_apart(launch: Path, ipython: InteractiveShell) -> None:
    """`--range` is a run of ranges in whole numbers, seconds with a point or a colon; the answer says which."""
    run(ipython, f'%project "{launch}";')
    run(ipython, "%%cut\nHOOK C0101 #1-#4")
    told = {
        "a --range 1": "range 1 (HOOK)",
        "b --take C0101 --range 1-1": "range 1 (HOOK)",
        "c --take C0101 --range 0.4-2.3": "C0101 0.40-2.30, 4 words",
        "d --take C0101 --range 0:00.4-0:02.3": "C0101 0.40-2.30, 4 words",
    }
    assert {line: run(ipython, f"%memory decide {line}").tied for line in told} == told
    for line, message in (
        ("x --range 1-9", "no range is 2"),
        ("x --range one", "'one' names no range; write numbers as the table shows them"),
        ("x --take C0101 --range 1.5", "--range wants a start and an end like 2.52-5.36, or ranges like 3-5"),
    ):
        with pytest.raises((InputError, EdlError), match=re.escape(message)):
            run(ipython, f"%memory decide {line}")
