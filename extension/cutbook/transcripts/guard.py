"""What is refused before anything is sent: a track that is not there, or on which nothing is heard."""

from __future__ import annotations

from cutbook.media.probe import Media
from cutbook.transcripts.batch import Task

SILENT_BELOW = -60.0
"""dBFS (RMS over the track); a room at night lies at −65, a voice far from the microphone at −45."""


def levels_of(media: Media) -> tuple[dict[int, float], str]:
    """Measure each track, and list them for people."""
    from cutbook.media.sound import levels

    found = dict(zip([track.track for track in media.sound], levels(media), strict=True))
    return found, ", ".join(f"track {number} {value:.0f} dB" for number, value in found.items())


def silence(task: Task) -> str | None:
    """Say that the track is silent, with the levels of all, or None where something is heard."""
    found, listed = levels_of(task.media)
    if found.get(task.track, 0.0) >= SILENT_BELOW:
        return None
    if max(found.values()) < SILENT_BELOW:
        return f"nothing is heard ({listed})"
    return f"track {task.track} is silent ({listed}); choose one with --track"


def missing(task: Task) -> str | None:
    """Say that there is no such track, with the levels of all that there are, or None where there is one."""
    if task.track in [track.track for track in task.media.sound]:
        return None
    return f"there is no sound track {task.track} ({levels_of(task.media)[1]}); choose one with --track"
