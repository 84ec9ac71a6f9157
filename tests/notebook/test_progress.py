"""Progress of long work, which ends in a sentence that stays."""

from __future__ import annotations

import pytest
from IPython.core.interactiveshell import InteractiveShell

from cutbook.notebook.progress import Progress


def test_headless_run_keeps_only_the_sentence(
    ipython: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a notebook or a terminal, only the closing sentence is printed."""
    with Progress(ipython, "Rendering") as progress:
        for step in range(100):
            progress(step / 100, f"segment {step}")
        progress.done("Rendered 01:23 in 42 s.")
    assert capsys.readouterr().out == "Rendered 01:23 in 42 s.\n"


@pytest.mark.parametrize(("error", "word"), [(KeyboardInterrupt, "Interrupted"), (OSError, "Stopped")])
def test_work_that_ends_early_says_where(
    ipython: InteractiveShell,
    capsys: pytest.CaptureFixture[str],
    error: type[BaseException],
    word: str,
) -> None:
    """Left by an interrupt or an error, the line says how far it was; the error goes on."""
    progress = Progress(ipython, "Rendering")
    progress(0.42, "segment 5 of 12")
    with pytest.raises(error), progress:
        raise error
    assert capsys.readouterr().out == f"{word} at 42%: segment 5 of 12\n"


def test_work_that_did_not_begin_says_nothing(
    ipython: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    """An argument that is refused before the first step leaves the error alone to be shown."""
    with pytest.raises(ValueError, match="no"), Progress(ipython, "Rendering"):
        raise ValueError("no")
    assert capsys.readouterr().out == ""


def test_fraction_out_of_range_and_hostile_text(ipython: InteractiveShell) -> None:
    """A fraction beyond its ends is put at them; the text is no markup."""
    progress = Progress(ipython, "Rendering")
    for fraction, shown in [(-1.0, "0.0000"), (2.0, "1.0000")]:
        progress(fraction, "<b>take</b>")
        page = progress._last._repr_html_()
        assert f'value="{shown}"' in page
        assert "&lt;b&gt;take" in page
