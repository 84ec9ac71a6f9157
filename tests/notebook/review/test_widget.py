"""The review as a widget: what it keeps, what it sends, and how it comes onto the page."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter

from cutbook import Project
from cutbook.edit.edl import Edl, Range
from cutbook.notebook.review.plain import html_review
from cutbook.notebook.review.session import Review
from cutbook.notebook.review.showing import MIME, STILL
from tests.notebook.review.kernels import Front, front
from tests.test_html import Reader

LARGE = 1_000_000


class Comm:
    """The end of a comm that lies in the browser."""

    def __init__(self) -> None:
        self.comm_id = "c0ffee"
        self.sent: list[tuple[dict[str, Any], Sequence[bytes]]] = []
        self.closed = False
        self._heard: Callable[[dict[str, Any]], None] = lambda _message: None

    def on_msg(self, heard: Callable[[dict[str, Any]], None]) -> None:
        """Take what is said."""
        self._heard = heard

    def send(self, data: dict[str, Any], buffers: Sequence[bytes] | None = None) -> None:
        """Hear the kernel."""
        self.sent.append((data, buffers or []))

    def close(self) -> None:
        """Be gone."""
        self.closed = True

    def say(self, content: dict[str, Any]) -> None:
        """Speak as a view does."""
        data = {"method": "custom", "content": content}
        self._heard({"content": {"data": data}, "buffers": []})

    def told(self, kind: str) -> list[dict[str, Any]]:
        """Return the custom messages of a kind."""
        contents = [data["content"] for data, _ in self.sent if data["method"] == "custom"]
        return [content for content in contents if content["type"] == kind]


@pytest.fixture
def drawn(project: Project) -> tuple[Any, Comm]:
    """Return the widget of a review and the comm to its browser."""
    widget = Review(project).widget
    comm = Comm()
    widget.comm = comm
    return widget, comm


def test_a_widget_carries_the_talk(drawn: tuple[Any, Comm], project: Project) -> None:
    """Custom messages reach the project, and its answers go out as custom messages; closing leaves."""
    widget, comm = drawn
    comm.say({"type": "hello", "view": "v"})
    (told,) = comm.told("board")
    first = told["board"]["ranges"][0]["id"]
    change = {"verb": "reject", "ranges": [first], "why": "hums"}
    comm.say({"type": "do", "view": "v", "id": 1, "base": told["board"]["version"], "change": change})
    (ack,) = comm.told("ack")
    assert (ack["ok"], ack["view"], ack["id"]) == (True, "v", 1)
    assert project.edl.ranges[0].status == "rejected"
    widget.close()
    assert comm.closed
    assert widget.exchange.views == frozenset()


def test_nothing_large_is_kept_in_a_saved_notebook(drawn: tuple[Any, Comm]) -> None:
    """The widget's state is its script and style: no words, no pictures, no ranges."""
    widget, _ = drawn
    state = widget.get_state()
    assert len(json.dumps(state)) < LARGE
    assert {key for key, value in state.items() if len(json.dumps(value)) > 200} <= {"_esm", "_css"}
    assert "render" in state["_esm"]
    assert "Ninety" not in json.dumps(state)


def test_state_stays_small_while_a_person_works(drawn: tuple[Any, Comm]) -> None:
    """After board, words, levels and pictures the state is what it was, and no message but custom ones was sent."""
    widget, comm = drawn
    before = widget.get_state()
    comm.say({"type": "hello", "view": "v"})
    asked: tuple[dict[str, Any], ...] = (
        {"what": "words", "take": "C0101"},
        {"what": "peaks", "take": "C0101"},
        {"what": "poster", "take": "C0101", "frame": 3, "height": 90},
    )
    for number, ask in enumerate(asked):
        comm.say({"type": "ask", "view": "v", "id": number, **ask})
    end = time.monotonic() + 60
    while len(comm.told("answer")) < 3 and time.monotonic() < end:
        time.sleep(0.02)
    assert widget.get_state() == before
    assert {data["method"] for data, _ in comm.sent} == {"custom"}


def test_python_moves_every_view(drawn: tuple[Any, Comm], project: Project) -> None:
    """A decision of Python's on any review of the project, and undo, reach an open view at once."""
    _, comm = drawn
    comm.say({"type": "hello", "view": "v"})
    review = Review(project)
    review.accept(3, why="last word")
    review.undo()
    review.redo()
    shown = [told["board"]["ranges"][2]["status"] for told in comm.told("changed")]
    assert shown == ["accepted", "undecided", "accepted"]


def test_showing_needs_no_widget_where_there_is_no_notebook(project: Project) -> None:
    """In plain Python and IPython a review shows as text and as a table, and makes no widget."""
    review = Review(project)
    bundle = review._repr_mimebundle_()
    assert sorted(bundle) == ["text/html", "text/plain"]
    with pytest.raises(NotImplementedError):
        review._ipython_display_()
    assert review._widget is None
    code = (
        "import sys, cutbook\n"
        "from cutbook.notebook.review.session import Review\n"
        f"review = Review(cutbook.Project({str(project.folder)!r}))\n"
        "repr(review), review._repr_html_()\n"
        "print([name for name in ('anywidget', 'ipywidgets') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_loading_the_extension_loads_nothing_of_the_review() -> None:
    """Neither widgets nor numbers are loaded before a review is asked for."""
    code = (
        "import sys\n"
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "InteractiveShell.instance().run_line_magic('load_ext', 'cutbook')\n"
        "heavy = ('anywidget', 'ipywidgets', 'numpy', 'rapidfuzz', 'cutbook.notebook.review.session')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_page_of_five_hundred_ranges_is_light() -> None:
    """The table of 500 ranges with pictures is a few hundred kilobytes, and says how many pictures there are."""
    from fractions import Fraction
    from io import BytesIO

    from PIL import Image

    buffer = BytesIO()
    Image.effect_noise((256, 144), 80).convert("RGB").save(buffer, "JPEG", quality=90)
    said = "word " * 45
    ranges = tuple(
        Range(
            id=f"r-{n:05d}",
            source=f"C{n % 7}",
            frames=(n * 100, n * 100 + 90),
            rate=Fraction(25),
            quote=said,
            beat="HOOK",
            reason="because",
        )
        for n in range(500)
    )
    page = html_review(Edl(ranges=ranges), lambda *_: buffer.getvalue())
    assert len(page) < 450_000
    read = Reader(page)
    pictures = read.tags.count("img")
    assert 20 < pictures < 500
    assert f"Pictures stand at {pictures} of 500 ranges." in page
    assert page.count("<tr>") == 501
    none = html_review(Edl(ranges=ranges), lambda *_: buffer.getvalue(), patience=-1)
    assert "Pictures stand at 0 of 500 ranges." in none
    few = html_review(Edl(ranges=ranges[:5]), lambda *_: buffer.getvalue())
    assert (Reader(few).tags.count("img"), "Pictures stand" in few) == (10, False)


def executed(folder: Path, *cells: str) -> Any:
    """Return a notebook that was executed without a browser."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    NotebookClient(
        notebook, kernel_name="python3", timeout=120, resources={"metadata": {"path": folder}}
    ).execute()
    return notebook


def test_a_notebook_without_a_browser_shows_the_decisions(project: Project) -> None:
    """Executed headless and converted to HTML, a review is readable: words, decisions, pictures, no script needed."""
    notebook = executed(
        project.folder,
        "%load_ext cutbook",
        "%project .;",
        '%review reject 2 --why "hums";',
        "%review",
        "%memory persist",
    )
    view, still = (output["data"] for output in notebook.cells[3].outputs)
    assert sorted(view) == [MIME, "text/plain"]
    assert "hums" in still["text/plain"]
    assert f'class="{STILL}"' in still["text/html"]
    assert still["text/html"].count("<img") == 6
    assert len(json.dumps(notebook.metadata.get("widgets", {}))) < LARGE
    page, _ = HTMLExporter().from_notebook_node(notebook)  # type: ignore[no-untyped-call] # nbconvert's own
    table = page[page.index(STILL + '">') :]
    for told in ("1 rejected", "hums", "Ninety percent is wasted.", "data:image/jpeg"):
        assert told in table
    assert "hums" in (project.edit / "project.md").read_text("utf-8")


def opened(kernel: Front, folder: Path) -> tuple[str, list[dict[str, Any]]]:
    """Show a review in a kernel; return the id of its comm, and the outputs."""
    kernel.run(f"%load_ext cutbook\n%project {folder};")
    outputs = kernel.run("%review")
    view = outputs[0]["content"]["data"][MIME]
    return str(view["model_id"]), outputs


def test_a_real_kernel_answers_while_a_cell_runs(project: Project) -> None:
    """A view's changes are done while a cell runs, its proxy is made, the page follows; undo outlives the kernel."""
    with front() as kernel:
        comm, outputs = opened(kernel, project.folder)
        assert [sorted(output["content"]["data"]) for output in outputs] == [
            [MIME, "text/plain"],
            ["text/html", "text/plain"],
        ]
        kernel.open_subshell()
        kernel.say(comm, {"type": "hello", "view": "v"})
        board = kernel.reply(comm, type="board", view="v")["board"]
        first, second, _ = (each["id"] for each in board["ranges"])
        mark = len(kernel.heard)
        kernel.run("import threading\ngo = threading.Event()")
        kernel.run("go.wait(60)", wait=False)
        for number, change in enumerate(
            ({"verb": "accept", "ranges": [first]}, {"verb": "reject", "ranges": [second]}), 1
        ):
            kernel.say(
                comm, {"type": "do", "view": "v", "id": number, "base": board["version"], "change": change}
            )
            assert kernel.reply(comm, after=mark, type="ack", id=number)["ok"]
        # The cell that was begun before has not ended yet.
        running = [m for m in kernel.heard[mark:] if m["msg_type"] == "execute_result"]
        assert running == []
        assert [each.status for each in project.edl.ranges] == ["accepted", "rejected", "undecided"]
        kernel.say(comm, {"type": "ask", "view": "v", "id": 9, "what": "clip", "take": "C0101"})
        assert kernel.reply(comm, after=mark, type="answer", id=9)["clip"]["state"] == "making"
        ready = kernel.until(
            lambda m: (
                m["msg_type"] == "comm_msg"
                and (m["content"]["data"].get("content") or {}).get("clip", {}).get("state") == "ready"
            ),
            after=mark,
        )
        assert ready["content"]["data"]["content"]["clip"]["take"] == "C0101"
        kernel.say(comm, {"type": "ask", "view": "v", "id": 10, "what": "peaks", "take": "C0101"})
        kernel.reply(comm, after=mark, type="answer", id=10)
        # What stays on the page follows, so that a notebook saved now shows the decisions.
        later = kernel.until(lambda m: m["msg_type"] == "update_display_data", after=mark)
        assert "1 accepted, 1 rejected" in later["content"]["data"]["text/plain"]
        assert later["content"]["transient"] == outputs[1]["content"]["transient"]
        assert "As of version 3, " in later["content"]["data"]["text/plain"].splitlines()[-1]
    with front() as again:
        comm, _ = opened(again, project.folder)
        again.say(comm, {"type": "hello", "view": "w"})
        board = again.reply(comm, type="board", view="w")["board"]
        assert [each["status"] for each in board["ranges"]] == ["accepted", "rejected", "undecided"]
        again.say(
            comm, {"type": "do", "view": "w", "id": 1, "base": board["version"], "change": {"verb": "undo"}}
        )
        undone = again.reply(comm, type="ack", view="w", id=1)["board"]
        assert [each["status"] for each in undone["ranges"]] == ["accepted", "undecided", "undecided"]


def test_what_stays_on_the_page_follows_wherever_it_is_shown(project: Project) -> None:
    """Shown twice, a review has one table in two places; it is written once for many changes, and not into a capture.

    A change that leaves the list as it was writes none.
    """
    with front() as kernel:
        first = opened(kernel, project.folder)[1][1]["content"]
        second = kernel.run("review = _\nreview")[1]["content"]
        assert first["transient"] == second["transient"] != {}

        def updates() -> list[dict[str, Any]]:
            return [message for message in kernel.heard if message["msg_type"] == "update_display_data"]

        kernel.run("import time; time.sleep(4)")
        before = len(updates())
        kernel.run("for n in range(1, 4): review.accept(n)")
        kernel.run("%%capture found\nimport time; time.sleep(4)")
        assert len(updates()) == before
        kernel.run("time.sleep(2); len(found.outputs)")
        (made,) = updates()[before:]
        assert made["content"]["transient"] == first["transient"]
        assert "3 accepted, 0 rejected" in made["content"]["data"]["text/html"]
        kernel.run("review.accept(1); time.sleep(4)")
        assert len(updates()) == before + 1


BLOCKED = """
import sys
sys.modules["anywidget"] = None
from cutbook import Project
from cutbook.notebook.review.session import Review
project = Project({folder!r})
review = Review(project)
rows = list(review.widget._rows.values())
print([toggle.value for toggle, _ in rows])
rows[0][0].value = "rejected"
print([each.status for each in project.edl.ranges])
review.accept(2)
print([toggle.value for toggle, _ in rows])
review.accept(1, why="she smiles")
print(rows[0][1].value.split("<i>")[1])
review.undo()
print("<i>calm" in rows[0][1].value, "<s>" in rows[0][1].value)
review.widget._undo.click()
review.widget._undo.click()
print([toggle.value for toggle, _ in rows], review.widget._undo.disabled)
review.widget.close()
"""


def test_without_anywidget_there_are_toggles(project: Project) -> None:
    """Where the editor's package cannot load, a row of toggles a range decides, undoes and follows."""
    code = BLOCKED.format(folder=str(project.folder))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "['undecided', 'undecided', 'undecided']",
        "['rejected', 'undecided', 'undecided']",
        "['rejected', 'accepted', 'undecided']",
        "calm; she smiles</i>",
        "True True",
        "['undecided', 'undecided', 'undecided'] True",
    ]
