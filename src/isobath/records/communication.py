# SPDX-License-Identifier: Apache-2.0
"""What was communicated: calls, messages, bytes and seconds, as the engine's ledger counted them.

Bytes are those that an operation needs, whatever the MPI library does inside; counts and bytes are
sums over ranks. A rank's own segment of a collective is told apart and is no message.
"""

from typing import Literal, get_args

from pydantic import Field, model_validator

from isobath.records.phases import PhaseName
from isobath.records.record import Part, Record
from isobath.units import Bytes, Seconds

RunPart = Literal["generate", "construct", "search", "validate"]

RUN_PARTS: tuple[RunPart, ...] = get_args(RunPart)

CallName = Literal[
    "barrier",
    "bcast",
    "allreduce",
    "allgather",
    "allgatherv",
    "alltoall",
    "alltoallv",
    "neighbor_alltoall",
    "neighbor_alltoallv",
    "ibarrier",
    "isend_all",
    "win_fence",
    "sendrecv",
    "isend",
    "issend",
    "irecv",
    "start",
    "iprobe",
    "test",
    "wait",
    "waitall",
    "waitany",
    "waitsome",
    "put",
    "accumulate",
    "win_flush",
]
"""MPI calls, as engine/comm/ledger/call_kind.hpp lists them (a test compares the two); isend_all is
several, to and from all others of the communicator at once, counted as one collective call. In
records of before, ``wait`` stands for waitall, waitany and waitsome too."""

CommunicatorName = Literal["world", "row", "column", "other"]

SizeMeaning = Literal["call_total", "per_peer", "own_segment"]

NO_END = (1 << 63) - 1
"""``to_bytes`` of a bucket without end"""


class Spread(Part):
    """One number of every rank."""

    min: float = Field(ge=0)
    mean: float = Field(ge=0)
    max: float = Field(ge=0)


class CallCell(Part):
    """Calls of one kind on one kind of communicator, in one phase of one level."""

    level: int = Field(ge=-1)
    """-1 outside levels"""
    phase: PhaseName
    call: CallName
    communicator: CommunicatorName
    """all ranks, those of a grid row or grid column, or others"""
    calls: int = Field(ge=0)
    messages: int = Field(ge=0)
    bytes_sent: Bytes = Field(ge=0)
    bytes_received: Bytes = Field(ge=0)
    off_node_bytes: Bytes = Field(ge=0)
    """of bytes_sent, to ranks of other nodes"""
    kept_bytes: Bytes = Field(ge=0)
    """own segments of collectives: no messages"""
    seconds_mean: Seconds = Field(ge=0)
    """inside the calls, over ranks"""
    seconds_max: Seconds = Field(ge=0)
    wait_seconds_mean: Seconds = Field(ge=0)
    """of these, before the last rank came; collective calls only"""
    wait_seconds_max: Seconds = Field(ge=0)


class CallsRecord(Record):
    """All calls of one timed search."""

    kind: Literal["calls"] = "calls"
    kernel: Literal["bfs", "sssp"] = "bfs"
    """of the search; absent in older records"""
    search: int = Field(ge=0)
    """index of the search"""
    cells: tuple[CallCell, ...]


class TrafficMatrixRecord(Record):
    """Who sent how much to whom: the row is the sender."""

    kind: Literal["traffic_matrix"] = "traffic_matrix"
    part: RunPart
    """part of the run; of searches all timed ones together"""
    phase: PhaseName | None = None
    """absent for parts other than search"""
    kernel: Literal["bfs", "sssp"] | None = None
    """with search and level; absent otherwise, and in older records, which are of bfs"""
    search: int | None = Field(default=None, ge=0)
    """with level: of this search alone; absent otherwise"""
    level: int | None = Field(default=None, ge=-1)
    ranks: int = Field(ge=1)
    unit: Literal["rank", "node"]
    """what a row and a column stand for"""
    bytes: tuple[tuple[Bytes, ...], ...]
    messages: tuple[tuple[int, ...], ...]

    @model_validator(mode="after")
    def _is_square(self) -> "TrafficMatrixRecord":
        for matrix in (self.bytes, self.messages):
            if len(matrix) != len(self.bytes) or any(len(row) != len(matrix) for row in matrix):
                raise ValueError("the matrix is not square")
        return self


class MessageSizesRecord(Record):
    """How large messages were. The lists are parallel: one entry of each is one bucket."""

    kind: Literal["message_sizes"] = "message_sizes"
    part: RunPart
    call: CallName
    meaning: SizeMeaning
    """all that a rank sends to others in a call, what one of them gets, or what stays"""
    from_bytes: tuple[Bytes, ...]
    """smallest size of the bucket"""
    to_bytes: tuple[Bytes, ...]
    """first size beyond it; 2^63 - 1 where it has no end"""
    count: tuple[int, ...]
    bytes: tuple[Bytes, ...]
    seconds: tuple[Seconds, ...]
    """of the calls, shared among their messages by bytes"""

    @model_validator(mode="after")
    def _lists_are_parallel(self) -> "MessageSizesRecord":
        lists = (self.from_bytes, self.to_bytes, self.count, self.bytes, self.seconds)
        if len({len(column) for column in lists}) != 1:
            raise ValueError("the lists have different lengths")
        return self


class MpiTimeRecord(Record):
    """What one MPI call cost in a part of the run."""

    kind: Literal["mpi_time"] = "mpi_time"
    part: RunPart
    call: CallName
    seconds_per_rank: Spread
    share_of_mpi: float = Field(ge=0, le=1.0000001)
    """of the time in all MPI calls of the part, summed over ranks"""
    share_of_wall: Spread
    """of the part's wall time, rank by rank"""
    calls: int = Field(ge=0)
    bytes_sent: Bytes = Field(ge=0)
