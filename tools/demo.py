"""Execute the first-cut notebook on the sample footage, headless, and say where its results are."""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nbformat import NotebookNode

ROOT = Path(__file__).resolve().parents[1]
CELL_SECONDS = 1800
KEYS = ("ELEVENLABS_API_KEY", "XI_API_KEY")


def isolate(folder: Path) -> None:
    """Point Jupyter and IPython at `folder`, so that nobody's settings, kernels or start-up files take part."""
    for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):
        place = folder / name.lower()
        place.mkdir()
        os.environ[name] = str(place)
    os.environ["JUPYTER_NO_CONFIG"] = "1"
    os.environ["PYTHONNOUSERSITE"] = "1"
    for name in ("JUPYTER_PATH", "JUPYTER_CONFIG_PATH", "MPLBACKEND", "PYTHONPATH", "PYTHONSTARTUP"):
        os.environ.pop(name, None)


def spend_nothing(footage: Path) -> None:
    """Choose the embedded engine and hide every key from the kernel that is about to start."""
    for key in KEYS:
        os.environ.pop(key, None)
    os.environ["CUTBOOK_ENGINE"] = "local"
    os.environ["CUTBOOK_FOOTAGE"] = str(footage)


def headline(source: str) -> str:
    """Return the line of a cell that says what it does, its first magic if it has one; at most 60 characters."""
    lines = [line.strip() for line in source.splitlines() if line.strip()]
    plain = [line for line in lines if not line.startswith(("#", "import ", "from "))]
    magics = [line for line in plain if line.startswith("%")]
    line = (magics or plain or lines or [""])[0]
    return line if len(line) <= 60 else line[:59] + "…"


class Progress:
    """Print one line a code cell: its place, its headline, the seconds it took."""

    def __init__(self, notebook: NotebookNode) -> None:
        code = [index for index, cell in enumerate(notebook.cells) if is_code(cell)]
        self.places = {index: place for place, index in enumerate(code, start=1)}
        self.total = len(code)
        self.cell = ""
        self.began = 0.0

    def start(self, *, cell: NotebookNode, cell_index: int) -> None:
        """Print which cell is about to run; cells of text are passed over."""
        place = self.places.get(cell_index)
        if place is None:
            return
        self.began = time.monotonic()
        self.cell = f"cell {place}: {headline(cell.source)}"
        print(f"  [{place:>2}/{self.total}] {headline(cell.source):<61}", end="", flush=True)

    def finish(self, **_: object) -> None:
        """Print how long the cell took."""
        print(f"{time.monotonic() - self.began:7.1f} s", flush=True)


def is_code(cell: NotebookNode) -> bool:
    """Return whether nbclient would run this cell."""
    return cell.cell_type == "code" and bool(cell.source.strip())


def execute(notebook: Path, output: Path) -> str | None:
    """Run `notebook` with this very Python, save it to `output`, and return the error as one line, if any."""
    import nbformat
    from jupyter_core.utils import ensure_async
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
    from traitlets.config import Config

    node = nbformat.read(notebook, as_version=4)
    progress = Progress(node)

    async def interrupt() -> None:
        if client.km is not None:
            await ensure_async(client.km.interrupt_kernel())

    def stop_cleanly(**_: object) -> None:
        """Hand Ctrl-C on to the kernel, whose cell then ends its own ffmpeg and files."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, lambda: loop.create_task(interrupt()))

    config = Config()
    config.KernelSpecManager.kernel_dirs = [str(Path(sys.prefix) / "share" / "jupyter" / "kernels")]
    client = NotebookClient(
        node,
        config=config,
        kernel_name="python3",
        extra_arguments=["--log-level=ERROR"],
        timeout=CELL_SECONDS,
        resources={"metadata": {"path": str(notebook.parent)}},
        on_notebook_start=stop_cleanly,
        on_cell_start=progress.start,
        on_cell_executed=progress.finish,
    )
    failure: str | None = None
    try:
        client.execute()
    except CellExecutionError as error:
        if error.ename in {"KeyboardInterrupt", "Interrupted"}:
            raise KeyboardInterrupt from None
        reason = error.evalue.strip().splitlines()
        failure = f"{progress.cell} failed: {error.ename}: {reason[0] if reason else ''}"
    except CellTimeoutError:
        failure = f"{progress.cell} took longer than {CELL_SECONDS} s"
    except DeadKernelError:
        failure = f"{progress.cell} ended its kernel (out of memory?)"
    output.parent.mkdir(exist_ok=True)
    partial = output.with_suffix(".part")
    nbformat.write(node, partial)
    partial.replace(output)
    return failure


def results(edit: Path) -> dict[str, list[Path]]:
    """Return what a first cut leaves behind, by the name that it is announced under."""
    return {
        "video": sorted(edit.glob("*.mp4")),
        "pictures": sorted(edit.glob("verify/**/*.png")),
        "transcripts": [edit / "takes_packed.md"],
        "cut list": [edit / "edl.json"],
        "memory": [edit / "project.md"],
    }


def announce(edit: Path) -> list[str]:
    """Print where everything is, and return what is missing."""
    missing = []
    for name, files in results(edit).items():
        there = [file for file in files if file.is_file() and file.stat().st_size > 0]
        if not there:
            missing.append(f"{name} ({', '.join(str(file) for file in files) or f'nothing in {edit}'})")
        for place, file in enumerate(there):
            print(f"  {name if place == 0 else '':<12} {file}")
    return missing


def main() -> int:
    """Run the demo: 0 when the notebook ran through and every result is there, else 1 and one line why."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notebook", type=Path, default=ROOT / "notebooks" / "first_cut.ipynb")
    parser.add_argument("--footage", type=Path, default=ROOT / "sample_media")
    options = parser.parse_args()
    notebook, footage = options.notebook.resolve(), options.footage.resolve()
    for path in (notebook, footage):
        if not path.exists():
            print(f"demo: {path} is not there: clone the repository again, or name another", file=sys.stderr)
            return 1
    edit = footage / "edit"
    executed = edit / f"{notebook.stem}.executed.ipynb"
    home = Path(tempfile.mkdtemp(prefix="cutbook-demo-"))
    began = time.monotonic()
    print(
        f"Running {notebook.name} on {footage} with the embedded engine; nothing is sent or spent.",
        flush=True,
    )
    try:
        isolate(home)
        spend_nothing(footage)
        failure = execute(notebook, executed)
    except KeyboardInterrupt:
        print("\ndemo: stopped", file=sys.stderr)
        return 130
    finally:
        shutil.rmtree(home, ignore_errors=True)
    if failure is not None:
        print(f"\ndemo: {failure}; the notebook as far as it ran: {executed}", file=sys.stderr)
        return 1
    print(f"Done in {time.monotonic() - began:.0f} s:")
    missing = announce(edit)
    print(f"  {'notebook':<12} {executed}")
    if missing:
        print(f"demo: the notebook ran, but left no {'; no '.join(missing)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
