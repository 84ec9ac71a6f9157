"""The review's view by itself, on a page with a made-up kernel: what it shows, what keys and the mouse do."""

from __future__ import annotations

import functools
import http.server
import json
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.needs import require

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(300)]

VIEW = Path(__file__).parents[2] / "extension" / "review"
SETTLED = "() => document.querySelector('.cb-saved')?.textContent === 'saved'"
# What a document would hear of keys that were not kept from it, in either phase as Jupyter's listeners have it.
HEARKEN = """() => {
    window.escaped = [];
    document.addEventListener("keydown", event => window.escaped.push(event.key));
    document.addEventListener("keydown", event => {
        if (!document.activeElement.matches("[data-lm-suppress-shortcuts='true']")) window.escaped.push(event.key);
    }, true);
}"""
FOCUSABLE = "button, input, select, textarea, [tabindex]:not([tabindex='-1'])"

Open = Callable[..., "Page"]


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Build the page and serve it on loopback."""
    node = shutil.which("node")
    require(node, "no Node (20 or newer, with npm)")
    require((VIEW / "node_modules" / "esbuild").exists(), "make review installs what builds the view")
    folder = tmp_path_factory.mktemp("page")
    subprocess.run([str(node), "build.mjs", "--page", str(folder)], cwd=VIEW, check=True, timeout=120)
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/index.html"
    server.shutdown()
    server.server_close()


@pytest.fixture
def show(address: str, browser: Browser) -> Iterator[Open]:
    """Return what opens the view: `show(cuts=40, words="en", theme="light", width=1000)`."""
    pages: list[Page] = []
    faults: list[str] = []

    def opened(width: int = 1000, **asked: object) -> Page:
        page = browser.new_page(viewport={"width": width + 24, "height": 1000})
        pages.append(page)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(f"{address}?{'&'.join(f'{name}={value}' for name, value in asked.items())}")
        page.wait_for_function(SETTLED)
        page.locator(".cb-root").focus()
        return page

    yield opened
    for page in pages:
        page.close()
    assert faults == []


def press(page: Page, *keys: str) -> None:
    """Press keys as a person does, and wait for what they changed to be saved."""
    for key in keys:
        page.keyboard.press(key)
    page.wait_for_function(SETTLED)


def changes(page: Page) -> list[dict[str, Any]]:
    """Return the changes that the kernel was told of."""
    said = page.evaluate(
        "() => review.kernel.heard.filter(each => each.type === 'do').map(each => each.change)"
    )
    return list(said)


def board(page: Page) -> dict[str, Any]:
    """Return the board as the kernel has it."""
    return dict(page.evaluate("() => review.kernel.board"))


def current(page: Page) -> int:
    """Return the number of the current range."""
    return int(page.locator(".cb-row[aria-selected='true'] .cb-number").inner_text())


def row(page: Page, number: int) -> Locator:
    """Return a row of the list by the range's number."""
    return page.locator(f".cb-row[aria-rowindex='{number}']")


@pytest.mark.parametrize(("theme", "width"), [("light", 1000), ("dark", 650)])
def test_axe_finds_no_fault(show: Open, theme: str, width: int) -> None:
    """Names, roles and contrasts are as the accessibility rules want them, whatever is open."""
    page = show(cuts=12, theme=theme, width=width)
    page.add_script_tag(path=str(VIEW / "node_modules" / "axe-core" / "axe.min.js"))
    for keys in ("", "Home r a r", "w", "Escape t", "Escape v", "Escape ?", "locked"):
        if keys == "locked":
            page.evaluate(
                "() => review.kernel.elsewhere(board => ({...board, locked: 'broken', undo: true}))"
            )
            page.locator(".cb-notice:visible").wait_for()
        else:
            press(page, *keys.split())
        page.wait_for_timeout(150)
        found = page.evaluate(
            "() => axe.run(document.querySelector('.cb-root'), {resultTypes: ['violations']})"
        )
        faults = [(each["id"], each["impact"], each["nodes"][0]["html"]) for each in found["violations"]]
        assert faults == [], keys


@pytest.mark.parametrize("on", [".cb-root", "[data-act='split']", ".cb-list"])
def test_no_key_comes_to_the_document(show: Open, on: str) -> None:
    """Every key of the sheet, and every letter and digit, stays within the view; the focused element says so."""
    page = show(cuts=3)
    page.evaluate(HEARKEN)
    arrows = [f"Arrow{way}" for way in ("Up", "Down", "Left", "Right")]
    keys = [*"abcdefghijklmnopqrstuvwxyz0123456789,.?", "Enter", "Space", "Delete", "Home", "End", *arrows]
    for chord in [*keys, *(f"Shift+{key}" for key in "AEIORMZ,."), *(f"Alt+{key}" for key in arrows)]:
        page.evaluate("on => document.querySelector(on).focus()", on)
        page.keyboard.press(chord)
        if page.locator(".cb-line:not([hidden])").count():
            page.keyboard.press("Escape")
    assert page.evaluate("() => window.escaped") == []


def test_saving_is_sent_on_to_the_cell(show: Open) -> None:
    """Ctrl-S comes out of the view as if it had been pressed on the cell, once."""
    page = show(cuts=3)
    page.evaluate(
        """() => { const cell = document.createElement("div"); cell.className = "jp-Cell"; window.saves = [];
        const output = document.getElementById("output"); output.before(cell); cell.append(output);
        cell.addEventListener("keydown", ({key, ctrlKey, target}) => saves.push([key, ctrlKey, target.className]));
        }"""
    )
    page.locator(".cb-root").focus()
    page.keyboard.press("Control+s")
    assert page.evaluate("() => window.saves") == [["s", True, "jp-Cell"]]


def test_escape_goes_back_to_the_cell_when_nothing_is_open(show: Open) -> None:
    """Esc closes what is on top, one after the other, and at last gives the focus to the cell."""
    page = show(cuts=12)
    page.evaluate("() => document.getElementById('output').classList.add('jp-Cell')")
    press(page, "t", "?")
    assert page.locator(".cb-panel:not([hidden])").count() == 2
    press(page, "Escape")
    assert page.locator(".cb-panel:not([hidden])").count() == 1
    press(page, "Escape")
    assert page.locator(".cb-panel:not([hidden])").count() == 0
    press(page, "Escape")
    assert page.evaluate("() => document.activeElement.id") == "output"


def test_a_composed_letter_is_no_key(show: Open) -> None:
    """While an input method composes, nothing is done."""
    page = show(cuts=3)
    page.evaluate(
        """() => document.querySelector(".cb-root").dispatchEvent(
        new KeyboardEvent("keydown", {key: "a", isComposing: true, bubbles: true, cancelable: true}))"""
    )
    assert changes(page) == []


def test_decisions_go_on_to_the_next(show: Open) -> None:
    """A, R and U decide on the current range; the mark in the list does it by mouse."""
    page = show(cuts=12)
    press(page, "Home", "r", "a", "u")
    assert current(page) == 4
    statuses = [each["status"] for each in board(page)["ranges"][:3]]
    assert statuses == ["rejected", "accepted", "undecided"]
    row(page, 3).locator(".cb-mark").click()
    page.wait_for_function(SETTLED)
    assert board(page)["ranges"][2]["status"] == "accepted"
    assert current(page) == 4


def test_a_decision_with_its_reason(show: Open) -> None:
    """Shift-R asks why first; letters in the line are letters, enter saves, and the focus is back."""
    page = show(cuts=12)
    press(page, "Home", "Shift+R")
    page.keyboard.type("a slip, then um")
    press(page, "Enter")
    first = board(page)["ranges"][0]
    assert (first["status"], first["why"]) == ("rejected", "a slip, then um")
    assert len(changes(page)) == 1
    assert page.evaluate("() => document.activeElement.className") == "cb-root"


def test_a_reason_afterwards_and_a_note(show: Open) -> None:
    """W writes why, and shows what was written; N notes; esc leaves both as they were."""
    page = show(cuts=3)
    press(page, "w")
    page.keyboard.type("shorter")
    press(page, "Enter", "w")
    assert page.locator(".cb-line input").input_value() == "shorter"
    press(page, "Escape", "n")
    page.keyboard.type("ask about the music")
    press(page, "Enter")
    page.wait_for_function(SETTLED)
    assert [each["verb"] for each in changes(page)] == ["why", "note"]
    assert changes(page)[1]["text"] == "ask about the music"


def test_edges_move_by_key_and_by_button(show: Open) -> None:
    """Comma and full stop move the first frame, with shift the last; the buttons beside In and Out do the same."""
    page = show(cuts=3)
    first, end = board(page)["ranges"][0]["frames"]
    press(page, ",", ",", ".", "Shift+<", "Shift+>", "Shift+>")
    assert board(page)["ranges"][0]["frames"] == [first - 1, end + 1]
    page.locator("[data-act='in+']").click()
    page.locator("[data-act='out-']").click()
    page.wait_for_function(SETTLED)
    assert board(page)["ranges"][0]["frames"] == [first, end]
    assert all(each["exact"] for each in changes(page))


def test_trims_split_and_merge_at_the_playhead(show: Open) -> None:
    """I and O trim to the playhead's frame, S splits there and M makes one of two again."""
    page = show(cuts=3)
    first, end = board(page)["ranges"][0]["frames"]
    press(page, "ArrowRight", "ArrowRight", "i")
    assert board(page)["ranges"][0]["frames"] == [first + 2, end]
    press(page, "Shift+ArrowRight", "s")
    assert len(board(page)["ranges"]) == 4
    press(page, "Home", "m")
    assert board(page)["ranges"][0]["frames"] == [first + 2, end]
    assert len(board(page)["ranges"]) == 3


def test_a_new_half_can_be_decided_on_before_the_kernel_has_named_it(show: Open) -> None:
    """Keys that are faster than the kernel are never lost, also on a range that it has yet to name."""
    page = show(cuts=3)
    page.evaluate("() => { review.kernel.delay = 400; }")
    press(page, "Shift+ArrowRight", "s", "ArrowUp", "ArrowDown", "r", "a")
    assert [each["status"] for each in board(page)["ranges"]] == [
        "undecided",
        "rejected",
        "accepted",
        "undecided",
    ]


def test_undo_and_redo(show: Open) -> None:
    """Ctrl-Z takes back what was done last, shift-ctrl-Z does it again."""
    page = show(cuts=12)
    before = board(page)["ranges"]
    press(page, "Home", "r")
    after = board(page)["ranges"]
    press(page, "Control+z")
    assert board(page)["ranges"] == before
    press(page, "Control+Shift+z")
    assert board(page)["ranges"] == after


def test_order_changes_by_key_and_by_dragging(show: Open) -> None:
    """Alt or ctrl with an arrow moves the current range; the mouse drags a row between two others."""
    page = show(cuts=6)
    names = [each["id"] for each in board(page)["ranges"]]
    press(page, "Home", "Alt+ArrowDown", "Control+ArrowDown")
    assert [each["id"] for each in board(page)["ranges"]] == [*names[1:3], names[0], *names[3:]]
    assert current(page) == 3
    place = row(page, 5).bounding_box()
    target = row(page, 1).bounding_box()
    assert place
    assert target
    page.mouse.move(place["x"] + 300, place["y"] + 13)
    page.mouse.down()
    page.mouse.move(place["x"] + 300, place["y"] - 20, steps=4)
    page.mouse.move(target["x"] + 300, target["y"] + 3, steps=4)
    page.mouse.up()
    page.wait_for_function(SETTLED)
    moved = [*names[1:3], names[0], *names[3:]]
    moved.insert(0, moved.pop(4))
    assert [each["id"] for each in board(page)["ranges"]] == moved


def test_another_take_is_tried_and_then_taken(show: Open) -> None:
    """A digit tries the take in place and changes nothing; the same digit again takes it."""
    page = show(cuts=12)
    press(page, "Home", "2")
    page.locator(".cb-other[aria-current='true']").wait_for()
    assert changes(page) == []
    wanted = page.locator(".cb-other[aria-current='true'] .cb-other-quote").inner_text()
    press(page, "2")
    assert [each["verb"] for each in changes(page)] == ["swap"]
    assert board(page)["ranges"][0]["quote"] == wanted
    said = page.locator(".cb-live").inner_text()
    assert said.startswith("1 of 12"), "a screen reader hears what the range is now"
    assert wanted in said


def test_the_filter_shows_some_and_acts_on_all_of_them(show: Open) -> None:
    """Undecided ones alone are listed; one press accepts them all, with a reason, and one undo takes it back."""
    page = show(cuts=40)
    undecided = [each["id"] for each in board(page)["ranges"] if each["status"] == "undecided"]
    page.get_by_role("button", name="Undecided 28").click()
    assert row(page, 1).count() == 0
    assert current(page) == 13
    page.get_by_label("Why, for all shown").fill("good enough")
    page.locator(".cb-batch").get_by_text("Accept 28").click()
    page.wait_for_function(SETTLED)
    assert changes(page) == [{"verb": "accept", "ranges": undecided, "why": "good enough"}]
    assert page.locator(".cb-far").inner_text().split(" · ")[1] == "all decided"


def test_the_filter_by_key(show: Open) -> None:
    """F goes to the filter and then through its choices; esc shows all again, and then gives the focus back."""
    page = show(cuts=40)
    press(page, "f", "f", "f")
    assert page.locator(".cb-mode[aria-pressed='true']").inner_text() == "Accepted 9"
    press(page, "e", "ArrowDown", "ArrowDown")
    assert page.locator(".cb-row[aria-selected='true']").get_attribute("data-status") == "accepted"
    press(page, "Escape")
    assert page.locator(".cb-mode[aria-pressed='true']").inner_text() == "All 40"


def test_fillers_and_long_pauses_are_taken_out_of_all_shown(show: Open) -> None:
    """The kernel is asked where they lie; what is taken out is what is shown."""
    page = show(cuts=12)
    page.get_by_role("button", name="Pauses").click()
    page.get_by_label("Pauses longer than, in seconds").fill("0.8")
    page.keyboard.press("Tab")
    page.locator(".cb-batch").get_by_text("Take out 2").click()
    page.wait_for_function(SETTLED)
    told = changes(page)[0]
    assert (told["verb"], told["fillers"], told["pauses"], len(told["ranges"])) == ("tighten", False, 0.8, 2)


def test_an_earlier_version_is_compared(show: Open) -> None:
    """V lists the versions and shows what is different from the one before; a line goes to its range."""
    page = show(cuts=40)
    press(page, "v")
    page.locator(".cb-compared-row").first.wait_for()
    assert page.locator(".cb-version[aria-current='true'] .cb-number").inner_text() == "3"
    assert page.locator(".cb-panel:not([hidden]) .cb-panel-more").inner_text() == "33 different, 7 the same"
    page.locator(".cb-compared-row", has_text="dropped").first.click()
    assert current(page) == 4


def test_every_key_has_a_button_and_every_control_a_name(show: Open) -> None:
    """Each line of the sheet is a button that does it; every control says what it is."""
    page = show(cuts=12)
    press(page, "?")
    lines = page.locator(".cb-sheet-row")
    assert lines.count() > 40
    nameless = page.locator(f".cb-root :is({FOCUSABLE})").evaluate_all(
        """all => all.filter(each => !(each.getAttribute("aria-label") || each.title || each.textContent.trim()
            || each.labels?.length)).map(each => each.outerHTML)"""
    )
    assert nameless == []
    lines.get_by_text("Last cut").click()
    assert current(page) == 12


def test_all_can_be_reached_by_tab(show: Open) -> None:
    """Tab goes through every control on the screen and out of the view; each shows that it has the focus."""
    page = show(cuts=12)
    reached: list[str] = []
    for _ in range(120):
        page.keyboard.press("Tab")
        name = page.evaluate(
            """() => { const here = document.activeElement; if (!here.closest(".cb-root")) return "";
            const ringed = each => getComputedStyle(each).outlineStyle !== "none";
            if (!ringed(here) && !ringed(here.parentElement)) return "no ring: " + here.outerHTML;
            return here.dataset.act ?? (here.className || here.tagName); }"""
        )
        if not name:
            break
        reached.append(name)
    assert not [name for name in reached if name.startswith("no ring")]
    acts = page.locator(".cb-frame > :not(.cb-panel) button[data-act]:visible").evaluate_all(
        "all => all.map(each => each.dataset.act)"
    )
    assert set(acts) <= set(reached)


def test_buttons_take_no_focus_by_mouse(show: Open) -> None:
    """After a click the focus is where it was, so that the space bar plays."""
    page = show(cuts=12)
    page.locator("[data-act='accept']").click()
    assert page.evaluate("() => document.activeElement.className") == "cb-root"
    press(page, "Space")
    page.wait_for_function("() => document.querySelector('[data-act=play]').ariaPressed === 'true'")


def test_a_click_gives_the_view_the_keys(show: Open) -> None:
    """Whatever is clicked in the view, also where the focus was elsewhere, the next key is the view's."""
    page = show(cuts=12)
    for place in ("[data-act='frame+']", ".cb-row", ".cb-wave", ".cb-player", ".cb-head strong", ".cb-tape"):
        page.evaluate("() => document.activeElement.blur()")
        page.locator(place).first.click()
        assert page.evaluate("() => document.activeElement.closest('.cb-root') !== null"), place


@pytest.mark.parametrize("width", [700, 1000, 1600])
def test_nothing_jumps_and_nothing_is_wider_than_the_view(show: Open, width: int) -> None:
    """Whatever opens, all parts stay where they are."""
    page = show(cuts=40, width=width)
    places = """() => [...document.querySelectorAll(".cb-frame > :not(.cb-panel)")].map(each => {
        const {top, height, width} = each.getBoundingClientRect(); return [each.className, top, height, width]; })"""
    before = page.evaluate(places)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    wide = page.locator(".cb-frame > div").evaluate_all(
        "all => all.filter(each => each.scrollWidth > each.clientWidth + 1).map(each => each.className)"
    )
    assert wide == []
    for keys in (["w", "Escape"], ["t", "Escape"], ["v", "Escape"], ["?", "Escape"], ["a"], ["r"], ["Space"]):
        page.keyboard.press(keys[0])
        page.wait_for_timeout(60)
        assert page.evaluate(places) == before, keys
        for key in keys[1:]:
            page.keyboard.press(key)


def test_a_long_list_is_painted_by_its_window(show: Open) -> None:
    """Of 500 rows only those near the window are in the page; the last is there when it is gone to."""
    page = show(cuts=500, count=27000)
    assert page.locator(".cb-row").count() < 40
    press(page, "End")
    assert current(page) == 500
    assert page.locator(".cb-row").count() < 40


@pytest.mark.parametrize("words", ["en", "de", "zh"])
def test_words_of_other_languages_are_whole(show: Open, words: str) -> None:
    """A row's words are those of the range, and stay on their line."""
    page = show(cuts=12, words=words)
    assert row(page, 2).locator(".cb-quote").inner_text() == board(page)["ranges"][1]["quote"]
    box = row(page, 2).bounding_box()
    assert box
    assert box["height"] == 26


def test_the_head_says_how_saving_stands(show: Open) -> None:
    """Waiting for a busy kernel, lost with an idle one, and a dead kernel are told apart; a late answer heals."""
    page = show(cuts=12)
    saved = page.locator(".cb-saved")
    page.evaluate("() => { review.kernel.delay = 4000; review.kernel.beat('busy'); }")
    for key in "aaa":
        page.keyboard.press(key)
    assert saved.inner_text() == "3 waiting for the kernel"
    assert page.locator(".cb-row.cb-waits").count() > 0
    page.wait_for_function(SETTLED)
    assert page.locator(".cb-row.cb-waits").count() == 0
    page.evaluate("() => { review.kernel.listening = false; review.kernel.beat('idle'); }")
    page.keyboard.press("a")
    assert saved.inner_text() == "saving…"
    page.wait_for_function("() => document.querySelector('.cb-saved').textContent.startsWith('not saved')")
    assert saved.inner_text() == "not saved: run %review again"
    page.evaluate("() => review.kernel.beat('dead')")
    assert saved.inner_text() == "the kernel is dead, 1 not saved"


def test_what_others_change_is_shown(show: Open) -> None:
    """A change from elsewhere comes into the list; the current range stays."""
    page = show(cuts=12)
    press(page, "End")
    page.evaluate(
        """() => review.kernel.elsewhere(board => ({...board, title: "second cut",
            ranges: board.ranges.slice(4)}))"""
    )
    assert page.locator(".cb-title").inner_text() == "second cut"
    assert current(page) == 8
    page.evaluate("() => review.kernel.elsewhere(board => ({...board, ranges: []}))")
    assert page.locator(".cb-list").inner_text() == "nothing is cut yet: %%cut makes a list"
    press(page, "a", "i", "s", "m", "Space", "Enter", "ArrowDown", "t")


def test_an_earlier_version_is_to_look_at(show: Open) -> None:
    """Where nothing can be changed, keys say so and change nothing."""
    page = show(cuts=12)
    page.evaluate(
        """() => { const {kernel} = review; kernel.elsewhere(board => ({...board, undo: false,
        locked: 'this is version 2 of the cut list'})); }"""
    )
    press_all = ["a", "r", "i", "s", "m", "n", "w", "Control+z", "Alt+ArrowDown"]
    for key in press_all:
        page.keyboard.press(key)
    assert changes(page) == []
    assert page.locator(".cb-news").inner_text() == "this is version 2 of the cut list"
    assert page.locator(".cb-saved").inner_text() == "to look at"
    assert page.locator(".cb-notice:visible").inner_text() == "this is version 2 of the cut list"


def test_a_cut_list_that_is_broken_says_so_until_it_is_undone(show: Open) -> None:
    """The reason stays in sight with a button that undoes; ctrl-Z does the same; mended, all of it is gone."""
    page = show(cuts=12)
    broken = "edl.json is no JSON: line 1, column 14; mend it, or undo brings version 16 back"
    notice, toast = page.locator(".cb-notice:visible"), page.locator(".cb-toast:visible")
    news = page.locator(".cb-news")

    def spoil() -> None:
        page.evaluate(
            "broken => review.kernel.elsewhere(board => ({...board, locked: broken, undo: true}))", broken
        )

    cures: list[Callable[[], None]] = [
        lambda: page.keyboard.press("Control+z"),
        lambda: notice.locator("button").click(),
    ]
    for cure in cures:
        spoil()
        page.keyboard.press("a")
        page.locator(".cb-head").click()
        assert notice.inner_text().startswith(broken)
        assert page.locator(".cb-saved").inner_text() == "cannot be changed"
        assert changes(page) == []
        cure()
        page.wait_for_function(SETTLED)
        assert [each["verb"] for each in changes(page)] == ["undo"]
        assert (notice.count(), news.inner_text(), toast.count()) == (0, "", 0)
        page.evaluate("() => { review.kernel.heard.length = 0; }")


def test_what_a_forgotten_view_did_is_done_again_by_key(show: Open) -> None:
    """Presses that nobody heard are named by number and verb, there and by the next view, where G does them again."""
    page = show(cuts=12)
    press(page, "End")
    page.evaluate("() => { review.kernel.listening = false; }")
    page.keyboard.press("r")
    page.locator(".cb-row[aria-rowindex='10'] .cb-quote").click()
    page.keyboard.press("a")
    notice = page.locator(".cb-notice:visible")
    notice.wait_for()
    assert notice.inner_text() == "Not saved: 12 reject, 10 accept. Run %review again: it offers to do them."
    page.reload()
    page.wait_for_function(SETTLED)
    assert notice.locator(".cb-notice-text").inner_text() == "Not saved before: 12 reject, 10 accept."
    assert changes(page) == []
    page.locator(".cb-root").focus()
    press(page, "g")
    assert [(each["verb"], len(each["ranges"])) for each in changes(page)] == [("reject", 1), ("accept", 1)]
    assert [board(page)["ranges"][place]["status"] for place in (11, 9)] == ["rejected", "accepted"]
    assert notice.count() == 0


def test_escape_gives_a_dragged_edge_up(show: Open) -> None:
    """While the mouse holds an edge, esc puts it back where it was; nothing is changed, and the view keeps the keys."""
    page = show(cuts=12)
    wave = page.locator(".cb-wave").bounding_box()
    assert wave
    height = wave["y"] + wave["height"] - 20

    def grips(x: int) -> bool:
        page.mouse.move(x, height)
        return bool(page.locator(".cb-wave").evaluate("canvas => canvas.style.cursor === 'ew-resize'"))

    edge = next(x for x in range(int(wave["x"]) + 4, int(wave["x"] + wave["width"]), 3) if grips(x))
    page.mouse.move(edge + 2, height)
    page.mouse.down()
    page.mouse.move(edge + 60, height, steps=5)
    assert page.locator(".cb-tip:visible").count() == 1
    page.keyboard.press("Escape")
    assert page.locator(".cb-tip:visible").count() == 0
    page.mouse.up()
    assert changes(page) == []
    press(page, "ArrowDown")
    assert current(page) == 2


def test_keys_do_nothing_to_a_range_that_the_filter_hides(show: Open) -> None:
    """Where nothing is shown, a key says so; esc shows all again, and then it decides."""
    page = show(cuts=12)
    page.evaluate(
        """() => review.kernel.elsewhere(board => ({...board,
            ranges: board.ranges.map(range => ({...range, status: 'undecided'}))}))"""
    )
    page.get_by_role("button", name="Rejected 0").click()
    for key in ("a", "r", "i", "w", "Alt+ArrowDown"):
        press(page, key)
        assert page.locator(".cb-news").inner_text() == "nothing rejected; esc shows all"
    assert changes(page) == []
    press(page, "Escape", "a")
    assert [each["verb"] for each in changes(page)] == ["accept"]


def test_the_clock_outside_of_the_film_is_that_of_the_take(show: Open) -> None:
    """Beyond its range the playhead goes on in the take, and the clock with it; back in the range it is the film's."""
    page = show(cuts=12)
    press(page, "Home")
    clock = page.locator(".cb-clock")
    assert clock.inner_text().split()[0] == "00:00.00"
    (first, end), rate = board(page)["ranges"][0]["frames"], 30000 / 1001
    for _ in range(6):
        page.keyboard.press("Shift+ArrowRight")
    frame = int(page.locator(".cb-wave").get_attribute("aria-valuenow") or 0)
    assert frame > end > first
    minutes, seconds = clock.inner_text().split()[0].split(":")
    assert abs(int(minutes) * 60 + float(seconds) - frame / rate) < 0.02
    assert "in the take" in clock.inner_text()
    press(page, "Home", "ArrowRight")
    assert "in the take" not in clock.inner_text()
    press(page, "Home", "r", "Home")
    assert "in the take" in clock.inner_text(), "a rejected range is not in the film"


def test_two_quick_clicks_decide_once(show: Open) -> None:
    """A double click on Accept accepts one range; one on a mark goes one step."""
    page = show(cuts=12)
    press(page, "End")
    row(page, 9).locator(".cb-quote").click()
    page.locator("[data-act='accept']").dblclick()
    page.wait_for_function(SETTLED)
    assert (len(changes(page)), current(page)) == (1, 10)
    row(page, 11).locator(".cb-mark").dblclick()
    page.wait_for_function(SETTLED)
    assert (len(changes(page)), board(page)["ranges"][10]["status"]) == (2, "accepted")


def test_what_leads_nowhere_is_dimmed_at_the_ends(show: Open) -> None:
    """On the last range down, next and merge are dimmed and say why; on the first up and previous."""
    page = show(cuts=3)
    dimmed = page.locator(":is(.cb-bar, .cb-transport) [data-act][aria-disabled='true']")

    def acts() -> set[str]:
        return set(dimmed.evaluate_all("all => all.map(each => each.dataset.act)")) - {"cut"}

    press(page, "End")
    assert acts() == {"next", "down", "merge"}
    press(page, "Alt+ArrowDown")
    assert page.locator(".cb-news").inner_text() == "this is the last range"
    press(page, "Home")
    assert acts() == {"previous", "up"}
    press(page, "ArrowRight")
    assert acts() == {"up"}
    assert changes(page) == []


@pytest.mark.parametrize("typed", ["0", "-1", "half"])
def test_no_length_of_a_pause_takes_nothing_out(show: Open, typed: str) -> None:
    """What is no number of seconds lists nothing and says what is wanted; a comma is as good as a point."""
    page = show(cuts=12)
    page.get_by_role("button", name="Pauses").click()
    over = page.get_by_label("Pauses longer than, in seconds")
    page.locator(".cb-batch").get_by_text("Take out 2").wait_for()
    over.fill(typed)
    out = page.locator(".cb-batch").get_by_text("Take out 0")
    out.wait_for()
    assert out.get_attribute("aria-disabled") == "true"
    assert over.get_attribute("aria-invalid") == "true"
    assert page.locator(".cb-list").inner_text() == "pauses are counted over 0.1 to 60 seconds, such as 0.6"
    out.click(force=True)
    assert changes(page) == []
    over.fill("0,3")
    page.locator(".cb-batch").get_by_text("Take out 2").click()
    page.wait_for_function(SETTLED)
    assert changes(page)[0]["pauses"] == 0.3


def test_what_cannot_be_done_says_why(show: Open) -> None:
    """A key or a button that has nothing to do tells what is missing; the button is dimmed."""
    page = show(cuts=3)
    press(page, "Delete")
    assert page.locator(".cb-news").inner_text() == "select words in the transcript first"
    assert page.locator("[data-act='redo']").get_attribute("aria-disabled") == "true"
    page.locator("[data-act='redo']").click(force=True)
    assert page.locator(".cb-news").inner_text() == "nothing to do again"
    assert changes(page) == []


def test_a_selection_does_not_outlive_a_move(show: Open) -> None:
    """Words picked in one range are not cut from another; Delete says what it took, and escape and undo let go."""
    page = show(cuts=12)
    words = page.locator("[data-take='C0103'] .cb-said > span.here")
    picked, scissors = page.locator(".cb-said > .picked"), page.locator("[data-act='cut']")

    def pick() -> None:
        press(page, "Home")
        words.nth(1).click()
        words.nth(2).click(modifiers=["Shift"])
        assert picked.count() == 2
        assert scissors.get_attribute("aria-disabled") is None

    leaving = [("ArrowDown",), ("e",), ("End",), ("Escape",), ("a",)]
    for keys in leaving:
        pick()
        press(page, *keys)
        assert (picked.count(), scissors.get_attribute("aria-disabled")) == (0, "true"), keys
        before = changes(page)
        page.locator(".cb-root").focus()
        press(page, "Delete")
        assert changes(page) == before, keys
    pick()
    row(page, 5).locator(".cb-quote").click()
    assert picked.count() == 0
    pick()
    text = " ".join(picked.all_inner_texts())
    press(page, "Delete")
    assert page.locator(".cb-live").inner_text() == f"cut “{text}” out of 1"
    assert changes(page)[-1]["verb"] == "cut"
    press(page, "Control+z")
    assert picked.count() == 0


def test_messages_go_with_the_next_move(show: Open) -> None:
    """What was said of one act is not on the screen when a person is at the next."""
    page = show(cuts=12)
    news = page.locator(".cb-news")
    press(page, "Home", "s")
    assert news.inner_text() == "the playhead stands at the edge; move it into the range to split"
    press(page, "ArrowRight")
    assert news.inner_text() == ""
    press(page, "Delete")
    assert news.inner_text() == "select words in the transcript first"
    press(page, "u")
    assert news.inner_text() == ""


def test_a_range_without_words_has_no_other_takes(show: Open) -> None:
    """T and the digits say so instead of opening a panel with nothing in it."""
    page = show(cuts=12)
    page.evaluate("""() => review.kernel.elsewhere(board => ({...board, ranges: board.ranges.map(
        (range, place) => place ? range : {...range, words: null, quote: ""})}))""")
    press(page, "Home")
    for key in ("t", "1"):
        press(page, key)
        assert page.locator(".cb-news").inner_text() == "this range has no words to look for"
        assert page.locator(".cb-panel:not([hidden])").count() == 0
        press(page, "ArrowRight")


def test_a_narrow_view_wraps_and_shows_what_opens(show: Open) -> None:
    """At 400 pixels every button is in sight, the head says how far it is, and a panel that opens is scrolled to."""
    page = show(cuts=4, width=400)
    assert page.locator(".cb-far").inner_text() == "1 of 4 · 2 undecided"
    root = page.locator(".cb-root").bounding_box()
    assert root is not None
    page.locator(".cb-mode").last.click()
    page.locator(".cb-batch").wait_for()
    for each in page.locator(".cb-frame button:visible:not(.cb-panel button, .cb-list button)").all():
        box = each.bounding_box()
        assert box is not None
        assert root["x"] <= box["x"], each
        assert box["x"] + box["width"] <= root["x"] + root["width"], each
    page.set_viewport_size({"width": 424, "height": 420})
    for key in "tv?":
        page.evaluate("scrollTo(0, 1e6)")
        press(page, key)
        top = page.locator(".cb-panel:not([hidden]) .cb-panel-title").bounding_box()
        assert top is not None
        assert 0 <= top["y"] < 420, key
        press(page, "Escape")


@pytest.mark.parametrize("scrolls", ["page", "box"])
def test_what_is_said_and_asked_is_in_sight_in_a_low_window(show: Open, scrolls: str) -> None:
    """In a window lower than the view the head stays in sight, and a line to write in is scrolled to."""
    page = show(cuts=12, width=676)
    page.set_viewport_size({"width": 700, "height": 500})
    if scrolls == "box":
        page.evaluate("""() => { const box = document.createElement("div"), output = document.getElementById("output");
            box.style.cssText = "height: 440px; margin-top: 30px; overflow: auto"; output.before(box);
            box.append(output); document.querySelector(".cb-root").focus(); }""")
    top, bottom = (42, 482) if scrolls == "box" else (0, 500)

    def seen(place: str) -> None:
        page.wait_for_function(
            """([place, top, bottom]) => { const at = document.querySelector(place).getBoundingClientRect();
                return at.height && at.top >= top - 1 && at.bottom <= bottom + 1; }""",
            arg=[place, top, bottom],
        )

    page.locator(".cb-list").evaluate("list => list.scrollIntoView({block: 'end'})")
    seen(".cb-list")
    seen(".cb-saved")
    press(page, "Delete")
    seen(":is(.cb-news:not(:empty), .cb-toast:not([hidden]))")
    page.locator(".cb-tape").evaluate("tape => tape.scrollIntoView({block: 'start'})")
    press(page, "w")
    seen(".cb-line input")
    seen(".cb-saved")


@pytest.mark.parametrize("width", [290, 340, 400])
def test_in_a_very_narrow_view_nothing_lies_on_anything(show: Open, width: int) -> None:
    """The title is there, and the clock lies beside the buttons, not under them."""
    page = show(cuts=12, width=width)
    page.evaluate("() => review.kernel.elsewhere(board => ({...board, title: 'Straßenfest'}))")
    title = page.locator(".cb-title").bounding_box()
    assert title
    assert title["width"] > 60
    crossed = page.locator(".cb-transport").evaluate(
        """box => { const all = [...box.querySelectorAll("button, .cb-time, .cb-whole")]
            .map(each => [each, each.getBoundingClientRect()]).filter(([, at]) => at.width);
        const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom && b.top < a.bottom;
        const edge = box.getBoundingClientRect();
        return all.flatMap(([one, a], place) => [...all.slice(place + 1).filter(([, b]) => over(a, b))
            .map(([other]) => one.outerHTML + other.outerHTML),
            ...(a.right > edge.right + 1 ? [one.outerHTML] : [])]); }"""
    )
    assert crossed == []


def test_the_selection_goes_to_the_edge_and_names_are_whole(show: Open) -> None:
    """A selected row is as wide as the list; a name that there is room for is not cut."""
    page = show(cuts=6, width=1000)
    name = "Über Straße und Wiese"
    page.evaluate(
        """name => review.kernel.elsewhere(board => ({...board,
            takes: {...board.takes, [name]: {...board.takes[board.ranges[0].take], name}},
            ranges: board.ranges.map((range, place) => place ? range : {...range, take: name})}))""",
        name,
    )
    take = row(page, 1).locator(".cb-take")
    assert take.inner_text() == name
    assert take.evaluate("cell => cell.scrollWidth <= cell.clientWidth")
    widths = page.evaluate(
        "() => ['.cb-list', '.cb-row'].map(each => document.querySelector(each).getBoundingClientRect().width)"
    )
    assert abs(widths[0] - widths[1]) < 1


def test_colours_that_come_late_are_taken(show: Open) -> None:
    """A theme whose style sheet comes after the view, with no word of it, is followed all the same."""
    page = show(cuts=3, bare=1)
    assert page.evaluate("() => document.querySelector('.cb-root').dataset.scheme") == "light"
    page.add_style_tag(
        content=":root { --jp-layout-color1: #111; --jp-ui-font-color1: rgb(255 255 255 / 87%); }"
    )
    page.wait_for_function("() => document.querySelector('.cb-root').dataset.scheme === 'dark'")


def test_a_kernel_that_forgot_the_view_is_told_of(show: Open) -> None:
    """After a restart the head says that nothing is behind the view, before anything is pressed, and goes on so."""
    page = show(cuts=3)
    page.evaluate("""() => {
        review.kernel.listening = false;
        review.kernel.beat("away");
        review.kernel.beat("idle");
    }""")
    saved = page.locator(".cb-saved")
    assert saved.inner_text() == "waiting for the kernel"
    page.wait_for_function(
        "() => document.querySelector('.cb-saved').textContent.startsWith('no kernel behind this')"
    )
    page.evaluate("() => review.kernel.beat('busy')")
    assert saved.inner_text() == "no kernel behind this: run %review again"


def test_the_colours_follow_the_theme(show: Open) -> None:
    """When the front end turns dark, the view and its canvases do."""
    page = show(cuts=12, theme="light")
    assert page.evaluate("() => document.querySelector('.cb-root').dataset.scheme") == "light"
    page.evaluate("() => { document.body.className = 'dark'; }")
    page.wait_for_function("() => document.querySelector('.cb-root').dataset.scheme === 'dark'")
    assert page.evaluate("() => getComputedStyle(document.querySelector('.cb-root')).backgroundColor") == (
        "rgb(17, 17, 17)"
    )


def test_a_view_leaves_nothing_behind(show: Open) -> None:
    """Closed, it says good-bye, and is gone from the page."""
    page = show(cuts=3)
    page.evaluate("() => review.close()")
    assert page.locator(".cb-root").count() == 0
    assert json.loads(page.evaluate("() => JSON.stringify(review.kernel.heard.at(-1))"))["type"] == "bye"
