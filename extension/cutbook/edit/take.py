"""A take as the cut list sees it: a file, what it is, what is said in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction
    from pathlib import Path

    from cutbook.files import Fingerprint
    from cutbook.media.probe import Media
    from cutbook.media.sound import Envelope
    from cutbook.transcripts.model import Transcript, Word

T = TypeVar("T")
_WORKED_OUT = "_worked_out"


@dataclass(frozen=True, eq=False)
class Take:
    """One source file under the name that people and cut lists use.

    What costs reading the file is loaded when it is first asked for, by the callables given, and kept.
    """

    name: str
    path: Path
    load_media: Callable[[], Media]
    load_fingerprint: Callable[[], Fingerprint]
    load_transcript: Callable[[], Transcript | None]
    load_envelope: Callable[[], Envelope | None]

    @classmethod
    def given(
        cls,
        name: str,
        media: Media,
        fingerprint: Fingerprint,
        *,
        transcript: Transcript | None = None,
        envelope: Envelope | None = None,
    ) -> Take:
        """Make a take from what is known already."""
        return cls(name, media.path, lambda: media, lambda: fingerprint, lambda: transcript, lambda: envelope)

    @cached_property
    def media(self) -> Media:
        """What the file is (raises :class:`~cutbook.errors.UnreadableMedia`)."""
        return self.load_media()

    @cached_property
    def fingerprint(self) -> Fingerprint:
        """What the file's content is."""
        return self.load_fingerprint()

    @cached_property
    def transcript(self) -> Transcript | None:
        """The words with corrections applied, or None where there are none yet."""
        return self.load_transcript()

    @cached_property
    def envelope(self) -> Envelope | None:
        """The level of the take's sound once a millisecond of take time, or None where there is no sound."""
        return self.load_envelope()

    @property
    def words(self) -> tuple[Word, ...]:
        """The take's words and events in order."""
        return self.transcript.words if self.transcript else ()

    @property
    def track(self) -> int:
        """The sound track in use, counted from 0."""
        return self.transcript.track if self.transcript else 0

    @property
    def rate(self) -> Fraction:
        """Frames a second of the grid on which ranges of this take lie."""
        return self.media.rate

    @property
    def duration(self) -> Fraction:
        """Length in seconds."""
        return self.media.duration

    def worked_out(self, make: Callable[[Take], T]) -> T:
        """Give what ``make`` makes of this take, made when it is first asked for and kept with it."""
        kept: dict[object, T] = vars(self).setdefault(_WORKED_OUT, {})
        if make not in kept:
            kept[make] = make(self)
        return kept[make]

    def known(self, make: Callable[[Take], T]) -> T | None:
        """Give what :meth:`worked_out` made already, None where it was not asked for yet."""
        kept: dict[object, T] = vars(self).get(_WORKED_OUT, {})
        return kept.get(make)
