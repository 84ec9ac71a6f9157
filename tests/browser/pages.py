"""A notebook in a browser, used as a person uses it: look, click, press keys, wait for what is seen."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.error import HTTPError

import nbformat
from nbformat import NotebookNode
from nbformat.reader import NotJSONError

from tests.browser.server import JupyterServer

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Frontend = Literal["lab", "notebook"]

READY_SECONDS = 90.0
CELL_SECONDS = 300.0
NUMBERED = re.compile(r"\[\d+\]")
ERRORS = "[data-mime-type='application/vnd.jupyter.stderr'], [data-mime-type='application/vnd.jupyter.error']"
SIZES = "elements => elements.map(element => [element.naturalWidth, element.naturalHeight])"
# What a prompt shows in passing: a quick cell's "[*]" is gone before anybody can ask for it.
WATCH = """cell => {
    const prompts = [];
    const look = () => prompts.push(cell.querySelector(".jp-InputArea-prompt").innerText);
    new MutationObserver(look).observe(cell, {subtree: true, childList: true, characterData: true});
    return prompts;
}"""
VIDEOS = """elements => elements.map(element => ({
    width: element.videoWidth, height: element.videoHeight, seconds: element.duration,
    state: element.readyState, error: element.error && element.error.message}))"""


class NotebookPage:
    """One notebook, open in one browser tab."""

    def __init__(self, page: Page, server: JupyterServer, notebook: Path, frontend: Frontend = "lab") -> None:
        self.page = page
        self.server = server
        self.notebook = notebook
        self.frontend = frontend

    def open(self) -> NotebookPage:
        """Go to the notebook and wait until its kernel is truly there."""
        self.page.goto(self.server.page(self.notebook, frontend=self.frontend))
        self.page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=READY_SECONDS * 1000)
        self.wait_for_kernel()
        return self

    def wait_for_kernel(self) -> None:
        """Wait until a session and its kernel were idle and connected four times in a row.

        The page shows "Idle" before its websocket is up, and a cell that is run then vanishes.
        """
        in_a_row, end = 0, time.monotonic() + READY_SECONDS
        while in_a_row < 4:
            if time.monotonic() > end:
                message = f"no kernel was ready for {self.notebook.name} after {READY_SECONDS:.0f} s"
                raise TimeoutError(message)
            self.page.wait_for_timeout(250)
            in_a_row = in_a_row + 1 if self.idle() else 0

    def idle(self) -> bool:
        """Return whether the server knows one session of this notebook, its kernel idle and connected."""
        place = self.notebook.relative_to(self.server.root).as_posix()
        try:
            sessions = [one for one in self.server.api("sessions") if one["path"] == place]
            wanted = {one["kernel"]["id"] for one in sessions}
            kernels = [one for one in self.server.api("kernels") if one["id"] in wanted]
        except HTTPError:  # while a kernel is being started, its server cannot yet say what it does
            return False
        ready = [one for one in kernels if one["execution_state"] == "idle" and one["connections"] > 0]
        return len(sessions) == 1 and len(ready) == 1

    @property
    def code_cells(self) -> Locator:
        """Return the notebook's code cells, from the top."""
        return self.page.locator(".jp-Notebook .jp-CodeCell")

    def cell(self, number: int) -> Locator:
        """Return code cell `number`, counted from 0."""
        return self.code_cells.nth(number)

    def prompt(self, number: int) -> str:
        """Return what stands left of code cell `number`: `[ ]:`, `[*]:` or `[7]:`."""
        return self.cell(number).locator(".jp-InputArea-prompt").first.inner_text().strip()

    def run(self, number: int, *, seconds: float = CELL_SECONDS) -> Locator:
        """Run code cell `number` by key and return its output area once a new number stands before it."""
        cell = self.cell(number)
        cell.scroll_into_view_if_needed()
        cell.locator(".jp-InputArea-prompt").first.click()
        seen = cell.evaluate_handle(WATCH)
        self.page.keyboard.press("Control+Enter")
        end = time.monotonic() + seconds
        while True:
            began = seen.evaluate("prompts => prompts.some(prompt => prompt.includes('*'))")
            # The number comes with the reply, which may overtake the outputs; these all come before "idle".
            if began and NUMBERED.search(self.prompt(number)) and self.idle():
                break
            if time.monotonic() > end:
                message = f"cell {number} shows {self.prompt(number)!r} after {seconds:.0f} s: {self.source(number)}"
                raise TimeoutError(message)
            self.page.wait_for_timeout(100)
        self.page.wait_for_timeout(200)
        return cell.locator(".jp-OutputArea").first

    def run_all(self, *, seconds: float = CELL_SECONDS) -> None:
        """Run every code cell from the top, one after the other; fail at the first that ends in an error."""
        for number in range(self.code_cells.count()):
            if not self.source(number):
                continue
            self.run(number, seconds=seconds)
            assert self.errors(number) == [], f"cell {number}: {self.source(number)}"

    def source(self, number: int) -> str:
        """Return what is typed in code cell `number`."""
        return self.cell(number).locator(".cm-content").first.inner_text().strip()

    def errors(self, number: int) -> list[str]:
        """Return the error texts beneath code cell `number`."""
        texts = self.cell(number).locator(ERRORS).all_inner_texts()
        return [text for text in texts if text.strip()]

    def pictures(self, number: int) -> list[tuple[int, int]]:
        """Return width and height, in pixels of the file, of each picture shown beneath code cell `number`."""
        found: list[list[int]] = self.cell(number).locator(".jp-OutputArea img").evaluate_all(SIZES)
        return [(width, height) for width, height in found]

    def videos(self, number: int, *, seconds: float = 20.0) -> list[dict[str, Any]]:
        """Return size, length and error of each video beneath code cell `number`, once each is known."""
        videos = self.cell(number).locator(".jp-OutputArea video")
        end = time.monotonic() + seconds
        while True:
            found: list[dict[str, Any]] = videos.evaluate_all(VIDEOS)
            if all(one["state"] >= 1 or one["error"] for one in found) or time.monotonic() > end:
                return found
            self.page.wait_for_timeout(100)

    def save(self) -> NotebookNode:
        """Save by key and return the notebook as it then lies, whole, on disk."""
        before = self.notebook.stat().st_mtime_ns
        self.page.keyboard.press("Escape")
        self.page.keyboard.press("Control+s")
        end = time.monotonic() + 20
        while True:
            if self.notebook.stat().st_mtime_ns != before or time.monotonic() > end:
                try:
                    saved: NotebookNode = nbformat.read(self.notebook, as_version=4)
                except NotJSONError:
                    assert time.monotonic() < end, f"{self.notebook} was not saved whole"
                else:
                    return saved
            self.page.wait_for_timeout(100)

    def restart(self) -> None:
        """Restart the kernel through the toolbar, as a person does, and wait until the new one is ready.

        Not through the server: the page would go on with the old kernel's subshell.
        """
        self.page.locator("[data-jp-item-name='restart'] .jp-ToolbarButtonComponent").first.click()
        self.page.locator(".jp-Dialog .jp-mod-accept").click()
        self.page.wait_for_timeout(500)
        self.wait_for_kernel()

    def shut_down(self) -> None:
        """Shut the kernel down through the menu, as a person does."""
        self.page.locator(".lm-MenuBar-item", has_text="Kernel").click()
        self.page.locator(".lm-Menu-item[data-command='kernelmenu:shutdown']").click()
        dialog = self.page.locator(".jp-Dialog .jp-mod-accept")
        self.page.wait_for_timeout(500)
        if dialog.count():
            dialog.first.click()

    def reload(self) -> None:
        """Save, load the page anew, and wait until it has its kernel back."""
        self.save()
        self.page.reload()
        self.page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=READY_SECONDS * 1000)
        self.wait_for_kernel()

    def screenshot(self, file: Path, *, cell: int | None = None) -> Path:
        """Take a picture of the window, or of a code cell that fits into it, and return its path."""
        if cell is None:
            self.page.screenshot(path=file)
        else:
            self.cell(cell).screenshot(path=file)
        return file
