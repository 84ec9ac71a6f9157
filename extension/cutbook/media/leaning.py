"""Which pictures of an H.264 stream lean on which, told by the headers of their slices alone.

The lists of references are built as ITU-T H.264, clause 8.2.4, builds them, and kept as clause 8.2.5 keeps them, for
frames of the short term. What goes beyond (fields, references of the long term, lost frames) is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SLICE, IDR, SPS, PPS = 1, 5, 7, 8
"""Kinds of units of a stream that matter here (table 7-1)."""

P, B, I = 0, 1, 2  # noqa: E741 - the standard's own names
"""Kinds of slices (table 7-6)."""

HEAD = 160
"""Bytes of a slice in which its header surely ends."""

TALL = frozenset({100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135})
"""Profiles whose sequences tell how chroma is held."""


class UntoldError(Exception):
    """A stream whose references cannot be told."""


class _Bits:
    """The bits of a unit, from its second byte on, without the bytes that keep start codes out of it."""

    def __init__(self, unit: bytes) -> None:
        plain = unit[1:].replace(b"\0\0\3", b"\0\0")
        self._value, self._left = int.from_bytes(plain, "big"), 8 * len(plain)
        self._all = self._left

    @property
    def read(self) -> str:
        """The bits that have been read."""
        count = self._all - self._left
        return f"{self._value >> self._left:0{count}b}" if count else ""

    def number(self, count: int) -> int:
        """Read a number of so many bits."""
        if count > self._left:
            raise UntoldError
        self._left -= count
        return self._value >> self._left & (1 << count) - 1

    def flag(self) -> bool:
        """Read one bit."""
        return self.number(1) == 1

    def code(self) -> int:
        """Read an Exp-Golomb number, ue(v) or the code number of se(v)."""
        rest = self._value & (1 << self._left) - 1
        return self.number(2 * (self._left - rest.bit_length()) + 1) - 1


@dataclass(frozen=True, slots=True)
class _Sequence:
    """What a sequence parameter set tells."""

    chroma: bool
    number_bits: int
    order_bits: int
    most: int


@dataclass(frozen=True, slots=True)
class _Set:
    """What a picture parameter set tells."""

    sequence: int
    bottom_order: bool
    defaults: tuple[int, int]
    weighted: tuple[bool, bool]
    redundant: bool
    arithmetic: bool
    smoothing: bool


@dataclass(frozen=True, slots=True)
class _Slice:
    """What a slice's header tells; ``lists`` holds each list's length and its changes (code, difference)."""

    kind: int
    sequence: _Sequence
    number: int
    order: int
    lists: tuple[tuple[int, tuple[tuple[int, int], ...]], ...]
    forgotten: tuple[int, ...] | None
    shell: bytes


@dataclass(frozen=True, slots=True)
class Coded:
    """One coded picture: whether decoding can begin with it, whether others may lean on it, and those it leans on.

    ``leans`` are places of pictures in the order of decoding, from 0. ``shell`` are the bytes of its headers without
    its pixels: a decoder that gets them keeps its lists of references right and has nothing to decode.
    """

    begins: bool
    leant_on: bool
    leans: frozenset[int]
    shell: bytes


@dataclass(frozen=True, slots=True)
class _Kept:
    place: int
    number: int
    order: int


class Stream:
    """The pictures of a stream in the order of decoding, beginning with one that decoding can begin with.

    ``setup`` is the codec's own data as MP4 and Matroska keep it (``avcC``). Raises :class:`UntoldError` where
    something is met that is not told here, as :meth:`add` does.
    """

    def __init__(self, setup: bytes) -> None:
        if len(setup) < 7 or setup[0] != 1:
            raise UntoldError
        self._width = (setup[4] & 3) + 1
        self._sequences: dict[int, _Sequence] = {}
        self._sets: dict[int, _Set] = {}
        self._units: set[bytes] = set()
        self._kept: list[_Kept] = []
        self._place = 0
        self._last = (0, 0)
        at = 5
        for mask in (31, 255):
            count, at = int.from_bytes(setup[at : at + 1], "big") & mask, at + 1
            for _ in range(count):
                size = int.from_bytes(setup[at : at + 2], "big")
                unit, at = setup[at + 2 : at + 2 + size], at + 2 + size
                if not unit:
                    raise UntoldError
                self._learn(unit)

    def add(self, data: bytes) -> Coded:
        """Take in the next picture's packet."""
        slices, begins, leant_on, shell = [], False, False, b""
        for unit in self._split(data):
            kind = unit[0] & 31
            if kind in {SPS, PPS}:
                if unit not in self._units:
                    raise UntoldError
            elif kind in {SLICE, IDR}:
                begins, leant_on = kind == IDR, bool(unit[0] >> 5 & 3)
                slices.append(self._slice(unit))
                shell = shell or len(slices[0].shell).to_bytes(self._width, "big") + slices[0].shell
            elif 2 <= kind <= 4 or kind >= 14:
                raise UntoldError
        if not slices or (begins and not leant_on):
            raise UntoldError
        leans = self._follow(slices, begins=begins, leant_on=leant_on)
        return Coded(begins, leant_on, leans, shell)

    def _split(self, data: bytes) -> Iterator[bytes]:
        at, width = 0, self._width
        while at + width < len(data):
            size = int.from_bytes(data[at : at + width], "big")
            at += width
            if not 0 < size <= len(data) - at:
                raise UntoldError
            yield data[at : at + size]
            at += size

    def _learn(self, unit: bytes) -> None:
        bits = _Bits(unit)
        if unit[0] & 31 == SPS:
            number, sequence = _sequence(bits)
            self._sequences[number] = sequence
        else:
            number, found = _set(bits)
            self._sets[number] = found
        self._units.add(unit)

    def _slice(self, unit: bytes) -> _Slice:
        bits = _Bits(unit[:HEAD])
        begins, leant_on = unit[0] & 31 == IDR, bool(unit[0] >> 5 & 3)
        bits.code()
        kind = bits.code() % 5
        found = self._sets.get(bits.code())
        sequence = self._sequences.get(found.sequence) if found else None
        if found is None or sequence is None or kind not in {P, B, I}:
            raise UntoldError
        number = bits.number(sequence.number_bits)
        if begins:
            bits.code()
        order = 0
        if sequence.order_bits:
            order = bits.number(sequence.order_bits)
            if found.bottom_order and bits.code() != 0:
                raise UntoldError
        if found.redundant and bits.code():
            raise UntoldError
        lists = _lists(bits, kind, found)
        if kind != I and found.weighted[kind]:
            _pass_weights(bits, [length for length, _ in lists], chroma=sequence.chroma)
        forgotten = _forgotten(bits, begins=begins) if leant_on else None
        if found.arithmetic and kind != I:
            bits.code()
        bits.code()
        if found.smoothing and bits.code() != 1:
            bits.code()
            bits.code()
        shell = unit[:1] + _shell(bits.read, kind, arithmetic=found.arithmetic)
        return _Slice(kind, sequence, number, order, lists, forgotten, shell)

    def _follow(self, slices: list[_Slice], *, begins: bool, leant_on: bool) -> frozenset[int]:
        """Give what the slices of a picture may lean on, and keep the picture for those to come."""
        first = slices[0]
        whole = 1 << first.sequence.number_bits
        if begins:
            self._kept, self._last = [], (0, 0)
        elif not self._kept or first.number not in {
            self._kept[-1].number,
            (self._kept[-1].number + 1) % whole,
        }:
            raise UntoldError
        order = self._order(first)
        # By numbers that count on where they began anew (FrameNumWrap, 8.2.4.1).
        near = {
            (each.number - whole if each.number > first.number else each.number): each for each in self._kept
        }
        leans = {place for each in slices for place in _leans(each, near, order, whole)}
        place = self._place
        self._place += 1
        if not leant_on:
            return frozenset(leans)
        if first.forgotten is None:
            if len(near) >= max(first.sequence.most, 1):
                del near[min(near)]
        else:
            for step in first.forgotten:
                if near.pop(first.number - step, None) is None:
                    raise UntoldError
        if len(near) >= max(first.sequence.most, 1) or first.number in near:
            raise UntoldError
        stays = {each.place for each in near.values()}
        self._kept = [each for each in self._kept if each.place in stays]
        self._kept.append(_Kept(place, first.number, order))
        if first.sequence.order_bits:
            self._last = (order - first.order, first.order)
        return frozenset(leans)

    def _order(self, one: _Slice) -> int:
        """Give the order of showing (8.2.1.1); where none is told it is that of decoding."""
        if not one.sequence.order_bits:
            return self._place
        whole = 1 << one.sequence.order_bits
        base, last = self._last
        if last - one.order >= whole // 2:
            base += whole
        elif one.order - last > whole // 2:
            base -= whole
        return base + one.order


def _sequence(bits: _Bits) -> tuple[int, _Sequence]:
    profile = bits.number(8)
    bits.number(16)
    name = bits.code()
    chroma = 1
    if profile in TALL:
        chroma = bits.code()
        if chroma == 3 and bits.flag():
            raise UntoldError
        bits.code()
        bits.code()
        bits.flag()
        if bits.flag():
            raise UntoldError
    number_bits = bits.code() + 4
    way = bits.code()
    if way == 1:
        raise UntoldError
    order_bits = bits.code() + 4 if way == 0 else 0
    most = bits.code()
    gaps = bits.flag()
    bits.code()
    bits.code()
    if gaps or not bits.flag():
        raise UntoldError
    return name, _Sequence(chroma > 0, number_bits, order_bits, most)


def _set(bits: _Bits) -> tuple[int, _Set]:
    name, sequence = bits.code(), bits.code()
    arithmetic, bottom_order = bits.flag(), bits.flag()
    if bits.code():
        raise UntoldError
    defaults = (bits.code() + 1, bits.code() + 1)
    weighted = (bits.flag(), bits.number(2) == 1)
    for _ in range(3):
        bits.code()
    smoothing = bits.flag()
    bits.flag()
    return name, _Set(sequence, bottom_order, defaults, weighted, bits.flag(), arithmetic, smoothing)


def _lists(bits: _Bits, kind: int, found: _Set) -> tuple[tuple[int, tuple[tuple[int, int], ...]], ...]:
    """Read how long each list of references is, and how it differs from what would be expected."""
    if kind == I:
        return ()
    if kind == B:
        bits.flag()
    count = 2 if kind == B else 1
    lengths = list(found.defaults[:count])
    if bits.flag():
        lengths = [bits.code() + 1 for _ in range(count)]
    lists = []
    for length in lengths:
        changes: list[tuple[int, int]] = []
        if bits.flag():
            while (change := bits.code()) != 3:
                if change > 1:
                    raise UntoldError
                changes.append((change, bits.code() + 1))
        lists.append((length, tuple(changes)))
    return tuple(lists)


def _pass_weights(bits: _Bits, lengths: list[int], *, chroma: bool) -> None:
    bits.code()
    if chroma:
        bits.code()
    for length in lengths:
        for _ in range(length):
            for numbers in (2, 4) if chroma else (2,):
                if bits.flag():
                    for _ in range(numbers):
                        bits.code()


def _forgotten(bits: _Bits, *, begins: bool) -> tuple[int, ...] | None:
    """Read which pictures are references no longer, as steps back; None: the oldest when there are too many."""
    if begins:
        bits.flag()
        if bits.flag():
            raise UntoldError
        return None
    if not bits.flag():
        return None
    steps = []
    while (order := bits.code()) != 0:
        if order != 1:
            raise UntoldError
        steps.append(bits.code() + 1)
    return tuple(steps)


def _shell(head: str, kind: int, *, arithmetic: bool) -> bytes:
    """Give a slice's header followed by what no decoder takes for a first block, so that it leaves the slice there."""
    if arithmetic:
        # Nine ones are no beginning of arithmetic code (9.3.1.2).
        bits = head + "1" * (-len(head) % 8 + 64)
    else:
        # A kind of block, or a run of left-out ones, beyond any.
        length = 9 if kind == I else 22
        bits = head + "0" * length + "1" * (length + 1)
        bits += "1" + "0" * (-len(bits) % 8 + 7)
    plain = int(bits, 2).to_bytes(len(bits) // 8, "big")
    guarded, zeros = bytearray(), 0
    for byte in plain:
        if zeros >= 2 and byte <= 3:
            guarded.append(3)
            zeros = 0
        guarded.append(byte)
        zeros = 0 if byte else zeros + 1
    return bytes(guarded)


def _leans(one: _Slice, near: dict[int, _Kept], order: int, whole: int) -> Iterator[int]:
    """Give the places of the pictures in a slice's lists."""
    for (length, changes), expected in zip(one.lists, _expected(one.kind, near, order), strict=False):
        found: list[_Kept] = expected[:length]
        reached = one.number
        for place, (change, step) in enumerate(changes):
            reached = (reached - step if change == 0 else reached + step) % whole
            named = near.get(reached - whole if reached > one.number else reached)
            if named is None:
                raise UntoldError
            found = [*found[:place], named, *(each for each in found[place:] if each is not named)][:length]
        yield from (each.place for each in found)


def _expected(kind: int, near: dict[int, _Kept], order: int) -> tuple[list[_Kept], ...]:
    """Give the lists as they are where nothing is changed: by age for P, by distance of showing for B."""
    if kind != B:
        return ([near[number] for number in sorted(near, reverse=True)],)
    shown = sorted(near.values(), key=lambda each: each.order)
    before = [each for each in reversed(shown) if each.order < order]
    after = [each for each in shown if each.order > order]
    forth, back = before + after, after + before
    if len(back) > 1 and forth == back:
        back = [back[1], back[0], *back[2:]]
    return forth, back
