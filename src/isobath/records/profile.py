# SPDX-License-Identifier: Apache-2.0
"""What a profiled MPI program communicated, as the preloaded profiler counted it.

The program may be any; its calls have MPI's names in lower case without prefix. Bytes are those
that an operation needs, whatever the MPI library does inside: a message to another rank is counted
where it is sent and where it is received, a rank's own block of a collective is kept, no message.
"""

from typing import Literal

from pydantic import Field, model_validator

from isobath.records.communication import Spread
from isobath.records.record import Part, Record
from isobath.units import Bytes, Seconds

BinaryInterface = Literal["mpi5", "mpich", "ompi"]

TrafficClass = Literal["point_to_point", "collective", "one_sided"]

ProfileSizeMeaning = Literal["call_total", "per_peer", "own_segment", "argument"]


class ProfileRow(Record):
    """One line of a profile."""

    world: int | None = Field(default=None, ge=0)
    """which MPI_COMM_WORLD of several that one command made, in the order in which they began;
    absent where there was one. Lines of different worlds are not to be added up"""


class ProfileRecord(ProfileRow):
    """One profiled program as a whole."""

    kind: Literal["profile"] = "profile"
    abi: BinaryInterface
    """binary interface of the MPI library"""
    library: str
    """what the MPI library calls itself"""
    ranks: int = Field(ge=1)
    ranks_recorded: int = Field(ge=1)
    """ranks that left a file; the others were killed before they could"""
    hosts: tuple[str, ...]
    """each once"""
    endings: tuple[str, ...]
    """how ranks ended, each way once: finalized, aborted, exited, or the name of a signal"""
    wall_seconds: Spread
    """from MPI_Init to the end, over ranks"""
    mpi_seconds: Spread
    """in profiled calls"""
    share_of_wall: Spread
    """mpi_seconds by wall_seconds, rank by rank; of several threads by the wall time of all of
    them"""
    threads: int | None = Field(default=None, ge=1)
    """that called MPI, of the rank with most; absent in records of before"""
    calls: int = Field(ge=0)
    """over all ranks"""
    overhead_seconds_per_call: Seconds = Field(ge=0)
    """what a call costs more, measured by the profiler when the program began; largest of ranks"""
    overhead_seconds_per_count: Seconds = Field(ge=0)
    """and each entry of a count array"""
    overhead_seconds: Spread
    """both times what a rank did, with checkpoints and asking Python for places"""
    share_overhead: float = Field(ge=0)
    """largest overhead_seconds of a rank by its wall_seconds"""
    waits: Literal["known", "partly", "unknown"]
    """whether wait_seconds cover all collective calls that make ranks wait, some, or none"""
    waits_reason: str | None = None
    """why not all"""
    calls_without_place: int = Field(ge=0)
    """calls counted without call site and region, because there were too many of these"""
    requests_left_out: int = Field(ge=0)
    """receives whose bytes are not counted, because too many were under way"""
    receives_unknown: int = Field(default=0, ge=0)
    """receives whose bytes are not counted, because the library does not say what came"""
    bytes_outside: Bytes = Field(ge=0)
    """to and from ranks outside MPI_COMM_WORLD"""
    worlds: int | None = Field(default=None, ge=2)
    """how many MPI_COMM_WORLDs the command made; absent where it was one"""
    mistake: str | None = None
    """where they are not what their launcher started: what was made, why, and what to do"""


class ProfileRankRecord(ProfileRow):
    """One rank of a profiled program."""

    kind: Literal["profile_rank"] = "profile_rank"
    rank: int = Field(ge=0)
    host: str
    process: int | None = Field(default=None, ge=1)
    """its number on the host"""
    launcher_rank: int | None = Field(default=None, ge=0)
    """how its launcher numbered it; absent where nobody did"""
    ended: str
    wall_seconds: Seconds = Field(ge=0)
    mpi_seconds: Seconds = Field(ge=0)
    wait_seconds: Seconds = Field(ge=0)
    """of these, waiting for others in collective calls, as far as it is known"""
    calls: int = Field(ge=0)
    bytes_sent: Bytes = Field(ge=0)
    bytes_received: Bytes = Field(ge=0)
    receives_unknown: int = Field(default=0, ge=0)
    """receives that are not among these, because the library does not say what came"""
    overhead_seconds: Seconds = Field(ge=0)
    threads: int | None = Field(default=None, ge=1)
    """that called MPI; absent in records of before"""
    thread_seconds: Seconds | None = Field(default=None, ge=0)
    """wall time of these, added up, as mpi_seconds are; absent where there was one"""


class ProfileThreadRecord(ProfileRow):
    """One thread of a rank in which several called MPI."""

    kind: Literal["profile_thread"] = "profile_thread"
    rank: int = Field(ge=0)
    thread: int = Field(ge=0)
    """in the order of their first calls"""
    threads: int = Field(ge=1)
    """1, or how many came when there were too many to tell apart: they share the last row"""
    wall_seconds: Seconds = Field(ge=0)
    """from its start, or MPI_Init where that came later, to its end"""
    mpi_seconds: Seconds = Field(ge=0)
    calls: int = Field(ge=0)
    bytes_sent: Bytes = Field(ge=0)
    bytes_received: Bytes = Field(ge=0)


class ProfileCommunicatorRecord(ProfileRow):
    """A communicator of a profiled program."""

    kind: Literal["profile_communicator"] = "profile_communicator"
    communicator: str
    """its name in other records: the same on all its ranks, made from them and their order"""
    size: int = Field(ge=1)
    """of one group"""
    is_inter: bool
    world_ranks: tuple[int, ...]
    """its ranks in MPI_COMM_WORLD, in order; of an intercommunicator the other group as the first
    rank sees it; -1 for ranks of another program"""


class ProfileCallRecord(ProfileRow):
    """All calls of one kind."""

    kind: Literal["profile_call"] = "profile_call"
    call: str
    calls: int = Field(ge=0)
    messages: int = Field(ge=0)
    bytes_sent: Bytes = Field(ge=0)
    bytes_received: Bytes = Field(ge=0)
    """counted by the call that completes a receive"""
    receives_unknown: int = Field(default=0, ge=0)
    """receives that are not among these, because the library does not say what came"""
    kept_bytes: Bytes = Field(ge=0)
    """own blocks of collectives"""
    argument_bytes: Bytes = Field(ge=0)
    """count times type size as the arguments say, of several counts the own one"""
    seconds: Spread
    """inside the calls, over all ranks"""
    max_call_seconds: Seconds = Field(ge=0)
    """the longest single call"""
    wait_seconds: Spread | None = None
    """of these, before the others came; absent where nobody can know"""
    wait_calls: int = Field(ge=0)
    """calls that wait_seconds covers"""
    share_of_mpi: float = Field(ge=0, le=1.0000001)


class ProfileCellRecord(ProfileRow):
    """Calls of one kind from one place of the program, on one communicator, in one region."""

    kind: Literal["profile_cell"] = "profile_cell"
    call: str
    communicator: str | None = None
    """absent for calls on requests"""
    region: str | None = None
    """absent outside regions"""
    region_number: int | None = None
    """tells regions of one name apart: a level, for example"""
    module: str | None = None
    """file of the program or library that made the call; through mpi4py, that of the program in
    Python"""
    offset: int | None = Field(default=None, ge=0)
    """return address in that file; absent in Python"""
    symbol: str | None = None
    """function that made the call, where its file names it"""
    line: str | None = None
    """file:line of the source, where the program was built with -g or is in Python"""
    ranks: int = Field(ge=1)
    """ranks that made such calls"""
    calls: int = Field(ge=0)
    messages: int = Field(ge=0)
    bytes_sent: Bytes = Field(ge=0)
    bytes_received: Bytes = Field(ge=0)
    receives_unknown: int = Field(default=0, ge=0)
    """receives that are not among these, because the library does not say what came"""
    kept_bytes: Bytes = Field(ge=0)
    argument_bytes: Bytes = Field(ge=0)
    seconds: Spread
    """over all ranks"""
    wait_seconds_mean: Seconds | None = Field(default=None, ge=0)
    """over all ranks; absent where nobody can know"""


class ProfileSearchRecord(ProfileRow):
    """Calls of one kind in one search (or time step, or solve) that the program announced."""

    kind: Literal["profile_search"] = "profile_search"
    search: int = Field(ge=0)
    """as the program counts them; our engine from 0, warm-ups included"""
    call: str
    calls: int = Field(ge=0)
    messages: int = Field(ge=0)
    bytes_sent: Bytes = Field(ge=0)
    seconds: Spread
    """over all ranks"""
    wait_seconds_mean: Seconds | None = Field(default=None, ge=0)
    """over all ranks; absent where nobody can know"""


class ProfilePlace(Part):
    """A place of the program that makes a call."""

    call: str
    module: str | None = None
    """file of the program or library"""
    offset: int | None = Field(default=None, ge=0)
    """return address in that file; absent in Python"""
    symbol: str | None = None
    line: str | None = None
    """file:line of the source, where the program was built with -g or is in Python"""


class ProfileLevelsRecord(ProfileRow):
    """The levels of searches, found in the order of collective calls of a program that announces
    none. Of an iterative solver: the iterations of its solves."""

    kind: Literal["profile_levels"] = "profile_levels"
    ends: tuple[ProfilePlace, ...]
    """small allreduces that end a level; two where top-down and bottom-up are loops of their own"""
    marker: ProfilePlace | None = None
    """call between two searches; absent where there is one"""
    searches: int = Field(ge=1)
    levels: Spread
    """over searches"""
    seconds: Seconds = Field(ge=0)
    """of all levels"""
    confidence: Literal["high", "medium", "low", "named"]
    """named: a person said which call ends a level"""
    others: tuple[ProfilePlace, ...]
    """places that would end as many searches' levels"""
    ranks_counted: int = Field(ge=1)
    """in the records of levels"""
    reason: str | None = None
    """why not all ranks"""


class ProfileLevelRecord(ProfileRow):
    """One level, over the searches that have it."""

    kind: Literal["profile_level"] = "profile_level"
    level: int = Field(ge=0)
    searches: int = Field(ge=1)
    seconds: Seconds = Field(ge=0)
    """median over searches, by the clock of the first rank"""
    mpi_seconds: Seconds = Field(ge=0)
    """in all calls; this and the following: mean over ranks, of it the median over searches"""
    expand_seconds: Seconds = Field(ge=0)
    """in allgathers and broadcasts, which spread a frontier"""
    fold_seconds: Seconds = Field(ge=0)
    """in all-to-alls and reduce_scatters, which send what was found to its owners"""
    agree_seconds: Seconds = Field(ge=0)
    """in other collective calls; the rest of mpi_seconds is point-to-point or one-sided"""
    calls: float = Field(ge=0)
    """this and the following: of all ranks, mean over searches"""
    bytes_sent: float = Field(ge=0)
    expand_bytes: float = Field(ge=0)
    fold_bytes: float = Field(ge=0)
    whole_frontiers: int = Field(ge=0)
    """searches in which the expand moved as many bytes as in any level: a bitmap, as bottom-up
    levels need"""


class ProfileSizesRecord(ProfileRow):
    """How large the messages of one call were. The lists are parallel: an entry is a bucket."""

    kind: Literal["profile_sizes"] = "profile_sizes"
    call: str
    meaning: ProfileSizeMeaning
    """all that a rank sends to others in a call, what one of them gets, what stays, or what the
    arguments say"""
    from_bytes: tuple[Bytes, ...]
    """smallest size of the bucket"""
    to_bytes: tuple[Bytes, ...]
    """first size beyond it"""
    count: tuple[int, ...]
    bytes: tuple[Bytes, ...]
    seconds: tuple[Seconds, ...]
    """of the calls, shared among their messages by bytes"""

    @model_validator(mode="after")
    def _lists_are_parallel(self) -> "ProfileSizesRecord":
        lists = (self.from_bytes, self.to_bytes, self.count, self.bytes, self.seconds)
        if len({len(column) for column in lists}) != 1:
            raise ValueError("the lists have different lengths")
        return self


class ProfileMatrixRecord(ProfileRow):
    """Who sent how much to whom. The lists are parallel; pairs without a message are left out."""

    kind: Literal["profile_matrix"] = "profile_matrix"
    traffic: TrafficClass
    sender: tuple[int, ...]
    """rank in MPI_COMM_WORLD"""
    receiver: tuple[int, ...]
    bytes_sent: tuple[Bytes, ...]
    """as the sender counted"""
    messages: tuple[int, ...]
    bytes_received: tuple[Bytes, ...]
    """as the receiver counted; of one-sided calls, what the origin got"""

    @model_validator(mode="after")
    def _lists_are_parallel(self) -> "ProfileMatrixRecord":
        lists = (self.sender, self.receiver, self.bytes_sent, self.messages, self.bytes_received)
        if len({len(column) for column in lists}) != 1:
            raise ValueError("the lists have different lengths")
        return self


class ProfileTimelineRecord(ProfileRow):
    """The collective calls of one rank one by one. Lists that begin with ``place`` name where calls
    were made, each place once; the others are parallel, an entry is a call."""

    kind: Literal["profile_timeline"] = "profile_timeline"
    rank: int = Field(ge=0)
    host: str
    """ranks of one host read one clock; those of others begin at their own zero"""
    place_call: tuple[str, ...]
    place_communicator: tuple[str, ...]
    place_region: tuple[str, ...]
    """empty outside regions"""
    place: tuple[int, ...]
    """index into the lists of places"""
    entry_nanoseconds: tuple[int, ...]
    """since the first of these calls on the host"""
    nanoseconds: tuple[int, ...]
    wait_nanoseconds: tuple[int, ...]
    """of these, before the others came; -1 where nobody can know"""
    left_out: int = Field(ge=0)
    """later calls that were not kept one by one"""

    @model_validator(mode="after")
    def _lists_are_parallel(self) -> "ProfileTimelineRecord":
        lists = (self.place, self.entry_nanoseconds, self.nanoseconds, self.wait_nanoseconds)
        places = (self.place_call, self.place_communicator, self.place_region)
        if (
            len({len(column) for column in lists}) != 1
            or len({len(column) for column in places}) != 1
        ):
            raise ValueError("the lists have different lengths")
        if any(not 0 <= place < len(self.place_call) for place in self.place):
            raise ValueError("a call is at a place that is not listed")
        return self


AnyProfileRecord = (
    ProfileRecord
    | ProfileRankRecord
    | ProfileThreadRecord
    | ProfileCommunicatorRecord
    | ProfileCallRecord
    | ProfileCellRecord
    | ProfileSearchRecord
    | ProfileLevelsRecord
    | ProfileLevelRecord
    | ProfileSizesRecord
    | ProfileMatrixRecord
    | ProfileTimelineRecord
)
