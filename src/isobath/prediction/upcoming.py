# SPDX-License-Identifier: Apache-2.0
"""The calls that a search will make, from the closed forms of its volumes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from types import MappingProxyType
from typing import Final

from isobath.costmodel.arcs import Range
from isobath.costmodel.estimates import GraphSetting
from isobath.costmodel.exact import COUNT_BYTES, ring
from isobath.costmodel.grid import Grid
from isobath.costmodel.levels import LevelFacts
from isobath.costmodel.short_parcels import goes_with_length, write_to_all
from isobath.costmodel.switches import Switches
from isobath.costmodel.volume import Volume
from isobath.costmodel.volumes import search_volumes
from isobath.costmodel.what_if import Message, reached_ranks
from isobath.prediction.calls import PATTERNS, Call, Group, Layout, doublings
from isobath.records.phases import PhaseName

FOLD_CALLS = {
    "own": "isend", "alltoallv": "alltoallv", "pairwise": "sendrecv", "sparse": "isend",
    "neighbour": "neighbor_alltoallv", "one-sided": "put", "persistent": "start",
    "two-level": "alltoallv", "emulated": "accumulate", "eager": "isend",
}  # fmt: skip
"""The MPI call that carries tuples, by the exchange; of ``eager`` long parcels."""

SHORT_CALL: Final = "isend_all"
"""To all others at once, lengths with short parcels behind them."""

NONE_FORCED: Mapping[str, str] = MappingProxyType({})
"""Algorithms by call where every one is the library's own choice."""

COALESCED_BYTES = 4096
"""of a message of the exchange that sends as it goes (engine/comm/messages/channel.hpp)"""

PHASE_CALLS: dict[PhaseName, tuple[str, str]] = {
    "expand": ("allgatherv", "column"),
    "hub_pass": ("allgatherv", "row"),
    "fold": ("", "row"),
    "count": ("alltoall", "row"),
    "rotate": ("sendrecv", "row"),
    "reduce": ("allreduce", "world"),
    "reset": ("bcast", "world"),
    "emit": ("allgatherv", "column"),
}
"""By phase the call that moves its bytes, and between whom."""

BY_GRID = ("row", "column")
"""Communicators that ``hybrid`` sums along, one after the other"""


@dataclass(frozen=True)
class ToCome:
    """A call, with what it may be where its bytes are an estimate."""

    call: Call
    least_bytes: float
    most_bytes: float

    @property
    def least(self) -> Call:
        """With the fewest bytes that it may send."""
        return replace(self.call, bytes_sent=self.least_bytes)

    @property
    def most(self) -> Call:
        """With the most."""
        return replace(self.call, bytes_sent=self.most_bytes)


def call_of(phase: PhaseName, switches: Switches, grid: Grid) -> tuple[str, str] | None:
    """Name and communicator of the call of a phase; where short parcels go with their lengths
    (``tells_at_once``), of the call for long ones. None of phases that compute.
    """
    if phase not in PHASE_CALLS:
        return None
    name, communicator = PHASE_CALLS[phase]
    if phase == "fold":
        name = FOLD_CALLS[switches.exchange_in(grid.cols)]
    if switches.is_replicated and phase in ("expand", "emit"):
        communicator = "world"
    return name, communicator


def tells_at_once(phase: PhaseName, switches: Switches, group: int) -> bool:
    """Whether each rank of a group sends each other one message: a length with its short parcel,
    or what is to be summed.
    """
    if not write_to_all(group):
        return False
    if phase == "fold":
        return switches.exchange == "eager"
    if switches.plan != "hybrid" or switches.lengths_first:
        return False
    if phase in ("expand", "emit"):
        return switches.frontier == "packed"
    return phase == "reduce" or (phase in ("hub_pass", "rotate") and switches.hubs != "off")


def calls_of(phase: PhaseName, switches: Switches, grid: Grid) -> tuple[tuple[str, str], ...]:
    """Names and communicators of the calls of a phase, in turn, as ``call_of``; none of phases that
    compute.
    """
    known = call_of(phase, switches, grid)
    if known is None:
        return ()
    if phase == "reduce" and switches.plan == "hybrid":
        return tuple((known[0], along) for along in BY_GRID)
    return (known,)


def upcoming_calls(
    setting: GraphSetting,
    layout: Layout,
    levels: Sequence[LevelFacts],
    *,
    first_level: int = 0,
    forced: Mapping[str, str] = NONE_FORCED,
) -> tuple[ToCome, ...]:
    """All calls of a search. Args: as of ``search_volumes``; forced are algorithms by call."""
    volumes = search_volumes(setting, levels, first_level=first_level)
    return tuple(_calls(setting, layout, volumes.parts, forced))


def _calls(
    setting: GraphSetting, layout: Layout, volumes: Sequence[Volume], forced: Mapping[str, str]
) -> Iterator[ToCome]:
    for volume in volumes:
        known = calls_of(volume.phase, setting.switches, layout.grid)
        others = sum(layout.group(along).size - 1 for _, along in known)
        for usual_name, along in known:
            group = layout.group(along)
            if group.size < 2:
                continue
            share = (group.size - 1) / others / layout.grid.size
            sent = Range(volume.low_bytes, volume.bytes_sent, volume.high_bytes) * share
            for name, calls, part in _in_turn(setting, volume, usual_name, group.size, sent):
                messages = _messages_of(volume, name, group, setting.switches, calls, part.expected)
                call = Call(
                    volume.level, volume.phase, name, group, calls, messages, part.expected,
                    forced.get(name, ""), along,
                )  # fmt: skip
                yield ToCome(call, part.low, part.high)


def _in_turn(
    setting: GraphSetting, volume: Volume, usual_name: str, group: int, sent: Range
) -> Iterator[tuple[str, float, Range]]:
    """Name, number and bytes of the calls in which a rank sends so much. Long parcels, and a ring
    where lists are not shorter, follow lengths that were told.
    """
    switches, others = setting.switches, group - 1
    told = Range.exactly(COUNT_BYTES * others)
    asks = volume.phase == "rotate" and not volume.is_exact
    takes_ring = asks and _is_ring(setting, volume)
    name = "allgatherv" if asks and not takes_ring else usual_name
    calls = _calls_of(volume, switches)
    if tells_at_once(volume.phase, switches, group):
        if not takes_ring and goes_with_length(sent.expected / others - COUNT_BYTES):
            yield SHORT_CALL, min(calls, 1), sent
            return
        yield SHORT_CALL, 1, told
    elif takes_ring:
        yield "allgatherv", 1, told
    else:
        yield name, calls, sent
        return
    yield name, 1, _less(sent, told.expected)


def _is_ring(setting: GraphSetting, volume: Volume) -> bool:
    """Whether bitmaps are expected to go round the row, and no lists."""
    told = COUNT_BYTES * setting.blocks.grid.size * (setting.cols - 1)
    return volume.bytes_sent - told >= ring(setting.blocks, volume.level).bytes_sent


def _less(sent: Range, told: float) -> Range:
    ends = (sent.low, sent.expected, sent.high)
    return Range(*(max(0.0, end - told) for end in ends))


def _messages_of(
    volume: Volume, name: str, group: Group, switches: Switches, calls: float, sent: float
) -> float:
    if name == "sendrecv" and volume.phase == "rotate":
        return group.size * (2 if switches.overlap == "on" else 1)
    if volume.phase == "fold" and name != SHORT_CALL:
        return fold_messages(switches, group.size, sent)
    return calls * (group.size - 1)


def _calls_of(volume: Volume, switches: Switches) -> float:
    if volume.phase == "rotate":
        return 1 if volume.is_exact else 2  # lengths first
    if volume.phase == "hub_pass":
        return 2 if volume.bytes_sent else 0  # lengths first; none where no hub is new
    if volume.phase == "expand" and (switches.is_replicated or switches.frontier != "bitmap"):
        return 2  # with a summary, or counts first
    return 2 if switches.exchange == "two-level" and volume.phase in ("count", "fold") else 1


def fold_messages(switches: Switches, group: int, sent: float) -> float:
    """Messages of a rank that sends so many bytes to the others of its grid row."""
    others = group - 1
    if switches.exchange == "own":
        return others * max(1, ceil(sent / others / COALESCED_BYTES))
    if switches.exchange == "sparse":
        # Then all agree that everything has arrived.
        return reached_ranks(Message(group, sent, sent / switches.tuple_bytes)) + doublings(group)
    return others


def is_collective(name: str) -> bool:
    """Whether calls of this name are counted once a rank, not once a message."""
    return name in PATTERNS and PATTERNS[name] != "ring" and name not in ("isend", "put", "issend")
