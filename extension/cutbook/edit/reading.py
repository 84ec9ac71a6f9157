"""``edl.json`` as data: every value checked, and every mistake named by number, id and key."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, cast

from cutbook.edit import recent
from cutbook.edit.checking import check_ids
from cutbook.edit.edl import NAME, STATUSES, Edl, Music, Overlay, Range, Status
from cutbook.edit.fields import Fields, fail, kind
from cutbook.edit.layout import layout
from cutbook.edit.ranges import derived_id, quote, quote_as_heard
from cutbook.edit.snap import OVERSHOOT, on_grid, pads_of
from cutbook.edit.sources import Names
from cutbook.errors import EdlError
from cutbook.timebase import Span, decimals, round_half_up

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cutbook.edit.take import Take

_EDL_KEYS = frozenset(
    "version sources ranges rate size grade overlays captions media total_duration_s music fit".split()
)
_RANGE_KEYS = frozenset(
    "id source start end frames words beat quote reason status by grade audio_lead audio_lag "
    "transition fit centre".split()
)
_OVERLAY_KEYS = frozenset({"file", "start_in_output", "duration", "box"})
_MUSIC_KEYS = frozenset({"file", "gain_db", "duck_db"})
_FITS = ("fit", "fill")
_LONGEST_DISSOLVE = 1000
_NEWEST = 2
_RATES = tuple(Fraction(n) for n in (24, 25, 30, 48, 50, 60)) + tuple(
    Fraction(n * 1000, 1001) for n in (24, 30, 48, 60)
)


def load(edit: Path, takes: Mapping[str, Take]) -> Edl:
    """Read ``edl.json`` of an edit folder, version 1 or 2; an empty cut list where there is none. Writes nothing.

    Raises:
        EdlError: the file is no cut list, or a range of it cannot be; the range's number, id and key are named.
    """
    path = edit / NAME
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return Edl()
    except OSError as error:
        msg = f"{NAME} cannot be read: {error.strerror or error}"
        raise EdlError(msg) from error
    return loads(data, edit, takes)


def loads(data: bytes, edit: Path, takes: Mapping[str, Take]) -> Edl:
    """Read the bytes of an ``edl.json`` that lies, or is to lie, in ``edit``.

    Raises:
        EdlError: they are no cut list of these takes.
    """
    known = recent.recall(data, edit, takes)
    if known is not None:
        return known
    document = Fields(_document(data), NAME)
    version = document.whole("version", 1)
    if not 1 <= version <= _NEWEST:
        document.wrong("version", f"is {version}; this cutbook reads 1 and {_NEWEST}")
    sources = document.texts("sources")
    media = document.texts("media")
    names = Names(takes, sources, media, edit)
    ranges = _ranges(document, names)
    used = {str(each.values.get("source")) for each in document.objects("ranges", "range")}
    made = Edl(
        ranges=ranges,
        sources={names.known.get(name, name): path for name, path in sources.items()},
        rate=document.rate("rate"),
        size=document.size("size"),
        grade=document.text("grade", "none") or "none",
        overlays=tuple(_overlay(each) for each in document.objects("overlays", "overlay")),
        music=_music(document),
        fit=_fit(document) or "fit",
        captions=document.mapping("captions"),
        media=_media(media, names, used),
        extra=document.rest(_EDL_KEYS),
        renamed=tuple(told for name, told in names.renamed.items() if name in used),
    )
    recent.keep(made, data, edit, takes)
    return made


def _media(media: Mapping[str, str], names: Names, used: set[str]) -> dict[str, str]:
    """Give the fingerprints by the names of now, and by earlier ones, under which words may lie still."""
    now = {names.known.get(name, name): content for name, content in media.items() if name in used}
    rest = {name: content for name, content in media.items() if name not in now}
    taken_over = {
        name for name, content in rest.items() if names.known.get(name) == name and content in now.values()
    }
    return now | {name: content for name, content in rest.items() if name not in taken_over}


def _ranges(document: Fields, names: Names) -> tuple[Range, ...]:
    written = document.objects("ranges", "range")
    given = [each.text("id", "") for each in written]
    taken = {id_ for id_ in given if id_}
    made: list[Range] = []
    for number, (each, id_) in enumerate(zip(written, given, strict=True), 1):
        if id_:
            each.place = f"range {number} ({id_})"
        piece = _kept_range(each, names)
        if not id_:
            found = derived_id(piece.source, *piece.frames, piece.beat, taken=taken)
            taken.add(found)
            piece = replace(piece, id=found)
        made.append(piece)
    result = tuple(made)
    check_ids(result)
    return result


def _kept_range(each: Fields, names: Names) -> Range:
    """Read a range, or give what was read when a range of the same take was written just so."""
    source = each.values.get("source")
    take = names.sound(source) if isinstance(source, str) else None
    if take is None:
        return _range(each, names)
    kept = recent.ranges(take)
    written = json.dumps(each.values)
    found = kept.get(written)
    if found is None:
        found = kept[written] = _range(each, names)
    return found


def _range(each: Fields, names: Names) -> Range:
    source = each.text("source", "")
    if not source:
        each.wrong("source", "is missing; it is the name of a take")
    take, problem = names.take(source, each.place)
    if problem or take is None:
        frames, rate = _as_written(each)
        edited = False
    else:
        (frames, edited), rate = _frames(each, take), take.rate
    status = each.text("status", "undecided") or "undecided"
    if status not in STATUSES:
        each.wrong("status", f"is {status!r}; it is one of {', '.join(STATUSES)}")
    piece = Range(
        id=each.text("id", "") or "r-new",
        source=names.known.get(source, source),
        frames=frames,
        rate=rate,
        beat=each.text("beat", "") or "",
        quote=each.text("quote", "") or "",
        reason=each.text("reason", "") or "",
        status=cast("Status", status),
        by=each.text("by", "") or "",
        grade=each.text("grade", None),
        audio_lead=each.time("audio_lead", Fraction(0)),
        audio_lag=each.time("audio_lag", Fraction(0)),
        dissolve=_dissolve(each),
        fit=_fit(each),
        centre=_centre(each),
        extra=each.rest(_RANGE_KEYS),
        problem=problem,
    )
    if min(piece.audio_lead, piece.audio_lag) < 0:
        each.wrong(
            "audio_lead" if piece.audio_lead < 0 else "audio_lag", "is negative; it is seconds from 0 up"
        )
    if problem or take is None:
        return replace(piece, words=each.pair("words"))
    return _with_words(piece, take, each.pair("words"), edited=edited)


def _dissolve(each: Fields) -> int:
    """Read a transition: the frames of the film over which a range's picture comes out of the one before it."""
    value = each.values.get("transition")
    if value is None:
        return 0
    if not isinstance(value, dict):
        each.wrong("transition", f'must be like {{"kind": "dissolve", "frames": 12}}, not {kind(value)}')
    wanted = Fields(value, f"{each.place}: transition")
    if wanted.text("kind", "dissolve") != "dissolve":
        wanted.wrong("kind", f"is {value['kind']!r}; there is dissolve alone")
    if wanted.rest(frozenset({"kind", "frames"})):
        wanted.wrong(next(iter(wanted.rest(frozenset({"kind", "frames"})))), "is no key of a transition")
    frames = wanted.whole("frames", 0)
    if not 1 <= frames <= _LONGEST_DISSOLVE:
        wanted.wrong("frames", f"must be frames of the film from 1 to {_LONGEST_DISSOLVE}, not {frames}")
    return frames


def _fit(each: Fields) -> str | None:
    value: str | None = each.text("fit", None)
    if value is not None and value not in _FITS:
        each.wrong("fit", f"is {value!r}; it is one of {', '.join(_FITS)}")
    return value


def _centre(each: Fields) -> tuple[Fraction, Fraction] | None:
    shares = each.shares("centre", 2)
    return None if shares is None else (shares[0], shares[1])


def _music(document: Fields) -> Music | None:
    value = document.values.get("music")
    if value is None:
        return None
    if not isinstance(value, dict | str):
        document.wrong("music", f"must be an object with a file, not {kind(value)}")
    each = Fields({"file": value} if isinstance(value, str) else value, "music")
    file = each.text("file", "")
    if not file:
        each.wrong("file", "is missing; it is a path that counts from the edit folder")
    return Music(
        file=file,
        gain_db=each.number("gain_db", Music(file="").gain_db, most=60),
        duck_db=abs(each.number("duck_db", Music(file="").duck_db, most=60)),
        extra=each.rest(_MUSIC_KEYS),
    )


def _frames(each: Fields, take: Take) -> tuple[tuple[int, int], bool]:
    """Give the frames of a range, and whether its seconds were written by another hand than the frames."""
    frames = each.pair("frames")
    timed = each.has("start") or each.has("end")
    plan = layout(take)
    if not timed:
        if frames is None:
            each.wrong("start", "is missing; write start and end in seconds")
        start, end = frames[0] / plan.rate, frames[1] / plan.rate
    else:
        start, end = each.needed_time("start"), each.needed_time("end")
    if start < 0:
        each.wrong("start", f"is {decimals(start)}; times count from 0")
    if end <= start:
        each.wrong("end", f"is {decimals(end)}, not after start {decimals(start)}")
    if end > plan.end + OVERSHOOT or start >= plan.end:
        key, time = ("end", end) if end > plan.end + OVERSHOOT else ("start", start)
        each.wrong(
            key, f"is {decimals(time)}, past the end of {take.name}, which is {decimals(plan.end)} s long"
        )
    if frames is not None:
        half = Fraction(1, 2)
        if (
            max(abs(start * plan.rate - frames[0]), abs(end * plan.rate - frames[1])) <= half
            and frames[0] < frames[1]
        ):
            return (frames[0], min(frames[1], max(plan.total, frames[0] + 1))), False
    span = Span(start, min(end, plan.end))
    return on_grid(take, span), True


def _as_written(each: Fields) -> tuple[tuple[int, int], Fraction]:
    """Give the frames and the rate of a range whose take cannot be asked; milliseconds where they do not tell."""
    start, end = each.needed_time("start"), each.needed_time("end")
    if start < 0:
        each.wrong("start", f"is {decimals(start)}; times count from 0")
    if end <= start:
        each.wrong("end", f"is {decimals(end)}, not after start {decimals(start)}")
    frames = each.pair("frames")
    if frames is not None and frames[0] < frames[1]:
        told = (frames[1] - frames[0]) / (end - start)
        for rate in (*_RATES, told.limit_denominator(1001)):
            if max(abs(start * rate - frames[0]), abs(end * rate - frames[1])) < Fraction(1, 100):
                return frames, rate
    first = round_half_up(start * 1000)
    return (first, max(round_half_up(end * 1000), first + 1)), Fraction(1000)


def _with_words(piece: Range, take: Take, written: tuple[int, int] | None, *, edited: bool) -> Range:
    """Bind a range to its take's words: those written while they fit, else those whose middle it covers."""
    plan = layout(take)
    span = Span(piece.start, piece.end)
    places: tuple[int, int] | None = None
    if written is not None and not edited and 1 <= written[0] <= written[1] <= len(plan.words):
        typed = written[0] - 1, written[1] - 1
        places = typed if plan.fits(typed, span) else None
    if places is None:
        places = plan.covered(span)
    if places is None:
        return piece
    numbers = plan.words[places[0]].number, plan.words[places[1]].number
    text = piece.quote
    stale = written is not None and written != numbers and 1 <= written[0] <= written[1] <= len(plan.words)
    then = take.words[written[0] - 1 : written[1]] if written and stale else ()
    now = take.words[numbers[0] - 1 : numbers[1]]
    ours = {quote(then), quote_as_heard(then), quote_as_heard(now)}
    if not text or text in ours:
        text = quote(now)
    return replace(piece, words=numbers, pads=pads_of(plan, piece.frames, places), quote=text)


def _overlay(each: Fields) -> Overlay:
    file = each.text("file", "")
    if not file:
        each.wrong("file", "is missing; it is a path that counts from the edit folder")
    start, duration = each.needed_time("start_in_output"), each.needed_time("duration")
    if start < 0 or duration <= 0:
        each.wrong(
            "start_in_output" if start < 0 else "duration", "must be seconds from 0 up and have a length"
        )
    return Overlay(
        file=file, start_in_output=start, duration=duration, box=_box(each), extra=each.rest(_OVERLAY_KEYS)
    )


def _box(each: Fields) -> tuple[Fraction, Fraction, Fraction, Fraction] | None:
    shares = each.shares("box", 4)
    if shares is None:
        return None
    left, top, width, height = shares
    if not (width and height) or left + width > 1 or top + height > 1:
        each.wrong("box", "must be left, top, width and height inside the canvas, which is [0, 0, 1, 1]")
    return left, top, width, height


def _document(data: bytes) -> dict[str, Any]:
    try:
        document = json.loads(data.decode("utf-8-sig"), parse_constant=_no_constant, parse_float=_finite)
    except UnicodeDecodeError as error:
        fail(f"{NAME} is not UTF-8 text (byte {error.start}); save it as UTF-8")
    except json.JSONDecodeError as error:
        fail(f"{NAME} is no JSON at line {error.lineno}, column {error.colno}: {error.msg}; mend it")
    except RecursionError:
        fail(f"{NAME} is nested too deeply to be a cut list")
    except ValueError as error:  # an endless number
        fail(f"{NAME} holds a value that cannot be read: {error}")
    if not isinstance(document, dict):
        fail(f"{NAME} is no cut list: a JSON object with ranges is expected, not {kind(document)}")
    return document


def _no_constant(name: str) -> NoReturn:
    fail(f"{NAME} holds {name}, which is no time and no number; write seconds like 2.52")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        fail(f"{NAME} holds {text}, which is too large for a time; write seconds like 2.52")
    return value
