"""A project of a few files whose content, words and cut a test changes at will, and the memory of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from cutbook.edit import edl as cutlists
from cutbook.edit.edl import Edl, Range
from cutbook.edit.reading import load
from cutbook.edit.take import Take
from cutbook.files import fingerprint
from cutbook.memory.changes import range_changes
from cutbook.memory.log import Section
from cutbook.memory.verbs import Memory, Shown
from cutbook.transcripts.model import Transcript, Word
from tests.memory.helpers import HOOK, Said, folders, session, take


class World:
    """Real files with a few bytes each in ``base/launch``, and what is said in them."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.footage = base / "launch"
        self.edit = self.footage / "edit"
        self.footage.mkdir()
        self.said: dict[str, Said | None] = {}
        self.fixes: dict[str, Mapping[str, str]] = {}

    def film(self, name: str, content: str = "", said: Said | None = HOOK) -> Path:
        """Put a file there, or another in its place."""
        path = self.footage / f"{name}.mp4"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content or f"the pictures of {name}")
        self.said[name] = said
        return path

    def rename(self, old: str, new: str) -> None:
        """Give a file another name; its words go along."""
        (self.footage / f"{old}.mp4").rename(self.footage / f"{new}.mp4")
        self.said[new] = self.said.pop(old)

    def takes(self) -> dict[str, Take]:
        """Find the takes as they are now."""
        found = {}
        for path in sorted(self.footage.glob("*.mp4")):
            model = take(path.stem, self.said.get(path.stem))
            words = self._words(path.stem)
            transcript = None if words is None else Transcript(words, "en", "local", "base")
            given = Take.given(
                path.stem,
                replace(model.media, path=path),
                fingerprint(path, folders(self.base)),
                transcript=transcript,
            )
            found[path.stem] = given
        return found

    def _words(self, name: str, *, plain: bool = False) -> tuple[Word, ...] | None:
        said = self.said.get(name)
        if said is None:
            return None
        fixes = {} if plain else self.fixes.get(name, {})
        return tuple(
            Word(n, fixes.get(text, text), Fraction(a), Fraction(b))
            for n, (text, a, b) in enumerate(said, start=1)
        )

    @property
    def edl(self) -> Edl | None:
        """The cut list as it lies there."""
        return load(self.edit, self.takes()) if (self.edit / "edl.json").exists() else None

    def cut(self, *ranges: Range, by: str = "cut", **facts: Any) -> None:
        """Write a cut list as a verb of the project does: the file, and the note of what changed."""
        before, takes = self.edl, self.takes()
        made = cutlists.settle(replace(before or Edl(), ranges=ranges), takes, self.edit)
        self.edit.mkdir(exist_ok=True)
        cutlists.write(cutlists.dump(made), self.edit)
        if by:
            session(self.base).note(by, changes=range_changes(before, self.edl or Edl(), takes), **facts)

    def by_hand(self, change: Any) -> None:
        """Edit edl.json as a person does, behind cutbook's back."""
        path = self.edit / "edl.json"
        document = json.loads(path.read_text())
        change(document)
        path.write_text(json.dumps(document))

    def memory(self, day: int = 30) -> Memory:
        """Give the memory as a notebook that opens now sees it."""
        places = {name: self.footage / f"{name}.mp4" for name in self.said}
        return Memory(
            session(self.base, day=day),
            takes=self.takes,
            edl=lambda: self.edl,
            title="Launch",
            missing=lambda: places,
            plain=lambda found: self._words(found.name, plain=True),
        )

    def persist(self) -> Section:
        """Keep the session."""
        section = self.memory().persist()
        assert section is not None
        return section

    def log(self) -> bytes:
        """Read project.md."""
        return (self.edit / "project.md").read_bytes()


def due(mind: Memory) -> dict[str, str]:
    """Give what needs review: the reason by id."""
    return {each.id: each.reason for cause in mind.resume().needs_review for each in cause.entries}


def states(mind: Memory, *ids: str) -> Sequence[str]:
    """Give the freshness of entries."""
    return [each.freshness for name in ids if (each := mind.show(name)) and isinstance(each, Shown)]
