"""Prove a film and write the report into ``edit/verify``."""

from __future__ import annotations

import html
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from cutbook.edit.take import Take
from cutbook.errors import UnreadableMedia
from cutbook.files import cannot_write, readable, write_atomic
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.render import words
from cutbook.render.cache import Cache
from cutbook.render.cuts import draw_cuts
from cutbook.render.decoding import Seen
from cutbook.render.findings import Finding, Proof
from cutbook.render.plan import Plan
from cutbook.render.proof import prove
from cutbook.render.report import markdown, page
from cutbook.transcripts.engine import Engine

_TICK = 0.2


def check(
    file: Path,
    plan: Plan,
    *,
    takes: Mapping[str, Take],
    edit: Path,
    ffmpeg: Ffmpeg,
    loudness: float | None = None,
    true_peak: float = -1.0,
    pictures: bool = True,
    listener: Engine | None = None,
    progress: Callable[[float, str], None] | None = None,
    cancel: threading.Event | None = None,
) -> Proof:
    """Prove a film and write ``edit/verify/check.md`` and ``check.html``, with a picture of every cut.

    A ``listener`` transcribes the film back beside the proof, and its words are compared with those that the edit
    keeps; a film that fails the proof is not listened to any further.

    Raises:
        UnreadableMedia: there is no such file.
        FfmpegStopped: ``cancel`` was set.
        TranscriptError: the listener failed.
    """
    if not file.is_file():
        msg = f"{file} is no file, so there is nothing to check; render first, or name another"
        raise UnreadableMedia(msg)
    tell = progress or (lambda _share, _sentence: None)
    tell(0.0, f"Checking {file.name}")
    heard = _Listening(file, plan, takes, listener=listener, cache=Cache(edit / "cache"), cancel=cancel)
    with heard:
        proof = prove(
            file,
            plan,
            takes=takes,
            ffmpeg=ffmpeg,
            loudness=loudness,
            true_peak=true_peak,
            seen=Seen(Cache(edit / "cache")),
            cancel=cancel,
        )
        if listener is not None and proof.ok:
            length = max(plan.duration, Fraction(1))
            found = heard.wait(
                lambda done: tell(0.3 + 0.4 * min(1.0, float(done / length)), "Listening to the film")
            )
            others = (finding for finding in proof.findings if not finding.what.startswith("words:"))
            proof = replace(proof, findings=(*others, *found))
    tell(0.7, "Drawing the cuts")
    proof = publish(proof, plan, edit=edit, pictures=pictures)
    tell(1.0, proof.sentence)
    return proof


def publish(proof: Proof, plan: Plan, *, edit: Path, pictures: bool = True) -> Proof:
    """Write a proof's report into ``edit/verify``; gives the proof with the places of what was written.

    Where nothing can be written there, the proof says so.
    """
    place = edit / "verify"
    try:
        cuts = tuple(draw_cuts(proof.file, plan, place / "cuts")) if proof.ok and pictures else ()
        written = replace(proof, cuts=cuts, report=place / "check.md")
        title = html.escape(readable(proof.file.name))
        write_atomic(place / "check.md", markdown(written))
        write_atomic(
            place / "check.html", f"<!doctype html><meta charset=utf-8><title>{title}</title>{page(written)}"
        )
    except OSError as error:
        what = f"the report in {edit.name}/verify was not written: {cannot_write(place, error).strerror}"
        return replace(proof, findings=(*proof.findings, Finding(kind="skipped", what=what)), report=None)
    return written


class _Listening:
    """A film transcribed back on a thread of its own; what it hears counts once the film is proved."""

    def __init__(
        self,
        file: Path,
        plan: Plan,
        takes: Mapping[str, Take],
        *,
        listener: Engine | None,
        cache: Cache,
        cancel: threading.Event | None,
    ) -> None:
        self._done = Fraction(0)
        self._over = threading.Event()
        self._cancel = cancel
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="cutbook-words")
        self._found: Future[tuple[Finding, ...]] | None = None
        if listener is not None:
            self._found = self._pool.submit(
                lambda: tuple(
                    words.proved(
                        file,
                        plan,
                        takes,
                        engine=listener,
                        cache=cache,
                        progress=self._heard,
                        cancel=self._over,
                    )
                )
            )

    def __enter__(self) -> None:
        """Go on; whatever ends the block early ends the listening too."""

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._pool.shutdown(wait=True)

    def _heard(self, seconds: Fraction) -> None:
        self._done = seconds

    def wait(self, tell: Callable[[Fraction], None]) -> tuple[Finding, ...]:
        """Give what was found; ``tell`` is called, on the thread that waits, with the seconds heard so far."""
        while self._found is not None:
            tell(self._done)
            if self._cancel is not None and self._cancel.is_set():
                self._over.set()
            if wait([self._found], timeout=_TICK).done:
                return self._found.result()
        return ()
