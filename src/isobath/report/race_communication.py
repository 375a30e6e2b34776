# SPDX-License-Identifier: Apache-2.0
"""What the ledger of one run says of its communication, in the form that sections draw."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from isobath.units import Bytes, Seconds

PARTS = ("generate", "construct", "search", "validate")
"""The parts of a run that are profiled apart, in their order."""

SEARCH = "search"


@dataclass(frozen=True)
class CallTime:
    """One MPI call in one part of a run: seconds and shares are per rank."""

    part: str
    call: str
    seconds: Seconds
    """mean over ranks"""
    share_of_mpi: float
    share_of_wall: tuple[float, float, float]
    """smallest, mean and largest over ranks"""
    calls: int
    bytes_sent: Bytes


@dataclass(frozen=True)
class SizeCounts:
    """Messages by size for one call in one part; all lists have the length of ``from_bytes``."""

    part: str
    call: str
    meaning: str
    """call_total, per_peer or own_segment: what the sizes are sizes of"""
    from_bytes: tuple[float, ...]
    to_bytes: tuple[float, ...]
    count: tuple[int, ...]
    bytes: tuple[int, ...]
    seconds: tuple[float, ...]


@dataclass(frozen=True)
class TrafficMatrix:
    """Who sent how much to whom in one part; rows are senders."""

    part: str
    phase: str
    """empty where the part is not cut into phases"""
    unit: str
    """rank or node"""
    bytes: tuple[tuple[int, ...], ...]
    messages: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class RankTime:
    """Seconds of one rank, mean over searches."""

    seconds: Seconds
    mpi_seconds: Seconds
    wait_seconds: Seconds
    """inside MPI before the last rank had arrived; part of ``mpi_seconds``"""


@dataclass(frozen=True)
class Communication:
    """All of it. A run without a ledger has none of these."""

    nodes: int = 1
    node_of_rank: tuple[int, ...] = ()
    pretended: bool = False
    """nodes come from an override, not from the machine"""
    clock_error_seconds: Seconds = 0.0
    calls: tuple[CallTime, ...] = ()
    sizes: tuple[SizeCounts, ...] = ()
    matrices: tuple[TrafficMatrix, ...] = ()
    ranks: tuple[RankTime, ...] = ()
    waits: Mapping[int, tuple[Seconds, Seconds]] = field(default_factory=dict)
    """by level: seconds inside calls and seconds of these waited, mean over ranks and searches"""
    off_node_bytes: float | None = None
    """per search"""

    def matrix(self, part: str = SEARCH) -> TrafficMatrix | None:
        """All phases of a part together."""
        found = [matrix for matrix in self.matrices if matrix.part == part]
        if not found:
            return None
        first = found[0]
        return TrafficMatrix(
            part,
            "",
            first.unit,
            _sum([matrix.bytes for matrix in found]),
            _sum([matrix.messages for matrix in found]),
        )


def _sum(matrices: list[tuple[tuple[int, ...], ...]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(map(sum, zip(*lines, strict=True))) for lines in zip(*matrices, strict=True))
