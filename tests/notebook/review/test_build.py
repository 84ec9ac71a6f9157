"""The view of the review: what is committed is what its sources make, and they pass their own tests."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.needs import require

HOUSE = Path(__file__).parents[3]
VIEW = HOUSE / "extension" / "review"
STATIC = HOUSE / "extension" / "cutbook" / "notebook" / "review" / "static"
NAMES = ("review.js", "review.css")


@pytest.fixture(scope="module")
def node() -> str:
    """Return Node, where it and the packages of the view are as `make review` installs them."""
    found = shutil.which("node")
    require(found, "no Node (20 or newer, with npm)")
    needed = json.loads((VIEW / "package.json").read_text("utf-8"))["devDependencies"]
    there = {name: VIEW / "node_modules" / name / "package.json" for name in needed}
    wrong = [
        name
        for name, place in there.items()
        if not place.exists() or json.loads(place.read_text("utf-8"))["version"] != needed[name]
    ]
    require(not wrong, f"make review installs what builds the view: {', '.join(wrong)}")
    return str(found)


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """Run a command in the view's folder, in plain text."""
    plain = {**os.environ, "NO_COLOR": "1", "CI": "1"}
    plain.pop("FORCE_COLOR", None)
    return subprocess.run(
        command, cwd=VIEW, env=plain, check=False, capture_output=True, text=True, timeout=150
    )


def test_the_committed_files_are_a_fresh_build(node: str, tmp_path: Path) -> None:
    """The script and the style sheet are, byte for byte, what `make review` makes of the sources."""
    built = run(node, "build.mjs", str(tmp_path))
    assert built.returncode == 0, built.stderr
    stale = [name for name in NAMES if (tmp_path / name).read_bytes() != (STATIC / name).read_bytes()]
    assert stale == [], f"run make review and commit: {stale}"


def test_the_committed_files_are_small() -> None:
    """Script and style sheet are 150 KB together at most, and bring nothing from elsewhere."""
    sizes = {name: (STATIC / name).stat().st_size for name in NAMES}
    assert sum(sizes.values()) <= 150 * 1024, sizes
    for name in NAMES:
        written = (STATIC / name).read_text("utf-8")
        assert "https://" not in written
        assert "sourceMappingURL" not in written


@pytest.mark.parametrize(
    "tool", ["typescript/bin/tsc --noEmit", "@biomejs/biome/bin/biome ci --colors=off ."]
)
def test_the_sources_have_no_faults(node: str, tool: str) -> None:
    """The compiler and the linter find nothing."""
    script, *arguments = tool.split()
    looked = run(node, str(VIEW / "node_modules" / script), *arguments)
    assert looked.returncode == 0, looked.stdout + looked.stderr


def test_the_sources_pass_their_own_tests(node: str) -> None:
    """The view's unit tests pass."""
    tested = run(node, str(VIEW / "node_modules" / "vitest" / "vitest.mjs"), "run")
    assert tested.returncode == 0, tested.stdout + tested.stderr
