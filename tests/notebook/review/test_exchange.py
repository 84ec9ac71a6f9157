"""The talk between views and the kernel, over the very functions that a comm calls."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from cutbook import Project
from cutbook.edit.edl import Edl
from cutbook.errors import EdlError
from cutbook.notebook.review.session import Review
from tests.launch import hear
from tests.notebook.review.talk import Talk


def elsewhere(folder: Path, code: str) -> None:
    """Run Python in another process with `p`, the project."""
    program = f"from cutbook import Project\np = Project({str(folder)!r})\n{code}"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def statuses(board: dict[str, Any]) -> list[str]:
    """Return the decisions in order."""
    return [each["status"] for each in board["ranges"]]


def test_hello_is_answered_with_the_board(project: Project) -> None:
    """A view that says hello is told the cut list, the number of changes and what can be undone."""
    talk = Talk(project)
    board = talk.hello("a")
    assert (board["version"], board["number"]) == (project.changes, 1)
    assert (board["undo"], board["redo"]) == (project.can_undo, project.can_redo)
    assert talk.ids == [each.id for each in project.edl.ranges]
    json.dumps(board)
    talk.exchange.close()


def test_decisions_go_through_the_project(talk: Talk, project: Project) -> None:
    """Accept, reject and undecided change edl.json as the verbs do, with their reasons, and are told to the session."""
    first, second, third = talk.ids
    assert talk.do(verb="accept", ranges=[first, third], why="clean")["ok"]
    assert talk.do(verb="reject", ranges=[second], why="hums")["ok"]
    ack = talk.do(verb="undecided", ranges=[third])
    assert statuses(ack["board"]) == ["accepted", "rejected", "undecided"]
    edl = Project(project.folder).edl
    assert [each.status for each in edl.ranges] == ["accepted", "rejected", "undecided"]
    assert [each.extra.get("why") for each in edl.ranges] == ["clean", "hums", None]
    assert [each["why"] for each in ack["board"]["ranges"]] == ["clean", "hums", ""]
    assert [event.kind for event in project.session.events()] == ["cut", "accept", "reject", "review"]
    assert [version.by for version in project.history().versions] == ["cut", "accept", "reject", "review"]


def test_each_change_of_a_view_is_a_verb(talk: Talk, project: Project) -> None:
    """Trim, split, merge, move, cut, restore, swap, why, note and tighten end as the verbs of the project end."""
    first, second, third = talk.ids
    trimmed = talk.do(verb="trim", range=first, edge="out", frame=48, exact=True, why="early")
    assert trimmed["board"]["ranges"][0]["frames"][1] == 48
    split = talk.do(verb="split", range=third, frame=120)
    assert [each["take"] for each in split["board"]["ranges"]] == ["C0101", "B0202", "C0101", "C0101"]
    assert len(talk.do(verb="merge", range=third)["board"]["ranges"]) == 3
    moved = talk.do(verb="move", ranges=[second], before=first)
    assert talk.ids == [second, first, third]
    assert moved["board"]["undo"]
    assert talk.do(verb="move", ranges=[second], before=None)["ok"]
    assert talk.ids == [first, third, second]
    cut = talk.do(verb="cut", range=third, words=[6, 6])
    assert [each["words"] for each in cut["board"]["ranges"]][1] == [7, 8]
    restored = talk.do(verb="restore", take="C0101", words=[6, 6])
    assert [each["words"] for each in restored["board"]["ranges"]][1] == [6, 8]
    swapped = talk.do(verb="swap", range=second, take="C0101", words=[6, 8], why="crisper")
    assert swapped["ok"], swapped["error"]
    assert [each["take"] for each in swapped["board"]["ranges"]] == ["C0101"] * 3
    said = talk.do(verb="why", range=first, why="opens well")
    assert said["board"]["ranges"][0]["why"] == "opens well"
    noted = talk.do(verb="note", text="she is tired here")
    assert (noted["ok"], noted["said"]) == (True, "noted")
    assert "she is tired here" in [event.text("text") for event in project.session.events()]
    assert noted["board"]["version"] == said["board"]["version"]


def test_tighten_says_what_it_took_out(talk: Talk, project: Project) -> None:
    """Only the ranges named are tightened, and a sentence says at how many places."""
    project.cut("C0101 #1-#8\nB0202 #1-#3")
    talk.hello()
    first, second = talk.ids
    nothing = talk.do(verb="tighten", ranges=[second], fillers=True, pauses=None, keep=None)
    assert (nothing["ok"], nothing["said"]) == (True, "there was nothing to take out")
    done = talk.do(verb="tighten", ranges=[first], fillers=True, pauses=0.5, keep=0.2)
    assert done["said"] == "1 place taken out"
    assert [each["words"] for each in done["board"]["ranges"]] == [[1, 4], [6, 8], [1, 3]]


def test_undo_and_redo_are_changes_too(talk: Talk) -> None:
    """Undo takes the last change back and counts as one; with nothing left it says so and changes nothing."""
    talk.do(verb="reject", ranges=[talk.ids[0]])
    before = talk.board["version"]
    undone = talk.do(verb="undo")
    assert (undone["said"], statuses(undone["board"])) == ("undone: reject 1", ["undecided"] * 3)
    assert undone["board"]["version"] == before + 1
    assert undone["board"]["redo"]
    again = talk.do(verb="redo")
    assert (again["said"], statuses(again["board"])[0]) == ("done again: reject 1", "rejected")
    refused = talk.do(verb="redo")
    assert not refused["ok"]
    assert "redone" in refused["error"]
    assert refused["board"]["version"] == before + 2


def test_undo_reaches_over_processes(project: Project) -> None:
    """What a view did is undone by one that another kernel opens later, down to the version before."""
    talk = Talk(project)
    talk.hello()
    talk.do(verb="reject", ranges=[talk.ids[1]])
    talk.exchange.close()
    elsewhere(project.folder, "p.accept(1)")
    later = Talk(Project(project.folder))
    assert statuses(later.hello("new")) == ["accepted", "rejected", "undecided"]
    assert statuses(later.do("new", verb="undo")["board"]) == ["undecided", "rejected", "undecided"]
    assert statuses(later.do("new", verb="undo")["board"]) == ["undecided"] * 3
    later.exchange.close()


def test_ones_own_fast_keys_are_never_refused(talk: Talk) -> None:
    """Changes that a view sends before it heard of its earlier ones are done."""
    base = talk.board["version"]
    first, second, third = talk.ids
    acks = [
        talk.do(base=base, verb="accept", ranges=[first]),
        talk.do(base=base, verb="reject", ranges=[second]),
        talk.do(base=base, verb="accept", ranges=[third]),
        talk.do(base=base, verb="undo"),
    ]
    assert [ack["ok"] for ack in acks] == [True] * 4
    assert statuses(acks[-1]["board"]) == ["accepted", "rejected", "undecided"]


@pytest.mark.parametrize("who", ["view", "python", "process", "hand"])
def test_a_change_of_somebody_else_refuses_the_stale_view(talk: Talk, project: Project, who: str) -> None:
    """A change from another view, from Python, another process or by hand refuses what a view asks that missed it."""
    base, (first, second, _) = talk.board["version"], talk.ids
    if who == "view":
        assert talk.do("other", verb="accept", ranges=[first])["ok"]
    elif who == "python":
        project.accept(1)
    elif who == "process":
        elsewhere(project.folder, "p.accept(1)")
    else:
        path = project.edit / "edl.json"
        path.write_text(path.read_text("utf-8").replace("undecided", "accepted", 1), "utf-8")
    ack = talk.do(base=base, verb="reject", ranges=[second])
    assert (ack["ok"], ack["stale"]) == (False, True)
    assert statuses(ack["board"]) == ["accepted", "undecided", "undecided"]
    again = talk.do(base=ack["board"]["version"], verb="reject", ranges=[second])
    assert (again["ok"], again["error"]) == (True, "")
    assert statuses(again["board"]) == ["accepted", "rejected", "undecided"]


@pytest.mark.parametrize("who", ["process", "hand", "python"])
def test_a_view_follows_what_others_change(talk: Talk, project: Project, who: str) -> None:
    """A view that does nothing is told of a change from outside by itself."""
    mark = len(talk.sent)
    if who == "process":
        elsewhere(project.folder, "p.reject(2, why='hums')")
    elif who == "python":
        project.reject(2)
    else:
        path = project.edit / "edl.json"
        text = path.read_text("utf-8")
        place = text.index("undecided", text.index("undecided") + 1)
        path.write_text(f"{text[:place]}rejected{text[place + 9 :]}", "utf-8")
    told = talk.wait(after=mark, type="changed")[0]
    assert statuses(told["board"]) == ["undecided", "rejected", "undecided"]
    assert told["board"]["version"] == project.changes == 2


def test_all_reviews_of_a_project_are_in_step(project: Project, launch: Path) -> None:
    """Two widgets, with two project objects of one folder, hear of each other's changes and of Python's at once."""
    one, other = Talk(project), Talk(Project(launch / ".." / launch.name))
    one.hello("a")
    other.hello("b")
    one.do("a", verb="accept", ranges=[one.ids[0]])
    assert statuses(other.told("changed")[-1]["board"]) == ["accepted", "undecided", "undecided"]
    assert other.told("changed")[-1]["by"] == "a"
    assert one.told("changed") == []
    Review(project).reject(2, why="hums")
    for each in (one, other):
        assert statuses(each.board) == ["accepted", "rejected", "undecided"]
        each.exchange.close()


def test_two_views_of_one_review_are_in_step(talk: Talk) -> None:
    """A change of one view is told to the review's other view as well, once."""
    talk.hello("w")
    talk.do("v", verb="accept", ranges=[talk.ids[0]])
    assert [told["by"] for told in talk.told("changed")] == ["v"]


def test_a_message_that_comes_twice_is_done_once(talk: Talk, project: Project) -> None:
    """The same view and id again is acknowledged again, with what it came to, and nothing is done."""
    talk.do(verb="reject", ranges=[talk.ids[0]])
    one = talk.do(id=77, verb="undo")
    changes = project.changes
    two = talk.do(id=77, verb="undo")
    assert (one["ok"], two["ok"]) == (True, True)
    assert project.changes == changes
    assert talk.do("w", id=77, verb="redo")["ok"]


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"verb": "accept", "ranges": ["r-zzzzz"]}, "r-zzzzz"),
        ({"verb": "accept", "ranges": []}, "no range is chosen"),
        ({"verb": "accept", "ranges": "all"}, "a list of texts"),
        ({"verb": "accept"}, "a list of texts"),
        ({"verb": "trim", "range": "1", "edge": "left", "frame": 3, "exact": True}, "edge"),
        ({"verb": "trim", "range": "1", "edge": "in", "frame": "3", "exact": True}, "a whole number"),
        ({"verb": "trim", "range": "1", "edge": "in", "frame": 10**9, "exact": True}, "r"),
        ({"verb": "cut", "range": "1", "words": [1]}, "two whole numbers"),
        ({"verb": "swap", "range": "1", "take": "C9999", "words": [1, 2]}, "C9999"),
        ({"verb": "tighten", "ranges": [], "fillers": True}, "no range is chosen"),
        ({"verb": "note", "text": "  "}, "text"),
        ({"verb": "delete"}, "'delete' is no change"),
        ({}, "a text"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(
    talk: Talk, project: Project, change: dict[str, Any], error: str
) -> None:
    """A change that cannot be is acknowledged with one line, and nothing is written."""
    before = (project.edit / "edl.json").read_bytes()
    ack = talk.do(**change)
    assert (ack["ok"], ack["stale"]) == (False, False)
    assert error in ack["error"]
    assert "\n" not in ack["error"]
    assert (project.edit / "edl.json").read_bytes() == before


@pytest.mark.parametrize(
    "message", [None, 3, {}, {"type": "do"}, {"type": "ask", "view": 3}, {"type": "x", "view": "v"}]
)
def test_what_is_no_message_is_passed_over(talk: Talk, message: object) -> None:
    """Whatever else arrives is answered by nothing and breaks nothing."""
    mark = len(talk.sent)
    talk.exchange.heard(message)
    assert len(talk.sent) == mark
    assert talk.do(verb="accept", ranges=[talk.ids[0]])["ok"]


def test_no_change_is_still_acknowledged(talk: Talk) -> None:
    """A message without a change or an id has its acknowledgement, as an error."""
    talk.exchange.heard({"type": "do", "view": "v", "id": "x", "base": None})
    ack = talk.told("ack")[-1]
    assert (ack["ok"], ack["id"]) == (False, 0)


def test_a_cut_list_that_breaks_is_locked_and_comes_back(talk: Talk, project: Project) -> None:
    """While edl.json is no cut list the board stands as it was and says why; mended, it can be changed again."""
    path = project.edit / "edl.json"
    good = path.read_bytes()
    mark = len(talk.sent)
    path.write_text("{", "utf-8")
    broken = talk.wait(after=mark, type="changed")[0]["board"]
    assert "edl.json" in broken["locked"]
    assert len(broken["ranges"]) == 3
    ack = talk.do(verb="accept", ranges=[talk.ids[0]])
    assert not ack["ok"]
    mark = len(talk.sent)
    path.write_bytes(good)
    mended = talk.wait(after=mark, type="changed")[0]["board"]
    assert (mended["locked"], len(mended["ranges"])) == ("", 3)
    assert talk.do(verb="accept", ranges=[talk.ids[0]])["ok"]


def test_the_version_in_force_stands_where_the_list_breaks(talk: Talk, project: Project) -> None:
    """Also where what this review showed last is older; the board says what undo brings back, and undo does."""
    other = Project(project.folder)
    other.reject(2, why="hums")  # nobody has looked since
    path = project.edit / "edl.json"
    path.write_text("{", "utf-8")
    board = talk.exchange.board()
    assert statuses(board) == ["undecided", "rejected", "undecided"]
    assert board["number"] == 2
    assert board["locked"].endswith("%edl undo brings version 2 back")
    assert board["locked"].startswith("edl.json")
    with pytest.raises(EdlError, match="%edl undo brings version 2 back"):
        Review(project)
    path.unlink()
    gone = talk.hello()
    assert (gone["locked"], statuses(gone)[1]) == (
        "edl.json is gone; %edl undo brings version 2 back",
        "rejected",
    )
    ack = talk.do(verb="undo")
    assert (ack["ok"], ack["board"]["locked"], statuses(ack["board"])[1]) == (True, "", "rejected")


def test_takes_that_are_not_in_the_film_are_offered(project: Project, launch: Path) -> None:
    """A moment after a view opens it knows all takes that have words; one that is heard later is offered then.

    Their words come when they are asked for; what has no words, or none that can be read, is not offered.
    """
    for name in ("Spare", "Later", "Torn"):
        shutil.copy2(launch / "S0303.mp4", launch / f"{name}.mp4")
    hear(launch, "Spare", [("Once", 0.1, 0.4), ("more.", 0.5, 0.9)])
    (launch / "edit" / "transcripts" / "Torn.json").write_text("{", "utf-8")
    talk = Talk(project)
    assert list(talk.hello()["takes"]) == ["C0101", "B0202"]
    board = talk.wait(type="changed")[0]["board"]
    assert (list(board["takes"]), board["takes"]["Spare"]["words"]) == (["C0101", "B0202", "Spare"], 2)
    assert talk.ask("words", take="Spare")[0]["words"]["text"] == ["Once", "more."]
    ack = talk.do(verb="accept", ranges=[talk.ids[0]])
    assert list(ack["board"]["takes"]) == ["C0101", "B0202", "Spare"]
    assert talk.told("changed")[1:] == []
    mark = len(talk.sent)
    hear(launch, "Later", [("Late.", 0.1, 0.4)])
    while "Later" not in talk.board["takes"]:
        talk.wait(after=mark, type="changed")
        mark += 1
    assert list(talk.board["takes"]) == ["C0101", "B0202", "Later", "Spare"]
    talk.exchange.close()


@pytest.mark.parametrize("broken", ["{", "[]", None])
def test_undo_in_a_view_mends_a_list_that_broke(talk: Talk, project: Project, broken: str | None) -> None:
    """Undo is open while nothing else is, at once, from what the view saw last, and again; the cure is said once."""
    talk.do(verb="reject", ranges=[talk.ids[1]])
    path = project.edit / "edl.json"
    good, seen = path.read_bytes(), talk.board["version"]
    if broken is None:
        path.unlink()
    else:
        path.write_text(broken, "utf-8")
    board = talk.exchange.board()
    assert (board["undo"], statuses(board)) == (True, ["undecided", "rejected", "undecided"])
    assert board["locked"].count("undo") == 1
    assert board["locked"].endswith("; %edl undo brings version 2 back")
    refused = talk.do(base=seen, verb="accept", ranges=[talk.ids[0]])
    assert (refused["ok"], refused["error"].count("undo")) == (False, 1)
    ack = talk.do(base=seen, verb="undo")
    assert (ack["ok"], ack["board"]["locked"], path.read_bytes()) == (True, "", good)
    assert ack["said"] == "version 2 is back"
    again = talk.do(verb="undo")
    assert (again["ok"], statuses(again["board"])) == (True, ["undecided"] * 3)


def test_undo_does_not_take_back_what_a_view_has_not_seen(talk: Talk, project: Project) -> None:
    """Where the list that broke was mended elsewhere, undo is refused as after any change of another."""
    seen = talk.board["version"]
    path = project.edit / "edl.json"
    path.unlink()
    Project(project.folder).undo()
    ack = talk.do(base=seen, verb="undo")
    assert (ack["ok"], ack["stale"], statuses(ack["board"])) == (False, True, ["undecided"] * 3)


def test_a_half_written_list_is_not_taken_in(talk: Talk, project: Project) -> None:
    """While a hand edit is being written it is no version; once it is whole, it is told as one change."""
    path = project.edit / "edl.json"
    whole = path.read_text("utf-8").replace("calm", "calmest")
    mark = len(talk.sent)
    path.write_text("", "utf-8")
    assert not talk.exchange.look()
    path.write_text(whole, "utf-8")
    told = talk.wait(after=mark, type="changed")[0]["board"]
    assert (told["locked"], told["ranges"][0]["reason"]) == ("", "calmest")
    assert [each.valid for each in project.history().versions] == [True, True]


def test_an_earlier_version_is_looked_at_alone(project: Project) -> None:
    """A review of an earlier version shows it, refuses changes, and does not follow the one in force."""
    project.cut("B0202 #1-#3")
    talk = Talk(project, version=1)
    board = talk.hello()
    assert len(board["ranges"]) == 3
    assert "version 1" in board["locked"]
    assert "version 1" in board["title"]
    assert (board["undo"], board["redo"]) == (False, False)
    ack = talk.do(verb="accept", ranges=[talk.ids[0]])
    assert (ack["ok"], ack["error"]) == (False, board["locked"])
    Review(project).accept(1)
    assert talk.told("changed") == []
    talk.exchange.close()


def watching(talk: Talk) -> threading.Thread | None:
    """Return the thread that looks for changes of others."""
    return talk.exchange.room.watching


def test_the_watch_ends_with_the_last_view(project: Project) -> None:
    """No thread looks for changes once every view has said goodbye; a new view has one again."""
    talk = Talk(project)
    talk.exchange.room.linger = 0

    talk.hello("a")
    talk.hello("b")
    thread = watching(talk)
    assert thread is not None
    talk.exchange.heard({"type": "bye", "view": "a"})
    assert talk.exchange.views == {"b"}
    talk.exchange.heard({"type": "bye", "view": "b"})
    thread.join(10)
    assert watching(talk) is None
    talk.hello("c")
    again = watching(talk)
    assert again is not None
    talk.exchange.close()
    again.join(10)
    assert watching(talk) is None


def test_a_page_that_is_loaded_anew_finds_everything_going_on(talk: Talk) -> None:
    """A view that says goodbye and another that says hello soon after do not stop what is made."""
    thread = watching(talk)
    assert thread is not None
    talk.ask("clip", take="C0101")
    talk.exchange.heard({"type": "bye", "view": "v"})
    thread.join(1)
    assert thread.is_alive()
    talk.hello("w")
    mark = len(talk.sent)
    clip = talk.ask("clip", view="w", take="C0101")[0]["clip"]
    while clip["state"] != "ready":
        assert clip["state"] == "making"
        clip = talk.wait(type="clip", after=mark)[0]["clip"]
        mark += 1


def test_words_that_come_are_seen(talk: Talk, launch: Path) -> None:
    """A transcript that is made anew while a view is open changes the take on its board, and no version."""
    before = talk.board
    mark = len(talk.sent)
    hear(
        launch, "B0202", (("We", 0.4, 0.6), ("mended", 0.65, 1.0), ("that.", 1.05, 1.5), ("Well.", 2.0, 2.5))
    )
    told = talk.wait(after=mark, type="changed")[0]["board"]
    assert told["version"] == before["version"]
    assert told["takes"]["B0202"]["words"] == 4
    assert told["takes"]["B0202"]["stamp"] != before["takes"]["B0202"]["stamp"]
    assert told["takes"]["C0101"] == before["takes"]["C0101"]
    assert talk.ask("words", take="B0202")[0]["words"]["text"][1] == "mended"


def test_nothing_is_told_twice(project: Project) -> None:
    """With reviews open, closed and of an earlier version, each change is told once, and nothing while none is made."""
    talks = [Talk(project), Talk(project), Talk(project, version=1)]
    for number, talk in enumerate(talks):
        talk.hello(f"v{number}")
    talks[1].exchange.heard({"type": "bye", "view": "v1"})
    talks[0].do("v0", verb="accept", ranges=[talks[0].ids[0]])
    project.cut("B0202 #1-#3")
    told = talks[0].wait(type="changed")
    assert len(told[0]["board"]["ranges"]) == 1
    mark = [len(talk.sent) for talk in talks]
    time.sleep(1.5)
    assert [len(talk.sent) for talk in talks] == mark
    for talk in talks:
        talk.exchange.close()


def test_messages_on_many_threads_are_done_one_by_one(talk: Talk, project: Project) -> None:
    """Views that press keys at the same time on threads of their own lose no change and break nothing."""
    first, second, third = talk.ids
    base = talk.board["version"]

    def press(view: str, range_: str) -> None:
        for number in range(4):
            verb = "accept" if number % 2 else "reject"
            change = {"verb": verb, "ranges": [range_]}
            talk.exchange.heard({"type": "do", "view": view, "id": number, "base": 10**9, "change": change})
            talk.exchange.heard(
                {
                    "type": "do",
                    "view": view,
                    "id": 50 + number,
                    "base": talk.board["version"],
                    "change": change,
                }
            )

    threads = [
        threading.Thread(target=press, args=pair) for pair in (("a", first), ("b", second), ("c", third))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    acks = talk.told("ack")
    assert len(acks) == 24
    done = sum(ack["ok"] for ack in acks)
    assert all(ack["stale"] for ack in acks if not ack["ok"])
    assert done >= 1
    assert project.changes - base <= done
    versions = [content["board"]["version"] for content, _ in talk.sent if "board" in content]
    assert versions == sorted(versions)


def test_an_unforeseen_error_is_said_with_its_kind(project: Project) -> None:
    """Whatever goes wrong in a change or a question reaches the view; nothing dies silently."""
    talk = Talk(project)
    talk.hello()
    shutdown = RuntimeError("the floor is wet")

    class Wet(Project):
        def accept(self, *which: int | str, why: str = "") -> Any:
            assert (which, why) == ((talk.ids[0],), "")
            raise shutdown

        def history(self) -> Any:
            raise shutdown

    talk.exchange.project = Wet(project.folder)
    ack = talk.do(verb="accept", ranges=[talk.ids[0]])
    assert (ack["ok"], ack["error"]) == (False, "RuntimeError: the floor is wet")
    answer, _ = talk.ask("versions")
    assert (answer["ok"], answer["error"]) == (False, "RuntimeError: the floor is wet")
    talk.exchange.close()


def test_a_change_that_comes_right_after_is_not_missed(project: Project) -> None:
    """Where somebody changes the cut list just after a view did, the acknowledgement shows it or it is told later."""
    talk = Talk(project)
    talk.hello()

    class Raced(Project):
        def accept(self, *which: int | str, why: str = "") -> Edl:
            edl = super().accept(*which, why=why)
            other = threading.Thread(target=project.reject, args=(2,))
            other.start()
            other.join(60)
            return edl

    talk.exchange.project = Raced(project.folder)
    ack = talk.do(verb="accept", ranges=[talk.ids[0]])
    assert ack["ok"]
    assert statuses(ack["board"]) == ["accepted", "rejected", "undecided"]
    assert ack["board"]["version"] == project.changes
    talk.exchange.close()
