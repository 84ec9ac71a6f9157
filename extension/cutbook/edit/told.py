"""What a cut list has besides ranges: transitions, early and late sound, overlays and music, in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutbook.timebase import decimals, rate_text

if TYPE_CHECKING:
    from fractions import Fraction

    from cutbook.edit.edl import Edl, Overlay, Range

OVER = ("over the film", "from", "to", "where")
"""What stands over the columns of :func:`over`."""


def how(piece: Range) -> str:
    """Say how a range comes in, sounds and looks where that is not as usual; empty where it is."""
    frames = f"{piece.dissolve} frame{'s' if piece.dissolve != 1 else ''}"
    said = [
        f"dissolves in over {frames}" if piece.dissolve else "",
        f"heard {decimals(piece.audio_lead)} s before it is seen (J cut)" if piece.audio_lead else "",
        f"heard {decimals(piece.audio_lag)} s longer than it is seen (L cut)" if piece.audio_lag else "",
        {"fill": "cropped to fill the picture", "fit": "shown whole"}.get(piece.fit or "", ""),
        "around {} across, {} down".format(*map(_percent, piece.centre)) if piece.centre else "",
        f"grade {piece.grade}" if piece.grade is not None else "",
    ]
    return ", ".join(each for each in said if each)


def why(piece: Range) -> str:
    """Give the reason of a range, and that of the decision on it where it is another."""
    said = str(piece.extra.get("why") or "")
    return "; ".join(filter(None, [piece.reason, said if said != piece.reason else ""]))


def film(edl: Edl) -> tuple[str, ...]:
    """Say what is set of the film as a whole, as people write it; what is not set is left out."""
    style = str(edl.captions.get("style") or "yes") if edl.captions else "none"
    many = f"{len(edl.overlays)} overlay{'s' if len(edl.overlays) != 1 else ''}"
    said = [
        f"{rate_text(edl.rate)} fps" if edl.rate is not None else "",
        f"{edl.size[0]}×{edl.size[1]}" if edl.size else "",
        "cropped to fill the picture" if edl.fit == "fill" else "",
        f"grade {edl.grade}" if edl.grade != "none" else "",
        f"captions {style}" if style != "none" else "",
        many if edl.overlays else "",
    ]
    if edl.music is not None:
        less = f", {edl.music.duck_db:g} dB less under speech" if edl.music.duck_db else ""
        said.append(f"music {edl.music.file} at {edl.music.gain_db:g} dB{less}".replace("at -", "at −"))
    return tuple(each for each in said if each)


def over(edl: Edl) -> list[tuple[object, ...]]:
    """Give a row an overlay, the lowest first: its file, its seconds of the film, and where it is shown."""
    return [row(each) for each in edl.overlays]


def row(overlay: Overlay) -> tuple[object, ...]:
    """Give an overlay's file, its seconds of the film, and where it is shown."""
    end = overlay.start_in_output + overlay.duration
    return overlay.file, decimals(overlay.start_in_output), decimals(end), _place(overlay)


def _place(overlay: Overlay) -> str:
    if overlay.box is None:
        return "the whole picture"
    left, top, width, height = map(_percent, overlay.box)
    return f"{left} from the left, {top} from the top, {width} wide, {height} high"


def _percent(share: Fraction) -> str:
    return f"{float(share) * 100:.3g} %"
