"""Loading and unloading, help, completion, settings and errors in a real shell; the README knows every magic."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from cutbook.errors import EdlError, InputError, SettingError
from cutbook.notebook.magics import NAMES, all_magics
from cutbook.render.grade import PRESETS
from cutbook.render.styles import STYLES
from cutbook.results import Packed
from tests.faces import run
from tests.sample import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
TABLE = [line for line in README.splitlines() if re.match(r"\| `%", line)]
HEAVY = (
    "elevenlabs",
    "faster_whisper",
    "ctranslate2",
    "onnxruntime",
    "av",
    "matplotlib",
    "PIL",
    "pocketsphinx",
)


def test_readme_lists_every_magic_and_no_other() -> None:
    """The table of magics is that of the package, in the same order."""
    assert [re.match(r"\| `%+(\w+)", line)[1] for line in TABLE] == list(NAMES)  # type: ignore[index]


@pytest.mark.parametrize("name", NAMES)
def test_readme_names_every_option(name: str) -> None:
    """Each option, or a short form of it, stands in the magic's row."""
    row = TABLE[NAMES.index(name)]
    magic = next(magic for magic in all_magics() if magic.name == name)
    actions = [action.option_strings for action in magic.parser._actions if action.option_strings]
    missing = [names for names in actions if not any(re.search(rf"{re.escape(n)}\b", row) for n in names)]
    assert missing == []
    verbs = magic.parser.choices()
    assert [verb for verb in verbs if verb != "show" and not re.search(rf"\b{verb}\b", row)] == []


def test_readme_and_help_name_presets_and_styles() -> None:
    """Every grade that has a name and every style of captions stands in the README and in the help of %render."""
    text = {name: README.count(f"`{name}`") for name in (*PRESETS, *STYLES)}
    assert [name for name, count in text.items() if not count] == []
    shown = next(magic for magic in all_magics() if magic.name == "render").parser.format_help()
    assert [name for name in (*PRESETS, *STYLES) if name not in "".join(shown.split())] == []


@pytest.mark.parametrize("name", NAMES)
def test_help_is_that_of_the_parser(ipython: InteractiveShell, name: str) -> None:
    """``%name?`` shows what the magic does and how it is written."""
    magic = next(magic for magic in all_magics() if magic.name == name)
    for kind in magic.kinds:
        prefix = "%" if kind == "line" else "%%"
        found = ipython.object_inspect(f"{prefix}{name}")  # type: ignore[no-untyped-call]
        assert found["found"]
        assert magic.parser.description is not None
        assert magic.parser.description[:40] in found["docstring"].replace("\n", " ")
        assert "usage: " in found["docstring"]


def test_loading_loads_nothing_heavy() -> None:
    """``%load_ext cutbook`` leaves engines, decoders and plotting alone until they are used."""
    code = (
        "import sys; from IPython.core.interactiveshell import InteractiveShell as S; s = S.instance();"
        "before = set(sys.modules); s.run_line_magic('load_ext', 'cutbook');"
        f"print([n for n in {HEAVY!r} if n in set(sys.modules) - before])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[-2] == "[]"


def state(shell: InteractiveShell) -> dict[str, Any]:
    """Return what an extension can leave behind in a shell."""
    return {
        "magics": {kind: sorted(found) for kind, found in shell.magics_manager.magics.items()},
        "configurables": len(shell.configurables),
        "transformers": len(shell.input_transformers_cleanup),
        "completers": len(shell.Completer.custom_matchers),
        "names": sorted(shell.user_ns),
        "attributes": sorted(vars(shell)),
    }


def test_unloading_leaves_nothing_behind(ipython: InteractiveShell) -> None:
    """Unloaded, the shell is as it was; loaded twice, everything is there once; loaded again, it works."""
    loaded = state(ipython)
    ipython.run_line_magic("unload_ext", "cutbook")
    bare = state(ipython)
    assert not set(NAMES) & {name for names in bare["magics"].values() for name in names}
    ipython.run_line_magic("load_ext", "cutbook")
    assert state(ipython) == loaded
    ipython.run_line_magic("reload_ext", "cutbook")
    assert state(ipython) == loaded
    ipython.run_line_magic("unload_ext", "cutbook")
    assert state(ipython) == bare
    ipython.run_line_magic("load_ext", "cutbook")


def completions(shell: InteractiveShell, text: str) -> set[str]:
    """Return what Tab offers at the end of `text`."""
    with provisionalcompleter():
        return {each.text for each in shell.Completer.completions(text, len(text))}


def test_tab_gives_takes_options_and_verbs(ipython: InteractiveShell, launch: Path) -> None:
    """Tab completes take names, options and verbs; a name with a space comes in quotes."""
    (launch / "my take.mp4").symlink_to(launch / "C0101.mp4")
    run(ipython, f'%project "{launch}";')
    assert completions(ipython, "%timeline C0") >= {"C0101"}
    assert completions(ipython, "%timeline ") >= {"C0101", "B0202", "S0303", '"my take"'}
    assert completions(ipython, "%render --fi") >= {"--final"}
    assert completions(ipython, "%edl hi") >= {"history"}
    assert completions(ipython, "%memory re") >= {"resume"}
    assert completions(ipython, "%%cut --ap") >= {"--append"}


OPTIONS = {
    "--draft",
    "--preview",
    "--final",
    "-o",
    "--output",
    "--captions",
    "--grade",
    "--size",
    "--fps",
    "--jobs",
}


@pytest.mark.parametrize("jedi", [False, True])
def test_tab_gives_only_what_fits(ipython: InteractiveShell, launch: Path, jedi: bool) -> None:  # noqa: FBT001
    """Options before a project is open, values of options, verbs, ids, quoted names: and no Python beside them."""
    ipython.Completer.use_jedi = jedi
    assert completions(ipython, "%render -") >= OPTIONS
    assert all(each.startswith("--") for each in completions(ipython, "%render --"))
    assert completions(ipython, "film = %render --fin") == {"--final"}
    assert completions(ipython, "%transcribe --engine ") == {"scribe", "local"}
    assert completions(ipython, "%transcribe --engine=lo") == {"local"}
    assert completions(ipython, "%render --captions ") == {"none", *STYLES}
    assert completions(ipython, "%render --grade ") == {"none", "auto", *PRESETS}
    assert completions(ipython, "%memory to") == {"todo"}
    assert completions(ipython, "%memory decide x --w") == {"--why"}
    assert completions(ipython, "%edl set gr") == {"grade"}
    assert completions(ipython, "%edl set grade w") == {"warm_cinematic"}
    (launch / "my take.mp4").symlink_to(launch / "C0101.mp4")
    run(ipython, f'%project "{launch}";')
    todo = run(ipython, "%memory todo the end card")
    run(ipython, "%memory note quiet here")
    assert completions(ipython, "%memory done ") == {str(todo), "--why"}
    assert completions(ipython, '%timeline "my') == completions(ipython, "%timeline my") == {'"my take"'}
    assert completions(ipython, "%%cut\nHOOK c0") == {"C0101"}
    assert completions(ipython, "%timeline C0101 1 --fr") == {"--frames"}


def test_value_is_given_and_a_semicolon_silences(ipython: InteractiveShell, launch: Path) -> None:
    """``x = %pack;`` keeps the value; ``%pack;`` shows none; ``%pack`` shows it."""
    run(ipython, f'%project "{launch}";')
    assert isinstance(run(ipython, "%pack"), Packed)
    for silent in ("%pack;", "%pack ;", "%pack --silence 0.4;", "%pack # all of them;", "%pack; # all"):
        shown = run(ipython, silent)
        assert isinstance(shown, Packed) == silent.endswith("them;")
    assert run(ipython, "x = %pack;") is None
    assert isinstance(ipython.user_ns["x"], Packed)
    run(ipython, "y = %pack --silence 0.4")
    assert isinstance(ipython.user_ns["y"], Packed)


def test_semicolon_in_the_cell_that_loads(launch: Path) -> None:
    """``%pack;`` is known in the very cell that loads the extension, and no such name stays behind."""
    notebook, error = executed(
        f'%load_ext cutbook\n%project "{launch}";\n%pack;',
        "sorted(n for n in get_ipython().magics_manager.magics['line'] if n.endswith(';'))",
        "%pack;",
    )
    assert error is None
    assert notebook.cells[0].outputs == notebook.cells[2].outputs == []
    assert notebook.cells[1].outputs[0].data["text/plain"] == "[]"


@pytest.mark.parametrize(
    "line", ["%render --help", "%render -h", "%pack --silence 1 --help", "%memory --help"]
)
def test_help_is_given_where_people_ask_for_it(ipython: InteractiveShell, line: str) -> None:
    """``--help`` and ``-h`` show the magic's help; nothing is opened or done."""
    shown = repr(run(ipython, line))
    assert shown.startswith(f"usage: {line.split(maxsplit=1)[0]}")
    assert vars(ipython)["_cutbook_desk"].in_use is None


def test_variables_reach_lines_but_no_sentences(ipython: InteractiveShell, launch: Path) -> None:
    """``{name}`` stands for a variable in a line, and for itself in what people say."""
    ipython.user_ns["where"] = str(launch)
    run(ipython, "%project {where};")
    run(ipython, "%memory note keep {where} and $where")
    assert [each.text for each in run(ipython, "%memory show")] == ["keep {where} and $where"]


def test_what_was_said_is_shown_as_it_was(ipython: InteractiveShell, launch: Path) -> None:
    """A strategy and what is done show as sentences; each is text to Python."""
    run(ipython, f'%project "{launch}";')
    said = run(ipython, "%memory strategy don't rush")
    assert (said, repr(said)) == ("don't rush", "don't rush")
    todo = run(ipython, "%memory todo the end card")
    assert repr(run(ipython, f"%memory done {todo}")) == "the end card"


def test_current_folder_is_opened_and_said(
    ipython: InteractiveShell,
    launch: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The first verb opens the current folder when none was named, and says which."""
    monkeypatch.chdir(launch)
    run(ipython, "%pack;")
    assert f"Opened {launch}" in capsys.readouterr().out


def test_help_of_all(ipython: InteractiveShell, launch: Path) -> None:
    """``%cutbook`` lists every verb, before and after a project is opened."""
    for _ in range(2):
        shown = run(ipython, "%cutbook")
        assert [name for name in NAMES if f"%{name}" not in repr(shown)] == []
        assert [name for name in NAMES if f"%{name}" not in shown._repr_html_()] == []
        run(ipython, f'%project "{launch}";')
    assert "local" in repr(run(ipython, "%cutbook"))


def test_ladder_of_settings(ipython: InteractiveShell, launch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The call wins over ``%config``, that over the environment, that over cutbook.toml."""
    run(ipython, f'%project "{launch}";')
    project = vars(ipython)["_cutbook_desk"].project
    assert project.settings().items()["jobs"].origin == "default"
    (launch / "cutbook.toml").write_text("jobs = 2\npad_before_ms = 10\n", encoding="utf-8")
    assert (project.settings()["jobs"], project.settings().origin("jobs")) == (
        2,
        str(launch / "cutbook.toml"),
    )
    monkeypatch.setenv("CUTBOOK_JOBS", "3")
    assert (project.settings()["jobs"], project.settings().origin("jobs")) == (3, "environment")
    run(ipython, "%config Cutbook.jobs = 4")
    assert (project.settings()["jobs"], project.settings().origin("jobs")) == (4, "%config")
    assert project.settings(jobs=5)["jobs"] == 5
    run(ipython, "%config Cutbook.pad_before_ms = 0")
    run(ipython, "%config Cutbook.pad_after_ms = 0")
    assert run(ipython, "%%cut\nC0101 #1-#4").ranges[0].frames == (15, 66)
    run(ipython, "%config Cutbook.jobs = None")
    assert project.settings().origin("jobs") == "environment"
    monkeypatch.setenv("CUTBOOK_JOBS", "many")
    with pytest.raises(SettingError, match=r"environment.*jobs.*'many'"):
        project.settings()


def test_config_refuses_what_cannot_be(
    ipython: InteractiveShell, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """A value of the wrong kind is refused at ``%config`` and changes nothing; the list says what there is."""
    ipython.run_cell("%config Cutbook.jobs = 'many'")  # type: ignore[no-untyped-call]
    assert "jobs wants a number from 1 to 64, not 'many'" in caplog.text
    assert vars(ipython)["_cutbook_desk"].config.jobs is None
    run(ipython, "%config Cutbook")
    shown = capsys.readouterr().out
    assert "Cutbook.pad_before_ms" in shown
    assert "milliseconds of air kept before a word" in shown


@pytest.mark.parametrize("again", ["%reload_ext cutbook", "%unload_ext cutbook\n%load_ext cutbook"])
def test_refused_value_keeps_nothing_from_loading(
    ipython: InteractiveShell, capsys: pytest.CaptureFixture[str], again: str
) -> None:
    """After a value was refused, or named what is no setting, loading again works, says so and keeps the good ones."""
    run(ipython, "%config Cutbook.jobs = 3")
    ipython.run_cell('%config Cutbook.engine = "nope"')  # type: ignore[no-untyped-call]
    ipython.config.Cutbook.colour = "blue"
    capsys.readouterr()
    run(ipython, again)
    said = capsys.readouterr().out
    assert "left out: %config: engine wants one of scribe, local, not 'nope'" in said
    assert "left out: %config: 'colour' is no setting" in said
    config = vars(ipython)["_cutbook_desk"].config
    assert (config.jobs, config.engine) == (3, None)


def test_error_is_one_line_and_tb_gives_the_rest(
    ipython: InteractiveShell, launch: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A foreseeable error shows as one line; ``%tb`` still has the traceback."""
    run(ipython, f'%project "{launch}";')
    capsys.readouterr()
    with pytest.raises(EdlError):
        run(ipython, "%tighten")
    shown = capsys.readouterr().out.strip()
    assert shown.splitlines() == [
        "EdlError: there is no cut list yet; write one with %%cut (any lines copied out of takes_packed.md)"
    ]
    ipython.run_line_magic("tb", "")
    assert "Traceback (most recent call last)" in capsys.readouterr().out
    with pytest.raises(InputError):
        run(ipython, "%pack --silence soon")
    assert len(capsys.readouterr().out.strip().splitlines()) == 1


@pytest.mark.parametrize("cell", ["%cut C0101 1-2", "%%pack\nx", "%%memory note\nx"])
def test_magic_of_the_wrong_kind_fails(
    ipython: InteractiveShell, launch: Path, capsys: pytest.CaptureFixture[str], cell: str
) -> None:
    """A cell magic written as a line, or a line magic as a cell, is refused and not passed over."""
    run(ipython, f'%project "{launch}";')
    capsys.readouterr()
    done = ipython.run_cell(cell)  # type: ignore[no-untyped-call]
    said = capsys.readouterr()
    assert not done.success or "not found" in said.out + said.err


def executed(*cells: str) -> tuple[Any, CellExecutionError | None]:
    """Execute cells in a kernel of their own; return the notebook and the error that ended it."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    try:
        NotebookClient(notebook, kernel_name="python3", timeout=60).execute()
    except CellExecutionError as error:
        return notebook, error
    return notebook, None


def test_kernel_shows_one_line_and_the_cell_fails(launch: Path) -> None:
    """In a real kernel a foreseeable error is one line and ends a headless run; ``%tb`` has the traceback."""
    notebook, error = executed(
        f'%load_ext cutbook\n%project "{launch}";',
        "try:\n    get_ipython().run_line_magic('tighten', '')\nexcept Exception as e:\n    print(type(e).__name__)",
        "%timeline C0109 1 2",
    )
    assert error is not None
    assert (error.ename, error.evalue) == (
        "UnknownTake",
        "there is no take 'C0109' in launch; did you mean 'C0101'?",
    )
    output = notebook.cells[2].outputs[-1]
    assert output.output_type == "error"
    assert output.traceback == ["UnknownTake: there is no take 'C0109' in launch; did you mean 'C0101'?"]
    assert notebook.cells[1].outputs[0].text == "EdlError\n"


def test_kernel_shows_progress_and_pictures(launch: Path) -> None:
    """In a real kernel a render's sentence is shown once, and values show as HTML and PNG."""
    notebook, error = executed(
        f'%load_ext cutbook\n%project "{launch}"',
        "%%cut --pad 0,0\nC0101 #1-#2",
        "%timeline C0101 0 1 --frames 2",
        "%render --draft",
        "%render --draft;",
        "%review",
        "1 / 0",
    )
    assert error is not None
    assert error.ename == "ZeroDivisionError"
    assert "Traceback" in "".join(notebook.cells[6].outputs[-1].traceback)
    kinds = [[sorted(output.get("data", {})) for output in cell.outputs] for cell in notebook.cells[:6]]
    assert kinds[0] == [["text/html", "text/plain"]]
    assert kinds[2] == [["image/png", "text/plain"]]
    progress, film = notebook.cells[3].outputs
    assert progress.data["text/plain"] == ""
    assert film.data["text/plain"].count("Rendered 00:01 in") == 1
    assert film.data["text/html"].count("Rendered 00:01 in") == 1
    assert "is up to date" in notebook.cells[4].outputs[0].data["text/plain"]
    assert [output.output_type for output in notebook.cells[3].outputs] == ["display_data", "execute_result"]
    assert kinds[4] == [["text/html", "text/plain"]]  # silenced: the sentence stays
    drawn = ["application/vnd.jupyter.widget-view+json", "text/plain"]
    assert kinds[5] == [drawn, ["text/html", "text/plain"]]


def test_interrupt_is_one_line_and_ends_the_run(launch: Path) -> None:
    """Work that is interrupted ends its cell with one line, and the cells after it do not run; %tb has the rest."""
    notebook, error = executed(
        f'%load_ext cutbook\n%project "{launch}";',
        "%%cut\nC0101 #1-#4\nB0202 #1-#3",
        "import _thread, threading\nthreading.Timer(0.4, _thread.interrupt_main).start()\n%render",
        "print('after')",
    )
    assert error is not None
    assert error.ename == "Interrupted"
    assert notebook.cells[2].outputs[-1].traceback == [
        "Interrupted: %render was stopped; what was finished is kept, and the same line goes on from there"
    ]
    assert not (launch / "edit" / "preview.mp4").exists()
    assert notebook.cells[3].outputs == []


def test_headless_run_of_bad_input_ends_with_an_error(launch: Path, tmp_path: Path) -> None:
    """``jupyter execute`` on a notebook that asks for what is not there does not end with exit code 0."""
    cells = ["%load_ext cutbook", f'%project "{launch / "gone"}"']
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbformat.write(notebook, tmp_path / "bad.ipynb")
    command = [sys.executable, "-m", "jupyter", "execute", str(tmp_path / "bad.ipynb")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "NotAFolder" in done.stderr
    assert "there is no such folder; give %project the folder that holds your takes" in done.stderr


def test_a_check_of_a_wrong_film_fails_the_notebook_and_shows_what_it_found(launch: Path) -> None:
    """A film of an earlier edit: what was found is shown, and the cell ends with an error of one line."""
    notebook, error = executed(
        "%load_ext cutbook",
        f'%project "{launch}"',
        "%%cut\nHOOK C0101 #1-#4",
        "%render --draft",
        "%check draft.mp4",
        "%%cut\nHOOK C0101 #1-#3",
        "%check draft.mp4",
    )
    assert notebook.cells[4].outputs[-1].output_type != "error"
    assert error is not None
    assert error.ename == "ProofError"
    *_, shown, failed = notebook.cells[6].outputs
    assert "the edit changed since this render" in shown["data"]["text/html"]
    assert failed.traceback == [
        "ProofError: draft.mp4 is wrong: the edit changed since this render; render again"
    ]
