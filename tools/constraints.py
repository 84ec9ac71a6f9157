"""Resolve every dependency of cutbook once for several Pythons and write constraints.txt.

The oldest Python is resolved first; each newer one keeps those versions and adds only what it alone needs.
So one file holds for all of them, and a release that dropped the oldest Python is not picked.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "constraints.txt"
HEADER = """\
# The versions that `make demo`, `make test` and CI install, for Python {pythons}.
# Made by `make constraints`; pyproject.toml holds the lower bounds for everybody else.
"""
BOOTSTRAP = ["pip"]


def requirements() -> list[str]:
    """Return every requirement of pyproject.toml: runtime, each extra, the dev group."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras: dict[str, list[str]] = project["project"]["optional-dependencies"]
    return [
        *project["project"]["dependencies"],
        *(requirement for extra in extras.values() for requirement in extra),
        *project["dependency-groups"]["dev"],
        *BOOTSTRAP,
    ]


def resolve(python: str, *, known: dict[str, str], folder: Path) -> dict[str, str]:
    """Return name → version of all that `python` would install, keeping to the versions in `known`."""
    venv = folder / "venv"
    subprocess.run([python, "-m", "venv", "--clear", str(venv)], check=True)
    pip = [str(venv / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "-qq"]
    subprocess.run([*pip, "install", "--upgrade", "pip"], check=True)
    wanted, kept, report = (folder / name for name in ("wanted.txt", "kept.txt", "report.json"))
    wanted.write_text("\n".join(requirements()) + "\n", encoding="utf-8")
    kept.write_text("".join(f"{name}=={version}\n" for name, version in known.items()), encoding="utf-8")
    options = ["--dry-run", "--ignore-installed", "--report", str(report)]
    subprocess.run([*pip, "install", *options, "-c", str(kept), "-r", str(wanted)], check=True)
    installs = json.loads(report.read_text(encoding="utf-8"))["install"]
    return {
        item["metadata"]["name"].lower().replace("_", "-"): item["metadata"]["version"] for item in installs
    }


def main(pythons: list[str]) -> int:
    """Write constraints.txt for the Pythons that are there, oldest first as given."""
    known: dict[str, str] = {}
    done: list[str] = []
    for python in pythons:
        if shutil.which(python) is None:
            print(f"{python} is not here: left out")
            continue
        ask = [python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        answer = subprocess.run(ask, check=False, capture_output=True, text=True)
        if answer.returncode != 0:
            print(f"{python} does not run: left out")
            continue
        print(f"resolving for Python {answer.stdout.strip()} …", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            known |= resolve(python, known=known, folder=Path(folder))
        done.append(answer.stdout.strip())
    if not done:
        print(
            "no Python to resolve for: name one, make constraints PYTHONS=/path/to/python3", file=sys.stderr
        )
        return 1
    lines = sorted(f"{name}=={version}\n" for name, version in known.items())
    TARGET.write_text(HEADER.format(pythons=", ".join(done)) + "".join(lines), encoding="utf-8")
    print(f"{len(lines)} versions for Python {', '.join(done)} in {TARGET.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
