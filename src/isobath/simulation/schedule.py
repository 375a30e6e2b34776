# SPDX-License-Identifier: Apache-2.0
"""A schedule: the calls of a search, step by step, with their counts and without their data.

engine/skeleton/schedule.cpp reads what ``text`` writes; its form: docs/explanation/simulating.md.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from isobath.costmodel.grid import Grid
from isobath.errors import UsageError
from isobath.prediction.calls import doublings

PlayedCall = Literal[
    "compute", "barrier", "bcast", "allreduce", "allgather", "allgatherv", "alltoall", "alltoallv",
    "sendrecv", "isend", "isend_all",
]  # fmt: skip
"""What the skeleton plays, by the names of the ledger; compute is no call."""

PLAYED_CALLS: tuple[PlayedCall, ...] = get_args(PlayedCall)

Along = Literal["world", "row", "column"]

MOST_UNITS = (1 << 31) - 1
"""that MPI counts, of a rank in a call"""

LARGEST_UNIT = 32
"""bytes of the largest type of MPI's own; SimGrid copies what is of another"""

Key = tuple[int, str, str, str]
"""level, phase, call, communicator"""


@dataclass(frozen=True)
class Parcel:
    """What goes to one other rank: units, cut into so many messages."""

    units: int
    messages: int = 1

    def __post_init__(self) -> None:
        if self.units < 0 or (self.units > 0) != (self.messages > 0):
            raise ValueError(f"{self.units} units are not {self.messages} messages")


NOTHING = Parcel(0, 0)


def parcel(units: int, messages: int = 1) -> Parcel:
    """At most one message for a unit; none where there is nothing."""
    return Parcel(units, min(units, messages)) if units > 0 else NOTHING


@dataclass(frozen=True)
class Totals:
    """What all ranks together do, as the ledger counts."""

    calls: int = 0
    messages: int = 0
    bytes_sent: int = 0

    def __add__(self, other: "Totals") -> "Totals":
        return Totals(
            self.calls + other.calls,
            self.messages + other.messages,
            self.bytes_sent + other.bytes_sent,
        )


@dataclass(frozen=True)
class Step:
    """One call of every rank of its communicator, or a computation of all ranks."""

    level: int
    phase: str
    call: PlayedCall
    along: Along = "world"
    unit: int = 1
    """bytes"""
    piece: int = 0
    """units of a message of the exchange that sends as it goes; 0: a parcel is cut evenly"""
    window: int = 0
    """ranks that a rank sends to at the same time; 0: all"""
    ends: bool = False
    """an empty message to every other rank says that it was the last"""
    seconds: float = 0.0
    """of computation"""
    each: Parcel | None = None
    """from every rank to each other; of a reduction the vector"""
    following: Parcel | None = None
    """from every rank to the next of its communicator"""
    root: tuple[int, Parcel] | None = None
    """who tells, and what each other gets"""
    by_rank: Mapping[int, Parcel] = field(default_factory=dict)
    """what each rank gives to all others"""
    by_pair: Mapping[tuple[int, int], Parcel] = field(default_factory=dict)
    """from and to, ranks of the program"""

    @property
    def key(self) -> Key:
        """What the ledger adds up by."""
        return self.level, self.phase, self.call, self.along

    def lines(self) -> Iterator[str]:
        """As the skeleton reads it."""
        yield (
            f"step {self.level} {self.phase} {self.call} {self.along} {self.unit} {self.piece} "
            f"{self.window} {int(self.ends)}"
        )
        if self.seconds:
            yield f"seconds {self.seconds:.9g}"
        if self.each is not None:
            yield f"each {_words(self.each)}"
        if self.following is not None:
            yield f"next {_words(self.following)}"
        if self.root is not None:
            yield f"root {self.root[0]} {_words(self.root[1])}"
        for rank, parcel in sorted(self.by_rank.items()):
            yield f"rank {rank} {_words(parcel)}"
        for (sender, receiver), parcel in sorted(self.by_pair.items()):
            yield f"pair {sender} {receiver} {_words(parcel)}"
        yield "end"

    def totals(self, grid: Grid) -> Totals:
        """What the ledger would count of it."""
        if self.call == "compute":
            return Totals()
        ranks, others = grid.size, group_size(grid, self.along) - 1
        ends = ranks * others if self.ends else 0
        if self.root is not None:
            whole = self.root[1]
            return Totals(ranks, others * whole.messages, others * whole.units * self.unit)
        parcels: list[tuple[Parcel, int]] = [(parcel, 1) for parcel in self.by_pair.values()]
        parcels += [(parcel, others) for parcel in self.by_rank.values()]
        if self.each is not None:
            parcels.append((self.each, ranks * others))
        if self.following is not None:
            parcels.append((self.following, ranks))
        messages = sum(parcel.messages * times for parcel, times in parcels)
        sent = sum(parcel.units * times for parcel, times in parcels) * self.unit
        calls = messages + ends if self.call in ("isend", "sendrecv") else ranks
        return Totals(calls, messages, sent)

    def flows(self, grid: Grid) -> int:
        """Messages that a simulator has to carry, the inner ones of collectives included."""
        ranks, size = grid.size, group_size(grid, self.along)
        if self.call == "compute" or size < 2:
            return 0
        if self.call in ("barrier", "allreduce"):
            return ranks * doublings(size)
        if self.call == "bcast":
            return ranks
        if self.call in ("allgather", "allgatherv", "alltoall"):
            return ranks * (size - 1)
        totals = self.totals(grid)
        return (
            max(totals.messages, totals.calls) if self.call != "alltoallv" else ranks * (size - 1)
        )


def _words(parcel: Parcel) -> str:
    return f"{parcel.units} {parcel.messages}"


def group_size(grid: Grid, along: Along) -> int:
    """Ranks of a communicator."""
    return {"world": grid.size, "row": grid.cols, "column": grid.rows}[along]


@dataclass(frozen=True)
class Schedule:
    """All steps of one search."""

    grid: Grid
    steps: tuple[Step, ...]
    notes: tuple[str, ...] = ()
    """what is not as in a search, one sentence each"""

    def __post_init__(self) -> None:
        """Raises: UsageError for a step that MPI cannot count, or none at all."""
        if not any(step.call != "compute" for step in self.steps):
            raise UsageError("nothing is sent between ranks, so there is nothing to simulate")

    def text(self) -> str:
        """The file."""
        head = ("isobath-schedule 1", f"grid {self.grid.rows} {self.grid.cols}")
        lines = [line for step in self.steps for line in step.lines()]
        return "\n".join((*head, *lines)) + "\n"

    def totals(self) -> dict[Key, Totals]:
        """By level, phase, call and communicator, in their order."""
        totals: dict[Key, Totals] = {}
        for step in self.steps:
            if step.call != "compute":
                totals[step.key] = totals.get(step.key, Totals()) + step.totals(self.grid)
        return totals

    @property
    def flows(self) -> int:
        """What a simulation costs, in messages."""
        return sum(step.flows(self.grid) for step in self.steps)


def unit_for(counts: Sequence[int], parcels_of_a_rank: int, smallest: int = 1) -> int:
    """Bytes of a unit in which MPI can count what a rank sends in one call.

    Raises: UsageError where no unit is large enough.

    >>> unit_for([6 << 30], 4)
    16
    """
    unit = smallest
    while max(counts, default=0) * parcels_of_a_rank // unit >= MOST_UNITS:
        unit *= 2
    if unit > LARGEST_UNIT:
        raise UsageError("a rank would send more in a call than MPI counts; take more ranks")
    return unit
