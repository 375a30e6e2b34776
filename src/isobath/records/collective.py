# SPDX-License-Identifier: Apache-2.0
"""What the collectives of an MPI library cost: raw times of every rank and repetition."""

import itertools
from typing import Literal, get_args

from pydantic import AwareDatetime, Field, model_validator

from isobath.records.placement import Placement, share_processors
from isobath.records.record import Part, Record
from isobath.records.run import Build, Host, MpiLibrary, RankBinding
from isobath.units import Bytes, Seconds

CollectiveName = Literal[
    "barrier",
    "bcast",
    "gather",
    "gatherv",
    "scatter",
    "scatterv",
    "allgather",
    "allgatherv",
    "alltoall",
    "alltoallv",
    "alltoallw",
    "reduce",
    "allreduce",
    "reduce_scatter",
    "scan",
    "exscan",
    "reduce_scatter_block",
    "neighbor_allgather",
    "neighbor_allgatherv",
    "neighbor_alltoall",
    "neighbor_alltoallv",
    "neighbor_alltoallw",
]

COLLECTIVE_NAMES: tuple[CollectiveName, ...] = get_args(CollectiveName)
"""First the 16 of MPI-2.1, in the order of network.md, then those that came later."""

Form = Literal["blocking", "nonblocking", "persistent"]
Datatype = Literal[
    "byte",
    "int8",
    "uint8",
    "int16",
    "uint16",
    "int32",
    "uint32",
    "int64",
    "uint64",
    "float",
    "double",
]
Operation = Literal["sum", "prod", "min", "max", "band", "bor", "bxor", "land", "lor", "lxor"]
Buffers = Literal["warm", "offcache", "dirty"]
Cadence = Literal["isolated", "streaming"]
AlgorithmSource = Literal["forced", "own", "table", "counter", "stack", "traffic", "fit", "unknown"]
TimedFrom = Literal["first_entry", "last_entry"]
StopReason = Literal["interval", "most", "budget"]

SHAPE = r"^[1-9][0-9]*(x[1-9][0-9]*){0,2}$"
COUNTS = r"^(uniform|zipf:[0-9.]+|sparse:[1-9][0-9]*|block:[1-9][0-9]*|recorded:.+)$"


class LaunchRecord(Record):
    """One launch of a benchmark of MPI; the first line that the program writes."""

    kind: Literal["launch"] = "launch"
    program: str
    """engine program"""
    version: str
    """of Isobath"""
    argv: tuple[str, ...]
    """the engine's command line, without credentials"""
    started: AwareDatetime
    launch: int = Field(ge=0)
    """number among the launches of one benchmark"""
    ranks: int = Field(ge=1)
    """MPI processes"""
    threads_per_rank: int = Field(ge=1)
    oversubscribed: bool
    """more ranks than processors: times are not measurements of this machine"""
    build: Build
    mpi: MpiLibrary
    hosts: tuple[Host, ...]
    """one for each machine"""
    binding: tuple[RankBinding, ...]
    """one for each rank"""
    nodes: int = Field(ge=1)
    node_of_rank: tuple[int, ...]
    node_map_is_override: bool
    """nodes were pretended"""
    clock_resolution_seconds: Seconds = Field(ge=0)
    clocks: int = Field(ge=1)
    """different ones that ranks read, one for each node; 1: one clock, nothing to compare"""
    clock_error_seconds: Seconds = Field(ge=0)
    """of these against each other when the launch began; 0 of one clock"""
    environment: dict[str, str]
    """variables that MPI libraries read, as rank 0 found them"""

    def is_crowded(self, placement: Placement) -> bool:
        """Whether made-up nodes share processors, which the ranks of a node cannot see."""
        bound = (binding.thread_cpus for binding in self.binding)
        return placement.is_pretended and share_processors(bound)

    def is_placed_as(self, asked: Placement) -> bool:
        """Whether every rank was on its node; where nobody asks for nodes, it always was."""
        if asked.nodes == 1 and not asked.strict:
            return True
        is_possible = self.ranks >= asked.nodes
        return is_possible and tuple(asked.node_of_rank(self.ranks)) == self.node_of_rank

    @model_validator(mode="after")
    def _ranks_agree(self) -> "LaunchRecord":
        if not self.ranks == len(self.binding) == len(self.node_of_rank):
            raise ValueError("there is not one binding and one node for each rank")
        return self


class CountFacts(Part):
    """What the counts of a collective are like; of the matrix whose row r is what rank r sends."""

    total_bytes: Bytes = Field(ge=0)
    largest_row_bytes: Bytes = Field(ge=0)
    """that one rank sends"""
    largest_column_bytes: Bytes = Field(ge=0)
    """that one rank receives"""
    largest_entry_bytes: Bytes = Field(ge=0)
    fewest_peers: int = Field(ge=0)
    """ranks that one rank sends to, itself among them"""
    most_peers: int = Field(ge=0)
    gini: float = Field(ge=0, le=1)
    """of all entries: 0 where they are equal, towards 1 where few have all"""


class CollectiveRecord(Record):
    """One collective, size and setting of everything else in one launch: all repetitions of it, or
    why it could not be run. Times are those of the first communicator.
    """

    kind: Literal["collective"] = "collective"
    collective: CollectiveName
    form: Form
    call: str
    """MPI function, as ``iallgatherv_c``; of one's own algorithm its name"""
    size_bytes: Bytes = Field(ge=0)
    """the x-axis: the meaning depends on the collective (docs/explanation/collectives.md)"""
    bytes_per_rank: Bytes = Field(ge=0)
    """what one rank contributes; of irregular counts the rank with most"""
    wire_bytes: Bytes = Field(ge=0)
    """lower bound on the bytes into or out of the busiest rank"""
    ranks: int = Field(ge=1)
    """of one communicator"""
    communicators: int = Field(ge=1)
    """that ran it at once"""
    shape: str = Field(pattern=SHAPE)
    """of all ranks: 4, 2x2, 2x2x2"""
    coordinates: tuple[tuple[int, ...], ...] | None = None
    """of every rank of the launch in a shape of several dimensions, as MPI has them; the first
    varies fastest with the rank; absent in older records"""
    along: str = Field(pattern=r"^(world|row|col|[0-2])$")
    """which of its communicators; a number is a dimension of the shape, from 0"""
    together: bool
    """all communicators along it at once, not only the first"""
    counts: str = Field(pattern=COUNTS)
    """distribution of counts"""
    count_facts: CountFacts
    datatype: Datatype
    operation: Operation | None = None
    """of reductions"""
    root_rank: int | None = Field(default=None, ge=0)
    """of rooted collectives"""
    buffers: Buffers
    """the same every time; others every time, so that no cache has them; written just before and
    read just after"""
    cadence: Cadence
    """aligned before each repetition, or only before each batch"""
    alignment: str
    """how ranks were brought to start together"""
    arrival: str
    """delays of ranks before the call"""
    algorithm: str | None = None
    """of the library, or one's own; absent where it is not known"""
    algorithm_variable: str | None = None
    """control variable that forced it"""
    algorithm_source: AlgorithmSource
    """how it is known"""
    stack_samples: int | None = Field(default=None, ge=1)
    """of the stacks of all ranks inside the call, after everything that is timed; absent where none
    were taken"""
    stack_functions: dict[str, int] | None = None
    """functions of libraries on them: samples that they were in; one without a name by its library
    and place"""
    oversubscribed: bool
    """more ranks than processors: times are not measurements of this machine"""
    launch: int = Field(ge=0)
    order: int = Field(ge=0)
    """position in the launch"""
    started_seconds: Seconds = Field(ge=0)
    """since the launch began"""
    clock_error_nanoseconds: int = Field(ge=0)
    """by which times of ranks on different clocks may be wrong: what a comparison after the cell
    found the fitted line off by, and half of its round trip; 0 of one clock"""
    needed_bytes: Bytes = Field(ge=0)
    """of buffers, on the node that needs most"""
    not_runnable: str | None = None
    """why there is no time; then all that follows is absent"""
    entry_nanoseconds: tuple[tuple[int, ...], ...] | None = None
    """by rank, by repetition, warm-up included; since the first entry of any rank"""
    exit_nanoseconds: tuple[tuple[int, ...], ...] | None = None
    batch_starts: tuple[int, ...] | None = None
    """of a stream: the repetitions that followed a common start, the first among them; the calls
    from one to the next were back to back, and their mean is one measurement"""
    timed_from: TimedFrom | None = None
    """where a time begins: with the first entry of any rank, or, where ranks were delayed on
    purpose, with the last"""
    slowest_nanoseconds: tuple[int, ...] | None = None
    """by batch (isolated: by repetition): from there to the last exit of the slowest communicator;
    absent where one ran"""
    warm_up_repetitions: int | None = Field(default=None, ge=0)
    """of these repetitions, at the front"""
    invalid: tuple[int, ...] | None = None
    """repetitions that some rank began late"""
    context_switches: tuple[int, ...] | None = None
    """repetitions in which some rank lost its processor"""
    stopped_because: StopReason | None = None
    """the interval of the median was tight enough, most repetitions allowed, time used up"""
    data_check: Literal["passed", "failed"] | None = None
    """of the contents after every repetition"""
    data_check_failure: str | None = None
    """what was wrong"""

    @property
    def repetitions(self) -> int:
        """Timed ones."""
        if self.entry_nanoseconds is None or self.warm_up_repetitions is None:
            return 0
        return len(self.entry_nanoseconds[0]) - self.warm_up_repetitions

    @model_validator(mode="after")
    def _has_times_or_a_reason(self) -> "CollectiveRecord":
        samples = (
            self.entry_nanoseconds,
            self.exit_nanoseconds,
            self.warm_up_repetitions,
            self.invalid,
            self.context_switches,
            self.stopped_because,
            self.timed_from,
            self.data_check,
        )
        present = [sample is not None for sample in samples]
        streams = self.cadence == "streaming" and self.not_runnable is None
        if streams != (self.batch_starts is not None):
            raise ValueError("a stream has batches, and nothing else has them")
        if self.not_runnable is not None and any(present):
            raise ValueError("what could not be run has no times")
        if self.not_runnable is None and not all(present):
            raise ValueError("there is neither a reason nor all of the samples")
        if (self.data_check == "failed") != (self.data_check_failure is not None):
            raise ValueError("a failed data check says why, a passed one nothing")
        return self

    @model_validator(mode="after")
    def _lists_are_parallel(self) -> "CollectiveRecord":
        entries, exits = self.entry_nanoseconds, self.exit_nanoseconds
        if entries is None or exits is None:
            return self
        lengths = {len(times) for times in (*entries, *exits)}
        if len(lengths) != 1 or not len(entries) == len(exits) == self.ranks:
            raise ValueError("there is not one time for each rank and repetition")
        repetitions = lengths.pop()
        marked = (*(self.invalid or ()), *(self.context_switches or ()))
        if any(not 0 <= index < repetitions for index in marked):
            raise ValueError("a repetition is marked that did not happen")
        if (self.warm_up_repetitions or 0) > repetitions:
            raise ValueError("there are more warm-up repetitions than repetitions")
        pairs = zip(entries, exits, strict=True)
        self._check_batches(repetitions)
        if any(
            out < into for entry, other in pairs for into, out in zip(entry, other, strict=True)
        ):
            raise ValueError("a rank left a repetition before it entered it")
        return self

    def _check_batches(self, repetitions: int) -> None:
        starts = self.batches
        if starts and (
            starts[0] != 0
            or starts[-1] >= repetitions
            or any(later <= start for start, later in itertools.pairwise(starts))
        ):
            raise ValueError("batches begin with the first repetition and do not overlap")
        if self.warm_up_repetitions not in (*starts, repetitions):
            raise ValueError("the warm-up does not end with a batch")
        if self.slowest_nanoseconds is not None and len(self.slowest_nanoseconds) != len(starts):
            raise ValueError("the slowest communicator has not one time for each batch")

    @property
    def batches(self) -> tuple[int, ...]:
        """The first repetition of each batch; isolated, each is one of its own."""
        if self.batch_starts is not None:
            return self.batch_starts
        return tuple(range(len(self.entry_nanoseconds[0]))) if self.entry_nanoseconds else ()
