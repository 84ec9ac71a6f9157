"""New anchors for an entry that is still right: what it named, as it is now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutbook.edit.naming import typed
from cutbook.errors import InputError
from cutbook.memory.anchors import (
    Anchor,
    edl_anchor,
    media_anchor,
    ranges_of,
    read_anchor,
    span_text,
    words_tokens,
)
from cutbook.memory.compare import Freshness
from cutbook.memory.text import encode_name

if TYPE_CHECKING:
    from cutbook.edit.take import Take
    from cutbook.memory.anchors import Plain
    from cutbook.memory.compare import Present
    from cutbook.memory.log import Entry
    from cutbook.timebase import Span


def renewed(entry: Entry, present: Present, plain: Plain | None = None) -> tuple[str, ...]:
    """Give an entry's anchors as they are now; those of footage that is offline stay, one of a range that went goes.

    Raises:
        InputError: a file or the words that it is about are gone, so that there is nothing to be right about.
    """
    tokens = entry.tokens
    anchors = [anchor for token in tokens if (anchor := read_anchor(token))]
    if present.verdict(tokens).freshness is Freshness.OFFLINE:
        return tuple(token for token in tokens if read_anchor(token) or token.startswith("range:"))
    held: dict[str, Take] = {}
    found: list[str] = []
    for anchor in anchors:
        if anchor.kind == "media":
            held[anchor.name] = take = _take(entry, anchor, present)
            found.append(media_anchor(take).token)
        elif anchor.kind == "words":
            take = held.get(anchor.name) or _take(entry, anchor, present)
            found += words_tokens(take, _span(entry, anchor, take), plain)
    ranges = ranges_of(tokens)
    kept: list[str] = []
    for anchor in anchors:
        for each in present.named(anchor.name, ranges) if anchor.kind == "edl" else ():
            source = present.takes.get(each.source)
            if source is not None and each.status != "rejected":
                found.append(edl_anchor(source, each).token)
                kept.append(f"range:{encode_name(each.id)}")
    if not kept:  # what is rejected alone is named still, as a range that was left out
        kept = [f"range:{encode_name(e.id)}" for e in present.ranges or () if e.id in ranges]
    return tuple(dict.fromkeys((*found, *kept)))


def _take(entry: Entry, anchor: Anchor, present: Present) -> Take:
    verdict, take = present.file(anchor)
    take = present.takes.get(anchor.name) or take
    if take is None:
        msg = f"{entry.id} cannot be confirmed: {verdict.reason}; bring the file back, or abandon or supersede it"
        raise InputError(msg)
    return take


def _span(entry: Entry, anchor: Anchor, take: Take) -> Span:
    span = anchor.span
    if span is None or take.transcript is None:
        then = (
            f"%transcribe {typed(take.name)} first"
            if take.media.sound
            else "it has no sound; supersede or abandon it"
        )
        msg = f"{entry.id} cannot be confirmed: {take.name} has no words now; {then}"
        raise InputError(msg)
    if span.end > take.duration + 1:
        msg = f"{entry.id} cannot be confirmed: {take.name} ends before {span_text(span)}; supersede or abandon it"
        raise InputError(msg)
    return span
