from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

HEAVY = (
    "PIL",
    "av",
    "ctranslate2",
    "distributed",
    "elevenlabs",
    "faster_whisper",
    "imageio_ffmpeg",
    "matplotlib",
    "onnxruntime",
    "opentimelineio",
    "pocketsphinx",
)

LOADING = f"""
import json, sys
from IPython.core.interactiveshell import InteractiveShell
import ipywidgets
shell = InteractiveShell.instance()
before = set(sys.modules)
shell.run_line_magic("load_ext", "cutbook")
after = {{name.partition(".")[0] for name in set(sys.modules) - before}}
print(json.dumps(sorted(after & set({HEAVY!r}))))
print(json.dumps("project" in shell.magics_manager.magics["line"]))
"""

# Each is spelled so that it does not find itself here.
FORBIDDEN = {
    "a machine's path": re.compile(
        r"(?<![\w.~-])/(?:wor[k]/|roo[t]/|op[t]/(?:pypi|wheels)|va[r]/tmp/|hom[e]/[a-z]+/)"
    ),
    "a registry's host": re.compile(r"python[h]osted\.org|pyp[i]\.org|registr[y]\.npmjs|de[b]\.debian\.org"),
    "a key": re.compile(r"\bs[k]_[0-9a-f]{32,}|\bx[i]-api-key:\s*[0-9a-f]{20,}"),
}
BINARY = {".mp4", ".mov", ".mkv", ".webm", ".wav", ".m4a", ".mp3", ".png", ".jpg", ".ttf", ".ico", ".zip"}


def tracked() -> list[Path]:
    """Return the files that git holds."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listing.returncode != 0:
        pytest.skip("NOT TESTED HERE: this is no git checkout, so no file is tracked")
    names = [name for name in listing.stdout.decode().split("\0") if name]
    return [ROOT / name for name in names if (ROOT / name).is_file()]


def test_public_face_is_sorted_and_real() -> None:
    """`cutbook.__all__` is sorted, holds every public name of the package, and each name can be had."""
    cutbook = importlib.import_module("cutbook")
    assert list(cutbook.__all__) == sorted(cutbook.__all__)
    assert len(set(cutbook.__all__)) == len(cutbook.__all__)
    for name in cutbook.__all__:
        assert getattr(cutbook, name) is not None


def test_star_import_gives_the_public_face() -> None:
    """A star import brings exactly `__all__`."""
    code = "from cutbook import *; import json; print(json.dumps(sorted(n for n in dir() if n[0] != '_')))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    cutbook = importlib.import_module("cutbook")
    names = set(json.loads(answer.stdout)) - {"json"}
    assert names == {name for name in cutbook.__all__ if not name.startswith("_")}


def test_loading_the_extension_loads_nothing_heavy() -> None:
    """`%load_ext cutbook` adds the magics and none of the heavy packages."""
    answer = subprocess.run([sys.executable, "-c", LOADING], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    offenders, loaded = answer.stdout.splitlines()[-2:]
    assert json.loads(offenders) == []
    assert json.loads(loaded) is True


def test_no_file_names_a_machine_or_a_registry() -> None:
    """No tracked text file holds a path of somebody's machine, a registry's host or a key."""
    found = []
    for path in tracked():
        if path.suffix.lower() in BINARY:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            found += [
                f"{path.relative_to(ROOT)}:{number}: {what}"
                for what, mark in FORBIDDEN.items()
                if mark.search(line)
            ]
    assert found == []


def test_readme_names_every_make_target() -> None:
    """Every target that a person may call is in the README."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.+)$", makefile, flags=re.MULTILINE)
    assert phony is not None
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = [target for target in phony[1].split() if target != "help"]
    assert [target for target in targets if f"make {target}" not in readme] == []


def test_make_help_names_every_target() -> None:
    """`make` alone lists every target with what it does."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.+)$", makefile, flags=re.MULTILINE)
    assert phony is not None
    answer = subprocess.run(["make", "-s"], cwd=ROOT, capture_output=True, text=True, check=True)
    listed = {line.split()[1] for line in answer.stdout.splitlines() if line.startswith("make ")}
    assert listed == set(phony[1].split()) - {"help"}


def test_constraints_hold_names_and_exact_versions_only() -> None:
    """constraints.txt pins every dependency by name and version and says nothing else."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert pins
    assert [line for line in pins if not re.fullmatch(r"[a-z0-9][a-z0-9.-]*==[0-9][\w.+!]*", line)] == []
    assert pins == sorted(pins)


def test_media_in_the_repository_stays_small() -> None:
    """The committed sample is under 10 MB."""
    sizes = [path.stat().st_size for path in tracked() if path.parent == ROOT / "sample_media"]
    assert sum(sizes) < 10_000_000
