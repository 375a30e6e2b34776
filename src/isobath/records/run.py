# SPDX-License-Identifier: Apache-2.0
"""The first line of a run: all that is needed to repeat it, and all about the machine."""

from typing import Literal

from pydantic import AwareDatetime, Field

from isobath.records.record import Part, Record
from isobath.units import Bytes, Seconds

EdgeStorage = Literal["memory", "file", "regenerate"]
InstructionSet = Literal["avx512", "avx2", "portable"]


class Build(Part):
    """How the engine program was built."""

    commit: str
    """git commit, "unknown" outside a checkout"""
    dirty: bool
    """the checkout had uncommitted changes"""
    compiler: str
    flags: str
    build_type: str
    preset: str
    mpi_compiled: str
    """the MPI library whose headers were used"""
    standard_abi: bool
    """compiled against the MPI-5 standard ABI"""


class MpiLibrary(Part):
    """What the MPI library said of itself at run time."""

    library_version: str
    standard_version: str
    thread_level: str
    """level granted, by name"""
    large_counts: bool
    """calls with 64-bit counts are used"""

    @property
    def name(self) -> str:
        """Name and version, without the rest of its long words: MPICH 5.0.2, Open MPI v4.1.4."""
        first = " ".join((self.library_version.splitlines() or [""])[0].split())
        return first.partition(",")[0].replace(" Version:", "")


class Host(Part):
    """One machine of the run; what its kernel does not say is absent."""

    hostname: str
    cpu_model: str
    cores: int = Field(ge=1)
    """not hardware threads"""
    sockets: int | None = Field(default=None, ge=1)
    numa_nodes: int | None = Field(default=None, ge=1)
    l1d_bytes: Bytes | None = Field(default=None, ge=0)
    """of one core, like the next"""
    l2_bytes: Bytes | None = Field(default=None, ge=0)
    l3_bytes: Bytes | None = Field(default=None, ge=0)
    memory_bytes: Bytes | None = Field(default=None, ge=0)
    cgroup_memory_bytes: Bytes | None = Field(default=None, ge=0)
    """memory limit of the container; absent without one"""
    cgroup_cpus: float | None = Field(default=None, gt=0)
    """processor limit of the container; absent without one"""
    kernel: str | None = None
    huge_pages: str | None = None
    """setting of transparent huge pages"""
    clock_source: str | None = None


class RankBinding(Part):
    """Where one rank and its threads were allowed to run."""

    rank: int = Field(ge=0)
    hostname: str
    pid: int = Field(ge=0)
    cpus: str
    """processors of the rank, for example "0-1" """
    thread_cpus: tuple[str, ...]
    """processors of every thread, in the order of threads"""


class Switches(Part):
    """The choices within a plan, in the words of the options of isobath-graph500."""

    exchange: Literal[
        "own",
        "eager",
        "alltoallv",
        "pairwise",
        "sparse",
        "neighbour",
        "one-sided",
        "persistent",
        "two-level",
        "emulated",
    ]
    """how a personalised exchange travels"""
    duplicates: Literal["keep", "drop"]
    """equal edges in the searched graph"""
    ids: Literal[64, 32]
    """bits of an id in a tuple of the fold"""
    dedup: Literal["none", "local"]
    """local: a rank proposes each target once in a search"""
    frontier: Literal["bitmap", "list", "smaller", "packed"]
    """what expand sends in a top-down level"""
    fold: Literal["plain", "packed"]
    """encoding of the fold's messages"""
    relabel: Literal["on", "classes", "off"]
    """heavy vertices first; on: in families"""
    leaves: Literal["out", "in"]
    """vertices of one distinct neighbour, in the searched graph or not"""
    likely_parents: Literal["on", "off"] | None = None
    """written down in construction and copied by emit, where rows are complete; absent in older
    records, which did"""
    hubs: Literal["on", "few", "off"] | None = None
    """on several grid columns owners find first what has a hub as parent; few:
    one hub for 4,096 searched vertices; absent in older records, which had no such pass"""
    streams: Literal["on", "off"]
    """first neighbours apart, for bottom-up levels"""
    overlap: Literal["on", "off"]
    """the ring of a bottom-up level travels while ranks compute"""
    direction: Literal["policy", "top-down", "bottom-up"]


class Paths(Part):
    """How shortest paths were searched for."""

    plan: str
    """auto where it was left to construction"""
    pruned: bool | None = None
    """construction left out edges that lie on no shortest path; absent of auto"""
    delta: float = Field(ge=0)
    """width of a bucket that was asked for; 0: the plan's own"""


class GraphFile(Part):
    """The file that was searched, where no graph was generated."""

    path: str
    format: str
    """mtx, el, wel, sg, wsg, packed or raw"""
    bytes: Bytes = Field(ge=0)
    num_vertices: int = Field(ge=1)
    num_edges: int = Field(ge=1)
    weighted: bool
    """weights were read or assigned"""
    assigned_weights: Literal["unit", "random"] | None = None
    """instead of those of the file; absent where there are none"""
    weight_seed: int | None = Field(default=None, ge=0)
    """of random weights"""
    numbering: Literal["file", "compact"]
    """compact: only vertices of an edge have numbers; records use these, not the file's ids"""
    load_seconds: Seconds = Field(ge=0)
    """reading and numbering, slowest rank"""


class RunRecord(Record):
    """One launch of an engine program."""

    kind: Literal["run"] = "run"
    program: str
    version: str
    argv: tuple[str, ...]
    started: AwareDatetime = Field(strict=False)
    """ISO 8601, UTC"""
    scale: int = Field(ge=1, le=48)
    """log2 of the number of vertices"""
    edgefactor: int = Field(ge=1)
    """edges per vertex"""
    seeds: tuple[int, int]
    kernel: Literal["bfs", "sssp", "both"] = "bfs"
    """what was searched for; absent in older records, which are of bfs"""
    plan: str
    """search plan; where only sssp ran, that for shortest paths"""
    paths: Paths | None = None
    """of sssp; absent where it did not run"""
    switches: Switches | None = None
    """the choices within the plan; absent in older records"""
    tasks: Literal["side_by_side", "in_turn"] | None = None
    """how sender and receiver tasks ran; absent where the plan has none"""
    grid_rows: int = Field(ge=1)
    grid_cols: int = Field(ge=1)
    ranks: int = Field(ge=1)
    threads_per_rank: int = Field(ge=1)
    oversubscribed: bool
    """more ranks times threads than processors: times are not measurements of this machine"""
    edges_storage: EdgeStorage
    keys_requested: int = Field(ge=0)
    validation: bool
    """every search is to be validated"""
    official: bool
    """the run was held to what can be checked of the rules of official runs"""
    warmup_searches: int = Field(ge=0)
    leaves_pruned: bool
    """vertices of one distinct neighbour are not in the searched graph"""
    relabelled: bool
    alpha: float
    """direction policy, engine/bfs/hybrid/direction.hpp"""
    beta: float
    """direction policy, engine/bfs/hybrid/direction.hpp"""
    instruction_set: InstructionSet
    build: Build
    mpi: MpiLibrary
    hosts: tuple[Host, ...] = Field(min_length=1)
    binding: tuple[RankBinding, ...]
    clock_resolution_seconds: Seconds = Field(ge=0)
    nodes: int | None = Field(default=None, ge=1)
    """machines, or pretended ones; absent in older records, like the next three"""
    node_of_rank: tuple[int, ...] | None = None
    node_map_is_override: bool | None = None
    """nodes are pretended (ISOBATH_NODE_MAP)"""
    clock_error_seconds: Seconds | None = Field(default=None, ge=0)
    """largest error of the clocks of different nodes against each other; 0 on one node"""
    graph: GraphFile | None = None
    """absent where the graph was generated; where there is one, scale and edgefactor only say how
    large it is: scale is rounded up, edgefactor down"""
