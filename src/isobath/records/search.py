# SPDX-License-Identifier: Apache-2.0
"""Kernels 2 and 3: one search from one root, its validation, and its levels or rounds."""

from typing import Literal

from pydantic import Field

from isobath.records.phases import PhaseName
from isobath.records.record import Part, Record
from isobath.units import Bytes, EdgesPerSecond, Seconds

Direction = Literal["top_down", "bottom_up"]

Kernel = Literal["bfs", "sssp"]

RuleName = Literal[
    "parent_range",
    "tree",
    "tree_levels",
    "leads_to_root",
    "distance_range",
    "edge_levels",
    "edge_distances",
    "spans_component",
    "tree_edges",
    "traversed_edges",
]


class RuleOutcome(Part):
    """One rule of the specification, applied to all edges."""

    rule: RuleName
    violations: int = Field(ge=0)
    first_vertex: int | None = None
    """lowest vertex that breaks the rule"""
    first_other: int | None = None
    """what it collides with"""


class Validation(Part):
    """Outcome of all rules against the original edges."""

    passed: bool
    seconds: Seconds = Field(ge=0)
    first_violation: str | None = None
    """one sentence; absent when passed"""
    rules: tuple[RuleOutcome, ...]


class Distances(Part):
    """Over the vertices that were reached."""

    mean: float = Field(ge=0)
    """its last digits depend on the number of ranks and threads"""
    max: float = Field(ge=0)


class SearchRecord(Record):
    """One search from one root."""

    kind: Literal["search"] = "search"
    kernel: Kernel = "bfs"
    """absent in older records, which are of bfs"""
    index: int = Field(ge=0)
    """place of its key among the keys; a warm-up has that of the key it uses"""
    warmup: bool
    """untimed in the statistics"""
    root: int = Field(ge=0)
    seconds: Seconds = Field(gt=0)
    """wall time of the slowest rank, reset and emission included"""
    seconds_min: Seconds = Field(ge=0)
    """over ranks"""
    seconds_mean: Seconds = Field(gt=0)
    """over ranks"""
    traversed_edges: int = Field(ge=0)
    """of the root's component, duplicates counted, self-loops not (reference 3.0)"""
    traversed_edges_with_self_loops: int = Field(ge=0)
    """the same as the specification counts them"""
    teps: EdgesPerSecond = Field(ge=0)
    """traversed_edges / seconds"""
    started_seconds: Seconds = Field(ge=0)
    """since the start of the run"""
    phases: dict[PhaseName, Seconds]
    """summed over levels"""
    bytes_sent: Bytes = Field(ge=0)
    """by all ranks"""
    messages: int = Field(ge=0)
    page_faults: int = Field(ge=0)
    """during the search, all ranks"""
    bytes_received: Bytes | None = Field(default=None, ge=0)
    """by all ranks; absent in older records, like the next five"""
    off_node_bytes: Bytes | None = Field(default=None, ge=0)
    """of bytes_sent, to ranks of other nodes"""
    seconds_per_rank: tuple[Seconds, ...] | None = None
    mpi_seconds_per_rank: tuple[Seconds, ...] | None = None
    """inside MPI calls"""
    wait_seconds_per_rank: tuple[Seconds, ...] | None = None
    """of these, before the last rank came; collective calls only"""
    clock_error_seconds: Seconds | None = Field(default=None, ge=0)
    """of the clocks of different nodes, measured before the search; 0 on one node"""
    vertices_reached: int | None = Field(default=None, ge=0)
    """absent until validation has counted them, like the next four"""
    levels: int | None = Field(default=None, ge=0)
    """of bfs, like the next"""
    vertices_per_level: tuple[int, ...] | None = None
    tree_levels: int | None = Field(default=None, ge=0)
    """of the tree of sssp, counted in edges, the root's included"""
    distances: Distances | None = None
    """of sssp"""
    rounds: int | None = Field(default=None, ge=0)
    """of sssp: buckets, sweeps, or whatever the plan repeats"""
    validation: Validation | None = None
    """absent where the search was not validated"""


class LevelRecord(Record):
    """One level of one search. Seconds are the maximum over ranks; bytes and messages are sums."""

    kind: Literal["level"] = "level"
    search: int = Field(ge=0)
    """index of the search"""
    level: int = Field(ge=0)
    direction: Direction
    frontier_vertices: int = Field(ge=0)
    """searched vertices: leaves are not among them"""
    arcs_scanned: int = Field(ge=0)
    seconds: Seconds = Field(ge=0)
    phases: dict[PhaseName, Seconds]
    bytes_sent: dict[PhaseName, Bytes]
    messages: dict[PhaseName, int]
    bytes_received: dict[PhaseName, Bytes] | None = None
    """by all ranks; absent in older records, like the next four"""
    calls: dict[PhaseName, int] | None = None
    """MPI calls of all ranks"""
    off_node_bytes: dict[PhaseName, Bytes] | None = None
    """of bytes_sent, to ranks of other nodes"""
    call_seconds: dict[PhaseName, Seconds] | None = None
    """inside MPI calls, mean over ranks"""
    wait_seconds: dict[PhaseName, Seconds] | None = None
    """of these, before the last rank came; mean over ranks"""


class RoundRecord(Record):
    """One round of a search for shortest paths. Seconds are the maximum over ranks."""

    kind: Literal["round"] = "round"
    search: int = Field(ge=0)
    """index of the search"""
    round: int = Field(ge=0)
    active_vertices: int = Field(ge=0)
    """that the round begins with"""
    arcs_relaxed: int = Field(ge=0)
    seconds: Seconds = Field(ge=0)
    phases: dict[PhaseName, Seconds]
    bytes_sent: dict[PhaseName, Bytes]
    messages: dict[PhaseName, int]
    bytes_received: dict[PhaseName, Bytes]
    calls: dict[PhaseName, int]
    """MPI calls of all ranks"""
    off_node_bytes: dict[PhaseName, Bytes]
    """of bytes_sent, to ranks of other nodes"""
    call_seconds: dict[PhaseName, Seconds]
    """inside MPI calls, mean over ranks"""
    wait_seconds: dict[PhaseName, Seconds]
    """of these, before the last rank came; mean over ranks"""
