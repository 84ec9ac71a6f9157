"""The review of three hours: 27,000 words and 500 ranges, in a real JupyterLab in Chromium."""

from __future__ import annotations

import os
import statistics
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import Reading, benchmark

if TYPE_CHECKING:
    from playwright.sync_api import Page

OPENED = """() => {
    window.cbOpened = {};
    const look = () => {
        const now = performance.now();
        if (!window.cbOpened.root && document.querySelector(".cb-root")) window.cbOpened.root = now;
        if (window.cbOpened.rows || !document.querySelector(".cb-row")) return;
        window.cbOpened.rows = now;
        requestAnimationFrame(() => requestAnimationFrame(() => window.cbOpened.painted = performance.now()));
    };
    new MutationObserver(look).observe(document.body, {subtree: true, childList: true});
}"""
WORDS = """() => new Promise(done => {
    const look = () => {
        const count = document.querySelectorAll(".cb-said > span").length;
        if (count >= 27000) requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())));
        else setTimeout(look, 10);
    };
    look();
})"""
# The handler runs within dispatchEvent; what it left to be laid out is asked for, then the frame is waited for.
PRESS = """key => new Promise(done => {
    const root = document.querySelector(".cb-root");
    root.focus();
    const begun = performance.now();
    root.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true, composed: true}));
    root.getBoundingClientRect();
    const handled = performance.now() - begun;
    requestAnimationFrame(() => setTimeout(() => done([handled, performance.now() - begun])));
})"""
# What a front end that saves widgets with the notebook would save of this one.
STATE = "import json\nprint(len(json.dumps(review.widget.get_state(), default=str)))"
KEYS = ["ArrowDown", "a", "ArrowDown", "r", "ArrowRight", ".", "ArrowUp", "e", "ArrowDown", "u"] * 6


@benchmark("How quick is the review of a three-hour lecture, 27,000 words and 500 cuts?")
def lecture() -> list[Reading]:
    """Open it, then press sixty keys; times are the browser's own."""
    os.environ["CUTBOOK_TEST_HOME"] = tempfile.mkdtemp()
    from playwright.sync_api import sync_playwright

    from tests.browser.conftest import FLAGS
    from tests.browser.pages import NotebookPage
    from tests.browser.reviewing import ReviewView, notebook
    from tests.browser.server import JupyterServer
    from tests.large import lecture as make
    from tests.needs import chromium

    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        root, home = Path(place) / "root", Path(place) / "home"
        root.mkdir()
        home.mkdir()
        make(root / "lecture")
        file = notebook(
            root / "cut.ipynb", "%load_ext cutbook\n%project lecture", "review = %review\nreview", STATE
        )
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        with JupyterServer(root, home) as server:
            page = NotebookPage(
                browser.new_page(viewport={"width": 1400, "height": 1000}), server, file
            ).open()
            page.run(0)
            page.page.evaluate(OPENED)
            page.run(1)
            view = ReviewView.of(page, 1)
            words = page.page.evaluate(WORDS)
            opened = page.page.evaluate("window.cbOpened")
            pressed = [_press(page.page, key) for key in KEYS]
            view.until(lambda: view.saved == "saved", "the changes were not saved", seconds=120)
            state = int(page.run(2).inner_text().split()[-1])
            browser.close()
    handled = [each[0] for each in pressed]
    painted = sorted(each[1] for each in pressed)
    late = painted[int(len(painted) * 0.95)]
    return [
        Reading(
            label="to the first paint", value=opened["painted"] - opened["root"], unit="ms", note="bar 500"
        ),
        Reading(label="to all words", value=words - opened["root"], unit="ms"),
        Reading(label="a key, handled: median", value=statistics.median(handled), unit="ms"),
        Reading(label="a key, handled: worst", value=max(handled), unit="ms", note="bar 50"),
        Reading(
            label="a key, painted: 95th of 100",
            value=late,
            unit="ms",
            note="bar 100",
        ),
        Reading(label="state of the widget", value=state / 1e6, unit="MB", note="bar 1"),
    ]


def _press(page: Page, key: str) -> tuple[float, float]:
    handled, painted = page.evaluate(PRESS, key)
    return handled, painted
