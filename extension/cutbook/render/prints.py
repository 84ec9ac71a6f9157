"""What a film's packets are, byte for byte: packets that are known need not be decoded again to be believed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Packet:
    """One picture as it is stored: when it is shown, whether decoding can begin with it, and its bytes' digest."""

    shown: Fraction
    entry: bool
    digest: bytes


@dataclass(frozen=True, slots=True)
class Prints:
    """What a film is made of: a print for each segment's picture, and one for the sound (None: it has none)."""

    picture: tuple[str, ...]
    sound: str | None


def digest(data: bytes) -> bytes:
    """Give the digest of one packet."""
    return hashlib.blake2b(data, digest_size=16).digest()


def summed(form: bytes | None, digests: Iterable[bytes]) -> str:
    """Give the print of packets in order; ``form`` is what their decoder is set up with."""
    whole = hashlib.blake2b(digest(form or b""), digest_size=16)
    for each in digests:
        whole.update(each)
    return whole.hexdigest()


def runs(
    packets: Sequence[Packet], lengths: Sequence[int], *, rate: Fraction, form: bytes | None
) -> tuple[str, ...] | None:
    """Give the print of each run of ``lengths`` frames; None where the packets are no such runs.

    A run can be decoded alone: it begins with a picture that decoding can begin with, and holds all its frames.
    """
    if sum(lengths) != len(packets):
        return None
    made: list[str] = []
    first = 0
    for length in lengths:
        part = packets[first : first + length]
        shown = {packet.shown * rate - first for packet in part}
        if not part[0].entry or len(shown) != length or min(shown) != 0 or max(shown) != length - 1:
            return None
        made.append(summed(form, (packet.digest for packet in part)))
        first += length
    return tuple(made)
