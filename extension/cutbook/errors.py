"""The errors that cutbook raises on purpose.

CutbookError
├── InputError            an argument that cannot be used (ValueError)
│   ├── TimeError         a time, rate or timecode that does not parse or lies outside its take
│   └── SettingError      a setting of the wrong name or kind
├── ProjectError          the footage folder
│   ├── NotAFolder        the path is no folder that can be read (NotADirectoryError)
│   ├── NoTakes           the folder holds no footage (FileNotFoundError)
│   └── UnknownTake       no take has that name (LookupError)
├── MediaError            a file that cannot be used as footage
│   ├── UnreadableMedia   the file is empty, truncated or no media at all
│   └── NoSound           the file, or the chosen track, carries no sound
├── FfmpegError           the ffmpeg binary
│   ├── FfmpegMissing     no ffmpeg with what the job needs was found (FileNotFoundError)
│   ├── FfmpegFailed      ffmpeg ended with an error; the last log line stands in the message
│   └── FfmpegStopped     ffmpeg was stopped because the caller asked for it
├── TranscriptError       words
│   ├── NoTranscript      the take has no transcript yet (LookupError)
│   ├── TranscriptDamaged the stored transcript does not hold together (ValueError)
│   ├── EngineMissing     the engine's package is not installed (ImportError)
│   ├── EngineRefused     the engine, its model or its key cannot be used
│   │   └── QuotaUsedUp   the account has no credit left; the batch stops and keeps what is done
│   ├── TakesFailed       some takes could not be transcribed; ``report`` has a row for each
│   └── MayBeBilled       an earlier request's outcome is unknown; asking again may pay twice
├── EditError             the cut list
│   ├── CutListError      a line of the text form that cannot be used; has line and column (ValueError)
│   ├── EdlError          edl.json, or a change to it, that is not a valid cut list (ValueError)
│   │   └── StaleView     a view's change came after somebody else's that it had not seen; nothing is written
│   └── NothingToUndo     no version before or after this one (LookupError)
├── RenderError           a render that could not be made
│   ├── PreflightError    something that the render needs is missing; found before the first frame
│   ├── ProofError        the file made is not what the edit says; the old file stays
│   └── DiskFull          no room left for the render (OSError)
├── MemoryLogError        project.md or the open session cannot be read or written safely
│   └── LogChanged        project.md was changed under the writer; nothing was written
├── CannotWrite           a file cannot be written; the old one is whole (OSError)
├── FileBusy              another process holds a lock for too long (TimeoutError)
└── Interrupted           a person stopped the work (KeyboardInterrupt)

Each message is one line: what happened, with which file or value, and what to do next.
"""

from __future__ import annotations

import traceback
from types import TracebackType
from typing import ClassVar


class CutbookError(Exception):
    """Base of every error that cutbook raises on purpose."""

    _shown: ClassVar[str] = "_cutbook_shown"

    def _render_traceback_(
        self,
        _etype: type[BaseException] | None = None,
        _value: BaseException | None = None,
        _tb: TracebackType | None = None,
        _context: int = 1,
    ) -> list[str]:
        """Give IPython one line the first time, and the whole traceback when it asks again (``%tb``)."""
        if getattr(self, self._shown, False):
            return "".join(traceback.format_exception(self)).splitlines()
        setattr(self, self._shown, True)
        return [f"{type(self).__name__}: {self}"]


class InputError(CutbookError, ValueError):
    """Raised when an argument cannot be used."""


class TimeError(InputError):
    """Raised when a time, rate or timecode does not parse or lies outside its take."""


class SettingError(InputError):
    """Raised when a setting has an unknown name or a value of the wrong kind."""


class ProjectError(CutbookError):
    """Raised when a footage folder cannot be used."""


class NotAFolder(ProjectError, NotADirectoryError):
    """Raised when the project's path is no folder that can be read."""


class NoTakes(ProjectError, FileNotFoundError):
    """Raised when a folder holds no footage."""


class UnknownTake(ProjectError, LookupError):
    """Raised when no take has the name that was asked for."""


class MediaError(CutbookError):
    """Raised when a file cannot be used as footage."""


class UnreadableMedia(MediaError):
    """Raised when a file is empty, truncated or no media at all."""


class NoSound(MediaError):
    """Raised when a file, or the chosen track of it, carries no sound."""


class FfmpegError(CutbookError):
    """Raised when the ffmpeg binary cannot do its work."""


class FfmpegMissing(FfmpegError, FileNotFoundError):
    """Raised when no ffmpeg with what the job needs was found."""


class FfmpegFailed(FfmpegError):
    """Raised when ffmpeg ended with an error; the message ends with its last log line."""


class FfmpegStopped(FfmpegError):
    """Raised when the caller's cancel event stopped ffmpeg before it was done."""


class TranscriptError(CutbookError):
    """Raised when words cannot be had or read."""


class NoTranscript(TranscriptError, LookupError):
    """Raised when a take has no transcript yet."""


class TranscriptDamaged(TranscriptError, ValueError):
    """Raised when a stored transcript does not hold together."""


class EngineMissing(TranscriptError, ImportError):
    """Raised when the package of an engine is not installed; the message names the pip line."""


class EngineRefused(TranscriptError):
    """Raised when an engine, its model or its key cannot be used."""


class QuotaUsedUp(EngineRefused):
    """Raised when the engine's account has no credit left for the take; what is done is kept."""


class TakesFailed(TranscriptError):
    """Raised when some takes could not be transcribed, after all others were; ``report`` has a row for each take."""

    def __init__(self, message: str, *, report: object = None) -> None:
        super().__init__(message)
        self.report = report


class MayBeBilled(TranscriptError):
    """Raised when the outcome of an earlier request is unknown, so that asking again may pay twice."""


class EditError(CutbookError):
    """Raised when a cut list cannot be made, read or changed."""


class CutListError(EditError, ValueError):
    """Raised when a line of the text form cannot be used.

    ``line`` and ``column`` count from 1.
    """

    def __init__(self, message: str, *, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.line = line
        self.column = column


class EdlError(EditError, ValueError):
    """Raised when edl.json, or a change to it, is not a valid cut list."""


class StaleView(EdlError):
    """Raised when a view changes a cut list that somebody else changed since it showed it; nothing is written."""


class NothingToUndo(EditError, LookupError):
    """Raised when there is no version before (undo) or after (redo) this one."""


class RenderError(CutbookError):
    """Raised when a render could not be made; the file of an earlier render stays."""


class PreflightError(RenderError):
    """Raised when something that the render needs is missing, before the first frame."""


class ProofError(RenderError):
    """Raised when the file made is not what the edit says."""


class DiskFull(RenderError, OSError):
    """Raised when no room is left for the render."""


class MemoryLogError(CutbookError):
    """Raised when project.md or the open session cannot be read or written safely."""


class LogChanged(MemoryLogError):
    """Raised when project.md was changed under the writer; nothing was written."""


class CannotWrite(CutbookError, OSError):
    """Raised when a file cannot be written; the old one is whole.

    ``errno`` is the system's, ``strerror`` says why without naming the file.
    """

    def __init__(self, message: str, *, errno: int | None = None, why: str | None = None) -> None:
        super().__init__(message)
        self.errno = errno
        self.strerror = why or message

    def __str__(self) -> str:
        return str(self.args[0])


class FileBusy(CutbookError, TimeoutError):
    """Raised when another process holds a lock for too long."""


class Interrupted(CutbookError, KeyboardInterrupt):
    """Raised when a person stopped a magic's work; nothing half-made is left, and what was finished is kept."""
