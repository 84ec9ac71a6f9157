"""One server and one browser a session; a folder and a tab a test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.pages import Frontend, NotebookPage
from tests.browser.server import JupyterServer
from tests.needs import chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FLAGS = [
    "--no-sandbox",
    "--headless=new",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--disable-component-update",
    "--disable-background-networking",
    "--disable-domain-reliability",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--autoplay-policy=no-user-gesture-required",
]

OpenNotebook = Callable[..., NotebookPage]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start the machine's own Chromium, without a window."""
    executable = chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        yield started
        started.close()


@pytest.fixture(scope="session")
def jupyter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JupyterServer]:
    """Start a Jupyter server whose root is an empty folder."""
    chromium()
    with JupyterServer(tmp_path_factory.mktemp("root"), tmp_path_factory.mktemp("jupyter")) as server:
        yield server


@pytest.fixture
def desk(jupyter: JupyterServer, request: pytest.FixtureRequest) -> Path:
    """Return an empty folder beneath the server's root, for the running test alone."""
    name = "".join(letter if letter.isalnum() else "-" for letter in request.node.name)
    folder = jupyter.root / name
    folder.mkdir()
    return folder


@pytest.fixture
def open_notebook(jupyter: JupyterServer, browser: Browser, tmp_path: Path) -> Iterator[OpenNotebook]:
    """Return a function that opens a notebook under the server's root in a new tab, its kernel ready.

    `last.png` in the test's folder shows the tab as the test left it.
    """
    opened: list[NotebookPage] = []

    def open_it(
        notebook: Path, *, frontend: Frontend = "lab", width: int = 1400, height: int = 1000
    ) -> NotebookPage:
        context = browser.new_context(viewport={"width": width, "height": height})
        page = NotebookPage(context.new_page(), jupyter, notebook, frontend)
        opened.append(page)
        return page.open()

    yield open_it
    for place, page in enumerate(opened):
        page.screenshot(tmp_path / ("last.png" if place == 0 else f"last-{place}.png"))
        page.page.context.close()
