"""A group of pictures, read whole so that only those are decoded that the wanted ones lean on."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any

from cutbook.media.leaning import Stream, UntoldError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from av.packet import Packet
    from av.video.stream import VideoStream

    from cutbook.media.leaning import Coded

MOST = 1200
"""Pictures of a group that are kept in memory: 20 s at 60 a second."""

LARGEST = 64_000_000
"""Bytes of a group that are kept in memory."""


class Group:
    """The pictures from a keyframe on, as far as some ascending limits (in ticks) need them.

    ``setup`` is the codec's own data. ``limits`` are those of the limits that this group answers: the first one at
    least, once :meth:`take` says that it has enough.
    """

    def __init__(self, limits: Sequence[int], setup: bytes) -> None:
        self.limits = list(limits)
        self._setup = setup
        self._begin()

    def _begin(self) -> None:
        self.packets: list[Packet[VideoStream]] = []
        self._coded: list[Coded] = []
        self._stream = Stream(self._setup)
        self._size = 0

    def take(self, packet: Packet[VideoStream]) -> bool:
        """Take in the next packet; tell that more are needed.

        Raises:
            UntoldError: it cannot be told which pictures lean on which, or the group is too large to be kept.
        """
        pts, dts = packet.pts, packet.dts
        if pts is None or (dts is not None and pts < dts) or packet.has_sidedata("new_extradata"):
            raise UntoldError
        if self.packets and dts is not None and dts > self.limits[-1]:
            return False
        coded = self._stream.add(bytes(packet))
        if coded.begins and self.packets:
            if pts > self.limits[0]:
                self.limits = [limit for limit in self.limits if limit < pts]
                return False
            self._begin()
            coded = self._stream.add(bytes(packet))
        if not self.packets and not coded.begins:
            raise UntoldError
        self.packets.append(packet)
        self._coded.append(coded)
        self._size += packet.size
        if len(self.packets) > MOST or self._size > LARGEST:
            raise UntoldError
        return True

    def wanted(self) -> dict[int, int]:
        """Give the pts of the newest picture at each of the limits, or of the first one of all."""
        shown = sorted(each.pts for each in self.packets if each.pts is not None and not each.is_discard)
        places = {limit: max(0, bisect_right(shown, limit) - 1) for limit in self.limits}
        return {limit: shown[place] for limit, place in places.items()} if shown else {}

    def needed(self) -> Iterator[Packet[VideoStream]]:
        """Give packets from which a decoder makes the wanted pictures: those they lean on whole, others as shells.

        Pictures that come out with another pts than a wanted one are not to be used.
        """
        from av.packet import Packet

        wanted = set(self.wanted().values())
        needed = {place for place, packet in enumerate(self.packets) if packet.pts in wanted}
        last = max(needed, default=-1)
        for place in range(last, -1, -1):
            if place in needed:
                needed |= self._coded[place].leans
        for place, packet in enumerate(self.packets[: last + 1]):
            coded = self._coded[place]
            if place in needed:
                yield packet
            elif coded.leant_on:
                shell: Packet[Any] = Packet(coded.shell)
                shell.pts, shell.dts, shell.time_base = packet.pts, packet.dts, packet.time_base
                yield shell


def gathered(
    packets: Iterable[Packet[VideoStream]], limits: Sequence[int], *, setup: bytes | None
) -> Group | None:
    """Read a group, whose keyframe ``packets`` gives first; None where it is not to be told what leans on what."""
    try:
        group = Group(limits, setup or b"")
        for packet in packets:
            if packet.size and not group.take(packet):
                break
    except UntoldError:
        return None
    return group if group.packets else None
